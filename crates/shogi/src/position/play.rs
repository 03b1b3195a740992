//! Making moves.

use super::Position;
use crate::moves::Origin;
use crate::{Bitboard, Color, Move, Piece, PieceKind, Square, attacks, zobrist};

impl Position {
    /// The position after a move that the caller knows to be legal.
    #[inline(always)]
    pub fn after_unchecked(&self, mv: Move) -> Self {
        let mut next = *self;
        next.play_unchecked(mv);
        next
    }

    /// Plays a move that the caller knows to be legal (it was generated here, or
    /// [`Position::is_legal`] said so). With any other move the position becomes meaningless, or
    /// the call panics.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        let us = self.side;
        match mv.origin() {
            Origin::Hand(kind) => {
                self.hands[us.index()].remove(kind);
                self.hand_key = self.hand_key.wrapping_sub(zobrist::in_hand(us, kind));
                self.put(Piece::new(us, kind), mv.to());
            }
            Origin::Board(from) => self.move_piece(us, from, mv.to(), mv.is_promotion()),
        }
        self.side = !us;
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply = self.ply.saturating_add(1);
        self.checkers = self.compute_checkers();
    }

    /// The position with the other side to move, as if the mover had passed; `None` in check,
    /// where a pass would leave the king to be taken.
    pub fn after_pass(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.side = !self.side;
        next.board_key ^= zobrist::WHITE_TO_MOVE;
        next.ply = next.ply.saturating_add(1);
        Some(next)
    }

    #[inline(always)]
    fn move_piece(&mut self, us: Color, from: Square, to: Square, promotes: bool) {
        let piece = self.board[from.index()].expect("a piece stands where the move starts");
        if let Some(captured) = self.board[to.index()] {
            let kind = captured.kind().unpromoted();
            self.toggle(captured, to);
            self.hands[us.index()].add(kind);
            self.hand_key = self.hand_key.wrapping_add(zobrist::in_hand(us, kind));
        }
        self.toggle(piece, from);
        self.board[from.index()] = None;
        let placed = if promotes { piece.promoted().unwrap_or(piece) } else { piece };
        self.put(placed, to);
    }

    /// Puts a piece on a square that is empty, or from which [`Position::toggle`] has just taken
    /// what stood there.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.board[square.index()] = Some(piece);
        if piece.kind() == PieceKind::King {
            self.kings[piece.color().index()] = Some(square);
        }
    }

    /// Puts a piece into the sets and the key, or takes it out again.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        let kind = piece.kind();
        self.by_kind[kind.index() & 7] ^= bit;
        if kind.is_promoted() {
            self.promoted ^= bit;
        }
        self.by_color[piece.color().index()] ^= bit;
        self.board_key ^= zobrist::on_board(piece, square);
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub(super) fn compute_checkers(&self) -> Bitboard {
        let us = self.side;
        let Some(king) = self.king(us) else { return Bitboard::EMPTY };
        let mut checkers = self.steppers_attacking(king, !us);
        let occupied = self.occupied();
        for sniper in self.snipers(king, !us) {
            if !attacks::between(sniper, king).intersects(occupied) {
                checkers |= Bitboard::of(sniper);
            }
        }
        checkers
    }
}
