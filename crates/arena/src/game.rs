//! One game between two players, by the rules and by the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, EndReason, EnteringKingRule, Game, GameResult, Rules};

use crate::clock::{GameClock, TimeControl};
use crate::player::{Action, Answer, Chance, Fault, FaultKind, Player, Thought, Turn};

/// What holds for every game beside the rules of shogi.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Declaration and the longest game.
    #[serde(with = "RulesText")]
    pub rules: Rules,
    /// When a game counts as lost before its end; `None` for never.
    pub resign: Option<ResignTerms>,
    /// When a game counts as drawn before its end; `None` for never.
    pub draw: Option<DrawTerms>,
    /// How late an answer may be.
    #[serde(with = "as_milliseconds")]
    pub margin: Duration,
    /// How long to wait for an answer where no clock runs.
    #[serde(with = "as_milliseconds")]
    pub patience: Duration,
}

/// Rules as they are written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Rules", deny_unknown_fields)]
struct RulesText {
    #[serde(with = "rule_name")]
    entering_king: EnteringKingRule,
    max_moves: Option<u16>,
}

/// A rule by its name.
mod rule_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tesuji_shogi::EnteringKingRule;

    pub(super) fn serialize<S: Serializer>(
        rule: &EnteringKingRule,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_str(rule.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<EnteringKingRule, D::Error> {
        let name = String::deserialize(from)?;
        EnteringKingRule::from_name(&name)
            .ok_or_else(|| D::Error::custom(format!("{name:?}: no such rule of the entering king")))
    }
}

/// A time as a number of milliseconds.
mod as_milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(from)?))
    }
}

/// A game is lost for a player who is this far behind for so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignTerms {
    /// Moves of a player, one after the other.
    pub movecount: usize,
    /// How far behind, in centipawns.
    pub score: i32,
    /// Must the winner agree?
    pub twosided: bool,
}

/// A game is drawn that neither player has thought to be better in for so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawTerms {
    /// The first move, counted from the opening, after which this counts.
    pub movenumber: usize,
    /// Moves of each player, one after the other.
    pub movecount: usize,
    /// How near to zero, in centipawns.
    pub score: i32,
}

