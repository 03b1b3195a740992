//! Zobrist hashing: the random numbers of which position keys are made, fixed at compile time.

use crate::{Color, Piece, PieceKind, Square};

/// One step of the SplitMix64 generator.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static BOARD: [[u64; Square::COUNT]; Piece::TABLE_SIZE] = {
    let mut table = [[0; Square::COUNT]; Piece::TABLE_SIZE];
    let mut state = 0x7465_7375_6a69_0001;
    let mut piece = 0;
    while piece < Piece::TABLE_SIZE {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = next(&mut state);
            square += 1;
        }
        piece += 1;
    }
    table
};

static HAND: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut state = 0x7465_7375_6a69_0002;
    let mut i = 0;
    while i < 16 {
        // Odd, so that no number of equal pieces in hand sums to zero.
        table[i / 8][i % 8] = next(&mut state) | 1;
        i += 1;
    }
    table
};

/// Added while White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = 0x5b2c_8f1d_90e4_a637;

/// The number of a piece on a square; combined by exclusive or.
#[inline(always)]
pub(crate) fn on_board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

/// The number of one piece in hand; combined by addition, once for each piece.
#[inline(always)]
pub(crate) fn in_hand(color: Color, kind: PieceKind) -> u64 {
    HAND[color.index()][kind.index() & 7]
}
