//! Castles that are built by legal moves are recognised, whole and with a guard missing or misplaced.

use tesuji_eval::formations::{Atlas, Castle, Found, Recognition};
use tesuji_shogi::{Color, Piece, PieceKind, Position};

/// The castle that is recognised, and whether none but the wanted one fits as well.
fn recognised(atlas: &Atlas, position: &Position, color: Color, wanted: usize) -> (bool, bool) {
    let formations = atlas.formations();
    let complete = formations.castle_fit(position, color, wanted).complete;
    let all = formations.castles_by_fit(position, color);
    let rival = |found: &&Found<'_, Castle>| found.index != wanted && found.complete >= complete;
    let is_alone = all.iter().find(rival).is_none();
    let seen = Recognition::new(formations, position);
    let found = seen.of(color).castle.as_ref().map(|castle| castle.index);
    (found == Some(wanted), is_alone)
}

/// The position without a guard, or with the guard on a square beside its own.
fn spoiled(position: &Position, color: Color, castle: &Castle) -> Vec<Position> {
    let guards = castle
        .shape()
        .pieces
        .iter()
        .filter(|(kind, _)| matches!(kind, PieceKind::Gold | PieceKind::Silver));
    let mut all = Vec::new();
    for &(kind, square) in guards {
        let square = square.seen_by(color);
        let own = |at: &(_, Piece)| at.0 != square;
        let rest: Vec<_> = position.pieces().filter(own).collect();
        let reach = tesuji_shogi::attacks::king(square).without(position.occupied());
        let beside = reach.into_iter().map(|to| Some((to, Piece::new(color, kind))));
        for piece in beside.take(2).chain([None]) {
            let hands = Color::ALL.map(|side| position.hand(side));
            let pieces = rest.iter().copied().chain(piece);
            let made = Position::from_parts(pieces, hands, color, position.ply());
            all.extend(made.ok());
        }
    }
    all
}

#[test]
fn castles_that_are_built_from_the_start_are_recognised() {
    let atlas = Atlas::shipped();
    let castles = atlas.formations().castles();
    let (mut finished, mut right, mut alone) = (0, 0, 0);
    let (mut spoiled_right, mut spoiled_alone) = (0, 0);
    let mut wrong = Vec::new();
    for (index, castle) in castles.iter().enumerate() {
        for color in Color::ALL {
            let start = Position::startpos();
            let plan = atlas.plan_castle(&start, color, index).expect("nobody is in check");
            let position = plan.carried_out(&start, color);
            if !plan.finished {
                wrong.push(format!("{} is not finished", castle.names.id));
                continue;
            }
            finished += 1;
            let (is_right, is_alone) = recognised(&atlas, &position, color, index);
            alone += usize::from(is_alone);
            right += usize::from(is_right && is_alone);
            if is_alone && !is_right {
                wrong.push(castle.names.id.clone());
            }
            for position in spoiled(&position, color, castle) {
                let (is_right, is_alone) = recognised(&atlas, &position, color, index);
                spoiled_alone += usize::from(is_alone);
                spoiled_right += usize::from(is_right && is_alone);
            }
        }
    }
    let counts = format!(
        "{finished} of {} finished, {right} of {alone} right, spoiled {spoiled_right} of \
         {spoiled_alone}; {wrong:?}",
        2 * castles.len()
    );
    println!("{counts}");
    assert!(10 * finished >= 9 * 2 * castles.len(), "{counts}");
    assert!(20 * right >= 19 * alone && alone > castles.len(), "{counts}");
    assert!(20 * spoiled_right >= 19 * spoiled_alone && spoiled_alone > 500, "{counts}");
}

/// 200 positions of our own self-play (1,500 nodes a move, from openings with a ranging rook, from
/// static ones and from our usual ones), both sides labelled by hand, by one reader, who ran no
/// matcher but had read the definitions. `a|b` are names that would both be right.
const LABELS: &str = include_str!("data/castle_labels.tsv");

#[test]
fn castles_are_named_as_a_reader_names_them() {
    let atlas = Atlas::shipped();
    let (mut right, mut all) = (0, 0);
    let (mut plain_right, mut plain) = (0, 0);
    for line in LABELS.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_sfen(fields[0]).unwrap();
        let seen = Recognition::new(atlas.formations(), &position);
        for (color, labels) in Color::ALL.into_iter().zip(&fields[1..]) {
            let castle = seen.of(color).castle.as_ref();
            let name = castle.map_or("none", |castle| &castle.formation.names.id);
            let is_right = labels.split('|').any(|label| label == name);
            all += 1;
            right += usize::from(is_right);
            if !labels.contains('|') && *labels != "none" {
                plain += 1;
                plain_right += usize::from(is_right);
            }
        }
    }
    println!("{right} of {all} sides; of those with one name {plain_right} of {plain}");
    assert_eq!(all, 400);
    assert!(100 * right >= 92 * all, "{right} of {all}");
    assert!(100 * plain_right >= 90 * plain, "{plain_right} of {plain}");
}
