//! The training of piece tables.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tesuji_learn::games::TrainingGames;
use tesuji_learn::tables::{Pass, TableTrainer, Tally, Training};
use tesuji_run::{Observer, RunFolder};

use super::{Passes, TrainPlan, Trained, read_state, rounded, run_notes};

/// Trains pass by pass. After each the state is written, from which the training goes on.
pub fn train(
    plan: &TrainPlan,
    training: Training,
    games: &TrainingGames,
    run_folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<Trained> {
    let start = plan.start()?;
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
    let mut tables = trainer.best_tables()?;
    tables.run = run_notes(run_folder, training.seed, games)?;
    tables.result.insert("pass".into(), i64::try_from(best.number)?.into());
    tables.result.insert("accuracy".into(), rounded(best.test.accuracy()).into());
    tables.result.insert("result_loss".into(), rounded(best.test.mean_result_loss()).into());
    let values = tables.values();
    Ok(Trained {
        file: "tables.bin",
        bytes: tables.to_bytes(),
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
