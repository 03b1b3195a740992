//! Tables made at compile time.

use crate::{Bitboard, Color, Piece, PieceKind, Square};

pub(super) type BySquare<T> = [T; Square::COUNT];

/// The squares of one line through a square: those with lower and those with higher numbers.
#[derive(Clone, Copy)]
pub(super) struct LineMasks {
    pub lower: u128,
    pub upper: u128,
}

impl LineMasks {
    pub(super) const fn lower(&self) -> Bitboard {
        Bitboard::from_bits(self.lower)
    }

    pub(super) const fn upper(&self) -> Bitboard {
        Bitboard::from_bits(self.upper)
    }

    pub(super) const fn both(&self) -> Bitboard {
        Bitboard::from_bits(self.lower | self.upper)
    }
}

/// A step as (files to the left, ranks down).
type Step = (i8, i8);

const PAWN_STEPS: &[Step] = &[(0, -1)];
const KNIGHT_STEPS: &[Step] = &[(-1, -2), (1, -2)];
const SILVER_STEPS: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD_STEPS: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const ORTHOGONAL_STEPS: &[Step] = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL_STEPS: &[Step] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// `(0..81).map(Square::from_index)` for constants.
const fn square(index: usize) -> Square {
    match Square::from_index(index) {
        Some(square) => square,
        None => panic!("square out of range"),
    }
}

/// The squares that Black's steps reach; `sign` -1 turns the board for White.
const fn steps(steps: &[Step], sign: i8) -> BySquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut s = 0;
        while s < steps.len() {
            if let Some(to) = square(i).offset(sign * steps[s].0, sign * steps[s].1) {
                table[i] = table[i].union(Bitboard::of(to));
            }
            s += 1;
        }
        i += 1;
    }
    table
}

/// All squares from `from` in one direction to the edge.
const fn ray(from: Square, files: i8, ranks: i8) -> u128 {
    let mut bits = 0;
    let mut next = from.offset(files, ranks);
    while let Some(square) = next {
        bits |= 1 << square.index();
        next = square.offset(files, ranks);
    }
    bits
}

/// The line in the direction (files, ranks), which is one of rising square numbers.
const fn lines(files: i8, ranks: i8) -> BySquare<LineMasks> {
    let mut table = [LineMasks { lower: 0, upper: 0 }; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i].lower = ray(square(i), -files, -ranks);
        table[i].upper = ray(square(i), files, ranks);
        i += 1;
    }
    table
}

pub(super) static PAWN: [BySquare<Bitboard>; 2] = [steps(PAWN_STEPS, 1), steps(PAWN_STEPS, -1)];
pub(super) static KNIGHT: [BySquare<Bitboard>; 2] =
    [steps(KNIGHT_STEPS, 1), steps(KNIGHT_STEPS, -1)];
pub(super) static SILVER: [BySquare<Bitboard>; 2] =
    [steps(SILVER_STEPS, 1), steps(SILVER_STEPS, -1)];
pub(super) static GOLD: [BySquare<Bitboard>; 2] = [steps(GOLD_STEPS, 1), steps(GOLD_STEPS, -1)];
pub(super) static ROOK_STEPS: BySquare<Bitboard> = steps(ORTHOGONAL_STEPS, 1);
pub(super) static BISHOP_STEPS: BySquare<Bitboard> = steps(DIAGONAL_STEPS, 1);
pub(super) static KING: BySquare<Bitboard> = {
    let mut table = steps(ORTHOGONAL_STEPS, 1);
    let diagonal = steps(DIAGONAL_STEPS, 1);
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = table[i].union(diagonal[i]);
        i += 1;
    }
    table
};

pub(super) static FILES: BySquare<LineMasks> = lines(0, 1);
pub(super) static RANKS: BySquare<LineMasks> = lines(1, 0);
pub(super) static RISING: BySquare<LineMasks> = lines(1, -1);
pub(super) static FALLING: BySquare<LineMasks> = lines(1, 1);