/// Who plays: two players, or one against itself.
pub enum Seats<'a> {
    /// Black and White.
    Two([&'a mut dyn Player; 2]),
    /// The same for both.
    One(&'a mut dyn Player),
}

impl Seats<'_> {
    fn of(&mut self, color: Color) -> &mut dyn Player {
        match self {
            Self::Two(players) => &mut *players[color.index()],
            Self::One(player) => &mut **player,
        }
    }

    fn begin(&mut self, start: &Game, rules: &Rules, chance: Chance) -> Result<(), (Color, Fault)> {
        let colors: &[Color] = match self {
            Self::Two(_) => &[Color::Black, Color::White],
            Self::One(_) => &[Color::Black],
        };
        for &color in colors {
            self.of(color).begin(start, rules, chance).map_err(|fault| (color, fault))?;
        }
        Ok(())
    }

    fn end(&mut self, result: GameResult) {
        for color in [Color::Black, Color::White] {
            self.of(color).end(result.outcome, color);
        }
    }
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The game with its opening.
    pub game: Game,
    /// Moves of the opening.
    pub opening: usize,
    /// Who won and why.
    pub result: GameResult,
    /// What was thought before each move that was chosen.
    pub thoughts: Vec<Thought>,
    /// How long it took.
    pub times: Vec<Duration>,
    /// Was the game ended by the scores?
    pub adjudicated: bool,
    /// Whose fault ended the game.
    pub fault: Option<(Color, Fault)>,
}

/// Plays a game from an opening to its end; `None` if `stop` was set before.
pub fn play(
    opening: &Game,
    seats: &mut Seats<'_>,
    controls: [TimeControl; 2],
    terms: &Terms,
    chance: Chance,
    stop: &AtomicBool,
) -> Option<Played> {
    let mut table = Table {
        clocks: controls.map(GameClock::new),
        terms,
        played: Played {
            game: opening.clone(),
            opening: opening.moves().len(),
            result: GameResult::UNKNOWN,
            thoughts: Vec::new(),
            times: Vec::new(),
            adjudicated: false,
            fault: None,
        },
    };
    if let Err((color, fault)) = seats.begin(opening, &terms.rules, chance) {
        table.fault(color, fault);
    }
    let result = loop {
        if let Some(result) = table.result() {
            break result;
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        table.turn(seats);
    };
    table.played.result = result;
    seats.end(result);
    Some(table.played)
}

/// A game under way.
struct Table<'a> {
    clocks: [GameClock; 2],
    terms: &'a Terms,
    played: Played,
}

impl Table<'_> {
    /// How the game has ended: by the rules, or by the scores.
    fn result(&mut self) -> Option<GameResult> {
        if let Some(result) = self.played.game.result(&self.terms.rules) {
            return Some(result);
        }
        let result = self.adjudication()?;
        self.played.adjudicated = true;
        Some(result)
    }

    fn fault(&mut self, color: Color, fault: Fault) {
        self.played.game.end(GameResult::win(!color, fault.kind.reason()));
        self.played.fault = Some((color, fault));
    }

    /// One player's turn.
    fn turn(&mut self, seats: &mut Seats<'_>) {
        let color = self.played.game.position().side_to_move();
        let player = seats.of(color);
        let turn =
            Turn { clocks: &self.clocks, margin: self.terms.margin, patience: self.terms.patience };
        match player.choose(&self.played.game, &turn) {
            Err(fault) => self.fault(color, fault),
            Ok(answer) => {
                if let Err((kind, detail)) = self.accept(color, &answer) {
                    let lines = player.blame();
                    self.fault(color, Fault { kind, detail, lines });
                }
            }
        }
    }

    /// Does what a player answered, if it was in time and the rules allow it.
    fn accept(&mut self, color: Color, answer: &Answer) -> Result<(), (FaultKind, String)> {
        let clock = &mut self.clocks[color.index()];
        let allowed = clock.allowed().unwrap_or_default().as_secs_f64();
        if !clock.spend(answer.time, self.terms.margin) {
            let used = answer.time.as_secs_f64();
            let detail = format!("used {used:.3} s of {allowed:.3} s");
            return Err((FaultKind::Overtime, detail));
        }
        let game = &mut self.played.game;
        match answer.action {
            Action::Resign => game.resign(color),
            Action::Declare => {
                if game.declare(&self.terms.rules).reason == EndReason::IllegalMove {
                    let detail = "declared without the points or the pieces for it";
                    return Err((FaultKind::FalseDeclaration, detail.to_owned()));
                }
            }
            Action::Move(mv) => {
                game.play(mv).map_err(|wrong| (FaultKind::IllegalMove, wrong.to_string()))?;
                self.played.thoughts.push(answer.thought);
                self.played.times.push(answer.time);
            }
        }
        Ok(())
    }

    /// The result by the scores of both players, if the terms allow one.
    fn adjudication(&self) -> Option<GameResult> {
        let scores = BlackScores::new(&self.played);
        // A player resigns in his turn: records have no other way to say so.
        let side = self.played.game.position().side_to_move();
        let lost = self.terms.resign.and_then(|terms| scores.loser(&terms));
        if let Some(loser) = lost.filter(|&loser| loser == side) {
            return Some(GameResult::win(!loser, EndReason::Resignation));
        }
        let drawn = self.terms.draw.is_some_and(|terms| scores.is_drawn(&terms));
        drawn.then(|| GameResult::draw(EndReason::Unknown))
    }
}

/// The scores of the moves so far, the newest first, in Black's view, with who thought so.
struct BlackScores<'a> {
    thoughts: &'a [Thought],
    last_mover: Color,
}

impl<'a> BlackScores<'a> {
    fn new(played: &'a Played) -> Self {
        let last_mover = !played.game.position().side_to_move();
        Self { thoughts: &played.thoughts, last_mover }
    }

