//! What the families of features share, worked out once for a position.

use tesuji_shogi::{Bitboard, Color, attacks};

use super::checks::CheckSquares;
use super::class::{BY_COST, CLASSES, KING, class_of};
use super::exchange::Exchanges;
use super::phase::progress;
use super::shelter::Shelter;
use crate::View;

/// One number for each class of pieces, the king's last.
pub(super) type ByClass<T> = [T; CLASSES + 1];

/// Index of the player's own half of a survey.
pub(super) const OWN: usize = 0;
/// Index of the opponent's half of a survey.
pub(super) const ENEMY: usize = 1;

/// A position gone through piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    /// What there is to say of the player and of the opponent.
    pub(super) sides: [Side; 2],
    /// What captures would gain.
    pub(super) exchanges: Exchanges,
    /// What stands around the player's king.
    pub(super) shelter: Shelter,
    /// How far the game has come, 0 to 10.
    pub(super) progress: i32,
}

/// The pieces of one player and what they reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// The pieces.
    pub(super) pieces: ByClass<Bitboard>,
    /// Every square that some piece attacks.
    pub(super) attacked: Bitboard,
    /// The squares attacked by a piece that is cheaper than one of the class.
    pub(super) attacked_by_cheaper: ByClass<Bitboard>,
    /// Moves of the pieces to squares that the other side does not attack.
    pub(super) mobility: ByClass<i16>,
    /// Attacks on the other king's square and the squares around it.
    pub(super) assault: ByClass<i16>,
    /// The same, with the squares two steps from the king.
    pub(super) wide_assault: ByClass<i16>,
    /// Attacks on the squares around the own king.
    pub(super) guard: ByClass<i16>,
    /// Squares that the side attacks more often than the other.
    pub(super) superior: Bitboard,
    /// Squares from which a piece could give a check next that is not simply taken.
    pub(super) move_checks: Bitboard,
    /// Kinds and squares with which a check could be dropped that is not simply taken, pawns aside.
    pub(super) drop_checks: i16,
    /// Pieces by rank, the farthest first.
    pub(super) ranks: ByClass<[i8; 9]>,
    /// Pieces by file, the one at the player's right hand first.
    pub(super) files: ByClass<[i8; 9]>,
    /// Pieces at most two steps from the own king, the king aside.
    pub(super) near_own_king: Bitboard,
    /// Pieces at most two steps from the other king, the king aside.
    pub(super) near_other_king: Bitboard,
}

impl Survey {
    /// Goes through the position.
    pub(crate) fn new(view: &View<'_>) -> Self {
        let sides = [Side::new(view, view.player()), Side::new(view, view.opponent())];
        let exchanges = Exchanges::new(view, &sides);
        let shelter = Shelter::new(view, &sides[OWN]);
        Self { sides, exchanges, shelter, progress: progress(view) }
    }
}

impl Side {
    fn new(view: &View<'_>, color: Color) -> Self {
        let position = view.position();
        let occupied = position.occupied();
        let safe = !(position.of_color(color) | view.counts().attacked(!color));
        let zone = |color, radius| {
            position.king(color).map_or(Bitboard::EMPTY, |king| attacks::king_zone(king, radius))
        };
        let (guarded, near, wide) = (zone(color, 1), zone(!color, 1), zone(!color, 2));
        let checks = CheckSquares::new(view, color);
        let mut side = Self {
            attacked: view.counts().attacked(color),
            superior: view.counts().superior(color),
            drop_checks: checks.drops(position).map(count).sum(),
            ..Self::default()
        };
        let mut reach = [Bitboard::EMPTY; CLASSES + 1];
        for square in position.of_color(color) {
            let Some(piece) = position.piece_on(square) else { continue };
            let class = class_of(piece.kind());
            let attacked = attacks::of(piece, square, occupied);
            side.pieces[class] |= Bitboard::of(square);
            reach[class] |= attacked;
            side.mobility[class] += count(attacked & safe);
            side.guard[class] += count(attacked & guarded);
            side.assault[class] += count(attacked & near);
            side.wide_assault[class] += count(attacked & wide);
            side.move_checks |= checks.reached(piece.kind(), square, attacked);
            let seen = square.seen_by(color);
            side.ranks[class][usize::from(seen.rank()) - 1] += 1;
            side.files[class][usize::from(seen.file()) - 1] += 1;
        }
        let pieces = position.of_color(color).without(side.pieces[KING]);
        side.near_own_king = pieces & zone(color, 2);
        side.near_other_king = pieces & wide;
        let mut cheaper = Bitboard::EMPTY;
        for class in BY_COST {
            side.attacked_by_cheaper[class] = cheaper;
            cheaper |= reach[class];
        }
        side.attacked_by_cheaper[KING] = cheaper;
        side
    }
}

/// The size of a set as the survey keeps it; most sets are empty, which is seen at once.
pub(super) fn count(set: Bitboard) -> i16 {
    if set.is_empty() { 0 } else { set.count() as i16 }
}
