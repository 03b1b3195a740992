//! Late move reductions (LMR): by how much late moves are searched less deeply.

use crate::alphabeta::params::AlphaBetaParams;
use crate::alphabeta::worker::PLY;

/// Depths and move numbers that are told apart.
const SIZE: usize = 64;

/// The reductions in quarters of a ply, by depth in plies and number of the move.
#[derive(Default)]
pub(crate) struct Reductions {
    /// What they were made from.
    params: AlphaBetaParams,
    quarters: Vec<i32>,
}

impl Reductions {
    /// Makes them again if the parameters are others.
    pub fn update(&mut self, params: &AlphaBetaParams) {
        if self.quarters.is_empty() || self.params != *params {
            self.quarters =
                (0..SIZE * SIZE).map(|i| quarters(params, i / SIZE, i % SIZE)).collect();
            self.params = params.clone();
        }
    }

    /// The reduction of a move; the last row and column stand for all beyond.
    #[inline]
    pub fn get(&self, depth: usize, number: usize) -> i32 {
        self.quarters[depth.min(SIZE - 1) * SIZE + number.min(SIZE - 1)]
    }
}

fn quarters(params: &AlphaBetaParams, depth: usize, number: usize) -> i32 {
    if depth == 0 || number == 0 || params.lmr == 0 {
        return 0;
    }
    let product = (depth as f64).ln() * (number as f64).ln();
    let hundredths = f64::from(params.lmr_base) + f64::from(params.lmr_factor) * product;
    (hundredths * f64::from(PLY) / 100.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        let mut reductions = Reductions::default();
        reductions.update(&AlphaBetaParams::default());
        assert!(reductions.get(10, 30) > reductions.get(10, 5));
        assert!(reductions.get(20, 30) > reductions.get(5, 30));
        assert_eq!(reductions.get(100, 600), reductions.get(63, 63));
        reductions.update(&AlphaBetaParams { lmr: 0, ..AlphaBetaParams::default() });
        assert_eq!(reductions.get(20, 30), 0);
    }
}
