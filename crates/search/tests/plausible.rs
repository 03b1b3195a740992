//! Plausible moves in the search: what is never cut, and what a cut leaves as it is.

use tesuji_search::alphabeta::AlphaBeta;
use tesuji_search::{AlphaBetaParams, Limits, Material, SearchResult, Searcher, Stop};
use tesuji_shogi::{Game, Move, Position};

/// A search that keeps one move by its merit and leaves out the others.
fn strict() -> AlphaBetaParams {
    AlphaBetaParams { plausible: 3, plausible_best: 1, ..full_width() }
}

fn full_width() -> AlphaBetaParams {
    use tesuji_search::Parameters;
    AlphaBetaParams::preset("full-width-2000").expect("there is this preset")
}

fn search(params: &AlphaBetaParams, position: &Position, limits: &Limits) -> SearchResult {
    let mut searcher = AlphaBeta::new(Material::default(), 1);
    *searcher.params() = params.clone();
    searcher.search(&Game::new(*position), limits, Stop::never(), &mut |_| {})
}

/// Positions of random games that have a legal move.
fn positions(games: u64, mut visit: impl FnMut(&Position)) {
    let mut number: u64 = 77;
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            visit(&position);
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.after_unchecked(moves[(number >> 33) as usize % moves.len()]);
        }
    }
}

#[test]
fn answers_to_a_check_are_never_cut() {
    let mut checks = 0;
    positions(30, |position| {
        if position.in_check() {
            checks += 1;
            // In the same order the same nodes are searched.
            let strict = AlphaBetaParams { plausible_order: 0, ..strict() };
            let limits = Limits::depth(1);
            let (cut, full) =
                (search(&strict, position, &limits), search(&full_width(), position, &limits));
            assert_eq!((cut.score, cut.nodes), (full.score, full.nodes), "{}", position.to_sfen());
        }
    });
    assert!(checks > 50, "{checks}");
}

#[test]
fn something_is_left_where_nothing_is_plausible() {
    let mut params = AlphaBetaParams { plausible: 1, ..full_width() };
    // No generator is asked before that depth.
    for parameter in <AlphaBetaParams as tesuji_search::Parameters>::ALL {
        if parameter.name.starts_with("depth_of_") {
            tesuji_search::Parameters::set(&mut params, parameter.name, 15);
        }
    }
    let mut count = 0;
    positions(4, |position| {
        let found = search(&params, position, &Limits::depth(2));
        let best = found.best.expect("there are legal moves");
        assert!(position.is_legal(best));
        count += 1;
    });
    assert!(count > 200);
    let quiet = search(&params, &Position::startpos(), &Limits::depth(3));
    assert!(quiet.score.abs() < 1000, "no mate is seen where none is: {}", quiet.score);
}

#[test]
fn moves_that_are_named_are_searched() {
    let position = Position::startpos();
    let edge: Move = "1g1f".parse().unwrap();
    let unlikely: Move = "5i6h".parse().unwrap();
    for mv in [edge, unlikely] {
        let limits = Limits { moves: vec![mv], ..Limits::depth(2) };
        assert_eq!(search(&strict(), &position, &limits).best, Some(mv));
    }
    let limits = Limits { lines: 6, ..Limits::depth(2) };
    assert_eq!(search(&strict(), &position, &limits).lines.len(), 6);
}

#[test]
fn a_cut_saves_nodes_and_is_the_same_every_time() {
    let position = Position::from_sfen(
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    )
    .unwrap();
    let nodes = |plausible: i32| {
        let params = AlphaBetaParams { plausible, ..full_width() };
        let once = search(&params, &position, &Limits::depth(3));
        let again = search(&params, &position, &Limits::depth(3));
        assert_eq!((once.best, once.score, once.nodes), (again.best, again.score, again.nodes));
        once.nodes
    };
    let all = nodes(0);
    for plausible in 1..=4 {
        assert!(nodes(plausible) < all, "{plausible}: {} of {all}", nodes(plausible));
    }
}
