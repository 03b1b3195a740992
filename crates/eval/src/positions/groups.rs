//! The groups of features of a position: their names, what they tell apart, and where they lie.

use tesuji_shogi::{PieceKind, Square};

use crate::groups::{self, groups};
use crate::mirror::{HALF, OFFSETS};
use crate::piece_square::{HELD, PIECE_SQUARES, PIECES};

/// What stands on a square: a piece, or nothing.
pub(super) const CODES: usize = PIECES + 1;
/// Squares up to three files and ranks away, left and right being the same.
pub(super) const NEAR: usize = 4 * 7;
/// How many pieces of each side attack a square, up to two.
pub(super) const BALANCES: usize = 3 * 3;
/// Ranks of pieces as attackers: none, pawn, lance or knight, general, bishop, rook, king.
pub(super) const ATTACKERS: usize = 7;
/// Ranges of what an exchange gains.
pub(super) const GAINS: usize = 13;
/// Kinds of sliders with their side.
pub(super) const SLIDERS: usize = 10;

pub(super) const SQUARES: usize = Square::COUNT;
const KINDS: usize = PieceKind::COUNT;

groups! {
    /// A group of features of a position as the player sees it who has just moved.
    pub enum Group;

    /// A piece and its square.
    Place "place" PIECES * SQUARES;
    /// A piece, its square, and the own king on its half of the board.
    OwnKing "own-king" PIECES * HALF * SQUARES;
    /// A piece, its square, and the opponent's king on its half of the board.
    EnemyKing "enemy-king" PIECES * HALF * SQUARES;
    /// A piece and where it stands relative to the own king.
    OwnKingOffset "own-king-offset" PIECES * OFFSETS;
    /// A piece and where it stands relative to the opponent's king.
    EnemyKingOffset "enemy-king-offset" PIECES * OFFSETS;
    /// A piece, its square, and on which third of the board each king is.
    Formation "formation" PIECES * SQUARES * 9;
    /// So many pieces of a kind in hand.
    Hand "hand" HELD;
    /// Two pieces on their squares, or in hand.
    Pair "pair" PIECE_SQUARES * (PIECE_SQUARES - 1) / 2;
    /// Two pieces at most two files and ranks apart, by their difference.
    Neighbours "neighbours" PIECES * PIECES * 15;
    /// The same with the rank of one of them.
    NeighboursRank "neighbours-rank" PIECES * PIECES * 15 * 9;
    /// Two pieces at most two files and ranks from the own king.
    OwnCastle "own-castle" 25 * PIECES * (25 * PIECES - 1) / 2;
    /// Two pieces at most two files and ranks from the opponent's king.
    EnemyCastle "enemy-castle" 25 * PIECES * (25 * PIECES - 1) / 2;
    /// A square, what stands on it, and how many of each side attack it.
    Control "control" CODES * BALANCES * SQUARES;
    /// The same relative to the own king.
    OwnKingControl "own-king-control" CODES * BALANCES * NEAR;
    /// The same relative to the opponent's king.
    EnemyKingControl "enemy-king-control" CODES * BALANCES * NEAR;
    /// A piece, how many attack and protect it, and the least of each.
    Exposed "exposed" PIECES * BALANCES * ATTACKERS * ATTACKERS;
    /// What stands on a square, and which ranks of attackers each side has.
    Tension "tension" CODES * 64 * 64;
    /// A piece that is attacked, the least attacker, whether it is protected, and its square.
    ExposedPlace "exposed-place" PIECES * ATTACKERS * 2 * SQUARES;
    /// A piece that attacks a square, and what stands there.
    Reach "reach" PIECES * CODES * SQUARES;
    /// The same relative to the own king.
    OwnKingReach "own-king-reach" PIECES * CODES * NEAR;
    /// The same relative to the opponent's king.
    EnemyKingReach "enemy-king-reach" PIECES * CODES * NEAR;
    /// A piece that attacks or protects another, and how many others do.
    Aim "aim" PIECES * CODES * BALANCES;
    /// An own piece that the opponent gains by taking, and how much.
    Loss "loss" KINDS * GAINS;
    /// A piece of the opponent that would be gained if the turn were ours, and how much.
    Threat "threat" KINDS * GAINS;
    /// The most that each side gains by taking.
    Balance "balance" GAINS * GAINS;
    /// The second most that each side gains by taking.
    SecondBalance "second-balance" GAINS * GAINS;
    /// The opponent is in check: by what, its distance, who can take it, how many moves are left.
    Check "check" KINDS * 3 * 3 * 6;
    /// Escapes of each king, attacked squares around it, strong pieces in the other side's hand.
    KingSafety "king-safety" 2 * 9 * 9 * 4;
    /// Squares beside a king that only it protects, where the other side can drop a piece of a kind
    /// or move one with check, and the escapes of the king.
    Breach "breach" 2 * 8 * 2 * 4;
    /// A slider and how far it reaches.
    Mobility "mobility" SLIDERS * 17;
    /// A slider, the first piece in its way, and the next behind that.
    Ray "ray" SLIDERS * CODES * CODES;
}

/// Counted up when the meaning of a feature changes though its group keeps name and size.
const DEFINITIONS: u32 = 1;

/// The identity of the features: a change of any group changes it.
pub fn feature_set_id() -> String {
    let groups = Group::ALL.iter().map(|group| (group.name(), group.range().len()));
    groups::identity("static", &DEFINITIONS.to_string(), groups)
}
