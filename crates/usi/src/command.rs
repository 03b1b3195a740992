//! What a graphical interface says to an engine, line by line: written by the side that asks, read
//! by the side that answers.

use std::fmt;
use std::time::Duration;

use tesuji_search::limits::Clock;
use tesuji_shogi::{Color, Game, Move};

use crate::syntax::SyntaxError;

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Who are you, and what can be set?
    Usi,
    /// Say when you are ready.
    IsReady,
    /// A game begins.
    NewGame,
    /// An option is to have this value.
    SetOption {
        /// Its name, which may have spaces.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// The game so far.
    Position(Box<Game>),
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// The game is over, for the engine with this result, if it is told.
    GameOver(Option<GameOver>),
    /// End.
    Quit,
    /// Explain the evaluation of the position.
    Eval,
    /// Draw the position.
    Show,
}

/// How a game has ended for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOver {
    /// It has won.
    Win,
    /// It has lost.
    Lose,
    /// Neither.
    Draw,
}

/// What `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Think in the opponent's time.
    pub ponder: bool,
    /// Think until you are stopped.
    pub infinite: bool,
    /// The clocks, if there are any.
    pub times: Option<Times>,
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes that may be searched.
    pub nodes: Option<u64>,
    /// What the move may take.
    pub move_time: Option<Duration>,
    /// Look for a mate instead of a move.
    pub mate: Option<MateTime>,
    /// Only these moves.
    pub moves: Vec<Move>,
    /// Words among them that are no moves.
    pub no_moves: Vec<String>,
    /// Words that could not be understood.
    pub strange: Vec<String>,
}

/// How long a mate may be looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateTime {
    /// Until somebody says `stop`.
    Infinite,
    /// So long.
    Limited(Duration),
}

/// The clocks of both players, Black's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// What is left (`btime`, `wtime`).
    pub left: [Duration; 2],
    /// What every move adds (`binc`, `winc`).
    pub increment: [Duration; 2],
    /// What every move may take once the clock has run out.
    pub byoyomi: Duration,
}

impl Times {
    /// The clock of a player.
    pub const fn clock(&self, color: Color) -> Clock {
        let player = color as usize;
        Clock { left: self.left[player], increment: self.increment[player], byoyomi: self.byoyomi }
    }
}

impl Go {
    /// Will the search go on until somebody stops it?
    pub const fn is_endless(&self) -> bool {
        let bounded = self.times.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some();
        self.infinite || !bounded
    }
}

/// Reads a line. `Ok(None)` if there is nothing in it; an error says what is wrong.
pub fn parse(line: &str) -> Result<Option<Command>, SyntaxError> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Ok(Some(match word {
        "" => return Ok(None),
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "usinewgame" => Command::NewGame,
        "setoption" => set_option(rest)?,
        "position" => {
            let game = Game::from_usi(rest).map_err(SyntaxError::Position)?;
            Command::Position(Box::new(game))
        }
        "go" => Command::Go(go(rest)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "gameover" => Command::GameOver(match rest.trim() {
            "win" => Some(GameOver::Win),
            "lose" => Some(GameOver::Lose),
            "draw" => Some(GameOver::Draw),
            _ => None,
        }),
        "quit" => Command::Quit,
        "eval" => Command::Eval,
        "d" | "show" => Command::Show,
        unknown => return Err(SyntaxError::UnknownCommand(unknown.to_owned())),
    }))
}

/// Reads `name NAME value VALUE`; both may have spaces, and the value may be missing.
fn set_option(rest: &str) -> Result<Command, SyntaxError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let ["name", named @ ..] = words.as_slice() else {
        return Err(SyntaxError::SetOption("expected name NAME value VALUE"));
    };
    let split = named.iter().position(|&word| word == "value").unwrap_or(named.len());
    let (name, value) = named.split_at(split);
    if name.is_empty() {
        return Err(SyntaxError::SetOption("the option has no name"));
    }
    let value = value.split_first().map(|(_, value)| value.join(" "));
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// The words that mean something behind `go`.
const GO_WORDS: [&str; 12] = [
    "ponder",
    "infinite",
    "searchmoves",
    "mate",
    "depth",
    "nodes",
    "movetime",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
];

