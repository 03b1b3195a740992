//! Repetition of positions (sennichite), as the search asks for it.
//!
//! Nothing in shogi is irreversible: a captured piece comes back as a drop, a promoted piece is
//! taken and dropped on its plain side, and the commonest repetitions of practice are exchanges
//! that both players keep refilling from the hand. So the history is never cut at a capture, a drop
//! or a pawn move. Two facts keep the scan short all the same: only positions an even number of
//! plies apart have the same side to move, and none comes back after two plies, because each player
//! would have to put back what the other has moved.

use crate::{Hand, Position};

/// What the recurrence of a board means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// The board has not occurred before, or only with hands that cannot be compared.
    None,
    /// The position has occurred before.
    Draw,
    /// The position has occurred before, and the opponent has given check ever since: the side to
    /// move would win.
    Win,
    /// The position has occurred before, and the side to move has given check ever since: it would
    /// lose.
    Loss,
    /// The board has occurred before, and the side to move now holds more.
    Superior,
    /// The board has occurred before, and the side to move now holds less.
    Inferior,
}

/// What repetition needs to know of each position of a line, the newest last.
///
/// It is a stack beside the search: one [`KeyHistory::push`] for each move that is made, one
/// [`KeyHistory::pop`] for each that is taken back. Boards are compared by their 64-bit key.
///
/// ```
/// use tesuji_shogi::{Game, Repetition};
/// let game = Game::from_usi("startpos moves 2h3h 8b7b 3h2h 7b8b").unwrap();
/// assert_eq!(game.history().repetition(16), Repetition::Draw);
/// assert_eq!(game.history().repetition(3), Repetition::None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyHistory {
    entries: Vec<Entry>,
}

/// One position. Where the board is the same, the two hands together are the same too, so one of
/// them tells the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    board_key: u64,
    /// What the side to move holds.
    hand: Hand,
    /// How many of the last moves of the side to move, without a gap, gave check.
    own_checks: u16,
    /// How many of the last moves of its opponent, without a gap, gave check.
    enemy_checks: u16,
    /// How many moves were made since the first position or the last pass.
    moves: u16,
}

impl KeyHistory {
    /// The fewest plies after which a board can recur.
    const SHORTEST: usize = 4;

    /// The history of a game that starts here. A check in the first position was not given by a
    /// move of this game and counts for nobody.
    pub fn new(start: &Position) -> Self {
        Self { entries: vec![Entry::first(start)] }
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        let entry = match self.entries.last() {
            Some(last) => last.followed_by(position),
            None => Entry::first(position),
        };
        self.entries.push(entry);
    }

    /// Adds the position after a pass. No position before it counts as a repetition from here on,
    /// since a pass is not a move of the game.
    #[inline]
    pub fn push_pass(&mut self, position: &Position) {
        self.entries.push(Entry::first(position));
    }

    /// Forgets the newest position.
    #[inline]
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    /// How many positions there are.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no positions?
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Has the newest board occurred before, at most `max_plies` ago, and what does that mean? The
    /// nearest occurrence with the same or comparable hands decides.
    ///
    /// One earlier occurrence is enough here, where the rules want three: what can be forced once
    /// can be forced again. [`crate::Game::result`] goes by the rules.
    #[inline]
    pub fn repetition(&self, max_plies: usize) -> Repetition {
        let Some((newest, earlier)) = self.entries.split_last() else { return Repetition::None };
        let reach = max_plies.min(usize::from(newest.moves)).min(earlier.len());
        for distance in (Self::SHORTEST..=reach).step_by(2) {
            let entry = earlier[earlier.len() - distance];
            if entry.board_key != newest.board_key {
                continue;
            }
            if entry.hand == newest.hand {
                return self.verdict(distance);
            }
            if newest.hand.covers(entry.hand) {
                return Repetition::Superior;
            }
            if entry.hand.covers(newest.hand) {
                return Repetition::Inferior;
            }
        }
        Repetition::None
    }

    /// What it means that the newest position also stood `distance` plies ago: a loss for the
    /// player whose moves since then were all checks. If that is true of both, neither is more to
    /// blame, and it is a draw.
    pub(super) fn verdict(&self, distance: usize) -> Repetition {
        let Some(newest) = self.entries.last() else { return Repetition::None };
        let moves_each = distance / 2;
        let own = usize::from(newest.own_checks) >= moves_each;
        let enemy = usize::from(newest.enemy_checks) >= moves_each;
        match (own, enemy) {
            (true, false) => Repetition::Loss,
            (false, true) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }
}

impl Entry {
    fn first(position: &Position) -> Self {
        Self {
            board_key: position.board_key(),
            hand: position.hand(position.side_to_move()),
            own_checks: 0,
            enemy_checks: 0,
            moves: 0,
        }
    }

    /// The entry of the position that a move from this one leads to.
    #[inline]
    fn followed_by(self, position: &Position) -> Self {
        Self {
            board_key: position.board_key(),
            hand: position.hand(position.side_to_move()),
            own_checks: self.enemy_checks,
            enemy_checks: if position.in_check() { self.own_checks.saturating_add(1) } else { 0 },
            moves: self.moves.saturating_add(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position in which both players have given check all along may not exist on a real board;
    /// the verdict is defined all the same.
    #[test]
    fn checks_of_both_sides_make_a_draw() {
        let mut history = KeyHistory::new(&Position::startpos());
        let entry = history.entries[0];
        let with = |own_checks, enemy_checks| Entry { own_checks, enemy_checks, moves: 4, ..entry };
        for (own, enemy, expected) in [
            (2, 2, Repetition::Draw),
            (1, 1, Repetition::Draw),
            (2, 1, Repetition::Loss),
            (1, 2, Repetition::Win),
        ] {
            history.entries = vec![entry, entry, entry, entry, with(own, enemy)];
            assert_eq!(history.repetition(4), expected);
        }
    }

    #[test]
    fn nothing_before_a_pass_is_a_repetition() {
        let start = Position::startpos();
        let passed = start.after_pass().unwrap();
        let mut history = KeyHistory::new(&start);
        for position in [passed, start, passed, start] {
            history.push_pass(&position);
        }
        assert_eq!(history.repetition(100), Repetition::None);
        // The same entries without passes do repeat.
        let mut history = KeyHistory::new(&start);
        for position in [passed, start, passed, start] {
            history.push(&position);
        }
        assert_eq!(history.repetition(100), Repetition::Draw);
    }

    #[test]
    fn an_emptied_history_knows_no_repetition() {
        let start = Position::startpos();
        let mut history = KeyHistory::new(&start);
        history.pop();
        assert!(history.is_empty());
        assert_eq!(history.repetition(8), Repetition::None);
        history.push(&start);
        assert_eq!(history, KeyHistory::new(&start));
    }
}
