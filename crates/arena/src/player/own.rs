//! An engine in this process: no pipe, no other process.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_search::limits::TimePolicy;
use tesuji_search::{Limits, SearchResult, Searcher, Stop};
use tesuji_shogi::{Color, EnteringKingRule, Game, GameResult, Move, Outcome, Rules};

use super::{Action, Answer, Chance, Fault, Player, Thought, Turn};
use tesuji_math::Random;

/// There is no way to get lost on between an engine in this process and its referee; what is kept
/// free is for a machine that does something else for a moment.
const POLICY: TimePolicy = TimePolicy { delay: Duration::from_millis(30), minimum: Duration::ZERO };

/// How games are made to differ from each other.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variety {
    /// Where all chance comes from; each game draws from its own part of it.
    pub seed: u64,
    /// Plies at the beginning that are any legal move.
    pub random_plies: usize,
    /// A move that is worse by so many centipawns is played less often by a factor of e;
    /// 0 plays the best move always.
    pub temperature: f64,
    /// Plies at the beginning in which worse moves are played, the random ones included.
    pub temperature_plies: usize,
}

/// Best moves that are looked at where worse ones may be played.
const LINES: usize = 8;

/// An engine of this program as a player.
pub struct OwnEngine {
    searcher: Box<dyn Searcher>,
    variety: Variety,
    random: Random,
    rules: Rules,
    /// Moves that the opening had.
    opening: usize,
    /// Has it searched since it was made or cleared? Clearing a table takes a while.
    used: bool,
}

impl OwnEngine {
    /// A player that always plays the move it thinks best.
    pub fn new(searcher: Box<dyn Searcher>) -> Self {
        Self::varied(searcher, Variety::default())
    }

    /// A player whose games differ.
    pub fn varied(searcher: Box<dyn Searcher>, variety: Variety) -> Self {
        let random = Random::stream(variety.seed, 0);
        let rules = Rules::default();
        Self { searcher, variety, random, rules, opening: 0, used: false }
    }

    fn search(&mut self, game: &Game, limits: &Limits) -> SearchResult {
        self.used = true;
        self.searcher.search(game, limits, Stop::never(), &mut |_| {})
    }

    /// A move from the best ones, the better the likelier.
    fn choose_warmly(&mut self, game: &Game, limits: Limits) -> (Option<Move>, Thought) {
        let result = self.search(game, &Limits { lines: LINES, ..limits });
        let best = result.lines.iter().map(|line| line.score).max().unwrap_or(0);
        let weight = |score: i32| (f64::from(score - best) / self.variety.temperature).exp();
        let weights: Vec<f64> = result.lines.iter().map(|line| weight(line.score)).collect();
        let chosen = self.random.weighted(&weights).map(|i| &result.lines[i]);
        let thought = thought(&result, chosen.map_or(result.score, |line| line.score));
        let mv = chosen.and_then(|line| line.pv.first().copied());
        (mv.or(result.best), thought)
    }

    fn decide(&mut self, game: &Game, limits: Limits) -> (Option<Move>, Thought) {
        let played = game.moves().len() - self.opening;
        if played < self.variety.random_plies {
            let moves = game.position().legal_moves();
            let chosen = self.random.below(moves.len());
            return (moves.get(chosen).copied(), Thought::default());
        }
        if self.variety.temperature > 0.0 && played < self.variety.temperature_plies {
            return self.choose_warmly(game, limits);
        }
        let result = self.search(game, &limits);
        (result.best, thought(&result, result.score))
    }
}

/// What a search thought of the move with this score; nobody has thought about a move of the book.
fn thought(result: &SearchResult, score: i32) -> Thought {
    if result.from_book {
        return Thought::default();
    }
    Thought { score: Some(score), depth: Some(result.depth), nodes: Some(result.nodes) }
}

impl Player for OwnEngine {
    fn begin(&mut self, start: &Game, rules: &Rules, chance: Chance) -> Result<(), Fault> {
        if self.used {
            self.searcher.clear();
            self.used = false;
        }
        let settings = self.searcher.settings();
        settings.entering_king = rules.entering_king;
        settings.max_moves = rules.max_moves;
        settings.seed = chance.pair_seed;
        self.rules = *rules;
        self.random = Random::stream(self.variety.seed, chance.number);
        self.opening = start.moves().len();
        Ok(())
    }

    fn choose(&mut self, game: &Game, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let started = Instant::now();
        let position = game.position();
        let us = position.side_to_move();
        let rule = self.rules.entering_king;
        let declared = position.declaration(rule).and_then(GameResult::winner) == Some(us);
        // Under the try rule the king's arrival wins, and nobody declares.
        if declared && rule != EnteringKingRule::TryRule {
            let thought = Thought::default();
            return Ok(Answer { action: Action::Declare, thought, time: started.elapsed() });
        }
        let limits = turn.clocks[us.index()].limits(&POLICY);
        let (best, thought) = self.decide(game, limits);
        let action = best.map_or(Action::Resign, Action::Move);
        Ok(Answer { action, thought, time: started.elapsed() })
    }

    fn end(&mut self, _: Outcome, _: Color) {}

    fn blame(&mut self) -> Vec<String> {
        Vec::new()
    }
}
