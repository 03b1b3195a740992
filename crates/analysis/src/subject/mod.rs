//! The position that is meant: given as text, or out of a file.

mod describe;

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail, ensure};
use serde_json::{Map, Value};
use tesuji_records::sample::tsv as table;
use tesuji_records::stream::{Input, Located, RawGames, RecordError};
use tesuji_records::{Contents, Format, GameRecord, Sample, Samples, usi};
use tesuji_shogi::{Move, Position};

pub use self::describe::{position_json, state_text};

/// Which position is meant: a text or a file, and a place in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubjectQuery {
    /// `startpos` or an SFEN, which `moves …` may follow, or a file; `-` is standard input. The
    /// shell may have split a text into words.
    pub subject: Vec<String>,
    /// The position after this many moves of the game; after the last one if not given.
    pub ply: Option<usize>,
    /// The number of the game in the file, from 1, or of the position in a file of positions.
    pub game: u64,
    /// The format of the file, if neither name nor content tells.
    pub from: Option<Format>,
}

/// A position with what is known of it.
#[derive(Debug)]
pub struct Subject {
    /// The position.
    pub position: Position,
    /// The move that led to it.
    pub last: Option<Move>,
    /// The move that was played there, or that is held to be right.
    pub next: Option<Move>,
    source: Source,
}

/// Where a position comes from.
#[derive(Debug)]
enum Source {
    Text,
    Game(Box<Located<GameRecord>>, u64),
    Sample(Box<Sample>, Arc<str>, u64),
}

impl SubjectQuery {
    /// Reads the position.
    pub fn load(&self) -> Result<Subject> {
        match input_of(&self.subject)? {
            None => self.parse(),
            Some(input) => match find(&input, self.from, self.game)? {
                Found::Game(game) => self.out_of_game(game),
                Found::Sample(sample) => self.out_of_samples(sample, input.name()),
            },
        }
    }

    fn parse(&self) -> Result<Subject> {
        if self.ply.is_some() || self.game != 1 || self.from.is_some() {
            let subject = self.subject.join(" ");
            bail!("--ply, --game and --from are for files, and {subject:?} is none");
        }
        Subject::parse(&self.subject)
    }

    /// The position of a game after so many moves, or at its end.
    fn out_of_game(&self, game: Box<Located<GameRecord>>) -> Result<Subject> {
        let moves: Vec<Move> = game.value.moves().collect();
        let ply = self.ply.unwrap_or(moves.len());
        let Some((played, rest)) = moves.split_at_checked(ply) else {
            bail!("{}:{}: the game has {} moves", game.file, game.line, moves.len());
        };
        let start = game.value.start;
        Ok(Subject {
            position: played.iter().fold(start, |position, &mv| position.after_unchecked(mv)),
            last: played.last().copied(),
            next: rest.first().copied(),
            source: Source::Game(game, self.game),
        })
    }

    fn out_of_samples(&self, sample: Box<Sample>, file: Arc<str>) -> Result<Subject> {
        ensure!(self.ply.is_none(), "{file}: --ply is for games, and this is a file of positions");
        let (position, next) = (sample.position, sample.mv);
        Ok(Subject { position, last: None, next, source: Source::Sample(sample, file, self.game) })
    }
}

impl Subject {
    /// The position that a text means, see [`parse_position`]. No file is opened.
    pub fn parse(words: &[String]) -> Result<Self> {
        let (position, last) = parse_position(words)?;
        Ok(Self::new(position, last))
    }

    /// A position of which nothing is known but the move that led to it.
    pub const fn new(position: Position, last: Option<Move>) -> Self {
        Self { position, last, next: None, source: Source::Text }
    }

    /// What is known of the game or the sample, to stand above the board.
    pub fn heading(&self) -> String {
        match &self.source {
            Source::Text => String::new(),
            Source::Game(game, _) => describe::game_text(game) + "\n",
            Source::Sample(sample, ..) => describe::sample_text(sample),
        }
    }

    /// The same for JSON; empty if the position was given as text.
    pub fn source_json(&self) -> Map<String, Value> {
        match &self.source {
            Source::Text => Map::new(),
            Source::Game(game, number) => describe::game_json(game, *number),
            Source::Sample(sample, file, number) => describe::sample_json(sample, file, *number),
        }
    }
}

/// Reads `startpos`, an SFEN or either with `moves …` behind it: the position and the last move, if
/// there is one. The shell may have split the text into words.
pub fn parse_position(words: &[String]) -> Result<(Position, Option<Move>)> {
    let text = words.join(" ");
    let (start, moves) = usi::parse_game(&text).map_err(|error| anyhow!("{text:?}: {error}"))?;
    let last = moves.last().copied();
    let position = moves.into_iter().fold(start, |position, mv| position.after_unchecked(mv));
    Ok((position, last))
}

/// The file that is meant, if it is a file. It may be a pipe, as `<(…)` of a shell is.
fn input_of(words: &[String]) -> Result<Option<Input>> {
    let [word] = words else { return Ok(None) };
    let path = Path::new(word);
    if word == "-" {
        return Ok(Some(Input::Stdin));
    }
    ensure!(!path.is_dir(), "{word}: is a folder, give one of its files");
    // One word is no SFEN, which has spaces.
    let is_position = word.contains(char::is_whitespace) || matches!(&**word, "" | "startpos");
    if path.exists() {
        return Ok(Some(Input::File(PathBuf::from(word))));
    }
    ensure!(is_position, "{word}: no such file, and no position: expected startpos or an SFEN");
    Ok(None)
}

/// What stands at a place of a file.
enum Found {
    Game(Box<Located<GameRecord>>),
    Sample(Box<Sample>),
}

/// The game or the position with this number; bad ones before it count too.
fn find(input: &Input, format: Option<Format>, number: u64) -> Result<Found> {
    let (format, mut bytes) = input.open(format)?;
    let name = input.name();
    let samples: Samples<'_> = if format == Format::Tsv && table::is_table(bytes.fill_buf()?) {
        Box::new(table::Reader::new(bytes))
    } else if format.contents() == Contents::Samples {
        Box::new(format.read_samples(bytes).into_iter().flatten())
    } else {
        let raw = nth(RawGames::new(&name, format, bytes), number, &name, "game")?;
        let value = raw.read()?;
        return Ok(Found::Game(Box::new(Located { file: raw.file, line: raw.line, value })));
    };
    let samples = samples
        .map(|read| read.map_err(|wrong| RecordError::new(&name, wrong.line, wrong.kind.into())));
    Ok(Found::Sample(Box::new(nth(samples, number, &name, "position")?)))
}

/// The entry with this number. An error of the file ends the search, a bad entry only if it is the
/// one that is wanted.
fn nth<T>(
    entries: impl Iterator<Item = Result<T, RecordError>>,
    number: u64,
    file: &str,
    what: &str,
) -> Result<T> {
    let mut count = 0;
    for entry in entries {
        count += 1;
        match entry {
            Err(error) if count == number || !error.is_bad_game() => return Err(error.into()),
            Ok(found) if count == number => return Ok(found),
            _ => {}
        }
    }
    match count {
        0 => bail!("{file}: no {what}s in the file"),
        1 => bail!("{file}: no {what} {number}, there is one"),
        _ => bail!("{file}: no {what} {number}, there are {count}"),
    }
}
