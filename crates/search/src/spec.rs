//! Engines by the names of their evaluations and settings.

use std::fs;

use tesuji_eval::{LoadError, Model, Weights};
use thiserror::Error;

use crate::{Engine, Linear, Material, SearchParams, Searcher, Tables};

/// An engine cannot be made.
#[derive(Debug, Error)]
pub enum SpecError {
    /// There is no such evaluation.
    #[error(transparent)]
    Evaluation(#[from] LoadError),
    /// A setting is unknown or out of range, or the machine is too small.
    #[error("{0}")]
    Setting(String),
}

type Result<T> = std::result::Result<T, SpecError>;

fn wrong<T>(problem: String) -> Result<T> {
    Err(SpecError::Setting(problem))
}

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
        let model = if name == MATERIAL { None } else { Some(Model::load(name)?) };
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

    /// An engine with a table of so many mebibytes.
    pub fn engine(&self, mebibytes: usize) -> Box<dyn Searcher> {
        match self.model.clone() {
            None => Box::new(Engine::new(Material::default(), mebibytes)),
            Some(Model::Features(weights)) => {
                Box::new(Engine::new(Linear::new(weights), mebibytes))
            }
            Some(Model::Tables(tables)) => Box::new(Engine::new(Tables::new(tables), mebibytes)),
        }
    }
}

/// Refuses a table that the memory of this machine cannot hold: filling it would end the program.
pub fn check_table(mebibytes: usize) -> Result<()> {
    if let Some(available) = available_memory() {
        if mebibytes > available {
            return wrong(format!(
                "a table of {mebibytes} MiB does not fit into the {available} MiB that are free"
            ));
        }
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

/// An engine to be made.
#[derive(Clone, Debug)]
pub struct EnginePlan {
    /// What positions are worth to it.
    pub evaluation: Evaluation,
    /// The parameters of its search.
    pub params: SearchParams,
    /// The size of its transposition table.
    pub mebibytes: usize,
}

impl EnginePlan {
    /// An engine by the names of its evaluation and of the settings of its search.
    pub fn of(evaluation: &str, preset: &str, mebibytes: usize) -> Result<Self> {
        let Some(params) = SearchParams::preset(preset) else {
            return wrong(format!("{preset}: no such preset"));
        };
        Ok(Self { evaluation: Evaluation::load(evaluation)?, params, mebibytes })
    }

    /// Sets a parameter of the search by a text such as `null_move=0`.
    pub fn set(&mut self, setting: &str) -> Result<()> {
        set(&mut self.params, setting)
    }

    /// Makes the engine, for one thread.
    pub fn engine(&self) -> Box<dyn Searcher> {
        let mut engine = self.evaluation.engine(self.mebibytes);
        engine.settings().params = self.params.clone();
        engine
    }
}

/// Sets a parameter by a text such as `null_move=0`.
fn set(params: &mut SearchParams, setting: &str) -> Result<()> {
    let Some((name, value)) = setting.split_once('=') else {
        return wrong("expected a parameter and its value, NAME=VALUE".to_owned());
    };
    let known = SearchParams::ALL.iter().find(|parameter| parameter.name == name);
    let Some(known) = known else {
        let names: Vec<&str> = SearchParams::ALL.iter().map(|parameter| parameter.name).collect();
        return wrong(format!("no such parameter; there are {}", names.join(", ")));
    };
    let fits = value.parse().is_ok_and(|value| params.set(name, value));
    if !fits {
        return wrong(format!("expected a number from {} to {}", known.min, known.max));
    }
    Ok(())
}
