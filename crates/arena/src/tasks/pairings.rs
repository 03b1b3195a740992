//! Pairings of co-evolution and tuning: two engines of this program, and a few games between them.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tesuji_run::jobs::Task;
use tesuji_search::Searcher;
use tesuji_search::spec::{Loader, SearchSpec};
use tesuji_shogi::{Color, Outcome};

use crate::clock::TimeControl;
use crate::game::{self, Seats, Terms};
use crate::openings::Openings;
use crate::player::{Chance, OwnEngine};
use crate::spec::opening_maker;

/// Plays pairings. A job is a [`PairingJob`], and what comes out is a [`PairingScore`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayPairings {
    /// What both engines have for a game.
    pub control: TimeControl,
    /// What holds for all games.
    pub terms: Terms,
    /// Where games begin.
    pub openings: Openings,
    /// Does a pairing end when it is decided who wins more of its games?
    pub racing: bool,
}

/// Two engines, and the openings from which they play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingJob {
    /// The engines.
    pub engines: [SearchSpec; 2],
    /// Numbers of openings, each played with both colours.
    pub openings: Vec<usize>,
    /// The number of the first game, for whoever draws from chance.
    pub number: u64,
}

/// What came of a pairing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingScore {
    /// Half points of the first engine in each game; it has Black in every other one, beginning
    /// with the first.
    pub half_points: Vec<u32>,
    /// How long the games took, which no result may depend on.
    pub time: Duration,
}

/// What one thread has.
pub struct PairingsWorker {
    /// Makes openings.
    maker: Box<dyn Searcher>,
    loader: Loader,
}

impl Task for PlayPairings {
    const NAME: &'static str = "pairings";
    type Job = PairingJob;
    type Output = PairingScore;
    type Worker = PairingsWorker;

    fn worker(&self) -> Result<PairingsWorker> {
        Ok(PairingsWorker { maker: opening_maker()?, loader: Loader::default() })
    }

    fn run(
        &self,
        PairingsWorker { maker, loader }: &mut PairingsWorker,
        pairing: &PairingJob,
        stop: &AtomicBool,
    ) -> Result<Option<PairingScore>> {
        let mut player = |spec| anyhow::Ok(OwnEngine::new(loader.load(spec)?.engine()));
        let (mut first, mut second) = (player(&pairing.engines[0])?, player(&pairing.engines[1])?);
        let mut result = PairingScore { half_points: Vec::new(), time: Duration::ZERO };
        let all = 2 * pairing.openings.len();
        for &number in &pairing.openings {
            let opening = self.openings.get(number, &mut **maker);
            let opening = opening.with_context(|| format!("no opening {number}"))?;
            for black in [true, false] {
                if self.racing && is_decided(&result.half_points, all) {
                    return Ok(Some(result));
                }
                let started = Instant::now();
                let mut seats = match black {
                    true => Seats::Two([&mut first, &mut second]),
                    false => Seats::Two([&mut second, &mut first]),
                };
                let controls = [self.control; 2];
                let number = pairing.number + result.half_points.len() as u64;
                let chance = Chance::of_game(0, number, 2);
                let game = game::play(&opening, &mut seats, controls, &self.terms, chance, stop);
                let Some(game) = game else { return Ok(None) };
                result.time += started.elapsed();
                result.half_points.push(match game.result.outcome {
                    Outcome::Win(color) => 2 * u32::from((color == Color::Black) == black),
                    Outcome::Draw | Outcome::Unknown => 1,
                });
            }
        }
        Ok(Some(result))
    }
}

/// Do the games that are left of `all` make no difference to who wins most?
fn is_decided(half_points: &[u32], all: usize) -> bool {
    let first: u32 = half_points.iter().sum();
    let second = 2 * half_points.len() as u32 - first;
    first.abs_diff(second) as usize > 2 * (all - half_points.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_that_cannot_be_caught_up_with_decides() {
        for (half_points, decided) in [
            (&[][..], false),
            (&[2, 2], false),
            (&[2, 2, 2], true),
            (&[0, 0, 0], true),
            (&[2, 2, 1], true),
            (&[2, 1, 1], false),
            (&[2, 0, 2], false),
        ] {
            assert_eq!(is_decided(half_points, 4), decided, "{half_points:?}");
        }
    }
}
