//! What moves change: the fast way to compare the positions that they lead to.

use tesuji_shogi::{Bitboard, ExchangeValues, Move, Origin, Piece, PieceKind, Position, Square, attacks};

use super::cells::Cell;
use super::sight::{Item, Sight};
use super::threats::sliders;

/// A position before a move as the side to move sees it, to compare what its moves lead to.
pub struct Comparison<'a> {
    before: Sight<'a>,
    items: Vec<Item>,
    cells: Vec<Cell>,
    /// Pieces that slide, and what they attack.
    sliders: Vec<(Square, Piece, Bitboard)>,
    values: ExchangeValues,
}

impl<'a> Comparison<'a> {
    /// Works out what the moves of a position share.
    pub fn new(position: &'a Position) -> Self {
        let before = Sight::new(position, position.side_to_move());
        let occupied = position.occupied();
        Self {
            before,
            items: before.items(),
            cells: Square::all().map(|square| before.cell(square)).collect(),
            sliders: sliders(position)
                .map(|(square, piece)| (square, piece, attacks::of(piece, square, occupied)))
                .collect(),
            values: ExchangeValues::default(),
        }
    }

    /// Calls `visit` with features and how much more often the position after a legal move has them.
    /// A feature may come several times. What all moves of the position have in common is left out.
    pub fn for_each_difference(&self, mv: Move, mut visit: impl FnMut(usize, i32)) {
        let Some(change) = self.change(mv) else { return };
        let position = self.before.position.after_unchecked(mv);
        let after = Sight::new(&position, self.before.us);
        if after.kings == self.before.kings {
            self.item_differences(&after, &change, &mut visit);
            for square in self.changed_squares(&position, &change) {
                let old = (&self.before, &self.cells[square.index()]);
                after.cell_difference(square, old, &after.cell(square), &mut visit);
            }
        } else {
            self.all_differences(&after, &mut visit);
        }
        after.whole_features(&self.values, &mut |feature| visit(feature, 1));
    }

    fn change(&self, mv: Move) -> Option<Change> {
        let position = self.before.position;
        let (from, piece) = match mv.origin() {
            Origin::Hand(kind) => (None, Piece::new(self.before.us, kind)),
            Origin::Board(from) => (Some(from), position.piece_on(from)?),
        };
        let promoted = if mv.is_promotion() { piece.promoted() } else { None };
        Some(Change {
            from,
            to: mv.to(),
            piece,
            standing: promoted.unwrap_or(piece),
            taken: position.piece_on(mv.to()),
        })
    }

    /// Pieces that are no longer where they were, and where they are now.
    fn item_differences(
        &self,
        after: &Sight<'_>,
        change: &Change,
        visit: &mut impl FnMut(usize, i32),
    ) {
        let (gone, come) = self.changed_items(change);
        let gone = gone.as_slice();
        let come = come.as_slice();
        let kept: Vec<Item> =
            self.items.iter().filter(|item| !gone.contains(item)).copied().collect();
        for (changed, sign) in [(gone, -1), (come, 1)] {
            let mut visit = |feature| visit(feature, sign);
            for (number, item) in changed.iter().enumerate() {
                after.item_features(item, &mut visit);
                for other in &kept {
                    after.pair_features(item, other, &mut visit);
                }
                for other in &changed[..number] {
                    after.pair_features(item, other, &mut visit);
                }
            }
        }
    }

    fn changed_items(&self, change: &Change) -> (Few, Few) {
        let (mut gone, mut come) = (Few::default(), Few::default());
        let before = &self.before;
        let in_hand = |kind: PieceKind, change: i8, gone: &mut Few, come: &mut Few| {
            let count = before.position.hand(before.us).count(kind);
            let now = count.wrapping_add_signed(change);
            if count > 0 {
                gone.push(before.held(before.us, kind, count));
            }
            if now > 0 {
                come.push(before.held(before.us, kind, now));
            }
        };
        match change.from {
            Some(from) => gone.push(before.placed(change.piece, from)),
            None => in_hand(change.piece.kind(), -1, &mut gone, &mut come),
        }
        if let Some(taken) = change.taken {
            gone.push(before.placed(taken, change.to));
            in_hand(taken.kind().unpromoted(), 1, &mut gone, &mut come);
        }
        come.push(before.placed(change.standing, change.to));
        (gone, come)
    }

    /// Squares on which something else stands, or which other pieces attack.
    fn changed_squares(&self, position: &Position, change: &Change) -> Bitboard {
        let before = self.before.position.occupied();
        let after = position.occupied();
        let mut ends = Bitboard::of(change.to);
        let mut changed = ends | attacks::of(change.standing, change.to, after);
        if let Some(from) = change.from {
            ends |= Bitboard::of(from);
            changed |= Bitboard::of(from) | attacks::of(change.piece, from, before);
        }
        if let Some(taken) = change.taken {
            changed |= attacks::of(taken, change.to, before);
        }
        for &(square, piece, reach) in &self.sliders {
            if reach.intersects(ends) && !ends.contains(square) {
                changed |= reach ^ attacks::of(piece, square, after);
            }
        }
        changed
    }

    /// Everything anew: a king has moved, and most features are relative to it.
    fn all_differences(&self, after: &Sight<'_>, visit: &mut impl FnMut(usize, i32)) {
        place_features(&self.before, &self.items, &self.cells, &mut |feature| visit(feature, -1));
        let cells: Vec<Cell> = Square::all().map(|square| after.cell(square)).collect();
        place_features(after, &after.items(), &cells, &mut |feature| visit(feature, 1));
    }
}

/// All features of pieces, pairs of them and squares.
pub(super) fn place_features(
    sight: &Sight<'_>,
    items: &[Item],
    cells: &[Cell],
    visit: &mut impl FnMut(usize),
) {
    for (number, item) in items.iter().enumerate() {
        sight.item_features(item, visit);
        for other in &items[..number] {
            sight.pair_features(item, other, visit);
        }
    }
    for (square, cell) in Square::all().zip(cells) {
        sight.cell_features(square, cell, visit);
    }
}

/// What a move does to the board.
struct Change {
    from: Option<Square>,
    to: Square,
    piece: Piece,
    /// The piece as it stands on the target.
    standing: Piece,
    taken: Option<Piece>,
}

/// A few items.
#[derive(Default)]
struct Few {
    items: [Item; 3],
    len: usize,
}

impl Few {
    fn push(&mut self, item: Item) {
        self.items[self.len] = item;
        self.len += 1;
    }

    fn as_slice(&self) -> &[Item] {
        &self.items[..self.len]
    }
}
