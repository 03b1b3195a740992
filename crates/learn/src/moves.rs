//! Kinds of moves, and the orders in which equal scores are decided.

use serde::{Deserialize, Serialize};
use tesuji_eval::legacy;
use tesuji_shogi::Move;

/// The three kinds of moves that results are reported by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveClass {
    /// A move on the board that does not promote.
    Normal,
    /// A move on the board that promotes.
    Promotion,
    /// A drop.
    Drop,
}

impl MoveClass {
    /// Every kind, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Promotion, Self::Drop];

    /// The kind of a move.
    pub const fn of(mv: Move) -> Self {
        if mv.is_drop() {
            Self::Drop
        } else if mv.is_promotion() {
            Self::Promotion
        } else {
            Self::Normal
        }
    }

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Promotion => "promotion",
            Self::Drop => "drop",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Its number in [`MoveClass::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The order of the legal moves of a position. Of several moves with the best score the first one
/// in this order is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveOrder {
    /// Ascending by the thesis's number of a move. A drop stands among the moves from one of the
    /// first eight squares there.
    #[default]
    Thesis,
    /// Ascending by [`Move::to_u16`].
    Code,
}

impl MoveOrder {
    /// The number by which moves are sorted.
    pub fn key(self, mv: Move) -> u32 {
        match self {
            Self::Thesis => legacy::move_code(mv),
            Self::Code => mv.to_u16().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(texts: &[&str], order: MoveOrder) -> Vec<String> {
        let mut moves: Vec<Move> = texts.iter().map(|text| text.parse().unwrap()).collect();
        moves.sort_by_key(|&mv| order.key(mv));
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn drops_stand_among_the_moves_of_the_first_file() {
        let moves = ["G*1a", "1i1h", "1b1a+", "S*5e", "1b1a", "9a9b", "P*9i"];
        let expected = ["P*9i", "1b1a", "1b1a+", "S*5e", "G*1a", "1i1h", "9a9b"];
        assert_eq!(sorted(&moves, MoveOrder::Thesis), expected);
        assert_eq!(sorted(&moves, MoveOrder::Code).last().unwrap(), "1b1a+");
    }

    #[test]
    fn no_two_moves_share_a_number() {
        let mut codes: Vec<u32> = Move::all().map(legacy::move_code).collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
