//! Games told by their castles, and plans with their reasons.

use serde_json::Value;
use tesuji_analysis::formations::{Happening, plan_json, plan_text, story};
use tesuji_analysis::judge::{SearchLimits, TextLayout};
use tesuji_analysis::{AnalysisSettings, GameAnalysis, SavedGame, judge};
use tesuji_eval::formations::Atlas;
use tesuji_records::{GameRecord, MoveRecord};
use tesuji_report::Lang;
use tesuji_run::{Context, Silent};
use tesuji_shogi::{Color, Move, Position};

/// A game in which Black builds a castle and then plays these moves, while White moves the rook.
fn building(castle: &str, then: &str) -> (GameRecord, usize) {
    let atlas = Atlas::shipped();
    let castles = atlas.formations().castles();
    let castle = castles.iter().position(|one| one.names.id == castle).unwrap();
    let plan = atlas.plan_castle(&Position::startpos(), Color::Black, castle).unwrap();
    assert!(plan.finished);
    let then = then.split_ascii_whitespace().map(|mv| mv.parse().unwrap());
    let own: Vec<Move> = plan.moves.iter().copied().chain(then).collect();
    let mut game = GameRecord::new(Position::startpos());
    for (number, &mv) in own.iter().enumerate() {
        let rook = ["8b7b", "7b8b"][number % 2].parse().unwrap();
        game.main.moves.extend([mv, rook].map(MoveRecord::from));
    }
    let mut position = game.start;
    for mv in game.moves() {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_sfen());
        position.play_unchecked(mv);
    }
    (game, 2 * plan.moves.len() - 1)
}

/// The gold leaves, then the other one, then the silver and the king.
const DISMANTLED: &str = "5h6h 4i5h 6h7h 5h6h 3h4i 4i5h 2h3i 3i4i 9g9f 9f9e";

#[test]
fn a_castle_is_finished_then_given_up_and_broken() {
    let atlas = Atlas::shipped();
    let (game, built) = building("mino", DISMANTLED);
    let told = story(&game, &atlas);
    let own: Vec<_> = told.events.iter().filter(|event| event.color == Color::Black).collect();
    let of = |what| own.iter().filter(|event| event.what == what).collect::<Vec<_>>();
    let name = |castle: usize| &*atlas.formations().castles()[castle].names.id;
    println!("{:#?}", told.events);
    let finished = of(Happening::Finished);
    let mino = finished.iter().find(|event| name(event.castle) == "mino").unwrap();
    assert_eq!(mino.number, built);
    assert_eq!(mino.text(Lang::English), "Black has finished the mino");
    assert_eq!(mino.text(Lang::Japanese), "先手の美濃囲いが完成");
    // Nothing is told twice.
    for castle in own.iter().map(|event| event.castle) {
        for what in [Happening::Finished, Happening::Broken] {
            assert!(of(what).iter().filter(|event| event.castle == castle).count() <= 1);
        }
    }
    let broken = of(Happening::Broken);
    assert!(broken.iter().all(|event| event.number > built && event.complete < 0.5));
    assert_eq!(broken.len(), 1, "{broken:?}");
    // The first move that took it apart for good is where the plan broke.
    let broke = told.sides[0].broke.as_ref().unwrap();
    assert!(broke.ply > built && broke.complete[1] < broke.complete[0], "{broke:?}");
    assert!(told.text(&atlas).contains(&format!("move {}, {}, broke the", broke.ply, broke.mv)));
    assert!(told.sides[1].broke.is_none());
}

#[test]
fn a_general_that_makes_room_breaks_no_plan() {
    let (game, _) = building("mino", "4i3i 1f1e 3i4i 9g9f 9f9e 8g8f 8f8e");
    assert_eq!(story(&game, &Atlas::shipped()).sides[0].broke, None);
}

#[test]
fn an_analysis_says_what_was_built() {
    let (game, built) = building("mino", DISMANTLED);
    let settings = AnalysisSettings::new(SavedGame::new("a game", 1, &game)).unwrap();
    let limits = SearchLimits { nodes: Some(20), ms: None, depth: None };
    let settings = AnalysisSettings { limits, ..settings };
    let analysis: GameAnalysis =
        judge(&settings, Context { threads: 1, observer: &Silent }).unwrap();
    let text = |lang| analysis.text(TextLayout { kanji: false, lang });
    let english = text(Lang::English);
    assert!(english.contains("\nBlack: mino, 100 %"), "{english}");
    assert_eq!(english.matches("        Black has finished the mino\n").count(), 1);
    let japanese = text(Lang::Japanese);
    assert!(japanese.contains("先手：美濃囲い 100％") && japanese.contains("先手の美濃囲いが完成"));
    let json = analysis.to_json();
    let formations = &json["formations"];
    assert_eq!(formations["black"]["castle"]["id"], "mino");
    assert!(formations["black"]["japanese"].as_str().unwrap().starts_with("先手：美濃囲い 100％"));
    assert_eq!(formations["white"], Value::Null);
    let events = formations["events"].as_array().unwrap();
    let is_mino = |event: &&Value| event["what"] == "finished" && event["castle"]["id"] == "mino";
    let finished = events.iter().find(is_mino).unwrap();
    assert_eq!((&finished["number"], &finished["side"]), (&built.into(), &"black".into()));
    let comments = |lang| analysis.annotated(lang).main.moves[built - 1].comments.clone();
    assert!(comments(Lang::English).contains(&"Black has finished the mino".to_owned()));
    assert!(comments(Lang::Japanese).contains(&"先手の美濃囲いが完成".to_owned()));
    let page = analysis.page("made by a test").to_html();
    assert!(page.contains("Black has finished the mino") && page.contains("先手の美濃囲いが完成"));
}

#[test]
fn a_plan_says_which_rule_it_follows() {
    let atlas = Atlas::shipped();
    let plan = |sfen: &str, color: Color| {
        let position = Position::from_sfen(sfen).unwrap();
        let plan = atlas.plan(&position, color, 6).unwrap();
        let texts = Lang::ALL.map(|lang| plan_text(&atlas, &position, color, &plan, lang));
        (plan_json(&atlas, &position, color, &plan), texts)
    };
    // A ranging rook of Black, and nothing else is decided.
    let ranging = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2PP5/PP2PPPPP/1B1R5/LNSGKGSNL w - 6";
    let (json, texts) = plan(ranging, Color::Black);
    assert_eq!(json["why"]["rule"], "first", "{json}");
    assert_eq!(json["why"]["instead_of"], Value::Null);
    let why = json["why"]["text"].as_str().unwrap();
    assert!(texts[0].contains(&format!("The first aim: {why}")), "{}", texts[0]);
    assert!(texts[1].contains(json["why"]["japanese"].as_str().unwrap()), "{}", texts[1]);
    // Against another ranging rook a mino gives way.
    let ranging = "lnsgkgsnl/5r1b1/ppppp2pp/5pp2/2P6/9/PP1PPPPPP/1BR6/LNSGKGSNL b - 7";
    let (json, texts) = plan(ranging, Color::Black);
    assert_eq!(
        (&json["why"]["rule"], &json["castle"]["id"]),
        (&"swap".into(), &"peerless_golds".into())
    );
    assert_eq!(json["why"]["instead_of"]["id"], "mino");
    let why = json["why"]["text"].as_str().unwrap();
    assert!(texts[0].contains(&format!("Instead of the mino: {why}")), "{}", texts[0]);
    assert!(texts[1].contains("美濃囲いに代えて："), "{}", texts[1]);
}
