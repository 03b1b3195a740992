//! A game record: the one type that all formats are read into and written from.

use std::time::Duration;

use tesuji_shogi::{GameResult, Move, Outcome, Position};

/// A line such as `Black: Habu`, in the order of the file.
///
/// The keys that all formats know have the names below, whatever the file calls them; any other
/// key is kept word for word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// One of the constants of this type, or the file's own word.
    pub key: String,
    /// The text behind it.
    pub value: String,
}

impl Header {
    /// The player of the black pieces (sente, or the weaker player in a handicap game).
    pub const BLACK: &str = "black";
    /// The player of the white pieces.
    pub const WHITE: &str = "white";
    /// The tournament.
    pub const EVENT: &str = "event";
    /// The place.
    pub const SITE: &str = "site";
    /// Date, and time if known, of the first move.
    pub const STARTED: &str = "started";
    /// Date and time of the end.
    pub const ENDED: &str = "ended";
    /// The time control, as the file writes it.
    pub const TIME_LIMIT: &str = "time-limit";
    /// The name of the opening.
    pub const OPENING: &str = "opening";
}

/// A game with all that its record says of it.
///
/// Two records are equal if their start positions, moves, headers, comments, times, variations and
/// endings are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Headers in the order of the file.
    pub headers: Vec<Header>,
    /// The position before the first move.
    pub start: Position,
    /// Comments before the first move, one line each.
    pub comments: Vec<String>,
    /// The moves that were played.
    pub main: Line,
}

/// A sequence of moves: the game itself, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The moves in order.
    pub moves: Vec<MoveRecord>,
    /// How the line ends, if the record says so.
    pub ending: Option<Ending>,
}

/// A move with what the record says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRecord {
    /// The move.
    pub mv: Move,
    /// How long the player thought.
    pub time: Option<Duration>,
    /// Comments on the position after the move, one line each.
    pub comments: Vec<String>,
    /// Other moves in place of this one: each line starts from the position before this move.
    pub variations: Vec<Line>,
}

/// The end of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won and why.
    pub result: GameResult,
    /// How long the last player thought before it, for example before resigning.
    pub time: Option<Duration>,
    /// Comments on the end.
    pub comments: Vec<String>,
    /// Moves in place of the end, for example what would have followed had the loser not resigned:
    /// each line starts from the position in which the line ended.
    pub variations: Vec<Line>,
}

impl Ending {
    /// An ending of which no more is known.
    pub const fn new(result: GameResult) -> Self {
        Self { result, time: None, comments: Vec::new(), variations: Vec::new() }
    }
}

impl From<Move> for MoveRecord {
    fn from(mv: Move) -> Self {
        Self { mv, time: None, comments: Vec::new(), variations: Vec::new() }
    }
}

impl GameRecord {
    /// A record without moves.
    pub const fn new(start: Position) -> Self {
        Self {
            headers: Vec::new(),
            start,
            comments: Vec::new(),
            main: Line { moves: Vec::new(), ending: None },
        }
    }

    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.key == key).map(|header| &*header.value)
    }

    /// Adds a header; an empty value is not worth one.
    pub fn add_header(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.headers.push(Header { key: key.into(), value: value.into() });
        }
    }

    /// How the game ended.
    pub fn result(&self) -> GameResult {
        self.main.ending.as_ref().map_or(GameResult::UNKNOWN, |ending| ending.result)
    }

    /// Who won.
    pub fn outcome(&self) -> Outcome {
        self.result().outcome
    }

    /// The moves that were played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.main.moves.iter().map(|record| record.mv)
    }

    /// How many variations the record has, those of variations included.
    pub fn variation_count(&self) -> usize {
        let mut waiting = vec![&self.main];
        let mut count = 0;
        while let Some(line) = waiting.pop() {
            let of_moves = line.moves.iter().flat_map(|played| &played.variations);
            let of_end = line.ending.iter().flat_map(|ending| &ending.variations);
            let before = waiting.len();
            waiting.extend(of_moves.chain(of_end));
            count += waiting.len() - before;
        }
        count
    }

    /// Each position of the game with the move that was played there.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move)> + '_ {
        self.moves().scan(self.start, |position, mv| {
            let before = *position;
            position.play_unchecked(mv);
            Some((before, mv))
        })
    }
}
