//! Training of piece tables from whole games: comparison training on the moves, log-loss on the
//! results. Tables of several phases are trained together, each by its share of a position.
//!
//! A step searches the positions of a batch of games by quiescence with the tables as they are,
//! adds up the gradient of the loss at the leaves of the principal variations, and moves the
//! parameters by Adam. So the search is always that of the newest tables.

mod fitted;
mod gradient;
mod objective;
mod state;
mod values;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::TablesError;
use tesuji_eval::tables::UNITS;

pub use fitted::Fitted;
pub use gradient::{Gradient, Sum, Tally};
pub use objective::Objective;
use values::Occurrences;

use crate::games::{Place, TrainingGames};
use tesuji_math::Random;
use tesuji_math::optimise::{Adam, linear_decay};

/// The settings of a training of tables.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The loss.
    pub objective: Objective,
    /// Passes over the games.
    pub passes: usize,
    /// Games in a step.
    pub batch: usize,
    /// Every so many positions of a game are taken in a pass, others in the next.
    pub stride: usize,
    /// The learning rate at first, in centipawns; in the end a tenth of it.
    pub rate: f64,
    /// Adam's epsilon: gradients much smaller than this move a parameter in proportion to them.
    pub epsilon: f64,
    /// L2 regularisation of the parameters of the coarse parts.
    pub l2: f64,
    /// L2 regularisation of the parameters of single cells.
    pub cell_l2: f64,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            passes: 10,
            batch: 24,
            stride: 4,
            rate: 1.2,
            epsilon: 1e-4,
            l2: 1e-8,
            cell_l2: 1e-7,
            seed: 1,
        }
    }
}

/// The share of the rate that is left in the end.
const LAST_RATE: f64 = 0.1;

/// A training under way, between two passes.
#[derive(Clone)]
pub struct TableTrainer<'a, M> {
    settings: Training,
    games: &'a TrainingGames,
    occurrences: Occurrences<M>,
    /// In centipawns.
    parameters: Vec<f32>,
    optimiser: Adam,
    steps: usize,
    history: Vec<Pass>,
    /// The parameters after the best pass, and what they cost.
    best: Vec<f32>,
    best_cost: f64,
}

/// The losses of a pass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pass {
    /// Its number, from 1.
    pub number: usize,
    /// On the training games, while learning.
    pub train: Tally,
    /// On the held-out games.
    pub test: Tally,
}

impl<'a, M: Fitted> TableTrainer<'a, M> {
    /// A training that begins with pieces alone, or with given tables.
    pub fn new(settings: Training, games: &'a TrainingGames, start: Option<&M>) -> Self {
        let parameters: Vec<f32> = match start {
            Some(model) => {
                model.parameters().iter().map(|&units| f32::from(units) / UNITS as f32).collect()
            }
            None => M::parts().iter().flat_map(values::material).collect(),
        };
        Self {
            settings,
            games,
            occurrences: Occurrences::count(games),
            optimiser: Adam::new(parameters.len(), settings.epsilon as f32),
            steps: 0,
            history: Vec::new(),
            best: parameters.clone(),
            best_cost: f64::INFINITY,
            parameters,
        }
    }

    /// The passes that are done.
    pub fn history(&self) -> &[Pass] {
        &self.history
    }

    /// Is there another pass to do?
    pub fn is_done(&self) -> bool {
        self.history.len() >= self.settings.passes
    }

    /// The pass with the lowest loss on held-out games.
    pub fn best(&self) -> Option<&Pass> {
        self.history.iter().find(|pass| self.cost(&pass.test) == self.best_cost)
    }

    /// The tables of the best pass, with a pawn of 100.
    pub fn best_tables(&self) -> Result<M, TablesError> {
        let pawn = self.tables_of(&self.best, 1.0)?.values().board[0];
        self.tables_of(&self.best, 100.0 / pawn.max(1) as f32)
    }

    fn tables(&self) -> Result<M, TablesError> {
        self.tables_of(&self.parameters, 1.0)
    }

