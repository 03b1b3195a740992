//! An evaluation with terms added to it.

use tesuji_eval::adjust::Adjustments;
use tesuji_eval::condition::Facts;
use tesuji_shogi::{BoardChange, Color, ExchangeValues, Position};

use super::Evaluator;
use crate::score::EVAL_LIMIT;

/// An evaluation, and terms that are added to its scores; there may be none.
pub struct Adjusted<E> {
    base: E,
    terms: Adjustments,
}

impl<E> Adjusted<E> {
    /// This evaluation with these terms.
    pub const fn new(base: E, terms: Adjustments) -> Self {
        Self { base, terms }
    }
}

impl<E: Evaluator> Evaluator for Adjusted<E> {
    type State = E::State;

    fn init(&self, position: &Position, slot: &mut Self::State) {
        self.base.init(position, slot);
    }

    #[inline]
    fn push(
        &self,
        parent: &Self::State,
        slot: &mut Self::State,
        before: &Position,
        change: &BoardChange,
        after: &Position,
    ) {
        self.base.push(parent, slot, before, change, after);
    }

    fn pass(&self, parent: &Self::State, slot: &mut Self::State) {
        self.base.pass(parent, slot);
    }

    #[inline]
    fn score(&self, line: &mut [Self::State], position: &Position) -> i32 {
        let base = self.base.score(line, position);
        if self.terms.is_empty() {
            return base;
        }
        let black = self.terms.score(&Facts::new(position));
        let own = if position.side_to_move() == Color::Black { black } else { -black };
        (base + own).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        self.base.exchange_values()
    }
}
