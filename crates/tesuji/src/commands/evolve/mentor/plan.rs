//! The settings of an evolution with a mentor.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::TimeControl;
use tesuji_learn::ga::Parameters;
use tesuji_learn::mentor;
use tesuji_report::Input;
use tesuji_search::quiet::with_resolver;
use tesuji_search::{AlphaBetaParams, Material};
use tesuji_shogi::Position;

use super::super::{EvolveArgs, plan};
use crate::commands::arena::contestant::Contestant;
use crate::lab::features::{Features, is_file};
use crate::lab::folder;
use crate::lab::source::Source;

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub data: Source,
    /// Positions to see what was learned; without them every other one of the data.
    pub test: Option<Source>,
    pub features: String,
    /// The engine whose scores are learned.
    pub mentor: String,
    /// Plies that it searches, unless it has a limit of its own.
    pub depth: u32,
    /// Lessons that are drawn for a generation.
    pub drawn: usize,
    pub seed: u64,
    pub parameters: Parameters,
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &EvolveArgs, mentor: &str) -> Result<Self> {
        let seed = args.seed;
        let test = args.test.as_deref().map(|path| Source::of_file(path, seed)).transpose()?;
        let mut parameters = plan::parameters(args, mentor::parameters)?;
        let drawn = parameters.batch.take().map_or(mentor::DRAWN, |batch| batch.positions);
        parameters.check()?;
        ensure!(drawn > 0, "--batch is 0, expected at least one position");
        // What these add decides nothing here, and a setting without a meaning is a mistake.
        let Parameters { restart, adaptive, islands, local_search, .. } = &parameters;
        let plain = restart.is_none() && adaptive.is_none() && islands.is_none();
        ensure!(
            plain && local_search.is_none(),
            "--restart, --adaptive, --islands and --local-search are not for --mentor"
        );
        Ok(Self {
            data: args.data.source(seed),
            test,
            features: args.features.clone(),
            mentor: mentor.to_owned(),
            depth: args.mentor_depth,
            drawn,
            seed,
            parameters,
        })
    }

    /// Whose scores are learned.
    pub fn mentor(&self) -> Result<Contestant> {
        let control = TimeControl { depth: Some(self.depth), ..TimeControl::default() };
        Contestant::parse(&self.mentor, control)
    }

    /// Positions to learn from, and those that are kept apart, each played out until nothing is to be taken: a sum
    /// of features cannot know that.
    pub fn positions(&self) -> Result<[Vec<Position>; 2]> {
        let load = |source: &Source| -> Result<Vec<Position>> {
            let positions = source.load()?.into_iter().map(|(position, _)| position);
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

impl folder::Plan for Plan {
    const COMMAND: &'static str = "mentor";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = self.data.inputs()?;
        if let Some(test) = &self.test {
            inputs.append(&mut test.inputs()?);
        }
        if is_file(&self.features) {
            inputs.push(folder::input(Path::new(&self.features))?);
        }
        inputs.extend(self.mentor()?.input()?);
        Ok(inputs)
    }

    fn check(&self) -> Result<()> {
        Features::load(&self.features)?;
        self.positions()?;
        self.mentor()?.check()
    }
}
