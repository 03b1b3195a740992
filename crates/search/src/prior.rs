//! A prior over moves: how promising each is before it is searched.

use tesuji_shogi::{Move, Position};

/// Says before the search which moves are promising. Alpha-beta adds what a quiet move weighs to
/// its history score, so that it counts for the order of moves, for cuts (futility pruning) and for
/// reductions (LMR).
pub trait Prior: Sync {
    /// Is there anything to ask? Where this is false no code for a prior is left in the search.
    const ENABLED: bool = true;

    /// What the moves of a position share.
    type Shared<'a>
    where
        Self: 'a;

    /// Works out what the moves of a position share, once for each position that is searched.
    fn prepare<'a>(&'a self, position: &'a Position) -> Self::Shared<'a>;

    /// What speaks for a quiet move, in the units of the history: 0 for nothing, some thousands for
    /// much.
    fn weight(&self, shared: &Self::Shared<'_>, mv: Move) -> i32;
}

/// No prior. It takes no room and no time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrior;

impl Prior for NoPrior {
    const ENABLED: bool = false;

    type Shared<'a> = ();

    fn prepare<'a>(&'a self, _: &'a Position) {}

    fn weight(&self, (): &(), _: Move) -> i32 {
        0
    }
}

/// The weights of the moves of one position.
pub(crate) struct MoveWeights<'a, P: Prior + 'a> {
    asked: Option<(&'a P, P::Shared<'a>)>,
}

impl<'a, P: Prior> MoveWeights<'a, P> {
    /// Those that a prior gives.
    #[inline]
    pub fn new(prior: &'a P, position: &'a Position) -> Self {
        Self { asked: P::ENABLED.then(|| (prior, prior.prepare(position))) }
    }

    /// Nothing speaks for any move.
    #[inline]
    pub const fn none() -> Self {
        Self { asked: None }
    }

    /// What speaks for a quiet move.
    #[inline]
    pub fn of(&self, mv: Move) -> i32 {
        match &self.asked {
            Some((prior, shared)) if P::ENABLED => prior.weight(shared, mv),
            _ => 0,
        }
    }
}