    /// The last `count` scores in Black's view; `None` if one of them is not known.
    fn last(&self, count: usize) -> Option<Vec<(Color, i32)>> {
        let from = self.thoughts.len().checked_sub(count)?;
        let mut mover = self.last_mover;
        let mut scores = Vec::with_capacity(count);
        for thought in self.thoughts[from..].iter().rev() {
            let score = thought.score?;
            scores.push((mover, if mover == Color::Black { score } else { -score }));
            mover = !mover;
        }
        Some(scores)
    }

    fn loser(&self, terms: &ResignTerms) -> Option<Color> {
        let scores = self.last(2 * terms.movecount)?;
        [Color::Black, Color::White].into_iter().find(|&loser| {
            let behind = |score: i32| match loser {
                Color::Black => score <= -terms.score,
                Color::White => score >= terms.score,
            };
            let mut counted = scores.iter().filter(|(mover, _)| terms.twosided || *mover == loser);
            counted.all(|&(_, score)| behind(score))
        })
    }

    fn is_drawn(&self, terms: &DrawTerms) -> bool {
        let near =
            |scores: Vec<(Color, i32)>| scores.iter().all(|(_, score)| score.abs() <= terms.score);
        self.thoughts.len() >= terms.movenumber && self.last(2 * terms.movecount).is_some_and(near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: &[Option<i32>], terms: impl Fn(&BlackScores<'_>) -> bool) -> bool {
        let thoughts: Vec<Thought> =
            values.iter().map(|&score| Thought { score, ..Thought::default() }).collect();
        terms(&BlackScores { thoughts: &thoughts, last_mover: Color::White })
    }

    #[test]
    fn terms_can_be_written_and_read() {
        let terms = Terms {
            rules: Rules { entering_king: EnteringKingRule::TryRule, max_moves: Some(256) },
            resign: Some(ResignTerms { movecount: 2, score: 1000, twosided: true }),
            draw: None,
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(120),
        };
        let text = serde_json::to_string(&terms).unwrap();
        assert!(text.contains(r#""max_moves":256"#) && text.contains(r#""patience":120000"#));
        assert_eq!(serde_json::from_str::<Terms>(&text).unwrap(), terms);
        let wrong = text.replace(EnteringKingRule::TryRule.name(), "any");
        assert!(serde_json::from_str::<Terms>(&wrong).is_err());
    }

    #[test]
    fn a_game_is_lost_when_both_say_so() {
        let terms = ResignTerms { movecount: 2, score: 1000, twosided: true };
        let white_lost = |scores: &BlackScores<'_>| scores.loser(&terms) == Some(Color::White);
        let some = |values: [i32; 4]| values.map(Some);
        assert!(scores(&some([1200, -1000, 1500, -2000]), white_lost));
        assert!(!scores(&some([900, -1000, 1500, -2000]), white_lost));
        assert!(!scores(&[Some(1200), None, Some(1500), Some(-2000)], white_lost));
        assert!(!scores(&[Some(1500), Some(-2000)], white_lost));
    }

    #[test]
    fn the_loser_alone_may_be_enough() {
        let terms = ResignTerms { movecount: 2, score: 1000, twosided: false };
        let white_lost = |scores: &BlackScores<'_>| scores.loser(&terms) == Some(Color::White);
        assert!(scores(&[Some(0), Some(-1000), Some(0), Some(-2000)], white_lost));
        assert!(!scores(&[Some(9000), Some(-999), Some(9000), Some(-2000)], white_lost));
    }

    #[test]
    fn a_game_is_drawn_when_nobody_is_better() {
        let terms = DrawTerms { movenumber: 4, movecount: 1, score: 10 };
        let drawn = |scores: &BlackScores<'_>| scores.is_drawn(&terms);
        assert!(scores(&[Some(500), Some(0), Some(-10), Some(10)], drawn));
        assert!(!scores(&[Some(500), Some(0), Some(-10), Some(11)], drawn));
        assert!(!scores(&[Some(-10), Some(10)], drawn));
    }
}
