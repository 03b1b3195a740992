//! What the trainer found, for a person at a terminal.

use tesuji_report::{Lang, number};
use tesuji_shogi::BoardStyle;

use super::outcome::{Board, GeneratorMisses, TrainerOutcome};

/// Generators with boards.
const MOST_SHOWN: usize = 3;

pub(super) fn report(found: &TrainerOutcome, page: &str) -> String {
    let TrainerOutcome { plan, games, all, .. } = found;
    let mut text = format!(
        "{}: {}, beside {} of others; {} nodes a search\nspellings: {}\n",
        plan.player.join(", "),
        number::counted(games[0] as u64, "game"),
        number::counted(games[1] as u64, "game"),
        number::count(plan.nodes),
        joined(found),
    );
    text += &format!(
        "A miss gives away {} or more of the winning chances, and is not for what the better move \
         is for.\n\n{:<36}{:>9}{:>8}{:>9}{:>9}{:>8}  {}\n",
        number::percent(plan.margin, 0),
        "the better moves",
        "chances",
        "missed",
        "player",
        "others",
        "ratio",
        "p, all tests"
    );
    text += &row(all);
    for of in &found.generators {
        text += &row(of);
    }
    text += &format!("\n{}", sentences(found));
    for of in found.shown().into_iter().take(MOST_SHOWN) {
        for board in &of.boards {
            text += &format!("\n{}", board_text(of, board));
        }
    }
    text + &format!("\n{page}\n")
}

/// The spellings that were joined.
pub(super) fn joined(found: &TrainerOutcome) -> String {
    let spellings = found.spellings.iter().map(|(name, games)| format!("{name} ({games})"));
    spellings.collect::<Vec<_>>().join(", ")
}

fn row(of: &GeneratorMisses) -> String {
    let share = |share: f64| number::percent(share, 1);
    let ratio = of.ratio().map_or("–".to_owned(), |ratio| number::fixed(ratio, 2));
    let is_one = of.generator.is_some();
    let p = if is_one { number::fixed(of.adjusted, 4) } else { String::new() };
    let sign = if is_one && of.is_significant() { " *" } else { "" };
    let line = format!(
        "{:<36}{:>9}{:>8}{:>9}{:>9}{:>8}  {p}{sign}",
        of.nouns(),
        number::count(of.player.chances),
        number::count(of.player.misses),
        share(of.player.share()),
        share(of.others.share()),
        ratio,
    );
    line.trim_end().to_owned() + "\n"
}

/// What is more than chance, a sentence each.
pub(super) fn sentences(found: &TrainerOutcome) -> String {
    let tests = found.generators.len();
    let significant = found.generators.iter().filter(|of| of.is_significant());
    let said: Vec<String> = significant.map(sentence).collect();
    if said.is_empty() {
        return format!("Nothing is significant after {tests} tests.\n");
    }
    said.concat()
}

fn sentence(of: &GeneratorMisses) -> String {
    let times = match of.ratio() {
        Some(ratio) => format!("{} times as often as others", number::fixed(ratio, 1)),
        None => "where others never do".to_owned(),
    };
    format!(
        "Misses {} {times}: {} of {} chances, others {} of {} (p {} after all tests).\n",
        of.nouns(),
        number::count(of.player.misses),
        number::count(of.player.chances),
        number::count(of.others.misses),
        number::count(of.others.chances),
        number::fixed(of.adjusted, 4),
    )
}

fn board_text(of: &GeneratorMisses, board: &Board) -> String {
    format!(
        "{}: {}\n{}{}\n",
        of.nouns(),
        title(board),
        board.position.display(BoardStyle::Letters).last_move(board.last),
        said(board, &board.played.to_string(), &board.best.to_string()),
    )
}

/// Which game, and which move of it.
pub(super) fn title(board: &Board) -> String {
    let (file, line) = &board.place;
    format!("{}, move {} ({file}:{line})", board.title, board.number)
}

/// What was played and what was better, by the names of both.
pub(super) fn said(board: &Board, played: &str, best: &str) -> String {
    let words = board.purpose.text(Lang::English);
    let loss = number::percent(board.loss, 0);
    format!("{played} gives away {loss}; better {best}, which {words}.")
}
