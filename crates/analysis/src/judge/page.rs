//! The page of an analysis.

use tesuji_eval::Calibration;
use tesuji_records::GameRecord;
use tesuji_report::{
    Arrow, ArrowKind, BoardFigure, Cell, ChanceGraph, Column, GamePly, GameView, KeyFigure, Lang,
    Mark, Page, Table, number,
};
use tesuji_shogi::{Color, Move};

use super::judgement::{BLUNDER, GameJudgement, INACCURACY, JudgedMove, MISTAKE, PlayerSummary};
use super::text::{details, mates, player_name, purpose_line, reason_lines, title, turning_text};
use super::{AnalysisSettings, GameAnalysis, lines};
use crate::formations::GameStory;
use crate::score;

/// How many moves of a best line are shown.
const LINE: usize = 10;
/// How many mistakes get a board of their own, the costliest.
const BOARDS: usize = 10;

/// The page.
pub(super) fn page(analysis: &GameAnalysis, footer: &str) -> Page {
    let GameAnalysis { settings, record, judgement, story } = analysis;
    let mut page = Page::new(&title(record), Lang::English);
    page.lead(&lead(settings, record));
    let view = GameView::new(plies(analysis));
    page.section("The game");
    let mut graph = ChanceGraph::new(&view);
    for score in [2000, 1000, 500, 0, -500, -1000, -2000] {
        graph = graph.tick(judgement.chance(score), &score::text(score).replace('-', "−"));
    }
    page.figure(
        &graph,
        "Black's chance to win after each move, by the engine's score: up is good for Black. The \
         curve is smoothed: each position counts twice, its neighbours once. A \
         click shows the position; the arrow keys step through the game, with shift from mistake \
         to mistake.",
    );
    page.game(&view);
    castles(&mut page, story);
    summary(&mut page, record, judgement);
    mistakes(&mut page, judgement);
    method(&mut page, settings, &judgement.calibration);
    page.footer(footer);
    page
}

fn lead(settings: &AnalysisSettings, record: &GameRecord) -> String {
    let whole = (settings.first, settings.last) == (1, record.main.moves.len());
    let part = format!(" Moves {} to {} were analysed.", settings.first, settings.last);
    format!("{}.{}", details(record), if whole { "" } else { &part })
}

/// The positions to step through.
fn plies(analysis: &GameAnalysis) -> Vec<GamePly> {
    let GameAnalysis { settings, record, judgement, story } = analysis;
    let Some(first) = judgement.moves.first() else { return Vec::new() };
    let mut drawn = judgement.drawn().into_iter();
    let before = settings.first.checked_sub(2).and_then(|ply| record.positions().nth(ply));
    let name = before.map(|(position, mv)| lines::japanese(&position, &[mv], None).concat());
    let mut plies = vec![GamePly {
        number: settings.first - 1,
        position: first.position,
        last_move: first.last,
        name: name.unwrap_or_default(),
        mark: None,
        score: shown(judgement.start_score),
        chance: judgement.chance(judgement.start_score),
        drawn: drawn.next().unwrap_or(0.5),
        arrows: Vec::new(),
        remarks: Vec::new(),
    }];
    for mv in &judgement.moves {
        plies.push(GamePly {
            number: mv.number,
            position: mv.position.after_unchecked(mv.mv),
            last_move: Some(mv.mv),
            name: japanese(mv, &[mv.mv], 1),
            mark: mv.mark(),
            score: shown(mv.black_score),
            chance: judgement.chance(mv.black_score),
            drawn: drawn.next().unwrap_or(0.5),
            arrows: Vec::new(),
            remarks: move_remarks(mv).into_iter().chain(castle_remarks(story, mv)).collect(),
        });
    }
    // Below each position stands what should be played there, and what was.
    for (ply, next) in plies.iter_mut().zip(&judgement.moves) {
        ply.arrows = arrows(next);
        if next.best().is_some() {
            ply.remarks.push(("Best now".to_owned(), japanese(next, &next.best_line, LINE)));
        }
    }
    plies
}

fn move_remarks(mv: &JudgedMove) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mover = if mv.color() == Color::Black { "Black" } else { "White" };
    let verdict = match mv.mark() {
        _ if mv.forced => "The only legal move.".to_owned(),
        Some(Mark::Best) => "The engine's first choice.".to_owned(),
        mark => {
            let word = match mark {
                Some(Mark::Blunder) => "A blunder",
                Some(Mark::Mistake) => "A mistake",
                Some(Mark::Inaccuracy) => "An inaccuracy",
                Some(Mark::Best) | None => "Not the engine's choice",
            };
            format!("{word}: costs {mover} {} of the winning chances.", percent(mv.loss))
        }
    };
    all.push((mv.mv.to_string(), verdict));
    all.extend(mates(mv).iter().map(|mate| (String::new(), capitalised(mate))));
    let purpose =
        mv.best().and_then(|best| purpose_line(mv, Lang::English, &japanese(mv, &[best], 1)));
    all.extend(purpose.map(|purpose| (String::new(), format!("{purpose}."))));
    let reasons = reason_lines(mv, Lang::English);
    all.extend(reasons.into_iter().map(|reason| (String::new(), reason.trim().to_owned())));
    if !mv.is_best() && mv.best().is_some() {
        all.push(("Engine’s line".to_owned(), japanese(mv, &mv.best_line, LINE)));
    }
    all
}

