//! What can be set, by the names that graphical interfaces and other engines use.

use std::sync::Arc;
use std::time::Duration;

use tesuji_eval::formations::Atlas;
use tesuji_search::book::OpeningBook;
use tesuji_search::limits::{Clock, TimePolicy};
use tesuji_search::registry::ALGORITHMS;
use tesuji_search::spec::{
    self, DEFAULT_EVALUATION, DEFAULT_TABLE, Evaluation, LARGEST_TABLE, SpecError,
};
use tesuji_search::{Algorithm, Parameter, Settings, Values};
use tesuji_shogi::EnteringKingRule;

use crate::book_options::BookOptions;
use crate::option::{OptionDeclaration, OptionKind};

/// The options with their values.
#[derive(Clone, Debug)]
pub struct Options {
    evaluation: Arc<Evaluation>,
    book: BookOptions,
    /// The path of a file of castles, and what it defines.
    castle_file: Option<String>,
    formations: Option<Arc<Atlas>>,
    search: &'static Algorithm,
    preset: &'static str,
    /// The parameters of each algorithm.
    params: [Values; ALGORITHMS.len()],
    entering_king: EnteringKingRule,
    ponder: bool,
    table: u64,
    threads: u64,
    lines: u64,
    minimum_time: u64,
    delay: u64,
    longest_delay: u64,
    resign_value: u64,
    max_moves: u64,
}

/// The castles that come with the program.
const SHIPPED_CASTLES: &str = "shipped";

/// An option that is a whole number.
struct Spin {
    name: &'static str,
    min: u64,
    max: u64,
    slot: fn(&mut Options) -> &mut u64,
}

/// Numbers that are not parameters of the search. A table of this size is still to fit into memory.
const SPINS: [Spin; 11] = [
    Spin { name: "USI_Hash", min: 1, max: LARGEST_TABLE as u64, slot: |o| &mut o.table },
    Spin { name: "Threads", min: 1, max: 256, slot: |o| &mut o.threads },
    Spin { name: "MultiPV", min: 1, max: 600, slot: |o| &mut o.lines },
    Spin { name: "MinimumThinkingTime", min: 0, max: 100_000, slot: |o| &mut o.minimum_time },
    Spin { name: "NetworkDelay", min: 0, max: 10_000, slot: |o| &mut o.delay },
    Spin { name: "NetworkDelay2", min: 0, max: 10_000, slot: |o| &mut o.longest_delay },
    Spin { name: "ResignValue", min: 0, max: 99_999, slot: |o| &mut o.resign_value },
    Spin { name: "MaxMovesToDraw", min: 0, max: 30_000, slot: |o| &mut o.max_moves },
    Spin { name: "BookMoves", min: 0, max: 30_000, slot: |o| &mut o.book.moves },
    Spin { name: "BookMinCount", min: 0, max: 1_000_000, slot: |o| &mut o.book.least_count },
    Spin { name: "BookSeed", min: 0, max: 1 << 31, slot: |o| &mut o.book.seed },
];

/// What an engine is made from. It is made anew when the evaluation, the algorithm or the size of the
/// transposition table changes.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The evaluation.
    pub evaluation: Arc<Evaluation>,
    /// The size of the transposition table in MiB.
    pub mebibytes: usize,
    /// The algorithm of the search.
    pub search: &'static Algorithm,
    /// Its parameters.
    pub params: Values,
    /// The castles and assaults that it may be guided by, if they are not those that come with the
    /// program.
    pub formations: Option<Arc<Atlas>>,
    /// The book that is asked before a search.
    pub opening: Option<OpeningBook>,
    /// Everything else.
    pub settings: Settings,
}

impl Options {
    /// What is set before anybody says otherwise.
    pub fn new() -> Result<Self, SpecError> {
        Ok(Self {
            evaluation: Arc::new(Evaluation::load(DEFAULT_EVALUATION)?),
            book: BookOptions::default(),
            castle_file: None,
            formations: None,
            search: Algorithm::standard(),
            preset: Algorithm::standard().presets[0],
            params: ALGORITHMS.each_ref().map(Algorithm::defaults),
            entering_king: EnteringKingRule::default(),
            ponder: false,
            table: DEFAULT_TABLE as u64,
            threads: 1,
            lines: 1,
            minimum_time: 0,
            delay: 120,
            longest_delay: 120,
            resign_value: 99_999,
            max_moves: 0,
        })
    }

