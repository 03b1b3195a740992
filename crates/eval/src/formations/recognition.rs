//! Which formations stand on a board, or are under way.

use std::cmp::Reverse;

use tesuji_shogi::{Color, PieceKind, Position, Square};

use super::Formations;
use super::definition::{Assault, Castle, Placed, RookStyle, Shape, Strategy};
use crate::progress::Progress;

/// What a piece in its place counts, by its plain kind: the king and the generals make a castle.
const CASTLE_WEIGHTS: [i32; 8] = [1, 1, 1, 3, 2, 2, 3, 4];
/// The same for assaults: those who attack.
const ASSAULT_WEIGHTS: [i32; 8] = [1, 2, 2, 3, 2, 3, 3, 0];

/// The least share of a castle that is given its name, by the steps of the king to its place.
const LEAST_CASTLE: [f64; 3] = [0.62, 0.7, 0.8];
/// The least share of an assault.
const LEAST_ASSAULT: f64 = 0.75;
/// What a castle loses for a king that is not home, for each step after the first, and the most that
/// these steps cost.
const KING_AWAY: i32 = 4;
const KING_STEP: i32 = 1;
const KING_STEPS: i32 = 4;
/// What it loses if its owner's rook, or the opponent's, is not used as it wants.
const WRONG_ROOK: i32 = 3;
const WRONG_OPPONENT: i32 = 1;
/// How many of the next best are told.
const CANDIDATES: usize = 4;
/// Progress of the game, in sixteenths, from which it is an endgame.
const ENDGAME: u32 = 8;

/// A part of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Formations are being built.
    Opening,
    /// The castle stands.
    MiddleGame,
    /// Kings are attacked.
    Endgame,
}

impl Stage {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::MiddleGame => "middle game",
            Self::Endgame => "endgame",
        }
    }
}

/// How much of a formation stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<'a, T> {
    /// The formation.
    pub formation: &'a T,
    /// Its place in the list of definitions.
    pub index: usize,
    /// The share that is in place, by weight.
    pub complete: f64,
    /// Which pieces are missing, on the squares of this board.
    pub missing: Vec<Placed>,
    /// By which it is compared with others: what is in place, less what is missing.
    pub score: i32,
    /// Has any of its pieces left the square where the game begins?
    committed: bool,
    /// Steps of the king to its place.
    king_steps: u8,
    /// What the whole shape counts.
    total: i32,
}

/// What one player has and does.
#[derive(Clone, PartialEq, Debug)]
pub struct SideRecognition<'a> {
    /// The castle that stands or is under way.
    pub castle: Option<Found<'a, Castle>>,
    /// The next best.
    pub candidates: Vec<Found<'a, Castle>>,
    /// What the player plays.
    pub strategy: Option<&'a Strategy>,
    /// How the rook is used, as far as that is decided.
    pub rook: Option<RookStyle>,
    /// The assault.
    pub assault: Option<Found<'a, Assault>>,
    /// How far this player is.
    pub stage: Stage,
}

/// What both players have and do.
#[derive(Clone, PartialEq, Debug)]
pub struct Recognition<'a> {
    sides: [SideRecognition<'a>; 2],
}

impl<'a> Recognition<'a> {
    /// Looks at a position.
    pub fn new(formations: &'a Formations, position: &Position) -> Self {
        let progress = Progress::near_kings(position).sixteenths();
        let side = |color| formations.recognise_side(position, color, progress);
        Self { sides: Color::ALL.map(side) }
    }

    /// What this player has and does.
    pub const fn of(&self, color: Color) -> &SideRecognition<'a> {
        &self.sides[color.index()]
    }

    /// The same, to be changed by what was seen before.
    pub(super) const fn of_mut(&mut self, color: Color) -> &mut SideRecognition<'a> {
        &mut self.sides[color.index()]
    }
}

