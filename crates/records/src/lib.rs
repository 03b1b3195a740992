//! Shogi game records in and out.
//!
//! Every format has one module with a reader and a writer around one type, [`GameRecord`]. Readers
//! replay each move with the rules of `tesuji-shogi`: a record that they return is a legal game.

pub mod bod;
pub mod collection;
pub mod csa;
mod date;
mod encoding;
mod error;
mod format;
pub mod hcpe;
pub mod japanese;
pub mod jkf;
mod kakinoki;
pub mod ki2;
pub mod kif;
mod packed;
mod phrase;
pub mod psv;
mod record;
pub mod sample;
pub mod stream;
pub mod tsv;
pub mod usi;

pub use encoding::{decode, encode_shift_jis};
pub use error::{ParseError, ParseErrorKind, WriteError};
pub use format::{Contents, Format, Samples};
pub use packed::{PackedReader, PackedWriter};
pub use record::{Ending, GameRecord, Header, Line, MoveRecord};
pub use sample::{Sample, Sampler};
