//! Formulas of the thesis in which genes are not weights: exponents and factors.
//!
//! Each of them is linear once the right things are counted apart: pieces in hand by how many are
//! in that hand, attacks around a king by how many pieces attack. A formula says how the weights of
//! those counts come out of the genes. Weights are in sixteenths of a point, so that little is lost
//! when they are rounded.

use std::sync::LazyLock;

use tesuji_shogi::{Bitboard, PieceKind};

use crate::dropped::{ATTACKERS_TABLE, KINDS, zone_incidence};
use crate::{Feature, FeatureSet, FeatureSetError, Group, Measure, View, paper};

/// What weights are multiplied by before they are rounded.
const UNITS: f64 = 16.0;
/// The exponent of the discount is its gene over this.
const EXPONENT_UNITS: f64 = 32.0;
/// Bits of a minor gene.
const MINOR: u8 = 6;
/// Bits of the factors w1 to w7, which are hundredths.
const FACTOR: u8 = 7;
/// Larger hands count as this one: no game has them.
const LARGEST_HAND: usize = 24;
/// Numbers of attackers that are told apart; more count as the last.
const ATTACKERS: usize = 7;

/// A gene of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaGene {
    /// Its name: a feature's if it is that feature's weight.
    pub name: String,
    /// How many bits it has.
    pub bits: u8,
}

/// How weights come out of genes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    genes: Vec<FormulaGene>,
    /// One for each feature.
    terms: Vec<Term>,
}

/// The weight of a feature; numbers are those of genes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    /// A gene, and that of a base if it is linked to one.
    Gene(usize, Option<usize>),
    /// A gene times (1/N)^i: equation 4.
    Discounted { weight: usize, exponent: usize, hand: usize },
    /// A gene times hundredths that are a gene themselves: equation 5, variant 1.
    Product { weight: usize, factor: usize },
    /// A gene times fixed hundredths: equation 5, variant 2.
    Hundredths { weight: usize, factor: i32 },
}

impl Formula {
    /// The genes in their order.
    pub fn genes(&self) -> &[FormulaGene] {
        &self.genes
    }

    /// The number of the gene with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.genes.iter().position(|gene| gene.name == name)
    }

    /// The weights of all features, in sixteenths of a point.
    ///
    /// # Panics
    /// If there are not as many values as genes.
    pub fn weights(&self, genes: &[i32]) -> Vec<i32> {
        let value = |gene: usize| f64::from(genes[gene]);
        let weight = |term: &Term| match *term {
            Term::Gene(gene, base) => value(gene) + base.map_or(0.0, value),
            Term::Discounted { weight, exponent, hand } => {
                value(weight) * (hand as f64).powf(-value(exponent) / EXPONENT_UNITS)
            }
            Term::Product { weight, factor } => value(weight) * value(factor) / 100.0,
            Term::Hundredths { weight, factor } => value(weight) * f64::from(factor) / 100.0,
        };
        self.terms.iter().map(|term| (UNITS * weight(term)).round() as i32).collect()
    }

    /// The thesis's features with the discount of the hand (equation 4) in place of the bonuses for
    /// pieces in hand; the exponent is a gene.
    pub(crate) fn hand_discount() -> Result<FeatureSet, FeatureSetError> {
        let mut builder = Builder::default();
        builder.linear(|feature| !feature.name.ends_with("_IN_HAND_BONUS"));
        let exponent = builder.gene("HAND_EXPONENT", MINOR);
        for (member, (name, sentence)) in HANDS.iter().enumerate() {
            let (hand, kind) = hand_member(member);
            let value = PIECE_VALUES[kind];
            let weight = builder.gene_named(value);
            let measure = member_of(held, |_, _| Bitboard::EMPTY, member);
            let feature = plain(name, sentence, Group::Material, measure);
            builder.add(feature, Term::Discounted { weight, exponent, hand });
        }
        builder.build("hand-discount")
    }

    /// The thesis's features with the function of attacks around kings (equation 5). Its factors are
    /// genes (variant 1), or fixed (variant 2).
    pub(crate) fn king_zone(evolved: bool) -> Result<FeatureSet, FeatureSetError> {
        let mut builder = Builder::default();
        builder.linear(|_| true);
        let factors: Vec<usize> = (1..=ATTACKERS)
            .filter(|_| evolved)
            .map(|n| builder.gene(&format!("ATTACKERS_{n}"), FACTOR))
            .collect();
        let kinds: Vec<usize> = (KINDS.iter())
            .map(|kind| builder.gene(&format!("ATTACK_{}", constant_name(*kind)), MINOR))
            .collect();
        for (member, (name, sentence)) in ZONES.iter().enumerate() {
            let (number, kind) = zone_member(member);
            let weight = kinds[kind];
            let term = match factors.get(number - 1) {
                Some(&factor) => Term::Product { weight, factor },
                None => Term::Hundredths { weight, factor: ATTACKERS_TABLE[number] },
            };
            let measure = member_of(zone_attacks, both_zones, member);
            builder.add(plain(name, sentence, Group::King, measure), term);
        }
        builder.build(if evolved { "king-zone" } else { "king-zone-fixed" })
    }
}

