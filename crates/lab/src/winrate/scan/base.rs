//! What is to be expected by the value alone: the curve of all positions, each seen by both players.

/// Bins on either side of zero; the last ones hold everything beyond.
pub const HALF: usize = 60;
/// All bins.
pub const BINS: usize = 2 * HALF;

/// The bin of a value.
pub fn bin_of(value: i32, width: i32) -> usize {
    (i64::from(value.div_euclid(width)) + HALF as i64).clamp(0, BINS as i64 - 1) as usize
}

/// How far a bin is from zero, and on which side: 1 above, −1 below. Bins as far on either side are
/// one and the same, seen by either player.
pub fn folded(bin: usize) -> (usize, f64) {
    if bin >= HALF { (bin - HALF, 1.0) } else { (HALF - 1 - bin, -1.0) }
}

/// The win ratio by value.
#[derive(Clone, Debug)]
pub struct Base {
    /// Positions by folded bin.
    positions: Vec<f64>,
    /// The logit of the win ratio by bin.
    logits: Vec<f64>,
    /// Logits that a centipawn is worth, by a straight line through zero.
    pub slope: f64,
}

impl Base {
    /// A curve of positions and of Black's points by bin. What Black sees, White sees with the
    /// other sign, so that the curve is the same for both.
    pub fn new(black: &[(u64, f64)], width: i32) -> Self {
        let both = |bin: usize| {
            let (own, other) = (black[bin], black[BINS - 1 - bin]);
            ((own.0 + other.0) as f64, own.1 + (other.0 as f64 - other.1))
        };
        let bins: Vec<(f64, f64)> = (0..BINS).map(both).collect();
        let logit = |&(count, points): &(f64, f64)| ((points + 0.5) / (count - points + 0.5)).ln();
        let logits: Vec<f64> = bins.iter().map(logit).collect();
        // Bins weigh what they know; the last ones have no middle.
        let (mut across, mut along) = (0.0, 0.0);
        for bin in 1..BINS - 1 {
            let (count, points) = bins[bin];
            if count > 0.0 {
                let weight = points * (count - points) / count;
                let middle = (bin as f64 - HALF as f64 + 0.5) * f64::from(width);
                across += weight * middle * logits[bin];
                along += weight * middle * middle;
            }
        }
        let positions = bins[HALF..].iter().map(|bin| bin.0).collect();
        Self { positions, logits, slope: if along > 0.0 { across / along } else { 0.0 } }
    }

    /// The chance to win in a bin.
    pub fn chance(&self, bin: usize) -> f64 {
        1.0 / (1.0 + (-self.logits[bin]).exp())
    }

    /// What a shift of one logit would bring in all positions of a folded bin.
    pub fn information(&self, folded: usize) -> f64 {
        let chance = self.chance(HALF + folded);
        self.positions[folded] * chance * (1.0 - chance)
    }

    /// The share of the positions of a folded bin that a condition has, above less below, by its
    /// positions in each bin.
    pub fn share(&self, bins: &[(u32, f64)], folded: usize) -> f64 {
        let balance = f64::from(bins[HALF + folded].0) - f64::from(bins[HALF - 1 - folded].0);
        balance / self.positions[folded].max(1.0)
    }

    /// Its logit.
    pub fn logit(&self, bin: usize) -> f64 {
        self.logits[bin]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_players_see_the_same_curve() {
        let mut black = vec![(0, 0.0); BINS];
        black[HALF] = (100, 60.0);
        black[HALF + 2] = (100, 80.0);
        let base = Base::new(&black, 50);
        for bin in 0..BINS {
            let (own, other) = (base.chance(bin), base.chance(BINS - 1 - bin));
            assert!((own + other - 1.0).abs() < 1e-12, "{bin}");
        }
        assert!((base.chance(HALF) - 0.6).abs() < 0.01 && base.slope > 0.0);
        assert_eq!((bin_of(0, 50), bin_of(-1, 50), bin_of(99_999, 50)), (HALF, HALF - 1, BINS - 1));
        assert_eq!(bin_of(-99_999, 50), 0);
    }
}
