//! The USI protocol, both sides: what an interface says and an engine answers, read and written; the
//! engine's conversation as a state machine; the thread that searches; and the process at the other
//! end of a pipe.
//!
//! | side | writes | reads |
//! |---|---|---|
//! | interface, referee | [`command`] | [`answer`] |
//! | engine ([`session`]) | [`answer`] | [`command`] |

pub mod answer;
pub mod command;
pub mod conversation;
pub mod engine_thread;
pub mod options;
pub mod process;
pub mod session;

pub use conversation::{UsiError, run};
pub use session::{Explain, Session};
