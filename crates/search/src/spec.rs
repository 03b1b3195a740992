//! Engines of this program as plain values: what an engine is, to be written as text, sent to
//! another machine and built there.
//!
//! A [`SearchSpec`] only names things. [`SearchSpec::load`] reads what it names, once, and says
//! what is wrong; the [`LoadedSearch`] that comes of it builds as many engines as there are threads.

use std::fmt;
use std::fs;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_eval::adjust::{self, AdjustedError, Adjustments};
use tesuji_eval::formations::Atlas;
use tesuji_eval::{Calibration, LoadError, Model, Notes, Weights, WeightsError};
use thiserror::Error;

use crate::book::{self, Book, BookError, BookSearcher, OpeningBook};
use crate::{
    Adjusted, Algorithm, Evaluator, Linear, Material, Phase, Searcher, Tables, Values, registry,
};

/// An engine cannot be made.
#[derive(Debug, Error)]
pub enum SpecError {
    /// There is no such evaluation.
    #[error(transparent)]
    Evaluation(#[from] LoadError),
    /// Weights that are no weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Added terms that are none, or that are for another evaluation.
    #[error("{0}: {1}")]
    Adjusted(String, AdjustedError),
    /// There is no such opening book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A setting is unknown or out of range, or the machine is too small.
    #[error("{0}")]
    Setting(String),
}

type Result<T> = std::result::Result<T, SpecError>;

fn wrong<T>(problem: String) -> Result<T> {
    Err(SpecError::Setting(problem))
}

/// The evaluation that an engine has if none is named.
pub const DEFAULT_EVALUATION: &str = "tables";

/// The evaluation by pieces alone.
const MATERIAL: &str = "material";

/// The table of an engine in mebibytes, if nobody says otherwise.
pub const DEFAULT_TABLE: usize = 64;

/// The largest table.
pub const LARGEST_TABLE: usize = 1 << 20;

/// Where an evaluation comes from. Its text is a name or a path; a name counts before a file of the
/// same name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "EvaluationText", from = "EvaluationText")]
pub enum EvaluationSpec {
    /// The name of one that comes with the program.
    Name(String),
    /// The path of a file.
    File(String),
    /// Weights as the text of their file.
    Weights(String),
}

/// An evaluation as JSON has it: a name or path, or an object with the weights.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum EvaluationText {
    Source(String),
    Inline { weights: String },
}

impl From<EvaluationSpec> for EvaluationText {
    fn from(spec: EvaluationSpec) -> Self {
        match spec {
            EvaluationSpec::Name(name) | EvaluationSpec::File(name) => Self::Source(name),
            EvaluationSpec::Weights(weights) => Self::Inline { weights },
        }
    }
}

impl From<EvaluationText> for EvaluationSpec {
    fn from(text: EvaluationText) -> Self {
        match text {
            EvaluationText::Source(source) => Self::named(&source),
            EvaluationText::Inline { weights } => Self::Weights(weights),
        }
    }
}

impl EvaluationSpec {
    /// The evaluation with this name, or of this file.
    pub fn named(source: &str) -> Self {
        let is_name = Evaluation::names().any(|name| name == source);
        if is_name { Self::Name(source.to_owned()) } else { Self::File(source.to_owned()) }
    }

    /// The path of the file that is read.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::File(path) => Some(path),
            Self::Name(_) | Self::Weights(_) => None,
        }
    }

    /// What it is called: a name, a path, or `weights`.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::File(name) => name,
            Self::Weights(_) => "weights",
        }
    }

    /// Reads the evaluation.
    pub fn load(&self) -> Result<Evaluation> {
        match self {
            Self::Name(source) | Self::File(source) => Evaluation::load(source),
            Self::Weights(text) if adjust::Adjusted::is_file(text.as_bytes()) => {
                Evaluation::of_adjusted("weights", text)
            }
            Self::Weights(text) => Ok(Evaluation::of_weights("weights", Weights::parse(text)?)),
        }
    }
}

