//! What a scan found: JSON and words.

use serde_json::{Value, json};
use tesuji_report::number;
use tesuji_shogi::Position;

use super::super::curve::Curve;
use super::base::Base;
use super::candidates::Candidate;
use super::{Counted, ScanPlan};

/// A board on which an error mattered.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// The position.
    pub position: Position,
    /// Its value to the player for whom the condition holds, in centipawns.
    pub value: i32,
    /// By how much what was found changes the chance of that player.
    pub cost: f64,
    /// The number of the game, from 0.
    pub game: u64,
    /// What the game brought that player.
    pub points: f64,
}

/// A condition under which the evaluation is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    pub(super) candidate: Candidate,
    /// Positions and games in which it holds for one player alone.
    pub positions: u64,
    /// Those games.
    pub games: u64,
    /// How far the curves part, in logits.
    pub split: Option<f64>,
    /// What a player who has the condition has more than the value says, in logits.
    pub shift: f64,
    /// The standard error of that.
    pub error: f64,
    /// How likely chance alone does as much, corrected for all conditions that were tried.
    pub p: f64,
    /// How likely chance does so where the findings before this one are allowed for.
    pub beyond: f64,
    /// Centipawns of a logit.
    pub scale: f64,
    /// The curve of its positions, as the player sees them who has the condition.
    pub curve: Curve,
    /// Where it cost most.
    pub boards: Vec<Board>,
}

impl Finding {
    pub(super) fn new(
        plan: &ScanPlan,
        base: &Base,
        counted: &Counted,
        corrected: f64,
        beyond: f64,
    ) -> Self {
        let (shift, error) = counted.tally.shift(base);
        Self {
            candidate: counted.candidate.clone(),
            positions: counted.tally.positions,
            games: counted.tally.games,
            split: counted.tally.split(base, plan.min_count),
            shift,
            error,
            p: corrected,
            beyond,
            scale: 1.0 / base.slope.max(1e-9),
            curve: Curve::default(),
            boards: Vec::new(),
        }
    }

    /// The condition as it is written for Black.
    pub fn when(&self) -> &str {
        self.candidate.text()
    }

    /// By how many centipawns the evaluation says too much to a player who has the condition.
    pub fn shift_cp(&self) -> f64 {
        -self.shift * self.scale
    }

    /// Its standard error.
    pub fn error_cp(&self) -> f64 {
        self.error * self.scale
    }

    fn json(&self) -> Value {
        json!({
            "when": self.when(),
            "positions": self.positions,
            "games": self.games,
            "split": self.split,
            "shift": -self.shift,
            "shift_cp": self.shift_cp(),
            "error_cp": self.error_cp(),
            "p": self.p,
            "p_beyond": self.beyond,
            "boards": self.boards.iter().map(Board::json).collect::<Vec<_>>(),
        })
    }
}

impl Board {
    fn json(&self) -> Value {
        let Self { position, value, cost, game, points } = self;
        let sfen = position.to_sfen();
        json!({ "sfen": sfen, "value": value, "cost": cost, "game": game, "points": points })
    }
}

/// What a scan found.
pub struct ScanOutcome {
    pub(super) plan: ScanPlan,
    /// The worst conditions, each beyond those before it.
    pub findings: Vec<Finding>,
    /// The curve of all positions, each seen by both players.
    pub all: Curve,
    /// Games with a result.
    pub games: u64,
    /// Games without a result.
    pub undecided: u64,
    /// Positions of the games with a result.
    pub positions: u64,
    /// Conditions that were tried, pairs not among them.
    pub tried: usize,
    /// Conditions that had enough games, pairs among them: the tests that were corrected for.
    pub tests: usize,
    /// Those that are significant after that.
    pub significant: usize,
    /// Centipawns of a logit.
    pub scale: f64,
}

impl ScanOutcome {
    /// Everything as JSON.
    pub fn json(&self) -> Value {
        json!({
            "eval": self.plan.values.source.name(),
            "quiet": self.plan.values.quiet,
            "every": self.plan.values.every,
            "games": self.games,
            "undecided": self.undecided,
            "positions": self.positions,
            "tried": self.tried,
            "tests": self.tests,
            "significant": self.significant,
            "scale": self.scale,
            "conditions": self.findings.iter().map(Finding::json).collect::<Vec<_>>(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let every = match self.plan.values.every {
            1 => String::new(),
            every => format!(" (one of {every})"),
        };
        let mut text = format!(
            "{} games, {} positions{every}, {} without a result\n{} conditions tried, {} tests, {} \
             significant after correction\n",
            number::count(self.games),
            number::count(self.positions),
            number::count(self.undecided),
            number::count(self.tried as u64),
            number::count(self.tests as u64),
            number::count(self.significant as u64),
        );
        if self.findings.is_empty() {
            return text + "nothing that chance does not do\n";
        }
        text += "\n  says too much by    split   positions        p  when\n";
        for finding in &self.findings {
            let split = finding.split.map_or_else(|| "–".to_owned(), |split| format!("{split:.3}"));
            text += &format!(
                "  {:>+8.0} ± {:<6.0} {split:>7} {:>11} {:>8.1e}  {}\n",
                finding.shift_cp(),
                finding.error_cp(),
                number::count(finding.positions),
                finding.p,
                finding.when()
            );
        }
        text
    }
}
