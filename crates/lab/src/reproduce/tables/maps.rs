//! Piece tables as maps of the board, and the gold of the program KIRI beside ours.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tesuji_eval::PieceTables;
use tesuji_eval::tables::parts::{ALL_CELLS, board_cell};
use tesuji_eval::tables::{UNITS, for_each_cell};
use tesuji_report::SquareMap;
use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Square};

use super::corpus::Corpus;

/// A cell that occurs in fewer positions of the games is mostly guessed from others.
const RARE: u32 = 100;

/// Figure 1 of "A shogi program based on Monte-Carlo tree search" by Sato, Takahashi and
/// Grimbergen: what a gold is worth with the own king on 8h, in the tables of the program KIRI.
/// Ranks a to i, from file 9 to file 1; the king has no value.
const KIRI_GOLD: [[i32; 9]; 9] = [
    [-62, -108, -64, -70, -88, -98, -88, -124, -98],
    [-116, -112, -4, 4, -22, -28, -6, -74, -94],
    [-110, -46, -50, -26, -22, -2, -28, -44, -76],
    [-64, -40, 0, -16, 10, -18, -8, -4, -50],
    [-98, -52, -26, -18, -22, -14, -20, -26, -60],
    [-78, -38, -20, -26, -20, -18, -14, -44, -66],
    [-104, -20, 2, 18, -48, -22, -52, -64, -100],
    [-120, 0, 46, -22, -2, -34, -52, -80, -162],
    [-116, 6, -58, 8, -82, -30, -86, -74, -160],
];

/// Whose king a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum King {
    Own,
    Enemy,
}

/// What an own piece is worth on each square, with a king on one.
#[derive(Clone)]
pub struct PieceMap {
    pub king: Square,
    whose: King,
    pub kind: PieceKind,
    /// In centipawns, less the mean of all squares.
    pub values: Vec<(Square, f64)>,
    /// Squares on which the piece is rarely seen.
    pub rare: Bitboard,
}

/// The maps that are shown, of the tables that come with the program.
pub struct Maps {
    /// The gold of KIRI and ours, both with the own king on 8h.
    pub kiri: PieceMap,
    pub gold: PieceMap,
    /// Other pieces with the own king there.
    pub own: Vec<PieceMap>,
    /// With the enemy king on 2b.
    pub enemy: Vec<PieceMap>,
}

impl Maps {
    pub fn new(corpus: &Corpus) -> Result<Self> {
        use PieceKind::{Bishop, Gold, Knight, Pawn, ProPawn, Rook, Silver};
        let tables = PieceTables::named("tables").context("no such tables")?;
        let counts = Counts::new(corpus);
        let kiri = PieceMap::kiri();
        let own = (King::Own, kiri.king);
        let enemy = (King::Enemy, kiri.king.seen_by(Color::White));
        let map = |king, kind| PieceMap::new(&tables, &counts, king, kind);
        Ok(Self {
            kiri,
            gold: map(own, Gold),
            own: [Silver, Knight, Pawn, Bishop, Rook].map(|kind| map(own, kind)).into(),
            enemy: [Gold, Silver, ProPawn, Pawn].map(|kind| map(enemy, kind)).into(),
        })
    }

    /// How much both golds agree: on all squares, and on those that occur often.
    pub fn agreement(&self) -> [(f64, usize); 2] {
        let often = |square| !self.gold.rare.contains(square);
        [
            rank_correlation(&self.gold, &self.kiri, |_| true),
            rank_correlation(&self.gold, &self.kiri, often),
        ]
    }

    pub fn numbers(&self) -> Value {
        let [(all, _), (often, squares)] = self.agreement();
        json!({
            "rank_correlation": all,
            "rank_correlation_of_common_squares": often,
            "common_squares": squares,
            "spread": { "here": self.gold.spread(), "kiri": self.kiri.spread() },
        })
    }
}

/// How often each cell of the tables occurs in the games to learn from.
pub struct Counts(Vec<u32>);

impl Counts {
    pub fn new(corpus: &Corpus) -> Self {
        let mut counts = vec![0; ALL_CELLS];
        corpus.for_each_position(|position| {
            for owner in Color::ALL {
                for_each_cell(position, owner, |cell| counts[cell] += 1);
            }
        });
        Self(counts)
    }
}

impl PieceMap {
    /// The map of tables for an own piece.
    pub fn new(
        tables: &PieceTables,
        counts: &Counts,
        (whose, king): (King, Square),
        kind: PieceKind,
    ) -> Self {
        // The enemy sees the board from the other side, and our piece as one of the enemy; what it
        // is worth to the enemy it costs us.
        let cell = |square: Square| match whose {
            King::Own => board_cell(king, kind.index(), square),
            King::Enemy => {
                let seen = |square: Square| square.seen_by(Color::White);
                board_cell(seen(king), kind.index() + PieceKind::COUNT, seen(square))
            }
        };
        let sign = if whose == King::Own { 1.0 } else { -1.0 };
        let worth = |square| sign * f64::from(tables.cells()[cell(square)]) / f64::from(UNITS);
        let squares = || squares_of(kind, king);
        Self {
            king,
            whose,
            kind,
            values: around_mean(squares().map(|square| (square, worth(square))).collect()),
            rare: squares().filter(|&square| counts.0[cell(square)] < RARE).collect(),
        }
    }

    /// Figure 1 of the paper.
    pub fn kiri() -> Self {
        let king = Square::new(8, 8).expect("a square of the board");
        let value = |square: Square| {
            let (rank, column) = (usize::from(square.rank() - 1), usize::from(9 - square.file()));
            (square, f64::from(KIRI_GOLD[rank][column]))
        };
        let kind = PieceKind::Gold;
        let values = around_mean(squares_of(kind, king).map(value).collect());
        Self { king, whose: King::Own, kind, values, rare: Bitboard::EMPTY }
    }

