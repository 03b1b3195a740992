//! `tesuji ablate`: what each feature, or each group of them, is worth.

use std::collections::BTreeMap;
use std::process::ExitCode;
use tesuji_run::Observer;

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_eval::{FeatureSet, Group};
use tesuji_learn::analysis::KnockOut;
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::folds;
use tesuji_learn::{Dataset, MoveOrder, Scorer, pool};
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, KeyFigure, Lang, Page, Table, number};
use tesuji_run::RunFolder;

use crate::flags::DataArgs;
use crate::flags::RunFlags;
use crate::output;
use crate::progress::Progress;
use tesuji_lab::data::Source;
use tesuji_lab::data::features::{Features, is_file};
use tesuji_run::plan as folder;

/// Remove features or groups one at a time, learn anew without them, and rank what each is worth.
///
/// Weights are fitted to all parts of the positions but one and tried on that one, for each part in
/// turn, with and without the features in question.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji ablate --positions positions.tsv
  tesuji ablate --positions positions.tsv --by feature --features paper --json
  tesuji ablate --games games.tsv --per-game 4 --features extended --names threat,king",
    mut_arg("resume", |resume| resume.conflicts_with_all(["positions", "games", "names"])))]
pub struct AblateArgs {
    #[command(flatten)]
    data: DataArgs,
    /// The feature set (paper, extended, dropped, legacy), or a TOML file that selects features.
    #[arg(long, value_name = "SET|FILE", default_value = "paper")]
    features: String,
    /// Remove single features, or whole groups.
    #[arg(long, value_name = "WHAT", default_value = "group")]
    by: By,
    /// Only these features or groups, with commas between.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    names: Vec<String>,
    /// Weights under which the moves that were played are most likely, or most often the best.
    #[arg(long, value_name = "WHAT", default_value = "likelihood")]
    objective: Fitted,
    /// Let weights be negative.
    #[arg(long)]
    signed: bool,
    /// How strongly fitted weights are held back.
    #[arg(long, value_name = "X", default_value_t = 1e-3)]
    l2: f64,
    /// The parts of the positions that are held out in turn.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u64).range(2..))]
    folds: u64,
    /// Decides the parts, and which positions of games are taken.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: RunFlags,
}

/// What is removed at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Feature,
    Group,
}

/// What fitted weights are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Fitted {
    Likelihood,
    Accuracy,
}

/// Every setting that has a part in the result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    data: Source,
    features: String,
    by: By,
    names: Vec<String>,
    objective: Fitted,
    signed: bool,
    l2: f64,
    folds: usize,
    seed: u64,
}

impl Plan {
    fn new(args: &AblateArgs) -> Result<Self> {
        ensure!(args.l2 >= 0.0 && args.l2.is_finite(), "--l2 is {}, expected 0 or more", args.l2);
        Ok(Self {
            data: args.data.source(args.seed),
            features: args.features.clone(),
            by: args.by,
            names: args.names.clone(),
            objective: args.objective,
            signed: args.signed,
            l2: args.l2,
            folds: args.folds as usize,
            seed: args.seed,
        })
    }

    /// What is removed, by name: each a list of numbers of features.
    fn items(&self, set: &FeatureSet) -> Result<Vec<(String, Vec<usize>)>> {
        let all: Vec<(String, Vec<usize>)> = match self.by {
            By::Feature => (set.features().iter().enumerate())
                .map(|(i, feature)| (feature.name.to_owned(), vec![i]))
                .collect(),
            By::Group => (Group::ALL.iter())
                .map(|&group| (group.name().to_owned(), set.of_group(group).collect()))
                .filter(|(_, features): &(String, Vec<usize>)| !features.is_empty())
                .collect(),
        };
        if let Some(name) =
            self.names.iter().find(|&name| all.iter().all(|(known, _)| known != name))
        {
            bail!("{} has no feature or group {name:?} to remove", set.name());
        }
        let wanted = |name: &String| self.names.is_empty() || self.names.contains(name);
        Ok(all.into_iter().filter(|(name, _)| wanted(name)).collect())
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "ablate";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<tesuji_run::Input>> {
        let mut inputs = self.data.inputs()?;
        if is_file(&self.features) {
            inputs.push(folder::input(self.features.as_ref())?);
        }
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        self.items(&Features::load(&self.features)?.set)?;
        self.data.load(&crate::progress::Terminal)?;
        Ok(())
    }
}

/// Which held-out positions are solved without something; the journal has one line for each.
#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    /// What was removed; empty for nothing.
    name: String,
    /// One letter for each position in order: 1 if it is solved.
    solved: String,
}

impl Entry {
    fn solved(&self) -> Vec<bool> {
        self.solved.bytes().map(|letter| letter == b'1').collect()
    }
}

/// What a feature or a group is worth.
struct Worth {
    name: String,
    features: usize,
    effect: KnockOut,
}

/// Removes one after the other, writes the folder and prints what came out.
pub fn run(args: &AblateArgs) -> Result<ExitCode> {
    let (run_folder, plan) = args.work.open(|| Plan::new(args))?;
    let set = Features::load(&plan.features)?.set;
    let (base, worth) = pool(args.work.threads)?.install(|| ablate(&plan, &set, &run_folder))?;
    let report = json_report(&base, &worth, &run_folder);
    run_folder.write_json("result.json", &report)?;
    run_folder.write_report(&page(&plan, &base, &worth).to_html())?;
    if args.work.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&base, &worth, &run_folder))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is solved with all features, and what each item is worth, the most valuable first.
