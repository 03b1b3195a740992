//! The rules of shogi, exact and fast: positions, legal moves, attacks, exchange evaluation,
//! repetition, declaration, SFEN and USI text.
//!
//! The crate has no dependencies, does no input or output, keeps no global state that changes, and
//! knows nothing of evaluation or search.
//!
//! ```
//! use tesuji_shogi::{perft, Position};
//! assert_eq!(perft(&Position::startpos(), 3), 25_470);
//! ```

#![allow(long_running_const_eval)]

mod attack_counts;
pub mod attacks;
mod bitboard;
mod change;
mod color;
mod cpu;
mod display;
mod exchange;
mod game;
mod hand;
mod movegen;
mod moves;
mod perft;
mod piece;
mod position;
mod score;
mod square;
mod zobrist;

pub use attack_counts::AttackCounts;
pub use bitboard::{Bitboard, Squares};
pub use change::{BoardChange, HandChange};
pub use color::Color;
pub use cpu::{BitWork, with_bit_instructions};
pub use display::{BoardStyle, BoardText};
pub use exchange::ExchangeValues;
pub use game::{
    EndReason, EnteringKing, EnteringKingRule, Game, GameResult, Handicap, IllegalMove, Illegality,
    KeyHistory, Outcome, Repetition, Rules, UsiPositionError,
};
pub use hand::Hand;
pub use movegen::{CheckSquares, MoveKind, MoveSink};
pub use moves::{MAX_MOVES, Move, MoveList, Origin, ParseMoveError};
pub use perft::{divide, perft, perft_full};
pub use piece::{Piece, PieceKind};
pub use position::{Position, PositionError, SfenError};
pub use score::{ParseScoreError, Score};
pub use square::{ParseSquareError, Square};
