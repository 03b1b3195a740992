//! A memory-mapped file of games: there may be more of them than memory holds.
#![allow(unsafe_code)]

use std::io::{self, BufWriter, Write};
use std::{fs::File, ops::Range};

use memmap2::Mmap;

/// Where a game lies in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    start: u64,
    len: u32,
}

impl Place {
    fn range(self) -> Option<Range<usize>> {
        let start = usize::try_from(self.start).ok()?;
        Some(start..start.checked_add(self.len as usize)?)
    }
}

/// A store that is being filled: a temporary file without a name, which ends with the program.
pub struct GameStoreWriter {
    file: BufWriter<File>,
    len: u64,
}

impl GameStoreWriter {
    /// An empty store, in the directory for temporary files.
    pub fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), len: 0 })
    }

    /// Appends some bytes.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<Place> {
        let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.file.write_all(bytes)?;
        let place = Place { start: self.len, len };
        self.len += u64::from(len);
        Ok(place)
    }

    /// The store, to be read.
    pub fn finish(self) -> io::Result<GameStore> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.len == 0 {
            return Ok(GameStore { map: None });
        }
        // SAFETY: the file has no name and this program is done with writing it: while it is mapped
        // nobody can change or shorten it.
        let map = unsafe { Mmap::map(&file)? };
        Ok(GameStore { map: Some(map) })
    }
}

/// A store to read from. The system keeps what is used in memory and lets go of the rest.
pub struct GameStore {
    /// An empty file cannot be mapped.
    map: Option<Mmap>,
}

impl GameStore {
    /// What lies there; nothing if it is not a place of this store.
    pub fn get(&self, place: Place) -> &[u8] {
        let bytes = self.map.as_deref().unwrap_or_default();
        place.range().and_then(|range| bytes.get(range)).unwrap_or_default()
    }
}