impl Default for EvaluationSpec {
    fn default() -> Self {
        Self::Name(DEFAULT_EVALUATION.to_owned())
    }
}

/// The value of a search parameter, as text `null_move=0`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Setting {
    /// The name of the parameter.
    pub name: String,
    /// Its value.
    pub value: i32,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl FromStr for Setting {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self> {
        let Some((name, value)) = text.split_once('=') else {
            return wrong("expected a parameter and its value, NAME=VALUE".to_owned());
        };
        match value.parse() {
            Ok(value) => Ok(Self { name: name.to_owned(), value }),
            Err(_) => wrong("expected a number".to_owned()),
        }
    }
}

impl From<Setting> for String {
    fn from(setting: Setting) -> Self {
        setting.to_string()
    }
}

impl TryFrom<String> for Setting {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

/// An engine of this program: evaluation, search, parameters, threads, hash, opening book. What is
/// `None` is as usual.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// What positions are worth to it.
    #[serde(rename = "eval", default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationSpec>,
    /// The name of the search algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// The name of a set of parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Parameters that differ from those; the last value of a parameter counts.
    #[serde(default)]
    pub settings: Vec<Setting>,
    /// Threads of one search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The size of the transposition table in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<usize>,
    /// The opening book: a file, or the name of the one that comes with the program; usually none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// The number of the last move of a game that the book is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_moves: Option<u16>,
    /// Moves of the book that were played less often are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_min_count: Option<u32>,
    /// A file of castles and assaults in place of those that come with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub castles: Option<String>,
    /// May moves of the book be doubted?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_veto: Option<bool>,
}

impl SearchSpec {
    /// The same engine with other values of some parameters.
    pub fn with(&self, settings: impl IntoIterator<Item = Setting>) -> Self {
        let mut spec = self.clone();
        spec.settings.extend(settings);
        spec
    }

    /// Reads the evaluation and the book, and checks the parameters.
    pub fn load(&self) -> Result<LoadedSearch> {
        Loader::default().load(self)
    }

    /// The same for what has been read.
    fn load_with(&self, evaluation: Evaluation, book: Option<ReadBook>) -> Result<LoadedSearch> {
        let formations = load_formations(self.castles.as_deref())?;
        let (search, params) = (self.algorithm()?, self.params()?);
        let (threads, mebibytes) = (self.threads.unwrap_or(1), self.hash.unwrap_or(DEFAULT_TABLE));
        let (book, book_complaint) = book.map_or((None, None), |(book, why)| (Some(book), why));
        let opening = book.map(|book| OpeningBook {
            moves: self.book_moves.unwrap_or(OpeningBook::MOVES),
            least_count: self.book_min_count.unwrap_or(OpeningBook::LEAST_COUNT),
            veto: self.book_veto.unwrap_or(true).then(|| book::castle_veto(formations.as_ref())),
            ..OpeningBook::new(book)
        });
        Ok(LoadedSearch {
            evaluation,
            search,
            params,
            threads,
            mebibytes,
            opening,
            book_complaint,
            formations,
        })
    }

    /// Does it open by a book?
    pub fn names_book(&self) -> bool {
        self.book.as_deref().is_some_and(|name| !book::is_none(name))
    }

    /// The file of its book.
    pub fn book_file(&self) -> Option<&str> {
        book::file(self.book.as_deref()?)
    }

    /// The algorithm of the search.
    pub fn algorithm(&self) -> Result<&'static Algorithm> {
        let name = self.search.as_deref().unwrap_or(Algorithm::standard().name);
        Algorithm::named(name).map_or_else(
            || {
                let known = Algorithm::names().join(", ");
                wrong(format!("{name}: no such search; there are {known}"))
            },
            Ok,
        )
    }

    /// All parameters of the search.
    pub fn params(&self) -> Result<Values> {
        let search = self.algorithm()?;
        let preset = self.preset.as_deref().unwrap_or(search.presets[0]);
        let Some(mut params) = search.preset(preset) else {
            return wrong(format!("{preset}: no such preset"));
        };
        for setting in &self.settings {
            set(&mut params, setting)?;
        }
        Ok(params)
    }
}

