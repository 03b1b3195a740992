//! Prediction accuracy (top 1, top 5, top 10) of any predictor on positions whose move is known.

use rayon::prelude::*;
use tesuji_eval::{Model, Predictor};
use tesuji_records::Sample;
use tesuji_shogi::{Move, MoveList, Position};

use crate::imitation::{Chooser, MoveExample};
use crate::prediction::Choice;
use crate::{Dataset, MoveOrder, Prediction};

/// Positions that one thread works on.
const PIECE: usize = 64;

/// The accuracy of a predictor on the moves that were played.
pub fn predict(predictor: &Predictor, samples: &[MoveExample]) -> Prediction {
    match predictor {
        Predictor::Evaluation(Model::Features(weights)) => {
            let labelled: Vec<Sample> = samples
                .iter()
                .map(|example| Sample::new(example.position, example.played))
                .collect();
            let data = Dataset::build(weights.set(), &labelled, MoveOrder::Thesis);
            Prediction::new(&data, weights.values())
        }
        Predictor::Evaluation(Model::Tables(tables)) => {
            predict_by(samples, |sample, moves| look_ahead(|at| tables.score(at), sample, moves))
        }
        Predictor::Evaluation(Model::Phase(tables)) => {
            predict_by(samples, |sample, moves| look_ahead(|at| tables.score(at), sample, moves))
        }
        Predictor::Positions(model) => predict_as(model, samples),
        Predictor::Moves(model) => predict_as(model, samples),
        Predictor::Merits(merits) => predict_as(merits, samples),
    }
}

/// The accuracy of a model that was trained by imitation.
pub fn predict_as(model: &impl Chooser, samples: &[MoveExample]) -> Prediction {
    predict_by(samples, |sample, moves| model.scores(&sample.position, sample.past, moves))
}

/// The scores of the positions after each move, for the player of the move.
fn look_ahead(
    score: impl Fn(&Position) -> i32,
    sample: &MoveExample,
    moves: &MoveList,
) -> Vec<i32> {
    let after = |mv: Move| {
        let mut position = sample.position;
        position.play_unchecked(mv);
        position
    };
    moves.into_iter().map(|mv| -score(&after(mv))).collect()
}

/// The accuracy of the scores of all legal moves, which are given in the order of the list.
fn predict_by(
    samples: &[MoveExample],
    scores: impl Fn(&MoveExample, &MoveList) -> Vec<i32> + Sync,
) -> Prediction {
    let pieces: Vec<Prediction> = samples
        .par_chunks(PIECE)
        .map(|samples| {
            let mut prediction = Prediction::default();
            for sample in samples {
                let moves = sample.position.legal_moves();
                let scored: Vec<_> = moves.into_iter().zip(scores(sample, &moves)).collect();
                let choice = Choice::by_scores(&scored, sample.played);
                prediction.add(&choice, scored.len());
            }
            prediction
        })
        .collect();
    pieces.iter().fold(Prediction::default(), |mut sum, piece| {
        sum.merge(piece);
        sum
    })
}

#[cfg(test)]
mod tests {
    use tesuji_eval::Weights;

    use super::*;
    use crate::testing;

    fn samples() -> Vec<MoveExample> {
        testing::samples(100).iter().filter_map(MoveExample::alone).collect()
    }

    #[test]
    fn weights_predict_as_their_data_set_does() {
        let weights = Weights::named("published").unwrap();
        let data = Dataset::build(weights.set(), &testing::samples(100), MoveOrder::Thesis);
        let predictor = Predictor::named("published").unwrap();
        assert_eq!(predict(&predictor, &samples()), Prediction::new(&data, weights.values()));
    }

    #[test]
    fn every_predictor_counts_the_same_positions() {
        let samples = samples();
        for name in ["published", "tables", "phase", "static", "move"] {
            let predictor = Predictor::named(name).unwrap();
            let prediction = predict(&predictor, &samples);
            let legal: usize =
                samples.iter().map(|sample| sample.position.count_legal_moves()).sum();
            assert_eq!((prediction.of, prediction.resulting_positions), (100, legal), "{name}");
            assert_eq!(prediction.of_class.iter().sum::<usize>(), 100, "{name}");
        }
    }
}
