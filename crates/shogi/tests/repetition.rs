//! Fourfold repetition, perpetual check, and what the search makes of recurring boards.

mod common;

use common::{Random, recomputed};
use proptest::prelude::*;
use tesuji_shogi::{
    Color, EndReason, Game, GameResult, KeyHistory, Move, PieceKind, Position, Repetition, Rules,
};

const DRAW: Option<GameResult> = Some(GameResult::draw(EndReason::Repetition));
const BLACK_WINS: Option<GameResult> =
    Some(GameResult::win(Color::Black, EndReason::PerpetualCheck));
const WHITE_WINS: Option<GameResult> =
    Some(GameResult::win(Color::White, EndReason::PerpetualCheck));

/// Plays moves and claims that the game goes on after each but the last.
fn play(start: &str, moves: &str) -> (Game, Option<GameResult>) {
    let mut game = Game::from_usi(start).unwrap();
    let rules = Rules::default();
    for text in moves.split_whitespace() {
        assert_eq!(game.result(&rules), None, "before {text} in {}", game.to_usi_position());
        game.play(text.parse().unwrap()).unwrap();
    }
    let result = game.result(&rules);
    (game, result)
}

/// The search's view of the last position of a line, however far back.
fn seen_by_search(start: &str, moves: &str) -> Repetition {
    play(start, moves).0.history().repetition(usize::MAX)
}

#[test]
fn the_fourth_occurrence_is_a_draw() {
    let shuffle = "2h3h 8b7b 3h2h 7b8b ";
    let (game, result) = play("startpos", &shuffle.repeat(3));
    assert_eq!((result, game.occurrences(), game.moves().len()), (DRAW, 4, 12));
}

#[test]
fn the_third_occurrence_is_not_a_draw() {
    let shuffle = "2h3h 8b7b 3h2h 7b8b ";
    let (game, result) = play("startpos", &shuffle.repeat(2));
    assert_eq!((result, game.occurrences()), (None, 3));
    assert_eq!(game.history().repetition(16), Repetition::Draw);
}

#[test]
fn repetition_may_begin_in_the_middle_of_a_game() {
    let opening = "7g7f 3c3d ";
    let shuffle = "2h5h 8b5b 5h2h 5b8b ";
    let (game, result) = play("startpos", &(opening.to_owned() + &shuffle.repeat(3)));
    assert_eq!((result, game.moves().len()), (DRAW, 14));
}

#[test]
fn occurrences_need_not_follow_each_other_by_the_same_way() {
    let moves = "2h3h 8b7b 3h2h 7b8b \
                 2h3h 8b7b 3h4h 7b6b 4h2h 6b8b \
                 4i4h 6a6b 4h4i 6b6a";
    let (game, result) = play("startpos", moves);
    assert_eq!((result, game.occurrences(), game.moves().len()), (DRAW, 4, 14));
}

#[test]
fn a_repetition_of_drops_and_captures_is_a_draw() {
    // Gold drop, gold drop, gold takes gold, gold takes gold: nothing was irreversible.
    let start = "1g6k/9/9/9/9/9/9/9/8K b Gg 1";
    let exchange = "G*7b G*7a 7b8a 7a8a ";
    let (game, result) = play(start, &exchange.repeat(3));
    assert_eq!((result, game.occurrences()), (DRAW, 4));
    assert_eq!(seen_by_search(start, exchange), Repetition::Draw);
}

#[test]
fn black_loses_by_perpetual_check() {
    let start = "8k/R8/9/9/9/9/9/9/K8 b - 1";
    let chase = "9b9a 1a1b 9a9b 1b1a ";
    let (game, result) = play(start, &chase.repeat(3));
    assert_eq!((result, game.position().in_check()), (WHITE_WINS, false));
    assert_eq!(seen_by_search(start, chase), Repetition::Loss);
}

#[test]
fn white_loses_by_perpetual_check() {
    let start = "k8/9/9/9/9/9/9/r8/8K w - 1";
    let chase = "9h9i 1i1h 9i9h 1h1i ";
    assert_eq!(play(start, &chase.repeat(3)).1, BLACK_WINS);
    assert_eq!(seen_by_search(start, chase), Repetition::Loss);
}

#[test]
fn the_checked_side_may_be_the_one_to_move_when_it_ends() {
    // A quiet approach first: the check that leads to the first occurrence lies outside the span,
    // and so does all that came before it.
    let start = "8k/9/R8/9/9/9/9/9/K8 b - 1";
    let moves = "9c9b 1a2a 9b9a 2a2b 9a9b 2b2a 9b9a 2a2b 9a9b 2b2a 9b9a 2a2b 9a9b 2b2a";
    // The position with the rook on 9b and the king on 2a comes first to its fourth occurrence.
    let (game, result) = play(start, moves);
    assert_eq!((result, game.moves().len()), (WHITE_WINS, 14));
    let start = "7k1/R8/9/9/9/9/9/9/K8 b - 1";
    let moves = "9b9c 2a1a 9c9a 1a1b 9a9b 1b1a 9b9a 1a1b 9a9b 1b1a 9b9a 1a1b 9a9b 1b1a 9b9a";
    let (game, result) = play(start, moves);
    assert_eq!((result, game.position().in_check()), (WHITE_WINS, true));
}

