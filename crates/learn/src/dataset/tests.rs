use tesuji_eval::{Feature, FeatureSet, Group, Measure};
use tesuji_shogi::Bitboard;

use super::*;
use crate::testing;

fn in_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    crate::pool(threads).unwrap().install(work)
}

/// Every difference equals that of rows worked out one by one.
fn assert_exact(set: &FeatureSet, samples: &[Sample]) {
    let data = Dataset::build(set, samples, MoveOrder::Thesis);
    assert_eq!(data.len(), samples.len());
    for (labelled, &Sample { position: root, mv, .. }) in data.positions().zip(samples) {
        let player = root.side_to_move();
        let after = |mv| set.values(&root.after_unchecked(mv), player);
        let base = after(labelled.moves()[labelled.master().unwrap_or(0)]);
        assert_eq!(labelled.master().map(|number| labelled.moves()[number]), mv);
        for (number, &mv) in labelled.moves().iter().enumerate() {
            let expected: Vec<i32> =
                after(mv).iter().zip(&base).map(|(&a, &b)| i32::from(a) - i32::from(b)).collect();
            assert_eq!(labelled.differences(number, set.len()), expected);
        }
    }
}

#[test]
fn rows_are_exact() {
    assert_exact(&FeatureSet::named("paper").unwrap(), &testing::samples(40));
}

/// Values that differ by up to 65,535, in an odd number of features.
#[test]
fn large_differences_are_exact() {
    let wild = |name, value| Feature {
        name,
        group: Group::Phase,
        bits: 10,
        linked_to: None,
        sentence: "Anything.",
        measure: Measure::Number { value, squares: |_| Bitboard::EMPTY },
    };
    let features = vec![
        wild("WILD", |view| i32::from(view.position().key() as i16)),
        wild("SMALL", |view| i32::from(view.position().key() as i8)),
        wild("SPLIT", |view| if view.position().key() & 4 == 0 { -32_768 } else { 32_767 }),
    ];
    assert_exact(&FeatureSet::new("wild", features).unwrap(), &testing::samples(20));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let set = FeatureSet::named("paper").unwrap();
    let samples = testing::samples(150);
    let build = |threads| in_pool(threads, || Dataset::build(&set, &samples, MoveOrder::Thesis));
    let (one, three) = (build(1), build(3));
    assert_eq!(one.shards, three.shards);
    assert_eq!(one.columns, three.columns);
}

#[test]
fn an_illegal_move_is_counted_and_stays() {
    let mut samples = testing::samples(3);
    samples[1].mv = "5a5a".parse().ok();
    let set = FeatureSet::named("paper").unwrap();
    let data = Dataset::build(&set, &samples, MoveOrder::Thesis);
    assert_eq!((data.len(), data.illegal_rows()), (3, 1));
    let illegal = data.position(1);
    assert_eq!((illegal.master(), illegal.class()), (None, MoveClass::Normal));
    let legal: usize = samples.iter().map(|sample| sample.position.count_legal_moves()).sum();
    assert_eq!(data.resulting_positions(), legal);
}

#[test]
fn moves_come_in_the_order_that_was_asked_for() {
    let set = FeatureSet::named("paper").unwrap();
    for order in [MoveOrder::Thesis, MoveOrder::Code] {
        let data = Dataset::build(&set, &testing::samples(30), order);
        assert!(
            data.positions()
                .all(|position| { position.moves().is_sorted_by_key(|&mv| order.key(mv)) })
        );
    }
}

#[test]
fn a_selection_has_the_same_rows() {
    let data = testing::dataset(100);
    let chosen: Vec<usize> = (0..100).rev().step_by(3).collect();
    let part = data.select(&chosen);
    assert_eq!(part.len(), chosen.len());
    for (number, &from) in chosen.iter().enumerate() {
        let (a, b) = (part.position(number), data.position(from));
        assert_eq!((a.moves(), a.master(), a.group()), (b.moves(), b.master(), b.group()));
        assert!((0..a.moves().len()).all(|row| a.row(row) == b.row(row)));
    }
}

#[test]
fn columns_add_up() {
    let data = testing::dataset(50);
    let width = data.set().len();
    let mut changes = vec![0_u64; width];
    for position in data.positions() {
        for row in 0..position.moves().len() {
            let differences = position.differences(row, width);
            changes.iter_mut().zip(differences).for_each(|(sum, d)| *sum += u64::from(d != 0));
        }
    }
    assert_eq!(changes, data.columns().iter().map(|column| column.changes).collect::<Vec<_>>());
    assert!(data.columns().iter().all(|column| column.rows == data.resulting_positions() as u64));
    assert!(data.bytes() <= 80 * data.resulting_positions());
}

#[test]
fn nothing_is_a_dataset_too() {
    let set = FeatureSet::named("paper").unwrap();
    let data = Dataset::build(&set, &[], MoveOrder::Thesis);
    assert!(data.is_empty());
    assert_eq!(data.resulting_positions(), 0);
}

#[test]
fn moves_of_one_kind_alone() {
    let mut samples = testing::samples(200);
    samples[3].mv = "5a5a".parse().ok();
    let set = FeatureSet::named("paper").unwrap();
    let data = Dataset::build(&set, &samples, MoveOrder::Thesis);
    let mut all = 0;
    for class in MoveClass::ALL {
        let only = data.only(class);
        all += only.len();
        let of_class = |p: &Labelled<'_>| p.class() == class && p.master().is_some();
        let whole: Vec<Labelled<'_>> = data.positions().filter(of_class).collect();
        assert_eq!(whole.len(), only.len());
        for (whole, only) in whole.into_iter().zip(only.positions()) {
            let kept: Vec<usize> = (0..whole.moves().len())
                .filter(|&i| MoveClass::of(whole.moves()[i]) == class)
                .collect();
            assert_eq!(kept.len(), only.moves().len());
            for (number, &of_whole) in kept.iter().enumerate() {
                assert_eq!(only.moves()[number], whole.moves()[of_whole]);
                assert_eq!(only.row(number), whole.row(of_whole));
            }
            assert_eq!(only.master().map(|number| kept[number]), whole.master());
        }
    }
    assert_eq!(all, 199, "the illegal move is of no use");
}
