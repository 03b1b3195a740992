//! Every game of the collections, and every start of the mate problems, through every format.

#[path = "../../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use tesuji_records::{Ending, GameRecord, Header, MoveRecord, csa, jkf, usi};
use tesuji_shogi::{Color, EndReason, GameResult, Position, PositionError, SfenError};

use crate::made_up::players_first;

fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(number, line)| (number, line.split('\t').collect()))
}

fn record_of(columns: &[&str]) -> GameRecord {
    let [date, event, black, white, result, game] = columns else {
        panic!("expected six columns, found {}", columns.len())
    };
    let (start, moves) = usi::parse_game(game).unwrap();
    assert_eq!(usi::format_game(&start, moves.iter().copied()), game.trim_end());
    let mut record = GameRecord::new(start);
    // CSA has whole dates, in one form, and no others.
    let date = if date.len() == 10 { date.replace('-', "/") } else { String::new() };
    for (key, value) in [
        (Header::STARTED, &*date),
        (Header::EVENT, event),
        (Header::BLACK, black),
        (Header::WHITE, white),
    ] {
        record.add_header(key, value.trim());
    }
    record.main.moves = moves.into_iter().map(MoveRecord::from).collect();
    let last = record.moves().fold(record.start, |position, mv| position.after_unchecked(mv));
    let side = last.side_to_move();
    // The file has no reasons; these are ones that both formats have a word for.
    let won = |winner| {
        let resigned = winner != side;
        let reason = if resigned { EndReason::Resignation } else { EndReason::Declaration };
        GameResult::win(winner, reason)
    };
    record.main.ending = match *result {
        "b" => Some(won(Color::Black)),
        "w" => Some(won(Color::White)),
        "d" => Some(GameResult::draw(EndReason::Repetition)),
        _ => None,
    }
    .map(Ending::new);
    record
}

fn round_trip(file: &str) {
    let Some(text) = shared_data::read(file) else { return };
    let mut games = 0;
    for (number, columns) in rows(&text) {
        let record = record_of(&columns);
        let csa_text = csa::write(&record).unwrap();
        let ordered = GameRecord { headers: players_first(&record), ..record.clone() };
        assert_eq!(csa::read(&csa_text), Ok(ordered), "{file} line {number}, CSA");
        let jkf_text = jkf::write(&record).unwrap();
        assert_eq!(jkf::read(&jkf_text).as_ref(), Ok(&record), "{file} line {number}, JKF");
        games += 1;
    }
    assert!(games > 700, "{file} has only {games} games");
}

#[test]
fn amateur_games() {
    round_trip("amateur_games.tsv");
}

#[test]
fn engine_games() {
    round_trip("engine_games.tsv");
}

#[test]
fn pro_games() {
    round_trip("pro_games.tsv");
}

#[test]
fn mate_problems() {
    let Some(text) = shared_data::read("tsume.tsv") else { return };
    let mut kingless = 0;
    for (number, columns) in rows(&text) {
        let start = match Position::from_sfen(columns[0]) {
            Ok(start) => start,
            // Some machine-made problems have two pawns in a file.
            Err(SfenError::Impossible(PositionError::TwoPawns { .. })) => continue,
            Err(error) => panic!("tsume.tsv line {number}: {error}"),
        };
        // CSA and JKF have no move number.
        let hands = Color::ALL.map(|color| start.hand(color));
        let start = Position::from_parts(start.pieces(), hands, start.side_to_move(), 1).unwrap();
        let record = GameRecord::new(start);
        let through_csa = csa::read(&csa::write(&record).unwrap());
        assert_eq!(through_csa.as_ref(), Ok(&record), "tsume.tsv line {number}, CSA");
        let through_jkf = jkf::read(&jkf::write(&record).unwrap());
        assert_eq!(through_jkf.as_ref(), Ok(&record), "tsume.tsv line {number}, JKF");
        kingless += usize::from(start.king(Color::Black).is_none());
    }
    assert!(kingless > 1000, "only {kingless} problems without a Black king");
}
