//! What development is: opening sequences of a book, the maps of castles and assaults, and patterns
//! of masters.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use tesuji_shogi::{Color, Move, PieceKind, Position, Square};

use super::patterns::{self, Kings, Patterns};
use crate::formations::maps::Values;
use crate::formations::{Atlas, FormationMaps, Names};

/// Opening sequences: the moves that a book has of a position.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    moves: HashMap<u64, Vec<Move>>,
    /// The last move number of a position of the book.
    last_ply: u16,
}

impl Openings {
    /// The book has this move of the position.
    pub fn add(&mut self, position: &Position, mv: Move) {
        self.last_ply = self.last_ply.max(position.ply());
        self.moves.entry(position.key()).or_default().push(mv);
    }

    /// The moves of a position.
    #[inline]
    pub fn moves(&self, position: &Position) -> &[Move] {
        if position.ply() > self.last_ply {
            return &[];
        }
        self.moves.get(&position.key()).map_or(&[], Vec::as_slice)
    }
}

/// The knowledge of development that does not depend on the position.
#[derive(Clone, Debug)]
pub struct Lore {
    /// Castles and assaults with their maps.
    pub atlas: Arc<Atlas>,
    /// Patterns of masters.
    pub patterns: Arc<Patterns>,
    /// Opening sequences.
    pub openings: Arc<Openings>,
}

impl Lore {
    /// What comes with the program, but for a book.
    pub fn shipped() -> Self {
        static PATTERNS: LazyLock<Arc<Patterns>> = LazyLock::new(|| Arc::new(Patterns::shipped()));
        Self { atlas: Atlas::shipped(), patterns: Arc::clone(&PATTERNS), openings: Arc::default() }
    }
}

/// The maps of one formation: the value of each kind on each square, in the owner's view.
type Maps = [Values; PieceKind::COUNT];

/// What both players develop, chosen for a position; in a search for its root.
#[derive(Clone, Debug)]
pub struct Development {
    lore: Lore,
    /// The castle and the assault of each player, by their places in the lists.
    aims: [[Option<usize>; 2]; 2],
    /// Their maps.
    castles: [Option<Box<Maps>>; 2],
    assaults: [Option<Box<Maps>>; 2],
}

impl Development {
    /// What the players build in a position. `before` is what they were building before.
    pub fn new(lore: &Lore, position: &Position, before: [Option<usize>; 2]) -> Self {
        let atlas = &*lore.atlas;
        let choices = atlas.formations().choose(position, 1, before);
        let maps = |maps: &FormationMaps| Box::new(PieceKind::ALL.map(|kind| maps.of_kind(kind)));
        let [black, white] = &choices;
        let castle = |all: &[usize]| all.first().map(|&index| maps(atlas.castle(index)));
        let assault = |all: &[usize]| all.first().map(|&index| maps(atlas.assault(index)));
        let first = |all: &[usize]| all.first().copied();
        let aims = [black, white].map(|of| [first(&of.castles), first(&of.assaults)]);
        Self {
            lore: lore.clone(),
            aims,
            castles: [castle(&black.castles), castle(&white.castles)],
            assaults: [assault(&black.assaults), assault(&white.assaults)],
        }
    }

    /// The names of the castle and of the assault that a player heads for.
    pub fn aims(&self, color: Color) -> [Option<&Names>; 2] {
        let formations = self.lore.atlas.formations();
        let [castle, assault] = self.aims[color.index()];
        [
            castle.map(|index| &formations.castles()[index].names),
            assault.map(|index| &formations.assaults()[index].names),
        ]
    }

    /// The book's moves of a position.
    #[inline]
    pub fn book_moves(&self, position: &Position) -> &[Move] {
        self.lore.openings.moves(position)
    }

    /// What the pattern of a move is worth, in units of [`patterns::UNITS`].
    #[inline(always)]
    pub(super) fn pattern(
        &self,
        kings: &Kings,
        kind: PieceKind,
        from: Option<Square>,
        to: Square,
    ) -> i32 {
        self.lore.patterns.value(kings, kind, from, to)
    }

    /// What the maps of a player's castle and of the assault gain by a move: positive if the piece
    /// comes nearer to its place. A drop counts from nothing.
    #[inline(always)]
    pub(super) fn map_gains(
        &self,
        color: Color,
        kind: PieceKind,
        from: Option<Square>,
        to: Square,
    ) -> [i32; 2] {
        [&self.castles, &self.assaults].map(|maps| match &maps[color.index()] {
            Some(maps) => {
                let values = &maps[kind.index()];
                let value = |square: Square| i32::from(values[square.seen_by(color).index()]);
                value(to) - from.map_or(0, value)
            }
            None => 0,
        })
    }
}

/// A pattern of a move, and one of a drop, that is worth this is a reason for it, in
/// [`patterns::UNITS`].
pub(super) const LIKELY: [i32; 2] = [-5 * patterns::UNITS / 2, -3 * patterns::UNITS / 2];

/// A pattern that is worth this is one that the opponent wants.
pub(super) const WANTED: i32 = 0;
