//! What a position is worth to the search.

mod tables;

use tesuji_eval::Weights;
use tesuji_shogi::{Color, ExchangeValues, Hand, Move, Origin, Piece, PieceKind, Position};

pub use tables::Tables;

use crate::score::EVAL_LIMIT;

/// An evaluation. What it keeps from move to move is a plain value beside the position: the search
/// copies it as it copies positions, and takes nothing back.
pub trait Evaluator: Sync {
    /// What is kept from move to move. It does not depend on whose move it is: a pass leaves it as
    /// it is.
    type State: Copy + Send;

    /// The state of a position, worked out from its pieces.
    fn state(&self, position: &Position) -> Self::State;

    /// The state after a move: `before` and `after` are the positions around it.
    fn after(
        &self,
        state: &Self::State,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> Self::State;

    /// The score in the view of the side to move, in hundredths of a pawn.
    fn score(&self, state: &Self::State, position: &Position) -> i32;

    /// What pieces are worth in exchanges.
    fn exchange_values(&self) -> &ExchangeValues;
}

/// The value of each kind of piece on the board, pawn = 100. The king has none.
const BOARD: [i32; PieceKind::COUNT] =
    [100, 300, 350, 500, 800, 1000, 550, 0, 500, 500, 500, 550, 1100, 1300];
/// The value of each plain kind in hand.
const HAND: [i32; 7] = [110, 320, 370, 520, 850, 1050, 570];

/// Pieces on the board and in hand, nothing else.
pub struct Material {
    values: ExchangeValues,
}

impl Default for Material {
    fn default() -> Self {
        Self { values: ExchangeValues::new(BOARD, HAND) }
    }
}

impl Material {
    /// What a piece of this kind is worth in hand.
    fn held(kind: PieceKind) -> i32 {
        HAND.get(kind.unpromoted().index()).copied().unwrap_or(0)
    }

    fn hand(hand: Hand) -> i32 {
        hand.iter().map(|(kind, count)| Self::held(kind) * i32::from(count)).sum()
    }
}

impl Evaluator for Material {
    /// What Black has more than White.
    type State = i32;

    fn state(&self, position: &Position) -> i32 {
        let side = |color: Color| {
            let board: i32 = PieceKind::ALL
                .iter()
                .map(|&kind| BOARD[kind.index()] * position.of(color, kind).count() as i32)
                .sum();
            board + Self::hand(position.hand(color))
        };
        side(Color::Black) - side(Color::White)
    }

    #[inline]
    fn after(&self, state: &i32, before: &Position, mv: Move, _: &Position) -> i32 {
        let captured = before.piece_on(mv.to()).map(Piece::kind);
        let mut gain = captured.map_or(0, |kind| BOARD[kind.index()] + Self::held(kind));
        match mv.origin() {
            Origin::Hand(kind) => gain += BOARD[kind.index()] - Self::held(kind),
            Origin::Board(from) if mv.is_promotion() => {
                let kind = before.piece_on(from).map(Piece::kind);
                let promoted = kind.and_then(PieceKind::promoted);
                if let (Some(kind), Some(promoted)) = (kind, promoted) {
                    gain += BOARD[promoted.index()] - BOARD[kind.index()];
                }
            }
            Origin::Board(_) => {}
        }
        match before.side_to_move() {
            Color::Black => state + gain,
            Color::White => state - gain,
        }
    }

    #[inline]
    fn score(&self, state: &i32, position: &Position) -> i32 {
        match position.side_to_move() {
            Color::Black => *state,
            Color::White => -state,
        }
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}

/// A weighted sum of features. Features are one-sided, so the score is half of what the side to move
/// has more in its own view than the opponent in theirs.
pub struct Linear {
    weights: Weights,
    values: ExchangeValues,
}

impl Linear {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        Self { weights, values: ExchangeValues::new(BOARD, HAND) }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Evaluator for Linear {
    type State = ();

    fn state(&self, _: &Position) {}

    fn after(&self, (): &(), _: &Position, _: Move, _: &Position) {}

    fn score(&self, (): &(), position: &Position) -> i32 {
        let difference = self.weights.difference(position, position.side_to_move());
        (difference / 2).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use tesuji_eval::PieceTables;

    use super::*;

    /// Plays random games and compares the state that is kept with the one that is worked out.
    fn is_kept_from_move_to_move<E: Evaluator<State: PartialEq + std::fmt::Debug>>(evaluator: &E) {
        let mut number: u64 = 1;
        for _ in 0..20 {
            let mut position = Position::startpos();
            let mut state = evaluator.state(&position);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = moves[(number >> 33) as usize % moves.len()];
                let next = position.after_unchecked(mv);
                state = evaluator.after(&state, &position, mv, &next);
                position = next;
                assert_eq!(state, evaluator.state(&position), "{}", position.to_sfen());
                if let Some(passed) = position.after_pass() {
                    assert_eq!(state, evaluator.state(&passed), "{}", position.to_sfen());
                }
            }
        }
    }

    #[test]
    fn material_is_kept_from_move_to_move() {
        is_kept_from_move_to_move(&Material::default());
    }

    #[test]
    fn tables_are_kept_from_move_to_move() {
        is_kept_from_move_to_move(&Tables::new(PieceTables::named("tables").unwrap()));
    }

    #[test]
    fn tables_say_what_the_pieces_say() {
        let tables = Tables::new(PieceTables::named("tables").unwrap());
        let text = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let position = Position::from_sfen(text).unwrap();
        let expected = tables.tables().score(&position) / tesuji_eval::tables::UNITS;
        assert_eq!(tables.score(&tables.state(&position), &position), expected);
    }

    #[test]
    fn both_sides_see_the_same_with_opposite_signs() {
        let weights = Weights::named("evolved").unwrap();
        let linear = Linear::new(weights);
        let black = Position::from_sfen(
            "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35",
        )
        .unwrap();
        let white = black.after_pass().unwrap();
        assert_eq!(linear.score(&(), &black), -linear.score(&(), &white));
    }
}
