//! How much time there is for a move, and who has overstepped it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_search::Limits;
use tesuji_search::limits::{Clock, TimePolicy};
use tesuji_shogi::Color;
use tesuji_usi::command::{Go, Times};
use thiserror::Error;

/// What one player has for a game: a clock, a time for each move, or a limit that no clock counts.
/// Several may be set; times are milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeControl {
    /// The clock at the beginning.
    pub base: u64,
    /// What every move adds to the clock, before it is played.
    pub increment: u64,
    /// What every move may take once the clock has run out.
    pub byoyomi: u64,
    /// What every move may take, without a clock.
    pub move_time: Option<u64>,
    /// Nodes that may be searched for a move.
    pub nodes: Option<u64>,
    /// Plies that a move may be searched deep.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// A limit of nodes for each move.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A time for each move.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time.as_millis() as u64), ..Self::default() }
    }

    /// Is there a clock that runs through the game?
    const fn has_clock(&self) -> bool {
        self.base > 0 || self.increment > 0 || self.byoyomi > 0
    }

    /// Does time matter? Where it does not, games are the same every time, and no times are kept.
    pub const fn is_timed(&self) -> bool {
        self.has_clock() || self.move_time.is_some()
    }

    /// Does nothing end a search?
    pub const fn is_endless(&self) -> bool {
        !self.is_timed() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Reads a clock such as `60+0.5`: seconds for the game, and for each move.
    pub fn parse_clock(text: &str) -> Option<(u64, u64)> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Some((milliseconds(base)?, milliseconds(increment)?))
    }
}

/// Reads seconds such as `0.2` as milliseconds.
pub fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok()?;
    let fits = (0.0..=1e7).contains(&seconds);
    fits.then(|| (seconds * 1000.0).round() as u64)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let mut parts = Vec::new();
        if self.base > 0 || self.increment > 0 {
            parts.push(format!("{}+{} s", seconds(self.base), seconds(self.increment)));
        }
        if self.byoyomi > 0 {
            parts.push(format!("byoyomi {} s", seconds(self.byoyomi)));
        }
        parts.extend(self.move_time.map(|ms| format!("{} s a move", seconds(ms))));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// A text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?}: expected a clock, byoyomi, seconds a move, nodes or a depth")]
pub struct TimeControlError(String);

/// Reads what is written: `10+0.1 s, byoyomi 1 s, 0.5 s a move, 5000 nodes, depth 9`.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let mut control = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || TimeControlError(part.to_owned());
            let words: Vec<&str> = part.split_whitespace().collect();
            match *words {
                ["byoyomi", time, "s"] => control.byoyomi = milliseconds(time).ok_or_else(wrong)?,
                ["depth", plies] => control.depth = Some(plies.parse().map_err(|_| wrong())?),
                [nodes, "nodes"] => control.nodes = Some(nodes.parse().map_err(|_| wrong())?),
                [time, "s", "a", "move"] => {
                    control.move_time = Some(milliseconds(time).ok_or_else(wrong)?);
                }
                [clock, "s"] => {
                    let clock = Self::parse_clock(clock).ok_or_else(wrong)?;
                    (control.base, control.increment) = clock;
                }
                _ => return Err(wrong()),
            }
        }
        Ok(control)
    }
}

/// The clock of one player in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
}

