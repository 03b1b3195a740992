use super::*;
use crate::{Dataset, testing};

fn small() -> Parameters {
    Parameters { population: 20, generations: 6, ..Parameters::default() }
}

fn play(data: &Dataset, parameters: &Parameters, seed: u64) -> (Run, Vec<String>) {
    let mut run = Run::new(parameters.clone(), data.set(), seed, &[]).unwrap();
    let mut scorer = Scorer::new(data);
    let mut hashes = Vec::new();
    while !run.is_over() {
        hashes.push(run.step(&mut scorer, None).unwrap().weights);
    }
    (run, hashes)
}

/// Each of the options, and all of them.
fn variants() -> Vec<Parameters> {
    let adaptive = Some(Adaptive { patience: 1, factor: 2.0, limit: 8.0 });
    let islands = Some(Islands { count: 4, interval: 2, migrants: 1 });
    let local_search = Some(LocalSearch { genes: 3, after: 1 });
    vec![
        small(),
        Parameters { mutation: Mutation::PerIndividual { rate: 0.5, bit: 0.05 }, ..small() },
        Parameters { selection: Selection::Tournament { size: 3 }, ..small() },
        Parameters { selection: Selection::Rank { pressure: 1.8 }, ..small() },
        Parameters { adaptive, ..small() },
        Parameters { islands, ..small() },
        Parameters { local_search, ..small() },
        Parameters { local_search, signed: true, ..small() },
        Parameters { adaptive, islands, local_search, elite: 2, ..small() },
    ]
}

#[test]
fn a_run_that_is_written_and_read_goes_on_to_the_same_bytes() {
    let data = testing::dataset(80);
    for parameters in variants() {
        let (whole, hashes) = play(&data, &parameters, 9);
        let mut run = Run::new(parameters, data.set(), 9, &[]).unwrap();
        for expected in hashes {
            let text = serde_json::to_string(&run).unwrap();
            run = serde_json::from_str(&text).unwrap();
            assert!(run.fits(data.set()));
            // A new scorer remembers nothing.
            let mut scorer = Scorer::new(&data);
            assert_eq!(run.step(&mut scorer, None).unwrap().weights, expected);
        }
        assert_eq!(serde_json::to_string(&run).unwrap(), serde_json::to_string(&whole).unwrap());
    }
}

#[test]
fn threads_and_test_sets_change_nothing() {
    let data = testing::dataset(150);
    let one = crate::pool(1).unwrap().install(|| play(&data, &small(), 4));
    let three = crate::pool(3).unwrap().install(|| play(&data, &small(), 4));
    assert_eq!(one, three);
    let test = data.select(&[1, 2, 3]);
    let mut run = Run::new(small(), data.set(), 4, &[]).unwrap();
    let (mut scorer, mut test) = (Scorer::new(&data), Scorer::new(&test));
    while !run.is_over() {
        assert!(run.step(&mut scorer, Some(&mut test)).unwrap().test.is_some());
    }
    assert_eq!(run, one.0);
}

#[test]
fn the_best_never_gets_worse_and_the_pawn_stays() {
    let data = testing::dataset(80);
    for parameters in variants() {
        let map = parameters.gene_map(data.set()).unwrap();
        let mut run = Run::new(parameters, data.set(), 2, &[]).unwrap();
        let mut scorer = Scorer::new(&data);
        let mut last = 0;
        while !run.is_over() {
            assert!(run.population.iter().all(|genome| map.get(genome, 0) == 100));
            let generation = run.step(&mut scorer, None).unwrap();
            assert!(generation.best >= last);
            last = generation.best;
        }
        let best = run.best().unwrap();
        assert_eq!(best.correct, last);
        assert_eq!(Scorer::new(&data).correct(&[map.weights(&best.genome)])[0], last);
    }
}

#[test]
fn given_organisms_take_part() {
    let data = testing::dataset(40);
    let map = small().gene_map(data.set()).unwrap();
    let given = map.genome(&[7; 74]);
    let run = Run::new(small(), data.set(), 1, std::slice::from_ref(&given)).unwrap();
    assert_eq!(run.population[0], given);
}

#[test]
fn impossible_settings_are_refused() {
    let set = FeatureSet::named("paper").unwrap();
    for parameters in [
        Parameters { population: 1, ..small() },
        Parameters { crossover: 1.5, ..small() },
        Parameters { mutation: Mutation::PerBit { rate: f64::NAN }, ..small() },
        Parameters { selection: Selection::Tournament { size: 0 }, ..small() },
        Parameters { selection: Selection::Rank { pressure: 3.0 }, ..small() },
        Parameters { elite: 20, ..small() },
        Parameters { islands: Some(Islands { count: 0, interval: 1, migrants: 1 }), ..small() },
        Parameters { islands: Some(Islands { count: 15, interval: 1, migrants: 1 }), ..small() },
        Parameters { frozen: Some(vec![("NOTHING".into(), 1)]), ..small() },
    ] {
        assert!(Run::new(parameters.clone(), &set, 1, &[]).is_err(), "{parameters:?}");
    }
}

#[test]
fn other_weights_can_be_frozen() {
    let set = FeatureSet::named("paper").unwrap();
    let frozen = Some(vec![("ROOK_VALUE".into(), 900), ("TOTAL_ATTACKING".into(), 0)]);
    let map = Parameters { frozen, ..small() }.gene_map(&set).unwrap();
    let weights = map.weights(&map.genome(&[50; 74]));
    assert_eq!((weights[0], weights[5], weights[47]), (50, 900, 0));
    let extended = FeatureSet::named("extended").unwrap();
    assert!(small().gene_map(&extended).is_ok(), "a set without a feature for pawns");
}

#[test]
fn the_defaults_are_the_thesis() {
    let read: Parameters = serde_json::from_str("{}").unwrap();
    assert_eq!(read, Parameters::default());
    assert_eq!((read.population, read.generations, read.crossover), (100, 200, 0.75));
    assert_eq!(read.mutation, Mutation::PerBit { rate: 0.005 });
    assert_eq!(read.selection, Selection::Roulette);
}
