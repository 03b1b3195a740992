//! What an engine says to a graphical interface, line by line: read by the side that asks, written
//! by the side that answers.

use std::fmt;

use tesuji_shogi::Move;

use crate::info_line::InfoLine;
use crate::option::OptionDeclaration;
use crate::syntax::{SyntaxError, parse_move, quoted, split_word};

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// `id name`: the engine's name.
    Name(String),
    /// `id author`: who made it.
    Author(String),
    /// Something that can be set.
    Option(OptionDeclaration),
    /// The introduction is over.
    UsiOk,
    /// Everything is ready.
    ReadyOk,
    /// What a search has found so far.
    Info(Box<InfoLine>),
    /// The answer to `go`.
    BestMove(BestMove),
    /// The answer to `go mate`.
    Checkmate(Checkmate),
}

/// The answer to `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// A move.
    Move {
        /// The move.
        mv: Move,
        /// The expected reply, to be thought about in the opponent's time.
        ponder: Option<Move>,
    },
    /// The engine gives up.
    Resign,
    /// The engine claims the game by its entered king.
    Win,
}

/// The answer to `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// A mate, all its moves.
    Mate(Vec<Move>),
    /// There is none.
    NoMate,
    /// It is not known.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
}

/// Reads a line. `Ok(None)` if it is not one of the protocol: engines say other things too.
pub fn parse(line: &str) -> Result<Option<Response>, SyntaxError> {
    let (word, rest) = split_word(line);
    Ok(Some(match word {
        "id" => match split_word(rest) {
            ("name", name) => Response::Name(name.trim().to_owned()),
            ("author", author) => Response::Author(author.trim().to_owned()),
            _ => return Ok(None),
        },
        "option" => Response::Option(OptionDeclaration::parse(rest)?),
        "usiok" => Response::UsiOk,
        "readyok" => Response::ReadyOk,
        "info" => Response::Info(Box::new(InfoLine::parse(rest))),
        "bestmove" => Response::BestMove(BestMove::parse(rest)?),
        "checkmate" => Response::Checkmate(Checkmate::parse(rest)?),
        _ => return Ok(None),
    }))
}

impl BestMove {
    fn parse(rest: &str) -> Result<Self, SyntaxError> {
        let (word, rest) = split_word(rest);
        match word {
            "resign" => Ok(Self::Resign),
            "win" => Ok(Self::Win),
            _ => {
                let wrong = || SyntaxError::BestMove(quoted(word));
                let mv = parse_move(word).ok_or_else(wrong)?;
                let ponder = match split_word(rest) {
                    ("ponder", reply) => parse_move(split_word(reply).0),
                    _ => None,
                };
                Ok(Self::Move { mv, ponder })
            }
        }
    }
}

impl Checkmate {
    fn parse(rest: &str) -> Result<Self, SyntaxError> {
        let wrong = |word: &str| SyntaxError::Checkmate(quoted(word));
        match split_word(rest).0 {
            "nomate" => Ok(Self::NoMate),
            "timeout" => Ok(Self::Timeout),
            "notimplemented" => Ok(Self::NotImplemented),
            "" => Err(wrong("")),
            _ => {
                let read = |word| parse_move(word).ok_or_else(|| wrong(word));
                rest.split_whitespace().map(read).collect::<Result<_, _>>().map(Self::Mate)
            }
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => option.fmt(f),
            Self::UsiOk => f.write_str("usiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(best) => best.fmt(f),
            Self::Checkmate(checkmate) => checkmate.fmt(f),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { mv, ponder: None } => write!(f, "bestmove {mv}"),
            Self::Move { mv, ponder: Some(reply) } => write!(f, "bestmove {mv} ponder {reply}"),
            Self::Resign => f.write_str("bestmove resign"),
            Self::Win => f.write_str("bestmove win"),
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            Self::Mate(moves) => moves.iter().try_for_each(|mv| write!(f, " {mv}")),
            Self::NoMate => f.write_str(" nomate"),
            Self::Timeout => f.write_str(" timeout"),
            Self::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn answers_to_go() {
        let read = |line| match parse(line) {
            Ok(Some(Response::BestMove(best))) => best,
            other => panic!("{line}: {other:?}"),
        };
        let alone = |text| BestMove::Move { mv: mv(text), ponder: None };
        let with_reply = BestMove::Move { mv: mv("7g7f"), ponder: Some(mv("3c3d")) };
        assert_eq!(read("bestmove 7g7f ponder 3c3d"), with_reply);
        assert_eq!(read("bestmove 7g7f ponder (none)"), alone("7g7f"));
        assert_eq!(read(" bestmove  P@5e"), alone("P*5e"));
        for (line, found) in [("bestmove e2e4e5", "\"e2e4e5\""), ("bestmove", "nothing")] {
            let error = parse(line).unwrap_err().to_string();
            assert_eq!(error, format!("expected a move, resign or win, found {found}"));
        }
    }

    #[test]
    fn answers_to_go_mate() {
        let mate = Response::Checkmate(Checkmate::Mate(vec![mv("G*5b")]));
        assert_eq!(parse("checkmate G*5b"), Ok(Some(mate)));
        assert_eq!(parse("checkmate timeout"), Ok(Some(Response::Checkmate(Checkmate::Timeout))));
        assert!(parse("checkmate").is_err() && parse("checkmate G*5b never").is_err());
    }

    #[test]
    fn other_lines_are_left_alone() {
        for line in ["", "hello", "id", "id date 2000", "usiok?", "Best move: 7g7f"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
        assert_eq!(parse("id name  Deep Tesuji "), Ok(Some(Response::Name("Deep Tesuji".into()))));
    }
}
