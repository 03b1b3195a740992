//! What KIF, KI2 and BOD have in common: they are one family of texts, made by Yoshikazu Kakinoki,
//! and differ only in how a move is written.

mod builder;
mod clock;
mod diagram;
mod foul;
mod head;
mod line;
mod reader;
mod results;
mod writer;

pub(crate) use clock::time_columns;
pub(crate) use diagram::write_diagram;
pub(crate) use head::{handicap_start, settle_start_date};
pub(crate) use line::Format;
pub(crate) use reader::read;
pub(crate) use results::{read_word, result_word};
pub(crate) use writer::{Cursor, Style, write};
