//! The style of a player: weights learned from one person's moves beside those learned from all
//! others', what differs beyond chance, and how well the moves are told apart.

mod auc;
mod breed;
mod data;
mod fit;
mod habits;
pub(crate) mod names;
mod outcome;
mod page;
mod plan;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_learn::{Dataset, MoveOrder, pool};
use tesuji_run::{Context, Manifest, Observer, Plan, RunFolder};

pub use auc::Auc;
pub use breed::{Bred, BredStyle, Spread};
pub use outcome::{Control, FeatureStyle, HabitStyle, StyleOutcome};
pub use plan::StylePlan;

use crate::data::Features;
use data::{Chosen, Games, Outing};
use fit::{Fold, Learner, Subject, Weights};

/// Was this folder made by a comparison of a player with others?
pub fn is_run(path: &Path) -> bool {
    Manifest::read(path).is_ok_and(|manifest| manifest.command == StylePlan::COMMAND)
}

/// A line of the journal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    /// The weights of both on all games.
    Weights { subject: String, weights: Weights },
    /// Scores of the games of a part.
    Fold { subject: String, fold: usize, scores: Fold },
    /// Weights bred on the games of all parts but one.
    Bred { fold: usize, bred: Bred },
}

/// What was found of a subject.
struct Found {
    weights: Weights,
    folds: Vec<Fold>,
}

impl Found {
    /// The scores of all games, of the player's or of the others'.
    fn scores(&self, of: impl Fn(&Fold) -> &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        self.folds.iter().flat_map(|fold| of(fold).clone()).collect()
    }
}

/// Everything that was found.
struct Findings {
    subjects: Vec<Subject>,
    found: Vec<Found>,
    /// Of the player, by the part of the games that was held out.
    bred: Vec<Bred>,
}

/// Carries out a plan, or what is left of it: the journal has what was found before.
pub fn carry_out(
    plan: &StylePlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<StyleOutcome> {
    pool(context.threads)?.install(|| on_this_pool(plan, folder, context.observer))
}

fn on_this_pool(
    plan: &StylePlan,
    folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<StyleOutcome> {
    let started = Instant::now();
    let features = Features::load(&plan.features)?;
    let chosen = Games::read(&plan.games, observer)?.choose(plan)?;
    let outings: Vec<&Outing> = chosen.player.iter().chain(&chosen.others).collect();
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(outings.len());
    let mut samples = Vec::new();
    for outing in &outings {
        ranges.push(samples.len()..samples.len() + outing.samples.len());
        samples.extend_from_slice(&outing.samples);
    }
    let data = Dataset::build(&features.set, &samples, MoveOrder::Thesis);
    let learner = Learner::new(&data, &ranges, plan.l2, plan.folds);
    let subjects = subjects(plan, &chosen);
    let mut known = Known::read(folder)?;
    let fits = subjects.len() * (plan.folds + 1);
    let mut progress = observer.begin((fits + plan.folds) as u64, "fits");
    let mut found = Vec::new();
    // Others' weights are much the same, whoever is not among them.
    let mut start = vec![0.0; features.set.len()];
    for (number, subject) in subjects.iter().enumerate() {
        let mut done = (number * (plan.folds + 1)) as u64;
        progress.update(done, &|| subject.name.clone());
        let weights = known.weights(subject, &start, &learner, folder)?;
        start = weights.others.iter().map(|weight| weight / usable(weights.scale)).collect();
        let mut folds = Vec::with_capacity(plan.folds);
        for fold in 0..plan.folds {
            done += 1;
            progress.update(done, &|| format!("{}, part {}", subject.name, fold + 1));
            folds.push(known.fold(subject, fold, &start, &learner, folder)?);
        }
        found.push(Found { weights, folds });
    }
    let mut bred = Vec::with_capacity(plan.folds);
    for fold in 0..plan.folds {
        progress.update((fits + fold) as u64, &|| format!("bred, part {}", fold + 1));
        bred.push(known.bred(&subjects[0], fold, plan.seed, &learner, folder)?);
    }
    let found = Findings { subjects, found, bred };
    let seconds = started.elapsed().as_secs_f64();
    StyleOutcome::new(plan, features, &data, &chosen, &found, seconds)
}

/// A scale to divide by.
fn usable(scale: f64) -> f64 {
    if scale.abs() < 1e-3 { 1.0 } else { scale }
}

/// The player, and the controls.
fn subjects(plan: &StylePlan, chosen: &Chosen) -> Vec<Subject> {
    let own: Vec<usize> = (0..chosen.player.len()).collect();
    let others: Vec<usize> = (own.len()..own.len() + chosen.others.len()).collect();
    let controls: Vec<Subject> = (1..=plan.controls)
        .map(|number| Subject::control(number, &others, own.len(), plan.seed))
        .collect();
    let mut subjects = vec![Subject { name: "player".into(), own, others }];
    subjects.extend(controls);
    subjects
}

/// What the journal has.
struct Known {
    weights: BTreeMap<String, Weights>,
    folds: BTreeMap<(String, usize), Fold>,
    bred: BTreeMap<usize, Bred>,
}

impl Known {
    fn read(folder: &RunFolder) -> Result<Self> {
        let (weights, folds, bred) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut known = Self { weights, folds, bred };
        for entry in folder.entries::<Entry>()? {
            match entry? {
                Entry::Weights { subject, weights } => {
                    known.weights.insert(subject, weights);
                }
                Entry::Fold { subject, fold, scores } => {
                    known.folds.insert((subject, fold), scores);
                }
                Entry::Bred { fold, bred } => {
                    known.bred.insert(fold, bred);
                }
            }
        }
        Ok(known)
    }

    fn weights(
        &mut self,
        subject: &Subject,
        start: &[f64],
        learner: &Learner<'_>,
        folder: &RunFolder,
    ) -> Result<Weights> {
        if let Some(weights) = self.weights.remove(&subject.name) {
            return Ok(weights);
        }
        let weights = learner.weights(subject, start)?;
        folder
            .append(&Entry::Weights { subject: subject.name.clone(), weights: weights.clone() })?;
        Ok(weights)
    }

    fn bred(
        &mut self,
        subject: &Subject,
        fold: usize,
        seed: u64,
        learner: &Learner<'_>,
        folder: &RunFolder,
    ) -> Result<Bred> {
        if let Some(bred) = self.bred.remove(&fold) {
            return Ok(bred);
        }
        let bred = learner.breed(subject, fold, seed)?;
        folder.append(&Entry::Bred { fold, bred: bred.clone() })?;
        Ok(bred)
    }

    fn fold(
        &mut self,
        subject: &Subject,
        fold: usize,
        start: &[f64],
        learner: &Learner<'_>,
        folder: &RunFolder,
    ) -> Result<Fold> {
        if let Some(scores) = self.folds.remove(&(subject.name.clone(), fold)) {
            return Ok(scores);
        }
        let scores = learner.fold(subject, fold, start);
        let entry = Entry::Fold { subject: subject.name.clone(), fold, scores: scores.clone() };
        folder.append(&entry)?;
        Ok(scores)
    }
}
