//! Games as the text that follows the USI command `position`.

use core::fmt;
use core::str::FromStr;

use super::{Game, IllegalMove};
use crate::{Move, Position, SfenError};

/// Why a text is not a start position with moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum UsiPositionError {
    /// There is nothing to read.
    Empty,
    /// The start position is not a valid SFEN.
    BadStart(SfenError),
    /// Something other than `moves` follows the start position.
    ExpectedMoves { found: String },
    /// The move with this number (1 is the first of the list) is not a move in USI notation.
    BadMove { number: usize, found: String },
    /// The move with this number may not be played.
    IllegalMove { number: usize, error: IllegalMove },
}

impl fmt::Display for UsiPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no position: expected startpos or sfen"),
            Self::BadStart(error) => write!(f, "bad start position: {error}"),
            Self::ExpectedMoves { found } => {
                write!(f, "expected \"moves\" after the start position, found {found:?}")
            }
            Self::BadMove { number, found } => {
                write!(
                    f,
                    "move {number} of the list, {found:?}, is not a move such as 7g7f or P*5e"
                )
            }
            Self::IllegalMove { number, error } => write!(f, "move {number} of the list: {error}"),
        }
    }
}

impl core::error::Error for UsiPositionError {}

impl Game {
    /// Reads `startpos`, `sfen …` or a bare SFEN, each with or without `moves …` behind it and the
    /// word `position` before it.
    ///
    /// ```
    /// use tesuji_shogi::Game;
    /// let game = Game::from_usi("position startpos moves 7g7f 3c3d").unwrap();
    /// assert_eq!(game.moves().len(), 2);
    /// assert_eq!(game.to_usi_position(), "startpos moves 7g7f 3c3d");
    /// ```
    pub fn from_usi(text: &str) -> Result<Self, UsiPositionError> {
        let tokens: Vec<&str> = text.split_ascii_whitespace().collect();
        let tokens = tokens.strip_prefix(&["position"]).unwrap_or(&tokens);
        let (start, rest) = match tokens {
            [] => return Err(UsiPositionError::Empty),
            ["startpos", rest @ ..] => (Position::startpos(), rest),
            ["sfen", rest @ ..] => read_sfen(rest)?,
            bare => read_sfen(bare)?,
        };
        let moves = match rest {
            [] => rest,
            ["moves", moves @ ..] => moves,
            [found, ..] => {
                return Err(UsiPositionError::ExpectedMoves { found: (*found).into() });
            }
        };
        let mut game = Self::new(start);
        for (number, found) in (1..).zip(moves) {
            let mv: Move = found
                .parse()
                .map_err(|_| UsiPositionError::BadMove { number, found: (*found).into() })?;
            game.play(mv).map_err(|error| UsiPositionError::IllegalMove { number, error })?;
        }
        Ok(game)
    }

    /// The start position and the moves, as they follow the USI command `position`.
    pub fn to_usi_position(&self) -> String {
        let start = self.start();
        let mut text = if *start == Position::startpos() {
            String::from("startpos")
        } else {
            format!("sfen {}", start.to_sfen())
        };
        if !self.moves().is_empty() {
            text += " moves";
        }
        for mv in self.moves() {
            text += &format!(" {mv}");
        }
        text
    }
}

impl FromStr for Game {
    type Err = UsiPositionError;

    fn from_str(text: &str) -> Result<Self, UsiPositionError> {
        Self::from_usi(text)
    }
}

/// Reads the SFEN that ends where the tokens do, or at the word `moves`.
fn read_sfen<'a>(tokens: &'a [&'a str]) -> Result<(Position, &'a [&'a str]), UsiPositionError> {
    let end = tokens.iter().position(|&token| token == "moves").unwrap_or(tokens.len());
    let (sfen, rest) = tokens.split_at(end);
    let position = Position::from_sfen(&sfen.join(" ")).map_err(UsiPositionError::BadStart)?;
    Ok((position, rest))
}
