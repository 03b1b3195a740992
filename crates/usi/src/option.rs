//! `option`: the declaration of what can be set.

use std::fmt;

use crate::syntax::{SyntaxError, quoted};

/// An option as an engine declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The name, which may have spaces.
    pub name: String,
    /// The type, the default and what else may be chosen.
    pub kind: OptionKind,
}

/// The type of an option with its default.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OptionKind {
    /// True or false.
    Check { default: bool },
    /// A whole number within a range.
    Spin { default: i64, min: i64, max: i64 },
    /// One of several words.
    Combo { default: String, vars: Vec<String> },
    /// Something to be done, without a value.
    Button,
    /// A text.
    String { default: String },
    /// The path of a file.
    Filename { default: String },
}

/// How USI writes a text without characters.
const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Reads what follows `option`.
    pub(crate) fn parse(rest: &str) -> Result<Self, SyntaxError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let kind_at = words.iter().position(|&word| word == "type");
        let (["name", name @ ..], Some(["type", kind, rest @ ..])) =
            (&words[..kind_at.unwrap_or(0)], kind_at.map(|at| &words[at..]))
        else {
            return wrong("expected name NAME type TYPE".to_owned());
        };
        if name.is_empty() {
            return wrong("the option has no name".to_owned());
        }
        Ok(Self { name: name.join(" "), kind: OptionKind::parse(kind, rest)? })
    }
}

impl OptionKind {
    fn parse(kind: &str, rest: &[&str]) -> Result<Self, SyntaxError> {
        match kind {
            "check" => match rest {
                ["default", value, ..] => match value.parse() {
                    Ok(default) => Ok(Self::Check { default }),
                    Err(_) => wrong(format!("expected true or false, found {}", quoted(value))),
                },
                _ => wrong("a check needs a default".to_owned()),
            },
            "spin" => {
                let number = |key: &str| {
                    let at = rest.iter().position(|&word| word == key);
                    let value =
                        at.and_then(|at| rest.get(at + 1)).and_then(|word| word.parse().ok());
                    value.ok_or_else(|| SyntaxError::Option(format!("a spin needs a number {key}")))
                };
                Ok(Self::Spin {
                    default: number("default")?,
                    min: number("min")?,
                    max: number("max")?,
                })
            }
            "combo" => {
                let mut parts = rest.split(|&word| word == "var").map(|words| words.join(" "));
                let first = parts.next().unwrap_or_default();
                let default = first.strip_prefix("default ").unwrap_or_default().to_owned();
                Ok(Self::Combo { default, vars: parts.collect() })
            }
            "button" => Ok(Self::Button),
            "string" => Ok(Self::String { default: text_default(rest) }),
            "filename" => Ok(Self::Filename { default: text_default(rest) }),
            unknown => wrong(format!("no type {}", quoted(unknown))),
        }
    }
}

/// The default of a text: all that follows.
fn text_default(rest: &[&str]) -> String {
    match rest {
        ["default", EMPTY] => String::new(),
        ["default", words @ ..] => words.join(" "),
        _ => String::new(),
    }
}

fn wrong<T>(problem: String) -> Result<T, SyntaxError> {
    Err(SyntaxError::Option(problem))
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        let text = |default: &str| if default.is_empty() { EMPTY } else { default }.to_owned();
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => write!(f, "string default {}", text(default)),
            OptionKind::Filename { default } => write!(f, "filename default {}", text(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_may_have_spaces() {
        let read = |text: &str| OptionDeclaration::parse(text).unwrap();
        let style = read(" name Playing Style type combo default As Is var As Is  var Solid");
        let vars = vec!["As Is".to_owned(), "Solid".to_owned()];
        assert_eq!(style.name, "Playing Style");
        assert_eq!(style.kind, OptionKind::Combo { default: "As Is".to_owned(), vars });
        let book = read("name Book type filename default my books/one.db");
        assert_eq!(book.kind, OptionKind::Filename { default: "my books/one.db".to_owned() });
        for text in [
            "name X type string",
            "name X type string default",
            "name X type string default <empty>",
        ] {
            assert_eq!(read(text).kind, OptionKind::String { default: String::new() }, "{text}");
        }
        assert_eq!(read("name Clear type button").kind, OptionKind::Button);
    }

    #[test]
    fn what_declares_no_option_is_refused() {
        for wrong in [
            "",
            "name",
            "type spin",
            "name type spin default 1 min 0 max 2",
            "name X type",
            "name X type slider default 1",
            "name X type spin default 1 min 0",
            "name X type spin default one min 0 max 2",
            "name X type check default maybe",
        ] {
            assert!(OptionDeclaration::parse(wrong).is_err(), "{wrong}");
        }
    }
}
