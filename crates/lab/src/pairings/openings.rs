//! The openings of co-evolution and tuning: some for the generations, others held out for the
//! verification match.

use std::collections::BTreeSet;

use anyhow::Result;
use tesuji_arena::openings::{MadeOpenings, Openings};
use tesuji_arena::spec::opening_maker;
use tesuji_math::Random;

use super::PairingPlan;

/// The numbers of the openings, in two parts.
pub(super) struct OpeningPool {
    /// Those to evolve with.
    training: Vec<usize>,
    /// Those for the verification match.
    held_out: Vec<usize>,
}

impl OpeningPool {
    /// The openings, and which are for what.
    pub(super) fn new(plan: &PairingPlan) -> Result<(Openings, Self)> {
        let seed = plan.conditions.seed;
        let (openings, training) = match &plan.conditions.openings {
            Some(path) => {
                let games = plan.conditions.read_openings(path)?;
                let half = if plan.games == 0 { 0 } else { games.len().div_ceil(2) };
                (Openings::Given(games), half)
            }
            None => {
                // More than the match needs: many end in positions that were seen before. Nobody
                // makes an opening before it is played.
                let pool = if plan.games == 0 { 0 } else { plan.pool };
                let count = pool + 8 * plan.match_games;
                (Openings::Made(MadeOpenings::new(seed, count)), pool)
            }
        };
        let mut numbers: Vec<usize> = (0..openings.count()).collect();
        if plan.conditions.openings.is_some() {
            Random::new(seed).shuffle(&mut numbers);
        }
        let held_out = numbers.split_off(training);
        Ok((openings, Self { training: numbers, held_out }))
    }

    /// How many openings there are to evolve with.
    pub(super) fn size(&self) -> usize {
        self.training.len()
    }

    /// The opening with a number below that.
    pub(super) fn training(&self, number: usize) -> usize {
        self.training[number % self.training.len()]
    }

    /// Openings for the verification match, none of them a position that was played from before;
    /// fewer than wanted if there are no more.
    pub(super) fn unseen(
        &self,
        openings: &Openings,
        used: &BTreeSet<usize>,
        count: usize,
    ) -> Result<Vec<usize>> {
        let mut maker = opening_maker()?;
        let mut key = |number: usize| {
            let game = openings.get(number, &mut *maker);
            game.map(|game| game.position().to_sfen()).unwrap_or_default()
        };
        let mut known: BTreeSet<String> = used.iter().map(|&number| key(number)).collect();
        let mut unseen = Vec::new();
        for &number in &self.held_out {
            if unseen.len() == count {
                break;
            }
            if known.insert(key(number)) {
                unseen.push(number);
            }
        }
        Ok(unseen)
    }
}
