//! A piece that moves beside all others on the board and in hand, where it comes from and where it goes.

use tesuji_shogi::PieceKind;

use super::features::Facts;
use super::groups::{Group, PLACES};
use super::scene::Scene;
use crate::items;

/// The pairs that a move on the board changes.
struct Change {
    /// The piece where it was and where it goes: their numbers as places and as items.
    gone: usize,
    come: usize,
    /// The item that is taken.
    taken: Option<usize>,
}

impl Change {
    /// `None` for a drop, and where nothing tells left from right.
    #[inline(always)]
    fn new(facts: &Facts) -> Option<Self> {
        let Facts { frame, .. } = *facts;
        let from = facts.seen_from.filter(|_| !frame.folded)?;
        let own = |kind: PieceKind, square| items::placed(kind.index(), frame.square(square));
        Some(Self {
            gone: own(facts.kind, from),
            come: own(facts.standing, facts.seen_to),
            taken: facts.taken.map(|taken| own(taken, facts.seen_to) + PLACES),
        })
    }
}

#[inline(always)]
fn pair(item: usize, place: usize) -> usize {
    Group::Pair.feature(item * PLACES + place)
}

impl Scene<'_> {
    /// Calls `visit` with each pair that a move brings and 1, and with each that it takes away and -1.
    #[inline(always)]
    pub(super) fn for_each_pair(&self, facts: &Facts, visit: &mut impl FnMut(usize, i32)) {
        let Some(Change { gone, come, taken }) = Change::new(facts) else { return };
        for &item in &self.items[usize::from(facts.frame.mirror)] {
            let item = usize::from(item);
            if item != gone && Some(item) != taken {
                visit(pair(item, come), 1);
                visit(pair(item, gone), -1);
            }
        }
    }
}

/// What each own piece on each square is worth beside all pieces of a scene: the fast way to the sum
/// of the pairs that a move changes.
pub(super) struct PairSums<'a> {
    weights: &'a [i16],
    /// As the board is seen, and in a mirror; empty where no move is looked at so.
    sums: [Vec<i32>; 2],
}

impl<'a> PairSums<'a> {
    pub fn new(weights: &'a [i16], scene: &Scene<'_>) -> Self {
        let sums = [false, true].map(|mirror| {
            let is_seen_so = scene.mirror_by_kings().is_none_or(|seen| seen == mirror);
            let items = &scene.items[usize::from(mirror)];
            if is_seen_so { sums(weights, items) } else { Vec::new() }
        });
        Self { weights, sums }
    }

    /// The sum of the weights of all pairs that a move changes.
    #[inline]
    pub fn score(&self, facts: &Facts) -> i32 {
        let Some(Change { gone, come, taken }) = Change::new(facts) else { return 0 };
        let sums = &self.sums[usize::from(facts.frame.mirror)];
        let change = |item: usize| {
            i32::from(self.weights[pair(item, come)]) - i32::from(self.weights[pair(item, gone)])
        };
        sums[come] - sums[gone] - change(gone) - taken.map_or(0, change)
    }
}

fn sums(weights: &[i16], items: &[u16]) -> Vec<i32> {
    let mut sums = vec![0; PLACES];
    for &item in items {
        let row = &weights[pair(item.into(), 0)..][..PLACES];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += i32::from(weight);
        }
    }
    sums
}
