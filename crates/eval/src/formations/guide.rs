//! The maps of the formations that both players build, prepared for a search: chosen once at its
//! root, and kept from move to move.

use std::ops::Range;

use tesuji_shogi::{Bitboard, BoardChange, Color, Move, Piece, PieceKind, Position, Square};

use super::maps::{self, Values, is_shared_out, kind_weight, map_kind, pieces_of};
use super::{Atlas, Choice, FormationMaps, Stage};
use crate::progress::Progress;

/// How many castles and how many assaults of a player are kept alive in a search.
pub const MOST: usize = 2;
/// Castles, assaults, and the maps of positions.
const LAYERS: usize = 2 * MOST + 1;
/// Parts of a centipawn in which maps are added up: quarters of a unit, and hundredths of a
/// centipawn for a unit.
const PARTS: i32 = 400;

/// What is wanted of the maps. Weights are hundredths of a centipawn for a unit of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// What castle maps count; 0 for nothing.
    pub castles: i32,
    /// What assault maps count.
    pub assaults: i32,
    /// What positional maps count.
    pub positional: i32,
    /// How many castles and assaults are kept alive, 1 or 2.
    pub alive: usize,
    /// What is left of the castle maps when the castle stands and the middle game begins, in
    /// hundredths.
    pub middle_game: i32,
}

/// The value of a layer, kept from move to move: that of kinds whose pieces count by themselves, of
/// the golds and of the silvers.
type Sums = [i32; 3];

/// What is kept of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GuideState {
    sums: [[Sums; LAYERS]; 2],
}

/// Maps for a search.
#[derive(Clone, Debug)]
pub struct Guide {
    sides: [SideGuide; 2],
    castles: [Option<usize>; 2],
    identity: u64,
}

#[derive(Clone, Debug)]
struct SideGuide {
    layers: Vec<Layer>,
    /// Layers of which only the best counts; groups are added up.
    groups: Vec<Range<usize>>,
    /// The value of a kind on a square in each formation, to tell which moves bring a piece nearer.
    formations: Vec<[Values; PieceKind::COUNT]>,
}

/// Maps that are added up, on the squares of the board and with their weights.
#[derive(Clone, Debug)]
struct Layer {
    /// By kind and square, for pieces that count by themselves.
    single: Box<[[i32; Square::COUNT]; PieceKind::COUNT]>,
    /// For golds and for silvers: the places of each formation.
    shared: [Vec<Places>; 2],
    /// The most that the formations can be worth.
    attainable: i32,
}

/// The maps of the places that the pieces of a kind have in a formation.
type Places = Vec<[i32; Square::COUNT]>;

impl Guide {
    /// The maps of what both players build in a position. `before` is what they were building when
    /// that was chosen last: they go on with it until something else fits clearly better.
    pub fn new(
        atlas: &Atlas,
        root: &Position,
        wishes: &Wishes,
        before: [Option<usize>; 2],
    ) -> Self {
        let alive = wishes.alive.clamp(1, MOST);
        let choices = atlas.formations().choose(root, alive, before);
        let left = 16 - Progress::near_kings(root).sixteenths().min(16) as i32;
        let side =
            |color: Color| SideGuide::new(atlas, &choices[color.index()], color, wishes, left);
        let castles = Color::ALL.map(|color| choices[color.index()].castles.first().copied());
        let identity = identity(&choices, wishes, left);
        Self { sides: Color::ALL.map(side), castles, identity }
    }

    /// The castles that the players build.
    pub const fn castles(&self) -> [Option<usize>; 2] {
        self.castles
    }

    /// Tells these maps from others of the same definitions: scores that were found with others are
    /// no scores of these.
    pub const fn identity(&self) -> u64 {
        self.identity
    }

    /// The state of a position, worked out from its pieces.
    pub fn state(&self, position: &Position) -> GuideState {
        let mut state = GuideState::default();
        for color in Color::ALL {
            let sums = &mut state.sums[color.index()];
            for (layer, sums) in self.sides[color.index()].layers.iter().zip(sums) {
                *sums = layer.sums(position, color);
            }
        }
        state
    }

