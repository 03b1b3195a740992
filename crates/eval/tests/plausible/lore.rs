//! Development, the slow way: what the book, the maps and the patterns say, asked one by one.

use std::sync::Arc;

use tesuji_eval::formations::maps::Values;
use tesuji_eval::plausible::patterns::{self, Kings};
use tesuji_eval::plausible::{Lore, Merits, Openings};
use tesuji_shogi::{Color, Game, Move, PieceKind, Position, Square};

use crate::board::Board;

/// A few openings, of which random games have the beginning and real games more.
const LINES: [&str; 5] = [
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 4a3b 6i7h 8d8e 2e2d 2c2d 2h2d P*2c",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i8h 2b7g+ 8h7g",
    "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h",
    "startpos moves 7g7f 8c8d 7i6h 3c3d 6h7g",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
];

/// Merits and all knowledge of development, with the book once more as a plain list.
pub struct Knowledge {
    pub lore: Lore,
    pub merits: Merits,
    book: Vec<(Position, Move)>,
}

impl Knowledge {
    pub fn new() -> Self {
        let mut book = Vec::new();
        for line in LINES {
            let game = Game::from_usi(line).unwrap();
            book.extend(game.positions().copied().zip(game.moves().iter().copied()));
        }
        let mut openings = Openings::default();
        for (position, mv) in &book {
            openings.add(position, *mv);
        }
        let lore = Lore { openings: Arc::new(openings), ..Lore::shipped() };
        Self { lore, merits: Merits::shipped(), book }
    }
}

/// What both players would like to build in a position.
pub struct Plans<'a> {
    position: &'a Position,
    knowledge: &'a Knowledge,
    /// For each player the map of every kind for the castle, and for the assault.
    maps: [Vec<[Values; PieceKind::COUNT]>; 2],
}

impl<'a> Plans<'a> {
    pub fn new(position: &'a Position, knowledge: &'a Knowledge) -> Self {
        let atlas = &*knowledge.lore.atlas;
        let maps = atlas.formations().choose(position, 1, [None, None]).map(|choice| {
            let castle = choice.castles.first().map(|&castle| atlas.castle(castle));
            let assault = choice.assaults.first().map(|&assault| atlas.assault(assault));
            let chosen = castle.into_iter().chain(assault);
            chosen.map(|maps| PieceKind::ALL.map(|kind| maps.of_kind(kind))).collect()
        });
        Self { position, knowledge, maps }
    }

    /// Does the book have this move, in a position that is not later than all of the book?
    pub fn book_has(&self, mv: Move) -> bool {
        let book = &self.knowledge.book;
        book.iter().any(|(position, _)| position.ply() >= self.position.ply())
            && book
                .iter()
                .any(|(at, move_of_book)| *move_of_book == mv && at.same_position(self.position))
    }

    /// Does the piece come nearer to its place in the castle, or in the assault?
    pub fn nears(&self, color: Color, kind: PieceKind, from: Square, to: Square) -> bool {
        self.maps[color.index()].iter().any(|maps| {
            let value = |square: Square| maps[kind.index()][square.seen_by(color).index()];
            value(to) > value(from)
        })
    }

    /// What the pattern is worth, in logarithms of odds.
    pub fn pattern(&self, color: Color, kind: PieceKind, from: Option<Square>, to: Square) -> f64 {
        let kings = Kings::new(self.position, color);
        let value = self.knowledge.lore.patterns.value(&kings, kind, from, to);
        f64::from(value) / f64::from(patterns::UNITS)
    }

    /// The empty squares to which a player's pieces would like to develop.
    pub fn wanted(&self, board: &Board, color: Color) -> Vec<Square> {
        let mut wanted = Vec::new();
        for seen in board.of(color) {
            let (kind, from) = (seen.piece.kind(), seen.square);
            for &to in seen.attacks.iter().filter(|square| board.piece_on(**square).is_none()) {
                if self.nears(color, kind, from, to)
                    || self.pattern(color, kind, Some(from), to) >= 0.0
                {
                    wanted.push(to);
                }
            }
        }
        wanted
    }
}
