//! A position in 256 bits.
//!
//! Both formats write the side to move (1 bit), the squares of Black's and White's kings (7 bits
//! each), the other 79 squares in the order of their numbers, Black's hand, White's hand, and the
//! pieces of the set that are neither on the board nor in a hand (the box). A piece is written as
//! a prefix code, in hand or box with one bit less than on the board; an empty square is one zero
//! bit. A set therefore always takes 15 + 79 + 162 bits, wherever its pieces are, and a board
//! without a king, which has one square more to write, does not fit.
//!
//! The formats differ in the codes alone: see [`Alphabet`].

use tesuji_shogi::{Color, Hand, Piece, PieceKind, Position, Square};

use super::bits::{BitReader, BitWriter};
use crate::ParseErrorKind;

/// How many bytes a packed position has.
pub(crate) const PACKED_SIZE: usize = 32;

const KINDS: usize = PieceKind::HAND.len();

/// How many bits a piece on the board takes, in the order of [`PieceKind::HAND`].
const BOARD_BITS: [u8; KINDS] = [4, 6, 6, 6, 8, 8, 6];

/// The order in which hands and box are written. It is not the order of the numbers of the kinds.
const TAIL_ORDER: [PieceKind; KINDS] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// The codes of a format, each in the order of [`PieceKind::HAND`]. The lowest bit of a code is
/// written first.
pub(crate) struct Alphabet {
    /// Black's unpromoted pieces on the board.
    pub(crate) board: [u8; KINDS],
    /// Black's pieces in hand. The last bit is 1 for White's.
    pub(crate) hand: [u8; KINDS],
    /// Pieces in the box.
    pub(crate) boxed: [u8; KINDS],
    /// The last two bits of a piece on the board say its owner and whether it is promoted. Is the
    /// owner the last? A gold has no bit for promotion, and its owner is always last.
    pub(crate) owner_last: bool,
}

#[derive(Clone, Copy)]
struct Code {
    bits: u8,
    len: u8,
}

impl Code {
    const EMPTY_SQUARE: Self = Self { bits: 0, len: 1 };

    /// Do the next eight bits start with this code?
    const fn starts(self, window: usize) -> bool {
        window & ((1 << self.len) - 1) == self.bits as usize
    }
}

/// Where a piece that is not on the board is.
#[derive(Clone, Copy)]
struct TailPiece {
    /// Whose hand it is in; `None` for the box.
    owner: Option<Color>,
    kind: PieceKind,
    len: u8,
}

/// The tables to write and read positions with one [`Alphabet`].
pub(crate) struct Codec {
    /// Indexed by [`Piece::index`].
    board: [Code; Piece::TABLE_SIZE],
    hand: [[Code; KINDS]; 2],
    boxed: [Code; KINDS],
    /// What the next eight bits start with on the board. Every pattern starts with some piece or
    /// an empty square.
    board_lookup: [(Option<Piece>, u8); 256],
    /// What the next eight bits start with behind the board.
    tail_lookup: [Option<TailPiece>; 256],
}

impl Codec {
    pub(crate) const fn new(alphabet: &Alphabet) -> Self {
        let mut codec = Self {
            board: [Code::EMPTY_SQUARE; Piece::TABLE_SIZE],
            hand: [[Code::EMPTY_SQUARE; KINDS]; 2],
            boxed: [Code::EMPTY_SQUARE; KINDS],
            board_lookup: [(None, Code::EMPTY_SQUARE.len); 256],
            tail_lookup: [None; 256],
        };
        let mut i = 0;
        while i < KINDS {
            let kind = PieceKind::HAND[i];
            let len = BOARD_BITS[i];
            let (last, last_but_one) = (1 << (len - 1), 1 << (len - 2));
            let (owner, promotion) = if alphabet.owner_last || !kind.can_promote() {
                (last, last_but_one)
            } else {
                (last_but_one, last)
            };
            let plain = alphabet.board[i];
            codec.add_board(Piece::new(Color::Black, kind), plain, len);
            codec.add_board(Piece::new(Color::White, kind), plain | owner, len);
            if let Some(promoted) = kind.promoted() {
                codec.add_board(Piece::new(Color::Black, promoted), plain | promotion, len);
                codec.add_board(Piece::new(Color::White, promoted), plain | promotion | owner, len);
            }
            let (black, white) = (alphabet.hand[i], alphabet.hand[i] | last_but_one);
            codec.hand[0][i] = codec.add_tail(Some(Color::Black), kind, black, len - 1);
            codec.hand[1][i] = codec.add_tail(Some(Color::White), kind, white, len - 1);
            codec.boxed[i] = codec.add_tail(None, kind, alphabet.boxed[i], len - 1);
            i += 1;
        }
        codec
    }

