//! Weights of a feature set, and the files that hold them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Position};
use thiserror::Error;

use crate::{FeatureSet, FeatureSetError, Selection, SelectionError, View, published};

/// Weights with the set they belong to, and where they come from.
#[derive(Clone, Debug)]
pub struct Weights {
    set: FeatureSet,
    selection: Option<Selection>,
    values: Vec<i32>,
    effective: Vec<i32>,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: BTreeMap<String, toml::Value>,
    /// How good they were found to be.
    pub result: BTreeMap<String, toml::Value>,
}

/// Weights cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum WeightsError {
    /// The text is not a weights file.
    #[error("not a weights file: {0}")]
    Text(String),
    /// Another kind of file, or one of a later program.
    #[error("expected format {FORMAT:?} version {VERSION}, found {format:?} version {version}")]
    Format { format: String, version: u32 },
    /// The set is not known here.
    #[error(transparent)]
    Set(#[from] FeatureSetError),
    /// The selection in the file does not fit.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The set has changed since the file was written.
    #[error(
        "the weights are for the feature set {file}, this program has {program}: a feature or a \
         castle was defined otherwise when they were made"
    )]
    OtherSet { file: String, program: String },
    /// A feature without a weight.
    #[error("no weight for {name}")]
    Missing { name: String },
    /// A weight that scores cannot be made of.
    #[error("the weight of {name} is {value}, expected {} to {LARGEST}", -LARGEST)]
    Range { name: String, value: i64 },
    /// A weight without a feature.
    #[error("{name} is not a feature of {set}")]
    Unknown { name: String, set: String },
    /// The number of weights is not that of the features.
    #[error("{found} weights for {expected} features")]
    Count { found: usize, expected: usize },
}

const FORMAT: &str = "tesuji-weights";
const VERSION: u32 = 1;
/// The largest weight. Scores of any position stay far within their type, and so do links.
const LARGEST: i64 = 0xffff;

/// The file as TOML has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    feature_set: String,
    feature_set_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selection: Option<Selection>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    run: BTreeMap<String, toml::Value>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    result: BTreeMap<String, toml::Value>,
    weights: toml::Table,
}

impl Weights {
    /// Weights for a set that comes with the program.
    pub fn new(set: FeatureSet, values: Vec<i32>) -> Result<Self, WeightsError> {
        Self::with_selection(set, None, values)
    }

    /// Weights for a set that a selection describes; the file will hold the selection too.
    pub fn of_selection(selection: Selection, values: Vec<i32>) -> Result<Self, WeightsError> {
        Self::with_selection(selection.build()?, Some(selection), values)
    }

    /// Other values for the same set; nothing is known of where they come from.
    pub fn with_values(&self, values: Vec<i32>) -> Result<Self, WeightsError> {
        Self::with_selection(self.set.clone(), self.selection.clone(), values)
    }

    /// The names that [`Weights::named`] knows.
    pub const NAMES: [&'static str; 6] =
        ["published", "evolved", "coevolved", "pupil", "predictor", "extended"];

    /// Weights that come with the program.
    ///
    /// `published` are those of the thesis, for the features as its program computed them;
    /// `evolved` the best of ten runs of its algorithm on its features as it describes them;
    /// `coevolved` what came of games between the ten, `pupil` of learning the scores of our piece
    /// tables; `predictor` weights of the same features, negative ones among them, that guess most
    /// of the masters' moves; `extended` weights of our own features. The files say what made them.
    pub fn named(name: &str) -> Option<Self> {
        let text = match name {
            "published" => {
                let set = FeatureSet::named("legacy").expect("the set comes with the program");
                let weights = Self::new(set, published::weights());
                return Some(weights.expect("one weight for each feature"));
            }
            "evolved" => include_str!("../data/weights/evolved-06.toml"),
            "coevolved" => include_str!("../data/weights/coevolved.toml"),
            "pupil" => include_str!("../data/weights/pupil.toml"),
            "predictor" => include_str!("../data/weights/predictor.toml"),
            "extended" => include_str!("../data/weights/extended.toml"),
            _ => return None,
        };
        Some(Self::parse(text).expect("weights that come with the program are for its features"))
    }

    /// The winners of ten runs of the thesis's algorithm, one of which is `evolved`.
    pub fn winners() -> Vec<Self> {
        const FILES: [&str; 10] = [
            include_str!("../data/weights/evolved-01.toml"),
            include_str!("../data/weights/evolved-02.toml"),
            include_str!("../data/weights/evolved-03.toml"),
            include_str!("../data/weights/evolved-04.toml"),
            include_str!("../data/weights/evolved-05.toml"),
            include_str!("../data/weights/evolved-06.toml"),
            include_str!("../data/weights/evolved-07.toml"),
            include_str!("../data/weights/evolved-08.toml"),
            include_str!("../data/weights/evolved-09.toml"),
            include_str!("../data/weights/evolved-10.toml"),
        ];
        let parse = |text| Self::parse(text).expect("weights that come with the program");
        FILES.into_iter().map(parse).collect()
    }

    fn with_selection(
        set: FeatureSet,
        selection: Option<Selection>,
        values: Vec<i32>,
    ) -> Result<Self, WeightsError> {
        if values.len() != set.len() {
            return Err(WeightsError::Count { found: values.len(), expected: set.len() });
        }
        let effective = set.effective_weights(&values);
        let (run, result) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { set, selection, values, effective, run, result })
    }

