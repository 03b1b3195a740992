//! Engines as the command line names them.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tesuji_arena::clock::milliseconds;
use tesuji_arena::player::{OwnEngine, UsiCommand, UsiEngine, Variety};
use tesuji_arena::{Player, TimeControl};
use tesuji_eval::Model;
use tesuji_report::Input;
use tesuji_search::{Algorithm, Searcher};

use crate::engines::{DEFAULT_EVALUATION, EnginePlan, LARGEST_TABLE};
use crate::lab::folder;

/// The table of an engine in a match, in mebibytes, if nobody says otherwise.
const TABLE: usize = 16;

/// The table of an engine with this limit. It is cleared before every game, which takes longer the larger
/// it is: where few positions are searched, room for those of a game is enough.
pub fn table(control: &TimeControl) -> usize {
    /// Moves of one side in a game, and bytes for a position.
    const GAME: u64 = 128 * 16;
    let needed = |nodes: u64| nodes.saturating_mul(GAME).div_ceil(1 << 20).clamp(1, TABLE as u64);
    control.nodes.map_or(TABLE, |nodes| needed(nodes) as usize)
}

/// How engines are named, for the help of commands.
pub const ENGINES_HELP: &str = "Engines:
  tesuji                                        this program, with its default evaluation
  tesuji:eval=FILE,preset=full-width-2000       another evaluation or other settings of the search;
         search=NAME                            another algorithm: alphabeta or greedy;
         hash=MIB, PARAMETER=VALUE              the table (16, or less with --nodes), any parameter
  cmd:PROGRAM,option.NAME=VALUE,arg=ARGUMENT    any program that speaks USI; with drops=@ it is told drops
                                                as P@5e
Each may have name=NAME, and a limit of its own in place of that of the match: nodes=N, depth=N,
st=SECONDS, tc=SECONDS+SECONDS, byoyomi=SECONDS.";

/// An engine that takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called.
    pub name: String,
    /// What it has for a game.
    pub control: TimeControl,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Own(Box<EnginePlan>),
    Other(UsiCommand),
}

impl Contestant {
    /// Reads the description of an engine; `control` is what it has unless it says otherwise.
    pub fn parse(text: &str, control: TimeControl) -> Result<Self> {
        let contestant = if let Some(rest) = text.strip_prefix("cmd:") {
            Self::other(rest, control)
        } else if text == "tesuji" {
            Self::own("", text, control)
        } else if let Some(rest) = text.strip_prefix("tesuji:") {
            Self::own(rest, text, control)
        } else {
            Err(anyhow!("expected tesuji, tesuji:KEY=VALUE,… or cmd:PROGRAM,…"))
        };
        let contestant = contestant.with_context(|| format!("engine {text:?}"))?;
        ensure!(
            !contestant.control.is_endless(),
            "engine {text:?}: nothing ends its thinking; give --nodes, --depth, --st, --tc or --byoyomi"
        );
        Ok(contestant)
    }

    fn own(settings: &str, text: &str, control: TimeControl) -> Result<Self> {
        let Algorithm { name: search, presets, .. } = Algorithm::standard();
        let (mut evaluation, mut search, mut preset, mut hash) =
            (DEFAULT_EVALUATION, *search, presets[0], None);
        let (mut name, mut limits, mut parameters) = (text, Limits::new(control), Vec::new());
        for (setting, key, value) in pairs(settings)? {
            match key {
                "eval" => evaluation = value,
                "search" => search = value,
                "preset" => preset = value,
                "name" => name = value,
                "hash" => {
                    let read = value.parse().ok().filter(|n| (1..=LARGEST_TABLE).contains(n));
                    hash = Some(read.ok_or_else(|| anyhow!("{setting}: expected mebibytes"))?);
                }
                _ if limits.set(key, value)? => {}
                _ => parameters.push(setting),
            }
        }
        let mebibytes = hash.unwrap_or_else(|| table(&limits.control));
        let mut plan = EnginePlan::of(evaluation, search, preset, mebibytes)?;
        for parameter in parameters {
            plan.set(parameter).with_context(|| parameter.to_owned())?;
        }
        Ok(Self { name: name.to_owned(), control: limits.control, kind: Kind::Own(Box::new(plan)) })
    }

    fn other(settings: &str, control: TimeControl) -> Result<Self> {
        let (program, rest) = settings.split_once(',').unwrap_or((settings, ""));
        ensure!(!program.is_empty(), "no program after cmd:");
        let mut command = UsiCommand { program: program.to_owned(), ..UsiCommand::default() };
        let file = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
        let (mut name, mut limits) = (file.unwrap_or_default(), Limits::new(control));
        for (setting, key, value) in pairs(rest)? {
            if let Some(option) = key.strip_prefix("option.") {
                command.options.push((option.to_owned(), value.to_owned()));
            } else if key == "arg" {
                command.arguments.push(value.to_owned());
            } else if setting == "drops=@" {
                command.at_drops = true;
            } else if key == "name" {
                value.clone_into(&mut name);
            } else if !limits.set(key, value)? {
                bail!("{setting}: expected option.NAME=VALUE, arg=…, drops=@, name=… or a limit");
            }
        }
        Ok(Self { name, control: limits.control, kind: Kind::Other(command) })
    }

