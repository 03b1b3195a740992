//! Positions on the command line.

use anyhow::{Result, anyhow};
use tesuji_records::usi;
use tesuji_shogi::Position;

/// Reads `startpos`, an SFEN or either with `moves …` behind it. The shell may have split the text
/// into words.
pub fn parse(words: &[String]) -> Result<Position> {
    let text = words.join(" ");
    let (start, moves) = usi::parse_game(&text).map_err(|error| anyhow!("{error}"))?;
    Ok(moves.into_iter().fold(start, |position, mv| position.after_unchecked(mv)))
}
