//! What the file of formations defines. Squares are those of Black: the owner's own view.

use tesuji_shogi::{Bitboard, Color, PieceKind, Square};

use super::Pattern;

/// What something is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// The short name in files, commands and conditions.
    pub id: String,
    /// In English.
    pub name: String,
    /// As it is read in Japanese.
    pub romaji: String,
    /// As Japanese books write it.
    pub kanji: String,
    /// What else it is called.
    pub aliases: Vec<String>,
}

impl Names {
    /// Is this one of the names? Upper and lower case, spaces, `-` and `_` are all the same.
    pub fn has(&self, name: &str) -> bool {
        let plain = |text: &str| text.replace(['-', '_'], " ").to_lowercase();
        let wanted = plain(name);
        let known = [&self.id, &self.name, &self.romaji, &self.kanji];
        known.into_iter().chain(&self.aliases).any(|known| plain(known) == wanted)
    }
}

/// How a player uses the rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RookStyle {
    /// It stays on its own side of the board (ibisha).
    Static,
    /// It goes to the left (furibisha).
    Ranging,
}

impl RookStyle {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Static, Self::Ranging];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Ranging => "ranging",
        }
    }
}

/// Where the king of a castle is, seen by its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// On files 9 to 6.
    Left,
    /// On file 5.
    Centre,
    /// On files 4 to 1.
    Right,
}

impl Side {
    /// All sides.
    pub const ALL: [Self; 3] = [Self::Left, Self::Centre, Self::Right];

    /// The side of a king in its owner's view.
    pub const fn of(king: Square) -> Self {
        match king.file() {
            6.. => Self::Left,
            5 => Self::Centre,
            _ => Self::Right,
        }
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Centre => "centre",
            Self::Right => "right",
        }
    }
}

/// A piece and the square where it belongs.
pub type Placed = (PieceKind, Square);

/// Pieces in their places, prepared for the comparison with a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The pieces in the order of the file.
    pub pieces: Vec<Placed>,
    /// The same kind by kind, for Black and for White.
    by_kind: [Vec<(PieceKind, Bitboard)>; 2],
}

impl Shape {
    /// A shape of these pieces.
    pub fn new(pieces: Vec<Placed>) -> Self {
        let by_kind = Color::ALL.map(|color| {
            let mut sets: Vec<(PieceKind, Bitboard)> = Vec::new();
            for &(kind, square) in &pieces {
                let bit = Bitboard::of(square.seen_by(color));
                match sets.iter_mut().find(|(other, _)| *other == kind) {
                    Some((_, squares)) => *squares |= bit,
                    None => sets.push((kind, bit)),
                }
            }
            sets
        });
        Self { pieces, by_kind }
    }

    /// The squares of each kind for a player.
    pub fn by_kind(&self, color: Color) -> &[(PieceKind, Bitboard)] {
        &self.by_kind[color.index()]
    }

    /// Where the king belongs, if it is part of the shape.
    pub fn king(&self) -> Option<Square> {
        self.squares(PieceKind::King).next()
    }

    /// The squares of a kind in the owner's view.
    pub fn squares(&self, kind: PieceKind) -> impl Iterator<Item = Square> + '_ {
        self.pieces.iter().filter(move |placed| placed.0 == kind).map(|placed| placed.1)
    }
}

/// A castle (kakoi): a place for the king and for those around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castle {
    /// Its names.
    pub names: Names,
    /// What kind of castle it is: players speak of a mino, whatever its shape.
    pub family: String,
    /// Where the king is.
    pub side: Side,
    /// How its owner uses the rook; `None`: either way.
    pub rook: Option<RookStyle>,
    /// The opponent's use of the rook that it suits; `None`: either.
    pub against: Option<RookStyle>,
    /// The shape that is built, and then other shapes that have the same name.
    pub shapes: Vec<Shape>,
    /// Shapes on the way to it, which have its name already.
    pub under_way: Vec<Shape>,
    /// What it may grow into, as places in the list of castles.
    pub grows_into: Vec<usize>,
    /// The assaults that go against it, as places in the list of assaults.
    pub assaults: Vec<usize>,
    /// Maps that the file gives itself, kind by kind.
    pub maps: Vec<(PieceKind, [i8; Square::COUNT])>,
    /// Is it one of those whose pieces the feature `CASTLE_FORMATION` counts?
    pub counted: bool,
}

impl Castle {
    /// The shape that is built.
    pub fn shape(&self) -> &Shape {
        &self.shapes[0]
    }

    /// Where the king belongs, in the owner's view.
    pub fn king(&self) -> Square {
        self.shape().king().expect("a castle has a king")
    }
}

/// An assault (a way to set up an attack).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assault {
    /// Its names.
    pub names: Names,
    /// How the attacker uses the rook.
    pub rook: Option<RookStyle>,
    /// The opponent's use of the rook that it is for.
    pub against: Option<RookStyle>,
    /// What the opponent must have, or the attacker in hand.
    pub pattern: Pattern,
    /// The castles that it goes against, as places in their list; `None`: any.
    pub targets: Option<Vec<usize>>,
    /// The shape that is built, and then other shapes that have the same name.
    pub shapes: Vec<Shape>,
}

impl Assault {
    /// The shape that is built.
    pub fn shape(&self) -> &Shape {
        &self.shapes[0]
    }
}

/// What a player plays: a name for the use of rook, bishop and pawns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Its names.
    pub names: Names,
    /// The use of the rook; `None`: either way.
    pub rook: Option<RookStyle>,
    /// When it is played.
    pub pattern: Pattern,
    /// Does the pattern hold before the first move? Then it says nothing while the rook has not moved.
    pub is_start: bool,
}

/// A castle under way that should give way to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwapRule {
    /// The castles that give way, as places in their list.
    pub from: Vec<usize>,
    /// The one that takes their place.
    pub to: usize,
    /// When.
    pub pattern: Pattern,
    /// Why, in English and Japanese.
    pub why: [String; 2],
}

/// Castles to aim for while much is still open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstRule {
    /// The player's own use of the rook.
    pub rook: Option<RookStyle>,
    /// The opponent's.
    pub against: Option<RookStyle>,
    /// What else must hold.
    pub pattern: Pattern,
    /// The castles, the best first.
    pub castles: Vec<usize>,
    /// Why, in English and Japanese.
    pub why: [String; 2],
}
