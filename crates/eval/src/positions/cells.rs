//! Features of single squares: what stands there, and who attacks it.

use tesuji_shogi::{Bitboard, PieceKind, Square};

use super::groups::{ATTACKERS, BALANCES, CODES, Group, NEAR, SQUARES};
use super::perspective::{EMPTY, Perspective};
use crate::moves::attacker_class;

/// A square with what attacks it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    head: Head,
    /// Pieces of the viewer and of the opponent that attack the square.
    attackers: [Bitboard; 2],
}

/// What most features of a square need to know.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Head {
    code: usize,
    /// How many of each side attack it, up to two.
    balance: usize,
    /// The classes of attackers that each side has: a bit each, least ones first.
    classes: [usize; 2],
}

impl Perspective<'_> {
    /// A real square and what attacks it.
    #[inline]
    pub fn cell(&self, real: Square) -> Cell {
        let occupied = self.position.occupied();
        let attackers =
            [self.us, !self.us].map(|color| self.position.attackers(real, color, occupied));
        let [own, enemy] = attackers.map(|attackers| attackers.count().min(2) as usize);
        let classes = attackers.map(|attackers| {
            let pieces = attackers.into_iter().filter_map(|square| self.position.piece_on(square));
            pieces.fold(0, |classes, piece| classes | 1 << attacker_class(piece.kind()))
        });
        let head = Head { code: self.code(real), balance: own * 3 + enemy, classes };
        Cell { head, attackers }
    }

    /// The features of a square.
    #[inline]
    pub fn cell_features(&self, real: Square, cell: &Cell, visit: &mut impl FnMut(usize)) {
        let square = real.seen_by(self.us);
        let near = self.near(square);
        head_features(square, near, cell.head, visit);
        self.attacker_features(square, near, cell.head, cell.attackers, visit);
    }

    /// What the features of a square lose and gain when it changes, with the kings where they were.
    #[inline]
    pub fn cell_difference(
        &self,
        real: Square,
        (before, cell): (&Self, &Cell),
        now: &Cell,
        visit: &mut impl FnMut(usize, i32),
    ) {
        let square = real.seen_by(self.us);
        let near = self.near(square);
        let (mut gone, mut come) = (cell.attackers, now.attackers);
        if cell.head == now.head {
            for side in 0..2 {
                gone[side] = cell.attackers[side].without(now.attackers[side]);
                come[side] = now.attackers[side].without(cell.attackers[side]);
            }
        } else {
            head_features(square, near, cell.head, &mut |feature| visit(feature, -1));
            head_features(square, near, now.head, &mut |feature| visit(feature, 1));
        }
        before.attacker_features(square, near, cell.head, gone, &mut |f| visit(f, -1));
        self.attacker_features(square, near, now.head, come, &mut |f| visit(f, 1));
    }

    #[inline(always)]
    fn attacker_features(
        &self,
        square: Square,
        near: [Option<usize>; 2],
        head: Head,
        attackers: [Bitboard; 2],
        visit: &mut impl FnMut(usize),
    ) {
        for attacker in attackers[0] | attackers[1] {
            let pair = self.code(attacker) * CODES + head.code;
            visit(Group::Reach.feature(pair * SQUARES + square.index()));
            visit(Group::Aim.feature(pair * BALANCES + head.balance));
            for (near, group) in near.into_iter().zip([Group::OwnKingReach, Group::EnemyKingReach])
            {
                if let Some(near) = near {
                    visit(group.feature(pair * NEAR + near));
                }
            }
        }
    }

    /// Where a square lies relative to each king, if it is at most three files and ranks away.
    #[inline(always)]
    fn near(&self, square: Square) -> [Option<usize>; 2] {
        self.kings.map(|king| {
            let files = usize::from(king.file().abs_diff(square.file()));
            let ranks = usize::from(square.rank() + 3).wrapping_sub(usize::from(king.rank()));
            (files <= 3 && ranks <= 6).then(|| files * 7 + ranks)
        })
    }
}

#[inline(always)]
fn head_features(
    square: Square,
    near: [Option<usize>; 2],
    head: Head,
    visit: &mut impl FnMut(usize),
) {
    let state = head.code * BALANCES + head.balance;
    visit(Group::Control.feature(state * SQUARES + square.index()));
    for (near, group) in near.into_iter().zip([Group::OwnKingControl, Group::EnemyKingControl]) {
        if let Some(near) = near {
            visit(group.feature(state * NEAR + near));
        }
    }
    let [own, enemy] = head.classes;
    visit(Group::Tension.feature((head.code * 64 + own) * 64 + enemy));
    if head.code == EMPTY {
        return;
    }
    // The least attacker of each side, from 1, or 0 if there is none.
    let least =
        |classes: usize| if classes == 0 { 0 } else { classes.trailing_zeros() as usize + 1 };
    let [own, enemy] = head.classes.map(least);
    visit(Group::Exposed.feature((state * ATTACKERS + own) * ATTACKERS + enemy));
    let is_own = head.code < PieceKind::COUNT;
    let (guard, attacker) = if is_own { (own, enemy) } else { (enemy, own) };
    if attacker > 0 {
        let index = (head.code * ATTACKERS + attacker) * 2 + usize::from(guard > 0);
        visit(Group::ExposedPlace.feature(index * SQUARES + square.index()));
    }
}
