//! Conditions counted over all games: each by itself, and how they go together.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::linear::{Matrix, dot};
use tesuji_run::Observer;

use super::super::values::ValuedGame;
use super::ScanPlan;
use super::base::{BINS, Base, HALF, bin_of, folded};
use super::candidates::{Lineup, Scratch};
use super::passes::for_each;
use super::tally::{Part, Residuals, Tally};

/// What the positions of a game are to bring Black by their values alone, and how many there are, by
/// folded bin and as the player sees them who has the better value.
#[derive(Clone, Default)]
struct Expected(Vec<(usize, f64, f64)>);

impl Expected {
    fn add(&mut self, bin: usize, chance: f64) {
        let (folded, sign) = folded(bin);
        match self.0.iter_mut().find(|known| known.0 == folded) {
            Some(known) => (known.1, known.2) = (known.1 + sign, known.2 + sign * chance),
            None => self.0.push((folded, sign, sign * chance)),
        }
    }

    /// What came more than that, Black having got so many points.
    fn residuals(&self, points: f64) -> Vec<(usize, f64)> {
        let residual =
            |&(bin, count, expected): &(usize, f64, f64)| (bin, points * count - expected);
        self.0.iter().map(residual).collect()
    }
}

/// Residuals with a place for every folded bin.
fn spread(residuals: &[(usize, f64)]) -> Vec<f64> {
    let mut all = vec![0.0; HALF];
    residuals.iter().for_each(|&(bin, residual)| all[bin] = residual);
    all
}

/// What was counted of a lineup.
pub struct Counts {
    /// Each candidate, in games with even numbers and in the others, the curve taken for certain.
    tallies: Vec<[Tally; 2]>,
    /// What the curve is off in them.
    curve: [Residuals; 2],
    /// What a shift of each brings in the positions of each other, and the surpluses of single
    /// games, multiplied; without any size where nobody asked for them.
    information: Matrix,
    squares: Matrix,
    games: f64,
}

/// A condition that was counted: in games with even numbers, in the others, and in all.
pub struct Halves {
    pub even: Tally,
    pub odd: Tally,
    pub all: Tally,
}

impl Counts {
    /// The tallies, in the order of the lineup.
    pub fn halves(&self, base: &Base) -> Vec<Halves> {
        let whole = self.curve[0].merged(&self.curve[1]);
        let halves = |[even, odd]: &[Tally; 2]| Halves {
            all: even.merged(odd).beside(&whole, base),
            even: even.clone().beside(&self.curve[0], base),
            odd: odd.clone().beside(&self.curve[1], base),
        };
        self.tallies.iter().map(halves).collect()
    }

    /// How some of the candidates go together, by their places.
    pub fn overlap(&self, base: &Base, places: &[usize]) -> Overlap {
        let whole = self.curve[0].merged(&self.curve[1]);
        let tallies =
            places.iter().map(|&place| self.tallies[place][0].merged(&self.tallies[place][1]));
        let tallies: Vec<Tally> = tallies.collect();
        let shares: Vec<Vec<f64>> = tallies
            .iter()
            .map(|tally| (0..HALF).map(|bin| base.share(&tally.bins, bin)).collect())
            .collect();
        let mut overlap = Overlap {
            surplus: Vec::new(),
            information: Matrix::zero(places.len()),
            squares: Matrix::zero(places.len()),
            games: self.games,
        };
        for (a, tally) in tallies.iter().enumerate() {
            overlap.surplus.push(tally.clone().beside(&whole, base).surplus);
            for b in 0..places.len() {
                let known: f64 = (0..HALF)
                    .map(|bin| shares[a][bin] * shares[b][bin] * base.information(bin))
                    .sum();
                overlap.information.row_mut(a)[b] =
                    self.information.row(places[a])[places[b]] - known;
                overlap.squares.row_mut(a)[b] = self.squares.row(places[a])[places[b]]
                    - dot(&shares[b], &tally.residuals)
                    - dot(&shares[a], &tallies[b].residuals)
                    + whole.between(&shares[a], &shares[b]);
            }
        }
        overlap
    }
}

/// Positions of a game in which a candidate holds, one after the other in the same bin.
struct Run {
    candidate: u16,
    is_black: bool,
    /// As Black sees it.
    bin: u8,
    length: u16,
}

