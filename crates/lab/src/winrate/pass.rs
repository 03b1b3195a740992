//! The pass over the games.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_run::Observer;
use tesuji_search::Evaluator;
use tesuji_search::alphabeta::AlphaBetaParams;
use tesuji_search::quiet::{Resolver, with_resolver};
use tesuji_search::spec::EvaluatorVisitor;
use tesuji_shogi::{Color, Outcome, Position};

use super::WinratePlan;
use super::curve::{Curve, HalfPoints};
use crate::data::positions::in_parallel;

/// What was counted.
#[derive(Clone, Default)]
pub struct Counted {
    pub all: Curve,
    /// Where the condition holds, and where it does not.
    pub when: Curve,
    pub without: Curve,
    /// All and when with the results of other games, of those that were read side by side.
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
        let games = Games::new(Input::from_paths(&self.plan.games)?, None).raw();
        let value = |game: &GameRecord, _| self.value_game(evaluator, game);
        let mut parts = 0..;
        in_parallel(games, self.observer, value, |games| {
            let all = games.len();
            let known: Vec<Valued> = games.into_iter().flatten().collect();
            counted.undecided += (all - known.len()) as u64;
            let part = parts.next().unwrap_or_default();
            counted.add(&known, Random::stream(self.plan.seed, part).order(known.len()));
            let positions = counted.all.total.all();
            progress.update(positions, &|| format!("{positions} positions"));
        })?;
        Ok(counted)
    }
}

impl Pass<'_> {
    fn value_game<E: Evaluator>(&self, evaluator: &E, game: &GameRecord) -> Option<Valued> {
        if !self.plan.quiet {
            return self.value(game, &mut |position| evaluator.evaluate(position));
        }
        with_resolver(evaluator, &AlphaBetaParams::default(), |resolver: &mut Resolver<'_, E>| {
            self.value(game, &mut |position| {
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
