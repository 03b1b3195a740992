//! A book made of games: how often each move was played in each position.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_report::number::count;
use tesuji_run::Context;
use tesuji_search::book::Book;
use tesuji_shogi::Outcome;

use super::tally::Tally;
use crate::data::positions::in_parallel;

/// Which games, and what of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Files or folders of games.
    pub games: Vec<PathBuf>,
    /// Moves of a game that count, from its beginning.
    pub plies: usize,
    /// Moves that were played less often are left out.
    pub min_count: u32,
    /// Do the moves of the winner alone count? Games without one do not then.
    pub winners: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct BuildOutcome {
    /// The book.
    pub book: Book,
    /// Games whose moves were counted.
    pub games: u64,
    /// Moves of these games.
    pub played: u64,
    /// Bad games, which were left out.
    pub rejected: u64,
    /// How long it took.
    pub time: Duration,
}

/// Reads the games once and counts. Memory grows with the number of positions that differ, not with
/// the number of games; the book does not depend on the number of threads.
pub fn build(plan: &BuildPlan, context: &Context<'_>) -> Result<BuildOutcome> {
    let started = Instant::now();
    let inputs = Input::from_paths(&plan.games)?;
    ensure!(!inputs.is_empty(), "no files of games in what was given");
    let pool = tesuji_learn::pool(context.thread_count())?;
    let (tally, mut found) = (Tally::new(), 0_u64);
    let (mut good, mut games, mut played) = (0_u64, 0_u64, 0_u64);
    let records = Games::new(inputs, None).raw().inspect(|_| found += 1);
    let work = |game: &GameRecord, _| counted(plan, &tally, game);
    pool.install(|| {
        let mut progress = context.observer.begin(0, "");
        in_parallel((0..).zip(records), context.observer, work, |some| {
            good += some.len() as u64;
            games += some.iter().flatten().count() as u64;
            played += some.iter().flatten().sum::<u64>();
            let text = || format!("{} games, {} moves", count(games), count(played));
            progress.update(good, &text);
        })
    })?;
    ensure!(games > 0, "no games to make a book of");
    let book = pool.install(|| tally.into_book(plan.min_count));
    Ok(BuildOutcome { book, games, played, rejected: found - good, time: started.elapsed() })
}

/// Makes a book and writes it to a file.
pub fn build_file(plan: &BuildPlan, path: &Path, context: &Context<'_>) -> Result<BuildOutcome> {
    let started = Instant::now();
    let outcome = build(plan, context)?;
    super::save(&outcome.book, path)?;
    Ok(BuildOutcome { time: started.elapsed(), ..outcome })
}

/// Counts the moves of a game; how many it has, or `None` if none of them is to be counted.
fn counted(plan: &BuildPlan, tally: &Tally, game: &GameRecord) -> Option<u64> {
    let side = match (plan.winners, game.outcome()) {
        (false, _) => None,
        (true, Outcome::Win(winner)) => Some(winner),
        (true, Outcome::Draw | Outcome::Unknown) => return None,
    };
    let mut position = game.start;
    for mv in game.moves().take(plan.plies) {
        let next = position.after_unchecked(mv);
        if side.is_none_or(|side| side == position.side_to_move()) {
            tally.add(&position, mv, next.key());
        }
        position = next;
    }
    Some(game.moves().len() as u64)
}

impl BuildOutcome {
    /// The numbers as JSON.
    pub fn json(&self) -> Value {
        json!({
            "positions": self.book.len(),
            "moves": self.book.move_count(),
            "games": self.games,
            "moves_played": self.played,
            "rejected": self.rejected,
            "seconds": self.time.as_secs_f64(),
        })
    }

    /// The numbers in words.
    pub fn text(&self) -> String {
        let rejected = match self.rejected {
            0 => String::new(),
            rejected => format!(", {} rejected", count(rejected)),
        };
        format!(
            "{} positions, {} moves, of {} games with {} moves{rejected}, in {:.2} s\n",
            count(self.book.len() as u64),
            count(self.book.move_count() as u64),
            count(self.games),
            count(self.played),
            self.time.as_secs_f64()
        )
    }
}
