//! The masters' games: which are looked at, how many legal moves they have, and what each cut keeps.

use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::plausible::Cut;
use tesuji_learn::games::part_of;
use tesuji_learn::imitation::MoveExample;
use tesuji_learn::plausible::{Keeping, Kept, kept};
use tesuji_learn::pool;
use tesuji_math::Random;
use tesuji_math::stats::ratio_error;
use tesuji_records::collection::Part;
use tesuji_run::Context;

use super::settings::{HELD_OUT_SEED, PlausibleReproduction, SEED};
use crate::data::positions::for_each_game;
use crate::plausible::Rates;

/// The positions of games, game by game.
pub type Games = Vec<Vec<MoveExample>>;

/// Moves before this one are left out where the end of games is meant.
const LATE: u16 = 100;

/// Which games are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// All that training holds out.
    HeldOut,
    /// As many of them as the paper has, by chance.
    AsMany,
}

/// The games of a set.
pub fn games_of(plan: &PlausibleReproduction, set: Set, context: &Context<'_>) -> Result<Games> {
    let mut games = Games::new();
    for_each_game(std::slice::from_ref(&plan.professionals), context.observer, |game| {
        let is_enough = plan.sizes.held_out.is_some_and(|most| games.len() >= most);
        if part_of(game, HELD_OUT_SEED) == Part::Test && !is_enough {
            games.push(MoveExample::of_game(game.positions()).collect());
        }
    })?;
    ensure!(!games.is_empty(), "{}: no game is held out", plan.professionals.display());
    if set == Set::AsMany {
        let mut order = Random::new(SEED).order(games.len());
        order.truncate(plan.sizes.paper_games);
        order.sort_unstable();
        games = order.into_iter().map(|place| std::mem::take(&mut games[place])).collect();
    }
    Ok(games)
}

/// The legal moves of some positions that share a move number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtMove {
    /// The number of the move.
    pub number: u16,
    /// Games that come so far.
    pub games: usize,
    pub least: usize,
    pub mean: f64,
    pub most: usize,
}

/// How many legal moves there are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegalMoves {
    pub games: usize,
    pub positions: usize,
    /// The mean of all positions, and of those after move 100.
    pub mean: f64,
    pub mean_late: Option<f64>,
    pub by_number: Vec<AtMove>,
}

impl LegalMoves {
    pub fn new(games: &Games) -> Self {
        let mut by_number: Vec<AtMove> = Vec::new();
        let (mut sum, mut positions) = ([0, 0], [0, 0]);
        for example in games.iter().flatten() {
            let (number, legal) = (example.position.ply(), example.position.legal_moves().len());
            for late in 0..=usize::from(number > LATE) {
                sum[late] += legal;
                positions[late] += 1;
            }
            let place = by_number.partition_point(|at| at.number < number);
            if by_number.get(place).is_none_or(|at| at.number != number) {
                let none = AtMove { number, games: 0, least: usize::MAX, mean: 0.0, most: 0 };
                by_number.insert(place, none);
            }
            let at = &mut by_number[place];
            at.mean = (at.mean * at.games as f64 + legal as f64) / (at.games + 1) as f64;
            at.games += 1;
            at.least = at.least.min(legal);
            at.most = at.most.max(legal);
        }
        let mean = |late: usize| sum[late] as f64 / positions[late] as f64;
        Self {
            games: games.len(),
            positions: positions[0],
            mean: mean(0),
            mean_late: (positions[1] > 0).then(|| mean(1)),
            by_number,
        }
    }

    /// The most legal moves of any position.
    pub fn most(&self) -> usize {
        self.by_number.iter().map(|at| at.most).max().unwrap_or(0)
    }
}

/// What is asked of the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub set: Set,
    /// The merits, or the model of moves.
    pub merit: String,
    /// Do improvement and prevention rest while a strong threat is on the board?
    pub hierarchy: bool,
    /// The cut as text.
    pub cut: String,
}

