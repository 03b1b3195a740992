//! Positions on the command line.

use anyhow::{Result, anyhow};
use tesuji_records::usi;
use tesuji_shogi::{Move, Position};

/// Reads `startpos`, an SFEN or either with `moves …` behind it: the position and the last move, if
/// there is one. The shell may have split the text into words.
pub fn parse(words: &[String]) -> Result<(Position, Option<Move>)> {
    let text = words.join(" ");
    let (start, moves) = usi::parse_game(&text).map_err(|error| anyhow!("{text:?}: {error}"))?;
    let last = moves.last().copied();
    let position = moves.into_iter().fold(start, |position, mv| position.after_unchecked(mv));
    Ok((position, last))
}
