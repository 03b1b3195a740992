//! Random positions for tests.
#![allow(dead_code, reason = "each test uses its own part")]

pub mod games;
pub mod mate_nets;
pub mod naive;
pub mod shared_data;

use tesuji_shogi::{Bitboard, Color, Hand, Move, Piece, PieceKind, Position, Square};

/// SplitMix64: small, seeded, good enough to choose moves.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A legal move, more often than by chance a check or a capture, so that kings are hunted and hands
/// fill up. `None` when there is no move.
pub fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let wanted: Vec<Move> = match random.below(4) {
        0 => moves.into_iter().filter(|&mv| position.gives_check(mv)).collect(),
        1 => moves.into_iter().filter(|mv| position.piece_on(mv.to()).is_some()).collect(),
        _ => Vec::new(),
    };
    Some(random.pick(if wanted.is_empty() { &moves } else { &wanted }))
}

/// A position put together at random: kings, often one in a corner, some pieces around, the rest
/// in the hands. Such positions have the checks, pins and pawn-drop mates that games seldom show.
pub fn scrambled_position(random: &mut Random) -> Position {
    loop {
        if let Some(position) = try_scramble(random) {
            return position;
        }
    }
}

fn try_scramble(random: &mut Random) -> Option<Position> {
    let mut pieces: Vec<(Square, Piece)> = Vec::new();
    let mut taken = Bitboard::EMPTY;
    let side = random.pick(&Color::ALL);
    for color in Color::ALL {
        if color == side && random.one_in(8) {
            continue; // a problem without the attacker's king
        }
        let king = match taken.first() {
            // Kings close together make drops that both block a check and give one.
            Some(other) if random.one_in(3) => near(other, random)?,
            _ => home_square(random)?.seen_by(!color),
        };
        if taken.contains(king) {
            return None;
        }
        taken |= Bitboard::of(king);
        pieces.push((king, Piece::new(color, PieceKind::King)));
    }
    let kings: Vec<Square> = taken.into_iter().collect();
    let density = random.below(6);
    let mut hands = [[0_u8; 7]; 2];
    for kind in PieceKind::HAND {
        for _ in 0..kind.set_count() {
            let color = random.pick(&Color::ALL);
            if random.below(5) < density {
                let square = near(random.pick(&kings), random)?;
                if taken.contains(square) {
                    continue;
                }
                taken |= Bitboard::of(square);
                let promoted = kind.promoted().filter(|_| random.one_in(3));
                pieces.push((square, Piece::new(color, promoted.unwrap_or(kind))));
            } else if !random.one_in(6) {
                hands[color.index()][kind.index()] += 1;
            }
        }
    }
    let hands = [Hand::from_counts(hands[0])?, Hand::from_counts(hands[1])?];
    repaired(pieces, hands, side)
}

/// Where White's king may stand, corners and edges first.
fn home_square(random: &mut Random) -> Option<Square> {
    let rank = if random.one_in(4) { 5 } else { random.pick(&[1, 1, 2, 3]) };
    Square::new(random.pick(&[1, 1, 2, 5, 8, 9, 9]), rank)
}

/// A square, most often close to the king.
fn near(king: Square, random: &mut Random) -> Option<Square> {
    if random.one_in(3) {
        return Square::from_index(random.below(81));
    }
    let step = |random: &mut Random| random.below(7) as i8 - 3;
    king.offset(step(random), step(random)).or_else(|| Square::from_index(random.below(81)))
}

/// Leaves out dead pieces and second pawns; gives up if the waiting side is in check.
fn repaired(pieces: Vec<(Square, Piece)>, hands: [Hand; 2], side: Color) -> Option<Position> {
    let mut pawn_files = [[false; 10]; 2];
    let pieces: Vec<(Square, Piece)> = pieces
        .into_iter()
        .filter(|&(square, piece)| {
            let (color, kind) = (piece.color(), piece.kind());
            let seen = &mut pawn_files[color.index()][square.file() as usize];
            square.rank_from(color) > kind.dead_ranks()
                && (kind != PieceKind::Pawn || !std::mem::replace(seen, true))
        })
        .collect();
    Position::from_parts(pieces, hands, side, 1).ok()
}

/// Calls `visit` with `count` positions: some from random games, most scrambled and then played on
/// for a few moves.
pub fn for_each_position(count: usize, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    let mut game = 0;
    while seen < count {
        let (mut position, length) = if game % 64 == 0 {
            (Position::startpos(), 300)
        } else {
            (scrambled_position(&mut random), 6)
        };
        game += 1;
        for _ in 0..length {
            visit(&position);
            seen += 1;
            if seen == count {
                return;
            }
            match random_move(&position, &mut random) {
                Some(mv) => position.play_unchecked(mv),
                None => break,
            }
        }
    }
}

/// Everything that a position keeps incrementally, worked out from the pieces: the slow twin of
/// [`Position::play_unchecked`].
pub fn recomputed(position: &Position) -> Position {
    let hands = Color::ALL.map(|color| position.hand(color));
    Position::from_parts(position.pieces(), hands, position.side_to_move(), position.ply())
        .expect("a position that was reached by legal moves is valid")
}
