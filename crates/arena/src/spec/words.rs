//! `KEY=VALUE` words with commas between them, in which a value may be quoted.

use super::SpecError;

/// Appends a value, in quotes where it would not be read back without them.
pub(super) fn push_value(text: &mut String, value: &str) {
    let plain = !value.starts_with('"') && !value.contains([',', '\n', '\r']);
    if plain && value.trim() == value {
        text.push_str(value);
    } else {
        push_quoted(text, value);
    }
}

/// Appends a part of a key, in quotes where it would not be read back without them.
pub(super) fn push_key(text: &mut String, key: &str) {
    if key.contains([',', '=', '"', '\n', '\r']) || key.trim() != key {
        push_quoted(text, key);
    } else {
        text.push_str(key);
    }
}

fn push_quoted(text: &mut String, value: &str) {
    text.push('"');
    for char in value.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Reads the words of a text one after the other.
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// A value up to the next comma or the end, and the comma.
    pub(super) fn value(&mut self) -> Result<String, SpecError> {
        let value = if self.rest.starts_with('"') {
            self.quoted()?
        } else {
            let end = self.rest.find(',').unwrap_or(self.rest.len());
            self.take(end).to_owned()
        };
        match self.rest.strip_prefix(',') {
            Some(rest) => self.rest = rest,
            None if self.rest.is_empty() => {}
            None => return Err(SpecError::Quotes(format!("a comma before {:?}", self.rest))),
        }
        Ok(value)
    }

    /// The next key and its value; `None` at the end. Keys may end in quotes: `option."a=b"`.
    pub(super) fn pair(&mut self) -> Result<Option<(String, String)>, SpecError> {
        self.rest = self.rest.trim_start_matches(',');
        if self.rest.is_empty() {
            return Ok(None);
        }
        let end = self.rest.find([',', '=', '"']).unwrap_or(self.rest.len());
        let whole = self.rest.split(',').next().unwrap_or_default();
        let mut key = self.take(end).to_owned();
        if self.rest.starts_with('"') && key.ends_with('.') {
            key += &self.quoted()?;
        } else if self.rest.starts_with('"') {
            let end = self.rest.find([',', '=']).unwrap_or(self.rest.len());
            key += self.take(end);
        }
        let Some(rest) = self.rest.strip_prefix('=') else {
            return Err(SpecError::Pair(whole.to_owned()));
        };
        self.rest = rest;
        Ok(Some((key, self.value()?)))
    }

    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// What stands between quotes.
    fn quoted(&mut self) -> Result<String, SpecError> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 'r')) => value.push('\r'),
                    Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                    _ => return Err(SpecError::Quotes("\\\", \\\\, \\n or \\r".to_owned())),
                },
                other => value.push(other),
            }
        }
        Err(SpecError::Quotes("a closing quote".to_owned()))
    }
}
