//! What can be different between the ends of two lines.

use std::slice;

use tesuji_eval::{Contrast, Term};
use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Square};

use super::ReasonGroup;
use super::followed::NamedMove;

/// Kinds of pieces with their number.
pub type Counts = Vec<(PieceKind, u32)>;

/// Something that the second line has and the first has not, or the other way round.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// Pieces won and lost.
    Material {
        /// The player whose pieces are counted.
        player: Color,
        /// Pieces that the player has less.
        lost: Counts,
        /// Pieces that the player has more.
        won: Counts,
        /// The capture behind it.
        taken: Option<Taken>,
        /// Is that capture one of the first line, which the second has not?
        missed: bool,
        /// A piece that is promoted in the second line only, with its owner and the moves.
        promoted: Option<Placed>,
    },
    /// Enemies near a king.
    Attack {
        /// Whose king.
        side: Color,
        /// Where the king stands in the second line.
        king: Square,
        /// Who is near it, or nearer, in the second line.
        came: Vec<Placed>,
        /// Who is not, with the square of the first line.
        gone: Vec<(Piece, Square)>,
        /// What is around the king in both.
        exposure: [Exposure; 2],
    },
    /// A king's own pieces around it.
    Castle {
        /// Whose castle.
        side: Color,
        /// Where the king stands in the first line and in the second.
        king: [Square; 2],
        /// Pieces that stand elsewhere: from where, to where. Of these and the next those that weigh
        /// most.
        moved: Vec<(Piece, [Square; 2])>,
        /// Pieces that only the first line has.
        gone: Vec<(Piece, Square)>,
        /// Pieces that only the second line has.
        came: Vec<Placed>,
        /// What is around the king in both.
        exposure: [Exposure; 2],
    },
    /// Pieces in hand.
    Hand {
        /// Whose hand.
        side: Color,
        /// What it holds in the first line, and in the second.
        held: [Counts; 2],
    },
    /// A piece elsewhere.
    Piece {
        /// The piece, and where it stands in the first line.
        first: Option<(Piece, Square)>,
        /// The same for the second line, with the moves that brought it there.
        second: Option<Placed>,
        /// Squares that it can safely go to, in both.
        safe: [Option<u32>; 2],
        /// Pieces of its side that it no longer guards.
        unguarded: Vec<Square>,
    },
    /// More of some pieces than the opponent, and less of others, in the view of Black.
    Ahead {
        /// Pieces that Black is up.
        more: Counts,
        /// Pieces that Black is down.
        less: Counts,
    },
    /// The pieces of a side near a king, or elsewhere: what their places are worth.
    Standing {
        /// Whose pieces.
        side: Color,
        /// A castle, an attack on the enemy's king, or elsewhere.
        group: ReasonGroup,
        /// The king that they guard or attack.
        king: Option<Square>,
        /// The pieces that weigh most.
        pieces: Vec<Standing>,
    },
    /// What is in hand is worth more or less than usual.
    Held {
        /// Whose hand.
        side: Color,
        /// What it holds.
        held: Counts,
    },
    /// A named feature.
    Feature {
        /// Its name.
        name: &'static str,
        /// What it means.
        sentence: &'static str,
        /// Black's value in the first line and in the second.
        black: [i32; 2],
        /// White's.
        white: [i32; 2],
        /// The squares of the second line that it is about.
        squares: Bitboard,
    },
}

/// A piece on a square and the moves of the line by which it came there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// Its moves in the line.
    pub route: Vec<NamedMove>,
}

/// A piece and what its place is worth to Black beyond its material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// What that is worth.
    pub centipawns: i32,
}

/// A capture that decides about material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The piece that takes.
    pub taker: Piece,
    /// The piece that is taken.
    pub taken: Piece,
    /// Where.
    pub square: Square,
    /// The capture as a move.
    pub mv: NamedMove,
    /// The moves that lead to it, from the opponent's reply on; in the first line all.
    pub before: Vec<NamedMove>,
}

/// The squares next to a king.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exposure {
    /// Guarded by a piece other than the king.
    pub guarded: u32,
    /// Attacked by the enemy.
    pub attacked: u32,
    /// Where the king can go.
    pub escapes: u32,
}

impl Fact {
    pub(super) fn of_feature(contrast: &Contrast<'_>, player: Color) -> Self {
        let of = |own: fn(&Term<'_>) -> i32| [own(&contrast.first), own(&contrast.second)];
        let (own, enemy) = (of(|term| term.own_value), of(|term| term.enemy_value));
        let (black, white) = if player == Color::Black { (own, enemy) } else { (enemy, own) };
        let feature = contrast.first.feature;
        let squares = contrast.second.own_squares | contrast.second.enemy_squares;
        Self::Feature { name: feature.name, sentence: feature.sentence, black, white, squares }
    }

    /// A feature of one position, Black's value first.
    pub(super) fn of_term(term: &Term<'_>) -> Self {
        let (feature, squares) = (term.feature, term.own_squares | term.enemy_squares);
        let (black, white) = ([term.own_value; 2], [term.enemy_value; 2]);
        Self::Feature { name: feature.name, sentence: feature.sentence, black, white, squares }
    }

    /// The squares that are named when it is told.
    pub(super) fn squares(&self) -> Bitboard {
        let set = |squares: &mut dyn Iterator<Item = Square>| {
            squares.fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square))
        };
        let placed = |all: &[Placed]| {
            all.iter().fold(Bitboard::EMPTY, |squares, one| squares | one.squares())
        };
        let gone = |all: &[(Piece, Square)]| set(&mut all.iter().map(|(_, square)| *square));
        match self {
            Self::Material { taken, promoted, .. } => {
                let taken = taken.as_ref().map_or(Bitboard::EMPTY, |taken| {
                    // Of the moves before it the one that begins it all.
                    let first = &taken.before[..taken.before.len().min(1)];
                    of_route(slice::from_ref(&taken.mv)) | of_route(first)
                });
                taken | promoted.as_ref().map_or(Bitboard::EMPTY, Placed::squares)
            }
            Self::Attack { king, came, gone: left, .. } => {
                Bitboard::of(*king) | placed(came) | gone(left)
            }
            Self::Castle { king, moved, gone: left, came, .. } => {
                let kings = if king[0] == king[1] { &[][..] } else { king };
                let kings = set(&mut kings.iter().copied());
                let moved = set(&mut moved.iter().flat_map(|(_, squares)| *squares));
                kings | moved | gone(left) | placed(came)
            }
            Self::Hand { .. } | Self::Held { .. } | Self::Ahead { .. } => Bitboard::EMPTY,
            Self::Standing { pieces, .. } => set(&mut pieces.iter().map(|one| one.square)),
            Self::Piece { first, second, unguarded, .. } => {
                let first = first.map_or(Bitboard::EMPTY, |(_, square)| Bitboard::of(square));
                let second = second.as_ref().map_or(Bitboard::EMPTY, Placed::squares);
                first | second | set(&mut unguarded.iter().copied())
            }
            Self::Feature { squares, .. } => *squares,
        }
    }
}

impl Placed {
    fn squares(&self) -> Bitboard {
        Bitboard::of(self.square) | of_route(&self.route)
    }
}

/// The squares that moves name.
fn of_route(route: &[NamedMove]) -> Bitboard {
    route.iter().fold(Bitboard::EMPTY, |all, named| {
        let from = named.mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        all | from | Bitboard::of(named.mv.to())
    })
}
