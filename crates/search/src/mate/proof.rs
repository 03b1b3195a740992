//! The proof of a mate: an answer to every move of the defender, and its replay by the rules.

use std::collections::HashMap;
use std::fmt;

use tesuji_shogi::{Move, Position};

use super::one::{self, Checks};
use super::search::Search;
use super::table::Known;

/// A check for every position in which the attacker is to move, until it is mate.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Proof {
    /// By the key of the position.
    answers: HashMap<u64, Answer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Answer {
    mv: Move,
    /// It is mate within so many plies.
    within: u16,
}

/// Why a proof is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The proof has no move for a position that the defender can bring about.
    NoAnswer {
        /// The position.
        sfen: String,
    },
    /// The move of the proof is against the rules.
    IllegalMove {
        /// The position.
        sfen: String,
        /// The move.
        mv: Move,
    },
    /// The move of the proof gives no check.
    NoCheck {
        /// The position.
        sfen: String,
        /// The move.
        mv: Move,
    },
    /// The defender can bring about a position again.
    Repetition {
        /// The position.
        sfen: String,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer { sfen } => write!(f, "no move for {sfen}"),
            Self::IllegalMove { sfen, mv } => write!(f, "illegal move {mv} in {sfen}"),
            Self::NoCheck { sfen, mv } => write!(f, "{mv} gives no check in {sfen}"),
            Self::Repetition { sfen } => write!(f, "the defender can repeat {sfen}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// What a replay knows of positions, by their keys.
type Replay = HashMap<u64, Replayed>;

/// What a replay knows of a position.
#[derive(Clone, Copy)]
enum Replayed {
    /// It is on the path from the root.
    Begun,
    /// It is mate within so many plies.
    Mates(u16),
}

impl Proof {
    /// How many positions have an answer.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Has no position an answer?
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The move for a position; `None` if the proof does not need one there.
    pub fn answer(&self, position: &Position) -> Option<Move> {
        self.answers.get(&position.key()).map(|answer| answer.mv)
    }

    /// Plays every move of the defender and the proof's answers to them, by nothing but the rules.
    /// Returns after how many plies the longest defence ends in mate.
    pub fn replay(&self, position: &Position) -> Result<u16, Flaw> {
        self.replay_from(position, &mut HashMap::new())
    }

    fn replay_from(&self, position: &Position, known: &mut Replay) -> Result<u16, Flaw> {
        let sfen = || position.to_sfen();
        match known.get(&position.key()) {
            Some(&Replayed::Mates(length)) => return Ok(length),
            Some(Replayed::Begun) => return Err(Flaw::Repetition { sfen: sfen() }),
            None => {}
        }
        known.insert(position.key(), Replayed::Begun);
        let mv = self.answer(position).ok_or_else(|| Flaw::NoAnswer { sfen: sfen() })?;
        let next = position.after(mv).ok_or_else(|| Flaw::IllegalMove { sfen: sfen(), mv })?;
        if !next.in_check() {
            return Err(Flaw::NoCheck { sfen: sfen(), mv });
        }
        let mut length = 1;
        for reply in replies(&next) {
            length = length.max(2 + self.replay_from(&next.after_unchecked(reply), known)?);
        }
        known.insert(position.key(), Replayed::Mates(length));
        Ok(length)
    }

    /// The moves of the proof against the longest defence.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, Flaw> {
        let mut known = HashMap::new();
        self.replay_from(position, &mut known)?;
        let length = |position: &Position| match known.get(&position.key()) {
            Some(&Replayed::Mates(length)) => length,
            _ => 0,
        };
        let mut line = Vec::new();
        let mut position = *position;
        while let Some(mv) = self.answer(&position) {
            line.push(mv);
            position.play_unchecked(mv);
            // The first of equals; drops come last in the list.
            let defences = replies(&position).into_iter().rev();
            let Some(reply) =
                defences.max_by_key(|&reply| length(&position.after_unchecked(reply)))
            else {
                break;
            };
            line.push(reply);
            position.play_unchecked(reply);
        }
        Ok(line)
    }
}

/// The legal moves, in as much memory as they need: the recursion may go deep.
fn replies(position: &Position) -> Vec<Move> {
    position.legal_moves().to_vec()
}

impl Search<'_> {
    /// Collects the proof of a mate within `length` plies out of the table, searching again for
    /// what the table has lost. `None` if a limit is reached.
    pub(super) fn collect_proof(&mut self, position: &Position, length: u16) -> Option<Proof> {
        let mut proof = Proof::default();
        self.collect(position, length, &mut proof)?;
        Some(proof)
    }

    /// Adds the answers for a position and all that follow, and returns within how many plies it
    /// is mate. That number shrinks along every line, so that the answers never lead in a circle.
    fn collect(&mut self, position: &Position, limit: u16, proof: &mut Proof) -> Option<u16> {
        let key = position.key();
        if let Some(answer) = proof.answers.get(&key)
            && answer.within <= limit
        {
            return Some(answer.within);
        }
        let (mv, limit) = self.mating_move(position, limit)?;
        let mut next = *position;
        next.play_unchecked(mv);
        let mut within = 1;
        for reply in replies(&next) {
            let mut after = next;
            after.play_unchecked(reply);
            within = within.max(2 + self.collect(&after, limit.saturating_sub(2), proof)?);
        }
        // The position may have come up again on its own lines, with a quicker answer.
        let answer = proof.answers.entry(key).or_insert(Answer { mv, within });
        if within < answer.within {
            *answer = Answer { mv, within };
        }
        Some(answer.within)
    }

    /// The move that mates within `limit` plies, and within how many it does.
    fn mating_move(&mut self, position: &Position, limit: u16) -> Option<(Move, u16)> {
        if let Checks::Mate(mv, _) = one::look(position) {
            return Some((mv, 1));
        }
        let known = self.table.look_up(self.place(position), limit);
        if let Some(Known::Mate { length, mv: Some(mv), .. }) = known {
            return Some((mv, length));
        }
        let value = self.search_root(position, limit);
        value.mv.map(|mv| (mv, value.length))
    }
}

