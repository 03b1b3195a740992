//! Reasons in words: what tells the ends of two lines apart, by the evaluation that the engine
//! plays with.
//!
//! Both lines are followed to their ends and played out by quiescence, so that nothing hangs. What
//! the evaluation says of the two positions is then taken apart piece by piece (piece tables) or
//! feature by feature, told with squares and numbers, the strongest first. What is said and what is
//! left unsaid always add up to the difference of the two scores.

mod balance;
mod board;
mod fact;
mod followed;
mod tables;
mod words;

use serde_json::{Value, json};
use tesuji_eval::progress::Progress;
use tesuji_eval::{Model, Weights};
use tesuji_report::Lang;
use tesuji_search::quiet::with_resolver;
use tesuji_search::spec::Evaluation;
use tesuji_search::{AlphaBetaParams, Evaluator, Linear, Material, Phase, Tables};
use tesuji_shogi::{Bitboard, Color, Move, Position};

pub(crate) use self::words::{listed, player};

pub use self::fact::{Exposure, Fact, Taken};
pub use self::followed::{FollowedLine, NamedMove};

/// How many reasons are told, and how many statements about a position.
const MOST: usize = 4;
const MOST_OF_BALANCE: usize = 8;
/// A reason is told if it weighs so many centipawns, and this part of the strongest.
const LEAST: i32 = 15;
const LEAST_SHARE: f64 = 0.08;
/// The share of a change that must be seen on the board where it is told.
const SEEN: f64 = 0.7;

/// What a reason is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReasonGroup {
    /// Pieces won and lost.
    Material,
    /// A king and those who attack it.
    KingSafety,
    /// A king's own pieces around it.
    Castle,
    /// What is in hand, apart from its material.
    Hands,
    /// Pieces elsewhere.
    Activity,
    /// A feature of an evaluation that is a sum of features.
    Feature,
}

impl ReasonGroup {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::KingSafety => "king safety",
            Self::Castle => "castle",
            Self::Hands => "hands",
            Self::Activity => "activity",
            Self::Feature => "feature",
        }
    }
}

/// One thing that is different, and what it weighs.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// What it is about.
    pub group: ReasonGroup,
    /// How many centipawns the second line is better for it, in the view of the player; negative
    /// where it is worse.
    pub centipawns: i32,
    /// What it is.
    pub fact: Fact,
}

impl Reason {
    /// The reason in a sentence.
    pub fn text(&self, lang: Lang) -> String {
        words::sentence(&self.fact, lang)
    }

    /// The squares that the sentence names.
    pub fn squares(&self) -> Bitboard {
        self.fact.squares()
    }
}

/// What tells a second line from a first, in the view of the player who is to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Reasons {
    /// The strongest reasons. Those against the player come first, then what there is in return.
    pub said: Vec<Reason>,
    /// What is not among them, in centipawns: trifles, and what a search sees beyond its line.
    pub unsaid: i32,
    /// The score of the second line less that of the first; what is said and unsaid adds up to it.
    pub change: i32,
    /// The first line as it was followed.
    pub first: FollowedLine,
    /// The second line as it was followed.
    pub second: FollowedLine,
}

/// What a position is worth to Black.
#[derive(Clone, PartialEq, Debug)]
pub struct Balance {
    /// The strongest statements, whoever they speak for; numbers are Black's.
    pub said: Vec<Reason>,
    /// What is not among them: trifles, whose move it is, where the kings stand.
    pub unsaid: i32,
    /// The score of the position at the end of the captures.
    pub score: i32,
    /// The captures.
    pub line: FollowedLine,
}

/// Tells lines apart by one evaluation.
pub struct Explainer {
    judge: Judge,
}

enum Judge {
    Material(Material),
    Features(Linear),
    Tables(Tables),
    Phase(Phase),
}