/// Castles and assaults of a file; none without one.
pub fn load_formations(path: Option<&str>) -> Result<Option<Arc<Atlas>>> {
    let Some(path) = path else { return Ok(None) };
    let text =
        fs::read_to_string(path).map_err(|error| SpecError::Setting(format!("{path}: {error}")))?;
    let atlas = Atlas::parse(&text);
    let atlas = atlas.map_err(|error| SpecError::Setting(format!("{path}, {error}")))?;
    Ok(Some(Arc::new(atlas)))
}

/// A book, and what is wrong with its file though it is used.
type ReadBook = (Arc<Book>, Option<String>);

/// Loads engines, and an evaluation or a book that was loaded last not again: engines that play each
/// other often differ in nothing but parameters.
#[derive(Debug, Default)]
pub struct Loader {
    last: Option<(EvaluationSpec, Evaluation)>,
    last_book: Option<(String, Option<ReadBook>)>,
}

impl Loader {
    /// Loads an engine.
    pub fn load(&mut self, spec: &SearchSpec) -> Result<LoadedSearch> {
        let wanted = spec.evaluation.clone().unwrap_or_default();
        let evaluation = match &self.last {
            Some((known, evaluation)) if *known == wanted => evaluation.clone(),
            _ => {
                let evaluation = wanted.load()?;
                self.last = Some((wanted, evaluation.clone()));
                evaluation
            }
        };
        spec.load_with(evaluation, self.book(spec.book.as_deref().unwrap_or_default())?)
    }

    /// Reads a book. Lines that are wrong are left out.
    fn book(&mut self, source: &str) -> Result<Option<ReadBook>> {
        if let Some((known, book)) = &self.last_book
            && known == source
        {
            return Ok(book.clone());
        }
        let book = book::load(source)?.map(|loaded| {
            let why = loaded.complaint().map(|why| format!("{source}, {why}"));
            (Arc::new(loaded.book), why)
        });
        self.last_book = Some((source.to_owned(), book.clone()));
        Ok(book)
    }
}

/// Work that is the same for every evaluator, compiled for each.
pub trait EvaluatorVisitor {
    /// What comes out.
    type Output;

    /// Does the work.
    fn visit<E: Evaluator + Send + 'static>(self, evaluator: E) -> Self::Output;
}

/// An evaluation with its name, to make engines of.
#[derive(Clone, Debug)]
pub struct Evaluation {
    name: String,
    /// None for pieces alone.
    model: Option<Model>,
    /// What is added to its scores.
    terms: Adjustments,
    /// The name of what the terms are added to, and what their file says about them.
    adjusted: Option<(String, Notes)>,
}

