//! The formats by name, by file name and by content.

use std::fmt;
use std::io::Read;
use std::path::Path;

use crate::{GameRecord, ParseError, Sample, WriteError};
use crate::{csa, hcpe, jkf, ki2, kif, psv, tsv, usi};

/// A way to write games or positions down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Kifu, the common Japanese game record.
    Kif,
    /// The short Japanese game record.
    Ki2,
    /// The format of the Computer Shogi Association; may hold several games.
    Csa,
    /// JSON Kifu Format.
    Jkf,
    /// One game a line, as after `position` in the USI protocol.
    Usi,
    /// The tab-separated collection.
    Tsv,
    /// Packed positions with a score, a move and the result, 40 bytes each.
    Psv,
    /// Huffman-coded positions with a score, a move and the result, 38 bytes each.
    Hcpe,
}

/// What a file of a format holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// One game.
    OneGame,
    /// Any number of games, one after the other.
    Games,
    /// Positions with a score, a move and a result, but no games.
    Samples,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] =
        [Self::Kif, Self::Ki2, Self::Csa, Self::Jkf, Self::Usi, Self::Tsv, Self::Psv, Self::Hcpe];

    /// The name on the command line, which is also the usual extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Jkf => "jkf",
            Self::Usi => "usi",
            Self::Tsv => "tsv",
            Self::Psv => "psv",
            Self::Hcpe => "hcpe",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// What a file of this format holds.
    pub const fn contents(self) -> Contents {
        match self {
            Self::Kif | Self::Ki2 | Self::Jkf => Contents::OneGame,
            Self::Csa | Self::Usi | Self::Tsv => Contents::Games,
            Self::Psv | Self::Hcpe => Contents::Samples,
        }
    }

    /// Can a game of this format have variations?
    pub const fn has_variations(self) -> bool {
        matches!(self, Self::Kif | Self::Ki2 | Self::Jkf)
    }

    /// The format that the extension of a file name means, or the one before `.zst`.
    pub fn of_path(path: &Path) -> Option<Self> {
        if tesuji_run::compression::is_named_so(path) {
            return path.file_stem().and_then(|name| Self::of_path(Path::new(name)));
        }
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "kif" | "kifu" => Some(Self::Kif),
            "ki2" | "ki2u" => Some(Self::Ki2),
            "jkf" | "json" => Some(Self::Jkf),
            "usi" | "sfen" => Some(Self::Usi),
            "bin" => Some(Self::Psv),
            other => Self::from_name(other),
        }
    }

    /// The format of a file that starts with these bytes. Packed positions have no mark to know
    /// them by.
    pub fn of_content(start: &[u8]) -> Option<Self> {
        // Japanese is only looked for in whole lines, which a cut does not garble.
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let whole = start.iter().rposition(is_break).map_or(start, |end| &start[..end]);
        let text = crate::encoding::decode(whole).ok()?;
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.clone().next()?;
        if first.starts_with('{') {
            return Some(Self::Jkf);
        }
        if first.starts_with('#') && first.contains('\t') {
            return Some(Self::Tsv);
        }
        if usi::starts_game(first) {
            return Some(Self::Usi);
        }
        if lines.clone().any(is_csa_line) {
            return Some(Self::Csa);
        }
        if lines.clone().any(|line| line.starts_with(['▲', '△', '☗', '☖'])) {
            return Some(Self::Ki2);
        }
        // Other files have # lines too, opening books for example.
        let is_kif_line = |line: &str| {
            ["手数", "#KIF", "# KIF", "# ----"].iter().any(|word| line.starts_with(word))
                || line.contains('：')
        };
        lines.any(is_kif_line).then_some(Self::Kif)
    }
}

impl Format {
    /// Writes one game; `None` in a format of positions. A row of the tab-separated collection
    /// comes without the line that names the columns.
    pub fn write_game(self, game: &GameRecord) -> Option<Result<String, WriteError>> {
        match self {
            Self::Kif => Some(kif::write(game)),
            Self::Ki2 => Some(ki2::write(game)),
            Self::Csa => Some(csa::write(game)),
            Self::Jkf => Some(jkf::write(game)),
            Self::Usi => Some(usi::write(game)),
            Self::Tsv => Some(Ok(tsv::write_game(game))),
            Self::Psv | Self::Hcpe => None,
        }
    }

    /// Writes one position; `None` in a format of games.
    pub fn write_sample(self, sample: &Sample) -> Option<Result<Vec<u8>, WriteError>> {
        match self {
            Self::Psv => Some(psv::encode(sample).map(Vec::from)),
            Self::Hcpe => Some(hcpe::encode(sample).map(Vec::from)),
            _ => None,
        }
    }

    /// The positions of a file; `None` in a format of games.
    pub fn read_samples<'a>(self, input: impl Read + 'a) -> Option<Samples<'a>> {
        match self {
            Self::Psv => Some(Box::new(psv::reader(input))),
            Self::Hcpe => Some(Box::new(hcpe::reader(input))),
            _ => None,
        }
    }
}

/// The positions of a file, one after the other.
pub type Samples<'a> = Box<dyn Iterator<Item = Result<Sample, ParseError>> + 'a>;

/// A line that only CSA has: the version, a board, the side to move, a move. Several statements
/// may share a line.
fn is_csa_line(line: &str) -> bool {
    let line = line.split(',').next().unwrap_or(line);
    if let [b'+' | b'-', squares @ .., b'A'..=b'Z', b'A'..=b'Z'] = line.as_bytes() {
        return squares.len() == 4 && squares.iter().all(u8::is_ascii_digit);
    }
    let board = ["P1", "PI", "P+", "P-"].iter().any(|word| line.starts_with(word));
    board || matches!(line, "V2" | "V2.1" | "V2.2" | "V3" | "V3.0" | "+" | "-")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
