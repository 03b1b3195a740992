//! Many files in, one collection out.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use thiserror::Error;

use super::manifest::{ManifestSplit, Meter, SharedMeter};
use super::{FileSummary, GameKey, Manifest, Part, Split};
use crate::stream::{Input, OpenInput, RawGame, RawGames, RecordError};
use crate::{Format, tsv};
use tesuji_run::atomic::{AtomicFile, FinishedFile};

/// How much text is under way at a time. Enough to keep all threads busy, and all that is in
/// memory of the largest collection.
const CHUNK_BYTES: usize = 256 << 10;

/// What to import, how, and where to.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportPlan {
    /// The files, read in this order.
    pub inputs: Vec<Input>,
    /// The format of all of them; found out for each if `None`.
    pub format: Option<Format>,
    /// The collection; a split adds `.train` and `.test` before the extension.
    pub output: PathBuf,
    /// Leave out games that came up before.
    pub dedup: bool,
    /// Write two collections instead of one.
    pub split: Option<Split>,
    /// How many threads read games.
    pub threads: usize,
    /// Write nothing if any game or file is bad.
    pub strict: bool,
    /// The command, for the manifest.
    pub command: Vec<String>,
}

/// What happens during an import.
#[derive(Clone, Copy, Debug)]
pub enum ImportEvent<'a> {
    /// A game cannot be read and is left out, or a file from here on.
    Rejected(&'a RecordError),
    /// So much has been done.
    Progress {
        /// Bytes read.
        bytes: u64,
        /// Games kept.
        games: u64,
    },
}

/// What an import did.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportReport {
    /// Everything but the time that it took.
    pub manifest: Manifest,
    /// Where the manifest was written; `None` if nothing was.
    pub manifest_path: Option<PathBuf>,
    /// From opening the first file to the last change of name.
    pub elapsed: Duration,
}