    /// The file of its evaluation, if it does not come with the program.
    pub fn input(&self) -> Result<Option<Input>> {
        let Kind::Own(plan) = &self.kind else { return Ok(None) };
        let name = plan.evaluation.name();
        let is_file = plan.evaluation.model().is_some() && Model::named(name).is_none();
        is_file.then(|| folder::input(Path::new(name))).transpose()
    }

    /// Sees whether a program of others starts and gets ready.
    pub fn check(&self) -> Result<()> {
        if let Kind::Other(command) = &self.kind {
            let introduced = UsiEngine::new(command.clone()).introduce();
            introduced.map_err(|fault| anyhow!("engine {}: {fault}", self.name))?;
        }
        Ok(())
    }

    /// What its table takes in memory, in mebibytes.
    pub const fn mebibytes(&self) -> usize {
        match &self.kind {
            Kind::Own(plan) => plan.mebibytes,
            Kind::Other(_) => 0,
        }
    }

    /// A player, for one thread.
    pub fn player(&self) -> Box<dyn Player> {
        match &self.kind {
            Kind::Own(plan) => Box::new(OwnEngine::new(plan.engine())),
            Kind::Other(command) => Box::new(UsiEngine::new(command.clone())),
        }
    }

    /// A player whose games differ, where it is an engine of this program.
    pub fn varied(&self, variety: Variety) -> Box<dyn Player> {
        match &self.kind {
            Kind::Own(plan) => Box::new(OwnEngine::varied(plan.engine(), variety)),
            Kind::Other(_) => self.player(),
        }
    }

    /// Refuses programs of others.
    pub fn check_own(&self) -> Result<()> {
        match &self.kind {
            Kind::Own(_) => Ok(()),
            Kind::Other(_) => bail!("engine {}: only tesuji itself plays alone", self.name),
        }
    }
}

/// An engine of this program that makes openings.
pub fn opening_maker() -> Result<Box<dyn Searcher>> {
    let Algorithm { name, presets, .. } = Algorithm::standard();
    Ok(EnginePlan::of(DEFAULT_EVALUATION, name, presets[0], 1)?.engine())
}

/// Reads `key=value,key=value`: each whole, and its parts.
fn pairs(text: &str) -> Result<Vec<(&str, &str, &str)>> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    let pair = |part: &'_ str| part.split_once('=').is_some();
    parts
        .map(|part| {
            ensure!(pair(part), "{part}: expected KEY=VALUE");
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            Ok((part, key, value))
        })
        .collect()
}

/// The limits of an engine while its description is read: its first own limit takes the place of all
/// that the match gives.
struct Limits {
    control: TimeControl,
    own: bool,
}

impl Limits {
    const fn new(control: TimeControl) -> Self {
        Self { control, own: false }
    }

    /// Takes a limit; false if it is not one.
    fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        if !["nodes", "depth", "st", "tc", "byoyomi"].contains(&key) {
            return Ok(false);
        }
        if !self.own {
            (self.control, self.own) = (TimeControl::default(), true);
        }
        set_limit(&mut self.control, key, value)
            .ok_or_else(|| anyhow!("{key}={value}: expected a number above zero"))?;
        Ok(true)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Contestant> {
        Contestant::parse(text, TimeControl::nodes(100))
    }

    #[test]
    fn engines_are_read() {
        let plain = parse("tesuji").unwrap();
        assert_eq!((&*plain.name, plain.control.nodes), ("tesuji", Some(100)));
        assert_eq!(plain.mebibytes(), 1);
        assert_eq!(parse("tesuji:nodes=1000").unwrap().mebibytes(), 2);
        assert_eq!(parse("tesuji:depth=9").unwrap().mebibytes(), TABLE);
        let own = parse("tesuji:eval=material,preset=full-width-2000,null_move=1,st=0.5,name=old")
            .unwrap();
        assert_eq!(
            (&*own.name, own.control.move_time, own.control.nodes),
            ("old", Some(500), None)
        );
        let Kind::Own(plan) = &own.kind else { panic!() };
        assert_eq!(plan.params.get("null_move"), Some(1));
        assert_eq!(plan.params.get("lmr"), Some(0));
        let other =
            parse("cmd:/usr/games/x,option.A=1,arg=--usi,drops=@,depth=3,option.B=c=d").unwrap();
        let Kind::Other(command) = &other.kind else { panic!() };
        assert_eq!((&*other.name, other.control.depth), ("x", Some(3)));
        assert!(command.at_drops);
        assert_eq!(command.arguments, ["--usi"]);
        let options = [("A".to_owned(), "1".to_owned()), ("B".to_owned(), "c=d".to_owned())];
        assert_eq!(command.options, options);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "stockfish",
            "tesuji:eval",
            "tesuji:no_such=1",
            "tesuji:eval=no/such/file",
            "tesuji:hash=0",
            "tesuji:search=nothing",
            "tesuji:search=greedy,null_move=1",
            "tesuji:nodes=0",
            "cmd:",
            "cmd:x,what=1",
            "cmd:x,st=-1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(Contestant::parse("tesuji", TimeControl::default()).is_err());
    }
}
