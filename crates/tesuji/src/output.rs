//! Standard output and standard error, without the panics of `println!`.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::Value;

pub use tesuji_report::number::counted;

/// How much an error quotes, and how long a word of it may be.
const MOST_QUOTED: usize = 200;
const LONGEST_WORD: usize = 600;

/// Does a terminal take this character for a command, or turn the text around it?
const fn is_command(character: char) -> bool {
    matches!(character, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(character, '\u{2066}'..='\u{2069}')
}

/// The text with nothing in it that a terminal would obey: names of players, engines and files may
/// hold anything.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_command(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown.into()
}

/// A message with what it quotes cut to a length that helps.
fn shortened(message: &str) -> String {
    let mut short = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let quoted = matches!(first, '"' | '\'' | '`').then(|| rest[1..].find(first)).flatten();
        let (piece, most) = match quoted {
            Some(length) => (&rest[..length + 2], MOST_QUOTED),
            None => {
                let end = rest[first.len_utf8()..].find([' ', '"', '\'', '`']);
                (&rest[..end.map_or(rest.len(), |end| end + first.len_utf8())], LONGEST_WORD)
            }
        };
        rest = &rest[piece.len()..];
        match piece.char_indices().nth(most) {
            Some((end, _)) if piece.chars().count() > most + 2 => {
                short.push_str(&piece[..end]);
                short.push('…');
                short.extend(quoted.map(|_| first));
            }
            _ => short.push_str(piece),
        }
    }
    short
}

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(visible(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Standard output for games: as they are, but on a terminal without what it would obey.
pub fn stream() -> Box<dyn Write> {
    if io::stdout().is_terminal() { Box::new(OnTerminal) } else { Box::new(io::stdout()) }
}

struct OnTerminal;

impl Write for OnTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        io::stdout().write_all(visible(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes one JSON object on one line to standard output.
pub fn print_json(value: &Value) -> Result<()> {
    let text = value.to_string();
    let mut shown = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        // Within a string, where alone they can be, JSON has its own way to write them.
        if is_command(character) {
            shown += &format!("\\u{:04x}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    shown.push('\n');
    print(&shown)
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
    let _ = writeln!(io::stderr(), "{}", visible(line));
}

/// Writes a complaint to standard error, on one line and with the name of the program before it.
pub fn complain(message: &str) {
    let message: Vec<&str> = message.lines().map(str::trim).collect();
    note(&format!("tesuji: {}", shortened(&message.join(" "))));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_given_no_commands() {
        assert_eq!(visible("先手\tA\n"), "先手\tA\n");
        assert_eq!(visible("\u{1b}[31mred\u{7}\r"), r"\u{1b}[31mred\u{7}\u{d}");
        assert_eq!(visible("a\u{9b}2Jb\u{202e}c"), r"a\u{9b}2Jb\u{202e}c");
    }

    #[test]
    fn errors_quote_little() {
        let long = "歩".repeat(5000);
        for (quoted, start) in [('"', "found \""), ('\'', "found '")] {
            let short = shortened(&format!("found {quoted}{long}{quoted}, expected less"));
            assert!(short.starts_with(start) && short.ends_with(", expected less"), "{short}");
            assert!(short.chars().count() < 240, "{short}");
        }
        assert!(shortened(&format!("{long}: no such file")).chars().count() < 650);
        let usual = "the engine's \"name\" isn't `known` to 'us'";
        assert_eq!(shortened(usual), usual);
        assert_eq!(shortened("it's"), "it's");
    }
}
