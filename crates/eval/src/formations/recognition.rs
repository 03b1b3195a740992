//! Which formations stand on a board, or are under way.

use std::cmp::Reverse;

use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square};

use super::Formations;
use super::definition::{Assault, Castle, Placed, RookStyle, Shape, Strategy};
use super::pattern::turned;
use crate::progress::Progress;

/// What a piece in its place counts, by its plain kind: the king and the generals make a castle.
const CASTLE_WEIGHTS: [i32; 8] = [1, 1, 1, 3, 2, 2, 3, 4];
/// What a lance that makes room for the king counts more.
const RAISED_LANCE: i32 = 2;
/// The same for assaults: those who attack.
const ASSAULT_WEIGHTS: [i32; 8] = [1, 2, 2, 3, 2, 3, 3, 0];

/// The least share of a castle that is given its name, by the steps of the king to its place.
const LEAST_CASTLE: [f64; 3] = [0.62, 0.7, 0.8];
/// The same for a variant of it.
const LEAST_VARIANT: [f64; 3] = [0.62, 0.75, 0.8];
/// The least share by the golds and silvers that are missing, and how many may be.
const LEAST_GUARDED: [f64; 3] = [0.0, 0.75, 0.8];
/// The same for a variant.
const LEAST_GUARDED_VARIANT: [f64; 2] = [0.0, 0.78];
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
    /// Is enough of it there to give it its name?
    is_named: bool,
    /// Steps of the king to its place.
    king_steps: u8,
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
        let board = Board::new(position, color);
        let ranked = self.ranked(&board);
        let named = ranked.iter().position(|fit| fit.is_named);
        let castle = named.map(|place| board.found(&self.castles, &ranked[place]));
        let others = (0..ranked.len()).filter(|&place| Some(place) != named).take(CANDIDATES);
        let candidates = others.map(|place| board.found(&self.castles, &ranked[place])).collect();
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
            rook: board.rook,
            assault: self.assault_on(position, &board),
            stage,
        }
    }

    /// What a player plays, once that is decided.
    pub fn strategy_of(&self, position: &Position, color: Color) -> Option<&Strategy> {
        // A rook that has not moved is nothing that is played.
        let is_open = rook_style(position, color).is_none();
        let mut played = self.strategies.iter().filter(|strategy| !(is_open && strategy.is_start));
        played.find(|strategy| strategy.pattern.holds(position, color))
    }

    /// The castle that stands around a player's king: the king is home, and most of the rest.
    pub fn standing(&self, position: &Position, color: Color) -> Option<&Castle> {
        let board = Board::new(position, color);
        let king = board.king?;
        let here = self.castles.iter().enumerate().flat_map(|(index, castle)| {
            let home = castle.shapes.iter().filter(|shape| shape.king() == Some(king));
            home.map(move |shape| (index, shape))
        });
        let fits = here.map(|(index, shape)| board.fit(index, shape, &CASTLE_WEIGHTS));
        let best = fits.max_by_key(|fit| (fit.score, fit.total, Reverse(fit.index)))?;
        let best = board.found(&self.castles, &best);
        best.is_built().then_some(best.formation)
    }

    /// All castles, the one that fits best first.
    pub fn castles_by_fit(&self, position: &Position, color: Color) -> Vec<Found<'_, Castle>> {
        let board = Board::new(position, color);
        self.ranked(&board).iter().map(|fit| board.found(&self.castles, fit)).collect()
    }

    /// How well one castle fits.
    pub fn castle_fit(&self, position: &Position, color: Color, index: usize) -> Found<'_, Castle> {
        let board = Board::new(position, color);
        board.found(&self.castles, &self.castle_on(&board, index))
    }

    /// All castles in the order of their fit.
    fn ranked<'a>(&'a self, board: &Board) -> Vec<Fit<'a>> {
        let mut all: Vec<_> =
            (0..self.castles.len()).map(|index| self.castle_on(board, index)).collect();
        all.sort_unstable_by_key(|fit| (Reverse(fit.score), fit.total, fit.index));
        all
    }

    /// The shape of a castle that fits best.
    fn castle_on<'a>(&'a self, board: &Board, index: usize) -> Fit<'a> {
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
        let fit = |shape| {
            let mut fit = board.fit(index, shape, &CASTLE_WEIGHTS);
            fit.king_steps = board.king_steps(shape);
            fit.score -= handicap + king_way(fit.king_steps);
            fit
        };
        let better = |best: Fit<'a>, next: Fit<'a>| {
            let key = |fit: &Fit<'_>| (fit.is_named, fit.score, Reverse(fit.total));
            if key(&next) > key(&best) { next } else { best }
        };
        let fits = castle.shapes.iter().enumerate().map(|(number, shape)| {
            let fit = fit(shape);
            Fit { is_named: fit.is_castle(number == 0), ..fit }
        });
        let standing = fits.reduce(better).expect("a castle has a shape");
        let under_way = castle.under_way.iter().map(|shape| {
            let fit = fit(shape);
            let is_named = fit.matched == fit.total;
            Fit { is_named, score: fit.score, ..standing }
        });
        // The name and the place among others are those of what stands, the rest is of what is built.
        under_way.filter(|fit| fit.is_named).fold(standing, better)
    }

    /// How well one assault fits.
    pub fn assault_fit(
        &self,
        position: &Position,
        color: Color,
        index: usize,
    ) -> Found<'_, Assault> {
        let board = Board::new(position, color);
        let fits = self.assaults[index].shapes.iter();
        let best = fits.map(|shape| board.fit(index, shape, &ASSAULT_WEIGHTS));
        let best = best.max_by_key(|fit| fit.score).expect("an assault has a shape");
        board.found(&self.assaults, &best)
    }

    /// The assault that fits best, if one does.
    pub fn assault_of(&self, position: &Position, color: Color) -> Option<Found<'_, Assault>> {
        self.assault_on(position, &Board::new(position, color))
    }

    fn assault_on(&self, position: &Position, board: &Board) -> Option<Found<'_, Assault>> {
        // A rook that has not moved is as good as static to those who attack it.
        let enemy_rook = board.enemy_rook.unwrap_or(RookStyle::Static);
        let all = self.assaults.iter().enumerate();
        let all = all.filter(|(_, assault)| {
            assault.against.is_none_or(|one| one == enemy_rook)
                && assault.pattern.holds(position, board.color)
        });
        let fits = all.flat_map(|(index, assault)| {
            assault.shapes.iter().map(move |shape| board.fit(index, shape, &ASSAULT_WEIGHTS))
        });
        let fits = fits.filter(|fit| {
            fit.complete() >= LEAST_ASSAULT && fit.committed && board.has_core(fit.shape)
        });
        // The first of those that fit as well.
        let best = fits.reduce(|best, next| if next.score > best.score { next } else { best })?;
        Some(board.found(&self.assaults, &best))
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
    pub const fn is_castle(&self) -> bool {
        self.is_named
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

/// How well a shape fits: what is compared before anything is told of it.
#[derive(Clone, Copy)]
struct Fit<'a> {
    /// The formation's place in its list.
    index: usize,
    shape: &'a Shape,
    /// What counts in it, and what of that is in place.
    total: i32,
    matched: i32,
    score: i32,
    /// Has any of its pieces left the square where the game begins?
    committed: bool,
    king_steps: u8,
    /// Golds and silvers that are missing.
    guards_missing: u32,
    is_named: bool,
}

