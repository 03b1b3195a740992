//! Genomes: weights as strings of bits, in Gray code.
//!
//! Each weight is a Gray-coded unsigned number with its highest bit first, so that every
//! neighbouring number is one flipped bit away. A signed weight has one more bit, for its sign,
//! before the others; nothing has two signs. Where a set has a formula, genes are what the formula
//! makes weights of.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use tesuji_eval::{FeatureSet, Formula};
use thiserror::Error;

use tesuji_math::Random;

/// A string of bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Genome {
    /// Bit `i` is bit `i % 64` of word `i / 64`; all others are zero.
    words: Vec<u64>,
    bits: usize,
}

/// The text is not a genome.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected the number of bits, a colon and sixteen hexadecimal digits for each 64 of them")]
pub struct ParseGenomeError;

impl Genome {
    /// So many zeros.
    pub fn zeros(bits: usize) -> Self {
        Self { words: vec![0; bits.div_ceil(64)], bits }
    }

    /// So many random bits.
    pub fn random(bits: usize, random: &mut Random) -> Self {
        let mut genome = Self::zeros(bits);
        genome.words.iter_mut().for_each(|word| *word = random.bits());
        genome.clear_unused();
        genome
    }

    fn clear_unused(&mut self) {
        if !self.bits.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << (self.bits % 64)) - 1;
        }
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.bits
    }

    /// Is there no bit?
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// A bit by its number.
    pub fn bit(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 != 0
    }

    /// Sets a bit.
    pub fn set(&mut self, i: usize, bit: bool) {
        self.words[i / 64] &= !(1 << (i % 64));
        self.words[i / 64] |= u64::from(bit) << (i % 64);
    }

    /// Turns a bit over.
    pub fn flip(&mut self, i: usize) {
        self.words[i / 64] ^= 1 << (i % 64);
    }

    /// In how many bits two genomes differ.
    pub fn distance(&self, other: &Self) -> u32 {
        self.words.iter().zip(&other.words).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    /// Turns each bit over with this probability.
    pub fn mutate(&mut self, probability: f64, random: &mut Random) {
        for i in 0..self.bits {
            if random.chance(probability) {
                self.flip(i);
            }
        }
    }

    /// Swaps each bit with that of another genome with this probability.
    pub fn cross(&mut self, other: &mut Self, probability: f64, random: &mut Random) {
        for (i, (a, b)) in self.words.iter_mut().zip(&mut other.words).enumerate() {
            let mut chosen = 0;
            for bit in 0..64.min(self.bits - 64 * i) {
                chosen |= u64::from(random.chance(probability)) << bit;
            }
            let different = (*a ^ *b) & chosen;
            *a ^= different;
            *b ^= different;
        }
    }

    /// Swaps all bits from this one on with those of another genome.
    pub fn cut(&mut self, other: &mut Self, at: usize) {
        for (i, (a, b)) in self.words.iter_mut().zip(&mut other.words).enumerate() {
            let before = at.saturating_sub(64 * i).min(64) as u32;
            let different = (*a ^ *b) & u64::MAX.checked_shl(before).unwrap_or(0);
            *a ^= different;
            *b ^= different;
        }
    }
}

impl From<Genome> for String {
    fn from(genome: Genome) -> Self {
        let mut text = format!("{}:", genome.bits);
        for word in &genome.words {
            let _ = write!(text, "{word:016x}");
        }
        text
    }
}

impl TryFrom<String> for Genome {
    type Error = ParseGenomeError;

    fn try_from(text: String) -> Result<Self, ParseGenomeError> {
        let (bits, words) = text.split_once(':').ok_or(ParseGenomeError)?;
        let bits: usize = bits.parse().map_err(|_| ParseGenomeError)?;
        let (words, rest) = words.as_bytes().as_chunks::<16>();
        if bits.div_ceil(64) != words.len() || !rest.is_empty() {
            return Err(ParseGenomeError);
        }
        let word = |digits: &[u8; 16]| {
            let digits = str::from_utf8(digits).ok()?;
            u64::from_str_radix(digits, 16).ok()
        };
        let words: Option<Vec<u64>> = words.iter().map(word).collect();
        let mut genome = Self { words: words.ok_or(ParseGenomeError)?, bits };
        let read = genome.clone();
        genome.clear_unused();
        if genome == read { Ok(genome) } else { Err(ParseGenomeError) }
    }
}