    /// The declarations of the options as the answer to `usi` has them, with the parameters of the
    /// search or without; defaults are the values of now.
    pub fn declarations(&self, with_parameters: bool) -> Vec<OptionDeclaration> {
        let mut shown = self.clone();
        let spins = SPINS.iter().map(|&Spin { name, min, max, slot }| {
            let [default, min, max] = [*slot(&mut shown), min, max].map(u64::cast_signed);
            declared(name, OptionKind::Spin { default, min, max })
        });
        let mut all: Vec<OptionDeclaration> = spins.collect();
        all.push(declared("USI_Ponder", OptionKind::Check { default: self.ponder }));
        let rules = EnteringKingRule::ALL.map(EnteringKingRule::name);
        all.push(declared("EnteringKingRule", combo(self.entering_king.name(), &rules)));
        let default = self.evaluation.name().to_owned();
        all.push(declared("EvalFile", OptionKind::String { default }));
        let default = self.castle_file.as_deref().unwrap_or(SHIPPED_CASTLES).to_owned();
        all.push(declared("CastleFile", OptionKind::String { default }));
        let default = self.book.file().to_owned();
        all.push(declared("BookFile", OptionKind::String { default }));
        all.push(declared("BookVeto", OptionKind::Check { default: self.book.veto }));
        all.push(declared("Search", combo(self.search.name, &Algorithm::names())));
        all.push(declared("Preset", combo(self.preset, Algorithm::standard().presets)));
        if with_parameters {
            let all_params = self.params.iter().flat_map(Values::iter);
            all.extend(
                all_params.map(|(known, value)| declared(known.name, kind_of(known, value))),
            );
        }
        all
    }

    /// Sets an option; an error says why that cannot be, and the old value stays.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        if let Some(spin) = SPINS.iter().find(|spin| is(spin.name)) {
            return self.set_spin(spin, value);
        }
        for params in &mut self.params {
            let Some(parameter) = params.declared().iter().find(|known| is(known.name)) else {
                continue;
            };
            let read = match value {
                "true" if parameter.is_switch() => Some(1),
                "false" if parameter.is_switch() => Some(0),
                number => number.parse().ok(),
            };
            let fits = read.is_some_and(|value| params.set(parameter.name, value));
            let range = format!("a number from {} to {}", parameter.min, parameter.max);
            let expected = if parameter.is_switch() { "true or false" } else { &range };
            return require(fits, name, value, expected);
        }
        if is("USI_Ponder") {
            set_check(&mut self.ponder, name, value)
        } else if is("BookVeto") {
            set_check(&mut self.book.veto, name, value)
        } else if is("BookFile") {
            self.book.load(value)
        } else if is("CastleFile") {
            self.set_castles(value)
        } else if is("EnteringKingRule") {
            let rule = EnteringKingRule::from_name(value);
            self.entering_king = rule.unwrap_or(self.entering_king);
            let names = EnteringKingRule::ALL.map(EnteringKingRule::name);
            require(rule.is_some(), name, value, &format!("one of {}", names.join(", ")))
        } else if is("Search") {
            let search = Algorithm::named(value);
            self.search = search.unwrap_or(self.search);
            require(search.is_some(), name, value, &Algorithm::names().join(" or "))
        } else if is("Preset") {
            let Algorithm { presets, .. } = Algorithm::standard();
            let known = presets.iter().copied().find(|&preset| preset == value);
            let params = known.and_then(|preset| Algorithm::standard().preset(preset));
            require(params.is_some(), name, value, &presets.join(" or "))?;
            self.preset = known.unwrap_or(self.preset);
            self.params[0] = params.unwrap_or_else(|| Algorithm::standard().defaults());
            Ok(())
        } else if is("EvalFile") {
            let evaluation = Evaluation::load(value);
            let kept = |why| format!("EvalFile: {why:#}; {} stays", self.evaluation.name());
            self.evaluation = Arc::new(evaluation.map_err(kept)?);
            Ok(())
        } else {
            Err(format!("no option {name}"))
        }
    }

    /// Takes castles of a file, or those that come with the program.
    fn set_castles(&mut self, value: &str) -> Result<(), String> {
        let own = !value.is_empty() && value != SHIPPED_CASTLES && value != "<empty>";
        let file = own.then(|| value.to_owned());
        let formations = spec::load_formations(file.as_deref());
        self.formations = formations.map_err(|why| format!("CastleFile: {why}"))?;
        self.castle_file = file;
        Ok(())
    }

    /// What is to be said of the value that was set last, though it was taken.
    pub const fn take_remark(&mut self) -> Option<String> {
        self.book.remark.take()
    }

    /// Another game begins.
    pub fn begin_game(&mut self) {
        self.book.begin_game();
    }

    fn set_spin(&mut self, spin: &Spin, value: &str) -> Result<(), String> {
        let (min, max) = (spin.min, spin.max);
        let read = value.parse().ok().filter(|value| (min..=max).contains(value));
        require(read.is_some(), spin.name, value, &format!("a number from {min} to {max}"))?;
        let read = read.unwrap_or(min);
        if spin.name == "USI_Hash" {
            spec::check_table(read as usize).map_err(|why| format!("USI_Hash: {why}"))?;
        }
        *(spin.slot)(self) = read;
        Ok(())
    }

    /// What the engine is to be made from.
    pub fn setup(&self) -> Setup {
        let max_moves = u16::try_from(self.max_moves).ok().filter(|&moves| moves > 0);
        Setup {
            evaluation: Arc::clone(&self.evaluation),
            mebibytes: self.table as usize,
            search: self.search,
            params: self.params().clone(),
            opening: self.book.opening(self.formations.as_ref()),
            formations: self.formations.clone(),
            settings: Settings {
                threads: self.threads as usize,
                entering_king: self.entering_king,
                max_moves,
                seed: self.book.seed_of_game(),
            },
        }
    }

    /// The parameters of the algorithm that searches.
    fn params(&self) -> &Values {
        let own = ALGORITHMS.iter().position(|algorithm| algorithm.name == self.search.name);
        &self.params[own.unwrap_or(0)]
    }

    /// How many best lines are wanted.
    pub const fn lines(&self) -> usize {
        self.lines as usize
    }

    /// How a player with an entered king may win.
    pub const fn entering_king(&self) -> EnteringKingRule {
        self.entering_king
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// A score this far below zero is not worth playing on.
    pub const fn resign_value(&self) -> i64 {
        self.resign_value as i64
    }

    /// What a move takes at least, if the clock has it.
    pub const fn least_time(&self) -> Duration {
        Duration::from_millis(self.minimum_time)
    }

    /// How much of the clock a move should use, and how much it may.
    pub fn share_of(&self, clock: &Clock) -> (Duration, Duration) {
        let [delay, longest, minimum] =
            [self.delay, self.longest_delay, self.minimum_time].map(Duration::from_millis);
        let (soft, hard) = TimePolicy { delay, minimum }.limits(clock);
        // A delay that is seldom so long must not cost the game either.
        let all = clock.left + clock.increment + clock.byoyomi;
        let safe = all.saturating_sub(longest.max(delay)).max(Duration::from_millis(5));
        (soft.min(safe), hard.min(safe))
    }
}

