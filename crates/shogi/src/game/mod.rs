//! What belongs to a game but not to a position: the moves that led to it, repetition, declaration,
//! and how games end.

mod declaration;
mod handicap;
mod illegality;
mod repetition;
mod result;
mod usi_text;

pub use declaration::{EnteringKing, EnteringKingRule};
pub use handicap::Handicap;
pub use illegality::{IllegalMove, Illegality};
pub use repetition::{KeyHistory, Repetition};
pub use result::{EndReason, GameResult, Outcome};
pub use usi_text::UsiPositionError;

use crate::{Color, Move, Position};

/// What the players have agreed on beside the rules that all games share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// How a player with an entered king may win.
    pub entering_king: EnteringKingRule,
    /// The number of the last move: once it is played without a decision, the game is drawn. Moves
    /// are counted as [`Position::ply`] counts them, so those before an agreed start position count
    /// if its SFEN counts them.
    pub max_moves: Option<u16>,
}

/// A game: its start, its moves, and the way it was ended if a player or the clock ended it.
///
/// ```
/// use tesuji_shogi::{EndReason, Game, GameResult, Position, Rules};
/// let mut game = Game::new(Position::startpos());
/// for _ in 0..3 {
///     for text in ["2h3h", "8b7b", "3h2h", "7b8b"] {
///         assert_eq!(game.result(&Rules::default()), None);
///         game.play(text.parse().unwrap()).unwrap();
///     }
/// }
/// let draw = GameResult::draw(EndReason::Repetition);
/// assert_eq!(game.result(&Rules::default()), Some(draw));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The positions in which the moves were played.
    before: Vec<Position>,
    moves: Vec<Move>,
    current: Position,
    history: KeyHistory,
    ending: Option<GameResult>,
}

impl Game {
    /// How often a position must occur for the game to end.
    const OCCURRENCES: usize = 4;

    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            before: Vec::new(),
            moves: Vec::new(),
            current: start,
            history: KeyHistory::new(&start),
            ending: None,
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        self.before.first().unwrap_or(&self.current)
    }

    /// The position after the last move.
    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// All positions, from the first to the current one.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.before.iter().chain([&self.current])
    }

    /// The moves that were played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// The history that a search from the current position starts with.
    pub const fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Plays a move. It must be legal, and nobody may have ended the game. An end that follows from
    /// the moves alone, such as repetition, is for [`Game::result`] to tell: it depends on what was
    /// agreed, and an analysis may go on beyond it.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let ended = self.ending.map(|_| Illegality::GameOver);
        if let Some(why) = ended.or_else(|| self.current.why_illegal(mv)) {
            return Err(IllegalMove { mv, ply: self.current.ply(), why });
        }
        self.before.push(self.current);
        self.moves.push(mv);
        self.current.play_unchecked(mv);
        self.history.push(&self.current);
        Ok(())
    }

    /// Takes back the last move and returns it; `None` if there is none. If a player or the clock
    /// ended the game, that is taken back too.
    pub fn undo(&mut self) -> Option<Move> {
        self.ending = None;
        self.current = self.before.pop()?;
        self.history.pop();
        self.moves.pop()
    }

    /// A player resigns.
    pub const fn resign(&mut self, color: Color) {
        self.end(GameResult::win(color.flip(), EndReason::Resignation));
    }

    /// The game ends in this way, for a reason outside the board. If it was ended before, the first
    /// ending stands.
    pub const fn end(&mut self, result: GameResult) {
        if self.ending.is_none() {
            self.ending = Some(result);
        }
    }

    /// The side to move declares, and the game ends: as [`Position::declaration`] says, or, if
    /// there is no ground for a declaration, with a loss for the declarer
    /// ([`EndReason::IllegalMove`]). If the game is over already, that result stands.
    pub fn declare(&mut self, rules: &Rules) -> GameResult {
        if let Some(result) = self.result(rules) {
            return result;
        }
        let declarer = self.current.side_to_move();
        let granted = self
            .current
            .declaration(rules.entering_king)
            .filter(|_| rules.entering_king != EnteringKingRule::TryRule);
        let result = granted.unwrap_or(GameResult::win(!declarer, EndReason::IllegalMove));
        self.end(result);
        result
    }

    /// How the game has ended; `None` if it goes on. Asked after every move, it finds each end when
    /// it comes about.
    ///
    /// In this order: what a player or the clock ended; a king's arrival under the try rule; no
    /// legal move, which loses, in check or not; the fourth occurrence of the position; the longest
    /// allowed length. So a mate with the last allowed move is a mate.
    pub fn result(&self, rules: &Rules) -> Option<GameResult> {
        self.ending
            .or_else(|| self.result_by_try(rules))
            .or_else(|| self.result_without_moves())
            .or_else(|| self.result_by_repetition())
            .or_else(|| self.result_by_length(rules))
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.distances_to_same().count()
    }

    /// How many plies ago the current position stood before, the nearest first. Compares the
    /// positions themselves, so that no two keys can be mistaken for each other.
    fn distances_to_same(&self) -> impl Iterator<Item = usize> {
        let same = |other: &Position| {
            other.key() == self.current.key() && other.same_position(&self.current)
        };
        (1..).zip(self.before.iter().rev()).filter(move |(_, other)| same(other)).map(|(n, _)| n)
    }

    /// Only the king's arrival counts, not that it stands there.
    fn result_by_try(&self, rules: &Rules) -> Option<GameResult> {
        let mover = !self.current.side_to_move();
        let king_moved = self.current.king(mover) == Some(self.last_move()?.to());
        let by_try = king_moved && rules.entering_king == EnteringKingRule::TryRule;
        by_try.then(|| self.current.declaration(EnteringKingRule::TryRule)).flatten()
    }

    fn result_without_moves(&self) -> Option<GameResult> {
        if self.current.has_legal_move() {
            return None;
        }
        let in_check = self.current.in_check();
        let reason = if in_check { EndReason::Checkmate } else { EndReason::NoLegalMove };
        Some(GameResult::win(!self.current.side_to_move(), reason))
    }

    /// The fourth occurrence of a position is a draw, unless every move of one player from the
    /// first occurrence to the fourth was a check: then that player loses. The move that led to the
    /// first occurrence lies outside. If every move of both was a check, it is a draw.
    fn result_by_repetition(&self) -> Option<GameResult> {
        let first = self.distances_to_same().nth(Self::OCCURRENCES - 2)?;
        let us = self.current.side_to_move();
        Some(match self.history.verdict(first) {
            Repetition::Win => GameResult::win(us, EndReason::PerpetualCheck),
            Repetition::Loss => GameResult::win(!us, EndReason::PerpetualCheck),
            _ => GameResult::draw(EndReason::Repetition),
        })
    }

    fn result_by_length(&self, rules: &Rules) -> Option<GameResult> {
        let over = rules.max_moves.is_some_and(|last| self.current.ply() > last);
        over.then(|| GameResult::draw(EndReason::MoveLimit))
    }
}
