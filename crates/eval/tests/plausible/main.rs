//! Plausible moves: each generator against a slow twin and on positions made for it, merits, cuts.

mod attack;
mod board;
#[path = "../../../shogi/tests/common/mod.rs"]
mod common;
mod compare;
mod defence;
mod lore;
mod merits;
mod oracle;
mod places;
mod positional;
mod positions;
