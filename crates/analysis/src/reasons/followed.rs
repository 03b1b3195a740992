//! A line played on a board that remembers which piece went where and what was taken.

use tesuji_records::japanese;
use tesuji_shogi::{Color, Move, Piece, Position, Square};

/// A move as both languages name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMove {
    /// The move.
    pub mv: Move,
    /// Its Japanese name, with the mark of the player.
    pub japanese: String,
}

/// A piece that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Who took it.
    pub by: Color,
    /// The piece that took it, as it stood afterwards.
    pub taker: Piece,
    /// What was taken.
    pub taken: Piece,
    /// Where.
    pub square: Square,
    /// The number of the move in the line, from 0.
    pub number: usize,
}

/// A line that was followed to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct FollowedLine {
    /// The position at its end.
    pub end: Position,
    /// Its moves.
    pub moves: Vec<NamedMove>,
    /// What was taken, in order.
    pub captures: Vec<Capture>,
    /// The moves of the piece on each square that moved.
    routes: Vec<(Square, Vec<usize>)>,
    last: Option<Move>,
}

impl FollowedLine {
    /// Follows a line, up to a move that is not legal. `last` is the move before it.
    pub fn new(position: &Position, line: &[Move], last: Option<Move>) -> Self {
        let mut followed = Self {
            end: *position,
            moves: Vec::new(),
            captures: Vec::new(),
            routes: Vec::new(),
            last,
        };
        for &mv in line {
            if !followed.play(mv) {
                break;
            }
        }
        followed
    }

    /// Goes on with a move; not if it is illegal.
    pub fn play(&mut self, mv: Move) -> bool {
        let Some(after) = self.end.after(mv) else { return false };
        let japanese = japanese::move_text(&self.end, mv, self.last.map(Move::to));
        let number = self.moves.len();
        let mut route = mv.from().map(|from| self.take_route(from)).unwrap_or_default();
        route.push(number);
        let taken = self.end.piece_on(mv.to());
        if let (Some(taken), Some(taker)) = (taken, after.piece_on(mv.to())) {
            self.take_route(mv.to());
            let (by, square) = (taker.color(), mv.to());
            self.captures.push(Capture { by, taker, taken, square, number });
        }
        self.routes.push((mv.to(), route));
        self.moves.push(NamedMove { mv, japanese });
        self.end = after;
        self.last = Some(mv);
        true
    }

    /// The moves by which the piece on a square came there; none if it stood there from the start.
    pub fn route(&self, square: Square) -> &[usize] {
        let known = self.routes.iter().find(|(at, _)| *at == square);
        known.map_or(&[], |(_, route)| route)
    }

    /// Moves by their numbers.
    pub fn named(&self, route: &[usize]) -> Vec<NamedMove> {
        route.iter().filter_map(|&number| self.moves.get(number).cloned()).collect()
    }

    fn take_route(&mut self, square: Square) -> Vec<usize> {
        let known = self.routes.iter().position(|(at, _)| *at == square);
        known.map_or_else(Vec::new, |place| self.routes.swap_remove(place).1)
    }
}
