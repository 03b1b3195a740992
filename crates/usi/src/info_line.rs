//! `info`: what an engine says while it searches.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tesuji_search::Bound;
use tesuji_shogi::{Move, Score};

use crate::syntax::{parse_move, split_word};

/// A line `info`. Whatever an engine does not say is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// Plies of the iteration.
    pub depth: Option<u32>,
    /// Selective depth: plies of the longest line that was looked at.
    pub seldepth: Option<usize>,
    /// The rank of the line, counted from 1, where several are wanted.
    pub multipv: Option<usize>,
    /// The score in the view of the side to move.
    pub score: Option<Score>,
    /// Is the score exact, or only a bound?
    pub bound: ScoreBound,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: Option<u32>,
    /// Time so far, to the millisecond.
    pub time: Option<Duration>,
    /// The principal variation: the best line, of at least one move.
    pub pv: Option<Vec<Move>>,
    /// A remark for people.
    pub string: Option<String>,
}

/// What a score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreBound {
    /// It is the true score.
    #[default]
    Exact,
    /// The true score is at least this (`lowerbound`).
    Lower,
    /// The true score is at most this (`upperbound`).
    Upper,
}

impl From<Bound> for ScoreBound {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Lower => Self::Lower,
            Bound::Upper => Self::Upper,
            Bound::Exact | Bound::None => Self::Exact,
        }
    }
}

impl InfoLine {
    /// Reads what follows `info`. Words that nobody knows are passed over, and so is a value that
    /// cannot be read: an engine may say whatever it likes here.
    pub(crate) fn parse(mut rest: &str) -> Self {
        let mut line = Self::default();
        loop {
            let (word, behind) = split_word(rest);
            rest = behind;
            match word {
                "" => return line,
                "depth" => read(&mut line.depth, &mut rest),
                "seldepth" => read(&mut line.seldepth, &mut rest),
                "multipv" => read(&mut line.multipv, &mut rest),
                "nodes" => read(&mut line.nodes, &mut rest),
                "nps" => read(&mut line.nps, &mut rest),
                "hashfull" => read(&mut line.hashfull, &mut rest),
                "time" => {
                    let mut milliseconds = None;
                    read(&mut milliseconds, &mut rest);
                    line.time = milliseconds.map(Duration::from_millis).or(line.time);
                }
                "score" => {
                    let (kind, behind) = split_word(rest);
                    let (value, behind) = split_word(behind);
                    rest = behind;
                    line.score = format!("{kind} {value}").parse().ok().or(line.score);
                }
                "lowerbound" => line.bound = ScoreBound::Lower,
                "upperbound" => line.bound = ScoreBound::Upper,
                "string" => {
                    line.string = Some(rest.trim().to_owned());
                    return line;
                }
                "pv" => {
                    line.pv = Some(read_moves(&mut rest)).filter(|moves| !moves.is_empty());
                    // Nothing but a remark comes behind the moves.
                    if let ("string", remark) = split_word(rest) {
                        line.string = Some(remark.trim().to_owned());
                    }
                    return line;
                }
                _ => {}
            }
        }
    }
}

/// Reads the next word as a value; what is not one leaves the old value.
fn read<T: FromStr>(slot: &mut Option<T>, rest: &mut &str) {
    let (word, behind) = split_word(rest);
    *rest = behind;
    if let Ok(value) = word.parse() {
        *slot = Some(value);
    }
}

/// Reads moves up to the first word that is none.
fn read_moves(rest: &mut &str) -> Vec<Move> {
    let mut moves = Vec::new();
    loop {
        let (word, behind) = split_word(rest);
        let Some(mv) = parse_move(word) else { return moves };
        moves.push(mv);
        *rest = behind;
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn part<T: fmt::Display>(
            f: &mut fmt::Formatter<'_>,
            name: &str,
            value: Option<T>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        part(f, "depth", self.depth)?;
        part(f, "seldepth", self.seldepth)?;
        part(f, "multipv", self.multipv)?;
        part(f, "score", self.score)?;
        f.write_str(match self.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
        })?;
        part(f, "nodes", self.nodes)?;
        part(f, "nps", self.nps)?;
        part(f, "hashfull", self.hashfull)?;
        part(f, "time", self.time.map(|time| time.as_millis()))?;
        if let Some(moves) = self.pv.as_ref().filter(|moves| !moves.is_empty()) {
            f.write_str(" pv")?;
            moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        part(f, "string", self.string.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_or_unknown_is_passed_over() {
        let line = InfoLine::parse(
            " depth x currmove 7g7f  nodes 400 cpuload 5 score cp 12 score mate? 3 time -1 \
             pv 7g7f P@5e rep_draw depth 9",
        );
        let expected = InfoLine {
            score: Some(Score::Centipawns(12)),
            nodes: Some(400),
            pv: Some(vec!["7g7f".parse().unwrap(), "P*5e".parse().unwrap()]),
            ..InfoLine::default()
        };
        assert_eq!(line, expected);
        assert_eq!(InfoLine::parse(""), InfoLine::default());
        assert_eq!(InfoLine::parse("string  depth 3 ").string.as_deref(), Some("depth 3"));
    }
}
