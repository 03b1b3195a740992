//! The thesis's program, row by row: what it chose in the thesis's 5,000 training positions.

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

#[test]
fn published_weights_choose_the_moves_of_the_thesis() {
    let Some(positions) = shared_data::read("cain_train.tsv") else { return };
    let Some(choices) = shared_data::read("cain_legacy_train_moves.tsv") else { return };
    let set = FeatureSet::named("legacy").unwrap();
    let weights = set.effective_weights(&published::weights());

    let (mut rows, mut resulting, mut correct, mut illegal) = (0, 0, 0, 0);
    let (mut promotions, mut drops) = ((0, 0), (0, 0));
    let mut differences = 0;
    for (sample, expected) in lines(&positions).zip(lines(&choices)) {
        let position = Position::from_sfen(sample[0]).unwrap();
        let master: Move = sample[1].parse().unwrap();
        let choice = Choice::new(&set, &weights, &position);
        rows += 1;
        resulting += choice.moves.len();
        illegal += usize::from(!position.is_legal(master));
        let hit = choice.chosen() == master;
        correct += usize::from(hit);
        if master.is_promotion() {
            promotions = (promotions.0 + usize::from(hit), promotions.1 + 1);
        }
        if master.is_drop() {
            drops = (drops.0 + usize::from(hit), drops.1 + 1);
        }
        let found = [
            rows.to_string(),
            choice.moves.len().to_string(),
            master.to_string(),
            choice.chosen().to_string(),
            choice.tied().to_string(),
            u8::from(choice.is_best(master)).to_string(),
        ];
        if found[..] != expected[..] {
            differences += 1;
            if differences <= 10 {
                println!("row {rows}: {}", sample[0]);
                println!("expected {expected:?}\nfound    {found:?}");
            }
        }
    }
    assert_eq!(differences, 0, "rows differ");
    assert_eq!((rows, resulting), (5_000, 382_816));
    assert_eq!(correct, 885);
    assert_eq!(illegal, 4);
    assert_eq!(promotions, (186, 352));
    assert_eq!(drops, (8, 922));
}
