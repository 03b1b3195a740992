//! Ablation: what each feature, or each group of them, is worth. Weights are fitted anew without it
//! and tried on held-out positions, fold by fold.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_eval::{FeatureSet, Group};
use tesuji_learn::analysis::KnockOut;
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::folds;
use tesuji_learn::{Dataset, MoveOrder, Scorer, pool};
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, KeyFigure, Lang, Page, Table, number};
use tesuji_run::{Context, Input, Observer, Plan, RunFolder, plan as folder};

use crate::data::Source;
use crate::data::features::{Features, is_file};

/// What is removed at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Removed {
    /// One feature.
    Feature,
    /// A group of features.
    Group,
}

/// What fitted weights are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitted {
    /// Maximum likelihood of the moves that were played.
    Likelihood,
    /// The moves that were played are most often the best.
    Accuracy,
}

/// Every setting that has a part in the result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AblationPlan {
    /// Where the positions come from.
    pub data: Source,
    /// The name of a feature set, or a file that selects features.
    pub features: String,
    /// What is removed at a time.
    pub by: Removed,
    /// Only these features or groups; all if there are none.
    pub names: Vec<String>,
    /// What fitted weights are made for.
    pub objective: Fitted,
    /// May weights be negative?
    pub signed: bool,
    /// L2 regularisation of fitted weights.
    pub l2: f64,
    /// Folds of cross-validation.
    pub folds: usize,
    /// Decides the folds, and which positions of games are taken.
    pub seed: u64,
}

impl AblationPlan {
    /// What is removed, by name: each a list of numbers of features.
    fn items(&self, set: &FeatureSet) -> Result<Vec<(String, Vec<usize>)>> {
        let all: Vec<(String, Vec<usize>)> = match self.by {
            Removed::Feature => (set.features().iter().enumerate())
                .map(|(i, feature)| (feature.name.to_owned(), vec![i]))
                .collect(),
            Removed::Group => (Group::ALL.iter())
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

impl Plan for AblationPlan {
    const COMMAND: &'static str = "ablate";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = self.data.inputs()?;
        if is_file(&self.features) {
            inputs.push(folder::input(self.features.as_ref())?);
        }
        Ok(inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        self.items(&Features::load(&self.features)?.set)?;
        self.data.load(observer)?;
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
pub struct Worth {
    /// Its name.
    pub name: String,
    /// How many features it has.
    pub features: usize,
    /// What its removal changes.
    pub effect: KnockOut,
}

/// What an ablation found.
pub struct Ablation {
    plan: AblationPlan,
    /// Which held-out positions are solved with all features.
    pub base: Vec<bool>,
    /// What each feature or group is worth, the most valuable first.
    pub worth: Vec<Worth>,
}

/// Carries out a plan, or what is left of it: the journal has what was tried before.
pub fn carry_out(
    plan: &AblationPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<Ablation> {
    let set = Features::load(&plan.features)?.set;
    pool(context.threads)?.install(|| ablate(plan, &set, folder, context.observer))
}

fn ablate(
    plan: &AblationPlan,
    set: &FeatureSet,
    folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<Ablation> {
    let data = Dataset::build(set, &plan.data.load(observer)?, MoveOrder::Thesis);
    let parts = folds(&data, plan.folds, plan.seed);
    let items = plan.items(set)?;
    let mut known: BTreeMap<String, Entry> = BTreeMap::new();
    for entry in folder.entries::<Entry>()? {
        let entry = entry?;
        known.insert(entry.name.clone(), entry);
    }
    let mut progress = observer.begin(items.len() as u64 + 1, "fits");
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
    Ok(Ablation { plan: plan.clone(), base, worth })
}

/// Which positions are solved by weights that were fitted to the other parts.
fn held_out(
    plan: &AblationPlan,
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

impl Ablation {
    /// Writes the numbers and the report into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write_json("result.json", &self.json(folder))?;
        folder.write_report(&self.page().to_html())?;
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let Self { base, worth, .. } = self;
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

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let Self { base, worth, .. } = self;
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

    /// The report.
    pub fn page(&self) -> Page {
        let Self { plan, base, worth } = self;
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
            KeyFigure::new(
                &number::count(count(base)),
                "held-out positions solved with everything",
            )
            .note(&number::percent(count(base) as f64 / all.max(1.0), 2)),
            KeyFigure::new(&worth.len().to_string(), "ablations"),
            KeyFigure::new(&plan.folds.to_string(), "folds of cross-validation"),
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
        page.paragraph(
        "The standard error is that of a coin tossed for every position that is solved only with it \
         or only without it. Below two standard errors a difference may be chance, and of many \
         features some pass two by chance.",
    );
        page.table(&table);
        page
    }
}
