//! Which searches a game needs, round after round, and what they say together.
//!
//! The value of a position is backed up from the end of the game: it is that of the best of the
//! moves that were looked at, the move of the game among them, whose value is the next position's.
//! So what later searches find counts for all positions before, and winning chances change with a
//! move by exactly what the move loses.

use std::collections::BTreeMap;

use tesuji_eval::Calibration;
use tesuji_records::GameRecord;
use tesuji_search::score::chance;
use tesuji_shogi::Move;

use super::AnalysisSettings;
use super::judgement::{INACCURACY, MISTAKE};
use super::searches::{PositionSearch, SearchJob, SearchOutcome};
use crate::score::{gives_mate_in, of_mover};

/// How far a search and the backed-up value may be apart in winning chances.
const DISAGREEMENT: f64 = 0.10;
/// The loss from which a longer search is made, for each level of them.
const LEAST_LOSS: [f64; LEVELS as usize] = [INACCURACY, MISTAKE];
/// Levels of longer searches.
pub(super) const LEVELS: u32 = 2;

/// What is known of a game: the longest search of each position and candidate.
#[derive(Clone, Default, Debug)]
pub struct Searches {
    known: BTreeMap<(usize, Option<String>), (u32, SearchOutcome)>,
}

impl Searches {
    /// Adds a search; a shorter one of the same position is forgotten.
    pub fn add(&mut self, search: &PositionSearch) {
        let SearchJob { ply, mv, level } = search.job.clone();
        let known = self.known.get(&(ply, mv.clone()));
        if known.is_none_or(|(known, _)| *known <= level) {
            self.known.insert((ply, mv), (level, search.found.clone()));
        }
    }

    /// The search of a position.
    pub(super) fn position(&self, ply: usize) -> Option<&SearchOutcome> {
        self.known.get(&(ply, None)).map(|(_, found)| found)
    }

    fn has(&self, job: &SearchJob) -> bool {
        let known = self.known.get(&(job.ply, job.mv.clone()));
        known.is_some_and(|(level, _)| *level >= job.level)
    }

    fn level(&self, ply: usize) -> u32 {
        self.known.get(&(ply, None)).map_or(0, |(level, _)| *level)
    }

    /// The candidates of a position with the searches of what they lead to.
    fn candidates(&self, ply: usize) -> impl Iterator<Item = (Move, &SearchOutcome)> {
        let range = (ply, Some(String::new()))..(ply + 1, None);
        self.known
            .range(range)
            .filter_map(|((_, mv), (_, found))| Some((mv.as_ref()?.parse().ok()?, found)))
    }
}

/// A move and what it leads to, in the view of whoever plays it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) score: i32,
    pub(super) line: Vec<Move>,
}

/// A position with its backed-up value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Backed {
    /// In the view of the side to move.
    pub(super) score: i32,
    /// The line that leads to that value.
    pub(super) line: Vec<Move>,
    /// The best of the other moves; none after the last move that is judged.
    pub(super) other: Option<Choice>,
    /// The move of the game.
    pub(super) played: Option<Choice>,
}

impl Backed {
    /// Winning chances lost with the move of the game.
    pub(super) fn loss(&self, calibration: &Calibration) -> f64 {
        let Some(played) = &self.played else { return 0.0 };
        (chance(self.score, calibration) - chance(played.score, calibration)).max(0.0)
    }
}

/// The values of all positions that are judged, in their order. All of them have been searched.
pub(super) fn backed_up(
    settings: &AnalysisSettings,
    record: &GameRecord,
    searches: &Searches,
) -> Vec<Backed> {
    let moves: Vec<Move> = record.moves().collect();
    let mut all: Vec<Backed> = Vec::new();
    for ply in settings.plies().rev() {
        let Some(found) = searches.position(ply) else { continue };
        let backed = match all.last() {
            None => {
                let (score, line) = (found.score, found.moves());
                Backed { score, line, other: None, played: None }
            }
            Some(next) => back_up(ply, moves[ply], found, next, searches),
        };
        all.push(backed);
    }
    all.reverse();
    all
}

