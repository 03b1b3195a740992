//! The position: what stands where, what is in hand, and whose move it is.

mod play;
mod queries;
mod sfen;
mod validate;

use core::fmt;

pub use sfen::SfenError;
pub use validate::PositionError;

use crate::{Bitboard, Color, Hand, Move, Piece, PieceKind, Square, zobrist};

/// A position of the game.
///
/// It is small and has no history, so making a move on a copy is the way to go back
/// (`docs/decisions/0001-copy-make.md`). Repetition is the business of [`crate::Game`].
///
/// ```
/// use tesuji_shogi::Position;
/// let position = Position::startpos();
/// assert_eq!(position.legal_moves().len(), 30);
/// let next = position.after("7g7f".parse().unwrap()).unwrap();
/// assert_eq!(
///     next.to_sfen(),
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Squares of each plain kind, promoted pieces counted with their plain side.
    by_kind: [Bitboard; 8],
    /// Squares of all promoted pieces.
    promoted: Bitboard,
    by_color: [Bitboard; 2],
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// Keys of the board with the side to move, and of both hands.
    board_key: u64,
    hand_key: u64,
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    ply: u16,
    side: Color,
    board: [Option<Piece>; Square::COUNT],
}

impl Position {
    /// SFEN of the start of an even game.
    pub const STARTPOS: &'static str =
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    /// The start of an even game.
    pub fn startpos() -> Self {
        Self::from_sfen(Self::STARTPOS).expect("the start position is valid")
    }

    /// A board with nothing on it; only a builder's first step.
    fn empty(side: Color) -> Self {
        Self {
            by_kind: [Bitboard::EMPTY; 8],
            promoted: Bitboard::EMPTY,
            by_color: [Bitboard::EMPTY; 2],
            checkers: Bitboard::EMPTY,
            board_key: if side == Color::White { zobrist::WHITE_TO_MOVE } else { 0 },
            hand_key: 0,
            hands: [Hand::EMPTY; 2],
            kings: [None; 2],
            ply: 1,
            side,
            board: [None; Square::COUNT],
        }
    }

    /// Builds a position from its parts and checks it. `ply` is the number of the next move, 1 at
    /// the start of a game.
    pub fn from_parts(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        hands: [Hand; 2],
        side: Color,
        ply: u16,
    ) -> Result<Self, PositionError> {
        let position = Self::from_problem_parts(pieces, hands, side, ply)?;
        position.validate_pawn_files()?;
        Ok(position)
    }

    /// As [`Position::from_parts`], but a player may have two pawns in one file, as in some
    /// composed problems.
    pub(super) fn from_problem_parts(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        hands: [Hand; 2],
        side: Color,
        ply: u16,
    ) -> Result<Self, PositionError> {
        let mut position = Self::empty(side);
        position.ply = ply.max(1);
        for (square, piece) in pieces {
            if position.board[square.index()].is_some() {
                return Err(PositionError::SquareTwice { square });
            }
            if piece.kind() == PieceKind::King && position.kings[piece.color().index()].is_some() {
                return Err(PositionError::TwoKings { color: piece.color() });
            }
            position.put(piece, square);
        }
        for color in Color::ALL {
            for (kind, count) in hands[color.index()].iter() {
                let key = zobrist::in_hand(color, kind).wrapping_mul(u64::from(count));
                position.hand_key = position.hand_key.wrapping_add(key);
            }
        }
        position.hands = hands;
        position.checkers = position.compute_checkers();
        position.validate()?;
        Ok(position)
    }

    /// The position with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let pieces = self.pieces().map(|(square, piece)| (square.mirrored(), piece));
        let mirrored = Self::from_problem_parts(pieces, self.hands, self.side, self.ply);
        mirrored.expect("a mirror image breaks no rule that the position keeps")
    }

    /// The player who is to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// The number of the next move, as in SFEN: 1 at the start of a game.
    #[inline(always)]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The piece on a square.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces with their squares, in the order of the squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// What a player holds.
    #[inline(always)]
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// Where a player's king stands; `None` in a problem without that king.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one player's pieces.
    #[inline(always)]
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of both players' pieces of exactly this kind.
    #[inline(always)]
    pub fn of_kind(&self, kind: PieceKind) -> Bitboard {
        let both_sides = self.by_kind[kind.index() & 7];
        if kind.is_promoted() { both_sides & self.promoted } else { both_sides & !self.promoted }
    }

    /// The squares of one player's pieces of exactly this kind.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.of_kind(kind) & self.of_color(color)
    }

    /// The squares of everything that moves like a gold.
    #[inline(always)]
    pub fn golds(&self) -> Bitboard {
        let large = self.by_kind[PieceKind::Bishop.index()] | self.by_kind[PieceKind::Rook.index()];
        self.by_kind[PieceKind::Gold.index()] | self.promoted.without(large)
    }

    /// The squares of bishops and horses.
    #[inline(always)]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        self.by_kind[PieceKind::Bishop.index()]
    }

    /// The squares of rooks and dragons.
    #[inline(always)]
    pub const fn straight_sliders(&self) -> Bitboard {
        self.by_kind[PieceKind::Rook.index()]
    }

    /// The squares of horses and dragons.
    #[inline(always)]
    pub fn horses_and_dragons(&self) -> Bitboard {
        self.promoted & (self.diagonal_sliders() | self.straight_sliders())
    }

    /// The enemy pieces that give check to the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// The key of the whole position. Equal positions have equal keys; the ply is not in it.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.board_key.wrapping_add(self.hand_key)
    }

    /// The key of the board and the side to move, without the hands.
    #[inline(always)]
    pub const fn board_key(&self) -> u64 {
        self.board_key
    }

    /// Is it the same position: board, hands and side to move, whatever the ply?
    pub fn same_position(&self, other: &Self) -> bool {
        self.side == other.side && self.hands == other.hands && self.board == other.board
    }

    /// The position after a legal move; `None` if the move is not legal.
    pub fn after(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.after_unchecked(mv))
    }

    /// Recomputes everything that is kept incrementally: the slow twin of
    /// [`Position::play_unchecked`].
    pub fn recomputed(&self) -> Self {
        Self::from_parts(self.pieces(), self.hands, self.side, self.ply)
            .expect("a position that was reached by legal moves is valid")
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_sfen())
    }
}
