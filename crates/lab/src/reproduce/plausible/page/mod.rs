//! The page `docs/results/plausible.md`.

mod generation;
mod generators;
mod search;

use anyhow::Result;
use tesuji_report::{Column, Table, number};

use super::Findings;
use super::games::Answer;
use super::settings::{By, FULL, HELD_OUT_SEED, MERIT, PlausibleReproduction, SEED};
use crate::reproduce::document::Document;
use crate::reproduce::shares::Z95;

/// Everything that was found, in words, tables and pictures.
pub fn document(plan: &PlausibleReproduction, findings: &Findings) -> Result<Document> {
    let lead = "Made by `tesuji reproduce plausible`; every number is measured by that command, \
                except those of the paper (Grimbergen, Matsubara: *Plausible Move Generation Using \
                Move Merit Analysis in Shogi*, 2000), which are named so. A plausible move is one \
                that some generator has a reason for; its merit is the sum of what the reasons are \
                worth and of what the move costs. *All* keeps what is generated, *merit* what has a \
                merit of 0 or more. Answers to a check are always kept.";
    let mut document = Document::new("Plausible moves", lead);
    generation::legal(&mut document, findings);
    generation::table_1(&mut document, findings);
    generation::savings(&mut document, findings);
    generation::order(&mut document, findings);
    generation::fewer(&mut document, findings);
    generators::section(&mut document, findings);
    generators::missed(&mut document, findings)?;
    search::by_nodes(&mut document, plan, findings);
    commands(&mut document, plan);
    search::by_time(&mut document, plan, findings);
    Ok(document)
}

/// A share with half its interval of 95 %, by its standard error: `98.9 ± 0.1 %`.
fn share(value: f64, error: f64, decimals: usize) -> String {
    if !error.is_finite() {
        return number::percent(value, decimals);
    }
    let fixed = |share: f64| number::fixed(100.0 * share, decimals);
    format!("{} ± {} %", fixed(value), fixed(Z95 * error))
}

impl Answer {
    fn accuracy(&self) -> String {
        share(self.kept.accuracy(), self.errors[0], 2)
    }

    fn saved(&self) -> String {
        share(self.kept.saved(), self.errors[1], 1)
    }
}

/// How each part is repeated alone.
fn commands(document: &mut Document, plan: &PlausibleReproduction) {
    document.section("What shows what");
    let games = "../shared/data/pro_games.tsv";
    let accuracy = format!(
        "tesuji plausible accuracy --games {games} --part test --seed {HELD_OUT_SEED} --cut"
    );
    let (problems, moves) = (By::Nodes(plan.sizes.problem_nodes), By::Nodes(plan.sizes.nodes));
    let mut table = Table::new([Column::text("part"), Column::text("command")]);
    let mut row = |part: &str, command: &str| {
        table.row([part, command].map(tesuji_report::Cell::text));
    };
    row("this page", "tesuji reproduce plausible");
    row("a row of table 1, and its generators", &format!("{accuracy} merit --merit fitted"));
    row("a number of best moves", &format!("{accuracy} best:30"));
    row("the model of moves", &format!("{accuracy} best:30 --merit move"));
    row(
        "a column of table 2",
        &format!(
            "tesuji test-suite ../shared/data/tactical.tsv --preset full-width-2000 --set \
             plausible=2 {}",
            problems.flag()
        ),
    );
    row(
        "a row of table 3",
        &format!(
            "tesuji match {} {} --games {} {} --seed {SEED}",
            MERIT.text(),
            FULL.text(),
            plan.sizes.games,
            moves.flag()
        ),
    );
    document.table(table);
}
