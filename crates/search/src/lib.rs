//! Choosing a move: alpha-beta search, the mate solver, and what time there is for it.

pub mod mate;
