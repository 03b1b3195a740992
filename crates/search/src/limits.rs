//! How long a search may go on.

use std::time::{Duration, Instant};

use tesuji_shogi::Move;

/// What ends a search. Without any limit it goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes, of all threads together.
    pub nodes: Option<u64>,
    /// No iteration begins after this time, and a search that is sure of its move ends before it.
    pub soft_time: Option<Duration>,
    /// No search ends before this time because it is sure of its move.
    pub least_time: Duration,
    /// The search ends after this time, wherever it is.
    pub hard_time: Option<Duration>,
    /// Only these moves, if there are any.
    pub moves: Vec<Move>,
    /// How many best lines are wanted; 0 counts as 1.
    pub lines: usize,
}

impl Limits {
    /// A search of this depth.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search that uses this time, and no more.
    pub fn time(time: Duration) -> Self {
        Self { hard_time: Some(time), ..Self::default() }
    }
}

/// The clocks of a game as the engine is told them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left on the own clock.
    pub left: Duration,
    /// What every move adds.
    pub increment: Duration,
    /// What every move may take once the clock has run out.
    pub byoyomi: Duration,
}

/// How the engine uses its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePolicy {
    /// What is lost on the way between engine and referee.
    pub delay: Duration,
    /// What a move takes at least, if the clock has it.
    pub minimum: Duration,
}

impl Default for TimePolicy {
    fn default() -> Self {
        Self { delay: Duration::from_millis(120), minimum: Duration::ZERO }
    }
}

/// Moves that are thought to be still to come.
const MOVES_TO_COME: u32 = 40;
/// However little time there is, a search has this much.
const LEAST: Duration = Duration::from_millis(5);

impl TimePolicy {
    /// How much of the clock a move should use, and how much it may. The two are equal where time
    /// that is not used is lost.
    pub fn limits(&self, clock: &Clock) -> (Duration, Duration) {
        let Clock { left, increment, byoyomi } = *clock;
        // All that there is for this move, less what gets lost on the way.
        let most = (left + byoyomi + increment).saturating_sub(self.delay).max(LEAST);
        if left < byoyomi {
            return (most, most);
        }
        let share = left / MOVES_TO_COME + increment * 3 / 4 + byoyomi;
        let soft = share.max(self.minimum).min(most);
        let hard = (share * 4).min(left / 3 + byoyomi + increment).max(soft).min(most);
        (soft, hard)
    }
}

/// A search under way, and when it must end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    start: Instant,
}

impl Stopwatch {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: f64) -> Duration {
        Duration::from_secs_f64(n)
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        let policy = TimePolicy::default();
        for left in [0.0, 0.05, 0.5, 1.0, 10.0, 600.0] {
            for byoyomi in [0.0, 0.1, 1.0, 10.0] {
                for increment in [0.0, 0.1, 5.0] {
                    let clock = Clock {
                        left: seconds(left),
                        increment: seconds(increment),
                        byoyomi: seconds(byoyomi),
                    };
                    let (soft, hard) = policy.limits(&clock);
                    let all = seconds(left + byoyomi + increment);
                    assert!(soft <= hard, "{clock:?}");
                    assert!(
                        hard + policy.delay <= all.max(policy.delay + seconds(0.005)),
                        "{clock:?}: {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn byoyomi_is_used_up() {
        let clock = Clock { byoyomi: seconds(10.0), ..Clock::default() };
        let (soft, hard) = TimePolicy::default().limits(&clock);
        assert!(soft == hard && soft >= seconds(9.5) && hard <= seconds(9.9), "{soft:?} {hard:?}");
    }
}
