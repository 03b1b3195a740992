//! Games with a value for each of their positions: what all questions about win ratios go through.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_run::{Observer, RunFolder};
use tesuji_search::alphabeta::AlphaBetaParams;
use tesuji_search::mate::{Limits, Outcome as MateOutcome, Solver};
use tesuji_search::quiet::with_resolver;
use tesuji_search::spec::{Evaluation, EvaluatorVisitor};
use tesuji_search::{Evaluator, Stop};
use tesuji_shogi::{Color, Outcome, Position};

use super::curve::HalfPoints;
use super::engine::Scores;
use super::reported::reported;
use crate::data::positions::in_parallel;

/// Which games, and how their positions are valued.
#[derive(Clone, Debug)]
pub struct ValuePlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// Where values come from.
    pub source: ValueSource,
    /// Are positions played out by quiescence before they are evaluated?
    pub quiet: bool,
    /// Nodes in which a mate may be proved: a game ends before the first, won by who has it. None:
    /// games are taken to their end.
    pub mate_nodes: Option<u64>,
    /// Every position counts, or every second, third…, beginning with another one in each game.
    /// Scores of an engine are all taken.
    pub every: usize,
}

impl ValuePlan {
    fn is_taken(&self, number: u64, ply: usize) -> bool {
        (number as usize).wrapping_add(ply).is_multiple_of(self.every)
    }
}

/// Where the values of positions come from.
#[derive(Clone, Debug)]
pub enum ValueSource {
    /// An evaluation by its name or file.
    Evaluation(String),
    /// What the players reported with their moves.
    Reported,
    /// Scores of an engine, by its name and the folder that has them.
    Engine(String, Arc<RunFolder>),
}

/// The name of what players reported.
const REPORTED: &str = "reported";

impl ValueSource {
    /// An evaluation by its name or file, or `reported`.
    pub fn named(name: &str) -> Self {
        match name {
            REPORTED => Self::Reported,
            name => Self::Evaluation(name.to_owned()),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Evaluation(name) | Self::Engine(name, _) => name,
            Self::Reported => REPORTED,
        }
    }
}

/// A position with its value.
pub struct Valued {
    /// The position.
    pub position: Position,
    /// Its value in Black's view, in centipawns.
    pub value: i32,
    /// Where that value was found: at the end of what was played out, or here.
    pub leaf: Position,
    /// The moves before it.
    pub ply: usize,
}

/// A game that has a result.
pub struct ValuedGame {
    /// Its place among the games, from 0.
    pub number: u64,
    /// What Black got.
    pub result: HalfPoints,
    /// Its positions before each move.
    pub positions: Vec<Valued>,
}

/// Works on each game that has a result, some hundreds side by side, and hands over what came of
/// them in their order; `None` for a game without a result.
pub fn walk<T: Send>(
    plan: &ValuePlan,
    observer: &dyn Observer,
    work: impl Fn(&ValuedGame) -> T + Sync,
    take: impl FnMut(Option<T>),
) -> Result<()> {
    match &plan.source {
        ValueSource::Evaluation(name) => {
            Evaluation::load(name)?.visit(Walk { plan, observer, work, take })
        }
        ValueSource::Reported => {
            let value = |game: &GameRecord, number| {
                let taken = |&(ply, _): &(usize, i32)| plan.is_taken(number, ply);
                let known = || Ok(reported(game).into_iter().filter(taken).collect());
                scored(plan, game, number, known)
            };
            read(plan, observer, value, work, take)
        }
        ValueSource::Engine(_, folder) => {
            let scores = Mutex::new(Scores::open(folder)?);
            let value = |game: &GameRecord, number| {
                let known = || scores.lock().unwrap_or_else(PoisonError::into_inner).of(number);
                scored(plan, game, number, known)
            };
            read(plan, observer, value, work, take)
        }
    }
}

struct Walk<'a, W, K> {
    plan: &'a ValuePlan,
    observer: &'a dyn Observer,
    work: W,
    take: K,
}

impl<T, W, K> EvaluatorVisitor for Walk<'_, W, K>
where
    T: Send,
    W: Fn(&ValuedGame) -> T + Sync,
    K: FnMut(Option<T>),
{
    type Output = Result<()>;

    fn visit<E: Evaluator + Send + 'static>(self, evaluator: E) -> Result<()> {
        let Self { plan, observer, work, take } = self;
        let value = |game: &GameRecord, number| Ok(evaluated(plan, &evaluator, game, number));
        read(plan, observer, value, work, take)
    }
}

