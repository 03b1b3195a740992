//! The page `docs/results/thesis.md`.

use tesuji_learn::Prediction;
use tesuji_learn::compare::Comparison;
use tesuji_math::stats::student_two_sided;
use tesuji_report::{Cell, Column, Table, markdown, number};

use super::curve::Curve;
use super::per_game::PerGame;
use super::remedies::Remedy;
use super::variants::Varied;
use super::{Finding, Findings};
use crate::ablation::Ablation;
use crate::evolve::page::kinds;

/// What an experiment of the thesis solves, of how many.
fn thesis(id: &str) -> Option<(u32, u32)> {
    match id {
        "legacy" | "legacy-individual" | "paper" | "paper-individual" => Some((886, 5000)),
        // It says 9 % of 922.
        "drops" => Some((83, 922)),
        _ => None,
    }
}

pub(super) fn page(
    published: &Prediction,
    all: &Findings,
    ablation: &Ablation,
    prices: &[Comparison],
    per_game: &[PerGame],
    curve: &Curve,
) -> String {
    let mut text = String::from(
        "# The thesis, repeated\n\n\
         Made by `tesuji reproduce thesis` from the thesis's 5,000 training positions; every \
         number is measured by that command, except those in columns named *thesis*. The 5,000 test \
         positions of the thesis are not here: *held out* is what weights solve that were learned \
         from four fifths of the positions and tried on the last fifth, for each fifth in turn, \
         copies of a board always on the same side.\n\n",
    );
    let findings = &all.all;
    text += &replication(published);
    text += &algorithms(findings);
    text += &share_of_fits(findings);
    text += &from_games(findings);
    text += "## Figure 4\n\n![Positions solved, generation after generation](thesis/figure-4.svg)\n\n\
             The 70 runs of the thesis's algorithm on its features as the text has them: mean, and a \
             band from the worst run to the best. The thesis shows the best of more than 50.\n\n";
    if let Some(paper) = findings.iter().find(|finding| finding.id == "paper") {
        text += &distribution(findings);
        text += "## Piece values (table 2)\n\n";
        text += "In pawns on the board, of the same runs. The spread over runs is wide: the number \
                 of solved positions says little about single values. The thesis prints 7.16 for the \
                 promoted bishop; its weights, 530 and 188, make 7.18, which stands here.\n\n";
        text += &paper.pieces;
        text += "\n## Every weight (table 4)\n\n";
        text += "Bonuses without the value that they are added to. The thesis's are those of one \
                 organism, though its caption speaks of an average.\n\n";
        text += &all.weights;
        text += "\n## Figures 5 and 6\n\n";
        text += "The boards of the figures, found in the thesis's table; the scores that are \
                 printed there belong to another organism.\n\n";
        text += &all.boards;
        text += "## What ours see and the published weights do not\n\n";
        text += &all.seen;
        text += "\n## Promotions and drops (6.3, 6.4)\n\n";
        text += "The best of the same runs. The thesis's program with the published weights \
                 promotes in 1,666 positions, not in 964 as the thesis says, and drops in 158, 96 \
                 of them where the master drops.\n\n";
        text += &markdown::table(&kinds::table(&paper.prediction));
    }
    text += &drops(findings);
    text += &experts(findings);
    text += &variants(&all.variants);
    text += &remedies(&all.remedies);
    text += &single_features(ablation);
    text += &same_price(prices);
    text += &positions_of_a_game(per_game);
    text += &learning_curve(curve);
    text + &times(findings)
}

/// The page of a quick run.
pub(super) fn quick(published: &Prediction, all: &Findings) -> String {
    let mut text = format!(
        "# The thesis in two minutes\n\nMade by `tesuji reproduce thesis --quick` from {} positions of \
         the games that come with the program, with few runs. These are not the thesis's positions: \
         shares can be compared with its 17.72 %, counts cannot. The published weights solve {} \
         ({}).\n\n",
        number::count(published.of as u64),
        number::count(published.correct as u64),
        number::percent(published.accuracy(), 2),
    );
    text += &algorithms(&all.all);
    text += &variants(&all.variants);
    if let Some(paper) = all.all.iter().find(|finding| finding.id == "paper") {
        text += "## Piece values\n\n";
        text += &paper.pieces;
    }
    text
}