/// Reads what follows `go`. Whoever says `go` waits for an answer, so what cannot be understood is
/// noted and left out.
fn go(rest: &str) -> Go {
    let mut go = Go::default();
    let mut times = Times::default();
    let mut has_times = false;
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(word) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    match word.parse() {
                        Ok(mv) => go.moves.push(mv),
                        Err(_) => go.no_moves.push(word.to_owned()),
                    }
                }
            }
            "mate" => {
                let limited = words.peek().and_then(|word| number(word));
                if limited.is_some() || words.peek() == Some(&"infinite") {
                    words.next();
                }
                let milliseconds = limited.map(Duration::from_millis);
                go.mate = Some(milliseconds.map_or(MateTime::Infinite, MateTime::Limited));
            }
            "depth" | "nodes" | "movetime" | "btime" | "wtime" | "byoyomi" | "binc" | "winc" => {
                let Some(value) = words.peek().and_then(|word| number(word)) else {
                    go.strange.push(word.to_owned());
                    continue;
                };
                words.next();
                let time = Duration::from_millis(value);
                match word {
                    "depth" => go.depth = Some(u32::try_from(value).unwrap_or(u32::MAX)),
                    "nodes" => go.nodes = Some(value),
                    "movetime" => go.move_time = Some(time),
                    clock => {
                        has_times = true;
                        *hand_of(&mut times, clock) = time;
                    }
                }
            }
            strange => go.strange.push(strange.to_owned()),
        }
    }
    go.times = has_times.then_some(times);
    go
}

/// The part of the clocks that a word of `go` sets.
fn hand_of<'a>(times: &'a mut Times, word: &str) -> &'a mut Duration {
    match word {
        "btime" => &mut times.left[0],
        "wtime" => &mut times.left[1],
        "binc" => &mut times.increment[0],
        "winc" => &mut times.increment[1],
        _ => &mut times.byoyomi,
    }
}

/// A number that is not negative; some interfaces count clocks below zero, which is zero here.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix('-') {
        Some(digits) => digits.parse::<u64>().ok().map(|_| 0),
        None => word.parse().ok(),
    }
}

/// The line that tells an engine a game so far.
pub fn position_line(game: &Game) -> String {
    format!("position {}", game.to_usi_position())
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usi => f.write_str("usi"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("usinewgame"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Position(game) => f.write_str(&position_line(game)),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::GameOver(None) => f.write_str("gameover"),
            Self::GameOver(Some(GameOver::Win)) => f.write_str("gameover win"),
            Self::GameOver(Some(GameOver::Lose)) => f.write_str("gameover lose"),
            Self::GameOver(Some(GameOver::Draw)) => f.write_str("gameover draw"),
            Self::Quit => f.write_str("quit"),
            Self::Eval => f.write_str("eval"),
            Self::Show => f.write_str("d"),
        }
    }
}

