//! What came of a tuning.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};
use tesuji_arena::EngineSpec;
use tesuji_learn::coevolution::Round;
use tesuji_learn::tuning::spsa::Step;
use tesuji_learn::tuning::{self, Effort, Generation, SearchGenes, Tuned};
use tesuji_math::stats::Tally;
use tesuji_report::number;
use tesuji_run::{Context, RunFolder};
use tesuji_search::spec::{SearchSpec, Setting};

use super::plan::Problems;
use super::solving::{Part, Solving, settings};
use super::{Objective, TunePlan, journal, playing};
use crate::games::text::{aligned, tally_json};
use crate::pairings::{Pairings, verification_text};

/// What came of a tuning, and of what it was made.
pub struct TuneOutcome<'a> {
    /// What was carried out.
    pub plan: &'a TunePlan,
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// The parameters that were tuned.
    pub genes: SearchGenes,
    /// The values as they were.
    pub before: Vec<i32>,
    /// The values that were found.
    pub after: Vec<i32>,
    /// How it went.
    pub course: Course,
    /// What both need for problems, if there are any.
    pub measured: Option<Measured>,
    /// The values that were found against those before.
    pub verification: Option<Tally>,
    seconds: f64,
}

/// How a tuning went.
pub enum Course {
    /// The generations of a genetic algorithm on problems.
    Nodes(Vec<Generation>),
    /// The generations of a co-evolution.
    Games(Vec<Round>),
    /// The steps of SPSA.
    Spsa(Vec<Step>),
}

/// What was needed for problems before and after.
pub struct Measured {
    /// Those to tune with.
    pub tune: [Effort; 2],
    /// Those that were held out.
    pub test: [Effort; 2],
    /// How many there are of both.
    pub problems: [usize; 2],
}

impl<'a> TuneOutcome<'a> {
    /// Carries out a plan, or what is left of it.
    pub(super) fn new(
        plan: &'a TunePlan,
        folder: &'a RunFolder,
        context: &Context<'_>,
    ) -> Result<Self> {
        let started = Instant::now();
        plan.check_engine(context.thread_count())?;
        let (genes, engine) = (plan.genes()?, &plan.engine);
        let problems = plan.problems()?;
        let before = genes.values(&engine.params()?);
        let (solved, played) = journal::read(folder)?;
        let mut solving = Solving::new((&genes, engine, plan.cap), folder, *context, solved);
        let embody = |values: &[i32]| Ok(engine.with(settings(&genes, values)));
        let mut pairings = Pairings::new(&plan.pairings, folder, *context, &embody, played)?;
        let (after, course) = match plan.objective {
            Objective::Nodes => {
                let problems = problems.as_ref().context("no file of problems")?;
                let Tuned { values, history, .. } =
                    evolve(plan, (&genes, &before), problems, (&mut solving, context))?;
                (values, Course::Nodes(history))
            }
            Objective::Games => {
                let (values, rounds) = playing::coevolve(plan, &genes, &before, &mut pairings)?;
                (values, Course::Games(rounds))
            }
            Objective::Spsa => {
                let (values, steps) = playing::perturb(plan, &genes, &before, &mut pairings)?;
                (values, Course::Spsa(steps))
            }
        };
        let measured = match &problems {
            Some(problems) => Some(Measured::new(problems, [&before, &after], &mut solving)?),
            None => None,
        };
        let verification = match plan.pairings.match_games {
            0 => None,
            _ => Some(pairings.verify(&after, &before)?),
        };
        let seconds = started.elapsed().as_secs_f64();
        Ok(Self { plan, folder, before, after, course, measured, verification, seconds, genes })
    }

    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let side = |which: usize, values: &[i32]| {
            let mut side = json!({ "parameters": self.named(values) });
            if let Some(Measured { tune, test, .. }) = &self.measured {
                side["nodes"] = tune[which].nodes.into();
                side["solved"] = tune[which].solved.into();
                side["test_nodes"] = test[which].nodes.into();
                side["test_solved"] = test[which].solved.into();
            }
            side
        };
        let mut report = json!({
            "objective": self.plan.objective,
            "before": side(0, &self.before),
            "after": side(1, &self.after),
        });
        if let Some(Measured { tune, test, problems }) = &self.measured {
            report["fewer_nodes"] = fewer(tune).into();
            report["fewer_test_nodes"] = fewer(test).into();
            report["problems"] = problems[0].into();
            report["test_problems"] = problems[1].into();
            report["cap"] = self.plan.cap.into();
        }
        report["engine"] = self.engine().to_string().into();
        match &self.course {
            Course::Nodes(history) => report["generations"] = json!(history),
            Course::Games(rounds) => report["generations"] = json!(rounds),
            Course::Spsa(steps) => report["steps"] = json!(steps),
        }
        if let Some(tally) = &self.verification {
            let control = self.plan.pairings.conditions.control.to_string();
            report["match"] = json!({ "control": control, "result": tally_json(tally) });
        }
        report["seconds"] = self.seconds.into();
        report["folder"] = json!(self.folder.path());
        report["report_file"] = json!(self.folder.report_path());
        report
    }

    fn named(&self, values: &[i32]) -> Map<String, Value> {
        let names = self.genes.parameters().iter().map(|parameter| parameter.name.to_owned());
        names.zip(values.iter().map(|&value| value.into())).collect()
    }

    /// The tuned engine, for games: how large its transposition table is, they decide.
    pub fn engine(&self) -> EngineSpec {
        let changed = self.changes().map(|(name, _, value)| Setting { name: name.into(), value });
        EngineSpec::own(SearchSpec { hash: None, ..self.plan.engine.with(changed) })
    }

    /// The parameters that were changed, with both values.
    pub fn changes(&self) -> impl Iterator<Item = (&'static str, i32, i32)> {
        let names = self.genes.parameters().iter().map(|parameter| parameter.name);
        let values = self.before.iter().zip(&self.after);
        names
            .zip(values)
            .map(|(name, (&before, &after))| (name, before, after))
            .filter(|(_, before, after)| before != after)
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let mut text = self.measured.as_ref().map_or_else(String::new, Measured::text);
        for (name, before, after) in self.changes() {
            text += &format!("{name}: {before} → {after}\n");
        }
        if let Some(tally) = &self.verification {
            text += &format!("against the parameters before: {}\n", verification_text(tally));
        }
        text += &format!("engine   {}\n", self.engine());
        text + &format!("report   {}\n", self.folder.report_path().display())
    }
}

