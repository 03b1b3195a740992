//! Any bytes: decoding must not panic, and what was decoded must survive encoding.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: [u8; tesuji_records::psv::SIZE]| {
    if let Ok(sample) = tesuji_records::psv::decode(&bytes)
        && let Ok(encoded) = tesuji_records::psv::encode(&sample)
    {
        assert_eq!(tesuji_records::psv::decode(&encoded), Ok(sample));
    }
});
