//! What the packed formats of training positions, [`crate::psv`] and [`crate::hcpe`], share: a
//! position in 256 bits, the head of a record, and files of records that all have the same size.

mod bits;
#[cfg(test)]
pub(crate) mod fixtures;
mod position;
mod record;
mod stream;

pub(crate) use position::{Alphabet, Codec, PACKED_SIZE};
pub(crate) use record::{HEAD_SIZE, Packing};
pub use stream::{PackedReader, PackedWriter};
