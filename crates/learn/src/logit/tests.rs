use super::*;
use crate::Scorer;
use crate::ga::near;
use crate::testing;
use tesuji_math::Random;

/// Random positions in which the labelled move is the best by known weights.
fn taught() -> (Dataset, Vec<i32>) {
    let mut random = Random::new(11);
    let data = testing::dataset(400);
    let weights: Vec<i32> = (0..data.set().len()).map(|_| random.below(100) as i32).collect();
    let effective = data.set().effective_weights(&weights);
    let mut samples = testing::samples(400);
    for (sample, position) in samples.iter_mut().zip(data.positions()) {
        if let Some(best) = crate::fitness::best(&position, &effective) {
            sample.mv = Some(position.moves()[best]);
        }
    }
    (Dataset::build(data.set(), &samples, data.order()), weights)
}

#[test]
fn moves_chosen_by_weights_are_learned() {
    let (data, weights) = taught();
    let mut scorer = Scorer::new(&data);
    assert_eq!(scorer.correct(&[weights])[0], 400);
    let [likely, accurate] = [Objective::Likelihood, Objective::Accuracy];
    for (signed, objective) in
        [(true, likely), (false, likely), (true, accurate), (false, accurate)]
    {
        let fit = fit(&data, &Settings { objective, signed, l2: 1e-6, ..Settings::default() });
        assert!(signed || fit.weights.iter().all(|&weight| weight >= 0.0));
        let correct = scorer.correct(&[fit.integers(10_000)])[0];
        assert!(correct > 350, "{correct}");
    }
}

#[test]
fn genomes_near_a_fit_are_nearly_as_good() {
    let (data, _) = taught();
    let fit = fit(&data, &Settings { signed: false, ..Settings::default() });
    let map = crate::ga::Parameters::default().gene_map(data.set()).unwrap();
    let genomes = near(&fit.weights, &mut Scorer::new(&data), &map);
    assert!(genomes.is_sorted_by(|a, b| a.1 >= b.1));
    assert!(genomes[0].1 > 150, "{}", genomes[0].1);
    assert!(genomes.iter().all(|(genome, _)| map.get(genome, 0) == 100));
}

#[test]
fn genomes_near_a_fit_keep_its_signs() {
    let (data, _) = taught();
    // Taught by weights above zero: turned over, the fit is as bad as it was good.
    let mut fit = fit(&data, &Settings::default());
    let good = {
        let map = crate::ga::Parameters { signed: true, ..Default::default() };
        let map = map.gene_map(data.set()).unwrap();
        let found = near(&fit.weights, &mut Scorer::new(&data), &map);
        assert!(map.weights(&found[0].0).iter().any(|&weight| weight < 0));
        found[0].1
    };
    let map = crate::ga::Parameters::default().gene_map(data.set()).unwrap();
    fit.weights.iter_mut().for_each(|weight| *weight = -*weight);
    let bad = near(&fit.weights, &mut Scorer::new(&data), &map)[0].1;
    assert!(good > 150 && bad < good / 2, "{good} {bad}");
}

#[test]
fn threads_change_nothing() {
    let (data, _) = taught();
    let objective = Objective::Accuracy;
    let settings = Settings { objective, held_out: 0.2, iterations: 30, ..Settings::default() };
    let one = crate::pool(1).unwrap().install(|| fit(&data, &settings));
    let three = crate::pool(3).unwrap().install(|| fit(&data, &settings));
    assert_eq!(one, three);
    assert!(one.held_out_loss.is_some());
}

#[test]
fn features_that_stay_out_have_no_weight() {
    let data = testing::dataset(50);
    let fit = fit(&data, &Settings { without: vec![0, 47], iterations: 10, ..Settings::default() });
    assert_eq!((fit.weights[0], fit.weights[47]), (0.0, 0.0));
    assert!(fit.weights.iter().any(|&weight| weight != 0.0));
}

#[test]
fn nothing_to_fit() {
    let none = testing::dataset(5).select(&[]);
    let fit = fit(&none, &Settings { held_out: 0.5, ..Settings::default() });
    assert!(fit.weights.iter().all(|&weight| weight == 0.0));
    assert_eq!(fit.integers(100), vec![0; 74]);
}
