use tesuji_eval::FeatureSet;

use super::*;

fn map() -> GeneMap {
    parameters().gene_map(&FeatureSet::named("paper").unwrap()).unwrap()
}

fn parameters() -> Parameters {
    Parameters {
        population: 4,
        generations: 6,
        elite: Coevolution::elite(4),
        ..Coevolution::parameters()
    }
}

fn begin(seed: u64) -> Coevolution {
    let founders: Vec<Vec<i32>> = (1..=4).map(|i| vec![10 * i; 74]).collect();
    Coevolution::new(parameters(), (2, 50), ("paper", &map()), seed, &founders).unwrap()
}

/// Games in which more points are won by who has the larger sum of weights.
fn play(state: &Coevolution) -> Vec<PairingResult> {
    let sum = |number| state.values(number, &map()).iter().sum::<i32>();
    let result = |pairing: Pairing| {
        let [first, second] = pairing.organisms.map(sum);
        let half_points = if first > second { 7 } else { 1 };
        PairingResult { organisms: pairing.organisms, half_points, games: 4 }
    };
    state.pairings().into_iter().map(result).collect()
}

fn evolved(mut state: Coevolution) -> Coevolution {
    while !state.is_over() {
        let results = play(&state);
        state.finish(&results, &map());
    }
    state
}

#[test]
fn everybody_meets_everybody_from_openings_of_their_own() {
    let pairings = begin(1).pairings();
    let pairs: Vec<[usize; 2]> = pairings.iter().map(|pairing| pairing.organisms).collect();
    assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    let mut openings: Vec<usize> =
        pairings.into_iter().flat_map(|pairing| pairing.openings).collect();
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 12);
}

#[test]
fn those_who_win_are_rated_higher_and_live_on() {
    let mut state = begin(1);
    let round = state.finish(&play(&state), &map());
    assert_eq!((round.best, round.games), (3, 24));
    let ratings: Vec<f64> = state.organisms()[..4].iter().map(|one| one.rating).collect();
    assert!(ratings.is_sorted(), "{ratings:?}");
    assert_eq!(state.living()[0], 3, "the best lives on");
    let anchored: Vec<[usize; 2]> =
        state.pairings()[6..].iter().map(|pairing| pairing.organisms).collect();
    assert_eq!(anchored, [[3, 0], [4, 0], [5, 0], [6, 0]], "the first founder plays along");
    let children = &state.organisms()[4..];
    assert_eq!(children.len(), 3);
    assert!(children.iter().all(|child| child.born == 2 && child.parents.is_some()));
    let state = evolved(state);
    let winner = &state.organisms()[state.winner()];
    assert!(winner.rating > ratings[3], "{winner:?}");
    assert!(winner.games >= 12 && winner.error > 0.0);
}

#[test]
fn ratings_do_not_rise_by_chance() {
    // Games are won by chance alone: nobody becomes better.
    let parameters = Parameters { generations: 60, ..parameters() };
    let founders: Vec<Vec<i32>> = (1..=4).map(|i| vec![10 * i; 74]).collect();
    let mut state = Coevolution::new(parameters, (2, 50), ("paper", &map()), 1, &founders).unwrap();
    let mut random = Random::new(9);
    while !state.is_over() {
        let result = |pairing: Pairing| {
            let half_points = 2 * (0..4).filter(|_| random.chance(0.5)).count() as u32;
            PairingResult { organisms: pairing.organisms, half_points, games: 4 }
        };
        let results: Vec<PairingResult> = state.pairings().into_iter().map(result).collect();
        let round = state.finish(&results, &map());
        assert!(round.mean < 250.0, "{round:?}");
    }
}

#[test]
fn a_state_goes_on_to_the_same_end() {
    let mut state = begin(5);
    for _ in 0..3 {
        let results = play(&state);
        state.finish(&results, &map());
    }
    let text = serde_json::to_string(&state).unwrap();
    let read: Coevolution = serde_json::from_str(&text).unwrap();
    assert_eq!(read, state);
    assert!(read.fits(("paper", &map()), &parameters()));
    assert!(!read.fits(("other", &map()), &parameters()));
    assert!(!read.fits(("paper", &map()), &Coevolution::parameters()));
    assert_eq!(evolved(read), evolved(state));
    assert_ne!(evolved(begin(5)), evolved(begin(6)));
}

#[test]
fn nobody_meets_one_like_itself() {
    // Founders that are all the same, and hardly any mutation.
    let parameters = Parameters { mutation: ga::Mutation::PerBit { rate: 0.0 }, ..parameters() };
    let founders = vec![vec![100; 74]];
    let mut state = Coevolution::new(parameters, (2, 50), ("paper", &map()), 1, &founders).unwrap();
    while !state.is_over() {
        let genomes: BTreeSet<String> = (state.living().iter())
            .map(|&number| String::from(state.organisms()[number].genome.clone()))
            .collect();
        assert_eq!(genomes.len(), 4);
        let results = play(&state);
        state.finish(&results, &map());
    }
}

#[test]
fn families_go_back_to_the_founders() {
    let state = evolved(begin(2));
    let winner = state.winner();
    let family = ancestors(state.organisms(), winner);
    assert_eq!(family[0], Ancestor { number: winner, back: 0 });
    assert!(family.is_sorted_by_key(|ancestor| ancestor.back));
    let shares = founder_shares(state.organisms(), winner);
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    assert!((all - 1.0).abs() < 1e-12, "{shares:?}");
    assert!(shares.iter().all(|&(number, _)| number < 4));
    assert!(shares.iter().all(|&(number, _)| family.iter().any(|one| one.number == number)));
}
