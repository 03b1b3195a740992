//! What makes a position impossible.

use core::fmt;

use super::Position;
use crate::{Bitboard, Color, PieceKind, Square};

/// Why a set of pieces is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum PositionError {
    /// Two pieces were given for one square.
    SquareTwice { square: Square },
    /// A player has more than one king.
    TwoKings { color: Color },
    /// There are more pieces of a kind, on the board and in the hands, than a set has.
    TooMany { kind: PieceKind, count: u8 },
    /// A pawn, lance or knight stands where it could never move again.
    DeadPiece { square: Square, kind: PieceKind },
    /// A player has two unpromoted pawns in one file.
    TwoPawns { color: Color, file: u8 },
    /// The player who has just moved is in check.
    OpponentInCheck { color: Color },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SquareTwice { square } => write!(f, "two pieces on {square}"),
            Self::TwoKings { color } => write!(f, "{color} has more than one king"),
            Self::TooMany { kind, count } => {
                let most = kind.set_count();
                write!(f, "{count} pieces of kind {}, a set has {most}", kind.letter())
            }
            Self::DeadPiece { square, kind } => {
                write!(f, "{} on {square} could never move", kind.letter())
            }
            Self::TwoPawns { color, file } => write!(f, "{color} has two pawns on file {file}"),
            Self::OpponentInCheck { color } => {
                write!(f, "{color} is in check but it is the other side's move")
            }
        }
    }
}

impl core::error::Error for PositionError {}

impl Position {
    /// Everything but the files of pawns.
    pub(super) fn validate(&self) -> Result<(), PositionError> {
        self.validate_counts()?;
        for color in Color::ALL {
            for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
                let dead = self.of(color, kind) & Bitboard::far_ranks(color, kind.dead_ranks());
                if let Some(square) = dead.first() {
                    return Err(PositionError::DeadPiece { square, kind });
                }
            }
        }
        let waiting = !self.side;
        if self.king(waiting).is_some_and(|king| self.is_attacked(king, self.side)) {
            return Err(PositionError::OpponentInCheck { color: waiting });
        }
        Ok(())
    }

    pub(super) fn validate_pawn_files(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            for file in 1..=9 {
                if (self.of(color, PieceKind::Pawn) & Bitboard::file(file)).has_several() {
                    return Err(PositionError::TwoPawns { color, file });
                }
            }
        }
        Ok(())
    }

    fn validate_counts(&self) -> Result<(), PositionError> {
        for kind in PieceKind::HAND {
            let on_board = self.by_kind[kind.index()].count() as u8;
            let in_hands: u8 = Color::ALL.iter().map(|&color| self.hand(color).count(kind)).sum();
            let count = on_board + in_hands;
            if count > kind.set_count() {
                return Err(PositionError::TooMany { kind, count });
            }
        }
        Ok(())
    }
}