impl GameClock {
    /// A clock at the beginning of a game.
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: Duration::from_millis(control.base) }
    }

    /// What the player has agreed to.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// What is left, before the move adds anything.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// What the next move may take; `None` where no time counts.
    pub fn allowed(&self) -> Option<Duration> {
        let TimeControl { increment, byoyomi, move_time, .. } = self.control;
        let clock = self.left + Duration::from_millis(increment + byoyomi);
        let clock = self.control.has_clock().then_some(clock);
        clock.into_iter().chain(move_time.map(Duration::from_millis)).min()
    }

    /// Takes the time of a move from the clock; false if it was more than allowed, `margin` aside.
    pub fn spend(&mut self, used: Duration, margin: Duration) -> bool {
        let in_time = self.allowed().is_none_or(|allowed| used <= allowed + margin);
        let increment = Duration::from_millis(self.control.increment);
        self.left = (self.left + increment).saturating_sub(used);
        in_time
    }

    /// The limits of a search in this process.
    pub fn limits(&self, policy: &TimePolicy) -> Limits {
        let TimeControl { increment, byoyomi, move_time, nodes, depth, .. } = self.control;
        let mut limits = Limits { depth, nodes, ..Limits::default() };
        limits.hard_time = move_time.map(Duration::from_millis);
        if self.control.has_clock() {
            let clock = Clock {
                left: self.left,
                increment: Duration::from_millis(increment),
                byoyomi: Duration::from_millis(byoyomi),
            };
            let (soft, hard) = policy.limits(&clock);
            limits.soft_time = Some(soft);
            limits.hard_time = limits.hard_time.into_iter().chain([hard]).min();
        }
        limits
    }
}

/// The USI command that asks `color` for a move.
pub fn go_command(color: Color, clocks: &[GameClock; 2]) -> Go {
    let own = &clocks[color.index()].control;
    let times = own.has_clock().then(|| Times {
        left: clocks.map(|clock| clock.left),
        // Who has no increment is not told of the opponent's.
        increment: match own.increment {
            0 => [Duration::ZERO; 2],
            _ => clocks.map(|clock| Duration::from_millis(clock.control.increment)),
        },
        byoyomi: Duration::from_millis(own.byoyomi),
    });
    Go {
        times,
        depth: own.depth,
        nodes: own.nodes,
        move_time: own.move_time.map(Duration::from_millis),
        ..Go::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_clock_runs_down_to_byoyomi() {
        let control = TimeControl { base: 1000, byoyomi: 500, ..TimeControl::default() };
        let mut clock = GameClock::new(control);
        assert!(clock.spend(ms(900), ms(0)));
        assert_eq!((clock.left(), clock.allowed()), (ms(100), Some(ms(600))));
        assert!(clock.spend(ms(600), ms(0)));
        assert_eq!(clock.allowed(), Some(ms(500)));
        assert!(!clock.spend(ms(501), ms(0)));
        assert!(clock.spend(ms(501), ms(10)));
    }

    #[test]
    fn an_increment_is_there_before_the_move() {
        let control = TimeControl { base: 100, increment: 50, ..TimeControl::default() };
        let mut clock = GameClock::new(control);
        assert!(clock.spend(ms(150), ms(0)));
        assert_eq!((clock.left(), clock.allowed()), (ms(0), Some(ms(50))));
        assert!(clock.spend(ms(20), ms(0)));
        assert_eq!(clock.left(), ms(30));
    }

    #[test]
    fn engines_are_told_what_counts() {
        let both = |control| [GameClock::new(control); 2];
        let clock = TimeControl { base: 10_000, increment: 100, ..TimeControl::default() };
        let byoyomi = TimeControl { byoyomi: 1000, ..TimeControl::default() };
        let cases = [
            (clock, "go btime 10000 wtime 10000 binc 100 winc 100"),
            (byoyomi, "go btime 0 wtime 0 byoyomi 1000"),
            (TimeControl::move_time(ms(200)), "go movetime 200"),
            (TimeControl::nodes(1000), "go nodes 1000"),
        ];
        for (control, expected) in cases {
            assert_eq!(go_command(Color::Black, &both(control)).to_string(), expected);
        }
    }

    #[test]
    fn clocks_are_read() {
        assert_eq!(TimeControl::parse_clock("60+0.5"), Some((60_000, 500)));
        assert_eq!(TimeControl::parse_clock("10"), Some((10_000, 0)));
        assert_eq!(TimeControl::parse_clock("-1+2"), None);
        assert_eq!(TimeControl::parse_clock("ten"), None);
    }
}
