//! King-relative piece tables and pairs, kept from move to move.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::{KingTable, UNITS};
use tesuji_shogi::{
    Bitboard, Color, ExchangeValues, Move, Origin, Piece, PieceKind, Position, Square,
};

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

/// What a move changes, whichever king looks at it.
struct Change {
    side: Color,
    /// The piece that moves and the one that it is afterwards.
    moved: Piece,
    set_down: Piece,
    /// `None` for a drop.
    from: Option<Square>,
    to: Square,
    captured: Option<Piece>,
}

impl Change {
    fn new(before: &Position, mv: Move) -> Option<Self> {
        let side = before.side_to_move();
        let to = mv.to();
        let captured = before.piece_on(to);
        let (moved, from) = match mv.origin() {
            Origin::Hand(kind) => (Piece::new(side, kind), None),
            Origin::Board(from) => (before.piece_on(from)?, Some(from)),
        };
        let promoted = if mv.is_promotion() { moved.promoted() } else { None };
        Some(Self { side, moved, set_down: promoted.unwrap_or(moved), from, to, captured })
    }

    /// The kind whose number in the hand of the side to move changes, and how many there are before
    /// and after.
    #[inline]
    fn held(&self, before: &Position) -> Option<(PieceKind, u8, u8)> {
        let hand = before.hand(self.side);
        match (self.from, self.captured) {
            (None, _) => {
                let kind = self.moved.kind();
                Some((kind, hand.count(kind), hand.count(kind).saturating_sub(1)))
            }
            (Some(_), Some(captured)) => {
                let kind = captured.kind().unpromoted();
                Some((kind, hand.count(kind), hand.count(kind) + 1))
            }
            (Some(_), None) => None,
        }
    }

    /// What the move changes in the view of a king that stays where it is.
    #[inline]
    fn worth(&self, table: &KingTable<'_>, before: &Position) -> i32 {
        let mut worth = table.piece(self.set_down, self.to);
        if let Some(from) = self.from {
            worth -= table.piece(self.moved, from);
        }
        if let Some(captured) = self.captured {
            worth -= table.piece(captured, self.to);
        }
        let held = self.held(before);
        if let Some((kind, less, more)) = held {
            worth += table.hand(self.side, kind, more) - table.hand(self.side, kind, less);
        }
        worth + self.pairs(table, before, held)
    }

    /// What the move changes in pairs: those of pieces that come, less those of pieces that go.
    #[inline]
    fn pairs(
        &self,
        table: &KingTable<'_>,
        before: &Position,
        held: Option<(PieceKind, u8, u8)>,
    ) -> i32 {
        let zone = table.zone();
        let from = self.from.and_then(|from| zone.placed(self.moved, from));
        let to = zone.placed(self.set_down, self.to);
        let captured = self.captured.and_then(|captured| zone.placed(captured, self.to));
        let hand = |count: fn((PieceKind, u8, u8)) -> u8| {
            held.and_then(|held| zone.held(self.side, held.0, count(held)))
        };
        let (held_before, held_after) = (hand(|held| held.1), hand(|held| held.2));
        let is_hand_same = held_before == held_after;
        if from.is_none() && to.is_none() && is_hand_same {
            return 0;
        }
        let apart = self.from.map_or(Bitboard::EMPTY, Bitboard::of) | Bitboard::of(self.to);
        let hand_apart = held.filter(|_| !is_hand_same).map(|(kind, ..)| (self.side, kind));
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
    /// The sums in the view of Black's king and of White's.
    type State = [i32; 2];

    fn state(&self, position: &Position) -> [i32; 2] {
        Color::ALL.map(|owner| self.tables.of_king(position, owner).sum(position))
    }

    #[inline]
    fn after(&self, state: &[i32; 2], before: &Position, mv: Move, after: &Position) -> [i32; 2] {
        let Some(change) = Change::new(before, mv) else { return self.state(after) };
        let king_moved = change.moved.kind() == PieceKind::King;
        Color::ALL.map(|owner| {
            let table = self.tables.of_king(after, owner);
            if king_moved && owner == change.side {
                // For a king that has moved every piece stands elsewhere.
                return table.sum(after);
            }
            state[owner.index()] + change.worth(&table, before)
        })
    }

    #[inline]
    fn score(&self, state: &[i32; 2], position: &Position) -> i32 {
        let side = position.side_to_move();
        let units = state[side.index()] - state[(!side).index()] + self.tables.tempo();
        (units / UNITS).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}
