//! The loss of piece tables. Comparison training: the moves of masters should score above their
//! rivals. Log-loss of the result: the side with the better score should win.

use serde::{Deserialize, Serialize};
use tesuji_search::quiet::Resolver;
use tesuji_search::score::{INFINITE, is_mate};
use tesuji_search::{AlphaBetaParams, quiet};
use tesuji_shogi::{Move, Position};

use super::fitted::Fitted;
use super::gradient::{Gradient, Tally};
use crate::games::TrainingGame;

/// The loss of a position, and how its two parts are mixed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// How much the comparison of moves counts.
    pub comparison: f64,
    /// How much the result of the game counts.
    pub result: f64,
    /// Centipawns by which a rival must be behind to cost 1 / (1 + e): the scale of the sigmoid.
    pub comparison_scale: f64,
    /// Centipawns that make a win e times as likely as a loss: the scale of the sigmoid.
    pub result_scale: f64,
    /// Rivals whose scores are further away are of no interest.
    pub margin: i32,
    /// The first move of a game that is compared.
    pub comparison_from: u16,
    /// The first move of a game whose position is judged by the result.
    pub result_from: u16,
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            comparison: 1.0,
            result: 10.0,
            comparison_scale: 25.0,
            result_scale: 450.0,
            margin: 120,
            comparison_from: 10,
            result_from: 20,
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Objective {
    /// Adds what some positions of a game cost: each of those whose number leaves `rest` when
    /// divided by `stride`.
    pub fn add_game<M: Fitted>(
        &self,
        game: &TrainingGame,
        evaluator: &M::Evaluator,
        (stride, rest): (usize, usize),
        gradient: &mut Gradient<M>,
    ) {
        // Captures and promotions alone: checks and mates would cost most of the time.
        let params =
            AlphaBetaParams { quiescence_checks: 0, mate_in_one: 0, ..AlphaBetaParams::default() };
        quiet::with_resolver(evaluator, &params, |resolver| {
            for (position, mv) in game.positions().skip(rest).step_by(stride) {
                resolver.set_root(&position);
                if self.comparison > 0.0 && position.ply() >= self.comparison_from {
                    self.compare(&position, mv, resolver, gradient);
                }
                let points = game.points(position.side_to_move());
                if let Some(points) = points
                    && self.result > 0.0
                    && position.ply() >= self.result_from
                    && !position.in_check()
                {
                    self.judge(&position, points, resolver, gradient);
                }
            }
        });
    }

    /// Compares the move that was played with its rivals.
    fn compare<M: Fitted>(
        &self,
        position: &Position,
        played: Move,
        resolver: &mut Resolver<'_, M::Evaluator>,
        gradient: &mut Gradient<M>,
    ) {
        let player = position.side_to_move();
        let best = resolver.resolve_move(played, -INFINITE, INFINITE);
        if is_mate(best.score) {
            return;
        }
        let (alpha, beta) = (best.score - self.margin, best.score + self.margin);
        let (mut sum, mut loss) = (0.0, 0.0);
        let mut is_best = true;
        for mv in &position.legal_moves() {
            if mv == played {
                continue;
            }
            let rival = resolver.resolve_move(mv, alpha, beta);
            is_best &= rival.score <= best.score;
            let behind = f64::from(rival.score - best.score) / self.comparison_scale;
            let cost = sigmoid(behind);
            loss += cost;
            if rival.score > alpha && rival.score < beta {
                let derivative = self.comparison * cost * (1.0 - cost) / self.comparison_scale;
                gradient.add_leaf(&rival.leaf, player, derivative);
                sum += derivative;
            }
        }
        gradient.add_leaf(&best.leaf, player, -sum);
        let Tally { compared, predicted, comparison_loss, .. } = &mut gradient.tally;
        *compared += 1;
        *predicted += u64::from(is_best);
        comparison_loss.add(loss);
    }

    /// Compares the score of a position with what the game brought the side to move.
    fn judge<M: Fitted>(
        &self,
        position: &Position,
        points: f64,
        resolver: &mut Resolver<'_, M::Evaluator>,
        gradient: &mut Gradient<M>,
    ) {
        let quiet = resolver.resolve();
        if is_mate(quiet.score) {
            return;
        }
        let expected = sigmoid(f64::from(quiet.score) / self.result_scale);
        let derivative = self.result * (expected - points) / self.result_scale;
        gradient.add_leaf(&quiet.leaf, position.side_to_move(), derivative);
        // Far from 0 and 1, so that no logarithm is infinite.
        let likely = expected.clamp(1e-9, 1.0 - 1e-9);
        let Tally { judged, result_predicted, result_loss, .. } = &mut gradient.tally;
        *judged += 1;
        *result_predicted += u64::from((expected - 0.5) * (points - 0.5) > 0.0);
        result_loss.add(-(points * likely.ln() + (1.0 - points) * (1.0 - likely).ln()));
    }
}
