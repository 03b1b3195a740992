//! Tables of the opening and of the endgame, both kept from move to move, and interpolated by the
//! progress of the game when a score is asked for.

use tesuji_eval::PhaseTables;
use tesuji_eval::progress::Progress;
use tesuji_shogi::{BoardChange, ExchangeValues, Position};

use super::Evaluator;
use super::tables::{Sums, centipawns, sums, sums_after, units};

/// An evaluation of the opening, one of the endgame, and what is between them.
pub struct Phase {
    tables: PhaseTables,
    values: ExchangeValues,
}

impl Phase {
    /// An evaluation with these tables.
    pub fn new(tables: PhaseTables) -> Self {
        let values = tables.values().exchange();
        Self { tables, values }
    }

    /// The tables.
    pub const fn tables(&self) -> &PhaseTables {
        &self.tables
    }
}

impl Evaluator for Phase {
    /// The sums of the opening and of the endgame.
    type State = [Sums; 2];

    fn init(&self, position: &Position, slot: &mut [Sums; 2]) {
        *slot = [self.tables.opening(), self.tables.endgame()].map(|part| sums(part, position));
    }

    #[inline]
    fn push(
        &self,
        [opening, endgame]: &[Sums; 2],
        slot: &mut [Sums; 2],
        before: &Position,
        change: &BoardChange,
        after: &Position,
    ) {
        *slot = [
            sums_after(self.tables.opening(), opening, before, change, after),
            sums_after(self.tables.endgame(), endgame, before, change, after),
        ];
    }

    #[inline]
    fn score(&self, line: &mut [[Sums; 2]], position: &Position) -> i32 {
        let [opening, endgame] = line.last().copied().unwrap_or_default();
        centipawns(Progress::near_kings(position).interpolate(
            units(self.tables.opening(), &opening, position),
            units(self.tables.endgame(), &endgame, position),
        ))
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}
