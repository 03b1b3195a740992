//! How many of the moves that were played plausible move generation keeps, and how many moves it
//! saves.

mod zero;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::plausible::{Cut, Generator, Generators, Merits, Parts, Rating};
use tesuji_shogi::Move;

use crate::imitation::{MoveExample, with_reasons};
use crate::prediction::Choice;
pub use zero::with_zero;

/// Positions that one thread works on.
const PIECE: usize = 64;

/// What is asked of the generators.
#[derive(Clone, Debug)]
pub struct Keeping<'a> {
    /// What reasons are worth.
    pub merits: &'a Merits,
    /// Which moves are kept.
    pub cut: Cut,
    /// Do improvement and prevention rest while a strong threat is on the board?
    pub hierarchy: bool,
}

/// Moves that were played, and legal moves, in a number of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Moves that were played.
    pub played: usize,
    /// Legal moves.
    pub legal: usize,
}

impl Share {
    fn add(&mut self, other: Self) {
        self.played += other.played;
        self.legal += other.legal;
    }
}

/// What one generator has part in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfGenerator {
    /// What it produces.
    pub produced: Share,
    /// What no other generator produces.
    pub only: Share,
    /// What is kept when it is not asked.
    pub kept_without: Share,
}

/// A position whose move was not kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Missed {
    /// Which of the samples.
    pub sample: usize,
    /// How the move was rated.
    pub rating: Rating,
}

/// What was kept of the moves of many positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Positions.
    pub positions: usize,
    /// All legal moves; every position has one move that was played.
    pub legal: usize,
    /// What was kept.
    pub kept: Share,
    /// How often the played move came in each place by its merit, from 0.
    pub ranks: Vec<usize>,
    /// By the number of the generator.
    pub generators: [OfGenerator; Generator::COUNT],
    /// The share of moves saved in each position, in tenths of a percent, as counts.
    pub savings: Vec<usize>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            positions: 0,
            legal: 0,
            kept: Share::default(),
            ranks: Vec::new(),
            generators: [OfGenerator::default(); Generator::COUNT],
            savings: vec![0; 1001],
        }
    }
}

impl Kept {
    /// Adds another part of the count.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.legal += other.legal;
        self.kept.add(other.kept);
        self.ranks.resize(self.ranks.len().max(other.ranks.len()), 0);
        for (sum, part) in self.ranks.iter_mut().zip(&other.ranks) {
            *sum += part;
        }
        for (sum, part) in self.savings.iter_mut().zip(&other.savings) {
            *sum += part;
        }
        for (sum, part) in self.generators.iter_mut().zip(&other.generators) {
            sum.produced.add(part.produced);
            sum.only.add(part.only);
            sum.kept_without.add(part.kept_without);
        }
    }

    /// Positions whose move was not kept.
    pub const fn missed(&self) -> usize {
        self.positions - self.kept.played
    }

    /// The share of the played moves that was kept.
    pub fn accuracy(&self) -> f64 {
        self.kept.played as f64 / self.positions.max(1) as f64
    }

    /// The share of the legal moves that was not kept.
    pub fn saved(&self) -> f64 {
        self.saved_with(self.kept)
    }

    /// The share of the legal moves that is not kept where this is.
    pub fn saved_with(&self, kept: Share) -> f64 {
        1.0 - kept.legal as f64 / self.legal.max(1) as f64
    }

    /// The share of positions whose move is among the first so many by merit.
    pub fn within(&self, first: usize) -> f64 {
        let found: usize = self.ranks.iter().take(first).sum();
        found as f64 / self.positions.max(1) as f64
    }

    fn add(&mut self, keeping: &Keeping<'_>, in_check: bool, moves: &[(Move, Parts)], own: usize) {
        let rate = |asked| -> Vec<Rating> { moves.iter().map(|(_, p)| p.rating(asked)).collect() };
        let keep = |ratings: &[Rating]| {
            let kept = keeping.cut.keep(ratings, in_check);
            let legal = kept.iter().filter(|&&kept| kept).count();
            Share { played: usize::from(kept[own]), legal }
        };
        let ratings = rate(Generators::ALL);
        let kept = keep(&ratings);
        self.positions += 1;
        self.legal += moves.len();
        self.kept.add(kept);
        self.savings[1000 - 1000 * kept.legal / moves.len()] += 1;
        let scores: Vec<_> =
            moves.iter().zip(&ratings).map(|(&(mv, _), rating)| (mv, rating.merit)).collect();
        let rank = Choice::by_scores(&scores, moves[own].0).rank.expect("a legal move");
        self.ranks.resize(self.ranks.len().max(rank + 1), 0);
        self.ranks[rank] += 1;
        for (generator, of) in Generator::ALL.into_iter().zip(&mut self.generators) {
            let alone = Generators::NONE.with(generator);
            let count = |test: &dyn Fn(Generators) -> bool| Share {
                played: usize::from(test(ratings[own].generators)),
                legal: ratings.iter().filter(|rating| test(rating.generators)).count(),
            };
            let produced = count(&|set| set.contains(generator));
            of.produced.add(produced);
            of.only.add(count(&|set| set == alone));
            let without = if produced.legal == 0 {
                kept
            } else {
                keep(&rate(Generators::ALL.without(alone)))
            };
            of.kept_without.add(without);
        }
    }
}

/// What is kept of the moves of some positions, and which of them lose the move that was played.
/// Positions whose move is not legal do not count.
pub fn kept(keeping: &Keeping<'_>, samples: &[MoveExample]) -> (Kept, Vec<Missed>) {
    let pieces: Vec<_> = samples
        .par_chunks(PIECE)
        .enumerate()
        .map(|(number, samples)| kept_of(keeping, samples, number * PIECE))
        .collect();
    let mut sum = (Kept::default(), Vec::new());
    for (piece, missed) in pieces {
        sum.0.merge(&piece);
        sum.1.extend(missed);
    }
    sum
}

fn kept_of(keeping: &Keeping<'_>, samples: &[MoveExample], first: usize) -> (Kept, Vec<Missed>) {
    let (mut sum, mut missed) = (Kept::default(), Vec::new());
    for (number, MoveExample { position, played, past, .. }) in samples.iter().enumerate() {
        let legal = position.legal_moves();
        let Some(own) = legal.into_iter().position(|mv| mv == *played) else { continue };
        let moves: Vec<(Move, Parts)> =
            with_reasons(position, *past, keeping.merits, keeping.hierarchy, |rater| {
                legal.into_iter().map(|mv| (mv, rater.parts(mv))).collect()
            });
        let before = sum.kept.played;
        sum.add(keeping, position.in_check(), &moves, own);
        if sum.kept.played == before {
            let rating = moves[own].1.rating(Generators::ALL);
            missed.push(Missed { sample: first + number, rating });
        }
    }
    (sum, missed)
}
