//! Moves as arrows.

use tesuji_shogi::Origin;

use super::BoardFigure;
use crate::Drawing;

/// The length of the head, and half its width.
const HEAD: (f64, f64) = (15.0, 9.0);
/// How far before the middle of its square an arrow ends, so that a piece there can be read.
const BEFORE_PIECE: f64 = 13.0;
/// The distance between arrows that would cover each other.
const APART: f64 = 11.0;

type Point = (f64, f64);

/// Draws the arrows of a board, side by side where they would lie on each other.
pub(super) fn draw_arrows(d: &mut Drawing, board: &BoardFigure) {
    let ends: Vec<(Point, Point)> = board.arrows.iter().map(|arrow| ends(board, arrow)).collect();
    for (i, arrow) in board.arrows.iter().enumerate() {
        let bundle: Vec<usize> =
            (0..ends.len()).filter(|&other| lie_together(ends[i], ends[other])).collect();
        let place = bundle.iter().position(|&other| other == i).unwrap_or(0) as f64;
        let aside = (place - (bundle.len() as f64 - 1.0) / 2.0) * APART;
        let occupied = board.position.piece_on(arrow.mv.to()).is_some();
        let short = if occupied { BEFORE_PIECE } else { 0.0 };
        d.group(arrow.kind.class(), |d| draw_arrow(d, ends[i], aside, short));
    }
}

/// From where to where an arrow goes.
fn ends(board: &BoardFigure, arrow: &super::Arrow) -> (Point, Point) {
    let from = match arrow.mv.origin() {
        Origin::Board(square) => board.centre(square),
        Origin::Hand(kind) => board.centre_in_hand(board.position.side_to_move(), kind),
    };
    (from, board.centre(arrow.mv.to()))
}

/// Do two arrows start at the same place in the same direction?
fn lie_together((from, to): (Point, Point), (other_from, other_to): (Point, Point)) -> bool {
    let (ax, ay) = (to.0 - from.0, to.1 - from.1);
    let (bx, by) = (other_to.0 - from.0, other_to.1 - from.1);
    let lengths = ax.hypot(ay) * bx.hypot(by);
    from == other_from && (ax * by - ay * bx).abs() <= 0.05 * lengths && ax * bx + ay * by > 0.0
}

fn draw_arrow(d: &mut Drawing, (from, to): (Point, Point), aside: f64, short: f64) {
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    if length < 1.0 {
        return;
    }
    let (ux, uy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
    // A point so far along the arrow, so far to its side.
    let at = |along: f64, side: f64| {
        let side = side + aside;
        (from.0 + ux * along - uy * side, from.1 + uy * along + ux * side)
    };
    let (tip, start) = (length - short, f64::min(9.0, length / 4.0));
    let neck = tip - HEAD.0;
    let head = [at(tip, 0.0), at(neck, HEAD.1), at(neck, -HEAD.1)];
    d.path(&head, true, "under");
    d.line(at(start, 0.0), at(neck, 0.0), "under");
    d.line(at(start, 0.0), at(neck + 1.0, 0.0), "shaft");
    d.path(&head, true, "head");
}
