//! A book in play: which move it answers with, and an engine that opens by it.

use std::collections::TryReserveError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tesuji_eval::formations::Atlas;
use tesuji_shogi::{Game, Move, Position};

use super::{Book, BookMove, Entry, draw, total};
use crate::limits::Limits;
use crate::params::Values;
use crate::score::Bound;
use crate::searcher::{Info, SearchResult, Searcher, Settings};
use crate::stop::Stop;

/// Somebody who may doubt a move of the book. A move that is doubted is neither played nor forbidden:
/// the position is searched as any other.
pub trait Veto: fmt::Debug + Send + Sync {
    /// Is it better to think about this move than to play it at once?
    fn doubts(&self, position: &Position, mv: Move) -> bool;
}

/// The veto of those who build castles: a move that takes its piece further from its place in the
/// castle that suits best may lead where the engine understands nothing.
#[derive(Clone, Debug)]
pub struct CastleVeto {
    formations: Arc<Atlas>,
}

impl CastleVeto {
    /// A veto by these castles.
    pub const fn new(formations: Arc<Atlas>) -> Self {
        Self { formations }
    }
}

/// The veto by castles, those that come with the program if there are no others.
pub fn castle_veto(formations: Option<&Arc<Atlas>>) -> Arc<dyn Veto> {
    let formations = formations.cloned().unwrap_or_else(Atlas::shipped);
    Arc::new(CastleVeto::new(formations))
}

impl Veto for CastleVeto {
    fn doubts(&self, position: &Position, mv: Move) -> bool {
        self.formations.lowers_castle(position, mv)
    }
}

/// A book in play. It is a plain value but for what it shares.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    /// The book.
    pub book: Arc<Book>,
    /// The number of the last move of a game that the book is asked for: with 10 it may choose the
    /// first ten, five of each player.
    pub moves: u16,
    /// Moves that were played less often are left out.
    pub least_count: u32,
    /// Who may doubt its moves.
    pub veto: Option<Arc<dyn Veto>>,
}

impl OpeningBook {
    /// Moves for which a book is followed if nobody says otherwise.
    pub const MOVES: u16 = 16;

    /// The least count of a move if nobody says otherwise.
    pub const LEAST_COUNT: u32 = 1;

    /// A book that is followed as usual, without a veto.
    pub const fn new(book: Arc<Book>) -> Self {
        Self { book, moves: Self::MOVES, least_count: Self::LEAST_COUNT, veto: None }
    }

    /// The move of the book; `None` if the position is to be searched. It depends on the seed and the
    /// position alone, so that whoever shares both plays the same.
    pub fn answer(&self, game: &Game, limits: &Limits, seed: u64) -> Option<BookAnswer<'_>> {
        let position = game.position();
        // A position that comes again got the same answer before: that would go on for ever.
        if position.ply() > self.moves || game.occurrences() > 1 {
            return None;
        }
        let Entry { moves, .. } = self.book.get(position)?;
        let known = draw(moves, self.least_count, mixed(seed, position.key()))?;
        let mv = known.mv.filter(|&mv| position.is_legal(mv))?;
        let wanted = limits.moves.is_empty() || limits.moves.contains(&mv);
        let doubted = || self.veto.as_ref().is_some_and(|veto| veto.doubts(position, mv));
        (wanted && !doubted()).then(|| BookAnswer { mv, known, of: total(moves) })
    }
}

/// What a book answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookAnswer<'a> {
    /// The move.
    pub mv: Move,
    /// What the book has of it.
    pub known: &'a BookMove,
    /// How often all moves of the position were played.
    pub of: u64,
}

impl BookAnswer<'_> {
    /// The same as the result of a search that took no time.
    pub fn result(&self) -> SearchResult {
        let BookMove { reply, score, depth, .. } = *self.known;
        let line = Info {
            depth,
            multipv: 1,
            score,
            bound: Bound::Exact,
            pv: [Some(self.mv), reply].into_iter().flatten().collect(),
            ..Info::default()
        };
        SearchResult {
            best: Some(self.mv),
            ponder: reply,
            score,
            depth,
            nodes: 0,
            time: Duration::ZERO,
            lines: vec![line],
            from_book: true,
        }
    }
}

impl fmt::Display for BookAnswer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "book: {}, played {} of {} times", self.mv, self.known.count, self.of)
    }
}

/// Random bits that a seed and a position have in common for ever: splitmix64's last steps.
const fn mixed(seed: u64, key: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// An engine that opens by a book and searches where that has nothing to say. Chance comes from
/// [`Settings::seed`].
pub struct BookSearcher {
    inner: Box<dyn Searcher>,
    opening: OpeningBook,
}

impl BookSearcher {
    /// The engine with this book.
    pub const fn new(inner: Box<dyn Searcher>, opening: OpeningBook) -> Self {
        Self { inner, opening }
    }
}

impl Searcher for BookSearcher {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: Stop<'_>,
        info: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        let seed = self.inner.settings().seed;
        let Some(answer) = self.opening.answer(game, limits, seed) else {
            return self.inner.search(game, limits, stop, info);
        };
        let result = answer.result();
        result.lines.iter().for_each(info);
        result
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn resize_table(&mut self, mebibytes: usize) -> Result<(), TryReserveError> {
        self.inner.resize_table(mebibytes)
    }

    fn set_formations(&mut self, formations: Option<Arc<Atlas>>) {
        self.inner.set_formations(formations);
    }

    fn settings(&mut self) -> &mut Settings {
        self.inner.settings()
    }

    fn parameters(&self) -> Values {
        self.inner.parameters()
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        self.inner.set_parameter(name, value)
    }

    fn set_parameters(&mut self, values: &Values) {
        self.inner.set_parameters(values);
    }

    fn evaluate(&self, position: &Position) -> i32 {
        self.inner.evaluate(position)
    }
}
