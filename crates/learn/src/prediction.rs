//! Prediction accuracy of weights: top 1, top 5, top 10, and the confusion of kinds of moves.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_shogi::Move;

use crate::dataset::Labelled;
use crate::{Dataset, MoveClass};

/// What weights choose in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The first of the best moves; `None` if there is no legal move.
    pub mv: Option<Move>,
    /// How many moves share the best score.
    pub tied: usize,
    /// How many moves come before the master's: better ones, and earlier ones with the same score.
    /// `None` if the master's move is illegal.
    pub rank: Option<usize>,
    /// Is the master's move among the best?
    pub among_best: bool,
    /// The kind of the master's move.
    pub class: MoveClass,
}

impl Choice {
    /// The choice by the scores of all legal moves. Of equal moves the one with the lower number
    /// comes first.
    pub fn by_scores<S: PartialOrd + Copy>(scores: &[(Move, S)], played: Move) -> Self {
        let before = |one: &(Move, S), other: &(Move, S)| {
            one.1 > other.1 || (one.1 == other.1 && one.0.to_u16() < other.0.to_u16())
        };
        let best = scores.iter().reduce(|best, one| if before(one, best) { one } else { best });
        let is_best = |score: S| best.is_some_and(|best| score == best.1);
        let master = scores.iter().find(|(mv, _)| *mv == played);
        Self {
            mv: best.map(|best| best.0),
            tied: scores.iter().filter(|entry| is_best(entry.1)).count(),
            rank: master.map(|master| scores.iter().filter(|entry| before(entry, master)).count()),
            among_best: master.is_some_and(|master| is_best(master.1)),
            class: MoveClass::of(played),
        }
    }

    /// The choice by the scores of the legal moves, in the order of the set.
    pub(crate) fn new<S: PartialOrd + Copy>(position: &Labelled<'_>, scores: &[S]) -> Self {
        let best =
            scores.iter().copied().reduce(|best, score| if score > best { score } else { best });
        let first = scores.iter().position(|&score| Some(score) == best);
        let rank = position.master().map(|master| {
            let before = |(number, &score): (usize, &S)| {
                score > scores[master] || (score == scores[master] && number < master)
            };
            scores.iter().enumerate().filter(|&entry| before(entry)).count()
        });
        Self {
            mv: first.map(|first| position.moves()[first]),
            tied: scores.iter().filter(|&&score| Some(score) == best).count(),
            rank,
            among_best: position.master().is_some_and(|master| Some(scores[master]) == best),
            class: position.class(),
        }
    }
}

/// What weights choose in each position. They are in the order of the set, a linked one's without
/// its base's.
///
/// # Panics
/// If there are not as many weights as features.
pub fn choices(data: &Dataset, weights: &[i32]) -> Vec<Choice> {
    let effective = data.set().effective_weights(weights);
    let shards: Vec<Vec<Choice>> = (0..data.shards())
        .into_par_iter()
        .map(|shard| {
            data.shard(shard)
                .map(|position| Choice::new(&position, &position.scores(&effective)))
                .collect()
        })
        .collect();
    shards.concat()
}

/// How accurately weights predict. Arrays go by [`MoveClass::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// Positions, those with an illegal move among them.
    pub of: usize,
    /// Legal moves of all positions.
    pub resulting_positions: usize,
    /// Positions whose move is illegal.
    pub illegal_rows: usize,
    /// Positions in which the first of the best moves is the master's.
    pub correct: usize,
    /// Positions in which the master's move was of each kind.
    pub of_class: [usize; 3],
    /// Those that are correct.
    pub correct_of_class: [usize; 3],
    /// How often each kind was chosen.
    pub chosen: [usize; 3],
    /// For each kind of the master's move how often each kind was chosen.
    pub confusion: [[usize; 3]; 3],
    /// Positions in which the master's move is among the first 5.
    pub top_5: usize,
    /// Positions in which the master's move is among the first 10.
    pub top_10: usize,
    /// Positions in which several moves share the best score.
    pub tied: usize,
    /// Positions in which the master's move has the best score, alone or not.
    pub among_best: usize,
    /// Positions in which the master's move alone has the best score.
    pub uniquely_best: usize,
}

impl Prediction {
    /// Works out what weights choose and sums up.
    ///
    /// # Panics
    /// If there are not as many weights as features.
    pub fn new(data: &Dataset, weights: &[i32]) -> Self {
        Self::of(data, &choices(data, weights))
    }

    /// Sums up what was chosen in each position.
    pub fn of(data: &Dataset, choices: &[Choice]) -> Self {
        let mut sum = Self::default();
        for (choice, position) in choices.iter().zip(data.positions()) {
            sum.add(choice, position.moves().len());
        }
        sum
    }

