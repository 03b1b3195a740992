//! What a comparison of a player with all others is to do.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_run::{Input, Observer, Plan};

use super::data::Games;
use crate::data::features::Features;
use crate::data::source::{Source, learning_inputs};

/// The settings, as the folder of a run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StylePlan {
    /// The player, in all spellings.
    pub player: Vec<String>,
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// Positions of each game.
    pub per_game: usize,
    /// The name of a feature set, or a file that selects features.
    pub features: String,
    /// L2 regularisation of fitted weights.
    pub l2: f64,
    /// Parts of the games that are held out in turn.
    pub folds: usize,
    /// Games of the others that are taken for each of the player's, at most.
    pub others: usize,
    /// Random sets of others' games that are treated as a player.
    pub controls: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl StylePlan {
    /// Games below which nothing is said of a player.
    pub const FEWEST_GAMES: usize = 30;

    /// The usual settings.
    pub fn new(player: Vec<String>, games: Vec<PathBuf>) -> Self {
        Self {
            player,
            games,
            per_game: 20,
            features: "paper".into(),
            l2: 1e-4,
            folds: 5,
            others: 4,
            controls: 3,
            seed: 1,
        }
    }

    fn source(&self) -> Source {
        Source::new(None, self.games.clone(), Some(self.per_game), true, self.seed)
    }
}

impl Plan for StylePlan {
    const COMMAND: &'static str = "style";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        learning_inputs(&self.source(), None, &self.features)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        ensure!(!self.games.is_empty(), "no games to compare a player's with");
        ensure!(self.folds >= 2, "{} folds, expected at least 2", self.folds);
        ensure!(self.others >= 2, "{} games of others for each, expected at least 2", self.others);
        Features::load(&self.features)?;
        Games::read(&self.games, observer)?.choose(self)?;
        Ok(())
    }
}
