//! The options of the opening book.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use tesuji_eval::formations::Atlas;
use tesuji_search::book::{self, Book, NO_BOOK, OpeningBook};

/// The options of the opening book with their values.
#[derive(Clone, Debug)]
pub struct BookOptions {
    /// The name or path of the book, and the book itself.
    book: Option<(String, Arc<Book>)>,
    /// The number of the last move that the book is asked for.
    pub moves: u64,
    /// Moves that were played less often are left out.
    pub least_count: u64,
    /// May moves be doubted?
    pub veto: bool,
    /// The seed that is set; with 0 every game has another.
    pub seed: u64,
    /// The seed of the game that is played where none is set.
    drawn_seed: u64,
    /// What is to be said of a book that was taken all the same.
    pub remark: Option<String>,
}

impl Default for BookOptions {
    fn default() -> Self {
        Self {
            book: None,
            moves: OpeningBook::MOVES.into(),
            least_count: OpeningBook::LEAST_COUNT.into(),
            veto: true,
            seed: 0,
            drawn_seed: random_bits(),
            remark: None,
        }
    }
}

impl BookOptions {
    /// The name or path of the book.
    pub fn file(&self) -> &str {
        self.book.as_ref().map_or(NO_BOOK, |(name, _)| name)
    }

    /// Reads a book. One that cannot be read leaves the engine without any: it would be worse to play
    /// by a book that was put away.
    pub fn load(&mut self, name: &str) -> Result<(), String> {
        self.book = None;
        let loaded = book::load(name)
            .map_err(|why| format!("BookFile: {why}; the engine plays without a book"))?;
        let Some(loaded) = loaded else { return Ok(()) };
        self.remark = loaded.complaint().map(|complaint| format!("BookFile: {name}, {complaint}"));
        self.book = Some((name.to_owned(), Arc::new(loaded.book)));
        Ok(())
    }

    /// Another game begins: it is another one by the book too, unless a seed is set.
    pub fn begin_game(&mut self) {
        self.drawn_seed = random_bits();
    }

    /// The seed of the game that is played.
    pub const fn seed_of_game(&self) -> u64 {
        if self.seed == 0 { self.drawn_seed } else { self.seed }
    }

    /// The book as it is asked, its moves doubted by these castles.
    pub fn opening(&self, formations: Option<&Arc<Atlas>>) -> Option<OpeningBook> {
        let (_, book) = self.book.as_ref()?;
        Some(OpeningBook {
            moves: u16::try_from(self.moves).unwrap_or(u16::MAX),
            least_count: u32::try_from(self.least_count).unwrap_or(u32::MAX),
            veto: self.veto.then(|| book::castle_veto(formations)),
            ..OpeningBook::new(Arc::clone(book))
        })
    }
}

/// Bits that nobody can tell before: hash tables of the standard library are made safe with such.
fn random_bits() -> u64 {
    RandomState::new().build_hasher().finish()
}
