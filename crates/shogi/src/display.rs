//! Board diagrams for the terminal.

use core::fmt;

use crate::{Bitboard, Color, Hand, Move, Origin, PieceKind, Position, Square};

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BoardStyle {
    /// The letters of SFEN, in ASCII: capitals are Black's, `+` marks a promoted piece.
    #[default]
    Letters,
    /// The Japanese diagram: `v` before White's pieces, full-width characters.
    Kanji,
}

/// A diagram of a position, to be written with `{}`.
///
/// ```
/// use tesuji_shogi::{BoardStyle, Position};
/// let position = Position::startpos();
/// let text = position.display(BoardStyle::Kanji).to_string();
/// assert!(text.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoardText<'a> {
    position: &'a Position,
    style: BoardStyle,
    last_move: Option<Move>,
    highlights: Bitboard,
    /// Who sits at the lower edge.
    viewer: Color,
}

/// File numbers, from file 1.
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Rank numbers, from rank 1; also the counts below ten.
const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Position {
    /// A diagram of the position.
    pub const fn display(&self, style: BoardStyle) -> BoardText<'_> {
        let (last_move, highlights) = (None, Bitboard::EMPTY);
        BoardText { position: self, style, last_move, highlights, viewer: Color::Black }
    }
}

impl BoardText<'_> {
    /// Names the move that led to the position and, in letters, puts its squares in parentheses.
    pub const fn last_move(mut self, mv: Option<Move>) -> Self {
        self.last_move = mv;
        self
    }

    /// Marks these squares: with brackets in letters, with `*` in kanji. In letters the brackets
    /// replace the parentheses of the last move.
    pub const fn highlight(mut self, squares: Bitboard) -> Self {
        self.highlights = squares;
        self
    }

    /// Draws the board as this player sees it: his own camp below. In kanji `v` stands before the
    /// pieces of the other one.
    pub const fn seen_by(mut self, viewer: Color) -> Self {
        self.viewer = viewer;
        self
    }

    /// Ranks from the upper edge to the lower, or files from the right to the left.
    fn lines(&self) -> [u8; 9] {
        core::array::from_fn(
            |i| if self.viewer == Color::Black { i as u8 + 1 } else { 9 - i as u8 },
        )
    }

    /// The squares of a rank from left to right.
    fn squares_of_rank(&self, rank: u8) -> impl Iterator<Item = Square> {
        self.lines().into_iter().rev().filter_map(move |file| Square::new(file, rank))
    }

    fn write_letters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color: Color| {
            let name = if color == Color::Black { "Black" } else { "White" };
            format!("{name} in hand: {}", letters_in_hand(self.position.hand(color)))
        };
        writeln!(f, "{}", hand(!self.viewer))?;
        let [last, ..] = self.lines();
        for file in self.lines().into_iter().rev() {
            write!(f, "{file:>3}{}", if file == last { "\n" } else { " " })?;
        }
        for rank in self.lines() {
            for square in self.squares_of_rank(rank) {
                self.write_letter_cell(f, square)?;
            }
            writeln!(f, " {}", char::from(b'a' + rank - 1))?;
        }
        writeln!(f, "{}", hand(self.viewer))?;
        let side = if self.position.side_to_move() == Color::Black { "Black" } else { "White" };
        write!(f, "{side} to play move {}", self.position.ply())?;
        match self.last_move {
            Some(mv) => writeln!(f, " after {mv}"),
            None => writeln!(f),
        }
    }

    /// Four columns: a mark, the sign of promotion, the letter, a mark.
    fn write_letter_cell(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        let moved = self.last_move.is_some_and(|mv| mv.to() == square || mv.from() == Some(square));
        let (left, right) = match (self.highlights.contains(square), moved) {
            (true, _) => ('[', ']'),
            (false, true) => ('(', ')'),
            (false, false) => (' ', ' '),
        };
        match self.position.piece_on(square) {
            Some(piece) => write!(f, "{left}{:>2}{right}", piece.to_string()),
            None => write!(f, "{left} .{right}"),
        }
    }

    fn write_kanji(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Highlights need one more column for each file; without them it is the usual diagram.
        let marked = !self.highlights.is_empty();
        let gap = if marked { "  " } else { " " };
        let border = "-".repeat(if marked { 36 } else { 27 });
        let hand = |color: Color| {
            let name = if color == Color::Black { "先手" } else { "後手" };
            format!("{name}の持駒：{}", kanji_in_hand(self.position.hand(color)))
        };
        writeln!(f, "{}", hand(!self.viewer))?;
        f.write_str(" ")?;
        for file in self.lines().into_iter().rev() {
            write!(f, "{gap}{}", WIDE_DIGITS[usize::from(file) - 1])?;
        }
        writeln!(f, "\n+{border}+")?;
        for rank in self.lines() {
            let name = KANJI_DIGITS[usize::from(rank) - 1];
            f.write_str("|")?;
            for square in self.squares_of_rank(rank) {
                if marked {
                    f.write_str(if self.highlights.contains(square) { "*" } else { " " })?;
                }
                self.write_kanji_cell(f, square)?;
            }
            writeln!(f, "|{name}")?;
        }
        writeln!(f, "+{border}+")?;
        writeln!(f, "{}", hand(self.viewer))?;
        let side =
            if self.position.side_to_move() == Color::Black { "先手番" } else { "後手番" };
        writeln!(f, "{side}")?;
        write!(f, "手数＝{}", self.position.ply() - 1)?;
        match self.last_move {
            Some(mv) => writeln!(f, "  {}  まで", self.kanji_move(mv)),
            None => writeln!(f),
        }
    }

    /// Three columns: the owner, and a character of double width.
    fn write_kanji_cell(&self, f: &mut fmt::Formatter<'_>, square: Square) -> fmt::Result {
        match self.position.piece_on(square) {
            Some(piece) => {
                let owner = if piece.color() == self.viewer { ' ' } else { 'v' };
                write!(f, "{owner}{}", piece.kind().kanji())
            }
            None => f.write_str(" ・"),
        }
    }

    /// The move that led here, such as `▲２二角成(88)` or `△５五歩打`.
    fn kanji_move(&self, mv: Move) -> String {
        let mark = if self.position.side_to_move() == Color::Black { '△' } else { '▲' };
        let (file, rank) = (usize::from(mv.to().file()), usize::from(mv.to().rank()));
        let mut text = format!("{mark}{}{}", WIDE_DIGITS[file - 1], KANJI_DIGITS[rank - 1]);
        if let Some(piece) = self.position.piece_on(mv.to()) {
            let kind = piece.kind();
            text += &kanji_name(if mv.is_promotion() { kind.unpromoted() } else { kind });
        }
        if mv.is_promotion() {
            text.push('成');
        }
        match mv.origin() {
            Origin::Board(from) => text += &format!("({}{})", from.file(), from.rank()),
            Origin::Hand(_) => text.push('打'),
        }
        text
    }
}