#[test]
fn a_check_in_the_start_position_does_no_harm() {
    let start = "R7k/9/9/9/9/9/9/9/K8 w - 1";
    let chase = "1a1b 9a9b 1b1a 9b9a ";
    let (game, result) = play(start, &chase.repeat(3));
    assert_eq!((result, game.position().in_check()), (WHITE_WINS, true));
    assert_eq!(seen_by_search(start, chase), Repetition::Win);
    // The checked side moves quietly out and in; the checks are only those of the position itself.
    let start = "R7k/9/9/9/9/9/9/9/K8 w - 1";
    let quiet = "1a1b 9a9c 1b2b 9c9b 2b2a 9b9c 2a1b 9c9b 1b1a 9b9a";
    let (_, result) = play(start, quiet);
    assert_eq!(result, None);
    assert_eq!(seen_by_search(start, quiet), Repetition::Draw);
}

#[test]
fn one_quiet_loop_among_checks_makes_it_a_draw() {
    let start = "8k/R8/9/9/9/9/9/9/K8 b - 1";
    let chase = "9b9a 1a1b 9a9b 1b1a ";
    let quiet = "9b9c 1a2a 9c9b 2a1a ";
    for order in [[quiet, chase, chase], [chase, quiet, chase], [chase, chase, quiet]] {
        assert_eq!(play(start, &order.concat()).1, DRAW, "{order:?}");
    }
    // Seen from the search, only the last loop counts.
    assert_eq!(seen_by_search(start, &(quiet.to_owned() + chase)), Repetition::Loss);
    assert_eq!(seen_by_search(start, &(chase.to_owned() + quiet)), Repetition::Draw);
}

#[test]
fn a_single_quiet_move_makes_it_a_draw() {
    let start = "8k/R8/9/9/9/9/9/9/K8 b - 1";
    let chase = "9b9a 1a1b 9a9b 1b1a ";
    // Only 9a9c is not a check.
    let detour = "9b9a 1a1b 9a9c 1b2b 9c9b 2b1a ";
    let (game, result) = play(start, &(chase.repeat(2) + detour));
    assert_eq!((result, game.occurrences()), (DRAW, 4));
}

#[test]
fn perpetual_check_with_drops_captures_and_promotions() {
    let start = "k8/9/9/9/9/9/9/9/8K b Rr 1";
    let chase = "R*9d R*9c 9d9c+ 9a8a 9c9a 8a9a ";
    let (game, result) = play(start, &chase.repeat(3));
    assert_eq!((result, game.moves().len()), (WHITE_WINS, 18));
    assert_eq!(seen_by_search(start, chase), Repetition::Loss);
}

#[test]
fn a_counter_check_of_the_chased_side_does_not_save_the_chaser() {
    // White's rook drop interposes and gives check itself, in every loop.
    let start = "9/9/1K7/9/9/9/9/4k4/9 b Rr 1";
    let chase = "R*5b R*5c 5b5c+ 5h4g 5c5h 4g5h ";
    let (game, result) = play(start, &chase.repeat(3));
    assert_eq!(result, WHITE_WINS);
    let counter_checks = game.positions().filter(|p| p.side_to_move() == Color::Black);
    assert_eq!(counter_checks.filter(|p| p.in_check()).count(), 3);
}

#[test]
fn the_same_board_with_the_other_side_to_move_is_another_position() {
    let start = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let black_triangle = "5i5h 5a5b 5h4i 5b5a 4i5i ";
    let (game, result) = play(start, black_triangle);
    assert_eq!((result, game.occurrences()), (None, 1));
    assert!(game.start().pieces().eq(game.position().pieces()));
    assert_eq!(game.history().repetition(usize::MAX), Repetition::None);
    let white_triangle = "5a5b 5i5h 5b4a 5h5i 4a5a ";
    let (game, _) = play(start, &(black_triangle.to_owned() + white_triangle));
    assert_eq!(game.occurrences(), 2);
    assert_eq!(game.history().repetition(usize::MAX), Repetition::Draw);
    assert_eq!(game.history().repetition(10), Repetition::Draw);
    assert_eq!(game.history().repetition(9), Repetition::None);
}

