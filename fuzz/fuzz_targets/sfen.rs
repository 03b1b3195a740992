//! Any text: reading must not panic, and a position must survive writing and reading again.
#![no_main]

use tesuji_shogi::{Game, Position};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(position) = Position::from_sfen(text) {
        assert_eq!(Position::from_sfen(&position.to_sfen()), Ok(position));
        assert_eq!(position.legal_moves().len(), position.count_legal_moves());
    }
    let _ = Game::from_usi(text);
});
