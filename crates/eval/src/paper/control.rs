//! Control of squares all over the board.

use tesuji_shogi::{Bitboard, Color, PieceKind, attacks};

use crate::{Feature, Group, Measure, View};

const fn control(name: &'static str, sentence: &'static str, measure: Measure) -> Feature {
    Feature { name, group: Group::Control, bits: 6, linked_to: None, sentence, measure }
}

pub(super) const CAMPS: [Feature; 2] = [
    control(
        "IN_CAMP_VULNERABILITY_PENALTY",
        "Squares of your camp that your opponent attacks more often than you do.",
        Measure::Penalty(|view| view.own_camp() & view.counts().superior(view.opponent())),
    ),
    control(
        "OUT_CAMP_ATTACK",
        "Squares of the enemy camp that you attack more often than your opponent does.",
        Measure::Count(|view| view.enemy_camp() & view.counts().superior(view.player())),
    ),
];

pub(super) const BLOCKED_FLOW_SAFE: Feature = control(
    "BLOCKED_FLOW_SAFE",
    "Squares that protected pieces of yours hide from the enemy's rooks, bishops and lances.",
    Measure::Count(blocked_flow),
);

pub(super) const BALANCES: [Feature; 2] = [
    control(
        "AGGRESSION_BALANCE",
        "Ranks that your pieces have advanced, minus those of your opponent's.",
        Measure::Balance {
            value: |view| advance(view, view.player()) - advance(view, view.opponent()),
            squares: |view| view.own() | view.enemy(),
        },
    ),
    control(
        "TOTAL_ATTACKING",
        "Enemy pieces that you attack, minus those of yours that your opponent attacks.",
        Measure::Balance {
            value: |view| {
                let of = |color| attacked_pieces(view, color).count() as i32;
                of(view.player()) - of(view.opponent())
            },
            squares: |view| attacked_pieces(view, view.player()),
        },
    ),
];

/// The same as the thesis's program has it: every attack on any square counts.
pub(super) const TOTAL_ATTACKS: Feature = control(
    "TOTAL_ATTACKS",
    "All attacks of your pieces, minus those of your opponent's.",
    Measure::Balance {
        value: |view| total_attacks(view, view.player()) - total_attacks(view, view.opponent()),
        squares: |view| view.counts().attacked(view.player()),
    },
);

/// Ranks that the pieces of `color` stand before their own back rank.
fn advance(view: &View<'_>, color: Color) -> i32 {
    let pieces = view.position().of_color(color);
    (1..=9_u8)
        .map(|rank| {
            let steps = i32::from(if color == Color::Black { 9 - rank } else { rank - 1 });
            steps * (pieces & Bitboard::rank(rank)).count() as i32
        })
        .sum()
}

/// The pieces that `color` attacks.
fn attacked_pieces(view: &View<'_>, color: Color) -> Bitboard {
    view.position().of_color(!color) & view.counts().attacked(color)
}

fn total_attacks(view: &View<'_>, color: Color) -> i32 {
    view.counts().sum(color, Bitboard::FULL) as i32
}

/// The enemy's rooks, dragons, bishops, horses and lances with what each of them attacks, were the
/// squares of `occupied` occupied.
fn enemy_sliders(view: &View<'_>) -> Bitboard {
    let position = view.position();
    let large = position.straight_sliders() | position.diagonal_sliders();
    (large & view.enemy()) | view.enemy_kind(PieceKind::Lance)
}

/// For each enemy slider whose way ends at a protected piece of ours: the squares behind that piece
/// up to the next one, that one too if it is ours; without those that some enemy slider reaches.
fn blocked_flow(view: &View<'_>) -> Bitboard {
    let position = view.position();
    let occupied = position.occupied();
    let shields = view.own() & view.counts().attacked(view.player());
    let mut reached = Bitboard::EMPTY;
    let mut hidden = Bitboard::EMPTY;
    for slider in enemy_sliders(view) {
        let Some(piece) = position.piece_on(slider) else { continue };
        let direct = attacks::of(piece, slider, occupied);
        reached |= direct;
        for shield in direct & shields {
            let through = attacks::of(piece, slider, occupied.without(Bitboard::of(shield)));
            hidden |= through.without(direct | view.enemy());
        }
    }
    hidden.without(reached)
}
