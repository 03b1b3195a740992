//! Whatever is done to a file, the readers answer; they do not panic.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_records::{GameRecord, ParseError, decode, encode_shift_jis, ki2, kif};

use crate::random_records::record;

/// Pieces of text that a reader looks for.
const FRAGMENTS: [&str; 16] = [
    "変化：2手\n",
    "変化：99999999999999999999手\n",
    "まで3手で先手の勝ち\n",
    "  2 投了\n",
    "手合割：その他\n",
    "|v香v桂 ・ ・ ・ ・ ・ ・ ・|一\n",
    "先手の持駒：歩十八\n",
    "同　",
    "成",
    "▲",
    "(99)",
    "( 0:00/)",
    "手数＝65535\n",
    "後手番\n",
    "\r",
    "\u{feff}",
];

fn damage(random: &mut Xoshiro256PlusPlus, bytes: &mut Vec<u8>) {
    for _ in 0..random.random_range(1..6) {
        if bytes.is_empty() {
            return;
        }
        let at = random.random_range(0..bytes.len());
        let to = (at + random.random_range(0..40)).min(bytes.len());
        match random.random_range(0..7) {
            0 => bytes[at] ^= 1 << random.random_range(0..8),
            1 => bytes[at] = random.random(),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..to)),
            4 => bytes.extend_from_within(at..to),
            5 => {
                let fragment = FRAGMENTS[random.random_range(0..FRAGMENTS.len())].bytes();
                drop(bytes.splice(at..at, fragment));
            }
            _ => bytes.swap(at, to - 1),
        }
    }
}

/// Damages text: characters are cut out, doubled and put elsewhere, but stay characters, so that
/// the damage gets past the decoder.
fn damage_text(random: &mut Xoshiro256PlusPlus, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.random_range(1..6) {
        if characters.is_empty() {
            break;
        }
        let at = random.random_range(0..characters.len());
        let to = (at + random.random_range(0..40)).min(characters.len());
        match random.random_range(0..5) {
            0 => drop(characters.drain(at..to)),
            1 => characters.truncate(at),
            2 => characters.swap(at, to - 1),
            3 => {
                let fragment = FRAGMENTS[random.random_range(0..FRAGMENTS.len())].chars();
                drop(characters.splice(at..at, fragment));
            }
            _ => characters[at] = characters[random.random_range(0..characters.len())],
        }
    }
    characters.into_iter().collect()
}

type Read = fn(&str) -> Result<GameRecord, ParseError>;
type Write = fn(&GameRecord) -> Result<String, tesuji_records::WriteError>;

#[test]
fn damaged_files_never_panic() {
    let formats: [(Read, Write); 2] = [(kif::read, kif::write), (ki2::read, ki2::write)];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..60 {
        let original = record(&mut random);
        for (read, write) in formats {
            let text = write(&original).unwrap();
            let lines = text.lines().count() + 50;
            for case in 0..120 {
                let mut bytes = match case % 3 {
                    0 => encode_shift_jis(&text).unwrap(),
                    1 => text.clone().into_bytes(),
                    _ => damage_text(&mut random, &text).into_bytes(),
                };
                if case % 3 < 2 {
                    damage(&mut random, &mut bytes);
                }
                match decode(&bytes).and_then(|text| read(&text)) {
                    Ok(record) => {
                        // What was understood can be written and read again.
                        let again = write(&record).unwrap();
                        read(&again).unwrap_or_else(|error| panic!("{error}\n{again}"));
                        accepted += 1;
                    }
                    Err(error) => {
                        assert!((1..=lines).contains(&error.line), "{error}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(accepted > 500 && refused > 5_000, "{accepted} accepted, {refused} refused");
}
