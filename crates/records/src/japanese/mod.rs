//! Japanese names of squares, pieces, players and moves.
//!
//! [`move_text`] gives a move as books and newspapers print it, `☗７六歩`; the KIF and KI2 formats
//! are built on the same names.

mod distinction;
mod notation;
#[cfg(test)]
mod tests;

pub(crate) use notation::{Misfit, Notation};
use tesuji_shogi::{Bitboard, Color, Move, Origin, PieceKind, Position, Square};

/// Full-width digits for the files.
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Kanji for the ranks, and for numbers in general.
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The square as `７六`.
pub fn square_name(square: Square) -> String {
    [FILES[usize::from(square.file()) - 1], rank_name(square.rank())].iter().collect()
}

/// The rank 1–9 as `一` to `九`; any other number gives the nearest of them.
pub fn rank_name(rank: u8) -> char {
    RANKS[usize::from(rank.clamp(1, 9)) - 1]
}

/// The piece as it is called in a move: `歩`, `成銀`, `馬`. The names of board diagrams, one
/// character each, are [`PieceKind::kanji`].
pub const fn piece_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::Gold => "金",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "龍",
    }
}

/// The player: `先手` and `後手`, or `下手` and `上手` in a handicap game.
pub const fn player_name(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The piece-shaped mark that printed moves start with.
pub const fn mark(color: Color) -> char {
    match color {
        Color::Black => '☗',
        Color::White => '☖',
    }
}

/// The triangle that stands for the mark in Shift_JIS, which has no other.
pub const fn triangle(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The player whose moves start with this mark.
pub const fn player_of_mark(mark: char) -> Option<Color> {
    match mark {
        '☗' | '▲' | '▼' => Some(Color::Black),
        '☖' | '△' | '▽' => Some(Color::White),
        _ => None,
    }
}

/// A digit from 0 to 9: half-width, full-width or kanji.
pub fn digit(character: char) -> Option<u8> {
    let value = match character {
        '0'..='9' => u32::from(character) - u32::from('0'),
        '０'..='９' => u32::from(character) - u32::from('０'),
        '〇' => 0,
        _ => return RANKS.iter().position(|&c| c == character).map(|index| index as u8 + 1),
    };
    Some(value as u8)
}

/// A number from 1 to 99 in kanji, such as `十八`.
pub fn number_name(number: u8) -> String {
    let (tens, ones) = (number / 10, number % 10);
    let mut name = String::new();
    if tens > 1 {
        name.push(rank_name(tens));
    }
    if tens > 0 {
        name.push('十');
    }
    if ones > 0 {
        name.push(rank_name(ones));
    }
    name
}

/// The number that a text such as `十八`, `18` or `１８` says.
pub fn number(text: &str) -> Option<u8> {
    let Some((tens, ones)) = text.split_once('十') else {
        let digits = text.chars().map(digit);
        return match digits.collect::<Option<Vec<u8>>>()?[..] {
            [ones] => Some(ones),
            [tens, ones] => Some(tens * 10 + ones),
            _ => None,
        };
    };
    let one_digit = |text: &str, empty: u8| match text.chars().collect::<Vec<_>>()[..] {
        [] => Some(empty),
        [character] => digit(character),
        _ => None,
    };
    Some(one_digit(tens, 1)? * 10 + one_digit(ones, 0)?)
}

/// The piece whose name the text starts with, and the rest of the text. All names in use are
/// known: `成銀` and `全`, `龍` and `竜`, `玉` and `王`.
pub fn strip_piece(text: &str) -> Option<(PieceKind, &str)> {
    let mut characters = text.chars();
    let kind = match characters.next()? {
        '王' => PieceKind::King,
        '竜' => PieceKind::Dragon,
        '成' => {
            let plain = piece_of_kanji(characters.next()?)?;
            match plain {
                PieceKind::Lance | PieceKind::Knight | PieceKind::Silver => plain.promoted()?,
                _ => return None,
            }
        }
        character => piece_of_kanji(character)?,
    };
    Some((kind, characters.as_str()))
}

/// The piece with this one-character name on a board diagram.
fn piece_of_kanji(character: char) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|kind| kind.kanji() == character)
}

/// A move with its player's mark, as in print: `☗７六歩`, `☖同銀右不成`.
///
/// `previous_to` is the target of the move before, where the text says `同`.
///
/// ```
/// use tesuji_records::japanese::move_text;
/// use tesuji_shogi::Position;
///
/// let position = Position::startpos();
/// assert_eq!(move_text(&position, "7g7f".parse().unwrap(), None), "☗７六歩");
/// assert_eq!(move_text(&position, "4i5h".parse().unwrap(), None), "☗５八金右");
/// ```
pub fn move_text(position: &Position, mv: Move, previous_to: Option<Square>) -> String {
    format!("{}{}", mark(position.side_to_move()), move_name(position, mv, previous_to))
}

/// A move without a mark: `７六歩`, `同銀右不成`.
///
/// Which of several pieces moves is said by the rules of the Japan Shogi Association, with as few
/// words as they allow. A move that makes no sense in the position gets a name that makes none.
pub fn move_name(position: &Position, mv: Move, previous_to: Option<Square>) -> String {
    let to = mv.to();
    let target = if previous_to == Some(to) { String::from("同") } else { square_name(to) };
    let us = position.side_to_move();
    match mv.origin() {
        Origin::Hand(kind) => {
            let word = if distinction::pieces_reaching(position, kind, to).is_empty() {
                ""
            } else {
                "打"
            };
            format!("{target}{}{word}", piece_name(kind))
        }
        Origin::Board(from) => {
            let Some(piece) = position.piece_on(from) else { return target };
            let kind = piece.kind();
            let zone = Bitboard::promotion_zone(us);
            let promotion = if mv.is_promotion() {
                "成"
            } else if kind.can_promote() && (zone.contains(from) || zone.contains(to)) {
                "不成"
            } else {
                ""
            };
            let which = distinction::of_move(position, kind, from, to);
            format!("{target}{}{which}{promotion}", piece_name(kind))
        }
    }
}
