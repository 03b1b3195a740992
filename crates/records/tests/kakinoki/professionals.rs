use std::path::PathBuf;

use tesuji_records::{GameRecord, MoveRecord, ki2, kif};
use tesuji_shogi::{Move, Position};

/// The text of `pro_games.tsv`, if the data is there.
fn games() -> Option<String> {
    let folder = std::env::var_os("TESUJI_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    std::fs::read_to_string(folder.join("pro_games.tsv")).ok()
}

/// Every game, written as KI2 and KIF, comes back move for move.
#[test]
fn games_of_professionals_come_back_move_for_move() {
    let Some(text) = games() else {
        eprintln!("skipped: pro_games.tsv is not there; set TESUJI_DATA to the folder that has it");
        return;
    };
    let (mut games, mut moves) = (0, 0);
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let game = row.rsplit('\t').next().unwrap_or_default();
        let played = game.strip_prefix("startpos moves ").unwrap_or_else(|| panic!("{row}"));
        let mut record = GameRecord::new(Position::startpos());
        record.main.moves =
            played.split(' ').map(|mv| MoveRecord::from(mv.parse::<Move>().unwrap())).collect();
        assert_eq!(ki2::read(&ki2::write(&record).unwrap()).as_ref(), Ok(&record), "{row}");
        assert_eq!(kif::read(&kif::write(&record).unwrap()).as_ref(), Ok(&record), "{row}");
        games += 1;
        moves += record.main.moves.len();
    }
    assert!(games > 3_000 && moves > 300_000, "{games} games, {moves} moves");
}
