//! `tesuji train`: an evaluation learned from whole games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tesuji_eval::{Model, PieceTables};
use tesuji_learn::pool;
use tesuji_learn::tables::{Objective, Pass, TableTrainer, Tally, Training, TrainingGames};
use tesuji_records::stream::{Games, Input as Records};
use tesuji_report::{Input, RunFolder};
use tesuji_shogi::Position;

use crate::lab::folder::{self, RunFlags};
use crate::progress::Progress;
use crate::{output, weights};

/// Learn piece tables from whole games.
///
/// Moves that masters played are to score above their rivals, and the side with the better score is
/// to win, both after quiescence. One game in twenty is kept apart to see what was learned. The run
/// leaves a folder with the tables.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji train --objective result --games games.tsv
  tesuji train --objective both --games games.tsv more.csa --start tables --passes 20 --json
  tesuji train --resume runs/20261115T120000Z-train-3f9a2c",
    mut_arg("resume", |resume| resume.conflicts_with_all(["games", "leave_out", "start"])))]
pub struct TrainArgs {
    /// What is wanted: that masters' moves score above their rivals, that the better side wins, or
    /// both.
    #[arg(long, value_name = "WHAT", default_value = "both")]
    objective: Aim,
    /// Files of games.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "resume")]
    games: Vec<PathBuf>,
    /// Leave out games with a position of these files, which have one position a line: what will be
    /// measured with them must not be learned.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    leave_out: Vec<PathBuf>,
    /// Tables to begin with: a file, or the name of tables that come with the program. Without
    /// them the training begins with the values of the pieces.
    #[arg(long, value_name = "FILE|NAME")]
    start: Option<String>,
    /// Passes over the games.
    #[arg(long, value_name = "N", default_value_t = Training::default().passes)]
    passes: usize,
    /// Games in a step.
    #[arg(long, value_name = "N", default_value_t = Training::default().batch)]
    batch: usize,
    /// Every so many positions of a game are taken in a pass, others in the next.
    #[arg(long, value_name = "N", default_value_t = Training::default().stride)]
    stride: usize,
    /// How far a step goes at first, in hundredths of a pawn.
    #[arg(long, value_name = "X", default_value_t = Training::default().rate)]
    rate: f64,
    /// Slopes much smaller than this move a parameter in proportion to them.
    #[arg(long, value_name = "X", default_value_t = Training::default().caution)]
    caution: f64,
    /// How strongly shared parameters are held back.
    #[arg(long, value_name = "X", default_value_t = Training::default().l2)]
    l2: f64,
    /// How strongly single cells are held back.
    #[arg(long, value_name = "X", default_value_t = Training::default().cell_l2)]
    cell_l2: f64,
    /// How much the result of a game counts beside the comparison of moves.
    #[arg(long, value_name = "X", default_value_t = Objective::default().result)]
    result_weight: f64,
    /// Where all chance comes from: the same seed gives the same result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: RunFlags,
}

/// What is wanted of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Aim {
    Comparison,
    Result,
    Both,
}

/// The settings of a training, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    games: Vec<PathBuf>,
    leave_out: Vec<PathBuf>,
    start: Option<String>,
    training: Training,
}

impl Plan {
    fn new(args: &TrainArgs) -> Result<Self> {
        let positive = [("--rate", args.rate), ("--caution", args.caution)];
        for (name, value) in positive {
            ensure!(value > 0.0 && value.is_finite(), "{name} is {value}, expected more than 0");
        }
        let held = [("--l2", args.l2), ("--cell-l2", args.cell_l2)];
        for (name, value) in held.into_iter().chain([("--result-weight", args.result_weight)]) {
            ensure!(value >= 0.0 && value.is_finite(), "{name} is {value}, expected 0 or more");
        }
        let counts =
            [("--passes", args.passes), ("--batch", args.batch), ("--stride", args.stride)];
        for (name, value) in counts {
            ensure!(value > 0, "{name} is 0, expected at least 1");
        }
        let comparison = if args.objective == Aim::Result { 0.0 } else { 1.0 };
        let result = if args.objective == Aim::Comparison { 0.0 } else { args.result_weight };
        Ok(Self {
            games: args.games.clone(),
            leave_out: args.leave_out.clone(),
            start: args.start.clone(),
            training: Training {
                objective: Objective { comparison, result, ..Objective::default() },
                passes: args.passes,
                batch: args.batch,
                stride: args.stride,
                rate: args.rate,
                caution: args.caution,
                l2: args.l2,
                cell_l2: args.cell_l2,
                seed: args.seed,
            },
        })
    }

    /// The tables to begin with.
    fn start(&self) -> Result<Option<PieceTables>> {
        let load = |name: &String| match weights::load_model(name)? {
            Model::Tables(tables) => Ok(tables),
            Model::Features(_) => bail!("{name}: weights of features, expected piece tables"),
        };
        self.start.as_ref().map(load).transpose()
    }

