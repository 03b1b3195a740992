//! Who plays whom, from which opening, with which colour.

use serde::{Deserialize, Serialize};

use tesuji_math::Random;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingSystem {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
}

/// In which order openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As the seed says.
    Random,
    /// As they stand in the file.
    Sequential,
}

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// The number of the game, from 0.
    pub number: u64,
    /// The number of the opening, from 0.
    pub opening: usize,
    /// Who has the black pieces: the number of the engine, from 0.
    pub black: usize,
    /// Who has the white pieces.
    pub white: usize,
}

/// All games of a match or tournament. Two games, one after the other, have the same opening with
/// colours swapped; a round has a pair of games for every pairing, all from the same opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    openings: Vec<usize>,
    games: u64,
    /// Games from an opening, one after the other: two with colours swapped, or one where an engine
    /// plays itself.
    repeats: u64,
}

impl Schedule {
    /// The schedule of a number of games, from at least one opening.
    pub fn new(
        engines: usize,
        system: PairingSystem,
        openings: usize,
        order: (Order, u64),
        games: u64,
    ) -> Self {
        let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b)));
        let pairings = match system {
            PairingSystem::RoundRobin => all.collect(),
            PairingSystem::Gauntlet => all.filter(|&(first, _)| first == 0).collect(),
        };
        let openings = match order {
            (Order::Random, seed) => Random::stream(seed, 0).order(openings.max(1)),
            (Order::Sequential, _) => (0..openings.max(1)).collect(),
        };
        Self { pairings, openings, games, repeats: 2 }
    }

    /// The schedule of an engine that plays itself.
    pub fn alone(openings: usize, order: (Order, u64), games: u64) -> Self {
        Self { repeats: 1, ..Self::new(1, PairingSystem::RoundRobin, openings, order, games) }
    }

    /// How many games there are.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The game with this number, from 0.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pair = number / self.repeats;
        let count = self.pairings.len().max(1) as u64;
        let (round, pairing) = (pair / count, pair % count);
        let (a, b) = self.pairings.get(pairing as usize).copied().unwrap_or((0, 0));
        let opening = self.openings[(round % self.openings.len() as u64) as usize];
        let swapped = !number.is_multiple_of(self.repeats);
        let (black, white) = if swapped { (b, a) } else { (a, b) };
        Fixture { number, opening, black, white }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let schedule = Schedule::new(2, PairingSystem::RoundRobin, 5, (Order::Random, 7), 20);
        for pair in 0..10 {
            let [one, two] = [2 * pair, 2 * pair + 1].map(|number| schedule.fixture(number));
            assert_eq!((one.opening, one.black, one.white), (two.opening, two.white, two.black));
        }
        let mut first: Vec<usize> = (0..5).map(|p| schedule.fixture(2 * p).opening).collect();
        let second: Vec<usize> = (5..10).map(|p| schedule.fixture(2 * p).opening).collect();
        assert_eq!(first, second);
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn everybody_meets_everybody_once_a_round() {
        let schedule = Schedule::new(4, PairingSystem::RoundRobin, 2, (Order::Sequential, 0), 24);
        let mut met: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for number in 0..24 {
            let Fixture { black, white, opening, .. } = schedule.fixture(number);
            met.entry((black, white)).or_default().push(opening);
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|openings| openings == &[0, 1]), "{met:?}");
    }

    #[test]
    fn an_engine_alone_has_a_new_opening_every_game() {
        let schedule = Schedule::alone(3, (Order::Sequential, 0), 4);
        let openings: Vec<usize> = (0..4).map(|n| schedule.fixture(n).opening).collect();
        assert_eq!(openings, [0, 1, 2, 0]);
        assert!((0..4).all(|n| schedule.fixture(n).black == 0 && schedule.fixture(n).white == 0));
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_everybody() {
        let schedule = Schedule::new(4, PairingSystem::Gauntlet, 1, (Order::Sequential, 0), 6);
        for number in 0..6 {
            let Fixture { black, white, .. } = schedule.fixture(number);
            assert!(black == 0 || white == 0);
        }
    }
}
