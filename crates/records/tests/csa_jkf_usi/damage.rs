//! Damaged files are read or refused, but never stop the program.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_records::{GameRecord, ParseError, WriteError, csa, jkf, usi};

use crate::made_up::{kept_by_csa, kept_by_jkf, kept_by_usi};

const CSA: &str = "'CSA encoding=UTF-8
V3.0
N+先手
N-Gote
$EVENT:A, B: C
$TIME:600+10+0
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU *
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+00FU
P-00AL
+
'*start
+7776FU,T1.5
-3334FU
T2
'** 30 +8822UM
+8822UM
-3122GI
+0055KA
%TORYO
T3
";

const JKF: &str = r#"{"header": {"先手": "a", "後手": "b", "備考": "c"},
"initial": {"preset": "2"},
"moves": [{"comments": ["start"]},
{"move": {"color": 1, "from": {"x": 3, "y": 1}, "to": {"x": 3, "y": 2}, "piece": "GI"},
 "time": {"now": {"h": 0, "m": 1, "s": 2}, "total": {"h": 0, "m": 1, "s": 2}}},
{"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
 "forks": [[{"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6}}}, {"special": "CHUDAN"}]]},
{"move": {"color": 1, "from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"}},
{"move": {"color": 0, "from": {"x": 8, "y": 8}, "to": {"x": 3, "y": 3}, "promote": true}},
{"special": "TORYO", "comments": ["end"]}]}
"#;

const USI: &str = "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPP1/1B5R1/LNSGKGSNL b P 1 \
                   moves 7g7f 3c3d 8h2b+ 3a2b P*1e 2b3c\n";

/// Characters that mean something in one of the formats, and some that mean nothing.
const ALPHABET: &[char] = &[
    '+', '-', '*', '\'', ',', '/', '%', '$', ':', '.', '0', '1', '3', '5', '9', 'P', 'I', 'N', 'T',
    'V', 'A', 'L', 'F', 'U', 'K', 'G', 'g', 'b', 'w', '{', '}', '[', ']', '"', ' ', '\n', '\t',
    '\u{feff}', '歩', '\u{fffd}', '\0',
];

/// One to four random changes: characters put in, taken out or replaced, lines doubled or
/// swapped, the end cut off.
fn damaged(text: &str, rng: &mut impl Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=4) {
        let at = rng.random_range(0..=chars.len());
        let any = ALPHABET[rng.random_range(0..ALPHABET.len())];
        match rng.random_range(0..6) {
            0 => chars.insert(at, any),
            1 if at < chars.len() => chars[at] = any,
            2 if at < chars.len() => drop(chars.remove(at)),
            3 => {
                let end = (at + rng.random_range(0..20)).min(chars.len());
                drop(chars.drain(at..end));
            }
            4 => {
                let text: String = chars.iter().collect();
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    let (a, b) =
                        (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
                    if rng.random() { lines.swap(a, b) } else { lines.insert(b, lines[a]) }
                }
                chars = lines.join("\n").chars().collect();
            }
            _ if rng.random_range(0..8) == 0 => chars.truncate(at),
            _ => {}
        }
    }
    chars.into_iter().collect()
}

/// Whatever can still be read must also be written and read again; whatever cannot must name a
/// line of the text.
fn survives_damage(
    text: &str,
    read: fn(&str) -> Result<GameRecord, ParseError>,
    write: fn(&GameRecord) -> Result<String, WriteError>,
    kept: fn(&GameRecord) -> GameRecord,
) {
    read(text).expect("the undamaged text");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x5eed);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let text = damaged(text, &mut rng);
        match read(&text) {
            Ok(record) => {
                good += 1;
                let again = write(&record).expect("what was read can be written");
                assert_eq!(read(&again), Ok(kept(&record)), "{text}");
            }
            Err(error) => {
                bad += 1;
                let lines = text.lines().count().max(1);
                assert!((1..=lines + 1).contains(&error.line), "{error}\n{text}");
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} good and {bad} bad texts: the damage is one-sided");
}

#[test]
fn csa() {
    survives_damage(CSA, csa::read, csa::write, kept_by_csa);
}

#[test]
fn jkf() {
    survives_damage(JKF, jkf::read, jkf::write, kept_by_jkf);
}

#[test]
fn usi() {
    survives_damage(USI, usi::read, usi::write, kept_by_usi);
}

/// A text that is cut anywhere is read or refused.
#[test]
fn truncation() {
    for (text, read) in [
        (CSA, csa::read as fn(&str) -> Result<GameRecord, ParseError>),
        (JKF, jkf::read),
        (USI, usi::read),
    ] {
        for (at, _) in text.char_indices() {
            if let Err(error) = read(&text[..at]) {
                assert!(error.line <= text[..at].lines().count() + 1, "{error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn nonsense(text in "\\PC*|[+\\-%$'PNVT0-9A-Z,\n/* ]{0,200}") {
        for read in [csa::read, jkf::read, usi::read] {
            if let Err(error) = read(&text) {
                prop_assert!(error.line >= 1);
            }
        }
        let _ = csa::read_all(&text);
    }

    #[test]
    fn bytes_of_another_encoding(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = format!("V2.2\nN+{}\nPI\n+\n", String::from_utf8_lossy(&bytes));
        for read in [csa::read, jkf::read, usi::read] {
            if let Err(error) = read(&text) {
                prop_assert!(error.line >= 1);
            }
        }
    }
}
