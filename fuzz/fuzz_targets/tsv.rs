//! Any bytes as a collection: each line is a game or an error, and a game survives writing.
#![no_main]

use tesuji_records::tsv;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(columns) = lines.next().and_then(tsv::Columns::read) else { return };
    let ours = tsv::Columns::read(tsv::HEADER_LINE).expect("our own header reads");
    for line in lines {
        if let Ok(record) = columns.read_game(line) {
            let again = ours.read_game(tsv::write_game(&record).trim_end());
            assert!(again.expect("our own line reads").moves().eq(record.moves()));
        }
    }
});
