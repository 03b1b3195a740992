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
    let restart = Some(Restart { patience: 1 });
    let batch = Some(Batch { positions: 30, generations: 2 });
    vec![
        small(),
        Parameters { mutation: Mutation::PerIndividual { rate: 0.5, bit: 0.05 }, ..small() },
        Parameters { selection: Selection::Tournament { size: 3 }, ..small() },
        Parameters { selection: Selection::Rank { pressure: 1.8 }, ..small() },
        Parameters { adaptive, ..small() },
        Parameters { islands, ..small() },
        Parameters { local_search, ..small() },
        Parameters { local_search, signed: true, ..small() },
        Parameters { population: 20, generations: 6, ..Parameters::strong() },
        Parameters { restart, ..small() },
        Parameters { batch, ..small() },
        Parameters { adaptive, islands, local_search, restart, elite: 2, ..small() },
        Parameters { adaptive, islands, local_search, restart, batch, signed: true, ..small() },
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
    for parameters in variants() {
        let in_pool =
            |threads| crate::pool(threads).unwrap().install(|| play(&data, &parameters, 4));
        assert_eq!(in_pool(1), in_pool(2));
    }
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
            let Some(whole) = generation.whole else { continue };
            if run.parameters().batch.is_none() {
                assert!(whole >= last && whole == generation.best);
            }
            last = last.max(whole);
        }
        let best = run.best().unwrap();
        assert_eq!(best.correct, last);
        assert_eq!(Scorer::new(&data).correct(&[map.weights(&best.genome)])[0], last);
    }
}

#[test]
fn signs_start_as_declared_and_turn_over() {
    let data = testing::dataset(80);
    let parameters = Parameters { signed: true, ..small() };
    let map = parameters.gene_map(data.set()).unwrap();
    let mut run = Run::new(parameters, data.set(), 2, &[]).unwrap();
    let negative = |run: &Run| {
        let weights = run.population.iter().flat_map(|genome| map.weights(genome));
        weights.filter(|&weight| weight < 0).count()
    };
    assert_eq!(negative(&run), 0);
    run.step(&mut Scorer::new(&data), None).unwrap();
    assert!(negative(&run) > 0);
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
        Parameters { restart: Some(Restart { patience: 0 }), ..small() },
        Parameters { batch: Some(Batch { positions: 0, generations: 1 }), ..small() },
        Parameters { batch: Some(Batch { positions: 1, generations: 0 }), ..small() },
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

#[test]
fn a_restart_keeps_the_best_alone() {
    let data = testing::dataset(60);
    let restart = Some(Restart { patience: 4 });
    let selection = Selection::Tournament { size: 4 };
    let parameters = Parameters { restart, selection, generations: 40, ..small() };
    let mut run = Run::new(parameters, data.set(), 3, &[]).unwrap();
    let mut scorer = Scorer::new(&data);
    let (mut restarts, mut crowds) = (0, 0);
    while !run.is_over() {
        run.step(&mut scorer, None).unwrap();
        let best = &run.best.as_ref().unwrap().genome;
        let near = run.population.iter().filter(|genome| genome.distance(best) < 200).count();
        if run.stale > 0 && run.stale.is_multiple_of(4) {
            restarts += 1;
            assert_eq!((&run.population[0], near), (best, 1));
        }
        crowds += u32::from(near > 10);
    }
    assert!(restarts > 1 && crowds > 1, "{restarts} {crowds}");
}

#[test]
fn batches_change_and_the_best_is_judged_on_everything() {
    let data = testing::dataset(200);
    let batch = Some(Batch { positions: 50, generations: 3 });
    let parameters = Parameters { batch, generations: 8, ..small() };
    let map = parameters.gene_map(data.set()).unwrap();
    let mut run = Run::new(parameters, data.set(), 5, &[]).unwrap();
    let mut scorer = Scorer::new(&data);
    let (mut seeds, mut judged) = (Vec::new(), Vec::new());
    while !run.is_over() {
        let population = run.population.clone();
        let generation = run.step(&mut scorer, None).unwrap();
        seeds.push(run.batch.unwrap());
        judged.extend(generation.whole);
        // The numbers are those of the batch alone.
        let subset = Subset::draw(50, 200, &mut Random::new(run.batch.unwrap()));
        let alone = data.select(&subset.positions().collect::<Vec<_>>());
        let weights: Vec<Vec<i32>> = population.iter().map(|genome| map.weights(genome)).collect();
        let best = Scorer::new(&alone).correct(&weights).into_iter().max().unwrap();
        assert_eq!((generation.of, generation.best), (50, best));
        assert_eq!(generation.whole.is_some(), [3, 6, 8].contains(&generation.generation));
    }
    let changes: Vec<usize> = (1..8).filter(|&i| seeds[i] != seeds[i - 1]).collect();
    assert_eq!(changes, [3, 6]);
    let best = run.best().unwrap();
    assert_eq!(Some(best.correct), judged.into_iter().max());
    assert_eq!(Scorer::new(&data).correct(&[map.weights(&best.genome)])[0], best.correct);
    // Eight generations of 20 organisms on a quarter of the positions, and three on all.
    assert_eq!((run.evaluations(), run.rest), (8 * 20 / 4 + 3, 0));
}

#[test]
fn a_batch_of_everything_is_none() {
    let data = testing::dataset(40);
    let batch = Some(Batch { positions: 40, generations: 3 });
    let (run, hashes) = play(&data, &Parameters { batch, ..small() }, 1);
    let (plain, expected) = play(&data, &small(), 1);
    assert_eq!((hashes, run.best), (expected, plain.best));
}

#[test]
fn weights_of_positions_select_and_reports_stay_counts() {
    let data = testing::dataset(400);
    let weighted = data.clone().weigh(crate::Weighting::Class([1, 200, 200]));
    let local_search = Some(LocalSearch { genes: 5, after: 1 });
    let parameters = Parameters { local_search, generations: 20, signed: true, ..small() };
    let map = parameters.gene_map(data.set()).unwrap();
    let learn = |data: &Dataset| {
        let mut run = Run::new(parameters.clone(), data.set(), 7, &[]).unwrap();
        let mut scorer = Scorer::new(data);
        while !run.is_over() {
            run.step(&mut scorer, None).unwrap();
        }
        let best = run.best().unwrap();
        let all = crate::Prediction::new(data, &map.weights(&best.genome));
        assert_eq!(all.correct as u32, best.correct);
        assert_eq!(best.weight.is_some(), data.is_weighted());
        all.correct_of_class[1] + all.correct_of_class[2]
    };
    let (plain, weighted) = (learn(&data), learn(&weighted));
    assert!(weighted > plain, "{plain} {weighted}");
}

#[test]
fn runs_of_older_versions_go_on() {
    let data = testing::dataset(40);
    let (_, expected) = play(&data, &small(), 2);
    let mut run = Run::new(small(), data.set(), 2, &[]).unwrap();
    let mut scorer = Scorer::new(&data);
    run.step(&mut scorer, None).unwrap();
    let mut old: serde_json::Value = serde_json::to_value(&run).unwrap();
    for (part, name) in [
        ("", "rest"),
        ("", "batch"),
        ("/parameters", "signed"),
        ("/parameters", "restart"),
        ("/parameters", "batch"),
        ("/best", "weight"),
    ] {
        let part = old.pointer_mut(part).unwrap().as_object_mut().unwrap();
        assert!(part.remove(name).is_some(), "{name}");
    }
    let mut run: Run = serde_json::from_value(old).unwrap();
    for weights in &expected[1..] {
        assert_eq!(&run.step(&mut scorer, None).unwrap().weights, weights);
    }
}
