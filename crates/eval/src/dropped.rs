//! The features that the thesis tried and dropped, for ablation.
//!
//! Some of them are not linear in their weights. A set of features is, so each is given here in the
//! nearest form that is:
//!
//! - `WEIGHT_IN_GOLD` pools golds and everything that moves like one into one count, and
//!   `PROMOTED_LARGE` horses and dragons into one bonus: exact.
//! - `IN_HAND_DISCOUNT` is (1/N)^i times the weights of the N pieces in hand, where the exponent i
//!   is itself evolved. Here the seven kinds in hand are given for two exponents, `IN_HAND_HALF`
//!   (i = 1/2) and `IN_HAND_SHARE` (i = 1), in sixtieths of a piece. The set `hand-discount` has the
//!   formula as written, with the exponent for a gene.
//! - `KING_ZONE_ATTACK`, variant 2 (fixed table of attackers), is exact up to its scale:
//!   hundredths of an attack, without the division; the set `king-zone-fixed` divides.
//! - Variant 1 evolves the seven table entries too, which multiply the thirteen weights of the
//!   kinds: the set `king-zone`. `KING_ZONE_BY_ATTACKERS` has a weight for each entry and counts
//!   every kind alike.

use tesuji_shogi::{Bitboard, Color, PieceKind, Square, attacks};

use crate::paper::sum_of_distances;
use crate::{Feature, Group, Measure, View};

/// The share of the attack that counts, in hundredths, by the number of attacking pieces (0 to 7).
pub(crate) const ATTACKERS_TABLE: [i32; 8] = [0, 0, 50, 75, 88, 94, 97, 99];

/// Every kind but the king, in the order of the thesis's features.
pub(crate) const KINDS: [PieceKind; 13] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// Name and sentence of one feature for each kind but the king.
macro_rules! by_kind {
    ($prefix:literal, $before:literal, $after:literal) => {
        [
            (concat!($prefix, "_PAWN"), concat!($before, "pawns", $after)),
            (concat!($prefix, "_LANCE"), concat!($before, "lances", $after)),
            (concat!($prefix, "_KNIGHT"), concat!($before, "knights", $after)),
            (concat!($prefix, "_SILVER"), concat!($before, "silvers", $after)),
            (concat!($prefix, "_BISHOP"), concat!($before, "bishops", $after)),
            (concat!($prefix, "_ROOK"), concat!($before, "rooks", $after)),
            (concat!($prefix, "_GOLD"), concat!($before, "golds", $after)),
            (concat!($prefix, "_PROMOTED_PAWN"), concat!($before, "tokins", $after)),
            (concat!($prefix, "_PROMOTED_LANCE"), concat!($before, "promoted lances", $after)),
            (concat!($prefix, "_PROMOTED_KNIGHT"), concat!($before, "promoted knights", $after)),
            (concat!($prefix, "_PROMOTED_SILVER"), concat!($before, "promoted silvers", $after)),
            (concat!($prefix, "_PROMOTED_BISHOP"), concat!($before, "horses", $after)),
            (concat!($prefix, "_PROMOTED_ROOK"), concat!($before, "dragons", $after)),
        ]
    };
}
pub(crate) use by_kind;

/// Name and sentence of one feature for each kind that can be in hand, in the order of
/// [`PieceKind::HAND`].
macro_rules! by_hand {
    ($prefix:literal, $after:literal) => {
        [
            (concat!($prefix, "_PAWN"), concat!("Pawns", $after)),
            (concat!($prefix, "_LANCE"), concat!("Lances", $after)),
            (concat!($prefix, "_KNIGHT"), concat!("Knights", $after)),
            (concat!($prefix, "_SILVER"), concat!("Silvers", $after)),
            (concat!($prefix, "_BISHOP"), concat!("Bishops", $after)),
            (concat!($prefix, "_ROOK"), concat!("Rooks", $after)),
            (concat!($prefix, "_GOLD"), concat!("Golds", $after)),
        ]
    };
}

pub(crate) type Members<const N: usize> = [(&'static str, &'static str); N];

const DISTANCES: Members<13> =
    by_kind!("DTK_DIFF", "How far your ", " are from the enemy king, minus theirs from yours.");