/// Black gives away a gold in eight plies; the board is then as it was.
const GIVE_GOLD: &str = "G*8c 8b8c 1i1h 8c7c 1h2i 7c7b 2i1i 7b8b ";
const GIVING: &str = "8k/1g7/9/9/9/9/9/9/8K b 3G 1";

#[test]
fn the_same_board_with_other_hands_is_another_position() {
    let (game, result) = play(GIVING, &GIVE_GOLD.repeat(3));
    assert_eq!((result, game.occurrences()), (None, 1));
    let boards = game.positions().filter(|p| p.pieces().eq(game.start().pieces())).count();
    assert_eq!(boards, 4);
}

#[test]
fn holding_less_is_inferior_and_holding_more_superior() {
    assert_eq!(seen_by_search(GIVING, GIVE_GOLD), Repetition::Inferior);
    assert_eq!(seen_by_search(GIVING, &GIVE_GOLD.repeat(3)), Repetition::Inferior);
    // With the next drop it is White's move, and White now holds a gold more than then.
    let moves = GIVE_GOLD.to_owned() + "G*8c";
    assert_eq!(seen_by_search(GIVING, &moves), Repetition::Superior);
    let (game, _) = play(GIVING, &moves);
    assert_eq!(game.history().repetition(8), Repetition::Superior);
    assert_eq!(game.history().repetition(7), Repetition::None);
}

#[test]
fn hands_that_cannot_be_compared_say_nothing() {
    // Black gives a gold, then White gives a silver: each holds something new.
    let start = "8k/1g7/9/9/9/9/9/7G1/8K b Gs 1";
    let take_gold = GIVE_GOLD;
    let take_silver = "1i1h S*2g 2h2g 1a1b 2g3g 1b2a 3g3h 2a1a 3h2h 1a2a 1h1i 2a1a ";
    let (game, _) = play(start, &(take_gold.to_owned() + take_silver));
    assert!(game.start().pieces().eq(game.position().pieces()));
    let held = |position: &Position| {
        let hand = position.hand(Color::Black);
        (hand.count(PieceKind::Gold), hand.count(PieceKind::Silver))
    };
    assert_eq!((held(game.start()), held(game.position())), ((1, 0), (0, 1)));
    // Twelve plies ago Black had neither, now a silver. Twenty plies ago it was a gold.
    assert_eq!(game.history().repetition(usize::MAX), Repetition::Superior);
    let direct = game.positions().next().into_iter().chain(game.positions().skip(9));
    assert_eq!(repetition_of(direct), Repetition::None);
}

/// The history of these positions, as if each followed from the one before.
fn repetition_of<'a>(mut positions: impl Iterator<Item = &'a Position>) -> Repetition {
    let mut history = KeyHistory::new(positions.next().unwrap());
    positions.for_each(|position| history.push(position));
    history.repetition(usize::MAX)
}

#[test]
fn taking_back_a_move_takes_back_its_repetition() {
    let shuffle = "2h3h 8b7b 3h2h 7b8b ";
    let (mut game, result) = play("startpos", &shuffle.repeat(3));
    assert_eq!(result, DRAW);
    assert_eq!(game.undo(), Some("7b8b".parse().unwrap()));
    assert_eq!(game.result(&Rules::default()), None);
    assert_eq!((game.occurrences(), game.moves().len()), (3, 11));
    game.play("7b8b".parse().unwrap()).unwrap();
    assert_eq!(game.result(&Rules::default()), DRAW);
}

/// What the documentation says, worked out from whole positions and without any bookkeeping.
mod oracle {
    use super::*;

    fn same_board(a: &Position, b: &Position) -> bool {
        a.side_to_move() == b.side_to_move() && a.pieces().eq(b.pieces())
    }

    /// Does the side to move in `a` hold at least what it holds in `b`?
    fn holds_at_least(a: &Position, b: &Position) -> bool {
        let (a, b) = (a.hand(a.side_to_move()), b.hand(b.side_to_move()));
        PieceKind::HAND.into_iter().all(|kind| a.count(kind) >= b.count(kind))
    }

    /// Were all moves of `color` from the first of these positions to the last checks?
    fn only_checks(span: &[Position], color: Color) -> bool {
        span[1..].iter().filter(|p| p.side_to_move() != color).all(Position::in_check)
    }

