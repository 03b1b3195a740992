//! Flags that matches, tournaments and self-play share, and what they mean.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use tesuji_arena::clock::milliseconds;
use tesuji_arena::schedule::Order;
use tesuji_arena::{DrawTerms, EngineSpec, ResignTerms, TimeControl};
use tesuji_lab::games::Conditions;
use tesuji_lab::pairings::PairingPlan;
use tesuji_math::stats::Sprt;
use tesuji_shogi::EnteringKingRule;

use crate::flags::whole;

/// How engines are named, for the help of commands.
pub const ENGINES_HELP: &str = "Engines:
  tesuji                                      this program, with its default evaluation
  tesuji:eval=FILE,preset=full-width-2000     another evaluation, other settings of the search;
         hash=MIB,threads=N,PARAMETER=VALUE   the transposition table (16, or less with
         search=NAME                          --nodes), threads, any parameter, algorithm
  tesuji:book=FILE,book_moves=10              opens by a book for so many moves of a game, of both
         book_min_count=N,book_veto=0         players together; leaves out moves that were played
                                              less often; plays moves that are doubted
  cmd:PROGRAM,option.NAME=VALUE,arg=ARGUMENT  any program that speaks USI; with drops=@ it is
                                              told drops as P@5e
Each may have name=NAME, and a limit of its own in place of that of the match: nodes=N, depth=N,
st=SECONDS, tc=SECONDS+SECONDS, byoyomi=SECONDS. A value with a comma stands in quotes:
eval=\"a,b.toml\".";

/// Reads the descriptions of engines.
pub fn engines<'a>(texts: impl Iterator<Item = &'a String>) -> Result<Vec<EngineSpec>> {
    texts.map(|text| engine(text)).collect()
}

/// Reads the description of an engine.
pub fn engine(text: &str) -> Result<EngineSpec> {
    text.parse().with_context(|| format!("engine {text:?}"))
}

/// Flags that say how games are played.
#[derive(Args, Debug)]
pub struct GameFlags {
    /// Nodes that an engine may search for a move.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Plies that an engine may search for a move.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=126))]
    depth: Option<u32>,
    /// Seconds for each move.
    #[arg(long, value_name = "SECONDS", conflicts_with = "movetime")]
    st: Option<String>,
    /// Milliseconds for each move.
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=1_000_000_000_000))]
    movetime: Option<u64>,
    /// A clock: seconds for the game, and seconds that each move adds.
    #[arg(long, value_name = "SECONDS[+SECONDS]")]
    tc: Option<String>,
    /// Seconds for each move once the clock has run out.
    #[arg(long, value_name = "SECONDS")]
    byoyomi: Option<String>,
    /// Milliseconds by which a move may be late.
    #[arg(long, value_name = "MS", default_value_t = 100,
          value_parser = whole::<u64>(0..=1_000_000_000))]
    timemargin: u64,
    /// Seconds to wait for a move where no clock runs.
    #[arg(long, value_name = "SECONDS", default_value_t = 120,
          value_parser = whole::<u64>(1..=1_000_000))]
    patience: u64,
    /// Positions or games to begin with; our own openings if there is no file, or the start position
    /// where an engine has a book.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many moves of a game in that file are played; all without this.
    #[arg(long, value_name = "N", requires = "openings", value_parser = whole::<usize>(0..=30_000))]
    plies: Option<usize>,
    /// The order of openings.
    #[arg(long, value_name = "ORDER", default_value = "random")]
    order: OrderName,
    /// The number of the last move: a game that is not decided by then is drawn.
    #[arg(long, value_name = "N", default_value_t = 320,
          value_parser = whole::<u16>(1..=30_000))]
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
    /// Games at a time; 0 for one per core.
    #[arg(long, visible_alias = "threads", value_name = "N", default_value_t = 0,
          value_parser = whole::<usize>(0..=1_024))]
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderName {
    Random,
    Sequential,
}

impl GameFlags {
    /// The conditions that the flags mean.
    pub fn conditions(&self) -> Result<Conditions> {
        Ok(Conditions {
            control: control(self)?,
            margin: self.timemargin,
            patience: self.patience.saturating_mul(1000),
            openings: self.openings.clone(),
            plies: self.plies,
            order: match self.order {
                OrderName::Random => Order::Random,
                OrderName::Sequential => Order::Sequential,
            },
            max_moves: self.maxmoves,
            entering_king: self.entering_king.clone(),
            resign: resign_terms(&self.resign)?,
            draw: draw_terms(&self.draw)?,
            seed: self.seed,
        })
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

/// Nodes for a move, if there is no other limit.
const NODES: u64 = 2_000;

/// Flags that say how organisms play each other.
#[derive(Args, Debug)]
pub struct PairingFlags {
    /// Games of every two organisms in a generation: half of them from each side of their openings.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = whole::<u64>(2..=1000))]
    games: u64,
    /// Play all games of two organisms, even when it is decided who wins most of them.
    #[arg(long)]
    no_racing: bool,
    /// How many openings there are, if they are our own.
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = whole::<u64>(1..=1_000_000))]
    pool: u64,
    #[command(flatten)]
    play: GameFlags,
}

impl PairingFlags {
    /// The plan that the flags mean, with so many games in the verification match.
    pub fn plan(&self, match_games: u64) -> Result<PairingPlan> {
        let mut conditions = self.play.conditions()?;
        if conditions.control.is_endless() {
            conditions.control = TimeControl::nodes(NODES);
        }
        let (games, match_games) = (usize::try_from(self.games)?, usize::try_from(match_games)?);
        for (name, count) in [("--games", games), ("--match-games", match_games)] {
            let even = count.is_multiple_of(2);
            ensure!(even, "{name} is {count}, expected an even number: colours are swapped");
        }
        let pool = usize::try_from(self.pool)?;
        Ok(PairingPlan { conditions, games, racing: !self.no_racing, pool, match_games })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        flags: GameFlags,
    }

    #[test]
    fn without_flags_the_conditions_are_the_usual_ones() {
        let Command { flags } = Command::parse_from(["tesuji", "--nodes", "7"]);
        assert_eq!(flags.conditions().unwrap(), Conditions::usual(TimeControl::nodes(7), 1));
    }
}
