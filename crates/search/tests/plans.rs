//! Plans for castles from openings of our own book: the hill climb finishes.

use std::sync::Arc;

use tesuji_eval::formations::Atlas;
use tesuji_search::Limits;
use tesuji_search::book::{self, OpeningBook, STANDARD};
use tesuji_shogi::{Game, Position};

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
