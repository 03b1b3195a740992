//! Any bytes as a table of samples: reading must end and must not panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for row in tesuji_records::sample::tsv::Reader::new(bytes) {
        let _ = row;
    }
});