/// What a cut keeps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub question: Question,
    pub games: usize,
    pub kept: Kept,
    /// Standard errors of accuracy and savings: moves of one game are no independent observations.
    pub errors: [f64; 2],
    /// Of the moves that are among the first, the first 5, the first 10.
    pub rank_errors: [f64; 3],
}

/// The places that the paper tells apart.
pub const PLACES: [usize; 3] = [1, 5, 10];

/// Asks the games of one set.
pub fn ask(questions: &[Question], games: &Games, context: &Context<'_>) -> Result<Vec<Answer>> {
    let pool = pool(context.threads)?;
    let mut progress = context.observer.begin(questions.len() as u64, "cuts");
    let mut answers = Vec::new();
    for question in questions {
        let cut: Cut = question.cut.parse()?;
        let rates = Rates::load(&question.merit, cut)?;
        let keeping = Keeping { judge: rates.judge(question.hierarchy), cut };
        let parts: Vec<Kept> =
            pool.install(|| games.par_iter().map(|game| kept(&keeping, game).0).collect());
        answers.push(Answer::new(question, &parts));
        let text = || format!("{}, {}", question.merit, question.cut);
        progress.update(answers.len() as u64, &text);
    }
    Ok(answers)
}

impl Answer {
    /// From what was kept in each game.
    fn new(question: &Question, games: &[Kept]) -> Self {
        let mut sum = Kept::default();
        games.iter().for_each(|game| sum.merge(game));
        let error = |of: &dyn Fn(&Kept) -> [usize; 2]| {
            ratio_error(games.iter().map(of).map(|[part, all]| (part as f64, all as f64)))
        };
        let errors = [
            error(&|game| [game.kept.played, game.positions]),
            error(&|game| [game.kept.legal, game.legal]),
        ];
        let rank_errors = PLACES
            .map(|first| error(&|game| [game.ranks.iter().take(first).sum(), game.positions]));
        Self { question: question.clone(), games: games.len(), kept: sum, errors, rank_errors }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::moves::Past;
    use tesuji_shogi::Position;

    use super::*;

    fn example(sfen: &str, played: &str) -> MoveExample {
        let position = Position::from_sfen(sfen).unwrap();
        MoveExample { position, past: Past::default(), played: played.parse().unwrap() }
    }

    #[test]
    fn legal_moves_are_counted_by_the_number_of_the_move() {
        let start =
            example("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f");
        let late = example("4k4/9/4P4/9/9/9/9/9/4K4 b - 101", "5i5h");
        let bare = example("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5h");
        let found = LegalMoves::new(&vec![vec![start, late], vec![bare]]);
        assert_eq!((found.games, found.positions, found.most()), (2, 3, 30));
        let [first, last] = &*found.by_number else { panic!("{found:?}") };
        assert_eq!((first.number, first.games, first.least, first.most), (1, 2, 5, 30));
        assert!((first.mean - 17.5).abs() < 1e-9 && (found.mean - 14.0).abs() < 1e-9);
        // Five steps of the king, and the pawn, which may promote or not.
        assert_eq!((last.number, last.least), (101, 7));
        assert_eq!(found.mean_late, Some(7.0));
    }

    #[test]
    fn what_is_kept_is_what_the_command_keeps() {
        let context = Context { threads: 1, observer: &tesuji_run::Silent };
        let start =
            example("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f");
        let question = |merit: &str, cut: &str| Question {
            set: Set::HeldOut,
            merit: merit.into(),
            hierarchy: true,
            cut: cut.into(),
        };
        let questions = [question("fitted", "merit"), question("move", "best:2")];
        let games = vec![vec![start], vec![start, start]];
        let found = ask(&questions, &games, &context).unwrap();
        assert!(found.iter().all(|answer| (answer.games, answer.kept.positions) == (2, 3)));
        assert_eq!(found[1].kept.kept.legal, 6);
        assert!((found[1].kept.saved() - 28.0 / 30.0).abs() < 1e-9);
        assert!(found[0].kept.kept.legal < 90, "{found:?}");
        let error = ask(&[question("move", "all")], &games, &context).unwrap_err().to_string();
        assert!(error.contains("asks generators"), "{error}");
    }
}
