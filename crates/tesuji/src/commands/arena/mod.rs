//! What the commands that play games share: flags, and a run with what it prints.

pub mod flags;
pub mod run;
