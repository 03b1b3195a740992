//! The maps of the formations that both players build, prepared for a search: chosen once at its
//! root, and kept from move to move.

use tesuji_shogi::{Bitboard, BoardChange, Color, Move, Piece, PieceKind, Position, Square};

use super::maps::{is_shared_out, kind_weight, map_kind, pieces_of};
use super::{Atlas, Choice, FormationMaps, Stage};
use crate::progress::Progress;

/// How many castles and how many assaults of a player are kept alive in a search.
pub const MOST: usize = 2;
/// Castles first, then assaults.
const SLOTS: usize = 2 * MOST;

/// What is wanted of the maps. Weights are hundredths of a centipawn for a unit of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// What castle maps count; 0 for nothing.
    pub castles: i32,
    /// What assault maps count.
    pub assaults: i32,
    /// How many of each are kept alive, 1 or 2.
    pub alive: usize,
    /// What is left of the castle maps when the castle stands and the middle game begins, in
    /// hundredths.
    pub middle_game: i32,
}

/// The value of the maps of one formation, kept from move to move: that of kinds whose pieces count
/// by themselves, of the golds and of the silvers.
type Parts = [i16; 3];

/// What is kept of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GuideState {
    parts: [[Parts; SLOTS]; 2],
}

/// Maps for a search.
#[derive(Clone, Debug)]
pub struct Guide {
    sides: [SideGuide; 2],
}

#[derive(Clone, Debug)]
struct SideGuide {
    castles: Vec<Slot>,
    assaults: Vec<Slot>,
    /// What a unit of them is worth, in hundredths of a centipawn.
    castle_weight: i32,
    assault_weight: i32,
}

/// One formation on the squares of the board.
#[derive(Clone, Debug)]
struct Slot {
    /// By kind and square, for kinds whose pieces count by themselves.
    single: Box<[[i16; Square::COUNT]; PieceKind::COUNT]>,
    golds: Vec<[i16; Square::COUNT]>,
    silvers: Vec<[i16; Square::COUNT]>,
    /// The most that it can be worth.
    attainable: i32,
}

impl Guide {
    /// The maps of what both players build in a position.
    pub fn new(atlas: &Atlas, root: &Position, wishes: &Wishes) -> Self {
        let alive = wishes.alive.clamp(1, MOST);
        let choices = atlas.formations().choose(root, alive);
        let left = 16 - Progress::near_kings(root).sixteenths().min(16) as i32;
        let side =
            |color: Color| SideGuide::new(atlas, &choices[color.index()], color, wishes, left);
        Self { sides: Color::ALL.map(side) }
    }

    /// The state of a position, worked out from its pieces.
    pub fn state(&self, position: &Position) -> GuideState {
        let mut state = GuideState::default();
        for color in Color::ALL {
            for (slot, parts) in self.sides[color.index()].slots() {
                state.parts[color.index()][parts] = slot.parts(position, color);
            }
        }
        state
    }

    /// The state after a move.
    #[inline]
    pub fn after(&self, state: &GuideState, change: &BoardChange, after: &Position) -> GuideState {
        let mut next = *state;
        let (color, moved, set_down) = (change.side, change.moved.kind(), change.set_down.kind());
        for (slot, parts) in self.sides[color.index()].slots() {
            let parts = &mut next.parts[color.index()][parts];
            parts[0] += slot.single[set_down.index()][change.to.index()];
            if let Some(from) = change.from {
                parts[0] -= slot.single[moved.index()][from.index()];
                slot.share_out(map_kind(moved), after, color, parts);
            }
            if change.from.is_none() || moved != set_down {
                slot.share_out(map_kind(set_down), after, color, parts);
            }
        }
        if let Some(captured) = change.captured.map(Piece::kind) {
            for (slot, parts) in self.sides[(!color).index()].slots() {
                let parts = &mut next.parts[(!color).index()][parts];
                parts[0] -= slot.single[captured.index()][change.to.index()];
                slot.share_out(map_kind(captured), after, !color, parts);
            }
        }
        next
    }

    /// What the maps are worth to Black, in centipawns.
    #[inline]
    pub fn score(&self, state: &GuideState) -> i32 {
        let of = |color: Color| self.sides[color.index()].worth(&state.parts[color.index()]);
        // Quarters of a unit, and hundredths of a centipawn for a unit.
        (of(Color::Black) - of(Color::White)) / 400
    }

    /// Does a move bring the moved piece nearer to its place in a formation of its player?
    pub fn raises(&self, position: &Position, mv: Move) -> bool {
        let change = BoardChange::new(position, mv);
        let color = change.side;
        let (from, to) = (change.from.map(|from| (change.moved.kind(), from)), change.to);
        let set_down = change.set_down.kind();
        let mut raises = false;
        for (slot, _) in self.sides[color.index()].slots() {
            let value = |kind: PieceKind, square: Square| slot.best(kind, square);
            let before = from.map_or(0, |(kind, square)| value(kind, square));
            raises |= value(set_down, to) > before;
        }
        raises
    }
}

