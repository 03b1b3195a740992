//! The parts that the cells of the tables are sums of.
//!
//! A cell by itself says what one piece on one square is worth to a king on one square. Most of the
//! 200,000 cells are rare, so each is the sum of several parameters, from coarse to fine: a rare
//! cell borrows from what it shares with common ones. Where a part is mirrored, left and right are
//! the same to it. The same holds for the cells of pairs in a king's zone.

use std::ops::Range;

use tesuji_shogi::{PieceKind, Square};

use super::zone::{KINDS, ZONE_PIECES, ZonePiece};
use crate::groups;
use crate::mirror::{HALF, OFFSETS, beside, half, offset};

/// Kinds of pieces with their side: those of the king's owner first, then those of the enemy.
pub const PIECES: usize = 2 * PieceKind::COUNT;
/// Kinds of pieces in hand with their side.
pub const HELD: usize = 2 * PieceKind::HAND.len();
/// Counts of a kind in hand, none among them.
pub const COUNTS: usize = 19;
/// Cells of one king square for pieces on the board.
pub const BOARD_CELLS: usize = Square::COUNT * PIECES;
/// Cells of one king square for pieces in hand.
pub const HAND_CELLS: usize = HELD * COUNTS;
/// All cells for pieces on the board; those for pieces in hand follow them.
pub const ALL_BOARD_CELLS: usize = Square::COUNT * BOARD_CELLS;
/// Cells of pieces on the board and in hand; those of pairs follow them.
pub const SINGLE_CELLS: usize = ALL_BOARD_CELLS + Square::COUNT * HAND_CELLS;
/// Cells of pairs.
const PAIR_CELLS: usize = ZONE_PIECES * (ZONE_PIECES - 1) / 2;
/// All cells.
pub const ALL_CELLS: usize = SINGLE_CELLS + PAIR_CELLS;

/// King steps between squares.
const DISTANCES: usize = 9;

/// Raised when the meaning of a part changes, so that older files are not misread.
const DEFINITIONS: u32 = 2;

/// The part of the side to move.
const TEMPO: &str = "tempo";

/// The name of the feature set, by which files know it.
pub const FEATURE_SET: &str = "king-piece";

/// A piece on the board beside a king, both as the king's owner sees them.
#[derive(Clone, Copy)]
struct Placed {
    king: Square,
    piece: usize,
    square: Square,
}

/// Pieces in hand beside a king.
#[derive(Clone, Copy)]
struct Held {
    king: Square,
    /// Kind and side.
    held: usize,
    count: usize,
}

/// A part for pieces on the board: how many parameters it has, and which of them a cell uses.
struct BoardPart {
    name: &'static str,
    size: usize,
    index: fn(Placed) -> usize,
}

/// A part for pieces in hand.
struct HandPart {
    name: &'static str,
    size: usize,
    index: fn(Held) -> usize,
}

/// A part for pairs in a king's zone.
struct PairPart {
    name: &'static str,
    size: usize,
    /// Of the two numbers the first is the larger one.
    index: fn(usize, usize) -> usize,
}

const BOARD_PARTS: [BoardPart; 7] = [
    BoardPart { name: "value", size: PIECES, index: |at| at.piece },
    BoardPart {
        name: "square",
        size: PIECES * Square::COUNT,
        index: |at| at.piece * Square::COUNT + at.square.index(),
    },
    BoardPart {
        name: "mirrored-square",
        size: PIECES * HALF,
        index: |at| at.piece * HALF + half(at.square),
    },
    BoardPart {
        name: "distance",
        size: PIECES * DISTANCES,
        index: |at| at.piece * DISTANCES + usize::from(at.king.distance(at.square)),
    },
    BoardPart {
        name: "offset",
        size: PIECES * OFFSETS,
        index: |at| at.piece * OFFSETS + offset(at.king, at.square),
    },
    BoardPart {
        name: "mirrored-cell",
        size: HALF * BOARD_CELLS,
        index: |at| {
            let (king, square) = beside(at.king, at.square);
            (king * Square::COUNT + square.index()) * PIECES + at.piece
        },
    },
    BoardPart {
        name: "cell",
        size: ALL_BOARD_CELLS,
        index: |at| board_cell(at.king, at.piece, at.square),
    },
];

const HAND_PARTS: [HandPart; 2] = [
    HandPart { name: "hand", size: HAND_CELLS, index: |of| of.held * COUNTS + of.count },
    HandPart {
        name: "hand-by-king",
        size: HALF * HAND_CELLS,
        index: |of| half(of.king) * HAND_CELLS + of.held * COUNTS + of.count,
    },
];

