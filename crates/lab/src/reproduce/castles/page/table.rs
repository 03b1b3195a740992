//! Table 1: what the maps win by the length of the opening book.

use tesuji_math::stats::{Tally, normal_cumulative};
use tesuji_report::{Cell as TableCell, Column, Table, number};

use super::super::settings::{BOOK_MOVES, CastlesReproduction, PAIRINGS, Pairing, Version, words};
use super::super::{Cell, Findings};
use crate::games::text;
use crate::reproduce::document::Document;
use crate::reproduce::shares::interval;

/// The columns in which the paper found a difference: the book of 10 and of 20 moves.
const SHORT: usize = 2;

/// The paper's way to say how likely it is that the winner is the stronger one: games that are
/// decided by chance alone, 68–32 gives 99.98 %.
fn superiority(wins: u64, losses: u64) -> f64 {
    let decided = (wins + losses).max(1) as f64;
    normal_cumulative((wins as f64 - losses as f64) / decided.sqrt())
}

/// All games of some cells.
fn sum<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Tally {
    let mut sum = Tally::default();
    for Tally { wins, draws, losses, pairs, .. } in cells.into_iter().map(|cell| cell.tally) {
        sum.wins += wins;
        sum.draws += draws;
        sum.losses += losses;
        sum.pairs.iter_mut().zip(pairs).for_each(|(all, some)| *all += some);
    }
    sum
}

fn share(tally: &Tally) -> f64 {
    tally.points() / tally.games().max(1) as f64
}

/// `31–18–1 (63 %)`: won, lost, and drawn if there are any.
fn result(tally: &Tally) -> String {
    let Tally { wins, draws, losses, .. } = *tally;
    let drawn = if draws > 0 { format!("–{draws}") } else { String::new() };
    format!("{wins}–{losses}{drawn} ({})", number::percent(share(tally), 0))
}

fn paper_result([wins, losses]: [u64; 2]) -> String {
    let share = wins as f64 / (wins + losses) as f64;
    format!("{wins}–{losses} ({})", number::percent(share, 0))
}

pub fn section(document: &mut Document, plan: &CastlesReproduction, findings: &Findings) {
    document.section("What the maps win (table 1)");
    let versions = [Version::All, Version::Castles, Version::None];
    let versions = versions.map(|version| format!("*{}*: {}", version.name(), version.words()));
    let followed: Vec<String> = (0..BOOK_MOVES.len())
        .map(|column| number::fixed(findings.table[0][column].followed, 1))
        .collect();
    document.text(&format!(
        "{}. All have the evaluation `material`, nothing else that knows positions, and {}; {} games a \
         cell, half of them with each colour. Both games of a pair begin with the same line of a book \
         of {} games of professionals ({} positions), and its moves are played without a doubt \
         (`book_veto=0`), so that both begin to think in the same position. *Book* is how many moves \
         the book may play at most, those of both players counted, as in the paper; it was followed \
         for {} moves on average. Won–lost, and –drawn if there are any; the paper had no draws, 50 \
         games a cell and 25 minutes a game.",
        versions.join("; "),
        words(&plan.sizes.control),
        plan.sizes.games,
        number::count(findings.book.games),
        number::count(findings.book.positions as u64),
        followed.join(", "),
    ));
    document.table(results(findings));
    document.text(
        "The paper prints 70 % for 30–20, which is 60 %, and its sentence on confidence names 68–32 \
         twice; the second, with 99.97 %, is 67–33.",
    );
    totals(document, findings);
    let faults: u64 = findings.table.iter().flatten().map(|cell| cell.faults).sum();
    if faults > 0 {
        document.text(&format!("Games that ended by a fault of an engine: {faults}."));
    }
}

fn results(findings: &Findings) -> Table {
    let columns = BOOK_MOVES.iter().map(|moves| format!("book {moves}"));
    let mut all = vec![Column::text("match"), Column::text("who")];
    all.extend(columns.map(|title| Column::number(&title)));
    all.push(Column::number("all"));
    let mut table = Table::new(all);
    for (pairing, cells) in PAIRINGS.iter().zip(&findings.table) {
        let paper = pairing.paper.iter().map(|&cell| paper_result(cell));
        let total = paper_result(pairing.paper_total(pairing.paper.len()));
        row(&mut table, &pairing.name(), "the paper", paper.chain([total]));
        let tallies: Vec<Tally> = cells.iter().map(|cell| cell.tally).chain([sum(cells)]).collect();
        row(&mut table, &pairing.name(), "here", tallies.iter().map(result));
        let intervals = tallies.iter().map(|tally| interval(tally.points(), tally.games() as f64));
        row(&mut table, &pairing.name(), "here, 95 %", intervals);
    }
    let lines = (0..BOOK_MOVES.len()).map(|column| findings.table[0][column].lines.to_string());
    row(&mut table, "lines of the book", "here", lines);
    table
}

fn row(table: &mut Table, name: &str, who: &str, cells: impl Iterator<Item = String>) {
    let cells = cells.map(TableCell::from);
    table.row([TableCell::text(name), TableCell::text(who)].into_iter().chain(cells));
}

