//! Pieces and their kinds.

use core::fmt;
use core::num::NonZeroU8;

use crate::Color;

/// The kind of a piece, promoted kinds included. A promoted kind is its plain kind with bit 3 set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn = 0,
    Lance = 1,
    Knight = 2,
    Silver = 3,
    Bishop = 4,
    Rook = 5,
    Gold = 6,
    King = 7,
    /// Tokin.
    ProPawn = 8,
    ProLance = 9,
    ProKnight = 10,
    ProSilver = 11,
    /// Promoted bishop.
    Horse = 12,
    /// Promoted rook.
    Dragon = 13,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 14;

    /// All kinds, plain ones first.
    pub const ALL: [Self; 14] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
        Self::King,
        Self::ProPawn,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The kinds that can be held in hand, in the order of their numbers.
    pub const HAND: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Bishop, Self::Rook, Self::Gold];

    /// The kinds that can be held in hand, in the order in which SFEN and diagrams show them.
    pub const HAND_FROM_ROOK: [Self; 7] =
        [Self::Rook, Self::Bishop, Self::Gold, Self::Silver, Self::Knight, Self::Lance, Self::Pawn];

    /// The number of the kind, 0 to 13.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this number, if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// Is this the promoted side of a piece?
    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self as u8 & 8 != 0
    }

    /// Can this kind promote (it is not promoted, not a gold and not a king)?
    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        (self as u8) < Self::Gold as u8
    }

    /// The kind after promotion, if it can promote.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        if self.can_promote() { Some(Self::ALL[self as usize | 8]) } else { None }
    }

    /// The kind on its plain side.
    #[inline(always)]
    pub const fn unpromoted(self) -> Self {
        Self::ALL[self as usize & 7]
    }

    /// How many pieces of this kind, promoted or not, a set has.
    pub const fn set_count(self) -> u8 {
        match self.unpromoted() {
            Self::Pawn => 18,
            Self::Bishop | Self::Rook | Self::King => 2,
            _ => 4,
        }
    }

    /// How many farthest ranks this kind may not stand on, for want of a move from there.
    pub const fn dead_ranks(self) -> u8 {
        match self {
            Self::Pawn | Self::Lance => 1,
            Self::Knight => 2,
            _ => 0,
        }
    }

    /// The capital letter of the plain side, as in SFEN and USI.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Self::Pawn => 'P',
            Self::Lance => 'L',
            Self::Knight => 'N',
            Self::Silver => 'S',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Gold => 'G',
            _ => 'K',
        }
    }

    /// The plain kind with this capital letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'P' => Self::Pawn,
            'L' => Self::Lance,
            'N' => Self::Knight,
            'S' => Self::Silver,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'G' => Self::Gold,
            'K' => Self::King,
            _ => return None,
        })
    }

    /// The one-character Japanese name, as on a board diagram.
    pub const fn kanji(self) -> char {
        match self {
            Self::Pawn => '歩',
            Self::Lance => '香',
            Self::Knight => '桂',
            Self::Silver => '銀',
            Self::Bishop => '角',
            Self::Rook => '飛',
            Self::Gold => '金',
            Self::King => '玉',
            Self::ProPawn => 'と',
            Self::ProLance => '杏',
            Self::ProKnight => '圭',
            Self::ProSilver => '全',
            Self::Horse => '馬',
            Self::Dragon => '龍',
        }
    }

    /// The English name.
    pub const fn english(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Lance => "lance",
            Self::Knight => "knight",
            Self::Silver => "silver",
            Self::Gold => "gold",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::King => "king",
            Self::ProPawn => "tokin",
            Self::ProLance => "promoted lance",
            Self::ProKnight => "promoted knight",
            Self::ProSilver => "promoted silver",
            Self::Horse => "horse",
            Self::Dragon => "dragon",
        }
    }
}

/// A piece on the board: its owner and its kind.
///
/// The code is never zero, so that `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// Marks a piece code as non-zero.
    const PRESENT: u8 = 0x20;

    /// The size of a table that is indexed by [`Piece::index`].
    pub const TABLE_SIZE: usize = 32;

    /// The piece of this owner and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        match NonZeroU8::new(Self::PRESENT | (color as u8) << 4 | kind as u8) {
            Some(code) => Self(code),
            None => unreachable!(),
        }
    }

    /// A number below [`Piece::TABLE_SIZE`]: the kind, plus 16 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0.get() & 0x1f) as usize
    }

    /// The owner.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() & 0x10 == 0 { Color::Black } else { Color::White }
    }

    /// The kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        /// Indexed by four bits; the last two codes are never made.
        const KINDS: [PieceKind; 16] = {
            let mut kinds = [PieceKind::King; 16];
            let mut i = 0;
            while i < PieceKind::COUNT {
                kinds[i] = PieceKind::ALL[i];
                i += 1;
            }
            kinds
        };
        KINDS[(self.0.get() & 0x0f) as usize]
    }

    /// Is it the promoted side of a piece?
    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self.0.get() & 8 != 0
    }

    /// The same piece of this owner, promoted if it can promote.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        match self.kind().promoted() {
            Some(kind) => Some(Self::new(self.color(), kind)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    /// SFEN: a capital letter for Black, a small one for White, `+` in front when promoted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind().letter();
        let letter =
            if self.color() == Color::Black { letter } else { letter.to_ascii_lowercase() };
        let sign = if self.kind().is_promoted() { "+" } else { "" };
        write!(f, "{sign}{letter}")
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
