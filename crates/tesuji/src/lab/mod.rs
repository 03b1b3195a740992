//! What the commands of the laboratory share: where positions come from, and which features.

pub mod features;
pub mod positions;
pub mod problems;
pub mod source;
