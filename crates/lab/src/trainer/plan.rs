//! What the trainer is to look at.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_run::{Input, Observer, Plan, plan};
use tesuji_search::spec::{EvaluationSpec, SearchSpec};

use super::games::Games;
use crate::data::source::game_inputs;

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainerPlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// The player, in all spellings.
    pub player: Vec<String>,
    /// The engine that says which moves are better.
    pub engine: SearchSpec,
    /// Nodes of each search.
    pub nodes: u64,
    /// The winning chance that a move must give away to be a miss.
    pub margin: f64,
    /// Games of others for each of the player's, at most.
    pub others: usize,
    /// The seed by which those are drawn.
    pub seed: u64,
}

impl TrainerPlan {
    /// Nodes of each search, if nobody says otherwise.
    pub const NODES: u64 = 2_000;
    /// What a miss gives away, if nobody says otherwise.
    pub const MARGIN: f64 = 0.05;
}

impl Plan for TrainerPlan {
    const COMMAND: &'static str = "moves-games";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = game_inputs(&self.games)?;
        let evaluation = self.engine.evaluation.as_ref().and_then(EvaluationSpec::file);
        if let Some(path) = evaluation {
            inputs.push(plan::input(path.as_ref())?);
        }
        Ok(inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        ensure!(!self.games.is_empty(), "no games to look at");
        ensure!(
            self.margin > 0.0 && self.margin < 1.0,
            "a miss gives away {} of the winning chances, expected more than 0 and less than 1",
            self.margin
        );
        self.engine.load()?;
        Games::read(&self.games, observer)?.choose(self)?;
        Ok(())
    }
}
