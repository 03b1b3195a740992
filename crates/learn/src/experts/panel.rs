//! What experts say of the moves of a position.

use rayon::prelude::*;
use tesuji_eval::FeatureSet;

use super::Arbiter;
use crate::dataset::Labelled;
use crate::{Dataset, MoveClass};

/// Signals of a move that an arbiter listens to.
pub(super) const SIGNALS: usize = 6;

/// The lead of a move that is the only one of its kind.
const ALONE: f64 = 1.0;

/// Experts as they are multiplied.
pub(super) struct Panel {
    effective: [Vec<i32>; 3],
    pub scales: [f64; 3],
}

/// The best move of a kind, in the eyes of the expert for it.
pub(super) struct Winner {
    pub class: usize,
    pub signals: [f64; SIGNALS],
}

/// The winners of a position, and which of them is the master's move.
pub(super) struct Case {
    pub winners: Vec<Winner>,
    pub right: usize,
}

impl Panel {
    pub fn new(set: &FeatureSet, weights: &[Vec<i32>; 3], scales: [f64; 3]) -> Self {
        let effective = weights.each_ref().map(|weights| set.effective_weights(weights));
        Self { effective, scales }
    }

    /// Experts with the scales of their scores in these positions.
    pub fn measured(data: &Dataset, weights: &[Vec<i32>; 3]) -> Self {
        let mut panel = Self::new(data.set(), weights, [1.0; 3]);
        let squares = |shard| {
            let opinions = data.shard(shard).flat_map(|position| panel.opinions(&position));
            opinions.fold([0.0; 3], |sums: [f64; 3], opinions| {
                std::array::from_fn(|expert| sums[expert] + opinions[expert].powi(2))
            })
        };
        let shards: Vec<[f64; 3]> = (0..data.shards()).into_par_iter().map(squares).collect();
        let rows = data.resulting_positions().max(1) as f64;
        panel.scales = std::array::from_fn(|expert| {
            (shards.iter().map(|sums| sums[expert]).sum::<f64>() / rows).sqrt()
        });
        panel
    }

    /// How much better than the average legal move each expert finds each move.
    ///
    /// Rows are differences to the master's move, which nobody may know. These are not: the sums
    /// are exact, and what all rows have in common falls out.
    fn opinions(&self, position: &Labelled<'_>) -> Vec<[f64; 3]> {
        let mut opinions = vec![[0.0; 3]; position.moves().len()];
        for (expert, effective) in self.effective.iter().enumerate() {
            let scores = position.scores(effective);
            let (sum, count) = (scores.iter().sum::<i64>(), scores.len() as i64);
            let scale = self.scales[expert] * count as f64;
            if scale > 0.0 {
                for (opinions, score) in opinions.iter_mut().zip(scores) {
                    opinions[expert] = (score * count - sum) as f64 / scale;
                }
            }
        }
        opinions
    }

    /// For each move its kind, its signals and whether it is the first of the best of its kind.
    fn moves(&self, position: &Labelled<'_>) -> Vec<(Winner, bool)> {
        let opinions = self.opinions(position);
        let classes: Vec<usize> =
            position.moves().iter().map(|&mv| MoveClass::of(mv).index()).collect();
        let kinds: [Kind; 3] = std::array::from_fn(|class| {
            let own = classes.iter().zip(&opinions).enumerate();
            Kind::new(own.filter(|(_, (of, _))| **of == class).map(|(i, (_, o))| (i, o[class])))
        });
        let signals = |number: usize, class: usize| {
            let [normal, promotion, drop] = opinions[number];
            let kind = &kinds[class];
            let lead = kind.lead(number, opinions[number][class]);
            [1.0, normal, promotion, drop, (kind.moves as f64).ln(), lead]
        };
        let one = |(number, &class): (usize, &usize)| {
            let winner = Winner { class, signals: signals(number, class) };
            (winner, kinds[class].best.is_some_and(|(best, _)| best == number))
        };
        classes.iter().enumerate().map(one).collect()
    }

    /// The positions in which a winner is the master's move: what an arbiter can learn from.
    pub fn cases(&self, data: &Dataset) -> Vec<Case> {
        let case = |position: Labelled<'_>| {
            let master = position.master()?;
            let mut case = Case { winners: Vec::new(), right: 0 };
            let mut found = false;
            for (number, (winner, wins)) in self.moves(&position).into_iter().enumerate() {
                if wins {
                    if number == master {
                        (case.right, found) = (case.winners.len(), true);
                    }
                    case.winners.push(winner);
                }
            }
            found.then_some(case)
        };
        let shard = |shard| data.shard(shard).filter_map(case).collect();
        let shards: Vec<Vec<Case>> = (0..data.shards()).into_par_iter().map(shard).collect();
        shards.into_iter().flatten().collect()
    }

    /// What the arbiter finds each move worth. Winners come before all others.
    pub fn values(&self, position: &Labelled<'_>, arbiter: &Arbiter) -> Vec<(bool, f64)> {
        let value =
            |(winner, wins): (Winner, bool)| (wins, arbiter.value(winner.class, &winner.signals));
        self.moves(position).into_iter().map(value).collect()
    }
}

/// The moves of a kind.
struct Kind {
    moves: usize,
    /// The first of the best moves, and what its expert says of it.
    best: Option<(usize, f64)>,
    second: f64,
}

impl Kind {
    fn new(opinions: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut kind = Self { moves: 0, best: None, second: f64::NEG_INFINITY };
        for (number, opinion) in opinions {
            kind.moves += 1;
            match kind.best {
                Some((_, best)) if opinion <= best => kind.second = kind.second.max(opinion),
                best => {
                    kind.second = best.map_or(kind.second, |(_, best)| best);
                    kind.best = Some((number, opinion));
                }
            }
        }
        kind
    }

    /// How much better than the best other move of its kind a move is.
    fn lead(&self, number: usize, opinion: f64) -> f64 {
        match self.best {
            Some((best, value)) if best != number => opinion - value,
            _ if self.moves > 1 => opinion - self.second,
            _ => ALONE,
        }
    }
}
