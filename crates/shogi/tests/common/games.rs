//! Random moves and positions for tests of whole games.

use tesuji_shogi::{Color, Hand, Move, Piece, PieceKind, Position, Square};

use super::Random;

impl Random {
    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Any of these moves, if there are any.
    pub fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        (!moves.is_empty()).then(|| self.pick(moves))
    }

    fn square(&mut self) -> Square {
        Square::from_index(self.below(Square::COUNT)).expect("the number is below 81")
    }

    /// A valid position with both kings, this many other pieces on the board, promoted ones among
    /// them, and small hands. Sparse positions repeat soon and check often.
    pub fn sparse_position(&mut self, pieces: usize) -> Position {
        loop {
            let mut board = vec![
                (self.square(), Piece::new(Color::Black, PieceKind::King)),
                (self.square(), Piece::new(Color::White, PieceKind::King)),
            ];
            for _ in 0..pieces {
                let kind = self.pick(&PieceKind::ALL);
                if kind != PieceKind::King {
                    board.push((self.square(), Piece::new(self.pick(&Color::ALL), kind)));
                }
            }
            let hands = [(); 2].map(|()| {
                let counts = [(); 7].map(|()| u8::from(self.chance(20)));
                Hand::from_counts(counts).unwrap()
            });
            let (side, ply) = (self.pick(&Color::ALL), 1 + self.below(400) as u16);
            if let Ok(position) = Position::from_parts(board, hands, side, ply) {
                return position;
            }
        }
    }

    /// A position that random moves from the start of a game lead to.
    pub fn played_position(&mut self, plies: usize) -> Position {
        let mut position = Position::startpos();
        for _ in 0..plies {
            let Some(mv) = self.choose(&position.legal_moves()) else { break };
            position.play_unchecked(mv);
        }
        position
    }
}
