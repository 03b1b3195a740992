use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_records::{GameRecord, Line, bod, decode, encode_shift_jis, ki2, kif};

use crate::random_records::{record, without_times};

const RECORDS: u64 = 400;

fn count_variations(line: &Line) -> usize {
    let below = |lines: &[Line]| lines.iter().map(|line| 1 + count_variations(line)).sum::<usize>();
    line.moves.iter().map(|record| below(&record.variations)).sum::<usize>()
        + line.ending.as_ref().map_or(0, |ending| below(&ending.variations))
}

fn each_record(check: impl Fn(&GameRecord, &str)) {
    let (mut moves, mut variations, mut endings) = (0, 0, 0);
    for seed in 0..RECORDS {
        let record = record(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        check(&record, &format!("seed {seed}"));
        moves += record.main.moves.len();
        variations += count_variations(&record.main);
        endings += usize::from(record.main.ending.is_some());
    }
    // The generator does make what is to be tested.
    assert!(
        moves > 10_000 && variations > 5_000 && endings > 200,
        "{moves} {variations} {endings}"
    );
}

#[test]
fn kif_keeps_everything() {
    each_record(|record, seed| {
        let text = kif::write(record).unwrap();
        assert!(kif::read(&text).as_ref() == Ok(record), "{seed}\n{text}");
        // What was read is written as it was.
        assert_eq!(kif::write(&kif::read(&text).unwrap()).unwrap(), text);
    });
}

#[test]
fn ki2_keeps_everything_but_times() {
    each_record(|record, seed| {
        let text = ki2::write(record).unwrap();
        assert!(ki2::read(&text) == Ok(without_times(record)), "{seed}\n{text}");
    });
}

#[test]
fn shift_jis_keeps_everything() {
    each_record(|record, seed| {
        for text in [kif::write(record).unwrap(), ki2::write(record).unwrap()] {
            let bytes = encode_shift_jis(&text).unwrap();
            assert_eq!(decode(&bytes).unwrap(), text, "{seed}");
        }
    });
}

#[test]
fn diagrams_keep_every_position() {
    each_record(|record, seed| {
        for (position, _) in record.positions() {
            assert_eq!(bod::read(&bod::write(&position)), Ok(position), "{seed}");
        }
    });
}
