use super::*;
use crate::ga::{Parameters, Run};
use crate::logit::{self, Settings};
use crate::{MoveOrder, Scorer, testing};
use tesuji_math::Random;

/// Positions labelled by experts with random weights of their own.
fn taught(count: usize) -> Dataset {
    let data = testing::dataset(count);
    let mut random = Random::new(21);
    let weights: [Vec<i32>; 3] =
        [(); 3].map(|()| (0..data.set().len()).map(|_| random.below(200) as i32 - 100).collect());
    let master = Experts::new(data.set(), weights, arbiter());
    let mut samples = testing::samples(count);
    for (sample, choice) in samples.iter_mut().zip(master.choices(&data)) {
        sample.mv = choice.mv.or(sample.mv);
    }
    Dataset::build(data.set(), &samples, MoveOrder::Thesis)
}

/// Trusts each expert alone on moves of his kind, and likes drops.
fn arbiter() -> Arbiter {
    let own = |class: usize, bias| {
        let mut rates = [bias, 0.0, 0.0, 0.0, 0.0, 0.0];
        rates[1 + class] = 1.0;
        rates
    };
    Arbiter { scales: [100.0; 3], rates: [own(0, 0.0), own(1, 0.0), own(2, 2.0)] }
}

fn by_fit(data: &Dataset) -> Vec<i32> {
    logit::fit(data, &Settings { l2: 1e-5, ..Settings::default() }).integers(10_000)
}

fn by_evolution(data: &Dataset) -> Vec<i32> {
    let parameters =
        Parameters { population: 30, generations: 30, signed: true, ..Parameters::default() };
    let map = parameters.gene_map(data.set()).unwrap();
    let mut run = Run::new(parameters, data.set(), 1, &[]).unwrap();
    let mut scorer = Scorer::new(data);
    while !run.is_over() {
        run.step(&mut scorer, None).unwrap();
    }
    map.weights(&run.best().unwrap().genome)
}

#[test]
fn experts_learn_what_one_evaluator_cannot() {
    let data = taught(600);
    let experts = Experts::train(&data, 1, by_fit);
    let [together, alone] = [experts.predict(&data), Prediction::new(&data, &by_fit(&data))];
    assert!(together.correct > 300, "{}", together.correct);
    assert!(together.correct > alone.correct + 60, "{} {}", together.correct, alone.correct);
}

#[test]
fn experts_can_be_evolved() {
    let data = taught(150);
    let experts = Experts::train(&data, 1, by_evolution);
    let nobody = Experts::new(data.set(), [(); 3].map(|()| vec![0; 74]), arbiter());
    let (evolved, nobody) = (experts.predict(&data).correct, nobody.predict(&data).correct);
    assert!(evolved > 2 * nobody && evolved > 20, "{evolved} {nobody}");
}

#[test]
fn the_arbiter_decides_between_the_winners_alone() {
    let data = taught(100);
    let experts = Experts::train(&data, 1, by_fit);
    let effective = experts.weights.each_ref().map(|weights| data.set().effective_weights(weights));
    for (choice, position) in experts.choices(&data).iter().zip(data.positions()) {
        let Some(mv) = choice.mv else { continue };
        let class = MoveClass::of(mv);
        let scores = position.scores(&effective[class.index()]);
        let own =
            position.moves().iter().zip(&scores).filter(|(mv, _)| MoveClass::of(**mv) == class);
        let best = own.clone().map(|(_, score)| *score).max();
        let first = own.into_iter().find(|(_, score)| Some(**score) == best).map(|(mv, _)| *mv);
        assert_eq!(first, Some(mv));
    }
}

/// The master's move must not shine through: rows are differences to it.
#[test]
fn choices_do_not_depend_on_the_label() {
    let data = taught(80);
    let experts = Experts::train(&data, 1, by_fit);
    let relabelled = testing::dataset(80);
    let moves = |data| -> Vec<_> { experts.choices(data).iter().map(|choice| choice.mv).collect() };
    assert_eq!(moves(&data), moves(&relabelled));
}

#[test]
fn a_prediction_sums_up_the_choices() {
    let data = taught(120);
    let all = Experts::train(&data, 1, by_fit).predict(&data);
    assert_eq!((all.of, all.chosen.iter().sum::<usize>()), (120, 120));
    assert!(all.correct <= all.among_best && all.correct <= all.top_5 && all.top_5 <= all.top_10);
}

#[test]
fn threads_change_nothing_and_neither_does_a_file() {
    let data = taught(150);
    let train =
        |threads| crate::pool(threads).unwrap().install(|| Experts::train(&data, 1, by_fit));
    let one = train(1);
    assert_eq!(one, train(2));
    let text = serde_json::to_string(&one).unwrap();
    let read: Experts = serde_json::from_str(&text).unwrap();
    assert!(read.fits(data.set()) && !read.fits(&FeatureSet::named("extended").unwrap()));
    assert_eq!(read.choices(&data), one.choices(&data));
}

#[test]
fn folds_are_measured_on_what_was_not_learned() {
    let data = taught(200);
    let folds = cross_validate(&data, 4, 1, by_fit);
    assert_eq!(folds.iter().map(|fold| fold.test).sum::<usize>(), 200);
    let share = |correct: u32, of: usize| f64::from(correct) / of as f64;
    let train = folds.iter().map(|fold| share(fold.train_correct, fold.train)).sum::<f64>();
    let test = folds.iter().map(|fold| share(fold.test_correct, fold.test)).sum::<f64>();
    assert!(train > test && test > 0.0, "{train} {test}");
}

#[test]
fn nothing_to_learn_from() {
    let none = testing::dataset(5).select(&[]);
    let experts = Experts::train(&none, 1, by_fit);
    assert_eq!(experts.predict(&testing::dataset(5)).of, 5);
}