impl Measured {
    fn new(problems: &Problems, both: [&[i32]; 2], solving: &mut Solving<'_>) -> Result<Self> {
        let both = both.map(<[i32]>::to_vec);
        let mut measure = |part, problems: &[_]| -> Result<[Effort; 2]> {
            let found = solving.efforts(part, problems, &both, &mut |_, _| {})?;
            Ok([found[0], found[1]])
        };
        Ok(Self {
            tune: measure(Part::Tune, &problems.tune)?,
            test: measure(Part::Test, &problems.test)?,
            problems: [problems.tune.len(), problems.test.len()],
        })
    }

    /// The numbers.
    pub fn json(&self) -> Value {
        let side = |efforts: &[Effort; 2], of: usize| {
            let [before, after] = efforts;
            json!({ "of": of, "before": before, "after": after, "fewer": fewer(efforts) })
        };
        json!({
            "tune": side(&self.tune, self.problems[0]),
            "test": side(&self.test, self.problems[1]),
        })
    }

    fn text(&self) -> String {
        let row = |name: &str, efforts: &[Effort; 2], of: usize| {
            let [before, after] = efforts;
            vec![
                name.to_owned(),
                number::count(before.nodes),
                number::count(after.nodes),
                number::percent(-fewer(efforts), 1),
                format!("{} of {of}", before.solved),
                format!("{} of {of}", after.solved),
            ]
        };
        let head = ["", "nodes before", "after", "change", "solved before", "after"];
        aligned(&[
            head.map(str::to_owned).to_vec(),
            row("tuned with", &self.tune, self.problems[0]),
            row("held out", &self.test, self.problems[1]),
        ])
    }
}

/// The share of the nodes that are not searched any more.
fn fewer([before, after]: &[Effort; 2]) -> f64 {
    1.0 - after.nodes as f64 / before.nodes.max(1) as f64
}

/// The genetic algorithm on problems.
fn evolve(
    plan: &TunePlan,
    (genes, before): (&SearchGenes, &[i32]),
    problems: &Problems,
    (solving, context): (&mut Solving<'_>, &Context<'_>),
) -> Result<Tuned> {
    let all = u64::from(plan.parameters.generations);
    let progress = RefCell::new(context.observer.begin(all, "generations"));
    let done = Cell::new(0_u64);
    let mut tell = |searched: usize, of: usize| {
        progress.borrow_mut().update(done.get(), &|| {
            format!("generation {}: {searched} of {of} searches", done.get() + 1)
        });
    };
    tuning::evolve(
        genes,
        &plan.parameters,
        plan.pairings.seed(),
        (before, plan.near),
        |new| solving.efforts(Part::Tune, &problems.tune, new, &mut tell),
        |generation| {
            done.set(generation.generation.into());
            progress.borrow().note(&describe(generation));
        },
    )
}

fn describe(generation: &Generation) -> String {
    let Generation { generation, best, mean, mean_solved, diversity } = generation;
    format!(
        "generation {generation}: best {} nodes, {} solved; mean {} nodes, {mean_solved:.1} \
         solved, {diversity:.0} bits apart",
        number::count(best.nodes),
        best.solved,
        number::count(*mean as u64),
    )
}
