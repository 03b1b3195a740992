//! The trainer of candidates on made-up games: what a planted player never does is found, and
//! nothing where nothing is.

use std::path::Path;

use tesuji_eval::plausible::Generator;
use tesuji_lab::trainer::{self, GeneratorMisses, TrainerOutcome, TrainerPlan};
use tesuji_math::Random;
use tesuji_records::{Ending, GameRecord, Header, tsv};
use tesuji_run::{Context, RunFolder, Silent, plan};
use tesuji_search::spec::{EvaluationSpec, SearchSpec};
use tesuji_shogi::{Color, EndReason, ExchangeValues, GameResult, Move, Position};

/// About a pawn, by the scale of material.
const MARGIN: f64 = 0.01;

/// Everybody takes what can be won and else moves by chance; the planted player never takes.
fn choose(position: &Position, random: &mut Random, planted: bool) -> Option<Move> {
    let values = ExchangeValues::default();
    let gain = |mv: &Move| position.exchange(*mv, &values);
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let takes = |mv: &&Move| position.piece_on(mv.to()).is_some();
    let best = moves.iter().filter(takes).max_by_key(|mv| gain(mv));
    if let Some(&best) = best.filter(|mv| !planted && gain(mv) > 0) {
        return Some(best);
    }
    let quiet: Vec<Move> = moves.iter().filter(|mv| !takes(mv) && gain(mv) >= 0).copied().collect();
    let some = if quiet.is_empty() { moves } else { quiet };
    (!some.is_empty()).then(|| some[random.below(some.len())])
}

fn game(random: &mut Random, names: [&str; 2], planted: Option<Color>) -> String {
    let mut game = GameRecord::new(Position::startpos());
    let mut position = game.start;
    for _ in 0..40 {
        let own = planted == Some(position.side_to_move());
        let Some(mv) = choose(&position, random, own) else { break };
        game.main.moves.push(mv.into());
        position.play_unchecked(mv);
    }
    game.add_header(Header::BLACK, names[0]);
    game.add_header(Header::WHITE, names[1]);
    game.main.ending = Some(Ending::new(GameResult::win(Color::Black, EndReason::Resignation)));
    tsv::write_game(&game)
}

/// Games of a player, who never takes or plays as all others do.
fn games(path: &Path, is_planted: bool) -> TrainerPlan {
    let mut random = Random::new(5);
    let mut rows = format!("{}\n", tsv::HEADER_LINE);
    for number in 0..60 {
        let color = Color::ALL[number % 2];
        let [first, second] = [format!("Other {number}"), format!("Another {number}")];
        let names = match (number < 24, color) {
            (true, Color::Black) => ["Yama Kawa", &second],
            (true, Color::White) => [&*first, "KAWA YAMA 5-dan"],
            (false, _) => [&*first, &*second],
        };
        let planted = (is_planted && number < 24).then_some(color);
        rows += &game(&mut random, names, planted);
    }
    std::fs::write(path, rows).unwrap();
    TrainerPlan {
        games: vec![path.to_owned()],
        player: vec!["Kawa Yama".into()],
        engine: SearchSpec {
            evaluation: Some(EvaluationSpec::named("material")),
            ..SearchSpec::default()
        },
        nodes: 300,
        margin: MARGIN,
        others: 2,
        seed: 1,
    }
}

fn carried_out(is_planted: bool) -> (TrainerOutcome, String) {
    let folder = tempfile::tempdir().unwrap();
    let settings = games(&folder.path().join("games.tsv"), is_planted);
    let (run, settings): (RunFolder, TrainerPlan) =
        plan::open(None, &folder.path().join("runs"), &Silent, || Ok(settings)).unwrap();
    let context = Context { threads: 2, observer: &Silent };
    let outcome = trainer::carry_out(&settings, &run, &context).unwrap();
    outcome.write(&run).unwrap();
    let page = std::fs::read_to_string(run.report_path()).unwrap();
    (outcome, page)
}

#[test]
fn who_never_takes_is_found() {
    let (found, page) = carried_out(true);
    assert_eq!(found.games, [24, 36]);
    let captures = found.weak().find(|of| of.generator == Some(Generator::Capture));
    let rates = || {
        let rate = |of: &GeneratorMisses| (of.nouns(), of.player, of.others, of.p);
        found.generators.iter().map(rate).collect::<Vec<_>>()
    };
    let captures = captures.unwrap_or_else(|| panic!("captures are missed: {:?}", rates()));
    assert!(captures.player.share() > 2.0 * captures.others.share(), "{captures:?}");
    assert_eq!(captures.boards.len(), 3);
    for board in &captures.boards {
        assert!(board.position.piece_on(board.best.to()).is_some(), "a capture was better");
        assert!(board.position.piece_on(board.played.to()).is_none(), "and was not played");
        assert!(board.loss >= MARGIN);
    }
    assert!(page.contains("Missed: Captures"), "the page shows them");
}

#[test]
fn nothing_is_found_of_who_plays_as_others_do() {
    let (found, page) = carried_out(false);
    assert_eq!(found.games, [24, 36]);
    let significant: Vec<_> = found
        .generators
        .iter()
        .filter(|of| of.is_significant())
        .map(GeneratorMisses::nouns)
        .collect();
    assert!(significant.is_empty(), "{significant:?}");
    assert!(page.contains("Nothing is significant after 21 tests."));
}
