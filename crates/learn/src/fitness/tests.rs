use super::*;
use crate::testing;
use tesuji_math::Random;

/// The number of solved positions by the definition alone.
fn oracle(data: &Dataset, organism: &[i32]) -> Vec<bool> {
    let weights = data.set().effective_weights(organism);
    data.positions()
        .map(|position| {
            let width = weights.len();
            let score = |row| {
                let differences = position.differences(row, width);
                differences
                    .iter()
                    .zip(&weights)
                    .map(|(&d, &w)| i64::from(d) * i64::from(w))
                    .sum::<i64>()
            };
            let Some(master) = position.master() else { return false };
            let rivals = (0..position.moves().len()).filter(|&row| row != master);
            let own = score(master);
            rivals
                .into_iter()
                .all(|row| if row < master { score(row) < own } else { score(row) <= own })
        })
        .collect()
}

fn organisms(count: usize, width: usize, bound: usize, random: &mut Random) -> Vec<Vec<i32>> {
    (0..count).map(|_| (0..width).map(|_| random.below(bound) as i32).collect()).collect()
}

#[test]
fn counts_are_those_of_the_oracle() {
    let mut data = testing::samples(150);
    data[17].mv = "5a5a".parse().ok();
    let set = tesuji_eval::FeatureSet::named("paper").unwrap();
    let data = Dataset::build(&set, &data, crate::MoveOrder::Thesis);
    let mut random = Random::new(1);
    // Small weights tie often. Several rounds, so that refuters are remembered.
    for plain in [false, true] {
        let mut scorer = Scorer::new(&data);
        scorer.plain = plain;
        for (count, bound) in [(100, 2), (1, 3), (33, 10), (32, 1), (70, 1024), (40, 1 << 16)] {
            let organisms = organisms(count, set.len(), bound, &mut random);
            let expected: Vec<u32> = organisms
                .iter()
                .map(|organism| {
                    oracle(&data, organism).iter().filter(|&&solved| solved).count() as u32
                })
                .collect();
            assert_eq!(scorer.correct(&organisms), expected);
            assert_eq!(scorer.solved(&organisms[0]), oracle(&data, &organisms[0]));
        }
    }
}

#[test]
fn negative_and_huge_weights_are_scored_exactly() {
    let data = testing::dataset(60);
    let width = data.set().len();
    let mut random = Random::new(2);
    let mut scorer = Scorer::new(&data);
    let signed: Vec<i32> = (0..width).map(|_| random.below(400) as i32 - 200).collect();
    let times = |factor: i32| signed.iter().map(|weight| weight * factor).collect::<Vec<i32>>();
    assert_eq!(scorer.solved(&signed), oracle(&data, &signed));
    // The same weights times a thousand choose the same moves, in two parts each; times a million,
    // by the slow way.
    for (large, fits) in [(times(1000), true), (times(1_000_000), false)] {
        let effective = data.set().effective_weights(&large);
        assert_eq!(blocks(&[effective], data.largest_row()).is_some(), fits);
        assert_eq!(scorer.solved(&large), oracle(&data, &signed));
        let both = scorer.correct(&[signed.clone(), large]);
        assert_eq!(both[0], both[1]);
    }
}

#[test]
fn threads_change_nothing() {
    let data = testing::dataset(200);
    let organisms = organisms(40, data.set().len(), 50, &mut Random::new(3));
    let count =
        |threads| crate::pool(threads).unwrap().install(|| Scorer::new(&data).correct(&organisms));
    assert_eq!(count(1), count(3));
}

#[test]
fn no_organisms_and_no_positions() {
    let data = testing::dataset(5);
    assert!(Scorer::new(&data).correct(&[]).is_empty());
    let none = data.select(&[]);
    assert_eq!(Scorer::new(&none).correct(&[vec![1; 74]]), [0]);
}

#[test]
fn refuters_are_kept_latest_first() {
    let mut refuters = Refuters::NONE;
    for row in [1, 2, 3, 1] {
        refuters.move_to_front(row);
    }
    assert_eq!(refuters.0[..4], [1, 3, 2, NOBODY]);
}

#[test]
fn a_subset_is_scored_like_its_positions_alone() {
    let data = testing::dataset(300).weigh(crate::Weighting::Class([1, 9, 4]));
    let mut random = Random::new(6);
    let mut scorer = Scorer::new(&data);
    let organisms = organisms(40, data.set().len(), 30, &mut random);
    let huge: Vec<Vec<i32>> = organisms
        .iter()
        .map(|weights| weights.iter().map(|weight| weight * 5_000_000).collect())
        .collect();
    for count in [0, 1, 70, 299, 300] {
        let subset = Subset::draw(count, data.len(), &mut random);
        let alone = data.select(&subset.positions().collect::<Vec<_>>());
        let expected = Scorer::new(&alone).score(&organisms, None);
        assert_eq!(scorer.score(&organisms, Some(&subset)), expected);
        assert_eq!(scorer.score(&huge, Some(&subset)), expected, "by the slow way");
    }
}

#[test]
fn weights_are_summed_beside_an_honest_count() {
    let data = testing::dataset(120).weigh(crate::Weighting::Class([1, 9, 4]));
    let organism = vec![3; data.set().len()];
    let solved = oracle(&data, &organism);
    let own = data.positions().zip(&solved).filter(|&(_, &solved)| solved);
    let expected = Solved {
        correct: solved.iter().filter(|&&solved| solved).count() as u32,
        weight: own.map(|(position, _)| u32::from(position.weight())).sum(),
    };
    assert!(expected.weight > expected.correct);
    assert_eq!(Scorer::new(&data).score(&[organism], None), [expected]);
}
