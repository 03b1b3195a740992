//! Maps: what each kind of piece is worth on each square while a formation is being built.
//!
//! A piece climbs: it goes to the neighbouring square with the highest value, and so reaches its
//! place from wherever it stands. Every place of a formation has a map of its own; the golds and
//! silvers are given to places so that no two are drawn to the same one.

use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

use super::definition::{Assault, Castle, Placed, Shape, Side};

/// Numbers for the squares of the board, in the owner's view.
pub type Values = [i8; Square::COUNT];

/// The value of the place itself, what a move further away costs, and the least value.
pub(super) const HOME: i32 = 14;
pub(super) const STEP: i32 = 6;
pub(super) const LEAST: i32 = -9;
/// The value for a pawn that has gone further than its place.
const PAWN_BEYOND: i8 = -4;
/// The far end of the home half: rank f.
const HOME_RANK: u8 = 6;

/// How much the values of each plain kind count in a sum, in quarters. The king and the generals
/// make the formation; pawns come and go.
const KIND_WEIGHTS: [i32; 8] = [1, 1, 2, 4, 2, 2, 4, 4];
/// What a kind counts that counts in full.
pub(super) const QUARTERS: i32 = 4;

/// The kind whose map a piece uses: promoted pieces share that of the gold, the bishop or the rook.
pub const fn map_kind(kind: PieceKind) -> PieceKind {
    match kind {
        PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            PieceKind::Gold
        }
        kind => kind.unpromoted(),
    }
}

/// Are the pieces of this kind given to places, so that no two are drawn to the same one? Of other
/// kinds each piece has its own side of the board or its own file.
pub const fn is_shared_out(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Gold | PieceKind::Silver)
}

/// How much the values of a kind count in a sum, in quarters.
pub const fn kind_weight(kind: PieceKind) -> i32 {
    KIND_WEIGHTS[kind.index()]
}

/// The map of one place of a formation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceMap {
    /// Who belongs there, and where.
    pub place: Placed,
    /// What the kind is worth on each square.
    pub values: Values,
}

/// The maps of a formation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FormationMaps {
    places: Vec<PlaceMap>,
}

impl FormationMaps {
    /// The maps of a castle: built from its squares, unless the file gives them.
    pub fn of_castle(castle: &Castle) -> Self {
        let mut maps = Self::of_shape(castle.shape());
        for (kind, values) in &castle.maps {
            for place in maps.places.iter_mut().filter(|place| place.place.0 == *kind) {
                place.values = *values;
            }
        }
        maps
    }

    /// The maps of an assault.
    pub fn of_assault(assault: &Assault) -> Self {
        Self::of_shape(assault.shape())
    }

    /// Maps built from the squares of a shape.
    fn of_shape(shape: &Shape) -> Self {
        let map = |&place: &Placed| PlaceMap { place, values: built(place) };
        Self { places: shape.pieces.iter().map(map).collect() }
    }

    /// Every place with its map.
    pub fn places(&self) -> &[PlaceMap] {
        &self.places
    }

    /// The same, to be replaced by what was learned.
    pub fn places_mut(&mut self) -> &mut [PlaceMap] {
        &mut self.places
    }

    /// The map of a kind: on each square the value for the place that is best from there; zero
    /// everywhere for a kind that has no place.
    pub fn of_kind(&self, kind: PieceKind) -> Values {
        let mut own = self.places.iter().filter(|place| place.place.0 == map_kind(kind));
        let Some(first) = own.next() else { return [0; Square::COUNT] };
        own.fold(first.values, |values, place| {
            std::array::from_fn(|square| {
                let (a, b) = (values[square], place.values[square]);
                // Zero says nothing of a square: the other place may.
                if is_shared_out(kind) || (a != 0 && b != 0) { a.max(b) } else { a + b }
            })
        })
    }

    /// The most that the formation can be worth, in quarters.
    pub fn attainable(&self) -> i32 {
        let best = |place: &PlaceMap| {
            let best = place.values.iter().copied().max().unwrap_or(0);
            i32::from(best) * kind_weight(place.place.0)
        };
        self.places.iter().map(best).sum()
    }

    /// What a player's pieces are worth on the maps, in quarters: the slow way.
    pub fn value(&self, position: &Position, color: Color) -> i32 {
        let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
        plain.map(|kind| self.kind_value(position, color, kind)).sum()
    }

