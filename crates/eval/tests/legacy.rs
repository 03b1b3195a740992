//! The thesis's program, row by row: what it chose in the thesis's 5,000 training positions.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use tesuji_eval::{FeatureSet, legacy, published};
use tesuji_shogi::{Move, Position};

/// What scoring all moves of a position gives.
struct Choice {
    moves: Vec<Move>,
    scores: Vec<i32>,
    first_best: usize,
    best: i32,
}

impl Choice {
    fn new(set: &FeatureSet, weights: &[i32], position: &Position) -> Self {
        let moves = legacy::move_order(&position.legal_moves());
        let mut rows = Vec::new();
        set.append_rows(position, &moves, &mut rows);
        let score = |row: &[i16]| row.iter().zip(weights).map(|(&v, &w)| i32::from(v) * w).sum();
        let scores: Vec<i32> = rows.chunks_exact(set.len()).map(score).collect();
        let best = *scores.iter().max().expect("no position of the file is mate");
        let first_best = scores.iter().position(|&score| score == best).unwrap();
        Self { moves, scores, first_best, best }
    }

    fn chosen(&self) -> Move {
        self.moves[self.first_best]
    }

    fn tied(&self) -> usize {
        self.scores.iter().filter(|&&score| score == self.best).count()
    }

    fn is_best(&self, mv: Move) -> bool {
        self.moves.iter().zip(&self.scores).any(|(&other, &s)| other == mv && s == self.best)
    }
}

/// The lines of a table, each cut into its fields; comments left out.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// How many of the master's moves of one sort there are, and how many were chosen.
#[derive(PartialEq, Debug, Default)]
struct Hits {
    hits: usize,
    of: usize,
}

impl Hits {
    fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.of += 1;
    }
}

/// What the thesis counts.
#[derive(PartialEq, Debug, Default)]
struct Totals {
    resulting_positions: usize,
    illegal_rows: usize,
    all: Hits,
    promotions: Hits,
    drops: Hits,
    master_among_best: usize,
    chosen_promotions: usize,
    chosen_drops: usize,
}

impl Totals {
    fn count(&mut self, position: &Position, master: Move, choice: &Choice) {
        let hit = choice.chosen() == master;
        self.resulting_positions += choice.moves.len();
        self.illegal_rows += usize::from(!position.is_legal(master));
        self.all.count(hit);
        if master.is_promotion() {
            self.promotions.count(hit);
        }
        if master.is_drop() {
            self.drops.count(hit);
        }
        self.master_among_best += usize::from(choice.is_best(master));
        self.chosen_promotions += usize::from(choice.chosen().is_promotion());
        self.chosen_drops += usize::from(choice.chosen().is_drop());
    }
}

#[test]
fn published_weights_choose_the_moves_of_the_thesis() {
    let Some(positions) = shared_data::read("cain_train.tsv") else { return };
    let Some(choices) = shared_data::read("cain_legacy_train_moves.tsv") else { return };
    let set = FeatureSet::named("legacy").unwrap();
    let weights = set.effective_weights(&published::weights());
    let mut totals = Totals::default();
    for (row, (sample, expected)) in (1..).zip(lines(&positions).zip(lines(&choices))) {
        let position = Position::from_sfen(sample[0]).unwrap();
        let master: Move = sample[1].parse().unwrap();
        let choice = Choice::new(&set, &weights, &position);
        totals.count(&position, master, &choice);
        let found = format!(
            "{row} {} {master} {} {} {}",
            choice.moves.len(),
            choice.chosen(),
            choice.tied(),
            u8::from(choice.is_best(master))
        );
        assert_eq!(found, expected.join(" "), "{}", sample[0]);
    }
    let expected = Totals {
        resulting_positions: 382_816,
        illegal_rows: 4,
        all: Hits { hits: 885, of: 5_000 },
        promotions: Hits { hits: 186, of: 352 },
        drops: Hits { hits: 8, of: 922 },
        master_among_best: 887,
        chosen_promotions: 1_666,
        chosen_drops: 158,
    };
    assert_eq!(totals, expected);
}
