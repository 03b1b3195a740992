//! The groups of features of a move: their names, what they tell apart, and where they lie.

use tesuji_shogi::{PieceKind, Square};

use super::network::{ROW_UNITS, WIDTH};
use crate::groups::{self, groups};
use crate::mirror::HALF;
use crate::piece_square::PIECE_SQUARES;

/// What moves: each kind without promotion, each that can promote with it, each that can be
/// dropped.
pub const ACTORS: usize = PieceKind::COUNT + 6 + PieceKind::HAND.len();
/// Differences of two squares in files or in ranks.
pub(super) const STEPS: usize = 17;
/// Kinds, and none of them.
pub(super) const KINDS_OR_NONE: usize = PieceKind::COUNT + 1;
/// What stands on a square: an own piece, one of the enemy, nothing, or it is not on the board.
pub(super) const CODES: usize = 2 * PieceKind::COUNT + 2;
/// Differences of up to four files and ranks, and anything farther.
pub(super) const NEAR: usize = 82;
/// Ranges of exchange values.
pub(super) const EXCHANGES: usize = 13;
/// Ranks of pieces as attackers: none, pawn, lance or knight, general, bishop, rook, king.
pub(super) const ATTACKERS: usize = 7;
/// Files of a rook, and none if there is not exactly one on the board.
pub(super) const FILES: usize = 10;
/// Which sorts of sliders of both sides attack a square.
pub(super) const LINES: usize = 64;
/// Squares around the target that are looked at, itself among them.
pub(super) const AROUND: usize = 25;

/// Own pieces on their squares.
pub(super) const PLACES: usize = KINDS * SQUARES;

const KINDS: usize = PieceKind::COUNT;
const SQUARES: usize = Square::COUNT;

