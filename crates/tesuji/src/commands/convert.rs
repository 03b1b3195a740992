//! `tesuji convert`: games from any format into any other.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use tesuji_lab::sink::{self, Encoded, Encoding, Output, Sink};
use tesuji_records::stream::{Input, Located, OpenInput, RawGames, RecordError, RecordErrorKind};
use tesuji_records::{Contents, Format, GameRecord, Sample, WriteError};

use super::{LISTED_ERRORS, error_json, format_parser};
use crate::output::{self, counted};
use crate::progress::{ByteCount, Progress};

/// Convert games between formats, or games into positions for training.
#[derive(Args, Debug)]
#[command(
    after_help = "Several games in a format that holds one (kif, ki2, jkf) become a folder of \
numbered files. Games in a format of positions (psv, hcpe) become one position for each move, with \
the score 0, which game records do not have; games without a result cannot. Bad games are named on \
standard error and left out; the exit code is 0 if anything was converted.

Examples:
  tesuji convert game.kif -o game.csa
  tesuji convert game.kif --to ki2
  tesuji convert games.tsv --to kif -o games/ --encoding utf-8
  tesuji convert games/ --to psv -o games.psv
  cat game.csa | tesuji convert - --to usi"
)]
pub struct ConvertArgs {
    /// Files, folders of files, or - for standard input.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// The format to write; what the extension of OUT says if not given.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
    /// The file or folder to write, or - for standard output.
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// The format of the inputs, for those that neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// How text is written; what other programs expect of the file if not given: Shift_JIS in
    /// .kif and .ki2, UTF-8 in .kifu, .ki2u and all others.
    #[arg(long, value_name = "ENCODING", value_parser = encoding_parser())]
    encoding: Option<Encoding>,
    /// Write nothing and fail if any game is bad.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn encoding_parser() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::NAMES.map(|(name, _)| name)).try_map(|name| {
        let found = Encoding::NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, encoding)| encoding).ok_or("unknown encoding")
    })
}

/// What to convert into what.
#[derive(Debug)]
pub struct ConvertSettings {
    inputs: Vec<Input>,
    from: Option<Format>,
    to: Format,
    output: Output,
    encoding: Option<Encoding>,
    strict: bool,
    json: bool,
}

impl ConvertSettings {
    /// The plan that the flags mean.
    pub fn new(args: &ConvertArgs) -> Result<Self> {
        let ConvertArgs { from, to, encoding, strict, json, .. } = *args;
        let Some(to) = to.or_else(|| Format::of_path(&args.output)) else {
            bail!("which format to write? Give --to, or a file with its extension to -o");
        };
        let japanese = matches!(to, Format::Kif | Format::Ki2 | Format::Csa);
        ensure!(
            encoding != Some(Encoding::ShiftJis) || japanese,
            "only kif, ki2 and csa are written in Shift_JIS, not {to}"
        );
        let output = Output::new(&args.output);
        ensure!(
            !(json && output == Output::Stream),
            "--json and the games would both go to standard output: give a file with -o"
        );
        ensure!(
            !(output == Output::Stream && is_binary(to) && io::stdout().is_terminal()),
            "{to} is no text for a terminal: give a file with -o"
        );
        let inputs = Input::from_paths(&args.inputs)?;
        ensure!(!inputs.is_empty(), "no files of games in what was given");
        Ok(Self { inputs, from, to, output, encoding, strict, json })
    }
}

fn is_binary(format: Format) -> bool {
    format.contents() == Contents::Samples
}

/// Converts and reports.
pub fn run(plan: &ConvertSettings) -> Result<ExitCode> {
    let mut conversion = Conversion::new(plan)?;
    for input in &plan.inputs {
        conversion.convert(input)?;
    }
    conversion.finish()
}

