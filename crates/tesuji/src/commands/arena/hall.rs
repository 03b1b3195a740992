//! Where organisms meet: openings, conditions, and games between two of them.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use tesuji_arena::openings::{MadeOpenings, Openings};
use tesuji_arena::player::OwnEngine;
use tesuji_arena::spec::{default_hash, opening_maker};
use tesuji_arena::{Seats, Terms, TimeControl, game};
use tesuji_math::Random;
use tesuji_search::Searcher;
use tesuji_shogi::{Color, Outcome};

use super::meetings::MeetingPlan;
use tesuji_search::spec::EnginePlan;

/// Conditions of all games, and the openings.
pub struct Hall {
    openings: Openings,
    /// The numbers of the openings to evolve with; the others are for the last match.
    evolving: Vec<usize>,
    testing: Vec<usize>,
    terms: Terms,
    control: TimeControl,
    racing: bool,
}

/// Two organisms, and from where they play.
pub struct Meeting<'a> {
    pub players: [EnginePlan; 2],
    /// Openings, each played with both colours.
    pub openings: &'a [usize],
    /// The number of the first game, for whoever draws from chance.
    pub number: u64,
}

/// What came of a meeting.
pub struct Played {
    /// Half points of the first in each game; it has Black in every other one, beginning with the first.
    pub half_points: Vec<u32>,
    /// How long the games took.
    pub time: Duration,
}

impl Hall {
    pub fn new(plan: &MeetingPlan) -> Result<Self> {
        let seed = plan.conditions.seed;
        let (openings, evolving) = match &plan.conditions.openings {
            Some(path) => {
                let games = plan.conditions.read_openings(path)?;
                let half = if plan.games == 0 { 0 } else { games.len().div_ceil(2) };
                (Openings::Given(games), half)
            }
            None => {
                // More than the match needs: many end in positions that were seen before. Nobody makes an
                // opening before it is played.
                let pool = if plan.games == 0 { 0 } else { plan.pool };
                let count = pool + 8 * plan.match_games;
                (Openings::Made(MadeOpenings::new(seed, count)), pool)
            }
        };
        let mut numbers: Vec<usize> = (0..openings.count()).collect();
        if plan.conditions.openings.is_some() {
            Random::new(seed).shuffle(&mut numbers);
        }
        let testing = numbers.split_off(evolving);
        Ok(Self {
            openings,
            evolving: numbers,
            testing,
            terms: plan.conditions.terms(),
            control: plan.conditions.control,
            racing: plan.racing,
        })
    }

    /// How many openings there are to evolve with.
    pub fn pool(&self) -> usize {
        self.evolving.len()
    }

    /// The opening with a number below that.
    pub fn evolving(&self, number: usize) -> usize {
        self.evolving[number % self.evolving.len()]
    }

    /// Openings for the last match, none of them a position that was played from before; fewer than wanted if there
    /// are no more.
    pub fn unseen(&self, used: &BTreeSet<usize>, count: usize) -> Result<Vec<usize>> {
        let mut maker = opening_maker()?;
        let mut key = |number: usize| {
            let game = self.openings.get(number, &mut *maker);
            game.map(|game| game.position().to_sfen()).unwrap_or_default()
        };
        let mut known: BTreeSet<String> = used.iter().map(|&number| key(number)).collect();
        let mut unseen = Vec::new();
        for &number in &self.testing {
            if unseen.len() == count {
                break;
            }
            if known.insert(key(number)) {
                unseen.push(number);
            }
        }
        Ok(unseen)
    }

    /// The size of the table of positions that these games need, in mebibytes.
    pub fn table(&self) -> usize {
        default_hash(&self.control)
    }

    /// Plays a meeting; `None` if `stop` was set before its end.
    pub fn play(
        &self,
        meeting: &Meeting<'_>,
        maker: &mut dyn Searcher,
        stop: &AtomicBool,
    ) -> Option<Played> {
        let [mut first, mut second] =
            meeting.players.each_ref().map(|plan| OwnEngine::new(plan.engine()));
        let mut played = Played { half_points: Vec::new(), time: Duration::ZERO };
        let all = 2 * meeting.openings.len();
        for &opening in meeting.openings {
            let opening = self.openings.get(opening, maker)?;
            for black in [true, false] {
                if self.racing && is_decided(&played.half_points, all) {
                    return Some(played);
                }
                let started = Instant::now();
                let mut seats = match black {
                    true => Seats::Two([&mut first, &mut second]),
                    false => Seats::Two([&mut second, &mut first]),
                };
                let controls = [self.control; 2];
                let number = meeting.number + played.half_points.len() as u64;
                let game = game::play(&opening, &mut seats, controls, &self.terms, number, stop)?;
                played.time += started.elapsed();
                played.half_points.push(match game.result.outcome {
                    Outcome::Win(color) => 2 * u32::from((color == Color::Black) == black),
                    Outcome::Draw | Outcome::Unknown => 1,
                });
            }
        }
        Some(played)
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
