//! King-relative piece tables, kept from move to move.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::{KingTable, UNITS};
use tesuji_shogi::{Color, ExchangeValues, Move, Origin, Piece, PieceKind, Position, Square};

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

    /// What the move changes in the view of a king that stays where it is.
    #[inline]
    fn worth(&self, table: &KingTable<'_>, before: &Position) -> i32 {
        let side = self.side;
        let hand = before.hand(side);
        let mut worth = table.piece(self.set_down, self.to);
        match self.from {
            Some(from) => worth -= table.piece(self.moved, from),
            None => {
                let kind = self.moved.kind();
                let count = hand.count(kind);
                worth +=
                    table.hand(side, kind, count.saturating_sub(1)) - table.hand(side, kind, count);
            }
        }
        if let Some(captured) = self.captured {
            let kind = captured.kind().unpromoted();
            let count = hand.count(kind);
            worth -= table.piece(captured, self.to);
            worth += table.hand(side, kind, count + 1) - table.hand(side, kind, count);
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
