//! Attacks of pieces: tables for the pieces that step, arithmetic for those that slide.

mod tables;

use tables::{
    BISHOP_STEPS, FALLING, FILES, GOLD, KING, KNIGHT, LineMasks, PAWN, RANKS, RISING, ROOK_STEPS,
    SILVER,
};
pub(crate) use tables::{aligned, on_empty_board};
pub use tables::{between, king_zone, line};

use crate::{Bitboard, Color, Piece, PieceKind, Square};

/// The square in front of a pawn, if there is one.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a knight on `square` attacks.
#[inline(always)]
pub fn knight(color: Color, square: Square) -> Bitboard {
    KNIGHT[color.index()][square.index()]
}

/// The squares a silver on `square` attacks.
#[inline(always)]
pub fn silver(color: Color, square: Square) -> Bitboard {
    SILVER[color.index()][square.index()]
}

/// The squares a gold, or a piece that moves like one, attacks.
#[inline(always)]
pub fn gold(color: Color, square: Square) -> Bitboard {
    GOLD[color.index()][square.index()]
}

/// The squares next to `square`.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a lance attacks, up to and including the first occupied one.
#[inline(always)]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let masks = &FILES[square.index()];
    match color {
        Color::Black => masks.reach_down(occupied),
        Color::White => masks.reach_up(occupied),
    }
}

/// The squares a bishop attacks.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    RISING[square.index()].reach(occupied) | FALLING[square.index()].reach(occupied)
}

/// The squares a rook attacks.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    FILES[square.index()].reach(occupied) | RANKS[square.index()].reach(occupied)
}

/// The squares a horse (promoted bishop) attacks.
#[inline(always)]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | ROOK_STEPS[square.index()]
}

/// The squares a dragon (promoted rook) attacks.
#[inline(always)]
pub fn dragon(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | BISHOP_STEPS[square.index()]
}

/// The squares ahead of a lance on an empty board.
#[inline(always)]
pub fn lance_ray(color: Color, square: Square) -> Bitboard {
    let masks = &FILES[square.index()];
    match color {
        Color::Black => masks.lower(),
        Color::White => masks.upper(),
    }
}

/// The diagonals through `square`, on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    RISING[square.index()].both() | FALLING[square.index()].both()
}

/// The file and rank through `square`, on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    FILES[square.index()].both() | RANKS[square.index()].both()
}

/// The squares that `piece` on `square` attacks, own pieces included.
///
/// ```
/// use tesuji_shogi::{attacks, Bitboard, Color, Piece, PieceKind, Square};
/// let knight = Piece::new(Color::Black, PieceKind::Knight);
/// let targets = attacks::of(knight, "5e".parse().unwrap(), Bitboard::EMPTY);
/// let expected: Bitboard = ["4c", "6c"].iter().map(|s| s.parse::<Square>().unwrap()).collect();
/// assert_eq!(targets, expected);
/// ```
#[inline(always)]
pub fn of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    let color = piece.color();
    match piece.kind() {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Lance => lance(color, square, occupied),
        PieceKind::Knight => knight(color, square),
        PieceKind::Silver => silver(color, square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::King => king(square),
        PieceKind::Horse => horse(square, occupied),
        PieceKind::Dragon => dragon(square, occupied),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => gold(color, square),
    }
}

impl LineMasks {
    /// Reach in both directions by the obstruction difference: from the highest blocker below the
    /// slider to the lowest one above it is one run of bits, made by one subtraction.
    #[inline(always)]
    fn reach(&self, occupied: Bitboard) -> Bitboard {
        let above = self.upper & occupied.bits();
        let run = above ^ above.wrapping_sub(highest_bit(self.lower & occupied.bits()));
        Bitboard::from_bits(run & (self.lower | self.upper))
    }

    /// Reach toward higher square numbers.
    #[inline(always)]
    fn reach_up(&self, occupied: Bitboard) -> Bitboard {
        let above = self.upper & occupied.bits();
        Bitboard::from_bits((above ^ above.wrapping_sub(1)) & self.upper)
    }

    /// Reach toward lower square numbers.
    #[inline(always)]
    fn reach_down(&self, occupied: Bitboard) -> Bitboard {
        let run = 0_u128.wrapping_sub(highest_bit(self.lower & occupied.bits()));
        Bitboard::from_bits(run & self.lower)
    }
}

/// The highest set bit alone; bit 0 if none is set.
#[inline(always)]
fn highest_bit(bits: u128) -> u128 {
    let high = (bits >> 64) as u64;
    if high != 0 {
        (1_u128 << 64) << (63 - high.leading_zeros())
    } else {
        u128::from(1_u64 << (63 - (bits as u64 | 1).leading_zeros()))
    }
}

#[cfg(test)]
mod tests;
