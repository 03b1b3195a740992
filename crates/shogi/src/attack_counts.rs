//! Attack counts: how many pieces attack each square.

use crate::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// For both players, the number of their pieces that attack each square, own pieces' squares
/// included; pins and whose move it is play no part, and sliders do not see through pieces.
///
/// The counts are kept as sets: one of the squares whose count has bit 0 set, one for bit 1, and so
/// on. All pieces of a kind are counted at once that way, and questions such as "attacked at least
/// twice" or "attacked more often by Black" are answered for all squares at once.
///
/// ```
/// use tesuji_shogi::{AttackCounts, Color, Position};
/// let counts = AttackCounts::new(&Position::startpos());
/// // Both golds, the king and the rook.
/// assert_eq!(counts.count(Color::Black, "5h".parse().unwrap()), 4);
/// assert_eq!(counts.count(Color::White, "5h".parse().unwrap()), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttackCounts {
    planes: [Planes; 2],
}

/// Counts up to 15 as four sets, lowest bit first. No square can be attacked by more than ten: one
/// piece from each of eight directions, and two knights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Planes([Bitboard; 4]);

impl Planes {
    /// Adds one on each square of the set.
    #[inline(always)]
    fn add(&mut self, set: Bitboard) {
        self.add_at(0, set);
    }

    /// Adds `1 << plane` on each square of the set.
    #[inline(always)]
    fn add_at(&mut self, plane: usize, set: Bitboard) {
        let mut carry = set;
        for plane in &mut self.0[plane..] {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
    }
}

/// Adds three sets: the squares with an odd number of them, and those with at least two.
#[inline(always)]
fn full_add(a: Bitboard, b: Bitboard, c: Bitboard) -> (Bitboard, Bitboard) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

impl AttackCounts {
    /// Counts the attacks of both sides.
    pub fn new(position: &Position) -> Self {
        Self { planes: Color::ALL.map(|color| count_for(position, color)) }
    }

    /// How many pieces of `color` attack `square`.
    #[inline]
    pub fn count(&self, color: Color, square: Square) -> u8 {
        let bit = |plane: usize| u8::from(self.planes[color.index()].0[plane].contains(square));
        bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3
    }

    /// The squares that `color` attacks at all.
    #[inline]
    pub fn attacked(&self, color: Color) -> Bitboard {
        let [a, b, c, d] = self.planes[color.index()].0;
        a | b | c | d
    }

    /// The squares that `color` attacks twice or more.
    #[inline]
    pub fn attacked_twice(&self, color: Color) -> Bitboard {
        let [_, b, c, d] = self.planes[color.index()].0;
        b | c | d
    }

    /// The squares that `color` attacks with more pieces than the other side.
    pub fn superior(&self, color: Color) -> Bitboard {
        let mut more = Bitboard::EMPTY;
        let (own, other) = (self.planes[color.index()].0, self.planes[(!color).index()].0);
        for (own, other) in own.into_iter().zip(other) {
            // A higher bit that differs decides; where it does not, what was found below stands.
            more = own.without(other) | (more & !(own ^ other));
        }
        more
    }

    /// The sum of the counts over a set of squares.
    pub fn sum(&self, color: Color, squares: Bitboard) -> u32 {
        (0..).zip(self.planes[color.index()].0).map(|(bit, p)| (p & squares).count() << bit).sum()
    }

    /// The same sum without counts: what pieces of `color` attack elsewhere is not worked out.
    #[inline]
    pub fn sum_on(position: &Position, color: Color, squares: Bitboard) -> u32 {
        let steps = (0..).zip(count_steppers(position, color).0);
        let steps: u32 = steps.map(|(bit, plane)| (plane & squares).count() << bit).sum();
        let (own, occupied) = (position.of_color(color), position.occupied());
        let on = |attacked: Bitboard| (attacked & squares).count();
        let mut slides = 0;
        for square in own & position.straight_sliders() {
            slides += on(attacks::rook(square, occupied));
        }
        for square in own & position.diagonal_sliders() {
            slides += on(attacks::bishop(square, occupied));
        }
        for square in position.of(color, PieceKind::Lance) {
            if attacks::lance_ray(color, square).intersects(squares) {
                slides += on(attacks::lance(color, square, occupied));
            }
        }
        steps + slides
    }

    /// The counts of `color`, square by square.
    pub fn to_array(&self, color: Color) -> [u8; Square::COUNT] {
        let mut counts = [0; 88];
        let planes = self.planes[color.index()].0.map(|plane| plane.bits().to_le_bytes());
        for (i, eight) in counts.chunks_exact_mut(8).enumerate() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|plane| SPREAD[usize::from(planes[plane][i])]);
            eight.copy_from_slice(&(a | b << 1 | c << 2 | d << 3).to_le_bytes());
        }
        *counts.first_chunk().expect("88 is more than 81")
    }
}

/// Bit `n` of the index as byte `n` of the entry.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline(always)]
fn count_for(position: &Position, color: Color) -> Planes {
    let mut planes = count_steppers(position, color);
    let occupied = position.occupied();
    let own = position.of_color(color);
    for square in own & position.straight_sliders() {
        planes.add(attacks::rook(square, occupied));
    }
    for square in own & position.diagonal_sliders() {
        planes.add(attacks::bishop(square, occupied));
    }
    for square in position.of(color, PieceKind::Lance) {
        planes.add(attacks::lance(color, square, occupied));
    }
    planes
}

/// All single steps: ten sets, one for each direction, added by a tree of full adders.
#[inline(always)]
fn count_steppers(position: &Position, color: Color) -> Planes {
    let up = if color == Color::Black { -1 } else { 1 };
    let [straight_forward, diagonal_forward, sideways, straight_back, diagonal_back, knights] =
        movers(position, color);
    let (a0, a1) = full_add(
        straight_forward.shifted(0, up),
        diagonal_forward.shifted(-1, up),
        diagonal_forward.shifted(1, up),
    );
    let (b0, b1) =
        full_add(sideways.shifted(-1, 0), sideways.shifted(1, 0), straight_back.shifted(0, -up));
    let (c0, c1) = full_add(
        diagonal_back.shifted(-1, -up),
        diagonal_back.shifted(1, -up),
        knights.shifted(-1, 2 * up),
    );
    let (ones, d1) = full_add(a0, b0, c0);
    let (twos, e2) = full_add(a1, b1, c1);
    let mut planes = Planes([ones, twos, e2, Bitboard::EMPTY]);
    planes.add_at(1, d1);
    planes.add(knights.shifted(1, 2 * up));
    planes
}

/// The pieces that step straight forward, diagonally forward, sideways, straight back, diagonally
/// back, and the knights. A horse steps where it does not slide, and so does a dragon.
#[inline(always)]
fn movers(position: &Position, color: Color) -> [Bitboard; 6] {
    let own = position.of_color(color);
    let kind = |kind: PieceKind| position.of_kind(kind) & own;
    let golds = position.golds() & own;
    let (silvers, kings) = (kind(PieceKind::Silver), kind(PieceKind::King));
    let (horses, dragons) = (kind(PieceKind::Horse), kind(PieceKind::Dragon));
    let sideways = golds | kings | horses;
    [
        kind(PieceKind::Pawn) | silvers | sideways,
        silvers | golds | kings | dragons,
        sideways,
        sideways,
        silvers | kings | dragons,
        kind(PieceKind::Knight),
    ]
}
