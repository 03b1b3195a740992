//! Features and the genetic algorithm, beside plain products of a dense matrix.

mod samples;
mod scalar;

use anyhow::{Result, ensure};
use rayon::ThreadPool;
use scalar::Matrix;
use serde_json::{Value, json};
use tesuji_eval::FeatureSet;
use tesuji_learn::ga::{Parameters, Run};
use tesuji_learn::{Dataset, MoveOrder, Scorer, pool};
use tesuji_records::Sample;

use crate::timing::{rounded, timed, timed_by_clock};

/// Generations that the reference scores. Each takes it the same time, so that a whole run is a
/// multiple of them.
const REFERENCE_GENERATIONS: usize = 5;

/// Numbers of positions over which growth is measured.
const SIZES: [usize; 3] = [1_000, 5_000, 50_000];

/// Generations over which growth is measured: enough for a time, few enough for 50,000 positions.
const GROWTH_GENERATIONS: u32 = 40;

const SEED: u64 = 1;

/// Seconds of the work on some positions with some number of threads.
#[derive(Clone, Copy)]
struct Seconds {
    legal_moves: f64,
    features: f64,
    /// Both and what is left of [`Dataset::build`].
    build: f64,
    /// A run of the thesis's genetic algorithm.
    evolution: f64,
}

impl Seconds {
    const NEVER: Self = Self {
        legal_moves: f64::INFINITY,
        features: f64::INFINITY,
        build: f64::INFINITY,
        evolution: f64::INFINITY,
    };

    fn least(self, other: Self) -> Self {
        Self {
            legal_moves: self.legal_moves.min(other.legal_moves),
            features: self.features.min(other.features),
            build: self.build.min(other.build),
            evolution: self.evolution.min(other.evolution),
        }
    }
}

/// Processor time, which other programs disturb little, on one thread; time by the clock on
/// several.
fn timed_in<T>(pool: &ThreadPool, work: impl FnOnce() -> T) -> (T, f64) {
    if pool.current_num_threads() == 1 { timed(work) } else { timed_by_clock(work) }
}

/// Builds the data and evolves, on the threads of a pool.
fn measure(
    pool: &ThreadPool,
    set: &FeatureSet,
    samples: &[Sample],
    generations: u32,
) -> Result<Seconds> {
    pool.install(|| {
        let (data, build) = timed_in(pool, || build(set, samples));
        let (run, evolution) = timed_in(pool, || evolve(&data, generations));
        run?;
        Ok(Seconds {
            legal_moves: data.times().legal_moves.as_secs_f64(),
            features: data.times().features.as_secs_f64(),
            build,
            evolution,
        })
    })
}

fn build(set: &FeatureSet, samples: &[Sample]) -> Dataset {
    Dataset::build(set, samples, MoveOrder::Thesis)
}

/// A run of the thesis's genetic algorithm from its first generation to its last.
fn evolve(data: &Dataset, generations: u32) -> Result<Run> {
    let parameters = Parameters { generations, ..Parameters::default() };
    let mut run = Run::new(parameters, data.set(), SEED, &[])?;
    let mut scorer = Scorer::new(data);
    while !run.is_over() {
        run.step(&mut scorer, None)?;
    }
    Ok(run)
}

/// A generation for the reference to score.
struct Scored {
    /// The weights of each organism as they are multiplied.
    effective: Vec<Vec<i32>>,
    /// What each organism solves.
    correct: Vec<u32>,
}

/// The first generations of that run.
fn first_generations(data: &Dataset) -> Result<Vec<Scored>> {
    let mut run = Run::new(Parameters::default(), data.set(), SEED, &[])?;
    let map = run.parameters().gene_map(data.set())?;
    let mut scorer = Scorer::new(data);
    let mut generations = Vec::with_capacity(REFERENCE_GENERATIONS);
    for _ in 0..REFERENCE_GENERATIONS {
        let organisms: Vec<Vec<i32>> =
            run.population().iter().map(|genome| map.weights(genome)).collect();
        let correct = scorer.correct(&organisms);
        let report = run.step(&mut scorer, None)?;
        ensure!(correct.iter().max() == Some(&report.best), "the run counts otherwise");
        let effective =
            organisms.iter().map(|weights| data.set().effective_weights(weights)).collect();
        generations.push(Scored { effective, correct });
    }
    Ok(generations)
}

