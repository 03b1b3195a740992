//! The USI protocol, both sides: what an interface says and an engine answers, read and written;
//! the engine's conversation as a state machine; the thread that searches; and the process at the
//! other end of a pipe.
//!
//! | side | writes | reads |
//! |---|---|---|
//! | interface, referee | [`Command`] | [`Response`] |
//! | engine ([`Session`]) | [`Response`] | [`Command`] |

pub mod answer;
mod book_options;
pub mod command;
pub mod conversation;
pub mod engine_thread;
pub mod info_line;
pub mod option;
pub mod options;
pub mod process;
pub mod response;
pub mod session;
mod syntax;

pub use command::{Command, Go};
pub use conversation::{UsiError, run};
pub use info_line::{InfoLine, ScoreBound};
pub use option::{OptionDeclaration, OptionKind};
pub use response::{BestMove, Checkmate, Response};
pub use session::{Explain, Session};
pub use syntax::SyntaxError;
