//! Policies: models that choose among the legal moves.

use std::sync::LazyLock;

use tesuji_eval::moves::{BOARD_INPUTS, Group, MoveContext, MoveModel, Past, ROW_UNITS, UNITS};
use tesuji_eval::plausible::patterns::{self, Kings};
use tesuji_eval::plausible::{Development, Group as Reasons, Lore, Merits, Patterns, Rater, Scene};
use tesuji_eval::positions::{self, Comparison, PositionModel};
use tesuji_records::Sample;
use tesuji_search::alphabeta::lore;
use tesuji_shogi::{Move, MoveList, Position};

/// A move to learn: the position, what was played there, and the moves before.
#[derive(Clone, Copy)]
pub struct MoveExample {
    /// The position.
    pub position: Position,
    /// The moves before.
    pub past: Past,
    /// What the master played.
    pub played: Move,
}

impl MoveExample {
    /// The move of a labelled position, with nothing known of those before; `None` if it has none.
    pub fn alone(sample: &Sample) -> Option<Self> {
        let &Sample { position, mv, .. } = sample;
        Some(Self { position, past: Past::default(), played: mv? })
    }

    /// The positions of a game, each with the move that was played there and those before.
    pub fn of_game(
        positions: impl Iterator<Item = (Position, Move)>,
    ) -> impl Iterator<Item = Self> {
        positions.scan(Past::default(), |past, (position, played)| {
            let sample = Self { position, past: *past, played };
            *past = past.then(played);
            Some(sample)
        })
    }
}

/// A policy: a model that scores each legal move with the sum of the weights of its features, and
/// perhaps with a small network over some of them.
pub trait Chooser: Sync + Send {
    /// How many features there are.
    const FEATURES: usize;
    /// The network, if there is one.
    const NETWORK: Option<Shape> = None;
    /// Units of a score in one of the log-odds (a logit).
    const UNITS: i32;
    /// Moves that are less likely are left out of a step, to save time.
    const UNLIKELY: f32 = 1e-5;

    /// The model with these parameters: the weights of the features, then those of the network.
    ///
    /// # Panics
    /// If there are not as many as there must be.
    fn with_parameters(parameters: &[f32]) -> Self;

    /// Writes down the features of each move in the order of the list, and the pieces that the
    /// network sees. What all moves have in common may be left out of the features.
    fn describe(position: &Position, past: Past, moves: &MoveList, lists: &mut FeatureLists);

    /// What the model makes of each move in the order of the list, in units.
    fn scores(&self, position: &Position, past: Past, moves: &MoveList) -> Vec<i32>;
}

/// What the network of [`tesuji_eval::moves::Network`] is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The first feature that has a row; all after it have one too.
    pub first_feature: usize,
    /// Pieces, each of which has a row.
    pub pieces: usize,
}

/// A number as the model keeps it.
fn rounded(number: f32, units: i32) -> i16 {
    (number * units as f32).round() as i16
}

impl Chooser for MoveModel {
    const FEATURES: usize = Group::FEATURES;
    const NETWORK: Option<Shape> =
        Some(Shape { first_feature: Group::FIRST_OF_NETWORK, pieces: BOARD_INPUTS });
    const UNITS: i32 = UNITS;
    const UNLIKELY: f32 = 1e-3;

    fn with_parameters(parameters: &[f32]) -> Self {
        let (weights, network) = parameters.split_at(Group::FEATURES);
        let weights = weights.iter().map(|&weight| rounded(weight, UNITS));
        let network = network.iter().map(|&number| rounded(number, ROW_UNITS));
        let numbers: Vec<i16> = weights.chain(network).collect();
        Self::new(&numbers).expect("as many numbers as the model has")
    }

    fn describe(position: &Position, past: Past, moves: &MoveList, lists: &mut FeatureLists) {
        let context = MoveContext::new(position, past);
        context.for_each_piece(|piece| lists.add_piece(piece));
        for mv in moves {
            context.for_each_feature(mv, |feature, sign| lists.add(feature, sign));
            lists.end_move();
        }
    }

    fn scores(&self, position: &Position, past: Past, moves: &MoveList) -> Vec<i32> {
        let context = MoveContext::new(position, past);
        let judge = self.judge(&context);
        moves.into_iter().map(|mv| judge.score(mv)).collect()
    }
}

impl Chooser for PositionModel {
    const FEATURES: usize = positions::Group::FEATURES;
    const UNITS: i32 = UNITS;

    fn with_parameters(parameters: &[f32]) -> Self {
        let weights = parameters.iter().map(|&weight| rounded(weight, UNITS));
        Self::new(weights.collect()).expect("as many weights as features")
    }

