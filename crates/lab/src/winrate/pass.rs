//! The pass over the games.

use anyhow::Result;
use rayon::prelude::*;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input, RawGame, RecordError};
use tesuji_run::Observer;
use tesuji_search::Evaluator;
use tesuji_search::alphabeta::AlphaBetaParams;
use tesuji_search::quiet::{Resolver, with_resolver};
use tesuji_search::spec::EvaluatorVisitor;
use tesuji_shogi::{Color, Outcome, Position};

use super::WinratePlan;
use super::curve::{Curve, HalfPoints};

/// Games that are read side by side, and whose results are shuffled among each other.
const AT_ONCE: usize = 512;
/// Games that one thread takes at a time.
const PART: usize = 16;

/// What was counted.
#[derive(Clone, Default)]
pub struct Counted {
    pub all: Curve,
    /// Where the condition holds, and where it does not.
    pub when: Curve,
    pub without: Curve,
    /// All and when with the results of other games.
    pub shuffled: [Curve; 2],
    /// Games with a winner, and drawn ones.
    pub decided: u64,
    pub drawn: u64,
    /// Games without a result.
    pub undecided: u64,
}

/// The positions of one game: bin, value, and whether the condition holds.
struct Valued {
    result: HalfPoints,
    positions: Vec<(i32, i32, bool)>,
}

pub struct Pass<'a> {
    pub plan: &'a WinratePlan,
    pub observer: &'a dyn Observer,
}

impl EvaluatorVisitor for Pass<'_> {
    type Output = Result<Counted>;

    fn visit<E: Evaluator>(self, evaluator: &E) -> Result<Counted> {
        let mut counted = Counted::default();
        let mut progress = self.observer.begin(0, "");
        let mut games = Games::new(Input::from_paths(&self.plan.games)?, None).raw();
        for part in 0.. {
            let some: Vec<Result<RawGame, RecordError>> = games.by_ref().take(AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            let read: Vec<Vec<Result<Option<Valued>, RecordError>>> =
                some.par_chunks(PART).map(|games| self.value_all(evaluator, games)).collect();
            let mut known = Vec::with_capacity(AT_ONCE);
            for game in read.into_iter().flatten() {
                match game {
                    Ok(Some(valued)) => known.push(valued),
                    Ok(None) => counted.undecided += 1,
                    Err(error) if error.is_bad_game() => self.observer.complain(&error.to_string()),
                    Err(error) => return Err(error.into()),
                }
            }
            counted.add(&known, Random::stream(self.plan.seed, part).order(known.len()));
            let positions = counted.all.total.all();
            progress.update(positions, &|| format!("{positions} positions"));
        }
        Ok(counted)
    }
}

impl Pass<'_> {
    fn value_all<E: Evaluator>(
        &self,
        evaluator: &E,
        games: &[Result<RawGame, RecordError>],
    ) -> Vec<Result<Option<Valued>, RecordError>> {
        let read = |game: &Result<RawGame, RecordError>| match game {
            Ok(raw) => raw.read(),
            Err(error) => Err(error.clone()),
        };
        let all = |value: &mut dyn FnMut(&Position) -> i32| {
            games.iter().map(|game| Ok(self.value(&read(game)?, value))).collect()
        };
        if !self.plan.quiet {
            return all(&mut |position| evaluator.evaluate(position));
        }
        with_resolver(evaluator, &AlphaBetaParams::default(), |resolver: &mut Resolver<'_, E>| {
            all(&mut |position| {
                resolver.set_root(position);
                resolver.resolve().score
            })
        })
    }

    /// The values of all positions before a move; `None` if the game has no result.
    fn value(&self, game: &GameRecord, value: &mut dyn FnMut(&Position) -> i32) -> Option<Valued> {
        let result = match game.outcome() {
            Outcome::Win(Color::Black) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Color::White) => 0,
            Outcome::Unknown => return None,
        };
        let of_position = |(position, _): (Position, _)| {
            let own = value(&position);
            let black = if position.side_to_move() == Color::Black { own } else { -own };
            let holds = (self.plan.when.as_ref())
                .is_some_and(|condition| condition.holds(&Facts::new(&position)));
            (black.div_euclid(self.plan.bin), black, holds)
        };
        Some(Valued { result, positions: game.positions().map(of_position).collect() })
    }
}

impl Counted {
    /// Adds games; `order` says whose result each has when results are shuffled.
    fn add(&mut self, games: &[Valued], order: Vec<usize>) {
        for (game, other) in games.iter().zip(order) {
            if game.result == 1 {
                self.drawn += 1;
            } else {
                self.decided += 1;
            }
            let some = |wanted: fn(bool) -> bool| -> Vec<(i32, i32)> {
                let some = game.positions.iter().filter(|position| wanted(position.2));
                some.map(|&(bin, value, _)| (bin, value)).collect()
            };
            let [all, when, without] = [some(|_| true), some(|holds| holds), some(|holds| !holds)];
            self.all.add_game(game.result, &all);
            self.when.add_game(game.result, &when);
            self.without.add_game(game.result, &without);
            self.shuffled[0].add_game(games[other].result, &all);
            self.shuffled[1].add_game(games[other].result, &when);
        }
    }
}