    const fn add_board(&mut self, piece: Piece, bits: u8, len: u8) {
        let code = Code { bits, len };
        self.board[piece.index()] = code;
        let mut window = 0;
        while window < self.board_lookup.len() {
            if code.starts(window) {
                self.board_lookup[window] = (Some(piece), len);
            }
            window += 1;
        }
    }

    const fn add_tail(&mut self, owner: Option<Color>, kind: PieceKind, bits: u8, len: u8) -> Code {
        let code = Code { bits, len };
        let mut window = 0;
        while window < self.tail_lookup.len() {
            if code.starts(window) {
                self.tail_lookup[window] = Some(TailPiece { owner, kind, len });
            }
            window += 1;
        }
        code
    }

    /// The position in 256 bits; `None` if a king is missing.
    pub(crate) fn pack(&self, position: &Position) -> Option<[u8; PACKED_SIZE]> {
        let kings = [position.king(Color::Black)?, position.king(Color::White)?];
        let mut out = BitWriter::new();
        out.put(position.side_to_move().index() as u8, 1);
        for king in kings {
            out.put(king.index() as u8, 7);
        }
        let mut boxed = PieceKind::HAND.map(PieceKind::set_count);
        for square in Square::all() {
            let code = match position.piece_on(square) {
                None => Code::EMPTY_SQUARE,
                Some(piece) if piece.kind() == PieceKind::King => continue,
                Some(piece) => {
                    boxed[piece.kind().unpromoted().index()] -= 1;
                    self.board[piece.index()]
                }
            };
            out.put(code.bits, code.len);
        }
        for color in Color::ALL {
            for kind in TAIL_ORDER {
                let code = self.hand[color.index()][kind.index()];
                for _ in 0..position.hand(color).count(kind) {
                    boxed[kind.index()] -= 1;
                    out.put(code.bits, code.len);
                }
            }
        }
        for kind in TAIL_ORDER {
            let code = self.boxed[kind.index()];
            for _ in 0..boxed[kind.index()] {
                out.put(code.bits, code.len);
            }
        }
        out.finish()
    }

    /// Reads a position. `ply` is the number of its next move.
    pub(crate) fn unpack(
        &self,
        bytes: &[u8; PACKED_SIZE],
        ply: u16,
    ) -> Result<Position, ParseErrorKind> {
        let mut input = BitReader::new(bytes);
        let side = if input.take(1) == Some(0) { Color::Black } else { Color::White };
        let kings =
            [king_square(&mut input, Color::Black)?, king_square(&mut input, Color::White)?];
        if kings[0] == kings[1] {
            return Err(bad_position(format!("both kings on {}", kings[0])));
        }
        let mut board = PieceList::new();
        for color in Color::ALL {
            board.push(kings[color.index()], Piece::new(color, PieceKind::King));
        }
        let mut counts = [0_u8; KINDS];
        self.unpack_board(&mut input, kings, &mut board, &mut counts)?;
        let hands = self.unpack_tail(&mut input, &mut counts)?;
        for kind in PieceKind::HAND {
            let count = counts[kind.index()];
            if count != kind.set_count() {
                let (kind, set) = (kind.letter(), kind.set_count());
                return Err(bad_position(format!("{count} pieces of kind {kind}, expected {set}")));
            }
        }
        Position::from_parts(board.iter(), hands, side, ply)
            .map_err(|error| bad_position(error.to_string()))
    }