impl Evaluation {
    /// The names of those that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [MATERIAL].into_iter().chain(Model::names())
    }

    /// The evaluation with this name, or with the weights of this file.
    pub fn load(name: &str) -> Result<Self> {
        if name != MATERIAL
            && Model::named(name).is_none()
            // A pipe may never end, nor may a device.
            && fs::metadata(name).is_ok_and(|file| file.is_file())
            && let Ok(text) = fs::read_to_string(name)
            && adjust::Adjusted::is_file(text.as_bytes())
        {
            return Self::of_adjusted(name, &text);
        }
        Self::plain(name)
    }

    /// An evaluation without added terms.
    fn plain(name: &str) -> Result<Self> {
        let model = if name == MATERIAL { None } else { Some(Model::load(name)?) };
        Ok(Self { name: name.to_owned(), model, terms: Adjustments::default(), adjusted: None })
    }

    /// An evaluation with added terms, by the text of their file.
    fn of_adjusted(name: &str, text: &str) -> Result<Self> {
        let wrong = |error| SpecError::Adjusted(name.to_owned(), error);
        let adjusted = adjust::Adjusted::parse(text).map_err(wrong)?;
        let base = Self::plain(&adjusted.base)?;
        adjusted.check_base(base.model()).map_err(wrong)?;
        let adjust::Adjusted { terms, result, .. } = adjusted;
        let adjusted = Some((base.name.clone(), result));
        Ok(Self { name: name.to_owned(), terms, adjusted, ..base })
    }

    /// An evaluation that was made here.
    pub fn of_weights(name: &str, weights: Weights) -> Self {
        let (model, terms) = (Some(Model::Features(weights)), Adjustments::default());
        Self { name: name.to_owned(), model, terms, adjusted: None }
    }

    /// The name or the path by which it was loaded.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was learned; `None` for pieces alone.
    pub const fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// The curve by which its scores become winning chances. With added terms it is what their file
    /// notes; otherwise that of the evaluation without them stands in.
    pub fn calibration(&self) -> Calibration {
        let base = |name: &str| Calibration::of(name, self.model().map(Model::result));
        match &self.adjusted {
            None => base(&self.name),
            Some((name, result)) => Calibration::noted(result)
                .unwrap_or_else(|| Calibration { measured: false, ..base(name) }),
        }
    }

    /// Hands the evaluator itself to a visitor. All have added terms, or a list without any: one
    /// that had none would be compiled once more.
    pub fn visit<V: EvaluatorVisitor>(&self, visitor: V) -> V::Output {
        let terms = self.terms.clone();
        match self.model.clone() {
            None => visitor.visit(Adjusted::new(Material::default(), terms)),
            Some(Model::Features(weights)) => {
                visitor.visit(Adjusted::new(Linear::new(weights), terms))
            }
            Some(Model::Tables(tables)) => visitor.visit(Adjusted::new(Tables::new(tables), terms)),
            Some(Model::Phase(tables)) => visitor.visit(Adjusted::new(Phase::new(tables), terms)),
        }
    }

    /// An engine with this algorithm and a transposition table of so many mebibytes.
    pub fn engine(&self, search: &Algorithm, mebibytes: usize) -> Box<dyn Searcher> {
        let built = self.visit(Build { name: search.name, mebibytes });
        built.expect("every algorithm of the registry can be built")
    }
}

/// Builds an engine.
struct Build<'a> {
    name: &'a str,
    mebibytes: usize,
}

impl EvaluatorVisitor for Build<'_> {
    type Output = Option<Box<dyn Searcher>>;

    fn visit<E: Evaluator + Send + 'static>(self, evaluator: E) -> Self::Output {
        registry::build(self.name, evaluator, self.mebibytes)
    }
}

/// Refuses a table that the memory of this machine cannot hold, or that this process may not have:
/// filling it would end the program.
pub fn check_table(mebibytes: usize) -> Result<()> {
    if let Some(available) = available_memory()
        && mebibytes > available
    {
        return wrong(format!(
            "a table of {mebibytes} MiB does not fit into the {available} MiB that are free"
        ));
    }
    let bytes = mebibytes.checked_mul(1 << 20);
    let reserved = bytes.is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if reserved {
        Ok(())
    } else {
        wrong(format!("the system refuses this process the memory for {mebibytes} MiB of tables"))
    }
}

/// Free memory in mebibytes, where the system tells it.
fn available_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes / 1024)
}

/// An engine whose evaluation has been read: ready to be built, any number of times.
#[derive(Clone, Debug)]
pub struct LoadedSearch {
    /// What positions are worth to it.
    pub evaluation: Evaluation,
    /// The algorithm of its search.
    pub search: &'static Algorithm,
    /// The parameters of that.
    pub params: Values,
    /// Threads of one search.
    pub threads: usize,
    /// The size of its transposition table in MiB.
    pub mebibytes: usize,
    /// The book that it opens by.
    pub opening: Option<OpeningBook>,
    /// The castles and assaults that it may be guided by, if they are not those that come with the
    /// program.
    pub formations: Option<Arc<Atlas>>,
    /// What is wrong with the file of that book, though the rest of it is used.
    pub book_complaint: Option<String>,
}

