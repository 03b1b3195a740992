//! The start position: the statements that begin with `P`.

use std::fmt::Write;

use tesuji_shogi::{Color, Hand, Handicap, Piece, PieceKind, Position, Square};

use super::names::{color, piece_code, piece_kind, sign, square};
use crate::ParseErrorKind;

/// A start position while its statements are read.
#[derive(Default)]
pub(super) struct Setup {
    /// Was there any statement? Without one the game starts from the even position.
    given: bool,
    pieces: Vec<(Square, Piece)>,
    hands: [[u8; 7]; 2],
    /// Bit `n` is set once rank `n` was read.
    ranks: u16,
    /// Who holds all the pieces that are named nowhere (`00AL`).
    holds_rest: Option<Color>,
}

impl Setup {
    /// Reads one statement that begins with `P`.
    pub(super) fn read(&mut self, text: &str) -> Result<(), ParseErrorKind> {
        self.given = true;
        let unexpected = || ParseErrorKind::Unexpected {
            expected: "PI, P1 to P9, P+ or P-",
            found: text.into(),
        };
        let (&kind, rest) = text.as_bytes()[1..].split_first().ok_or_else(unexpected)?;
        match kind {
            b'I' => self.read_even(rest),
            b'1'..=b'9' => self.read_rank(kind - b'0', rest),
            _ => {
                let owner = color(kind).ok_or_else(unexpected)?;
                entries(rest)?.into_iter().try_for_each(|entry| self.read_entry(owner, entry))
            }
        }
    }

    /// `PI`: the even start without the pieces that follow.
    fn read_even(&mut self, removed: &[u8]) -> Result<(), ParseErrorKind> {
        self.pieces.extend(Position::startpos().pieces());
        for [file, rank, code @ ..] in entries(removed)? {
            let at = self.pieces.iter().position(|&(place, piece)| {
                Some(place) == square(file, rank) && Some(piece.kind()) == piece_kind(&code)
            });
            let Some(at) = at else {
                let entry = text_of(&[file, rank, code[0], code[1]]);
                return Err(bad(format!("{entry} is not in the even start, or removed twice")));
            };
            self.pieces.remove(at);
        }
        Ok(())
    }

    /// `P1` to `P9`: the nine squares of a rank. The spaces that pad an empty square to three
    /// characters are often lost, so they are not counted.
    fn read_rank(&mut self, rank: u8, cells: &[u8]) -> Result<(), ParseErrorKind> {
        if self.ranks & 1 << rank != 0 {
            return Err(bad(format!("rank {rank} is given twice")));
        }
        self.ranks |= 1 << rank;
        let width_is_wrong = || bad(format!("rank {rank} does not have nine squares"));
        let mut file = 9;
        let mut cells = cells.trim_ascii();
        while !cells.is_empty() {
            let place = Square::new(file, rank).ok_or_else(width_is_wrong)?;
            let (owner, rest) = (color(cells[0]), &cells[1..]);
            cells = match (owner, rest) {
                (Some(owner), [first, second, rest @ ..]) => {
                    self.put(owner, place, &[*first, *second])?;
                    rest
                }
                (None, rest) if cells[0] == b'*' => rest,
                _ => return Err(bad(format!("cannot read {:?} in rank {rank}", text_of(cells)))),
            };
            cells = cells.trim_ascii_start();
            file -= 1;
        }
        if file == 0 { Ok(()) } else { Err(width_is_wrong()) }
    }

    /// One piece of a `P+` or `P-` statement.
    fn read_entry(&mut self, owner: Color, entry: [u8; 4]) -> Result<(), ParseErrorKind> {
        let [file, rank, code @ ..] = entry;
        if let Some(place) = square(file, rank) {
            return self.put(owner, place, &code);
        }
        let unreadable = || bad(format!("cannot read {:?}", text_of(&entry)));
        if [file, rank] != *b"00" {
            return Err(unreadable());
        }
        if code == *b"AL" {
            if self.holds_rest.is_some_and(|holder| holder != owner) {
                return Err(bad("both players are given all other pieces".into()));
            }
            self.holds_rest = Some(owner);
            return Ok(());
        }
        let held = piece_kind(&code).and_then(|kind| {
            // Promoted pieces and kings are not held.
            self.hands[owner.index()].get_mut(kind.index())
        });
        let held = held.ok_or_else(unreadable)?;
        *held = held.saturating_add(1);
        Ok(())
    }

