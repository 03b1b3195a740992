//! The protocol between engine and GUI.
//!
//! One thread reads what the GUI says, another searches. A search that must not answer yet (it
//! ponders, or searches without end) waits at a gate when it is done.

mod command;
mod info;
mod options;
mod session;

use std::io::BufRead;

use command::Command;
use session::Session;

/// Talks until `quit` or the end of the input.
pub fn talk(input: impl BufRead, say: session::Say) {
    let mut session = Session::new(say);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        // Bytes that are no text are no command either.
        let line = String::from_utf8_lossy(&line).into_owned();
        match Command::parse(&line) {
            Some(Command::Quit) => break,
            Some(command) => session.obey(command),
            None => {}
        }
    }
    session.end();
}
