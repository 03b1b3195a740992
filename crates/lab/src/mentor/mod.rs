//! Learning from a mentor: weights whose scores are those of a stronger evaluation, or of another
//! engine.

mod page;
mod plan;
mod scoring;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tesuji_arena::TimeControl;
use tesuji_eval::Weights;
use tesuji_learn::ga::weights_hash;
use tesuji_learn::mentor::{Generation, Lessons, Pupils};
use tesuji_learn::pool;
use tesuji_report::number;
use tesuji_run::jobs::Executor;
use tesuji_run::{Context, Manifest, Observer, Plan, RunFolder};
use tesuji_shogi::Position;

pub use plan::MentorPlan;
pub use scoring::{ScorePosition, Scorer};

use crate::data::Features;

/// The file of the weights.
const WEIGHTS: &str = "weights.toml";
const STATE: &str = "state.json";
/// Generations between two writings of the state.
const SAVED_EVERY: usize = 10;

/// What came of it.
pub struct MentorOutcome {
    plan: MentorPlan,
    history: Vec<Generation>,
    weights: Weights,
    /// What the mentor has for a position.
    control: TimeControl,
    /// Lessons to learn from, and those that were held out.
    lessons: [usize; 2],
    /// Positions that the mentor thinks decided, or has no score for.
    decided: usize,
    /// The mean absolute error on both, in centipawns.
    errors: [f64; 2],
    /// The error of other weights on the held-out lessons, and of none at all.
    others: Vec<(String, f64)>,
    seconds: f64,
}

/// Was this folder made by an evolution with a mentor?
pub fn is_run(path: &Path) -> bool {
    Manifest::read(path).is_ok_and(|manifest| manifest.command == MentorPlan::COMMAND)
}

/// Carries out a plan, or what is left of it.
pub fn carry_out(
    plan: &MentorPlan,
    folder: &RunFolder,
    context: &Context<'_>,
) -> Result<MentorOutcome> {
    let pool = pool(context.threads)?;
    let executor = Executor::threads(pool.current_num_threads());
    pool.install(|| MentorOutcome::new(plan, folder, executor, context.observer))
}

impl MentorOutcome {
    fn new(
        plan: &MentorPlan,
        folder: &RunFolder,
        executor: Executor,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let started = Instant::now();
        let features = Features::load(&plan.features)?;
        let [learn, test] = plan.positions(observer)?;
        let all = [&learn[..], &test[..]].concat();
        let scores = scoring::scores(plan, folder, &all, executor, observer)?;
        let decided = scores.iter().filter(|score| score.is_none()).count();
        let lessons = |positions: &[Position], scores: &[Option<i32>]| {
            let scored = positions.iter().zip(scores);
            let lessons: Vec<(Position, i32)> =
                scored.filter_map(|(&position, &score)| Some((position, score?))).collect();
            Lessons::new(&features.set, &lessons)
        };
        let test = lessons(&test, &scores[learn.len()..]);
        let learn = lessons(&learn, &scores[..learn.len()]);
        ensure!(
            !learn.is_empty() && !test.is_empty(),
            "the mentor has no score for the positions, or thinks all of them decided"
        );
        let pupils = evolve(plan, folder, &learn, observer)?;
        let values = pupils.best(&learn).unwrap_or_default();
        let all = |lessons: &Lessons| (0..lessons.len()).collect::<Vec<usize>>();
        let error = |values: &[i32], lessons: &Lessons| lessons.error(values, &all(lessons));
        let known = Weights::NAMES;
        // The error of whoever takes every position for even.
        let even = ("nothing".to_owned(), error(&vec![0; features.set.len()], &test));
        let others = known
            .iter()
            .filter_map(|&name| Some((name, Weights::named(name)?)))
            .filter(|(_, weights)| weights.set().id() == features.set.id())
            .map(|(name, weights)| (name.to_owned(), error(weights.values(), &test)));
        let others = std::iter::once(even).chain(others).collect();
        let mut outcome = Self {
            plan: plan.clone(),
            history: pupils.history().to_vec(),
            errors: [error(&values, &learn), error(&values, &test)],
            control: plan.mentor.limits.unwrap_or(plan.scoring().control),
            lessons: [learn.len(), test.len()],
            decided,
            others,
            weights: features.weights(values)?,
            seconds: 0.0,
        };
        outcome.sign()?;
        outcome.seconds = started.elapsed().as_secs_f64();
        Ok(outcome)
    }

