//! Several runs of the genetic algorithm side by side, which survive being killed.
//!
//! Several times a second the generations since the last time go to the journal, and then the state
//! of all runs replaces `state.json`. Whatever came after that is done again in the same way.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::Weights;
use tesuji_learn::ga::{Generation, Run, near};
use tesuji_learn::genome::Genome;
use tesuji_learn::logit;
use tesuji_learn::validation::{Fold, folds};
use tesuji_learn::{Dataset, Scorer};
use tesuji_math::Random;
use tesuji_report::number;
use tesuji_run::{Observer, RunFolder};

use super::outcome::{Learned, Winner};
use super::{EvolvePlan, Start, fits};

const STATE: &str = "state.json";
const SAVE_EVERY: Duration = Duration::from_millis(250);

/// All that decides how the runs go on.
#[derive(Serialize, Deserialize)]
struct State {
    runs: Vec<Run>,
    folds: Vec<Fold>,
    seconds: f64,
}

/// A generation in the journal.
#[derive(Serialize, Deserialize)]
struct Entry {
    run: usize,
    #[serde(flatten)]
    generation: Generation,
}

/// The journal and the state of runs that are under way.
struct Keeper<'a> {
    folder: Option<&'a RunFolder>,
    state: State,
    /// All generations of each run, up to its state.
    history: Vec<Vec<Generation>>,
    /// How many generations of each run the journal has.
    written: Vec<usize>,
    saved: Instant,
}

/// Carries out all runs of a plan, or what is left of them.
pub fn carry_out(
    plan: &EvolvePlan,
    data: &Dataset,
    test: Option<&Dataset>,
    folder: Option<&RunFolder>,
    observer: &dyn Observer,
) -> Result<Learned> {
    let mut keeper = Keeper::open(plan, data, folder)?;
    keeper.evolve(data, test, observer)?;
    keeper.validate(plan, data, observer)?;
    keeper.save()?;
    let map = plan.parameters.gene_map(data.set())?;
    let State { runs, folds, seconds } = keeper.state;
    let winner = |(run, history): (Run, Vec<Generation>)| {
        let best = run.best().context("a run has a best organism")?;
        let weights = map.weights(&best.genome);
        Ok(Winner {
            seed: run.seed(),
            test: test.map(|test| Scorer::new(test).correct(std::slice::from_ref(&weights))[0]),
            weights,
            correct: best.correct,
            generation: Some(best.generation),
            history,
        })
    };
    let winners: Result<Vec<Winner>> = runs.into_iter().zip(keeper.history).map(winner).collect();
    Ok(Learned { winners: winners?, folds, experts: None, seconds })
}

impl<'a> Keeper<'a> {
    fn open(plan: &EvolvePlan, data: &Dataset, folder: Option<&'a RunFolder>) -> Result<Self> {
        let saved: Option<State> = match folder {
            Some(folder) => folder.read_json(STATE)?,
            None => None,
        };
        let state = match saved {
            Some(state) => state,
            None => State { runs: new_runs(plan, data)?, folds: Vec::new(), seconds: 0.0 },
        };
        let count = state.runs.len();
        if let Some(folder) = folder {
            let whole = state.runs.iter().all(|run| run.fits(data.set()));
            let name = folder.file(STATE);
            ensure!(
                whole && count as u64 == plan.runs,
                "{}: not the state of this run, or features have changed since",
                name.display()
            );
        }
        let mut history = vec![Vec::new(); count];
        let mut written = vec![0; count];
        if let Some(folder) = folder {
            for entry in folder.entries::<Entry>()? {
                let Entry { run, generation } = entry?;
                let known =
                    history.get_mut(run).context("the journal has more runs than the plan")?;
                written[run] += 1;
                if generation.generation <= state.runs[run].generation() {
                    known.push(generation);
                }
            }
        }
        Ok(Self { folder, state, history, written, saved: Instant::now() })
    }

    /// One generation of every run after the other, until all are over.
    fn evolve(
        &mut self,
        data: &Dataset,
        test: Option<&Dataset>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let mut workers: Vec<(Scorer<'_>, Option<Scorer<'_>>)> =
            (self.state.runs.iter()).map(|_| (Scorer::new(data), test.map(Scorer::new))).collect();
        let all: u32 = self.state.runs.iter().map(|run| run.parameters().generations).sum();
        let mut progress = observer.begin(all.into(), "generations");
        while self.state.runs.iter().any(|run| !run.is_over()) {
            let started = Instant::now();
            let generations: Vec<Option<Generation>> = (self.state.runs.par_iter_mut())
                .zip(&mut workers)
                .map(|(run, (scorer, test))| {
                    if run.is_over() {
                        return Ok(None);
                    }
                    run.step(scorer, test.as_mut()).map(Some)
                })
                .collect::<Result<_, _>>()?;
            for (history, generation) in self.history.iter_mut().zip(generations) {
                history.extend(generation);
            }
            self.state.seconds += started.elapsed().as_secs_f64();
            if self.saved.elapsed() >= SAVE_EVERY {
                self.save()?;
            }
            let done: u32 = self.state.runs.iter().map(Run::generation).sum();
            progress.update(done.into(), &|| status(&self.history));
        }
        self.save()
    }