impl LoadedSearch {
    /// Builds the engine.
    pub fn engine(&self) -> Box<dyn Searcher> {
        let mut engine = self.evaluation.engine(self.search, self.mebibytes);
        engine.set_parameters(&self.params);
        engine.settings().threads = self.threads;
        engine.set_formations(self.formations.clone());
        match &self.opening {
            Some(opening) => Box::new(BookSearcher::new(engine, opening.clone())),
            None => engine,
        }
    }
}

/// Sets a parameter.
fn set(params: &mut Values, setting: &Setting) -> Result<()> {
    let known = params.declared().iter().find(|parameter| parameter.name == setting.name);
    let Some(known) = known else {
        let names: Vec<&str> = params.declared().iter().map(|parameter| parameter.name).collect();
        return wrong(format!("{setting}: no such parameter; there are {}", names.join(", ")));
    };
    if !params.set(known.name, setting.value) {
        return wrong(format!("{setting}: expected a number from {} to {}", known.min, known.max));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_usual() {
        let plan = SearchSpec::default().load().unwrap();
        assert_eq!(plan.evaluation.name(), DEFAULT_EVALUATION);
        assert_eq!((plan.params, plan.threads), (Algorithm::standard().defaults(), 1));
        assert_eq!(plan.mebibytes, DEFAULT_TABLE);
    }

    #[test]
    fn the_last_value_of_a_parameter_counts() {
        let setting = |text: &str| text.parse::<Setting>().unwrap();
        let spec = SearchSpec { preset: Some("full-width-2000".into()), ..SearchSpec::default() };
        let spec = spec.with(["null_move=0", "aspiration=7", "null_move=1"].map(setting));
        let params = spec.load().unwrap().params;
        let value = |name: &str| params.get(name).unwrap();
        assert_eq!(["null_move", "aspiration", "razor_depth"].map(value), [1, 7, 0]);
    }

    #[test]
    fn weights_travel_in_the_description() {
        let weights = Weights::named("evolved").unwrap();
        let inline = EvaluationSpec::Weights(weights.to_text());
        let mut loader = Loader::default();
        for evaluation in [inline, EvaluationSpec::named("evolved")] {
            let spec = SearchSpec { evaluation: Some(evaluation), ..SearchSpec::default() };
            for plan in [spec.load().unwrap(), loader.load(&spec).unwrap()] {
                let Some(Model::Features(read)) = plan.evaluation.model() else { panic!() };
                assert_eq!(read.values(), weights.values());
            }
        }
    }

    #[test]
    fn weights_bring_the_scale_that_they_note() {
        let mut weights = Weights::named("evolved").unwrap();
        let scale = |weights: &Weights| {
            let spec = EvaluationSpec::Weights(weights.to_text());
            spec.load().unwrap().calibration()
        };
        assert!(!scale(&weights).measured);
        for (key, value) in [("scale", 300.0), ("scale_low", 290.0), ("scale_high", 310.0)] {
            weights.result.insert(key.to_owned(), value.into());
        }
        assert_eq!(scale(&weights), Calibration::measured(300.0, 290.0, 310.0));
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, expected) in [("null_move", "NAME=VALUE"), ("null_move=x", "expected a number")]
        {
            let error = text.parse::<Setting>().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let plain = SearchSpec::default();
        let with = |name: &str, value| plain.with([Setting { name: name.into(), value }]);
        for (spec, expected) in [
            (with("null_move", 2), "null_move=2: expected a number from 0 to 1"),
            (with("nothing", 2), "no such parameter; there are aspiration"),
            (SearchSpec { preset: Some("none".into()), ..plain.clone() }, "none: no such preset"),
            (SearchSpec { search: Some("none".into()), ..plain.clone() }, "none: no such search"),
            (
                SearchSpec { evaluation: Some(EvaluationSpec::named("no/such")), ..plain.clone() },
                "no/such: neither a file",
            ),
            (
                SearchSpec {
                    evaluation: Some(EvaluationSpec::Weights("?".into())),
                    ..plain.clone()
                },
                "not a weights file",
            ),
        ] {
            let error = spec.load().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
