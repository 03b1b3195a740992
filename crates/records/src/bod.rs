//! BOD: a position as a board diagram, as KIF records draw a start that is no known handicap.
//!
//! ```
//! use tesuji_records::bod;
//! use tesuji_shogi::Position;
//!
//! let text = bod::write(&Position::startpos());
//! assert!(text.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"));
//! assert_eq!(bod::read(&text), Ok(Position::startpos()));
//! ```

use tesuji_shogi::Position;

use crate::{ParseError, kakinoki, kif};

/// Reads a diagram, with pieces in hand and the side to move. Headers and comments around it are
/// passed over. A text without a diagram means the start of the handicap that it names, or of an
/// even game.
pub fn read(text: &str) -> Result<Position, ParseError> {
    kif::read(text).map(|record| record.start)
}

/// Draws a position.
pub fn write(position: &Position) -> String {
    kakinoki::write_diagram(position)
}
