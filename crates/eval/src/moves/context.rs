//! The context of moves: what all moves of a position share.

use tesuji_shogi::{
    AttackCounts, Bitboard, CheckSquares, Color, ExchangeValues, Move, PieceKind, Position, Square,
    attacks,
};

use super::exposure::Exposure;
use super::groups::CODES;
use crate::piece_square;

/// The moves that led to a position, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Past {
    /// The last move, that of the enemy.
    pub last: Option<Move>,
    /// The one before, that of the side to move.
    pub before: Option<Move>,
}

impl Past {
    /// What is the past once `mv` is played.
    pub const fn then(self, mv: Move) -> Self {
        Self { last: Some(mv), before: self.last }
    }
}

/// A square that is not on the board.
pub(super) const OUTSIDE: u8 = (CODES - 1) as u8;
/// A square without a piece.
pub(super) const EMPTY: u8 = (CODES - 2) as u8;
/// Squares of the board with a margin of two in each direction, file by file.
const WIDTH: usize = 13;

/// Kinds as attackers from least to most, all generals being equal.
pub(crate) const fn attacker_class(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance | PieceKind::Knight => 1,
        PieceKind::Bishop | PieceKind::Horse => 3,
        PieceKind::Rook | PieceKind::Dragon => 4,
        PieceKind::King => 5,
        _ => 2,
    }
}

const ON_BOARD: usize = 2 * PieceKind::COUNT * Square::COUNT;
const HELD_KINDS: usize = PieceKind::HAND.len();
/// Numbers of pieces of a kind in hand, none among them.
const COUNTS: usize = 19;
/// Where the targets of the last move lie.
const LAST: usize = ON_BOARD + 2 * HELD_KINDS * COUNTS;
/// What every board has.
const ALWAYS: usize = LAST + PieceKind::COUNT * Square::COUNT;
/// What can stand on the board or be in hand, what can have moved last, and the board itself.
pub const BOARD_INPUTS: usize = ALWAYS + 1;

/// A position as the side to move sees it, with what all its moves share.
pub struct MoveContext<'a> {
    pub(super) position: &'a Position,
    pub(super) past: Past,
    pub(super) us: Color,
    /// The square of the own king and that of the enemy, as the side to move sees them; one that is
    /// missing is taken to be at home.
    pub(super) own_king: Square,
    pub(super) enemy_king: Square,
    /// Whether the board is looked at as in a mirror, so that a position and its mirror image are
    /// the same: the own king is on the right half, or else the enemy's, the own rook, the enemy's.
    /// None if nothing tells left from right.
    pub(super) mirror: Option<bool>,
    /// How many of the own pieces attack each square, and how many of the enemy's.
    pub(super) own_counts: [u8; Square::COUNT],
    pub(super) enemy_counts: [u8; Square::COUNT],
    /// What enemy pieces of each class attack.
    pub(super) enemy_attacks: [Bitboard; 6],
    /// What lances, bishops and rooks attack, own ones first.
    lines: [Bitboard; 6],
    /// What the piece that moved last attacks.
    pub(super) last_reach: Bitboard,
    /// The only rook of each side on the board, own first, as the side to move sees it.
    pub(super) rooks: [Option<Square>; 2],
    /// Kinds in hand, own ones first, and how many there are of them.
    pub(super) held: ([u8; 14], usize),
    pub(super) own_zone: Bitboard,
    pub(super) enemy_zone: Bitboard,
    pub(super) checks: Option<CheckSquares>,
    pub(super) values: ExchangeValues,
    pub(super) phase: usize,
    pub(super) exposure: Exposure,
    /// All pieces on the board and in hand, and the same in a mirror.
    pub(super) piece_squares: [Vec<u16>; 2],
    board: [u8; WIDTH * WIDTH],
}