impl SideGuide {
    fn new(atlas: &Atlas, choice: &Choice, color: Color, wishes: &Wishes, left: i32) -> Self {
        let slots = |weight: i32, all: &[usize], maps: &dyn Fn(usize) -> Slot| -> Vec<Slot> {
            if weight == 0 { Vec::new() } else { all.iter().map(|&index| maps(index)).collect() }
        };
        let castles =
            slots(wishes.castles, &choice.castles, &|i| Slot::new(atlas.castle(i), color));
        let assaults =
            slots(wishes.assaults, &choice.assaults, &|i| Slot::new(atlas.assault(i), color));
        let stage = if choice.stage == Stage::Opening { 100 } else { wishes.middle_game };
        Self {
            castles,
            assaults,
            castle_weight: wishes.castles * left * stage / 1600,
            assault_weight: wishes.assaults * left / 16,
        }
    }

    /// The formations with their places in the state.
    #[inline]
    fn slots(&self) -> impl Iterator<Item = (&Slot, usize)> {
        self.castles.iter().zip(0..).chain(self.assaults.iter().zip(MOST..))
    }

    /// What they are worth: of those that are alive the one that misses least.
    #[inline]
    fn worth(&self, parts: &[Parts; SLOTS]) -> i32 {
        let best = |slots: &[Slot], parts: &[Parts]| {
            let missing = |(slot, parts): (&Slot, &Parts)| {
                parts.iter().map(|&part| i32::from(part)).sum::<i32>() - slot.attainable
            };
            slots.iter().zip(parts).map(missing).max().unwrap_or(0)
        };
        best(&self.castles, &parts[..MOST]) * self.castle_weight
            + best(&self.assaults, &parts[MOST..]) * self.assault_weight
    }
}

impl Slot {
    fn new(maps: &FormationMaps, color: Color) -> Self {
        let weigh = |kind: PieceKind, values: &super::maps::Values| {
            let mut weighed = [0; Square::COUNT];
            for square in Square::all() {
                let value = i16::from(values[square.seen_by(color).index()]);
                weighed[square.index()] = value * kind_weight(kind) as i16;
            }
            weighed
        };
        let shared = |kind: PieceKind| {
            let own = maps.places().iter().filter(|place| place.place.0 == kind);
            own.map(|place| weigh(kind, &place.values)).collect()
        };
        let single = PieceKind::ALL.map(|kind| {
            let kind = map_kind(kind);
            let values = if is_shared_out(kind) { [0; Square::COUNT] } else { maps.of_kind(kind) };
            weigh(kind, &values)
        });
        Self {
            single: Box::new(single),
            golds: shared(PieceKind::Gold),
            silvers: shared(PieceKind::Silver),
            attainable: maps.attainable(),
        }
    }

    fn parts(&self, position: &Position, color: Color) -> Parts {
        let mut parts = [0; 3];
        for (square, piece) in position.pieces() {
            if piece.color() == color {
                parts[0] += self.single[piece.kind().index()][square.index()];
            }
        }
        self.share_out(PieceKind::Gold, position, color, &mut parts);
        self.share_out(PieceKind::Silver, position, color, &mut parts);
        parts
    }

    /// Works out anew who of a shared kind gets which place.
    #[inline]
    fn share_out(&self, kind: PieceKind, position: &Position, color: Color, parts: &mut Parts) {
        let (maps, part) = match kind {
            PieceKind::Gold => (&self.golds, 1),
            PieceKind::Silver => (&self.silvers, 2),
            _ => return,
        };
        if !maps.is_empty() {
            parts[part] = best_shares(maps, pieces_of(position, color, kind));
        }
    }

    /// The best that a kind is worth on a square.
    fn best(&self, kind: PieceKind, square: Square) -> i16 {
        let shared = match map_kind(kind) {
            PieceKind::Gold => &self.golds,
            PieceKind::Silver => &self.silvers,
            _ => return self.single[kind.index()][square.index()],
        };
        shared.iter().map(|map| map[square.index()]).max().unwrap_or(0)
    }
}

/// The most that pieces of a kind are worth on one or two places, none taking both.
#[inline]
fn best_shares(maps: &[[i16; Square::COUNT]], pieces: Bitboard) -> i16 {
    let [first, rest @ ..] = maps else { return 0 };
    let Some(second) = rest.first() else {
        return pieces.into_iter().map(|square| first[square.index()]).max().unwrap_or(0);
    };
    let mut best: Option<i16> = None;
    for a in pieces {
        for b in pieces.without(Bitboard::of(a)) {
            let sum = first[a.index()] + second[b.index()];
            best = Some(best.map_or(sum, |best| best.max(sum)));
        }
    }
    let alone = || {
        let both = |square: Square| first[square.index()].max(second[square.index()]);
        pieces.into_iter().map(both).max().unwrap_or(0)
    };
    best.unwrap_or_else(alone)
}