/// A set with a formula under construction.
#[derive(Default)]
struct Builder {
    features: Vec<Feature>,
    genes: Vec<FormulaGene>,
    terms: Vec<Term>,
}

impl Builder {
    /// The thesis's features that are wanted, each with a gene of its own.
    fn linear(&mut self, wanted: fn(&Feature) -> bool) {
        for mut feature in paper::features().into_iter().filter(wanted) {
            let gene = self.gene(feature.name, feature.bits);
            // The formula links them.
            let base = feature.linked_to.take().map(|base| self.gene_named(base));
            self.add(feature, Term::Gene(gene, base));
        }
    }

    fn gene(&mut self, name: &str, bits: u8) -> usize {
        self.genes.push(FormulaGene { name: name.to_owned(), bits });
        self.genes.len() - 1
    }

    /// The gene with this name, which is there.
    fn gene_named(&self, name: &str) -> usize {
        self.genes.iter().position(|gene| gene.name == name).unwrap_or(0)
    }

    fn add(&mut self, feature: Feature, term: Term) {
        self.features.push(feature);
        self.terms.push(term);
    }

    fn build(self, name: &str) -> Result<FeatureSet, FeatureSetError> {
        let formula = Formula { genes: self.genes, terms: self.terms };
        Ok(FeatureSet::new(name, self.features)?.with_formula(formula))
    }
}

fn plain(name: &'static str, sentence: &'static str, group: Group, measure: Measure) -> Feature {
    Feature { name, group, bits: MINOR, linked_to: None, sentence, measure }
}

fn member_of(
    value: fn(&View<'_>, usize) -> i32,
    squares: fn(&View<'_>, usize) -> Bitboard,
    member: usize,
) -> Measure {
    Measure::Member { value, squares, member, penalty: false }
}

/// The values of the kinds in hand, in the order of [`PieceKind::HAND`].
const PIECE_VALUES: [&str; 7] = [
    "PAWN_VALUE",
    "LANCE_VALUE",
    "KNIGHT_VALUE",
    "SILVER_VALUE",
    "BISHOP_VALUE",
    "ROOK_VALUE",
    "GOLD_VALUE",
];

/// Names and sentences of the kinds in a hand of each size.
static HANDS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let name = |member| {
        let (hand, kind) = hand_member(member);
        let kind = PieceKind::HAND[kind];
        (
            format!("HAND_OF_{hand}_{}", constant_name(kind)),
            format!("{} in a hand of {hand}, yours minus your opponent's.", kind.english()),
        )
    };
    (0..LARGEST_HAND * PieceKind::HAND.len()).map(name).collect()
});

/// Names and sentences of attacks by each kind where so many pieces attack.
static ZONES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let name = |member| {
        let (number, kind) = zone_member(member);
        let kind = KINDS[kind];
        (
            format!("ZONE_BY_{number}_{}", constant_name(kind)),
            format!("Attacks around the king by a {} where {number} attack.", kind.english()),
        )
    };
    (0..ATTACKERS * KINDS.len()).map(name).collect()
});

fn constant_name(kind: PieceKind) -> String {
    kind.english().to_uppercase().replace(' ', "_")
}

/// The size of the hand, and the place of the kind.
const fn hand_member(member: usize) -> (usize, usize) {
    (member / 7 + 1, member % 7)
}

