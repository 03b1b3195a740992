//! The mate solver against known problems, a plain search, and its own proofs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_search::Stop;
use tesuji_search::mate::{Flaw, Limits, Mate, Outcome, Solution, Solver, Verdict};
use tesuji_shogi::{Color, Hand, Piece, PieceKind, Position, Square};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

fn shortest() -> Limits {
    Limits { shortest: true, ..Limits::default() }
}

fn solve(sfen: &str, limits: &Limits) -> Solution {
    Solver::new(8).solve(&position(sfen), limits, Stop::never())
}

fn mate(sfen: &str, limits: &Limits) -> Mate {
    match solve(sfen, limits).outcome {
        Outcome::Mate(mate) => mate,
        other => panic!("{sfen}: {other:?}"),
    }
}

/// Is there a mate within so many plies? Every check, every answer, nothing remembered.
fn plain_mate(position: &Position, plies: u32) -> bool {
    position.checks().iter().any(|&mv| {
        let next = position.after_unchecked(mv);
        let replies = next.legal_moves();
        replies.is_empty()
            || plies > 2 && replies.iter().all(|&r| plain_mate(&next.after_unchecked(r), plies - 2))
    })
}

#[test]
fn known_mates_have_their_shortest_length() {
    for (length, sfen) in [
        (1, "4k4/9/4P4/9/9/9/9/9/9 b G 1"),
        (3, "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"),
        (5, "5B1n1/8k/6Rpp/9/9/9/9/9/9 b rb4g4s3n4l16p 1"),
        (7, "8k/7p1/1r7/5bS2/7N1/9/9/9/9 b RSNLb4g2s2n3l17p 1"),
        (9, "4k4/9/9/9/3+PP4/9/9/9/9 b 4G2r2b4s4n4l16p 1"),
        (11, "5n1k1/5ps2/7p1/8N/7P1/9/9/9/9 b RBrb4g3s2n4l15p 1"),
    ] {
        let mate = mate(sfen, &shortest());
        assert!(mate.is_shortest, "{sfen}");
        assert_eq!(mate.line.len(), length, "{sfen}");
        assert_eq!(mate.proof.replay(&position(sfen)), Ok(length as u16));
        // The line itself ends in mate.
        let end = mate.line.iter().try_fold(position(sfen), |p, &mv| p.after(mv));
        assert!(end.unwrap().is_checkmate(), "{sfen}");
    }
}

#[test]
fn white_may_be_the_attacker() {
    let mate = mate("9/9/9/9/9/9/4p4/9/4K4 w g 1", &shortest());
    assert_eq!(mate.line[0].to_string(), "G*5h");
}

#[test]
fn no_mate_is_proved() {
    for sfen in [
        // No check at all.
        "4k4/9/9/9/9/9/9/9/9 b - 1",
        // A single gold catches nobody.
        "9/9/9/9/4k4/9/9/9/9 b G 1",
        // No king to mate.
        "9/9/9/9/9/9/9/9/4K4 b 2G 1",
        Position::STARTPOS,
    ] {
        assert_eq!(solve(sfen, &Limits::default()).outcome, Outcome::NoMate, "{sfen}");
    }
}

#[test]
fn a_pawn_dropped_with_mate_is_no_mate() {
    let with_pawn = "7nk/9/7G1/9/9/9/9/9/9 b P 1";
    assert_eq!(solve(with_pawn, &Limits::default()).outcome, Outcome::NoMate);
    let with_lance = "7nk/9/7G1/9/9/9/9/9/9 b L 1";
    assert_eq!(mate(with_lance, &Limits::default()).line[0].to_string(), "L*1b");
}

#[test]
fn perpetual_check_is_no_mate() {
    for sfen in ["9/9/9/9/4k4/9/9/9/3R5 b - 1", "8k/9/9/9/9/9/9/9/7+R1 b - 1"] {
        let solution = solve(sfen, &Limits::default());
        assert_eq!(solution.outcome, Outcome::NoMate, "{sfen}");
    }
}

/// The attacker is in check himself: his first move has to answer that and give check.
#[test]
fn the_attacker_may_be_in_check() {
    let sfen = "4k4/9/4P4/9/9/9/9/4r4/4K4 b G 1";
    let solution = solve(sfen, &shortest());
    assert_eq!(solution.outcome, Outcome::NoMate);
    // Here the capture of the checking rook gives check, and the next gold mates.
    let sfen = "4k4/9/4P4/4r4/9/4R4/9/9/4K4 b G 1";
    assert!(plain_mate(&position(sfen), 1));
    assert_eq!(mate(sfen, &shortest()).line.len(), 1);
}

const HARD: &str = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
const ELEVEN: &str = "5n1k1/5ps2/7p1/8N/7P1/9/9/9/9 b RBrb4g3s2n4l15p 1";

#[test]
fn what_is_proved_holds_with_more_in_hand() {
    let mut solver = Solver::new(8);
    let limits = Limits::default();
    let first = solver.solve(&position(ELEVEN), &limits, Stop::never());
    assert!(first.nodes > 20, "{}", first.nodes);
    let richer = position("5n1k1/5ps2/7p1/8N/7P1/9/9/9/9 b RBLrb4g3s2n3l15p 1");
    let (again, _) = solver.find(&richer, &Limits { nodes: 2, ..limits }, Stop::never());
    assert!(matches!(again, Verdict::Mate { .. }), "{again:?}");
    // From an empty table two nodes are not enough.
    solver.forget();
    let anew = solver.find(&richer, &Limits { nodes: 2, ..limits }, Stop::never());
    assert_eq!(anew, (Verdict::Unknown, 2));
}