groups! {
    /// A group of features. Of most groups a move has one feature, of some it has several or
    /// none.
    pub enum Group;

    // Groups with one feature of many thousands, too many for the network: it would learn by heart.
    /// What moves, the own king on its half of the board, the target.
    OwnKingTarget "own-king-target" ACTORS * HALF * SQUARES;
    /// What moves, the enemy king on its half of the board, the target.
    EnemyKingTarget "enemy-king-target" ACTORS * HALF * SQUARES;
    /// The kind, the own king, the origin.
    OwnKingOrigin "own-king-origin" KINDS * HALF * SQUARES;
    /// The kind, the enemy king, the origin.
    EnemyKingOrigin "enemy-king-origin" KINDS * HALF * SQUARES;
    /// Moves on the board by what moves, origin and target.
    FromTo "from-to" (KINDS + 6) * SQUARES * SQUARES;
    /// What moves, the file of the own rook, the target.
    OwnRookTarget "own-rook-target" ACTORS * FILES * SQUARES;
    /// What moves, the file of the enemy rook, the target.
    EnemyRookTarget "enemy-rook-target" ACTORS * FILES * SQUARES;
    /// The kind that the enemy moved last and its target, what moves and its target.
    ReplyTarget "reply-target" KINDS * SQUARES * ACTORS * SQUARES;
    /// The kind of the own last move and its target, what moves and its target.
    ContinuationTarget "continuation-target" KINDS * SQUARES * ACTORS * SQUARES;
    /// The kind that the enemy moved last, what moves, and the target relative to that of the last
    /// move.
    Reply "reply" KINDS_OR_NONE * ACTORS * NEAR;
    /// The kind of the own last move, what moves, and the target relative to that of the own last
    /// move.
    Continuation "continuation" KINDS_OR_NONE * ACTORS * NEAR;
    /// The piece on its square, as it stands after the move, beside each other piece on the board
    /// or in hand. What it leaves where it was is taken away.
    Pair "pair" PIECE_SQUARES * PLACES;
    // Groups of the network.
    /// What moves, the target relative to the own king.
    OwnKingOffset "own-king-offset" ACTORS * STEPS * STEPS;
    /// What moves, the target relative to the enemy king.
    EnemyKingOffset "enemy-king-offset" ACTORS * 9 * STEPS;
    /// What moves, and a kind that a player has in hand.
    Hands "hands" ACTORS * 2 * 7;
    /// What moves, by the number of pieces in hand of both players.
    Phase "phase" ACTORS * 8;
    /// What moves, the kind that it takes, whether that was protected.
    Capture "capture" ACTORS * KINDS * 2;
    /// What moves, the value of the exchange, whether it takes something.
    Exchange "exchange" ACTORS * EXCHANGES * 2;
    /// A check: what moves, the value of the exchange, the distance to the king.
    Check "check" ACTORS * 2 * 3;
    /// An answer to a check: taking, moving in between or moving the king; the value of the
    /// exchange.
    Evasion "evasion" ACTORS * 3 * 2;
    /// A piece that is attacked: by less, unprotected, by more than protect it, or otherwise; by
    /// the piece that moved last or not; the value of the exchange.
    Escape "escape" ACTORS * 4 * 2 * 2;
    /// How many attack the target: enemies, others of the own side.
    Control "control" ACTORS * 3 * 3;
    /// The least enemy that attacks the target, and whether others of the own side protect it.
    LeastAttacker "least-attacker" ACTORS * ATTACKERS * 2;
    /// What moves, and which lances, bishops and rooks of both sides attack the target.
    LinesToTarget "lines-to-target" ACTORS * LINES;
    /// The kind, and which lances, bishops and rooks of both sides attack the origin.
    LinesToOrigin "lines-to-origin" KINDS * LINES;
    /// An enemy piece that the move attacks: is it protected, is the attack new, is the piece safe.
    Attack "attack" ACTORS * KINDS * 2 * 2 * 2;
    /// An own piece that the move protects: is it attacked, by the piece that moved last, has it
    /// other protectors.
    Guard "guard" ACTORS * KINDS * 3 * 2;
    /// An own piece that is attacked and no longer protected by the piece that moves.
    Desert "desert" ACTORS * KINDS * 2;
    /// Taking a piece that attacks something: what moves, the most that is attacked.
    Relief "relief" ACTORS * 6;
    /// Squares around the enemy king that the piece attacks from its target.
    EnemyZone "enemy-zone" ACTORS * 6;
    /// Squares around the own king that the piece attacks from its target.
    OwnZone "own-zone" ACTORS * 6;
    /// A move of the king: change of enemy attacks around it, in check or not.
    KingStep "king-step" 7 * 2;
    /// What moves, the first piece ahead of the target, its distance.
    Ahead "ahead" ACTORS * CODES * 3;
    /// What moves, and what stands on a square near the target.
    Around "around" ACTORS * AROUND * CODES;
    /// The most valuable own piece that still hangs, did any hang before, check, taking.
    LeftHanging "left-hanging" ACTORS * 7 * 2 * 4;
    /// Squares where the enemy king can go, before and after; check.
    Escapes "escapes" ACTORS * 5 * 5 * 2;
    /// Squares beside the own king that are too little protected, and how many of them the piece
    /// protects.
    WeakSquares "weak-squares" ACTORS * 4 * 4;
    /// A lance, bishop or rook of either side and a piece on its line, which the move opens or
    /// closes; is the piece protected.
    Opened "opened" 2 * 3 * 2 * KINDS * 2 * 2;
    /// An enemy piece that is no longer attacked, and whether it is protected.
    Abandon "abandon" ACTORS * KINDS * 2;
    /// How many of the dropped kind are in hand.
    Held "held" ACTORS * 4;
    /// Taking back: what moves, what is taken, the value of the exchange.
    Recapture "recapture" ACTORS * KINDS * 2;
    /// The piece of the own last move moves on, or back.
    SamePiece "same-piece" ACTORS * 2;
}

impl Group {
    /// The first feature that the network knows: it knows this one and all that follow.
    pub const FIRST_OF_NETWORK: usize = Self::OwnKingOffset.range().start;
}

/// Counted up when the meaning of a feature changes though its group keeps name and size.
const DEFINITIONS: u32 = 4;

/// The identity of the features and of the network: a change of any group changes it.
pub fn feature_set_id() -> String {
    let definitions = format!("{DEFINITIONS}\nnetwork {WIDTH} {ROW_UNITS}");
    let groups = Group::ALL.iter().map(|group| (group.name(), group.range().len()));
    groups::identity("move", &definitions, groups)
}
