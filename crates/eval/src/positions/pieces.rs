//! Piece-square features: where pieces are, one by one and in pairs.

use tesuji_shogi::Square;

use super::groups::{Group, SQUARES};
use super::perspective::{FAR, Perspective, PieceSquare};
use crate::mirror::{HALF, OFFSETS, beside, offset};
use crate::piece_square::PIECES;

impl Perspective<'_> {
    /// Where a single piece is.
    #[inline(always)]
    pub fn piece_square_features(&self, piece_square: &PieceSquare, visit: &mut impl FnMut(usize)) {
        let number = usize::from(piece_square.number);
        let Some(square) = piece_square.place else {
            return visit(Group::Hand.feature(number - PIECES * SQUARES));
        };
        visit(Group::Place.feature(number));
        let [own, enemy] = self.kings.map(|king| usize::from((king.file() - 1) / 3));
        visit(Group::Formation.feature(number * 9 + own * 3 + enemy));
        let code = usize::from(piece_square.code);
        let groups =
            [(Group::OwnKing, Group::OwnKingOffset), (Group::EnemyKing, Group::EnemyKingOffset)];
        for (king, (table, offsets)) in self.kings.into_iter().zip(groups) {
            let (half, by_king) = beside(king, square);
            visit(table.feature((code * HALF + half) * SQUARES + by_king.index()));
            visit(offsets.feature(code * OFFSETS + offset(king, square)));
        }
    }
}

impl PieceSquare {
    /// What two pieces are to each other.
    #[inline(always)]
    pub fn pair_features(a: &Self, b: &Self, visit: &mut impl FnMut(usize)) {
        visit(Group::Pair.feature(unordered(a.number, b.number)));
        if let (Some(from), Some(to)) = (a.place, b.place)
            && from.file().abs_diff(to.file()) <= 2
            && from.rank().abs_diff(to.rank()) <= 2
        {
            neighbours((a.code, from), (b.code, to), visit);
        }
    }

    /// What two pieces near a king are to it.
    #[inline(always)]
    pub fn castle_features(a: &Self, b: &Self, visit: &mut impl FnMut(usize)) {
        for (side, group) in [Group::OwnCastle, Group::EnemyCastle].into_iter().enumerate() {
            if a.zones[side] != FAR && b.zones[side] != FAR {
                visit(group.feature(unordered(a.zones[side], b.zones[side])));
            }
        }
    }
}

/// The number of a set of two different numbers.
#[inline(always)]
fn unordered(a: u16, b: u16) -> usize {
    let (low, high) = (usize::from(a.min(b)), usize::from(a.max(b)));
    high * (high - 1) / 2 + low
}

#[inline(always)]
fn neighbours(a: (u8, Square), b: (u8, Square), visit: &mut impl FnMut(usize)) {
    // Of two equal pieces the one that is farther ahead comes first.
    let key = |(code, square): (u8, Square)| (code, square.rank());
    let (first, second) = if key(a) <= key(b) { (a, b) } else { (b, a) };
    let files = usize::from(first.1.file().abs_diff(second.1.file()));
    let ranks = usize::from(second.1.rank() + 2 - first.1.rank());
    let pair = usize::from(first.0) * PIECES + usize::from(second.0);
    let index = pair * 15 + files * 5 + ranks;
    visit(Group::Neighbours.feature(index));
    visit(Group::NeighboursRank.feature(index * 9 + usize::from(first.1.rank()) - 1));
}