    /// The positions that no game may have.
    fn kept_apart(&self) -> Result<Vec<Position>> {
        let mut positions = Vec::new();
        for path in &self.leave_out {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let sfen = line.split('\t').next().unwrap_or_default().trim();
                if sfen.is_empty() || sfen.starts_with('#') {
                    continue;
                }
                let position = Position::from_sfen(sfen)
                    .map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
                positions.push(position);
            }
        }
        Ok(positions)
    }

    /// Reads the games. Bad ones are named on standard error and left out.
    fn load(&self) -> Result<TrainingGames> {
        let kept_apart = self.kept_apart()?;
        let mut games = TrainingGames::without(&kept_apart);
        for game in Games::new(Records::from_paths(&self.games)?, None) {
            match game {
                Ok(game) => games.add(&game.value, self.training.seed),
                Err(error) if error.is_bad_game() => output::complain(&error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        ensure!(!games.train.is_empty(), "no games to learn from");
        ensure!(!games.test.is_empty(), "too few games: none are left to measure with");
        Ok(games)
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "train";

    fn seed(&self) -> u64 {
        self.training.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for games in Records::from_paths(&self.games)? {
            let Records::File(path) = games else {
                bail!("-: a run must be able to read its games again, give a file");
            };
            inputs.push(folder::input(&path)?);
        }
        for path in &self.leave_out {
            inputs.push(folder::input(path)?);
        }
        if let Some(start) = &self.start
            && Model::named(start).is_none()
        {
            inputs.push(folder::input(Path::new(start))?);
        }
        Ok(inputs)
    }

    fn check(&self) -> Result<()> {
        self.start()?;
        self.load()?;
        Ok(())
    }
}

const STATE: &str = "state.bin";
const TABLES: &str = "tables.bin";

/// Trains, writes the folder and prints what came out.
pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let (run_folder, plan) = args.work.open(|| Plan::new(args))?;
    let games = plan.load()?;
    let trained = pool(args.work.threads)?.install(|| train(&plan, &games, &run_folder))?;
    let bytes = trained.tables.to_bytes();
    run_folder.write(TABLES, &bytes)?;
    let report = report(&trained, &games, &run_folder, &bytes, started);
    run_folder.write_json("result.json", &report)?;
    if args.work.json {
        output::print_json(&report)?;
    } else {
        output::print(&format!(
            "{}\n{}\n",
            describe(&trained.best),
            run_folder.file(TABLES).display()
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What came out.
struct Trained {
    tables: PieceTables,
    best: Pass,
    history: Vec<Pass>,
}

/// Trains pass by pass. After each the state is written, from which the training goes on.
fn train(plan: &Plan, games: &TrainingGames, run_folder: &RunFolder) -> Result<Trained> {
    let mut trainer = TableTrainer::new(plan.training, games, plan.start()?.as_ref());
    if let Some(state) = run_folder.read(STATE)? {
        let name = run_folder.file(STATE);
        trainer = trainer
            .resumed(&state)
            .ok_or_else(|| anyhow!("{}: not the state of this run", name.display()))?;
    }
    let mut progress = Progress::new(0, "{spinner} {msg}  {elapsed}");
    while !trainer.is_done() {
        let number = trainer.history().len() + 1;
        let pass = trainer.pass(&mut |step, of| {
            progress.update(step as u64, &|| format!("pass {number}: step {step} of {of}"));
        })?;
        progress.note(&describe(&pass));
        run_folder.append(&pass_json(&pass))?;
        run_folder.write(STATE, &trainer.to_bytes())?;
    }
    let best = *trainer.best().context("no pass was made")?;
    let mut tables = trainer.best_tables()?;
    tables.run.insert("command".into(), command(&run_folder.manifest().command_line).into());
    tables.run.insert("seed".into(), i64::try_from(plan.training.seed)?.into());
    tables.run.insert("games".into(), i64::try_from(games.train.len())?.into());
    tables.result.insert("pass".into(), i64::try_from(best.number)?.into());
    tables.result.insert("accuracy".into(), rounded(best.test.accuracy()).into());
    tables.result.insert("result_loss".into(), rounded(best.test.mean_result_loss()).into());
    Ok(Trained { tables, best, history: trainer.history().to_vec() })
}

/// The command as it was given, without what has no part in the result.
fn command(line: &[String]) -> String {
    let mut words = vec!["tesuji"];
    let mut rest = line.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "--out" | "--threads" => _ = rest.next(),
            "--json" => {}
            _ => words.push(word),
        }
    }
    words.join(" ")
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn describe(pass: &Pass) -> String {
    let part = |tally: &Tally| {
        format!(
            "played move best {:.2} %, comparison {:.4}, better side won {:.2} %, log-loss {:.4}",
            100.0 * tally.accuracy(),
            tally.mean_comparison_loss(),
            100.0 * tally.foresight(),
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
        "foresight": tally.foresight(),
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

fn report(
    trained: &Trained,
    games: &TrainingGames,
    run_folder: &RunFolder,
    bytes: &[u8],
    started: Instant,
) -> Value {
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let values = trained.tables.values();
    json!({
        "folder": run_folder.path().display().to_string(),
        "tables": run_folder.file(TABLES).display().to_string(),
        "sha256": hash,
        "bytes": bytes.len(),
        "games": games.train.len(),
        "test_games": games.test.len(),
        "left_out": games.left_out(),
        "best": pass_json(&trained.best),
        "passes": trained.history.iter().map(pass_json).collect::<Vec<_>>(),
        "values": { "board": values.board, "hand": values.hand },
        "seconds": started.elapsed().as_secs_f64(),
    })
}