/// The thesis's 9 % of drops.
fn drops(findings: &[Finding]) -> String {
    let found = |id: &str| {
        let finding = findings.iter().find(|finding| finding.id == id)?;
        let share = number::percent(f64::from(finding.best()) / finding.of.max(1) as f64, 1);
        Some(format!("{} of {} ({share})", finding.best(), finding.of))
    };
    let (Some(thesis), Some(strong), Some(extended)) =
        (found("drops"), found("drops-strong"), found("drops-extended"))
    else {
        return String::new();
    };
    format!(
        "\nLearning from the positions with drops alone, the thesis says, finds 9 % of them. With its \
         74 features the best of our 70 runs finds {thesis}, the strong algorithm with signs {strong}. \
         None of these features knows where a drop is good: a dropped piece loses what its kind is \
         worth in hand above the board, about the same on every square, so that what is left to choose \
         by is distances and control. Our own features, which know checks, threats and exchanges, \
         find {extended} with the thesis's algorithm.\n\n",
    )
}

/// What each feature is worth, and what can be dropped.
fn single_features(ablation: &Ablation) -> String {
    let mut text = format!(
        "## What single features are worth\n\nWeights fitted anew without each feature in turn, \
         tried on held-out positions, three times with other folds. With all features {:.0} of {} \
         are solved. The error is that of a sum over boards; the last column is the chance that any \
         of {} tests shows as much where there is nothing (Holm), and what stays below 5 % is \
         bold.\n\n{}\n",
        ablation.solved,
        number::count(ablation.of as u64),
        ablation.worth.len(),
        markdown::table(&ablation.table()),
    );
    text += "The strongest, two at a time. Where more is lost than the sum of both, one stands in for \
             the other when it is removed alone.\n\n";
    text += &markdown::table(&ablation.pairs_table());
    if let Some(minimal) = &ablation.minimal {
        text += &format!(
            "\nThe {} weakest can go together: {:.1} ± {:.1} positions are lost. What is left, the \
             most valuable first: {}.\n\n",
            minimal.dropped.len(),
            minimal.effect.positions,
            minimal.effect.error,
            minimal.kept.join(", "),
        );
    }
    text
}

/// How the runs of the thesis's algorithm are spread.
fn distribution(findings: &[Finding]) -> String {
    let mut table = Table::new([
        Column::text("features"),
        Column::number("runs"),
        Column::number("worst"),
        Column::number("mean"),
        Column::number("best"),
        Column::number("thesis, best of 50 to 70"),
    ]);
    for id in ["legacy", "paper"] {
        let Some(finding) = findings.iter().find(|finding| finding.id == id) else { continue };
        let values: Vec<f64> = finding.correct.iter().map(|&correct| f64::from(correct)).collect();
        let (mean, deviation) = mean_and_deviation(&values);
        table.row([
            Cell::text(id),
            Cell::count(values.len() as u64),
            Cell::number(values.iter().copied().fold(f64::INFINITY, f64::min), 0),
            Cell::plus_minus(mean, deviation, 1),
            Cell::count(finding.best().into()),
            Cell::count(886),
        ]);
    }
    format!(
        "## Seventy runs\n\nPositions solved of 5,000 by the winner of each run; after the mean the \
         standard deviation.\n\n{}\n",
        markdown::table(&table)
    )
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (values.len().max(2) - 1) as f64).sqrt())
}

