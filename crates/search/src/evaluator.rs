//! What a position is worth to the search.

mod adjusted;
mod phase;
mod stack;
mod tables;

use tesuji_eval::Weights;
use tesuji_eval::tables::PieceValues;
use tesuji_shogi::{BoardChange, Color, ExchangeValues, Hand, Piece, PieceKind, Position};

pub use adjusted::Adjusted;
pub use phase::Phase;
pub use stack::StateStack;
pub use tables::Tables;

use crate::score::EVAL_LIMIT;

/// An evaluation. What it keeps of a position is a state in a slot of a stack that the search owns
/// ([`StateStack`]): the slot of a move is written when the move is made, and nothing is taken
/// back.
///
/// A move may just be noted in its slot, and worked out when a score is asked for: many positions
/// are cut before that. The nearest state that was worked out is further up in the stack.
pub trait Evaluator: Sync {
    /// What is kept from move to move.
    type State: Clone + Default + Send;

    /// Writes the state of a position, worked out from its pieces.
    fn init(&self, position: &Position, slot: &mut Self::State);

    /// Writes the state after a move: `before` and `after` are the positions around it, `parent` is
    /// the state before it.
    fn push(
        &self,
        parent: &Self::State,
        slot: &mut Self::State,
        before: &Position,
        change: &BoardChange,
        after: &Position,
    );

    /// Writes the state after a pass (the null move), which changes nothing but whose move it is.
    fn pass(&self, parent: &Self::State, slot: &mut Self::State) {
        slot.clone_from(parent);
    }

    /// The score in the view of the side to move, in centipawns. `line` has the states from the
    /// root to this position, which is the last.
    fn score(&self, line: &mut [Self::State], position: &Position) -> i32;

    /// The score of a position that stands alone.
    fn evaluate(&self, position: &Position) -> i32 {
        let mut line = [Self::State::default()];
        self.init(position, &mut line[0]);
        self.score(&mut line, position)
    }

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
    /// What pieces are worth to it.
    pub const fn piece_values() -> PieceValues {
        PieceValues { board: BOARD, hand: HAND }
    }

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

    fn init(&self, position: &Position, slot: &mut i32) {
        let side = |color: Color| {
            let board: i32 = PieceKind::ALL
                .iter()
                .map(|&kind| BOARD[kind.index()] * position.of(color, kind).count() as i32)
                .sum();
            board + Self::hand(position.hand(color))
        };
        *slot = side(Color::Black) - side(Color::White);
    }

    #[inline]
    fn push(&self, parent: &i32, slot: &mut i32, _: &Position, change: &BoardChange, _: &Position) {
        let moved = change.moved.kind();
        let mut gain = BOARD[change.set_down.kind().index()];
        gain -= if change.from.is_some() { BOARD[moved.index()] } else { Self::held(moved) };
        if let Some(kind) = change.captured.map(Piece::kind) {
            gain += BOARD[kind.index()] + Self::held(kind);
        }
        *slot = match change.side {
            Color::Black => parent + gain,
            Color::White => parent - gain,
        };
    }

    #[inline]
    fn score(&self, line: &mut [i32], position: &Position) -> i32 {
        let state = line.last().copied().unwrap_or(0);
        match position.side_to_move() {
            Color::Black => state,
            Color::White => -state,
        }
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}

/// A weighted sum of features. Features are one-sided, so the score is half of what the side to
/// move has more in its own view than the opponent in theirs.
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

    fn init(&self, _: &Position, (): &mut ()) {}

    fn push(&self, (): &(), (): &mut (), _: &Position, _: &BoardChange, _: &Position) {}

    fn score(&self, _: &mut [()], position: &Position) -> i32 {
        let difference = self.weights.difference(position, position.side_to_move());
        (difference / 2).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}

#[cfg(test)]
mod tests;
