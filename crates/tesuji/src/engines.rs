//! Flags that describe an engine.

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};
use tesuji_search::spec::{
    DEFAULT_EVALUATION, DEFAULT_TABLE, EvaluationSpec, LARGEST_TABLE, LoadedSearch, SearchSpec,
    Setting, check_table,
};
use tesuji_search::{Algorithm, AlphaBetaParams, Parameters};

use crate::flags::whole;

/// Flags that describe an engine.
#[derive(Clone, PartialEq, Eq, Args, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineArgs {
    /// A weights file, or the name of an evaluation that comes with the program: material,
    /// published, evolved, coevolved, pupil, predictor, extended, tables or phase.
    #[arg(long, value_name = "FILE|NAME", default_value = DEFAULT_EVALUATION)]
    pub eval: String,
    /// The algorithm that searches.
    #[arg(long, value_name = "NAME", default_value = Algorithm::standard().name,
          value_parser = PossibleValuesParser::new(Algorithm::names()))]
    pub search: String,
    /// Settings of the search with a name.
    #[arg(long, value_name = "NAME", default_value = AlphaBetaParams::PRESETS[0],
          value_parser = PossibleValuesParser::new(AlphaBetaParams::PRESETS))]
    pub preset: String,
    /// Sets a parameter of the search; it may be given several times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// The size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u64,
          value_parser = whole::<u64>(1..=LARGEST_TABLE as u64))]
    pub hash: u64,
}

impl EngineArgs {
    /// The engine that the flags mean.
    pub fn spec(&self) -> Result<SearchSpec> {
        let read = |setting: &String| setting.parse().with_context(|| format!("--set {setting}"));
        let settings: Vec<Setting> = self.settings.iter().map(read).collect::<Result<_>>()?;
        Ok(SearchSpec {
            evaluation: Some(EvaluationSpec::named(&self.eval)),
            search: Some(self.search.clone()).filter(|name| name != Algorithm::standard().name),
            preset: Some(self.preset.clone()),
            settings,
            hash: Some(usize::try_from(self.hash)?),
            ..SearchSpec::default()
        })
    }

    /// The engine that the flags mean, loaded; `engines` is how many of them there will be at once.
    pub fn load(&self, engines: usize) -> Result<LoadedSearch> {
        let engine = self.spec()?.load()?;
        check_table(engine.mebibytes.saturating_mul(engines))?;
        Ok(engine)
    }
}
