//! Bitboards: sets of the 81 squares.
//!
//! Named module for `unsafe`: the squares that come out of a set are below 81 because no other bit
//! can get into one.
#![allow(unsafe_code)]

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, Square};

/// A set of squares: bit `n` is the square with number `n`. Bits 81 to 127 are never set.
///
/// Squares are numbered file by file, so one step down the board (toward Black's camp) is a shift
/// by 1 and one step to the left (to a higher file) a shift by 9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

/// Bit 0 of every file: rank `a`.
const RANK_A: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= 1 << (file * 9);
        file += 1;
    }
    bits
};
const ALL: u128 = (1 << 81) - 1;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(ALL);

    /// The set with these bits; those above bit 80 are dropped.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & ALL)
    }

    /// The bits of the set.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        /// A load is cheaper than shifting a double word, and keeps the compiler from touching
        /// only a part of a set, which a later load of the whole would have to wait for.
        const SINGLE: [Bitboard; Square::COUNT] = {
            let mut table = [Bitboard::EMPTY; Square::COUNT];
            let mut i = 0;
            while i < Square::COUNT {
                table[i] = Bitboard(1 << i);
                i += 1;
            }
            table
        };
        SINGLE[square.index()]
    }

    /// The squares of a rank, 1 (`a`) to 9 (`i`).
    pub const fn rank(rank: u8) -> Self {
        assert!(1 <= rank && rank <= 9);
        Self(RANK_A << (rank - 1))
    }

    /// The squares of a file, 1 to 9.
    pub const fn file(file: u8) -> Self {
        assert!(1 <= file && file <= 9);
        Self(0x1ff << ((file - 1) * 9))
    }

    /// The `count` ranks that are farthest from `color`: the promotion zone for 3, the squares
    /// where a pawn has no move for 1.
    #[inline(always)]
    pub const fn far_ranks(color: Color, count: u8) -> Self {
        const TABLE: [[Bitboard; 10]; 2] = {
            let mut table = [[Bitboard::EMPTY; 10]; 2];
            let mut count = 1;
            while count < 10 {
                let (black, white) = (Bitboard::rank(count), Bitboard::rank(10 - count));
                table[0][count as usize] = table[0][count as usize - 1].union(black);
                table[1][count as usize] = table[1][count as usize - 1].union(white);
                count += 1;
            }
            table
        };
        TABLE[color.index()][count as usize]
    }

    /// The three ranks in which a piece of `color` can promote.
    #[inline(always)]
    pub const fn promotion_zone(color: Color) -> Self {
        Self::far_ranks(color, 3)
    }

    /// Is the set empty?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is the square in the set?
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Do the two sets share a square?
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// How many squares are in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        // Twice 64 bits: one instruction each where the processor has it.
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Are there two squares or more in the set?
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest number.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            // SAFETY: the set is not empty and holds no bit above 80.
            Some(unsafe { Square::from_index_unchecked(self.0.trailing_zeros() as usize) })
        }
    }

    /// The set itself or nothing, without a branch.
    #[inline(always)]
    pub(crate) const fn only_if(self, condition: bool) -> Self {
        Self(self.0 & (condition as u128).wrapping_neg())
    }

    /// Squares in either set, usable in constants.
    #[inline(always)]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Squares of this set that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Every square one step forward, as `color` moves. A square on the last rank would wrap into
    /// the next file: the caller leaves those out.
    #[inline(always)]
    pub(crate) const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Self(self.0 >> 1),
            Color::White => Self::from_bits(self.0 << 1),
        }
    }

    /// Every square moved by `files` to the left and `ranks` down; those that leave the board are
    /// dropped.
    #[inline(always)]
    pub const fn shifted(self, files: i32, ranks: i32) -> Self {
        let stays = match ranks {
            0 => ALL,
            1.. => ALL & !Self::far_ranks(Color::White, ranks as u8).0,
            _ => ALL & !Self::far_ranks(Color::Black, -ranks as u8).0,
        };
        let step = files * 9 + ranks;
        if step >= 0 {
            Self::from_bits((self.0 & stays) << step)
        } else {
            Self((self.0 & stays) >> -step)
        }
    }

    /// Every file that holds none of these squares, in full, if no file holds two.
    ///
    /// Works on all nine files at once: subtracting a pawn from the last bit of its file clears
    /// that bit, so the bit is left exactly where there is no pawn.
    #[inline(always)]
    pub(crate) const fn files_without(self) -> Self {
        const LAST: u128 = RANK_A << 8;
        let free = (LAST - self.0) & LAST;
        Self(free | (free - (free >> 8)))
    }
}

/// The squares of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let index = if self.low != 0 {
            let index = self.low.trailing_zeros();
            self.low &= self.low - 1;
            index
        } else if self.high != 0 {
            let index = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            index
        } else {
            return None;
        };
        // SAFETY: the words are those of a set, whose bits are all below 81.
        Some(unsafe { Square::from_index_unchecked(index as usize) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = (self.low.count_ones() + self.high.count_ones()) as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & ALL)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    /// A drawn board: file 9 on the left, rank `a` on top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 1..=9 {
            for file in (1..=9).rev() {
                let here = Square::new(file, rank).is_some_and(|square| self.contains(square));
                f.write_str(if here { " *" } else { " ." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_drops_what_leaves_the_board() {
        for files in -2..=2_i32 {
            for ranks in -2..=2_i32 {
                for square in Square::all() {
                    let expected: Bitboard =
                        square.offset(files as i8, ranks as i8).into_iter().collect();
                    assert_eq!(Bitboard::of(square).shifted(files, ranks), expected);
                }
                assert!(Bitboard::FULL.shifted(files, ranks).bits() <= ALL);
            }
        }
    }

    #[test]
    fn files_without_a_pawn() {
        for square in Square::all() {
            let other = Square::new(10 - square.file(), 4).unwrap();
            let pawns = Bitboard::of(square) | Bitboard::of(other);
            if square.file() == 5 && square != other {
                continue; // two in one file: not asked for
            }
            let expected = !(Bitboard::file(square.file()) | Bitboard::file(other.file()));
            assert_eq!(pawns.files_without(), expected);
        }
        assert_eq!(Bitboard::EMPTY.files_without(), Bitboard::FULL);
    }

    #[test]
    fn iteration_gives_every_square_once_in_order() {
        let all: Vec<Square> = Bitboard::FULL.into_iter().collect();
        assert!(all.iter().copied().eq(Square::all()));
        assert_eq!(Bitboard::FULL.into_iter().len(), 81);
        assert_eq!(Bitboard::FULL.count(), 81);
    }
}
