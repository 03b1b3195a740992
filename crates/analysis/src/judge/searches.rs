//! The searches of an analysis: of every position, of the position after each candidate, and again
//! for longer where what they say does not fit together.

use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_records::GameRecord;
use tesuji_run::jobs::Task;
use tesuji_search::mate::{self, Outcome, Solver};
use tesuji_search::score::{MATE, MAX_PLY, mate_in, mated_in};
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{Game, Move};

use super::AnalysisSettings;
use crate::score::gives_mate_in;

/// A search to be made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchJob {
    /// How many moves of the game have been played.
    pub ply: usize,
    /// A move that is played after them, in USI notation; none for the position itself.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// How much longer than usual: twice as long for each level.
    pub level: u32,
}

impl SearchJob {
    /// The position after so many moves, searched as usual.
    pub const fn position(ply: usize, level: u32) -> Self {
        Self { ply, mv: None, level }
    }

    /// The position after so many moves and a candidate.
    pub fn candidate(ply: usize, mv: Move, level: u32) -> Self {
        Self { ply, mv: Some(mv.to_string()), level }
    }
}

/// A search that was made: a line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionSearch {
    /// Which one it is.
    #[serde(flatten)]
    pub job: SearchJob,
    /// What it found.
    #[serde(flatten)]
    pub found: SearchOutcome,
}

/// What a search found: score, depth, nodes and PV.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchOutcome {
    /// In centipawns, in the view of the side to move.
    pub score: i32,
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The PV (principal variation, the best line) in USI notation.
    pub line: Vec<String>,
}

impl SearchOutcome {
    /// The PV as moves.
    pub fn moves(&self) -> Vec<Move> {
        self.line.iter().map_while(|mv| mv.parse().ok()).collect()
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.line.first()?.parse().ok()
    }
}

/// The searches of a game, each made by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPositions {
    /// The game, the engine and its limits.
    pub settings: AnalysisSettings,
}

impl Task for SearchPositions {
    const NAME: &'static str = "search-positions";
    type Job = SearchJob;
    type Output = PositionSearch;
    type Worker = (GameRecord, Box<dyn Searcher>);

    fn worker(&self) -> Result<Self::Worker> {
        Ok((self.settings.record()?, self.settings.engine(1)?.engine()))
    }

    fn run(
        &self,
        (record, searcher): &mut Self::Worker,
        job: &SearchJob,
        _: &AtomicBool,
    ) -> Result<Option<PositionSearch>> {
        let mut game = Game::new(record.start);
        // Records hold legal games.
        for mv in record.moves().take(job.ply) {
            let _ = game.play(mv);
        }
        if let Some(text) = &job.mv {
            let mv = text.parse().ok().context("no move of USI")?;
            game.play(mv).ok().context("an illegal move")?;
        }
        let limits = self.settings.limits.at_level(job.level).limits();
        let found = find(&mut **searcher, &game, &limits);
        let found = if job.mv.is_none() { shortened(&game, &limits, found) } else { found };
        Ok(Some(PositionSearch { job: job.clone(), found }))
    }
}

fn find(searcher: &mut dyn Searcher, game: &Game, limits: &Limits) -> SearchOutcome {
    if !game.position().has_legal_move() {
        return SearchOutcome { score: mated_in(0), depth: 0, nodes: 0, line: Vec::new() };
    }
    searcher.clear();
    let result = searcher.search(game, limits, Stop::never(), &mut |_| {});
    let line = result.lines.first().map_or(&[][..], |first| &first.pv);
    let line = if line.is_empty() { result.best.as_slice() } else { line };
    SearchOutcome {
        score: result.score,
        depth: result.depth,
        nodes: result.nodes,
        line: line.iter().map(ToString::to_string).collect(),
    }
}

/// The same with a shorter mate, if there is one: a search is content with the first it finds.
fn shortened(game: &Game, limits: &Limits, found: SearchOutcome) -> SearchOutcome {
    /// Nodes for the solver where nothing else limits it.
    const NODES: u64 = 200_000;
    let Some(plies) = gives_mate_in(found.score).filter(|&plies| plies > 1) else {
        return found;
    };
    let limits = mate::Limits {
        nodes: limits.nodes.unwrap_or(NODES),
        time: limits.hard_time,
        shortest: true,
        max_ply: MAX_PLY as u16,
    };
    let solution = Solver::new(4).solve(game.position(), &limits, Stop::never());
    match solution.outcome {
        Outcome::Mate(mate) if mate.line.len() < usize::try_from(plies).unwrap_or(0) => {
            SearchOutcome {
                score: mate_in(mate.line.len()).min(MATE),
                line: mate.line.iter().map(ToString::to_string).collect(),
                ..found
            }
        }
        _ => found,
    }
}
