//! What a training needs to know of an evaluation that is made of piece tables.

use tesuji_eval::progress::Progress;
use tesuji_eval::tables::parts::{ALL_CELLS, Parts, SINGLE_CELLS};
use tesuji_eval::tables::{PieceValues, for_each_cell, for_each_single_cell};
use tesuji_eval::{PhaseTables, PieceTables, TablesError, phase};
use tesuji_search::{Evaluator, Phase, Tables};
use tesuji_shogi::{Color, Position};

/// The whole, of which the shares of tables are parts.
pub const WHOLE: u32 = 16;

/// An evaluation that is one piece table, or several that share a position among them.
pub trait Fitted: Clone + Send + Sync {
    /// The evaluation as the search has it.
    type Evaluator: Evaluator;

    /// Cells of each table that can count.
    const CELLS: usize;

    /// The parts of each table.
    fn parts() -> Vec<Parts>;

    /// How much each table counts in a position, in sixteenths.
    fn shares(position: &Position) -> impl Iterator<Item = u32>;

    /// Calls `visit` with each cell that counts in the view of `owner`'s king.
    fn for_each_cell(position: &Position, owner: Color, visit: impl FnMut(usize));

    /// Tables with these parameters, those of one table after those of the other.
    fn new(parameters: &[i16], values: PieceValues) -> Result<Self, TablesError>;

    /// The parameters, in the same order.
    fn parameters(&self) -> Vec<i16>;

    /// The tables.
    fn tables(&self) -> Vec<&PieceTables>;

    /// Sets the piece values.
    fn set_values(&mut self, values: PieceValues);

    /// The piece values.
    fn values(&self) -> &PieceValues;

    /// The evaluation as the search has it.
    fn evaluator(self) -> Self::Evaluator;
}

impl Fitted for PieceTables {
    type Evaluator = Tables;

    const CELLS: usize = ALL_CELLS;

    fn parts() -> Vec<Parts> {
        vec![Parts::all()]
    }

    fn shares(_: &Position) -> impl Iterator<Item = u32> {
        [WHOLE].into_iter()
    }

    fn for_each_cell(position: &Position, owner: Color, visit: impl FnMut(usize)) {
        for_each_cell(position, owner, visit);
    }

    fn new(parameters: &[i16], values: PieceValues) -> Result<Self, TablesError> {
        Self::new(parameters.to_vec(), values)
    }

    fn parameters(&self) -> Vec<i16> {
        self.parameters().to_vec()
    }

    fn tables(&self) -> Vec<&PieceTables> {
        vec![self]
    }

    fn set_values(&mut self, values: PieceValues) {
        self.set_values(values);
    }

    fn values(&self) -> &PieceValues {
        self.values()
    }

    fn evaluator(self) -> Tables {
        Tables::new(self)
    }
}

impl Fitted for PhaseTables {
    type Evaluator = Phase;

    const CELLS: usize = SINGLE_CELLS;

    fn parts() -> Vec<Parts> {
        vec![phase::opening_parts(), phase::endgame_parts()]
    }

    fn shares(position: &Position) -> impl Iterator<Item = u32> {
        let progress = Progress::near_kings(position).sixteenths();
        [WHOLE - progress, progress].into_iter()
    }

    fn for_each_cell(position: &Position, owner: Color, visit: impl FnMut(usize)) {
        for_each_single_cell(position, owner, visit);
    }

    fn new(parameters: &[i16], values: PieceValues) -> Result<Self, TablesError> {
        Self::new(parameters, values)
    }

    fn parameters(&self) -> Vec<i16> {
        self.parameters()
    }

    fn tables(&self) -> Vec<&PieceTables> {
        vec![self.opening(), self.endgame()]
    }

    fn set_values(&mut self, values: PieceValues) {
        self.set_values(values);
    }

    fn values(&self) -> &PieceValues {
        self.values()
    }

    fn evaluator(self) -> Phase {
        Phase::new(self)
    }
}
