//! Formations through a game: a name stays until another fits clearly better.

use tesuji_shogi::{Color, Position};

use super::{Formations, Recognition, SideRecognition, Stage};

/// By how much another castle must fit better before the name changes.
const MARGIN: i32 = 7;
/// The share below which a castle that had a name has none any more.
const GONE: f64 = 0.3;
/// For how many positions in a row it must do so.
const PATIENCE: u8 = 6;

/// Follows both players through a game.
#[derive(Clone, Debug)]
pub struct Tracker<'a> {
    formations: &'a Formations,
    castles: [Option<usize>; 2],
    /// For how many positions another has fitted better.
    doubts: [u8; 2],
    changes: [usize; 2],
}

impl<'a> Tracker<'a> {
    /// At the beginning of a game.
    pub const fn new(formations: &'a Formations) -> Self {
        Self { formations, castles: [None; 2], doubts: [0; 2], changes: [0; 2] }
    }

    /// How often the name of a player's castle has changed, the first name not counted.
    pub const fn changes(&self, color: Color) -> usize {
        self.changes[color.index()]
    }

    /// The next position of the game.
    pub fn see(&mut self, position: &Position) -> Recognition<'a> {
        let mut seen = Recognition::new(self.formations, position);
        for color in Color::ALL {
            self.hold(position, color, seen.of_mut(color));
        }
        seen
    }

    /// Keeps the name that a player's castle has, if none fits clearly better.
    fn hold(&mut self, position: &Position, color: Color, seen: &mut SideRecognition<'a>) {
        let held = &mut self.castles[color.index()];
        let best = seen.castle.as_ref().map(|castle| castle.index);
        let Some(index) = *held else {
            *held = best;
            return;
        };
        let doubts = &mut self.doubts[color.index()];
        if best == Some(index) {
            *doubts = 0;
            return;
        }
        let old = self.formations.castle_fit(position, color, index);
        // Once kings are attacked nobody builds any more.
        let is_open = seen.stage != Stage::Endgame;
        let is_better = match &seen.castle {
            Some(new) => new.score >= old.score + MARGIN || old.complete < GONE,
            None => old.complete < GONE,
        };
        *doubts = if is_better && is_open { *doubts + 1 } else { 0 };
        if *doubts >= PATIENCE {
            *doubts = 0;
            if best.is_some() {
                self.changes[color.index()] += 1;
            }
            *held = best;
        } else {
            seen.candidates.retain(|found| found.index != index);
            let other = seen.castle.replace(old);
            seen.candidates.splice(0..0, other);
        }
    }
}
