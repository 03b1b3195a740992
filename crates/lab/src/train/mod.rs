//! Training: an evaluation or a model of moves, learned from whole games by gradient descent.

mod imitation;
mod plan;
mod tables;

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::plausible::{Merits, Patterns};
use tesuji_eval::{MoveModel, Notes, PhaseTables, PieceTables, PositionModel};
use tesuji_learn::games::TrainingGames;
use tesuji_learn::pool;
use tesuji_run::plan::of_bytes;
use tesuji_run::{Context, RunFolder};

pub use plan::{ModelSettings, TrainPlan};

const STATE: &str = "state.bin";

/// A model that was trained, as a trainer hands it on.
struct Trained {
    /// The file that it is written to.
    file: &'static str,
    bytes: Vec<u8>,
    /// The best pass in words, and as JSON beside all others and what else there is to say.
    words: String,
    report: Value,
}

/// What a training came to.
pub struct TrainOutcome {
    trained: Trained,
    /// Games that were learned from, held out to measure with, and left out.
    games: [usize; 3],
    seconds: f64,
}

/// Carries out a plan, or what is left of it: after every pass the folder has the state from which
/// the training goes on.
pub fn carry_out(
    plan: &TrainPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<TrainOutcome> {
    let started = Instant::now();
    let observer = context.observer;
    let games = plan.load(observer)?;
    let trained = pool(context.threads)?.install(|| match plan.task {
        ModelSettings::Tables(training) => {
            tables::train::<PieceTables>(plan, training, &games, folder, observer)
        }
        ModelSettings::Phase(training) => {
            tables::train::<PhaseTables>(plan, training, &games, folder, observer)
        }
        ModelSettings::Move(settings) => {
            imitation::train::<MoveModel>(settings, &games, folder, observer)
        }
        ModelSettings::Static(settings) => {
            imitation::train::<PositionModel>(settings, &games, folder, observer)
        }
        ModelSettings::Patterns(settings) => {
            imitation::train::<Patterns>(settings, &games, folder, observer)
        }
        ModelSettings::Merit(settings) => {
            imitation::train::<Merits>(settings, &games, folder, observer)
        }
    })?;
    Ok(TrainOutcome {
        trained,
        games: [games.train.len(), games.test.len(), games.left_out()],
        seconds: started.elapsed().as_secs_f64(),
    })
}

impl TrainOutcome {
    /// Writes the model and all numbers into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write(self.trained.file, &self.trained.bytes)?;
        folder.write_json("result.json", &self.json(folder))?;
        Ok(())
    }

    /// The file of the model.
    pub fn model(&self) -> &[u8] {
        &self.trained.bytes
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let Trained { file, bytes, report: more, .. } = &self.trained;
        let [train, test, left_out] = self.games;
        let mut report = json!({
            "folder": folder.path().display().to_string(),
            "model": folder.file(file).display().to_string(),
            "hash": of_bytes(file, bytes).sha256,
            "bytes": bytes.len(),
            "games": train,
            "test_games": test,
            "left_out": left_out,
            "seconds": self.seconds,
        });
        if let (Some(all), Some(more)) = (report.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        report
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let file = folder.file(self.trained.file);
        format!("{}\n{}\n", self.trained.words, file.display())
    }
}

/// The state of a run that was stopped, if there is one.
fn read_state<T>(
    run_folder: &RunFolder,
    resume: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<Option<T>> {
    let Some(bytes) = run_folder.read(STATE)? else { return Ok(None) };
    let name = run_folder.file(STATE);
    let (checksum, state) = bytes
        .split_at_checked(CHECKSUM)
        .filter(|(checksum, _)| checksum.last() == Some(&b'\n'))
        .with_context(|| format!("{}: not the state of this run", name.display()))?;
    ensure!(
        checksum == checksum_of(state).as_bytes(),
        "{}: damaged, its checksum is that of something else",
        name.display()
    );
    let resumed = resume(state);
    Ok(Some(resumed.with_context(|| format!("{}: not the state of this run", name.display()))?))
}

/// The length of a checksum with the line break behind it.
const CHECKSUM: usize = 65;

/// The SHA-256 of a state, as a line.
fn checksum_of(state: &[u8]) -> String {
    of_bytes(STATE, state).sha256 + "\n"
}

/// The passes of a training on their way to the disk: a line of the journal for each, and the state
/// from which the training goes on.
struct Passes<'a> {
    folder: &'a RunFolder,
    /// The last pass that the journal has.
    journaled: u64,
}

impl<'a> Passes<'a> {
    fn new(folder: &'a RunFolder) -> Result<Self> {
        let mut journaled = 0;
        for entry in folder.entries::<Value>()? {
            journaled = journaled.max(entry?["pass"].as_u64().unwrap_or(0));
        }
        Ok(Self { folder, journaled })
    }

    /// Keeps a pass. A run that was killed between its line and its state makes the pass again, to
    /// the same bytes: its line is there already.
    fn keep(&mut self, number: usize, pass: &Value, state: &[u8]) -> Result<()> {
        let number = number as u64;
        if number > self.journaled {
            self.folder.append(pass)?;
            self.journaled = number;
        }
        let mut bytes = checksum_of(state).into_bytes();
        bytes.extend(state);
        Ok(self.folder.write(STATE, &bytes)?)
    }
}

/// What made a model: the command as it was given, without what has no part in the result.
fn run_notes(run_folder: &RunFolder, seed: u64, games: &TrainingGames) -> Result<Notes> {
    let mut words = vec!["tesuji"];
    let mut rest = run_folder.manifest().command_line.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "--out" | "--threads" => _ = rest.next(),
            "--json" => {}
            _ => words.push(word),
        }
    }
    Ok(Notes::from([
        ("command".into(), words.join(" ").into()),
        ("seed".into(), i64::try_from(seed)?.into()),
        ("games".into(), i64::try_from(games.train.len())?.into()),
    ]))
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
