//! Castles whose pieces in place are counted: the feature `CASTLE_FORMATION`.
//!
//! All castles, with their names, maps and recognition, are in [`formations`](crate::formations); the
//! feature counts those of them that are marked, so that a new castle does not change what weights
//! were learned for.

use std::sync::LazyLock;

use tesuji_shogi::{Bitboard, Color, PieceKind, Square};

use crate::View;
use crate::formations::{Castle, Formations};

/// A castle as Black builds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedCastle {
    /// Its name.
    pub name: String,
    /// Where the king stands.
    pub king: Square,
    /// Where the other pieces stand.
    pub pieces: Vec<(PieceKind, Square)>,
}

/// How much of a castle stands on the board.
#[derive(Clone, Copy, Debug)]
pub struct Fit<'a> {
    /// The castle.
    pub castle: &'a CountedCastle,
    /// How many of its pieces, the king aside, are in place.
    pub count: u32,
    /// Where those pieces stand.
    pub squares: Bitboard,
}

/// A collection of castles, arranged by the square of the king.
#[derive(Debug)]
pub struct CountedCastles {
    castles: Vec<CountedCastle>,
    /// For each player and square of the king, the castles with their squares kind by kind.
    by_king: [[Vec<Shape>; Square::COUNT]; 2],
}

#[derive(Debug)]
struct Shape {
    castle: usize,
    pieces: Vec<(PieceKind, Bitboard)>,
}

impl CountedCastles {
    /// Those of the castles that players know by name which are marked.
    pub fn common() -> &'static Self {
        static CASTLES: LazyLock<CountedCastles> = LazyLock::new(|| {
            let marked = Formations::shipped().castles().iter().filter(|castle| castle.counted);
            CountedCastles::new(marked.map(CountedCastle::of).collect())
        });
        &CASTLES
    }

    /// The 43 formations of the thesis's program.
    pub fn thesis() -> &'static Self {
        static CASTLES: LazyLock<CountedCastles> = LazyLock::new(|| {
            CountedCastles::parse(include_str!("../data/castles_thesis.tsv"))
                .expect("our own file reads")
        });
        &CASTLES
    }

    /// Reads definitions: name, king and pieces (`K8h`, `G7h S7g …`) with tabs between; `#` starts a
    /// comment. The error names the line.
    fn parse(text: &str) -> Result<Self, String> {
        let mut castles = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if !line.starts_with('#') && !line.trim().is_empty() {
                let castle = parse_castle(line);
                castles.push(castle.map_err(|error| format!("castles, line {number}: {error}"))?);
            }
        }
        Ok(Self::new(castles))
    }

    fn new(castles: Vec<CountedCastle>) -> Self {
        let mut by_king = [(); 2].map(|()| [const { Vec::new() }; Square::COUNT]);
        for color in Color::ALL {
            for (i, castle) in castles.iter().enumerate() {
                let king = castle.king.seen_by(color);
                by_king[color.index()][king.index()].push(Shape::new(i, castle, color));
            }
        }
        Self { castles, by_king }
    }

    /// All castles, in the order of the file.
    pub fn all(&self) -> &[CountedCastle] {
        &self.castles
    }

    /// Where everybody stands in every castle, as text: it changes when a definition does, and not
    /// when a castle gets another name.
    pub fn definitions(&self) -> String {
        let mut text = String::new();
        for castle in &self.castles {
            text.push_str(&format!("K{}", castle.king));
            for (kind, square) in &castle.pieces {
                text.push_str(&format!(" {}{square}", kind.index()));
            }
            text.push('\n');
        }
        text
    }

    /// The castle with the player's king on its square of which most pieces are in place, the first
    /// of several; `None` if no castle has its king there.
    pub fn best_fit(&self, view: &View<'_>) -> Option<Fit<'_>> {
        let shapes = &self.by_king[view.player().index()][view.own_king()?.index()];
        let mut best: Option<Fit<'_>> = None;
        for shape in shapes {
            let in_place = |&(kind, squares): &(PieceKind, Bitboard)| view.own_kind(kind) & squares;
            let squares = shape.pieces.iter().map(in_place).fold(Bitboard::EMPTY, |a, b| a | b);
            if best.is_none_or(|best| squares.count() > best.count) {
                let castle = &self.castles[shape.castle];
                best = Some(Fit { castle, count: squares.count(), squares });
            }
        }
        best
    }
}

impl CountedCastle {
    fn of(castle: &Castle) -> Self {
        let guards = castle.shape().pieces.iter().copied();
        Self {
            name: castle.names.name.clone(),
            king: castle.king(),
            pieces: guards.filter(|(kind, _)| *kind != PieceKind::King).collect(),
        }
    }
}

impl Shape {
    fn new(index: usize, castle: &CountedCastle, color: Color) -> Self {
        let mut pieces: Vec<(PieceKind, Bitboard)> = Vec::new();
        for &(kind, square) in &castle.pieces {
            let bit = Bitboard::of(square.seen_by(color));
            match pieces.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, squares)) => *squares |= bit,
                None => pieces.push((kind, bit)),
            }
        }
        Self { castle: index, pieces }
    }
}

fn parse_castle(line: &str) -> Result<CountedCastle, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[name, king, pieces, ..] = &fields[..] else {
        return Err("expected name, king and pieces with tabs between".into());
    };
    let (PieceKind::King, king) = parse_piece(king)? else {
        return Err(format!("expected a king such as K8h, found {king:?}"));
    };
    let pieces: Vec<_> = pieces.split(' ').map(parse_piece).collect::<Result<_, _>>()?;
    let mut taken = Bitboard::of(king);
    for &(kind, square) in &pieces {
        if kind == PieceKind::King {
            return Err("a castle has one king".into());
        }
        if taken.contains(square) {
            return Err(format!("two pieces on {square}"));
        }
        taken |= Bitboard::of(square);
    }
    if name.trim().is_empty() {
        return Err("expected a name".into());
    }
    Ok(CountedCastle { name: name.into(), king, pieces })
}

