//! Moves and lists of moves.
//!
//! Named module for `unsafe`: a [`Move`] is only ever made of squares, so its target needs no
//! check; and a [`MoveList`] reads only what was written to it.
#![allow(unsafe_code)]

use core::fmt;
use core::mem::MaybeUninit;
use core::num::NonZeroU16;
use core::str::FromStr;

use crate::{PieceKind, Square};

/// A move in 16 bits: where to, where from (or which piece is dropped), and whether it promotes.
///
/// A move says nothing of the position; [`crate::Position::is_legal`] tells whether it may be
/// played there. `Option<Move>` is also 16 bits.
///
/// ```
/// use tesuji_shogi::Move;
/// for text in ["7g7f", "8h2b+", "P*5e"] {
///     assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// Bits 0–6 are the target, bits 7–13 the origin (a square, or 81 and more for a drop).
const ORIGIN_SHIFT: u32 = 7;
const PROMOTION: u16 = 1 << 14;
/// Set in every move, so that none is zero.
const PRESENT: u16 = 1 << 15;
const FIRST_DROP: usize = Square::COUNT;

/// Where a move starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A piece on this square moves.
    Board(Square),
    /// A piece of this kind is dropped from the hand.
    Hand(PieceKind),
}

impl Move {
    #[inline(always)]
    const fn from_bits(bits: u16) -> Self {
        match NonZeroU16::new(bits | PRESENT) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// A move on the board without promotion.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::from_bits((from.index() << ORIGIN_SHIFT | to.index()) as u16)
    }

    /// A move on the board with promotion.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square) -> Self {
        Self::from_bits((from.index() << ORIGIN_SHIFT | to.index()) as u16 | PROMOTION)
    }

    /// A drop. `None` for a kind that cannot be held in hand.
    #[inline]
    pub const fn drop(kind: PieceKind, to: Square) -> Option<Self> {
        if kind.index() < PieceKind::HAND.len() { Some(Self::drop_held(kind, to)) } else { None }
    }

    /// A drop of a kind that the caller took from a hand.
    #[inline(always)]
    pub(crate) const fn drop_held(kind: PieceKind, to: Square) -> Self {
        Self::from_bits(((FIRST_DROP + kind.index()) << ORIGIN_SHIFT | to.index()) as u16)
    }

    /// The move with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let to = self.to().mirrored();
        match self.origin() {
            Origin::Hand(kind) => Self::drop_held(kind, to),
            Origin::Board(from) if self.is_promotion() => Self::promotion(from.mirrored(), to),
            Origin::Board(from) => Self::normal(from.mirrored(), to),
        }
    }

    /// Appends the USI text. Collections and books write little else, and this is several times as
    /// fast as [`Display`](fmt::Display).
    pub fn write_to(self, out: &mut String) {
        let square = |out: &mut String, square: Square| {
            out.push((b'0' + square.file()) as char);
            out.push((b'a' - 1 + square.rank()) as char);
        };
        match self.origin() {
            Origin::Board(from) => square(out, from),
            Origin::Hand(kind) => {
                out.push(kind.letter());
                out.push('*');
            }
        }
        square(out, self.to());
        if self.is_promotion() {
            out.push('+');
        }
    }

    /// The target square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        // SAFETY: every constructor puts the number of a square there, or checks it.
        unsafe { Square::from_index_unchecked((self.0.get() & 0x7f) as usize) }
    }

    /// The square of the moving piece, or the kind of the dropped one.
    #[inline(always)]
    pub const fn origin(self) -> Origin {
        let origin = (self.0.get() >> ORIGIN_SHIFT & 0x7f) as usize;
        match Square::from_index(origin) {
            Some(square) => Origin::Board(square),
            None => Origin::Hand(PieceKind::ALL[(origin - FIRST_DROP) & 7]),
        }
    }

    /// The square of the moving piece; `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        Square::from_index((self.0.get() >> ORIGIN_SHIFT & 0x7f) as usize)
    }

    /// The kind that is dropped; `None` for a move on the board.
    #[inline(always)]
    pub const fn dropped(self) -> Option<PieceKind> {
        match self.origin() {
            Origin::Board(_) => None,
            Origin::Hand(kind) => Some(kind),
        }
    }

    /// Is this a drop?
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        (self.0.get() >> ORIGIN_SHIFT & 0x7f) as usize >= FIRST_DROP
    }

    /// Does the piece promote?
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The move as a number, for tables and files of this program.
    #[inline(always)]
    pub const fn to_u16(self) -> u16 {
        self.0.get()
    }

    /// The move with this number, if it is one that [`Move::to_u16`] can give.
    pub const fn from_u16(bits: u16) -> Option<Self> {
        let to = (bits & 0x7f) as usize;
        let origin = (bits >> ORIGIN_SHIFT & 0x7f) as usize;
        let drop = origin >= FIRST_DROP;
        if bits & PRESENT == 0
            || to >= Square::COUNT
            || origin >= FIRST_DROP + PieceKind::HAND.len()
            || (drop && bits & PROMOTION != 0)
        {
            return None;
        }
        Some(Self::from_bits(bits))
    }

    /// Every move that can be encoded, legal somewhere or not.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u16::MAX).filter_map(Self::from_u16)
    }
}

impl fmt::Display for Move {
    /// USI text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => {
                write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" })
            }
            Origin::Hand(kind) => write!(f, "{}*{}", kind.letter(), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move in USI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a USI move such as 7g7f, 8h2b+ or P*5e")
    }
}

impl core::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let square = |file: u8, rank: u8| {
            Square::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'a' - 1)).ok_or(ParseMoveError)
        };
        match *text.as_bytes() {
            [kind, b'*', file, rank] => PieceKind::from_letter(kind as char)
                .and_then(|kind| Self::drop(kind, square(file, rank).ok()?))
                .ok_or(ParseMoveError),
            [f1, r1, f2, r2] => Ok(Self::normal(square(f1, r1)?, square(f2, r2)?)),
            [f1, r1, f2, r2, b'+'] => Ok(Self::promotion(square(f1, r1)?, square(f2, r2)?)),
            _ => Err(ParseMoveError),
        }
    }
}

/// The most legal moves that a position can have.
pub const MAX_MOVES: usize = 593;

/// A list of moves on the stack.
///
/// The room for moves is not filled beforehand: clearing 1,200 bytes for each list costs a tenth
/// of the time of the generator.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [MaybeUninit<Move>; Self::CAPACITY],
}

impl MoveList {
    /// Room for the moves of any legal position and a little more.
    const CAPACITY: usize = 600;

    /// The empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { len: 0, moves: [const { MaybeUninit::uninit() }; Self::CAPACITY] }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// When the list is full, which no legal position can bring about.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = MaybeUninit::new(mv);
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The moves.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        let filled = &self.moves[..self.len];
        // SAFETY: the first `len` entries were written by `push`, and `MaybeUninit<Move>` has the
        // layout of `Move`.
        unsafe { core::slice::from_raw_parts(filled.as_ptr().cast::<Move>(), filled.len()) }
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl core::ops::Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter().copied()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
