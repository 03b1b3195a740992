//! Rating moves: which generators produce a move, and its merit.

use tesuji_shogi::{BitWork, Bitboard, Move, MoveList, PieceKind, with_bit_instructions};

use super::groups::{Group, PRIZES};
use super::scene::Wanted;
use super::step::Start;
use super::{Class, Detail, Generator, Generators, Merits, Scene, Step};

/// Where ranges of the most that an exchange wins begin.
const PRIZE_STEPS: [i32; PRIZES - 1] = [1, 401, 1000];

/// The greatest standing of a move, either way.
const MOST: i32 = 3000;

/// What a move is for, and how much speaks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rating {
    /// The generators that produce it.
    pub generators: Generators,
    /// The sum of their values and of what the move costs.
    pub merit: i32,
}

impl Rating {
    /// Does any generator produce the move?
    #[inline(always)]
    pub const fn is_produced(&self) -> bool {
        !self.generators.is_empty()
    }

    /// The standing of moves that no generator produces; it is below that of all others.
    pub const UNPRODUCED: i32 = -MOST;

    /// The merit by which the moves of a position are cut.
    #[inline(always)]
    pub fn standing(&self) -> i32 {
        if self.is_produced() { self.merit.clamp(1 - MOST, MOST) } else { Self::UNPRODUCED }
    }

    /// Is it produced, with a merit that is not negative?
    #[inline(always)]
    pub const fn is_plausible(&self) -> bool {
        self.is_produced() && self.merit >= 0
    }
}

/// A merit by what it is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// What each generator adds, by its number; `None` if it does not produce the move.
    of: [Option<i32>; Generator::COUNT],
    /// What the move costs.
    costs: i32,
}

impl Parts {
    /// The rating by some of the generators alone, without the level of the position.
    pub fn rating(&self, asked: Generators) -> Rating {
        let mut rating = Rating { generators: Generators::NONE, merit: self.costs };
        for generator in asked.iter() {
            if let Some(value) = self.of[generator as usize] {
                rating.generators = rating.generators.with(generator);
                rating.merit += value;
            }
        }
        rating
    }
}

/// One reason for a move, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Who produced the move; `None` for what the move costs.
    pub generator: Option<Generator>,
    /// What it adds to the merit.
    pub value: i32,
    /// What it is about.
    pub details: Vec<Detail>,
}

impl Reason {
    /// The squares that it speaks of.
    pub fn squares(&self) -> Bitboard {
        self.details
            .iter()
            .map(|detail| Bitboard::of(detail.square))
            .fold(Bitboard::EMPTY, Bitboard::union)
    }
}

/// Rates the moves of a scene.
pub struct Rater<'a> {
    scene: &'a Scene<'a>,
    merits: &'a Merits,
    asked: Generators,
    wanted: Wanted,
}

impl<'a> Rater<'a> {
    /// Rates by some of the generators. The hierarchy is the caller's: see [`Scene::asked`].
    pub fn new(scene: &'a Scene<'a>, merits: &'a Merits, asked: Generators) -> Self {
        let wanted = if asked.contains(Generator::AvoidDevelopment) {
            scene.wanted_squares()
        } else {
            Wanted::default()
        };
        Self { scene, merits, asked, wanted }
    }

