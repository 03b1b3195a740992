//! What a move changes on the board and in hand, for whatever is kept from move to move.

use crate::{Color, Move, Origin, Piece, PieceKind, Position, Square};

/// What a move changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardChange {
    /// Who moves.
    pub side: Color,
    /// The piece that moves, as it was before.
    pub moved: Piece,
    /// The piece as it stands afterwards: the promoted one if the move promotes.
    pub set_down: Piece,
    /// Where it stood; `None` for a drop.
    pub from: Option<Square>,
    /// Where it stands afterwards.
    pub to: Square,
    /// The piece that is captured.
    pub captured: Option<Piece>,
    /// What changes in the hand of the side that moves.
    pub hand: Option<HandChange>,
}

/// How many pieces of a kind are in hand before and after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandChange {
    /// The kind, unpromoted.
    pub kind: PieceKind,
    /// How many there are before the move.
    pub before: u8,
    /// How many there are after it.
    pub after: u8,
}

impl BoardChange {
    /// What a legal move changes in the position before it; any other move may panic.
    #[inline]
    pub fn new(before: &Position, mv: Move) -> Self {
        let side = before.side_to_move();
        let to = mv.to();
        let captured = before.piece_on(to);
        let hand = before.hand(side);
        let count = |kind: PieceKind, change: i8| {
            let before = hand.count(kind);
            HandChange { kind, before, after: before.saturating_add_signed(change) }
        };
        match mv.origin() {
            Origin::Hand(kind) => {
                let moved = Piece::new(side, kind);
                let hand = Some(count(kind, -1));
                Self { side, moved, set_down: moved, from: None, to, captured, hand }
            }
            Origin::Board(from) => {
                let moved = before.piece_on(from).expect("a piece stands where the move starts");
                let promoted = if mv.is_promotion() { moved.promoted() } else { None };
                let set_down = promoted.unwrap_or(moved);
                let hand = captured.map(|captured| count(captured.kind().unpromoted(), 1));
                Self { side, moved, set_down, from: Some(from), to, captured, hand }
            }
        }
    }

    /// Does the king move? All that is seen from a king's square changes then.
    #[inline]
    pub const fn moves_king(&self) -> bool {
        matches!(self.moved.kind(), PieceKind::King)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position with the change made by hand.
    fn changed(before: &Position, change: &BoardChange) -> Position {
        let board = Square::all().filter_map(|square| Some((square, before.piece_on(square)?)));
        let left = board.filter(|&(square, _)| Some(square) != change.from && square != change.to);
        let pieces: Vec<_> = left.chain([(change.to, change.set_down)]).collect();
        let hands = Color::ALL.map(|color| {
            let mut counts = PieceKind::HAND.map(|kind| before.hand(color).count(kind));
            if let Some(HandChange { kind, before, after }) = change.hand
                && color == change.side
            {
                assert_eq!(counts[kind.index()], before);
                counts[kind.index()] = after;
            }
            crate::Hand::from_counts(counts).unwrap()
        });
        Position::from_parts(pieces, hands, !change.side, before.ply() + 1).unwrap()
    }

    #[test]
    fn the_change_makes_the_position_after_the_move() {
        let mut number: u64 = 5;
        for _ in 0..10 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = moves[(number >> 33) as usize % moves.len()];
                let change = BoardChange::new(&position, mv);
                let next = position.after_unchecked(mv);
                assert_eq!(changed(&position, &change), next, "{mv} in {}", position.to_sfen());
                let king = next.king(change.side) != position.king(change.side);
                assert_eq!(change.moves_king(), king);
                position = next;
            }
        }
    }
}
