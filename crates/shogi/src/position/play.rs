//! Making moves.

use super::Position;
use crate::moves::Origin;
use crate::{Bitboard, Color, Move, Piece, PieceKind, Square, attacks, zobrist};

impl Position {
    /// The position after a move that the caller knows to be legal.
    ///
    /// Where every nanosecond counts, copy the position and [`Position::play_unchecked`] on the
    /// copy: handing the result over as a value costs a second copy.
    #[inline]
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
        let to = mv.to();
        let (placed, from) = match mv.origin() {
            Origin::Hand(kind) => (self.drop_piece(us, kind, to), None),
            Origin::Board(from) => (self.move_piece(us, from, to, mv.is_promotion()), Some(from)),
        };
        self.side = !us;
        self.board_key ^= zobrist::WHITE_TO_MOVE;
        self.ply = self.ply.saturating_add(1);
        self.checkers = match self.king(!us) {
            Some(king) => self.checks_by_last_move(us, king, placed, from, to),
            None => Bitboard::EMPTY,
        };
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
    fn drop_piece(&mut self, us: Color, kind: PieceKind, to: Square) -> Piece {
        let piece = Piece::new(us, kind);
        self.hands[us.index()].remove(kind);
        self.hand_key = self.hand_key.wrapping_sub(zobrist::in_hand(us, kind));
        let bit = Bitboard::of(to);
        self.by_kind[kind.index() & 7] ^= bit;
        self.by_color[us.index()] ^= bit;
        self.board_key ^= zobrist::on_board(piece, to);
        self.board[to.index()] = Some(piece);
        piece
    }

    #[inline(always)]
    fn move_piece(&mut self, us: Color, from: Square, to: Square, promotes: bool) -> Piece {
        let piece = self.board[from.index()].expect("a piece stands where the move starts");
        if let Some(captured) = self.board[to.index()] {
            self.capture(us, captured, to);
        }
        let placed = if promotes { piece.promoted().unwrap_or(piece) } else { piece };
        let (from_bit, to_bit) = (Bitboard::of(from), Bitboard::of(to));
        self.by_kind[piece.kind().index() & 7] ^= from_bit ^ to_bit;
        self.by_color[us.index()] ^= from_bit ^ to_bit;
        self.promoted ^=
            from_bit.only_if(piece.is_promoted()) ^ to_bit.only_if(placed.is_promoted());
        self.board_key ^= zobrist::on_board(piece, from) ^ zobrist::on_board(placed, to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(placed);
        if piece.kind() == PieceKind::King {
            self.kings[us.index()] = Some(to);
        }
        placed
    }

    /// Takes the captured piece off the sets and into the hand; the mover replaces it on the board.
    #[inline(always)]
    fn capture(&mut self, us: Color, captured: Piece, square: Square) {
        let kind = captured.kind().unpromoted();
        self.toggle(captured, square);
        self.hands[us.index()].add(kind);
        self.hand_key = self.hand_key.wrapping_add(zobrist::in_hand(us, kind));
    }

    /// The pieces of `us` that attack the enemy king after a move: the one that moved, and those
    /// whose line it left. No other can, or the king would have been in check before.
    #[inline(always)]
    fn checks_by_last_move(
        &self,
        us: Color,
        king: Square,
        placed: Piece,
        from: Option<Square>,
        to: Square,
    ) -> Bitboard {
        let occupied = self.occupied();
        let mut checkers = Bitboard::EMPTY;
        if attacks::on_empty_board(placed, to, king)
            && !attacks::between(to, king).intersects(occupied)
        {
            checkers = Bitboard::of(to);
        }
        if let Some(from) = from
            && attacks::aligned(from, king)
        {
            for sniper in self.snipers(king, us) & attacks::line(king, from) {
                if !attacks::between(sniper, king).intersects(occupied) {
                    checkers |= Bitboard::of(sniper);
                }
            }
        }
        checkers
    }

    /// Puts a piece on an empty square.
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
        self.promoted ^= bit.only_if(kind.is_promoted());
        self.by_color[piece.color().index()] ^= bit;
        self.board_key ^= zobrist::on_board(piece, square);
    }

    /// The pieces that give check to the side to move, from nothing but the board.
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
