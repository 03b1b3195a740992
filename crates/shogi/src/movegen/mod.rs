//! Legal move generation.
//!
//! One generator serves every purpose. It works out sets of targets and hands them to a
//! [`MoveSink`]: one sink writes a list, another only counts. What is asked for (everything,
//! captures, drops, …) is a matter of which targets are allowed.

mod checks;
mod generate;
mod legality;
mod pawn_drop_mate;
mod sinks;

pub use checks::CheckSquares;
pub(crate) use generate::generate;
use sinks::Counter;
pub use sinks::MoveSink;

use crate::cpu::{BitWork, with_bit_instructions};
use crate::{Bitboard, MoveList, PieceKind, Position, Square, attacks};

/// Which legal moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// All legal moves; in check these are the evasions.
    All,
    /// Moves that take a piece.
    Captures,
    /// Moves on the board that take nothing.
    Quiets,
    /// Moves on the board that take nothing and promote.
    QuietPromotions,
    /// Drops.
    Drops,
    /// Moves of any sort that give check.
    Checks,
}

impl Position {
    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(MoveKind::All, &mut list);
        list
    }

    /// The legal moves of one sort.
    #[inline]
    pub fn moves_of(&self, kind: MoveKind) -> MoveList {
        let mut list = MoveList::new();
        self.generate(kind, &mut list);
        list
    }

    /// Legal moves that take a piece.
    pub fn captures(&self) -> MoveList {
        self.moves_of(MoveKind::Captures)
    }

    /// Legal moves that give check.
    pub fn checks(&self) -> MoveList {
        self.moves_of(MoveKind::Checks)
    }

    /// Legal drops.
    pub fn drops(&self) -> MoveList {
        self.moves_of(MoveKind::Drops)
    }

    /// How many legal moves there are, without making a list of them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.generate(MoveKind::All, &mut counter);
        counter.count as usize
    }

    /// Can the side to move play at all?
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Is the side to move in check with no way out?
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Gives the legal moves of one sort to a sink.
    #[inline]
    pub fn generate<S: MoveSink>(&self, kind: MoveKind, sink: &mut S) {
        with_bit_instructions(Generation { position: self, kind, sink });
    }

    /// The squares next to the king of the side to move that the enemy attacks, the king itself
    /// thought away so that it does not hide behind itself.
    #[inline(always)]
    pub(crate) fn king_danger(&self, king: Square) -> Bitboard {
        /// A stepper farther away than this, a knight, cannot attack a square next to the king.
        const REACH: u8 = 3;
        let them = !self.side_to_move();
        let zone = attacks::king(king);
        let occupied = self.occupied() ^ Bitboard::of(king);
        let enemy = self.of_color(them);
        let mut danger = Bitboard::EMPTY;
        if enemy.intersects(attacks::king_zone(king, REACH)) {
            danger = self.stepper_attacks(them);
        }
        for square in enemy & self.straight_sliders() {
            if attacks::rook_rays(square).intersects(zone) {
                danger |= attacks::rook(square, occupied);
            }
        }
        for square in enemy & self.diagonal_sliders() {
            if attacks::bishop_rays(square).intersects(zone) {
                danger |= attacks::bishop(square, occupied);
            }
        }
        for square in self.of(them, PieceKind::Lance) {
            if attacks::lance_ray(them, square).intersects(zone) {
                danger |= attacks::lance(them, square, occupied);
            }
        }
        danger
    }
}

/// The generation of moves.
struct Generation<'a, S> {
    position: &'a Position,
    kind: MoveKind,
    sink: &'a mut S,
}

impl<S: MoveSink> BitWork for Generation<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        generate(self.position, self.kind, self.sink);
    }
}