impl<'a> MoveContext<'a> {
    /// Works out what the moves of a position share.
    pub fn new(position: &'a Position, past: Past) -> Self {
        let us = position.side_to_move();
        let counts = AttackCounts::new(position);
        let mut lines = [Bitboard::EMPTY; 6];
        let (own_lines, enemy_lines) = lines.split_at_mut(3);
        attacks_of(position, us, own_lines);
        let enemy_attacks = attacks_of(position, !us, enemy_lines);
        let king = |color: Color, rank| {
            let home = Square::new(5, rank).expect("a square of the board");
            position.king(color).map_or(home, |king| king.seen_by(us))
        };
        let zone =
            |color| position.king(color).map_or(Bitboard::EMPTY, |k| attacks::king_zone(k, 1));
        let in_hand = position.hand(us).total() + position.hand(!us).total();
        let rook = |color| {
            let rooks = position.of(color, PieceKind::Rook);
            rooks.first().filter(|_| !rooks.has_several()).map(|rook| rook.seen_by(us))
        };
        let reach = |mv: Move| {
            let piece = position.piece_on(mv.to()).filter(|piece| piece.color() != us)?;
            Some(attacks::of(piece, mv.to(), position.occupied()))
        };
        let (own_king, enemy_king) = (king(us, 9), king(!us, 1));
        let (own_zone, enemy_zone) = (zone(us), zone(!us));
        let rooks = [rook(us), rook(!us)];
        Self {
            position,
            past,
            us,
            own_king,
            enemy_king,
            mirror: mirror_by([Some(own_king), Some(enemy_king), rooks[0], rooks[1]]),
            own_counts: counts.to_array(us),
            enemy_counts: counts.to_array(!us),
            enemy_attacks,
            lines,
            last_reach: past.last.and_then(reach).unwrap_or(Bitboard::EMPTY),
            rooks,
            held: held_kinds(position, us),
            own_zone,
            enemy_zone,
            checks: CheckSquares::new(position),
            values: ExchangeValues::default(),
            phase: usize::from(in_hand / 2).min(7),
            exposure: Exposure::new(position, &counts, &enemy_attacks, [own_zone, enemy_zone]),
            piece_squares: [false, true].map(|mirror| piece_squares_of(position, us, mirror)),
            board: board_of(position, us),
        }
    }

    /// Calls `visit` with the number of everything that stands on the board or is in hand, as the
    /// side to move sees it, of the piece that moved last, and with one that every board has: each
    /// of these numbers is below [`BOARD_INPUTS`].
    pub fn for_each_piece(&self, mut visit: impl FnMut(usize)) {
        visit(ALWAYS);
        let framed = |square: Square| {
            let seen = square.seen_by(self.us);
            // Where nothing tells left from right, they are the same.
            let mirror = self.mirror.unwrap_or(seen.file() > 5);
            if mirror { seen.mirrored().index() } else { seen.index() }
        };
        for (square, piece) in self.position.pieces() {
            visit(piece_square::code(piece, self.us) * Square::COUNT + framed(square));
        }
        if let Some(last) = self.past.last
            && let Some(piece) = self.position.piece_on(last.to())
        {
            visit(LAST + piece.kind().index() * Square::COUNT + framed(last.to()));
        }
        for (side, color) in [self.us, !self.us].into_iter().enumerate() {
            for (kind, count) in self.position.hand(color).iter() {
                let held = side * HELD_KINDS + kind.index();
                visit(ON_BOARD + held * COUNTS + usize::from(count));
            }
        }
    }

    /// Whether all moves are looked at in a mirror; none if that depends on the move.
    pub(super) fn mirror_by_kings(&self) -> Option<bool> {
        mirror_by([Some(self.own_king), Some(self.enemy_king)])
    }

    /// What stands on the square that is so many files and ranks away, at most two, as the side to
    /// move sees it, or as its mirror image does.
    #[inline(always)]
    pub(super) fn code(&self, from: Square, files: i32, ranks: i32, mirror: bool) -> usize {
        let turn = if self.us == Color::Black { 1 } else { -1 };
        let side = if mirror { -turn } else { turn };
        let place = place(from) as i32 + side * files * WIDTH as i32 + turn * ranks;
        usize::from(self.board[place as usize])
    }