fn castle_remarks(story: &GameStory, mv: &JudgedMove) -> Vec<(String, String)> {
    let events = story.with_move(mv.number);
    events.map(|event| (String::new(), format!("{}.", event.text(Lang::English)))).collect()
}

/// How the openings ended, and what became of the castles.
fn castles(page: &mut Page, story: &GameStory) {
    let [english, japanese] = Lang::ALL.map(|lang| story.opening(lang));
    if english.is_empty() && story.events.is_empty() {
        return;
    }
    page.section("Castles");
    for (english, japanese) in english.iter().zip(japanese) {
        page.paragraph(&format!("{english}. {japanese}。"));
    }
    if story.events.is_empty() {
        return;
    }
    let mut table = Table::new([Column::number("move"), Column::text("what became of them")]);
    for event in &story.events {
        let text = Cell::text(event.text(Lang::English)).note(event.text(Lang::Japanese));
        table.row([Cell::count(event.number as u64), text]);
    }
    page.table(&table);
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// The best move, and the one that was played if it is another.
fn arrows(mv: &JudgedMove) -> Vec<Arrow> {
    let label = |what: &str, of: Move| format!("{what}: {} {of}", japanese(mv, &[of], 1));
    let mut arrows = Vec::new();
    if let Some(best) = mv.best() {
        let what = if best == mv.mv { "best, and played" } else { "best" };
        arrows.push(Arrow::new(best, ArrowKind::Master, &label(what, best)));
        if best != mv.mv {
            arrows.push(Arrow::new(mv.mv, ArrowKind::Chosen, &label("played", mv.mv)));
        }
    }
    arrows
}

fn japanese(mv: &JudgedMove, line: &[Move], most: usize) -> String {
    lines::joined(&lines::japanese(&mv.position, line, mv.last), most)
}

/// A score with a true minus sign.
fn shown(score: i32) -> String {
    score::text(score).replace('-', "−")
}

fn percent(share: f64) -> String {
    number::percent(share, 1)
}

fn summary(page: &mut Page, record: &GameRecord, judgement: &GameJudgement) {
    page.section("The players");
    let names = Color::ALL.map(|color| player_name(record, color));
    let mut table =
        Table::new([Column::text(""), Column::number(&names[0]), Column::number(&names[1])]);
    let [black, white] = &judgement.players;
    let mut row = |what: &str, values: [Cell; 2]| {
        let [first, second] = values;
        table.row([Cell::text(what), first, second]);
    };
    let both = |cell: &dyn Fn(&PlayerSummary) -> Cell| [cell(black), cell(white)];
    let share = |share: Option<f64>, decimals| Cell::percent(share.unwrap_or(f64::NAN), decimals);
    let count = |count: usize| Cell::count(count as u64);
    row("moves", both(&|player| count(player.moves)));
    row("winning chances lost a move", both(&|player| share(player.mean_loss(), 1)));
    row("the engine's first choice", both(&|player| share(player.agreement(), 0)));
    row("inaccuracies ?!", both(&|player| count(player.inaccuracies)));
    row("mistakes ?", both(&|player| count(player.mistakes)));
    row("blunders ??", both(&|player| count(player.blunders)));
    row("mates missed", both(&|player| count(player.missed_mates)));
    page.table(&table);
    let mut figures = Vec::new();
    if let Some(turning) = judgement.turning_point.map(|place| &judgement.moves[place]) {
        let note = turning_text(turning, true);
        figures.push(
            KeyFigure::new(&format!("move {}", turning.number), "the turning point").note(&note),
        );
    }
    if let Some(worst) = judgement.worst().first() {
        let what = japanese(worst, &[worst.mv], 1);
        figures.push(
            KeyFigure::new(&format!("move {}", worst.number), "the costliest move")
                .note(&format!("{what} costs {}.", percent(worst.loss))),
        );
    }
    if !figures.is_empty() {
        page.key_figures(&figures);
    }
}

fn mistakes(page: &mut Page, judgement: &GameJudgement) {
    let mut shown: Vec<&JudgedMove> = judgement.worst();
    let (all, most) = (shown.len(), BOARDS);
    if all == 0 {
        return;
    }
    shown.truncate(most);
    shown.sort_by_key(|mv| mv.number);
    page.section("Mistakes");
    if all > most {
        page.paragraph(&format!("The {most} costliest of {all}, in the order of the game."));
    }
    for mv in shown {
        mistake(page, judgement, mv);
    }
}

fn mistake(page: &mut Page, judgement: &GameJudgement, mv: &JudgedMove) {
    let mut board = BoardFigure::new(&mv.position).last_move(mv.last);
    for arrow in arrows(mv) {
        board = board.arrow(arrow);
    }
    let sign = mv.mark().map_or("", Mark::sign);
    let name = japanese(mv, &[mv.mv], 1);
    page.beside(
        |page| {
            page.figure(&board, &format!("Before move {}.", mv.number));
        },
        |page| {
            page.subsection(&format!("{} {name} {sign}", mv.number));
            let (best, played) = (mv.best_score, mv.played_score);
            page.paragraph(&format!(
                "{} costs {} of the winning chances: {} for the player after {}, {} after this.",
                mv.mv,
                percent(mv.loss),
                percent(judgement.chance(best)),
                mv.best().map_or_else(String::new, |best| japanese(mv, &[best], 1)),
                percent(judgement.chance(played)),
            ));
            let mut table = Table::new([
                Column::text(""),
                Column::text("line"),
                Column::number("Black's score"),
            ]);
            let lines = [("best", &mv.best_line, best), ("played", &mv.played_line, played)];
            for (what, line, score) in lines {
                let score = if mv.color() == Color::Black { score } else { -score };
                let line = japanese(mv, line, LINE);
                table.row([Cell::text(what), Cell::text(&line), Cell::text(&shown(score))]);
            }
            page.table(&table);
            purpose(page, mv);
            why(page, mv);
        },
    );
}

/// What the better move is for, in both languages.
fn purpose(page: &mut Page, mv: &JudgedMove) {
    let Some(best) = mv.best().map(|best| japanese(mv, &[best], 1)) else { return };
    let [english, japanese] = Lang::ALL.map(|lang| purpose_line(mv, lang, &best));
    if let Some((english, japanese)) = english.zip(japanese) {
        page.paragraph(&format!("{english}. {japanese}。"));
    }
}

fn why(page: &mut Page, mv: &JudgedMove) {
    let Some(reasons) = &mv.reasons else {
        for mate in mates(mv) {
            page.paragraph(&capitalised(&mate));
        }
        return;
    };
    let mut table = Table::new([Column::text("why"), Column::number("centipawns")]);
    for reason in &reasons.said {
        let text = Cell::text(&reason.text(Lang::English)).note(&reason.text(Lang::Japanese));
        table.row([text, Cell::number(reason.centipawns.into(), 0)]);
    }
    table.row([Cell::text("not said"), Cell::number(reasons.unsaid.into(), 0)]);
    table.row([Cell::text("together"), Cell::number(reasons.change.into(), 0)]);
    page.table(&table);
}

fn method(page: &mut Page, settings: &AnalysisSettings, calibration: &Calibration) {
    page.section("How it was done");
    page.paragraph(&format!(
        "Every position was searched for {} with the evaluation {}, and so was the one after the best \
         move where another was played, and after the reply that the line of the move before \
         expected. The value of a position is that of the best of these moves and of the move of the \
         game, which is worth what the next position is: what later searches find counts for all \
         positions before. Where a move is blamed, or a search disagrees with that value, both \
         sides are searched again, 2 and then 4 times as long. Scores are in centipawns; +#7 is a \
         mate by Black in 7 plies, −#6 one by White in 6.",
        settings.limits.text(),
        settings.evaluation()
    ));
    page.paragraph(&format!(
        "The chance to win with a score s is {}, {}; a mate is certain. A move that costs {} of it is an inaccuracy (?!), {} a mistake (?), {} a blunder (??), so a piece more \
         or less in a game that is decided counts for little. ✓ is the engine's first choice.",
        curve_text(calibration),
        scale_text(calibration),
        number::percent(INACCURACY, 0),
        number::percent(MISTAKE, 0),
        number::percent(BLUNDER, 0),
    ));
    page.paragraph(
        "Why a move is a mistake compares the ends of the best line and of the line of the game, both \
         played out until nothing hangs, by the evaluation that the engine plays with. Numbers are \
         what each reason weighs in the view of the player who moved; with what is not said they add \
         up to the difference of the scores.",
    );
}

/// The formula of chances.
fn curve_text(calibration: &Calibration) -> String {
    let scale = number::fixed(calibration.scale, 0);
    if calibration.upset == 0.0 {
        return format!("1 / (1 + exp(−s / {scale}))");
    }
    let [low, range] = [calibration.upset / 2.0, 1.0 - calibration.upset];
    format!("{low:.3} + {range:.3} / (1 + exp(−s / {scale}))")
}

/// How well the scale of chances is known.
fn scale_text(calibration: &Calibration) -> String {
    if !calibration.measured {
        return "a scale that was not measured for this evaluation".to_owned();
    }
    let [low, high] = [calibration.low, calibration.high].map(|end| number::fixed(end, 0));
    format!("a scale measured by games (95 % interval {low} to {high})")
}