impl Explainer {
    /// Explains by this evaluation.
    pub fn new(evaluation: &Evaluation) -> Self {
        let judge = match evaluation.model().cloned() {
            None => Judge::Material(Material::default()),
            Some(Model::Features(weights)) => Judge::Features(Linear::new(weights)),
            Some(Model::Tables(tables)) => Judge::Tables(Tables::new(tables)),
            Some(Model::Phase(tables)) => Judge::Phase(Phase::new(tables)),
        };
        Self { judge }
    }

    /// Follows a line and plays it out.
    pub fn follow(&self, position: &Position, line: &[Move], last: Option<Move>) -> FollowedLine {
        let mut followed = FollowedLine::new(position, line, last);
        for mv in self.play_out(&followed.end) {
            followed.play(mv);
        }
        followed
    }

    /// What tells the second line from the first. The scores are those of the lines, in the view of
    /// the side to move.
    pub fn contrast(
        &self,
        position: &Position,
        last: Option<Move>,
        lines: [&[Move]; 2],
        scores: [i32; 2],
    ) -> Reasons {
        let player = position.side_to_move();
        let change = scores[1] - scores[0];
        let [first, second] = self.where_it_shows(position, last, lines, change);
        let all = match &self.judge {
            Judge::Tables(tables) => tables::reasons(tables.tables(), &first, &second, player),
            // What the progress of the game changes between the ends is left unsaid.
            Judge::Phase(phase) => {
                let tables = phase.tables().at(Progress::near_kings(position));
                tables::reasons(&tables, &first, &second, player)
            }
            Judge::Material(_) => {
                tables::material(&Material::piece_values(), &first, &second, player)
                    .into_iter()
                    .collect()
            }
            Judge::Features(linear) => features(linear.weights(), &first.end, &second.end, player),
        };
        let said = strongest(all, change);
        let unsaid = change - said.iter().map(|reason| reason.centipawns).sum::<i32>();
        Reasons { said, unsaid, change, first, second }
    }

    /// Both lines up to the first point where most of the change can be seen on the board: farther
    /// on, other things have happened too. If that is nowhere, up to where most of it is seen.
    fn where_it_shows(
        &self,
        position: &Position,
        last: Option<Move>,
        lines: [&[Move]; 2],
        change: i32,
    ) -> [FollowedLine; 2] {
        let player = position.side_to_move();
        let whole = f64::from(if change < 0 { change } else { change.max(1) });
        let longest = lines.map(<[Move]>::len).into_iter().max().unwrap_or(0).max(2);
        let ends = (2..=longest).step_by(2).map(|plies| {
            let cut = lines.map(|line| self.follow(position, &line[..line.len().min(plies)], last));
            let [first, second] = &cut;
            let seen = self.score(&second.end, player) - self.score(&first.end, player);
            (f64::from(seen) / whole, cut)
        });
        let mut best: Option<(f64, [FollowedLine; 2])> = None;
        for (share, cut) in ends {
            if share >= SEEN {
                return cut;
            }
            if best.as_ref().is_none_or(|(known, _)| share > *known) {
                best = Some((share, cut));
            }
        }
        best.map_or_else(|| lines.map(|line| self.follow(position, line, last)), |(_, cut)| cut)
    }

    /// The static score in the view of a player.
    fn score(&self, position: &Position, player: Color) -> i32 {
        let score = match &self.judge {
            Judge::Material(material) => material.evaluate(position),
            Judge::Features(linear) => linear.evaluate(position),
            Judge::Tables(tables) => tables.evaluate(position),
            Judge::Phase(phase) => phase.evaluate(position),
        };
        if position.side_to_move() == player { score } else { -score }
    }

    /// What the position is worth to Black after captures are played out: the strongest statements,
    /// what is left unsaid, and the line of captures. They add up to the score of its end.
    pub fn balance(&self, position: &Position, last: Option<Move>) -> Balance {
        let line = self.follow(position, &[], last);
        let end = &line.end;
        let score = self.score(end, Color::Black);
        let all = match &self.judge {
            Judge::Material(_) => {
                balance::material(&Material::piece_values(), end).into_iter().collect()
            }
            Judge::Features(linear) => own_features(linear.weights(), end),
            Judge::Tables(tables) => balance::reasons(tables.tables(), end),
            Judge::Phase(phase) => {
                balance::reasons(&phase.tables().at(Progress::near_kings(end)), end)
            }
        };
        let mut said = all;
        said.retain(|reason| reason.centipawns.abs() >= LEAST);
        said.sort_by_key(|reason| (-reason.centipawns.abs(), reason.group));
        said.truncate(MOST_OF_BALANCE);
        let unsaid = score - said.iter().map(|reason| reason.centipawns).sum::<i32>();
        Balance { said, unsaid, score, line }
    }

