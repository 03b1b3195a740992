//! Plausible moves in the search: which quiet moves are searched, in what order and how deeply, by
//! what they are for.

use std::sync::{Arc, LazyLock};

use tesuji_eval::formations::Atlas;
use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{
    Bar, Cut, Development, Generator, Generators, Lore, Merits, Rater, Rating, Scene,
};
use tesuji_shogi::{Move, Position};

use super::params::AlphaBetaParams;
use super::picker::Scored;
use crate::book;

/// Depths at which generators may differ.
const DEPTHS: usize = 16;
/// As many moves as a position can have.
const MOST_MOVES: usize = 600;

/// The merits that come with the program, read once.
fn merits(fitted: bool) -> Arc<Merits> {
    static HAND: LazyLock<Arc<Merits>> = LazyLock::new(|| Arc::new(Merits::hand()));
    static FITTED: LazyLock<Arc<Merits>> = LazyLock::new(|| Arc::new(Merits::shipped()));
    Arc::clone(if fitted { &FITTED } else { &HAND })
}

/// What the players build, by the formations of an atlas, or by those that come with the program.
fn development(
    formations: Option<Arc<Atlas>>,
    root: &Position,
    built: [Option<usize>; 2],
) -> Development {
    match formations {
        Some(atlas) => Development::new(&Lore { atlas, ..book::lore().clone() }, root, built),
        None => Development::new(book::lore(), root, built),
    }
}

/// What a search knows of the merit of moves.
pub(crate) struct Plausibility {
    development: Development,
    merits: Arc<Merits>,
    cut: Option<Cut>,
    hierarchy: bool,
    /// The generators that are asked at each depth, the last of them at all that are deeper.
    asked: [Generators; DEPTHS],
    /// The fewest plies at which moves are rated.
    depth: i32,
    /// What a merit adds to the order of moves.
    pub order: i32,
}

/// What a node wants to know of its moves.
#[derive(Clone, Copy)]
pub(crate) struct Inquiry {
    /// The moves before.
    pub past: Past,
    /// The remaining depth.
    pub plies: i32,
    /// May moves be left out?
    pub cuts: bool,
}

impl Plausibility {
    /// What the parameters want, for a search that begins with a position, where the players are
    /// building these castles; `None` if moves need no rating.
    pub fn new(
        params: &AlphaBetaParams,
        root: &Position,
        formations: Option<Arc<Atlas>>,
        built: [Option<usize>; 2],
    ) -> Option<Self> {
        if params.plausible == 0 {
            return None;
        }
        let depths = params.generator_depths();
        let asked = |plies: usize| -> Generators {
            let deep_enough = |generator: &Generator| depths[*generator as usize] <= plies as i32;
            Generator::ALL.into_iter().filter(deep_enough).collect()
        };
        Some(Self {
            development: development(formations, root, built),
            merits: merits(params.plausible_merits != 0),
            cut: params.cut(),
            hierarchy: params.plausible_hierarchy != 0,
            asked: std::array::from_fn(asked),
            depth: params.plausible_depth,
            order: params.plausible_order,
        })
    }

    /// Are moves rated at this depth?
    pub const fn is_asked(&self, plies: i32) -> bool {
        plies >= self.depth
    }

    /// Rates moves and writes the standing of each as its merit; the bar that they have to reach
    /// comes back. With the table's move, which has been searched, they are all that there are.
    pub fn rate(
        &self,
        position: &Position,
        inquiry: &Inquiry,
        table_move: Option<Move>,
        moves: &mut [Scored],
    ) -> Bar {
        let scene = Scene::new(position, inquiry.past, &self.development);
        let depth = (inquiry.plies.max(0) as usize).min(DEPTHS - 1);
        let asked = scene.asked(self.hierarchy).and(self.asked[depth]);
        let rater = Rater::new(&scene, &self.merits, asked);
        let mut ratings = [Rating::default(); MOST_MOVES];
        let ratings = &mut ratings[..moves.len().min(MOST_MOVES)];
        rater.rate_each(moves.iter().map(|scored| scored.mv), ratings);
        let of_table = table_move.map(|mv| rater.rate(mv).merit);
        let sums = ratings.iter().map(|rating| rating.merit).chain(of_table);
        let level = self.merits.level(scene.level(), sums);
        for (rating, scored) in ratings.iter_mut().zip(&mut *moves) {
            rating.merit += level;
            scored.merit = rating.standing() as i16;
        }
        self.cut.filter(|_| inquiry.cuts).map_or(Bar::NONE, |cut| bar(cut, moves))
    }
}

/// The bar of a cut for some moves.
fn bar(cut: Cut, moves: &[Scored]) -> Bar {
    let mut merits = [0; MOST_MOVES];
    let all = &mut merits[..moves.len().min(MOST_MOVES)];
    if !matches!(cut, Cut::All | Cut::Merit) {
        for (merit, scored) in all.iter_mut().zip(moves) {
            *merit = i32::from(scored.merit);
        }
    }
    cut.bar(all)
}
