//! What a mistake conceded, in features: the end of the best line beside the end of the line that
//! follows the move of the game.

use tesuji_eval::{Contrast, Group, Weights};
use tesuji_shogi::{Color, Move, PieceKind, Position};

/// How far both lines are followed; farther as long as pieces are being taken.
const PLIES: usize = 6;
const MOST_PLIES: usize = 14;
/// How many features are named.
const NAMED: usize = 4;
/// A feature is named if it is this part of the largest.
const WORTH_NAMING: f64 = 0.12;

/// The lines that are compared.
pub(super) struct Lines<'a> {
    pub(super) position: &'a Position,
    pub(super) best: &'a [Move],
    pub(super) played: &'a [Move],
}

/// What a move conceded, compared with the best one.
#[derive(Clone, PartialEq, Debug)]
pub struct Concession {
    /// How many plies of each line were played.
    pub plies: usize,
    /// Pieces as people count them: `a rook for 2 pawns`; empty if both lines have the same.
    pub pieces: String,
    /// Features that speak for the best line, the strongest first. All of material is one of them.
    pub features: Vec<ConcededFeature>,
}

/// A feature that is worse for the player after the move of the game than after the best one.
#[derive(Clone, PartialEq, Debug)]
pub struct ConcededFeature {
    /// Its name; `MATERIAL` for everything about pieces.
    pub name: &'static str,
    /// The group of features that it belongs to.
    pub group: Group,
    /// What it means; "you" is the player who moved.
    pub sentence: String,
    /// What it costs, in the unit of the weights; positive.
    pub cost: f64,
    /// The player's value less the opponent's at the end of the best line, and of the other.
    pub values: Option<[i32; 2]>,
}

impl Concession {
    /// Compares the ends of two lines; `None` if nothing got worse that has a name.
    pub(super) fn new(lines: &Lines<'_>, weights: &Weights) -> Option<Self> {
        let plies = lines.quiet_length();
        let best = after(lines.position, lines.best.get(..plies)?)?;
        let played = after(lines.position, lines.played.get(..plies)?)?;
        let player = lines.position.side_to_move();
        let contrasts = weights.contrast(&played, &best, player);
        let pieces = pieces(&best, &played, player);
        let mut features = material(&contrasts, &pieces);
        let others = contrasts.iter().filter(|contrast| !is_material(contrast));
        features.extend(others.filter(|contrast| contrast.effect() > 0).map(ConcededFeature::of));
        features.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let least = features.first()?.cost * WORTH_NAMING;
        features.retain(|feature| feature.cost >= least);
        features.truncate(NAMED);
        Some(Self { plies, pieces, features })
    }
}

impl ConcededFeature {
    fn of(contrast: &Contrast<'_>) -> Self {
        let feature = contrast.first.feature;
        let value = |term: &tesuji_eval::Term<'_>| term.own_value - term.enemy_value;
        Self {
            name: feature.name,
            group: feature.group,
            sentence: feature.sentence.to_owned(),
            cost: half(contrast.effect()),
            values: Some([value(&contrast.second), value(&contrast.first)]),
        }
    }
}

/// Both players' views are half of the score each, as in the search.
fn half(effect: i32) -> f64 {
    f64::from(effect) / 2.0
}

fn is_material(contrast: &Contrast<'_>) -> bool {
    contrast.first.feature.group == Group::Material
}

/// Everything about pieces as one feature: a rook that is lost is one less on the board and one more
/// in the opponent's hand, which nobody would count apart.
fn material(contrasts: &[Contrast<'_>], pieces: &str) -> Vec<ConcededFeature> {
    let cost: f64 = contrasts.iter().filter(|c| is_material(c)).map(|c| half(c.effect())).sum();
    let sentence = match pieces {
        "" => "Pieces: the same, but fewer of yours promoted or in hand.".to_owned(),
        pieces => format!("Pieces: {pieces}."),
    };
    let material =
        ConcededFeature { name: "MATERIAL", group: Group::Material, sentence, cost, values: None };
    Some(material).filter(|material| material.cost > 0.0).into_iter().collect()
}

impl Lines<'_> {
    /// How many plies of both lines are played, until nothing is being taken in either.
    fn quiet_length(&self) -> usize {
        let longest = self.best.len().min(self.played.len());
        let mut length = PLIES.min(longest);
        while length < longest.min(MOST_PLIES)
            && (captures(self.position, self.best, length)
                || captures(self.position, self.played, length))
        {
            length += 1;
        }
        length
    }
}

/// Does the move after so many plies of a line take a piece?
fn captures(position: &Position, line: &[Move], plies: usize) -> bool {
    let (Some(position), Some(next)) = (after(position, &line[..plies]), line.get(plies)) else {
        return false;
    };
    position.piece_on(next.to()).is_some()
}

/// The position after a line of legal moves.
fn after(position: &Position, line: &[Move]) -> Option<Position> {
    line.iter().try_fold(*position, |position, &mv| position.after(mv))
}

/// Which pieces the player has less after one line than after the other, and which more.
fn pieces(best: &Position, played: &Position, player: Color) -> String {
    let (mut less, mut more) = (Vec::new(), Vec::new());
    for kind in PieceKind::HAND_FROM_ROOK {
        let difference = owned(played, player, kind) - owned(best, player, kind);
        let list = if difference < 0 { &mut less } else { &mut more };
        if difference != 0 {
            list.push(counted(difference.unsigned_abs(), kind));
        }
    }
    match (less.is_empty(), more.is_empty()) {
        (true, true) => String::new(),
        (false, true) => less.join(", "),
        (true, false) => format!("nothing, and {} gained", more.join(", ")),
        (false, false) => format!("{} for {}", less.join(", "), more.join(", ")),
    }
}

/// How many pieces of a kind a player has, promoted or not, on the board and in hand.
fn owned(position: &Position, player: Color, kind: PieceKind) -> i32 {
    let promoted = kind.promoted().map_or(0, |promoted| position.of(player, promoted).count());
    let board = position.of(player, kind).count() + promoted;
    board as i32 + i32::from(position.hand(player).count(kind))
}

fn counted(count: u32, kind: PieceKind) -> String {
    let name = match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        _ => "piece",
    };
    if count == 1 { format!("a {name}") } else { format!("{count} {name}s") }
}
