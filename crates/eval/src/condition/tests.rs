use super::*;
use crate::testing::{POSITIONS, changed_position};
use tesuji_shogi::Position;

fn holds(text: &str, sfen: &str) -> bool {
    let position = Position::from_sfen(sfen).unwrap();
    let condition = Condition::parse(text).unwrap_or_else(|error| panic!("{error}"));
    condition.holds(&Facts::new(&position))
}

const MIDDLE: &str =
    "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35";

#[test]
fn values_are_those_of_the_position() {
    for (text, expected) in [
        ("hand(B,knight) = 1", true),
        ("hand(B,rook) = 1", false),
        ("hand(B) = 2 and hand(W) = 1", true),
        ("hand(W,silver) >= 1 or check", true),
        ("not (hand(B,pawn) = 1)", false),
        ("board(B,gold) = 2 and board(B,dragon) = 0", true),
        ("turn = B", true),
        ("turn != B", false),
        ("ply > 34 and ply < 36", true),
        ("ply - 5 = 30", true),
        ("-(ply) = -35", true),
        ("(ply + 1) = 36", true),
        ("(ply = 1 or ply = 35) and turn = B", true),
        ("ply = 1 and turn = B or turn = B", true),
        ("ply = 1 and (turn = B or turn = B)", false),
        ("entered(B) or entered(W)", false),
        ("king_file(W) = 2 and king_rank(W) = 8", true),
        ("GOLD_VALUE(B) = 0 and LANCE_VALUE(B) = -LANCE_VALUE(W)", true),
        ("! check && turn == B || ply = 1", true),
    ] {
        assert_eq!(holds(text, MIDDLE), expected, "{text}");
    }
    let entered = "8k/9/4K4/9/9/9/9/9/9 b - 1";
    assert!(holds("entered(B) and not entered(W) and king_rank(W) = 9", entered));
    assert!(holds("check and turn = W", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"));
}

#[test]
fn castles_are_known_by_name_and_family() {
    let mino = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2R1SK1/LNSG1G1NL b - 1";
    for (text, expected) in [
        ("castle(B) = mino", true),
        ("castle(B) = none", false),
        ("castle(W) = none", true),
        ("castle(B) = \"static-rook anaguma\"", false),
        ("castle(B) != high_mino", true),
    ] {
        assert_eq!(holds(text, mino), expected, "{text}");
    }
}

#[test]
fn phases_go_by_progress() {
    for sfen in POSITIONS {
        let count =
            ["opening", "middle", "end"].map(|phase| holds(&format!("phase = {phase}"), sfen));
        assert_eq!(count.into_iter().filter(|&holds| holds).count(), 1, "{sfen}");
    }
    assert!(holds("phase = opening and progress = 0", Position::STARTPOS));
}

#[test]
fn mirrored_conditions_hold_where_players_changed_places() {
    let texts = [
        "progress(B)-progress(W) >= 0.25",
        "hand(B,rook) + hand(W) = 2 or entered(black)",
        "castle(W) = mino and not turn = B",
        "king_file(B) > king_rank(W) or board(W,pawn) < 9",
        "TOTAL_ATTACKING(B) >= 3 or -PAWN_VALUE(W) > 1 or check or phase = end",
    ];
    for text in texts {
        let condition = Condition::parse(text).unwrap();
        let mirrored = condition.mirrored();
        let again = Condition::parse(mirrored.text()).unwrap();
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let turned = changed_position(&position, true, &|square| square.seen_by(Color::White));
            let (facts, turned) = (Facts::new(&position), Facts::new(&turned));
            assert_eq!(condition.holds(&facts), mirrored.holds(&turned), "{text} in {sfen}");
            assert_eq!(mirrored.holds(&facts), again.holds(&facts), "{}", mirrored.text());
        }
        assert_eq!(mirrored.mirrored().text(), text);
    }
}

#[test]
fn wrong_conditions_are_marked() {
    for (text, message, mark) in [
        ("progres(B) > 0", "name \"progres\" is not known, did you mean progress?", "^^^^^^^"),
        ("hand(B,rok) = 2", "piece \"rok\" is not known, did you mean rook?", "       ^^^"),
        (
            "castle(W) = minoo",
            "castle \"minoo\" is not known, did you mean mino?",
            "            ^^^^^",
        ),
        ("entered(X)", "player \"X\" is not known, use B or W", "        ^"),
        ("ply >", "expected a number or a name here", "     ^"),
        ("ply", "expected <, <=, =, !=, >= or > here", "   ^"),
        ("(ply > 3", "expected ) here", "        ^"),
        ("ply > 3 ply", "expected and, or, or the end here", "        ^^^"),
        ("phase = late", "phase \"late\" is not known", "        ^^^^"),
        ("ply > $", "expected a number or a name here", "      ^"),
        ("", "expected a number or a name here", "^"),
        ("ply > 1.2.3", "expected a number or a name here", "      ^^^^^"),
    ] {
        let error = Condition::parse(text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.marked(), [format!("  {text}"), format!("  {mark}")]);
    }
    let deep = format!("{}ply = 1", "not ".repeat(100_000));
    assert!(Condition::parse(&deep).unwrap_err().message.contains("too many brackets"));
    let deep = format!("{}ply = 1", "(".repeat(1000));
    assert!(Condition::parse(&deep).is_err());
}

#[test]
fn a_set_says_what_each_condition_says() {
    let texts = [
        "progress(B)-progress(W) >= 0.25",
        "hand(B,rook) + hand(B,bishop) >= 1 and not check",
        "2 + hand(W) > hand(B) or turn = W",
        "-(ply) < -30",
        "castle(B) = none",
        "castle(W) = mino",
        "phase = end or entered(B)",
        "DTK_ENEMY_PAWN(B) >= 3",
        "DTK_ENEMY_PAWN(W) >= 3",
        "king_rank(B) = 9 and king_file(B) = 5",
    ];
    let conditions = texts.map(|text| Condition::parse(text).unwrap());
    let set = ConditionSet::new(&conditions);
    let mut answers = Answers::default();
    let mut held = 0;
    for sfen in POSITIONS {
        let position = Position::from_sfen(sfen).unwrap();
        let facts = Facts::new(&position);
        let expected: Vec<bool> = conditions.iter().map(|one| one.holds(&facts)).collect();
        assert_eq!(set.hold(&facts, &mut answers).collect::<Vec<_>>(), expected, "{sfen}");
        held += expected.iter().filter(|&&holds| holds).count();
    }
    assert!(held > 10);
}

#[test]
fn strategies_and_assaults_are_known_by_id() {
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B1R5/LNSGKGSNL w - 4";
    for (text, expected) in [
        ("strategy(B) = none", false),
        ("strategy(W) = none", true),
        ("strategy(B) = 四間飛車 or strategy(B) != fourth_file_rook", true),
        ("assault(B) = none", true),
        ("castle(B) = none and castle(W) = none", true),
    ] {
        assert_eq!(holds(text, sfen), expected, "{text}");
    }
    let error = Condition::parse("assault(B) = clambing_silver").unwrap_err().to_string();
    assert!(error.contains("did you mean climbing_silver"), "{error}");
}
