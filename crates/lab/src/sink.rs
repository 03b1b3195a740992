//! Where games are written: a file, a folder of numbered files, or a stream such as standard
//! output.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tesuji_records::{Contents, Format, GameRecord, WriteError, encode_shift_jis, tsv};
use tesuji_run::atomic::{self, AtomicFile, AtomicFolder};
use tesuji_run::compression;

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

    /// What other programs expect there: `.kif` and `.ki2` are Shift_JIS, `.kifu` and `.ki2u` are
    /// UTF-8, and so is everything else.
    pub fn usual(format: Format, output: &Output) -> Self {
        let path = match output {
            Output::File(path) => path,
            Output::Folder(_) if is_japanese(format) => return Self::ShiftJis,
            Output::Folder(_) | Output::Stream => return Self::Utf8,
        };
        let packed = compression::is_named_so(path);
        let name = path.file_stem().map(Path::new).filter(|_| packed).unwrap_or(path);
        let says_utf8 = name.extension().is_some_and(|extension| {
            extension.eq_ignore_ascii_case("kifu") || extension.eq_ignore_ascii_case("ki2u")
        });
        if is_japanese(format) && !says_utf8 { Self::ShiftJis } else { Self::Utf8 }
    }
}

const fn is_japanese(format: Format) -> bool {
    matches!(format, Format::Kif | Format::Ki2)
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
pub fn encode(encoding: Encoding, text: String) -> Result<Encoded, WriteError> {
    let bytes = match encoding {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::ShiftJis => encode_shift_jis(&text)?,
    };
    Ok(Encoded { bytes, encoding })
}

/// The text in the encoding that is usual there, or in UTF-8 if that does not have its characters.
/// A KIF file then says so in its first line.
pub fn encode_usual(usual: Encoding, format: Format, text: String) -> Encoded {
    if usual == Encoding::ShiftJis {
        if let Ok(bytes) = encode_shift_jis(&text) {
            return Encoded { bytes, encoding: usual };
        }
        let first = if format == Format::Kif { "#KIF version=2.0 encoding=UTF-8\n" } else { "" };
        return Encoded { bytes: format!("{first}{text}").into(), encoding: Encoding::Utf8 };
    }
    Encoded { bytes: text.into_bytes(), encoding: Encoding::Utf8 }
}

/// Writes one game to a file whose name says the format, in the encoding that is usual there.
pub fn write_file(path: &Path, game: &GameRecord) -> Result<()> {
    let name = path.display().to_string();
    let kinds = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi];
    let format = Format::of_path(path).filter(|format| kinds.contains(format));
    let format = format.with_context(|| {
        format!("{name}: expected a name that ends in .kif, .kifu, .ki2, .csa, .jkf or .usi")
    })?;
    let text = format.write_game(game).context("no game in this format")?;
    let text = text.with_context(|| name.clone())?;
    let usual = Encoding::usual(format, &Output::File(path.to_owned()));
    atomic::write(path, &encode_usual(usual, format, text).bytes).with_context(|| name)
}

/// The bytes of a game, and what they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// What is written.
    pub bytes: Vec<u8>,
    /// The encoding of the text.
    pub encoding: Encoding,
}

impl From<Vec<u8>> for Encoded {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, encoding: Encoding::Utf8 }
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
    One(PathBuf, Option<Encoded>),
    Folder(PathBuf, AtomicFolder),
}

impl Sink {
    /// A sink for games, or positions, in a format; `stream` is asked for if it is needed.
    pub fn new(
        output: &Output,
        format: Format,
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
            Output::File(path) if one_game => Place::One(path.clone(), None),
            Output::File(path) => {
                let file = AtomicFile::create(path).with_context(|| path.display().to_string())?;
                Place::File(path.clone(), file)
            }
        };
        let mut sink = Self { format, games: 0, place };
        if format == Format::Tsv {
            sink.write(format!("{}\n", tsv::HEADER_LINE).as_bytes())?;
        }
        Ok(sink)
    }

    /// Writes one game, or its positions.
    pub fn write_game(&mut self, game: Encoded) -> Result<()> {
        self.games += 1;
        match &mut self.place {
            Place::One(_, first) if self.games == 1 => *first = Some(game),
            Place::One(path, first) => {
                let mut many = folder(path)?;
                for (number, game) in (1..).zip(first.iter().chain([&game])) {
                    many.write(&file_name(number, self.format, game.encoding), &game.bytes)?;
                }
                self.place = Place::Folder(path.clone(), many);
            }
            Place::Folder(path, many) => {
                let name = file_name(self.games, self.format, game.encoding);
                many.write(&name, &game.bytes).with_context(|| path.display().to_string())?;
            }
            Place::StreamOne(_, first) if self.games == 1 => *first = game.bytes,
            Place::StreamOne(..) => {
                bail!("{} holds one game: write several into a folder with -o", self.format);
            }
            Place::Stream(_) | Place::File(..) => {
                if self.format == Format::Csa && self.games > 1 {
                    self.write(b"/\n")?;
                }
                self.write(&game.bytes)?;
            }
        }
        Ok(())
    }

    /// Did games for which a file was named need a folder?
    pub fn is_folder(&self) -> bool {
        matches!(self.place, Place::Folder(..))
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
            Place::One(path, game) => {
                let bytes = game.map(|game| game.bytes).unwrap_or_default();
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
pub fn file_name(number: u64, format: Format, encoding: Encoding) -> String {
    let utf8 = if is_japanese(format) && encoding == Encoding::Utf8 { "u" } else { "" };
    format!("{number:06}.{format}{utf8}")
}

/// A new folder at the path, where nothing or an empty folder may be.
fn folder(path: &Path) -> Result<AtomicFolder> {
    let found = fs::metadata(path);
    if found.is_ok_and(|found| !found.is_dir()) {
        bail!("{}: several games need a folder, and a file is there", path.display());
    }
    AtomicFolder::create(path).with_context(|| path.display().to_string())
}