    /// Which lances, bishops and rooks attack the square: a bit each, own ones first.
    #[inline]
    pub(super) fn lines_to(&self, square: Square) -> usize {
        let bits = self.lines.iter().enumerate();
        bits.map(|(bit, attacked)| usize::from(attacked.contains(square)) << bit).sum()
    }

    /// Does an enemy lance, bishop or rook attack the square? A piece that leaves it may uncover
    /// more.
    #[inline]
    pub(super) fn is_on_enemy_line(&self, square: Square) -> bool {
        self.lines[3..].iter().any(|attacked| attacked.contains(square))
    }

    /// Does an enemy piece that is worth less than this kind attack the square?
    #[inline]
    pub(super) fn attacked_by_less(&self, kind: PieceKind, square: Square) -> bool {
        let classes = &self.enemy_attacks[..attacker_class(kind)];
        classes.iter().any(|attacked| attacked.contains(square))
    }

    /// The class of the least enemy piece that attacks the square, from 1, or 0 if none does.
    #[inline]
    pub(super) fn least_attacker(&self, square: Square) -> usize {
        let found = self.enemy_attacks.iter().position(|attacked| attacked.contains(square));
        found.map_or(0, |class| class + 1)
    }
}

/// Whether a mirror brings the first of these squares that is not in the middle to the right half
/// of the board; none if all are in the middle.
pub(super) fn mirror_by<const N: usize>(squares: [Option<Square>; N]) -> Option<bool> {
    let off_middle = squares.into_iter().flatten().find(|square| square.file() != 5);
    off_middle.map(|square| square.file() > 5)
}

/// Where a square lies on the board with its margin.
#[inline(always)]
fn place(square: Square) -> usize {
    usize::from(square.file() + 1) * WIDTH + usize::from(square.rank()) + 1
}

fn piece_squares_of(position: &Position, us: Color, mirror: bool) -> Vec<u16> {
    let placed = position.pieces().map(|(square, piece)| {
        let seen = square.seen_by(us);
        piece_square::placed(
            piece_square::code(piece, us),
            if mirror { seen.mirrored() } else { seen },
        )
    });
    placed
        .chain(piece_square::in_hands(position, us))
        .map(|piece_square| piece_square as u16)
        .collect()
}

fn board_of(position: &Position, us: Color) -> [u8; WIDTH * WIDTH] {
    let mut board = [OUTSIDE; WIDTH * WIDTH];
    for square in Square::all() {
        let piece = position.piece_on(square);
        board[place(square)] = piece.map_or(EMPTY, |piece| piece_square::code(piece, us) as u8);
    }
    board
}

/// Kinds in hand, own ones first, and how many there are of them.
fn held_kinds(position: &Position, us: Color) -> ([u8; 14], usize) {
    let (mut kinds, mut count) = ([0; 14], 0);
    for (side, color) in [us, !us].into_iter().enumerate() {
        for (kind, _) in position.hand(color).iter() {
            kinds[count] = (side * 7 + kind.index()) as u8;
            count += 1;
        }
    }
    (kinds, count)
}

/// What the pieces of each class attack; what lances, bishops and rooks attack is added to `lines`.
fn attacks_of(position: &Position, color: Color, lines: &mut [Bitboard]) -> [Bitboard; 6] {
    let mut classes = [Bitboard::EMPTY; 6];
    let occupied = position.occupied();
    for square in position.of_color(color) {
        let Some(piece) = position.piece_on(square) else { continue };
        let attacked = attacks::of(piece, square, occupied);
        classes[attacker_class(piece.kind())] |= attacked;
        match piece.kind() {
            PieceKind::Lance => lines[0] |= attacked,
            PieceKind::Bishop | PieceKind::Horse => lines[1] |= attacked,
            PieceKind::Rook | PieceKind::Dragon => lines[2] |= attacked,
            _ => {}
        }
    }
    classes
}
