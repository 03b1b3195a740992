//! Opening books: made of games, merged, looked into. What a book is and how engines play by it is in
//! [`tesuji_search::book`].

mod build;
mod show;
mod tally;

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use tesuji_run::Observer;
use tesuji_run::atomic::AtomicFile;
use tesuji_search::book::{self, Book, Loaded, db};

pub use build::{BuildOutcome, BuildPlan, build, build_file};
pub use show::{Shown, ShownMove, show};

/// Reads a book by its name or from its file. Lines that are wrong are named to the observer.
pub fn load(source: &str, observer: &dyn Observer) -> Result<Book> {
    let loaded = book::load(source)?.with_context(|| format!("{source}: no opening book"))?;
    faults(source, &loaded).iter().for_each(|line| observer.complain(line));
    Ok(loaded.book)
}

/// What is wrong with a book, a line for each fault.
pub fn faults(source: &str, loaded: &Loaded) -> Vec<String> {
    let mut lines: Vec<String> = loaded
        .faults
        .iter()
        .map(|fault| format!("{source}:{}: {}", fault.line, fault.problem))
        .collect();
    let more = loaded.fault_count - loaded.faults.len();
    if more > 0 {
        lines.push(format!("{source}: {more} more lines are wrong"));
    }
    lines
}

/// Writes a book to a file, which is there whole or not at all.
pub fn save(book: &Book, path: &Path) -> Result<()> {
    let name = || path.display().to_string();
    let compressed = path.extension().is_some_and(|extension| extension == "zst");
    ensure!(!compressed, "{}: engines cannot read a compressed book, expected a name .db", name());
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 16, AtomicFile::create(path)?);
        db::write(book, &mut file)?;
        file.flush()?;
        file.into_inner().map_err(std::io::IntoInnerError::into_error)?.commit()
    };
    write().with_context(name)
}
