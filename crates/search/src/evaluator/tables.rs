//! King-relative piece tables and pairs, kept from move to move.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::{KingTable, UNITS};
use tesuji_shogi::{Bitboard, BoardChange, Color, ExchangeValues, HandChange, Position};

use super::Evaluator;
use crate::score::EVAL_LIMIT;

/// What each piece is worth by its square and that of each king.
pub struct Tables {
    tables: PieceTables,
    values: ExchangeValues,
}

impl Tables {
    /// An evaluation with these tables.
    pub fn new(tables: PieceTables) -> Self {
        let values = tables.values().exchange();
        Self { tables, values }
    }

    /// The tables.
    pub const fn tables(&self) -> &PieceTables {
        &self.tables
    }
}

/// The sums in the view of Black's king and of White's.
pub(super) type Sums = [i32; 2];

/// The sums of a position, worked out from its pieces.
pub(super) fn sums(tables: &PieceTables, position: &Position) -> Sums {
    Color::ALL.map(|owner| tables.of_king(position, owner).sum(position))
}

/// The sums after a move.
#[inline]
pub(super) fn sums_after(
    tables: &PieceTables,
    parent: &Sums,
    before: &Position,
    change: &BoardChange,
    after: &Position,
) -> Sums {
    let king_moved = change.moves_king();
    Color::ALL.map(|owner| {
        let table = tables.of_king(after, owner);
        if king_moved && owner == change.side {
            // For a king that has moved every piece stands elsewhere.
            return table.sum(after);
        }
        parent[owner.index()] + Difference { table, before, change }.worth()
    })
}

/// What the sums are worth to the side to move, in units.
#[inline]
pub(super) fn units(tables: &PieceTables, sums: &Sums, position: &Position) -> i32 {
    let side = position.side_to_move();
    sums[side.index()] - sums[(!side).index()] + tables.tempo()
}

/// A score of units.
#[inline]
pub(super) fn centipawns(units: i32) -> i32 {
    (units / UNITS).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// What a move changes in the view of one king.
struct Difference<'a> {
    table: KingTable<'a>,
    before: &'a Position,
    change: &'a BoardChange,
}

impl Difference<'_> {
    /// What the move changes in the view of a king that stays where it is.
    #[inline]
    fn worth(&self) -> i32 {
        let Self { table, change, .. } = self;
        let mut worth = table.piece(change.set_down, change.to);
        if let Some(from) = change.from {
            worth -= table.piece(change.moved, from);
        }
        if let Some(captured) = change.captured {
            worth -= table.piece(captured, change.to);
        }
        if let Some(HandChange { kind, before, after }) = change.hand {
            worth += table.hand(change.side, kind, after) - table.hand(change.side, kind, before);
        }
        if table.has_pairs() { worth + self.pairs() } else { worth }
    }

    /// What the move changes in pairs: those of pieces that come, less those of pieces that go.
    #[inline]
    fn pairs(&self) -> i32 {
        let Self { table, before, change } = self;
        let zone = table.zone();
        let from = change.from.and_then(|from| zone.placed(change.moved, from));
        let to = zone.placed(change.set_down, change.to);
        let captured = change.captured.and_then(|captured| zone.placed(captured, change.to));
        let hand = |count: fn(HandChange) -> u8| {
            change.hand.and_then(|hand| zone.held(change.side, hand.kind, count(hand)))
        };
        let (held_before, held_after) = (hand(|hand| hand.before), hand(|hand| hand.after));
        let is_hand_same = held_before == held_after;
        if from.is_none() && to.is_none() && is_hand_same {
            return 0;
        }
        let apart = change.from.map_or(Bitboard::EMPTY, Bitboard::of) | Bitboard::of(change.to);
        let hand_apart = change.hand.filter(|_| !is_hand_same).map(|hand| (change.side, hand.kind));
        let others = zone.pieces(before, apart, hand_apart);
        let others = others.numbers();
        let sum = |item: Option<usize>| item.map_or(0, |item| table.pairs(item, others));
        let pair = |a: Option<usize>, b: Option<usize>| match (a, b) {
            (Some(a), Some(b)) => table.pairs(a, &[b as u16]),
            _ => 0,
        };
        let mut worth = sum(to) - sum(from) - sum(captured) - pair(from, captured);
        if !is_hand_same {
            worth += sum(held_after) + pair(held_after, to);
            worth -= sum(held_before) + pair(held_before, from) + pair(held_before, captured);
        }
        worth
    }
}

impl Evaluator for Tables {
    type State = Sums;

    fn init(&self, position: &Position, slot: &mut Sums) {
        *slot = sums(&self.tables, position);
    }

    #[inline]
    fn push(
        &self,
        parent: &Sums,
        slot: &mut Sums,
        before: &Position,
        change: &BoardChange,
        after: &Position,
    ) {
        *slot = sums_after(&self.tables, parent, before, change, after);
    }

    #[inline]
    fn score(&self, line: &mut [Sums], position: &Position) -> i32 {
        let sums = line.last().copied().unwrap_or_default();
        centipawns(units(&self.tables, &sums, position))
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}
