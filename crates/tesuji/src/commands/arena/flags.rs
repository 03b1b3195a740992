//! Flags that matches, tournaments and self-play share, and the conditions that they mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, Parser, ValueEnum};
use serde::{Deserialize, Serialize};
use tesuji_arena::clock::milliseconds;
use tesuji_arena::schedule::Order;
use tesuji_arena::{DrawTerms, EngineSpec, ResignTerms, Terms, TimeControl};
use tesuji_math::stats::Sprt;
use tesuji_records::{Contents, Format};
use tesuji_shogi::{EnteringKingRule, Rules};

/// How engines are named, for the help of commands.
pub const ENGINES_HELP: &str = "Engines:
  tesuji                                        this program, with its default evaluation
  tesuji:eval=FILE,preset=full-width-2000       another evaluation or other settings of the search;
         hash=MIB, threads=N, PARAMETER=VALUE   the transposition table (16, or less with --nodes), \
threads,
                                                any parameter
  cmd:PROGRAM,option.NAME=VALUE,arg=ARGUMENT    any program that speaks USI; with drops=@ it is told \
drops
                                                as P@5e
Each may have name=NAME, and a limit of its own in place of that of the match: nodes=N, depth=N,
st=SECONDS, tc=SECONDS+SECONDS, byoyomi=SECONDS. A value with a comma stands in quotes: eval=\"a,b.toml\".";

/// Reads the description of an engine.
pub fn engine(text: &str) -> Result<EngineSpec> {
    text.parse().with_context(|| format!("engine {text:?}"))
}

/// Flags that say how games are played.
#[derive(Args, Debug)]
pub struct GameFlags {
    /// Positions that an engine may search for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies that an engine may search for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=126))]
    depth: Option<u32>,
    /// Seconds for each move.
    #[arg(long, value_name = "SECONDS", conflicts_with = "movetime")]
    st: Option<String>,
    /// Milliseconds for each move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// A clock: seconds for the game, and seconds that each move adds.
    #[arg(long, value_name = "SECONDS[+SECONDS]")]
    tc: Option<String>,
    /// Seconds for each move once the clock has run out.
    #[arg(long, value_name = "SECONDS")]
    byoyomi: Option<String>,
    /// Milliseconds by which a move may be late.
    #[arg(long, value_name = "MS", default_value_t = 100)]
    timemargin: u64,
    /// Seconds to wait for a move where no clock runs.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    patience: u64,
    /// Positions or games to begin with; our own openings if there is no file.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many moves of a game in that file are played; all without this.
    #[arg(long, value_name = "N", requires = "openings")]
    plies: Option<usize>,
    /// The order of openings.
    #[arg(long, value_name = "ORDER", default_value = "random")]
    order: OrderName,
    /// The number of the last move: a game that is not decided by then is drawn.
    #[arg(long, value_name = "N", default_value_t = 320,
          value_parser = clap::value_parser!(u16).range(1..=30_000))]
    maxmoves: u16,
    /// How a player with an entered king may win.
    #[arg(long, value_name = "RULE", default_value = EnteringKingRule::default().name(),
          value_parser = clap::builder::PossibleValuesParser::new(
              EnteringKingRule::ALL.map(EnteringKingRule::name)))]
    entering_king: String,
    /// Ends a game that both players think lost: movecount=N score=N twosided=true|false, or off.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=3,
          default_values = ["movecount=4", "score=2500", "twosided=true"])]
    resign: Vec<String>,
    /// Ends a game that nobody can win: movenumber=N movecount=N score=N, or off.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=3, default_value = "off")]
    draw: Vec<String>,
    /// Where all chance comes from: the same seed gives the same games.
    #[arg(long, visible_alias = "srand", value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Flags that say where the work is done, with no part in what comes out.
#[derive(Args, Debug)]
pub struct WorkFlags {
    /// Games at a time; as many as the machine has processors for 0.
    #[arg(long, visible_alias = "threads", value_name = "N", default_value_t = 0)]
    pub concurrency: usize,
    /// Where the folder of the run is made.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub out: PathBuf,
    /// Go on with a run that was stopped; its folder knows all settings.
    #[arg(long, value_name = "RUN")]
    pub resume: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl WorkFlags {
    /// How many games are played at a time.
    pub fn threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.concurrency == 0 { processors() } else { self.concurrency }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderName {
    Random,
    Sequential,
}

/// How games are played, as the folder of a run keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    pub control: TimeControl,
    margin: u64,
    patience: u64,
    pub openings: Option<PathBuf>,
    plies: Option<usize>,
    pub order: Order,
    max_moves: u16,
    entering_king: String,
    resign: Option<ResignTerms>,
    draw: Option<DrawTerms>,
    pub seed: u64,
}

impl Conditions {
    /// The conditions that the flags mean.
    pub fn new(flags: &GameFlags) -> Result<Self> {
        Ok(Self {
            control: control(flags)?,
            margin: flags.timemargin,
            patience: flags.patience.saturating_mul(1000),
            openings: flags.openings.clone(),
            plies: flags.plies,
            order: match flags.order {
                OrderName::Random => Order::Random,
                OrderName::Sequential => Order::Sequential,
            },
            max_moves: flags.maxmoves,
            entering_king: flags.entering_king.clone(),
            resign: resign_terms(&flags.resign)?,
            draw: draw_terms(&flags.draw)?,
            seed: flags.seed,
        })
    }