#[cfg(test)]
mod tests {

    use super::super::{Limits, Outcome, Solver};
    use super::*;

    /// Mate in three: a gold, a flight, another gold.
    const SFEN: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";

    fn solved() -> (Position, Proof) {
        let position = Position::from_sfen(SFEN).unwrap();
        match Solver::new(1).solve(&position, &Limits::default(), crate::Stop::never()).outcome {
            Outcome::Mate(mate) => (position, mate.proof),
            other => panic!("{other:?}"),
        }
    }

    /// The replay after the answer to the first position became `mv`.
    fn broken(mv: &str) -> Flaw {
        let (position, mut proof) = solved();
        let answer = Answer { mv: mv.parse().unwrap(), within: 3 };
        proof.answers.insert(position.key(), answer);
        proof.replay(&position).unwrap_err()
    }

    #[test]
    fn every_broken_proof_is_caught() {
        let (position, proof) = solved();
        assert_eq!(proof.replay(&position), Ok(3));
        assert!(matches!(broken("G*5b"), Flaw::IllegalMove { .. }));
        assert!(matches!(broken("S*1a"), Flaw::NoCheck { .. }));
        // Each answer is needed.
        for key in proof.answers.keys() {
            let mut without = proof.clone();
            without.answers.remove(key);
            assert!(matches!(without.replay(&position), Err(Flaw::NoAnswer { .. })));
        }
    }

    #[test]
    fn a_proof_that_runs_in_a_circle_is_none() {
        // The rook checks on two ranks in turn, and the king goes up and down between them.
        let start = Position::from_sfen("4k3R/9/9/9/9/9/9/9/9 w - 1").unwrap();
        let mut proof = Proof::default();
        let mut position = start.after_unchecked("5a5b".parse().unwrap());
        let first = position;
        for (check, reply) in [("1a1b", "5b5a"), ("1b1a", "5a5b")] {
            let mv = check.parse().unwrap();
            proof.answers.insert(position.key(), Answer { mv, within: 9 });
            position = position.after(mv).unwrap().after(reply.parse().unwrap()).unwrap();
        }
        assert_eq!(position.key(), first.key());
        let mut known = Replay::new();
        known.insert(first.key(), Replayed::Begun);
        let again = proof.replay_from(&position, &mut known);
        assert_eq!(again, Err(Flaw::Repetition { sfen: position.to_sfen() }));
    }
}
