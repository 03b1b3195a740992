//! Ablation: what each feature, or each group of them, is worth. Weights are fitted anew without it
//! and tried on held-out positions, fold by fold, several times with other folds. So are pairs of
//! the strongest, and more and more of the weakest together, which shows what can be dropped.

mod effect;
mod outcome;

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tesuji_eval::{FeatureSet, Group};
use tesuji_learn::logit::{self, Objective, Settings};
use tesuji_learn::validation::folds;
use tesuji_learn::{Dataset, MoveOrder, Scorer, pool};
use tesuji_run::{Context, Input, Observer, Plan, RunFolder, plan as folder};

pub use self::effect::Effect;
use self::effect::{adjusted, effect};
pub use self::outcome::{Ablation, Interaction, Minimal, Worth};
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
    /// How often all is repeated with other folds.
    #[serde(default = "once")]
    pub repeats: usize,
    /// How many pairs of the most valuable are removed together.
    #[serde(default)]
    pub pairs: usize,
    /// Decides the folds, and which positions of games are taken.
    pub seed: u64,
}

const fn once() -> usize {
    1
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
    /// What was removed, `A + B` for several; empty for nothing.
    name: String,
    /// The number of the repetition, from 0.
    #[serde(default)]
    repeat: usize,
    /// One letter for each position in order: 1 if it is solved.
    solved: String,
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
    let items = plan.items(set)?;
    let mut trial = Trial::new(plan, &data, folder)?;
    let mut progress = observer.begin(items.len() as u64 + 1, "fits");
    let base = trial.solved("", &[])?;
    let mut without = Vec::with_capacity(items.len());
    for (done, (name, features)) in items.iter().enumerate() {
        progress.update(done as u64 + 1, &|| format!("without {name}"));
        without.push(trial.solved(name, features)?);
    }
    let groups: Vec<u64> = data.positions().map(|position| position.group()).collect();
    let effects: Vec<Effect> = without
        .iter()
        .map(|without| effect(&groups, &[(1.0, &*base), (-1.0, &**without)]))
        .collect();
    let all_adjusted = adjusted(&effects);
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| effects[b].positions.total_cmp(&effects[a].positions));
    let worth = |&i: &usize| Worth {
        name: items[i].0.clone(),
        features: items[i].1.len(),
        effect: effects[i],
        adjusted: all_adjusted[i],
    };
    let worth: Vec<Worth> = order.iter().map(worth).collect();
    let mut pairs = Vec::new();
    for (a, b) in strongest_pairs(order.len(), plan.pairs) {
        let (a, b) = (order[a], order[b]);
        let name = format!("{} + {}", items[a].0, items[b].0);
        progress.update(items.len() as u64, &|| format!("without {name}"));
        let both = trial.solved(&name, &[&*items[a].1, &items[b].1].concat())?;
        pairs.push(Interaction {
            names: [items[a].0.clone(), items[b].0.clone()],
            effect: effect(&groups, &[(1.0, &*base), (-1.0, &*both)]),
            // What both are worth together beyond the sum of what each is worth alone.
            interaction: effect(
                &groups,
                &[(1.0, &*without[a]), (1.0, &*without[b]), (-1.0, &*base), (-1.0, &*both)],
            ),
        });
    }
    let minimal = minimal(&mut trial, &groups, &base, &items, &order, observer)?;
    let solved = base.iter().sum::<f64>();
    Ok(Ablation { plan: plan.clone(), solved, of: data.len(), worth, pairs, minimal })
}

/// Pairs of places among the first, the strongest first.
fn strongest_pairs(of: usize, wanted: usize) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> =
        (0..of.min(wanted + 1)).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    pairs.sort_by_key(|&(a, b)| (a + b, b));
    pairs.truncate(wanted);
    pairs
}

/// The most of the weakest that can be removed together without a loss that is more than chance.
fn minimal(
    trial: &mut Trial<'_>,
    groups: &[u64],
    base: &[f64],
    items: &[(String, Vec<usize>)],
    order: &[usize],
    observer: &dyn Observer,
) -> Result<Option<Minimal>> {
    /// Steps to try.
    const STEPS: usize = 12;
    /// A loss that chance makes rarer than this is one.
    const CHANCE: f64 = 0.05;
    let steps: Vec<usize> =
        (1..STEPS).map(|step| items.len() * step / STEPS).filter(|&count| count > 0).collect();
    let mut progress = observer.begin(items.len() as u64, "removed together");
    let mut found = None;
    for count in steps {
        let weakest: Vec<usize> = order.iter().rev().take(count).copied().collect();
        let features: Vec<usize> =
            weakest.iter().flat_map(|&i| items[i].1.iter().copied()).collect();
        progress.update(count as u64, &|| format!("without the {count} weakest"));
        let without = trial.solved(&format!("the {count} weakest"), &features)?;
        let effect = effect(groups, &[(1.0, base), (-1.0, &*without)]);
        // Weaker sets may do well by luck: the first loss that is more than chance ends it.
        if effect.positions > 0.0 && effect.p < CHANCE {
            break;
        }
        let kept = |i: &&usize| !weakest.contains(i);
        found = Some(Minimal {
            kept: order.iter().filter(kept).map(|&i| items[i].0.clone()).collect(),
            dropped: weakest.iter().map(|&i| items[i].0.clone()).collect(),
            effect,
        });
    }
    Ok(found)
}

/// Fits with and without features, each remembered by the journal.
struct Trial<'a> {
    plan: &'a AblationPlan,
    data: &'a Dataset,
    folder: &'a RunFolder,
    /// The folds of each repetition.
    parts: Vec<Vec<(Vec<usize>, Vec<usize>)>>,
    known: BTreeMap<(String, usize), String>,
}

impl<'a> Trial<'a> {
    fn new(plan: &'a AblationPlan, data: &'a Dataset, folder: &'a RunFolder) -> Result<Self> {
        let mut known = BTreeMap::new();
        for entry in folder.entries::<Entry>()? {
            let Entry { name, repeat, solved } = entry?;
            known.insert((name, repeat), solved);
        }
        let seed = |repeat: usize| plan.seed.wrapping_add(repeat as u64);
        let parts = (0..plan.repeats).map(|repeat| folds(data, plan.folds, seed(repeat))).collect();
        Ok(Self { plan, data, folder, parts, known })
    }

    /// In which share of the repetitions each position is solved without these features.
    fn solved(&mut self, name: &str, without: &[usize]) -> Result<Vec<f64>> {
        let mut shares = vec![0.0; self.data.len()];
        for repeat in 0..self.parts.len() {
            let key = (name.to_owned(), repeat);
            if !self.known.contains_key(&key) {
                let solved = held_out(self.plan, self.data, &self.parts[repeat], without);
                let solved: String =
                    solved.iter().map(|&solved| if solved { '1' } else { '0' }).collect();
                self.folder.append(&Entry {
                    name: name.to_owned(),
                    repeat,
                    solved: solved.clone(),
                })?;
                self.known.insert(key.clone(), solved);
            }
            for (share, letter) in shares.iter_mut().zip(self.known[&key].bytes()) {
                *share += f64::from(u8::from(letter == b'1')) / self.parts.len() as f64;
            }
        }
        Ok(shares)
    }
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
