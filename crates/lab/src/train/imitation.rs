//! The training of models that choose as masters do.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tesuji_eval::plausible::{Merits, Patterns};
use tesuji_eval::{MoveModel, Notes, PositionModel};
use tesuji_learn::MoveClass;
use tesuji_learn::games::TrainingGames;
use tesuji_learn::imitation::{Chooser, Imitation, Imitator, MovePass, MoveTally};
use tesuji_learn::plausible::with_zero;
use tesuji_run::{Observer, RunFolder};

use super::{Passes, Trained, read_state, rounded, run_notes};

/// The share of the played moves that have a merit of zero or more: a little above the 99 % that is
/// wanted of games that were not learned from.
const KEPT: f64 = 0.9912;

/// A model that has a file.
pub trait Filed: Chooser {
    /// The name of the file.
    const FILE: &'static str;

    /// What is done when the training has ended.
    #[must_use]
    fn finished(self, _settings: Imitation, _games: &TrainingGames) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// The bytes of the file, with what made the model and how good it was found to be.
    fn to_file(self, run: Notes, result: Notes) -> Vec<u8>;
}

impl Filed for MoveModel {
    const FILE: &'static str = "move.bin";

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

impl Filed for PositionModel {
    const FILE: &'static str = "static.bin";

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

impl Filed for Patterns {
    const FILE: &'static str = "patterns.bin";

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

impl Filed for Merits {
    const FILE: &'static str = "merit.bin";

    fn finished(self, settings: Imitation, games: &TrainingGames) -> Self {
        with_zero(self, games, settings.from_ply, KEPT)
    }

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

/// Trains pass by pass. After each the state is written, from which the training goes on.
pub fn train<M: Filed>(
    settings: Imitation,
    games: &TrainingGames,
    run_folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<Trained> {
    let begin = || Imitator::<M>::new(settings, games);
    let resumed = read_state(run_folder, |state| begin().resumed(state))?;
    let mut trainer = resumed.unwrap_or_else(begin);
    let mut passes = Passes::new(run_folder)?;
    let mut progress = observer.begin(0, "");
    while !trainer.is_done() {
        let number = trainer.history().len() + 1;
        let pass = trainer.pass(&mut |done, of| {
            progress.update(done as u64, &|| format!("pass {number}: game {done} of {of}"));
        });
        progress.note(&describe(&pass));
        passes.keep(pass.number, &pass_json(&pass), &trainer.to_bytes())?;
    }
    let best = *trainer.best().context("no pass was made")?;
    let run = run_notes(run_folder, settings.seed, games)?;
    let test = &best.test;
    let result = Notes::from([
        ("pass".into(), i64::try_from(best.number)?.into()),
        ("top1".into(), rounded(test.prediction.accuracy()).into()),
        ("top5".into(), rounded(test.prediction.top5()).into()),
        ("top10".into(), rounded(test.prediction.top10()).into()),
        ("loss".into(), rounded(test.mean_loss()).into()),
    ]);
    Ok(Trained {
        file: M::FILE,
        bytes: trainer.best_model().finished(settings, games).to_file(run, result),
        words: describe(&best),
        report: json!({
            "best": pass_json(&best),
            "passes": trainer.history().iter().map(pass_json).collect::<Vec<_>>(),
        }),
    })
}

fn describe(pass: &MovePass) -> String {
    let part = |tally: &MoveTally| {
        let prediction = &tally.prediction;
        format!(
            "{:.2} % first, {:.2} % in 5, {:.2} % in 10, loss {:.4}",
            100.0 * prediction.accuracy(),
            100.0 * prediction.top5(),
            100.0 * prediction.top10(),
            tally.mean_loss()
        )
    };
    format!("pass {}: learned: {}; unseen: {}", pass.number, part(&pass.train), part(&pass.test))
}

fn pass_json(pass: &MovePass) -> Value {
    json!({
        "pass": pass.number,
        "train": tally_json(&pass.train),
        "test": tally_json(&pass.test),
    })
}

fn tally_json(tally: &MoveTally) -> Value {
    let prediction = &tally.prediction;
    let kinds: serde_json::Map<String, Value> = MoveClass::ALL
        .into_iter()
        .map(|class| (class.name().to_owned(), prediction.accuracy_of(class).into()))
        .collect();
    json!({
        "of": prediction.of,
        "correct": prediction.correct,
        "top1": prediction.accuracy(),
        "top5": prediction.top5(),
        "top10": prediction.top10(),
        "top1_of_kind": kinds,
        "loss": tally.mean_loss(),
    })
}
