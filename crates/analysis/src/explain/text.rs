//! Explanations for people.

use tesuji_eval::Weights;
use tesuji_records::japanese;
use tesuji_report::number::counted;
use tesuji_shogi::{Bitboard, BoardStyle, Color, Move, Position};

use super::table::{INDENT, Table, player_name, signed, wrapped};
use super::{PositionExplanation, Ranked, Ranking, Side, TextLayout};
use crate::subject;

/// How many moves are listed, and how many features of each.
const LISTED_MOVES: usize = 5;
const FEATURES_OF_MOVE: usize = 3;

/// What the position is worth, and the best moves.
pub(super) fn of_position(
    explained: &PositionExplanation,
    layout: &TextLayout,
    ranking: &Ranking<'_>,
) -> String {
    let position = &explained.subject.position;
    let (introduction, table) = match layout.side {
        Side::Both => both_views(explained),
        Side::Black => one_view(explained, Color::Black),
        Side::White => one_view(explained, Color::White),
    };
    let (marked, numbers) = table.drawn(layout.top);
    let board = board(layout.style, position, explained.subject.last, marked);
    let left_out = explained.weights.set().len() - table.rows.len();
    let silent = match layout.side {
        Side::Both => "left out, the same for both players or nothing for either",
        Side::Black | Side::White => "left out, nothing here",
    };
    [
        explained.subject.heading(),
        board,
        format!("{}\n", subject::state_text(position)),
        legend(layout.style, &numbers),
        format!("\n{}{introduction}\n", weights_text(explained)),
        table.text(&explained.weights, layout.top),
        format!("{INDENT}{silent}: {}\n", counted(left_out as u64, "feature")),
        moves_text(explained, layout, ranking),
    ]
    .concat()
}

fn both_views(explained: &PositionExplanation) -> (String, Table<'_>) {
    let explanation = explained.explanation();
    let (black, white) = (explanation.own_score, explanation.enemy_score);
    let ahead = match black - white {
        0 => "Both are the same.".to_owned(),
        more if more > 0 => format!("Black has {more} more."),
        less => format!("White has {} more.", -less),
    };
    let introduction = format!(
        "Black's view of the position: {black}. White's view: {white}. {ahead}\n\
         Each view is the sum of that player's own features, so one is not the other with its \
         sign turned.\n\n\
         What makes the difference, the strongest first: + speaks for Black, - for White.\n\
         \"You\" is the player in whose view the value is taken.\n"
    );
    (introduction, Table::of_both(&explanation.terms))
}

fn one_view(explained: &PositionExplanation, player: Color) -> (String, Table<'_>) {
    let explanation = explained.weights.explain(&explained.subject.position, player);
    let name = player_name(player);
    let introduction = format!(
        "{name}'s view of the position: {}.\n\n\
         What it is made of, the strongest first. \"You\" is {name}.\n",
        explanation.own_score
    );
    (introduction, Table::of_one(player, &explanation.terms))
}

/// What a move changes, how it compares with all others, and what the best one has above it.
pub(super) fn of_move(
    explained: &PositionExplanation,
    layout: &TextLayout,
    ranking: &Ranking<'_>,
    chosen: &Ranked<'_>,
) -> String {
    let position = &explained.subject.position;
    let next = position.after_unchecked(chosen.mv);
    let explanation = &chosen.explanation;
    let table = Table::of_changes(
        ["before", "after"].map(String::from),
        ["no longer", "now"].map(String::from),
        &explanation.changes,
    );
    let (marked, numbers) = table.drawn(layout.top);
    let mover = player_name(position.side_to_move());
    let (name, change) = (move_name(explained, layout.style, chosen.mv), signed(chosen.gain()));
    let (before, after) = (explanation.before, explanation.after);
    let introduction = format!(
        "{name} in {mover}'s view: {before} before the move, {after} after it, {change}.\n\
         {}\n\
         What the move changes, the strongest first. \"You\" is {mover}.\n",
        place_text(explained, layout, ranking, chosen)
    );
    [
        explained.subject.heading(),
        board(layout.style, &next, Some(chosen.mv), marked),
        format!("{}\n", subject::state_text(&next)),
        legend(layout.style, &numbers),
        format!("\n{}{introduction}\n", weights_text(explained)),
        table.text(&explained.weights, layout.top),
        best_text(explained, layout, ranking, chosen),
    ]
    .concat()
}