impl Formations {
    fn recognise_side(
        &self,
        position: &Position,
        color: Color,
        progress: u32,
    ) -> SideRecognition<'_> {
        let mut candidates = self.castles_by_fit(position, color);
        candidates.truncate(CANDIDATES + 1);
        let is_named = candidates.first().is_some_and(Found::is_castle);
        let castle = is_named.then(|| candidates.remove(0));
        candidates.truncate(CANDIDATES);
        let strategy = self.strategy_of(position, color);
        let stage = match &castle {
            _ if progress >= ENDGAME => Stage::Endgame,
            Some(castle) if castle.is_built() => Stage::MiddleGame,
            _ => Stage::Opening,
        };
        SideRecognition {
            castle,
            candidates,
            strategy,
            rook: rook_style(position, color),
            assault: self.assault_of(position, color),
            stage,
        }
    }

    /// What a player plays, once that is decided.
    pub fn strategy_of(&self, position: &Position, color: Color) -> Option<&Strategy> {
        // A rook that has not moved is nothing that is played.
        let is_open = rook_style(position, color).is_none();
        let is_undecided =
            |strategy: &Strategy| is_open && strategy.rook == Some(RookStyle::Static);
        let mut played = self.strategies.iter().filter(|&strategy| !is_undecided(strategy));
        played.find(|strategy| strategy.pattern.holds(position, color))
    }

    /// The castle that stands around a player's king: the king is home, and most of the rest.
    pub fn standing(&self, position: &Position, color: Color) -> Option<&Castle> {
        let king = position.king(color)?;
        let board = Board::new(position, color);
        let here = self.castles.iter().enumerate().flat_map(|(index, castle)| {
            let shapes = castle.shapes.iter();
            let home =
                shapes.filter(|shape| shape.king().is_some_and(|at| at.seen_by(color) == king));
            home.map(move |shape| (index, castle, shape))
        });
        let fits =
            here.map(|(index, castle, shape)| board.fit(castle, index, shape, &CASTLE_WEIGHTS));
        let best = fits.max_by_key(|found| (found.score, found.total, Reverse(found.index)))?;
        best.is_built().then_some(best.formation)
    }

    /// All castles, the one that fits best first.
    pub fn castles_by_fit(&self, position: &Position, color: Color) -> Vec<Found<'_, Castle>> {
        let board = Board::new(position, color);
        let mut all: Vec<_> =
            (0..self.castles.len()).map(|index| self.castle_on(&board, index)).collect();
        all.sort_by_key(|found| (Reverse(found.score), Reverse(found.total), found.index));
        all
    }

    /// How well one castle fits.
    pub fn castle_fit(&self, position: &Position, color: Color, index: usize) -> Found<'_, Castle> {
        self.castle_on(&Board::new(position, color), index)
    }

    fn castle_on(&self, board: &Board<'_>, index: usize) -> Found<'_, Castle> {
        let castle = &self.castles[index];
        let suits = |wanted: Option<RookStyle>, used: Option<RookStyle>| {
            wanted.is_none() || used.is_none() || wanted == used
        };
        let mut handicap = 0;
        if !suits(castle.rook, board.rook) {
            handicap += WRONG_ROOK;
        }
        if !suits(castle.against, board.enemy_rook) {
            handicap += WRONG_OPPONENT;
        }
        let fit = |shape: &Shape| {
            let mut found = board.fit(castle, index, shape, &CASTLE_WEIGHTS);
            found.king_steps = board.king_steps(shape);
            found.score -= handicap + king_way(found.king_steps);
            found
        };
        let best = castle.shapes.iter().map(fit).reduce(|best, next| {
            if (next.score, next.total) > (best.score, best.total) { next } else { best }
        });
        best.expect("a castle has a shape")
    }

    /// How well one assault fits.
    pub fn assault_fit(
        &self,
        position: &Position,
        color: Color,
        index: usize,
    ) -> Found<'_, Assault> {
        Board::new(position, color).assault(&self.assaults[index], index)
    }

    /// The assault that fits best, if one does.
    pub fn assault_of(&self, position: &Position, color: Color) -> Option<Found<'_, Assault>> {
        let board = Board::new(position, color);
        let mut best: Option<Found<'_, Assault>> = None;
        for (index, assault) in self.assaults.iter().enumerate() {
            let wrong = |wanted: Option<RookStyle>, used: Option<RookStyle>| {
                wanted.is_some() && used.is_some() && wanted != used
            };
            if wrong(assault.against, board.enemy_rook) {
                continue;
            }
            let found = board.assault(assault, index);
            let is_assault = found.complete >= LEAST_ASSAULT && found.committed;
            if is_assault && best.as_ref().is_none_or(|best| found.score > best.score) {
                best = Some(found);
            }
        }
        best
    }
}

impl<T> Found<'_, T> {
    /// Does nothing of it miss?
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty()
    }
}