impl Fit<'_> {
    /// Is enough of it there to give it its name? Other shapes than the one that is built have few
    /// pieces, so that little may be missing.
    fn is_castle(&self, is_built: bool) -> bool {
        let missing = self.guards_missing as usize;
        let guards = if is_built { &LEAST_GUARDED[..] } else { &LEAST_GUARDED_VARIANT[..] };
        let steps = if is_built { &LEAST_CASTLE } else { &LEAST_VARIANT };
        let steps = steps[usize::from(self.king_steps).min(steps.len() - 1)];
        let least = guards.get(missing).map(|&least| least.max(steps));
        self.committed && least.is_some_and(|least| self.complete() >= least)
    }

    fn complete(&self) -> f64 {
        f64::from(self.matched) / f64::from(self.total.max(1))
    }
}

/// A board with what all formations ask of it, in its player's view.
struct Board {
    color: Color,
    /// The player's pieces by their plain kinds.
    own: [Bitboard; 8],
    /// Those of them that have left the squares where the game begins.
    moved: [Bitboard; 8],
    king: Option<Square>,
    rook: Option<RookStyle>,
    enemy_rook: Option<RookStyle>,
}

impl Board {
    fn new(position: &Position, color: Color) -> Self {
        let [rook, enemy_rook] = [color, !color].map(|side| rook_style(position, side));
        let (mut own, mut moved) = ([Bitboard::EMPTY; 8], [Bitboard::EMPTY; 8]);
        for (kind, (own, moved)) in PieceKind::ALL.into_iter().zip(own.iter_mut().zip(&mut moved)) {
            *own = turned(position.of(color, kind), color);
            *moved = own.without(begins(kind));
        }
        let king = position.king(color).map(|king| king.seen_by(color));
        Self { color, own, moved, king, rook, enemy_rook }
    }

