//! How games are played.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use tesuji_arena::schedule::Order;
use tesuji_arena::{DrawTerms, ResignTerms, Terms, TimeControl, openings};
use tesuji_shogi::{EnteringKingRule, Game, Rules};

/// How games are played, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// What an engine has for a game, unless it has limits of its own.
    pub control: TimeControl,
    /// Milliseconds by which a move may be late.
    pub margin: u64,
    /// Milliseconds to wait for a move where no clock runs.
    pub patience: u64,
    /// A file of openings; our own openings without one.
    pub openings: Option<PathBuf>,
    /// How many moves of a game in that file are played; all without this.
    pub plies: Option<usize>,
    /// The order of openings.
    pub order: Order,
    /// The number of the last move: a game that is not decided by then is drawn.
    pub max_moves: u16,
    /// How a player with an entered king may win, by its name.
    pub entering_king: String,
    /// When a game counts as lost before its end.
    pub resign: Option<ResignTerms>,
    /// When a game counts as drawn before its end.
    pub draw: Option<DrawTerms>,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Conditions {
    /// The usual conditions with this limit and this seed.
    pub fn usual(control: TimeControl, seed: u64) -> Self {
        Self {
            control,
            margin: 100,
            patience: 120_000,
            openings: None,
            plies: None,
            order: Order::Random,
            max_moves: 320,
            entering_king: EnteringKingRule::default().name().to_owned(),
            resign: Some(ResignTerms { movecount: 4, score: 2500, twosided: true }),
            draw: None,
            seed,
        }
    }

    /// What holds for every game.
    pub fn terms(&self) -> Terms {
        let entering_king = EnteringKingRule::from_name(&self.entering_king).unwrap_or_default();
        Terms {
            rules: Rules { entering_king, max_moves: Some(self.max_moves) },
            resign: self.resign,
            draw: self.draw,
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_millis(self.patience),
        }
    }

    /// The openings of a file.
    pub fn read_openings(&self, path: &Path) -> Result<Vec<Game>> {
        openings::read(path, self.plies, &self.terms().rules).map_err(|why| anyhow!("{why}"))
    }
}
