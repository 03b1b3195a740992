//! What a feature is, and sets of features.

use tesuji_shogi::Bitboard;

use crate::View;
use crate::castles::CountedCastles;

/// What a feature is about; reports show features group by group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Pieces on the board, promoted and in hand.
    Material,
    /// Attack and defence around the two kings.
    King,
    /// How far pieces can go.
    Mobility,
    /// Good and bad shapes of a few pieces.
    Shape,
    /// CountedCastles.
    Castle,
    /// Rooks and their files.
    Rook,
    /// Control of squares all over the board.
    Control,
    /// Distances from pieces to kings.
    Distance,
    /// Pieces that can be taken.
    Threat,
    /// How far the game has come.
    Phase,
}

impl Group {
    /// Every group, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Material,
        Self::King,
        Self::Mobility,
        Self::Shape,
        Self::Castle,
        Self::Rook,
        Self::Control,
        Self::Distance,
        Self::Threat,
        Self::Phase,
    ];

    /// The name used in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::King => "king",
            Self::Mobility => "mobility",
            Self::Shape => "shape",
            Self::Castle => "castle",
            Self::Rook => "rook",
            Self::Control => "control",
            Self::Distance => "distance",
            Self::Threat => "threat",
            Self::Phase => "phase",
        }
    }

    /// The group with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }
}

/// How a feature's value comes about.
#[derive(Clone, Copy)]
pub enum Measure {
    /// The number of squares of a set.
    Count(fn(&View<'_>) -> Bitboard),
    /// Minus the number of squares of a set: a penalty, whose weight is not negative either.
    Penalty(fn(&View<'_>) -> Bitboard),
    /// Any number, and the squares that it is about.
    Number {
        /// The value.
        value: fn(&View<'_>) -> i32,
        /// The squares.
        squares: fn(&View<'_>) -> Bitboard,
    },
    /// What the player has more than the opponent: the opponent sees the same number with the other
    /// sign. And the squares that it is about.
    Balance {
        /// The value.
        value: fn(&View<'_>) -> i32,
        /// The squares.
        squares: fn(&View<'_>) -> Bitboard,
    },
    /// How many pieces of the best fitting castle of a collection are in place.
    Castle(fn() -> &'static CountedCastles),
    /// A number that belongs to a family, and the squares that it is about; both are told which
    /// member of the family is asked for.
    Member {
        /// The value.
        value: fn(&View<'_>, usize) -> i32,
        /// The squares.
        squares: fn(&View<'_>, usize) -> Bitboard,
        /// The place in the family.
        member: usize,
        /// Is it a penalty, its value the other way round?
        penalty: bool,
    },
    /// The number of squares of a set that belongs to a family.
    CountOf {
        /// The squares.
        squares: fn(&View<'_>, usize) -> Bitboard,
        /// The place in the family.
        member: usize,
        /// Is it a penalty, its value the other way round?
        penalty: bool,
    },
}

/// A named number that says something about a position, from one player's view.
#[derive(Clone, Copy)]
pub struct Feature {
    /// Its name, unique in a set.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// How many bits its weight has in a genetic algorithm.
    pub bits: u8,
    /// The feature whose weight is added to this one's: a promoted pawn is worth a pawn and a
    /// bonus.
    pub linked_to: Option<&'static str>,
    /// What it means, said to a player in one sentence.
    pub sentence: &'static str,
    /// How it is worked out.
    pub measure: Measure,
}

impl Feature {
    /// The value in a position.
    #[inline]
    pub fn value(&self, view: &View<'_>) -> i32 {
        match self.measure {
            Measure::Count(squares) => squares(view).count() as i32,
            Measure::Penalty(squares) => -(squares(view).count() as i32),
            Measure::Number { value, .. } | Measure::Balance { value, .. } => value(view),
            Measure::Castle(castles) => castles().best_fit(view).map_or(0, |fit| fit.count as i32),
            Measure::Member { value, member, penalty, .. } => signed(value(view, member), penalty),
            Measure::CountOf { squares, member, penalty } => {
                // Most sets of a family are empty, and seeing that is quicker than counting.
                let squares = squares(view, member);
                if squares.is_empty() { 0 } else { signed(squares.count() as i32, penalty) }
            }
        }
    }

    /// The value in one view minus that in the other view of the same position.
    #[inline]
    pub(crate) fn difference(&self, own: &View<'_>, other: &View<'_>) -> i32 {
        match self.measure {
            Measure::Balance { value, .. } => 2 * value(own),
            _ => self.value(own) - self.value(other),
        }
    }

    /// The squares that the value is about.
    pub fn squares(&self, view: &View<'_>) -> Bitboard {
        match self.measure {
            Measure::Count(squares) | Measure::Penalty(squares) => squares(view),
            Measure::Number { squares, .. } | Measure::Balance { squares, .. } => squares(view),
            Measure::Castle(castles) => {
                castles().best_fit(view).map_or(Bitboard::EMPTY, |fit| fit.squares)
            }
            Measure::Member { squares, member, .. } | Measure::CountOf { squares, member, .. } => {
                squares(view, member)
            }
        }
    }
}

impl core::fmt::Debug for Feature {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

const fn signed(value: i32, penalty: bool) -> i32 {
    if penalty { -value } else { value }
}