    /// The part of one kind in that, with the promoted pieces that share its map.
    pub fn kind_value(&self, position: &Position, color: Color, kind: PieceKind) -> i32 {
        let pieces = pieces_of(position, color, kind);
        let own = || pieces.into_iter().map(|square| square.seen_by(color).index());
        let value = if is_shared_out(kind) {
            let maps = self.places.iter().filter(|place| place.place.0 == kind);
            let maps: Vec<&Values> = maps.map(|place| &place.values).collect();
            shared_out(&maps, &own().collect::<Vec<_>>())
        } else {
            let map = self.of_kind(kind);
            own().map(|square| i32::from(map[square])).sum()
        };
        value * kind_weight(kind)
    }

    /// What a move changes in the value of the moved piece's kind, in quarters. A drop counts from
    /// nothing.
    pub fn change(
        &self,
        before: &Position,
        after: &Position,
        color: Color,
        kind: PieceKind,
    ) -> i32 {
        let kind = map_kind(kind);
        self.kind_value(after, color, kind) - self.kind_value(before, color, kind)
    }
}

/// All pieces that use the map of a plain kind.
pub fn pieces_of(position: &Position, color: Color, kind: PieceKind) -> Bitboard {
    let own = position.of_color(color);
    match kind {
        PieceKind::Gold => position.golds() & own,
        kind => match kind.promoted() {
            Some(promoted) if map_kind(promoted) == kind => {
                position.of(color, kind) | position.of(color, promoted)
            }
            _ => position.of(color, kind),
        },
    }
}

/// The most that pieces are worth when each place gets one of them and nobody has two places;
/// pieces without a place count nothing.
fn shared_out(maps: &[&Values], squares: &[usize]) -> i32 {
    let Some((first, others)) = maps.split_first() else { return 0 };
    let rest_is_enough = others.len() >= squares.len();
    let with_first = (0..squares.len()).map(|chosen| {
        let mut rest = squares.to_vec();
        let square = rest.remove(chosen);
        i32::from(first[square]) + shared_out(others, &rest)
    });
    // With fewer pieces than places one of the places stays empty.
    let without = rest_is_enough.then(|| shared_out(others, squares));
    with_first.chain(without).max().unwrap_or(0)
}

/// The map of a place, by the number of moves to it on an empty home half.
fn built((kind, target): Placed) -> Values {
    let moves = distances(kind, target);
    let mut values = [0; Square::COUNT];
    for square in Square::all().filter(|&square| is_home(square, target)) {
        let beyond = kind == PieceKind::Pawn
            && square.file() == target.file()
            && square.rank() < target.rank();
        let value = match moves[square.index()] {
            Some(_) if is_wrong_half(kind, square, target) => LEAST,
            Some(moves) => (HOME - STEP * i32::from(moves)).max(LEAST),
            None if beyond => i32::from(PAWN_BEYOND),
            None if kind == PieceKind::King || is_shared_out(kind) => LEAST,
            // Another piece of the kind is meant for this place.
            None => 0,
        };
        values[square.index()] = value as i8;
    }
    values
}

/// Is a square in the home half, or as far forward as the place?
const fn is_home(square: Square, target: Square) -> bool {
    square.rank() >= HOME_RANK || square.rank() >= target.rank()
}

/// Is a king on the side of the board where the castle is not?
fn is_wrong_half(kind: PieceKind, square: Square, target: Square) -> bool {
    let sides = [Side::of(square), Side::of(target)];
    kind == PieceKind::King
        && matches!(sides, [Side::Left, Side::Right] | [Side::Right, Side::Left])
}

/// From each square the number of moves to a place, with nobody in the way.
pub fn distances(kind: PieceKind, target: Square) -> [Option<u8>; Square::COUNT] {
    let mut moves = [None; Square::COUNT];
    moves[target.index()] = Some(0);
    for distance in 1..=Square::COUNT as u8 {
        let before = moves;
        let mut is_new = false;
        for square in Square::all().filter(|&square| is_home(square, target)) {
            let reach = attacks::of(Piece::new(Color::Black, kind), square, Bitboard::EMPTY);
            let near = |next: Square| before[next.index()] == Some(distance - 1);
            if before[square.index()].is_none() && reach.into_iter().any(near) {
                moves[square.index()] = Some(distance);
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
    }
    moves
}
