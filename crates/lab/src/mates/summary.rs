//! What came of problems, as text and as JSON.

use std::time::Duration;

use serde_json::{Value, json};
use tesuji_report::number::counted;
use tesuji_search::mate::{Outcome, Solution};
use tesuji_shogi::{BoardStyle, Move, Position};

use super::{Problem, Problems};

/// A file of problems in numbers.
pub struct Summary {
    of: usize,
    solved: usize,
    wrong: usize,
    unsolved: usize,
    no_mate: usize,
    within_50ms: usize,
    shortest_proved: usize,
    nodes: u64,
    /// The times of the problems added up.
    solving: Duration,
    elapsed: Duration,
}

impl Summary {
    /// Counts solutions that took so long together.
    pub fn new(solutions: &[Solution], elapsed: Duration) -> Self {
        let count = |test: &dyn Fn(&Solution) -> bool| solutions.iter().filter(|s| test(s)).count();
        let solved = |s: &Solution| matches!(s.outcome, Outcome::Mate(_));
        Self {
            of: solutions.len(),
            solved: count(&solved),
            wrong: count(&|s| matches!(s.outcome, Outcome::Flawed(_))),
            unsolved: count(&|s| s.outcome == Outcome::Unknown),
            no_mate: count(&|s| s.outcome == Outcome::NoMate),
            within_50ms: count(&|s| solved(s) && s.time <= Duration::from_millis(50)),
            shortest_proved: count(&|s| matches!(&s.outcome, Outcome::Mate(m) if m.is_shortest)),
            nodes: solutions.iter().map(|s| s.nodes).sum(),
            solving: solutions.iter().map(|s| s.time).sum(),
            elapsed,
        }
    }

    fn mean_ms(&self) -> f64 {
        self.solving.as_secs_f64() * 1e3 / self.of.max(1) as f64
    }

    /// Is every mate that was found one by the rules?
    pub const fn is_sound(&self) -> bool {
        self.wrong == 0
    }

    /// Everything as JSON.
    pub fn json(&self, problems: &Problems, solutions: &[Solution]) -> Value {
        let list = problems.list.iter().zip(solutions);
        json!({
            "solved": self.solved,
            "wrong": self.wrong,
            "unsolved": self.unsolved,
            "nomate": self.no_mate,
            "of": self.of,
            "bad_lines": problems.errors.len(),
            "within_50ms": self.within_50ms,
            "shortest_proved": self.shortest_proved,
            "seconds": self.elapsed.as_secs_f64(),
            "mean_ms": self.mean_ms(),
            "nodes": self.nodes,
            "errors": problems.errors,
            "problems": list.map(|(problem, s)| solution_json(problem, s)).collect::<Vec<_>>(),
        })
    }

    /// For a person at a terminal; so many lines could not be read.
    pub fn text(&self, bad: usize) -> String {
        let mut text = format!(
            "{} of {} solved, {} of them within 50 ms, {} proved shortest\n",
            self.solved, self.of, self.within_50ms, self.shortest_proved
        );
        text += &format!(
            "{} without a mate, {} unsolved, {} wrong, {} not read\n",
            self.no_mate,
            self.unsolved,
            self.wrong,
            counted(bad as u64, "line")
        );
        let seconds = self.elapsed.as_secs_f64();
        text +=
            &format!("{seconds:.2} s, {:.2} ms a problem, {} nodes\n", self.mean_ms(), self.nodes);
        text
    }
}

fn line_text(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// One problem and its solution as JSON.
pub fn solution_json(problem: &Problem, solution: &Solution) -> Value {
    let mut json = json!({
        "sfen": problem.position.to_sfen(),
        "status": status(&solution.outcome),
        "ms": solution.time.as_secs_f64() * 1e3,
        "nodes": solution.nodes,
    });
    if let Some(line) = problem.line {
        json["line_number"] = line.into();
    }
    match &solution.outcome {
        Outcome::Mate(mate) => {
            json["length"] = mate.line.len().into();
            json["shortest"] = mate.is_shortest.into();
            json["line"] = line_text(&mate.line).into();
            json["proof_positions"] = mate.proof.len().into();
        }
        Outcome::Flawed(flaw) => json["flaw"] = flaw.to_string().into(),
        Outcome::NoMate | Outcome::Unknown => {}
    }
    json
}

const fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Mate(_) => "solved",
        Outcome::NoMate => "nomate",
        Outcome::Unknown => "unsolved",
        Outcome::Flawed(_) => "wrong",
    }
}

/// A position and its solution for a person at a terminal.
pub fn solution_text(position: &Position, solution: &Solution) -> String {
    let board = position.display(BoardStyle::Letters);
    let found = match &solution.outcome {
        Outcome::Mate(mate) => {
            let plies = counted(mate.line.len() as u64, "move");
            let shortest = if mate.is_shortest { ", none is shorter" } else { "" };
            format!("mate in {plies}{shortest}\n{}\n", line_text(&mate.line))
        }
        Outcome::NoMate => "no mate, proved\n".into(),
        Outcome::Unknown => "not solved within the limits\n".into(),
        Outcome::Flawed(flaw) => format!("wrong: {flaw}\n"),
    };
    let (nodes, seconds) = (solution.nodes, solution.time.as_secs_f64());
    format!("{board}{found}{}, {seconds:.3} s\n", counted(nodes, "node"))
}
