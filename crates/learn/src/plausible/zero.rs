//! Where the zero of merits lies: a merit that was fitted compares the moves of one position; to cut
//! at zero, every level gets its own height.

use rayon::prelude::*;
use tesuji_eval::plausible::{LEVELS, Merits};

use crate::games::TrainingGames;
use crate::imitation::{samples_of, with_reasons};

/// The greatest merit that is told apart, either way.
const BOUND: i32 = 3000;
const BINS: usize = 2 * BOUND as usize + 1;
/// Halvings of the interval in which the price of a missed move is sought.
const HALVINGS: usize = 60;

/// How often each merit occurs in the positions of one level.
#[derive(Clone)]
struct Counts {
    played: Vec<u32>,
    legal: Vec<u32>,
}

impl Counts {
    fn new() -> Self {
        Self { played: vec![0; BINS], legal: vec![0; BINS] }
    }

    fn merge(&mut self, other: &Self) {
        for (sum, part) in [(&mut self.played, &other.played), (&mut self.legal, &other.legal)] {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }

    /// The least merit to keep if missing a move that was played costs as much as saving `price`
    /// moves, and how many played moves that misses.
    fn zero(&self, price: f64) -> (i32, u64) {
        let (mut missed, mut saved) = (0, 0);
        let (mut best, mut best_gain) = ((-BOUND, 0), 0.0);
        for bin in 0..BINS - 1 {
            missed += u64::from(self.played[bin]);
            saved += u64::from(self.legal[bin]);
            let gain = saved as f64 - price * missed as f64;
            if gain > best_gain {
                best = (bin as i32 + 1 - BOUND, missed);
                best_gain = gain;
            }
        }
        best
    }
}

/// The merits with the zero of every level where together this share of the moves of the training
/// games is kept, and as many moves as possible are saved. Answers to a check are never cut and do
/// not count.
pub fn with_zero(merits: Merits, games: &TrainingGames, from_ply: u16, share: f64) -> Merits {
    let levels = count(&merits, games, from_ply);
    let all: u64 =
        levels.iter().flat_map(|level| &level.counts.played).map(|&n| u64::from(n)).sum();
    let outside: u64 = levels.iter().map(|level| level.unproduced + level.evasions).sum();
    let unproduced: u64 = levels.iter().map(|level| level.unproduced).sum();
    let allowed = (((1.0 - share) * (all + outside) as f64) as u64).saturating_sub(unproduced);
    let missed = |price: f64| levels.iter().map(|level| level.counts.zero(price).1).sum::<u64>();
    let (mut low, mut high) = (0.0_f64, 1e6_f64);
    for _ in 0..HALVINGS {
        let middle = (low.max(1e-3) * high).sqrt();
        if missed(middle) > allowed { low = middle } else { high = middle }
    }
    merits.raised(|level| -levels[level].counts.zero(high).0)
}

/// What the positions of a level have.
#[derive(Clone)]
struct Level {
    /// Moves that are produced.
    counts: Counts,
    /// Played moves that are not, and those that answer a check.
    unproduced: u64,
    evasions: u64,
}

fn count(merits: &Merits, games: &TrainingGames, from_ply: u16) -> Vec<Level> {
    let none = || vec![Level { counts: Counts::new(), unproduced: 0, evasions: 0 }; LEVELS];
    let add_game = |mut levels: Vec<Level>, &place: &_| {
        for sample in samples_of(&games.get(place), from_ply) {
            with_reasons(&sample.position, sample.past, merits, true, |rater| {
                let level = &mut levels[rater.scene().level()];
                if sample.position.in_check() {
                    level.evasions += 1;
                    return;
                }
                let moves = sample.position.legal_moves();
                for (mv, rating) in moves.into_iter().zip(rater.rate_all(&moves)) {
                    let is_played = mv == sample.played;
                    if rating.is_produced() {
                        let bin = (rating.merit.clamp(-BOUND, BOUND) + BOUND) as usize;
                        level.counts.legal[bin] += 1;
                        level.counts.played[bin] += u32::from(is_played);
                    } else {
                        level.unproduced += u64::from(is_played);
                    }
                }
            });
        }
        levels
    };
    let sum = |mut sum: Vec<Level>, part: Vec<Level>| {
        for (sum, part) in sum.iter_mut().zip(&part) {
            sum.counts.merge(&part.counts);
            sum.unproduced += part.unproduced;
            sum.evasions += part.evasions;
        }
        sum
    };
    games.train.par_iter().fold(none, add_game).reduce(none, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_where_the_price_is_met() {
        let mut counts = Counts::new();
        let bin = |merit: i32| (merit + BOUND) as usize;
        // Below -10 ten moves, none played; from -10 to 5 twenty, one played; above, the played.
        counts.legal[bin(-20)] = 10;
        counts.legal[bin(-10)] = 20;
        counts.played[bin(-10)] = 1;
        counts.legal[bin(5)] = 30;
        counts.played[bin(5)] = 9;
        assert_eq!(counts.zero(100.0), (-19, 0));
        assert_eq!(counts.zero(15.0), (-9, 1));
        assert_eq!(counts.zero(0.1), (6, 10));
    }
}
