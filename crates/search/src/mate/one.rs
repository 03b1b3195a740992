//! Mates in one, and how many checks there are otherwise.

use tesuji_shogi::{Bitboard, Color, Move, Piece, PieceKind, Position, Square, attacks};

use super::holding::Holding;

/// What one look at the attacker's checks tells.
pub(super) enum Checks {
    /// A move that mates, and what it takes in hand.
    Mate(Move, Holding),
    /// So many checks, none of which mates.
    Count(u32),
}

/// Looks for a mate in one.
pub(super) fn look(position: &Position) -> Checks {
    let checks = position.checks();
    if checks.is_empty() {
        return Checks::Count(0);
    }
    let us = position.side_to_move();
    let Some(net) = Net::new(position, us) else { return Checks::Count(0) };
    for mv in &checks {
        if net.may_close(position, mv) {
            let mut next = *position;
            next.play_unchecked(mv);
            if !next.has_legal_move() {
                let needs = Holding::NOTHING.without_interpositions(&next);
                return Checks::Mate(mv, needs.before(position, mv));
            }
        }
    }
    Checks::Count(checks.len() as u32)
}

/// The squares around the enemy king, to rule out most checks as mates without playing them.
struct Net {
    us: Color,
    occupied: Bitboard,
    /// Where the king could go now.
    holes: Bitboard,
    /// Squares that our sliders reach: a piece that leaves one of them lets the slider pass.
    slider_reach: Bitboard,
}

impl Net {
    fn new(position: &Position, us: Color) -> Option<Self> {
        let king = position.king(!us)?;
        // The king does not hide the squares behind it.
        let occupied = position.occupied() ^ Bitboard::of(king);
        let around = attacks::king(king).without(position.of_color(!us));
        let holes = around.without(position.attacked_squares(us, occupied));
        let slider_reach = slider_reach(position, us, occupied);
        Some(Self { us, occupied, holes, slider_reach })
    }

    /// False only if the king surely has a square to go to after this check. What is attacked
    /// after the move was attacked before it, or is attacked by the piece from where it arrives, or
    /// by a slider that it let pass.
    fn may_close(&self, position: &Position, mv: Move) -> bool {
        let to = mv.to();
        if mv.from().is_some_and(|from| self.slider_reach.contains(from)) {
            return true;
        }
        let Some(piece) = arriving(position, self.us, mv) else { return true };
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = self.occupied.without(left) | Bitboard::of(to);
        let reached = attacks::of(piece, to, occupied) | Bitboard::of(to);
        self.holes.without(reached).is_empty()
    }
}

/// The piece as it stands after the move.
fn arriving(position: &Position, us: Color, mv: Move) -> Option<Piece> {
    match (mv.from(), mv.dropped()) {
        (_, Some(kind)) => Some(Piece::new(us, kind)),
        (Some(from), _) => {
            let piece = position.piece_on(from)?;
            if mv.is_promotion() { piece.promoted() } else { Some(piece) }
        }
        _ => None,
    }
}

fn slider_reach(position: &Position, us: Color, occupied: Bitboard) -> Bitboard {
    let own = position.of_color(us);
    let straight = own & position.straight_sliders();
    let diagonal = own & position.diagonal_sliders();
    let lances = position.of(us, PieceKind::Lance);
    let reach = |squares: Bitboard, of: &dyn Fn(Square) -> Bitboard| {
        squares.into_iter().fold(Bitboard::EMPTY, |reach, square| reach | of(square))
    };
    reach(straight, &|square| attacks::rook(square, occupied))
        | reach(diagonal, &|square| attacks::bishop(square, occupied))
        | reach(lances, &|square| attacks::lance(us, square, occupied))
}
