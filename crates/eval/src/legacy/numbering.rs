//! Which piece is which.

use tesuji_shogi::{Bitboard, Color, Hand, Move, PieceKind, Position, Square};

/// The numbers that the thesis's program gave to the pieces of a position that it loaded.
///
/// It numbered the pieces on the board in the order of their squares, 1a, 1b … 9i, then those in
/// Black's hand, then those in White's. A piece that moves keeps its number, and a dropped piece
/// has one behind all that were on the board. Some features speak of the first or the last piece of
/// a kind by these numbers, so the program's features of a position depend on the move that led to
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Numbering {
    /// Bit `n` is set if piece number `n` is a silver, promoted or not, wherever it is.
    silvers: u64,
    /// The piece that has moved since: where it stands, and its place in the order of the pieces,
    /// which for all others is the number of their square.
    moved: Option<(Square, usize)>,
}

/// The place in the order of a dropped piece: after all squares.
const AFTER_THE_BOARD: usize = Square::COUNT;

impl Numbering {
    /// The numbers of a position that has just been loaded.
    pub fn of(position: &Position) -> Self {
        let on_board = position.pieces().map(|(_, piece)| piece.kind());
        let in_hands = Color::ALL.into_iter().flat_map(|color| in_hand(position.hand(color)));
        let silvers = (0..)
            .zip(on_board.chain(in_hands))
            .filter(|(_, kind)| kind.unpromoted() == PieceKind::Silver)
            .fold(0, |silvers, (number, _)| silvers | 1 << number);
        Self { silvers, moved: None }
    }

    /// The numbers after a move in the position that was loaded.
    pub fn after(&self, mv: Move) -> Self {
        let place = mv.from().map_or(AFTER_THE_BOARD, Square::index);
        Self { silvers: self.silvers, moved: Some((mv.to(), place)) }
    }

    /// Is the piece with this number a silver, promoted or not? `false` if no piece has the number.
    pub(super) fn is_silver(&self, number: usize) -> bool {
        number < u64::BITS as usize && self.silvers >> number & 1 != 0
    }

    /// The pieces on these squares in the order of their numbers.
    pub(super) fn in_order(&self, pieces: Bitboard) -> impl Iterator<Item = Square> + use<> {
        let (moved, place) = match self.moved {
            Some((square, place)) if pieces.contains(square) => (Some(square), place),
            _ => (None, AFTER_THE_BOARD),
        };
        let others = pieces.without(moved.map_or(Bitboard::EMPTY, Bitboard::of));
        let before = Bitboard::from_bits(others.bits() & ((1 << place) - 1));
        before.into_iter().chain(moved).chain(others.without(before))
    }

    /// The piece with the highest number of those on these squares.
    pub(super) fn last(&self, pieces: Bitboard) -> Option<Square> {
        match self.moved {
            Some((square, place)) if pieces.contains(square) => {
                let other = highest(pieces.without(Bitboard::of(square)));
                other.filter(|other| other.index() > place).or(Some(square))
            }
            _ => highest(pieces),
        }
    }
}

/// The square with the highest number of a set.
fn highest(set: Bitboard) -> Option<Square> {
    (u128::BITS - set.bits().leading_zeros())
        .checked_sub(1)
        .and_then(|i| Square::from_index(i as usize))
}

/// The pieces in a hand in the order in which the program numbered them.
fn in_hand(hand: Hand) -> impl Iterator<Item = PieceKind> {
    const ORDER: [PieceKind; 7] = [
        PieceKind::Pawn,
        PieceKind::Silver,
        PieceKind::Knight,
        PieceKind::Lance,
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Gold,
    ];
    ORDER.into_iter().flat_map(move |kind| std::iter::repeat_n(kind, usize::from(hand.count(kind))))
}
