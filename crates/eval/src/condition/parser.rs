//! Reads conditions.

use tesuji_shogi::{Color, PieceKind};

use super::tokens::{Placed, Token, tokens};
use super::{Comparison, ConditionError, FormationKind, Number, Phase, Truth};
use crate::formations::{Formations, Names};
use crate::{all_features, feature_named};

/// Names that are no features.
const NUMBERS: [&str; 6] = ["progress", "hand", "board", "ply", "king_file", "king_rank"];
const TRUTHS: [&str; 7] = ["check", "entered", "turn", "castle", "strategy", "assault", "phase"];
/// Brackets and `not` within one another: enough for people, and no danger for the stack.
const DEEPEST: usize = 64;

pub(super) fn parse(text: &str) -> Result<Truth, ConditionError> {
    let text = text.trim();
    let mut parser = Parser { text, tokens: tokens(text), at: 0, depth: 0 };
    let truth = parser.either()?;
    match parser.peek() {
        None => Ok(truth),
        Some(_) => Err(parser.error("expected and, or, or the end here")),
    }
}

/// The text with the players exchanged.
pub(super) fn mirrored_text(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (mut mirrored, mut done) = (String::new(), 0);
    for (token, (start, len)) in tokens(text) {
        mirrored.extend(&letters[done..start]);
        match &token {
            Token::Word(word) if color_named(word).is_some() => {
                let exchanged = match &**word {
                    "B" => "W",
                    "W" => "B",
                    "black" => "white",
                    _ => "black",
                };
                mirrored.push_str(exchanged);
            }
            _ => mirrored.extend(&letters[start..start + len]),
        }
        done = start + len;
    }
    mirrored.extend(&letters[done..]);
    mirrored
}

