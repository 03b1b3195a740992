//! The maps of castles and assaults beside the evaluation, kept along a line of moves.

use tesuji_eval::formations::{Guide, GuideState};
use tesuji_shogi::{BoardChange, Color, Position};

/// What the maps keep of the positions of a line; without maps it does nothing.
pub struct GuideStack<'a> {
    guide: Option<&'a Guide>,
    states: Vec<GuideState>,
    top: usize,
}

impl<'a> GuideStack<'a> {
    /// Room for a position and so many moves after it.
    pub fn new(guide: Option<&'a Guide>, moves: usize) -> Self {
        let room = if guide.is_some() { moves + 1 } else { 0 };
        Self { guide, states: vec![GuideState::default(); room], top: 0 }
    }

    /// Begins a line with a position.
    pub fn init(&mut self, position: &Position) {
        self.top = 0;
        if let Some(guide) = self.guide {
            self.states[0] = guide.state(position);
        }
    }

    /// A move leads to another position.
    #[inline]
    pub fn push(&mut self, change: &BoardChange, after: &Position) {
        if let Some(guide) = self.guide {
            self.states[self.top + 1] = guide.after(&self.states[self.top], change, after);
            self.top += 1;
        }
    }

    /// The side to move passes.
    pub fn pass(&mut self) {
        if self.guide.is_some() {
            self.states[self.top + 1] = self.states[self.top];
            self.top += 1;
        }
    }

    /// Takes the last move or pass back.
    #[inline]
    pub const fn pop(&mut self) {
        if self.guide.is_some() {
            self.top -= 1;
        }
    }

    /// What the maps add to the score of the present position, in the view of its side to move.
    #[inline]
    pub fn score(&self, position: &Position) -> i32 {
        let Some(guide) = self.guide else { return 0 };
        let black = guide.score(&self.states[self.top]);
        if position.side_to_move() == Color::Black { black } else { -black }
    }
}