/// What the thesis says of a variant.
fn claim(title: &str) -> &'static str {
    match title {
        "bonuses of 6 bits" => "significantly worse",
        "all of 10 bits" | "all of 6 bits" => "without much success",
        "as in chess: fewer features, material of 16 bits" => "tried",
        "promoted pieces with values of their own" => "tested",
        "1,000 generations" | "500 organisms" | "1,000 generations of 500" => {
            "mostly the same, piece values more stable"
        }
        "without distances, with safe king attacks" => "safe attacks very strong",
        "with distances and safe king attacks" => "safe attacks weakened",
        "equation 5, variant 1: factors evolved" | "equation 5, variant 2: factors fixed" => {
            "varied, very promising"
        }
        "king control within two squares" | "the same by protected pieces only" => "future work",
        "without drops" => "22 %",
        "drops only" => "9 %",
        _ => "",
    }
}

/// Variants of features, algorithm and positions, on the same splits.
fn variants(all: &[Varied]) -> String {
    let mut table = Table::new([
        Column::text("variant"),
        Column::text("thesis"),
        Column::number("genes"),
        Column::number("trained on"),
        Column::number("best run"),
        Column::number("held out"),
        Column::number("held out, positions more"),
        Column::text("that is"),
        Column::number("spread of piece values"),
    ]);
    let mut section = "";
    for one in all {
        if one.section != section {
            section = &one.section;
            table.heading(section);
        }
        let shares = |solved: &[u32], of: &dyn Fn(usize) -> usize| -> Vec<f64> {
            let share = |(i, &solved): (usize, &u32)| f64::from(solved) / of(i).max(1) as f64;
            solved.iter().enumerate().map(share).collect()
        };
        let trained = mean_and_deviation(&shares(&one.trained, &|_| one.of)).0;
        let best = shares(&one.trained, &|_| one.of).into_iter().fold(0.0, f64::max);
        let held_out = mean_and_deviation(&shares(&one.held_out, &|i| one.held_out_of[i])).0;
        // Run by run on the same split as the thesis's own settings.
        let base = all.first().filter(|base| base.held_out_of == one.held_out_of);
        let more = base.filter(|base| base.title != one.title).map(|base| {
            let both = one.held_out.iter().zip(&base.held_out);
            let differences: Vec<f64> = both.map(|(a, b)| f64::from(*a) - f64::from(*b)).collect();
            let (mean, deviation) = mean_and_deviation(&differences);
            let error = deviation / (differences.len().max(1) as f64).sqrt();
            (mean, error, verdict(mean / error, differences.len(), all.len() - 1))
        });
        table.row([
            Cell::text(&one.title),
            Cell::text(claim(&one.title)),
            Cell::count(one.genes as u64),
            Cell::percent(trained, 2),
            Cell::percent(best, 2),
            Cell::percent(held_out, 2),
            more.map_or_else(Cell::empty, |(mean, error, _)| Cell::plus_minus(mean, error, 1)),
            more.map_or_else(Cell::empty, |(_, _, verdict)| Cell::text(verdict)),
            one.spread.map_or_else(Cell::empty, |spread| Cell::number(spread, 2)),
        ]);
    }
    let runs = all.first().map_or(0, |one| one.trained.len());
    format!(
        "## Readings, formulas, widths, longer runs, kinds of moves, distances\n\nThe thesis's algorithm, \
         {runs} runs of each variant. Each run learns from another four fifths of the positions and is \
         tried on the rest, all variants on the same splits: the difference is the mean over the runs \
         of what is solved more than with the thesis's own settings, of about a thousand positions, \
         with its standard error. It is chance unless Student's test, corrected for the number of \
         variants, says otherwise (5 % for all together). The spread is the \
         standard deviation of a piece's value over the runs in pawns, mean of all pieces.\n\n{}\n",
        markdown::table(&table)
    )
}

/// What a mean difference over runs is, so many of its errors from zero, when there are so many
/// differences.
fn verdict(errors: f64, runs: usize, differences: usize) -> &'static str {
    let p = student_two_sided(errors, runs as f64 - 1.0) * differences as f64;
    match (p < 0.05, errors > 0.0) {
        (false, _) => "chance",
        (true, true) => "better",
        (true, false) => "worse",
    }
}

