//! Any bytes: decoding must not panic, and what was decoded must survive encoding.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: [u8; tesuji_records::hcpe::SIZE]| {
    if let Ok(sample) = tesuji_records::hcpe::decode(&bytes)
        && let Ok(encoded) = tesuji_records::hcpe::encode(&sample)
    {
        assert_eq!(tesuji_records::hcpe::decode(&encoded), Ok(sample));
    }
});
