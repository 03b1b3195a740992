//! Explaining an evaluation: why a position, or a move, is worth what the weights of named features
//! say.

mod json;
pub mod pieces;
mod searched;
mod table;
mod text;

use anyhow::Result;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use tesuji_eval::{Change, Explanation, MoveExplanation, Weights, legacy};
use tesuji_shogi::{BoardStyle, Color, Move, Position};

use crate::notation;
use crate::subject::Subject;

pub use self::searched::{
    ExplainedMove, SearchedLayout, SearchedPosition, SearchedSettings, explain_searched,
};

/// What is asked of a position: plain values that a flag, a page or another machine can give.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainSettings {
    /// A weights file, or the name of weights that come with the program.
    pub weights: String,
    /// The move to explain, `7g7f` or `７六歩`; the position itself if there is none.
    pub mv: Option<String>,
}

impl Default for ExplainSettings {
    fn default() -> Self {
        Self { weights: Weights::DEFAULT.to_owned(), mv: None }
    }
}

/// Whose view of the position is told.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Side {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Both, compared.
    #[default]
    Both,
}

/// How an explanation is told as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextLayout {
    /// Whose view; a move is told in the view of the player who moves.
    pub side: Side,
    /// How many features are listed, the strongest first.
    pub top: usize,
    /// How the board is drawn and moves are named.
    pub style: BoardStyle,
}

impl Default for TextLayout {
    fn default() -> Self {
        Self { side: Side::Both, top: 10, style: BoardStyle::Letters }
    }
}

/// A position with weights that take it apart, and the move that was asked for. It serialises as
/// `docs/formats/explain-json.md` says.
#[derive(Debug)]
pub struct PositionExplanation {
    subject: Subject,
    weights_name: String,
    weights: Weights,
    mv: Option<Move>,
}

/// Explains a position, or what a move changes in it.
pub fn explain(subject: Subject, settings: &ExplainSettings) -> Result<PositionExplanation> {
    let previous = subject.last.map(Move::to);
    let read = |text: &String| notation::read_move(text, &subject.position, previous);
    Ok(PositionExplanation {
        mv: settings.mv.as_ref().map(read).transpose()?,
        weights_name: settings.weights.clone(),
        weights: Weights::load(&settings.weights)?,
        subject,
    })
}

/// What a position is worth by these weights, feature by feature, for people.
pub fn position_text(
    position: &Position,
    last: Option<Move>,
    name: &str,
    weights: &Weights,
) -> String {
    let explained = PositionExplanation {
        subject: Subject::new(*position, last),
        weights_name: name.to_owned(),
        weights: weights.clone(),
        mv: None,
    };
    explained.text(&TextLayout::default())
}

impl PositionExplanation {
    /// Everything: the position, both views, all moves, and the move that was asked for.
    pub fn to_json(&self) -> Value {
        json::report(self, &self.ranking())
    }

    /// The same for people, as far as the layout asks for it.
    pub fn text(&self, layout: &TextLayout) -> String {
        let ranking = self.ranking();
        match self.mv.and_then(|mv| ranking.find(mv)) {
            Some(chosen) => text::of_move(self, layout, &ranking, chosen),
            None => text::of_position(self, layout, &ranking),
        }
    }

    fn ranking(&self) -> Ranking<'_> {
        Ranking::new(&self.weights, &self.subject.position)
    }

    /// The position taken apart, Black's view first.
    fn explanation(&self) -> Explanation<'_> {
        self.weights.explain(&self.subject.position, Color::Black)
    }

    /// What tells the best move from this one; nothing if they score the same.
    fn against_best(&self, ranking: &Ranking<'_>, chosen: &Ranked<'_>) -> Vec<Change<'_>> {
        let best = ranking.best().filter(|best| best.score() > chosen.score());
        best.and_then(|best| {
            self.weights.explain_choice(&self.subject.position, chosen.mv, best.mv)
        })
        .map_or_else(Vec::new, |choice| choice.changes)
    }
}

/// All legal moves by the score of the position that they lead to, the best first.
struct Ranking<'a>(Vec<Ranked<'a>>);

struct Ranked<'a> {
    mv: Move,
    /// One more than the number of better moves.
    rank: usize,
    explanation: MoveExplanation<'a>,
}

impl Ranked<'_> {
    /// The score after the move.
    const fn score(&self) -> i32 {
        self.explanation.after
    }

    /// What the move adds to the score.
    const fn gain(&self) -> i32 {
        self.explanation.after - self.explanation.before
    }
}

impl<'a> Ranking<'a> {
    fn new(weights: &'a Weights, position: &Position) -> Self {
        let explain = |mv| Some((mv, weights.explain_move(position, mv)?));
        let mut moves: Vec<(Move, MoveExplanation<'_>)> =
            position.legal_moves().into_iter().filter_map(explain).collect();
        // Of equal moves the one that `tesuji predict` would choose stands first.
        moves.sort_by_key(|(mv, explanation)| (-explanation.after, legacy::move_code(*mv)));
        let scores: Vec<i32> = moves.iter().map(|(_, explanation)| -explanation.after).collect();
        let ranked = moves.into_iter().map(|(mv, explanation)| {
            let better = scores.partition_point(|&score| score < -explanation.after);
            Ranked { mv, rank: better + 1, explanation }
        });
        Self(ranked.collect())
    }

    fn find(&self, mv: Move) -> Option<&Ranked<'a>> {
        self.0.iter().find(|ranked| ranked.mv == mv)
    }

    fn best(&self) -> Option<&Ranked<'a>> {
        self.0.first()
    }

    /// The other moves with the same score.
    fn tied<'r>(&'r self, chosen: &'r Ranked<'a>) -> impl Iterator<Item = Move> + 'r {
        let others = self.0.iter().filter(|other| other.mv != chosen.mv);
        others.filter(|other| other.rank == chosen.rank).map(|other| other.mv)
    }
}

impl Serialize for PositionExplanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}
