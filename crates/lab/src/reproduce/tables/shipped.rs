//! What the models that come with the program predict, and what they have seen.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;
use tesuji_eval::{Model, Notes, Predictor};
use tesuji_learn::predict;

use super::corpus::{Corpus, TestResults};
use super::settings::SEED;
use tesuji_run::{Context, kept};

/// A model that comes with the program.
#[derive(Serialize)]
pub struct Shipped {
    pub name: &'static str,
    /// What it is.
    pub kind: String,
    pub origin: Origin,
    pub grades: TestResults,
}

/// What a model was learned from.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct Origin {
    pub words: String,
    /// The thesis's positions themselves?
    pub thesis: bool,
    /// Games that are measured with?
    pub games: bool,
}

/// Measures all of them.
pub fn measure(corpus: &Corpus, out: &Path, context: &Context<'_>) -> Result<Vec<Shipped>> {
    let one = |name: &'static str| {
        let predictor = Predictor::named(name).context("no such model")?;
        let path = out.join("shipped").join(format!("{name}.json"));
        let grades = kept::or_made(&path, || {
            context.observer.note(&format!("what {name} predicts"));
            Ok(corpus.measure(|samples| predict(&predictor, samples)))
        })?;
        let origin = Origin::new(name, predictor.run());
        Ok(Shipped { name, kind: kind(&predictor), origin, grades })
    };
    Predictor::names().map(one).collect()
}

fn kind(predictor: &Predictor) -> String {
    match predictor {
        Predictor::Evaluation(Model::Features(weights)) => {
            let set = weights.set();
            format!("{} features ({}), one move ahead", set.len(), set.name())
        }
        Predictor::Evaluation(Model::Tables(_)) => {
            "tables of pieces and pairs, one move ahead".into()
        }
        Predictor::Evaluation(Model::Phase(_)) => {
            "tables of pieces for opening and endgame, one move ahead".into()
        }
        Predictor::Positions(_) => "model of positions, one move ahead".into(),
        Predictor::Moves(_) => "model of moves".into(),
        Predictor::Merits(_) => "merit of moves".into(),
    }
}

impl Origin {
    /// As the file of the model says it.
    fn new(name: &str, run: &Notes) -> Self {
        let text = |key: &str| run.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        if name == "published" {
            let words = "the thesis's positions, by the thesis".into();
            return Self { words, thesis: true, games: false };
        }
        let (command, data) = (text("command"), text("data"));
        if data.is_empty() {
            // Whole games, of which `train` keeps those apart that the seed decides.
            let seed = run.get("seed").and_then(toml::Value::as_integer);
            let other = seed.and_then(|seed| u64::try_from(seed).ok()) != Some(SEED);
            return Self { words: command.into(), thesis: false, games: other };
        }
        Self {
            words: data.into(),
            thesis: data.contains("cain_train"),
            games: data.contains("games"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_has_seen_is_read_from_its_file() {
        let seen = |name: &str| {
            let predictor = Predictor::named(name).unwrap();
            let origin = Origin::new(name, predictor.run());
            (origin.thesis, origin.games)
        };
        assert_eq!(seen("published"), (true, false));
        assert_eq!(seen("evolved"), (true, false));
        assert_eq!(seen("extended"), (true, false));
        assert_eq!(seen("predictor"), (true, true));
        assert_eq!(seen("tables"), (false, false));
        let other =
            Notes::from([("command".into(), "tesuji train".into()), ("seed".into(), 2.into())]);
        assert!(Origin::new("x", &other).games);
    }
}
