//! The same learner on a player's moves and on those of others: how their weights differ, and how
//! well the moves are told apart in games that were held out.

use std::ops::Range;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tesuji_learn::Dataset;
use tesuji_learn::logit::curvature::{Curvature, Newton, losses};
use tesuji_math::Random;
use tesuji_math::linear::{Matrix, dot};

/// By how much the weights of a player are drawn to those of others, times the spread of the
/// features: the best of these is found by games held out once more.
const DRAWN: [f64; 9] = [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0];
/// Scores are kept with so many places.
const PLACES: f64 = 1e7;

/// Who is told from whom: numbers of outings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The name in the journal.
    pub name: String,
    /// The outings of the player.
    pub own: Vec<usize>,
    /// Those of the others.
    pub others: Vec<usize>,
}

impl Subject {
    /// A control: some of the others' outings, taken for a player's.
    pub fn control(number: usize, others: &[usize], wanted: usize, seed: u64) -> Self {
        let mut outings = others.to_vec();
        Random::stream(seed, 1000 + number as u64).shuffle(&mut outings);
        let rest = outings.split_off(wanted.min(others.len() / 3));
        Self { name: format!("control {number}"), own: outings, others: rest }
    }
}

/// Weights of both, and how they differ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// The player's.
    pub player: Vec<f64>,
    /// The others', by the player's scale.
    pub others: Vec<f64>,
    /// How much more the player's moves follow the features than the others': weights are in
    /// logarithms of odds, and who is more predictable has larger ones.
    pub scale: f64,
    /// The difference of each weight.
    pub differences: Vec<f64>,
    /// Its standard error.
    pub errors: Vec<f64>,
    /// The standard errors of the others' weights.
    pub others_errors: Vec<f64>,
}

/// How well the moves of held-out games are told apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fold {
    /// By how much the player's weights were drawn to those of others.
    pub drawn: f64,
    /// For each held-out outing of the player, the scores of its moves: how much more likely they
    /// are by the player's weights, in logarithms.
    pub player: Vec<Vec<f64>>,
    /// The same for the outings of others.
    pub others: Vec<Vec<f64>>,
}

/// Positions with the outings that they belong to.
pub struct Learner<'a> {
    pub(super) data: &'a Dataset,
    outings: &'a [Range<usize>],
    newton: Newton<'a>,
    folds: usize,
}

impl<'a> Learner<'a> {
    /// `outings` are the positions of each outing.
    pub fn new(data: &'a Dataset, outings: &'a [Range<usize>], l2: f64, folds: usize) -> Self {
        Self { data, outings, newton: Newton::new(data, l2), folds }
    }

    fn clusters(&self, outings: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
        outings.map(|number| self.outings[number].clone().collect()).collect()
    }

    /// The positions of some outings.
    pub(super) fn positions(&self, outings: &[usize]) -> Vec<usize> {
        outings.iter().flat_map(|&number| self.outings[number].clone()).collect()
    }

    /// The weights of both on all of their games, sought from a start.
    pub fn weights(&self, subject: &Subject, start: &[f64]) -> Result<Weights> {
        let [own, others] =
            [&subject.own, &subject.others].map(|list| self.clusters(list.iter().copied()));
        let (of_others, at_others) = self.newton.fit(&others.concat(), start);
        let (player, at) = self.newton.fit(&own.concat(), &of_others);
        let spreads =
            [self.spreads(&own, &player, &at)?, self.spreads(&others, &of_others, &at_others)?];
        Ok(compare(player, &of_others, &self.newton.information(&at), &spreads))
    }

    /// The covariance of weights, twice: with whole games as drawn by chance, and by the
    /// information of the moves alone. What hardly ever comes up in the games hardly differs
    /// between them, and the first then takes a weight that nobody knows for sure.
    fn spreads(
        &self,
        games: &[Vec<usize>],
        weights: &[f64],
        at: &Curvature,
    ) -> Result<[Matrix; 2]> {
        let why = "the features do not tell these moves apart";
        let by_games = self.newton.covariance(games, weights).context(why)?;
        let by_moves = self.newton.information(at).cholesky().context(why)?.inverse();
        Ok([by_games, by_moves])
    }

    /// Is this one of the outings of a list that are held out? By its place in the list.
    fn held_out(&self, place: usize, fold: usize) -> bool {
        place % self.folds == fold
    }

    /// The outings of a list that are learned from, and those that are held out.
    pub(super) fn parts(&self, list: &[usize], fold: usize) -> [Vec<usize>; 2] {
        let part = |held_out: bool| {
            let places = list.iter().enumerate();
            let kept = places.filter(|(place, _)| self.held_out(*place, fold) == held_out);
            kept.map(|(_, &outing)| outing).collect()
        };
        [part(false), part(true)]
    }

