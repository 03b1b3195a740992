//! 256 bits, read and written from the lowest bit of the first byte on.

use super::position::PACKED_SIZE;

/// How many bits a packed position has.
pub(super) const BITS: usize = PACKED_SIZE * 8;
const WORDS: usize = BITS / 64;

/// Reads a packed position bit by bit.
pub(super) struct BitReader {
    /// The bits, and zeros behind them: a look across the end is no special case.
    words: [u64; WORDS + 2],
    cursor: usize,
}

impl BitReader {
    pub(super) fn new(bytes: &[u8; PACKED_SIZE]) -> Self {
        let mut words = [0; WORDS + 2];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*chunk);
        }
        Self { words, cursor: 0 }
    }

    /// The next 64 bits, the first of them lowest; zeros stand for bits behind the end.
    #[inline]
    pub(super) fn peek(&self) -> u64 {
        let (word, bit) = (self.cursor / 64, self.cursor % 64);
        // Two shifts, because a shift by all 64 bits is not allowed.
        self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit)
    }

    /// Steps over `len` bits; `None` if there are not so many left.
    #[inline]
    pub(super) fn skip(&mut self, len: usize) -> Option<()> {
        self.cursor += len;
        if self.cursor > BITS {
            self.cursor = BITS;
            return None;
        }
        Some(())
    }

    /// Takes the next `len` bits, at most eight; `None` if there are not so many left.
    pub(super) fn take(&mut self, len: u8) -> Option<u8> {
        let value = self.peek() as u8 & (u8::MAX >> (8 - len));
        self.skip(len.into())?;
        Some(value)
    }

    /// Has every bit been read?
    pub(super) const fn at_end(&self) -> bool {
        self.cursor == BITS
    }
}

/// Writes a packed position bit by bit.
pub(super) struct BitWriter {
    /// The bits, and room for a code that does not fit.
    words: [u64; WORDS + 1],
    cursor: usize,
}

impl BitWriter {
    pub(super) const fn new() -> Self {
        Self { words: [0; WORDS + 1], cursor: 0 }
    }

    /// Adds the lowest `len` bits of `value`, whose other bits are zero. What does not fit is not
    /// written, and [`BitWriter::finish`] tells.
    #[inline]
    pub(super) fn put(&mut self, value: u8, len: u8) {
        if self.cursor < BITS {
            let (word, bit) = (self.cursor / 64, self.cursor % 64);
            self.words[word] |= u64::from(value) << bit;
            self.words[word + 1] |= u64::from(value) >> 1 >> (63 - bit);
        }
        self.cursor += usize::from(len);
    }

    /// The bytes, if exactly all bits were written.
    pub(super) fn finish(self) -> Option<[u8; PACKED_SIZE]> {
        let mut bytes = [0; PACKED_SIZE];
        for (chunk, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.words) {
            *chunk = word.to_le_bytes();
        }
        (self.cursor == BITS).then_some(bytes)
    }
}