    fn verdict(span: &[Position]) -> Repetition {
        let us = span[0].side_to_move();
        match (only_checks(span, us), only_checks(span, !us)) {
            (true, false) => Repetition::Loss,
            (false, true) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }

    pub fn repetition(line: &[Position], max_plies: usize) -> Repetition {
        let now = line.last().unwrap();
        for start in (0..line.len() - 1).rev() {
            let then = &line[start];
            if line.len() - 1 - start > max_plies || !same_board(now, then) {
                continue;
            }
            match (holds_at_least(now, then), holds_at_least(then, now)) {
                (true, true) => return verdict(&line[start..]),
                (true, false) => return Repetition::Superior,
                (false, true) => return Repetition::Inferior,
                (false, false) => {}
            }
        }
        Repetition::None
    }

    /// The result by repetition of a game that did not end earlier.
    pub fn result(line: &[Position]) -> Option<GameResult> {
        let now = line.last().unwrap();
        let same = |p: &&Position| {
            let hands_equal = Color::ALL.into_iter().all(|color| p.hand(color) == now.hand(color));
            same_board(p, now) && hands_equal
        };
        if line.iter().filter(same).count() < 4 {
            return None;
        }
        let first = line.iter().position(|p| same(&p))?;
        let us = now.side_to_move();
        Some(match verdict(&line[first..]) {
            Repetition::Win => GameResult::win(us, EndReason::PerpetualCheck),
            Repetition::Loss => GameResult::win(!us, EndReason::PerpetualCheck),
            _ => GameResult::draw(EndReason::Repetition),
        })
    }
}

/// A move that likes to go back to a known board, to give check, or to drop.
fn tempting_move(random: &mut Random, line: &[Position]) -> Option<Move> {
    let position = line.last()?;
    let moves = position.legal_moves();
    let mut liked: Vec<Move> = Vec::new();
    if random.chance(60) {
        let known = |mv: &Move| {
            let key = position.after_unchecked(*mv).board_key();
            line.iter().any(|earlier| earlier.board_key() == key)
        };
        liked = moves.iter().copied().filter(known).collect();
    }
    if liked.is_empty() && random.chance(70) {
        liked = position.checks().to_vec();
    }
    if liked.is_empty() && random.chance(30) {
        liked = position.captures().to_vec();
    }
    random.choose(&liked).or_else(|| random.choose(&moves))
}

/// Plays a game to its end and compares every position with the oracle. Counts what came up.
fn compare_with_oracle(seed: u64, seen: &mut Vec<Repetition>, ends: &mut Vec<GameResult>) {
    let mut random = Random::new(seed);
    let pieces = 1 + random.below(5);
    let mut game = Game::new(random.sparse_position(pieces));
    let mut line = vec![*game.position()];
    for _ in 0..160 {
        let Some(mv) = tempting_move(&mut random, &line) else { break };
        game.play(mv).unwrap();
        line.push(*game.position());
        for max_plies in [usize::MAX, 16, 7] {
            let expected = oracle::repetition(&line, max_plies);
            let text = game.to_usi_position();
            assert_eq!(game.history().repetition(max_plies), expected, "{max_plies} in {text}");
        }
        seen.push(game.history().repetition(usize::MAX));
        let result = game.result(&Rules::default());
        if game.position().has_legal_move() {
            assert_eq!(result, oracle::result(&line), "{}", game.to_usi_position());
        }
        if let Some(result) = result {
            ends.push(result);
            break;
        }
    }
}

#[test]
fn the_history_equals_the_oracle_in_random_games() {
    let (mut seen, mut ends) = (Vec::new(), Vec::new());
    for seed in 0..800 {
        compare_with_oracle(seed, &mut seen, &mut ends);
    }
    // The comparison is worth something only if everything comes up.
    for kind in [
        Repetition::None,
        Repetition::Draw,
        Repetition::Win,
        Repetition::Loss,
        Repetition::Superior,
        Repetition::Inferior,
    ] {
        let count = seen.iter().filter(|&&found| found == kind).count();
        println!("{kind:?}: {count}");
        assert!(count >= 20, "{kind:?} came up {count} times");
    }
    for result in [DRAW, BLACK_WINS, WHITE_WINS] {
        let count = ends.iter().filter(|&&end| Some(end) == result).count();
        println!("{result:?}: {count}");
        assert!(count >= 5, "{result:?} came up {count} times");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_history_equals_the_oracle(seed: u64) {
        compare_with_oracle(seed, &mut Vec::new(), &mut Vec::new());
    }

    #[test]
    fn taking_back_restores_the_game(seed: u64, plies in 1..120_usize, back in 1..120_usize) {
        let mut random = Random::new(seed);
        let mut game = if random.chance(50) {
            Game::new(random.sparse_position(4))
        } else {
            Game::new(Position::startpos())
        };
        let mut snapshots = vec![game.clone()];
        for _ in 0..plies {
            let Some(mv) = random.choose(&game.position().legal_moves()) else { break };
            game.play(mv).unwrap();
            snapshots.push(game.clone());
        }
        for _ in 0..back.min(snapshots.len() - 1) {
            let expected = snapshots.pop().and_then(|game| game.last_move());
            prop_assert_eq!(game.undo(), expected);
            prop_assert_eq!(Some(&game), snapshots.last());
            prop_assert_eq!(game.position(), &recomputed(game.position()));
        }
    }
}