    fn put(&mut self, owner: Color, place: Square, code: &[u8; 2]) -> Result<(), ParseErrorKind> {
        let kind = piece_kind(code)
            .ok_or_else(|| bad(format!("there is no piece {:?}", text_of(code))))?;
        self.pieces.push((place, Piece::new(owner, kind)));
        Ok(())
    }

    /// The position, once the side to move is known.
    pub(super) fn position(mut self, side: Color) -> Result<Position, ParseErrorKind> {
        if !self.given {
            self.pieces.extend(Position::startpos().pieces());
        }
        if self.ranks != 0
            && let Some(rank) = (1..=9).find(|rank| self.ranks & 1 << rank == 0)
        {
            return Err(bad(format!("rank {rank} is missing")));
        }
        if let Some(holder) = self.holds_rest {
            self.give_rest(holder);
        }
        let [black, white] = self.hands.map(Hand::from_counts);
        let (Some(black), Some(white)) = (black, white) else {
            return Err(bad("more pieces in hand than a set has".into()));
        };
        Position::from_parts(self.pieces, [black, white], side, 1)
            .map_err(|error| bad(error.to_string()))
    }

    /// Puts what is missing from a set into one hand.
    fn give_rest(&mut self, holder: Color) {
        for kind in PieceKind::HAND {
            let on_board =
                self.pieces.iter().filter(|(_, piece)| piece.kind().unpromoted() == kind).count();
            let in_hands: usize =
                self.hands.iter().map(|counts| usize::from(counts[kind.index()])).sum();
            let rest = usize::from(kind.set_count()).saturating_sub(on_board + in_hands);
            // At most 18, so nothing is cut off.
            self.hands[holder.index()][kind.index()] += rest as u8;
        }
    }
}

/// Writes the start position and the side to move: `PI` for even and handicap games, a board for
/// all others.
pub(super) fn write(start: &Position, out: &mut String) {
    if Handicap::of_position(start).is_some() {
        out.push_str("PI");
        for (place, piece) in Position::startpos().pieces() {
            if start.piece_on(place).is_none() {
                push_entry(out, Some(place), piece.kind());
            }
        }
        out.push('\n');
    } else {
        write_board(start, out);
    }
    out.push(sign(start.side_to_move()));
    out.push('\n');
}

fn write_board(start: &Position, out: &mut String) {
    for rank in 1..=9 {
        push(out, format_args!("P{rank}"));
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|place| start.piece_on(place)) {
                Some(piece) => {
                    out.push(sign(piece.color()));
                    out.push_str(piece_code(piece.kind()));
                }
                None => out.push_str(" * "),
            }
        }
        out.push('\n');
    }
    for owner in Color::ALL {
        if start.hand(owner).is_empty() {
            continue;
        }
        push(out, format_args!("P{}", sign(owner)));
        for (kind, count) in start.hand(owner).iter() {
            for _ in 0..count {
                push_entry(out, None, kind);
            }
        }
        out.push('\n');
    }
}

/// Adds a square, `00` for a hand, and a piece.
pub(super) fn push_entry(out: &mut String, place: Option<Square>, kind: PieceKind) {
    let (file, rank) = place.map_or((0, 0), |place| (place.file(), place.rank()));
    push(out, format_args!("{file}{rank}{}", piece_code(kind)));
}

/// Adds formatted text.
pub(super) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}

/// The pieces of a list, four characters each.
fn entries(list: &[u8]) -> Result<Vec<[u8; 4]>, ParseErrorKind> {
    let list = list.trim_ascii();
    let (entries, rest) = list.as_chunks::<4>();
    if rest.is_empty() {
        Ok(entries.to_vec())
    } else {
        Err(bad(format!("{:?} is not a list of squares and pieces", text_of(list))))
    }
}

fn bad(text: String) -> ParseErrorKind {
    ParseErrorKind::BadPosition(text)
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
