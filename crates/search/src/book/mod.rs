//! The opening book: which moves were played in a position, and how often.
//!
//! Positions are known by board, hands and side to move, whatever the number of the move, so that a
//! position is found by whatever moves a game came to it. [`db`] has the file,
//! [`OpeningBook`] a book in play, [`BookSearcher`] an engine that opens by it.

pub mod db;
mod play;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use tesuji_eval::plausible::{Lore, Openings};
use tesuji_shogi::{Move, Position};

pub use db::{BookError, Fault, Loaded};
pub use play::{BookAnswer, BookSearcher, CastleVeto, OpeningBook, Veto, castle_veto};

/// What names no book.
pub const NO_BOOK: &str = "no_book";

/// The name of the book that comes with the program.
pub const STANDARD: &str = "standard";

/// The book that comes with the program: games of this engine with itself and nothing else (see
/// `docs/formats/book.md`).
const SHIPPED: &str = include_str!("../../data/standard.db");

/// The book that comes with the program.
pub fn shipped() -> Book {
    db::read(SHIPPED.as_bytes()).book
}

/// Reads a book by its name or from its file; `None` for [`NO_BOOK`] and for an empty name.
pub fn load(source: &str) -> Result<Option<Loaded>, BookError> {
    match source {
        none if is_none(none) => Ok(None),
        STANDARD => Ok(Some(db::read(SHIPPED.as_bytes()))),
        path => db::load(path.as_ref()).map(Some),
    }
}

/// Does the name mean that there is no book?
pub fn is_none(source: &str) -> bool {
    ["", "<empty>", NO_BOOK].contains(&source)
}

/// The path of the file that a name of a book means, if it is one.
pub fn file(source: &str) -> Option<&str> {
    (!is_none(source) && source != STANDARD).then_some(source)
}

/// A move of a book, with the numbers that the file has of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move; `None` where the file says that none is known, which is never played.
    pub mv: Option<Move>,
    /// The expected answer.
    pub reply: Option<Move>,
    /// The score in the view of the side to move, in centipawns; 0 where nobody searched.
    pub score: i32,
    /// Plies that were searched for the score.
    pub depth: u32,
    /// How often the move was played.
    pub count: u32,
}

impl BookMove {
    /// A move that was played so often.
    pub const fn played(mv: Move, count: u32) -> Self {
        Self { mv: Some(mv), reply: None, score: 0, depth: 0, count }
    }

    /// What is known of the same move from two sources: counts add up, and the deeper search
    /// counts.
    fn joined(self, other: Self) -> Self {
        let deeper = if other.depth > self.depth { other } else { self };
        Self {
            reply: deeper.reply.or(self.reply).or(other.reply),
            count: self.count.saturating_add(other.count),
            ..deeper
        }
    }
}

/// The moves of a book as opening sequences.
pub fn openings(book: &Book) -> Openings {
    let mut openings = Openings::default();
    for entry in book.entries() {
        let Ok(position) = Position::from_sfen(&format!("{} {}", entry.placement, entry.ply))
        else {
            continue;
        };
        for mv in entry.moves.iter().filter_map(|known| known.mv) {
            openings.add(&position, mv);
        }
    }
    openings
}

/// The knowledge of development that comes with the program, that of its book too.
pub fn lore() -> &'static Lore {
    static LORE: LazyLock<Lore> =
        LazyLock::new(|| Lore { openings: Arc::new(openings(&shipped())), ..Lore::shipped() });
    &LORE
}

/// A position of a book with its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// Board, side to move and hands, as SFEN has them.
    pub placement: &'a str,
    /// The least number of the move at which the position is known.
    pub ply: u16,
    /// The moves, those that were played most first.
    pub moves: &'a [BookMove],
}

/// How often all of these moves were played.
pub fn total(moves: &[BookMove]) -> u64 {
    let played = moves.iter().filter(|known| known.mv.is_some());
    played.map(|known| u64::from(known.count)).sum()
}

/// A book: positions in the order of their text, each with its moves.
///
/// The text of a position is its key. It is what the file has, it is exact where a number of 64 bits
/// could be that of two positions, and looking for one among a million is twenty comparisons.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    texts: String,
    places: Vec<Place>,
    moves: Vec<BookMove>,
}

/// Where the text and the moves of a position end; they begin where those of the one before end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    text_end: usize,
    moves_end: usize,
    ply: u16,
}