impl fmt::Display for BoardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.style {
            BoardStyle::Letters => self.write_letters(f),
            BoardStyle::Kanji => self.write_kanji(f),
        }
    }
}

fn letters_in_hand(hand: Hand) -> String {
    let held = |kind: PieceKind| match hand.count(kind) {
        0 => None,
        1 => Some(kind.letter().to_string()),
        count => Some(format!("{count}{}", kind.letter())),
    };
    let held: Vec<String> = PieceKind::HAND_FROM_ROOK.into_iter().filter_map(held).collect();
    if held.is_empty() { "-".into() } else { held.join(" ") }
}

fn kanji_in_hand(hand: Hand) -> String {
    let held = |kind: PieceKind| match hand.count(kind) {
        0 => None,
        1 => Some(kind.kanji().to_string()),
        count => Some(format!("{}{}", kind.kanji(), kanji_number(count))),
    };
    let held: Vec<String> = PieceKind::HAND_FROM_ROOK.into_iter().filter_map(held).collect();
    if held.is_empty() { "なし".into() } else { held.join("　") }
}

/// A number from 1 to 99 in kanji: 二, 十, 十八.
fn kanji_number(number: u8) -> String {
    let digit = |value: u8| value.checked_sub(1).and_then(|i| KANJI_DIGITS.get(usize::from(i)));
    let (tens, ones) = (number / 10, number % 10);
    let mut text = String::new();
    if tens > 1 {
        text.extend(digit(tens));
    }
    if tens > 0 {
        text.push('十');
    }
    text.extend(digit(ones));
    text
}

/// The name of a piece in the text of a move, where promoted minor pieces take two characters.
fn kanji_name(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("成{}", kind.unpromoted().kanji())
        }
        _ => kind.kanji().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_kanji() {
        for (number, text) in
            [(1, "一"), (2, "二"), (9, "九"), (10, "十"), (11, "十一"), (18, "十八"), (20, "二十")]
        {
            assert_eq!(kanji_number(number), text);
        }
    }
}