    /// The conditions of a command that is given no flags, but for these.
    pub fn usual(control: TimeControl, seed: u64) -> Result<Self> {
        #[derive(Parser)]
        struct Usual {
            #[command(flatten)]
            flags: GameFlags,
        }
        let Usual { flags } = Usual::try_parse_from(["tesuji"])?;
        Ok(Self { control, seed, ..Self::new(&flags)? })
    }

    /// What holds for every game.
    pub fn terms(&self) -> Terms {
        let entering_king = EnteringKingRule::from_name(&self.entering_king).unwrap_or_default();
        Terms {
            rules: Rules { entering_king, max_moves: Some(self.max_moves) },
            resign: self.resign,
            draw: self.draw,
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_millis(self.patience),
        }
    }

    /// The openings of the file.
    pub fn read_openings(&self, path: &Path) -> Result<Vec<tesuji_shogi::Game>> {
        let rules = self.terms().rules;
        tesuji_arena::openings::read(path, self.plies, &rules).map_err(|why| anyhow!("{why}"))
    }
}

fn control(flags: &GameFlags) -> Result<TimeControl> {
    let seconds = |name: &str, text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => match milliseconds(text).filter(|&ms| ms > 0) {
            Some(ms) => Ok(Some(ms)),
            None => bail!("{name} {text}: expected seconds, such as 0.5"),
        },
    };
    let (base, increment) = match &flags.tc {
        None => (0, 0),
        Some(text) => TimeControl::parse_clock(text)
            .ok_or_else(|| anyhow!("--tc {text}: expected seconds, such as 60+0.5"))?,
    };
    Ok(TimeControl {
        base,
        increment,
        byoyomi: seconds("--byoyomi", &flags.byoyomi)?.unwrap_or(0),
        move_time: seconds("--st", &flags.st)?.or(flags.movetime),
        nodes: flags.nodes,
        depth: flags.depth,
    })
}

/// `KEY=VALUE` words, each of the keys at most once.
struct Words<'a> {
    flag: &'a str,
    words: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    /// The words of a flag; `None` if they say `off`. Words may be parted by commas too.
    fn new(flag: &'a str, given: &'a [String], keys: &[&str]) -> Result<Option<Self>> {
        if given == ["off"] {
            return Ok(None);
        }
        let mut words = Vec::new();
        for word in given.iter().flat_map(|word| word.split([',', ' '])) {
            let Some((key, value)) = word.split_once('=').filter(|(key, _)| keys.contains(key))
            else {
                bail!("{flag} {word}: expected {}=…", keys.join("=…, "));
            };
            words.push((key, value));
        }
        Ok(Some(Self { flag, words }))
    }

    fn get<T: std::str::FromStr>(&self, key: &str, default: Option<T>) -> Result<T> {
        let found = self.words.iter().find(|(known, _)| *known == key);
        match (found, default) {
            (Some((_, value)), _) => {
                value.parse().map_err(|_| anyhow!("{} {key}={value}: not a number", self.flag))
            }
            (None, Some(default)) => Ok(default),
            (None, None) => bail!("{}: {key}=… is missing", self.flag),
        }
    }
}

fn resign_terms(given: &[String]) -> Result<Option<ResignTerms>> {
    let keys = ["movecount", "score", "twosided"];
    let Some(words) = Words::new("--resign", given, &keys)? else { return Ok(None) };
    let terms = ResignTerms {
        movecount: words.get("movecount", None)?,
        score: words.get("score", None)?,
        twosided: words.get("twosided", Some(false))?,
    };
    ensure!(terms.movecount > 0 && terms.score > 0, "--resign: expected numbers above zero");
    Ok(Some(terms))
}

fn draw_terms(given: &[String]) -> Result<Option<DrawTerms>> {
    let keys = ["movenumber", "movecount", "score"];
    let Some(words) = Words::new("--draw", given, &keys)? else { return Ok(None) };
    let terms = DrawTerms {
        movenumber: words.get("movenumber", None)?,
        movecount: words.get("movecount", None)?,
        score: words.get("score", None)?,
    };
    ensure!(terms.movecount > 0 && terms.score >= 0, "--draw: expected numbers above zero");
    Ok(Some(terms))
}

/// The test that `--sprt` describes.
pub fn sprt(given: &[String]) -> Result<Option<Sprt>> {
    if given.is_empty() {
        return Ok(None);
    }
    let keys = ["elo0", "elo1", "alpha", "beta"];
    let Some(words) = Words::new("--sprt", given, &keys)? else { return Ok(None) };
    let sprt = Sprt {
        elo0: words.get("elo0", None)?,
        elo1: words.get("elo1", None)?,
        alpha: words.get("alpha", Some(0.05))?,
        beta: words.get("beta", Some(0.05))?,
    };
    match sprt.mistake() {
        Some(mistake) => bail!("--sprt: {mistake}"),
        None => Ok(Some(sprt)),
    }
}

/// The format of a file for games, by its name.
pub fn games_format(path: &Path) -> Result<Format> {
    match Format::of_path(path) {
        Some(format) if format.contents() != Contents::Samples => Ok(format),
        _ => bail!("{}: expected a name that ends in .csa, .kif, .usi or .tsv", path.display()),
    }
}
