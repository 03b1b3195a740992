//! What a GUI says.

use std::time::Duration;

use tesuji_search::limits::Clock;
use tesuji_shogi::{Color, Move};

/// A line of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    Usi,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position(String),
    Go(Go),
    Stop,
    PonderHit,
    GameOver,
    Eval,
    Quit,
    /// Nothing that this engine knows.
    Unknown(String),
}

/// What a search is told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    pub ponder: bool,
    pub infinite: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// Look for a mate, for so long if it is not without end.
    pub mate: Option<Option<Duration>>,
    pub moves: Vec<Move>,
    /// The time on the clocks, Black's and White's.
    pub left: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub byoyomi: Option<Duration>,
}

impl Go {
    /// The clock of a player, if any was told.
    pub fn clock(&self, side: Color) -> Option<Clock> {
        let left = self.left[side.index()];
        let increment = self.increment[side.index()];
        if left.is_none() && self.byoyomi.is_none() && increment.is_zero() {
            return None;
        }
        Some(Clock {
            left: left.unwrap_or_default(),
            increment,
            byoyomi: self.byoyomi.unwrap_or_default(),
        })
    }
}

impl Command {
    /// Reads a line; `None` if it is empty.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word {
            "" => return None,
            "usi" => Self::Usi,
            "isready" => Self::IsReady,
            "usinewgame" => Self::NewGame,
            "setoption" => set_option(rest).unwrap_or_else(|| Self::Unknown(line.to_owned())),
            "position" => Self::Position(rest.to_owned()),
            "go" => Self::Go(go(rest)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "gameover" => Self::GameOver,
            "eval" => Self::Eval,
            "quit" => Self::Quit,
            _ => Self::Unknown(line.to_owned()),
        })
    }
}

/// `name NAME value VALUE`; names and values may have spaces.
fn set_option(text: &str) -> Option<Command> {
    let text = text.strip_prefix("name")?.trim_start();
    let (name, value) = match text.split_once(" value") {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (text.trim(), ""),
    };
    (!name.is_empty())
        .then(|| Command::SetOption { name: name.to_owned(), value: value.to_owned() })
}

/// Words that mean nothing, and numbers that are none, are passed over.
fn go(text: &str) -> Go {
    let mut go = Go::default();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut number = || words.next_if(|next| next.parse::<i64>().is_ok());
        let mut milliseconds = || {
            let number = number().and_then(|number| number.parse::<i64>().ok());
            number.map(|number| Duration::from_millis(number.max(0) as u64))
        };
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "btime" => go.left[0] = milliseconds(),
            "wtime" => go.left[1] = milliseconds(),
            "binc" => go.increment[0] = milliseconds().unwrap_or_default(),
            "winc" => go.increment[1] = milliseconds().unwrap_or_default(),
            "byoyomi" => go.byoyomi = milliseconds(),
            "movetime" => go.move_time = milliseconds(),
            "depth" => go.depth = number().and_then(|number| number.parse().ok()),
            "nodes" => go.nodes = number().and_then(|number| number.parse().ok()),
            "mate" => {
                go.mate = Some(milliseconds());
                words.next_if_eq(&"infinite");
            }
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                    go.moves.push(mv);
                    words.next();
                }
            }
            _ => {}
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed_go(text: &str) -> Go {
        match Command::parse(text) {
            Some(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn clocks_are_read() {
        let go = parsed_go("go btime 60000 wtime 50000 byoyomi 10000");
        let clock = go.clock(Color::White).unwrap();
        assert_eq!(clock.left, Duration::from_secs(50));
        assert_eq!(clock.byoyomi, Duration::from_secs(10));
        assert_eq!(parsed_go("go infinite").clock(Color::Black), None);
        let go = parsed_go("go ponder btime 1000 wtime 1000 binc 500 winc 0");
        assert!(go.ponder);
        assert_eq!(go.clock(Color::Black).unwrap().increment, Duration::from_millis(500));
        assert_eq!(parsed_go("go btime -5").left[0], Some(Duration::ZERO));
    }

    #[test]
    fn other_limits_are_read() {
        assert_eq!(parsed_go("go depth 7 nodes 1000").nodes, Some(1000));
        assert_eq!(parsed_go("go mate infinite").mate, Some(None));
        assert_eq!(parsed_go("go mate 500").mate, Some(Some(Duration::from_millis(500))));
        let go = parsed_go("go searchmoves 7g7f P*5e depth 3");
        assert_eq!((go.moves.len(), go.depth), (2, Some(3)));
        assert_eq!(parsed_go("go depth nodes x movetime").depth, None);
    }

    #[test]
    fn options_may_have_spaces() {
        let command = Command::parse("setoption name Eval File value my weights.toml");
        let (name, value) = ("Eval File".to_owned(), "my weights.toml".to_owned());
        assert_eq!(command, Some(Command::SetOption { name, value }));
        assert!(matches!(Command::parse("setoption junk"), Some(Command::Unknown(_))));
        assert_eq!(Command::parse("  "), None);
        assert!(matches!(Command::parse("\u{0}\u{1}"), Some(Command::Unknown(_))));
    }
}
