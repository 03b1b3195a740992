//! Organisms near given weights, to begin a run with.

use crate::Scorer;
use crate::genome::{GeneMap, Genome};

/// How many scales are tried.
const SCALES: i32 = 64;

/// Genomes near the weights, with the number of positions that each solves, the best first.
///
/// Frozen genes and the widths of genes decide the scale, and no scale fits all of them: many are
/// tried, and weights that do not fit are cut.
pub fn near(weights: &[f64], scorer: &mut Scorer<'_>, map: &GeneMap) -> Vec<(Genome, u32)> {
    let most = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    if most == 0.0 {
        return Vec::new();
    }
    let widest = (0..map.len()).map(|gene| *map.range(gene).end()).max().unwrap_or(0);
    // From the largest weight at its limit to sixteen times as much and as little.
    let genome = |step: i32| {
        let scale = f64::from(widest) / most * 2_f64.powf(f64::from(step - SCALES / 2) / 8.0);
        let scaled: Vec<i32> = weights.iter().map(|w| (w * scale).round() as i32).collect();
        map.genome(&scaled)
    };
    let genomes: Vec<Genome> = (0..SCALES).map(genome).collect();
    let weights: Vec<Vec<i32>> = genomes.iter().map(|genome| map.weights(genome)).collect();
    let mut found: Vec<(Genome, u32)> = genomes.into_iter().zip(scorer.correct(&weights)).collect();
    found.sort_by_key(|&(_, correct)| std::cmp::Reverse(correct));
    found
}
