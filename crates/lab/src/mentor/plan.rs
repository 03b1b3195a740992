//! The settings of an evolution with a mentor.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::{EngineSpec, TimeControl};
use tesuji_learn::ga::Parameters;
use tesuji_run::{Input, Observer, Plan};
use tesuji_search::quiet::with_resolver;
use tesuji_search::{AlphaBetaParams, Material};
use tesuji_shogi::Position;

use super::ScorePosition;
use crate::data::features::Features;
use crate::data::source::{Source, learning_inputs};

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MentorPlan {
    /// Where the positions come from.
    pub data: Source,
    /// Held-out positions; without them every other one of the data is held out.
    pub test: Option<Source>,
    /// The name of a feature set, or a file that selects features.
    pub features: String,
    /// The engine whose scores are learned.
    pub mentor: EngineSpec,
    /// Plies that it searches, unless it has a limit of its own.
    pub depth: u32,
    /// Lessons that are drawn for a generation.
    pub drawn: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The settings of the genetic algorithm.
    pub parameters: Parameters,
}

impl MentorPlan {
    /// The work of scoring positions by the mentor.
    pub fn scoring(&self) -> ScorePosition {
        let control = TimeControl { depth: Some(self.depth), ..TimeControl::default() };
        ScorePosition { engine: self.mentor.clone(), control }
    }

    /// Positions to learn from, and those that are held out. Each is played out by quiescence
    /// first: a sum of features does not see captures.
    pub fn positions(&self, observer: &dyn Observer) -> Result<[Vec<Position>; 2]> {
        let load = |source: &Source| -> Result<Vec<Position>> {
            let positions = source.load(observer)?.into_iter().map(|sample| sample.position);
            Ok(with_resolver(&Material::default(), &AlphaBetaParams::default(), |resolver| {
                let quiet = |position| {
                    resolver.set_root(&position);
                    resolver.resolve().leaf
                };
                positions.map(quiet).collect()
            }))
        };
        let all = load(&self.data)?;
        ensure!(all.len() >= 2, "{} positions, expected more", all.len());
        if let Some(test) = &self.test {
            return Ok([all, load(test)?]);
        }
        let half = |first: usize| all.iter().skip(first).step_by(2).copied().collect();
        Ok([half(0), half(1)])
    }
}

impl Plan for MentorPlan {
    const COMMAND: &'static str = "mentor";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = learning_inputs(&self.data, self.test.as_ref(), &self.features)?;
        inputs.extend(self.mentor.inputs()?);
        Ok(inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        Features::load(&self.features)?;
        self.parameters.check()?;
        self.positions(observer)?;
        let ScorePosition { engine, control } = self.scoring();
        engine.load(control)?.check()
    }
}
