//! The reference: every product of every row with every organism, one number at a time.

use std::hint::black_box;

use tesuji_learn::Dataset;

use tesuji_records::Sample;

/// The features after every legal move, all of them, one row after the other.
pub struct Matrix {
    width: usize,
    values: Vec<i16>,
    positions: Vec<Labelled>,
}

struct Labelled {
    rows: usize,
    master: Option<usize>,
}

impl Matrix {
    /// The rows of the data, worked out anew from its positions.
    pub fn new(data: &Dataset, samples: &[Sample]) -> Self {
        let mut matrix =
            Self { width: data.set().len(), values: Vec::new(), positions: Vec::new() };
        for (labelled, Sample { position, .. }) in data.positions().zip(samples) {
            let moves = labelled.moves();
            data.set().append_rows(position, moves, &mut matrix.values);
            matrix.positions.push(Labelled { rows: moves.len(), master: labelled.master() });
        }
        matrix
    }

    /// How many positions each organism solves: the master's move is the first of those with the
    /// best score. `effective` are weights as they are multiplied.
    ///
    /// A position's rows stay in the nearest cache while all organisms go over them, which is
    /// quicker than going over the whole matrix for one organism after the other.
    #[inline(never)]
    pub fn correct(&self, effective: &[Vec<i32>]) -> Vec<u32> {
        let mut correct = vec![0; effective.len()];
        let mut start = 0;
        for position in &self.positions {
            let end = start + position.rows * self.width;
            let rows = &self.values[start..end];
            for (correct, weights) in correct.iter_mut().zip(effective) {
                let (mut best, mut chosen) = (i32::MIN, 0);
                for (number, row) in rows.chunks_exact(self.width).enumerate() {
                    let score = product(row, weights);
                    if score > best {
                        (best, chosen) = (score, number);
                    }
                }
                *correct += u32::from(position.master == Some(chosen));
            }
            start = end;
        }
        correct
    }
}

/// One multiplication after the other; eight sums keep the multiplier of the processor busy.
///
/// The empty black box is no instruction, but no load may be moved over it, so that the compiler
/// cannot join them in vectors. `objdump -d -C target/release/tesuji-bench` shows it: there is no
/// vector register in `Matrix::correct`.
#[inline(always)]
fn product(row: &[i16], weights: &[i32]) -> i32 {
    let (rows, last_values) = row.as_chunks::<8>();
    let (weights, last_weights) = weights.as_chunks::<8>();
    let mut sums = [0; 8];
    for (row, weights) in rows.iter().zip(weights) {
        for ((sum, &value), &weight) in sums.iter_mut().zip(row).zip(weights) {
            *sum += i32::from(value) * weight;
            black_box(());
        }
    }
    let mut sum = sums.iter().sum();
    for (&value, &weight) in last_values.iter().zip(last_weights) {
        sum += i32::from(value) * weight;
        black_box(());
    }
    sum
}
