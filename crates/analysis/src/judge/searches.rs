//! The searches of an analysis: one for every position, and one for every better move.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_records::GameRecord;
use tesuji_run::jobs::Task;
use tesuji_search::mate::{self, Outcome, Solver};
use tesuji_search::score::{MATE, MAX_PLY, mate_in, mated_in};
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{Game, Move};

use super::AnalysisSettings;
use crate::score::gives_mate_in;

/// The search of a position of the game: a line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionSearch {
    /// How many moves have been played.
    pub ply: usize,
    /// The search of the position.
    #[serde(flatten)]
    pub found: SearchOutcome,
    /// The search of the position after the best move, where another one was played: it has the
    /// limits of the search of the position that came about, so the two can be compared.
    pub after_best: Option<SearchOutcome>,
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

/// The positions of a game, each searched by itself; a job is the number of moves before it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPositions {
    /// The game, the engine and its limits.
    pub settings: AnalysisSettings,
}

impl Task for SearchPositions {
    const NAME: &'static str = "search-positions";
    type Job = usize;
    type Output = PositionSearch;
    type Worker = (GameRecord, Box<dyn Searcher>);

    fn worker(&self) -> Result<Self::Worker> {
        Ok((self.settings.record()?, self.settings.engine(1)?.engine()))
    }

    fn run(
        &self,
        (record, searcher): &mut Self::Worker,
        ply: &usize,
        _: &AtomicBool,
    ) -> Result<Option<PositionSearch>> {
        let mut analyst = Analyst { settings: &self.settings, searcher: &mut **searcher };
        Ok(Some(analyst.search(record, *ply)))
    }
}

/// An engine that searches positions with the limits of the settings.
struct Analyst<'a> {
    settings: &'a AnalysisSettings,
    searcher: &'a mut dyn Searcher,
}

impl Analyst<'_> {
    /// Searches the position after so many moves of the game.
    fn search(&mut self, record: &GameRecord, ply: usize) -> PositionSearch {
        let mut game = Game::new(record.start);
        // Records hold legal games.
        for mv in record.moves().take(ply) {
            let _ = game.play(mv);
        }
        let found = self.find(&game);
        let found = self.shortened(&game, found);
        // The move after the last one that is judged has no part in the analysis.
        let played = record.moves().nth(ply).filter(|_| ply < self.settings.last);
        let rival = found.best().filter(|&best| played.is_some_and(|played| played != best));
        let rival = rival.filter(|_| gives_mate_in(found.score).is_none());
        let after_best = rival.and_then(|best| {
            game.play(best).ok()?;
            Some(self.find(&game))
        });
        PositionSearch { ply, found, after_best }
    }

    fn find(&mut self, game: &Game) -> SearchOutcome {
        if !game.position().has_legal_move() {
            return SearchOutcome { score: mated_in(0), depth: 0, nodes: 0, line: Vec::new() };
        }
        self.searcher.clear();
        let limits = self.settings.limits.limits();
        let result = self.searcher.search(game, &limits, Stop::never(), &mut |_| {});
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
    fn shortened(&self, game: &Game, found: SearchOutcome) -> SearchOutcome {
        /// Nodes for the solver where nothing else limits it.
        const NODES: u64 = 200_000;
        let Some(plies) = gives_mate_in(found.score).filter(|&plies| plies > 1) else {
            return found;
        };
        let Limits { nodes, hard_time, .. } = self.settings.limits.limits();
        let limits = mate::Limits {
            nodes: nodes.unwrap_or(NODES),
            time: hard_time,
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
}
