//! What KIF, KI2 and BOD have in common: they are one family of texts, made by Yoshikazu Kakinoki,
//! and differ only in how a move is written.

mod builder;
mod clock;
mod diagram;
mod head;
mod reader;
mod results;
mod writer;

pub(crate) use clock::time_columns;
pub(crate) use diagram::write_diagram;
pub(crate) use reader::{Format, read};
pub(crate) use results::result_word;
pub(crate) use writer::{Cursor, Style, write};
