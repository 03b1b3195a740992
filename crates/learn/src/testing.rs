//! Positions for tests: from games of a player who moves at random.

use tesuji_eval::FeatureSet;
use tesuji_shogi::{Move, Position};

use crate::{Dataset, MoveOrder, Random};

/// Labelled positions of random games.
pub(crate) fn samples(count: usize) -> Vec<(Position, Move)> {
    let mut random = Random::new(42);
    let mut samples = Vec::with_capacity(count);
    let mut position = Position::startpos();
    while samples.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > 150 {
            position = Position::startpos();
            continue;
        }
        let mv = moves[random.below(moves.len())];
        if random.below(5) == 0 {
            samples.push((position, mv));
        }
        position.play_unchecked(mv);
    }
    samples
}

/// Labelled positions with the features of the thesis.
pub(crate) fn dataset(count: usize) -> Dataset {
    let set = FeatureSet::named("paper").expect("the set is built in");
    Dataset::build(&set, &samples(count), MoveOrder::Thesis)
}