impl fmt::Display for Go {
    /// The line, without the words that could not be understood.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if let Some(times) = &self.times {
            times.write(f)?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        match self.mate {
            None => {}
            Some(MateTime::Infinite) => f.write_str(" mate infinite")?,
            Some(MateTime::Limited(time)) => write!(f, " mate {}", time.as_millis())?,
        }
        if !self.moves.is_empty() {
            f.write_str(" searchmoves")?;
            self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

impl Times {
    /// The clocks, then byoyomi or increments; where there are neither, a byoyomi of nothing.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = self.left.map(|time| time.as_millis());
        write!(f, " btime {black} wtime {white}")?;
        let [black, white] = self.increment.map(|time| time.as_millis());
        let byoyomi = self.byoyomi.as_millis();
        let has_increment = black > 0 || white > 0;
        if byoyomi > 0 || !has_increment {
            write!(f, " byoyomi {byoyomi}")?;
        }
        if has_increment {
            write!(f, " binc {black} winc {white}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn parsed_go(line: &str) -> Go {
        match parse(line) {
            Ok(Some(Command::Go(go))) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn plain_commands() {
        for (line, command) in [
            ("usi", Command::Usi),
            ("  isready \r", Command::IsReady),
            ("usinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("gameover lose", Command::GameOver(Some(GameOver::Lose))),
            ("gameover", Command::GameOver(None)),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(parse(""), Ok(None));
        assert_eq!(parse(" \t "), Ok(None));
        assert!(parse("USI").is_err() && parse("\u{0}\u{1}").is_err());
    }

    #[test]
    fn options_may_have_spaces_and_no_value() {
        let option = |name: &str, value: &str| {
            Ok(Some(Command::SetOption { name: name.into(), value: Some(value.into()) }))
        };
        assert_eq!(parse("setoption name USI_Hash value 256"), option("USI_Hash", "256"));
        assert_eq!(
            parse("setoption name Eval File value my weights.toml"),
            option("Eval File", "my weights.toml")
        );
        let button = Command::SetOption { name: "Clear".into(), value: None };
        assert_eq!(parse("setoption name Clear"), Ok(Some(button)));
        assert_eq!(parse("setoption name EvalFile value"), option("EvalFile", ""));
        for wrong in
            ["setoption", "setoption USI_Hash 1", "setoption name", "setoption name value 1"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn positions_are_checked() {
        let Ok(Some(Command::Position(game))) = parse("position startpos moves 7g7f 3c3d") else {
            panic!()
        };
        assert_eq!(game.moves().len(), 2);
        for wrong in ["position", "position nothing", "position startpos moves 7g7e"] {
            assert!(
                parse(wrong).is_err_and(|why| why.to_string().starts_with("position: ")),
                "{wrong}"
            );
        }
    }

    #[test]
    fn clocks_are_those_of_each_player() {
        let go = parsed_go("go btime 60000 wtime -50 byoyomi 1000 binc 1 winc 2");
        let times = go.times.unwrap();
        let black = times.clock(Color::Black);
        assert_eq!(black.left, milliseconds(60_000));
        assert_eq!(black.increment, milliseconds(1));
        assert_eq!(black.byoyomi, milliseconds(1000));
        let white = times.clock(Color::White);
        assert_eq!((white.left, white.increment), (Duration::ZERO, milliseconds(2)));
        assert!(!go.is_endless() && go.strange.is_empty());
    }

    #[test]
    fn limits_of_all_kinds() {
        let go = parsed_go("go ponder depth 12 nodes 5000 movetime 300 searchmoves 7g7f P*5e 2g2f");
        assert!(go.ponder && go.times.is_none());
        assert_eq!(
            (go.depth, go.nodes, go.move_time),
            (Some(12), Some(5000), Some(milliseconds(300)))
        );
        assert_eq!(go.moves.len(), 3);
        assert!(parsed_go("go").is_endless() && parsed_go("go infinite").is_endless());
        assert_eq!(parsed_go("go mate").mate, Some(MateTime::Infinite));
        assert_eq!(parsed_go("go mate infinite").mate, Some(MateTime::Infinite));
        assert_eq!(parsed_go("go mate 500").mate, Some(MateTime::Limited(milliseconds(500))));
    }

    #[test]
    fn what_go_cannot_understand_is_left_out() {
        let go =
            parsed_go("go depth deep rtime 7 byoyomi 99999999999999999999999 searchmoves 7g7f x");
        assert_eq!(go.depth, None);
        assert_eq!(go.moves.len(), 1);
        let strange = ["depth", "deep", "rtime", "7", "byoyomi", "99999999999999999999999"];
        assert_eq!(go.strange, strange);
        assert_eq!(go.no_moves, ["x"]);
    }
}
