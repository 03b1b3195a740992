//! Positions of games in which every move is random, for tests and measurements without game files.

use tesuji_records::Sample;
use tesuji_shogi::Position;

use tesuji_math::Random;

/// A game that is not over by then gives way to another.
const LAST_PLY: u16 = 150;

/// About every fifth position of random games, with the move that followed.
pub fn random_samples(count: usize, random: &mut Random) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count);
    let mut position = Position::startpos();
    while samples.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ply() > LAST_PLY {
            position = Position::startpos();
            continue;
        }
        let mv = moves[random.below(moves.len())];
        if random.below(5) == 0 {
            samples.push(Sample::new(position, mv));
        }
        position.play_unchecked(mv);
    }
    samples
}
