//! Numbers that a player sees on the board: safe squares, guards, what is around a king.

use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

use super::fact::Exposure;

/// How far from a king its castle and its attackers stand.
const NEAR: u8 = 2;

/// Is the square near the king of a player?
pub(super) fn is_near_king(position: &Position, king_of: Color, square: Square) -> bool {
    position.king(king_of).is_some_and(|king| king.distance(square) <= NEAR)
}

/// How many squares the piece on a square can go to where no enemy can take it; `None` if there is
/// no piece.
pub(super) fn safe_squares(position: &Position, square: Square) -> Option<u32> {
    let piece = position.piece_on(square)?;
    let occupied = position.occupied();
    let reached = attacks::of(piece, square, occupied) & !own(position, piece.color());
    let is_safe = |to: &Square| {
        let without = occupied & !Bitboard::of(square);
        position.attackers(*to, !piece.color(), without).is_empty()
    };
    Some(reached.into_iter().filter(is_safe).count() as u32)
}

/// The squares that the piece on a square guards or attacks.
pub(super) fn reach(position: &Position, square: Square) -> Bitboard {
    position
        .piece_on(square)
        .map_or(Bitboard::EMPTY, |piece| attacks::of(piece, square, position.occupied()))
}

/// The pieces of a player.
pub(super) fn own(position: &Position, color: Color) -> Bitboard {
    position
        .pieces()
        .filter(|(_, piece)| piece.color() == color)
        .fold(Bitboard::EMPTY, |all, (square, _)| all | Bitboard::of(square))
}

/// What stands around the king of a player.
pub(super) fn exposure(position: &Position, side: Color) -> Exposure {
    let Some(king) = position.king(side) else { return Exposure::default() };
    let occupied = position.occupied();
    let mut exposure = Exposure::default();
    for square in attacks::king(king) {
        let guards = position.attackers(square, side, occupied) & !Bitboard::of(king);
        let enemies = position.attackers(square, !side, occupied & !Bitboard::of(king));
        exposure.guarded += u32::from(!guards.is_empty());
        exposure.attacked += u32::from(!enemies.is_empty());
        let is_free = position.piece_on(square).is_none_or(|piece| piece.color() != side);
        exposure.escapes += u32::from(is_free && enemies.is_empty());
    }
    exposure
}

/// How many pieces of a kind a player has, promoted or not, on the board and in hand.
pub(super) fn owned(position: &Position, player: Color, kind: PieceKind) -> i32 {
    let promoted = kind.promoted().map_or(0, |promoted| position.of(player, promoted).count());
    let board = position.of(player, kind).count() + promoted;
    board as i32 + i32::from(position.hand(player).count(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn safe_squares_are_those_that_nobody_attacks() {
        // The bishop on 5e is attacked nowhere but on the pawn's square 4d and the king's side.
        let position = Position::from_sfen("4k4/9/5p3/9/4B4/9/9/9/4K4 b - 1").unwrap();
        // To 4d the pawn on 4c takes; 3c, 2b, 1a and the three other diagonals are safe, but for
        // 6d 7c 8b 9a: nobody is there.
        let all = attacks::of(position.piece_on(at("5e")).unwrap(), at("5e"), position.occupied());
        assert_eq!(safe_squares(&position, at("5e")), Some(all.count() - 1));
        assert_eq!(safe_squares(&position, at("1i")), None);
    }

    #[test]
    fn the_squares_around_a_king_are_counted() {
        // A gold on 6h guards three squares next to the king on 5i; a rook on 4a attacks two.
        let position = Position::from_sfen("5r3/4k4/9/9/9/9/9/3G5/4K4 b - 1").unwrap();
        let exposure = exposure(&position, Color::Black);
        assert_eq!(exposure, Exposure { guarded: 2, attacked: 2, escapes: 2 });
    }
}
