//! Standard output and standard error, without the panics of `println!`.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::Value;

pub use tesuji_report::number::counted;

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes one JSON object on one line to standard output.
pub fn print_json(value: &Value) -> Result<()> {
    print(&format!("{value}\n"))
}

/// Writes what came out to standard output, as one JSON object or as text.
pub fn either(
    json: bool,
    value: impl FnOnce() -> Value,
    text: impl FnOnce() -> String,
) -> Result<ExitCode> {
    if json {
        print_json(&value())?;
    } else {
        print(&text())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a line to standard error. Nobody may be there to read it.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a complaint to standard error, on one line and with the name of the program before it.
pub fn complain(message: &str) {
    let message: Vec<&str> = message.lines().map(str::trim).collect();
    note(&format!("tesuji: {}", message.join(" ")));
}

/// Did the reader of standard output go away?
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The text as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