/// What helps on positions that nobody has seen.
fn remedies(all: &[Remedy]) -> String {
    let mut table = Table::new([
        Column::text("weights by"),
        Column::number("trained on, of 5,000"),
        Column::number("held out, of 5,000"),
        Column::number("share"),
    ]);
    let mut section = "";
    for one in all {
        if one.features != section {
            section = &one.features;
            table.heading(section);
        }
        table.row([
            Cell::text(&one.title),
            Cell::number(one.trained, 0),
            Cell::count(one.held_out.into()),
            Cell::percent(f64::from(one.held_out) / one.of.max(1) as f64, 2),
        ]);
    }
    format!(
        "## Generalisation\n\nFive folds, copies of a board always on the same side. *Polished*: the \
         accuracy is sought by gradient from where the winner stands, with L2 regularisation and \
         signs; `tesuji evolve` does so with the penalty that cross-validation prefers.\n\n{}\n",
        markdown::table(&table)
    )
}

/// The thesis's program with its published weights.
fn replication(published: &Prediction) -> String {
    let mut table = Table::new([
        Column::text("published weights, features of its program"),
        Column::number("thesis"),
        Column::number("here"),
    ]);
    let mut row = |what: &str, thesis: Option<u64>, here: usize| {
        table.row([
            Cell::text(what),
            thesis.map_or_else(Cell::empty, Cell::count),
            Cell::count(here as u64),
        ]);
    };
    row("resulting positions", Some(382_816), published.resulting_positions);
    row("correct of 5,000", Some(886), published.correct);
    row("master's move among the best", None, published.among_best);
    row("promotions found, of 352", Some(186), published.correct_of_class[1]);
    row("promotions chosen", Some(964), published.chosen[1]);
    row("drops found, of 922", Some(8), published.correct_of_class[2]);
    row("drops chosen where the master drops", Some(96), published.confusion[2][2]);
    row("drops chosen", None, published.chosen[2]);
    row("rows with an illegal move", None, published.illegal_rows);
    format!("## Its program, replicated\n\n{}\n", markdown::table(&table))
}

/// All experiments.
fn algorithms(findings: &[Finding]) -> String {
    let mut table = Table::new([
        Column::text("features and learner"),
        Column::number("features"),
        Column::number("thesis"),
        Column::number("best run"),
        Column::number("share"),
        Column::text("all runs"),
        Column::number("mean of weights"),
        Column::number("held out"),
        Column::number("share"),
    ]);
    let mut heading = "";
    for finding in findings.iter().filter(|finding| finding.test.is_none()) {
        let set = finding.id.split('-').next().unwrap_or(finding.id);
        if set != heading {
            heading = set;
            table.heading(set);
        }
        let of = finding.of.max(1) as f64;
        let thesis = thesis(finding.id).map(|(correct, of)| format!("{correct} of {of}"));
        let held_out = finding.held_out.map(|(correct, of)| (correct, of.max(1) as f64));
        table.row([
            Cell::text(finding.title),
            Cell::count(finding.features as u64),
            thesis.map_or_else(Cell::empty, Cell::from),
            Cell::text(&format!("{} of {}", finding.best(), finding.of)).strong(),
            Cell::percent(f64::from(finding.best()) / of, 2),
            Cell::spread(finding.correct.iter().map(|&correct| f64::from(correct)), 0),
            finding.mean.map_or_else(Cell::empty, |correct| Cell::count(correct.into())),
            held_out.map_or_else(Cell::empty, |(correct, _)| Cell::count(correct.into())),
            held_out.map_or_else(Cell::empty, |(correct, of)| {
                Cell::percent(f64::from(correct) / of, 2)
            }),
        ]);
    }
    format!("## What each learner reaches\n\n{}\n", markdown::table(&table))
}

