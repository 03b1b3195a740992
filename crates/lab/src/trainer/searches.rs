//! The searches of a game as a job: what was better in each position, and what it was for.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_analysis::plausible::Purpose;
use tesuji_eval::plausible::Generators;
use tesuji_run::jobs::Task;
use tesuji_search::spec::SearchSpec;
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{Game, Move, Position};

use super::games::Game as PlayedGame;

/// A job: the positions of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchGame {
    /// The number among those that were chosen, from 0.
    game: usize,
    start: String,
    moves: Vec<String>,
}

impl SearchGame {
    pub fn new(game: usize, played: &PlayedGame) -> Self {
        let moves = played.moves.iter().map(Move::to_string).collect();
        Self { game, start: played.start.to_sfen(), moves }
    }
}

/// A line of the journal: the positions of a game in which there was a choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameSearches {
    pub game: usize,
    pub positions: Vec<Searched>,
}

/// A position that was searched. Scores are those of the side to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Searched {
    /// How many moves were played before.
    pub ply: usize,
    /// The move that the search prefers.
    pub best: String,
    pub best_score: i32,
    /// The score of the move that was played, by a search of it alone.
    pub played_score: i32,
    /// The generators of both, by name.
    pub best_for: Vec<String>,
    pub played_for: Vec<String>,
}

/// Jobs that search the positions of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchGames {
    pub engine: SearchSpec,
    pub nodes: u64,
}

impl Task for SearchGames {
    const NAME: &'static str = "search-candidates";
    type Job = SearchGame;
    type Output = GameSearches;
    type Worker = Box<dyn Searcher>;

    fn worker(&self) -> Result<Self::Worker> {
        /// Entries of a mebibyte, less than there are.
        const ENTRIES: u64 = 1 << 15;
        let mut engine = self.engine.load()?;
        // The table is cleared for every search.
        let needed = usize::try_from(self.nodes.div_ceil(ENTRIES)).unwrap_or(usize::MAX);
        engine.mebibytes = engine.mebibytes.min(needed);
        Ok(engine.engine())
    }

    fn run(
        &self,
        engine: &mut Self::Worker,
        job: &SearchGame,
        stop: &AtomicBool,
    ) -> Result<Option<GameSearches>> {
        let mut game = Game::new(Position::from_sfen(&job.start)?);
        let mut last = None;
        let mut positions = Vec::new();
        for (ply, text) in job.moves.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let mv: Move = text.parse().ok().context("no move of USI")?;
            if game.position().count_legal_moves() > 1 {
                positions.extend(self.search(&mut **engine, &game, ply, last, mv));
            }
            // A record may go on after a repetition that ends a game.
            if game.play(mv).is_err() {
                break;
            }
            last = Some(mv);
        }
        Ok(Some(GameSearches { game: job.game, positions }))
    }
}

impl SearchGames {
    /// What is better in a position than the move that was played, if anything is.
    fn search(
        &self,
        engine: &mut dyn Searcher,
        game: &Game,
        ply: usize,
        last: Option<Move>,
        played: Move,
    ) -> Option<Searched> {
        let mut search = |only: &[Move]| {
            engine.clear();
            let limits =
                Limits { nodes: Some(self.nodes), moves: only.to_vec(), ..Limits::default() };
            engine.search(game, &limits, Stop::never(), &mut |_| {})
        };
        let found = search(&[]);
        let best = found.best?;
        let played_score = if best == played { found.score } else { search(&[played]).score };
        let purpose = |mv| names(Purpose::of(game.position(), last, mv, 0).generators);
        let best_for = purpose(best);
        let played_for = if best == played { best_for.clone() } else { purpose(played) };
        Some(Searched {
            ply,
            best: best.to_string(),
            best_score: found.score,
            played_score,
            best_for,
            played_for,
        })
    }
}

fn names(generators: Generators) -> Vec<String> {
    generators.iter().map(|generator| generator.name().to_owned()).collect()
}
