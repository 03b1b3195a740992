//! The settings of a co-evolution.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_eval::Weights;
use tesuji_learn::ga::Parameters;
use tesuji_run::{Input, Observer, Plan, plan};
use tesuji_search::spec::{EvaluationSpec, SearchSpec};

use crate::pairings::PairingPlan;

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoevolvePlan {
    /// How organisms play each other.
    #[serde(rename = "meetings")]
    pub pairings: PairingPlan,
    /// Weights to begin with; the winners that come with the program if there are none.
    pub from: Vec<String>,
    /// The settings of the genetic algorithm.
    pub parameters: Parameters,
    /// The name of the search's parameters.
    pub preset: String,
}

/// Weights to begin with.
pub struct Founder {
    /// What they are called.
    pub name: String,
    /// The weights.
    pub weights: Weights,
}

impl Founder {
    /// Positions that the weights solved when they were found.
    fn correct(&self) -> i64 {
        self.weights.result.get("correct").and_then(toml::Value::as_integer).unwrap_or(0)
    }
}

impl CoevolvePlan {
    /// May weights be negative? They may if some of those to begin with are.
    pub fn signed(&self) -> Result<bool> {
        let negative = |founder: &Founder| founder.weights.values().iter().any(|&value| value < 0);
        Ok(self.founders()?.iter().any(negative))
    }

    /// The weights to begin with, those that solved most positions first.
    pub fn founders(&self) -> Result<Vec<Founder>> {
        let mut founders: Vec<Founder> = if self.from.is_empty() {
            let named = |(number, weights)| Founder { name: format!("winner {number}"), weights };
            (1..).zip(Weights::winners()).map(named).collect()
        } else {
            let load =
                |name: &String| Ok(Founder { name: name.clone(), weights: Weights::load(name)? });
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

    /// The engine with these weights.
    pub fn engine(&self, weights: &Weights) -> SearchSpec {
        SearchSpec {
            evaluation: Some(EvaluationSpec::Weights(weights.to_text())),
            preset: Some(self.preset.clone()),
            ..SearchSpec::default()
        }
    }
}

impl Plan for CoevolvePlan {
    const COMMAND: &'static str = "coevolve";

    fn seed(&self) -> u64 {
        self.pairings.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let files = self.from.iter().filter(|name| Weights::named(name).is_none());
        let mut inputs: Vec<Input> =
            files.map(|name| plan::input(Path::new(name))).collect::<Result<_>>()?;
        self.pairings.add_inputs(&mut inputs)?;
        Ok(inputs)
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        let founders = self.founders()?;
        self.engine(&founders[0].weights).load()?;
        self.pairings.check()
    }
}
