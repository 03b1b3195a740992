//! A finished game as one line of a journal, from which every other form of it can be made.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_records::{Ending, GameRecord, Header, MoveRecord, tsv, usi};
use tesuji_shogi::{Color, EndReason, Game, GameResult, Outcome};

use crate::game::Played;
use crate::player::{Fault, FaultKind};
use crate::schedule::Fixture;

/// A finished game. Two runs of the same games give the same lines: times are there only where a
/// clock ran.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The number of the game, from 1.
    pub game: u64,
    /// The number of the opening, from 1, in the order of its file.
    pub opening: u64,
    /// Who had the black pieces: the number of the engine, from 1.
    pub black: usize,
    /// Who had the white pieces.
    pub white: usize,
    /// `b`, `w` or `d`.
    pub result: char,
    /// The reason, by the names of `EndReason`.
    pub reason: String,
    /// The start and all moves, as they follow the USI command `position`.
    pub position: String,
    /// How many of the moves the opening had.
    pub opening_moves: usize,
    /// The score before each move that was chosen, in the view of the side to move.
    pub scores: Vec<Option<i32>>,
    /// Plies that were searched for each.
    pub depths: Vec<Option<u32>>,
    /// Nodes that were searched for each.
    pub nodes: Vec<Option<u64>>,
    /// Milliseconds for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ms: Vec<u64>,
    /// Was the game ended by the scores?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjudicated: bool,
    /// What the loser did wrong beside the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

impl GameLine {
    /// How it ended, as counts of games name it.
    pub fn end(&self) -> &str {
        if self.adjudicated { "adjudication" } else { &self.reason }
    }

    /// The line of a game. Times are kept if a clock ran.
    pub fn new(fixture: &Fixture, played: &Played, timed: bool) -> Self {
        let thoughts = &played.thoughts;
        let times = if timed { &*played.times } else { &[] };
        Self {
            game: fixture.number + 1,
            opening: fixture.opening as u64 + 1,
            black: fixture.black + 1,
            white: fixture.white + 1,
            result: tsv::outcome_letter(played.result.outcome),
            reason: played.result.reason.name().to_owned(),
            position: played.game.to_usi_position(),
            opening_moves: played.opening,
            scores: thoughts.iter().map(|thought| thought.score).collect(),
            depths: thoughts.iter().map(|thought| thought.depth).collect(),
            nodes: thoughts.iter().map(|thought| thought.nodes).collect(),
            ms: times.iter().map(|time| time.as_millis() as u64).collect(),
            adjudicated: played.adjudicated,
            fault: played.fault.as_ref().map(|(_, fault)| fault.clone()),
        }
    }

    /// Who won, and why.
    pub fn game_result(&self) -> GameResult {
        let outcome = match self.result {
            'b' => Outcome::Win(Color::Black),
            'w' => Outcome::Win(Color::White),
            'd' => Outcome::Draw,
            _ => Outcome::Unknown,
        };
        let reason = EndReason::from_name(&self.reason).unwrap_or(EndReason::Unknown);
        GameResult { outcome, reason }
    }

    /// What the engine with this number (from 1) got from the game, in half points; `None` if it
    /// did not play.
    pub fn half_points(&self, engine: usize) -> Option<u64> {
        let own = match engine {
            n if n == self.black => Color::Black,
            n if n == self.white => Color::White,
            _ => return None,
        };
        Some(match self.game_result().winner() {
            None => 1,
            Some(winner) if winner == own => 2,
            Some(_) => 0,
        })
    }

    /// The number of the engine at fault, and the kind of fault.
    pub fn at_fault(&self) -> Option<(usize, FaultKind)> {
        let kind = self.fault.as_ref()?.kind;
        let loser = if self.result == 'b' { self.white } else { self.black };
        Some((loser, kind))
    }

    /// The game as a record; an error says what is wrong with the line.
    pub fn record(&self, names: &[String], event: &str) -> Result<GameRecord, String> {
        let (start, moves) = usi::parse_game(&self.position).map_err(|kind| kind.to_string())?;
        let mut record = GameRecord::new(start);
        record.add_header(Header::EVENT, event);
        for (key, number) in [(Header::BLACK, self.black), (Header::WHITE, self.white)] {
            let name = number.checked_sub(1).and_then(|i| names.get(i));
            record.add_header(key, name.map_or("", |name| &**name));
        }
        let first = start.side_to_move();
        for (i, mv) in moves.into_iter().enumerate() {
            let mover = if i % 2 == 0 { first } else { !first };
            let mut played = MoveRecord::from(mv);
            if let Some(chosen) = i.checked_sub(self.opening_moves) {
                played.time = self.ms.get(chosen).copied().map(Duration::from_millis);
                played.comments.extend(self.comment(chosen, mover));
            }
            record.main.moves.push(played);
        }
        let mut ending = Ending::new(self.game_result());
        if self.adjudicated {
            ending.comments.push("ended by the scores of both players".to_owned());
        }
        if let Some(fault) = &self.fault {
            ending.comments.push(fault.to_string());
        }
        record.main.ending = Some(ending);
        Ok(record)
    }

    /// What was thought before a move, as the servers of computer shogi write it behind it: the
    /// score in Black's view, and the number of nodes.
    fn comment(&self, chosen: usize, mover: Color) -> Option<String> {
        let score = self.scores.get(chosen).copied().flatten()?;
        let score = if mover == Color::Black { score } else { -score };
        let nodes = self.nodes.get(chosen).copied().flatten();
        let nodes = nodes.map_or_else(String::new, |nodes| format!(" #{nodes}"));
        Some(format!("* {score}{nodes}"))
    }

    /// The game from its line.
    pub fn replayed(&self) -> Result<Game, String> {
        Game::from_usi(&self.position).map_err(|wrong| wrong.to_string())
    }
}
