//! What a training is to do: every setting that has a part in its result.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use tesuji_eval::{Model, PhaseTables, PieceTables};
use tesuji_learn::games::{GameCollector, TrainingGames};
use tesuji_learn::imitation::Imitation;
use tesuji_learn::tables::Training;
use tesuji_records::stream::{Games, Input as Records};
use tesuji_run::{Input, Observer, Plan, plan};
use tesuji_shogi::Position;

use super::tables::Filed;

/// What is trained, and how.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelSettings {
    /// Piece tables, by comparison of moves or by the results of games, after quiescence.
    Tables(Training),
    /// Phase tables, in the same way.
    Phase(Training),
    /// A model of moves.
    Move(Imitation),
    /// A static model: it chooses by the positions after each move alone.
    Static(Imitation),
    /// Positional patterns, for development.
    Patterns(Imitation),
    /// The merit of plausible moves.
    Merit(Imitation),
}

impl ModelSettings {
    const fn seed(&self) -> u64 {
        match self {
            Self::Tables(training) | Self::Phase(training) => training.seed,
            Self::Move(imitation)
            | Self::Static(imitation)
            | Self::Patterns(imitation)
            | Self::Merit(imitation) => imitation.seed,
        }
    }
}

/// The settings of a training, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainPlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// Files of held-out positions, one a line: games that have one are not learned from.
    pub leave_out: Vec<PathBuf>,
    /// Tables to begin with, by file or name; without them the values of the pieces.
    pub start: Option<String>,
    /// What is trained, and how.
    pub task: ModelSettings,
}

impl TrainPlan {
    /// Can the training begin with the tables that are named?
    fn check_start(&self) -> Result<()> {
        match (&self.start, self.task) {
            (Some(name), ModelSettings::Tables(_)) => PieceTables::load(name).map(drop),
            (Some(name), ModelSettings::Phase(_)) => PhaseTables::load(name).map(drop),
            (Some(_), _) => bail!("only tables can be begun with"),
            (None, _) => Ok(()),
        }
    }

    /// The positions that no game may have.
    fn held_out(&self) -> Result<Vec<Position>> {
        let mut positions = Vec::new();
        for path in &self.leave_out {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let sfen = line.split('\t').next().unwrap_or_default().trim();
                if sfen.is_empty() || sfen.starts_with('#') {
                    continue;
                }
                let position = Position::from_sfen(sfen)
                    .map_err(|error| anyhow!("{}:{number}: {error}", path.display()))?;
                positions.push(position);
            }
        }
        Ok(positions)
    }

    /// Reads the games. Bad ones are named to the observer and left out.
    pub(super) fn load(&self, observer: &dyn Observer) -> Result<TrainingGames> {
        let held_out = self.held_out()?;
        let mut games = GameCollector::new(self.task.seed(), &held_out)?;
        for game in Games::new(Records::from_paths(&self.games)?, None) {
            match game {
                Ok(game) => games.add(&game.value)?,
                Err(error) if error.is_bad_game() => observer.complain(&error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        let games = games.finish()?;
        ensure!(!games.train.is_empty(), "no games to learn from");
        ensure!(!games.test.is_empty(), "too few games: none are left to measure with");
        Ok(games)
    }
}

impl Plan for TrainPlan {
    const COMMAND: &'static str = "train";

    fn seed(&self) -> u64 {
        self.task.seed()
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for games in Records::from_paths(&self.games)? {
            let Records::File(path) = games else {
                bail!("-: a run must be able to read its games again, give a file");
            };
            inputs.push(plan::input(&path)?);
        }
        for path in &self.leave_out {
            inputs.push(plan::input(path)?);
        }
        if let Some(start) = &self.start
            && Model::named(start).is_none()
        {
            inputs.push(plan::input(Path::new(start))?);
        }
        Ok(inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        self.check_start()?;
        self.load(observer)?;
        Ok(())
    }
}
