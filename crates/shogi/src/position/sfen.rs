//! SFEN text in both directions.

use core::fmt::{self, Write};
use core::str::FromStr;

use super::{Position, PositionError};
use crate::{Color, Hand, Piece, PieceKind, Square};

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SfenError {
    /// Fewer than three fields, or more than four.
    FieldCount { found: usize },
    /// The board does not have nine ranks.
    RankCount { found: usize },
    /// A rank does not have nine squares.
    RankWidth { rank: char, found: usize },
    /// A character that means nothing in the board field.
    UnknownPiece { rank: char, found: char },
    /// `+` before a piece that does not promote, or before nothing.
    BadPromotion { rank: char },
    /// The side is not `b` or `w`.
    UnknownSide { found: String },
    /// The hand field cannot be read at this place.
    BadHand { found: String },
    /// The move number is not a number from 0 to 65535.
    BadPly { found: String },
    /// The text is well formed but the position is impossible.
    Impossible(PositionError),
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FieldCount { found } => {
                write!(f, "SFEN has {found} fields, expected board, side, hands and move number")
            }
            Self::RankCount { found } => write!(f, "SFEN board has {found} ranks, expected 9"),
            Self::RankWidth { rank, found } => {
                write!(f, "rank {rank} has {found} squares, expected 9")
            }
            Self::UnknownPiece { rank, found } => {
                write!(f, "unknown piece {found:?} in rank {rank}")
            }
            Self::BadPromotion { rank } => {
                write!(f, "'+' in rank {rank} is not before a piece that promotes")
            }
            Self::UnknownSide { found } => write!(f, "side to move is {found:?}, expected b or w"),
            Self::BadHand { found } => {
                write!(f, "cannot read hands from {found:?}, expected such as 2Pg or -")
            }
            Self::BadPly { found } => write!(f, "move number is {found:?}, expected a number"),
            Self::Impossible(error) => write!(f, "impossible position: {error}"),
        }
    }
}

impl core::error::Error for SfenError {}

impl From<PositionError> for SfenError {
    fn from(error: PositionError) -> Self {
        Self::Impossible(error)
    }
}

/// What an SFEN says.
struct Parts {
    pieces: Vec<(Square, Piece)>,
    hands: [Hand; 2],
    side: Color,
    ply: u16,
}

impl Parts {
    fn parse(text: &str) -> Result<Self, SfenError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (board, side, hands, ply) = match fields[..] {
            [board, side, hands] => (board, side, hands, "1"),
            [board, side, hands, ply] => (board, side, hands, ply),
            _ => return Err(SfenError::FieldCount { found: fields.len() }),
        };
        let side = match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(SfenError::UnknownSide { found: side.into() }),
        };
        let ply = ply.parse().map_err(|_| SfenError::BadPly { found: ply.into() })?;
        Ok(Self { pieces: parse_board(board)?, hands: parse_hands(hands)?, side, ply })
    }
}

impl Position {
    /// Reads a position in SFEN (`board side hands [number]`) and checks that it is possible.
    /// Pieces may be missing, kings too.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let Parts { pieces, hands, side, ply } = Parts::parse(text)?;
        Ok(Self::from_parts(pieces, hands, side, ply)?)
    }

    /// Reads a composed problem: as [`Position::from_sfen`], but a player may have two pawns in one
    /// file. No game leads to such a position, but the rules say how it goes on.
    ///
    /// ```
    /// use tesuji_shogi::Position;
    /// let problem = "4k4/9/4P4/9/4P4/9/9/9/9 b G 1";
    /// assert!(Position::from_sfen(problem).is_err());
    /// assert_eq!(Position::problem_from_sfen(problem).unwrap().to_sfen(), problem);
    /// ```
    pub fn problem_from_sfen(text: &str) -> Result<Self, SfenError> {
        let Parts { pieces, hands, side, ply } = Parts::parse(text)?;
        Ok(Self::from_problem_parts(pieces, hands, side, ply)?)
    }

    /// The position in SFEN.
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(100);
        self.write_placement(&mut text);
        write!(text, " {}", self.ply).expect("writing to a string cannot fail");
        text
    }

    /// Appends board, side to move and hands as SFEN has them: all but the number of the move, by
    /// which the same position differs from game to game.
    pub fn write_placement(&self, out: &mut String) {
        self.write_board(out);
        out.push(' ');
        out.push(self.side.letter());
        out.push(' ');
        if self.hands.iter().all(|hand| hand.is_empty()) {
            out.push('-');
        }
        for color in Color::ALL {
            write_hand(self.hand(color), color, out);
        }
    }

    fn write_board(&self, out: &mut String) {
        for rank in 1..=9 {
            let mut empty = 0;
            for file in (1..=9).rev() {
                let piece = Square::new(file, rank).and_then(|square| self.piece_on(square));
                let Some(piece) = piece else {
                    empty += 1;
                    continue;
                };
                write_number(empty, out);
                empty = 0;
                write_piece(piece, out);
            }
            write_number(empty, out);
            if rank < 9 {
                out.push('/');
            }
        }
    }
}

