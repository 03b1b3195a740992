//! Progress: how far the game has come, by the danger of each king (Takeuchi et al. 2006, in the
//! form that the program OSL has it).
//!
//! The danger of a king counts attacks on the five by three squares around it, which are shifted
//! to lie on the board, and what the attacker holds in hand.

use tesuji_shogi::{AttackCounts, Bitboard, Color, PieceKind, Position, Square};

use crate::{Feature, Group, Measure, View};

/// What a danger of 1 is, before it is divided.
const FULL: u32 = 64;
/// An attack, where all count alike.
const ATTACK: u32 = 8;
/// Half of this, less half of the files from the king, is an attack where near ones count more.
const NEAR: u32 = 16;

/// What attacks around a king count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AttackWeight {
    /// All alike, an eighth: the paper's form.
    #[default]
    Equal,
    /// Less for each file between the square and the king: the later form.
    ByFile,
}

/// The dangers of both kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    raw: [u32; 2],
}

impl Progress {
    /// The progress of a position.
    pub fn new(position: &Position, weight: AttackWeight) -> Self {
        Self::with_counts(position, &AttackCounts::new(position), weight)
    }

    /// The same where attacks are counted already.
    pub fn with_counts(position: &Position, counts: &AttackCounts, weight: AttackWeight) -> Self {
        Self { raw: Color::ALL.map(|color| raw(position, counts, weight, color)) }
    }

    /// The progress where all attacks count alike, for a search: attacks elsewhere than near the
    /// kings are not counted.
    #[inline]
    pub fn near_kings(position: &Position) -> Self {
        let danger = |king: Color| {
            let Some(square) = position.king(king) else { return 0 };
            ATTACK * AttackCounts::sum_on(position, !king, area(square)) + held(position, !king)
        };
        Self { raw: Color::ALL.map(danger) }
    }

    /// The danger of a king, from 0 to 1: the paper's Progress(B) and Progress(W).
    pub fn danger(&self, king: Color) -> f64 {
        f64::from(self.sixty_fourths(king)) / f64::from(FULL)
    }

    /// The same from 0 to 64.
    pub fn sixty_fourths(&self, king: Color) -> u32 {
        self.raw[king.index()].min(FULL)
    }

    /// How far the game has come, in sixteenths from 0 to 15.
    pub fn sixteenths(&self) -> u32 {
        ((self.raw[0] + self.raw[1]) / 8).min(15)
    }

    /// The value between that of the opening and that of the endgame (the paper's equation 1), to
    /// the nearest whole number. Halves go away from zero: opposite values give opposite results.
    #[inline]
    pub fn interpolate(&self, opening: i32, endgame: i32) -> i32 {
        let p = self.sixteenths() as i32;
        let sum = (16 - p) * opening + p * endgame;
        (sum + 8 * sum.signum()) / 16
    }

    /// The progress from 0 to nearly 1.
    pub fn overall(&self) -> f64 {
        f64::from(self.sixteenths()) / 16.0
    }
}

/// The danger of a king before it is capped and divided; 0 where there is no king.
fn raw(position: &Position, counts: &AttackCounts, weight: AttackWeight, king: Color) -> u32 {
    let Some(square) = position.king(king) else { return 0 };
    let attacker = !king;
    let attacks = match weight {
        AttackWeight::Equal => ATTACK * counts.sum(attacker, area(square)),
        AttackWeight::ByFile => {
            let near = |q: Square| NEAR - u32::from(q.file().abs_diff(square.file()));
            let sum = |q: Square| near(q) * u32::from(counts.count(attacker, q));
            area(square).into_iter().map(sum).sum::<u32>() / 2
        }
    };
    attacks + held(position, attacker)
}

/// What the attacker's pieces in hand add to the danger.
#[inline]
fn held(position: &Position, attacker: Color) -> u32 {
    let hand = position.hand(attacker);
    PieceKind::HAND.into_iter().map(|kind| held_weight(kind) * u32::from(hand.count(kind))).sum()
}

const fn held_weight(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 4,
        PieceKind::Bishop | PieceKind::Rook => 12,
        _ => 8,
    }
}

