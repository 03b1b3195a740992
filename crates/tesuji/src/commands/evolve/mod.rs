//! `tesuji evolve`: weights of features, found by a genetic algorithm that imitates masters.

mod flags;
mod mentor;
mod style;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use tesuji_lab::data::Source;
use tesuji_lab::evolve::{self, EvolvePlan, Learner, Start};
use tesuji_learn::ga::Parameters;
use tesuji_learn::{MoveClass, Weighting};

use crate::flags::{DataArgs, RunFlags, folds, named, whole};
use crate::output;

/// Find the weights of an evaluation by a genetic algorithm that imitates masters' moves.
///
/// Without flags it repeats the thesis's algorithm on the games that come with the program, in ten
/// runs side by side. Every run leaves a folder with its weights and a report.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji evolve
  tesuji evolve --positions positions.tsv --test unseen.tsv --runs 1 --json
  tesuji evolve --games games.csa more/ --per-game 4 --features extended --preset strong
  tesuji evolve --positions positions.tsv --mentor tesuji
  tesuji evolve --positions positions.tsv --mentor cmd:gpsusi,byoyomi=0.1
  tesuji evolve --games games.tsv --player 'Yoshiharu Habu' --player 羽生善治
  tesuji evolve --resume runs/20261115T120000Z-evolve-3f9a2c",
    mut_arg("resume", |resume| resume.conflicts_with_all([
        "positions", "games", "only", "test", "start_from", "start_from_fit", "parameters", "mentor",
        "mentor_depth", "player",
    ])))]
pub struct EvolveArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Learn only from positions in which the master's move is of this kind.
    #[arg(long, value_name = "KIND",
          value_parser = named(&MoveClass::ALL.map(MoveClass::name), MoveClass::from_name))]
    only: Option<MoveClass>,
    /// Held-out positions or games on which the best of each generation is tried; they decide
    /// nothing.
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Learn from no position that is in the test, so that all of it is unseen.
    #[arg(long, requires = "test")]
    unseen_test: bool,
    /// The feature set (paper, extended, dropped, legacy), or a TOML file that selects features.
    #[arg(long, value_name = "SET|FILE", default_value = "paper")]
    features: String,
    /// How weights are found: by the genetic algorithm, or fitted so that the moves that were
    /// played are most likely, or are most often the best.
    #[arg(long, value_name = "HOW", default_value = "genetic",
          value_parser = named(&Learner::ALL.map(Learner::name), Learner::from_name))]
    learner: Learner,
    /// How much each position counts: all alike (equal), copies of a board together as one
    /// (distinct), or by the kind of the move that was played, as three numbers for normal moves,
    /// promotions and drops (1,2,3).
    #[arg(long, value_name = "HOW", default_value = "equal", value_parser = evolve::parse_weighting)]
    weighting: Weighting,
    /// Learn an evaluator for each kind of move as well, with an arbiter between them.
    #[arg(long)]
    experts: bool,
    /// L2 regularisation of fitted weights.
    #[arg(long, value_name = "X", default_value_t = 1e-4)]
    l2: f64,
    /// Learn the scores of this engine instead of masters' moves: tesuji, tesuji:eval=FILE, or
    /// cmd:PROGRAM for any USI engine, as in a match. The defaults are then 1,000 organisms, 300
    /// generations and 1,000 positions drawn anew for each; without --test half of the positions
    /// are held out. Positions are first played out by quiescence.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = [
        "only", "unseen_test", "learner", "weighting", "experts", "l2", "runs", "folds", "start_from",
        "start_from_fit", "preset", "no_polish", "draw",
    ])]
    mentor: Option<String>,
    /// Plies that the mentor searches, unless it has a limit of its own.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "mentor",
          value_parser = whole::<u32>(1..=126))]
    mentor_depth: u32,
    /// Compare the moves of this player, in games won and lost, with those of all others: weights
    /// bred on both and fitted to both, what differs after many tests, and how well the moves are told apart in
    /// games that are held out (in 5 parts unless --folds says otherwise; 20 positions a game
    /// unless --per-game does). Titles, ranks, capitals and the order of names in Latin letters do
    /// not matter; give it several times for other spellings of the same person.
    #[arg(long, value_name = "NAME", conflicts_with_all = [
        "positions", "both_sides", "only", "test", "unseen_test", "learner", "weighting", "experts",
        "mentor", "runs", "start_from", "start_from_fit", "preset", "parameters", "population",
        "generations", "crossover", "mutation", "mutation_rate", "selection", "elite", "signed",
        "restart", "batch", "adaptive", "islands", "local_search", "draw",
    ])]
    player: Vec<String>,
    /// How many runs of the genetic algorithm go on side by side.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = whole::<u64>(1..=10_000))]
    runs: u64,
    /// The seed of all random numbers: the same seed gives the same result.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folds of cross-validation, which shows what is really learned; 0 = none.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = folds)]
    folds: usize,
    /// Leave the winner as it is. Without this flag it is polished for positions that nobody has seen
    /// (by accuracy or likelihood, with L2 regularisation, chosen by cross-validation), unless there are more than
    /// 50,000 positions.
    #[arg(long)]
    no_polish: bool,
    /// Of more positions than this, learn from so many that are drawn at random, in batches of 10,000
    /// unless --batch says otherwise, and count the winners on all; 0 = learn from all.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = whole::<usize>(0..=1_000_000_000))]
    draw: usize,
    /// Put the weights of these files among the first organisms.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "start_from_fit")]
    start_from: Vec<PathBuf>,
    /// Put weights near those of a fit of the accuracy among the first organisms.
    #[arg(long)]
    start_from_fit: bool,
    /// Settings of the genetic algorithm to begin with.
    #[arg(long, value_name = "NAME", default_value = "thesis")]
    preset: flags::Preset,
    /// All settings of the genetic algorithm from a TOML file.
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    parameters: Option<PathBuf>,
    #[command(flatten)]
    changes: flags::Changes,
    #[command(flatten)]
    work: RunFlags,
}