impl FromStr for Position {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        Self::from_sfen(text)
    }
}

fn write_hand(hand: Hand, color: Color, out: &mut String) {
    for kind in PieceKind::HAND_FROM_ROOK {
        let count = hand.count(kind);
        if count > 1 {
            write_number(count, out);
        }
        if count > 0 {
            write_piece(Piece::new(color, kind), out);
        }
    }
}

/// A number of squares or pieces; nothing where there are none.
fn write_number(number: u8, out: &mut String) {
    if number >= 10 {
        out.push((b'0' + number / 10) as char);
    }
    if number > 0 {
        out.push((b'0' + number % 10) as char);
    }
}

fn write_piece(piece: Piece, out: &mut String) {
    if piece.is_promoted() {
        out.push('+');
    }
    let letter = piece.kind().letter();
    out.push(if piece.color() == Color::White { letter.to_ascii_lowercase() } else { letter });
}

/// The owner and plain kind that a letter means: capitals are Black's.
fn piece_of_letter(letter: char) -> Option<(Color, PieceKind)> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Some((color, PieceKind::from_letter(letter.to_ascii_uppercase())?))
}

fn parse_board(text: &str) -> Result<Vec<(Square, Piece)>, SfenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(SfenError::RankCount { found: ranks.len() });
    }
    let mut pieces = Vec::with_capacity(40);
    for (rank, text) in (1..).zip(ranks) {
        parse_rank(rank, text, &mut pieces)?;
    }
    Ok(pieces)
}

fn parse_rank(rank: u8, text: &str, pieces: &mut Vec<(Square, Piece)>) -> Result<(), SfenError> {
    let name = (b'a' + rank - 1) as char;
    let mut width = 0_usize;
    let mut promoted = false;
    for found in text.chars() {
        if let Some(empty @ 1..=9) = found.to_digit(10) {
            if promoted {
                return Err(SfenError::BadPromotion { rank: name });
            }
            width += empty as usize;
            continue;
        }
        if found == '+' && !promoted {
            promoted = true;
            continue;
        }
        let (color, mut kind) =
            piece_of_letter(found).ok_or(SfenError::UnknownPiece { rank: name, found })?;
        if promoted {
            kind = kind.promoted().ok_or(SfenError::BadPromotion { rank: name })?;
            promoted = false;
        }
        if width < 9
            && let Some(square) = Square::new(9 - width as u8, rank)
        {
            pieces.push((square, Piece::new(color, kind)));
        }
        width += 1;
    }
    if promoted {
        return Err(SfenError::BadPromotion { rank: name });
    }
    if width != 9 {
        return Err(SfenError::RankWidth { rank: name, found: width });
    }
    Ok(())
}

fn parse_hands(text: &str) -> Result<[Hand; 2], SfenError> {
    let mut counts = [[0_u8; 7]; 2];
    if text != "-" {
        let bad = || SfenError::BadHand { found: text.into() };
        let mut count: Option<u8> = None;
        for found in text.chars() {
            if let Some(digit) = found.to_digit(10) {
                let value = u32::from(count.unwrap_or(0)) * 10 + digit;
                count = Some(u8::try_from(value).map_err(|_| bad())?);
                continue;
            }
            let (color, kind) = piece_of_letter(found).ok_or_else(bad)?;
            let held = counts[color.index()].get_mut(kind.index()).ok_or_else(bad)?;
            let added = match count.take() {
                Some(0) => return Err(bad()),
                Some(count) => count,
                None => 1,
            };
            *held = held.checked_add(added).ok_or_else(bad)?;
        }
        if count.is_some() {
            return Err(bad());
        }
    }
    let hand = |color: Color| {
        let counts = counts[color.index()];
        let too_many = || {
            let kind = PieceKind::HAND.into_iter().find(|k| counts[k.index()] > k.set_count());
            let kind = kind.unwrap_or(PieceKind::Pawn);
            PositionError::TooMany { kind, count: counts[kind.index()] }
        };
        Hand::from_counts(counts).ok_or_else(too_many)
    };
    Ok([hand(Color::Black)?, hand(Color::White)?])
}