    /// The state after a move.
    #[inline]
    pub fn after(&self, state: &GuideState, change: &BoardChange, after: &Position) -> GuideState {
        let mut next = *state;
        let (color, moved, set_down) = (change.side, change.moved.kind(), change.set_down.kind());
        let sums = &mut next.sums[color.index()];
        for (layer, sums) in self.sides[color.index()].layers.iter().zip(sums) {
            sums[0] += layer.single[set_down.index()][change.to.index()];
            if let Some(from) = change.from {
                sums[0] -= layer.single[moved.index()][from.index()];
                layer.share_out(map_kind(moved), after, color, sums);
            }
            if change.from.is_none() || moved != set_down {
                layer.share_out(map_kind(set_down), after, color, sums);
            }
        }
        if let Some(captured) = change.captured.map(Piece::kind) {
            let sums = &mut next.sums[(!color).index()];
            for (layer, sums) in self.sides[(!color).index()].layers.iter().zip(sums) {
                sums[0] -= layer.single[captured.index()][change.to.index()];
                layer.share_out(map_kind(captured), after, !color, sums);
            }
        }
        next
    }

    /// What the maps are worth to Black, in centipawns.
    #[inline]
    pub fn score(&self, state: &GuideState) -> i32 {
        let of = |color: Color| self.sides[color.index()].worth(&state.sums[color.index()]);
        (of(Color::Black) - of(Color::White)) / PARTS
    }

    /// Does a move bring the moved piece nearer to its place in a formation of its player?
    pub fn raises(&self, position: &Position, mv: Move) -> bool {
        let change = BoardChange::new(position, mv);
        let (moved, set_down) = (change.moved.kind(), change.set_down.kind());
        let own = |square: Square| square.seen_by(change.side).index();
        self.sides[change.side.index()].formations.iter().any(|values| {
            let before = change.from.map_or(0, |from| values[moved.index()][own(from)]);
            values[set_down.index()][own(change.to)] > before
        })
    }
}

