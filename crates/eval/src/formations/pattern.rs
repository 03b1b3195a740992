//! Patterns: a few pieces, empty squares and hands that must be as described.

use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square};

/// What must hold on a board in a player's view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// Kinds that the player has on one of some squares.
    own: Vec<(PieceKind, Bitboard)>,
    /// The same for the opponent, in the opponent's own view.
    enemy: Vec<(PieceKind, Bitboard)>,
    /// Squares on which nothing stands.
    empty: Bitboard,
    /// What the player holds in hand.
    hand: Vec<PieceKind>,
    /// What the opponent holds.
    enemy_hand: Vec<PieceKind>,
    /// The last ply of the game at which it can hold.
    until: Option<u16>,
    /// Can it hold only after a move of the player's own?
    just_moved: bool,
}

/// The fields of a pattern as the file has them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PatternText<'a> {
    pub own: &'a str,
    pub enemy: &'a str,
    pub empty: &'a str,
    pub hand: &'a str,
    pub enemy_hand: &'a str,
    pub until: Option<u16>,
    pub just_moved: bool,
}

impl Pattern {
    /// Reads a pattern.
    pub(super) fn parse(text: PatternText<'_>) -> Result<Self, String> {
        let empty: Result<Bitboard, String> =
            text.empty.split_whitespace().try_fold(Bitboard::EMPTY, |set, square| {
                let read: Result<Square, _> = square.parse();
                let read =
                    read.map_err(|_| format!("expected a square such as 7g, found {square:?}"));
                Ok(set | Bitboard::of(read?))
            });
        Ok(Self {
            own: parse_places(text.own)?,
            enemy: parse_places(text.enemy)?,
            empty: empty?,
            hand: parse_hand(text.hand)?,
            enemy_hand: parse_hand(text.enemy_hand)?,
            until: text.until,
            just_moved: text.just_moved,
        })
    }

    /// Does it hold for a player?
    pub fn holds(&self, position: &Position, color: Color) -> bool {
        let stands = |color: Color, places: &[(PieceKind, Bitboard)]| {
            places
                .iter()
                .all(|&(kind, squares)| position.of(color, kind).intersects(turned(squares, color)))
        };
        let holds = |color: Color, kinds: &[PieceKind]| {
            kinds.iter().all(|&kind| position.hand(color).has(kind))
        };
        self.until.is_none_or(|ply| position.ply() <= ply)
            && !(self.just_moved && position.side_to_move() == color)
            && !position.occupied().intersects(turned(self.empty, color))
            && holds(color, &self.hand)
            && holds(!color, &self.enemy_hand)
            && stands(color, &self.own)
            && stands(!color, &self.enemy)
    }
}

/// Squares of Black as a player sees them.
pub(super) fn turned(squares: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::Black => squares,
        Color::White => Bitboard::from_bits(squares.bits().reverse_bits() >> (128 - Square::COUNT)),
    }
}

/// Pieces with their squares, `R6h/6i G7h`; a file alone, `R6`, is its squares from rank e to i.
fn parse_places(text: &str) -> Result<Vec<(PieceKind, Bitboard)>, String> {
    text.split_whitespace()
        .map(|token| {
            let (kind, squares) = parse_letter(token)?;
            let mut set = Bitboard::EMPTY;
            for square in squares.split('/') {
                set |= parse_squares(square).ok_or_else(|| {
                    format!("expected a piece and its squares such as R6h or R6, found {token:?}")
                })?;
            }
            Ok((kind, set))
        })
        .collect()
}

fn parse_squares(text: &str) -> Option<Bitboard> {
    if let Ok(square) = text.parse::<Square>() {
        return Some(Bitboard::of(square));
    }
    let file: u8 = text.parse().ok()?;
    let squares = (5..=9).map(|rank| Square::new(file, rank).map(Bitboard::of));
    squares
        .collect::<Option<Vec<_>>>()
        .map(|all| all.into_iter().fold(Bitboard::EMPTY, |a, b| a | b))
}

/// The kind at the beginning of a token, perhaps promoted, and the rest.
pub(super) fn parse_letter(token: &str) -> Result<(PieceKind, &str), String> {
    let error = || format!("expected a piece and its square such as G7h, found {token:?}");
    let (plain, promoted) = match token.strip_prefix('+') {
        Some(rest) => (rest, true),
        None => (token, false),
    };
    let (letter, rest) = plain.split_at_checked(1).ok_or_else(error)?;
    let kind = letter.chars().next().and_then(PieceKind::from_letter).ok_or_else(error)?;
    let kind = if promoted { kind.promoted().ok_or_else(error)? } else { kind };
    Ok((kind, rest))
}

fn parse_hand(text: &str) -> Result<Vec<PieceKind>, String> {
    text.split_whitespace()
        .map(|token| {
            let kind = parse_letter(token).ok().filter(|(_, rest)| rest.is_empty());
            let kind = kind.map(|(kind, _)| kind);
            kind.filter(|&kind| kind != PieceKind::King && !kind.is_promoted())
                .ok_or_else(|| format!("expected a piece in hand such as B, found {token:?}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: PatternText<'_>, sfen: &str, color: Color) -> bool {
        let position = Position::from_sfen(sfen).unwrap();
        Pattern::parse(text).unwrap().holds(&position, color)
    }

    const CENTRAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2R4/LNSGKGSNL w - 2";

    #[test]
    fn pieces_stand_on_one_of_their_squares() {
        let own = |own| PatternText { own, ..PatternText::default() };
        for (text, black, white) in [
            ("R5h", true, false),
            ("R5", true, false),
            ("R5h/2h", true, true),
            ("R2 B8h", false, true),
            ("R5h K5i G4i", true, false),
            ("", true, true),
        ] {
            assert_eq!(holds(own(text), CENTRAL, Color::Black), black, "{text}");
            assert_eq!(holds(own(text), CENTRAL, Color::White), white, "{text}");
            let enemy = PatternText { enemy: text, ..PatternText::default() };
            assert_eq!(holds(enemy, CENTRAL, Color::White), black, "{text}");
        }
    }

    #[test]
    fn empty_squares_hands_and_plies_count() {
        let plain = PatternText::default;
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b Bp 7";
        for (text, black, white) in [
            (PatternText { empty: "7g 5h", ..plain() }, true, true),
            (PatternText { empty: "5i", ..plain() }, false, false),
            (PatternText { hand: "B", ..plain() }, true, false),
            (PatternText { enemy_hand: "B", ..plain() }, false, true),
            (PatternText { hand: "P", ..plain() }, false, true),
            (PatternText { until: Some(7), ..plain() }, true, true),
            (PatternText { until: Some(6), ..plain() }, false, false),
        ] {
            assert_eq!(holds(text, sfen, Color::Black), black, "{text:?}");
            assert_eq!(holds(text, sfen, Color::White), white, "{text:?}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let plain = PatternText::default;
        for (text, expected) in [
            (PatternText { own: "R6x", ..plain() }, "found \"R6x\""),
            (PatternText { own: "X6h", ..plain() }, "found \"X6h\""),
            (PatternText { own: "R0", ..plain() }, "found \"R0\""),
            (PatternText { enemy: "飛6h", ..plain() }, "found \"飛6h\""),
            (PatternText { empty: "R6", ..plain() }, "expected a square such as 7g"),
            (PatternText { hand: "K", ..plain() }, "expected a piece in hand such as B"),
        ] {
            let error = Pattern::parse(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
