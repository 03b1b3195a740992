//! Random records: legal moves with comments, times, variations and endings.

use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_records::{Ending, GameRecord, Header, Line, MoveRecord};
use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Outcome, Position};

/// Comments that a careless reader would take for something else.
const COMMENTS: [&str; 12] = [
    "",
    "好手",
    " leading and trailing ",
    "*",
    "&しおり",
    "変化：3手",
    "まで3手で先手の勝ち",
    "   1 ７六歩(77)",
    "先手：甲",
    "# not a remark",
    "▲７六歩",
    "解析 評価値=+120",
];

fn comments(random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let count = if random.random_ratio(1, 5) { random.random_range(1..3) } else { 0 };
    (0..count).filter_map(|_| COMMENTS.choose(random)).map(|&text| text.into()).collect()
}

/// A start, even, with a handicap, or in the middle of a game.
fn start(random: &mut Xoshiro256PlusPlus) -> Position {
    match random.random_range(0..4) {
        0 => Position::startpos(),
        1 => Handicap::ALL.choose(random).map_or_else(Position::startpos, |h| h.position()),
        _ => {
            let mut position = Position::startpos();
            for _ in 0..random.random_range(0..150) {
                let moves = position.legal_moves();
                let Some(&mv) = moves.choose(random) else { break };
                position.play_unchecked(mv);
            }
            position
        }
    }
}

/// A result that the formats can say exactly in a position with this player to move.
fn result(random: &mut Xoshiro256PlusPlus, us: Color) -> GameResult {
    let anyone = if random.random() { Color::Black } else { Color::White };
    let results = [
        GameResult::win(!us, EndReason::Resignation),
        GameResult::win(anyone, EndReason::TimeUp),
        GameResult::win(anyone, EndReason::IllegalMove),
        GameResult::win(anyone, EndReason::PerpetualCheck),
        GameResult::win(anyone, EndReason::Declaration),
        GameResult::win(anyone, EndReason::TryRule),
        GameResult::win(anyone, EndReason::Forfeit),
        GameResult::win(us, EndReason::Unknown),
        GameResult::draw(EndReason::Repetition),
        GameResult::draw(EndReason::Impasse),
        GameResult::draw(EndReason::MoveLimit),
        GameResult::draw(EndReason::Unknown),
        GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted },
    ];
    *results.choose(random).unwrap_or(&results[0])
}

fn time(random: &mut Xoshiro256PlusPlus) -> Option<Duration> {
    random.random_ratio(4, 5).then(|| Duration::from_secs(random.random_range(0..8_000)))
}

/// Variations of a move, each of them not empty.
fn variations(random: &mut Xoshiro256PlusPlus, position: &Position, depth: u32) -> Vec<Line> {
    if depth == 0 || !random.random_ratio(1, 8) {
        return Vec::new();
    }
    (0..random.random_range(1..4))
        .map(|_| line(random, *position, 8, depth - 1, true))
        .filter(|line| !line.moves.is_empty() || line.ending.is_some())
        .collect()
}

fn line(
    random: &mut Xoshiro256PlusPlus,
    mut position: Position,
    longest: usize,
    depth: u32,
    variation: bool,
) -> Line {
    let mut line = Line::default();
    for index in 0..random.random_range(0..=longest) {
        let moves = position.legal_moves();
        let Some(&mv) = moves.choose(random) else { break };
        // The variations of a variation's first move are its siblings.
        let own = index > 0 || !variation;
        let variations = if own { variations(random, &position, depth) } else { Vec::new() };
        line.moves.push(MoveRecord {
            mv,
            time: time(random),
            comments: comments(random),
            variations,
        });
        position.play_unchecked(mv);
    }
    if random.random_ratio(2, 3) {
        let result = result(random, position.side_to_move());
        let mut ending = Ending::new(result);
        ending.comments = comments(random);
        if result.reason == EndReason::Resignation {
            ending.time = time(random);
        }
        if !variation || !line.moves.is_empty() {
            ending.variations = variations(random, &position, depth);
        }
        line.ending = Some(ending);
    }
    line
}

/// A record with everything in it.
pub fn record(random: &mut Xoshiro256PlusPlus) -> GameRecord {
    let mut record = GameRecord::new(start(random));
    for (key, value) in [
        (Header::BLACK, "先手の人"),
        ("備考", "a: b：c"),
        (Header::WHITE, "White"),
        (Header::STARTED, "2024/08/02 10:00:00"),
        (Header::EVENT, "第1回"),
        ("後手省略名", "W"),
    ] {
        if random.random() {
            record.add_header(key, value);
        }
    }
    record.comments = comments(random);
    record.main = line(random, record.start, 120, 3, false);
    record
}

/// The record without its times, as KI2 keeps it.
pub fn without_times(record: &GameRecord) -> GameRecord {
    fn strip(line: &mut Line) {
        for record in &mut line.moves {
            record.time = None;
            record.variations.iter_mut().for_each(strip);
        }
        if let Some(ending) = &mut line.ending {
            ending.time = None;
            ending.variations.iter_mut().for_each(strip);
        }
    }
    let mut record = record.clone();
    strip(&mut record.main);
    record
}