    fn describe(position: &Position, _past: Past, moves: &MoveList, lists: &mut FeatureLists) {
        let comparison = Comparison::new(position);
        for mv in moves {
            comparison.for_each_difference(mv, |feature, sign| lists.add(feature, sign));
            lists.end_move();
        }
    }

    fn scores(&self, position: &Position, _past: Past, moves: &MoveList) -> Vec<i32> {
        let comparison = Comparison::new(position);
        moves.into_iter().map(|mv| self.relative_score(&comparison, mv)).collect()
    }
}

impl Chooser for Patterns {
    const FEATURES: usize = patterns::Group::FEATURES;
    const UNITS: i32 = patterns::UNITS;

    fn with_parameters(parameters: &[f32]) -> Self {
        let values = parameters.iter().map(|&value| rounded(value, patterns::UNITS));
        Self::new(values.collect()).expect("as many values as features")
    }

    fn describe(position: &Position, _past: Past, moves: &MoveList, lists: &mut FeatureLists) {
        let kings = Kings::new(position, position.side_to_move());
        for mv in moves {
            patterns::for_each_move_feature(position, &kings, mv, |feature| lists.add(feature, 1));
            lists.end_move();
        }
    }

    fn scores(&self, position: &Position, _past: Past, moves: &MoveList) -> Vec<i32> {
        let kings = Kings::new(position, position.side_to_move());
        moves.into_iter().map(|mv| self.score(position, &kings, mv)).collect()
    }
}

/// Works with the reasons for the moves of a position, by what the program knows of development;
/// with the hierarchy, not all generators are asked while a strong threat is on the board.
pub fn with_reasons<T>(
    position: &Position,
    past: Past,
    merits: &Merits,
    hierarchy: bool,
    work: impl FnOnce(&Rater<'_>) -> T,
) -> T {
    static LORE: LazyLock<Lore> = LazyLock::new(|| lore(None));
    let development = Development::new(&LORE, position, [None; 2]);
    let scene = Scene::new(position, past, &development);
    work(&Rater::new(&scene, merits, scene.asked(hierarchy)))
}

impl Chooser for Merits {
    const FEATURES: usize = Reasons::FEATURES;
    const UNITS: i32 = tesuji_eval::plausible::UNITS;

    fn with_parameters(parameters: &[f32]) -> Self {
        let values = parameters.iter().map(|&value| rounded(value, Self::UNITS));
        Self::new(values.collect()).expect("as many values as features")
    }

    fn describe(position: &Position, past: Past, moves: &MoveList, lists: &mut FeatureLists) {
        static NONE: LazyLock<Merits> = LazyLock::new(Merits::hand);
        with_reasons(position, past, &NONE, true, |rater| {
            for mv in moves {
                rater.for_each_feature(mv, |feature| lists.add(feature, 1));
                lists.end_move();
            }
        });
    }

    fn scores(&self, position: &Position, past: Past, moves: &MoveList) -> Vec<i32> {
        with_reasons(position, past, self, true, |rater| {
            moves.into_iter().map(|mv| rater.rate(mv).merit).collect()
        })
    }
}

/// The active features of the moves of a position, one move after the other.
#[derive(Default)]
pub struct FeatureLists {
    /// Twice the number of a feature, and 1 more if it is taken away.
    entries: Vec<u32>,
    /// Where those of each move end.
    ends: Vec<usize>,
    /// What the network sees of the board.
    pieces: Vec<u32>,
}

impl FeatureLists {
    /// The move has this feature, or takes it away if the sign is negative.
    #[inline(always)]
    pub fn add(&mut self, feature: usize, sign: i32) {
        self.entries.push((feature as u32) << 1 | u32::from(sign < 0));
    }

    /// The network sees this piece.
    #[inline(always)]
    pub fn add_piece(&mut self, piece: usize) {
        self.pieces.push(piece as u32);
    }

    /// What the network sees of the board.
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    /// All has been said of a move.
    #[inline(always)]
    pub fn end_move(&mut self) {
        self.ends.push(self.entries.len());
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
        self.pieces.clear();
    }

    /// For each move its features, with 1 or -1 for those that it has or takes away.
    pub fn moves(&self) -> impl Iterator<Item = impl Iterator<Item = (u32, f32)> + '_> + '_ {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| {
            self.entries[start..end]
                .iter()
                .map(|&entry| (entry >> 1, 1.0 - 2.0 * (entry & 1) as f32))
        })
    }
}
