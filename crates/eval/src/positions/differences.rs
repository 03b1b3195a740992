//! Incremental features: what moves change, the fast way to compare the positions that they lead
//! to.

use tesuji_shogi::{Bitboard, BoardChange, ExchangeValues, Move, Piece, Position, Square, attacks};

use super::cells::Cell;
use super::perspective::{FAR, Perspective, PieceSquare};
use super::threats::sliders;

/// A position before a move as the side to move sees it, to compare what its moves lead to.
pub struct Comparison<'a> {
    before: Perspective<'a>,
    piece_squares: Vec<PieceSquare>,
    cells: Vec<Cell>,
    /// Pieces that slide, and what they attack.
    sliders: Vec<(Square, Piece, Bitboard)>,
    values: ExchangeValues,
}

impl<'a> Comparison<'a> {
    /// Works out what the moves of a position share.
    pub fn new(position: &'a Position) -> Self {
        let before = Perspective::new(position, position.side_to_move());
        let occupied = position.occupied();
        Self {
            before,
            piece_squares: before.piece_squares(),
            cells: Square::all().map(|square| before.cell(square)).collect(),
            sliders: sliders(position)
                .map(|(square, piece)| (square, piece, attacks::of(piece, square, occupied)))
                .collect(),
            values: ExchangeValues::default(),
        }
    }

    /// Calls `visit` with features and how much more often the position after a legal move has
    /// them. A feature may come several times. What all moves of the position have in common is
    /// left out.
    pub fn for_each_difference(&self, mv: Move, mut visit: impl FnMut(usize, i32)) {
        let change = BoardChange::new(self.before.position, mv);
        let position = self.before.position.after_unchecked(mv);
        let after = Perspective::new(&position, self.before.us);
        let turnover = self.turnover(&change);
        let changed = self.changed_squares(&position, &change);
        turnover.for_each_pair(|a, b, sign| {
            PieceSquare::pair_features(a, b, &mut |feature| visit(feature, sign));
        });
        if after.kings == self.before.kings {
            turnover.for_each_piece_square(|piece_square, sign| {
                after.piece_square_features(piece_square, &mut |feature| visit(feature, sign));
            });
            turnover.for_each_pair(|a, b, sign| {
                PieceSquare::castle_features(a, b, &mut |feature| visit(feature, sign));
            });
            for square in changed {
                let old = (&self.before, &self.cells[square.index()]);
                after.cell_difference(square, old, &after.cell(square), &mut visit);
            }
        } else {
            self.king_differences(&after, changed, &mut visit);
        }
        after.whole_features(&self.values, &mut |feature| visit(feature, 1));
    }

    /// Pieces that are no longer where they were, and where they are now.
    fn turnover(&self, change: &BoardChange) -> Turnover {
        let (mut gone, mut come) = (Few::default(), Few::default());
        let before = &self.before;
        if let Some(from) = change.from {
            gone.push(before.placed(change.moved, from));
        }
        if let Some(captured) = change.captured {
            gone.push(before.placed(captured, change.to));
        }
        if let Some(hand) = change.hand {
            if hand.before > 0 {
                gone.push(before.held(before.us, hand.kind, hand.before));
            }
            if hand.after > 0 {
                come.push(before.held(before.us, hand.kind, hand.after));
            }
        }
        come.push(before.placed(change.set_down, change.to));
        let is_kept = |piece_square: &&PieceSquare| !gone.as_slice().contains(piece_square);
        Turnover { kept: self.piece_squares.iter().filter(is_kept).copied().collect(), gone, come }
    }

