//! Adjustments: terms that are added to an evaluation, for what win ratios show that it does not
//! know.
//!
//! A term has a value for each player, and counts as Black's less White's: with the players
//! exchanged its sign changes, whatever it is. Weights are in centipawns.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tesuji_shogi::Color;
use thiserror::Error;

use crate::Model;
use crate::condition::{Condition, ConditionError, Facts};
use crate::numbers::Notes;

/// The name of the term of the paper's equation 2.
const KING_SAFETY: &str = "king-safety";

/// Something that an evaluation may have to know.
#[derive(Clone, Debug)]
pub enum Adjustment {
    /// The danger of a player's king times the progress of the game, from 0 to 1 (Takeuchi et al.
    /// 2006, equation 2).
    KingSafety,
    /// 1 where a condition holds for a player: as it is written for Black, mirrored for White.
    Condition(Box<[Condition; 2]>),
}

impl Adjustment {
    /// A term for a condition that is written for Black.
    pub fn of_condition(condition: Condition) -> Self {
        let mirrored = condition.mirrored();
        Self::Condition(Box::new([condition, mirrored]))
    }

    /// What it is for Black, and for White.
    pub fn sides(&self, facts: &Facts<'_>) -> [f64; 2] {
        match self {
            Self::KingSafety => {
                let progress = facts.progress();
                Color::ALL.map(|king| progress.overall() * progress.danger(king))
            }
            Self::Condition(both) => {
                [0, 1].map(|player| f64::from(u8::from(both[player].holds(facts))))
            }
        }
    }

    /// What it is for Black, less what it is for White.
    pub fn value(&self, facts: &Facts<'_>) -> f64 {
        let [black, white] = self.sides(facts);
        black - white
    }

    /// The conditions under which an evaluation that lacks the term goes wrong: for Black, and for
    /// White.
    pub fn diagnosis(&self) -> [Condition; 2] {
        match self {
            Self::KingSafety => {
                let text = "progress(B)-progress(W) >= 0.25";
                let danger = Condition::parse(text).expect("the paper's condition is one");
                let mirrored = danger.mirrored();
                [danger, mirrored]
            }
            Self::Condition(both) => (**both).clone(),
        }
    }

    /// Its names for both players.
    pub fn side_names(&self) -> [String; 2] {
        match self {
            Self::KingSafety => ["progress(B)", "progress(W)"].map(str::to_owned),
            Self::Condition(both) => [0, 1].map(|player| both[player].text().to_owned()),
        }
    }
}

impl fmt::Display for Adjustment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingSafety => KING_SAFETY,
            Self::Condition(both) => both[0].text(),
        })
    }
}

impl FromStr for Adjustment {
    type Err = ConditionError;

    /// Reads `king-safety`, or a condition that is written for Black.
    fn from_str(text: &str) -> Result<Self, ConditionError> {
        match text.trim() {
            KING_SAFETY => Ok(Self::KingSafety),
            text => Condition::parse(text).map(Self::of_condition),
        }
    }
}

/// Terms with their weights.
#[derive(Clone, Debug, Default)]
pub struct Adjustments(Vec<(Adjustment, i32)>);

impl Adjustments {
    /// These terms.
    pub const fn new(terms: Vec<(Adjustment, i32)>) -> Self {
        Self(terms)
    }

    /// Each term with its weight in centipawns.
    pub fn iter(&self) -> impl Iterator<Item = &(Adjustment, i32)> {
        self.0.iter()
    }

    /// Is there none?
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What they are worth to Black, in centipawns.
    pub fn score(&self, facts: &Facts<'_>) -> i32 {
        let worth = |(term, weight): &(Adjustment, i32)| f64::from(*weight) * term.value(facts);
        // Rounded away from zero at one half, for either player alike.
        self.0.iter().map(worth).sum::<f64>().round() as i32
    }
}

/// An evaluation with terms added to it, as its file has it.
#[derive(Clone, Debug)]
pub struct Adjusted {
    /// The name or the path of the evaluation that the terms are added to.
    pub base: String,
    /// The identity of that evaluation, see [`identity`].
    pub base_id: String,
    /// What is added.
    pub terms: Adjustments,
    /// What made them: the command, the games, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

/// A file of added terms cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum AdjustedError {
    #[error("not a file of added terms: {0}")]
    Text(String),
    #[error("expected format {FORMAT:?} version {VERSION}, found {format:?} version {version}")]
    Format { format: String, version: u32 },
    #[error("the term {name:?}: {why}")]
    Term { name: String, why: ConditionError },
    #[error("the weight of {name:?} is {weight}, expected {} to {LARGEST}", -LARGEST)]
    Range { name: String, weight: i64 },
    #[error("the terms are for {base} as it was when they were fitted ({file}), it is {found} now")]
    OtherBase { base: String, file: String, found: String },
}

const FORMAT: &str = "tesuji-adjusted";
const VERSION: u32 = 1;
/// The largest weight: scores stay far from those of mates.
const LARGEST: i64 = 20_000;