/// The number of attackers, and the place of the kind.
const fn zone_member(member: usize) -> (usize, usize) {
    (member / KINDS.len() + 1, member % KINDS.len())
}

fn held(view: &View<'_>, member: usize) -> i32 {
    let (size, kind) = hand_member(member);
    let of = |color| {
        let hand = view.position().hand(color);
        let total = usize::try_from(u32::from(hand.total())).unwrap_or(0).min(LARGEST_HAND);
        if total == size { i32::from(hand.count(PieceKind::HAND[kind])) } else { 0 }
    };
    of(view.player()) - of(view.opponent())
}

fn zone_attacks(view: &View<'_>, member: usize) -> i32 {
    let (wanted, kind) = zone_member(member);
    let of = |color| {
        let (number, attacks) = zone_incidence(view, color, Some(KINDS[kind]));
        if number == wanted { attacks } else { 0 }
    };
    of(view.player()) - of(view.opponent())
}

fn both_zones(view: &View<'_>, _: usize) -> Bitboard {
    view.king_zone(view.player()) | view.king_zone(view.opponent())
}

#[cfg(test)]
mod tests {
    use tesuji_shogi::{Color, Position};

    use super::*;

    /// The formulas as the thesis prints them, straight from the board.
    fn score(set: &FeatureSet, genes: &[i32], sfen: &str) -> f64 {
        let position = Position::from_sfen(sfen).unwrap();
        let weights = set.formula().unwrap().weights(genes);
        let values = set.values(&position, Color::Black);
        let products = values.iter().zip(&weights).map(|(&v, &w)| f64::from(v) * f64::from(w));
        products.sum::<f64>() / UNITS
    }

    fn genes(set: &FeatureSet, given: &[(&str, i32)]) -> Vec<i32> {
        let formula = set.formula().unwrap();
        let mut genes = vec![0; formula.genes().len()];
        for &(name, value) in given {
            genes[formula.index_of(name).expect(name)] = value;
        }
        genes
    }

    #[test]
    fn a_hand_is_discounted_by_its_size() {
        let set = FeatureSet::named("hand-discount").unwrap();
        // A silver and three pawns in hand, i = 24/32: (1/4)^0.75 (500 + 3 · 100).
        let genes =
            genes(&set, &[("PAWN_VALUE", 100), ("SILVER_VALUE", 500), ("HAND_EXPONENT", 24)]);
        let found = score(&set, &genes, "4k4/9/9/9/9/9/9/9/4K4 b S3P2p 1");
        let expected = 4_f64.powf(-0.75) * 800.0 - 2_f64.powf(-0.75) * 200.0;
        assert!((found - expected).abs() < 0.2, "{found} {expected}");
    }

    #[test]
    fn attacks_count_by_kind_and_by_the_number_of_attackers() {
        let sfen = "4k4/9/4G4/5N3/9/9/9/9/4K4 b - 1";
        let evolved = FeatureSet::named("king-zone").unwrap();
        let given = [("ATTACK_GOLD", 10), ("ATTACK_KNIGHT", 40), ("ATTACKERS_2", 30)];
        // Two attackers: the gold attacks three squares of the zone, the knight one.
        let found = score(&evolved, &genes(&evolved, &given), sfen);
        assert!((found - 0.30 * (10.0 * 3.0 + 40.0)).abs() < 0.2, "{found}");
        let fixed = FeatureSet::named("king-zone-fixed").unwrap();
        let found = score(&fixed, &genes(&fixed, &given[..2]), sfen);
        assert!((found - 0.50 * (10.0 * 3.0 + 40.0)).abs() < 0.2, "{found}");
        assert_eq!(evolved.formula().unwrap().genes().len(), 74 + 7 + 13);
        assert_eq!(fixed.formula().unwrap().genes().len(), 74 + 13);
    }

    #[test]
    fn linear_weights_are_linked_as_before() {
        let set = FeatureSet::named("king-zone").unwrap();
        let genes = genes(&set, &[("SILVER_VALUE", 500), ("SILVER_IN_HAND_BONUS", 70)]);
        let weights = set.formula().unwrap().weights(&genes);
        let of = |name: &str| weights[set.index_of(name).unwrap()];
        assert_eq!((of("SILVER_VALUE"), of("SILVER_IN_HAND_BONUS")), (500 * 16, 570 * 16));
    }
}
