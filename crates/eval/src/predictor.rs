//! Move predictors, by name or from a file: everything that can say which move a master would play.

use thiserror::Error;

use crate::plausible::Merits;
use crate::{Model, ModelError, MoveModel, Notes, NumbersError, PositionModel};

/// What chooses among the legal moves of a position.
#[derive(Clone, Debug)]
pub enum Predictor {
    /// An evaluation that looks at the positions after each move.
    Evaluation(Model),
    /// A model of the positions after each move.
    Positions(PositionModel),
    /// A model of moves.
    Moves(MoveModel),
    /// The merit of plausible moves.
    Merits(Merits),
}

/// A file is not that of a predictor.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PredictorError {
    /// A file of an evaluation with a mistake, or of something else.
    #[error(transparent)]
    Evaluation(#[from] ModelError),
    /// A file of a model of positions or of moves with a mistake.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
}

/// The names of the models of positions and of moves that come with the program.
const STATIC: &str = "static";
const MOVE: &str = "move";
const MERIT: &str = "merit";
const HAND: &str = "merit-hand";

impl Predictor {
    /// The names that [`Predictor::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Model::names().chain([STATIC, MOVE, MERIT, HAND])
    }

    /// A predictor that comes with the program.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            STATIC => Some(Self::Positions(PositionModel::shipped())),
            MOVE => Some(Self::Moves(MoveModel::shipped())),
            MERIT => Some(Self::Merits(Merits::shipped())),
            HAND => Some(Self::Merits(Merits::hand())),
            name => Model::named(name).map(Self::Evaluation),
        }
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, PredictorError> {
        if PositionModel::is_file(bytes) {
            return Ok(Self::Positions(PositionModel::parse(bytes)?));
        }
        if MoveModel::is_file(bytes) {
            return Ok(Self::Moves(MoveModel::parse(bytes)?));
        }
        if Merits::is_file(bytes) {
            return Ok(Self::Merits(Merits::parse(bytes)?));
        }
        Ok(Self::Evaluation(Model::parse(bytes)?))
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Evaluation(model) => model.to_bytes(),
            Self::Positions(model) => model.to_bytes(),
            Self::Moves(model) => model.to_bytes(),
            Self::Merits(merits) => merits.to_bytes(),
        }
    }

    /// What made it: the command, the seed, the data, as the file says it.
    pub fn run(&self) -> &Notes {
        match self {
            Self::Evaluation(Model::Features(weights)) => &weights.run,
            Self::Evaluation(Model::Tables(tables)) => &tables.run,
            Self::Evaluation(Model::Phase(tables)) => &tables.run,
            Self::Positions(model) => &model.run,
            Self::Moves(model) => &model.run,
            Self::Merits(merits) => &merits.run,
        }
    }

    /// The identity of its features.
    pub fn feature_set_id(&self) -> String {
        match self {
            Self::Evaluation(Model::Features(weights)) => weights.set().id().to_string(),
            Self::Evaluation(Model::Tables(_)) => crate::tables::parts::feature_set_id(),
            Self::Evaluation(Model::Phase(_)) => crate::phase::feature_set_id(),
            Self::Positions(_) => crate::positions::feature_set_id(),
            Self::Moves(_) => crate::moves::feature_set_id(),
            Self::Merits(_) => crate::plausible::feature_set_id(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_file_is_known() {
        for name in Predictor::names() {
            let predictor = Predictor::named(name).unwrap();
            let read = Predictor::parse(&predictor.to_bytes()).unwrap();
            assert_eq!(read.to_bytes(), predictor.to_bytes(), "{name}");
            assert_eq!(read.feature_set_id(), predictor.feature_set_id(), "{name}");
            assert_eq!(read.run(), predictor.run(), "{name}");
        }
        let model = MoveModel::shipped();
        let Ok(Predictor::Moves(read)) = Predictor::parse(&model.to_bytes()) else {
            panic!("a file of a model of moves");
        };
        assert_eq!(read, model);
        let mut damaged = model.to_bytes();
        damaged.pop();
        let error = Predictor::parse(&damaged).unwrap_err().to_string();
        assert!(error.contains("damaged"), "{error}");
        assert!(Predictor::named("nothing").is_none());
    }
}