    /// Counts a position with so many legal moves.
    pub fn add(&mut self, choice: &Choice, moves: usize) {
        self.of += 1;
        self.resulting_positions += moves;
        self.illegal_rows += usize::from(choice.rank.is_none());
        let class = choice.class.index();
        let within = |first: usize| usize::from(choice.rank.is_some_and(|rank| rank < first));
        self.correct += within(1);
        self.top_5 += within(5);
        self.top_10 += within(10);
        self.of_class[class] += 1;
        self.correct_of_class[class] += within(1);
        if let Some(mv) = choice.mv {
            let chosen = MoveClass::of(mv).index();
            self.chosen[chosen] += 1;
            self.confusion[class][chosen] += 1;
        }
        self.tied += usize::from(choice.tied > 1);
        self.among_best += usize::from(choice.among_best);
        self.uniquely_best += usize::from(choice.among_best && choice.tied == 1);
    }

    /// Adds another part of the count.
    pub fn merge(&mut self, other: &Self) {
        let sums = [
            (&mut self.of, other.of),
            (&mut self.resulting_positions, other.resulting_positions),
            (&mut self.illegal_rows, other.illegal_rows),
            (&mut self.correct, other.correct),
            (&mut self.top_5, other.top_5),
            (&mut self.top_10, other.top_10),
            (&mut self.tied, other.tied),
            (&mut self.among_best, other.among_best),
            (&mut self.uniquely_best, other.uniquely_best),
        ];
        for (sum, part) in sums {
            *sum += part;
        }
        for class in 0..3 {
            self.of_class[class] += other.of_class[class];
            self.correct_of_class[class] += other.correct_of_class[class];
            self.chosen[class] += other.chosen[class];
            for chosen in 0..3 {
                self.confusion[class][chosen] += other.confusion[class][chosen];
            }
        }
    }

    fn share(&self, count: usize) -> f64 {
        count as f64 / self.of.max(1) as f64
    }

    /// The share of positions that are correct.
    pub fn accuracy(&self) -> f64 {
        self.share(self.correct)
    }

    /// The share of positions in which the master's move is among the first 5.
    pub fn top5(&self) -> f64 {
        self.share(self.top_5)
    }

    /// The share of positions in which the master's move is among the first 10.
    pub fn top10(&self) -> f64 {
        self.share(self.top_10)
    }

    /// The share of moves of one kind that are found.
    pub fn accuracy_of(&self, class: MoveClass) -> f64 {
        let i = class.index();
        self.correct_of_class[i] as f64 / self.of_class[i].max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scorer, fitness, testing};
    use tesuji_math::Random;

    #[test]
    fn a_prediction_agrees_with_the_scorer() {
        let data = testing::dataset(200);
        let mut random = Random::new(8);
        let mut scorer = Scorer::new(&data);
        for bound in [1, 2, 5, 100] {
            let weights: Vec<i32> =
                (0..data.set().len()).map(|_| random.below(bound) as i32).collect();
            let all = Prediction::new(&data, &weights);
            assert_eq!(all.correct as u32, scorer.correct(std::slice::from_ref(&weights))[0]);
            assert!(all.uniquely_best <= all.correct && all.correct <= all.among_best);
            assert!(all.correct <= all.top_5 && all.top_5 <= all.top_10 && all.top_10 <= all.of);
            assert_eq!(all.of_class.iter().sum::<usize>(), all.of);
            assert_eq!(all.chosen.iter().sum::<usize>(), all.of);
            assert_eq!(all.confusion.iter().flatten().sum::<usize>(), all.of);
            assert_eq!(all.correct_of_class.iter().sum::<usize>(), all.correct);
            let effective = data.set().effective_weights(&weights);
            for (choice, position) in choices(&data, &weights).iter().zip(data.positions()) {
                let best = fitness::best(&position, &effective).map(|best| position.moves()[best]);
                assert_eq!(choice.mv, best);
            }
        }
    }

    #[test]
    fn without_weights_every_move_is_tied() {
        let data = testing::dataset(30);
        let all = Prediction::new(&data, &[0; 74]);
        assert_eq!((all.among_best, all.of), (30, 30));
        let first = data.positions().filter(|position| position.master() == Some(0)).count();
        assert_eq!(all.correct, first);
    }

    #[test]
    fn an_illegal_move_is_never_correct_but_something_is_chosen() {
        let mut samples = testing::samples(4);
        samples[2].mv = "5a5a".parse().ok();
        let set = tesuji_eval::FeatureSet::named("paper").unwrap();
        let data = Dataset::build(&set, &samples, crate::MoveOrder::Thesis);
        let all = Prediction::new(&data, &[0; 74]);
        assert_eq!((all.of, all.illegal_rows, all.among_best), (4, 1, 3));
        assert_eq!(all.chosen.iter().sum::<usize>(), 4);
    }
}
