//! The shape of the JSON text.
//!
//! Words and numbers that mean nothing are refused while the text is parsed, where the line is
//! still known. All that a reader can do without is optional.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use tesuji_shogi::{Color, Handicap, PieceKind, Square};

use crate::csa::names::{piece_code, piece_kind};

/// A whole file.
#[derive(Serialize, Deserialize)]
pub(super) struct Kifu {
    #[serde(default)]
    pub header: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Initial>,
    /// The first entry is the start, without a move.
    pub moves: Vec<Entry>,
}

/// The start position.
#[derive(Serialize, Deserialize)]
pub(super) struct Initial {
    pub preset: Preset,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Setup>,
}

/// A start position that is not a handicap.
#[derive(Serialize, Deserialize)]
pub(super) struct Setup {
    pub color: Side,
    /// `board[file - 1][rank - 1]`.
    pub board: Vec<Vec<Cell>>,
    /// Black's and White's.
    pub hands: [BTreeMap<Kind, u8>; 2],
}

/// A square of the board, without fields when it is empty.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Cell {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

/// A move or an ending with what is said of it.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Entry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<String>>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<Played>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Times>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forks: Option<Vec<Vec<Entry>>>,
}

/// A move. `relative`, the disambiguation of Japanese notation, says nothing that `from` does not;
/// it is neither read nor written.
#[derive(Serialize, Deserialize)]
pub(super) struct Played {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Side>,
    /// Absent for a drop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
    /// The piece before the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
    /// Absent when there was no choice and no promotion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<Kind>,
}

/// The time of a move, and of all moves of the player so far.
#[derive(Serialize, Deserialize)]
pub(super) struct Times {
    pub now: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Clock>,
}

/// A time in whole seconds.
#[derive(Serialize, Deserialize)]
pub(super) struct Clock {
    #[serde(default)]
    h: Option<u64>,
    #[serde(default)]
    m: u64,
    #[serde(default)]
    s: u64,
}

impl Clock {
    pub fn new(time: Duration) -> Self {
        let seconds = time.as_secs();
        Self { h: Some(seconds / 3600), m: seconds / 60 % 60, s: seconds % 60 }
    }

    /// The time, unless it is longer than can be counted.
    pub fn duration(&self) -> Option<Duration> {
        let hours = self.h.unwrap_or(0).checked_mul(3600)?;
        let seconds = hours.checked_add(self.m.checked_mul(60)?)?.checked_add(self.s)?;
        Some(Duration::from_secs(seconds))
    }
}

/// A player: 0 is Black, 1 is White.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub(super) struct Side(pub Color);

impl TryFrom<u8> for Side {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            0 => Ok(Self(Color::Black)),
            1 => Ok(Self(Color::White)),
            _ => Err("a color is 0 or 1"),
        }
    }
}

impl From<Side> for u8 {
    fn from(side: Side) -> Self {
        side.0 as Self
    }
}

/// A square.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Coordinates", into = "Coordinates")]
pub(super) struct Place(pub Square);

#[derive(Serialize, Deserialize)]
struct Coordinates {
    x: u8,
    y: u8,
}

impl TryFrom<Coordinates> for Place {
    type Error = &'static str;

    fn try_from(Coordinates { x, y }: Coordinates) -> Result<Self, Self::Error> {
        Square::new(x, y).map(Self).ok_or("x and y are numbers from 1 to 9")
    }
}

impl From<Place> for Coordinates {
    fn from(place: Place) -> Self {
        Self { x: place.0.file(), y: place.0.rank() }
    }
}

/// The kind of a piece, as CSA calls it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind(pub PieceKind);

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(piece_code(self.0))
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        piece_kind(code.as_bytes())
            .map(Self)
            .ok_or_else(|| de::Error::custom(format_args!("there is no piece {code:?}")))
    }
}

/// The name of a start position; `None` is any other.
#[derive(Clone, Copy)]
pub(super) struct Preset(pub Option<Handicap>);

impl Preset {
    const fn name(self) -> &'static str {
        match self.0 {
            None => "OTHER",
            Some(Handicap::Even) => "HIRATE",
            Some(Handicap::Lance) => "KY",
            Some(Handicap::RightLance) => "KY_R",
            Some(Handicap::Bishop) => "KA",
            Some(Handicap::Rook) => "HI",
            Some(Handicap::RookLance) => "HIKY",
            Some(Handicap::TwoPiece) => "2",
            Some(Handicap::ThreePiece) => "3",
            Some(Handicap::FourPiece) => "4",
            Some(Handicap::FivePiece) => "5",
            Some(Handicap::LeftFivePiece) => "5_L",
            Some(Handicap::SixPiece) => "6",
            Some(Handicap::LeftSevenPiece) => "7_L",
            Some(Handicap::RightSevenPiece) => "7_R",
            Some(Handicap::EightPiece) => "8",
            Some(Handicap::TenPiece) => "10",
        }
    }
}

impl Serialize for Preset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Preset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let presets = Handicap::ALL.into_iter().map(Some).chain([None]).map(Preset);
        presets
            .into_iter()
            .find(|preset| preset.name() == name)
            .ok_or_else(|| de::Error::custom(format_args!("there is no preset {name:?}")))
    }
}
