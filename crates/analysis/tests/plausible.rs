//! What moves are for, in words: each generator speaks both languages, and names the pieces.

use tesuji_analysis::Subject;
use tesuji_analysis::plausible::{
    MovesSettings, PlausibleMoves, Purpose, RatedMove, generator_nouns, plausible_moves,
};
use tesuji_analysis::subject::parse_position;
use tesuji_eval::plausible::{Cut, Generator, Generator as G};
use tesuji_report::Lang;
use tesuji_shogi::{Move, Position};

fn moves_of(text: &str) -> PlausibleMoves {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let (position, last) = parse_position(&words).unwrap();
    let settings =
        MovesSettings { merit: "fitted".into(), cut: Cut::Merit, ask_all: true, mv: None };
    plausible_moves(Subject::new(position, last), &settings).unwrap()
}

fn find<'a>(found: &'a PlausibleMoves, mv: &str) -> &'a RatedMove {
    let mv: Move = mv.parse().unwrap();
    found.moves.iter().find(|rated| rated.mv == mv).unwrap_or_else(|| panic!("{mv}"))
}

/// The phrases of a generator for a move, or of what it costs.
fn phrases(text: &str, mv: &str, generator: Option<Generator>) -> [String; 2] {
    let found = moves_of(text);
    let rated = find(&found, mv);
    let reason = rated.reasons.iter().find(|worded| worded.reason.generator == generator);
    reason.unwrap_or_else(|| panic!("{generator:?} of {mv}: {:?}", rated.words)).words.clone()
}

const PIN: &str = "k3r4/9/9/9/4S4/9/9/9/4K4 b G 1";
const ATTACKED: &str = "4k4/9/3r5/9/9/9/3S5/9/4K4 b GP 1";
const TIED: &str = "k3r4/9/9/9/4S4/4P4/9/9/8K b G 1";
const HIDDEN: &str = "4k4/7b1/6p2/9/9/9/9/1R7/4K4 b - 1";
const START: &str = "startpos";