/// Measures features and evolution and gives the report.
pub fn run(features: &str, rounds: usize) -> Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let set = FeatureSet::named(features)?;
    let samples = samples::load()?;
    let pools = [pool(1)?, pool(2)?];
    let data = pools[1].install(|| build(&set, &samples.thesis));
    let generations = first_generations(&data)?;
    let matrix = Matrix::new(&data, &samples.thesis);
    let mut best = [Seconds::NEVER; 2];
    let mut scalar = f64::INFINITY;
    let whole_run = Parameters::default().generations;
    for _ in 0..rounds {
        for (best, pool) in best.iter_mut().zip(&pools) {
            *best = best.least(measure(pool, &set, &samples.thesis, whole_run)?);
        }
        let (agree, seconds) =
            timed(|| generations.iter().all(|g| matrix.correct(&g.effective) == g.correct));
        ensure!(agree, "the reference and the scorer count otherwise");
        scalar = scalar.min(seconds);
    }
    let growth = growth(&pools[0], &set, &samples.many, rounds)?;
    let rows = data.resulting_positions();
    let mut report = json!({
        "unit": "seconds, best of the rounds; by the clock for two threads and for the two parts of \
                 the data, legal moves and features; processor time for everything else",
        "rounds": rounds,
        "data": samples.source,
        "features": set.id(),
        "positions": data.len(),
        "rows": rows,
        "bytes_per_row": rounded(data.bytes() as f64 / rows as f64),
        "bytes_per_row_scalar": size_of::<i16>() * set.len(),
    });
    for (key, value) in figures(&best, scalar, rows) {
        report[key] = value;
    }
    report["growth_generations"] = GROWTH_GENERATIONS.into();
    report["growth"] = growth;
    Ok(report)
}

/// What follows from the times.
fn figures(best: &[Seconds; 2], scalar: f64, rows: usize) -> [(&'static str, Value); 5] {
    let threads = |of: &dyn Fn(&Seconds) -> f64| {
        let [one, two] = best.each_ref().map(|seconds| rounded(of(seconds)));
        json!({ "threads_1": one, "threads_2": two })
    };
    let with_scalar = |mut value: Value, name: &str, scalar: f64| {
        value[name] = rounded(scalar).into();
        value
    };
    let parameters = Parameters::default();
    let organisms = parameters.population as f64;
    let run = f64::from(parameters.generations);
    let scalar_run = scalar * run / REFERENCE_GENERATIONS as f64;
    let rows = rows as f64;
    [
        (
            "seconds",
            json!({
                "legal_moves": threads(&|s| s.legal_moves),
                "features": threads(&|s| s.features),
                "whole_dataset": threads(&|s| s.build),
            }),
        ),
        (
            "rows_per_second",
            json!({
                "legal_moves": threads(&|s| (rows / s.legal_moves).round()),
                "features": threads(&|s| (rows / s.features).round()),
            }),
        ),
        (
            "organisms_per_second",
            with_scalar(
                threads(&|s| organisms * run / s.evolution),
                "scalar",
                organisms * run / scalar_run,
            ),
        ),
        ("ratio_to_scalar", threads(&|s| scalar_run / s.evolution)),
        (
            "evolution_seconds_200_generations",
            with_scalar(threads(&|s| s.evolution), "scalar_scaled", scalar_run),
        ),
    ]
}

/// The same work on more and more positions, on one thread.
fn growth(pool: &ThreadPool, set: &FeatureSet, samples: &[Sample], rounds: usize) -> Result<Value> {
    let mut best = [Seconds::NEVER; SIZES.len()];
    for _ in 0..rounds {
        for (best, size) in best.iter_mut().zip(SIZES) {
            *best = best.least(measure(pool, set, &samples[..size], GROWTH_GENERATIONS)?);
        }
    }
    let smallest = best[0].evolution / SIZES[0] as f64;
    let line = |(seconds, size): (&Seconds, usize)| {
        let rows: usize =
            samples[..size].iter().map(|sample| sample.position.legal_moves().len()).sum();
        let evolution = seconds.evolution / size as f64;
        json!({
            "positions": size,
            "rows": rows,
            "features_seconds_per_million_rows": rounded(seconds.build * 1e6 / rows as f64),
            "evolution_seconds_per_1000_positions": rounded(evolution * 1e3),
            "time_a_position_to_smallest": rounded(evolution / smallest),
        })
    };
    Ok(best.iter().zip(SIZES).map(line).collect())
}
