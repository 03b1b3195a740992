//! The thesis's program, repeated on its own training positions.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use tesuji_eval::{FeatureSet, published};
use tesuji_learn::prediction::choices;
use tesuji_learn::{Dataset, MoveOrder, Prediction};
use tesuji_records::Sample;
use tesuji_records::sample::tsv::Reader;

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// The labelled positions, those with an illegal move among them.
fn samples(text: &str) -> Vec<Sample> {
    Reader::new(text.as_bytes()).with_illegal_moves().map(Result::unwrap).collect()
}

#[test]
fn published_weights_choose_what_the_thesis_chose() {
    let (Some(positions), Some(moves)) =
        (shared_data::read("cain_train.tsv"), shared_data::read("cain_legacy_train_moves.tsv"))
    else {
        return;
    };
    let set = FeatureSet::named("legacy").unwrap();
    let data = Dataset::build(&set, &samples(&positions), MoveOrder::Thesis);
    let weights = published::weights();
    let all = Prediction::new(&data, &weights);
    assert_eq!((all.correct, all.of, all.illegal_rows), (885, 5000, 4));
    assert_eq!(all.resulting_positions, 382_816);
    assert_eq!((all.among_best, all.uniquely_best), (887, 880));
    assert_eq!(all.of_class, [3726, 352, 922]);
    assert_eq!(all.correct_of_class[1..], [186, 8]);
    assert_eq!(all.confusion, [[2594, 1080, 52], [87, 255, 10], [495, 331, 96]]);
    let choices = choices(&data, &weights);
    for ((row, choice), position) in rows(&moves).zip(&choices).zip(data.positions()) {
        assert_eq!(position.moves().len().to_string(), row[1], "row {}", row[0]);
        assert_eq!(choice.mv.unwrap().to_string(), row[3], "row {}", row[0]);
        assert_eq!(choice.tied.to_string(), row[4], "row {}", row[0]);
    }
}

#[test]
fn a_row_of_the_thesis_fits_in_80_bytes() {
    let Some(positions) = shared_data::read("cain_train.tsv") else { return };
    let set = FeatureSet::named("paper").unwrap();
    let data = Dataset::build(&set, &samples(&positions), MoveOrder::Thesis);
    assert!(data.bytes() <= 80 * data.resulting_positions());
}