impl Found<'_, Castle> {
    /// Is enough of it there to give it its name?
    pub(super) fn is_castle(&self) -> bool {
        let least = LEAST_CASTLE[usize::from(self.king_steps).min(LEAST_CASTLE.len() - 1)];
        self.committed && self.complete >= least
    }

    /// By which castles are compared that are to be built: a king that is not home yet is no reason to
    /// build something else, only one that is far away.
    pub(super) fn worth_building(&self) -> i32 {
        self.score + if self.king_steps > 0 { KING_AWAY } else { 0 }
    }

    /// Is the king home, and most of the rest?
    pub fn is_built(&self) -> bool {
        self.king_steps == 0 && self.complete >= 0.7
    }
}

/// How a player uses the rook: on the left (or in the middle) it ranges; on its own side it is
/// static once its pawn has gone forward or the opening is over.
pub(super) fn rook_style(position: &Position, color: Color) -> Option<RookStyle> {
    let rook = position.of(color, PieceKind::Rook).first()?.seen_by(color);
    if rook.rank() < 5 {
        return None;
    }
    if rook.file() >= 5 {
        return Some(RookStyle::Ranging);
    }
    let pawn_at_home = Square::new(2, 7)
        .is_some_and(|square| position.of(color, PieceKind::Pawn).contains(square.seen_by(color)));
    (!pawn_at_home || position.ply() > 30).then_some(RookStyle::Static)
}

/// What a castle loses because the king is on the way to it.
fn king_way(steps: u8) -> i32 {
    match i32::from(steps) {
        0 => 0,
        steps => KING_AWAY + (KING_STEP * (steps - 1)).min(KING_STEPS),
    }
}

/// A board with what all formations ask of it.
struct Board<'p> {
    position: &'p Position,
    color: Color,
    rook: Option<RookStyle>,
    enemy_rook: Option<RookStyle>,
}

impl<'p> Board<'p> {
    fn new(position: &'p Position, color: Color) -> Self {
        let [rook, enemy_rook] = [color, !color].map(|side| rook_style(position, side));
        Self { position, color, rook, enemy_rook }
    }

    /// How many steps the king is from its place in a shape.
    fn king_steps(&self, shape: &Shape) -> u8 {
        let (Some(home), Some(king)) = (shape.king(), self.position.king(self.color)) else {
            return 0;
        };
        home.seen_by(self.color).distance(king)
    }

    fn assault<'a>(&self, assault: &'a Assault, index: usize) -> Found<'a, Assault> {
        let fits = assault.shapes.iter();
        let fits = fits.map(|shape| self.fit(assault, index, shape, &ASSAULT_WEIGHTS));
        fits.max_by_key(|found| found.score).expect("an assault has a shape")
    }

    /// How much of a shape stands.
    fn fit<'a, T>(
        &self,
        formation: &'a T,
        index: usize,
        shape: &Shape,
        weights: &[i32; 8],
    ) -> Found<'a, T> {
        let (mut matched, mut total, mut committed) = (0, 0, false);
        let mut missing = Vec::new();
        for &(kind, squares) in shape.by_kind(self.color) {
            let weight = weights[kind.index()];
            let there = self.position.of(self.color, kind) & squares;
            matched += weight * there.count() as i32;
            total += weight * squares.count() as i32;
            committed |= weight >= 2 && there.into_iter().any(|at| self.has_moved(kind, at));
            missing.extend(squares.without(there).into_iter().map(|square| (kind, square)));
        }
        let complete = f64::from(matched) / f64::from(total.max(1));
        let score = matched - (total - matched);
        let king_steps = 0;
        Found { formation, index, complete, missing, score, committed, king_steps, total }
    }

    /// Does a piece of this kind not begin the game here?
    fn has_moved(&self, kind: PieceKind, square: Square) -> bool {
        let begins: &[(u8, u8)] = match kind {
            PieceKind::King => &[(5, 9)],
            PieceKind::Gold => &[(4, 9), (6, 9)],
            PieceKind::Silver => &[(3, 9), (7, 9)],
            PieceKind::Knight => &[(2, 9), (8, 9)],
            PieceKind::Lance => &[(1, 9), (9, 9)],
            PieceKind::Bishop => &[(8, 8)],
            PieceKind::Rook => &[(2, 8)],
            _ => &[],
        };
        let own = square.seen_by(self.color);
        !begins.contains(&(own.file(), own.rank()))
    }
}
