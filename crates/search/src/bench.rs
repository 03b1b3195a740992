//! Fixed positions searched to a fixed depth: the number of nodes is a checksum of the search.

use tesuji_shogi::{Game, Position};

use crate::limits::Limits;
use crate::positions::POSITIONS;
use crate::searcher::{SearchResult, Searcher};
use crate::stop::Stop;

/// The depth of `tesuji bench`.
pub const DEPTH: u32 = 11;

/// Searches every position with an empty table, so that none depends on another, and hands what
/// came of it to `found`, with its SFEN.
pub fn run(
    searcher: &mut dyn Searcher,
    depth: u32,
    mut found: impl FnMut(&'static str, SearchResult),
) {
    for sfen in POSITIONS {
        let position = Position::from_sfen(sfen).expect("our own positions are possible");
        searcher.clear();
        let limits = Limits::depth(depth);
        found(sfen, searcher.search(&Game::new(position), &limits, Stop::never(), &mut |_| {}));
    }
}
