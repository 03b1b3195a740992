//! How many of the moves that were played plausible move generation keeps, and how many moves it
//! saves.

mod zero;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::MoveModel;
use tesuji_eval::plausible::{Cut, Generator, Generators, Merits, Parts, Rating, UNITS};
use tesuji_shogi::MoveList;

use crate::imitation::{Chooser, MoveExample, with_reasons};
use crate::prediction::Choice;
pub use zero::with_zero;

/// Positions that one thread works on.
const PIECE: usize = 64;

/// Who rates the moves.
#[derive(Clone, Copy, Debug)]
pub enum Judge<'a> {
    /// The generators, by their merits.
    Merits {
        /// What reasons are worth.
        merits: &'a Merits,
        /// Do improvement and prevention rest while a strong threat is on the board?
        hierarchy: bool,
    },
    /// A model of moves, for comparison: it has no generators, and cuts that ask for them keep all.
    Model(&'a MoveModel),
}

/// How moves are kept.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// Who rates the moves.
    pub judge: Judge<'a>,
    /// Which moves are kept.
    pub cut: Cut,
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
    /// How the move was rated; by a model, its score.
    pub rating: Rating,
}

/// What was kept of the moves of many positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Positions.
    pub positions: usize,
    /// All legal moves; every position has one move that was played.
    pub legal: usize,
    /// What was kept.
    pub kept: Share,
    /// How often the played move came in each place by its merit, from 0.
    pub ranks: Vec<usize>,
    /// By the number of the generator; nothing where a model rates.
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

    /// Adds a position with the scores of its moves and which of them are kept.
    fn add(&mut self, moves: &MoveList, scores: &[i32], kept: &[bool], own: usize) {
        let share = share_of(kept, own);
        self.positions += 1;
        self.legal += moves.len();
        self.kept.add(share);
        self.savings[1000 - 1000 * share.legal / moves.len()] += 1;
        let scores: Vec<_> = moves.into_iter().zip(scores.iter().copied()).collect();
        let rank = Choice::by_scores(&scores, scores[own].0).rank.expect("a legal move");
        self.ranks.resize(self.ranks.len().max(rank + 1), 0);
        self.ranks[rank] += 1;
    }

    /// Adds what each generator had part in, where `rate` rates all moves by some of them.
    fn add_generators(
        &mut self,
        cut: Cut,
        in_check: bool,
        rate: impl Fn(Generators) -> Vec<Rating>,
        own: usize,
    ) {
        let keep = |ratings: &[Rating]| share_of(&cut.keep(ratings, in_check), own);
        let ratings = rate(Generators::ALL);
        let kept = keep(&ratings);
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

/// How many moves are kept, and whether that at the place `own` is among them.
fn share_of(kept: &[bool], own: usize) -> Share {
    let legal = kept.iter().filter(|&&kept| kept).count();
    Share { played: usize::from(kept[own]), legal }
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
    for (number, sample) in samples.iter().enumerate() {
        let legal = sample.position.legal_moves();
        let Some(own) = legal.into_iter().position(|mv| mv == sample.played) else { continue };
        let before = sum.kept.played;
        let rating = add_position(&mut sum, keeping, sample, &legal, own);
        if sum.kept.played == before {
            missed.push(Missed { sample: first + number, rating });
        }
    }
    (sum, missed)
}

/// Adds what is kept of the moves of a position; the rating of the move at the place `own`.
fn add_position(
    sum: &mut Kept,
    keeping: &Keeping<'_>,
    &MoveExample { position, past, .. }: &MoveExample,
    legal: &MoveList,
    own: usize,
) -> Rating {
    let (cut, in_check) = (keeping.cut, position.in_check());
    match keeping.judge {
        Judge::Merits { merits, hierarchy } => {
            let (level, parts) = with_reasons(&position, past, merits, hierarchy, |rater| {
                let parts: Vec<Parts> = legal.into_iter().map(|mv| rater.parts(mv)).collect();
                (rater.scene().level(), parts)
            });
            let rate = |asked| {
                let mut ratings: Vec<Rating> = parts.iter().map(|of| of.rating(asked)).collect();
                merits.add_level(level, &mut ratings);
                ratings
            };
            let ratings = rate(Generators::ALL);
            let scores: Vec<i32> = ratings.iter().map(|rating| rating.merit).collect();
            sum.add(legal, &scores, &cut.keep(&ratings, in_check), own);
            sum.add_generators(cut, in_check, rate, own);
            ratings[own]
        }
        Judge::Model(model) => {
            let scores = model.scores(&position, past, legal);
            let kept = kept_by_model(cut, &scores, in_check);
            sum.add(legal, &scores, &kept, own);
            Rating { generators: Generators::NONE, merit: scores[own] }
        }
    }
}

/// Which moves a cut keeps by the scores of the model of moves.
fn kept_by_model(cut: Cut, scores: &[i32], in_check: bool) -> Vec<bool> {
    if in_check || matches!(cut, Cut::All | Cut::Merit) {
        return vec![true; scores.len()];
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    // Cuts take a great negative number for a move that nobody produces: scores begin at the best.
    let standings: Vec<i32> = match cut {
        // Places go by the scores as they are, which are finer than merits.
        Cut::Best(_) => scores.iter().map(|score| score - best + SPAN).collect(),
        _ => scores.iter().map(|score| (score - best) * UNITS / MoveModel::UNITS + SPAN).collect(),
    };
    let mut bar = cut.bar(&mut standings.clone());
    standings.into_iter().map(|standing| bar.admits(standing)).collect()
}

/// Where standings of the model's best move begin, so that none is below zero.
const SPAN: i32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_the_model_of_moves_have_units_of_their_own() {
        let logit = MoveModel::UNITS;
        let scores = [0, 2 * logit, -logit, 2 * logit + 1];
        assert_eq!(kept_by_model(Cut::Best(1), &scores, false), [false, false, false, true]);
        assert_eq!(kept_by_model(Cut::Best(2), &scores, false), [false, true, false, true]);
        // Odds of 1, e², 1/e and e²: shares of 6, 46, 2 and 46 %.
        assert_eq!(kept_by_model(Cut::Mass(0.9), &scores, false), [false, true, false, true]);
        assert_eq!(kept_by_model(Cut::Mass(0.95), &scores, false), [true, true, false, true]);
        assert_eq!(kept_by_model(Cut::Best(1), &scores, true), [true; 4]);
    }
}