/// What is learned from professional games, tried on the thesis's positions.
fn from_games(findings: &[Finding]) -> String {
    let mut table = Table::new([
        Column::text("74 features, signed"),
        Column::number("positions"),
        Column::number("trained on"),
        Column::number("unseen"),
        Column::number("share"),
    ]);
    for finding in findings {
        let Some((correct, of)) = finding.test else { continue };
        table.row([
            Cell::text(finding.title),
            Cell::count(finding.of as u64),
            Cell::percent(finding.prediction.accuracy(), 2),
            Cell::text(&format!("{correct} of {of}")).strong(),
            Cell::percent(correct as f64 / of.max(1) as f64, 2),
        ]);
    }
    format!(
        "## The thesis's features, learned from professional games\n\nThirty random positions of \
         the winner of each professional game, tried on the 5,000 positions of the thesis, whose \
         boards were left out of the training. Most of those boards are openings, which \
         nothing here learns from, so that fewer are solved. The L2 penalty was chosen among a few \
         values by what fits solve of these very positions, which makes the numbers a little too \
         good. The thesis's published weights solve 885 of the same 5,000.\n\n{}\n",
        markdown::table(&table)
    )
}

/// How much of the fit the genetic algorithm reaches with the same features and signs.
fn share_of_fits(findings: &[Finding]) -> String {
    let find = |id: &str| findings.iter().find(|finding| finding.id == id);
    let mut table = Table::new([
        Column::text("genetic algorithm"),
        Column::text("fit"),
        Column::number("trained on"),
        Column::number("held out"),
    ]);
    for (evolved, fitted) in [
        ("paper", "paper-fit"),
        ("paper-strong", "paper-fit-signed"),
        ("paper-strong", "paper-accuracy-signed"),
        ("extended", "extended-fit"),
        ("extended-strong", "extended-fit-signed"),
    ] {
        let (Some(a), Some(b)) = (find(evolved), find(fitted)) else { continue };
        let held_out = match (a.held_out, b.held_out) {
            (Some((a, _)), Some((b, _))) => Cell::percent(f64::from(a) / f64::from(b.max(1)), 1),
            _ => Cell::empty(),
        };
        let trained = f64::from(a.best()) / f64::from(b.best().max(1));
        table.row([Cell::text(evolved), Cell::text(fitted), Cell::percent(trained, 1), held_out]);
    }
    format!(
        "What the genetic algorithm reaches of the fit on the same features:\n\n{}\n",
        markdown::table(&table)
    )
}

fn experts(findings: &[Finding]) -> String {
    let mut table = Table::new([
        Column::text("fit"),
        Column::number("one evaluator"),
        Column::number("three experts"),
        Column::number("one, held out"),
        Column::number("three, held out"),
    ]);
    for finding in findings {
        let Some((correct, held_out)) = finding.experts else { continue };
        let count = |held_out: Option<(u32, usize)>| {
            held_out.map_or_else(Cell::empty, |(correct, _)| Cell::count(correct.into()))
        };
        table.row([
            Cell::text(finding.id),
            Cell::count(finding.best().into()),
            Cell::count(correct as u64),
            count(finding.held_out),
            count(held_out),
        ]);
    }
    format!(
        "\n## Three experts with an arbiter\n\nOne evaluator for normal moves, one for promotions, \
         one for drops, and a learned decision between their favourites, beside one evaluator for \
         all moves; positions solved of 5,000.\n\n{}\n",
        markdown::table(&table)
    )
}

