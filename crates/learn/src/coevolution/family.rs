//! The pedigree of an organism.

use std::collections::BTreeMap;

use super::Organism;

/// One of those that an organism comes from, or the organism itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ancestor {
    /// Its number.
    pub number: usize,
    /// Generations back by the shortest way; 0 for the organism itself.
    pub back: usize,
}

/// An organism and all that it comes from, the nearest first.
pub fn ancestors(organisms: &[Organism], of: usize) -> Vec<Ancestor> {
    let mut known: BTreeMap<usize, usize> = BTreeMap::from([(of, 0)]);
    let mut found = vec![Ancestor { number: of, back: 0 }];
    let mut next = 0;
    while let Some(&Ancestor { number, back }) = found.get(next) {
        next += 1;
        for parent in organisms[number].parents.into_iter().flatten() {
            known.entry(parent).or_insert_with(|| {
                found.push(Ancestor { number: parent, back: back + 1 });
                back + 1
            });
        }
    }
    found
}

/// How much of an organism comes from each founder, if every child has half of each parent.
pub fn founder_shares(organisms: &[Organism], of: usize) -> Vec<(usize, f64)> {
    let mut shares = vec![0.0; organisms.len()];
    shares[of] = 1.0;
    // Parents are older than their children, so each is complete when its turn comes.
    for number in (0..=of).rev() {
        for parent in organisms[number].parents.into_iter().flatten() {
            shares[parent] += shares[number] / 2.0;
        }
    }
    let founders = (0..=of).filter(|&number| organisms[number].parents.is_none());
    founders.map(|number| (number, shares[number])).filter(|(_, share)| *share > 0.0).collect()
}
