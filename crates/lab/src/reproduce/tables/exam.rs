//! The positions that everything is measured with.

use std::collections::HashSet;
use tesuji_records::Sample;
use tesuji_shogi::Position;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_learn::Prediction;
use tesuji_learn::games::{GameCollector, Place, TrainingGames, part_of};
use tesuji_learn::imitation::MoveExample;
use tesuji_math::Random;
use tesuji_records::collection::Part;
use tesuji_run::Observer;

use super::settings::{FROM_PLY, SEED, TablesPlan};
use crate::data::positions::{for_each_game, read_table};

/// Positions that are worked on together: their features must have room in memory.
const BATCH: usize = 4096;

/// Positions whose moves are to be found.
pub struct Questions {
    /// Positions that a model may have met while it learned.
    known: Vec<MoveExample>,
    unseen: Vec<MoveExample>,
}

impl Questions {
    fn new(samples: impl Iterator<Item = MoveExample>, known: &HashSet<u64>) -> Self {
        let (known, unseen) = samples.partition(|sample| known.contains(&sample.position.key()));
        Self { known, unseen }
    }

    fn answer(&self, predict: &mut impl FnMut(&[MoveExample]) -> Prediction) -> Marks {
        let unseen = in_batches(&self.unseen, predict);
        let mut all = in_batches(&self.known, predict);
        all.merge(&unseen);
        Marks { all, unseen }
    }
}

/// What is found of the moves of many positions.
fn in_batches(
    samples: &[MoveExample],
    predict: &mut impl FnMut(&[MoveExample]) -> Prediction,
) -> Prediction {
    let mut sum = Prediction::default();
    samples.chunks(BATCH).for_each(|batch| sum.merge(&predict(batch)));
    sum
}

/// What was found of the moves of some positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Marks {
    pub all: Prediction,
    /// Of the positions alone that are not known.
    pub unseen: Prediction,
}

/// What was found of all positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Grades {
    /// Of the thesis's positions. Those that occur in games are known.
    pub thesis: Marks,
    /// Of professional games that are held out. Positions that occur in games to learn from, or
    /// among the thesis's, are known.
    pub games: Marks,
}

/// Games to learn from, and all positions to measure with.
pub struct Material {
    /// Professional games. Those to learn from are in random order.
    games: TrainingGames,
    train: Vec<Place>,
    test: Vec<Place>,
    thesis: Questions,
    apart: Questions,
}

impl Material {
    /// Reads all files.
    pub fn load(plan: &TablesPlan, observer: &dyn Observer) -> Result<Self> {
        let mut collector = GameCollector::new(SEED, [])?;
        let mut failed = None;
        for_each_game(std::slice::from_ref(&plan.games), observer, |game| {
            failed = collector.add(game).err().or(failed.take());
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let games = collector.finish()?;
        let (mut train, mut test) = (games.train.clone(), games.test.clone());
        let name = plan.games.display();
        ensure!(!train.is_empty() && !test.is_empty(), "{name}: too few games to learn from");
        Random::new(SEED).shuffle(&mut train);
        test.truncate(plan.sizes.test);

        let thesis = read_table(&plan.positions)?;
        let (learned, met) = known_positions(plan, &thesis, observer)?;
        let apart = test.iter().flat_map(|&place| samples_of(&games, place));
        let apart = Questions::new(apart, &learned);
        let thesis = Questions::new(thesis.iter().filter_map(MoveExample::alone), &met);
        Ok(Self { games, train, test, thesis, apart })
    }

    /// How many games there are to learn from, and how many are held out to measure with.
    pub fn count(&self) -> (usize, usize) {
        (self.train.len(), self.test.len())
    }

    /// The sizes that there are games for; the last one is all games if it asks for more.
    pub fn sizes(&self, wanted: &[usize]) -> Vec<usize> {
        let mut sizes: Vec<usize> =
            wanted.iter().map(|&games| games.min(self.train.len())).collect();
        sizes.dedup();
        sizes
    }

    /// The first games to learn from, with so many to measure with.
    pub fn first(&mut self, train: usize, test: usize) -> &TrainingGames {
        self.games.train = self.train[..train.min(self.train.len())].to_vec();
        self.games.test = self.test[..test.min(self.test.len())].to_vec();
        &self.games
    }

    /// The positions of the first games to learn from, game by game.
    pub fn learned(&self, games: usize) -> impl Iterator<Item = Vec<MoveExample>> + '_ {
        self.train.iter().take(games).map(|&place| samples_of(&self.games, place))
    }

    /// All games to learn from.
    pub fn for_each_position(&self, mut visit: impl FnMut(&Position)) {
        for &place in &self.train {
            self.games.get(place).positions().for_each(|(position, _)| visit(&position));
        }
    }

    /// What `predict` finds of the moves of the first games to learn from.
    pub fn look_back(
        &self,
        games: usize,
        mut predict: impl FnMut(&[MoveExample]) -> Prediction,
    ) -> Prediction {
        let samples: Vec<MoveExample> = self.learned(games).flatten().collect();
        in_batches(&samples, &mut predict)
    }

    /// What `predict` finds of all positions.
    pub fn examine(&self, mut predict: impl FnMut(&[MoveExample]) -> Prediction) -> Grades {
        Grades { thesis: self.thesis.answer(&mut predict), games: self.apart.answer(&mut predict) }
    }
}

/// The positions of a game that count.
fn samples_of(games: &TrainingGames, place: Place) -> Vec<MoveExample> {
    let game = games.get(place);
    MoveExample::of_game(game.positions())
        .filter(|sample| sample.position.ply() >= FROM_PLY)
        .collect()
}

/// The positions that may have been learned from, the thesis's among them; and those of all games.
fn known_positions(
    plan: &TablesPlan,
    thesis: &[Sample],
    observer: &dyn Observer,
) -> Result<(HashSet<u64>, HashSet<u64>)> {
    let mut learned: HashSet<u64> = thesis.iter().map(|sample| sample.position.key()).collect();
    let mut met = HashSet::new();
    for_each_game(&plan.all_games(), observer, |game| {
        let keys: Vec<u64> = game.positions().map(|(position, _)| position.key()).collect();
        if part_of(game, SEED) == Part::Train {
            learned.extend(&keys);
        }
        met.extend(keys);
    })?;
    Ok((learned, met))
}
