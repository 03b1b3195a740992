//! What happens when somebody stops the program while it works.

use std::process;
use std::sync::{Mutex, PoisonError};

use tesuji_usi::process::kill_all;

use crate::output;

/// What is said when the program is stopped.
static HINT: Mutex<Option<String>> = Mutex::new(None);

/// The exit status of a program that was stopped, as shells have it for Ctrl-C.
const STOPPED: i32 = 130;

/// Says this if the program is stopped from now on (by Ctrl-C, or by a signal that asks it to end).
/// The engines that it has started end with it. What was finished is on the disk already.
pub fn on_stop(hint: String) {
    let first = HINT.lock().unwrap_or_else(PoisonError::into_inner).replace(hint).is_none();
    if first {
        // Without a handler the program still ends, only without a word.
        let _ = ctrlc::set_handler(|| {
            kill_all();
            let hint = HINT.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(hint) = hint {
                output::note(&hint);
            }
            process::exit(STOPPED);
        });
    }
}