fn same_price(prices: &[Comparison]) -> String {
    let mut table = Table::new([
        Column::text("variant"),
        Column::number("mean of the runs"),
        Column::text("runs"),
        Column::number("held out, mean"),
    ]);
    for variant in prices {
        table.row([
            Cell::text(&variant.name),
            Cell::number(variant.mean, 1),
            Cell::spread(variant.best.iter().map(|&best| f64::from(best)), 0),
            Cell::number(mean(&variant.test), 1),
        ]);
    }
    let evaluations = prices.first().map_or(0, |variant| variant.evaluations);
    format!(
        "## The genetic algorithm at the same price\n\nThe `paper` features; every run scores \
         about {} organisms, learns from four fifths of the positions and is tried on the rest. A \
         line of one weight counts as an organism, an organism on a batch as the share of the \
         positions that it is scored on; winners are scored on all. Weights of positions decide \
         selection alone: all numbers are plain counts of solved positions. Of the thousand \
         held-out positions, a few more or less are chance.\n\n{}\n",
        number::count(evaluations),
        markdown::table(&table)
    )
}

fn positions_of_a_game(counts: &[PerGame]) -> String {
    let names = counts.first().map_or(&[][..], |count| &count.variants);
    let mut table =
        Table::new([Column::number("a game"), Column::number("positions")].into_iter().chain(
            names.iter().flat_map(|Comparison { name, .. }| {
                [
                    Column::number(&format!("{name}: trained on")),
                    Column::number("unseen"),
                    Column::text("runs"),
                ]
            }),
        ));
    for count in counts {
        let cells = count.variants.iter().flat_map(|variant| {
            [
                Cell::percent(variant.mean / count.positions.max(1) as f64, 2),
                Cell::number(mean(&variant.test), 1),
                Cell::spread(variant.test.iter().map(|&solved| f64::from(solved)), 0),
            ]
        });
        let sizes = [count.per_game, count.positions].map(|size| Cell::count(size as u64));
        table.row(sizes.into_iter().chain(cells));
    }
    format!(
        "## Several positions of a game\n\nThe `paper` features, learned from so many random \
         positions of the winner of each professional game and tried on the 5,000 positions of the \
         thesis, whose boards were left out of the training; means of the runs. Every run scores \
         as many organisms as above, so that more positions cost more time. Runs in batches cost \
         the same: a batch has as many positions as there are with one a game, and all of them \
         score the same number of positions.\n\n{}\n",
        markdown::table(&table)
    )
}

fn mean(values: &[u32]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len().max(1) as f64
}

fn learning_curve(curve: &Curve) -> String {
    let mut table = Table::new([Column::number("positions")].into_iter().chain(
        curve.iter().flat_map(|(name, _)| {
            [
                Column::number(&format!("{name}, trained on")),
                Column::number(&format!("{name}, unseen")),
            ]
        }),
    ));
    let count = curve.iter().map(|(_, points)| points.len()).min().unwrap_or(0);
    for i in 0..count {
        let cells = curve.iter().flat_map(|(_, points)| {
            [Cell::percent(points[i].trained, 2), Cell::percent(points[i].unseen, 2)]
        });
        let positions = curve[0].1[i].positions as u64;
        table.row([Cell::count(positions)].into_iter().chain(cells));
    }
    format!(
        "## More positions\n\nSigned fits of the likelihood to positions of the winners of \
         professional games, several a game, tried on the 5,000 positions of the thesis, whose \
         boards were left out of the training.\n\n{}\n",
        markdown::table(&table)
    )
}

fn times(findings: &[Finding]) -> String {
    let mut table = Table::new([
        Column::text("experiment"),
        Column::number("features of all resulting positions"),
        Column::number("learning, a run"),
    ]);
    table.row([Cell::text("thesis"), Cell::text("7 to 8 minutes"), Cell::text("1.5 hours")]);
    for finding in findings {
        table.row([
            Cell::text(finding.id),
            Cell::text(&number::duration(finding.seconds_of_features)),
            Cell::text(&number::duration(finding.seconds_a_run)),
        ]);
    }
    format!(
        "## Times\n\nBy the clock, with whatever else the machine was doing; \
         `docs/results/speed.md` has measurements beside a reference.\n\n{}",
        markdown::table(&table)
    )
}
