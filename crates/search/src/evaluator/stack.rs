//! The states of an evaluation along a line of moves.

use tesuji_shogi::{BoardChange, Position};

use super::Evaluator;

/// What an evaluation keeps of the positions of a line, each in a slot of its own. Slots are made
/// once and written again and again: a state may be large.
pub struct StateStack<E: Evaluator> {
    slots: Vec<E::State>,
    /// The slot of the present position.
    top: usize,
}

impl<E: Evaluator> StateStack<E> {
    /// Room for a position and so many moves after it.
    pub fn new(moves: usize) -> Self {
        Self { slots: vec![E::State::default(); moves + 1], top: 0 }
    }

    /// Begins a line with a position.
    pub fn init(&mut self, evaluator: &E, position: &Position) {
        self.top = 0;
        evaluator.init(position, &mut self.slots[0]);
    }

    /// A move leads from one position to the next.
    #[inline]
    pub fn push(
        &mut self,
        evaluator: &E,
        before: &Position,
        change: &BoardChange,
        after: &Position,
    ) {
        let (parent, slot) = self.next();
        evaluator.push(parent, slot, before, change, after);
    }

    /// The side to move passes.
    pub fn pass(&mut self, evaluator: &E) {
        let (parent, slot) = self.next();
        evaluator.pass(parent, slot);
    }

    /// Goes to the next slot.
    #[inline]
    fn next(&mut self) -> (&E::State, &mut E::State) {
        self.top += 1;
        let (line, rest) = self.slots.split_at_mut(self.top);
        (&line[line.len() - 1], &mut rest[0])
    }

    /// Takes the last move or pass back.
    #[inline]
    pub const fn pop(&mut self) {
        self.top -= 1;
    }

    /// The score of the present position in the view of its side to move.
    #[inline]
    pub fn score(&mut self, evaluator: &E, position: &Position) -> i32 {
        evaluator.score(&mut self.slots[..=self.top], position)
    }
}