    /// Says in the weights where they come from.
    fn sign(&mut self) -> Result<()> {
        let run = &mut self.weights.run;
        run.insert("command".into(), "evolve --mentor".into());
        run.insert("mentor".into(), self.plan.mentor.to_string().into());
        run.insert("control".into(), self.control.to_string().into());
        run.insert("data".into(), self.plan.data.describe().into());
        run.insert("seed".into(), i64::try_from(self.plan.seed).unwrap_or(i64::MAX).into());
        run.insert("parameters".into(), toml::Value::try_from(&self.plan.parameters)?);
        let result = &mut self.weights.result;
        result.insert("error".into(), self.errors[0].into());
        result.insert("test_error".into(), self.errors[1].into());
        Ok(())
    }

    /// Writes the weights, the numbers and the report into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write(WEIGHTS, self.weights.to_text().as_bytes())?;
        folder.write_json("result.json", &self.json(folder))?;
        folder.write_report(&page::page(self).to_html())?;
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let others = self.others.iter().map(|(name, error)| (name.clone(), json!(error)));
        json!({
            "hash": weights_hash(self.weights.values()),
            "mentor": self.plan.mentor,
            "control": self.control.to_string(),
            "lessons": self.lessons[0],
            "test_lessons": self.lessons[1],
            "decided": self.decided,
            "error": self.errors[0],
            "test_error": self.errors[1],
            "test_error_of": others.collect::<serde_json::Map<String, Value>>(),
            "generations": self.history,
            "seconds": self.seconds,
            "folder": folder.path(),
            "weights_file": folder.file(WEIGHTS),
            "report_file": folder.report_path(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let [error, test_error] = self.errors;
        let mut text = format!(
            "{} generations, {}: error {error:.0} on {} lessons, {test_error:.0} on {} held out \
             (centipawns)\n",
            self.history.len(),
            number::duration(self.seconds),
            self.lessons[0],
            self.lessons[1],
        );
        for (name, error) in &self.others {
            text += &format!("{name}: {error:.0} on those held out\n");
        }
        text += &format!("weights  {}\n", folder.file(WEIGHTS).display());
        text + &format!("report   {}\n", folder.report_path().display())
    }
}

/// Evolves, or goes on with it.
fn evolve(
    plan: &MentorPlan,
    folder: &RunFolder,
    lessons: &Lessons,
    observer: &dyn Observer,
) -> Result<Pupils> {
    let MentorPlan { parameters, drawn, seed, .. } = plan;
    let mut pupils = match folder.read_json::<Pupils>(STATE)? {
        Some(pupils) => {
            let state = folder.file(STATE);
            ensure!(
                pupils.fits(parameters, lessons, *drawn),
                "{}: not the state of this run, or features have changed since",
                state.display()
            );
            pupils
        }
        None => Pupils::new(parameters.clone(), lessons, *drawn, *seed)?,
    };
    let all = u64::from(parameters.generations);
    let mut progress = observer.begin(all, "generations");
    while !pupils.is_over() {
        let Generation { generation, best, mean, .. } = *pupils.step(lessons)?;
        progress.update(generation.into(), &|| format!("error {best:.0}, mean {mean:.0}"));
        if pupils.history().len().is_multiple_of(SAVED_EVERY) || pupils.is_over() {
            folder.write_json(STATE, &pupils)?;
        }
    }
    Ok(pupils)
}
