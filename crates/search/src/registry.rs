//! Algorithms of the search by name.

use crate::alphabeta::{AlphaBeta, AlphaBetaParams};
use crate::evaluator::Evaluator;
use crate::greedy::{Greedy, GreedyParams};
use crate::params::{Parameter, Parameters, Values};
use crate::searcher::Searcher;

/// An algorithm as options and the command line know it.
#[derive(Debug)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The names of its presets; the first is that of the defaults.
    pub presets: &'static [&'static str],
    preset: fn(&str) -> Option<Values>,
}

const ALPHABETA: &str = "alphabeta";
const GREEDY: &str = "greedy";

/// All algorithms; the first is the one that an engine has if none is named.
pub static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new::<AlphaBetaParams>(
        ALPHABETA,
        "Alpha-beta with iterative deepening, quiescence and a transposition table.",
    ),
    Algorithm::new::<GreedyParams>(GREEDY, "One ply: the move after which the evaluation is best."),
];

impl Algorithm {
    const fn new<P: Parameters>(name: &'static str, summary: &'static str) -> Self {
        let preset = |name: &str| P::preset(name).map(|params| params.values());
        Self { name, summary, parameters: P::ALL, presets: P::PRESETS, preset }
    }

    /// The algorithm that an engine has if none is named.
    pub fn standard() -> &'static Self {
        &ALGORITHMS[0]
    }

    /// The algorithm with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
    }

    /// The names of all algorithms.
    pub fn names() -> [&'static str; ALGORITHMS.len()] {
        ALGORITHMS.each_ref().map(|algorithm| algorithm.name)
    }

    /// The values of its parameters in one of its presets.
    pub fn preset(&self, name: &str) -> Option<Values> {
        (self.preset)(name)
    }

    /// The values that its parameters have if nobody says otherwise.
    pub fn defaults(&self) -> Values {
        self.preset(self.presets[0]).expect("the first preset has the defaults")
    }
}

/// An engine with the algorithm of this name, this evaluation, and a table of so many mebibytes
/// where the algorithm has one; `None` if there is no such algorithm.
pub fn build<E>(name: &str, evaluator: E, hash_mib: usize) -> Option<Box<dyn Searcher>>
where
    E: Evaluator + Send + 'static,
{
    match name {
        ALPHABETA => Some(Box::new(AlphaBeta::new(evaluator, hash_mib))),
        GREEDY => Some(Box::new(Greedy::new(evaluator))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tesuji_shogi::{Game, Position};

    use super::*;
    use crate::{Limits, Material, Stop};

    #[test]
    fn every_algorithm_can_be_built_and_searches() {
        for algorithm in &ALGORITHMS {
            let mut searcher = build(algorithm.name, Material::default(), 1).unwrap();
            assert_eq!(searcher.parameters(), algorithm.defaults());
            for parameter in algorithm.parameters {
                assert!(searcher.set_parameter(parameter.name, parameter.max), "{parameter:?}");
            }
            assert!(!searcher.set_parameter("nothing", 0));
            searcher.set_parameters(&algorithm.defaults());
            assert_eq!(searcher.parameters(), algorithm.defaults());
            let (game, limits) = (Game::new(Position::startpos()), Limits::nodes(500));
            let result = searcher.search(&game, &limits, Stop::never(), &mut |_| {});
            assert!(result.best.is_some() && result.nodes <= 500, "{}", algorithm.name);
        }
        assert!(build("other", Material::default(), 1).is_none());
        assert!(Algorithm::named("other").is_none());
        assert_eq!(Algorithm::names()[0], Algorithm::standard().name);
    }

    #[test]
    fn a_parameter_has_one_algorithm() {
        let all = ALGORITHMS.iter().flat_map(|algorithm| algorithm.parameters);
        let mut names: Vec<&str> = all.map(|parameter| parameter.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "options of the engine have these names");
    }
}