    pub fn figure(&self, largest: f64) -> SquareMap {
        let color = if self.whose == King::Own { Color::Black } else { Color::White };
        SquareMap::new(self.values.iter().copied())
            .piece(self.king, Piece::new(color, PieceKind::King))
            .faint(self.rare)
            .largest(largest)
    }

    /// What it shows, as the name of a file: `silver-own-king-8h`.
    pub fn file_name(&self) -> String {
        format!("{}-{}-king-{}", self.kind.english().replace(' ', "-"), self.side(), self.king)
    }

    /// What it shows, in words.
    pub fn caption(&self) -> String {
        let piece = self.kind.english();
        let (first, rest) = piece.split_at(1);
        format!("{}{rest}, {} king on {}", first.to_uppercase(), self.side(), self.king)
    }

    const fn side(&self) -> &'static str {
        match self.whose {
            King::Own => "own",
            King::Enemy => "enemy",
        }
    }

    /// The value of a square.
    pub fn get(&self, square: Square) -> Option<f64> {
        self.values.iter().find(|(other, _)| *other == square).map(|&(_, value)| value)
    }

    /// The largest value, above or below the mean.
    pub fn largest(&self) -> f64 {
        self.values.iter().map(|(_, value)| value.abs()).fold(0.0, f64::max)
    }

    /// The spread of the values around their mean.
    pub fn spread(&self) -> f64 {
        let squares: f64 = self.values.iter().map(|(_, value)| value * value).sum();
        (squares / self.values.len().max(1) as f64).sqrt()
    }
}

/// The squares on which a piece can stand beside a king.
fn squares_of(kind: PieceKind, king: Square) -> impl Iterator<Item = Square> {
    Square::all().filter(move |&square| square != king && square.rank() > kind.dead_ranks())
}

fn around_mean(mut values: Vec<(Square, f64)>) -> Vec<(Square, f64)> {
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|(_, value)| *value -= mean);
    values
}

/// How much two maps agree on which squares are better: Spearman's rank correlation over the
/// squares that both have and `counts` admits, with the number of those squares.
fn rank_correlation(
    one: &PieceMap,
    other: &PieceMap,
    counts: impl Fn(Square) -> bool,
) -> (f64, usize) {
    let squares = one.values.iter().filter(|(square, _)| counts(*square));
    let pairs: Vec<(f64, f64)> =
        squares.filter_map(|&(square, value)| Some((value, other.get(square)?))).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    (correlation(&ranks(&a), &ranks(&b)), a.len())
}

/// The place of each number among all of them; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let less = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        less + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |x: &[f64], mean_x: f64, y: &[f64], mean_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum()
    };
    sum(a, mean_a, b, mean_b) / (sum(a, mean_a, a, mean_a) * sum(b, mean_b, b, mean_b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn ranks_and_their_correlation_are_known() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(correlation(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), 1.0);
        assert_eq!(correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0);
        // One exchange in four places: 1 - 6 · 2 / (4 · 15).
        let found = correlation(&ranks(&[1.0, 2.0, 3.0, 4.0]), &ranks(&[1.0, 3.0, 2.0, 4.0]));
        assert!((found - 0.8).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_figure_of_the_paper_is_read_the_right_way() {
        let map = PieceMap::kiri();
        assert_eq!((map.values.len(), map.get(square("8h"))), (80, None));
        let best = map.values.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let worst = map.values.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        // 46 beside the king, -162 in the far corner but one.
        assert_eq!((best.0, worst.0), (square("7h"), square("1h")));
        assert_eq!(best.1 - worst.1, 208.0);
        assert_eq!(rank_correlation(&map, &map, |_| true), (1.0, 80));
    }

    /// Both views of a king are the same tables: an own piece beside the own king, and an enemy's
    /// beside the enemy's, seen from the other side.
    #[test]
    fn tables_are_read_as_positions_are_scored() {
        let tables = PieceTables::named("tables").unwrap();
        let counts = Counts(vec![0; ALL_CELLS]);
        let score = |gold: &str, king: (&str, &str)| {
            let (own, enemy) = (square(king.0), square(king.1));
            let mut rows = String::new();
            for rank in 1..=9 {
                let letter = |file| match Square::new(file, rank).unwrap() {
                    at if at == own => "K",
                    at if at == enemy => "k",
                    at if at == square(gold) => "G",
                    _ => "1",
                };
                rows += &(1..=9).rev().map(letter).collect::<String>();
                rows += if rank < 9 { "/" } else { "" };
            }
            let position = tesuji_shogi::Position::from_sfen(&format!("{rows} b - 1")).unwrap();
            f64::from(tables.score(&position)) / f64::from(UNITS)
        };
        let map =
            |whose, king| PieceMap::new(&tables, &counts, (whose, square(king)), PieceKind::Gold);
        // The difference of two golds is that of both maps together.
        let (own, enemy) = (map(King::Own, "8h"), map(King::Enemy, "2b"));
        let at = |gold: &str| own.get(square(gold)).unwrap() + enemy.get(square(gold)).unwrap();
        for (one, other) in [("7h", "5e"), ("4c", "9i"), ("2d", "6h")] {
            let kings = ("8h", "2b");
            let difference = score(one, kings) - score(other, kings);
            assert!((difference - (at(one) - at(other))).abs() < 1e-6, "{one} {other}");
        }
        assert_eq!(own.values.len(), 80);
        assert_eq!(map(King::Own, "8h").rare.count(), 80);
    }
}