impl ImportReport {
    /// Moves of the games that were kept, by the time for everything.
    pub fn moves_per_second(&self) -> f64 {
        self.manifest.moves as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// An import failed as a whole.
#[derive(Debug, Error)]
pub enum ImportError {
    /// An output cannot be written.
    #[error("{}: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Reads all games, replays them, and writes the good ones in their order. The files are the same
/// byte for byte at any number of threads, and appear only when all of them are complete. Nothing
/// is written if no game is good, or if one is bad and the plan is strict. A file that cannot be
/// read, or not to its end, is named, and the others are read.
pub fn import(
    plan: &ImportPlan,
    watch: impl FnMut(ImportEvent<'_>) + Send,
) -> Result<ImportReport, ImportError> {
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads.max(1)).build()?;
    let mut source = Source::new(plan);
    let mut collector = Collector::new(plan, watch)?;
    pool.install(|| run(&mut source, &mut collector))?;
    let (manifest, manifest_path) = collector.finish(&source)?;
    Ok(ImportReport { manifest, manifest_path, elapsed: started.elapsed() })
}

/// The pipeline: while one chunk is parsed on all threads, one of them first writes the chunk
/// before and reads the chunk after. Order needs no care and memory is that of three chunks.
fn run<W: FnMut(ImportEvent<'_>) + Send>(
    source: &mut Source<'_>,
    collector: &mut Collector<'_, W>,
) -> Result<(), ImportError> {
    let mut raw = source.next_chunk();
    let mut ready = Vec::new();
    while !raw.is_empty() {
        let (parsed, next) = rayon::join(
            || raw.into_par_iter().with_min_len(4).map(prepare).collect(),
            || -> Result<_, ImportError> {
                collector.take(std::mem::take(&mut ready), source.bytes_read())?;
                Ok(source.next_chunk())
            },
        );
        ready = parsed;
        raw = next?;
    }
    collector.take(ready, source.bytes_read())
}

/// A game that is ready to be written.
struct Prepared {
    key: GameKey,
    row: String,
    moves: u64,
}

/// Something with the number of the input that it is from.
type FromInput<T> = (usize, Result<T, RecordError>);

/// Everything that can be done for a game without knowing the others.
fn prepare((input, raw): FromInput<RawGame>) -> FromInput<Prepared> {
    let prepared = raw.and_then(|raw| raw.read()).map(|game| {
        let text = tsv::moves_text(&game);
        Prepared {
            key: GameKey::of_text(&game.start, &text),
            row: tsv::write_with_moves(&game, &text),
            moves: game.main.moves.len() as u64,
        }
    });
    (input, prepared)
}

/// The inputs, cut into games.
struct Source<'a> {
    plan: &'a ImportPlan,
    /// One for each input that was opened.
    meters: Vec<SharedMeter>,
    current: Option<RawGames<OpenInput>>,
    bytes_before: u64,
}

impl<'a> Source<'a> {
    const fn new(plan: &'a ImportPlan) -> Self {
        Self { plan, meters: Vec::new(), current: None, bytes_before: 0 }
    }

    /// The next games, none at the end of the last input. An error that is about a whole input
    /// ends that one, and the next follows.
    fn next_chunk(&mut self) -> Vec<FromInput<RawGame>> {
        let mut chunk = Vec::new();
        let mut bytes = 0;
        while bytes < CHUNK_BYTES {
            let next = match &mut self.current {
                Some(games) => games.next().or_else(|| self.close().err().map(Err)),
                None => match self.open_next() {
                    None => break,
                    Some(opened) => opened.err().map(Err),
                },
            };
            if let Some(raw) = next {
                bytes += raw.as_ref().map_or(0, RawGame::len);
                chunk.push((self.meters.len() - 1, raw));
            }
        }
        chunk
    }

    /// Opens the next input; `None` if there is none.
    fn open_next(&mut self) -> Option<Result<(), RecordError>> {
        let input = self.plan.inputs.get(self.meters.len())?;
        let meter = SharedMeter::default();
        self.meters.push(meter.clone());
        let opened = input.open_tapped(self.plan.format, |bytes| meter.tap(bytes));
        Some(opened.map(|(format, bytes)| {
            self.current = Some(RawGames::new(&input.name(), format, bytes));
        }))
    }

    /// Reads what is left of the current input, so that its hash is of the whole file.
    fn close(&mut self) -> Result<(), RecordError> {
        let drained = self.current.take().map_or(Ok(()), RawGames::drain);
        self.bytes_before += self.meters.last().map_or(0, |meter| meter.lock().bytes);
        drained
    }

    fn bytes_read(&self) -> u64 {
        let current = self.current.as_ref().and_then(|_| self.meters.last());
        self.bytes_before + current.map_or(0, |meter| meter.lock().bytes)
    }
}

/// The other end: decides which games are kept, and writes them.
struct Collector<'a, W> {
    plan: &'a ImportPlan,
    watch: W,
    seen: HashSet<GameKey>,
    files: Vec<OutputFile>,
    /// Games and moves of each input.
    found: Vec<(u64, u64)>,
    duplicates: u64,
    rejected: u64,
    /// What is wrong with each input, if it could not be read to its end.
    unreadable: Vec<Option<String>>,
}

/// A collection that is being written.
struct OutputFile {
    path: PathBuf,
    part: Option<Part>,
    file: AtomicFile,
    meter: Meter,
    games: u64,
    moves: u64,
}

impl<'a, W: FnMut(ImportEvent<'_>)> Collector<'a, W> {
    fn new(plan: &'a ImportPlan, watch: W) -> Result<Self, ImportError> {
        let parts = match plan.split {
            Some(_) => vec![Some(Part::Train), Some(Part::Test)],
            None => vec![None],
        };
        let open = |part| OutputFile::create(&plan.output, part);
        Ok(Self {
            plan,
            watch,
            seen: HashSet::new(),
            files: parts.into_iter().map(open).collect::<Result<_, _>>()?,
            found: vec![(0, 0); plan.inputs.len()],
            duplicates: 0,
            rejected: 0,
            unreadable: vec![None; plan.inputs.len()],
        })
    }

    fn take(&mut self, ready: Vec<FromInput<Prepared>>, bytes: u64) -> Result<(), ImportError> {
        for (input, prepared) in ready {
            let found = &mut self.found[input];
            match prepared {
                Err(error) if !error.is_bad_game() => {
                    // What was closed after it failed fails once more.
                    if self.unreadable[input].is_none() {
                        self.unreadable[input] = Some(error.kind.to_string());
                        (self.watch)(ImportEvent::Rejected(&error));
                    }
                }
                Err(error) => {
                    found.0 += 1;
                    self.rejected += 1;
                    (self.watch)(ImportEvent::Rejected(&error));
                }
                Ok(game) => {
                    found.0 += 1;
                    found.1 += game.moves;
                    self.take_good(&game)?;
                }
            }
        }
        let games = self.files.iter().map(|file| file.games).sum();
        (self.watch)(ImportEvent::Progress { bytes, games });
        Ok(())
    }

    fn take_good(&mut self, game: &Prepared) -> Result<(), ImportError> {
        if self.plan.dedup && !self.seen.insert(game.key) {
            self.duplicates += 1;
            return Ok(());
        }
        let part = self.plan.split.map(|split| split.part(game.key));
        match self.files.iter_mut().find(|file| file.part == part) {
            Some(file) => file.add(game),
            None => Ok(()),
        }
    }

    fn finish(self, source: &Source<'_>) -> Result<(Manifest, Option<PathBuf>), ImportError> {
        let inputs = self.plan.inputs.iter().zip(&source.meters).zip(&self.found);
        let inputs = inputs.zip(&self.unreadable);
        let mut manifest = Manifest {
            format: Manifest::FORMAT.into(),
            version: Manifest::VERSION,
            program: concat!("tesuji ", env!("CARGO_PKG_VERSION")).into(),
            command: self.plan.command.clone(),
            dedup: self.plan.dedup,
            split: self.plan.split.map(ManifestSplit::from),
            games: self.files.iter().map(|file| file.games).sum(),
            moves: self.files.iter().map(|file| file.moves).sum(),
            duplicates: self.duplicates,
            rejected: self.rejected,
            unreadable: self.unreadable.iter().flatten().count() as u64,
            inputs: inputs
                .map(|(((input, meter), &(games, moves)), error)| {
                    let summary = meter.lock().summary(input.name().to_string(), games, moves);
                    FileSummary { error: error.clone(), ..summary }
                })
                .collect(),
            outputs: Vec::new(),
        };
        let bad = self.rejected + manifest.unreadable;
        if manifest.games == 0 || (self.plan.strict && bad > 0) {
            return Ok((manifest, None));
        }
        manifest.outputs = self.files.iter().map(OutputFile::summary).collect();
        let path = Manifest::path_for(&self.plan.output);
        commit(self.files, &manifest, &path)?;
        Ok((manifest, Some(path)))
    }
}