impl EvolveArgs {
    /// The plan that the flags mean.
    fn plan(&self) -> Result<EvolvePlan> {
        let parameters = self.parameters(|| self.preset.parameters())?;
        parameters.check()?;
        ensure!(self.l2 >= 0.0 && self.l2.is_finite(), "--l2 is {}, expected 0 or more", self.l2);
        ensure!(self.folds != 1, "--folds is 1, expected 0 for none or at least 2");
        Ok(EvolvePlan {
            data: self.data.source(self.seed),
            only: self.only,
            test: self.test()?,
            unseen_test: self.unseen_test,
            features: self.features.clone(),
            learner: self.learner,
            weighting: self.weighting,
            experts: self.experts,
            l2: self.l2,
            runs: if self.learner == Learner::Genetic { self.runs } else { 1 },
            seed: self.seed,
            start: match (&self.start_from[..], self.start_from_fit) {
                (_, true) => Start::Fit,
                ([], false) => Start::Random,
                (files, false) => Start::Weights(files.to_vec()),
            },
            folds: self.folds,
            polish: !self.no_polish,
            draw: self.draw,
            parameters,
        })
    }

    fn test(&self) -> Result<Option<Source>> {
        self.test.as_deref().map(|path| Source::of_file(path, self.seed)).transpose()
    }

    /// The preset or the file, and then what single flags change.
    fn parameters(&self, preset: impl FnOnce() -> Parameters) -> Result<Parameters> {
        let mut parameters = match &self.parameters {
            Some(path) => evolve::read_parameters(path)?,
            None => preset(),
        };
        self.changes.apply(&mut parameters);
        Ok(parameters)
    }
}

/// Evolves, writes the folder and prints what came out.
pub fn run(args: &EvolveArgs) -> Result<ExitCode> {
    let work = &args.work;
    if args.mentor.is_some() || work.resume.as_deref().is_some_and(tesuji_lab::mentor::is_run) {
        return mentor::run(args);
    }
    if !args.player.is_empty() || work.resume.as_deref().is_some_and(tesuji_lab::style::is_run) {
        return style::run(args);
    }
    let (folder, plan) = work.open(|| args.plan())?;
    let outcome = evolve::carry_out(&plan, Some(&folder), &work.context())?;
    outcome.write(&folder)?;
    output::either(work.json, || outcome.json(&folder), || outcome.text(&folder))
}