/// How the move compares with the others.
fn place_text(
    explained: &PositionExplanation,
    layout: &TextLayout,
    ranking: &Ranking<'_>,
    chosen: &Ranked<'_>,
) -> String {
    let tied: Vec<String> =
        ranking.tied(chosen).map(|mv| move_name(explained, layout.style, mv)).collect();
    let mut text = format!("Number {} of {} by this score", chosen.rank, legal(ranking));
    match tied.len() {
        0 => {}
        1..=LISTED_MOVES => text += &format!(", level with {}", tied.join(", ")),
        many => text += &format!(", level with {many} others"),
    }
    match ranking.best() {
        Some(best) if best.score() > chosen.score() => {
            text += &format!(
                "; best is {} with {}",
                move_name(explained, layout.style, best.mv),
                best.score()
            );
        }
        _ => {}
    }
    wrapped("", &(text + "."))
}

fn best_text(
    explained: &PositionExplanation,
    layout: &TextLayout,
    ranking: &Ranking<'_>,
    chosen: &Ranked<'_>,
) -> String {
    let changes = explained.against_best(ranking, chosen);
    let Some(best) = ranking.best().filter(|_| !changes.is_empty()) else { return String::new() };
    let names = [chosen.mv, best.mv].map(|mv| move_name(explained, layout.style, mv));
    let more = best.score() - chosen.score();
    let title = format!(
        "\nWhy {} scores {more} more than {}, the strongest first:\n\n",
        names[1], names[0]
    );
    let only = names.clone().map(|name| format!("with {name}"));
    title + &Table::of_changes(names, only, &changes).text(&explained.weights, layout.top)
}

/// The best moves, each with what it changes most, and the move that was played.
fn moves_text(
    explained: &PositionExplanation,
    layout: &TextLayout,
    ranking: &Ranking<'_>,
) -> String {
    if ranking.0.is_empty() {
        return String::new();
    }
    let mover = player_name(explained.subject.position.side_to_move());
    let mut text = format!(
        "\nBest moves for {mover}, by {mover}'s view of the position after the move (no reply is \
         considered):\n\n"
    );
    for (number, ranked) in (1..).zip(ranking.0.iter().take(LISTED_MOVES)) {
        let (name, score, gain) =
            (move_name(explained, layout.style, ranked.mv), ranked.score(), ranked.gain());
        text += &format!("{number:>3} {name}: {score} ({})\n", signed(gain));
        let changes = ranked.explanation.changes.iter().filter(|change| change.effect() != 0);
        for change in changes.take(FEATURES_OF_MOVE) {
            let (effect, before, after) = (signed(change.effect()), change.before, change.after);
            let head = format!("    {effect:>7} ");
            let (sentence, name) = (change.feature.sentence, change.feature.name);
            text += &wrapped(&head, &format!("{sentence} ({name} {before}→{after})"));
        }
    }
    if let Some(played) = explained.subject.next.and_then(|mv| ranking.find(mv)) {
        text += &format!(
            "\nThe record goes on with {}: {} ({}), number {} of {}. --move {} explains it.\n",
            move_name(explained, layout.style, played.mv),
            played.score(),
            signed(played.gain()),
            played.rank,
            legal(ranking),
            played.mv
        );
    }
    text
}

fn legal(ranking: &Ranking<'_>) -> String {
    counted(ranking.0.len() as u64, "legal move")
}

pub(super) fn board(
    style: BoardStyle,
    position: &Position,
    last: Option<Move>,
    marked: Bitboard,
) -> String {
    position.display(style).last_move(last).highlight(marked).to_string()
}

/// What the marks on the board mean.
fn legend(style: BoardStyle, numbers: &[usize]) -> String {
    let mark = match style {
        BoardStyle::Letters => "[ ]",
        BoardStyle::Kanji => "*",
    };
    match numbers {
        [] => String::new(),
        [one] => format!("{mark} marks the squares of line {one} below\n"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(usize::to_string).collect();
            format!("{mark} marks the squares of lines {} and {last} below\n", others.join(", "))
        }
    }
}

/// Which weights, and how large their unit is.
fn weights_text(explained: &PositionExplanation) -> String {
    let weights = &explained.weights;
    let (name, set) = (&explained.weights_name, weights.set().name());
    let unit = pawn(weights)
        .map_or_else(String::new, |pawn| format!(" A pawn on the board counts {pawn}."));
    format!("Weights {name} for the {} {set} features.{unit}\n", weights.set().len())
}

fn pawn(weights: &Weights) -> Option<i32> {
    let index = weights.set().index_of("PAWN_VALUE")?;
    weights.effective().get(index).copied()
}

/// USI, after the Japanese name if that is wanted.
fn move_name(explained: &PositionExplanation, style: BoardStyle, mv: Move) -> String {
    match style {
        BoardStyle::Letters => mv.to_string(),
        BoardStyle::Kanji => {
            let previous = explained.subject.last.map(Move::to);
            let name = japanese::move_text(&explained.subject.position, mv, previous);
            format!("{name} {mv}")
        }
    }
}