/// Walks from every square in all eight directions and notes what lies between the two ends, and
/// the whole line through both.
const fn lines_between(whole: bool) -> [BySquare<Bitboard>; Square::COUNT] {
    let directions: [Step; 8] =
        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = directions[d];
            let line = ray(square(i), files, ranks) | ray(square(i), -files, -ranks) | 1 << i;
            let mut passed = 0;
            let mut next = square(i).offset(files, ranks);
            while let Some(to) = next {
                table[i][to.index()] = Bitboard::from_bits(if whole { line } else { passed });
                passed |= 1 << to.index();
                next = to.offset(files, ranks);
            }
            d += 1;
        }
        i += 1;
    }
    table
}

static BETWEEN: [BySquare<Bitboard>; Square::COUNT] = lines_between(false);
static LINE: [BySquare<Bitboard>; Square::COUNT] = lines_between(true);

/// The squares strictly between two squares of one file, rank or diagonal; empty otherwise.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole file, rank or diagonal through two different squares; empty if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// For a king's square and another one: which pieces on the other square would attack the king if
/// nothing stood between (bit [`Piece::index`]), and whether they share a line ([`ALIGNED`]).
static RELATIONS: [BySquare<u32>; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut from = 0;
        while from < Square::COUNT {
            table[king][from] = relation(king, from);
            from += 1;
        }
        king += 1;
    }
    table
};

/// A bit that no piece has.
const ALIGNED: u32 = 1 << 31;

const fn relation(king: usize, from: usize) -> u32 {
    use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, Rook, Silver};
    let diagonal = RISING[from].both().union(FALLING[from].both());
    let straight = RANKS[from].both().union(FILES[from].both());
    let bit = Bitboard::of(square(king));
    let mut relation = if diagonal.union(straight).intersects(bit) { ALIGNED } else { 0 };
    let mut c = 0;
    while c < 2 {
        let ahead = if c == 0 { FILES[from].lower() } else { FILES[from].upper() };
        let reaches = [
            (Pawn, PAWN[c][from]),
            (Lance, ahead),
            (Knight, KNIGHT[c][from]),
            (Silver, SILVER[c][from]),
            (Bishop, diagonal),
            (Rook, straight),
            (Gold, GOLD[c][from]),
            (PieceKind::ProPawn, GOLD[c][from]),
            (PieceKind::ProLance, GOLD[c][from]),
            (PieceKind::ProKnight, GOLD[c][from]),
            (PieceKind::ProSilver, GOLD[c][from]),
            (Horse, diagonal.union(KING[from])),
            (Dragon, straight.union(KING[from])),
        ];
        let mut i = 0;
        while i < reaches.len() {
            if reaches[i].1.intersects(bit) {
                relation |= 1 << Piece::new(Color::ALL[c], reaches[i].0).index();
            }
            i += 1;
        }
        c += 1;
    }
    relation
}

/// Would `piece` on `from` attack a king on `king` if nothing stood between?
#[inline(always)]
pub(crate) fn on_empty_board(piece: Piece, from: Square, king: Square) -> bool {
    RELATIONS[king.index()][from.index()] >> piece.index() & 1 != 0
}

/// Are the two squares on one file, rank or diagonal?
#[inline(always)]
pub(crate) fn aligned(from: Square, king: Square) -> bool {
    RELATIONS[king.index()][from.index()] & ALIGNED != 0
}

/// For each square, the squares at most `steps` king steps away.
const fn zones(steps: u8) -> BySquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut j = 0;
        while j < Square::COUNT {
            if square(i).distance(square(j)) <= steps {
                table[i] = table[i].union(Bitboard::of(square(j)));
            }
            j += 1;
        }
        i += 1;
    }
    table
}

static ZONES: [BySquare<Bitboard>; 3] = [zones(1), zones(2), zones(3)];

/// The king's square and the squares at most `steps` king steps from it, for 1 to 3 steps.
///
/// # Panics
/// If `steps` is 0 or more than 3.
#[inline(always)]
pub fn king_zone(king: Square, steps: u8) -> Bitboard {
    ZONES[steps as usize - 1][king.index()]
}
