//! The 81 squares.
//!
//! Named module for `unsafe`: a [`Square`] is always below 81, and telling the compiler so removes
//! the bounds checks of every table that is indexed by a square.
#![allow(unsafe_code)]

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// A square of the board, numbered file by file: `1a` is 0, `1b` is 1, …, `9i` is 80.
///
/// File 1 is Black's rightmost, rank `a` is White's back rank, as in USI.
///
/// ```
/// use tesuji_shogi::Square;
/// let square: Square = "7g".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (7, 7));
/// assert_eq!(square.to_string(), "7g");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 81;

    /// The square with this number, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The square with this number.
    ///
    /// # Safety
    /// `index` is below 81.
    #[inline(always)]
    pub(crate) const unsafe fn from_index_unchecked(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// The square on `file` 1–9 and `rank` 1–9 (1 is rank `a`), if both are on the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if 1 <= file && file <= 9 && 1 <= rank && rank <= 9 {
            Some(Self((file - 1) * 9 + (rank - 1)))
        } else {
            None
        }
    }

    /// The number of the square, 0 to 80.
    #[inline(always)]
    pub const fn index(self) -> usize {
        let index = self.0 as usize;
        // SAFETY: every constructor checks or requires that the number is below 81.
        unsafe { core::hint::assert_unchecked(index < Self::COUNT) };
        index
    }

    /// The file, 1 (Black's right) to 9.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// The rank, 1 (`a`, White's back rank) to 9 (`i`).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// The rank as its player counts it: 1 is the farthest rank, 9 the player's own back rank.
    #[inline]
    pub const fn rank_from(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 10 - self.rank(),
        }
    }

    /// The square as `color` sees it: itself for Black, turned by 180° for White.
    #[inline]
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => Self(80 - self.0),
        }
    }

    /// The square mirrored left to right (file 1 becomes file 9).
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self((9 - self.file()) * 9 + self.rank() - 1)
    }

    /// The square that is `files` to the left and `ranks` down, if it is on the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 1 || rank < 1 { None } else { Self::new(file as u8, rank as u8) }
    }

    /// The square one step back, as `color` moves; the caller knows that there is one.
    #[inline(always)]
    pub(crate) const fn behind(self, color: Color) -> Self {
        match color {
            Color::Black => Self(if self.0 < 80 { self.0 + 1 } else { 80 }),
            Color::White => Self(self.0.saturating_sub(1)),
        }
    }

    /// King steps between two squares.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// All squares, in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), (b'a' + self.rank() - 1) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square such as `7g`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square: a file 1-9 and a rank a-i, such as 7g")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            &[file, rank] => Self::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'a' - 1)),
            _ => None,
        }
        .ok_or(ParseSquareError)
    }
}
