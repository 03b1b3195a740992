//! `tesuji explain`: why a position, or a move, is worth what the evaluation says.

mod json;
pub mod notation;
pub mod pieces;
mod table;
mod text;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use tesuji_eval::{Change, Explanation, MoveExplanation, Weights};
use tesuji_learn::MoveOrder;
use tesuji_shogi::{BoardStyle, Color, Move, Position};

use crate::output;
use crate::subject::{FILES_HELP, Subject, SubjectArgs};

/// Explain what a position is worth, feature by feature, or what a move changes.
#[derive(Args, Debug)]
#[command(after_help = format!("{FILES_HELP}

Scores look at the position as it is: no reply is considered.

Examples:
  tesuji explain startpos
  tesuji explain game.kif --ply 40 --kanji
  tesuji explain game.kif --ply 40 --move 7g7f
  tesuji explain games.tsv --game 12 --ply 60 --side black --top 20
  tesuji explain game.kif --ply 40 --move ７六歩 --weights best.toml
  tesuji explain startpos moves 7g7f 3c3d --json"))]
pub struct ExplainArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// A weights file, or the name of weights that come with the program: published, evolved,
    /// coevolved, pupil, predictor or extended.
    #[arg(long, value_name = "FILE|NAME", default_value = Weights::DEFAULT)]
    weights: String,
    /// Explain what this move changes, in the view of the player who moves: 7g7f, P*5e, ７六歩.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// Whose view to explain; both are compared if not given. JSON has both.
    #[arg(long, value_name = "SIDE", default_value = "both", conflicts_with = "mv")]
    side: Side,
    /// How many features to list, the strongest first. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    top: usize,
    /// Draw the board and name moves in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Whose view to explain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Black,
    White,
    Both,
}

/// What to explain, and how.
#[derive(Debug)]
pub struct Plan {
    subject: Subject,
    weights_name: String,
    weights: Weights,
    mv: Option<Move>,
    side: Side,
    top: usize,
    style: BoardStyle,
    json: bool,
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &ExplainArgs) -> Result<Self> {
        let subject = args.subject.load()?;
        let previous = subject.last.map(Move::to);
        let read = |text: &String| notation::read_move(text, &subject.position, previous);
        Ok(Self {
            mv: args.mv.as_ref().map(read).transpose()?,
            weights_name: args.weights.clone(),
            weights: Weights::load(&args.weights)?,
            side: args.side,
            top: args.top,
            style: if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters },
            json: args.json,
            subject,
        })
    }
}

/// Explains it.
pub fn run(plan: &Plan) -> Result<ExitCode> {
    let ranking = Ranking::new(&plan.weights, &plan.subject.position);
    if plan.json {
        output::print_json(&json::report(plan, &ranking))?;
    } else {
        let text = match plan.mv.and_then(|mv| ranking.find(mv)) {
            Some(chosen) => text::of_move(plan, &ranking, chosen),
            None => text::of_position(plan, &ranking),
        };
        output::print(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a position is worth by these weights, feature by feature, for people.
pub fn position_text(
    position: &Position,
    last: Option<Move>,
    name: &str,
    weights: &Weights,
) -> String {
    let plan = Plan {
        subject: Subject::new(*position, last),
        weights_name: name.to_owned(),
        weights: weights.clone(),
        mv: None,
        side: Side::Both,
        top: 10,
        style: BoardStyle::Letters,
        json: false,
    };
    text::of_position(&plan, &Ranking::new(&plan.weights, position))
}

impl Plan {
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
        moves.sort_by_key(|(mv, explanation)| (-explanation.after, MoveOrder::Thesis.key(*mv)));
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
