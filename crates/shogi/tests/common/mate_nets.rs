//! Positions in which a dropped pawn would be mate, many of them while the dropper is in check.

use tesuji_shogi::{Bitboard, Color, Hand, Move, Piece, PieceKind, Position, Square};

use super::{Random, repaired};

/// The square before the enemy king, if a dropped pawn would be legal there but for the rule that
/// it must not mate.
pub fn pawn_drop_mate_square(position: &Position) -> Option<Square> {
    let us = position.side_to_move();
    let king = position.king(!us)?;
    let head = king.offset(0, if us == Color::Black { 1 } else { -1 })?;
    let possible = position.hand(us).has(PieceKind::Pawn)
        && position.piece_on(head).is_none()
        && !position.of(us, PieceKind::Pawn).intersects(Bitboard::file(head.file()))
        && !position.is_legal(Move::drop(PieceKind::Pawn, head)?);
    // Another piece may go to the same square exactly if a pawn may, this rule aside.
    let others = [PieceKind::Gold, PieceKind::Silver, PieceKind::Bishop, PieceKind::Rook];
    let other = others.into_iter().find(|&kind| position.hand(us).has(kind))?;
    (possible && position.is_legal(Move::drop(other, head)?)).then_some(head)
}

/// A position with a pawn-drop mate and, if it can be arranged, the same with the dropper in check
/// along a line through the square of the drop.
pub fn mate_net(random: &mut Random) -> (Position, Option<Position>) {
    loop {
        if let Some(position) = try_net(random)
            && let Some(head) = pawn_drop_mate_square(&position)
        {
            let in_check = (0..100).find_map(|_| with_check_through(&position, head, random));
            return (position, in_check);
        }
    }
}

fn try_net(random: &mut Random) -> Option<Position> {
    let us = random.pick(&Color::ALL);
    let king = Square::new(1 + random.below(9) as u8, 1 + random.below(2) as u8)?.seen_by(us);
    let mut pieces = vec![(king, Piece::new(!us, PieceKind::King))];
    let mut taken = Bitboard::of(king);
    for kind in PieceKind::HAND {
        for _ in 0..kind.set_count().min(4) - 1 {
            let step = |random: &mut Random| random.below(5) as i8 - 2;
            let Some(square) = king.offset(step(random), step(random)) else { continue };
            if taken.contains(square) || random.one_in(2) {
                continue;
            }
            taken |= Bitboard::of(square);
            let color = if random.one_in(3) { !us } else { us };
            let promoted = kind.promoted().filter(|_| random.one_in(3));
            pieces.push((square, Piece::new(color, promoted.unwrap_or(kind))));
        }
    }
    let hand = Hand::from_counts([1, 0, 0, 0, 0, 0, 1])?;
    let hands = if us == Color::Black { [hand, Hand::EMPTY] } else { [Hand::EMPTY, hand] };
    repaired(pieces, hands, us)
}

/// Puts our king and an enemy slider on opposite sides of `head`. The slider could take the pawn
/// unless it is pinned itself, so a slider of ours goes behind it. `None` if the rule does not
/// apply any more.
fn with_check_through(position: &Position, head: Square, random: &mut Random) -> Option<Position> {
    let us = position.side_to_move();
    let enemy_king = position.king(!us)?;
    let (files, ranks) = (random.below(3) as i8 - 1, random.below(3) as i8 - 1);
    let king = walk(head, files, ranks, 1 + random.below(4))?;
    let checker = walk(head, -files, -ranks, 1 + random.below(2))?;
    let away = (
        (checker.file() as i8 - enemy_king.file() as i8).signum(),
        (checker.rank() as i8 - enemy_king.rank() as i8).signum(),
    );
    let pinner = walk(checker, away.0, away.1, 1 + random.below(3))?;
    let kind = |(files, ranks): (i8, i8)| {
        if files == 0 || ranks == 0 { PieceKind::Rook } else { PieceKind::Bishop }
    };
    let added = [
        (king, Piece::new(us, PieceKind::King)),
        (checker, Piece::new(!us, kind((files, ranks)))),
        (pinner, Piece::new(us, kind(away))),
    ];
    // One pair of rooks and bishops is all there is: those of the net make room.
    let kept = |&(square, piece): &(Square, Piece)| {
        added.iter().all(|&(other, new)| {
            square != other && piece.kind().unpromoted() != new.kind().unpromoted()
                || (piece.kind() == PieceKind::King && piece.color() != us)
        })
    };
    let pieces: Vec<_> = position.pieces().filter(kept).chain(added).collect();
    let hands = Color::ALL.map(|color| position.hand(color));
    let changed = Position::from_parts(pieces, hands, us, 1).ok()?;
    (changed.in_check() && pawn_drop_mate_square(&changed).is_some()).then_some(changed)
}

fn walk(from: Square, files: i8, ranks: i8, steps: usize) -> Option<Square> {
    (0..steps).try_fold(from, |square, _| square.offset(files, ranks))
}
