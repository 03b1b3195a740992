//! The perspective of one player: a position as that player sees it.

use tesuji_shogi::{Color, Hand, Piece, PieceKind, Position, Square};

use crate::piece_square::{self, PIECES};

/// Code of a square without a piece.
pub(super) const EMPTY: usize = PIECES;

/// A position as one of the players sees it. Squares are as that player sees them unless they are
/// called real.
#[derive(Clone, Copy)]
pub(super) struct Perspective<'a> {
    pub position: &'a Position,
    pub us: Color,
    /// The own king and that of the opponent; one that is missing is taken to be at home.
    pub kings: [Square; 2],
    /// Is each king's side of the board seen in a mirror, so that the king is on the right half?
    pub mirrors: [bool; 2],
}

impl<'a> Perspective<'a> {
    /// A position in the eyes of `us`.
    pub fn new(position: &'a Position, us: Color) -> Self {
        let king = |color: Color, rank| {
            let home = Square::new(5, rank).expect("a square of the board");
            position.king(color).map_or(home, |king| king.seen_by(us))
        };
        let kings = [king(us, 9), king(!us, 1)];
        // A king in the middle leaves it to the other.
        let mirror = |king: Square, other: Square| {
            if king.file() == 5 { other.file() > 5 } else { king.file() > 5 }
        };
        let mirrors = [mirror(kings[0], kings[1]), mirror(kings[1], kings[0])];
        Self { position, us, kings, mirrors }
    }

    /// The number of a piece with its side.
    #[inline(always)]
    pub fn code_of(&self, piece: Piece) -> usize {
        piece_square::code(piece, self.us)
    }

    /// What stands on a real square.
    #[inline(always)]
    pub fn code(&self, real: Square) -> usize {
        self.position.piece_on(real).map_or(EMPTY, |piece| self.code_of(piece))
    }

    /// The index of a piece on a real square.
    #[inline(always)]
    pub fn placed(&self, piece: Piece, real: Square) -> PieceSquare {
        let (code, square) = (self.code_of(piece), real.seen_by(self.us));
        let zone = |side: usize| {
            let king = self.kings[side];
            let files = i32::from(square.file()) - i32::from(king.file());
            let ranks = i32::from(square.rank()) - i32::from(king.rank());
            if files.abs() > 2 || ranks.abs() > 2 {
                return FAR;
            }
            let files = if self.mirrors[side] { -files } else { files };
            (code * 25) as u16 + ((files + 2) * 5 + ranks + 2) as u16
        };
        PieceSquare {
            number: piece_square::placed(code, square) as u16,
            place: Some(square),
            code: code as u8,
            zones: [zone(0), zone(1)],
        }
    }

    /// The index of so many pieces in hand, of which there is at least one.
    #[inline(always)]
    pub fn held(&self, color: Color, kind: PieceKind, count: u8) -> PieceSquare {
        let number = piece_square::held(color == self.us, kind, count);
        PieceSquare { number: number as u16, place: None, code: 0, zones: [FAR; 2] }
    }

    /// All pieces on the board and in hand.
    pub fn piece_squares(&self) -> Vec<PieceSquare> {
        let mut piece_squares = Vec::with_capacity(54);
        piece_squares
            .extend(self.position.pieces().map(|(square, piece)| self.placed(piece, square)));
        for color in Color::ALL {
            let hand: Hand = self.position.hand(color);
            piece_squares.extend(hand.iter().map(|(kind, count)| self.held(color, kind, count)));
        }
        piece_squares
    }
}

/// Not near the king.
pub(super) const FAR: u16 = u16::MAX;

/// A piece on the board, or all pieces of a kind in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PieceSquare {
    pub number: u16,
    /// Its square if it is on the board.
    pub place: Option<Square>,
    pub code: u8,
    /// Piece and square relative to each king, or [`FAR`].
    pub zones: [u16; 2],
}