const ZONE_ATTACKS: Members<13> = by_kind!(
    "KING_ZONE_ATTACK",
    "Attacks of ",
    " around the other's king, yours minus theirs, that count for more as more pieces attack."
);
const HALF: Members<7> = by_hand!(
    "IN_HAND_HALF",
    " in hand over the root of the number of all pieces in that hand, yours minus theirs."
);
const SHARE: Members<7> = by_hand!(
    "IN_HAND_SHARE",
    " in hand over the number of all pieces in that hand, yours minus theirs."
);
const BY_ATTACKERS: Members<7> = [
    ("KING_ZONE_BY_ATTACKERS_1", "Attacks around the king by one piece alone, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_2", "Attacks around the king by two pieces, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_3", "Attacks around the king by three pieces, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_4", "Attacks around the king by four pieces, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_5", "Attacks around the king by five pieces, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_6", "Attacks around the king by six pieces, yours minus theirs."),
    ("KING_ZONE_BY_ATTACKERS_7", "Attacks around the king by seven or more, yours minus theirs."),
];

/// The dropped features; no weights are linked.
pub fn features() -> Vec<Feature> {
    let mut features = Vec::from(SINGLE);
    let mut add = |members: &[(&'static str, &'static str)], group, value, squares| {
        for (member, &(name, sentence)) in members.iter().enumerate() {
            let measure = Measure::Member { value, squares, member, penalty: false };
            features.push(Feature { name, group, bits: 6, linked_to: None, sentence, measure });
        }
    };
    let nowhere: fn(&View<'_>, usize) -> Bitboard = |_, _| Bitboard::EMPTY;
    add(&HALF, Group::Material, |view, kind| discounted(view, kind, f64::sqrt), nowhere);
    add(&SHARE, Group::Material, |view, kind| discounted(view, kind, |all| all), nowhere);
    add(&ZONE_ATTACKS, Group::King, zone_attack, attacking_pieces);
    add(&BY_ATTACKERS, Group::King, zone_attack_by, both_zones);
    add(&DISTANCES, Group::Distance, distance_difference, |view, kind| {
        view.position().of_kind(KINDS[kind])
    });
    features
}

const fn single(
    name: &'static str,
    group: Group,
    bits: u8,
    sentence: &'static str,
    measure: Measure,
) -> Feature {
    Feature { name, group, bits, linked_to: None, sentence, measure }
}

const SINGLE: [Feature; 4] = [
    single(
        "WEIGHT_IN_GOLD",
        Group::Material,
        10,
        "Golds and all that move like one, yours minus your opponent's.",
        Measure::Number {
            value: |view| balance(view, view.position().golds()),
            squares: |view| view.position().golds(),
        },
    ),
    single(
        "PROMOTED_LARGE",
        Group::Material,
        10,
        "Horses and dragons, yours minus your opponent's.",
        Measure::Number {
            value: |view| balance(view, view.position().horses_and_dragons()),
            squares: |view| view.position().horses_and_dragons(),
        },
    ),
    single(
        "IN_HAND_COUNT",
        Group::Material,
        6,
        "How many pieces you hold in hand.",
        Measure::Number {
            value: |view| view.position().hand(view.player()).total().into(),
            squares: |_| Bitboard::EMPTY,
        },
    ),
    single(
        "KING_ATTACKS_SAFE",
        Group::King,
        6,
        "Attacks around the enemy king by pieces of yours that are protected themselves.",
        Measure::Number {
            value: |view| safe_attackers(view).map(|(_, attacked)| attacked.count() as i32).sum(),
            squares: |view| safe_attackers(view).map(|(from, _)| from).collect(),
        },
    ),
];

fn balance(view: &View<'_>, pieces: Bitboard) -> i32 {
    (pieces & view.own()).count() as i32 - (pieces & view.enemy()).count() as i32
}

/// The pieces of `color` that attack the other king's square or its neighbours, with what they
/// attack there.
fn attackers(view: &View<'_>, color: Color) -> impl Iterator<Item = (Square, Bitboard)> {
    let position = view.position();
    let zone = view.king_zone(!color);
    position.of_color(color).into_iter().filter_map(move |from| {
        let piece = position.piece_on(from)?;
        let attacked = attacks::of(piece, from, position.occupied()) & zone;
        (!attacked.is_empty()).then_some((from, attacked))
    })
}

fn safe_attackers(view: &View<'_>) -> impl Iterator<Item = (Square, Bitboard)> {
    let protected = view.counts().attacked(view.player());
    attackers(view, view.player()).filter(move |&(from, _)| protected.contains(from))
}

/// The pieces other than the king among the attackers.
fn zone_attackers(view: &View<'_>, color: Color) -> impl Iterator<Item = (Square, Bitboard)> {
    let king = view.position().king(color);
    attackers(view, color).filter(move |&(from, _)| Some(from) != king)
}

/// How many pieces attack, at most seven, and how often those of a kind or all of them do.
pub(crate) fn zone_incidence(
    view: &View<'_>,
    color: Color,
    kind: Option<PieceKind>,
) -> (usize, i32) {
    let pieces = kind.map_or(Bitboard::FULL, |kind| view.position().of_kind(kind));
    let (mut number, mut attacks) = (0, 0);
    for (from, attacked) in zone_attackers(view, color) {
        number += 1;
        if pieces.contains(from) {
            attacks += attacked.count() as i32;
        }
    }
    (number.min(7), attacks)
}

fn zone_attack(view: &View<'_>, kind: usize) -> i32 {
    let of = |color| {
        let (number, attacks) = zone_incidence(view, color, Some(KINDS[kind]));
        ATTACKERS_TABLE[number] * attacks
    };
    of(view.player()) - of(view.opponent())
}

fn zone_attack_by(view: &View<'_>, member: usize) -> i32 {
    let of = |color| {
        let (number, attacks) = zone_incidence(view, color, None);
        if number == member + 1 { attacks } else { 0 }
    };
    of(view.player()) - of(view.opponent())
}

fn attacking_pieces(view: &View<'_>, kind: usize) -> Bitboard {
    let all = Color::ALL.into_iter().flat_map(|color| zone_attackers(view, color));
    all.map(|(from, _)| from).collect::<Bitboard>() & view.position().of_kind(KINDS[kind])
}

fn both_zones(view: &View<'_>, _: usize) -> Bitboard {
    view.king_zone(view.player()) | view.king_zone(view.opponent())
}

/// Sixtieths of a piece in hand, divided by what `divisor` makes of the number of all in that hand.
fn discounted(view: &View<'_>, kind: usize, divisor: fn(f64) -> f64) -> i32 {
    let of = |color| {
        let hand = view.position().hand(color);
        let held = f64::from(hand.count(PieceKind::HAND[kind]));
        if held == 0.0 { 0 } else { (60.0 * held / divisor(hand.total().into())).round() as i32 }
    };
    of(view.player()) - of(view.opponent())
}

fn distance_difference(view: &View<'_>, kind: usize) -> i32 {
    sum_of_distances(view.own_kind(KINDS[kind]), view.enemy_king())
        - sum_of_distances(view.enemy_kind(KINDS[kind]), view.own_king())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_values;

    #[test]
    fn there_are_51_features() {
        assert_eq!(features().len(), 4 + 2 * 7 + 13 + 7 + 13);
    }

    #[test]
    fn values_on_small_boards() {
        assert_values(&[
            ("4k4/4+P1G2/9/9/9/9/9/9/4K4 w - 1", "WEIGHT_IN_GOLD", 2),
            ("4k4/9/9/9/9/9/9/+R8/4K2+b1 w - 1", "PROMOTED_LARGE", 0),
            ("4k4/9/9/9/9/9/9/9/4K4 w S3P 1", "IN_HAND_COUNT", 4),
            // Four pieces in hand: each counts a half or a quarter, in sixtieths.
            ("4k4/9/9/9/9/9/9/9/4K4 w S3P 1", "IN_HAND_HALF_PAWN", 90),
            ("4k4/9/9/9/9/9/9/9/4K4 w S3P 1", "IN_HAND_SHARE_SILVER", 15),
            // The gold on 5c attacks three squares around the king, but nothing protects it; with a
            // pawn behind it does count.
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "KING_ATTACKS_SAFE", 0),
            ("4k4/9/4G4/4P4/9/9/9/9/4K4 w - 1", "KING_ATTACKS_SAFE", 3),
            // One attacker counts nothing in variant 2; with a second, half.
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "KING_ZONE_ATTACK_GOLD", 0),
            ("4k4/9/4G4/9/9/8R/9/9/4K4 w - 1", "KING_ZONE_ATTACK_GOLD", 0),
            ("4k4/9/4G4/5N3/9/9/9/9/4K4 w - 1", "KING_ZONE_ATTACK_GOLD", 150),
            ("4k4/9/4G4/5N3/9/9/9/9/4K4 w - 1", "KING_ZONE_ATTACK_KNIGHT", 50),
            ("4k4/9/4G4/9/9/9/9/9/4K4 w - 1", "KING_ZONE_BY_ATTACKERS_1", 3),
            ("4k4/9/4G4/5N3/9/9/9/9/4K4 w - 1", "KING_ZONE_BY_ATTACKERS_2", 4),
            // Two squares from the enemy king; the enemy's four from ours.
            ("4k4/9/4G4/9/4g4/9/9/9/4K4 w - 1", "DTK_DIFF_GOLD", 2 - 4),
        ]);
    }
}
