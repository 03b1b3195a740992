//! The report of the trainer.

use tesuji_records::japanese::move_text;
use tesuji_report::{
    Arrow, ArrowKind, Axis, Bar, BarChart, BoardFigure, Cell, Column, KeyFigure, Lang, Page, Table,
    number,
};
use tesuji_shogi::Move;

use super::outcome::{Board, GeneratorMisses, TrainerOutcome};
use super::text::{joined, said, sentences, title};

pub(super) fn page(found: &TrainerOutcome) -> Page {
    let name = found.plan.player.join(", ");
    let mut page = Page::new(&format!("What {name} misses"), Lang::English);
    let [own, others] = found.games.map(|games| number::counted(games as u64, "game"));
    page.lead(&format!(
        "{own} beside {others} of others. One person in these spellings: {}.",
        joined(found)
    ));
    overview(&mut page, found);
    for of in found.shown() {
        boards(&mut page, of);
    }
    table(&mut page, found);
    method(&mut page, found);
    page
}

fn overview(page: &mut Page, found: &TrainerOutcome) {
    let TrainerOutcome { all, .. } = found;
    let share = |share: f64| number::percent(share, 1);
    page.key_figures(&[
        KeyFigure::new(&number::count(all.player.chances), "moves of the player with a choice"),
        KeyFigure::new(&share(all.player.share()), "give something away"),
        KeyFigure::new(&share(all.others.share()), "of others' moves do"),
    ]);
    let said = sentences(found);
    let said: Vec<&str> = said.lines().collect();
    page.list(&said);
    let mut chart = BarChart::new("misses", Axis::new("misses, times those of others"), 2);
    for of in &found.generators {
        if let Some(ratio) = of.ratio() {
            chart = chart.bar(Bar::new(of.nouns(), ratio));
        }
    }
    page.figure(&chart, "How many times as often as others the player misses moves of each kind.");
}

fn boards(page: &mut Page, of: &GeneratorMisses) {
    let nouns = of.nouns();
    let mut letters = nouns.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    page.section(&format!("Missed: {}{}", first.unwrap_or_default(), letters.as_str()));
    page.gallery(|page| {
        for board in &of.boards {
            page.figure(&figure(board), &caption(board));
        }
    });
}

fn figure(board: &Board) -> BoardFigure {
    let label = |what: &str, mv: Move| format!("{what}: {} {mv}", name(board, mv));
    BoardFigure::new(&board.position)
        .seen_by(board.position.side_to_move())
        .last_move(board.last)
        .arrow(Arrow::new(board.best, ArrowKind::Master, &label("better", board.best)))
        .arrow(Arrow::new(board.played, ArrowKind::Chosen, &label("played", board.played)))
}

fn name(board: &Board, mv: Move) -> String {
    move_text(&board.position, mv, board.last.map(Move::to))
}

fn caption(board: &Board) -> String {
    let [played, best] = [board.played, board.best].map(|mv| name(board, mv));
    let japanese = board.purpose.text(Lang::Japanese);
    format!("{}. {} {best}：{japanese}。", title(board), said(board, &played, &best))
}

fn table(page: &mut Page, found: &TrainerOutcome) {
    page.section("All kinds of moves");
    let mut table = Table::new([
        Column::text("the better moves"),
        Column::number("chances"),
        Column::number("missed"),
        Column::number("player"),
        Column::number("others"),
        Column::number("ratio"),
        Column::number("p"),
        Column::number("p, all tests"),
    ]);
    for of in [&found.all].into_iter().chain(&found.generators) {
        let name = Cell::text(of.nouns());
        let is_one = of.generator.is_some();
        table.row([
            if is_one && of.is_significant() { name.strong() } else { name },
            Cell::count(of.player.chances),
            Cell::count(of.player.misses),
            Cell::percent(of.player.share(), 1),
            Cell::percent(of.others.share(), 1),
            of.ratio().map_or_else(Cell::empty, |ratio| Cell::number(ratio, 2)),
            Cell::number(of.p, 4),
            if is_one { Cell::number(of.adjusted, 4) } else { Cell::empty() },
        ]);
    }
    page.table(&table);
}

fn method(page: &mut Page, found: &TrainerOutcome) {
    let plan = &found.plan;
    page.section("How it was measured");
    page.paragraph(&format!(
        "Every position with a choice was searched for {} nodes, and so was the move that was played \
         where it was another, each time with nothing remembered. Scores become winning chances by \
         the scale of the evaluation, {} centipawns; a move that gives away {} or more is a miss. \
         Searches as short as these are often wrong about single moves, about the player's and \
         others' alike.",
        number::count(plan.nodes),
        number::fixed(found.calibration.scale, 0),
        number::percent(plan.margin, 1),
    ));
    page.paragraph(
        "The preferred move has a reason for each generator that produces it. That is a chance for \
         the generator, and it is missed if the move that was played gives something away and is \
         not produced by the same generator. p is the larger of Fisher's exact test of the counts \
         and of Welch's test with whole games drawn by chance; Holm's correction is for all \
         generators together, at 5 %.",
    );
    page.note(
        "Others are the opponents in the player's games, and both players in games without the \
         player. They are not in the same positions: who likes other openings has other chances.",
    );
}
