//! The training of piece tables.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tesuji_eval::{Model, Notes, PhaseTables, PieceTables};
use tesuji_learn::games::TrainingGames;
use tesuji_learn::tables::{Fitted, Pass, TableTrainer, Tally, Training};
use tesuji_run::{Observer, RunFolder};

use super::{Passes, TrainPlan, Trained, read_state, rounded, run_notes};

/// Tables that have a file.
pub trait Filed: Fitted {
    /// The name of the file.
    const FILE: &'static str;

    /// The tables of a name or a file, to begin with.
    fn load(name: &str) -> Result<Self>;

    /// The bytes of the file, with what made the tables and how good they were found to be.
    fn to_file(self, run: Notes, result: Notes) -> Vec<u8>;
}

impl Filed for PieceTables {
    const FILE: &'static str = "tables.bin";

    fn load(name: &str) -> Result<Self> {
        match Model::load(name)? {
            Model::Tables(tables) => Ok(tables),
            other => bail!("{name}: {}, expected piece tables", other.kind()),
        }
    }

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

impl Filed for PhaseTables {
    const FILE: &'static str = "phase.bin";

    fn load(name: &str) -> Result<Self> {
        match Model::load(name)? {
            Model::Phase(tables) => Ok(tables),
            other => bail!("{name}: {}, expected phase tables", other.kind()),
        }
    }

    fn to_file(mut self, run: Notes, result: Notes) -> Vec<u8> {
        (self.run, self.result) = (run, result);
        self.to_bytes()
    }
}

/// Trains pass by pass. After each the state is written, from which the training goes on.
pub fn train<M: Filed>(
    plan: &TrainPlan,
    training: Training,
    games: &TrainingGames,
    run_folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<Trained> {
    let start: Option<M> = plan.start.as_deref().map(M::load).transpose()?;
    let begin = || TableTrainer::new(training, games, start.as_ref());
    let resumed = read_state(run_folder, |state| begin().resumed(state))?;
    let mut trainer = resumed.unwrap_or_else(begin);
    let mut passes = Passes::new(run_folder)?;
    let mut progress = observer.begin(0, "");
    while !trainer.is_done() {
        let number = trainer.history().len() + 1;
        let pass = trainer.pass(&mut |step, of| {
            progress.update(step as u64, &|| format!("pass {number}: step {step} of {of}"));
        })?;
        progress.note(&describe(&pass));
        passes.keep(pass.number, &pass_json(&pass), &trainer.to_bytes())?;
    }
    let best = *trainer.best().context("no pass was made")?;
    let tables = trainer.best_tables()?;
    let run = run_notes(run_folder, training.seed, games)?;
    let result = Notes::from([
        ("pass".into(), i64::try_from(best.number)?.into()),
        ("accuracy".into(), rounded(best.test.accuracy()).into()),
        ("result_loss".into(), rounded(best.test.mean_result_loss()).into()),
    ]);
    let values = *tables.values();
    Ok(Trained {
        file: M::FILE,
        bytes: tables.to_file(run, result),
        words: describe(&best),
        report: json!({
            "best": pass_json(&best),
            "passes": trainer.history().iter().map(pass_json).collect::<Vec<_>>(),
            "values": { "board": values.board, "hand": values.hand },
        }),
    })
}

fn describe(pass: &Pass) -> String {
    let part = |tally: &Tally| {
        format!(
            "played move best {:.2} %, comparison {:.4}, better side won {:.2} %, log-loss {:.4}",
            100.0 * tally.accuracy(),
            tally.mean_comparison_loss(),
            100.0 * tally.result_accuracy(),
            tally.mean_result_loss()
        )
    };
    format!("pass {}: learned: {}; unseen: {}", pass.number, part(&pass.train), part(&pass.test))
}

fn tally_json(tally: &Tally) -> Value {
    json!({
        "compared": tally.compared,
        "predicted": tally.predicted,
        "accuracy": tally.accuracy(),
        "comparison_loss": tally.mean_comparison_loss(),
        "judged": tally.judged,
        "result_accuracy": tally.result_accuracy(),
        "result_loss": tally.mean_result_loss(),
    })
}

fn pass_json(pass: &Pass) -> Value {
    json!({
        "pass": pass.number,
        "train": tally_json(&pass.train),
        "test": tally_json(&pass.test),
    })
}
