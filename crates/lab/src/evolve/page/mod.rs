//! The report of an evolution: one page that opens without a network.

mod course;
pub mod kinds;
mod misses;
pub mod pieces;
mod times;
mod weights;

use anyhow::Result;
use tesuji_learn::ga::Parameters;
use tesuji_report::{KeyFigure, Lang, Page, number};
use tesuji_run::RunFolder;

use super::{EvolveOutcome, EvolvePlan, Learner};

/// What the thesis reports for its best organism: positions solved, of how many.
const THESIS: (u32, u32) = (886, 5000);

/// The share of positions that the thesis's best organism solves.
fn thesis_share() -> f64 {
    f64::from(THESIS.0) / f64::from(THESIS.1)
}

/// The page.
pub fn page(outcome: &EvolveOutcome, folder: &RunFolder) -> Result<Page> {
    let plan = &outcome.plan;
    let (title, how) = match plan.learner {
        Learner::Genetic => (
            "An evaluation that evolved",
            "found by a genetic algorithm that is rewarded for every position in which the move \
             that it likes best is the move that was played",
        ),
        Learner::Likelihood => (
            "An evaluation that was fitted",
            "under which the moves that were played are as likely as can be",
        ),
        Learner::Accuracy => (
            "An evaluation that was fitted",
            "under which the moves that were played are the best ones as often as can be",
        ),
    };
    let mut page = Page::new(title, Lang::English);
    let set = outcome.data.set();
    page.lead(&format!("Weights for the {} features of the set {}, {how}.", set.len(), set.name()));
    overview(&mut page, plan, outcome);
    course::add(&mut page, outcome);
    pieces::add(&mut page, outcome);
    weights::add(&mut page, outcome);
    kinds::add(&mut page, outcome);
    kinds::add_experts(&mut page, outcome);
    misses::add(&mut page, outcome);
    times::add(&mut page, outcome);
    reproduction(&mut page, plan, outcome, folder)?;
    page.footer(&folder.manifest().program);
    Ok(page)
}

fn overview(page: &mut Page, plan: &EvolvePlan, outcome: &EvolveOutcome) {
    page.section("In short");
    let of = outcome.positions;
    let winner = outcome.winner();
    let accuracy = f64::from(winner.correct) / of.max(1) as f64;
    let mut figures = vec![
        KeyFigure::new(
            &number::count(winner.correct.into()),
            &format!("of {} positions solved by the best weights", number::count(of as u64)),
        )
        .note(&format!("{}; thesis, on its positions: 886 of 5,000", number::percent(accuracy, 2))),
    ];
    if let Some(test) = &outcome.test_prediction {
        let share = number::percent(test.accuracy(), 2);
        let note = format!("{} of {}", test.correct, number::count(test.of as u64));
        figures
            .push(KeyFigure::new(&share, "of test positions, which decided nothing").note(&note));
    }
    if let Some((correct, count)) = outcome.held_out() {
        let share = number::percent(f64::from(correct) / count.max(1) as f64, 2);
        let note = format!("{} folds, {correct} of {count}", outcome.folds.len());
        figures.push(KeyFigure::new(&share, "of positions that were held out").note(&note));
    }
    let rows = outcome.resulting_positions();
    figures.push(
        KeyFigure::new(&number::count(rows as u64), "resulting positions")
            .note(&format!("{:.1} moves a position", rows as f64 / of.max(1) as f64)),
    );
    let each = outcome.seconds.evolution / outcome.winners.len() as f64;
    figures.push(
        KeyFigure::new(&number::duration(each), "of learning a run").note("thesis: 1.5 hours"),
    );
    page.key_figures(&figures);
    let Parameters { population, generations, .. } = &plan.parameters;
    let how = match plan.learner {
        Learner::Genetic => {
            let runs = counted_runs(plan.runs);
            format!("{runs} of {population} organisms over {generations} generations")
        }
        Learner::Likelihood | Learner::Accuracy => "A fit".to_owned(),
    };
    page.paragraph(&format!(
        "{how}, on {}. A position counts as solved when the legal move after which the position \
         scores best is the very move that was played; of moves with the same score the first one \
         in a fixed order is chosen.",
        plan.data.describe(),
    ));
    if let Some(polished) = &outcome.polished {
        let held_out = &polished.held_out;
        page.paragraph(&format!(
            "This page shows the runs. The file weights.toml holds the best of them, polished by \
             gradient for positions that nobody has seen: of {} that were held out it solves {}, a \
             run as it is {}; of those that it learned from {}.",
            number::count(held_out.of as u64),
            number::count(held_out.chosen().into()),
            number::count(held_out.run.into()),
            number::count(polished.correct.into()),
        ));
    }
    if outcome.counted.is_some() {
        page.paragraph(&format!(
            "{} of them, drawn at random, were learned from, in batches; what the winners solve was \
             counted on all. Kinds of moves, features and misses below are those of the positions \
             that were drawn.",
            number::count(outcome.data.len() as u64)
        ));
    }
    if let Some(class) = plan.only {
        let name = class.name();
        page.note(&format!("Only positions in which the move that was played is a {name} move."));
    }
    let illegal = outcome.illegal_rows();
    if illegal > 0 {
        page.warning(&format!(
            "In {illegal} of {} positions the move that was played is illegal. They stay in the \
             count and are never solved.",
            number::count(of as u64)
        ));
    }
}

/// How to get the same result again.
fn reproduction(
    page: &mut Page,
    plan: &EvolvePlan,
    outcome: &EvolveOutcome,
    folder: &RunFolder,
) -> Result<()> {
    page.section("How to repeat it");
    page.paragraph(
        "The same command on the same files gives the same weights to the last digit, on any \
         number of threads.",
    );
    page.code(&command_line(&folder.manifest().command_line));
    let mut inputs: Vec<String> = Vec::new();
    for input in &folder.manifest().inputs {
        let bytes = number::count(input.bytes);
        inputs.push(format!("{}: {bytes} bytes, SHA-256 {}", input.name, input.sha256));
    }
    page.list(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
    page.details("All settings", |page| {
        let text = toml::to_string(&plan.parameters).unwrap_or_default();
        page.code(text.trim_end());
    });
    let weights = outcome.weights(outcome.best)?.to_text();
    page.details("The weights file", |page| {
        page.code(weights.trim_end());
    });
    Ok(())
}

/// `1 run`, `10 runs`.
fn counted_runs(count: u64) -> String {
    format!("{count} run{}", if count == 1 { "" } else { "s" })
}

/// The command as it can be typed again: the program by its name alone.
fn command_line(words: &[String]) -> String {
    let word = |word: &String| {
        if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.clone() }
    };
    let rest: Vec<String> = words.iter().skip(1).map(word).collect();
    format!("tesuji {}", rest.join(" "))
}
