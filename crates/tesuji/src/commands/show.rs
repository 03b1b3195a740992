//! `tesuji show`: a position, or a position out of a file.

mod describe;

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use clap::Args;
use serde_json::{Map, Value};
use tesuji_records::sample::tsv as table;
use tesuji_records::stream::{Input, Located, RawGames, RecordError};
use tesuji_records::{Contents, Format, GameRecord, Sample, Samples};
use tesuji_shogi::{BoardStyle, Move, Position};

use super::format_parser;
use crate::{output, position};

/// Show a position, or a position out of a file.
#[derive(Args, Debug)]
#[command(after_help = "Files may hold games, packed positions (psv, hcpe), or a table of \
positions, which is tab-separated with a first line that names a column sfen.

Examples:
  tesuji show startpos
  tesuji show startpos moves 7g7f 3c3d 8h2b+ --kanji
  tesuji show game.kif --ply 40
  tesuji show games.tsv --game 12 --json
  tesuji show train.psv --game 1000")]
pub struct ShowArgs {
    /// `startpos` or an SFEN, which `moves …` may follow, or a file; - is standard input.
    #[arg(required = true, value_name = "POSITION|FILE")]
    subject: Vec<String>,
    /// The position after this many moves of the game; after the last one if not given.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ply: Option<usize>,
    /// The number of the game in the file, from 1, or of the position in a file of positions.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// The format of the file, if neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Draw the board in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What to show.
#[derive(Debug)]
pub struct Plan {
    subject: Subject,
    style: BoardStyle,
    json: bool,
}

#[derive(Debug)]
enum Subject {
    Position(Box<Position>, Option<Move>),
    File { input: Input, format: Option<Format>, number: u64, ply: Option<usize> },
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &ShowArgs) -> Result<Self> {
        let style = if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters };
        let subject = match input_of(&args.subject)? {
            Some(input) => {
                Subject::File { input, format: args.from, number: args.game, ply: args.ply }
            }
            None => position_of(args)?,
        };
        Ok(Self { subject, style, json: args.json })
    }
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

fn position_of(args: &ShowArgs) -> Result<Subject> {
    if args.ply.is_some() || args.game != 1 || args.from.is_some() {
        let subject = args.subject.join(" ");
        bail!("--ply, --game and --from are for files, and {subject:?} is none");
    }
    let (position, last) = position::parse(&args.subject)?;
    Ok(Subject::Position(Box::new(position), last))
}

/// Shows it.
pub fn run(plan: &Plan) -> Result<ExitCode> {
    match &plan.subject {
        Subject::Position(position, last) => plan.print(position, *last, String::new, Map::new)?,
        Subject::File { input, format, number, ply } => match find(input, *format, *number)? {
            Found::Game(game) => {
                let (position, last) = position_at(&game, *ply)?;
                let heading = || describe::game_text(&game) + "\n";
                plan.print(&position, last, heading, || describe::game_json(&game, *number))?;
            }
            Found::Sample(sample) => {
                let file = input.name();
                ensure!(
                    ply.is_none(),
                    "{file}: --ply is for games, and this is a file of positions"
                );
                let more = || describe::sample_json(&sample, &file, *number);
                plan.print(&sample.position, None, || describe::sample_text(&sample), more)?;
            }
        },
    }
    Ok(ExitCode::SUCCESS)
}

impl Plan {
    /// Prints a position under a heading, or as JSON with more about it.
    fn print(
        &self,
        position: &Position,
        last: Option<Move>,
        heading: impl FnOnce() -> String,
        more: impl FnOnce() -> Map<String, Value>,
    ) -> Result<()> {
        if self.json {
            let mut shown = describe::position_json(position, last);
            shown.append(&mut more());
            output::print_json(&Value::Object(shown))
        } else {
            output::print(&(heading() + &describe::position_text(position, last, self.style)))
        }
    }
}

/// The position of a game after so many moves, or at its end, with the move before it.
fn position_at(game: &Located<GameRecord>, ply: Option<usize>) -> Result<(Position, Option<Move>)> {
    let moves: Vec<Move> = game.value.moves().collect();
    let Some(played) = moves.get(..ply.unwrap_or(moves.len())) else {
        bail!("{}:{}: the game has {} moves", game.file, game.line, moves.len());
    };
    let start = game.value.start;
    let position = played.iter().fold(start, |position, &mv| position.after_unchecked(mv));
    Ok((position, played.last().copied()))
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
