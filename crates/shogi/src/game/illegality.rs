//! Why a move may not be played.

use core::fmt;

use crate::moves::Origin;
use crate::{Bitboard, Move, PieceKind, Position, Square, attacks};

/// Why a move is not legal. Where several reasons apply, the first of this list is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegality {
    /// The game is over.
    GameOver,
    /// The square that the move starts from is empty.
    NoPiece,
    /// The piece is the opponent's.
    OpponentsPiece,
    /// The piece to be dropped is not in hand.
    NotInHand,
    /// The target is occupied: by an own piece, or by any piece in the case of a drop.
    TargetOccupied,
    /// The piece does not move that way, or something stands between.
    OutOfReach,
    /// The piece cannot promote, or the move does not touch the promotion zone.
    CannotPromote,
    /// The piece could never move again from there: it must promote, or be dropped elsewhere.
    DeadEnd,
    /// A second unpromoted pawn in the file.
    TwoPawns,
    /// The king would be left, or put, in check.
    KingInCheck,
    /// The pawn drop would give mate.
    PawnDropMate,
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameOver => "the game is over",
            Self::NoPiece => "no piece stands there",
            Self::OpponentsPiece => "the piece is the opponent's",
            Self::NotInHand => "no such piece is in hand",
            Self::TargetOccupied => "the target is occupied",
            Self::OutOfReach => "the piece cannot get there",
            Self::CannotPromote => "the piece cannot promote with this move",
            Self::DeadEnd => "the piece could never move again from there",
            Self::TwoPawns => "there is a pawn in this file already",
            Self::KingInCheck => "the king would be in check",
            Self::PawnDropMate => "a pawn drop may not give mate",
        })
    }
}

/// A move that may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The number that the move would have had, see [`Position::ply`].
    pub ply: u16,
    /// What is wrong with it.
    pub why: Illegality,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {} at move {}: {}", self.mv, self.ply, self.why)
    }
}

impl core::error::Error for IllegalMove {}

impl Position {
    /// Why a move may not be played here; `None` if it may.
    pub fn why_illegal(&self, mv: Move) -> Option<Illegality> {
        if self.is_legal(mv) {
            return None;
        }
        Some(match mv.origin() {
            Origin::Hand(kind) => self.why_illegal_drop(kind, mv.to()),
            Origin::Board(from) => self.why_illegal_on_board(from, mv.to(), mv.is_promotion()),
        })
    }

    /// Only for a drop that is not legal.
    fn why_illegal_drop(&self, kind: PieceKind, to: Square) -> Illegality {
        let us = self.side_to_move();
        let doubled = || self.of(us, PieceKind::Pawn).intersects(Bitboard::file(to.file()));
        let occupied = self.occupied() | Bitboard::of(to);
        let attacked = |king| !self.attackers(king, !us, occupied).is_empty();
        if !self.hand(us).has(kind) {
            Illegality::NotInHand
        } else if self.occupied().contains(to) {
            Illegality::TargetOccupied
        } else if Bitboard::far_ranks(us, kind.dead_ranks()).contains(to) {
            Illegality::DeadEnd
        } else if kind == PieceKind::Pawn && doubled() {
            Illegality::TwoPawns
        } else if self.king(us).is_some_and(attacked) {
            Illegality::KingInCheck
        } else {
            Illegality::PawnDropMate
        }
    }

    /// Only for a move that is not legal.
    fn why_illegal_on_board(&self, from: Square, to: Square, promotes: bool) -> Illegality {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(from) else { return Illegality::NoPiece };
        let zone = Bitboard::promotion_zone(us);
        let may_promote = piece.kind().can_promote() && (zone.contains(from) || zone.contains(to));
        if piece.color() != us {
            Illegality::OpponentsPiece
        } else if self.of_color(us).contains(to) {
            Illegality::TargetOccupied
        } else if !attacks::of(piece, from, self.occupied()).contains(to) {
            Illegality::OutOfReach
        } else if promotes && !may_promote {
            Illegality::CannotPromote
        } else if !promotes && Bitboard::far_ranks(us, piece.kind().dead_ranks()).contains(to) {
            Illegality::DeadEnd
        } else {
            Illegality::KingInCheck
        }
    }
}
