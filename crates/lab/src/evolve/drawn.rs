//! Very many positions: features and generations are for some of them, drawn at random, and the
//! winners are counted on all.
//!
//! A hundred thousand positions say about as much of some dozens of weights as all of them
//! (`docs/results/speed.md` has the comparison), and the rows of a million take minutes.

use std::time::Instant;

use tesuji_eval::FeatureSet;
use tesuji_learn::ga::Batch;
use tesuji_learn::{Count, MoveOrder, Subset, count};
use tesuji_math::Random;
use tesuji_records::Sample;

use super::{EvolvePlan, Learner};

/// Batches where the plan has none.
const BATCH: Batch = Batch { positions: 10_000, generations: 10 };
/// The stream of random numbers that positions are drawn with.
const STREAM: u64 = 0x6472_6177;

/// All positions, when only some of them are learned from.
pub(super) struct All {
    samples: Vec<Sample>,
}

/// What was counted on all positions.
pub struct Counted {
    /// What the winners solve, and what was looked at for that.
    pub count: Count,
    /// How long it took.
    pub seconds: f64,
}

/// Draws positions to learn from where the plan wants fewer than there are. Gives the plan as it
/// is carried out, the positions drawn, and all.
pub(super) fn draw(
    plan: &EvolvePlan,
    samples: Vec<Sample>,
) -> (EvolvePlan, Vec<Sample>, Option<All>) {
    let mut plan = plan.clone();
    let wanted = plan.draw.max(plan.parameters.batch.map_or(0, |batch| batch.positions));
    if plan.draw == 0 || samples.len() <= wanted || plan.learner != Learner::Genetic {
        return (plan, samples, None);
    }
    plan.parameters.batch = plan.parameters.batch.or(Some(BATCH));
    let drawn = Subset::draw(wanted, samples.len(), &mut Random::stream(plan.seed, STREAM));
    let some = drawn.positions().map(|number| samples[number]).collect();
    (plan, some, Some(All { samples }))
}

impl All {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Counts what weights solve.
    pub fn count(&self, set: &FeatureSet, weights: &[Vec<i32>]) -> Counted {
        let started = Instant::now();
        let count = count(set, &self.samples, MoveOrder::Thesis, weights);
        Counted { count, seconds: started.elapsed().as_secs_f64() }
    }
}
