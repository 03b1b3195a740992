//! The words of a condition.

/// A word, a number or a sign.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Word(String),
    Number(f64),
    Sign(&'static str),
    /// What is none of these.
    Other(char),
}

/// A token and its place: where it begins, and its length, in characters.
pub(super) type Placed = (Token, (usize, usize));

/// Signs, longer ones first.
const SIGNS: [&str; 15] =
    ["<=", ">=", "!=", "==", "&&", "||", "<", ">", "=", "+", "-", "(", ")", ",", "!"];

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Placed> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let rest = &letters[at..];
        if rest[0].is_whitespace() {
            at += 1;
            continue;
        }
        let (token, len) = next(rest);
        tokens.push((token, (at, len)));
        at += len;
    }
    tokens
}

fn next(rest: &[char]) -> (Token, usize) {
    let run = |is: fn(char) -> bool| rest.iter().take_while(|&&letter| is(letter)).count();
    if rest[0].is_ascii_digit() || rest[0] == '.' {
        let len = run(|letter| letter.is_ascii_digit() || letter == '.');
        let text: String = rest[..len].iter().collect();
        return text.parse().map_or((Token::Other(rest[0]), len), |n| (Token::Number(n), len));
    }
    if rest[0].is_alphabetic() || rest[0] == '_' {
        let len = run(|letter| letter.is_alphanumeric() || letter == '_');
        return (Token::Word(rest[..len].iter().collect()), len);
    }
    if matches!(rest[0], '"' | '\'') {
        let inside: String = rest[1..].iter().take_while(|&&letter| letter != rest[0]).collect();
        let len = inside.chars().count();
        if len + 2 <= rest.len() {
            return (Token::Word(inside), len + 2);
        }
    }
    let starts = |sign: &str| sign.chars().zip(rest).filter(|(a, b)| a == *b).count() == sign.len();
    match SIGNS.into_iter().find(|sign| starts(sign)) {
        Some(sign) => (Token::Sign(sign), sign.len()),
        None => (Token::Other(rest[0]), 1),
    }
}