/// A generator, a position, a move that it produces, and how that is said.
const CASES: [(G, &str, &str, &str, &str); 23] = [
    (G::Capture, "startpos moves 7g7f 3c3d", "8h2b+", "takes the bishop on 2b", "２二角を取る"),
    (G::Promote, "k8/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+", "promotes the pawn", "と金を作る"),
    (G::Check, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5e", "gives check", "王手"),
    (
        G::AttackKing,
        "4k4/9/9/9/9/9/9/9/4K4 b R 1",
        "R*4e",
        "bears on 4a and 4b beside the king",
        "玉の周りの４一・４二に利かす",
    ),
    (
        G::AttackMaterial,
        "4k4/9/4r1s2/9/9/9/9/9/K8 b N 1",
        "N*4e",
        "attacks the silver on 3c and the rook on 5c",
        "銀飛両取り（３三・５三）",
    ),
    (
        G::DiscoveredAttack,
        "4k4/7r1/9/9/9/9/2P6/1B7/4K4 b - 1",
        "7g7f",
        "uncovers the bishop's attack on the rook on 2b",
        "角の利きを開いて２二飛に当てる",
    ),
    (
        G::ThreatenPromotion,
        "k8/9/9/9/4P4/9/9/9/4K4 b - 1",
        "5e5d",
        "threatens to promote on 5c",
        "５三での成りを狙う",
    ),
    (
        G::AnswerCheck,
        "k3r4/9/9/9/9/9/9/9/4K4 b P 1",
        "P*5h",
        "stands between the king and the check",
        "合駒で王手を防ぐ",
    ),
    (
        G::DefendKing,
        "4k4/9/9/9/9/9/4p4/6G2/4K4 b - 1",
        "3h4h",
        "guards 5h beside the king",
        "玉の周りの５八を守る",
    ),
    (G::DefendMaterial, ATTACKED, "G*6h", "defends the silver on 6g", "６七銀を守る"),
    (G::DefendMaterial, ATTACKED, "6g5f", "moves the silver on 6g out of danger", "６七銀を逃がす"),
    (
        G::DefendMaterial,
        ATTACKED,
        "P*6e",
        "closes the line to the silver on 6g",
        "６七銀への利きを遮る",
    ),
    (
        G::DefendDiscovered,
        HIDDEN,
        "8h7h",
        "moves the rook on 8h out of the hidden line of the bishop",
        "角の陰の利きから８八飛を逃がす",
    ),
    (
        G::DefendPromotion,
        "4k4/9/9/9/9/4p4/9/9/3G4K b - 1",
        "6i6h",
        "guards 5g, where White could promote",
        "５七への成り込みに備える",
    ),
    (G::DefendPin, PIN, "G*6e", "protects the pinned silver on 5e", "ピンされた５五銀を守る"),
    (G::DefendPin, PIN, "5i4i", "unpins the silver on 5e", "５五銀のピンを外す"),
    (G::EaseTie, TIED, "G*6e", "gives the silver on 5e one more guard", "５五銀にひもを足す"),
    (
        G::DefendExchange,
        TIED,
        "G*6e",
        "strengthens the defence of the silver on 5e",
        "５五銀の守りを増やす",
    ),
    (
        G::GuardUndefended,
        START,
        "5i6h",
        "protects the pawns on 5g and 6g, which nobody protected",
        "浮いている５七歩・６七歩にひもをつける",
    ),
    (
        G::CoverOwnCamp,
        START,
        "5i6h",
        "covers 5g and 6g in the own camp",
        "自陣の５七・６七に利かす",
    ),
    (
        G::Develop,
        START,
        "9g9f",
        "is a move of the book, heads for the boat castle, pushes the edge pawn, as masters do",
        "定跡の手、囲い（舟囲い）を進める、端歩を突く",
    ),
    (
        G::Pin,
        "4k4/9/6n2/9/9/9/9/9/4K4 b B 1",
        "B*1e",
        "pins the knight on 3c to the king",
        "３三桂をピンする（後ろは玉）",
    ),
    (
        G::CoverEnemyCamp,
        "4k4/9/9/9/9/9/9/9/4K4 b P 1",
        "P*1d",
        "covers 1c in the enemy camp",
        "敵陣の１三に利かす",
    ),
];

#[test]
fn every_generator_has_its_phrase() {
    for (generator, position, mv, english, japanese) in CASES {
        let found = phrases(position, mv, Some(generator));
        assert_eq!(found, [english, japanese], "{generator} of {mv}");
    }
    let spoken = |generator: Generator| CASES.iter().any(|case| case.0 == generator);
    let silent: Vec<Generator> = G::ALL.into_iter().filter(|&g| !spoken(g)).collect();
    assert_eq!(silent, [G::AvoidDevelopment], "its squares depend on what was learned");
}

#[test]
fn a_square_that_the_enemy_wants_is_named_with_the_piece() {
    let found = moves_of("startpos moves 7g7f 8c8d");
    let avoids = Some(Generator::AvoidDevelopment);
    let mut reasons = found.moves.iter().flat_map(|rated| &rated.reasons);
    let worded = reasons.find(|worded| worded.reason.generator == avoids).expect("some move does");
    let [english, japanese] = &worded.words;
    assert!(english.contains(", which White wants for the "), "{english}");
    assert!(japanese.starts_with("後手が") && japanese.contains("で狙う"), "{japanese}");
}

#[test]
fn costs_say_what_is_lost() {
    let bare = "4k4/9/3r5/9/9/9/3S5/9/4K4 b GP 1";
    let [english, japanese] = phrases(bare, "P*1e", None);
    assert_eq!(english, "leaves the silver on 6g to be won");
    assert_eq!(japanese, "６七銀が取られそう");
    let [english, japanese] = phrases(bare, "G*6d", None);
    assert!(english.starts_with("can lose the gold"), "{english}");
    assert!(japanese.starts_with("金を取られる"), "{japanese}");
}

#[test]
fn a_check_and_an_attack_are_one_word_in_japanese() {
    let found = moves_of("4k4/9/9/9/r8/9/9/9/4K4 b B 1");
    let rated = find(&found, "B*7c");
    assert!(rated.words[1].contains("王手飛取り（９五）"), "{}", rated.words[1]);
    assert!(rated.words[0].contains("gives check, attacks the rook on 9e"), "{}", rated.words[0]);
}

#[test]
fn what_protects_a_piece_is_told_once() {
    let found = moves_of(TIED);
    let [english, japanese] = &find(&found, "G*6e").words;
    assert_eq!(english.matches("the silver on 5e").count(), 1, "{english}");
    assert_eq!(japanese.matches("５五銀").count(), 1, "{japanese}");
}

#[test]
fn the_purpose_of_a_move_is_short() {
    let position = Position::startpos();
    let purpose = Purpose::of(&position, None, "5i6h".parse().unwrap(), 2);
    assert!(purpose.generators.contains(Generator::GuardUndefended));
    assert!(!purpose.text(Lang::English).is_empty());
    assert!(purpose.text(Lang::Japanese).matches('、').count() <= 4, "{purpose:?}");
    let nothing = Purpose::of(&position, None, "1i1h".parse().unwrap(), 2);
    assert!(nothing.generators.is_empty() && nothing.text(Lang::English).is_empty());
}

#[test]
fn every_generator_has_a_name_of_its_own_in_both_languages() {
    for lang in Lang::ALL {
        let mut names: Vec<&str> = Generator::ALL.map(|of| generator_nouns(of, lang)).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Generator::COUNT);
    }
}