/// A conversion that is under way.
struct Conversion<'a> {
    plan: &'a ConvertSettings,
    sink: Sink,
    progress: Progress,
    read: ByteCount,
    games: u64,
    positions: u64,
    rejected: u64,
    errors: Vec<RecordError>,
    lost: Lost,
}

/// What the games had that the output does not, or has otherwise than was to be expected.
#[derive(Default)]
struct Lost {
    /// Variations, and the games that had them.
    variations: (u64, u64),
    /// Games with characters that Shift_JIS does not have.
    not_shift_jis: u64,
}

impl Lost {
    fn count(&mut self, game: &GameRecord, to: Format) {
        let found = if to.has_variations() { 0 } else { game.variation_count() as u64 };
        self.variations.0 += found;
        self.variations.1 += u64::from(found > 0);
    }

    fn notes(&self, to: Format) -> Vec<String> {
        let mut notes = Vec::new();
        let (variations, games) = self.variations;
        if variations > 0 {
            let (variations, games) = (counted(variations, "variation"), counted(games, "game"));
            notes.push(format!("{to} holds no variations: left out {variations} of {games}"));
        }
        if self.not_shift_jis > 0 {
            let games = counted(self.not_shift_jis, "game");
            notes.push(format!("written in UTF-8: {games} with characters that Shift_JIS lacks"));
        }
        notes
    }
}

impl<'a> Conversion<'a> {
    fn new(plan: &'a ConvertSettings) -> Result<Self> {
        Ok(Self {
            plan,
            sink: Sink::new(&plan.output, plan.to, output::stream)?,
            progress: Progress::through(&plan.inputs),
            read: ByteCount::default(),
            games: 0,
            positions: 0,
            rejected: 0,
            errors: Vec::new(),
            lost: Lost::default(),
        })
    }

    fn convert(&mut self, input: &Input) -> Result<()> {
        let (format, bytes) = input.open_tapped(self.plan.from, |bytes| self.read.tap(bytes))?;
        match (format.contents(), self.plan.to.contents()) {
            (Contents::Samples, Contents::Samples) => self.convert_samples(input, format, bytes),
            (Contents::Samples, _) => bail!(
                "{}: {format} holds single positions, which cannot become games in {}",
                input.name(),
                self.plan.to
            ),
            _ => self.convert_games(input, format, bytes),
        }
    }

    fn convert_games(&mut self, input: &Input, format: Format, bytes: OpenInput) -> Result<()> {
        for raw in RawGames::new(&input.name(), format, bytes) {
            let game = raw.and_then(|raw| {
                let value = raw.read()?;
                Ok(Located { file: raw.file, line: raw.line, value })
            });
            let written = match game {
                Ok(game) => self.write_game(&game)?,
                Err(error) => Err(error),
            };
            match written {
                Ok(()) => self.games += 1,
                Err(error) => self.reject(error)?,
            }
            let games = self.games;
            self.progress.update(self.read.get(), &|| format!("{games} games"));
        }
        Ok(())
    }

    /// Writes a game, or its positions. The outer error is of the output, the inner one says that
    /// the format cannot hold the game.
    fn write_game(&mut self, game: &Located<GameRecord>) -> Result<Result<(), RecordError>> {
        let cannot = |error| RecordError::new(&game.file, game.line, RecordErrorKind::Write(error));
        if let Some(text) = self.plan.to.write_game(&game.value) {
            return match text.and_then(|text| self.encode(text)) {
                Ok(game_text) => {
                    self.lost.count(&game.value, self.plan.to);
                    self.sink.write_game(game_text).map(Ok)
                }
                Err(error) => Ok(Err(cannot(error))),
            };
        }
        let mut bytes = Vec::new();
        let mut positions = 0;
        for sample in game.value.samples(self.games) {
            // A record of a game has no scores, and the formats have no way to say so.
            let scored = Sample { score: Some(0), ..sample };
            match self.plan.to.write_sample(&scored) {
                Some(Ok(record)) => bytes.extend(record),
                Some(Err(error)) => return Ok(Err(cannot(error))),
                None => {}
            }
            positions += 1;
        }
        self.positions += positions;
        self.lost.count(&game.value, self.plan.to);
        self.sink.write_game(bytes.into()).map(Ok)
    }