/// A parameter of the search as an option.
fn kind_of(parameter: &Parameter, value: i32) -> OptionKind {
    if parameter.is_switch() {
        return OptionKind::Check { default: value != 0 };
    }
    let [default, min, max] = [value, parameter.min, parameter.max].map(i64::from);
    OptionKind::Spin { default, min, max }
}

fn declared(name: &str, kind: OptionKind) -> OptionDeclaration {
    OptionDeclaration { name: name.to_owned(), kind }
}

fn combo(value: &str, values: &[&str]) -> OptionKind {
    let vars = values.iter().map(|&value| value.to_owned()).collect();
    OptionKind::Combo { default: value.to_owned(), vars }
}

fn set_check(slot: &mut bool, name: &str, value: &str) -> Result<(), String> {
    let read = value.parse();
    *slot = *read.as_ref().unwrap_or(slot);
    require(read.is_ok(), name, value, "true or false")
}

fn require(fits: bool, name: &str, value: &str, expected: &str) -> Result<(), String> {
    if fits { Ok(()) } else { Err(format!("{name}: expected {expected}, found {value:?}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an option's description behind its name.
    fn described(options: &Options, name: &str) -> String {
        let start = format!("option name {name} type ");
        let lines = described_options(options);
        let found: Vec<&String> = lines.iter().filter(|line| line.starts_with(&start)).collect();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        found[0][start.len()..].to_owned()
    }

    fn described_options(options: &Options) -> Vec<String> {
        options.declarations(true).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_option_can_be_set_to_what_its_description_allows() {
        let mut options = Options::new().unwrap();
        for line in described_options(&options) {
            let words: Vec<&str> = line.split(' ').collect();
            let ["option", "name", name, "type", kind, "default", value, rest @ ..] = &words[..]
            else {
                panic!("{line}")
            };
            let values: Vec<String> = match *kind {
                "check" => vec!["true".into(), "false".into()],
                "string" if *name == "BookFile" => vec!["standard".into(), "no_book".into()],
                "string" if *name == "CastleFile" => vec!["shipped".into()],
                "string" => vec!["material".into(), "published".into()],
                "combo" => rest.iter().skip(1).step_by(2).map(|&word| word.into()).collect(),
                "spin" if *name == "USI_Hash" => vec!["1".into(), "2".into()],
                "spin" => vec![rest[1].into(), rest[3].into()],
                _ => panic!("{line}"),
            };
            for value in values.into_iter().chain([(*value).to_owned()]) {
                assert_eq!(options.set(name, &value), Ok(()), "{name} {value}");
                let now = described(&options, name);
                assert!(now.contains(&format!("default {value}")), "{name} {value}: {now}");
            }
            assert!(options.set(name, "nonsense/of/a/value").is_err(), "{name}");
        }
    }

    #[test]
    fn a_wrong_value_leaves_the_old_one() {
        let mut options = Options::new().unwrap();
        options.set("evalfile", "material").unwrap();
        let why = options.set("EvalFile", "no/such/file").unwrap_err();
        assert!(why.contains("no/such/file") && why.contains("material stays"), "{why}");
        assert_eq!(described(&options, "EvalFile"), "string default material");
        let before = options.declarations(true);
        for (name, value) in [
            ("MultiPV", "0"),
            ("Threads", "-1"),
            ("USI_Hash", "99999999999"),
            ("USI_Ponder", "maybe"),
            ("Preset", "strongest"),
            ("aspiration", "5000"),
            ("EnteringKingRule", ""),
            ("Nothing", "1"),
        ] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
        assert_eq!(options.declarations(true), before);
    }

    #[test]
    fn a_preset_sets_all_parameters() {
        let mut options = Options::new().unwrap();
        options.set("aspiration", "77").unwrap();
        options.set("Preset", "full-width-2000").unwrap();
        let expected = Algorithm::standard().preset("full-width-2000").unwrap();
        assert_eq!(options.setup().params, expected);
    }

    #[test]
    fn parameters_can_be_set_whether_they_are_listed_or_not() {
        let mut options = Options::new().unwrap();
        let (short, long) = (options.declarations(false), options.declarations(true));
        let parameters: usize = ALGORITHMS.iter().map(|known| known.parameters.len()).sum();
        assert_eq!(long.len(), short.len() + parameters);
        assert!(short.iter().all(|option| option.name.starts_with(char::is_uppercase)));
        // A switch is one, and takes the numbers that other commands know as well.
        for (value, now) in [("false", "false"), ("1", "true"), ("0", "false"), ("true", "true")] {
            options.set("null_move", value).unwrap();
            assert_eq!(described(&options, "null_move"), format!("check default {now}"));
        }
        let why = options.set("null_move", "2").unwrap_err();
        assert_eq!(why, "null_move: expected true or false, found \"2\"");
        assert!(options.set("aspiration", "true").is_err());
    }

    #[test]
    fn each_algorithm_has_its_own_parameters() {
        let mut options = Options::new().unwrap();
        assert_eq!(
            described(&options, "Search"),
            "combo default alphabeta var alphabeta var greedy"
        );
        options.set("aspiration", "77").unwrap();
        options.set("Search", "greedy").unwrap();
        options.set("avoid_mate", "0").unwrap();
        let setup = options.setup();
        assert_eq!((setup.search.name, setup.params.get("avoid_mate")), ("greedy", Some(0)));
        assert_eq!(setup.params.get("aspiration"), None);
        options.set("Search", "alphabeta").unwrap();
        assert_eq!(options.setup().params.get("aspiration"), Some(77));
        assert!(options.set("Search", "nothing").is_err());
    }

    #[test]
    fn the_longest_delay_is_kept_free() {
        let mut options = Options::new().unwrap();
        options.set("NetworkDelay2", "1000").unwrap();
        let clock = Clock { byoyomi: Duration::from_secs(5), ..Clock::default() };
        let (soft, hard) = options.share_of(&clock);
        assert_eq!(hard, Duration::from_secs(4));
        assert!(soft <= hard);
        let short = Clock { byoyomi: Duration::from_millis(500), ..Clock::default() };
        assert_eq!(options.share_of(&short).1, Duration::from_millis(5));
    }
}
