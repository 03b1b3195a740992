//! Which of several pieces of a kind moves: the words 右 左 直 上 寄 引.
//!
//! The rules are those of the Japan Shogi Association: say how the piece moves if that is enough;
//! if not, from which side it comes; if that is not enough either, both. All from the mover's view.

use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square};

/// How a piece moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Motion {
    /// 上: to a rank nearer the enemy.
    Up,
    /// 寄: along the rank.
    Sideways,
    /// 引: to a rank nearer its own camp.
    Back,
}

impl Motion {
    pub(super) fn of(color: Color, from: Square, to: Square) -> Self {
        match to.rank_from(color).cmp(&from.rank_from(color)) {
            std::cmp::Ordering::Less => Self::Up,
            std::cmp::Ordering::Equal => Self::Sideways,
            std::cmp::Ordering::Greater => Self::Back,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Up => "上",
            Self::Sideways => "寄",
            Self::Back => "引",
        }
    }
}

/// From which side of its target a piece comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// 左: from a file farther to the left.
    Left,
    /// 直, if it moves up: along the file.
    Straight,
    /// 右: from a file farther to the right.
    Right,
}

impl Side {
    pub(super) fn of(color: Color, from: Square, to: Square) -> Self {
        match leftness(color, from).cmp(&leftness(color, to)) {
            std::cmp::Ordering::Greater => Self::Left,
            std::cmp::Ordering::Equal => Self::Straight,
            std::cmp::Ordering::Less => Self::Right,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Left => "左",
            Self::Straight => "直",
            Self::Right => "右",
        }
    }
}

/// How far to the left a square is, as the player sees it.
pub(super) const fn leftness(color: Color, square: Square) -> u8 {
    square.seen_by(color).file()
}

/// Bishops, rooks and what they promote to. Of two such pieces one is the left and one the right,
/// whatever square they go to, and 直 is never said of them.
pub(super) const fn is_large(kind: PieceKind) -> bool {
    matches!(kind.unpromoted(), PieceKind::Bishop | PieceKind::Rook)
}

/// The mover's pieces of exactly this kind that can go to a square. Whether one of them is pinned
/// does not matter: a reader looks at the pieces, not at the pins.
pub(super) fn pieces_reaching(position: &Position, kind: PieceKind, to: Square) -> Bitboard {
    let us = position.side_to_move();
    position.attackers(to, us, position.occupied()) & position.of(us, kind)
}

/// The words that tell the piece on `from` from the others that can go to `to`; none if there are
/// no others.
pub(super) fn of_move(position: &Position, kind: PieceKind, from: Square, to: Square) -> String {
    let us = position.side_to_move();
    let others = pieces_reaching(position, kind, to).without(Bitboard::of(from));
    if others.is_empty() {
        return String::new();
    }
    let motion = Motion::of(us, from, to);
    if others.into_iter().all(|other| Motion::of(us, other, to) != motion) {
        return motion.word().into();
    }
    if is_large(kind) {
        let leftmost = others.into_iter().all(|other| leftness(us, other) < leftness(us, from));
        return if leftmost { Side::Left } else { Side::Right }.word().into();
    }
    let side = Side::of(us, from, to);
    // Only one piece stands right behind the target, whatever stands right in front of it.
    if side == Side::Straight || others.into_iter().all(|other| Side::of(us, other, to) != side) {
        return side.word().into();
    }
    format!("{}{}", side.word(), motion.word())
}