    /// The text as it was asked for, or else as programs expect it where the file can hold it so.
    fn encode(&mut self, text: String) -> Result<Encoded, WriteError> {
        let plan = self.plan;
        if let Some(encoding) = plan.encoding {
            return sink::encode(encoding, text);
        }
        let usual = Encoding::usual(plan.to, &plan.output);
        let encoded = sink::encode_usual(usual, plan.to, text);
        self.lost.not_shift_jis += u64::from(encoded.encoding != usual);
        Ok(encoded)
    }

    fn convert_samples(&mut self, input: &Input, format: Format, bytes: OpenInput) -> Result<()> {
        let Some(samples) = format.read_samples(bytes) else { return Ok(()) };
        let name = input.name();
        for (number, sample) in (1..).zip(samples) {
            let error = |kind| RecordError::new(&name, number, kind);
            let written = match sample {
                Err(wrong) => Err(error(wrong.kind.into())),
                Ok(sample) => match self.plan.to.write_sample(&sample) {
                    Some(Err(wrong)) => Err(error(wrong.into())),
                    Some(Ok(record)) => Ok(self.sink.write_game(record.into())?),
                    None => Ok(()),
                },
            };
            match written {
                Ok(()) => self.positions += 1,
                Err(error) => self.reject(error)?,
            }
            let positions = self.positions;
            self.progress.update(self.read.get(), &|| format!("{positions} positions"));
        }
        Ok(())
    }

    fn reject(&mut self, error: RecordError) -> Result<()> {
        if !error.is_bad_game() {
            return Err(error.into());
        }
        self.rejected += 1;
        if !self.plan.json {
            self.progress.note(&format!("tesuji: {error}"));
        } else if self.errors.len() < LISTED_ERRORS {
            self.errors.push(error);
        }
        Ok(())
    }

    fn finish(self) -> Result<ExitCode> {
        let Self { plan, sink, progress, games, positions, rejected, errors, lost, .. } = self;
        let keep = games + positions > 0 && !(plan.strict && rejected > 0);
        let mut notes = if keep { lost.notes(plan.to) } else { Vec::new() };
        if let (true, Output::File(path), true) = (keep, &plan.output, sink.is_folder()) {
            let (path, to) = (path.display(), plan.to);
            notes.push(format!(
                "{path}: a folder of {games} files, since {to} holds one game a file"
            ));
        }
        let outputs = if keep { sink.finish()? } else { Vec::new() };
        drop(progress);
        if plan.json {
            let errors: Vec<Value> = errors.iter().map(error_json).collect();
            output::print_json(&json!({
                "games": games,
                "positions": positions,
                "rejected": rejected,
                "errors": errors,
                "outputs": outputs,
                "notes": notes,
            }))?;
        } else {
            notes.iter().for_each(|note| output::complain(note));
            let counts = counts_text(games, positions, rejected);
            let lines = outputs.iter().map(|path| format!("{path}: {counts}\n"));
            output::print(&lines.collect::<String>())?;
        }
        match (keep, rejected) {
            (true, _) => Ok(ExitCode::SUCCESS),
            (false, 0) => bail!("nothing to convert in the input"),
            (false, 1) => bail!("1 game or position is bad, nothing was written"),
            (false, bad) => bail!("{bad} games or positions are bad, nothing was written"),
        }
    }
}

/// What came out, without what is zero.
fn counts_text(games: u64, positions: u64, rejected: u64) -> String {
    let some = |count: u64, text: String| (count > 0).then_some(text);
    let parts = [
        some(games, counted(games, "game")),
        some(positions, counted(positions, "position")),
        some(rejected, format!("{rejected} rejected")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