    /// Squares on which something else stands, or which other pieces attack.
    fn changed_squares(&self, position: &Position, change: &BoardChange) -> Bitboard {
        let before = self.before.position.occupied();
        let after = position.occupied();
        let mut ends = Bitboard::of(change.to);
        let mut changed = ends | attacks::of(change.set_down, change.to, after);
        if let Some(from) = change.from {
            ends |= Bitboard::of(from);
            changed |= Bitboard::of(from) | attacks::of(change.moved, from, before);
        }
        if let Some(captured) = change.captured {
            changed |= attacks::of(captured, change.to, before);
        }
        for &(square, piece, reach) in &self.sliders {
            if reach.intersects(ends) && !ends.contains(square) {
                changed |= reach ^ attacks::of(piece, square, after);
            }
        }
        changed
    }

    /// All that is relative to a king that has moved, and the squares that have changed.
    fn king_differences(
        &self,
        after: &Perspective<'_>,
        changed: Bitboard,
        visit: &mut impl FnMut(usize, i32),
    ) {
        let near = |perspective: &Perspective<'_>| {
            attacks::king_zone(perspective.kings[0].seen_by(perspective.us), 3)
        };
        let squares = changed | near(&self.before) | near(after);
        let mut lost = |feature| visit(feature, -1);
        kings_features(&self.before, &self.piece_squares, &mut lost);
        for square in squares {
            self.before.cell_features(square, &self.cells[square.index()], &mut lost);
        }
        let mut gained = |feature| visit(feature, 1);
        kings_features(after, &after.piece_squares(), &mut gained);
        for square in squares {
            after.cell_features(square, &after.cell(square), &mut gained);
        }
    }
}

/// All features of single pieces and of pairs near a king.
fn kings_features(
    perspective: &Perspective<'_>,
    piece_squares: &[PieceSquare],
    visit: &mut impl FnMut(usize),
) {
    for piece_square in piece_squares {
        perspective.piece_square_features(piece_square, visit);
    }
    let near: Vec<&PieceSquare> =
        piece_squares.iter().filter(|piece_square| piece_square.zones != [FAR; 2]).collect();
    for_each_two(&near, |a, b| PieceSquare::castle_features(a, b, visit));
}

/// All features of pieces, pairs of them and squares.
pub(super) fn place_features(perspective: &Perspective<'_>, visit: &mut impl FnMut(usize)) {
    let piece_squares = perspective.piece_squares();
    kings_features(perspective, &piece_squares, visit);
    for_each_two(&piece_squares, |a, b| PieceSquare::pair_features(a, b, visit));
    for square in Square::all() {
        perspective.cell_features(square, &perspective.cell(square), visit);
    }
}

fn for_each_two<T>(list: &[T], mut visit: impl FnMut(&T, &T)) {
    for (number, one) in list.iter().enumerate() {
        for other in &list[..number] {
            visit(one, other);
        }
    }
}

/// Items that stay, that a move takes away, and that it brings.
struct Turnover {
    kept: Vec<PieceSquare>,
    gone: Few,
    come: Few,
}

impl Turnover {
    #[inline(always)]
    fn for_each_piece_square(&self, mut visit: impl FnMut(&PieceSquare, i32)) {
        self.gone.as_slice().iter().for_each(|piece_square| visit(piece_square, -1));
        self.come.as_slice().iter().for_each(|piece_square| visit(piece_square, 1));
    }

    #[inline(always)]
    fn for_each_pair(&self, mut visit: impl FnMut(&PieceSquare, &PieceSquare, i32)) {
        for (changed, sign) in [(self.gone.as_slice(), -1), (self.come.as_slice(), 1)] {
            for piece_square in changed {
                self.kept.iter().for_each(|other| visit(piece_square, other, sign));
            }
            for_each_two(changed, |a, b| visit(a, b, sign));
        }
    }
}

/// A few pieces.
#[derive(Default)]
struct Few {
    piece_squares: [PieceSquare; 3],
    len: usize,
}

impl Few {
    fn push(&mut self, piece_square: PieceSquare) {
        self.piece_squares[self.len] = piece_square;
        self.len += 1;
    }

    fn as_slice(&self) -> &[PieceSquare] {
        &self.piece_squares[..self.len]
    }
}
