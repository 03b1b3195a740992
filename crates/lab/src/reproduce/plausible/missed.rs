//! Masters' moves that were missed, to be looked at.

use anyhow::{Context as _, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::plausible::{Cut, Merits, Reason};
use tesuji_learn::imitation::{MoveExample, with_reasons};
use tesuji_learn::plausible::{Judge, Keeping, Missed, kept};
use tesuji_learn::pool;
use tesuji_math::Random;
use tesuji_records::japanese;
use tesuji_report::{Arrow, ArrowKind, BoardFigure, number};
use tesuji_run::Context;
use tesuji_shogi::{Move, Position};

use super::games::Games;
use super::settings::SEED;
use crate::reproduce::document::Picture;

/// A position whose move was missed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    pub sfen: String,
    /// What the master played.
    pub played: String,
    pub merit: i32,
    /// What speaks for it, and the costs: names and values.
    pub reasons: Vec<(String, i32)>,
    /// The first move by merit.
    pub best: String,
    pub best_merit: i32,
}

/// All that were missed, and some of them as boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllMissed {
    pub merit: String,
    pub positions: usize,
    pub missed: usize,
    /// Those among them that no generator produces; the others have a negative merit.
    pub unproduced: usize,
    pub boards: Vec<Board>,
}

/// The moves that the cut at a negative merit misses; some of them by chance, in their order.
pub fn missed(
    merit: &str,
    games: &Games,
    boards: usize,
    context: &Context<'_>,
) -> Result<AllMissed> {
    let merits = Merits::load(merit)?;
    let keeping =
        Keeping { judge: Judge::Merits { merits: &merits, hierarchy: true }, cut: Cut::Merit };
    let of_game = |game: &Vec<MoveExample>| -> Vec<(MoveExample, Missed)> {
        let missed = kept(&keeping, game).1;
        missed.into_iter().map(|missed| (game[missed.sample], missed)).collect()
    };
    let pool = pool(context.threads)?;
    let all: Vec<_> = pool.install(|| games.par_iter().flat_map_iter(of_game).collect());
    let mut chosen = Random::new(SEED).order(all.len());
    chosen.truncate(boards);
    chosen.sort_unstable();
    let board = |place: usize| Board::new(&all[place].0, &merits);
    Ok(AllMissed {
        merit: merit.to_owned(),
        positions: games.iter().map(Vec::len).sum(),
        missed: all.len(),
        unproduced: all.iter().filter(|(_, missed)| !missed.rating.is_produced()).count(),
        boards: chosen.into_iter().map(board).collect::<Result<_>>()?,
    })
}

impl Board {
    fn new(example: &MoveExample, merits: &Merits) -> Result<Self> {
        let &MoveExample { position, past, played } = example;
        with_reasons(&position, past, merits, true, |rater| {
            let legal = position.legal_moves();
            let ratings = rater.rate_all(&legal);
            let rated = legal.into_iter().zip(ratings.iter().map(|rating| rating.merit));
            let merit = rated.clone().find_map(|(mv, merit)| (mv == played).then_some(merit));
            let best = rated.reduce(|best, one| if one.1 > best.1 { one } else { best });
            let (best, best_merit) = best.context("a position without moves")?;
            let reason = |Reason { generator, value, .. }: Reason| {
                (generator.map_or("costs", |generator| generator.name()).to_owned(), value)
            };
            Ok(Self {
                sfen: position.to_sfen(),
                played: played.to_string(),
                merit: merit.context("a move that is not legal")?,
                reasons: rater.reasons(played).into_iter().map(reason).collect(),
                best: best.to_string(),
                best_merit,
            })
        })
    }

    /// The board with both moves.
    pub fn picture(&self, number: usize) -> Result<Picture> {
        let position = Position::from_sfen(&self.sfen)?;
        let (played, best): (Move, Move) = (self.played.parse()?, self.best.parse()?);
        let figure = BoardFigure::new(&position)
            .arrow(Arrow::new(best, ArrowKind::Chosen, "first by merit"))
            .arrow(Arrow::new(played, ArrowKind::Master, "the master"));
        Ok(Picture {
            name: format!("missed-{number}"),
            caption: format!("{number}: move {}, {}", position.ply(), named(&position, played)),
            figure: Box::new(figure),
        })
    }

    /// The row of a table: its number, the move number, the master's move with its merit and the
    /// reasons, the first move by merit with its merit.
    pub fn row(&self, number: usize) -> Result<[String; 7]> {
        let position = Position::from_sfen(&self.sfen)?;
        let signed = |value: i32| number::signed(f64::from(value), 0);
        let reason = |(name, value): &(String, i32)| format!("{name} {}", signed(*value));
        Ok([
            number.to_string(),
            position.ply().to_string(),
            named(&position, self.played.parse()?),
            signed(self.merit),
            self.reasons.iter().map(reason).collect::<Vec<_>>().join(", "),
            named(&position, self.best.parse()?),
            signed(self.best_merit),
        ])
    }
}

fn named(position: &Position, mv: Move) -> String {
    format!("{mv} ({})", japanese::move_text(position, mv, None))
}