    /// The set of features.
    pub const fn set(&self) -> &FeatureSet {
        &self.set
    }

    /// The weights in the order of the features, as they are learned.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// The weights by which values are multiplied, see [`FeatureSet::effective_weights`].
    pub fn effective(&self) -> &[i32] {
        &self.effective
    }

    /// What the position is worth in the view of `player`.
    pub fn score(&self, position: &Position, player: Color) -> i32 {
        let values = self.set.values(position, player);
        values.iter().zip(&self.effective).map(|(&value, weight)| i32::from(value) * weight).sum()
    }

    /// What the position is worth in the view of `player` minus what it is worth in the other's: as
    /// [`Weights::score`] twice, but what both views share is worked out once.
    pub fn difference(&self, position: &Position, player: Color) -> i32 {
        let own = View::new(position, player);
        let other = own.turned();
        let weighed = self.set.features().iter().zip(&self.effective);
        weighed
            .filter(|&(_, &weight)| weight != 0)
            .map(|(feature, weight)| feature.difference(&own, &other) * weight)
            .sum()
    }

    /// Reads a weights file. It names its set, and a set that has changed is an error.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let file: File = toml::from_str(text)
            .map_err(|error| WeightsError::Text(error.message().trim().to_owned()))?;
        if (&*file.format, file.version) != (FORMAT, VERSION) {
            return Err(WeightsError::Format { format: file.format, version: file.version });
        }
        let set = match &file.selection {
            Some(selection) => selection.build()?,
            None => FeatureSet::named(&file.feature_set)?,
        };
        if set.id() != file.feature_set_id {
            return Err(WeightsError::OtherSet { file: file.feature_set_id, program: set.id() });
        }
        let values = values_of(&set, &file.weights)?;
        let weights = Self::with_selection(set, file.selection, values)?;
        Ok(Self { run: file.run, result: file.result, ..weights })
    }

    /// The text of the weights file.
    pub fn to_text(&self) -> String {
        let named = self.set.features().iter().zip(&self.values);
        let file = File {
            format: FORMAT.into(),
            version: VERSION,
            feature_set: self.set.name().into(),
            feature_set_id: self.set.id(),
            selection: self.selection.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            weights: named
                .map(|(feature, &value)| (feature.name.to_owned(), i64::from(value).into()))
                .collect(),
        };
        toml::to_string(&file).expect("names and numbers can be written")
    }
}

