//! What captures would gain, the recaptures counted.

use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

use super::survey::Side;
use crate::View;

/// What taking a piece of a kind gains: it leaves the board, and its plain side comes to hand. In
/// tenths of a pawn.
pub(super) const CAPTURE: [i32; PieceKind::COUNT] =
    [20, 60, 70, 100, 160, 200, 110, 0, 60, 80, 85, 105, 190, 230];
/// What promoting gains, by plain kind, in tenths of a pawn.
pub(super) const PROMOTION: [i32; PieceKind::COUNT] =
    [40, 20, 15, 5, 30, 30, 0, 0, 0, 0, 0, 0, 0, 0];
/// Half a pawn, in tenths of one: the unit of the features.
pub(super) const HALF_PAWN: i32 = 5;
/// Kinds in the order in which they are best risked; the king comes last.
pub(super) const RISK: [PieceKind; PieceKind::COUNT] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::ProPawn,
    PieceKind::Knight,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::Silver,
    PieceKind::ProSilver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Horse,
    PieceKind::Rook,
    PieceKind::Dragon,
    PieceKind::King,
];

/// The captures of both sides that gain something.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchanges {
    /// The player's pieces that the opponent, who is to move, takes with a gain.
    pub(super) losses: Bitboard,
    /// The two largest of those gains.
    pub(super) largest_losses: [i32; 2],
    /// The opponent's pieces that the player would take with a gain, were it his move.
    pub(super) wins: Bitboard,
    /// The two largest of those gains.
    pub(super) largest_wins: [i32; 2],
}

impl Exchanges {
    pub(super) fn new(view: &View<'_>, sides: &[Side; 2]) -> Self {
        let position = view.position();
        let mut exchanges = Self::default();
        let (player, opponent) = (view.player(), view.opponent());
        for square in view.own() & sides[1].attacked & answers(view) {
            let gain = gain_on(position, square, opponent);
            if gain > 0 {
                exchanges.losses |= Bitboard::of(square);
                keep_two(&mut exchanges.largest_losses, gain);
            }
        }
        let kings = position.of_kind(PieceKind::King);
        for square in (view.enemy() & sides[0].attacked).without(kings) {
            let gain = gain_on(position, square, player);
            if gain > 0 {
                exchanges.wins |= Bitboard::of(square);
                keep_two(&mut exchanges.largest_wins, gain);
            }
        }
        exchanges
    }
}

/// The squares where the opponent may take: all, but in check only the checking piece and what the
/// king can take.
fn answers(view: &View<'_>) -> Bitboard {
    let position = view.position();
    let checkers = position.checkers();
    match view.enemy_king() {
        Some(king) if !checkers.is_empty() && position.side_to_move() == view.opponent() => {
            let near = attacks::king(king).without(view.counts().attacked(view.player()));
            if checkers.has_several() { near } else { near | checkers }
        }
        _ => Bitboard::FULL,
    }
}

fn keep_two(largest: &mut [i32; 2], gain: i32) {
    if gain > largest[0] {
        *largest = [gain, largest[0]];
    } else {
        largest[1] = largest[1].max(gain);
    }
}

/// What `side` gains by taking on `target` if from then on both sides take there, or stop, as suits
/// them best: the cheapest piece first, promoting when it can, the king last and only what is not
/// protected. Pins are not looked at. Zero if taking does not pay.
pub(super) fn gain_on(position: &Position, target: Square, side: Color) -> i32 {
    let Some(standing) = position.piece_on(target) else { return 0 };
    let mut occupied = position.occupied();
    let mut standing = standing.kind();
    let mut side = side;
    let mut gains = [0; 40];
    let mut length = 0;
    while let Some((from, kind)) = cheapest_taker(position, target, side, occupied) {
        let zone = Bitboard::promotion_zone(side);
        let promoted =
            if zone.contains(from) || zone.contains(target) { kind.promoted() } else { None };
        gains[length] = CAPTURE[standing.index()] + promoted.map_or(0, |_| PROMOTION[kind.index()]);
        length += 1;
        standing = promoted.unwrap_or(kind);
        occupied ^= Bitboard::of(from);
        side = !side;
    }
    // From the last capture back: each side takes only if that gains something.
    gains[..length].iter().rev().fold(0, |later, gain| (gain - later).max(0))
}

/// The piece of `side` that attacks `target`, given what still stands, and is cheapest to lose.
fn cheapest_taker(
    position: &Position,
    target: Square,
    side: Color,
    occupied: Bitboard,
) -> Option<(Square, PieceKind)> {
    let attackers = position.attackers(target, side, occupied) & occupied;
    if attackers.is_empty() {
        return None;
    }
    let kind = RISK.into_iter().find(|&kind| position.of_kind(kind).intersects(attackers))?;
    if kind == PieceKind::King
        && !(position.attackers(target, !side, occupied) & occupied).is_empty()
    {
        return None;
    }
    let from = (position.of_kind(kind) & attackers).first()?;
    Some((from, kind))
}
