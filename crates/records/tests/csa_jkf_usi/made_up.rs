//! Random records for property tests, and what each format keeps of them.

use std::time::Duration;

use proptest::prelude::*;
use tesuji_records::{Ending, GameRecord, Header, Line, MoveRecord};
use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Outcome, Position};

/// How to make a line: which of the legal moves is played at each ply, and what is said of it.
/// Proptest can shrink this; it could not shrink a list of moves.
#[derive(Clone, Debug)]
struct Plan {
    steps: Vec<Step>,
    ending: Option<(usize, Remark)>,
}

#[derive(Clone, Debug)]
struct Step {
    pick: prop::sample::Index,
    remark: Remark,
    variations: Vec<Plan>,
}

#[derive(Clone, Debug)]
struct Remark {
    millis: Option<u64>,
    comments: Vec<String>,
}

/// A legal game with everything that a record can hold.
pub fn record() -> impl Strategy<Value = GameRecord> {
    (start(), headers(), comments(), plan(40, 2)).prop_map(|(start, headers, comments, plan)| {
        GameRecord { headers, start, comments, main: line(&plan, start) }
    })
}

/// Even games, handicaps, a middle game, and problems with one king or none.
fn start() -> impl Strategy<Value = Position> {
    let mut starts: Vec<Position> = Handicap::ALL.into_iter().map(Handicap::position).collect();
    for sfen in [
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
        "9/9/9/4+R4/9/9/4+b4/9/9 w GSNLP 1",
        "8k/9/7+P1/9/9/9/9/9/9 b G 1",
    ] {
        starts.push(Position::from_sfen(sfen).unwrap());
    }
    prop_oneof![Just(Position::startpos()), prop::sample::select(starts)]
}

/// The one form of dates that CSA has.
const DATE: &str = "2003/05/03 10:30:00";

fn headers() -> impl Strategy<Value = Vec<Header>> {
    let key = prop_oneof![
        prop::sample::select(vec![
            Header::BLACK,
            Header::WHITE,
            Header::EVENT,
            Header::SITE,
            Header::STARTED,
            Header::ENDED,
            Header::TIME_LIMIT,
            Header::OPENING,
            "MAX_MOVES",
            "備考",
        ])
        .prop_map(String::from),
        "X_[A-Z0-9]{1,6}",
    ];
    let value = prop_oneof!["[ -~ぁ-ん一-龠]{1,20}", "[0-9]{1,4}\\+[0-9]{1,2}\\+[0-9]{1,2}"];
    let header = (key, value).prop_map(|(key, value)| {
        let dated = [Header::STARTED, Header::ENDED].contains(&key.as_str());
        let value = if dated { DATE } else { value.trim() }.into();
        Header { key, value }
    });
    prop::collection::vec(header.prop_filter("a value", |h| !h.value.is_empty()), 0..8)
}

fn comments() -> impl Strategy<Value = Vec<String>> {
    let comment = prop_oneof!["[^\r\n]{0,20}", Just("* 120 +7776FU".to_string())];
    prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(comment, 1..3)]
}

fn remark() -> impl Strategy<Value = Remark> {
    let millis = prop_oneof![
        2 => Just(None),
        2 => (0..20_000_u64).prop_map(|seconds| Some(seconds * 1000)),
        1 => (0..20_000_000_u64).prop_map(Some),
    ];
    (millis, comments()).prop_map(|(millis, comments)| Remark { millis, comments })
}

fn plan(most: usize, depth: usize) -> BoxedStrategy<Plan> {
    let variations = if depth == 0 {
        Just(vec![]).boxed()
    } else {
        let inner = prop::collection::vec(plan(6, depth - 1), 1..3);
        prop_oneof![9 => Just(vec![]), 1 => inner].boxed()
    };
    let step = (any::<prop::sample::Index>(), remark(), variations)
        .prop_map(|(pick, remark, variations)| Step { pick, remark, variations });
    let ending = prop::option::of((0..ENDINGS, remark()));
    (prop::collection::vec(step, 0..most), ending)
        .prop_map(|(steps, ending)| Plan { steps, ending })
        .boxed()
}

fn line(plan: &Plan, start: Position) -> Line {
    let mut position = start;
    let mut moves = Vec::new();
    for step in &plan.steps {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[step.pick.index(legal.len())];
        moves.push(MoveRecord {
            mv,
            time: step.remark.millis.map(Duration::from_millis),
            comments: step.remark.comments.clone(),
            variations: step.variations.iter().map(|plan| line(plan, position)).collect(),
        });
        position.play_unchecked(mv);
    }
    let ending = plan.ending.as_ref().map(|(number, remark)| Ending {
        result: ending(*number, position.side_to_move()),
        time: remark.millis.map(Duration::from_millis),
        comments: remark.comments.clone(),
        variations: Vec::new(),
    });
    Line { moves, ending }
}

const ENDINGS: usize = 10;

/// The endings that CSA and JKF have a word of their own for.
fn ending(number: usize, side: Color) -> GameResult {
    [
        GameResult::win(!side, EndReason::Resignation),
        GameResult::win(!side, EndReason::Checkmate),
        GameResult::win(!side, EndReason::TimeUp),
        GameResult::win(!side, EndReason::IllegalMove),
        GameResult::win(side, EndReason::IllegalMove),
        GameResult::win(side, EndReason::Declaration),
        GameResult::draw(EndReason::Repetition),
        GameResult::draw(EndReason::Impasse),
        GameResult::draw(EndReason::MoveLimit),
        GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted },
    ][number]
}

/// What CSA keeps: the players first, no variations, times to the millisecond.
pub fn kept_by_csa(record: &GameRecord) -> GameRecord {
    let mut record = record.clone();
    record.headers = players_first(&record);
    for played in &mut record.main.moves {
        played.variations.clear();
    }
    change_times(&mut record.main, |time| Duration::from_millis(time.as_millis() as u64));
    record
}

/// The headers with those of the players, one each, before all others.
pub fn players_first(record: &GameRecord) -> Vec<Header> {
    let players = [Header::BLACK, Header::WHITE];
    let first = |key: &str| record.headers.iter().find(|header| header.key == key);
    let others = record.headers.iter().filter(|header| !players.contains(&header.key.as_str()));
    players.into_iter().filter_map(first).chain(others).cloned().collect()
}

/// What JKF keeps: whole seconds, one header of each name.
pub fn kept_by_jkf(record: &GameRecord) -> GameRecord {
    let mut record = record.clone();
    let mut seen = Vec::new();
    record.headers.retain(|header| {
        let first = !seen.contains(&header.key);
        seen.push(header.key.clone());
        first
    });
    change_times(&mut record.main, |time| Duration::from_secs(time.as_secs()));
    record
}

/// What USI keeps: the start and the moves.
pub fn kept_by_usi(record: &GameRecord) -> GameRecord {
    let mut kept = GameRecord::new(record.start);
    kept.main.moves = record.moves().map(MoveRecord::from).collect();
    kept
}

fn change_times(line: &mut Line, change: fn(Duration) -> Duration) {
    for played in &mut line.moves {
        played.time = played.time.map(change);
        played.variations.iter_mut().for_each(|variation| change_times(variation, change));
    }
    if let Some(ending) = &mut line.ending {
        ending.time = ending.time.map(change);
    }
}
