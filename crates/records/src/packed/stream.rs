//! Files that are records of one size, one behind the other, and nothing else.

use std::io::{BufReader, ErrorKind, Read, Write};

use crate::{ParseError, ParseErrorKind, Sample, WriteError};

/// Reads the records of a file one by one.
///
/// A record that cannot be read gives an error with its number, counted from 1, and reading goes on
/// behind it. After an error of the input itself, or after the rest of a file that ends in the
/// middle of a record, there is no next one. The input needs no buffer of its own.
pub struct PackedReader<R, const SIZE: usize> {
    input: BufReader<R>,
    decode: fn(&[u8; SIZE]) -> Result<Sample, ParseErrorKind>,
    record: usize,
    ended: bool,
}

/// So many bytes are read at once, about.
const BUFFER_SIZE: usize = 1 << 16;

impl<R: Read, const SIZE: usize> PackedReader<R, SIZE> {
    pub(crate) fn new(input: R, decode: fn(&[u8; SIZE]) -> Result<Sample, ParseErrorKind>) -> Self {
        let input = BufReader::with_capacity(BUFFER_SIZE, input);
        Self { input, decode, record: 0, ended: false }
    }

    /// The bytes of the next record; `None` at the end of the file.
    fn next_record(&mut self) -> Result<Option<[u8; SIZE]>, ParseErrorKind> {
        let mut bytes = [0; SIZE];
        let mut filled = 0;
        while filled < SIZE {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => {
                    return Err(ParseErrorKind::Truncated { expected: "the rest of a record" });
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(ParseErrorKind::Io(error.to_string())),
            }
        }
        Ok(Some(bytes))
    }
}

impl<R: Read, const SIZE: usize> Iterator for PackedReader<R, SIZE> {
    type Item = Result<Sample, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.record += 1;
        let sample = match self.next_record() {
            Ok(Some(bytes)) => (self.decode)(&bytes),
            Ok(None) => {
                self.ended = true;
                return None;
            }
            Err(kind) => {
                self.ended = true;
                Err(kind)
            }
        };
        Some(sample.map_err(|kind| kind.at(self.record)))
    }
}

/// Writes records one behind the other.
///
/// Each record is one small write, so that an output such as a file wants a
/// [`BufWriter`](std::io::BufWriter) around it.
pub struct PackedWriter<W, const SIZE: usize> {
    output: W,
    encode: fn(&Sample) -> Result<[u8; SIZE], WriteError>,
}

impl<W: Write, const SIZE: usize> PackedWriter<W, SIZE> {
    pub(crate) const fn new(
        output: W,
        encode: fn(&Sample) -> Result<[u8; SIZE], WriteError>,
    ) -> Self {
        Self { output, encode }
    }

    /// Writes one record. A sample that the format cannot hold is refused, and nothing is written.
    pub fn write(&mut self, sample: &Sample) -> Result<(), WriteError> {
        let bytes = (self.encode)(sample)?;
        self.output.write_all(&bytes)?;
        Ok(())
    }

    /// Flushes the output and gives it back.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.output.flush()?;
        Ok(self.output)
    }
}