impl Book {
    /// How many positions there are.
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Is there no position?
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many moves there are in all positions.
    pub const fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// The positions in the order of their text.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.len()).map(|place| self.entry(place))
    }

    fn entry(&self, place: usize) -> Entry<'_> {
        let (text, moves) = match place.checked_sub(1).map(|before| self.places[before]) {
            Some(before) => (before.text_end, before.moves_end),
            None => (0, 0),
        };
        let Place { text_end, moves_end, ply } = self.places[place];
        let (placement, moves) = (&self.texts[text..text_end], &self.moves[moves..moves_end]);
        Entry { placement, ply, moves }
    }

    /// What the book has of a position.
    pub fn get(&self, position: &Position) -> Option<Entry<'_>> {
        let mut wanted = String::with_capacity(100);
        position.write_placement(&mut wanted);
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.entry(middle);
            match entry.placement.cmp(wanted.as_str()) {
                std::cmp::Ordering::Equal => return Some(entry),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Books as one that follow each other in the order of the file: no position stands in two.
    pub fn in_a_row(parts: &[Self]) -> Self {
        let total = |of: fn(&Self) -> usize| parts.iter().map(of).sum();
        let mut all = Self {
            texts: String::with_capacity(total(|part| part.texts.len())),
            places: Vec::with_capacity(total(Self::len)),
            moves: Vec::with_capacity(total(Self::move_count)),
        };
        for part in parts {
            let (texts, moves) = (all.texts.len(), all.moves.len());
            all.texts.push_str(&part.texts);
            all.moves.extend_from_slice(&part.moves);
            all.places.extend(part.places.iter().map(|place| Place {
                text_end: texts + place.text_end,
                moves_end: moves + place.moves_end,
                ..*place
            }));
        }
        debug_assert!(all.entries().is_sorted_by(|a, b| a.placement < b.placement));
        all
    }

    /// One book of all positions and moves of some; the counts of a move add up.
    pub fn merged<'a>(books: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut draft = Draft::default();
        for entry in books.into_iter().flat_map(Self::entries) {
            draft.add(entry.placement, entry.ply, entry.moves.iter().copied());
        }
        draft.finish()
    }
}

/// One of the moves, drawn by how often it was played: P(move) = its count / the sum of counts. Moves
/// that were played less often than `least` are left out. `random` is any number, all equally
/// likely; `None` if nothing is left to draw from.
pub fn draw(moves: &[BookMove], least: u32, random: u64) -> Option<&BookMove> {
    let some = || moves.iter().filter(|known| known.mv.is_some() && known.count >= least);
    let all: u64 = some().map(|known| u64::from(known.count)).sum();
    let mut rest = ((u128::from(random) * u128::from(all)) >> 64) as u64;
    some().find(|known| {
        let count = u64::from(known.count);
        let here = rest < count;
        rest = rest.saturating_sub(count);
        here
    })
}

/// A book that is being made: positions in any order, some of them perhaps several times.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    texts: String,
    entries: Vec<DraftEntry>,
    moves: Vec<BookMove>,
}

#[derive(Clone, Copy, Debug)]
struct DraftEntry {
    text: (usize, usize),
    moves: (usize, usize),
    ply: u16,
}

impl Draft {
    /// Adds moves of a position; `placement` is what [`Position::write_placement`] writes of it.
    pub fn add(&mut self, placement: &str, ply: u16, moves: impl IntoIterator<Item = BookMove>) {
        let (text, first) = (self.texts.len(), self.moves.len());
        self.texts.push_str(placement);
        self.moves.extend(moves);
        self.entries.push(DraftEntry {
            text: (text, self.texts.len()),
            moves: (first, self.moves.len()),
            ply,
        });
    }

    /// The book: positions and moves in order, each once. A position without moves is none.
    pub fn finish(self) -> Book {
        let Self { texts, mut entries, moves } = self;
        let text = |entry: &DraftEntry| &texts[entry.text.0..entry.text.1];
        entries.sort_by(|a, b| text(a).cmp(text(b)));
        let mut book = Book {
            texts: String::with_capacity(texts.len()),
            places: Vec::with_capacity(entries.len()),
            moves: Vec::with_capacity(moves.len()),
        };
        for same in entries.chunk_by(|a, b| text(a) == text(b)) {
            let first = book.moves.len();
            match same {
                // Most positions have one move, which needs no order.
                [one] if one.moves.1 - one.moves.0 == 1 => book.moves.push(moves[one.moves.0]),
                _ => {
                    let all = same.iter().flat_map(|entry| &moves[entry.moves.0..entry.moves.1]);
                    book.moves.extend(in_order(all.copied().collect()));
                }
            }
            if book.moves.len() == first {
                continue;
            }
            book.texts.push_str(text(&same[0]));
            book.places.push(Place {
                text_end: book.texts.len(),
                moves_end: book.moves.len(),
                ply: same.iter().map(|entry| entry.ply).min().unwrap_or(1),
            });
        }
        book.texts.shrink_to_fit();
        book
    }
}

/// Moves in the order of the file, each once: the most played first, then the best.
fn in_order(mut moves: Vec<BookMove>) -> Vec<BookMove> {
    if moves.len() > 1 {
        moves.sort_by_key(|known| known.mv.map_or(0, Move::to_u16));
        moves.dedup_by(|later, kept| {
            let same = later.mv == kept.mv;
            if same {
                *kept = kept.joined(*later);
            }
            same
        });
        moves.sort_by_key(|known| (u32::MAX - known.count, -i64::from(known.score)));
    }
    moves
}
