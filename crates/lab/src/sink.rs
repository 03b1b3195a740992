//! Where games are written: a file, a folder of numbered files, or a stream such as standard
//! output.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tesuji_records::{Contents, Format, WriteError, encode_shift_jis, tsv};
use tesuji_run::atomic::{self, AtomicFile, AtomicFolder};

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// Shift_JIS, as older programs want it.
    ShiftJis,
}

impl Encoding {
    /// Every encoding by its name.
    pub const NAMES: [(&'static str, Self); 2] =
        [("utf-8", Self::Utf8), ("shift-jis", Self::ShiftJis)];
}

/// Where to write to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// A stream, for one game after the other.
    Stream,
    /// One file.
    File(PathBuf),
    /// A folder of numbered files.
    Folder(PathBuf),
}

impl Output {
    /// `-` is a stream; what exists as a folder or ends like one is a folder.
    pub fn new(path: &Path) -> Self {
        if path == Path::new("-") {
            Self::Stream
        } else if path.is_dir() || path.to_string_lossy().ends_with('/') {
            Self::Folder(path.into())
        } else {
            Self::File(path.into())
        }
    }
}

/// The text in the bytes that are written.
pub fn encode(encoding: Encoding, text: String) -> Result<Vec<u8>, WriteError> {
    match encoding {
        Encoding::Utf8 => Ok(text.into_bytes()),
        Encoding::ShiftJis => encode_shift_jis(&text),
    }
}

/// Takes games one after the other. Nothing is seen of them before [`Sink::finish`], unless
/// they go to a stream.
pub struct Sink {
    format: Format,
    games: u64,
    place: Place,
}

enum Place {
    Stream(Box<dyn Write>),
    /// A format of one game: it waits for a second, for which there is no place.
    StreamOne(Box<dyn Write>, Vec<u8>),
    File(PathBuf, AtomicFile),
    /// A format of one game: the first waits for a second, which would need a folder.
    One(PathBuf, Vec<u8>),
    Folder(PathBuf, AtomicFolder),
}

impl Sink {
    /// A sink for games, or positions, in a format; `stream` is asked for if it is needed.
    pub fn new(
        output: &Output,
        format: Format,
        encoding: Encoding,
        stream: impl FnOnce() -> Box<dyn Write>,
    ) -> Result<Self> {
        let one_game = format.contents() == Contents::OneGame;
        let place = match output {
            Output::Stream if one_game => Place::StreamOne(stream(), Vec::new()),
            Output::Stream => Place::Stream(stream()),
            Output::Folder(path) if one_game => Place::Folder(path.clone(), folder(path)?),
            Output::Folder(path) => {
                bail!("{}: {format} goes into one file, not a folder", path.display())
            }
            Output::File(path) if one_game => Place::One(path.clone(), Vec::new()),
            Output::File(path) => {
                let file = AtomicFile::create(path).with_context(|| path.display().to_string())?;
                Place::File(path.clone(), file)
            }
        };
        let mut sink = Self { format, games: 0, place };
        if format == Format::Tsv {
            sink.write(&encode(encoding, format!("{}\n", tsv::HEADER_LINE))?)?;
        }
        Ok(sink)
    }

    /// Writes one game, or its positions.
    pub fn write_game(&mut self, bytes: &[u8]) -> Result<()> {
        self.games += 1;
        match &mut self.place {
            Place::One(_, first) if self.games == 1 => first.extend_from_slice(bytes),
            Place::One(path, first) => {
                let mut many = folder(path)?;
                many.write(&file_name(1, self.format), first)?;
                many.write(&file_name(2, self.format), bytes)?;
                self.place = Place::Folder(path.clone(), many);
            }
            Place::Folder(path, many) => {
                let name = file_name(self.games, self.format);
                many.write(&name, bytes).with_context(|| path.display().to_string())?;
            }
            Place::StreamOne(_, first) if self.games == 1 => first.extend_from_slice(bytes),
            Place::StreamOne(..) => {
                bail!("{} holds one game: write several into a folder with -o", self.format);
            }
            Place::Stream(_) | Place::File(..) => {
                if self.format == Format::Csa && self.games > 1 {
                    self.write(b"/\n")?;
                }
                self.write(bytes)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.place {
            Place::Stream(out) => out.write_all(bytes)?,
            Place::File(path, file) => {
                file.write_all(bytes).with_context(|| path.display().to_string())?;
            }
            Place::StreamOne(..) | Place::One(..) | Place::Folder(..) => {}
        }
        Ok(())
    }

    /// Puts everything in its place; the paths of what was written.
    pub fn finish(self) -> Result<Vec<String>> {
        let path = match self.place {
            Place::Stream(mut out) => {
                out.flush()?;
                return Ok(Vec::new());
            }
            Place::StreamOne(mut out, bytes) => {
                out.write_all(&bytes)?;
                out.flush()?;
                return Ok(Vec::new());
            }
            Place::File(path, file) => {
                file.commit().with_context(|| path.display().to_string())?;
                path
            }
            Place::One(path, bytes) => {
                atomic::write(&path, &bytes).with_context(|| path.display().to_string())?;
                path
            }
            Place::Folder(path, many) => {
                many.commit().with_context(|| path.display().to_string())?;
                path
            }
        };
        Ok(vec![path.display().to_string()])
    }
}

/// The name of a game's file in a folder.
pub fn file_name(number: u64, format: Format) -> String {
    format!("{number:06}.{format}")
}

/// A new folder at the path, where nothing or an empty folder may be.
fn folder(path: &Path) -> Result<AtomicFolder> {
    let found = fs::metadata(path);
    if found.is_ok_and(|found| !found.is_dir()) {
        bail!("{}: several games need a folder, and a file is there", path.display());
    }
    AtomicFolder::create(path).with_context(|| path.display().to_string())
}