/// Files and ranks by which places of a zone can differ, left and right being the same.
const DIFFERENCES: usize = 5 * 11;
/// Kinds in hand and how many, up to three or more.
const COUNTED: usize = 3 * HELD;

const PAIR_PARTS: [PairPart; 3] = [
    PairPart {
        name: "pair-kinds",
        size: KINDS * KINDS,
        index: |a, b| {
            let (a, b) = (ZonePiece::new(a).kind(), ZonePiece::new(b).kind());
            a.max(b) * KINDS + a.min(b)
        },
    },
    PairPart {
        name: "pair-difference",
        size: PIECES * PIECES * DIFFERENCES + (PIECES + COUNTED) * COUNTED,
        index: |a, b| difference(ZonePiece::new(a), ZonePiece::new(b)),
    },
    PairPart { name: "pair-cell", size: PAIR_CELLS, index: |a, b| pair_cell(a, b) - SINGLE_CELLS },
];

/// What two pieces of a zone are to each other, wherever the king is.
fn difference(a: ZonePiece, b: ZonePiece) -> usize {
    let counted = |held: usize, count: usize| 3 * held + count - 1;
    let hands = PIECES * PIECES * DIFFERENCES;
    match (a, b) {
        (
            ZonePiece::Placed { piece: a, file: a_file, rank: a_rank },
            ZonePiece::Placed { piece: b, file: b_file, rank: b_rank },
        ) => {
            let files = a_file.abs_diff(b_file);
            let ranks = if a >= b { a_rank + 5 - b_rank } else { b_rank + 5 - a_rank };
            (a.max(b) * PIECES + a.min(b)) * DIFFERENCES + files * 11 + ranks
        }
        (ZonePiece::Held { held, count }, ZonePiece::Placed { piece, .. })
        | (ZonePiece::Placed { piece, .. }, ZonePiece::Held { held, count }) => {
            hands + piece * COUNTED + counted(held, count)
        }
        (ZonePiece::Held { held: a, count: many }, ZonePiece::Held { held: b, count: few }) => {
            hands + (PIECES + counted(a, many)) * COUNTED + counted(b, few)
        }
    }
}

/// The number of the cell of two pieces of a king's zone, after those of single pieces.
#[inline]
pub const fn pair_cell(a: usize, b: usize) -> usize {
    let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
    SINGLE_CELLS + larger * larger.saturating_sub(1) / 2 + smaller
}

/// The number of the cell of a piece on the board; all as the king's owner sees it.
#[inline]
pub const fn board_cell(king: Square, piece: usize, square: Square) -> usize {
    king.index() * BOARD_CELLS + square.index() * PIECES + piece
}

/// The number of the cell of so many pieces in hand, after those of the board.
#[inline]
pub const fn hand_cell(king: Square, held: usize, count: usize) -> usize {
    ALL_BOARD_CELLS + king.index() * HAND_CELLS + held * COUNTS + count
}

/// Where the parameters of a part lie in the list of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartRange {
    /// The name of the part.
    pub name: &'static str,
    /// Its parameters.
    pub range: Range<usize>,
}

/// All parts in their order. The last one is the bonus for the side to move, a single parameter.
pub fn part_ranges() -> Vec<PartRange> {
    ranges(sizes())
}

/// The names and sizes of all parts.
fn sizes() -> impl Iterator<Item = (&'static str, usize)> {
    let board = BOARD_PARTS.iter().map(|part| (part.name, part.size));
    let hand = HAND_PARTS.iter().map(|part| (part.name, part.size));
    let pairs = PAIR_PARTS.iter().map(|part| (part.name, part.size));
    board.chain(hand).chain(pairs).chain([(TEMPO, 1)])
}

