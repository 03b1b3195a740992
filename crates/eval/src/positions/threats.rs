//! Features of the whole position: what can be taken, checks, the safety of kings, open lines.

use tesuji_shogi::{Bitboard, Color, ExchangeValues, Piece, PieceKind, Position, Square, attacks};

use super::groups::{CODES, GAINS, Group};
use super::perspective::{EMPTY, Perspective};

/// Where ranges of gains begin. Taking counts twice, once on the board and once in hand.
const GAIN_STEPS: [i32; GAINS - 1] =
    [1, 250, 450, 650, 850, 1050, 1250, 1650, 1850, 2050, 2500, 3200];

impl Perspective<'_> {
    /// The features that any move may change.
    pub fn whole_features(&self, values: &ExchangeValues, visit: &mut impl FnMut(usize)) {
        let attacked = [self.us, !self.us]
            .map(|color| self.position.attacked_squares(color, self.position.occupied()));
        self.exchange_features(attacked, values, visit);
        self.check_features(visit);
        self.safety_features(attacked, visit);
        self.line_features(visit);
    }

    /// What the opponent gains by taking, and what the viewer would gain.
    fn exchange_features(
        &self,
        attacked: [Bitboard; 2],
        values: &ExchangeValues,
        visit: &mut impl FnMut(usize),
    ) {
        let mut most = |group: Group, taker: Color, attacked: Bitboard| {
            let (mut first, mut second) = (0, 0);
            for square in attacked & self.position.of_color(!taker) {
                let gain = self.position.capture_gain(square, taker, values);
                let Some(piece) = self.position.piece_on(square) else { continue };
                if gain == 0 || piece.kind() == PieceKind::King {
                    continue;
                }
                visit(group.feature(piece.kind().index() * GAINS + range_of(gain)));
                if gain > first {
                    (first, second) = (gain, first);
                } else {
                    second = second.max(gain);
                }
            }
            [first, second].map(range_of)
        };
        let losses = most(Group::Loss, !self.us, attacked[1]);
        let threats = most(Group::Threat, self.us, attacked[0]);
        visit(Group::Balance.feature(losses[0] * GAINS + threats[0]));
        visit(Group::SecondBalance.feature(losses[1] * GAINS + threats[1]));
    }

    /// A check that the opponent has to answer.
    fn check_features(&self, visit: &mut impl FnMut(usize)) {
        let checkers = self.position.checkers();
        let Some(checker) = checkers.first().filter(|_| self.position.side_to_move() != self.us)
        else {
            return;
        };
        let (kind, takers) = if checkers.has_several() {
            (PieceKind::King, Bitboard::EMPTY)
        } else {
            let piece = self.position.piece_on(checker).map_or(PieceKind::King, Piece::kind);
            let occupied = self.position.occupied();
            (piece, self.position.attackers(checker, !self.us, occupied))
        };
        let king = self.position.of(!self.us, PieceKind::King);
        let taken_by =
            usize::from(!takers.is_empty()) + usize::from(!takers.without(king).is_empty());
        let distance =
            usize::from(self.kings[1].distance(checker.seen_by(self.us))).clamp(1, 3) - 1;
        let left = match self.position.count_legal_moves() {
            few @ 0..=3 => few,
            4..=6 => 4,
            _ => 5,
        };
        visit(Group::Check.feature(((kind.index() * 3 + distance) * 3 + taken_by) * 6 + left));
    }

    /// How safe the kings are.
    fn safety_features(&self, attacked: [Bitboard; 2], visit: &mut impl FnMut(usize)) {
        for (side, color) in [self.us, !self.us].into_iter().enumerate() {
            let Some(king) = self.position.king(color) else { continue };
            let (around, enemy) = (attacks::king(king), attacked[1 - side]);
            let escapes = around.without(self.position.of_color(color) | enemy).count() as usize;
            let danger = (around & enemy).count() as usize;
            let hand = self.position.hand(!color);
            let strong = [PieceKind::Gold, PieceKind::Silver, PieceKind::Rook, PieceKind::Bishop];
            let held: u8 = strong.into_iter().map(|kind| hand.count(kind)).sum();
            let index = ((side * 9 + escapes) * 9 + danger) * 4 + usize::from(held.min(3));
            visit(Group::KingSafety.feature(index));
            let places = (around & enemy).without(self.position.occupied());
            self.breach_features(side, places, escapes.min(3), visit);
        }
    }

    /// Where one side may give mate beside the king of the other.
    fn breach_features(
        &self,
        side: usize,
        places: Bitboard,
        escapes: usize,
        visit: &mut impl FnMut(usize),
    ) {
        let color = if side == 0 { self.us } else { !self.us };
        let Some(king) = self.position.king(color) else { return };
        let occupied = self.position.occupied();
        let alone = |&square: &Square| {
            let guards = self.position.attackers(square, color, occupied);
            guards.without(Bitboard::of(king)).is_empty()
        };
        let open: Bitboard = places.into_iter().filter(alone).collect();
        if open.is_empty() {
            return;
        }
        let mut count = |what: usize, squares: Bitboard| {
            let many = squares.count().min(2) as usize;
            if many > 0 {
                visit(Group::Breach.feature(((side * 8 + what) * 2 + many - 1) * 4 + escapes));
            }
        };
        for (kind, _) in self.position.hand(!color).iter() {
            let checks = attacks::of(Piece::new(color, kind), king, occupied);
            count(kind.index(), open & checks);
        }
        let twice =
            |&square: &Square| self.position.attackers(square, !color, occupied).has_several();
        count(7, open.into_iter().filter(twice).collect());
    }

    /// How far lances, bishops and rooks look, and what they look at.
    fn line_features(&self, visit: &mut impl FnMut(usize)) {
        let occupied = self.position.occupied();
        for (square, piece) in sliders(self.position) {
            let side = if piece.color() == self.us { 0 } else { 5 };
            let slider = side + slider_number(piece.kind());
            let reach = attacks::of(piece, square, occupied);
            let free = reach.without(self.position.of_color(piece.color())).count().min(16);
            visit(Group::Mobility.feature(slider * 17 + free as usize));
            let stops = reach & occupied;
            for stop in stops & rays(piece, square) {
                let behind = attacks::of(piece, square, occupied.without(Bitboard::of(stop)))
                    .without(reach)
                    & occupied;
                let next = behind.first().map_or(EMPTY, |square| self.code(square));
                visit(Group::Ray.feature((slider * CODES + self.code(stop)) * CODES + next));
            }
        }
    }
}

/// The range that a gain falls into.
fn range_of(gain: i32) -> usize {
    GAIN_STEPS.iter().filter(|&&step| gain >= step).count()
}

/// The number of a kind that slides.
const fn slider_number(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Lance => 0,
        PieceKind::Bishop => 1,
        PieceKind::Rook => 2,
        PieceKind::Horse => 3,
        _ => 4,
    }
}

/// The lines along which a piece slides, on an empty board.
fn rays(piece: Piece, square: Square) -> Bitboard {
    match piece.kind() {
        PieceKind::Lance => attacks::lance_ray(piece.color(), square),
        PieceKind::Bishop | PieceKind::Horse => attacks::bishop_rays(square),
        _ => attacks::rook_rays(square),
    }
}

/// All pieces that slide.
pub(super) fn sliders(position: &Position) -> impl Iterator<Item = (Square, Piece)> + '_ {
    let squares = position.of_kind(PieceKind::Lance)
        | position.diagonal_sliders()
        | position.straight_sliders();
    squares.into_iter().filter_map(|square| Some((square, position.piece_on(square)?)))
}