/// Where each weight stands in a genome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneMap {
    genes: Vec<Gene>,
    bits: usize,
    /// What makes weights of the genes; without it they are the weights.
    formula: Option<Formula>,
}

/// One weight in a genome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gene {
    /// The first bit of the number.
    start: usize,
    /// The bits of the number.
    bits: usize,
    /// Does the bit before the number tell its sign?
    signed: bool,
    /// What is added to the number.
    least: i32,
    /// The largest number: one that is larger counts as this.
    largest: u32,
    /// The value that it is set to in every generation.
    frozen: Option<u32>,
}

impl GeneMap {
    /// One gene for each feature, or for each gene of the formula that the set has. `frozen` are
    /// numbers of genes with the value that each of them keeps; they have no sign.
    pub fn new(set: &FeatureSet, frozen: &[(usize, u32)], signed: bool) -> Self {
        let widths: Vec<u8> = match set.formula() {
            Some(formula) => formula.genes().iter().map(|gene| gene.bits).collect(),
            None => set.features().iter().map(|feature| feature.bits).collect(),
        };
        let mut bits = 0;
        let mut genes = Vec::with_capacity(widths.len());
        for (i, width) in widths.into_iter().enumerate() {
            let frozen = frozen.iter().find(|(gene, _)| *gene == i).map(|&(_, value)| value);
            let signed = signed && frozen.is_none();
            let start = bits + usize::from(signed);
            let largest = ((1_u64 << width) - 1) as u32;
            let gene = Gene { start, bits: width.into(), signed, least: 0, largest, frozen };
            bits = start + gene.bits;
            genes.push(gene);
        }
        Self { genes, bits, formula: set.formula().cloned() }
    }

    /// One gene for each range of values, with as few bits as it needs.
    pub fn of_ranges(ranges: impl IntoIterator<Item = RangeInclusive<i32>>) -> Self {
        let mut bits = 0;
        let gene = |range: RangeInclusive<i32>| {
            let largest = range.end().abs_diff(*range.start());
            let count = largest.checked_ilog2().map_or(0, |bits| bits as usize + 1);
            let (start, least) = (bits, *range.start());
            bits += count;
            Gene { start, bits: count, signed: false, least, largest, frozen: None }
        };
        let genes = ranges.into_iter().map(gene).collect();
        Self { genes, bits, formula: None }
    }

    /// How many genes there are.
    pub fn len(&self) -> usize {
        self.genes.len()
    }

