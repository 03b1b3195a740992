//! What the mentor thinks of positions. Each answer is a line of the journal, in the order of the positions, so
//! that nothing is asked twice.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::clock::GameClock;
use tesuji_arena::player::{Player, Turn};
use tesuji_run::RunFolder;
use tesuji_run::jobs as runner;
use tesuji_shogi::{Game, Position, Rules};

use super::Plan;
use crate::progress::Progress;

/// How long a mentor without a clock may think.
const PATIENCE: Duration = Duration::from_secs(120);
const MARGIN: Duration = Duration::from_millis(100);

/// Scores beyond this, mates among them, are no lessons: what is won is seen by search, not by a sum of
/// features.
const DECIDED: i32 = 3_000;

/// A line of the journal.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// In the view of the side to move, in hundredths of a pawn; nothing if the mentor says none.
    score: Option<i32>,
}

/// The mentor's scores of the positions, in their order; nothing for those that are decided.
pub fn scores(
    plan: &Plan,
    folder: &RunFolder,
    positions: &[Position],
    threads: usize,
) -> Result<Vec<Option<i32>>> {
    let mut entries: Vec<Entry> = folder.entries()?.collect::<Result<_, _>>()?;
    let mentor = plan.mentor()?;
    let clocks = [GameClock::new(mentor.control); 2];
    let turn = Turn { clocks: &clocks, margin: MARGIN, patience: PATIENCE };
    let ask = |player: &mut dyn Player, position: &Position| -> Result<Option<i32>> {
        let game = Game::new(*position);
        player.begin(&game, &Rules::default(), 0).map_err(|fault| anyhow!("{fault}"))?;
        let answer = player.choose(&game, &turn).map_err(|fault| anyhow!("{fault}"))?;
        Ok(answer.thought.score)
    };
    let job = |player: &mut Box<dyn Player>, number: u64, _: &_| {
        let position = positions.get(usize::try_from(number).ok()?)?;
        Some(ask(&mut **player, position))
    };
    let all = positions.len();
    let mut progress =
        Progress::new(all as u64, "{bar:40} {pos}/{len} positions  {msg}  {elapsed}");
    runner::run(
        threads,
        entries.len() as u64..all as u64,
        || mentor.player(),
        job,
        |answers| {
            let new: Vec<Entry> = answers
                .into_iter()
                .map(|score| Ok(Entry { score: score? }))
                .collect::<Result<_>>()
                .map_err(|why| anyhow!("mentor {}: {why}", mentor.name))?;
            folder.append_all(&new)?;
            entries.extend(new);
            progress.update(entries.len() as u64, &|| "the mentor's scores".to_owned());
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        },
    )?;
    ensure!(entries.len() == all, "{} answers for {all} positions", entries.len());
    let lesson = |score: &i32| score.abs() <= DECIDED;
    Ok(entries.iter().map(|entry| entry.score.filter(lesson)).collect())
}