/// Parts of these sizes, one after the other.
fn ranges(sizes: impl Iterator<Item = (&'static str, usize)>) -> Vec<PartRange> {
    let mut start = 0;
    sizes
        .map(|(name, size)| {
            let range = start..start + size;
            start += size;
            PartRange { name, range }
        })
        .collect()
}

/// How many parameters there are.
pub fn parameter_count() -> usize {
    part_ranges().last().map_or(0, |part| part.range.end)
}

/// The identity of the parts: a change of any of them changes it.
pub fn feature_set_id() -> String {
    let parts = part_ranges().into_iter().map(|part| (part.name, part.range.len()));
    groups::identity(FEATURE_SET, &DEFINITIONS.to_string(), parts)
}

/// Kinds in hand with their side, and how many of each there can be, at least one.
pub fn held_counts() -> impl Iterator<Item = (usize, usize)> {
    let most = |held: usize| usize::from(PieceKind::HAND[held % PieceKind::HAND.len()].set_count());
    (0..HELD).flat_map(move |held| (1..=most(held)).map(move |count| (held, count)))
}

/// Calls `visit` with the number of each cell and of each parameter that it is a sum of.
pub fn for_each_use(visit: impl FnMut(usize, usize)) {
    Parts::all().for_each_use(visit);
}

/// Some of the parts, the bonus for the side to move among them. Their parameters lie one after the
/// other, in the order of all parts.
pub struct Parts {
    ranges: Vec<PartRange>,
}

impl Parts {
    /// All of them.
    pub fn all() -> Self {
        Self { ranges: part_ranges() }
    }

    /// Those with these names, and the bonus for the side to move.
    pub fn named(names: &[&str]) -> Self {
        let chosen = |(name, _): &(&str, usize)| *name == TEMPO || names.contains(name);
        Self { ranges: ranges(sizes().filter(chosen)) }
    }

    /// The parts and where their parameters lie.
    pub fn ranges(&self) -> &[PartRange] {
        &self.ranges
    }

    /// How many parameters there are.
    pub fn count(&self) -> usize {
        self.ranges.last().map_or(0, |part| part.range.end)
    }

    /// Where the parameters of a part begin, if it is one of these.
    pub fn start(&self, name: &str) -> Option<usize> {
        self.ranges.iter().find(|part| part.name == name).map(|part| part.range.start)
    }

    /// The parameters of all parts: those of others than these are zero.
    pub(super) fn spread(&self, parameters: &[i16]) -> Vec<i16> {
        let mut all = vec![0; parameter_count()];
        for (part, own) in self.places() {
            all[part].copy_from_slice(&parameters[own]);
        }
        all
    }

    /// The parameters of these parts out of those of all.
    pub(super) fn gathered(&self, all: &[i16]) -> Vec<i16> {
        self.places().flat_map(|(part, _)| all[part].iter().copied()).collect()
    }

    /// Where the parameters of each part lie in the list of all, and where in that of these.
    fn places(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let own = |part: PartRange| self.start(part.name).map(|start| (part.range, start));
        part_ranges().into_iter().filter_map(own).map(|(part, start)| {
            let own = start..start + part.len();
            (part, own)
        })
    }

    /// Calls `visit` with the number of each cell and of each parameter that it is a sum of.
    pub fn for_each_use(&self, mut visit: impl FnMut(usize, usize)) {
        let board =
            BOARD_PARTS.iter().filter_map(|part| Some((part.index, self.start(part.name)?)));
        let hand = HAND_PARTS.iter().filter_map(|part| Some((part.index, self.start(part.name)?)));
        let pairs = PAIR_PARTS.iter().filter_map(|part| Some((part.index, self.start(part.name)?)));
        let (board, hand): (Vec<_>, Vec<_>) = (board.collect(), hand.collect());
        let pairs: Vec<_> = pairs.collect();
        for king in Square::all() {
            for square in Square::all() {
                for piece in 0..PIECES {
                    let cell = board_cell(king, piece, square);
                    for (index, start) in &board {
                        visit(cell, start + index(Placed { king, piece, square }));
                    }
                }
            }
            // No piece in hand is worth nothing, and more than a set has cannot be held.
            for (held, count) in held_counts() {
                let cell = hand_cell(king, held, count);
                for (index, start) in &hand {
                    visit(cell, start + index(Held { king, held, count }));
                }
            }
        }
        if pairs.is_empty() {
            return;
        }
        for a in 1..ZONE_PIECES {
            for b in 0..a {
                for (index, start) in &pairs {
                    visit(pair_cell(a, b), start + index(a, b));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_within_its_part_and_every_cell_is_used() {
        let ranges = part_ranges();
        let parts = BOARD_PARTS.len();
        let mut uses = vec![0_u8; ALL_CELLS];
        for_each_use(|cell, parameter| {
            let first = match cell {
                _ if cell < ALL_BOARD_CELLS => 0,
                _ if cell < SINGLE_CELLS => parts,
                _ => parts + HAND_PARTS.len(),
            };
            let part = first + usize::from(uses[cell]);
            assert!(ranges[part].range.contains(&parameter), "cell {cell}, part {part}");
            uses[cell] += 1;
        });
        assert!(uses[..ALL_BOARD_CELLS].iter().all(|&uses| usize::from(uses) == parts));
        assert!(uses[SINGLE_CELLS..].iter().all(|&uses| usize::from(uses) == PAIR_PARTS.len()));
        assert_eq!(parameter_count(), ranges.iter().map(|part| part.range.len()).sum::<usize>());
    }
}
