//! Builds the tree of lines from moves that come in the order of the file.
//!
//! A variation `変化：N手` starts from the line that was read last: its first N − 1 moves stay, and
//! the new line takes the place of the rest. Since the variations of the last moves are written
//! first, this is all that is needed to find where each belongs.

use std::time::Duration;

use tesuji_shogi::{GameResult, Move, Position, Square};

use crate::phrase::{refined, take_phrase};
use crate::{Ending, Line, MoveRecord};

/// How deep variations may lie inside one another. Records made by people stay far below; a file
/// of nothing but nested variations must not use up the stack.
const MAX_DEPTH: usize = 200;
/// What an error says of deeper ones.
pub(super) const TOO_DEEP: &str = "variations nested at most 200 deep";

struct BuiltLine {
    line: Line,
    /// The line and the number of the move there whose place this line takes; a number one past
    /// the last move stands for the end of that line. `None` for the game itself.
    replaces: Option<(usize, usize)>,
    depth: usize,
    /// Comments before the first move.
    early: Vec<String>,
}

/// Why a variation cannot start.
pub(super) enum BadBranch {
    /// The line before is not that long.
    NoSuchMove,
    /// Variations lie too deep inside one another.
    TooDeep,
    /// The variation before this one has neither moves nor an ending.
    Empty,
}

pub(super) struct RecordBuilder {
    lines: Vec<BuiltLine>,
    /// For each move from the start to here, its line and its number there.
    path: Vec<(usize, usize)>,
    /// The positions before each move of the path, and the one after the last.
    positions: Vec<Position>,
}

impl RecordBuilder {
    pub(super) fn new(start: Position) -> Self {
        let main = BuiltLine { line: Line::default(), replaces: None, depth: 0, early: Vec::new() };
        Self { lines: vec![main], path: Vec::new(), positions: vec![start] }
    }

    pub(super) fn position(&self) -> &Position {
        self.positions.last().expect("the start position is never taken away")
    }

    /// The number of the next move, from 1.
    pub(super) fn next_ply(&self) -> usize {
        self.path.len() + 1
    }

    /// The target of the move before.
    pub(super) fn previous_to(&self) -> Option<Square> {
        let &(line, index) = self.path.last()?;
        Some(self.lines[line].line.moves[index].mv.to())
    }

    fn current(&mut self) -> &mut BuiltLine {
        self.lines.last_mut().expect("there is always the line of the game")
    }

    /// The ending of the line that is being read.
    pub(super) fn ending(&mut self) -> Option<&mut Ending> {
        self.current().line.ending.as_mut()
    }

    /// Adds a move that the caller knows to be legal.
    pub(super) fn play(&mut self, mv: Move, time: Option<Duration>) {
        let next = self.position().after_unchecked(mv);
        self.positions.push(next);
        let line = self.lines.len() - 1;
        let current = self.current();
        let comments = std::mem::take(&mut current.early);
        current.line.moves.push(MoveRecord { mv, time, comments, variations: Vec::new() });
        let index = current.line.moves.len() - 1;
        self.path.push((line, index));
    }

    pub(super) fn end(&mut self, result: GameResult, time: Option<Duration>) {
        let current = self.current();
        let comments = std::mem::take(&mut current.early);
        current.line.ending = Some(Ending { result, time, comments, variations: Vec::new() });
    }

    /// Adds a comment on what was read last. Comments before the first move of the game stay apart;
    /// those before the first move of a variation go to that move.
    pub(super) fn comment(&mut self, text: String) {
        let current = self.current();
        if let Some(ending) = &mut current.line.ending {
            ending.comments.push(text);
        } else if let Some(last) = current.line.moves.last_mut() {
            last.comments.push(text);
        } else {
            current.early.push(text);
        }
    }

    /// The result with the reason that the comment before it names, which then is none.
    pub(super) fn refine(&mut self, result: GameResult) -> GameResult {
        let current = self.current();
        let comments = match current.line.moves.last_mut() {
            Some(last) => &mut last.comments,
            None => &mut current.early,
        };
        let refined = comments.last().and_then(|comment| refined(result, comment));
        if refined.is_some() {
            comments.pop();
        }
        refined.unwrap_or(result)
    }

    /// Starts a variation in place of this move.
    pub(super) fn branch(&mut self, ply: usize) -> Result<(), BadBranch> {
        if ply == 0 || ply > self.next_ply() {
            return Err(BadBranch::NoSuchMove);
        }
        if self.is_empty_variation() {
            return Err(BadBranch::Empty);
        }
        self.path.truncate(ply - 1);
        self.positions.truncate(ply);
        let replaces = self.path.last().map_or((0, 0), |&(line, index)| (line, index + 1));
        let depth = self.lines[replaces.0].depth + 1;
        if depth > MAX_DEPTH {
            return Err(BadBranch::TooDeep);
        }
        let (line, early) = (Line::default(), Vec::new());
        self.lines.push(BuiltLine { line, replaces: Some(replaces), depth, early });
        Ok(())
    }

    /// Is the line that is being read a variation that says nothing?
    pub(super) fn is_empty_variation(&mut self) -> bool {
        let current = self.current();
        current.replaces.is_some() && current.line.moves.is_empty() && current.line.ending.is_none()
    }

    /// The start position, and the game with all its variations.
    pub(super) fn finish(mut self) -> (Position, Line) {
        // A line replaces a move of an earlier line, so that the last lines are complete first.
        while let Some((parent, index)) = self.current().replaces
            && let Some(BuiltLine { mut line, .. }) = self.lines.pop()
        {
            settle(&mut line);
            let parent = &mut self.lines[parent].line;
            let siblings = match parent.moves.get_mut(index) {
                Some(record) => &mut record.variations,
                None => {
                    let ending = &mut parent.ending;
                    &mut ending.get_or_insert_with(|| Ending::new(GameResult::UNKNOWN)).variations
                }
            };
            siblings.push(line);
        }
        let mut main = self.lines.swap_remove(0).line;
        settle(&mut main);
        (self.positions[0], main)
    }
}

/// Variations were added from the last to the first, and the reason of an end may stand in its
/// first comment.
fn settle(line: &mut Line) {
    for record in &mut line.moves {
        record.variations.reverse();
    }
    if let Some(ending) = &mut line.ending {
        ending.variations.reverse();
        take_phrase(ending);
    }
}