/// A number for everything that maps depend on, the same on every machine.
fn identity(choices: &[Choice; 2], wishes: &Wishes, left: i32) -> u64 {
    let weights = [wishes.castles, wishes.assaults, wishes.positional, wishes.middle_game, left];
    let weights = weights.into_iter().map(|weight| weight as u64);
    let chosen = choices.iter().flat_map(|choice| {
        let numbers = |all: &[usize]| all.iter().map(|&n| n as u64 + 1).collect::<Vec<_>>();
        [vec![choice.stage as u64], numbers(&choice.castles), vec![0], numbers(&choice.assaults)]
    });
    let numbers = weights.chain(chosen.flatten());
    // The constants of FNV-1a, with a last step that brings the high bits down.
    let sum = numbers.fold(0xCBF2_9CE4_8422_2325, |sum: u64, number| {
        (sum ^ number).wrapping_mul(0x0100_0000_01B3)
    });
    (sum ^ (sum >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl SideGuide {
    fn new(atlas: &Atlas, choice: &Choice, color: Color, wishes: &Wishes, left: i32) -> Self {
        let stage = if choice.stage == Stage::Opening { 100 } else { wishes.middle_game };
        let [castle, assault, positional] = [
            wishes.castles * left * stage / 1600,
            wishes.assaults * left / 16,
            wishes.positional * left / 16,
        ];
        let of = |wanted: i32, all: &[usize]| if wanted == 0 { Vec::new() } else { all.to_vec() };
        let castles: Vec<_> =
            of(wishes.castles, &choice.castles).into_iter().map(|i| atlas.castle(i)).collect();
        let assaults: Vec<_> =
            of(wishes.assaults, &choice.assaults).into_iter().map(|i| atlas.assault(i)).collect();
        let mut groups = [(&castles, castle), (&assaults, assault)]
            .map(|(maps, weight)| {
                maps.iter().map(|maps| Layer::new(maps, color, weight)).collect::<Vec<_>>()
            })
            .to_vec();
        if wishes.positional != 0 {
            groups.push(vec![Layer::positional(atlas, color, positional)]);
        }
        groups.retain(|group| !group.is_empty());
        let formations = castles.iter().chain(&assaults).map(|maps| kinds(maps)).collect();
        Self::of_groups(groups, formations)
    }

    fn of_groups(mut groups: Vec<Vec<Layer>>, formations: Vec<[Values; PieceKind::COUNT]>) -> Self {
        // Where nothing is chosen among several, everything is added up: one layer is enough.
        if groups.len() > 1 && groups.iter().all(|group| group.len() == 1) {
            let all = groups.drain(..).flatten();
            let sum = all.reduce(Layer::plus).expect("there are several");
            groups = vec![vec![sum]];
        }
        let mut ranges = Vec::new();
        let mut begin = 0;
        for group in &groups {
            ranges.push(begin..begin + group.len());
            begin += group.len();
        }
        Self { layers: groups.into_iter().flatten().collect(), groups: ranges, formations }
    }

    /// What they are worth: of the formations that are alive the one that misses least.
    #[inline]
    fn worth(&self, sums: &[Sums; LAYERS]) -> i32 {
        let missing =
            |number: usize| sums[number].iter().sum::<i32>() - self.layers[number].attainable;
        self.groups.iter().map(|group| group.clone().map(missing).max().unwrap_or(0)).sum()
    }
}

impl Layer {
    /// The maps of a formation.
    fn new(maps: &FormationMaps, color: Color, weight: i32) -> Self {
        let weigh =
            |kind: PieceKind, values: &Values| weighed(values, color, weight * kind_weight(kind));
        let shared = [PieceKind::Gold, PieceKind::Silver].map(|kind| {
            let own = maps.places().iter().filter(|place| place.place.0 == kind);
            let own: Places = own.map(|place| weigh(kind, &place.values)).collect();
            if own.is_empty() { Vec::new() } else { vec![own] }
        });
        let single = PieceKind::ALL.map(|kind| {
            let kind = map_kind(kind);
            let values = if is_shared_out(kind) { [0; Square::COUNT] } else { maps.of_kind(kind) };
            weigh(kind, &values)
        });
        Self { single: Box::new(single), shared, attainable: maps.attainable() * weight }
    }

    /// The maps of positions, which know no places: every piece counts by itself.
    fn positional(atlas: &Atlas, color: Color, weight: i32) -> Self {
        let single = PieceKind::ALL
            .map(|kind| weighed(&atlas.positional(kind), color, weight * maps::QUARTERS));
        Self { single: Box::new(single), shared: [Vec::new(), Vec::new()], attainable: 0 }
    }

    /// Both added up.
    fn plus(mut self, other: Self) -> Self {
        for (own, more) in self.single.iter_mut().zip(other.single.iter()) {
            own.iter_mut().zip(more).for_each(|(own, more)| *own += more);
        }
        for (own, more) in self.shared.iter_mut().zip(other.shared) {
            own.extend(more);
        }
        self.attainable += other.attainable;
        self
    }

    fn sums(&self, position: &Position, color: Color) -> Sums {
        let mut sums = [0; 3];
        for (square, piece) in position.pieces() {
            if piece.color() == color {
                sums[0] += self.single[piece.kind().index()][square.index()];
            }
        }
        self.share_out(PieceKind::Gold, position, color, &mut sums);
        self.share_out(PieceKind::Silver, position, color, &mut sums);
        sums
    }

    /// Works out anew who of a shared kind gets which place.
    #[inline]
    fn share_out(&self, kind: PieceKind, position: &Position, color: Color, sums: &mut Sums) {
        let number = match kind {
            PieceKind::Gold => 0,
            PieceKind::Silver => 1,
            _ => return,
        };
        let formations = &self.shared[number];
        if !formations.is_empty() {
            let pieces = pieces_of(position, color, kind);
            sums[number + 1] = formations.iter().map(|places| best_shares(places, pieces)).sum();
        }
    }
}

/// A map on the squares of the board.
fn weighed(values: &Values, color: Color, weight: i32) -> [i32; Square::COUNT] {
    let mut weighed = [0; Square::COUNT];
    for square in Square::all() {
        weighed[square.index()] = i32::from(values[square.seen_by(color).index()]) * weight;
    }
    weighed
}

/// The map of each kind.
fn kinds(maps: &FormationMaps) -> [Values; PieceKind::COUNT] {
    PieceKind::ALL.map(|kind| maps.of_kind(kind))
}

/// The most that pieces of a kind are worth on one or two places, none taking both.
#[inline]
fn best_shares(places: &[[i32; Square::COUNT]], pieces: Bitboard) -> i32 {
    let [first, rest @ ..] = places else { return 0 };
    let Some(second) = rest.first() else {
        return pieces.into_iter().map(|square| first[square.index()]).max().unwrap_or(0);
    };
    let mut best: Option<i32> = None;
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
