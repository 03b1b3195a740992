//! King-piece tables (KP, and KPP near the king): what each piece is worth by its square and that
//! of each king.
//!
//! Every king's owner sees the board from the own side, so one table serves both. What a position
//! is worth to Black is the sum over all pieces in the view of Black's king, less the same in the
//! view of White's: exchange the players, and the sign changes. Pairs of pieces near a king, and of
//! those with pieces in hand, are added to that: see [`zone`].
//!
//! The parameters are those of [`parts`], in eighths of a centipawn. For play all parts of a
//! cell are added up once.

pub mod compare;
mod file;
pub mod parts;
pub mod zone;

use tesuji_shogi::{Bitboard, Color, ExchangeValues, Piece, PieceKind, Position, Square};

pub use file::TablesError;
use parts::{
    ALL_BOARD_CELLS, ALL_CELLS, BOARD_CELLS, COUNTS, HAND_CELLS, PIECES, Parts, SINGLE_CELLS,
    board_cell, hand_cell, pair_cell,
};
use zone::{KingZone, ZONE_PIECES};

use crate::numbers::{Notes, NumbersError};

/// Units of the parameters in a centipawn.
pub const UNITS: i32 = 8;

/// Piece values: what pieces are worth on average, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValues {
    /// On the board, by the number of the kind; the king has none.
    pub board: [i32; PieceKind::COUNT],
    /// In hand.
    pub hand: [i32; 7],
}

impl PieceValues {
    /// The values as exchanges need them.
    pub fn exchange(&self) -> ExchangeValues {
        ExchangeValues::new(self.board, self.hand)
    }
}

/// King-relative piece tables.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceTables {
    parameters: Vec<i16>,
    /// Sums of the parameters, by cell.
    cells: Vec<i16>,
    /// The cells of pairs as a square matrix: what a piece is worth with each other one is one row.
    /// Empty if no pair is worth anything.
    pairs: Vec<i16>,
    values: PieceValues,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

impl PieceTables {
    /// The names that [`PieceTables::named`] knows.
    pub const NAMES: [&'static str; 1] = ["tables"];

    /// Tables with these parameters, in the order of [`parts::part_ranges`].
    pub fn new(parameters: Vec<i16>, values: PieceValues) -> Result<Self, TablesError> {
        Self::of_parts(&Parts::all(), &parameters, values)
    }

    /// Tables with these parameters of some parts; those of the other parts are zero.
    pub fn of_parts(
        parts: &Parts,
        parameters: &[i16],
        values: PieceValues,
    ) -> Result<Self, TablesError> {
        let expected = parts.count();
        if parameters.len() != expected {
            return Err(NumbersError::Count { found: parameters.len(), expected }.into());
        }
        let mut sums = vec![0_i32; ALL_CELLS];
        parts.for_each_use(|cell, parameter| sums[cell] += i32::from(parameters[parameter]));
        let cells: Result<Vec<i16>, _> = sums.into_iter().map(i16::try_from).collect();
        let cells = cells.map_err(|_| TablesError::Range)?;
        Ok(Self::of_cells(parts.spread(parameters), cells, values))
    }

    fn of_cells(parameters: Vec<i16>, cells: Vec<i16>, values: PieceValues) -> Self {
        let (pairs, run, result) = (pair_matrix(&cells), Notes::new(), Notes::new());
        Self { parameters, cells, pairs, values, run, result }
    }

    /// Tables between these and others: every number is that of both, mixed by `mix`. Parameters
    /// are rounded each by itself, so that a cell is their sum only nearly: such tables explain
    /// scores and have no file.
    pub(crate) fn mixed(&self, other: &Self, mix: impl Fn(i16, i16) -> i16) -> Self {
        let mixed = |own: &[i16], other: &[i16]| -> Vec<i16> {
            own.iter().zip(other).map(|(&a, &b)| mix(a, b)).collect()
        };
        let parameters = mixed(&self.parameters, &other.parameters);
        Self::of_cells(parameters, mixed(&self.cells, &other.cells), self.values)
    }

    /// The parameters, in the order of [`parts::part_ranges`].
    pub fn parameters(&self) -> &[i16] {
        &self.parameters
    }

    /// The parameters of some parts.
    pub fn parameters_of(&self, parts: &Parts) -> Vec<i16> {
        parts.gathered(&self.parameters)
    }

    /// What each cell is worth, in units.
    pub fn cells(&self) -> &[i16] {
        &self.cells
    }

    /// Sets the piece values.
    pub const fn set_values(&mut self, values: PieceValues) {
        self.values = values;
    }

    /// The piece values.
    pub const fn values(&self) -> &PieceValues {
        &self.values
    }

    /// What it is worth to be on the move, in units.
    #[inline]
    pub fn tempo(&self) -> i32 {
        self.parameters.last().copied().map_or(0, i32::from)
    }

    /// The table of one king.
    #[inline]
    pub fn of_king(&self, position: &Position, owner: Color) -> KingTable<'_> {
        let square = king_of(position, owner);
        let king = square.index();
        let hands = ALL_BOARD_CELLS + king * HAND_CELLS;
        KingTable {
            owner,
            board: &self.cells[king * BOARD_CELLS..(king + 1) * BOARD_CELLS],
            hand: &self.cells[hands..hands + HAND_CELLS],
            zone: KingZone::new(owner, square),
            pairs: &self.pairs,
        }
    }

