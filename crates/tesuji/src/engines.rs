//! Engines by the names of their evaluations, and the flags that describe one.

use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};
use tesuji_eval::{Model, Weights};
use tesuji_search::{
    Algorithm, AlphaBetaParams, Linear, Material, Parameters, Searcher, Tables, Values, registry,
};

use crate::weights;

/// The evaluation that an engine has if none is named.
pub const DEFAULT_EVALUATION: &str = "tables";

/// The evaluation by pieces alone.
const MATERIAL: &str = "material";

/// The table of an engine in mebibytes, if nobody says otherwise.
pub const DEFAULT_TABLE: usize = 64;

/// The largest table.
pub const LARGEST_TABLE: usize = 1 << 20;

/// An evaluation with its name, to make engines of.
#[derive(Clone, Debug)]
pub struct Evaluation {
    name: String,
    /// None for pieces alone.
    model: Option<Model>,
}

impl Evaluation {
    /// The evaluation with this name, or with the weights of this file.
    pub fn load(name: &str) -> Result<Self> {
        let model = if name == MATERIAL { None } else { Some(weights::load_model(name)?) };
        Ok(Self { name: name.to_owned(), model })
    }

    /// An evaluation that was made here.
    pub fn of_weights(name: &str, weights: Weights) -> Self {
        Self { name: name.to_owned(), model: Some(Model::Features(weights)) }
    }

    /// The name or the path by which it was loaded.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was learned; `None` for pieces alone.
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// An engine with this algorithm and a table of so many mebibytes.
    pub fn engine(&self, search: &Algorithm, mebibytes: usize) -> Box<dyn Searcher> {
        let name = search.name;
        let built = match self.model.clone() {
            None => registry::build(name, Material::default(), mebibytes),
            Some(Model::Features(weights)) => {
                registry::build(name, Linear::new(weights), mebibytes)
            }
            Some(Model::Tables(tables)) => registry::build(name, Tables::new(tables), mebibytes),
        };
        built.expect("every algorithm of the registry can be built")
    }
}

/// Refuses a table that the memory of this machine cannot hold: filling it would end the program.
pub fn check_table(mebibytes: usize) -> Result<()> {
    if let Some(available) = available_memory() {
        ensure!(
            mebibytes <= available,
            "a table of {mebibytes} MiB does not fit into the {available} MiB that are free"
        );
    }
    Ok(())
}

/// Free memory in mebibytes, where the system tells it.
fn available_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes / 1024)
}

/// Flags that describe an engine.
#[derive(Clone, PartialEq, Eq, Args, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineArgs {
    /// A weights file, or the name of an evaluation that comes with the program: material,
    /// published, evolved, coevolved, pupil, predictor, extended or tables.
    #[arg(long, value_name = "FILE|NAME", default_value = DEFAULT_EVALUATION)]
    pub eval: String,
    /// The algorithm that searches.
    #[arg(long, value_name = "NAME", default_value = Algorithm::standard().name,
          value_parser = PossibleValuesParser::new(Algorithm::names()))]
    #[serde(default = "standard_search")]
    pub search: String,
    /// Settings of the search with a name.
    #[arg(long, value_name = "NAME", default_value = AlphaBetaParams::PRESETS[0],
          value_parser = PossibleValuesParser::new(AlphaBetaParams::PRESETS))]
    pub preset: String,
    /// Sets a parameter of the search; it may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// The size of the table of positions in MiB.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u64,
          value_parser = clap::value_parser!(u64).range(1..=LARGEST_TABLE as u64))]
    pub hash: u64,
}

/// The algorithm of run folders that name none.
fn standard_search() -> String {
    Algorithm::standard().name.to_owned()
}

/// An engine to be made.
#[derive(Clone, Debug)]
pub struct EnginePlan {
    pub evaluation: Evaluation,
    pub search: &'static Algorithm,
    pub params: Values,
    pub mebibytes: usize,
}

impl EnginePlan {
    /// The engine that the flags mean; `engines` is how many of them there will be at once.
    pub fn new(args: &EngineArgs, engines: usize) -> Result<Self> {
        let mut plan =
            Self::of(&args.eval, &args.search, &args.preset, usize::try_from(args.hash)?)?;
        for setting in &args.settings {
            plan.set(setting).with_context(|| format!("--set {setting}"))?;
        }
        check_table(plan.mebibytes.saturating_mul(engines))?;
        Ok(plan)
    }

    /// An engine by the names of its evaluation, its algorithm and the settings of that.
    pub fn of(evaluation: &str, search: &str, preset: &str, mebibytes: usize) -> Result<Self> {
        let search = Algorithm::named(search).ok_or_else(|| {
            anyhow!("{search}: no such search; there are {}", Algorithm::names().join(", "))
        })?;
        let params = search.preset(preset).ok_or_else(|| anyhow!("{preset}: no such preset"))?;
        Ok(Self { evaluation: Evaluation::load(evaluation)?, search, params, mebibytes })
    }

    /// Sets a parameter of the search by a text such as `null_move=0`.
    pub fn set(&mut self, setting: &str) -> Result<()> {
        set(&mut self.params, setting)
    }

    /// Makes the engine, for one thread.
    pub fn engine(&self) -> Box<dyn Searcher> {
        let mut engine = self.evaluation.engine(self.search, self.mebibytes);
        engine.set_parameters(&self.params);
        engine
    }
}

/// Sets a parameter by a text such as `null_move=0`.
fn set(params: &mut Values, setting: &str) -> Result<()> {
    let (name, value) = setting
        .split_once('=')
        .ok_or_else(|| anyhow!("expected a parameter and its value, NAME=VALUE"))?;
    let known = params.declared().iter().find(|parameter| parameter.name == name);
    let Some(known) = known else {
        let names: Vec<&str> = params.declared().iter().map(|parameter| parameter.name).collect();
        return Err(anyhow!("no such parameter; there are {}", names.join(", ")));
    };
    let fits = value.parse().is_ok_and(|value| params.set(name, value));
    ensure!(fits, "expected a number from {} to {}", known.min, known.max);
    Ok(())
}
