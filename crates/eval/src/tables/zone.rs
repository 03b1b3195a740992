//! Pieces in the zone of a king and in hand, of which pairs (KPP) are made.
//!
//! Pairs of pieces say what tables of single pieces cannot: that gold and silver guard the king
//! together, that a knight in the enemy's hand is worth more where the king cannot step aside.
//! Pairs of all squares with each square of the king would be more than games can teach, so they
//! are taken relative to the king, and no further away than its castle and those who attack it
//! stand.

use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square};

use super::parts::{HELD, PIECES};
use super::{seen_held, seen_piece};

/// Files on either side of the king.
const SIDE: i32 = 2;
/// Ranks in front of the king and behind it.
const FRONT: i32 = 3;
const BACK: i32 = 2;
/// Ranks of a zone.
const RANKS: i32 = FRONT + 1 + BACK;
/// Places of a zone.
const PLACES: usize = ((2 * SIDE + 1) * RANKS) as usize;

/// More pieces of a kind in hand than this make no difference.
const MOST_HELD: usize = 3;
/// Pieces in the zone.
const PLACED: usize = PLACES * PIECES;
/// All that pairs are made of: pieces in the zone, then kinds in hand and how many of them.
pub const ZONE_PIECES: usize = PLACED + HELD * MOST_HELD;
/// The most of them that one position has: each place but the king's, each kind in each hand.
const MOST_PIECES: usize = PLACES - 1 + HELD;

/// Pieces and kinds in hand, wherever and however many they are.
pub const KINDS: usize = PIECES + HELD;

/// Marks squares that are in no zone.
const OUTSIDE: u8 = u8::MAX;

/// The zone of a king.
struct Zone {
    /// The place of each square, or [`OUTSIDE`].
    places: [u8; Square::COUNT],
    /// Its squares, as Black and as White numbers them.
    squares: [Bitboard; 2],
}

/// The zone by the king's square, all as its owner sees it. Left and right are exchanged for a king
/// on the left half of the board.
static ZONES: [Zone; Square::COUNT] = {
    const NONE: Zone = Zone { places: [OUTSIDE; Square::COUNT], squares: [Bitboard::EMPTY; 2] };
    let mut zones = [NONE; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            if let (Some(of), Some(at)) = (Square::from_index(king), Square::from_index(square)) {
                let files = at.file() as i32 - of.file() as i32;
                let files = if of.file() > 5 { -files } else { files };
                let ranks = at.rank() as i32 - of.rank() as i32;
                let is_near = files.abs() <= SIDE && ranks >= -FRONT && ranks <= BACK;
                if is_near && king != square {
                    zones[king].places[square] = ((files + SIDE) * RANKS + ranks + FRONT) as u8;
                    let squares = &mut zones[king].squares;
                    squares[0] = squares[0].union(Bitboard::of(at));
                    squares[1] = squares[1].union(Bitboard::of(at.seen_by(Color::White)));
                }
            }
            square += 1;
        }
        king += 1;
    }
    zones
};

/// A piece in the zone or pieces in hand, for the parts that pairs are sums of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZonePiece {
    /// A piece in the zone.
    Placed {
        /// Kind and side.
        piece: usize,
        /// The file of the zone.
        file: usize,
        /// The rank of the zone, counted from its front.
        rank: usize,
    },
    /// Pieces in hand.
    Held {
        /// Kind and side.
        held: usize,
        /// How many; as many or more, if it is the largest number.
        count: usize,
    },
}

impl ZonePiece {
    /// The one with this number.
    pub const fn new(number: usize) -> Self {
        if number < PLACED {
            let (place, ranks) = (number / PIECES, RANKS as usize);
            Self::Placed { piece: number % PIECES, file: place / ranks, rank: place % ranks }
        } else {
            let held = number - PLACED;
            Self::Held { held: held / MOST_HELD, count: 1 + held % MOST_HELD }
        }
    }

    /// The number of its kind: a piece, or a kind in hand after all pieces.
    pub const fn kind(self) -> usize {
        match self {
            Self::Placed { piece, .. } => piece,
            Self::Held { held, .. } => PIECES + held,
        }
    }
}

/// The zone of a king, as its owner sees it.
#[derive(Clone, Copy)]
pub struct KingZone {
    owner: Color,
    zone: &'static Zone,
}

