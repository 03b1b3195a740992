//! Engines that play: this program's own, or any that speaks USI, each described by a plain value
//! with one text form.
//!
//! ```
//! use tesuji_arena::EngineSpec;
//!
//! let engine: EngineSpec = r#"tesuji:eval="a,b.toml",hash=16,nodes=1000"#.parse().unwrap();
//! assert_eq!(engine.to_string(), r#"tesuji:eval="a,b.toml",hash=16,nodes=1000"#);
//! ```

mod loaded;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tesuji_search::spec::{EvaluationSpec, LARGEST_TABLE, SearchSpec, Setting};
use thiserror::Error;

use crate::clock::{TimeControl, milliseconds};
use crate::player::UsiCommand;
use words::{Words, push_key, push_value};

pub use loaded::{LoadedEngine, default_hash, opening_maker};

/// The description of an engine is no description.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Neither this program nor a command.
    #[error("expected tesuji, tesuji:KEY=VALUE,… or cmd:PROGRAM,…")]
    Kind,
    /// A command without a program.
    #[error("no program after cmd:")]
    Program,
    /// A word without a value.
    #[error("{0}: expected KEY=VALUE")]
    Pair(String),
    /// Something is wrong with quotes.
    #[error("expected {0}")]
    Quotes(String),
    /// A value that is none for its key.
    #[error("{word}: expected {expected}")]
    Value {
        /// The key and the value.
        word: String,
        /// What was expected.
        expected: &'static str,
    },
}

/// An engine that plays: what it is, what it is called, and its own limits.
///
/// JSON has it as its text: `tesuji:KEY=VALUE,…` or `cmd:PROGRAM,KEY=VALUE,…`. Values with commas
/// stand in quotes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct EngineSpec {
    /// What it is.
    pub kind: EngineKind,
    /// Its limits in place of those that all engines have.
    pub limits: Option<TimeControl>,
    /// What it is called, if not by its text or its program.
    pub name: Option<String>,
}

/// Engines of this program, and of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// An engine of this program.
    Own(SearchSpec),
    /// Another program that speaks USI.
    Usi(UsiCommand),
}

impl EngineSpec {
    /// An engine of this program.
    pub const fn own(spec: SearchSpec) -> Self {
        Self { kind: EngineKind::Own(spec), limits: None, name: None }
    }