    /// How many steps the king is from its place in a shape.
    fn king_steps(&self, shape: &Shape) -> u8 {
        let (Some(home), Some(king)) = (shape.king(), self.king) else { return 0 };
        home.distance(king)
    }

    /// How much of a shape stands.
    fn fit<'a>(&self, index: usize, shape: &'a Shape, weights: &[i32; 8]) -> Fit<'a> {
        let (mut matched, mut total, mut committed) = (0, 0, false);
        let mut guards_missing = 0;
        for &(kind, squares) in shape.by_kind(Color::Black) {
            let weight = weights[kind.index()];
            let raised = squares.without(begins(kind));
            let there = self.own[kind.index()] & squares;
            if matches!(kind, PieceKind::Gold | PieceKind::Silver) {
                guards_missing += squares.without(there).count();
            }
            matched += weight * there.count() as i32;
            total += weight * squares.count() as i32;
            if kind == PieceKind::Lance && shape.king().is_some() {
                matched += RAISED_LANCE * (there & raised).count() as i32;
                total += RAISED_LANCE * raised.count() as i32;
            }
            committed |= weight >= 2 && self.moved[kind.index()].intersects(squares);
        }
        let score = matched - (total - matched);
        Fit {
            index,
            shape,
            total,
            matched,
            score,
            committed,
            king_steps: 0,
            guards_missing,
            is_named: false,
        }
    }

    /// Do those pieces stand without which an attack is another one, or none? They are the rook, all
    /// that have left home, and the pawns that have gone to meet the opponent's.
    fn has_core(&self, shape: &Shape) -> bool {
        shape.by_kind(Color::Black).iter().all(|&(kind, squares)| {
            let core = match kind {
                PieceKind::Rook => squares,
                PieceKind::Pawn => squares & Bitboard::far_ranks(Color::Black, 5),
                _ => squares.without(begins(kind)),
            };
            core.without(self.own[kind.index()]).is_empty()
        })
    }

    /// What is told of a fit.
    fn found<'a, T>(&self, formations: &'a [T], fit: &Fit<'_>) -> Found<'a, T> {
        let by_kind = fit.shape.by_kind(self.color).iter();
        let missing = by_kind.flat_map(|&(kind, squares)| {
            let own = turned(self.own[kind.index()], self.color);
            squares.without(own).into_iter().map(move |square| (kind, square))
        });
        Found {
            formation: &formations[fit.index],
            index: fit.index,
            complete: fit.complete(),
            missing: missing.collect(),
            score: fit.score,
            is_named: fit.is_named,
            king_steps: fit.king_steps,
        }
    }
}

/// Where a player's pieces of a kind begin the game, in the player's view; pawns count for nothing.
fn begins(kind: PieceKind) -> Bitboard {
    let squares: &[(u8, u8)] = match kind {
        PieceKind::King => &[(5, 9)],
        PieceKind::Gold => &[(4, 9), (6, 9)],
        PieceKind::Silver => &[(3, 9), (7, 9)],
        PieceKind::Knight => &[(2, 9), (8, 9)],
        PieceKind::Lance => &[(1, 9), (9, 9)],
        PieceKind::Bishop => &[(8, 8)],
        PieceKind::Rook => &[(2, 8)],
        _ => &[],
    };
    let squares = squares.iter().filter_map(|&(file, rank)| Square::new(file, rank));
    squares.map(Bitboard::of).fold(Bitboard::EMPTY, |all, one| all | one)
}