    /// Learns without each part of the positions in turn and tries that on the part.
    fn validate(
        &mut self,
        plan: &EvolvePlan,
        data: &Dataset,
        observer: &dyn Observer,
    ) -> Result<()> {
        if plan.folds == 0 {
            return Ok(());
        }
        let parts = folds(data, plan.folds, plan.seed);
        let mut progress = observer.begin(plan.folds as u64, "folds");
        for (number, (train, test)) in parts.iter().enumerate().skip(self.state.folds.len()) {
            progress.update(number as u64, &|| format!("fold {} of {}", number + 1, plan.folds));
            let (train, test) = (data.select(train), data.select(test));
            let weights = [learn_once(plan, &train)?];
            self.state.folds.push(Fold {
                train: train.len(),
                train_correct: Scorer::new(&train).correct(&weights)[0],
                test: test.len(),
                test_correct: Scorer::new(&test).correct(&weights)[0],
            });
            self.save()?;
        }
        Ok(())
    }

    /// Writes what the journal does not have yet, and then the state.
    fn save(&mut self) -> Result<()> {
        self.saved = Instant::now();
        let Some(folder) = self.folder else { return Ok(()) };
        let mut entries = Vec::new();
        for (run, history) in self.history.iter().enumerate() {
            let new = history.iter().skip(self.written[run]);
            entries.extend(new.map(|generation| Entry { run, generation: generation.clone() }));
            self.written[run] = self.written[run].max(history.len());
        }
        folder.append_all(&entries)?;
        folder.write_json(STATE, &self.state)?;
        Ok(())
    }
}

/// The best of all runs so far, and how the populations are.
fn status(history: &[Vec<Generation>]) -> String {
    let last: Vec<&Generation> = history.iter().filter_map(|run| run.last()).collect();
    let mean = |value: &dyn Fn(&Generation) -> f64| {
        last.iter().map(|generation| value(generation)).sum::<f64>() / last.len().max(1) as f64
    };
    let best = last.iter().map(|generation| generation.best).max().unwrap_or(0);
    let of = last.first().map_or(0, |generation| generation.of as u64);
    format!(
        "best {} of {}  mean {}  spread {}",
        number::count(best.into()),
        number::count(of),
        number::fixed(mean(&|generation| generation.mean), 1),
        number::fixed(mean(&|generation| generation.spread), 1),
    )
}

/// The weights that a single run finds, without a folder.
pub fn learn_once(plan: &EvolvePlan, data: &Dataset) -> Result<Vec<i32>> {
    let runs = new_runs(&EvolvePlan { runs: 1, ..plan.clone() }, data)?;
    let mut run = runs.into_iter().next().context("there is one run")?;
    let mut scorer = Scorer::new(data);
    while !run.is_over() {
        run.step(&mut scorer, None)?;
    }
    let best = run.best().context("a run has a best organism")?;
    Ok(plan.parameters.gene_map(data.set())?.weights(&best.genome))
}

/// The runs of a plan before their first generation.
fn new_runs(plan: &EvolvePlan, data: &Dataset) -> Result<Vec<Run>> {
    let given = first_organisms(plan, data)?;
    let run = |index| {
        let seed = Random::derived_seed(plan.seed, index);
        Ok(Run::new(plan.parameters.clone(), data.set(), seed, &given)?)
    };
    (0..plan.runs).map(run).collect()
}

/// How many organisms near the given weights each run begins with.
const GIVEN: usize = 10;

/// The organisms that every run begins with, beside random ones.
fn first_organisms(plan: &EvolvePlan, data: &Dataset) -> Result<Vec<Genome>> {
    let map = plan.parameters.gene_map(data.set())?;
    ensure!(
        plan.start == Start::Random || data.set().formula().is_none(),
        "{} makes weights of genes by a formula: runs can begin with chance alone",
        data.set().name()
    );
    let near_weights = |weights: &[f64], count| -> Vec<Genome> {
        let found = near(weights, &mut Scorer::new(data), &map).into_iter();
        found.take(count).map(|(genome, _)| genome).collect()
    };
    match &plan.start {
        Start::Random => Ok(Vec::new()),
        Start::Fit => Ok(near_weights(&logit::fit(data, &fits::settings(plan)).weights, GIVEN)),
        Start::Weights(files) => {
            let mut given = Vec::new();
            for file in files {
                let name = file.display().to_string();
                let weights = Weights::load(&name)?;
                let (found, expected) = (weights.set().id(), data.set().id());
                ensure!(found == expected, "{name}: weights for {found}, not {expected}");
                let values: Vec<f64> = weights.values().iter().map(|&w| f64::from(w)).collect();
                given.append(&mut near_weights(&values, GIVEN.div_ceil(files.len())));
            }
            Ok(given)
        }
    }
}