/// The weights of all features, and of nothing else.
fn values_of(set: &FeatureSet, table: &toml::Table) -> Result<Vec<i32>, WeightsError> {
    if let Some(name) = table.keys().find(|name| set.index_of(name).is_none()) {
        return Err(WeightsError::Unknown { name: name.clone(), set: set.name().into() });
    }
    let weight = |feature: &crate::Feature| {
        let name = || feature.name.to_owned();
        let value = table.get(feature.name).and_then(toml::Value::as_integer);
        let value = value.ok_or_else(|| WeightsError::Missing { name: name() })?;
        if !(-LARGEST..=LARGEST).contains(&value) {
            return Err(WeightsError::Range { name: name(), value });
        }
        Ok(value as i32)
    };
    set.features().iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Weights {
        let set = FeatureSet::named("paper").unwrap();
        let values = (0..set.len() as i32).map(|i| i * 7 % 101).collect();
        let mut weights = Weights::new(set, values).unwrap();
        weights.run.insert("seed".into(), 1.into());
        weights.result.insert("correct".into(), 900.into());
        weights
    }

    #[test]
    fn files_survive_the_round_trip() {
        let weights = sample();
        let text = weights.to_text();
        let read = Weights::parse(&text).unwrap();
        assert_eq!(read.values(), weights.values());
        assert_eq!((&read.run, &read.result), (&weights.run, &weights.result));
        assert_eq!(read.to_text(), text);
    }

    #[test]
    fn selections_travel_with_their_weights() {
        let text = "name = 'two'\nbase = 'paper'\nonly = ['ROOK_VALUE', 'PAWN_VALUE']";
        let selection = Selection::parse(text).unwrap();
        let weights = Weights::of_selection(selection, vec![900, 100]).unwrap();
        let read = Weights::parse(&weights.to_text()).unwrap();
        assert_eq!(read.set().id(), weights.set().id());
        assert_eq!(read.values(), [900, 100]);
        let other = read.with_values(vec![901, 99]).unwrap();
        assert_eq!(Weights::parse(&other.to_text()).unwrap().values(), [901, 99]);
    }

    #[test]
    fn the_published_weights_come_along() {
        for name in Weights::NAMES {
            let weights = Weights::named(name).unwrap();
            assert_eq!(Weights::parse(&weights.to_text()).unwrap().values(), weights.values());
        }
        assert!(Weights::named("nothing").is_none());
    }

    #[test]
    fn the_difference_is_that_of_both_views() {
        let sfen =
            "l3g3l/1ks1g2r1/ppn1pp1pp/2pps1p2/1P7/2P1PPP2/P1NP1S1PP/1BSG3R1/L1K2G1NL b Bn 41";
        let mut position = Position::from_sfen(sfen).unwrap();
        for name in Weights::NAMES {
            let weights = Weights::named(name).unwrap();
            for _ in 0..60 {
                let [black, white] = Color::ALL.map(|color| weights.score(&position, color));
                assert_eq!(weights.difference(&position, Color::Black), black - white, "{name}");
                assert_eq!(weights.difference(&position, Color::White), white - black, "{name}");
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(moves.len() / 2) else { break };
                position = position.after_unchecked(mv);
            }
        }
    }

    #[test]
    fn linked_weights_add_up() {
        let weights = sample();
        let index = |name| weights.set().index_of(name).unwrap();
        let (pawn, tokin) = (index("PAWN_VALUE"), index("PROMOTED_PAWN_BONUS"));
        let expected = weights.values()[pawn] + weights.values()[tokin];
        assert_eq!(weights.effective()[tokin], expected);
        assert_eq!(weights.effective()[pawn], weights.values()[pawn]);
    }

    #[test]
    fn wrong_files_are_refused() {
        let text = sample().to_text();
        let cases = [
            ("nonsense".into(), "not a weights file"),
            (text.replace("tesuji-weights", "other"), "expected format"),
            (text.replace("version = 1", "version = 2"), "expected format"),
            (text.replace("feature_set = \"paper\"", "feature_set = \"none\""), "no feature set"),
            (text.replace("paper-", "paper-0"), "the weights are for the feature set paper-0"),
            (text.replace("ROOK_VALUE =", "ROCK_VALUE ="), "ROCK_VALUE is not a feature of paper"),
            (text.replace("ROOK_VALUE = 35\n", ""), "no weight for ROOK_VALUE"),
            (text.replace("ROOK_VALUE = 35", "ROOK_VALUE = 'x'"), "no weight for ROOK_VALUE"),
            (text.replace("ROOK_VALUE = 35", "ROOK_VALUE = 65536"), "expected -65535 to 65535"),
        ];
        for (text, expected) in cases {
            let error = Weights::parse(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "expected {expected:?}, found {error:?}");
        }
    }
}