/// Puts everything on the disk, then everything in its place, the manifest last: a manifest whose
/// hashes are right proves that the files are complete.
fn commit(files: Vec<OutputFile>, manifest: &Manifest, path: &Path) -> Result<(), ImportError> {
    let failed = |path: &Path, error| ImportError::Output { path: path.into(), error };
    let mut finished: Vec<(PathBuf, FinishedFile)> = Vec::new();
    for OutputFile { path, file, .. } in files {
        let file = file.finish().map_err(|error| failed(&path, error))?;
        finished.push((path, file));
    }
    let last = AtomicFile::create(path)
        .and_then(|mut file| {
            file.write_all(manifest.to_json().as_bytes())?;
            file.finish()
        })
        .map_err(|error| failed(path, error))?;
    finished.push((path.into(), last));
    for (path, file) in finished {
        file.commit().map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

impl OutputFile {
    fn create(output: &Path, part: Option<Part>) -> Result<Self, ImportError> {
        let path = part.map_or_else(|| output.to_owned(), |part| part_path(output, part));
        let created = AtomicFile::create(&path).and_then(|mut file| {
            let mut meter = Meter::default();
            write_metered(&mut file, &mut meter, tsv::HEADER_LINE.as_bytes())?;
            write_metered(&mut file, &mut meter, b"\n")?;
            Ok((file, meter))
        });
        match created {
            Ok((file, meter)) => Ok(Self { path, part, file, meter, games: 0, moves: 0 }),
            Err(error) => Err(ImportError::Output { path, error }),
        }
    }

    fn add(&mut self, game: &Prepared) -> Result<(), ImportError> {
        self.games += 1;
        self.moves += game.moves;
        write_metered(&mut self.file, &mut self.meter, game.row.as_bytes())
            .map_err(|error| ImportError::Output { path: self.path.clone(), error })
    }

    fn summary(&self) -> FileSummary {
        self.meter.summary(self.path.display().to_string(), self.games, self.moves)
    }
}

fn write_metered(file: &mut AtomicFile, meter: &mut Meter, bytes: &[u8]) -> io::Result<()> {
    meter.add(bytes);
    file.write_all(bytes)
}

/// `games.tsv` becomes `games.train.tsv`.
fn part_path(output: &Path, part: Part) -> PathBuf {
    let mut name = output.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(part.name());
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}
