//! A few positions with the rows of their moves, packed.

use tesuji_eval::FeatureSet;
use tesuji_records::Sample;
use tesuji_shogi::{Move, MoveList};

use super::Column;
use crate::{MoveClass, MoveOrder};

/// What a move changes in two neighbouring features, compared with the master's move.
///
/// Most differences are zero and most others are small, so that a row is a list of these. One that
/// does not fit in a byte is split over several entries of the same pair: their sum is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The features `2 · pair` and `2 · pair + 1`.
    pub pair: u16,
    /// The differences of both.
    pub differences: [i8; 2],
}

/// A labelled position: its place in the shard and what is known of the master's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Labelled {
    /// Positions with the same board, hands and side to move have the same number.
    pub group: u64,
    pub first_row: u32,
    pub rows: u16,
    /// The master's move among the rows; `None` if it is illegal. Differences are then to the
    /// first row.
    pub master: Option<u16>,
    pub class: MoveClass,
    /// How much it counts when weights are selected.
    pub weight: u8,
}

/// Positions that are built and scored by one thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shard {
    pub positions: Vec<Labelled>,
    /// The move of each row.
    pub moves: Vec<Move>,
    /// Where the entries of each row end.
    pub ends: Vec<u32>,
    pub entries: Vec<Entry>,
}

/// The legal moves of a few positions, sorted.
pub(super) struct LegalMoves {
    moves: Vec<Move>,
    /// Where the moves of each position end.
    ends: Vec<usize>,
}

impl LegalMoves {
    pub fn new(samples: &[Sample], order: MoveOrder) -> Self {
        let mut list = Self { moves: Vec::new(), ends: Vec::with_capacity(samples.len()) };
        for Sample { position, .. } in samples {
            let legal: MoveList = position.legal_moves();
            let start = list.moves.len();
            list.moves.extend(&legal);
            list.moves[start..].sort_unstable_by_key(|&mv| order.key(mv));
            list.ends.push(list.moves.len());
        }
        list
    }

    fn of(&self, i: usize) -> &[Move] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.moves[start..self.ends[i]]
    }
}

impl Shard {
    /// Works out the features after every legal move and packs them.
    pub fn build(
        set: &FeatureSet,
        samples: &[Sample],
        legal: &LegalMoves,
        columns: &mut [Column],
    ) -> Self {
        let mut shard = Self::default();
        let mut values: Vec<i16> = Vec::new();
        for (i, &Sample { position, mv, .. }) in samples.iter().enumerate() {
            let moves = legal.of(i);
            values.clear();
            set.append_rows(&position, moves, &mut values);
            let master = moves.iter().position(|&other| Some(other) == mv);
            shard.positions.push(Labelled {
                group: position.key(),
                first_row: shard.moves.len() as u32,
                rows: moves.len() as u16,
                master: master.map(|row| row as u16),
                class: mv.map_or(MoveClass::Normal, MoveClass::of),
                weight: 1,
            });
            shard.push_rows(moves, &values, set.len(), master.unwrap_or(0), columns);
        }
        shard.entries.shrink_to_fit();
        shard.ends.shrink_to_fit();
        shard.moves.shrink_to_fit();
        shard
    }

    fn push_rows(
        &mut self,
        moves: &[Move],
        values: &[i16],
        width: usize,
        base: usize,
        columns: &mut [Column],
    ) {
        if moves.is_empty() || width == 0 {
            return;
        }
        let base = &values[base * width..(base + 1) * width];
        for (row, &mv) in values.chunks_exact(width).zip(moves) {
            self.push_row(row, base);
            for ((column, &value), &base) in columns.iter_mut().zip(row).zip(base) {
                column.add(value, i32::from(value) - i32::from(base));
            }
            self.moves.push(mv);
            self.ends.push(self.entries.len() as u32);
        }
    }

    fn push_row(&mut self, row: &[i16], base: &[i16]) {
        for (pair, (row, base)) in row.chunks(2).zip(base.chunks(2)).enumerate() {
            let mut left = [0_i32; 2];
            for ((left, &value), &base) in left.iter_mut().zip(row).zip(base) {
                *left = i32::from(value) - i32::from(base);
            }
            while left != [0, 0] {
                let differences = left.map(|left| left.clamp(i8::MIN.into(), i8::MAX.into()) as i8);
                self.entries.push(Entry { pair: pair as u16, differences });
                left[0] -= i32::from(differences[0]);
                left[1] -= i32::from(differences[1]);
            }
        }
    }

    /// The entries of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[Entry] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        &self.entries[start..self.ends[row] as usize]
    }

    /// Adds a position of another shard with those of its moves that are to be kept.
    pub fn push_from(&mut self, other: &Self, index: usize, keep: impl Fn(Move) -> bool) {
        let labelled = other.positions[index];
        let first = labelled.first_row as usize;
        let first_row = self.moves.len();
        let mut master = None;
        for number in 0..usize::from(labelled.rows) {
            let mv = other.moves[first + number];
            if keep(mv) {
                if labelled.master.map(usize::from) == Some(number) {
                    master = Some((self.moves.len() - first_row) as u16);
                }
                self.entries.extend_from_slice(other.row(first + number));
                self.moves.push(mv);
                self.ends.push(self.entries.len() as u32);
            }
        }
        let rows = (self.moves.len() - first_row) as u16;
        self.positions.push(Labelled { first_row: first_row as u32, rows, master, ..labelled });
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.positions)
            + size_of_val(&*self.moves)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.entries)
    }
}