    /// The moves of quiescence.
    fn play_out(&self, position: &Position) -> Vec<Move> {
        fn line<E: Evaluator>(evaluator: &E, position: &Position) -> Vec<Move> {
            with_resolver(evaluator, &AlphaBetaParams::default(), |resolver| {
                resolver.set_root(position);
                resolver.resolve();
                resolver.line().to_vec()
            })
        }
        match &self.judge {
            Judge::Material(material) => line(material, position),
            Judge::Features(linear) => line(linear, position),
            Judge::Tables(tables) => line(tables, position),
            Judge::Phase(phase) => line(phase, position),
        }
    }
}

/// The reasons that are worth telling: first those that have the sign of the change.
fn strongest(mut reasons: Vec<Reason>, change: i32) -> Vec<Reason> {
    let largest = reasons.iter().map(|reason| reason.centipawns.abs()).max().unwrap_or(0);
    let least = LEAST.max((f64::from(largest) * LEAST_SHARE) as i32);
    reasons.retain(|reason| reason.centipawns.abs() >= least);
    reasons.sort_by_key(|reason| (-reason.centipawns.abs(), reason.group));
    reasons.truncate(MOST);
    let material = reasons.iter().find(|reason| reason.group == ReasonGroup::Material);
    let material = material.map(|reason| reason.centipawns);
    // What is in hand was taken: it comes after the capture.
    let weight = |reason: &Reason| match material {
        Some(material)
            if reason.group == ReasonGroup::Hands
                && material.signum() == reason.centipawns.signum() =>
        {
            reason.centipawns.abs().min(material.abs())
        }
        _ => reason.centipawns.abs(),
    };
    let in_return = |reason: &Reason| (reason.centipawns < 0) != (change < 0);
    reasons.sort_by_key(|reason| (in_return(reason), -weight(reason), reason.group));
    reasons
}

/// Reasons by named features. Both players' views are half of the score each, as in the search.
fn features(weights: &Weights, first: &Position, second: &Position, player: Color) -> Vec<Reason> {
    let contrasts = weights.contrast(first, second, player);
    let reason = |contrast: &tesuji_eval::Contrast<'_>| Reason {
        group: ReasonGroup::Feature,
        centipawns: contrast.effect() / 2,
        fact: Fact::of_feature(contrast, player),
    };
    contrasts.iter().map(reason).collect()
}

/// Statements about a position by named features, in the view of Black.
fn own_features(weights: &Weights, position: &Position) -> Vec<Reason> {
    let explanation = weights.explain(position, Color::Black);
    let reason = |term: &tesuji_eval::Term<'_>| Reason {
        group: ReasonGroup::Feature,
        centipawns: term.effect() / 2,
        fact: Fact::of_term(term),
    };
    explanation.terms.iter().map(reason).collect()
}

/// Reasons as JSON: what is said and unsaid adds up to the change.
pub(crate) fn to_json(reasons: &Reasons) -> Value {
    let said: Vec<Value> = reasons.said.iter().map(reason_json).collect();
    json!({ "change": reasons.change, "reasons": said, "unsaid": reasons.unsaid })
}

pub(crate) fn reason_json(reason: &Reason) -> Value {
    let squares = reason.squares().into_iter().map(|square| square.to_string());
    json!({
        "group": reason.group.name(),
        "centipawns": reason.centipawns,
        "text": reason.text(Lang::English),
        "japanese": reason.text(Lang::Japanese),
        "squares": squares.collect::<Vec<_>>(),
    })
}
