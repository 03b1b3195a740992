//! Tables of positions of the shared data, read as samples.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::fs::File;
use std::io::BufReader;

use tesuji_records::sample::tsv;
use tesuji_records::{ParseError, ParseErrorKind, Sample};

/// The samples and the errors of a file; `None` where the data is not at hand.
fn read(name: &str) -> Option<(Vec<Sample>, Vec<ParseError>)> {
    let file = File::open(shared_data::path(name)?).unwrap();
    let (mut samples, mut errors) = (Vec::new(), Vec::new());
    for sample in tsv::Reader::new(BufReader::new(file)) {
        match sample {
            Ok(sample) => samples.push(sample),
            Err(error) => errors.push(error),
        }
    }
    Some((samples, errors))
}

#[test]
fn training_positions_of_the_thesis() {
    let Some((samples, errors)) = read("cain_train.tsv") else { return };
    // The rows are counted without the header.
    let lines: Vec<_> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [657, 1437, 3590, 4301]);
    for error in errors {
        assert!(matches!(error.kind, ParseErrorKind::IllegalMove { .. }), "{error}");
    }
    assert_eq!(samples.len(), 4_996);
    assert!(samples.iter().all(|sample| sample.mv.is_some() && sample.score.is_none()));
}

#[test]
fn next_move_problems() {
    let Some((samples, errors)) = read("tactical.tsv") else { return };
    assert_eq!(errors, []);
    assert_eq!(samples.len(), 301);
    assert!(samples.iter().all(|sample| sample.mv.is_some() && sample.score.is_some()));
}

#[test]
fn mate_problems() {
    let Some((samples, errors)) = read("tsume.tsv") else { return };
    assert_eq!(samples.len() + errors.len(), 7_634);
    // Some problems that a program made up have two pawns of one player in a file.
    assert_eq!(errors.len(), 154);
    for error in errors {
        let ParseErrorKind::BadPosition(reason) = &error.kind else { panic!("{error}") };
        assert!(reason.contains("has two pawns on file"), "{error}");
    }
}

#[test]
fn opening_positions() {
    let Some((samples, errors)) = read("openings_records2016_ply24.sfen") else { return };
    assert_eq!(errors, []);
    assert!(samples.len() > 9_000);
    assert!(samples.iter().all(|sample| sample.ply == sample.position.ply()));
}
