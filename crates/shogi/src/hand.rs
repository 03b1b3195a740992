//! Pieces in hand.

use crate::PieceKind;

/// The pieces that a player holds, packed into one word with a spare bit above each count, so that
/// two hands are compared piece by piece with one subtraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Hand(u32);

/// Where each kind's count starts, in the order of [`PieceKind::HAND`].
const SHIFT: [u32; 8] = [0, 6, 10, 14, 18, 21, 24, 28];
/// The mask of each kind's count once shifted down. The eighth entry keeps kings out.
const MASK: [u32; 8] = [31, 7, 7, 7, 3, 3, 7, 0];
/// The spare bit above each count.
const GUARDS: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27;

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// How many pieces of this kind are held.
    #[inline(always)]
    pub const fn count(self, kind: PieceKind) -> u8 {
        let i = kind.index() & 7;
        ((self.0 >> SHIFT[i]) & MASK[i]) as u8
    }

    /// Is at least one piece of this kind held?
    #[inline(always)]
    pub const fn has(self, kind: PieceKind) -> bool {
        let i = kind.index() & 7;
        self.0 & (MASK[i] << SHIFT[i]) != 0
    }

    /// Is nothing held?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one piece; the caller keeps the count within a set.
    #[inline(always)]
    pub(crate) const fn add(&mut self, kind: PieceKind) {
        self.0 += 1 << SHIFT[kind.index() & 7];
    }

    /// Takes one piece away; the caller knows that there is one.
    #[inline(always)]
    pub(crate) const fn remove(&mut self, kind: PieceKind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind.index() & 7];
    }

    /// A hand with these counts, in the order of [`PieceKind::HAND`]; `None` if a count is more
    /// than a set has.
    pub fn from_counts(counts: [u8; 7]) -> Option<Self> {
        let mut bits = 0;
        for (kind, count) in PieceKind::HAND.into_iter().zip(counts) {
            if count > kind.set_count() {
                return None;
            }
            bits |= u32::from(count) << SHIFT[kind.index()];
        }
        Some(Self(bits))
    }

    /// Is every kind held at least as often as in `other`?
    ///
    /// ```
    /// use tesuji_shogi::Hand;
    /// let a = Hand::from_counts([3, 0, 0, 0, 0, 0, 1]).unwrap();
    /// let b = Hand::from_counts([2, 0, 0, 0, 0, 0, 1]).unwrap();
    /// assert!(a.covers(b) && !b.covers(a));
    /// ```
    #[inline(always)]
    pub const fn covers(self, other: Self) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// The kinds held and how many of each, in the order of [`PieceKind::HAND`].
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u8)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }

    /// How many pieces are held in all.
    pub fn total(self) -> u8 {
        self.iter().map(|(_, count)| count).sum()
    }
}