    /// The score in units in the view of the side to move, worked out from the pieces.
    pub fn score(&self, position: &Position) -> i32 {
        let side = position.side_to_move();
        let half = |owner| self.of_king(position, owner).sum(position);
        half(side) - half(!side) + self.tempo()
    }
}

/// The cells of pairs as a square matrix, if there is one that is not zero.
fn pair_matrix(cells: &[i16]) -> Vec<i16> {
    if cells[SINGLE_CELLS..].iter().all(|&cell| cell == 0) {
        return Vec::new();
    }
    let mut pairs = vec![0; ZONE_PIECES * ZONE_PIECES];
    for a in 1..ZONE_PIECES {
        for b in 0..a {
            let worth = cells[pair_cell(a, b)];
            pairs[a * ZONE_PIECES + b] = worth;
            pairs[b * ZONE_PIECES + a] = worth;
        }
    }
    pairs
}

/// The square of a king as its owner sees it. One who has no king is taken to have it at home.
#[inline]
fn king_of(position: &Position, owner: Color) -> Square {
    const HOME: Square = match Square::new(5, 9) {
        Some(square) => square,
        None => unreachable!(),
    };
    position.king(owner).map_or(HOME, |king| king.seen_by(owner))
}

/// The number of a piece as the owner of a king sees it.
#[inline]
const fn seen_piece(piece: Piece, owner: Color) -> usize {
    piece.kind().index() + PieceKind::COUNT * (piece.color() as usize ^ owner as usize)
}

/// The number of a kind in the hand of `color` as the owner of a king sees it.
#[inline]
const fn seen_held(color: Color, kind: PieceKind, owner: Color) -> usize {
    (kind.index() & 7) + PieceKind::HAND.len() * (color as usize ^ owner as usize)
}

/// What pieces are worth in the view of one king.
#[derive(Clone, Copy)]
pub struct KingTable<'a> {
    owner: Color,
    board: &'a [i16],
    hand: &'a [i16],
    zone: KingZone,
    pairs: &'a [i16],
}

impl KingTable<'_> {
    /// A piece on a square, in units.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> i32 {
        let square = square.seen_by(self.owner).index();
        i32::from(self.board[square * PIECES + seen_piece(piece, self.owner)])
    }

    /// So many pieces of a kind in the hand of `color`, in units.
    #[inline]
    pub fn hand(&self, color: Color, kind: PieceKind, count: u8) -> i32 {
        let held = seen_held(color, kind, self.owner);
        i32::from(self.hand[held * COUNTS + usize::from(count)])
    }

    /// What pairs are made of.
    #[inline]
    pub const fn zone(&self) -> KingZone {
        self.zone
    }

    /// Is any pair worth anything?
    #[inline]
    pub const fn has_pairs(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// A piece of the zone with some others, in units.
    #[inline]
    pub fn pairs(&self, piece: usize, others: &[u16]) -> i32 {
        if !self.has_pairs() {
            return 0;
        }
        let row = &self.pairs[piece * ZONE_PIECES..(piece + 1) * ZONE_PIECES];
        others.iter().map(|&other| i32::from(row[usize::from(other)])).sum()
    }

    /// All pieces of a position, and all pairs.
    pub fn sum(&self, position: &Position) -> i32 {
        let board: i32 = position.pieces().map(|(square, piece)| self.piece(piece, square)).sum();
        let hands = Color::ALL.into_iter().flat_map(|color| {
            position.hand(color).iter().map(move |(kind, count)| (color, kind, count))
        });
        let hands: i32 = hands.map(|(color, kind, count)| self.hand(color, kind, count)).sum();
        if !self.has_pairs() {
            return board + hands;
        }
        let pieces = self.zone.pieces(position, Bitboard::EMPTY, None);
        let pieces = pieces.numbers();
        let pairs = (1..pieces.len()).map(|i| self.pairs(pieces[i].into(), &pieces[..i]));
        board + hands + pairs.sum::<i32>()
    }
}

/// Calls `visit` with each cell that counts in the view of `owner`'s king.
pub fn for_each_cell(position: &Position, owner: Color, mut visit: impl FnMut(usize)) {
    for_each_single_cell(position, owner, &mut visit);
    let king = king_of(position, owner);
    let pieces = KingZone::new(owner, king).pieces(position, Bitboard::EMPTY, None);
    for (i, &a) in pieces.numbers().iter().enumerate() {
        for &b in &pieces.numbers()[..i] {
            visit(pair_cell(a.into(), b.into()));
        }
    }
}

/// The same without the cells of pairs.
pub fn for_each_single_cell(position: &Position, owner: Color, mut visit: impl FnMut(usize)) {
    let king = king_of(position, owner);
    for (square, piece) in position.pieces() {
        visit(board_cell(king, seen_piece(piece, owner), square.seen_by(owner)));
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            visit(hand_cell(king, seen_held(color, kind, owner), usize::from(count)));
        }
    }
}

#[cfg(test)]
mod tests;
