//! The searches of an analysis, kept in the journal of the run.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::runner;
use tesuji_records::GameRecord;
use tesuji_report::{RunError, RunFolder};
use tesuji_search::mate::{self, Outcome, Solver};
use tesuji_search::score::{MATE, MAX_PLY, mate_in, mated_in};
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{Game, Move};

use super::Plan;
use super::scores::mates_in;
use crate::progress::Progress;

/// What was found out about a position of the game: a line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// How many moves have been played.
    pub ply: usize,
    /// The search of the position.
    #[serde(flatten)]
    pub found: Found,
    /// The search of the position after the best move, where another one was played: it looks as far
    /// as the search of the position that came about, so the two can be compared.
    pub after_best: Option<Found>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// In the view of the side to move.
    pub score: i32,
    pub depth: u32,
    pub nodes: u64,
    /// The best line in USI notation.
    pub line: Vec<String>,
}

impl Found {
    /// The best line.
    pub fn moves(&self) -> Vec<Move> {
        self.line.iter().map_while(|mv| mv.parse().ok()).collect()
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.line.first()?.parse().ok()
    }
}

/// Searches the positions that the journal does not have yet; all of them in their order.
///
/// Every position is searched with nothing remembered from the others, so it does not matter which were
/// searched before a kill, and which of them at the same time.
pub fn search(
    plan: &Plan,
    record: &GameRecord,
    run_folder: &RunFolder,
    threads: usize,
) -> Result<Vec<Seen>> {
    let mut all: Vec<Seen> = run_folder.entries()?.collect::<Result<_, _>>()?;
    let first = plan.first - 1;
    let count = plan.last - first + 1;
    let fits = all.len() <= count && (first..).zip(&all).all(|(ply, seen)| seen.ply == ply);
    ensure!(fits, "{}: not the journal of this game", run_folder.path().display());
    let engine = plan.engine(threads)?;
    let mut progress = Progress::new(count as u64, "{bar:40} {pos}/{len}  {msg}  {elapsed}");
    let numbers = (first + all.len()) as u64..(plan.last + 1) as u64;
    let job = |searcher: &mut Box<dyn Searcher>, number: u64, _: &AtomicBool| {
        let ply = usize::try_from(number).ok()?;
        Some(Analyst { plan, searcher: &mut **searcher }.see(record, ply))
    };
    runner::run(
        threads,
        numbers,
        || engine.engine(),
        job,
        |seen: Vec<Seen>| {
            run_folder.append_all(&seen)?;
            all.extend(seen);
            let of = plan.last;
            let ply = first + all.len() - 1;
            progress.update(all.len() as u64, &|| format!("move {ply} of {of}"));
            Ok::<_, Problem>(ControlFlow::Continue(()))
        },
    )
    .map_err(|Problem(error)| error)?;
    Ok(all)
}

/// Whatever ends the work before it is done.
struct Problem(anyhow::Error);

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self(error.into())
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        Self(error.into())
    }
}

/// Whoever looks at a position.
struct Analyst<'a> {
    plan: &'a Plan,
    searcher: &'a mut dyn Searcher,
}

impl Analyst<'_> {
    /// Searches the position after so many moves of the game.
    fn see(&mut self, record: &GameRecord, ply: usize) -> Seen {
        let mut game = Game::new(record.start);
        // Records hold legal games.
        for mv in record.moves().take(ply) {
            let _ = game.play(mv);
        }
        let found = self.find(&game);
        let found = self.shortened(&game, found);
        // The move after the last one that is judged has no part in the analysis.
        let played = record.moves().nth(ply).filter(|_| ply < self.plan.last);
        let rival = found.best().filter(|&best| played.is_some_and(|played| played != best));
        let rival = rival.filter(|_| mates_in(found.score).is_none());
        let after_best = rival.and_then(|best| {
            game.play(best).ok()?;
            Some(self.find(&game))
        });
        Seen { ply, found, after_best }
    }

    fn find(&mut self, game: &Game) -> Found {
        if !game.position().has_legal_move() {
            return Found { score: mated_in(0), depth: 0, nodes: 0, line: Vec::new() };
        }
        self.searcher.clear();
        let limits = self.plan.limits.any_limits();
        let result = self.searcher.search(game, &limits, Stop::never(), &mut |_| {});
        let line = result.lines.first().map_or(&[][..], |first| &first.pv);
        let line = if line.is_empty() { result.best.as_slice() } else { line };
        Found {
            score: result.score,
            depth: result.depth,
            nodes: result.nodes,
            line: line.iter().map(ToString::to_string).collect(),
        }
    }

    /// The same with a shorter mate, if there is one: a search is content with the first it finds.
    fn shortened(&self, game: &Game, found: Found) -> Found {
        /// Nodes for the solver where nothing else limits it.
        const NODES: u64 = 200_000;
        let Some(plies) = mates_in(found.score).filter(|&plies| plies > 1) else { return found };
        let Limits { nodes, hard_time, .. } = self.plan.limits.any_limits();
        let limits = mate::Limits {
            nodes: nodes.unwrap_or(NODES),
            time: hard_time,
            shortest: true,
            max_ply: MAX_PLY as u16,
        };
        let solution = Solver::new(4).solve(game.position(), &limits, Stop::never());
        match solution.outcome {
            Outcome::Mate(mate) if mate.line.len() < usize::try_from(plies).unwrap_or(0) => Found {
                score: mate_in(mate.line.len()).min(MATE),
                line: mate.line.iter().map(ToString::to_string).collect(),
                ..found
            },
            _ => found,
        }
    }
}
