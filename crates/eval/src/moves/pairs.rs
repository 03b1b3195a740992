//! Piece pairs (PP): the piece that moves with every other one on the board and in hand, where it
//! comes from and where it goes.

use tesuji_shogi::PieceKind;

use super::context::MoveContext;
use super::features::MoveInfo;
use super::groups::{Group, PLACES};
use crate::piece_square;

/// The pairs that a move on the board changes.
struct Change {
    /// The piece where it was and where it goes, as piece-square indices.
    gone: usize,
    come: usize,
    /// The piece that is taken.
    taken: Option<usize>,
}

impl Change {
    /// `None` for a drop, and where nothing tells left from right.
    #[inline(always)]
    fn new(info: &MoveInfo) -> Option<Self> {
        let MoveInfo { frame, .. } = *info;
        let from = info.seen_from.filter(|_| !frame.folded)?;
        let own =
            |kind: PieceKind, square| piece_square::placed(kind.index(), frame.square(square));
        Some(Self {
            gone: own(info.kind, from),
            come: own(info.standing, info.seen_to),
            taken: info.taken.map(|taken| own(taken, info.seen_to) + PLACES),
        })
    }
}

#[inline(always)]
fn pair(piece_square: usize, place: usize) -> usize {
    Group::Pair.feature(piece_square * PLACES + place)
}

impl MoveContext<'_> {
    /// Calls `visit` with each pair that a move brings and 1, and with each that it takes away and
    /// -1.
    #[inline(always)]
    pub(super) fn for_each_pair(&self, info: &MoveInfo, visit: &mut impl FnMut(usize, i32)) {
        let Some(Change { gone, come, taken }) = Change::new(info) else { return };
        for &piece_square in &self.piece_squares[usize::from(info.frame.mirror)] {
            let piece_square = usize::from(piece_square);
            if piece_square != gone && Some(piece_square) != taken {
                visit(pair(piece_square, come), 1);
                visit(pair(piece_square, gone), -1);
            }
        }
    }
}

/// What each own piece on each square is worth beside all pieces of a position: the fast way to the
/// sum of the pairs that a move changes.
pub(super) struct PairSums<'a> {
    weights: &'a [i16],
    /// As the board is seen, and in a mirror; empty where no move is looked at so.
    sums: [Vec<i32>; 2],
}

impl<'a> PairSums<'a> {
    pub fn new(weights: &'a [i16], context: &MoveContext<'_>) -> Self {
        let sums = [false, true].map(|mirror| {
            let is_seen_so = context.mirror_by_kings().is_none_or(|seen| seen == mirror);
            let piece_squares = &context.piece_squares[usize::from(mirror)];
            if is_seen_so { sums(weights, piece_squares) } else { Vec::new() }
        });
        Self { weights, sums }
    }

    /// The sum of the weights of all pairs that a move changes.
    #[inline]
    pub fn score(&self, info: &MoveInfo) -> i32 {
        let Some(Change { gone, come, taken }) = Change::new(info) else { return 0 };
        let sums = &self.sums[usize::from(info.frame.mirror)];
        let change = |piece_square: usize| {
            i32::from(self.weights[pair(piece_square, come)])
                - i32::from(self.weights[pair(piece_square, gone)])
        };
        sums[come] - sums[gone] - change(gone) - taken.map_or(0, change)
    }
}

fn sums(weights: &[i16], piece_squares: &[u16]) -> Vec<i32> {
    let mut sums = vec![0; PLACES];
    for &piece_square in piece_squares {
        let row = &weights[pair(piece_square.into(), 0)..][..PLACES];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += i32::from(weight);
        }
    }
    sums
}