    /// Reads all squares but those of the kings.
    fn unpack_board(
        &self,
        input: &mut BitReader,
        kings: [Square; 2],
        board: &mut PieceList,
        counts: &mut [u8; KINDS],
    ) -> Result<(), ParseErrorKind> {
        const OTHER_SQUARES: usize = Square::COUNT - 2;
        let [first, second] = [kings[0].min(kings[1]), kings[0].max(kings[1])].map(Square::index);
        // How many of the squares have been read.
        let mut done = 0;
        while done < OTHER_SQUARES {
            // Most squares are empty: pass over all zeros that are next.
            let empty = (input.peek().trailing_zeros() as usize).min(OTHER_SQUARES - done);
            input.skip(empty).ok_or_else(out_of_bits)?;
            done += empty;
            if done == OTHER_SQUARES {
                break;
            }
            let (piece, len) = self.board_lookup[usize::from(input.peek() as u8)];
            input.skip(len.into()).ok_or_else(out_of_bits)?;
            let before_second = done + usize::from(done >= first);
            let index = before_second + usize::from(before_second >= second);
            if let (Some(piece), Some(square)) = (piece, Square::from_index(index)) {
                counts[piece.kind().unpromoted().index()] += 1;
                board.push(square, piece);
            }
            done += 1;
        }
        Ok(())
    }

    /// Reads the hands and the box, which take all bits that the board has left.
    fn unpack_tail(
        &self,
        input: &mut BitReader,
        counts: &mut [u8; KINDS],
    ) -> Result<[Hand; 2], ParseErrorKind> {
        let mut held = [[0_u8; KINDS]; 2];
        while !input.at_end() {
            let Some(piece) = self.tail_lookup[usize::from(input.peek() as u8)] else {
                return Err(bad_position("a code that no piece in hand or box has".into()));
            };
            input.skip(piece.len.into()).ok_or_else(out_of_bits)?;
            counts[piece.kind.index()] += 1;
            if let Some(owner) = piece.owner {
                held[owner.index()][piece.kind.index()] += 1;
            }
        }
        let hand = |color: Color| {
            Hand::from_counts(held[color.index()])
                .ok_or_else(|| bad_position(format!("{color} holds more pieces than a set has")))
        };
        Ok([hand(Color::Black)?, hand(Color::White)?])
    }
}

/// The pieces on a board, at most one a square.
struct PieceList {
    pieces: [(Square, Piece); Square::COUNT],
    len: usize,
}

impl PieceList {
    const fn new() -> Self {
        const FILLER: (Square, Piece) = match Square::from_index(0) {
            Some(square) => (square, Piece::new(Color::Black, PieceKind::King)),
            None => unreachable!(),
        };
        Self { pieces: [FILLER; Square::COUNT], len: 0 }
    }

    fn push(&mut self, square: Square, piece: Piece) {
        self.pieces[self.len] = (square, piece);
        self.len += 1;
    }

    fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.pieces[..self.len].iter().copied()
    }
}

fn king_square(input: &mut BitReader, color: Color) -> Result<Square, ParseErrorKind> {
    let index = usize::from(input.take(7).ok_or_else(out_of_bits)?);
    Square::from_index(index)
        .ok_or_else(|| bad_position(format!("{color}'s king on square number {index}")))
}

const fn bad_position(reason: String) -> ParseErrorKind {
    ParseErrorKind::BadPosition(reason)
}

fn out_of_bits() -> ParseErrorKind {
    bad_position("the pieces take more than 256 bits".into())
}