fn color_named(word: &str) -> Option<Color> {
    match word {
        "B" | "black" => Some(Color::Black),
        "W" | "white" => Some(Color::White),
        _ => None,
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, ConditionError>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// An error at the next token.
    fn error(&self, message: impl Into<String>) -> ConditionError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ConditionError {
        let end = (self.text.chars().count(), 1);
        let place = self.tokens.get(at).map_or(end, |&(_, place)| place);
        ConditionError { text: self.text.to_owned(), place, message: message.into() }
    }

    /// An error at a word that is none of the known names.
    fn unknown<'n>(
        &self,
        at: usize,
        what: &str,
        word: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> ConditionError {
        let lower = word.to_lowercase();
        let near = names
            .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
            .min()
            .filter(|&(distance, _)| distance <= (word.len() / 3).max(2));
        let hint = near.map_or_else(String::new, |(_, name)| format!(", did you mean {name}?"));
        self.error_at(at, format!("{what} {word:?} is not known{hint}"))
    }

    fn take_sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let Some(Token::Sign(sign)) = self.peek() else { return None };
        let sign = *sign;
        signs.contains(&sign).then(|| {
            self.at += 1;
            sign
        })
    }

    fn take_word(&mut self, words: &[&str]) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(word)) if words.contains(&&**word));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        match self.take_sign(&[sign]) {
            Some(_) => Ok(()),
            None => Err(self.error(format!("expected {sign} here"))),
        }
    }

    fn word(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.error(format!("expected {what} here"))),
        }
    }

    fn either(&mut self) -> Parsed<Truth> {
        let mut truth = self.both()?;
        while self.take_word(&["or"]) || self.take_sign(&["||"]).is_some() {
            truth = Truth::Or(Box::new(truth), Box::new(self.both()?));
        }
        Ok(truth)
    }

    fn both(&mut self) -> Parsed<Truth> {
        let mut truth = self.negation()?;
        while self.take_word(&["and"]) || self.take_sign(&["&&"]).is_some() {
            truth = Truth::And(Box::new(truth), Box::new(self.negation()?));
        }
        Ok(truth)
    }

    fn negation(&mut self) -> Parsed<Truth> {
        if self.take_word(&["not"]) || self.take_sign(&["!"]).is_some() {
            return self.deeper(|parser| Ok(Truth::Not(Box::new(parser.negation()?))));
        }
        self.statement()
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("too many brackets within one another"));
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn statement(&mut self) -> Parsed<Truth> {
        if let Some(Token::Word(word)) = self.peek()
            && TRUTHS.contains(&&**word)
        {
            return self.truth();
        }
        // A bracket may hold numbers or truths: what reads further was meant.
        let start = self.at;
        if matches!(self.peek(), Some(Token::Sign("("))) {
            let as_truth = self.deeper(Self::bracket);
            let error = match as_truth {
                Ok(truth) if !self.is_before_a_sign() => return Ok(truth),
                Ok(_) => None,
                Err(error) => Some(error),
            };
            self.at = start;
            return self.comparison().map_err(|other| match error {
                Some(error) if error.place.0 >= other.place.0 => error,
                _ => other,
            });
        }
        self.comparison()
    }

    fn is_before_a_sign(&self) -> bool {
        let signs = ["<", "<=", "=", "==", "!=", ">", ">=", "+", "-"];
        matches!(self.peek(), Some(Token::Sign(sign)) if signs.contains(sign))
    }

    fn bracket(&mut self) -> Parsed<Truth> {
        self.expect("(")?;
        let truth = self.either()?;
        self.expect(")")?;
        Ok(truth)
    }

    fn truth(&mut self) -> Parsed<Truth> {
        match &*self.word("a name")? {
            "check" => Ok(Truth::Check),
            "entered" => Ok(Truth::Entered(self.player_in_brackets()?)),
            "turn" => {
                let equal = self.equality()?;
                let turn = Truth::Turn(self.player()?);
                Ok(negated_unless(equal, turn))
            }
            "castle" => self.formation(FormationKind::Castle),
            "strategy" => self.formation(FormationKind::Strategy),
            "assault" => self.formation(FormationKind::Assault),
            _ => {
                let equal = self.equality()?;
                let at = self.at;
                let word = self.word("opening, middle or end")?;
                let known = Phase::ALL.iter().find(|(name, _)| *name == word);
                let names = || Phase::ALL.iter().map(|&(name, _)| name);
                let phase = known.ok_or_else(|| self.unknown(at, "phase", &word, names()))?.1;
                Ok(negated_unless(equal, Truth::Phase(phase)))
            }
        }
    }

    /// `=` or `!=`: is it the first?
    fn equality(&mut self) -> Parsed<bool> {
        match self.take_sign(&["=", "==", "!="]) {
            Some(sign) => Ok(sign != "!="),
            None => Err(self.error("expected = or != here")),
        }
    }

    /// A player and the name of a formation, `(B) = mino`.
    fn formation(&mut self, kind: FormationKind) -> Parsed<Truth> {
        let color = self.player_in_brackets()?;
        let equal = self.equality()?;
        let name = self.formation_name(kind)?;
        Ok(negated_unless(equal, Truth::Formation(kind, color, name)))
    }

    /// The id of a formation, or the family of a castle; `None` for none.
    fn formation_name(&mut self, kind: FormationKind) -> Parsed<Option<String>> {
        let at = self.at;
        let word = self.word("the name of a castle, strategy or assault")?;
        if word == "none" {
            return Ok(None);
        }
        let formations = Formations::shipped();
        let (what, names): (&str, Vec<&Names>) = match kind {
            FormationKind::Castle => {
                ("castle", formations.castles().iter().map(|one| &one.names).collect())
            }
            FormationKind::Strategy => {
                ("strategy", formations.strategies().iter().map(|one| &one.names).collect())
            }
            FormationKind::Assault => {
                ("assault", formations.assaults().iter().map(|one| &one.names).collect())
            }
        };
        let families = formations.castles().iter().map(|castle| &*castle.family);
        let mut families = families.filter(|_| kind == FormationKind::Castle);
        let plain = |name: &str| name.to_lowercase().replace([' ', '-'], "_");
        // A family has the name of its simplest castle: it counts first, as players speak.
        let found = families
            .find(|family| plain(family) == plain(&word))
            .or_else(|| names.iter().find(|names| names.has(&word)).map(|names| &*names.id));
        match found {
            Some(name) => Ok(Some(name.to_owned())),
            None => Err(self.unknown(at, what, &word, names.iter().map(|names| &*names.id))),
        }
    }

    fn player(&mut self) -> Parsed<Color> {
        let at = self.at;
        let word = self.word("a player, B or W,")?;
        color_named(&word)
            .ok_or_else(|| self.error_at(at, format!("player {word:?} is not known, use B or W")))
    }

    fn player_in_brackets(&mut self) -> Parsed<Color> {
        self.expect("(")?;
        let color = self.player()?;
        self.expect(")")?;
        Ok(color)
    }

    fn comparison(&mut self) -> Parsed<Truth> {
        let left = self.sum()?;
        let comparison = match self.take_sign(&["<", "<=", "=", "==", "!=", ">", ">="]) {
            Some("<") => Comparison::Less,
            Some("<=") => Comparison::AtMost,
            Some("!=") => Comparison::Different,
            Some(">") => Comparison::More,
            Some(">=") => Comparison::AtLeast,
            Some(_) => Comparison::Equal,
            None => return Err(self.error("expected <, <=, =, !=, >= or > here")),
        };
        Ok(Truth::Compare(left, comparison, self.sum()?))
    }

    fn sum(&mut self) -> Parsed<Number> {
        let mut number = self.term()?;
        while let Some(sign) = self.take_sign(&["+", "-"]) {
            let (left, right) = (Box::new(number), Box::new(self.term()?));
            number = if sign == "+" {
                Number::Sum(left, right)
            } else {
                Number::Difference(left, right)
            };
        }
        Ok(number)
    }

    fn term(&mut self) -> Parsed<Number> {
        if self.take_sign(&["-"]).is_some() {
            return self.deeper(|parser| Ok(Number::Minus(Box::new(parser.term()?))));
        }
        if self.take_sign(&["("]).is_some() {
            let number = self.deeper(Self::sum)?;
            self.expect(")")?;
            return Ok(number);
        }
        if let Some(&Token::Number(value)) = self.peek() {
            self.at += 1;
            return Ok(Number::Constant(value));
        }
        self.named()
    }

    fn named(&mut self) -> Parsed<Number> {
        let at = self.at;
        let name = self.word("a number or a name")?;
        match &*name {
            "ply" => Ok(Number::Ply),
            "progress" if !matches!(self.peek(), Some(Token::Sign("("))) => Ok(Number::Progress),
            "progress" => Ok(Number::Danger(self.player_in_brackets()?)),
            "king_file" => Ok(Number::KingFile(self.player_in_brackets()?)),
            "king_rank" => Ok(Number::KingRank(self.player_in_brackets()?)),
            "hand" => {
                self.expect("(")?;
                let color = self.player()?;
                let kind = match self.take_sign(&[","]) {
                    Some(_) => Some(self.piece(&PieceKind::HAND)?),
                    None => None,
                };
                self.expect(")")?;
                Ok(Number::InHand(color, kind))
            }
            "board" => {
                self.expect("(")?;
                let color = self.player()?;
                self.expect(",")?;
                let kind = self.piece(&PieceKind::ALL)?;
                self.expect(")")?;
                Ok(Number::OnBoard(color, kind))
            }
            _ => match feature_named(&name) {
                Some(feature) => Ok(Number::Feature(Box::new(feature), self.player_in_brackets()?)),
                None => {
                    let features = all_features();
                    let features = features.iter().map(|feature| feature.name);
                    let names = NUMBERS.into_iter().chain(TRUTHS).chain(features);
                    Err(self.unknown(at, "name", &name, names))
                }
            },
        }
    }

    fn piece(&mut self, kinds: &[PieceKind]) -> Parsed<PieceKind> {
        let at = self.at;
        let word = self.word("the name of a piece")?;
        let plain = |kind: PieceKind| kind.english().replace(' ', "_");
        let known = kinds.iter().find(|&&kind| plain(kind) == word.replace(' ', "_"));
        known.copied().ok_or_else(|| {
            let names: Vec<String> = kinds.iter().map(|&kind| plain(kind)).collect();
            self.unknown(at, "piece", &word, names.iter().map(String::as_str))
        })
    }
}

fn negated_unless(is: bool, truth: Truth) -> Truth {
    if is { truth } else { Truth::Not(Box::new(truth)) }
}
