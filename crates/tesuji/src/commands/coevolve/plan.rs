//! The settings of a co-evolution.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_eval::Weights;
use tesuji_learn::coevolution::Coevolution;
use tesuji_learn::ga::{Mutation, Parameters};
use tesuji_report::Input;
use tesuji_search::{Algorithm, Values};

use super::CoevolveArgs;
use crate::commands::arena::meetings::MeetingPlan;
use crate::lab::folder;
use crate::weights;

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub meetings: MeetingPlan,
    /// Weights to begin with; the winners that come with the program if there are none.
    pub from: Vec<String>,
    pub parameters: Parameters,
    pub preset: String,
}

/// Weights to begin with.
pub struct Founder {
    pub name: String,
    pub weights: Weights,
}

impl Founder {
    /// Positions that the weights solved when they were found.
    fn correct(&self) -> i64 {
        self.weights.result.get("correct").and_then(toml::Value::as_integer).unwrap_or(0)
    }
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &CoevolveArgs) -> Result<Self> {
        let parameters = Parameters {
            population: args.population,
            generations: args.generations,
            crossover: args.crossover,
            mutation: Mutation::PerBit { rate: args.mutation_rate },
            elite: args.elite.unwrap_or_else(|| Coevolution::elite(args.population)),
            ..Coevolution::parameters()
        };
        parameters.check()?;
        let mut plan = Self {
            meetings: MeetingPlan::new(&args.meetings, args.match_games)?,
            from: args.from.clone(),
            parameters,
            preset: args.preset.clone(),
        };
        let negative = |founder: &Founder| founder.weights.values().iter().any(|&value| value < 0);
        plan.parameters.signed = plan.founders()?.iter().any(negative);
        Ok(plan)
    }

    /// The weights to begin with, those that solved most positions first.
    pub fn founders(&self) -> Result<Vec<Founder>> {
        let mut founders: Vec<Founder> = if self.from.is_empty() {
            let named = |(number, weights)| Founder { name: format!("winner {number}"), weights };
            (1..).zip(Weights::winners()).map(named).collect()
        } else {
            let load =
                |name: &String| Ok(Founder { name: name.clone(), weights: weights::load(name)? });
            self.from.iter().map(load).collect::<Result<_>>()?
        };
        let expected = founders[0].weights.set().id();
        for Founder { name, weights } in &founders {
            let found = weights.set().id();
            ensure!(found == expected, "{name}: weights for {found}, those before for {expected}");
        }
        founders.sort_by_key(|founder| std::cmp::Reverse(founder.correct()));
        Ok(founders)
    }

    /// The settings of the search.
    pub fn search(&self) -> Result<Values> {
        let preset = &self.preset;
        Algorithm::standard().preset(preset).ok_or_else(|| anyhow!("{preset}: no such preset"))
    }
}

impl folder::Plan for Plan {
    const COMMAND: &'static str = "coevolve";

    fn seed(&self) -> u64 {
        self.meetings.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let files = self.from.iter().filter(|name| Weights::named(name).is_none());
        let mut inputs: Vec<Input> =
            files.map(|name| folder::input(Path::new(name))).collect::<Result<_>>()?;
        self.meetings.add_inputs(&mut inputs)?;
        Ok(inputs)
    }

    fn check(&self) -> Result<()> {
        self.founders()?;
        self.search()?;
        self.meetings.check()
    }
}