    /// The same engine under another name.
    pub fn named(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// What it is called: its name, or its description or program.
    pub fn label(&self) -> String {
        match (&self.name, &self.kind) {
            (Some(name), _) => name.clone(),
            (None, EngineKind::Own(_)) => self.to_string(),
            (None, EngineKind::Usi(command)) => {
                let file = Path::new(&command.program).file_name();
                file.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
        }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        if let Some(rest) = text.strip_prefix("cmd:") {
            return read_usi(Words::new(rest));
        }
        match text.strip_prefix("tesuji") {
            Some("") => Ok(Self::own(SearchSpec::default())),
            Some(rest) if rest.starts_with(':') => read_own(Words::new(&rest[1..])),
            _ => Err(SpecError::Kind),
        }
    }
}

fn wrong<T>(key: &str, value: &str, expected: &'static str) -> Result<T, SpecError> {
    Err(SpecError::Value { word: format!("{key}={value}"), expected })
}

fn read_own(mut words: Words<'_>) -> Result<EngineSpec, SpecError> {
    let (mut spec, mut limits, mut name) = (SearchSpec::default(), None, None);
    while let Some((key, value)) = words.pair()? {
        match &*key {
            "eval" => spec.evaluation = Some(EvaluationSpec::named(&value)),
            "weights" => spec.evaluation = Some(EvaluationSpec::Weights(value)),
            "search" => spec.search = Some(value),
            "preset" => spec.preset = Some(value),
            "name" => name = Some(value),
            "hash" => match value.parse().ok().filter(|n| (1..=LARGEST_TABLE).contains(n)) {
                Some(hash) => spec.hash = Some(hash),
                None => return wrong(&key, &value, "mebibytes"),
            },
            "threads" => match value.parse().ok().filter(|&n| n > 0) {
                Some(threads) => spec.threads = Some(threads),
                None => return wrong(&key, &value, "a number above zero"),
            },
            _ if read_limit(&mut limits, &key, &value)? => {}
            _ if read_book(&mut spec, &key, &value)? => {}
            _ => match value.parse() {
                Ok(value) => spec.settings.push(Setting { name: key, value }),
                Err(_) => return wrong(&key, &value, "a parameter of the search and a number"),
            },
        }
    }
    Ok(EngineSpec { kind: EngineKind::Own(spec), limits, name })
}

fn read_usi(mut words: Words<'_>) -> Result<EngineSpec, SpecError> {
    let program = words.value()?;
    if program.is_empty() {
        return Err(SpecError::Program);
    }
    let mut command = UsiCommand { program, ..UsiCommand::default() };
    let (mut limits, mut name) = (None, None);
    while let Some((key, value)) = words.pair()? {
        if let Some(option) = key.strip_prefix("option.") {
            command.options.push((option.to_owned(), value));
        } else if key == "arg" {
            command.arguments.push(value);
        } else if (&*key, &*value) == ("drops", "@") {
            command.at_drops = true;
        } else if key == "name" {
            name = Some(value);
        } else if !read_limit(&mut limits, &key, &value)? {
            return wrong(&key, &value, "option.NAME=VALUE, arg=…, drops=@, name=… or a limit");
        }
    }
    Ok(EngineSpec { kind: EngineKind::Usi(command), limits, name })
}

/// Takes what is said of the opening book and the castles; false if the key is not of it.
fn read_book(spec: &mut SearchSpec, key: &str, value: &str) -> Result<bool, SpecError> {
    match key {
        "book" => spec.book = Some(value.to_owned()),
        "castles" => spec.castles = Some(value.to_owned()),
        "book_moves" => match value.parse() {
            Ok(moves) => spec.book_moves = Some(moves),
            Err(_) => return wrong(key, value, "a number of moves, 65535 at most"),
        },
        "book_min_count" => match value.parse() {
            Ok(count) => spec.book_min_count = Some(count),
            Err(_) => return wrong(key, value, "a whole number"),
        },
        "book_veto" => match value {
            "0" | "1" => spec.book_veto = Some(value == "1"),
            _ => return wrong(key, value, "0 or 1"),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Takes a limit; false if the key is not that of one.
fn read_limit(limits: &mut Option<TimeControl>, key: &str, value: &str) -> Result<bool, SpecError> {
    if !["nodes", "depth", "st", "tc", "byoyomi"].contains(&key) {
        return Ok(false);
    }
    match set_limit(limits.get_or_insert_default(), key, value) {
        Some(()) => Ok(true),
        None => wrong(key, value, "a number above zero"),
    }
}

/// Sets a limit by its name.
fn set_limit(control: &mut TimeControl, key: &str, value: &str) -> Option<()> {
    match key {
        "nodes" => control.nodes = Some(value.parse().ok().filter(|&n| n > 0)?),
        "depth" => control.depth = Some(value.parse().ok().filter(|&n| n > 0)?),
        "st" => control.move_time = Some(milliseconds(value).filter(|&ms| ms > 0)?),
        "byoyomi" => control.byoyomi = milliseconds(value).filter(|&ms| ms > 0)?,
        _ => (control.base, control.increment) = TimeControl::parse_clock(value)?,
    }
    Some(())
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut add = |key: &str, value: &str| {
            text.push(',');
            text.push_str(key);
            text.push('=');
            push_value(&mut text, value);
        };
        match &self.kind {
            EngineKind::Own(spec) => write_own(spec, &mut add),
            EngineKind::Usi(command) => write_usi(command, &mut add),
        }
        if let Some(limits) = &self.limits {
            write_limits(limits, &mut add);
        }
        if let Some(name) = &self.name {
            add("name", name);
        }
        match &self.kind {
            EngineKind::Own(_) if text.is_empty() => f.write_str("tesuji"),
            EngineKind::Own(_) => write!(f, "tesuji:{}", &text[1..]),
            EngineKind::Usi(command) => {
                let mut program = String::new();
                push_value(&mut program, &command.program);
                write!(f, "cmd:{program}{text}")
            }
        }
    }
}

fn write_own(spec: &SearchSpec, add: &mut dyn FnMut(&str, &str)) {
    match &spec.evaluation {
        Some(EvaluationSpec::Name(source) | EvaluationSpec::File(source)) => add("eval", source),
        Some(EvaluationSpec::Weights(text)) => add("weights", text),
        None => {}
    }
    for (key, value) in [("search", &spec.search), ("preset", &spec.preset)] {
        if let Some(value) = value {
            add(key, value);
        }
    }
    for (key, value) in [("hash", spec.hash), ("threads", spec.threads)] {
        if let Some(value) = value {
            add(key, &value.to_string());
        }
    }
    write_book(spec, add);
    for Setting { name, value } in &spec.settings {
        add(name, &value.to_string());
    }
}

fn write_book(spec: &SearchSpec, add: &mut dyn FnMut(&str, &str)) {
    if let Some(book) = &spec.book {
        add("book", book);
    }
    if let Some(castles) = &spec.castles {
        add("castles", castles);
    }
    if let Some(moves) = spec.book_moves {
        add("book_moves", &moves.to_string());
    }
    if let Some(count) = spec.book_min_count {
        add("book_min_count", &count.to_string());
    }
    if let Some(veto) = spec.book_veto {
        add("book_veto", if veto { "1" } else { "0" });
    }
}

fn write_usi(command: &UsiCommand, add: &mut dyn FnMut(&str, &str)) {
    for (name, value) in &command.options {
        let mut key = String::from("option.");
        push_key(&mut key, name);
        add(&key, value);
    }
    for argument in &command.arguments {
        add("arg", argument);
    }
    if command.at_drops {
        add("drops", "@");
    }
}

fn write_limits(limits: &TimeControl, add: &mut dyn FnMut(&str, &str)) {
    let seconds = |ms: u64| (ms as f64 / 1000.0).to_string();
    if limits.base > 0 || limits.increment > 0 {
        add("tc", &format!("{}+{}", seconds(limits.base), seconds(limits.increment)));
    }
    if limits.byoyomi > 0 {
        add("byoyomi", &seconds(limits.byoyomi));
    }
    if let Some(time) = limits.move_time {
        add("st", &seconds(time));
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", &nodes.to_string());
    }
    if let Some(depth) = limits.depth {
        add("depth", &depth.to_string());
    }
}

impl From<EngineSpec> for String {
    fn from(spec: EngineSpec) -> Self {
        spec.to_string()
    }
}

impl TryFrom<String> for EngineSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}
