//! Which conditions are named: each must tell something that those before it do not.

use tesuji_math::linear::{Matrix, dot};
use tesuji_math::stats::student_two_sided;

use super::counts::Overlap;

/// A condition where those that were named before it are allowed for: its shift in logits, and the
/// standard error.
struct Beyond {
    shift: f64,
    error: f64,
}

impl Beyond {
    /// The shift is surely at least this.
    fn surely(&self) -> f64 {
        self.shift.abs() - 2.0 * self.error
    }
}

/// Chooses up to `top` conditions, one after the other: of those that chance alone does with less
/// than `level` when the ones before are allowed for, the one whose shift is surely the largest.
/// `parts` has the conditions that a pair is made of: a pair may only come after one of them, for
/// what it seems to tell may be theirs. Gives places, and how likely chance does as much.
pub fn forward(
    overlap: &Overlap,
    parts: &[Vec<usize>],
    top: usize,
    level: f64,
) -> Vec<(usize, f64)> {
    let mut chosen: Vec<(usize, f64)> = Vec::new();
    while chosen.len() < top {
        let places: Vec<usize> = chosen.iter().map(|&(place, _)| place).collect();
        let is_free = |place: &usize| {
            let parts = &parts[*place];
            let is_next = parts.is_empty() || parts.iter().any(|part| places.contains(part));
            is_next && !places.contains(place)
        };
        let free = (0..overlap.surplus.len()).filter(is_free);
        let sure = free.filter_map(|place| {
            let found = beyond(overlap, &places, place)?;
            let p = student_two_sided(found.shift / found.error, overlap.games.max(2.0) - 1.0);
            (p <= level).then_some((place, p, found))
        });
        let Some((place, p, _)) = sure.max_by(|a, b| a.2.surely().total_cmp(&b.2.surely())) else {
            break;
        };
        chosen.push((place, p));
    }
    chosen
}

/// A condition where those of `chosen` are allowed for; `None` if they leave nothing of it.
fn beyond(overlap: &Overlap, chosen: &[usize], place: usize) -> Option<Beyond> {
    let own = overlap.information.row(place);
    let mut inner = Matrix::zero(chosen.len());
    for (i, &a) in chosen.iter().enumerate() {
        for (k, &b) in chosen.iter().enumerate() {
            inner.row_mut(i)[k] = overlap.information.row(a)[b];
        }
    }
    let shared: Vec<f64> = chosen.iter().map(|&a| own[a]).collect();
    let factors = inner.cholesky()?.solve(&shared);
    let mut weights = vec![0.0; overlap.surplus.len()];
    weights[place] = 1.0;
    for (&a, factor) in chosen.iter().zip(&factors) {
        weights[a] = -factor;
    }
    let information = own[place] - dot(&shared, &factors);
    // Nearly the same positions as those before.
    if information < 0.1 * own[place] {
        return None;
    }
    let surplus = dot(&weights, &overlap.surplus);
    let variance = dot(&weights, &overlap.squares.times(&weights));
    (variance > 0.0)
        .then(|| Beyond { shift: surplus / information, error: variance.sqrt() / information })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_condition_explains_is_not_named() {
        // Two conditions in the same positions but for a tenth of them, and a third one apart.
        let mut information = Matrix::zero(3);
        information.row_mut(0).copy_from_slice(&[1000.0, 800.0, 0.0]);
        information.row_mut(1).copy_from_slice(&[800.0, 1000.0, 0.0]);
        information.row_mut(2).copy_from_slice(&[0.0, 0.0, 500.0]);
        let surplus = vec![300.0, 240.0, 60.0];
        let overlap = Overlap { surplus, squares: information.clone(), information, games: 500.0 };
        let named = |parts: &[Vec<usize>], top: usize, level: f64| -> Vec<usize> {
            forward(&overlap, parts, top, level).into_iter().map(|one| one.0).collect()
        };
        let single = vec![Vec::new(); 3];
        assert_eq!(named(&single, 10, 0.05), [0, 2]);
        assert_eq!(named(&single, 1, 0.05), [0]);
        assert!(named(&single, 10, 1e-30).is_empty());
        // A pair of the second and another condition comes after the second.
        assert_eq!(named(&[vec![1], vec![], vec![]], 10, 0.05), [1, 0, 2]);
    }
}
