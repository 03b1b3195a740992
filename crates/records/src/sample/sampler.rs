//! Choosing positions of a game at random.

use tesuji_math::Random;

use super::Sample;
use crate::GameRecord;

/// Chooses random positions of each game.
///
/// What it chooses from a game depends on the settings, on that game and on its number alone: not
/// on other games, the order of work or the number of threads.
///
/// ```
/// use tesuji_records::{GameRecord, Sampler};
/// use tesuji_shogi::{Move, Position};
/// let mut game = GameRecord::new(Position::startpos());
/// for text in ["7g7f", "3c3d", "2g2f"] {
///     game.main.moves.push(text.parse::<Move>().unwrap().into());
/// }
/// let sampler = Sampler { per_game: 2, seed: 1, ..Sampler::default() };
/// assert_eq!(sampler.choose(&game, 0).len(), 2);
/// assert_eq!(sampler.choose(&game, 0), sampler.choose(&game, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampler {
    /// How many different positions of each game; all of a game that has no more to choose from.
    pub per_game: usize,
    /// Another seed gives another choice.
    pub seed: u64,
    /// Only positions with the winner to move. A game without a winner then has none.
    pub winner_only: bool,
    /// How many positions from the start of the game are left out.
    pub skip_first: u16,
}

impl Default for Sampler {
    /// One position a game, of either side, with seed 0.
    fn default() -> Self {
        Self { per_game: 1, seed: 0, winner_only: false, skip_first: 0 }
    }
}

impl Sampler {
    /// The chosen positions of a game, in the order in which they were played. Each set of
    /// `per_game` positions is as likely as any other.
    pub fn choose(&self, record: &GameRecord, game: u64) -> Vec<Sample> {
        let mut candidates = self.candidates(record, game).count();
        let mut wanted = self.per_game.min(candidates);
        let mut random = Random::stream(self.seed, game);
        let mut chosen = Vec::with_capacity(wanted);
        for sample in self.candidates(record, game) {
            if wanted == 0 {
                break;
            }
            if random.below(candidates) < wanted {
                chosen.push(sample);
                wanted -= 1;
            }
            candidates -= 1;
        }
        chosen
    }

    /// All positions that may be chosen.
    fn candidates<'a>(
        &'a self,
        record: &'a GameRecord,
        game: u64,
    ) -> impl Iterator<Item = Sample> + 'a {
        let winner = record.result().winner();
        record.samples(game).skip(self.skip_first.into()).filter(move |sample| {
            !self.winner_only || winner == Some(sample.position.side_to_move())
        })
    }
}
