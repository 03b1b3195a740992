//! JSON Kifu Format (JKF), version 1: what the KIF family says, as JSON.
//!
//! ```text
//! {"header":{"先手":"Black player","後手":"White player"},
//!  "initial":{"preset":"HIRATE"},
//!  "moves":[{},
//!   {"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
//!   {"special":"TORYO"}]}
//! ```
//!
//! The format holds headers, comments, times in whole seconds, variations (`forks`) and endings.
//! `docs/formats/jkf.md` tells what is kept and what is lost.

mod reader;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::read;
pub use writer::write;

use crate::Header;

/// The headers that all formats know and their names here, players apart.
const HEADERS: [(&str, &str); 6] = [
    (Header::EVENT, "棋戦"),
    (Header::SITE, "場所"),
    (Header::STARTED, "開始日時"),
    (Header::ENDED, "終了日時"),
    (Header::TIME_LIMIT, "持ち時間"),
    (Header::OPENING, "戦型"),
];

/// The name of the handicap, in files that were made from KIF.
const HANDICAP: &str = "手合割";

/// The player of the black pieces in an even game and in a handicap game.
const BLACK_KEYS: [&str; 2] = ["先手", "下手"];
/// The player of the white pieces in an even game and in a handicap game.
const WHITE_KEYS: [&str; 2] = ["後手", "上手"];
