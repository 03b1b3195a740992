//! What is kept from move to move equals what is worked out, and is worked out only when asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tesuji_eval::{PhaseTables, PieceTables};
use tesuji_shogi::{Game, Move};

use super::*;
use crate::{AlphaBeta, Limits, Searcher, Stop};

/// Plays random games, passes among the moves, and calls `visit` with the position after each.
fn random_games<E: Evaluator>(
    evaluator: &E,
    mut visit: impl FnMut(&mut StateStack<E>, &Position, u64),
) {
    const MOVES: usize = 150;
    let mut number: u64 = 1;
    let mut stack = StateStack::new(MOVES);
    for _ in 0..20 {
        let mut position = Position::startpos();
        stack.init(evaluator, &position);
        for _ in 0..MOVES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pass = if number >> 60 == 0 { position.after_pass() } else { None };
            if let Some(passed) = pass {
                stack.pass(evaluator);
                position = passed;
            } else {
                let mv: Move = moves[(number >> 33) as usize % moves.len()];
                let (next, change) =
                    (position.after_unchecked(mv), BoardChange::new(&position, mv));
                stack.push(evaluator, &position, &change, &next);
                position = next;
            }
            visit(&mut stack, &position, number >> 40);
        }
    }
}

fn is_kept_from_move_to_move<E: Evaluator>(evaluator: &E) {
    random_games(evaluator, |stack, position, _| {
        let expected = evaluator.evaluate(position);
        assert_eq!(stack.score(evaluator, position), expected, "{}", position.to_sfen());
    });
}

#[test]
fn material_is_kept_from_move_to_move() {
    is_kept_from_move_to_move(&Material::default());
}

#[test]
fn tables_are_kept_from_move_to_move() {
    is_kept_from_move_to_move(&Tables::new(PieceTables::named("tables").unwrap()));
}

#[test]
fn tables_say_what_the_pieces_say() {
    let tables = Tables::new(PieceTables::named("tables").unwrap());
    let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let position = Position::from_sfen(text).unwrap();
    let expected = tables.tables().score(&position) / tesuji_eval::tables::UNITS;
    assert_eq!(tables.evaluate(&position), expected);
}

fn phase() -> Phase {
    Phase::new(PhaseTables::named("phase").unwrap())
}

#[test]
fn phases_are_kept_from_move_to_move() {
    is_kept_from_move_to_move(&phase());
}

#[test]
fn phases_say_what_the_pieces_say() {
    let phase = phase();
    random_games(&Material::default(), |_, position, number| {
        if number.is_multiple_of(5) {
            let expected = phase.tables().score(position) / tesuji_eval::tables::UNITS;
            assert_eq!(phase.evaluate(position), expected, "{}", position.to_sfen());
        }
    });
    let start = Position::startpos();
    let opening = phase.tables().opening().score(&start) / tesuji_eval::tables::UNITS;
    assert_eq!(phase.evaluate(&start), opening);
}

/// The players exchanged with their moves see the same; with the other to move the sign changes,
/// but for the bonus of being on the move.
#[test]
fn phases_change_the_sign_when_players_are_exchanged() {
    let mut tables = PhaseTables::named("phase").unwrap();
    let mut parameters = tables.parameters();
    let opening = tesuji_eval::phase::opening_parts().count();
    (parameters[opening - 1], *parameters.last_mut().unwrap()) = (0, 0);
    let with_tempo = Phase::new(tables.clone());
    tables = PhaseTables::new(&parameters, *tables.values()).unwrap();
    let without_tempo = Phase::new(tables);
    random_games(&Material::default(), |_, position, _| {
        let turned = turned(position);
        assert_eq!(with_tempo.evaluate(position), with_tempo.evaluate(&turned));
        if let Some(passed) = turned.after_pass() {
            let score = without_tempo.evaluate(position);
            assert_eq!(score, -without_tempo.evaluate(&passed), "{}", position.to_sfen());
        }
    });
}

/// The position with the players exchanged.
fn turned(position: &Position) -> Position {
    let pieces = position.pieces().map(|(square, piece)| {
        (square.seen_by(Color::White), Piece::new(!piece.color(), piece.kind()))
    });
    let hands = [position.hand(Color::White), position.hand(Color::Black)];
    Position::from_parts(pieces, hands, !position.side_to_move(), position.ply()).unwrap()
}

