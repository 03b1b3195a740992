//! Engines of this process: what came before has no part in a game, and games end by the rules.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_arena::player::{Chance, OwnEngine, Variety};
use tesuji_arena::{Played, Player, ResignTerms, Seats, Terms, TimeControl};
use tesuji_search::{AlphaBeta, Material};
use tesuji_shogi::{Color, EndReason, Game, GameResult, Rules};

fn engine(variety: Variety) -> OwnEngine {
    OwnEngine::varied(Box::new(AlphaBeta::new(Material::default(), 1)), variety)
}

fn terms() -> Terms {
    Terms {
        rules: Rules { max_moves: Some(60), ..Rules::default() },
        resign: None,
        draw: None,
        margin: Duration::from_millis(500),
        patience: Duration::from_secs(60),
    }
}

fn play(seats: &mut Seats<'_>, opening: &str, number: u64, terms: &Terms) -> Played {
    let opening = Game::from_usi(opening).unwrap();
    let controls = [TimeControl::nodes(200); 2];
    tesuji_arena::game::play(
        &opening,
        seats,
        controls,
        terms,
        Chance::of_game(0, number, 2),
        &AtomicBool::new(false),
    )
    .unwrap()
}

#[test]
fn a_game_does_not_depend_on_those_before_it() {
    let variety = Variety { seed: 5, random_plies: 2, temperature: 50.0, temperature_plies: 20 };
    let moves = |player: &mut dyn Player, number| {
        let played = play(&mut Seats::One(player), "startpos", number, &terms());
        (played.game.moves().to_vec(), played.thoughts)
    };
    let fresh = moves(&mut engine(variety), 7);
    let mut used = engine(variety);
    let other = moves(&mut used, 6);
    assert_ne!(other.0, fresh.0, "games with other numbers are other games");
    assert_eq!(moves(&mut used, 7), fresh);
    let seed = Variety { seed: 6, ..variety };
    assert_ne!(moves(&mut engine(seed), 7).0, fresh.0);
}

#[test]
fn a_move_time_is_kept() {
    let (mut black, mut white) = (engine(Variety::default()), engine(Variety::default()));
    let controls = [TimeControl::move_time(Duration::from_millis(20)); 2];
    let rules = Rules { max_moves: Some(12), ..Rules::default() };
    let opening = Game::from_usi("startpos").unwrap();
    let mut seats = Seats::Two([&mut black, &mut white]);
    let terms = Terms { rules, ..terms() };
    let stop = AtomicBool::new(false);
    let played = tesuji_arena::game::play(
        &opening,
        &mut seats,
        controls,
        &terms,
        Chance::of_game(0, 0, 2),
        &stop,
    )
    .unwrap();
    assert_eq!(played.fault, None);
    assert_eq!(played.result, GameResult::draw(EndReason::MoveLimit));
    assert!(played.times.iter().all(|time| *time <= Duration::from_millis(20) + terms.margin));
}

/// Black's king has entered with 28 points and ten pieces: Black declares at once, and the referee
/// agrees.
#[test]
fn a_declaration_wins() {
    let (mut black, mut white) = (engine(Variety::default()), engine(Variety::default()));
    let start = "sfen +R+R+B+BGGSK1/+P+P+P+P5/9/9/9/9/9/9/4k4 b 10P 1";
    let played = play(&mut Seats::Two([&mut black, &mut white]), start, 0, &terms());
    assert_eq!(played.result, GameResult::win(Color::Black, EndReason::Declaration));
    assert_eq!((played.game.moves().len(), played.fault), (0, None));
}

#[test]
fn a_lost_game_is_ended_early_if_the_terms_say_so() {
    let start = "startpos moves 7g7f 3c3d 8h2b+ 5a5b 2b3a";
    let resign = Some(ResignTerms { movecount: 2, score: 300, twosided: true });
    let mut player = engine(Variety::default());
    let ended = play(&mut Seats::One(&mut player), start, 0, &Terms { resign, ..terms() });
    assert!(ended.adjudicated);
    assert_eq!(ended.result, GameResult::win(Color::Black, EndReason::Resignation));
    assert_eq!(ended.thoughts.len(), 4);
    let on = play(&mut Seats::One(&mut player), start, 0, &terms());
    assert!(!on.adjudicated && on.thoughts.len() > 4);
    // A player resigns in his turn: with Black to move the game goes on for a move.
    let start = "startpos moves 7g7f 3c3d 8h2b+ 5a5b";
    let ended = play(&mut Seats::One(&mut player), start, 0, &Terms { resign, ..terms() });
    assert_eq!(ended.result, GameResult::win(Color::Black, EndReason::Resignation));
    assert_eq!(ended.game.position().side_to_move(), Color::White);
}

#[test]
fn a_game_nobody_wants_any_more_is_left() {
    let opening = Game::from_usi("startpos").unwrap();
    let mut player = engine(Variety::default());
    let controls = [TimeControl::nodes(200); 2];
    let stop = AtomicBool::new(true);
    let mut seats = Seats::One(&mut player);
    assert!(
        tesuji_arena::game::play(
            &opening,
            &mut seats,
            controls,
            &terms(),
            Chance::of_game(0, 0, 2),
            &stop
        )
        .is_none()
    );
}
