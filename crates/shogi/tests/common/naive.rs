//! The rules written down as plainly as possible: a mailbox, steps, and trying things out. Slow,
//! and shares nothing with the fast generator but the basic types.

use tesuji_shogi::{Bitboard, Color, Hand, Move, Origin, Piece, PieceKind, Position, Square};

/// Files to the left and ranks down, as Black sees them.
pub type Step = (i8, i8);

const FORWARD: &[Step] = &[(0, -1)];
const KNIGHT: &[Step] = &[(-1, -2), (1, -2)];
const SILVER: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: &[Step] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const STRAIGHT: &[Step] = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const KING: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Single steps, and directions in which the piece slides.
pub fn movement(kind: PieceKind) -> (&'static [Step], &'static [Step]) {
    match kind {
        PieceKind::Pawn => (FORWARD, &[]),
        PieceKind::Lance => (&[], FORWARD),
        PieceKind::Knight => (KNIGHT, &[]),
        PieceKind::Silver => (SILVER, &[]),
        PieceKind::Bishop => (&[], DIAGONAL),
        PieceKind::Rook => (&[], STRAIGHT),
        PieceKind::King => (KING, &[]),
        PieceKind::Horse => (STRAIGHT, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, STRAIGHT),
        _ => (GOLD, &[]),
    }
}

#[derive(Clone)]
pub struct Naive {
    board: [Option<Piece>; 81],
    hands: [[u8; 7]; 2],
    side: Color,
}

impl Naive {
    pub fn new(position: &Position) -> Self {
        let counts = |hand: Hand| PieceKind::HAND.map(|kind| hand.count(kind));
        let mut board = [None; 81];
        for (square, piece) in position.pieces() {
            board[square.index()] = Some(piece);
        }
        let hands = Color::ALL.map(|color| counts(position.hand(color)));
        Self { board, hands, side: position.side_to_move() }
    }

    /// The squares that the piece on `from` attacks.
    pub fn reach(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.board[from.index()] else { return Vec::new() };
        let sign = if piece.color() == Color::Black { 1 } else { -1 };
        let (steps, slides) = movement(piece.kind());
        let mut squares: Vec<Square> = steps
            .iter()
            .filter_map(|&(files, ranks)| from.offset(sign * files, sign * ranks))
            .collect();
        for &(files, ranks) in slides {
            let mut next = from.offset(sign * files, sign * ranks);
            while let Some(square) = next {
                squares.push(square);
                let blocked = self.board[square.index()].is_some();
                next = if blocked { None } else { square.offset(sign * files, sign * ranks) };
            }
        }
        squares
    }

    /// How many pieces of `color` attack each square.
    pub fn attack_counts(&self, color: Color) -> [u8; 81] {
        let mut counts = [0; 81];
        for from in self.squares_of(color) {
            for to in self.reach(from) {
                counts[to.index()] += 1;
            }
        }
        counts
    }

    fn squares_of(&self, color: Color) -> Vec<Square> {
        let owned =
            |square: &Square| self.board[square.index()].is_some_and(|p| p.color() == color);
        Square::all().filter(owned).collect()
    }

    fn king_attacked(&self, color: Color) -> bool {
        let king = Some(Piece::new(color, PieceKind::King));
        self.squares_of(!color)
            .into_iter()
            .any(|from| self.reach(from).into_iter().any(|to| self.board[to.index()] == king))
    }

    fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        match mv.origin() {
            Origin::Hand(kind) => {
                next.hands[self.side.index()][kind.index()] -= 1;
                next.board[mv.to().index()] = Some(Piece::new(self.side, kind));
            }
            Origin::Board(from) => {
                let piece = next.board[from.index()].take().unwrap();
                if let Some(captured) = next.board[mv.to().index()] {
                    let kind = captured.kind().unpromoted();
                    next.hands[self.side.index()][kind.index()] += 1;
                }
                let placed = if mv.is_promotion() { piece.promoted().unwrap() } else { piece };
                next.board[mv.to().index()] = Some(placed);
            }
        }
        next.side = !self.side;
        next
    }

    fn follows_piece_rules(&self, mv: Move) -> bool {
        let us = self.side;
        let target = self.board[mv.to().index()];
        let rank = mv.to().rank_from(us);
        match mv.origin() {
            Origin::Hand(kind) => {
                let pawn = Some(Piece::new(us, PieceKind::Pawn));
                let file = Bitboard::file(mv.to().file());
                let second_pawn = kind == PieceKind::Pawn
                    && file.into_iter().any(|square| self.board[square.index()] == pawn);
                self.hands[us.index()][kind.index()] > 0
                    && target.is_none()
                    && rank > kind.dead_ranks()
                    && !second_pawn
            }
            Origin::Board(from) => {
                let Some(piece) = self.board[from.index()] else { return false };
                let enters = rank <= 3 || from.rank_from(us) <= 3;
                let promotion_fits = if mv.is_promotion() {
                    piece.kind().can_promote() && enters
                } else {
                    rank > piece.kind().dead_ranks()
                };
                piece.color() == us
                    && target.is_none_or(|piece| piece.color() != us)
                    && promotion_fits
                    && self.reach(from).contains(&mv.to())
            }
        }
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.follows_piece_rules(mv) {
            return false;
        }
        let next = self.after(mv);
        if next.king_attacked(self.side) {
            return false;
        }
        let pawn_drop = mv.dropped() == Some(PieceKind::Pawn);
        !(pawn_drop && next.king_attacked(next.side) && next.has_no_board_move())
    }

    /// No drop can answer a pawn's check: there is nothing between to drop on.
    fn has_no_board_move(&self) -> bool {
        self.squares_of(self.side).into_iter().all(|from| {
            self.reach(from).into_iter().all(|to| {
                ![Move::normal(from, to), Move::promotion(from, to)].into_iter().any(|mv| {
                    self.follows_piece_rules(mv) && !self.after(mv).king_attacked(self.side)
                })
            })
        })
    }

    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).king_attacked(!self.side)
    }
}