#[test]
fn both_sides_see_the_same_with_opposite_signs() {
    let weights = Weights::named("evolved").unwrap();
    let linear = Linear::new(weights);
    let black = Position::from_sfen(
        "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35",
    )
    .unwrap();
    let white = black.after_pass().unwrap();
    assert_eq!(linear.evaluate(&black), -linear.evaluate(&white));
}

/// Material that notes what moves change, and adds it up when a score is asked for.
#[derive(Default)]
struct Lazy {
    material: Material,
    /// Changes that were added up, and moves that were noted.
    worked_out: Arc<AtomicU64>,
    noted: Arc<AtomicU64>,
}

impl Lazy {
    /// Changes that were added up, and moves that were noted.
    fn counts(&self) -> [u64; 2] {
        [&self.worked_out, &self.noted].map(|count| count.load(Ordering::Relaxed))
    }
}

/// A state of [`Lazy`].
#[derive(Clone, Default)]
enum Noted {
    #[default]
    Pass,
    Move(BoardChange),
    Known(i32),
}

impl Evaluator for Lazy {
    type State = Noted;

    fn init(&self, position: &Position, slot: &mut Noted) {
        let mut sum = 0;
        self.material.init(position, &mut sum);
        *slot = Noted::Known(sum);
    }

    fn push(&self, _: &Noted, slot: &mut Noted, _: &Position, change: &BoardChange, _: &Position) {
        self.noted.fetch_add(1, Ordering::Relaxed);
        *slot = Noted::Move(*change);
    }

    fn pass(&self, _: &Noted, slot: &mut Noted) {
        *slot = Noted::Pass;
    }

    fn score(&self, line: &mut [Noted], position: &Position) -> i32 {
        let known = |state: &Noted| matches!(state, Noted::Known(_));
        let nearest = line.iter().rposition(known).expect("the root is known");
        for ply in nearest + 1..line.len() {
            let (before, after) = line.split_at_mut(ply);
            let Noted::Known(sum) = before[ply - 1] else { panic!("worked out in order") };
            let mut next = sum;
            if let Noted::Move(change) = &after[0] {
                self.worked_out.fetch_add(1, Ordering::Relaxed);
                self.material.push(&sum, &mut next, position, change, position);
            }
            after[0] = Noted::Known(next);
        }
        let Some(&Noted::Known(mut sum)) = line.last() else { panic!("worked out") };
        self.material.score(std::slice::from_mut(&mut sum), position)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        self.material.exchange_values()
    }
}

#[test]
fn states_can_be_worked_out_late() {
    let (lazy, material) = (Lazy::default(), Material::default());
    random_games(&lazy, |stack, position, number| {
        if number.is_multiple_of(5) {
            assert_eq!(stack.score(&lazy, position), material.evaluate(position));
        }
    });
    let [worked_out, noted] = lazy.counts();
    assert!(worked_out <= noted && worked_out > noted * 3 / 4, "{worked_out} of {noted}");
}

#[test]
fn what_nobody_asks_for_is_not_worked_out() {
    let lazy = Lazy::default();
    random_games(&lazy, |_, _, _| {});
    let [worked_out, noted] = lazy.counts();
    assert!(worked_out == 0 && noted > 1000, "{worked_out} of {noted}");
}

#[test]
fn a_search_with_late_states_is_the_same() {
    let text = "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35";
    let game = Game::new(Position::from_sfen(text).unwrap());
    let limits = Limits::depth(7);
    let lazy = Lazy::default();
    let same = Lazy {
        worked_out: Arc::clone(&lazy.worked_out),
        noted: Arc::clone(&lazy.noted),
        ..Lazy::default()
    };
    let found = |searcher: &mut dyn Searcher| {
        let result = searcher.search(&game, &limits, Stop::never(), &mut |_| {});
        (result.best, result.score, result.nodes)
    };
    let eager = found(&mut AlphaBeta::new(Material::default(), 4));
    assert_eq!(found(&mut AlphaBeta::new(lazy, 4)), eager);
    let [worked_out, noted] = same.counts();
    assert!(worked_out < noted, "{worked_out} of {noted}");
}
