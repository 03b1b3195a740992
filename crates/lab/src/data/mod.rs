//! Where labelled positions and problems come from, and which features describe them.

pub mod features;
pub mod positions;
pub mod problems;
pub mod source;

pub use features::Features;
pub use problems::Problem;
pub use source::Source;