/// The file as TOML has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    base: String,
    base_id: String,
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    run: Notes,
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    result: Notes,
    #[serde(default)]
    terms: Vec<FileTerm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTerm {
    term: String,
    weight: i64,
}

impl Adjusted {
    /// Is this the beginning of such a file?
    pub fn is_file(bytes: &[u8]) -> bool {
        bytes.starts_with(format!("format = {FORMAT:?}").as_bytes())
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, AdjustedError> {
        let file: File = toml::from_str(text)
            .map_err(|error| AdjustedError::Text(error.message().trim().to_owned()))?;
        if (&*file.format, file.version) != (FORMAT, VERSION) {
            return Err(AdjustedError::Format { format: file.format, version: file.version });
        }
        let terms: Result<_, _> = file.terms.into_iter().map(FileTerm::read).collect();
        let File { base, base_id, run, result, .. } = file;
        Ok(Self { base, base_id, terms: Adjustments(terms?), run, result })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let term = |(term, weight): &(Adjustment, i32)| FileTerm {
            term: term.to_string(),
            weight: i64::from(*weight),
        };
        let file = File {
            format: FORMAT.into(),
            version: VERSION,
            base: self.base.clone(),
            base_id: self.base_id.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            terms: self.terms.iter().map(term).collect(),
        };
        toml::to_string(&file).expect("names and numbers can be written")
    }

    /// Refuses another evaluation than the one that the terms were fitted to.
    pub fn check_base(&self, base: Option<&Model>) -> Result<(), AdjustedError> {
        let found = identity(base);
        if found == self.base_id {
            return Ok(());
        }
        let (base, file) = (self.base.clone(), self.base_id.clone());
        Err(AdjustedError::OtherBase { base, file, found })
    }
}

impl FileTerm {
    fn read(self) -> Result<(Adjustment, i32), AdjustedError> {
        let Self { term: name, weight } = self;
        if weight.abs() > LARGEST {
            return Err(AdjustedError::Range { name, weight });
        }
        match name.parse() {
            Ok(term) => Ok((term, weight as i32)),
            Err(why) => Err(AdjustedError::Term { name, why }),
        }
    }
}

/// The identity of an evaluation: `material` for pieces alone, and the first digits of the SHA-256
/// of the file of any other.
pub fn identity(model: Option<&Model>) -> String {
    let Some(model) = model else { return "material".to_owned() };
    let hash = Sha256::digest(model.to_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{POSITIONS, changed_position};
    use tesuji_shogi::Position;

    fn terms() -> Adjustments {
        let term = |(text, weight): (&str, i32)| (text.parse().unwrap(), weight);
        let terms = [
            ("king-safety", -3000),
            ("hand(B,bishop) >= 1", 77),
            ("entered(B) and not check", 40),
            ("turn = B and progress(B)-progress(W) >= 0.25", -33),
        ];
        Adjustments::new(terms.map(term).to_vec())
    }

    #[test]
    fn players_change_places() {
        let terms = terms();
        let mut different = 0;
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let turned = changed_position(&position, true, &|square| square.seen_by(Color::White));
            let score = terms.score(&Facts::new(&position));
            assert_eq!(score, -terms.score(&Facts::new(&turned)), "{sfen}");
            different += u32::from(score != 0);
        }
        assert!(different > 1);
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let adjusted = Adjusted {
            base: "material".into(),
            base_id: identity(None),
            terms: terms(),
            run: Notes::from([("command".into(), "tesuji winrate fit".into())]),
            result: Notes::new(),
        };
        let text = adjusted.to_text();
        assert!(Adjusted::is_file(text.as_bytes()));
        let read = Adjusted::parse(&text).unwrap();
        assert_eq!(read.to_text(), text);
        assert_eq!(read.check_base(None), Ok(()));
        let other = Model::named("tables");
        let error = read.check_base(other.as_ref()).unwrap_err().to_string();
        assert!(error.starts_with("the terms are for material as it was when"), "{error}");
    }

    #[test]
    fn mistakes_are_named() {
        let head =
            "format = \"tesuji-adjusted\"\nversion = 1\nbase = \"material\"\nbase_id = \"\"\n";
        let wrong = |text: &str| Adjusted::parse(&format!("{head}{text}")).unwrap_err().to_string();
        let term = |term: &str, weight: i64| {
            wrong(&format!("[[terms]]\nterm = \"{term}\"\nweight = {weight}\n"))
        };
        assert!(term("hand(B,rok) = 2", 1).starts_with("the term \"hand(B,rok) = 2\": "));
        assert!(term("check", 30_000).contains("expected -20000 to 20000"));
        assert!(wrong("nothing = 1").starts_with("not a file of added terms: "));
        let later = head.replace("version = 1", "version = 2");
        assert!(Adjusted::parse(&later).unwrap_err().to_string().contains("version 2"));
    }
}
