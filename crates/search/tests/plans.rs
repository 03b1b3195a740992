//! Plans for castles from openings of our own book: the hill climb finishes.

use std::sync::Arc;

use tesuji_eval::formations::Atlas;
use tesuji_search::book::{self, OpeningBook, STANDARD};
use tesuji_search::{AlphaBeta, Limits, Material, Searcher, Stop};
use tesuji_shogi::{Game, Move, Position};

#[test]
fn plans_from_our_own_openings_are_finished() {
    let atlas = Atlas::shipped();
    let book = book::load(STANDARD).unwrap().expect("a book comes with the program").book;
    let opening = OpeningBook { moves: 10, ..OpeningBook::new(Arc::new(book)) };
    let (mut finished, mut all, mut open) = (0, 0, Vec::new());
    for seed in 0..100 {
        let mut game = Game::new(Position::startpos());
        while let Some(answer) = opening.answer(&game, &Limits::default(), seed) {
            game.play(answer.mv).unwrap();
        }
        let position = game.position();
        let color = position.side_to_move();
        let Some(plan) = atlas.plan(position, color, 6) else { continue };
        all += 1;
        let end = plan.carried_out(position, color);
        let fit = atlas.formations().castle_fit(&end, color, plan.castle);
        assert!(!plan.finished || fit.is_whole(), "{}", end.to_sfen());
        if plan.finished {
            finished += 1;
        } else {
            open.push(position.to_sfen());
        }
    }
    println!("{finished} of {all} plans are finished");
    assert!(all >= 90 && 10 * finished >= 9 * all, "{finished} of {all}: {open:#?}");
}

#[test]
fn scores_of_other_maps_are_not_taken_from_the_table() {
    let search = |engine: &mut AlphaBeta<Material>, game: &Game, weight: i32, depth: u32| {
        let params = engine.params();
        (params.castle_maps, params.castle_weight, params.history) = (1, weight, 0);
        let result = engine.search(game, &Limits::depth(depth), Stop::never(), &mut |_| {});
        (result.best, result.lines[0].score, result.nodes)
    };
    for moves in QUIET {
        let mut game = Game::new(Position::startpos());
        moves.split_ascii_whitespace().for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
        // All that is remembered is the same in both, but for the table.
        let [kept, emptied] = [false, true].map(|is_emptied| {
            let mut engine = AlphaBeta::new(Material::default(), 4);
            search(&mut engine, &game, 2_000, 5);
            if is_emptied {
                engine.resize_table(4).unwrap();
            }
            let first = search(&mut engine, &game, 100, 3);
            // With the same maps the table helps.
            let again = search(&mut engine, &game, 100, 3);
            assert!(again.2 < first.2, "{} of {} nodes: {moves}", again.2, first.2);
            first
        });
        assert_eq!(kept, emptied, "{moves}");
    }
}

/// The line of a search to a depth by material, in which the order of quiet moves is all the same.
fn line(game: &Game, plan: i32, depth: u32) -> Vec<Move> {
    let mut engine = AlphaBeta::new(Material::default(), 4);
    engine.params().castle_plan = plan;
    let result = engine.search(game, &Limits::depth(depth), Stop::never(), &mut |_| {});
    assert_eq!(result.best, result.lines[0].pv.first().copied());
    result.lines[0].pv.clone()
}

#[test]
fn of_lines_that_end_alike_the_planned_order_is_preferred() {
    let atlas = Atlas::shipped();
    let (mut all, mut with, mut without, mut lines) = (0, 0, 0, 0);
    for moves in QUIET {
        let mut game = Game::new(Position::startpos());
        moves.split_ascii_whitespace().for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
        let planned = atlas.planned_moves(game.position());
        let [plain, preferred] = [0, 1].map(|plan| line(&game, plan, 6));
        all += 1;
        without += usize::from(plain.first() == planned.first());
        with += usize::from(preferred.first() == planned.first());
        let own: Vec<Move> = preferred.iter().step_by(2).take(2).copied().collect();
        lines += usize::from(planned.starts_with(&own) && own.len() == 2);
        println!("{moves}: planned {planned:?}, without {plain:?}, with {preferred:?}");
    }
    println!("{all} positions: {with} planned moves with, {without} without; {lines} lines");
    assert_eq!(with, all);
    assert!(2 * lines > all && 4 * without <= all, "{lines} lines, {without} without");
}

#[test]
fn a_better_move_comes_before_the_plan() {
    // The bishop hangs.
    let mut game = Game::new(Position::startpos());
    for mv in ["7g7f", "3c3d", "2g2f", "2b7g"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let best = line(&game, 1, 4)[0];
    assert_eq!(best.to().to_string(), "7g");
    assert_ne!(Some(&best), Atlas::shipped().planned_moves(game.position()).first());
}

/// Openings in which nothing is won or lost in the next moves.
const QUIET: [&str; 8] = [
    "7g7f 8c8d 7i6h 3c3d 6g6f 7a6b",
    "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b",
    "2g2f 3c3d 7g7f 4c4d 3i4h 8b4b",
    "7g7f 3c3d 7f7e 8c8d 2h7h 8d8e",
    "2g2f 8c8d 7g7f 3c3d 6i7h 4a3b 3i3h 7a7b",
    "7g7f 8c8d 2g2f 3c3d 6g6f 7a6b 7i7h 5a4b",
    "5g5f 3c3d 7g7f 8c8d 2h5h 7a6b",
    "3g3f 8c8d 2g2f 3c3d 3i4h 7a6b",
];