/// The board and one hand tell the other hand only as long as the pieces are the same.
#[test]
fn another_set_of_pieces_is_another_problem() {
    let mut solver = Solver::new(8);
    let mut find = |sfen| solver.find(&position(sfen), &Limits::default(), Stop::never()).0;
    // A lance from afar mates a king that has nothing to put between.
    let verdict = find("7lk/7p1/9/9/9/9/9/9/9 b L 1");
    assert!(matches!(verdict, Verdict::Mate { length: 1, .. }), "{verdict:?}");
    assert_eq!(find("7lk/7p1/9/9/9/9/9/9/9 b Lp 1"), Verdict::NoMate);
}

#[test]
fn the_same_limits_give_the_same_answer() {
    for nodes in [1, 50, 1000, 20_000] {
        let limits = Limits { nodes, ..Limits::default() };
        let (a, b) = (solve(HARD, &limits), solve(HARD, &limits));
        assert_eq!((&a.outcome, a.nodes), (&b.outcome, b.nodes));
        assert_eq!(a.outcome, Outcome::Unknown);
        assert_eq!(a.nodes, nodes);
    }
    // Forgetting is as good as a new solver.
    let mut solver = Solver::new(8);
    let first = solver.solve(&position(ELEVEN), &shortest(), Stop::never());
    solver.forget();
    let second = solver.solve(&position(ELEVEN), &shortest(), Stop::never());
    assert_eq!((first.outcome, first.nodes), (second.outcome, second.nodes));
}

#[test]
fn it_stops_when_told_to() {
    let stop = AtomicBool::new(true);
    let solution = Solver::new(8).solve(&position(HARD), &Limits::default(), Stop::new(&stop));
    assert_eq!(solution.outcome, Outcome::Unknown);
    assert!(solution.nodes < 1000, "{}", solution.nodes);
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    let solution = solve(HARD, &limits);
    assert_eq!(solution.outcome, Outcome::Unknown);
    assert!(solution.time < Duration::from_secs(2), "{:?}", solution.time);
}

/// What lies behind the horizon is not known, and never "no mate".
#[test]
fn a_line_cut_short_proves_nothing() {
    let limits = Limits { max_ply: 4, ..Limits::default() };
    assert_eq!(solve(ELEVEN, &limits).outcome, Outcome::Unknown);
}

#[test]
fn a_tiny_table_is_slower_but_right() {
    let mut solver = Solver::new(0);
    let solution = solver.solve(&position(ELEVEN), &shortest(), Stop::never());
    let Outcome::Mate(mate) = solution.outcome else { panic!("{:?}", solution.outcome) };
    assert_eq!((mate.line.len(), mate.is_shortest), (11, true));
    assert_eq!(mate.proof.replay(&position(ELEVEN)), Ok(11));
}

#[test]
fn a_proof_of_another_position_is_no_proof() {
    let proof = mate(ELEVEN, &Limits::default()).proof;
    let other = position(HARD);
    assert_eq!(proof.replay(&other), Err(Flaw::NoAnswer { sfen: other.to_sfen() }));
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % end
    }
}

/// A few pieces of either side around White's king, something in both hands, and Black to move.
fn made_up_problem(random: &mut Random) -> Option<Position> {
    let king = Square::new(1 + random.below(9) as u8, 1 + random.below(5) as u8)?;
    let mut pieces = vec![(king, Piece::new(Color::White, PieceKind::King))];
    for i in 0..5 + random.below(6) {
        let (files, ranks) = (random.below(7) as i8 - 3, random.below(7) as i8 - 3);
        let square = king.offset(files, ranks)?;
        let kind = PieceKind::from_index(random.below(PieceKind::COUNT))?;
        if kind != PieceKind::King && pieces.iter().all(|&(taken, _)| taken != square) {
            let color = if i % 3 == 0 { Color::White } else { Color::Black };
            pieces.push((square, Piece::new(color, kind)));
        }
    }
    let mut hand = || Hand::from_counts(std::array::from_fn(|_| u8::from(random.below(3) == 0)));
    Position::from_parts(pieces, [hand()?, hand()?], Color::Black, 1).ok()
}

/// One solver for all of them, so that nothing that it keeps from one position misleads it in the
/// next; and a solver that keeps next to nothing.
#[test]
fn it_agrees_with_a_plain_search() {
    let mut random = Random(1);
    let mut solvers = [Solver::new(1), Solver::new(0)];
    let limits = Limits { nodes: 5_000, ..shortest() };
    let (mut mates, mut no_mates) = (0, 0);
    for _ in 0..20_000 {
        let Some(position) = made_up_problem(&mut random) else { continue };
        let plain = [1, 3, 5].into_iter().find(|&plies| plain_mate(&position, plies));
        for solver in &mut solvers {
            match solver.solve(&position, &limits, Stop::never()).outcome {
                Outcome::Mate(mate) => {
                    let length = mate.line.len() as u32;
                    assert_eq!(mate.proof.replay(&position), Ok(length as u16), "{position:?}");
                    if mate.is_shortest {
                        assert_eq!(plain, Some(length).filter(|&l| l <= 5), "{position:?}");
                    }
                    assert!(plain.is_none_or(|plies| plies <= length), "{position:?}");
                    mates += 1;
                }
                Outcome::NoMate => {
                    assert_eq!(plain, None, "{position:?}");
                    no_mates += 1;
                }
                Outcome::Unknown => {}
                Outcome::Flawed(flaw) => panic!("{position:?}: {flaw}"),
            }
        }
    }
    assert!(mates > 200 && no_mates > 500, "{mates} {no_mates}");
}