    /// Learns from all games but a part, and scores the moves of that part.
    pub fn fold(&self, subject: &Subject, fold: usize, start: &[f64]) -> Fold {
        let [own, own_test] = self.parts(&subject.own, fold);
        let [others, others_test] = self.parts(&subject.others, fold);
        let (base, _) = self.newton.fit(&self.clusters(others.into_iter()).concat(), start);
        let (drawn, step) = self.nearby(&self.clusters(own.into_iter()), &base);
        let player: Vec<f64> = base.iter().zip(&step).map(|(base, step)| base + step).collect();
        let scores = |outings: Vec<usize>| -> Vec<Vec<f64>> {
            let score = |positions: &Vec<usize>| {
                let [likely, plain] =
                    [&player, &base].map(|weights| losses(self.data, positions, weights));
                let ratio =
                    |(likely, plain): (f64, f64)| ((plain - likely) * PLACES).round() / PLACES;
                likely.into_iter().zip(plain).map(ratio).collect()
            };
            self.clusters(outings.into_iter()).iter().map(score).collect()
        };
        Fold { drawn, player: scores(own_test), others: scores(others_test) }
    }

    /// A player's weights near those of others: what is to be added to them. One step of Newton's
    /// method is enough for so small a way; how far it goes is decided by games of the player that
    /// are held out from it in turn.
    fn nearby(&self, games: &[Vec<usize>], base: &[f64]) -> (f64, Vec<f64>) {
        const PARTS: usize = 4;
        let features = base.len();
        let parts: Vec<Curvature> = (0..PARTS.min(games.len()))
            .map(|part| {
                let some: Vec<usize> =
                    games.iter().skip(part).step_by(PARTS).flatten().copied().collect();
                Curvature::of(self.data, &some, base)
            })
            .collect();
        let all = parts.iter().fold(Curvature::zero(features), |mut sum, part| {
            sum.merge(part);
            sum
        });
        let gain = |drawn: f64| -> f64 {
            let of_part = |part: &Curvature| {
                let mut rest = all.clone();
                rest.positions -= part.positions;
                rest.information.add(&part.information, -1.0);
                rest.gradient.iter_mut().zip(&part.gradient).for_each(|(sum, x)| *sum -= x);
                let step = self.step(&rest, drawn);
                let bend = dot(&step, &part.information.times(&step));
                -dot(&step, &part.gradient) - bend / 2.0
            };
            parts.iter().map(of_part).sum()
        };
        let best = DRAWN.into_iter().map(|drawn| (gain(drawn), drawn));
        let (_, drawn) = best.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        (drawn, self.step(&all, drawn))
    }

    fn step(&self, at: &Curvature, drawn: f64) -> Vec<f64> {
        let count = at.positions as f64;
        let mut information = at.information.clone();
        let penalty = |column: &tesuji_learn::dataset::Column| {
            let square = column.spread().powi(2);
            if square > 0.0 { count * drawn * square } else { 1.0 }
        };
        information.add_diagonal(&self.data.columns().iter().map(penalty).collect::<Vec<_>>());
        let downhill: Vec<f64> = at.gradient.iter().map(|x| -x).collect();
        match information.cholesky() {
            Some(cholesky) => cholesky.solve(&downhill),
            None => vec![0.0; downhill.len()],
        }
    }
}

/// How weights differ, apart from their scale: the part of the player's weights that is the
/// others', larger or smaller, is no difference. What is left is at right angles to it, by the
/// information of the player's moves.
fn compare(
    player: Vec<f64>,
    others: &[f64],
    information: &Matrix,
    spreads: &[[Matrix; 2]; 2],
) -> Weights {
    let along = information.times(others);
    let length = dot(others, &along).max(f64::MIN_POSITIVE);
    let scale = dot(&player, &along) / length;
    let size = others.len();
    let mut projection = Matrix::zero(size);
    projection.add_diagonal(&vec![1.0; size]);
    for (i, other) in others.iter().enumerate() {
        let row = projection.row_mut(i);
        row.iter_mut().zip(&along).for_each(|(cell, along)| *cell -= other * along / length);
    }
    let turned = projection.transposed();
    let across = |spread: &Matrix| projection.product(spread).product(&turned);
    let [own, of_others] =
        [0, 1].map(|who| larger(&across(&spreads[who][0]), &across(&spreads[who][1])));
    let of_others_alone = larger(&spreads[1][0], &spreads[1][1]);
    let error = |i: usize| (own[i] + scale * scale * of_others[i]).sqrt();
    let scaled: Vec<f64> = others.iter().map(|weight| scale * weight).collect();
    Weights {
        differences: player.iter().zip(&scaled).map(|(own, other)| own - other).collect(),
        errors: (0..size).map(error).collect(),
        others_errors: of_others_alone.iter().map(|square| scale.abs() * square.sqrt()).collect(),
        player,
        others: scaled,
        scale,
    }
}

/// The larger variance of each weight.
fn larger(a: &Matrix, b: &Matrix) -> Vec<f64> {
    (0..a.size()).map(|i| a.row(i)[i].max(b.row(i)[i]).max(0.0)).collect()
}
