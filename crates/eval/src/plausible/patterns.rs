//! Positional patterns: how likely masters are to bring a piece from one square to another that
//! takes nothing, by where it goes and where the kings are. They are learned from games and kept as
//! data.

use tesuji_shogi::{Color, Move, Origin, Piece, PieceKind, Position, Square};

use crate::groups::{self, groups};
use crate::numbers::{Kind, Notes, NumberFile, NumbersError};

/// Units of a pattern's value in one of the log-odds.
pub const UNITS: i32 = 256;
/// Kinds that move, and kinds that are dropped.
const MOVERS: usize = PieceKind::COUNT + 7;
/// Files, and ranks, that one square can be away from another.
const STEPS: usize = 17;
const SQUARES: usize = Square::COUNT;

groups! {
    /// A group of the features of patterns.
    pub enum Group;

    /// A kind, where it stands and where it goes.
    FromTo "from-to" PieceKind::COUNT * SQUARES * SQUARES;
    /// A kind and where it is dropped.
    Drop "drop" 7 * SQUARES;
    /// Where a piece goes relative to the own king.
    OwnKing "own-king" MOVERS * STEPS * STEPS;
    /// Where a piece goes relative to the enemy's king.
    EnemyKing "enemy-king" MOVERS * STEPS * STEPS;
    /// A move that is no pattern: what it takes, or what it promotes.
    Other "other" 2 * PieceKind::COUNT;
}

/// The identity of the features.
pub fn feature_set_id() -> String {
    let groups = Group::ALL.iter().map(|group| (group.name(), group.range().len()));
    groups::identity("patterns", "1", groups)
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-patterns",
        name: "positional patterns",
        feature_set: "patterns",
        feature_set_id: feature_set_id(),
        units: UNITS,
        count: Group::FEATURES,
    }
}

/// Where the kings are, as the side to move sees them; one that is missing is taken to be at home.
#[derive(Clone, Copy, Debug)]
pub struct Kings {
    side: Color,
    own: Square,
    pub(super) enemy: Square,
}

impl Kings {
    /// Those of a position, as `side` sees them.
    pub fn new(position: &Position, side: Color) -> Self {
        let king = |color: Color, rank| {
            let home = Square::new(5, rank).expect("a square of the board");
            position.king(color).map_or(home, |king| king.seen_by(side))
        };
        Self { side, own: king(side, 9), enemy: king(!side, 1) }
    }
}

/// How far a square is from another, as a number below `STEPS * STEPS`.
#[inline(always)]
fn offset(from: Square, to: Square) -> usize {
    let files = usize::from(to.file() + 8 - from.file());
    let ranks = usize::from(to.rank() + 8 - from.rank());
    files * STEPS + ranks
}

/// Calls `visit` with the features of the pattern of a piece that goes from a square, or from the
/// hand, to another.
#[inline(always)]
fn for_each_feature(
    kings: &Kings,
    kind: PieceKind,
    from: Option<Square>,
    to: Square,
    mut visit: impl FnMut(usize),
) {
    let to = to.seen_by(kings.side);
    let (mover, place) = match from {
        Some(from) => {
            let from = from.seen_by(kings.side).index();
            let index = (kind.index() * SQUARES + from) * SQUARES + to.index();
            (kind.index(), Group::FromTo.feature(index))
        }
        None => {
            let index = kind.index() * SQUARES + to.index();
            (PieceKind::COUNT + kind.index(), Group::Drop.feature(index))
        }
    };
    visit(place);
    visit(Group::OwnKing.feature(mover * STEPS * STEPS + offset(kings.own, to)));
    visit(Group::EnemyKing.feature(mover * STEPS * STEPS + offset(kings.enemy, to)));
}

/// The features of a legal move; those that take or promote are told apart from patterns alone.
pub fn for_each_move_feature(
    position: &Position,
    kings: &Kings,
    mv: Move,
    mut visit: impl FnMut(usize),
) {
    let (kind, from) = match mv.origin() {
        Origin::Hand(kind) => (kind, None),
        Origin::Board(from) => match position.piece_on(from) {
            Some(piece) => (piece.kind(), Some(from)),
            None => return,
        },
    };
    match position.piece_on(mv.to()).map(Piece::kind) {
        Some(taken) => visit(Group::Other.feature(taken.index())),
        None if mv.is_promotion() => {
            visit(Group::Other.feature(PieceKind::COUNT + kind.index()));
        }
        None => for_each_feature(kings, kind, from, mv.to(), visit),
    }
}

/// What patterns are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Patterns {
    values: Vec<i16>,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

impl Patterns {
    /// Patterns with these values, in [`UNITS`].
    pub fn new(values: Vec<i16>) -> Result<Self, NumbersError> {
        if values.len() != Group::FEATURES {
            let (found, expected) = (values.len(), Group::FEATURES);
            return Err(NumbersError::Count { found, expected });
        }
        Ok(Self { values, run: Notes::new(), result: Notes::new() })
    }

    /// The patterns that come with the program.
    pub fn shipped() -> Self {
        Self::parse(include_bytes!("../../data/weights/patterns.bin"))
            .expect("the patterns that come with the program are for its features")
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, NumbersError> {
        let NumberFile { numbers, run, result, .. } = kind().read(bytes)?;
        Ok(Self { run, result, ..Self::new(numbers)? })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.values.clone(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: None,
        })
    }

    /// What the pattern of a move on the board, or of a drop, is worth, in [`UNITS`]; the move takes
    /// nothing and does not promote.
    #[inline(always)]
    pub fn value(&self, kings: &Kings, kind: PieceKind, from: Option<Square>, to: Square) -> i32 {
        let mut value = 0;
        for_each_feature(kings, kind, from, to, |feature| value += i32::from(self.values[feature]));
        value
    }

    /// What a legal move is worth as a pattern.
    pub fn score(&self, position: &Position, kings: &Kings, mv: Move) -> i32 {
        let mut value = 0;
        for_each_move_feature(position, kings, mv, |feature| {
            value += i32::from(self.values[feature]);
        });
        value
    }
}
