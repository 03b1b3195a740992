//! The style of made-up players: what was planted is found, and nothing where nothing is.

use std::path::Path;

use tesuji_eval::FeatureSet;
use tesuji_lab::style::{self, StyleOutcome, StylePlan};
use tesuji_math::Random;
use tesuji_records::{Ending, GameRecord, Header, tsv};
use tesuji_run::{Context, RunFolder, Silent, plan};
use tesuji_shogi::{Color, EndReason, GameResult, Move, Position};

/// What the planted player does: silvers stay near the king.
const PLANTED: &str = "DTK_FRIENDLY_SILVER";

/// How much a move is liked: everybody takes what there is, the planted player minds silvers too.
fn liked(set: &FeatureSet, position: &Position, mv: Move, planted: bool) -> f64 {
    let taken = if position.piece_on(mv.to()).is_some() { 3.0 } else { 0.0 };
    if !planted {
        return taken;
    }
    let feature = set.index_of(PLANTED).unwrap();
    let after = position.after_unchecked(mv);
    taken - f64::from(set.values(&after, position.side_to_move())[feature])
}

/// A game in which each side takes the best of a few moves that chance offers.
fn game(set: &FeatureSet, random: &mut Random, names: [&str; 2], planted: Option<Color>) -> String {
    let mut game = GameRecord::new(Position::startpos());
    let mut position = game.start;
    for ply in 0..46 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let own = planted == Some(position.side_to_move());
        let offers: Vec<Move> = (0..8).map(|_| moves[random.below(moves.len())]).collect();
        let likes = offers.iter().map(|&mv| liked(set, &position, mv, own));
        let best = offers.iter().zip(likes).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let mv = if own && ply == 0 { "2g2f".parse().unwrap() } else { *best.0 };
        game.main.moves.push(mv.into());
        position.play_unchecked(mv);
    }
    game.add_header(Header::BLACK, names[0]);
    game.add_header(Header::WHITE, names[1]);
    game.main.ending = Some(Ending::new(GameResult::win(Color::Black, EndReason::Resignation)));
    tsv::write_game(&game)
}

/// Games of a player in three spellings, whose moves are planted or not, and of others.
fn games(path: &Path, planted: bool) -> StylePlan {
    let set = FeatureSet::named("paper").unwrap();
    let mut random = Random::new(8);
    let mut rows = format!("{}\n", tsv::HEADER_LINE);
    for number in 0..250 {
        let other = format!("Other {number}");
        let spelling = ["Yama Kawa", "KAWA YAMA", "Kawa Yama 5-dan"][number % 3];
        let color = Color::ALL[number % 2];
        let names = match (number < 50, color) {
            (true, Color::Black) => [spelling, &other],
            (true, Color::White) => [&other, spelling],
            (false, _) => ["Somebody", &other],
        };
        let planted = (planted && number < 50).then_some(color);
        rows += &game(&set, &mut random, names, planted);
    }
    std::fs::write(path, rows).unwrap();
    let usual = StylePlan::new(vec!["Yama Kawa".into()], vec![path.to_owned()]);
    StylePlan { per_game: 12, controls: 2, l2: 1e-3, ..usual }
}

fn outcome(planted: bool, threads: usize) -> (StyleOutcome, RunFolder, tempfile::TempDir) {
    let parent = tempfile::tempdir().unwrap();
    let settings = games(&parent.path().join("games.tsv"), planted);
    let folder = plan::step(&parent.path().join("run"), &settings).unwrap();
    let context = Context { threads, observer: &Silent };
    let outcome = style::carry_out(&settings, &folder, &context).unwrap();
    outcome.write(&folder).unwrap();
    (outcome, folder, parent)
}

#[test]
fn what_was_planted_is_found() {
    let (outcome, folder, _parent) = outcome(true, 2);
    assert_eq!(outcome.games, [50, 200]);
    let surest = outcome.features.iter().min_by(|a, b| a.p.total_cmp(&b.p)).unwrap();
    assert_eq!(surest.name, PLANTED);
    assert!(surest.is_significant() && surest.difference < 0.0, "{surest:?}");
    let said = outcome.sentences();
    assert!(said.contains(&"keeps silvers nearer to the own king than others do"), "{said:?}");
    let opening = outcome.habits.iter().find(|style| style.habit.name == "opens-2g2f").unwrap();
    assert!(opening.is_significant() && opening.habit.player == 1.0, "{opening:?}");
    assert!(outcome.moves.value > 0.5 + 3.0 * outcome.moves.error, "{:?}", outcome.moves);
    assert!(outcome.whole.value > 0.5 + 3.0 * outcome.whole.error, "{:?}", outcome.whole);
    for control in &outcome.controls {
        let away = (control.moves.value - 0.5).abs() / control.moves.error;
        assert!(away < 4.0, "{control:?}");
        assert!(control.significant <= 1, "{control:?}");
    }
    // Some hundred positions are too few to breed a style from, but not to learn captures: by chance
    // one move of thirty or more would be found.
    let told = outcome.bred.told;
    assert!(told.as_flattened().iter().all(|&share| share > 0.06), "{told:?}");
    let text = outcome.text(&folder);
    for part in ["KAWA YAMA (17 games)", "AUC", "control", "significant after"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let page = std::fs::read_to_string(folder.report_path()).unwrap();
    for part in ["What sets the player apart", "nearer to the own king", "<svg", "control 2"] {
        assert!(page.contains(part), "{part}");
    }
    for file in ["weights.toml", "others.toml", "bred.toml", "bred-others.toml"] {
        let weights = std::fs::read_to_string(folder.file(file)).unwrap();
        assert!(tesuji_eval::Weights::parse(&weights).is_ok());
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let (outcome, _, _parent) = outcome(false, 2);
    assert!(outcome.sentences().len() <= 1, "{:?}", outcome.sentences());
    assert!((outcome.moves.value - 0.5).abs() < 4.0 * outcome.moves.error, "{:?}", outcome.moves);
    assert!((outcome.whole.value - 0.5).abs() < 4.0 * outcome.whole.error, "{:?}", outcome.whole);
}

#[test]
fn threads_change_nothing() {
    let [one, two] = [1, 2].map(|threads| {
        let (_, folder, _parent) = outcome(true, threads);
        std::fs::read(folder.file("journal.jsonl")).unwrap()
    });
    assert!(one == two);
}
