//! A board looked at the slow way: squares are walked one by one, attackers counted piece by piece.

use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

use crate::common::naive::{Naive, movement};

/// A piece with the squares that it attacks.
pub struct Seen {
    pub square: Square,
    pub piece: Piece,
    pub attacks: Vec<Square>,
}

/// A slider and the first two pieces in one of its directions.
#[derive(PartialEq, Eq)]
pub struct Line {
    pub slider: Standing,
    pub first: Standing,
    pub second: Standing,
    /// The squares from the slider to the second piece, both left out.
    pub between: Vec<Square>,
}

/// A piece on its square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub square: Square,
    pub piece: Piece,
}

/// All pieces of a board with what they attack.
pub struct Board {
    position: Position,
    pieces: Vec<Seen>,
    counts: [[u8; 81]; 2],
}

impl Board {
    pub fn new(position: &Position) -> Self {
        let naive = Naive::new(position);
        let seen = |(square, piece)| Seen { square, piece, attacks: naive.reach(square) };
        let pieces: Vec<Seen> = position.pieces().map(seen).collect();
        let mut counts = [[0; 81]; 2];
        for seen in &pieces {
            for square in &seen.attacks {
                counts[seen.piece.color().index()][square.index()] += 1;
            }
        }
        Self { position: *position, pieces, counts }
    }

    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.position.piece_on(square)
    }

    /// The kind of the piece on a square, if it is one of this player.
    pub fn kind_of(&self, color: Color, square: Square) -> Option<PieceKind> {
        self.piece_on(square).filter(|piece| piece.color() == color).map(Piece::kind)
    }

    /// The pieces of a player.
    pub fn of(&self, color: Color) -> impl Iterator<Item = &Seen> {
        self.pieces.iter().filter(move |seen| seen.piece.color() == color)
    }

    /// The pieces of a player but for the king.
    pub fn but_king(&self, color: Color) -> impl Iterator<Item = &Seen> {
        self.of(color).filter(|seen| seen.piece.kind() != PieceKind::King)
    }

    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color).find(|seen| seen.piece.kind() == PieceKind::King).map(|seen| seen.square)
    }

    /// What the piece on a square attacks.
    pub fn attacks_from(&self, square: Square) -> &[Square] {
        let found = self.pieces.iter().find(|seen| seen.square == square);
        found.map_or(&[], |seen| &seen.attacks)
    }

    /// How many pieces of a player attack a square.
    pub fn count(&self, color: Color, square: Square) -> u8 {
        self.counts[color.index()][square.index()]
    }

    pub fn is_attacked(&self, color: Color, square: Square) -> bool {
        self.count(color, square) > 0
    }

    /// How often a player attacks the king of the other and the squares beside it.
    pub fn attacks_beside(&self, color: Color, king: Option<Square>) -> u32 {
        let beside = Square::all().filter(|square| king.is_some_and(|k| k.distance(*square) <= 1));
        beside.map(|square| u32::from(self.count(color, square))).sum()
    }

    /// The lines of the slider on a square that meet two pieces.
    pub fn lines_from(&self, square: Square) -> Vec<Line> {
        let Some(piece) = self.piece_on(square) else { return Vec::new() };
        let slider = Standing { square, piece };
        let (_, directions) = movement(piece.kind());
        directions.iter().filter_map(|&direction| self.line(slider, direction)).collect()
    }

    fn line(&self, slider: Standing, (files, ranks): (i8, i8)) -> Option<Line> {
        let sign = if slider.piece.color() == Color::Black { 1 } else { -1 };
        let mut first: Option<Standing> = None;
        let mut between = Vec::new();
        let mut square = slider.square;
        loop {
            square = square.offset(sign * files, sign * ranks)?;
            let met = self.piece_on(square).map(|piece| Standing { square, piece });
            if let (Some(first), Some(second)) = (first, met) {
                return Some(Line { slider, first, second, between });
            }
            first = first.or(met);
            between.push(square);
        }
    }

    /// The lines of a player's sliders in which a piece of `first` stands before one of the other
    /// player.
    pub fn lines(&self, sliders: Color, first: Color) -> impl Iterator<Item = Line> {
        let lines = self.of(sliders).flat_map(|seen| self.lines_from(seen.square));
        lines.filter(move |line| {
            line.first.piece.color() == first && line.second.piece.color() != sliders
        })
    }

    /// Do the same three pieces stand in a line, with nothing between them?
    pub fn has_line(&self, line: &Line) -> bool {
        self.lines_from(line.slider.square).contains(line)
    }
}
