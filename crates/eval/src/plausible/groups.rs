//! What the values of generators depend on: groups of numbered features, one for each generator, and
//! those for what a move costs.

use tesuji_shogi::PieceKind;

use super::Generator;
use crate::groups::{self, groups};

/// Kinds that move, kinds that promote, kinds that are dropped.
pub const ACTORS: usize = KINDS + 6 + 7;
/// Ranges of what an exchange gains or loses.
pub(super) const EXCHANGES: usize = 13;
/// Pieces from least to most: pawns; lances and knights; generals; bishops; rooks; kings.
pub(super) const RANKS: usize = 6;
/// Ranges of what a castle map or an assault map gains.
pub(super) const MAP_GAINS: usize = 6;
/// Ranges of how likely a pattern is that is a reason for a move.
pub(super) const LIKELY_PATTERNS: usize = 24;
/// Ranges of how likely any pattern is.
pub(super) const PATTERNS: usize = 48;
/// Files either way and ranks from one square to another.
pub(super) const DISTANCES: usize = 9 * 17;
/// The same, up to four, and whatever is farther.
pub(super) const NEAR: usize = 5 * 9 + 1;
/// Ranges of the most that an exchange wins or loses.
pub(super) const PRIZES: usize = 4;
/// What has part in the level of all merits of a position: whether a strong threat is on the board, how
/// many kinds are in hand, what is to be won and to be lost, whether the last piece can be taken.
pub const LEVELS: usize = 2 * 8 * PRIZES * PRIZES * 2;
/// Whether a strong threat is on the board, and ranges of the number of pieces in hand.
pub(super) const PHASES: usize = 16;
/// What stands on a square: an own piece, one of the enemy, nothing, or it is not on the board.
pub(super) const CODES: usize = 2 * PieceKind::COUNT + 2;

const KINDS: usize = PieceKind::COUNT;
/// Changed when a definition changes that names and sizes do not tell.
const DEFINITIONS: &str = "5";

groups! {
    /// What the value of a generator depends on, and then the costs of a move.
    pub enum Group;

    /// The kind that is taken, whether it has just moved there, whether it is protected, and the
    /// rank of the piece that takes.
    Capture "capture" KINDS * 2 * 2 * RANKS;
    /// The mover, whether the square is attacked, whether something is taken.
    Promote "promote" ACTORS * 2 * 2;
    /// The mover, how many flights it takes away, whether it is safe.
    Check "check" ACTORS * 4 * 2;
    /// The mover, how many squares beside the king it newly attacks, whether it is safe.
    AttackKing "attack-king" ACTORS * 5 * 2;
    /// The rank of the mover, whether it is dropped, the kind that is attacked, whether that is
    /// protected, whether the mover is safe.
    AttackMaterial "attack-material" RANKS * 2 * KINDS * 2 * 2;
    /// The kind that is attacked, whether the mover is safe.
    DiscoveredAttack "discovered-attack" KINDS * 2;
    /// The mover, whether a square is free of enemy attacks, whether the mover is safe.
    ThreatenPromotion "threaten-promotion" ACTORS * 2 * 2;
    /// The mover, and how: by going away, by taking, by interposing; whether it is safe.
    AnswerCheck "answer-check" ACTORS * 3 * 2;
    /// The mover, how, and how many squares beside the king are attacked.
    DefendKing "defend-king" ACTORS * 6 * 4;
    /// The kind that is saved, how, and the rank of the mover, whether its attacker has just moved.
    DefendMaterial "defend-material" KINDS * 4 * RANKS * 2;
    /// The kind behind, and how.
    DefendDiscovered "defend-discovered" KINDS * 4;
    /// How, and the mover.
    DefendPromotion "defend-promotion" 3 * ACTORS;
    /// How, and the kind that is pinned.
    DefendPin "defend-pin" 3 * KINDS;
    /// The kind that is protected, and the rank of the mover.
    EaseTie "ease-tie" KINDS * RANKS;
    /// The kind that is protected, whether it is attacked, and the rank of the mover.
    GuardUndefended "guard-undefended" KINDS * 2 * RANKS;
    /// The kind that is protected, and the rank of the mover.
    DefendExchange "defend-exchange" KINDS * RANKS;
    /// The mover, and how many squares.
    CoverOwnCamp "cover-own-camp" ACTORS * 4;
    /// A move of the book; what the map of a castle gains, and that of an assault, by kind; how
    /// likely the pattern is, for moves and for drops.
    Develop "develop" 1 + 2 * KINDS * MAP_GAINS + 2 * LIKELY_PATTERNS;
    /// The kind that is pinned, and the kind behind it.
    Pin "pin" KINDS * KINDS;
    /// The mover, and how many squares.
    CoverEnemyCamp "cover-enemy-camp" ACTORS * 4;
    /// The kind that wants the square, and whether it is taken or controlled.
    AvoidDevelopment "avoid-development" KINDS * 2;

    /// A cost: what the exchange on the target gains, the mover, whether it gives check.
    Exchange "exchange" EXCHANGES * ACTORS * 2;
    /// A cost: the rank of the most that is left for the opponent to win; whether the move gives
    /// check, whether it takes.
    LeftHanging "left-hanging" (RANKS + 1) * 4;
    /// A cost: the rank of the most that the piece protected and that is attacked.
    Deserted "deserted" RANKS;
    /// A cost of a move that takes nothing and does not promote: the mover, how likely the pattern
    /// is, whether a strong threat is on the board.
    Pattern "pattern" 2 * ACTORS * PATTERNS;
    /// A cost: the kind, whether it is attacked and protected where it stands, whether by the enemy
    /// that moved last, whether it is safe where it goes.
    Origin "origin" KINDS * 2 * 2 * 2 * 2;
    /// A cost: the mover, how many enemies attack the target, whether another own piece does.
    Target "target" ACTORS * 3 * 2;
    /// A cost: the mover, and where the enemy king is seen from the target.
    EnemyKing "enemy-king" ACTORS * DISTANCES;
    /// A cost: the mover, what stands on the square ahead of the target.
    Ahead "ahead" ACTORS * CODES;
    /// A cost of a drop: the kind, how many of them are in hand.
    Held "held" 7 * 4;
    /// A cost: the mover, how many squares beside the enemy king it attacks.
    EnemyZone "enemy-zone" ACTORS * 6;
    /// A cost: the mover, how many enemies it attacks, how many own pieces it protects.
    Touched "touched" ACTORS * 4 * 4;
    /// A cost: the mover, whether a strong threat is on the board, pieces in hand.
    Phase "phase" PHASES * ACTORS;
    /// A cost: the kind that the enemy moved last, the mover, where the target lies from there.
    Reply "reply" (KINDS + 1) * ACTORS * NEAR;
    /// A cost: the kind of the own last move, the mover, where the target lies from there; or the
    /// same piece moves on, or back.
    Continuation "continuation" (KINDS + 1) * ACTORS * (NEAR + 2);
    /// The level of all merits of a position.
    Level "level" LEVELS;
}

impl Group {
    /// The generator whose values these are; none for costs.
    pub fn generator(self) -> Option<Generator> {
        Generator::ALL.get(self as usize).copied()
    }
}

/// The identity of the features.
pub fn feature_set_id() -> String {
    let groups = Group::ALL.iter().map(|group| (group.name(), group.range().len()));
    groups::identity("merit", DEFINITIONS, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generator_has_its_group() {
        for generator in Generator::ALL {
            let group = Group::ALL[generator as usize];
            assert_eq!(group.generator(), Some(generator));
            assert_eq!(group.name(), generator.name());
        }
        assert_eq!(Group::Exchange.generator(), None);
    }
}