/// A piece and its square, such as `G7h` or `+B5e`.
fn parse_piece(text: &str) -> Result<(PieceKind, Square), String> {
    let error = || format!("expected a piece and its square such as G7h, found {text:?}");
    let (plain, promoted) = match text.strip_prefix('+') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (letter, square) = plain.split_at_checked(1).ok_or_else(error)?;
    let kind = letter.chars().next().and_then(PieceKind::from_letter).ok_or_else(error)?;
    let kind = if promoted { kind.promoted().ok_or_else(error)? } else { kind };
    Ok((kind, square.parse().map_err(|_| error())?))
}

#[cfg(test)]
mod tests {
    use tesuji_shogi::{Piece, Position};

    use super::*;

    const TWO: &str =
        "# comment\n\nmino\tK2h\tG4i G5h S3h\t美濃囲い\nflatfish\tK2h\tG4i G5i S3h N2i\n";

    #[test]
    fn definitions_are_read() {
        let castles = CountedCastles::parse(TWO).unwrap();
        let [mino, flatfish] = castles.all() else { panic!("{castles:?}") };
        assert_eq!(mino.name, "mino");
        assert_eq!(mino.king, "2h".parse().unwrap());
        assert_eq!(mino.pieces[2], (PieceKind::Silver, "3h".parse().unwrap()));
        assert_eq!(flatfish.name, "flatfish");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let cases = [
            ("mino", "line 1: expected name, king and pieces"),
            ("mino\tK2h", "line 1: expected name, king and pieces"),
            ("# a\n\nmino\tG2h\tG4i", "line 3: expected a king such as K8h, found \"G2h\""),
            ("mino\tK2j\tG4i", "found \"K2j\""),
            (
                "mino\tK2h\tG4i  S3h",
                "line 1: expected a piece and its square such as G7h, found \"\"",
            ),
            ("mino\tK2h\t", "found \"\""),
            ("mino\tK2h\tX4i", "found \"X4i\""),
            ("mino\tK2h\t+G4i", "found \"+G4i\""),
            ("mino\tK2h\t玉4i", "found \"玉4i\""),
            ("mino\tK2h\tG4i S4i", "line 1: two pieces on 4i"),
            ("mino\tK2h\tG2h", "two pieces on 2h"),
            ("mino\tK2h\tK4i", "a castle has one king"),
            (" \tK2h\tG4i", "line 1: expected a name"),
        ];
        for (text, expected) in cases {
            let error = CountedCastles::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text:?} gave {error:?}");
        }
    }

    #[test]
    fn another_definition_is_another_text() {
        let text = |file: &str| CountedCastles::parse(file).unwrap().definitions();
        assert_eq!(text(TWO), text(&TWO.replace("mino", "mino castle")));
        for (old, new) in
            [("K2h\tG4i G5h", "K2h\tG4i G4h"), ("S3h N2i", "S3h L2i"), ("mino\tK2h", "mino\tK1h")]
        {
            assert_ne!(text(TWO), text(&TWO.replace(old, new)), "{new}");
        }
    }

    /// The castle standing alone on the board.
    fn built(castle: &CountedCastle, color: Color) -> Position {
        let pieces = castle.pieces.iter().copied().chain([(PieceKind::King, castle.king)]);
        let pieces = pieces.map(|(kind, square)| (square.seen_by(color), Piece::new(color, kind)));
        Position::from_parts(pieces, Default::default(), color, 1).unwrap()
    }

    #[test]
    fn every_castle_fits_itself_for_both_players() {
        for castles in [CountedCastles::common(), CountedCastles::thesis()] {
            for castle in castles.all() {
                for color in Color::ALL {
                    let position = built(castle, color);
                    let view = View::new(&position, color);
                    let fit = castles.best_fit(&view).unwrap();
                    let count = castle.pieces.len() as u32;
                    assert_eq!((&fit.castle.name, fit.count), (&castle.name, count));
                    let king = Bitboard::of(castle.king.seen_by(color));
                    assert_eq!(fit.squares, view.own().without(king));
                    assert!(castles.best_fit(&view.turned()).is_none());
                }
            }
        }
    }

    #[test]
    fn the_best_and_then_the_first_castle_fits() {
        let castles = CountedCastles::parse(TWO).unwrap();
        let name = |sfen: &str| {
            let position = Position::from_sfen(sfen).unwrap();
            let fit = castles.best_fit(&View::new(&position, Color::Black));
            fit.map(|fit| (fit.castle.name.clone(), fit.count))
        };
        let found = |name: &str, count| Some((name.to_owned(), count));
        assert_eq!(name("4k4/9/9/9/9/9/9/6SK1/5G3 b - 1"), found("mino", 2));
        assert_eq!(name("4k4/9/9/9/9/9/9/6SK1/4GG3 b - 1"), found("flatfish", 3));
        assert_eq!(name("4k4/9/9/9/9/9/9/7K1/6S2 b - 1"), found("mino", 0));
        // An enemy's piece or another kind on the square does not count.
        assert_eq!(name("4k4/9/9/9/9/9/9/6+SK1/5g3 b - 1"), found("mino", 0));
        assert_eq!(name("4k4/9/9/9/9/9/9/9/4K4 b - 1"), None);
        assert_eq!(name("4k4/9/9/9/9/9/9/9/9 b - 1"), None);
    }
}