fn back_up(
    ply: usize,
    mv: Move,
    found: &SearchOutcome,
    next: &Backed,
    searches: &Searches,
) -> Backed {
    let with = |mv: Move, line: &[Move]| [&[mv], line].concat();
    let played = Choice { score: of_mover(next.score), line: with(mv, &next.line) };
    let others =
        searches.candidates(ply).filter(|(other, _)| *other != mv).map(|(other, found)| Choice {
            score: of_mover(found.score),
            line: with(other, &found.moves()),
        });
    // A mate needs no second search.
    let mate = gives_mate_in(found.score).filter(|_| found.best() != Some(mv));
    let mate = mate.map(|_| Choice { score: found.score, line: found.moves() });
    // Of equal ones the first: the order of candidates does not depend on the searches.
    let other = others.chain(mate).reduce(|a, b| if b.score > a.score { b } else { a });
    let best = other.as_ref().filter(|other| other.score > played.score).unwrap_or(&played);
    Backed { score: best.score, line: best.line.clone(), other, played: Some(played) }
}

/// The searches that are to be made next; none if all is known. They depend on nothing but the
/// searches of the rounds before and the scale of chances.
pub fn next_round(
    settings: &AnalysisSettings,
    record: &GameRecord,
    searches: &Searches,
    calibration: &Calibration,
) -> Vec<SearchJob> {
    let unknown = |jobs: Vec<SearchJob>| -> Vec<SearchJob> {
        let mut jobs: Vec<SearchJob> = jobs.into_iter().filter(|job| !searches.has(job)).collect();
        jobs.sort_unstable();
        jobs.dedup();
        jobs
    };
    let positions = unknown(settings.plies().map(|ply| SearchJob::position(ply, 0)).collect());
    if !positions.is_empty() {
        return positions;
    }
    let candidates = unknown(candidates(settings, record, searches));
    if !candidates.is_empty() {
        return candidates;
    }
    let backed = backed_up(settings, record, searches);
    let again = (1..)
        .zip(LEAST_LOSS)
        .map(|longer| unknown(doubtful(settings, searches, &backed, calibration, longer)));
    again.into_iter().find(|jobs| !jobs.is_empty()).unwrap_or_default()
}

/// Moves beside those of the game: the first choice of each search, and the reply that the line of
/// the move before expected.
fn candidates(
    settings: &AnalysisSettings,
    record: &GameRecord,
    searches: &Searches,
) -> Vec<SearchJob> {
    let moves: Vec<Move> = record.moves().collect();
    let mut jobs = Vec::new();
    for ply in settings.plies().take(settings.last + 1 - settings.first) {
        let Some(found) = searches.position(ply) else { continue };
        let level = searches.level(ply);
        let before = ply.checked_sub(1).and_then(|before| {
            let line = searches.position(before)?.moves();
            (line.first() == Some(&moves[before])).then(|| line.get(1).copied()).flatten()
        });
        let is_decided = gives_mate_in(found.score).is_some();
        let choices = [found.best().filter(|_| !is_decided), before.filter(|_| !is_decided)];
        let others = choices.into_iter().flatten().filter(|mv| *mv != moves[ply]);
        jobs.extend(others.map(|mv| SearchJob::candidate(ply, mv, level)));
    }
    jobs
}

/// Positions to be searched again for longer: before and after moves that are blamed, and where a
/// search and the value that the others give disagree. The last argument is how much longer, and
/// the loss from which a move is blamed.
fn doubtful(
    settings: &AnalysisSettings,
    searches: &Searches,
    backed: &[Backed],
    calibration: &Calibration,
    (level, least): (u32, f64),
) -> Vec<SearchJob> {
    let chance = |score: i32| chance(score, calibration);
    let mut jobs = Vec::new();
    let other = |ply: usize, backed: &Backed| {
        let best = backed.other.as_ref().and_then(|other| other.line.first().copied());
        best.map(|mv| SearchJob::candidate(ply, mv, level))
    };
    for (place, ply) in settings.plies().enumerate() {
        let (Some(now), Some(found)) = (backed.get(place), searches.position(ply)) else {
            continue;
        };
        let blamed = now.loss(calibration) >= least;
        let disagree = (chance(found.score) - chance(now.score)).abs() >= DISAGREEMENT;
        let is_mate = gives_mate_in(now.score).is_some() && gives_mate_in(found.score).is_some();
        if now.played.is_none() || is_mate || !(disagree || blamed) {
            continue;
        }
        jobs.push(SearchJob::position(ply, level));
        jobs.extend(other(ply, now));
        if blamed {
            jobs.push(SearchJob::position(ply + 1, level));
            jobs.extend(backed.get(place + 1).and_then(|next| other(ply + 1, next)));
        }
    }
    jobs
}
