//! How many of very many positions weights solve, without features for all of their rows.
//!
//! Most weights fail most positions, and one better move is enough to see it. Rows are therefore
//! worked out one at a time, those first that were better most often in other positions (the
//! history heuristic of a search), and none after the last weights have failed.

use std::cmp::Reverse;

use rayon::prelude::*;
use tesuji_eval::FeatureSet;
use tesuji_records::Sample;
use tesuji_shogi::{Move, MoveList, Origin, PieceKind, Position, Square};

use crate::MoveOrder;

/// Positions that share a history. It changes the time alone, never a result.
const PART: usize = 4096;

/// What weights solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Positions solved, for each of the weights.
    pub correct: Vec<u32>,
    /// Legal moves of all positions.
    pub rows: usize,
    /// Those whose features were worked out.
    pub touched: usize,
    /// Positions whose move is illegal.
    pub illegal: usize,
}

impl Count {
    fn add(mut self, other: &Self) -> Self {
        self.correct.iter_mut().zip(&other.correct).for_each(|(sum, &one)| *sum += one);
        self.rows += other.rows;
        self.touched += other.touched;
        self.illegal += other.illegal;
        self
    }
}

/// Counts the positions that each of the weights solves: as [`crate::Scorer::correct`], from
/// positions without rows.
///
/// # Panics
/// If there are not as many weights as features.
pub fn count(
    set: &FeatureSet,
    samples: &[Sample],
    order: MoveOrder,
    weights: &[Vec<i32>],
) -> Count {
    let effective: Vec<Vec<i32>> = weights.iter().map(|one| set.effective_weights(one)).collect();
    let none = || Count { correct: vec![0; weights.len()], ..Count::default() };
    let of_part = |part: &[Sample]| {
        let mut counter =
            Counter { set, order, weights: &effective, history: History::new(), count: none() };
        part.iter().for_each(|sample| counter.add(sample));
        counter.count
    };
    samples.par_chunks(PART).map(of_part).reduce(none, |sum, part| sum.add(&part))
}

struct Counter<'a> {
    set: &'a FeatureSet,
    order: MoveOrder,
    weights: &'a [Vec<i32>],
    history: History,
    count: Count,
}

impl Counter<'_> {
    fn add(&mut self, sample: &Sample) {
        let position = &sample.position;
        let legal: MoveList = position.legal_moves();
        self.count.rows += legal.len();
        let Some(master) = sample.mv.filter(|mv| legal.contains(mv)) else {
            self.count.illegal += 1;
            return;
        };
        let after = self.set.after(position);
        let mut row: Vec<i16> = Vec::with_capacity(self.set.len());
        after.append_row(master, &mut row);
        // Those that have not failed yet, with the score of the master's move.
        let mut left: Vec<(usize, i64)> =
            self.weights.iter().map(|weights| score(&row, weights)).enumerate().collect();
        self.count.touched += 1;
        let mut rivals: Vec<(u32, Move)> = (legal.iter())
            .filter(|&&mv| mv != master)
            .map(|&mv| (self.history.of(position, mv), mv))
            .collect();
        rivals.sort_unstable_by_key(|&(chance, mv)| (Reverse(chance), mv.to_u16()));
        for (_, mv) in rivals {
            row.clear();
            after.append_row(mv, &mut row);
            self.count.touched += 1;
            let bias = i64::from(self.order.key(mv) < self.order.key(master));
            let before = left.len();
            left.retain(|&(number, best)| score(&row, &self.weights[number]) + bias <= best);
            self.history.learn(position, mv, left.len() < before);
            if left.is_empty() {
                return;
            }
        }
        for (number, _) in left {
            self.count.correct[number] += 1;
        }
    }
}

fn score(row: &[i16], weights: &[i32]) -> i64 {
    row.iter().zip(weights).map(|(&value, &weight)| i64::from(value) * i64::from(weight)).sum()
}

/// How often moves of a kind were better than the master's.
struct History {
    /// By piece and what becomes of it, and by the square as the player sees it.
    to: Vec<Rate>,
    /// By the same and the piece that is taken.
    taken: Vec<Rate>,
}

#[derive(Clone, Copy)]
struct Rate {
    better: u32,
    tried: u32,
}

impl Rate {
    const NEW: Self = Self { better: 1, tried: 4 };

    fn chance(self) -> u32 {
        (self.better << 16) / self.tried
    }
}

/// A piece that moves, promotes or is dropped.
const WAYS: usize = 3;

impl History {
    fn new() -> Self {
        let ways = PieceKind::COUNT * WAYS;
        Self {
            to: vec![Rate::NEW; ways * Square::COUNT],
            taken: vec![Rate::NEW; ways * (PieceKind::COUNT + 1)],
        }
    }

    fn places(position: &Position, mv: Move) -> (usize, usize) {
        let way = match mv.origin() {
            Origin::Board(from) => {
                let kind = position.piece_on(from).map_or(0, |piece| piece.kind().index());
                kind * WAYS + usize::from(mv.is_promotion())
            }
            Origin::Hand(kind) => kind.index() * WAYS + 2,
        };
        let to = mv.to().seen_by(position.side_to_move());
        let taken =
            position.piece_on(mv.to()).map_or(PieceKind::COUNT, |piece| piece.kind().index());
        (way * Square::COUNT + to.index(), way * (PieceKind::COUNT + 1) + taken)
    }

    fn of(&self, position: &Position, mv: Move) -> u32 {
        let (to, taken) = Self::places(position, mv);
        self.to[to].chance() + self.taken[taken].chance()
    }

    fn learn(&mut self, position: &Position, mv: Move, better: bool) {
        let (to, taken) = Self::places(position, mv);
        for rate in [&mut self.to[to], &mut self.taken[taken]] {
            rate.better += u32::from(better);
            rate.tried += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, Scorer, testing};
    use tesuji_math::Random;

    #[test]
    fn counts_what_the_scorer_counts() {
        let samples = testing::samples(300);
        let set = FeatureSet::named("paper").unwrap();
        let data = Dataset::build(&set, &samples, MoveOrder::Thesis);
        let mut random = Random::new(5);
        let weights: Vec<Vec<i32>> = (0..20)
            .map(|_| (0..set.len()).map(|_| random.below(201) as i32 - 100).collect())
            .chain([vec![0; set.len()]])
            .collect();
        let count = count(&set, &samples, MoveOrder::Thesis, &weights);
        assert_eq!(count.correct, Scorer::new(&data).correct(&weights));
        assert_eq!(count.rows, data.resulting_positions());
        assert!(count.touched < count.rows);
        let alone = super::count(&set, &samples, MoveOrder::Thesis, &weights[..1]);
        assert!(alone.touched < count.touched, "fewer weights need fewer rows");
    }

    #[test]
    fn an_illegal_move_is_never_solved() {
        let mut samples = testing::samples(3);
        samples[1].mv = None;
        let set = FeatureSet::named("paper").unwrap();
        let weights = vec![vec![0; set.len()]];
        let count = count(&set, &samples, MoveOrder::Thesis, &weights);
        assert_eq!(count.illegal, 1);
        let data = Dataset::build(&set, &samples, MoveOrder::Thesis);
        assert_eq!(count.correct, Scorer::new(&data).correct(&weights));
    }
}