/// Reads the games and values each by `value`, which gives `None` for a game without a result.
fn read<T: Send>(
    plan: &ValuePlan,
    observer: &dyn Observer,
    value: impl Fn(&GameRecord, u64) -> Result<Option<ValuedGame>> + Sync,
    work: impl Fn(&ValuedGame) -> T + Sync,
    mut take: impl FnMut(Option<T>),
) -> Result<()> {
    let mut progress = observer.begin(0, "");
    let (mut games, mut wrong) = (0, None);
    let of_game = |game: &GameRecord, number| Ok(value(game, number)?.as_ref().map(&work));
    let records = Games::new(Input::from_paths(&plan.games)?, None).raw();
    in_parallel((0..).zip(records), observer, of_game, |some| {
        games += some.len() as u64;
        for game in some {
            match game {
                Ok(game) => take(game),
                Err(error) => _ = wrong.get_or_insert(error),
            }
        }
        progress.update(games, &|| format!("{games} games"));
    })?;
    wrong.map_or(Ok(()), Err)
}

/// Works on the positions of some games that have a result, which are not valued, and hands over what
/// came of them in the order of the games.
pub fn positions_of_games<T: Send>(
    plan: &ValuePlan,
    observer: &dyn Observer,
    is_wanted: impl Fn(u64) -> bool,
    work: impl Fn(u64, &[Position]) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<()> {
    let records = Games::new(Input::from_paths(&plan.games)?, None).raw();
    let wanted = (0..).zip(records).filter(|(number, game)| game.is_err() || is_wanted(*number));
    let of_game = |game: &GameRecord, number| {
        positions_of(plan, game).map(|(_, positions)| work(number, &positions))
    };
    in_parallel(wanted, observer, of_game, |some| some.into_iter().flatten().for_each(&mut take))
}

/// What a game brought Black, and its positions before each move; `None` if it has no result.
fn positions_of(plan: &ValuePlan, game: &GameRecord) -> Option<(HalfPoints, Vec<Position>)> {
    let mut result = match game.outcome() {
        Outcome::Win(Color::Black) => 2,
        Outcome::Draw => 1,
        Outcome::Win(Color::White) => 0,
        Outcome::Unknown => return None,
    };
    let mut positions: Vec<Position> = game.positions().map(|(position, _)| position).collect();
    if let Some((place, winner)) = plan.mate_nodes.and_then(|nodes| first_mate(&positions, nodes)) {
        positions.truncate(place);
        result = if winner == Color::Black { 2 } else { 0 };
    }
    Some((result, positions))
}

/// A game whose scores are known.
fn scored(
    plan: &ValuePlan,
    game: &GameRecord,
    number: u64,
    known: impl FnOnce() -> Result<Vec<(usize, i32)>>,
) -> Result<Option<ValuedGame>> {
    let Some((result, positions)) = positions_of(plan, game) else { return Ok(None) };
    let valued = |(place, value): (usize, i32)| {
        let position = *positions.get(place)?;
        Some(Valued { position, value, leaf: position, ply: place })
    };
    let positions = known()?.into_iter().filter_map(valued).collect();
    Ok(Some(ValuedGame { number, result, positions }))
}

/// A game whose positions are evaluated.
fn evaluated<E: Evaluator>(
    plan: &ValuePlan,
    evaluator: &E,
    game: &GameRecord,
    number: u64,
) -> Option<ValuedGame> {
    let (result, positions) = positions_of(plan, game)?;
    let in_black = |position: &Position, own: i32| match position.side_to_move() {
        Color::Black => own,
        Color::White => -own,
    };
    let still = |(ply, position): (usize, Position)| {
        let value = in_black(&position, evaluator.evaluate(&position));
        Valued { position, value, leaf: position, ply }
    };
    let taken = |(ply, _): &(usize, Position)| plan.is_taken(number, *ply);
    let positions = positions.into_iter().enumerate().filter(taken);
    let positions = if plan.quiet {
        with_resolver(evaluator, &AlphaBetaParams::default(), |resolver| {
            let played_out = |(ply, position): (usize, Position)| {
                resolver.set_root(&position);
                let quiet = resolver.resolve();
                let value = in_black(&position, quiet.score);
                Valued { position, value, leaf: quiet.leaf, ply }
            };
            positions.map(played_out).collect()
        })
    } else {
        positions.map(still).collect()
    };
    Some(ValuedGame { number, result, positions })
}

/// The place of the first position in which the player to move, not in check, is proved to mate
/// within so many nodes, and who that is.
fn first_mate(positions: &[Position], nodes: u64) -> Option<(usize, Color)> {
    let mut solver = Solver::new(1);
    let limits = Limits { nodes, ..Limits::default() };
    positions.iter().enumerate().find_map(|(place, position)| {
        if position.in_check() {
            return None;
        }
        let solution = solver.solve(position, &limits, Stop::never());
        let is_mate = matches!(solution.outcome, MateOutcome::Mate(_));
        is_mate.then(|| (place, position.side_to_move()))
    })
}