impl KingZone {
    /// The zone of a king on this square as its owner sees it.
    #[inline]
    pub fn new(owner: Color, king: Square) -> Self {
        Self { owner, zone: &ZONES[king.index()] }
    }

    /// The number of a piece, if its square is in the zone.
    #[inline]
    pub fn placed(self, piece: Piece, square: Square) -> Option<usize> {
        let place = self.zone.places[square.seen_by(self.owner).index()];
        (place != OUTSIDE).then(|| usize::from(place) * PIECES + seen_piece(piece, self.owner))
    }

    /// The number of so many pieces of a kind in hand, if there are any.
    #[inline]
    pub fn held(self, color: Color, kind: PieceKind, count: u8) -> Option<usize> {
        let level = usize::from(count).min(MOST_HELD).checked_sub(1)?;
        Some(PLACED + seen_held(color, kind, self.owner) * MOST_HELD + level)
    }

    /// The pieces of a position, without those of some squares and of a kind in one hand.
    #[inline]
    pub fn pieces(
        self,
        position: &Position,
        apart: Bitboard,
        hand_apart: Option<(Color, PieceKind)>,
    ) -> ZonePieces {
        let mut pieces = ZonePieces { numbers: [0; MOST_PIECES], count: 0 };
        let squares = self.zone.squares[self.owner.index()];
        for square in position.occupied() & squares & !apart {
            let piece = position.piece_on(square);
            pieces.push(piece.and_then(|piece| self.placed(piece, square)));
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                if hand_apart != Some((color, kind)) {
                    pieces.push(self.held(color, kind, count));
                }
            }
        }
        pieces
    }
}

/// The pieces of one position that are in a zone or in hand.
pub struct ZonePieces {
    numbers: [u16; MOST_PIECES],
    count: usize,
}

impl ZonePieces {
    #[inline]
    fn push(&mut self, piece: Option<usize>) {
        if let (Some(piece), Some(slot)) = (piece, self.numbers.get_mut(self.count)) {
            *slot = piece as u16;
            self.count += 1;
        }
    }

    /// Their numbers.
    #[inline]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn pieces(text: &str, owner: Color) -> Vec<ZonePiece> {
        let position = Position::from_sfen(text).unwrap();
        let zone = KingZone::new(owner, position.king(owner).unwrap().seen_by(owner));
        let pieces = zone.pieces(&position, Bitboard::EMPTY, None);
        let mut pieces: Vec<ZonePiece> =
            pieces.numbers().iter().map(|&number| ZonePiece::new(number.into())).collect();
        pieces.sort_by_key(|piece| format!("{piece:?}"));
        pieces
    }

    #[test]
    fn mirrored_and_turned_positions_have_the_same_items() {
        // A king on 8h with a gold on 7h, a pawn on 8g and an enemy pawn on 8e.
        let left = pieces("4k4/9/9/9/1p7/9/1P7/1KG6/9 b 2Pr 1", Color::Black);
        let right = pieces("4k4/9/9/9/7p1/9/7P1/6GK1/9 b 2Pr 1", Color::Black);
        let turned = pieces("9/1kg6/1p7/9/1P7/9/9/9/4K4 b R2p 1", Color::White);
        assert_eq!(left.len(), 5);
        assert_eq!(left, right);
        assert_eq!(left, turned);
    }

    #[test]
    fn the_zone_reaches_further_to_the_front() {
        let zone = KingZone::new(Color::Black, square("5e"));
        let pawn = Piece::new(Color::Black, PieceKind::Pawn);
        let is_in = |text: &str| zone.placed(pawn, square(text)).is_some();
        for text in ["5b", "7b", "3g", "5g", "4e"] {
            assert!(is_in(text), "{text}");
        }
        for text in ["5a", "8e", "2e", "5h", "5e"] {
            assert!(!is_in(text), "{text}");
        }
        let zone = KingZone::new(Color::White, square("5e"));
        assert!(zone.placed(pawn, square("5h")).is_some());
        assert!(zone.placed(pawn, square("5b")).is_none());
    }

    #[test]
    fn many_in_hand_are_one_item() {
        let zone = KingZone::new(Color::Black, square("5i"));
        let held = |count| zone.held(Color::White, PieceKind::Pawn, count);
        assert_eq!(held(0), None);
        assert_ne!(held(2), held(3));
        assert_eq!(held(3), held(18));
        assert_eq!(ZonePiece::new(held(2).unwrap()), ZonePiece::Held { held: 7, count: 2 });
    }
}