    fn tables_of(&self, parameters: &[f32], scale: f32) -> Result<M, TablesError> {
        let units = scale * UNITS as f32;
        let parameters: Vec<i16> =
            parameters.iter().map(|value| (value * units).round() as i16).collect();
        Ok(self.occurrences.with_values(M::new(&parameters, values::MATERIAL)?))
    }

    /// One pass over the training games, and a measurement on those held out.
    pub fn pass(&mut self, step: &mut dyn FnMut(usize, usize)) -> Result<Pass, TablesError> {
        let seed = Random::derived_seed(self.settings.seed, self.history.len() as u64);
        let mut order: Vec<Place> = self.games.train.clone();
        Random::new(seed).shuffle(&mut order);
        let batches: Vec<&[Place]> = order.chunks(self.settings.batch.max(1)).collect();
        let total = batches.len() * self.settings.passes;
        let stride = self.settings.stride.max(1);
        let place = (stride, self.history.len() % stride);
        let mut train = Tally::default();
        for (number, batch) in batches.iter().enumerate() {
            let evaluator = self.tables()?.evaluator();
            let gradient = self.sum(&self.settings.objective, batch, &evaluator, place);
            let decay = linear_decay(LAST_RATE, self.steps as f64, total.max(1) as f64);
            self.descend(&gradient, (self.settings.rate * decay) as f32);
            self.steps += 1;
            train.merge(&gradient.tally);
            step(number + 1, batches.len());
        }
        let pass = Pass { number: self.history.len() + 1, train, test: self.test()? };
        self.history.push(pass);
        let cost = self.cost(&pass.test);
        if cost < self.best_cost {
            self.best_cost = cost;
            self.best.clone_from(&self.parameters);
        }
        Ok(pass)
    }

    /// The mean loss of a position by the objective.
    fn cost(&self, tally: &Tally) -> f64 {
        let Objective { comparison, result, .. } = self.settings.objective;
        comparison * tally.mean_comparison_loss() + result * tally.mean_result_loss()
    }

    /// The losses on the held-out games.
    pub fn test(&self) -> Result<Tally, TablesError> {
        let evaluator = self.tables()?.evaluator();
        let both = Objective { comparison: 1.0, result: 1.0, ..self.settings.objective };
        let place = (self.settings.stride.max(1), 0);
        Ok(self.sum(&both, &self.games.test, &evaluator, place).tally)
    }

    /// Moves the parameters against the gradient.
    fn descend(&mut self, gradient: &Gradient<M>, rate: f32) {
        let positions = gradient.tally.compared.max(gradient.tally.judged).max(1) as f64;
        let mut start = 0;
        for (sums, parts) in gradient.tables().iter().zip(M::parts()) {
            let cells: Vec<f32> = sums.iter().map(|sum| (sum.get() / positions) as f32).collect();
            let mut now = vec![0.0_f32; parts.count()];
            parts.for_each_use(|cell, parameter| now[parameter] += cells[cell]);
            if let (Some(tempo), Some(&gradient)) = (now.last_mut(), cells.last()) {
                *tempo = gradient;
            }
            for part in parts.ranges() {
                let is_cell = part.name.ends_with("cell");
                let l2 = if is_cell { self.settings.cell_l2 } else { self.settings.l2 };
                for (i, number) in part.range.clone().map(|i| (i, start + i)) {
                    let parameter = &mut self.parameters[number];
                    let gradient = now[i] + l2 as f32 * *parameter;
                    self.optimiser.step(number, parameter, gradient, rate);
                }
            }
            start += parts.count();
        }
    }

    /// The loss of the positions of some games, and its gradient; the same at any number of
    /// threads.
    fn sum(
        &self,
        objective: &Objective,
        games: &[Place],
        evaluator: &M::Evaluator,
        place: (usize, usize),
    ) -> Gradient<M> {
        games
            .par_iter()
            .fold(Gradient::default, |mut gradient, &game| {
                objective.add_game(&self.games.get(game), evaluator, place, &mut gradient);
                gradient
            })
            .reduce(Gradient::default, |left, right| left.merge(&right))
    }
}