/// What one game adds to the counts.
struct GameCounts {
    parts: Vec<Part>,
    places: Vec<Run>,
    expected: Expected,
    information: Matrix,
}

/// Counts a lineup; how candidates go together only if that is wanted.
pub fn count(
    plan: &ScanPlan,
    base: &Base,
    lineup: &Lineup,
    together: bool,
    observer: &dyn Observer,
) -> Result<Counts> {
    let size = if together { lineup.len() } else { 0 };
    let mut counts = Counts {
        tallies: vec![[Tally::new(), Tally::new()]; lineup.len()],
        curve: [Residuals::new(), Residuals::new()],
        information: Matrix::zero(size),
        squares: Matrix::zero(size),
        games: 0.0,
    };
    if lineup.len() == 0 {
        return Ok(counts);
    }
    let work = |game: &ValuedGame| count_game(plan, base, lineup, together, game);
    for_each(plan, observer, work, |number, result, game| {
        counts.add((number % 2) as usize, result as f64 / 2.0, &game);
    })?;
    Ok(counts)
}

fn count_game(
    plan: &ScanPlan,
    base: &Base,
    lineup: &Lineup,
    together: bool,
    game: &ValuedGame,
) -> GameCounts {
    let size = if together { lineup.len() } else { 0 };
    let mut counts = GameCounts {
        parts: vec![Part::default(); lineup.len()],
        places: Vec::new(),
        expected: Expected::default(),
        information: Matrix::zero(size),
    };
    let mut scratch = Scratch::default();
    // The last run of each candidate.
    let mut last: Vec<Option<usize>> = vec![None; lineup.len()];
    for valued in &game.positions {
        let bin = bin_of(valued.value, plan.bin);
        let chance = base.chance(bin);
        counts.expected.add(bin, chance);
        let signs = lineup.signs(&Facts::new(&valued.position), &mut scratch);
        let held = || signs.iter().enumerate().filter(|(_, sign)| **sign != 0);
        for (number, &sign) in held() {
            counts.parts[number].add(i32::from(sign), chance);
            let (is_black, bin) = (sign > 0, bin as u8);
            match last[number].map(|place| &mut counts.places[place]) {
                Some(run) if (run.is_black, run.bin) == (is_black, bin) => run.length += 1,
                _ => {
                    last[number] = Some(counts.places.len());
                    let candidate = number as u16;
                    counts.places.push(Run { candidate, is_black, bin, length: 1 });
                }
            }
        }
        if together {
            let weight = chance * (1.0 - chance);
            for (a, &one) in held() {
                let row = counts.information.row_mut(a);
                held().for_each(|(b, &other)| row[b] += weight * f64::from(one * other));
            }
        }
    }
    counts
}

impl Counts {
    /// Adds a game of one half that brought Black so many points.
    fn add(&mut self, half: usize, points: f64, game: &GameCounts) {
        let residuals = game.expected.residuals(points);
        self.curve[half].add_game(&spread(&residuals));
        for (tallies, part) in self.tallies.iter_mut().zip(&game.parts) {
            tallies[half].add_game(part, points, &residuals);
        }
        for &Run { candidate, is_black, bin, length } in &game.places {
            let (bin, points) = if is_black {
                (usize::from(bin), points)
            } else {
                (BINS - 1 - usize::from(bin), 1.0 - points)
            };
            let bin = &mut self.tallies[usize::from(candidate)][half].bins[bin];
            *bin = (bin.0 + u32::from(length), bin.1 + f64::from(length) * points);
        }
        if self.squares.size() > 0 {
            let surplus: Vec<f64> = game.parts.iter().map(|part| part.surplus(points)).collect();
            self.squares.add_square(&surplus, 1.0);
            self.information.add(&game.information, 1.0);
        }
        self.games += 1.0;
    }
}

/// How conditions go together, the curve not being taken for certain.
pub struct Overlap {
    /// The surplus of each.
    pub surplus: Vec<f64>,
    /// What a shift of each brings in the positions of each other.
    pub information: Matrix,
    /// The surpluses of single games, multiplied.
    pub squares: Matrix,
    pub games: f64,
}
