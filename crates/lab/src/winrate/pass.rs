//! Curves of win ratio against value.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_run::Observer;

use super::WinratePlan;
use super::curve::{Curve, HalfPoints};
use super::values::{ValuedGame, walk};

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
struct Binned {
    result: HalfPoints,
    positions: Vec<(i32, i32, bool)>,
}

/// Games whose results are shuffled among each other.
const SHUFFLED: usize = 512;

/// Counts all games.
pub fn count(plan: &WinratePlan, observer: &dyn Observer) -> Result<Counted> {
    let mut counted = Counted::default();
    let (mut waiting, mut parts) = (Vec::new(), 0..);
    let mut add = |games: &mut Vec<Binned>, counted: &mut Counted| {
        let part = parts.next().unwrap_or_default();
        let order = Random::stream(plan.seed, part).order(games.len());
        counted.add(games, order);
        games.clear();
    };
    let bin = |game: &ValuedGame| bin_game(plan, game);
    walk(&plan.values, observer, bin, |game| {
        match game {
            Some(game) => waiting.push(game),
            None => counted.undecided += 1,
        }
        if waiting.len() == SHUFFLED {
            add(&mut waiting, &mut counted);
        }
    })?;
    add(&mut waiting, &mut counted);
    Ok(counted)
}

fn bin_game(plan: &WinratePlan, game: &ValuedGame) -> Binned {
    let positions = game.positions.iter().map(|valued| {
        let condition = plan.when.as_ref();
        let holds = condition.is_some_and(|when| when.holds(&Facts::new(&valued.position)));
        (valued.value.div_euclid(plan.bin), valued.value, holds)
    });
    Binned { result: game.result, positions: positions.collect() }
}

impl Counted {
    /// Adds games; `order` says whose result each has when results are shuffled.
    fn add(&mut self, games: &[Binned], order: Vec<usize>) {
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