    /// Is there no gene?
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }

    /// How many bits a genome has.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The values of a gene.
    pub fn range(&self, gene: usize) -> RangeInclusive<i32> {
        let Gene { signed, least, largest, .. } = self.genes[gene];
        let largest = largest as i32;
        if signed { -largest..=largest } else { least..=least + largest }
    }

    /// Does the gene keep its value?
    pub fn is_frozen(&self, gene: usize) -> bool {
        self.genes[gene].frozen.is_some()
    }

    /// The value of a gene.
    pub fn get(&self, genome: &Genome, gene: usize) -> i32 {
        let Gene { start, bits, signed, least, largest, .. } = self.genes[gene];
        let mut bit = 0;
        let number = (start..start + bits).fold(0, |value, i| {
            bit ^= u32::from(genome.bit(i));
            value << 1 | bit
        });
        let number = number.min(largest) as i32;
        if signed && genome.bit(start - 1) { -number } else { least + number }
    }

    /// Sets a gene, to the nearest value that it can have.
    pub fn set(&self, genome: &mut Genome, gene: usize, value: i32) {
        let range = self.range(gene);
        let value = value.clamp(*range.start(), *range.end());
        let Gene { start, bits, signed, least, .. } = self.genes[gene];
        let number = value.abs_diff(least);
        let gray = number ^ number >> 1;
        if signed {
            genome.set(start - 1, value < 0);
        }
        for i in 0..bits {
            genome.set(start + i, gray >> (bits - 1 - i) & 1 != 0);
        }
    }

    /// Sets the frozen genes to the values that they keep.
    pub fn freeze(&self, genome: &mut Genome) {
        for (i, gene) in self.genes.iter().enumerate() {
            if let Some(value) = gene.frozen {
                self.set(genome, i, value.min(i32::MAX as u32) as i32);
            }
        }
    }

    /// A genome with random numbers. Its signs are those that the features were declared with:
    /// most are right, and it is left to evolution to find the others.
    pub fn random(&self, random: &mut Random) -> Genome {
        let mut genome = Genome::random(self.bits, random);
        for gene in self.genes.iter().filter(|gene| gene.signed) {
            genome.set(gene.start - 1, false);
        }
        self.freeze(&mut genome);
        genome
    }

    /// The values of all genes.
    pub fn values(&self, genome: &Genome) -> Vec<i32> {
        (0..self.len()).map(|gene| self.get(genome, gene)).collect()
    }

    /// The weights of all features.
    pub fn weights(&self, genome: &Genome) -> Vec<i32> {
        let values = self.values(genome);
        match &self.formula {
            Some(formula) => formula.weights(&values),
            None => values,
        }
    }

    /// The genome whose genes come nearest to these values: each is cut to what its gene can hold.
    pub fn genome(&self, weights: &[i32]) -> Genome {
        let mut genome = Genome::zeros(self.bits);
        for (gene, &weight) in weights.iter().enumerate().take(self.len()) {
            self.set(&mut genome, gene, weight);
        }
        self.freeze(&mut genome);
        genome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> GeneMap {
        GeneMap::new(&FeatureSet::named("paper").unwrap(), &[(0, 100)], false)
    }

    #[test]
    fn the_thesis_has_540_bits() {
        assert_eq!(map().bits(), 540);
    }

    #[test]
    fn genes_are_gray_coded_with_the_highest_bit_first() {
        let map = map();
        let mut genome = Genome::zeros(map.bits());
        // 5 is 101, in Gray code 111.
        map.set(&mut genome, 0, 5);
        let bits: Vec<bool> = (0..10).map(|i| genome.bit(i)).collect();
        assert_eq!(bits, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1].map(|bit| bit != 0));
        for value in 0..1023 {
            let mut next = genome.clone();
            map.set(&mut genome, 1, value);
            map.set(&mut next, 1, value + 1);
            assert_eq!(map.get(&genome, 1), value);
            assert_eq!(map.get(&next, 0), 5);
            if value > 0 {
                map.set(&mut genome, 0, 5);
                assert_eq!(genome.distance(&next), 1, "{value}");
            }
        }
    }

    #[test]
    fn a_cut_swaps_what_comes_after() {
        for at in [0, 1, 63, 64, 65, 127, 128, 149] {
            let (mut a, mut b) = (Genome::zeros(150), Genome::zeros(150));
            (0..150).for_each(|i| b.set(i, true));
            a.cut(&mut b, at);
            assert!((0..150).all(|i| a.bit(i) == (i >= at) && b.bit(i) == (i < at)), "{at}");
        }
    }

    #[test]
    fn weights_and_genomes_are_the_same_thing() {
        let map = map();
        let mut random = Random::new(1);
        for _ in 0..20 {
            let mut genome = Genome::random(map.bits(), &mut random);
            map.freeze(&mut genome);
            let weights = map.weights(&genome);
            assert_eq!(weights[0], 100);
            assert_eq!(map.genome(&weights), genome);
        }
        assert_eq!(map.weights(&map.genome(&[5000; 74]))[1], 1023);
        assert_eq!(map.weights(&map.genome(&[-1; 74]))[1], 0);
    }

    #[test]
    fn signed_genes_have_one_more_bit() {
        let map = GeneMap::new(&FeatureSet::named("paper").unwrap(), &[(0, 100)], true);
        assert_eq!(map.bits(), 540 + 73, "a frozen gene needs no sign");
        assert_eq!((map.range(0), map.range(1), map.range(40)), (0..=1023, -1023..=1023, -63..=63));
        let weights: Vec<i32> =
            (0..74).map(|i| if i == 0 { 100 } else { i % 3 * 30 - 30 }).collect();
        let mut genome = map.genome(&weights);
        assert_eq!(map.weights(&genome), weights);
        // The sign of the second gene stands after the ten bits of the first.
        assert!(weights[1] == 0 && !genome.bit(10) && weights[3] < 0);
        map.set(&mut genome, 1, 7);
        genome.flip(10);
        assert_eq!(map.get(&genome, 1), -7);
        assert_eq!(map.weights(&genome)[2..], weights[2..]);
        let limits = map.weights(&map.genome(&[-5000; 74]));
        assert_eq!((limits[0], limits[1], limits[40]), (100, -1023, -63));
    }

    #[test]
    fn genes_of_a_formula_are_not_weights() {
        let set = FeatureSet::named("hand-discount").unwrap();
        let map = GeneMap::new(&set, &[(0, 100)], false);
        // 67 of the thesis's features and the exponent.
        assert_eq!((map.len(), map.bits()), (68, 540 - 70 + 6));
        let genome = map.random(&mut Random::new(3));
        let weights = map.weights(&genome);
        assert_eq!(weights.len(), set.len());
        assert_eq!(weights, set.formula().unwrap().weights(&map.values(&genome)));
        assert_eq!(map.genome(&map.values(&genome)), genome);
    }

    #[test]
    fn ranges_have_as_few_bits_as_they_need() {
        let map = GeneMap::of_ranges([0..=1, 3..=15, 0..=4, 7..=7]);
        assert_eq!(map.bits(), 1 + 4 + 3);
        for values in [[0, 3, 0, 7], [1, 15, 4, 7], [1, 9, 3, 7]] {
            assert_eq!(map.weights(&map.genome(&values)), values);
        }
        assert_eq!(map.weights(&map.genome(&[5, 99, -1, 0])), [1, 15, 0, 7]);
        let mut random = Random::new(5);
        for _ in 0..100 {
            let values = map.weights(&map.random(&mut random));
            for (gene, value) in values.into_iter().enumerate() {
                assert!(map.range(gene).contains(&value), "{gene}: {value}");
            }
        }
    }

    #[test]
    fn text_and_back() {
        let mut random = Random::new(2);
        for bits in [0, 1, 63, 64, 65, 540] {
            let genome = Genome::random(bits, &mut random);
            let text = serde_json::to_string(&genome).unwrap();
            assert_eq!(serde_json::from_str::<Genome>(&text).unwrap(), genome);
        }
        for bad in ["", "3", "3:zz", "64:00", "1:0000000000000002", "1:00000000000000010"] {
            assert!(Genome::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn crossing_swaps_and_loses_nothing() {
        let mut random = Random::new(3);
        let (a, b) = (Genome::random(540, &mut random), Genome::random(540, &mut random));
        let (mut c, mut d) = (a.clone(), b.clone());
        c.cross(&mut d, 0.4, &mut random);
        let swapped = (0..540).filter(|&i| c.bit(i) != a.bit(i)).count();
        assert!((60..160).contains(&swapped), "{swapped}");
        for i in 0..540 {
            assert_eq!(
                u8::from(a.bit(i)) + u8::from(b.bit(i)),
                u8::from(c.bit(i)) + u8::from(d.bit(i))
            );
        }
    }

    #[test]
    fn mutation_flips_as_often_as_it_should() {
        let mut random = Random::new(4);
        let mut genome = Genome::zeros(100_000);
        genome.mutate(0.005, &mut random);
        let flipped = (0..100_000).filter(|&i| genome.bit(i)).count();
        assert!((420..580).contains(&flipped), "{flipped}");
    }
}
