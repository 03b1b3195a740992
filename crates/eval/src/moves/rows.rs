//! Accumulators of the network: sums of rows, by SIMD.
//!
//! Named module for `unsafe`: calling code that was compiled for AVX2 is only sound on a processor
//! that has it, which is asked first. Listing the rows and then adding
//! them up in registers takes a tenth off the time of a move, beside adding each as it is found.
#![allow(unsafe_code)]

use super::network::{Row, WIDTH};

/// A row that lies in one line of the processor's cache.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Line(pub Row);

/// More features than any move has, and more pieces than there are.
const MOST: usize = 160;

/// The numbers of the rows that are to be added up.
pub(super) struct Numbers {
    numbers: [u32; MOST],
    count: usize,
}

impl Numbers {
    pub const fn new() -> Self {
        Self { numbers: [0; MOST], count: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, number: usize) {
        self.numbers[self.count] = number as u32;
        self.count += 1;
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// The sum of some rows.
#[inline]
pub(super) fn sum(rows: &[Line], numbers: &Numbers) -> Row {
    let numbers = numbers.as_slice();
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { sum_avx2(rows, numbers) };
    }
    sum_plain(rows, numbers)
}

/// The sum with what the compiler may use of every processor.
#[inline(always)]
fn sum_plain(rows: &[Line], numbers: &[u32]) -> Row {
    let mut sum = [0_i16; WIDTH];
    for &row in numbers {
        for (sum, number) in sum.iter_mut().zip(&rows[row as usize].0) {
            *sum = sum.saturating_add(*number);
        }
    }
    sum
}

/// The same, compiled for AVX2: a row is two registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_avx2(rows: &[Line], numbers: &[u32]) -> Row {
    sum_plain(rows, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_same_sums() {
        let mut number: u32 = 1;
        let mut random = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) as i16
        };
        // Large numbers too, so that sums come to their limits.
        let rows: Vec<Line> =
            (0..100).map(|i| Line(std::array::from_fn(|_| random() >> (i % 12)))).collect();
        for count in 0..MOST {
            let mut numbers = Numbers::new();
            (0..count).for_each(|i| numbers.push((i * 37 + count) % rows.len()));
            assert_eq!(sum(&rows, &numbers), sum_plain(&rows, numbers.as_slice()), "{count} rows");
        }
    }
}