    /// The scene whose moves are rated.
    pub const fn scene(&self) -> &Scene<'a> {
        self.scene
    }

    /// Rates all legal moves of the position.
    pub fn rate_all(&self, moves: &MoveList) -> Vec<Rating> {
        let mut ratings = vec![Rating::default(); moves.len()];
        self.rate_each(moves.into_iter(), &mut ratings);
        self.merits.add_level(self.scene.level(), &mut ratings);
        ratings
    }

    /// Rates legal moves as [`rate`](Self::rate) does; faster if moves of one piece come together.
    pub fn rate_each(&self, moves: impl Iterator<Item = Move>, ratings: &mut [Rating]) {
        with_bit_instructions(RateEach { rater: self, moves, ratings });
    }

    /// Rates a legal move. Its merit is the sum of what generators and costs add, still without the
    /// level of the position.
    #[inline]
    pub fn rate(&self, mv: Move) -> Rating {
        self.rate_from(&mut None, mv)
    }

    /// The same, with where the move before began.
    #[inline(always)]
    fn rate_from(&self, start: &mut Option<Start>, mv: Move) -> Rating {
        if start.is_none_or(|start| start.origin != mv.origin()) {
            *start = self.scene.start(mv);
        }
        let Some(start) = start else { return Rating::default() };
        let step = self.scene.step_from(start, mv);
        let mut rating = Rating { generators: Generators::NONE, merit: 0 };
        self.scene.for_each_reason(&step, self.asked, &self.wanted, &mut |group, feature| {
            if let Some(generator) = generator_of(group) {
                rating.generators = rating.generators.with(generator);
            }
            rating.merit += self.merits.value(feature);
        });
        rating
    }

    /// The parts of a legal move's merit: what each generator that produces it adds, and the costs.
    pub fn parts(&self, mv: Move) -> Parts {
        let mut parts = Parts { of: [None; Generator::COUNT], costs: 0 };
        let Some(step) = self.scene.step(mv) else { return parts };
        self.scene.for_each_reason(&step, self.asked, &self.wanted, &mut |group, feature| {
            let value = self.merits.value(feature);
            match generator_of(group) {
                Some(generator) => *parts.of[generator as usize].get_or_insert(0) += value,
                None => parts.costs += value,
            }
        });
        parts
    }

    /// Why a legal move is rated so: one reason for each generator that produces it, and then the
    /// costs as one. With the level of the position their values add up to the merit.
    pub fn reasons(&self, mv: Move) -> Vec<Reason> {
        let Some(step) = self.scene.step(mv) else { return Vec::new() };
        let mut reasons: Vec<Reason> = Vec::new();
        let mut costs = 0;
        self.scene.for_each_reason(&step, self.asked, &self.wanted, &mut |group, feature| {
            let value = self.merits.value(feature);
            let generator = generator_of(group);
            if generator.is_none() {
                costs += value;
                return;
            }
            match reasons.iter_mut().find(|reason| reason.generator == generator) {
                Some(reason) => reason.value += value,
                None => {
                    let details = self.scene.details_of(group, &step, &self.wanted);
                    reasons.push(Reason { generator, value, details });
                }
            }
        });
        let details = self.scene.details_of(Group::Exchange, &step, &self.wanted);
        reasons.push(Reason { generator: None, value: costs, details });
        reasons
    }

    /// Calls `visit` with the numbers of all features of a legal move.
    #[inline]
    pub fn for_each_feature(&self, mv: Move, mut visit: impl FnMut(usize)) {
        let Some(step) = self.scene.step(mv) else { return };
        self.scene.for_each_reason(&step, self.asked, &self.wanted, &mut |_, feature| {
            visit(feature);
        });
    }
}

/// The rating of many moves.
struct RateEach<'r, 'a, I> {
    rater: &'r Rater<'a>,
    moves: I,
    ratings: &'r mut [Rating],
}

impl<I: Iterator<Item = Move>> BitWork for RateEach<'_, '_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut start = None;
        for (mv, rating) in self.moves.zip(self.ratings) {
            *rating = self.rater.rate_from(&mut start, mv);
        }
    }
}

/// The generator of a group, without a search.
#[inline(always)]
const fn generator_of(group: Group) -> Option<Generator> {
    let number = group as usize;
    if number < Generator::COUNT { Some(Generator::ALL[number]) } else { None }
}

impl Scene<'_> {
    /// The generators that are asked here: with the hierarchy, those that improve and prevent rest
    /// while a strong threat is on the board.
    pub fn asked(&self, hierarchy: bool) -> Generators {
        if hierarchy && self.is_tense() {
            let rests = Generators::of(Class::Improvement);
            Generators::ALL.without(rests).without(Generators::of(Class::Prevention))
        } else {
            Generators::ALL
        }
    }

    /// What the level of all merits goes by: whether a strong threat is on the board, how many kinds
    /// are in hand, the most that is to be won and to be lost, and whether the piece that moved last
    /// can be taken.
    pub fn level(&self) -> usize {
        let hand = self.position.hand(self.us);
        let held = PieceKind::HAND.into_iter().filter(|&kind| hand.count(kind) > 0).count();
        let prize = |most: i32| PRIZE_STEPS.iter().filter(|&&begin| most >= begin).count();
        let [won, lost] = [self.most_won, self.most_lost].map(prize);
        let takes = self.last_to.is_some_and(|to| self.ours.contains(to));
        let by_hand = usize::from(self.is_tense) * 8 + held;
        ((by_hand * PRIZES + won) * PRIZES + lost) * 2 + usize::from(takes)
    }

    /// Calls `visit` with the features of every reason for a move, and of its costs.
    #[inline(always)]
    fn for_each_reason(
        &self,
        step: &Step,
        asked: Generators,
        wanted: &Wanted,
        visit: &mut impl FnMut(Group, usize),
    ) {
        self.reasons(step, wanted, &mut |group, index| {
            if generator_of(group).is_some_and(|generator| asked.contains(generator)) {
                visit(group, group.feature(index));
            }
        });
        self.costs(step, &mut |group, index| visit(group, group.feature(index)));
    }
}