fn ablate(plan: &Plan, set: &FeatureSet, folder: &RunFolder) -> Result<(Vec<bool>, Vec<Worth>)> {
    let data = Dataset::build(set, &plan.data.load(&crate::progress::Terminal)?, MoveOrder::Thesis);
    let parts = folds(&data, plan.folds, plan.seed);
    let items = plan.items(set)?;
    let mut known: BTreeMap<String, Entry> = BTreeMap::new();
    for entry in folder.entries::<Entry>()? {
        let entry = entry?;
        known.insert(entry.name.clone(), entry);
    }
    let mut progress =
        Progress::new(items.len() as u64 + 1, "{bar:40} {pos}/{len}  {msg}  {eta} left");
    let mut solved = |name: &str, without: &[usize], done: usize| -> Result<Vec<bool>> {
        progress.update(done as u64, &|| format!("without {name}"));
        if let Some(entry) = known.get(name) {
            return Ok(entry.solved());
        }
        let solved = held_out(plan, &data, &parts, without);
        let letters = solved.iter().map(|&solved| if solved { '1' } else { '0' }).collect();
        folder.append(&Entry { name: name.to_owned(), solved: letters })?;
        Ok(solved)
    };
    let base = solved("", &[], 0)?;
    let mut worth = Vec::with_capacity(items.len());
    for (done, (name, features)) in items.into_iter().enumerate() {
        let effect = KnockOut::between(&base, &solved(&name, &features, done + 1)?);
        worth.push(Worth { name, features: features.len(), effect });
    }
    worth.sort_by(|a, b| a.effect.change().total_cmp(&b.effect.change()));
    Ok((base, worth))
}

/// Which positions are solved by weights that were fitted to the other parts.
fn held_out(
    plan: &Plan,
    data: &Dataset,
    parts: &[(Vec<usize>, Vec<usize>)],
    without: &[usize],
) -> Vec<bool> {
    /// The largest weight after rounding.
    const LARGEST: i32 = 4000;
    let settings = Settings {
        objective: match plan.objective {
            Fitted::Likelihood => Objective::Likelihood,
            Fitted::Accuracy => Objective::Accuracy,
        },
        signed: plan.signed,
        l2: plan.l2,
        without: without.to_vec(),
        ..Settings::default()
    };
    let mut solved = vec![false; data.len()];
    for (train, test) in parts {
        let weights = logit::fit(&data.select(train), &settings).integers(LARGEST);
        let part = data.select(test);
        for (&position, right) in test.iter().zip(Scorer::new(&part).solved(&weights)) {
            solved[position] = right;
        }
    }
    solved
}

fn count(solved: &[bool]) -> u64 {
    solved.iter().filter(|&&solved| solved).count() as u64
}

fn json_report(base: &[bool], worth: &[Worth], folder: &RunFolder) -> Value {
    let row = |worth: &Worth| {
        json!({
            "name": worth.name,
            "features": worth.features,
            "lost": worth.effect.lost,
            "gained": worth.effect.gained,
            "change": worth.effect.change(),
            "standard_error": worth.effect.error(),
        })
    };
    json!({
        "held_out": { "correct": count(base), "of": base.len() },
        "without": worth.iter().map(row).collect::<Vec<_>>(),
        "folder": folder.path(),
        "report_file": folder.report_path(),
    })
}

fn text(base: &[bool], worth: &[Worth], folder: &RunFolder) -> String {
    let share = number::percent(count(base) as f64 / base.len().max(1) as f64, 2);
    let all = number::count(base.len() as u64);
    let mut text = format!(
        "with everything: {} of {all} held-out positions solved ({share})\n\
         without            solved positions lost, with one standard error\n",
        number::count(count(base)),
    );
    for Worth { name, effect, .. } in worth {
        let (lost, error) = (-effect.change(), effect.error());
        text += &format!("  {name:<32} {lost:>5.0} ± {error:.0}\n");
    }
    text + &format!("report   {}\n", folder.report_path().display())
}

fn page(plan: &Plan, base: &[bool], worth: &[Worth]) -> Page {
    let mut page = Page::new("What features are worth", Lang::English);
    page.lead(&format!(
        "Weights of the set {} are fitted anew without each of its features or groups, and tried on \
         positions that were held out: {}.",
        plan.features,
        plan.data.describe()
    ));
    let all = base.len() as f64;
    page.section("In short");
    page.key_figures(&[
        KeyFigure::new(&number::count(count(base)), "held-out positions solved with everything")
            .note(&number::percent(count(base) as f64 / all.max(1.0), 2)),
        KeyFigure::new(&worth.len().to_string(), "times something was removed"),
        KeyFigure::new(&plan.folds.to_string(), "parts held out in turn"),
    ]);
    page.section("The ranking");
    let mut chart = BarChart::new("change", Axis::new("change in solved positions"), 0);
    let mut table = Table::new([
        Column::text("without"),
        Column::number("features"),
        Column::number("change"),
        Column::number("lost"),
        Column::number("gained"),
        Column::number("in standard errors"),
    ]);
    for Worth { name, features, effect } in worth {
        let (change, error) = (effect.change(), effect.error());
        chart = chart.bar(Bar::new(name, change).error(change - error, change + error));
        table.row([
            Cell::text(name),
            Cell::count(*features as u64),
            Cell::plus_minus(change, error, 0),
            Cell::count(effect.lost.into()),
            Cell::count(effect.gained.into()),
            Cell::signed(change / error.max(1.0), 1),
        ]);
    }
    page.figure(
        &chart,
        "Held-out positions solved, more or less, without it; whiskers are one standard error.",
    );
    page.paragraph("The error is that of a coin tossed for every position that is solved only with or only without it. Below two errors a difference may be chance, and of many features some pass two errors by chance.");
    page.table(&table);
    page
}
