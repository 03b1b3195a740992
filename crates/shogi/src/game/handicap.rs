//! Handicap starts.

use crate::Position;

/// A start position with pieces of the stronger player, White, left out. White moves first in all
/// but the even game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Handicap {
    Even,
    Lance,
    RightLance,
    Bishop,
    Rook,
    RookLance,
    TwoPiece,
    ThreePiece,
    FourPiece,
    FivePiece,
    LeftFivePiece,
    SixPiece,
    LeftSevenPiece,
    RightSevenPiece,
    EightPiece,
    TenPiece,
}

impl Handicap {
    /// All of them, the even game first.
    pub const ALL: [Self; 16] = [
        Self::Even,
        Self::Lance,
        Self::RightLance,
        Self::Bishop,
        Self::Rook,
        Self::RookLance,
        Self::TwoPiece,
        Self::ThreePiece,
        Self::FourPiece,
        Self::FivePiece,
        Self::LeftFivePiece,
        Self::SixPiece,
        Self::LeftSevenPiece,
        Self::RightSevenPiece,
        Self::EightPiece,
        Self::TenPiece,
    ];

    /// White's two back ranks as SFEN; the rest is as in the even game.
    const fn white_camp(self) -> &'static str {
        match self {
            Self::Even => "lnsgkgsnl/1r5b1",
            Self::Lance => "lnsgkgsn1/1r5b1",
            Self::RightLance => "1nsgkgsnl/1r5b1",
            Self::Bishop => "lnsgkgsnl/1r7",
            Self::Rook => "lnsgkgsnl/7b1",
            Self::RookLance => "lnsgkgsn1/7b1",
            Self::TwoPiece => "lnsgkgsnl/9",
            Self::ThreePiece => "lnsgkgsn1/9",
            Self::FourPiece => "1nsgkgsn1/9",
            Self::FivePiece => "2sgkgsn1/9",
            Self::LeftFivePiece => "1nsgkgs2/9",
            Self::SixPiece => "2sgkgs2/9",
            Self::LeftSevenPiece => "2sgkg3/9",
            Self::RightSevenPiece => "3gkgs2/9",
            Self::EightPiece => "3gkg3/9",
            Self::TenPiece => "4k4/9",
        }
    }

    /// The start position.
    pub fn position(self) -> Position {
        let side = if self == Self::Even { 'b' } else { 'w' };
        let camp = self.white_camp();
        Position::from_sfen(&format!("{camp}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} - 1"))
            .expect("handicap starts are valid")
    }

    /// The handicap that starts from this position, the ply aside.
    pub fn of_position(position: &Position) -> Option<Self> {
        Self::ALL.into_iter().find(|handicap| handicap.position().same_position(position))
    }

    /// The Japanese name, as in the `手合割` header of game records.
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::Even => "平手",
            Self::Lance => "香落ち",
            Self::RightLance => "右香落ち",
            Self::Bishop => "角落ち",
            Self::Rook => "飛車落ち",
            Self::RookLance => "飛香落ち",
            Self::TwoPiece => "二枚落ち",
            Self::ThreePiece => "三枚落ち",
            Self::FourPiece => "四枚落ち",
            Self::FivePiece => "五枚落ち",
            Self::LeftFivePiece => "左五枚落ち",
            Self::SixPiece => "六枚落ち",
            Self::LeftSevenPiece => "左七枚落ち",
            Self::RightSevenPiece => "右七枚落ち",
            Self::EightPiece => "八枚落ち",
            Self::TenPiece => "十枚落ち",
        }
    }

    /// The handicap with this Japanese name.
    pub fn from_japanese(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|handicap| handicap.japanese() == name)
    }
}
