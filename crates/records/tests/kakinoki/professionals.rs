#[path = "../../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use tesuji_records::{GameRecord, MoveRecord, ki2, kif};
use tesuji_shogi::{Move, Position};

/// Every game, written as KI2 and KIF, comes back move for move.
#[test]
fn games_of_professionals_come_back_move_for_move() {
    let Some(text) = shared_data::read("pro_games.tsv") else { return };
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
