//! What the commands of the laboratory share: where positions come from, which features, and the
//! folder that a run leaves behind.

pub mod features;
pub mod folder;
pub mod kept;
pub mod positions;
pub mod problems;
pub mod source;