/// The sums that the paper speaks of, and what follows from ours.
fn totals(document: &mut Document, findings: &Findings) {
    document.text(
        "The sums, with the probability that the first is the stronger one: reckoned as the paper \
         does, from games won and lost alone, and from pairs of games. Elo by pairs, with 95 %.",
    );
    let mut table = Table::new([
        Column::text("match"),
        Column::text("book"),
        Column::number("the paper"),
        Column::number("stronger"),
        Column::number("here"),
        Column::number("95 %"),
        Column::number("stronger"),
        Column::number("by pairs"),
        Column::number("Elo"),
    ]);
    for (pairing, cells) in PAIRINGS.iter().zip(&findings.table) {
        for (book, columns) in [("10 and 20", SHORT), ("all", cells.len())] {
            let ours = sum(&cells[..columns]);
            let paper = pairing.paper_total(columns);
            let estimate = ours.estimate();
            table.row([
                TableCell::text(&pairing.name()),
                TableCell::text(book),
                TableCell::text(&paper_result(paper)),
                TableCell::percent(superiority(paper[0], paper[1]), 2),
                TableCell::text(&result(&ours)),
                TableCell::text(&interval(ours.points(), ours.games() as f64)),
                TableCell::percent(superiority(ours.wins, ours.losses), 2),
                estimate
                    .map_or_else(TableCell::empty, |one| TableCell::percent(one.superiority, 2)),
                TableCell::text(&text::elo(estimate.as_ref())),
            ]);
        }
    }
    document.table(table);
    let sentences = PAIRINGS.iter().zip(&findings.table);
    let sentences: Vec<String> =
        sentences.map(|(pairing, cells)| verdict(pairing, cells)).collect();
    document.text(&sentences.join(" "));
}

/// What the numbers say of a match, whatever they are.
fn verdict(pairing: &Pairing, cells: &[Cell]) -> String {
    let [one, other] = pairing.versions.map(Version::words);
    let (short, long) = (sum(&cells[..SHORT]), sum(&cells[SHORT..]));
    let part = |tally: &Tally| {
        format!(
            "{} ({})",
            number::percent(share(tally), 0),
            told(superiority(tally.wins, tally.losses))
        )
    };
    let trend = match trend(&short, &long) {
        p if p >= SURE => "which is less",
        p if p <= 1.0 - SURE => "which is more",
        _ => "which these games do not tell apart",
    };
    format!(
        "Against {other}, {one} won {} with a book of 10 or 20 moves and {} with a longer one, {trend}.",
        part(&short),
        part(&long)
    )
}

/// From this probability on something is said for certain: 5 % for an error to either side.
const SURE: f64 = 0.975;

const fn told(superiority: f64) -> &'static str {
    match superiority {
        p if p >= SURE => "more than half, beyond chance",
        p if p <= 1.0 - SURE => "less than half, beyond chance",
        _ => "not told apart from half",
    }
}

/// How likely it is that more was won of the first games than of the second: two shares, compared
/// by the normal distribution.
fn trend(short: &Tally, long: &Tally) -> f64 {
    let [a, b] = [short.games(), long.games()].map(|games| games.max(1) as f64);
    let pooled = (short.points() + long.points()) / (a + b);
    let error = (pooled * (1.0 - pooled) * (1.0 / a + 1.0 / b)).sqrt();
    if error == 0.0 { 0.5 } else { normal_cumulative((share(short) - share(long)) / error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two probabilities that the paper gives, to the digit, and its totals.
    #[test]
    fn probabilities_are_those_of_the_paper() {
        let shown = |[wins, losses]: [u64; 2]| number::percent(superiority(wins, losses), 2);
        let short: Vec<[u64; 2]> = PAIRINGS.iter().map(|one| one.paper_total(SHORT)).collect();
        assert_eq!(short, [[68, 32], [67, 33], [56, 44]]);
        assert_eq!(shown(short[0]), "99.98 %");
        assert_eq!(shown(short[1]), "99.97 %");
        let all: Vec<String> =
            PAIRINGS.iter().map(|one| paper_result(one.paper_total(BOOK_MOVES.len()))).collect();
        assert_eq!(all, ["145–105 (58 %)", "140–110 (56 %)", "142–108 (57 %)"]);
    }

    fn cell(wins: u64, losses: u64) -> Cell {
        let mut tally = Tally::default();
        (tally.wins, tally.losses) = (wins, losses);
        Cell { tally, followed: 10.0, lines: 1, faults: 0 }
    }

    /// What is said follows from the numbers alone.
    #[test]
    fn words_follow_the_numbers() {
        let words = |games: [(u64, u64); 5]| {
            verdict(&PAIRINGS[0], &games.map(|(wins, losses)| cell(wins, losses)))
        };
        let paper = words([(38, 12), (30, 20), (27, 23), (25, 25), (25, 25)]);
        assert_eq!(
            paper,
            "Against no maps, castle and assault maps won 68 % (more than half, beyond chance) with a \
             book of 10 or 20 moves and 51 % (not told apart from half) with a longer one, which is \
             less."
        );
        let other = words([(10, 40), (10, 40), (25, 25), (25, 25), (25, 25)]);
        assert!(other.contains("20 % (less than half, beyond chance)"), "{other}");
        assert!(other.ends_with("which is more."), "{other}");
        assert!(words([(1, 1); 5]).ends_with("which these games do not tell apart."));
        let mut drawn = cell(3, 0).tally;
        drawn.draws = 1;
        assert_eq!(result(&drawn), "3–0–1 (88 %)");
    }
}
