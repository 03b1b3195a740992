//! The identity of a game, and the side of a split that follows from it.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_shogi::Position;

use crate::{GameRecord, tsv};

/// The identity of a game: 128 bits of the SHA-256 of its start position and moves. Players, dates,
/// results, comments and the number of the first move are not in it.
///
/// Two games with the same key are taken for the same game without looking further. Among a billion
/// different games the chance that any two share a key is about 10^18 / 2^129, less than one in
/// 10^20: a disk reads a wrong bit far more often.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameKey([u8; 16]);

impl GameKey {
    /// The key of a game: the first 16 bytes of the SHA-256 of `sfen <board> <side> <hands> moves
    /// <moves>`, the text that the USI protocol has for it but for the number of the first move.
    pub fn of(game: &GameRecord) -> Self {
        Self::of_text(&game.start, &tsv::moves_text(game))
    }

    /// The key of a game whose moves were already written as text.
    pub(super) fn of_text(start: &Position, moves: &str) -> Self {
        let sfen = start.to_sfen();
        let without_ply = sfen.rsplit_once(' ').map_or(&*sfen, |(position, _)| position);
        let mut hash = Sha256::new();
        for text in ["sfen ", without_ply, moves] {
            hash.update(text);
        }
        Self(first_bytes(&hash.finalize().into()))
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A division of games into two parts.
///
/// The part of a game follows from the seed and its own key alone. So the copies of a game are all
/// in the same part, and games that are added later move none of the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The share of the games that goes to the first part, 0 to 1.
    pub train_share: f64,
    /// Another seed gives another division.
    pub seed: u64,
}

/// A part of a divided collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// To learn from.
    Train,
    /// To measure with.
    Test,
}

impl Part {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Train, Self::Test];

    /// The part of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|part| part.name() == name)
    }

    /// The word in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }
}

impl Split {
    /// The part of a game: the first 8 bytes of the SHA-256 of seed and key, read as a fraction of
    /// one, are below the share or not.
    pub fn part(&self, key: GameKey) -> Part {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(key.0);
        let number = u64::from_be_bytes(first_bytes(&hash.finalize().into()));
        // 53 bits, which a float holds exactly and all of which are below one.
        let fraction = (number >> 11) as f64 / (1_u64 << 53) as f64;
        if fraction < self.train_share { Part::Train } else { Part::Test }
    }
}

fn first_bytes<const N: usize>(digest: &[u8; 32]) -> [u8; N] {
    std::array::from_fn(|i| digest[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: &str, moves: &str) -> GameRecord {
        let mut game = GameRecord::new(Position::from_sfen(start).unwrap());
        let moves = moves.split_whitespace().map(|text| text.parse().unwrap());
        game.main.moves = moves.map(tesuji_shogi::Move::into).collect();
        game
    }

    #[test]
    fn the_key_is_the_hash_of_the_usi_text() {
        let game = game(Position::STARTPOS, "7g7f 3c3d 8h2b+");
        // printf 'sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f
        // 3c3d 8h2b+' (on one line) | sha256sum
        assert_eq!(GameKey::of(&game).to_string(), "92ce0e47e65b24a2c4ad46170c99290f");
    }

    #[test]
    fn the_key_is_of_position_and_moves_alone() {
        let plain = game(Position::STARTPOS, "7g7f 3c3d");
        let mut told = game(&Position::STARTPOS.replace("- 1", "- 57"), "7g7f 3c3d");
        told.add_header("black", "somebody");
        assert_eq!(GameKey::of(&plain), GameKey::of(&told));
        for other in ["7g7f", "7g7f 3c3d 2g2f", "3c3d 7g7f", ""] {
            assert_ne!(GameKey::of(&plain), GameKey::of(&game(Position::STARTPOS, other)));
        }
        let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_ne!(GameKey::of(&plain), GameKey::of(&game(lance, "7g7f 3c3d")));
    }

    #[test]
    fn shares_are_kept_and_seeds_differ() {
        let keys: Vec<GameKey> = (0..20_000_u64)
            .map(|i| GameKey(first_bytes(&Sha256::digest(i.to_le_bytes()).into())))
            .collect();
        let in_train = |seed, train_share| {
            let split = Split { train_share, seed };
            keys.iter().map(|&key| split.part(key) == Part::Train).collect::<Vec<bool>>()
        };
        let count = |parts: &[bool]| parts.iter().filter(|&&train| train).count();
        let nine_tenths = in_train(1, 0.9);
        // Six standard deviations of the binomial distribution: √(20000·0.9·0.1) ≈ 42.
        assert!(count(&nine_tenths).abs_diff(18_000) < 255, "{}", count(&nine_tenths));
        assert_ne!(nine_tenths, in_train(2, 0.9));
        assert_eq!((count(&in_train(1, 0.0)), count(&in_train(1, 1.0))), (0, 20_000));
        // A larger share keeps what a smaller one had.
        let half = in_train(1, 0.5);
        assert!(half.iter().zip(&nine_tenths).all(|(&in_half, &in_more)| !in_half || in_more));
    }
}
