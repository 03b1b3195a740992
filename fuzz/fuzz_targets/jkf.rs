//! Any bytes: reading must not panic, and what was read must survive writing and reading again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = tesuji_records::decode(bytes) else { return };
    if let Ok(record) = tesuji_records::jkf::read(&text)
        && let Ok(written) = tesuji_records::jkf::write(&record)
    {
        let again = tesuji_records::jkf::read(&written).expect("our own text reads");
        assert!(again.moves().eq(record.moves()));
    }
});
