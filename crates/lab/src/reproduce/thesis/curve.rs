//! What more positions bring: fits to more and more positions of professional games, tried on the
//! thesis's positions.

use std::path::Path;
use tesuji_records::Sample;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_learn::logit::{Settings, fit};
use tesuji_learn::{Dataset, MoveOrder, Prediction};
use tesuji_math::Random;

use crate::data::features::Features;
use crate::data::positions;
use crate::data::source::Source;
use crate::evolve::EvolvePlan;
use tesuji_run::{Observer, kept};

/// Positions taken from each game; enough for the largest size.
const PER_GAME: usize = 15;
const SIZES: [usize; 7] = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000];
const LARGEST_WEIGHT: i32 = 4000;

/// A fit to so many positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    pub positions: usize,
    /// Shares of positions that are solved.
    pub trained: f64,
    pub unseen: f64,
}

/// The points of each feature set.
pub type Curve = Vec<(String, Vec<Point>)>;

/// Fits to each size, with either set of features.
pub fn learn(
    base: &EvolvePlan,
    games: &Path,
    out: &Path,
    observer: &dyn Observer,
) -> Result<Curve> {
    kept::or_made(&out.join("curve.json"), || {
        let tested = base.positions(observer)?;
        let samples = training(base, games, &tested, observer)?;
        ["paper", "extended"]
            .map(|name| points(name, &samples, &tested, base.l2, observer))
            .into_iter()
            .collect()
    })
}

/// Positions of professional games in random order, without the boards that they are tried on.
fn training(
    base: &EvolvePlan,
    games: &Path,
    tested: &[Sample],
    observer: &dyn Observer,
) -> Result<Vec<Sample>> {
    let mut samples = Source::of_games(games, PER_GAME, base.seed).load(observer)?;
    positions::leave_out(&mut samples, tested);
    Random::new(base.seed).shuffle(&mut samples);
    Ok(samples)
}

fn points(
    features: &str,
    samples: &[Sample],
    tested: &[Sample],
    l2: f64,
    observer: &dyn Observer,
) -> Result<(String, Vec<Point>)> {
    let set = Features::load(features)?.set;
    let test = Dataset::build(&set, tested, MoveOrder::Thesis);
    let settings = Settings { l2, ..Settings::default() };
    let point = |size: usize| {
        let data = Dataset::build(&set, &samples[..size.min(samples.len())], MoveOrder::Thesis);
        let weights = fit(&data, &settings).integers(LARGEST_WEIGHT);
        let unseen = Prediction::new(&test, &weights).accuracy();
        observer.note(&format!("  {features}, {} positions: {:.2} %", data.len(), 100.0 * unseen));
        Point {
            positions: data.len(),
            trained: Prediction::new(&data, &weights).accuracy(),
            unseen,
        }
    };
    Ok((features.to_owned(), SIZES.map(point).into()))
}
