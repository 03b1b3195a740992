//! What each group of features is worth to the model of moves: it is learned without the group.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;
use tesuji_eval::MoveModel;
use tesuji_eval::moves::Group;
use tesuji_learn::imitation::{Imitation, Imitator, MoveTally};

use super::exam::Material;
use super::settings::TablesPlan;
use tesuji_run::{Context, kept};

/// What is predicted without each group.
#[derive(Serialize)]
pub struct Ablation {
    /// Games that were learned from, and that were measured with.
    pub games: (usize, usize),
    pub with_all: MoveTally,
    pub without: Vec<Without>,
}

/// What is predicted without a group of features.
#[derive(Serialize)]
pub struct Without {
    pub group: &'static str,
    pub features: usize,
    pub tally: MoveTally,
}

impl Ablation {
    /// How much more surprised the model is without a group.
    pub fn loss(&self, without: &Without) -> f64 {
        without.tally.mean_loss() - self.with_all.mean_loss()
    }

    /// The share of moves that are no longer found.
    pub fn missed(&self, without: &Without) -> f64 {
        self.with_all.prediction.accuracy() - without.tally.prediction.accuracy()
    }
}

/// Learns once with all groups and once without each, the most valuable first.
pub fn ablate(
    plan: &TablesPlan,
    material: &mut Material,
    out: &Path,
    context: &Context<'_>,
) -> Result<Ablation> {
    let (train, test) = material.count();
    let games = (plan.sizes.ablation.min(train), plan.sizes.ablation_test.min(test));
    let mut learn = |name: &str, group: Option<Group>| {
        kept::or_made(&out.join("ablation").join(format!("{name}.json")), || {
            let started = Instant::now();
            let settings = Imitation { passes: plan.sizes.ablation_passes, ..plan.imitation };
            let trainer = Imitator::<MoveModel>::new(settings, material.first(games.0, games.1));
            let mut trainer = trainer.without(group.map_or(0..0, Group::range));
            while !trainer.is_done() {
                trainer.pass(&mut |_, _| {});
            }
            let seconds = started.elapsed().as_secs_f64();
            context.observer.note(&format!("without {name}: {seconds:.0} s"));
            Ok(trainer.best().context("no pass was made")?.test)
        })
    };
    let with_all = learn("nothing", None)?;
    let mut without = Vec::new();
    for &group in Group::ALL {
        let tally = learn(group.name(), Some(group))?;
        without.push(Without { group: group.name(), features: group.range().len(), tally });
    }
    let mut ablation = Ablation { games, with_all, without: Vec::new() };
    without.sort_by(|a, b| ablation.loss(b).total_cmp(&ablation.loss(a)));
    ablation.without = without;
    Ok(ablation)
}