/// Five files and three ranks around a king, shifted to lie on the board.
pub fn area(king: Square) -> Bitboard {
    AREAS[king.index()]
}

static AREAS: [Bitboard; Square::COUNT] = {
    let mut areas = [Bitboard::EMPTY; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        // Squares are numbered file by file, nine to a file.
        let (file, rank) = (clamped(king / 9, 2, 6), clamped(king % 9, 1, 7));
        let mut i = 0;
        while i < 15 {
            if let Some(square) = Square::from_index((file - 2 + i / 3) * 9 + rank - 1 + i % 3) {
                areas[king] = areas[king].union(Bitboard::of(square));
            }
            i += 1;
        }
        king += 1;
    }
    areas
};

const fn clamped(number: usize, least: usize, most: usize) -> usize {
    if number < least {
        least
    } else if number > most {
        most
    } else {
        number
    }
}

fn area_of(view: &View<'_>, king: Color) -> Bitboard {
    view.position().king(king).map_or(Bitboard::EMPTY, area)
}

fn danger(view: &View<'_>, weight: AttackWeight, king: Color) -> i32 {
    raw(view.position(), view.counts(), weight, king).min(FULL) as i32
}

const fn feature(
    name: &'static str,
    sentence: &'static str,
    group: Group,
    value: fn(&View<'_>) -> i32,
    squares: fn(&View<'_>) -> Bitboard,
) -> Feature {
    let measure = Measure::Number { value, squares };
    Feature { name, group, bits: 6, linked_to: None, sentence, measure }
}

/// Penalties carry their own minus sign, as everywhere.
pub(crate) const FEATURES: [Feature; 5] = [
    feature(
        "ENEMY_KING_DANGER",
        "The danger of the enemy king in sixty-fourths: your attacks on five by three squares around \
         it, and what you hold in hand.",
        Group::King,
        |view| danger(view, AttackWeight::Equal, view.opponent()),
        |view| area_of(view, view.opponent()),
    ),
    feature(
        "PLAYER_KING_DANGER_PENALTY",
        "The danger of your king in sixty-fourths, enemy attacks around it and what your opponent \
         holds, counts against you.",
        Group::King,
        |view| -danger(view, AttackWeight::Equal, view.player()),
        |view| area_of(view, view.player()),
    ),
    feature(
        "ENEMY_KING_DANGER_BY_FILE",
        "The danger of the enemy king in sixty-fourths, where attacks on near files count more.",
        Group::King,
        |view| danger(view, AttackWeight::ByFile, view.opponent()),
        |view| area_of(view, view.opponent()),
    ),
    feature(
        "PLAYER_KING_DANGER_BY_FILE_PENALTY",
        "The danger of your king in sixty-fourths, where attacks on near files count more, counts \
         against you.",
        Group::King,
        |view| -danger(view, AttackWeight::ByFile, view.player()),
        |view| area_of(view, view.player()),
    ),
    feature(
        "GAME_PROGRESS",
        "How far the game has come, in sixteenths, by the danger of both kings.",
        Group::Phase,
        |view| {
            let weight = AttackWeight::Equal;
            Progress::with_counts(view.position(), view.counts(), weight).sixteenths() as i32
        },
        |view| area_of(view, view.player()) | area_of(view, view.opponent()),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{POSITIONS, assert_values, changed_position};

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    /// The definition, square by square.
    fn oracle(position: &Position, king: Color, by_file: bool) -> u32 {
        let square = position.king(king).unwrap();
        let counts = AttackCounts::new(position);
        let mut twice = 0;
        for q in Square::all() {
            let file = square.file().clamp(3, 7).abs_diff(q.file());
            let rank = square.rank().clamp(2, 8).abs_diff(q.rank());
            if file <= 2 && rank <= 1 {
                let near = 16 - u32::from(square.file().abs_diff(q.file()));
                let weight = if by_file { near } else { 16 };
                twice += weight * u32::from(counts.count(!king, q));
            }
        }
        let hand = position.hand(!king);
        let held = [
            (PieceKind::Pawn, 1),
            (PieceKind::Lance, 4),
            (PieceKind::Knight, 8),
            (PieceKind::Silver, 8),
            (PieceKind::Gold, 8),
            (PieceKind::Bishop, 12),
            (PieceKind::Rook, 12),
        ];
        let held: u32 = held.iter().map(|&(kind, w)| w * u32::from(hand.count(kind))).sum();
        twice / 2 + held
    }

    #[test]
    fn dangers_are_those_of_the_definition() {
        for sfen in POSITIONS {
            let position = position(sfen);
            for (weight, by_file) in [(AttackWeight::Equal, false), (AttackWeight::ByFile, true)] {
                let progress = Progress::new(&position, weight);
                for king in Color::ALL.into_iter().filter(|&king| position.king(king).is_some()) {
                    let expected = oracle(&position, king, by_file);
                    assert_eq!(progress.raw[king.index()], expected, "{sfen} {king:?}");
                    assert_eq!(progress.danger(king), f64::from(expected.min(64)) / 64.0);
                }
            }
        }
    }

    #[test]
    fn the_area_stays_on_the_board() {
        for king in Square::all() {
            assert_eq!(area(king).count(), 15);
            assert!(area(king).contains(king));
            let (file, rank) = (king.file().clamp(3, 7), king.rank().clamp(2, 8));
            let is_near = |q: Square| q.file().abs_diff(file) <= 2 && q.rank().abs_diff(rank) <= 1;
            assert!(area(king).into_iter().all(is_near));
        }
    }

    #[test]
    fn near_the_kings_the_same_is_found() {
        let same = |position: &Position| {
            let expected = Progress::new(position, AttackWeight::Equal);
            assert_eq!(Progress::near_kings(position), expected, "{}", position.to_sfen());
        };
        let mut number: u64 = 1;
        for sfen in POSITIONS {
            same(&position(sfen));
            for _ in 0..5 {
                let mut position = position(sfen);
                for _ in 0..150 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    position =
                        position.after_unchecked(moves[(number >> 33) as usize % moves.len()]);
                    same(&position);
                }
            }
        }
    }

    #[test]
    fn players_change_places() {
        for sfen in POSITIONS {
            let position = position(sfen);
            let turned = changed_position(&position, true, &|square| square.seen_by(Color::White));
            let (one, other) = (
                Progress::new(&position, AttackWeight::Equal),
                Progress::new(&turned, AttackWeight::Equal),
            );
            assert_eq!(one.raw, [other.raw[1], other.raw[0]]);
            assert_eq!(one.overall(), other.overall());
        }
    }

    #[test]
    fn values_of_both_phases_are_interpolated() {
        let at = |sixteenths: u32| Progress { raw: [8 * sixteenths, 0] };
        assert_eq!(at(0).interpolate(123, -4567), 123);
        assert_eq!(at(8).interpolate(100, 201), 151);
        assert_eq!(at(8).interpolate(-100, -201), -151);
        assert_eq!(at(4).interpolate(400, 800), 500);
        // The endgame is never all there is.
        assert_eq!(at(99).interpolate(0, 1600), 1500);
    }

    #[test]
    fn values_on_small_boards() {
        // The area of a king on 5a is shifted down to the ranks a to c: the gold attacks 4c, 5c
        // and 6c in it.
        let gold = "4k4/9/9/4G4/9/9/9/9/4K4 b - 1";
        assert_values(&[
            (gold, "ENEMY_KING_DANGER", 24),
            (gold, "PLAYER_KING_DANGER_PENALTY", 0),
            (gold, "GAME_PROGRESS", 3),
            // Two of the attacks are one file away.
            (gold, "ENEMY_KING_DANGER_BY_FILE", 23),
            ("4k4/9/9/9/9/9/9/9/4K4 b 2P 1", "ENEMY_KING_DANGER", 2),
            ("4k4/9/9/9/9/9/9/9/4K4 b 2r2b2g4p 1", "PLAYER_KING_DANGER_PENALTY", -64),
        ]);
        let start = Progress::new(&Position::startpos(), AttackWeight::Equal);
        assert_eq!((start.danger(Color::Black), start.overall()), (0.0, 0.0));
    }
}
