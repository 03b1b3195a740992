//! The passes of a scan that look at games themselves, and at boards and curves in the end.

use std::collections::BTreeMap;

use anyhow::Result;
use tesuji_eval::FeatureSet;
use tesuji_math::Random;
use tesuji_run::Observer;
use tesuji_shogi::{Color, Position};

use super::super::curve::{Curve, HalfPoints};
use super::super::values::{ValuedGame, positions_of_games, walk};
use super::ScanPlan;
use super::base::{Base, bin_of};
use super::candidates::Member;
use super::marks::{MarkedGame, Marks};
use super::outcome::{Board, Finding};

/// Games whose results are shuffled among each other.
const SHUFFLED: usize = 512;
/// Games of which a position is taken to find the tenths of features.
const SAMPLED: u64 = 5000;

/// Walks over the games and hands them on in their order, with what they brought Black: their own
/// result, or that of another game where results are shuffled. Gives the games without a result.
pub fn for_each<T: Send>(
    plan: &ScanPlan,
    observer: &dyn Observer,
    work: impl Fn(&ValuedGame) -> T + Sync,
    mut take: impl FnMut(HalfPoints, T),
) -> Result<u64> {
    let mut undecided = 0;
    let mut waiting: Vec<(HalfPoints, T)> = Vec::new();
    let mut chunks = 0..;
    let mut hand_on = |games: &mut Vec<(HalfPoints, T)>| {
        let chunk = chunks.next().unwrap_or_default();
        let mut results: Vec<HalfPoints> = games.iter().map(|game| game.0).collect();
        if let Some(seed) = plan.shuffle {
            Random::stream(seed, chunk).shuffle(&mut results);
        }
        for ((_, part), result) in games.drain(..).zip(results) {
            take(result, part);
        }
    };
    let of_game = |game: &ValuedGame| (game.result, work(game));
    walk(&plan.values, observer, of_game, |game| {
        match game {
            Some(game) => waiting.push(game),
            None => undecided += 1,
        }
        if waiting.len() == SHUFFLED {
            hand_on(&mut waiting);
        }
    })?;
    hand_on(&mut waiting);
    Ok(undecided)
}

/// Values of features in a position of each of some games, seen by both players.
pub fn sample(plan: &ScanPlan, set: &FeatureSet, observer: &dyn Observer) -> Result<Vec<Vec<i16>>> {
    let mut rows = Vec::new();
    let of_game = |number: u64, positions: &[Position]| match positions.len() {
        0 => Vec::new(),
        count => {
            let position = &positions[Random::new(number).below(count)];
            Color::ALL.map(|player| set.values(position, player)).to_vec()
        }
    };
    let is_wanted = |number: u64| number < SAMPLED;
    positions_of_games(&plan.values, observer, is_wanted, of_game, |some| rows.extend(some))?;
    Ok(rows)
}

/// Boards of one condition that are shown.
const BOARDS: usize = 3;

/// A position in which a condition mattered, before its board is known.
#[derive(Clone, Copy)]
struct Spot {
    game: u64,
    ply: u32,
    /// Its value to the player for whom the condition holds, what the game brought that player, and
    /// by how much the condition changes the chance.
    value: i32,
    points: f64,
    cost: f64,
}

/// The curve of a condition, and where it mattered most.
#[derive(Clone, Default)]
struct Shown {
    curve: Curve,
    spots: Vec<Spot>,
}

impl Shown {
    /// Adds the positions of one game as one player sees them.
    fn add_game(&mut self, plan: &ScanPlan, result: HalfPoints, spots: &[Spot]) {
        let bins: Vec<(i32, i32)> =
            spots.iter().map(|spot| (spot.value.div_euclid(plan.bin), spot.value)).collect();
        self.curve.add_game(result, &bins);
        // Of equal ones the first.
        let most =
            spots.iter().reduce(|most, spot| if spot.cost > most.cost { spot } else { most });
        self.spots.extend(most.filter(|most| most.cost > 0.0));
    }

    fn merge(&mut self, other: Self) {
        self.curve.merge(&other.curve);
        self.spots.extend(other.spots);
        self.keep_worst();
    }

    /// Leaves the spots that cost most, one of a game.
    fn keep_worst(&mut self) {
        self.spots.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.game.cmp(&b.game)));
        let mut seen = Vec::new();
        self.spots.retain(|spot| {
            let is_new = seen.len() < BOARDS && !seen.contains(&spot.game);
            seen.extend(is_new.then_some(spot.game));
            is_new
        });
    }
}

/// Fills in the curves of findings, and the boards where the error costs most: the chance of the
/// player is changed most by what was found, and the game went that way. Gives the curve of all
/// positions, each seen by both players.
pub fn show(
    plan: &ScanPlan,
    base: &Base,
    marks: &mut Marks,
    findings: &mut [(Finding, Member)],
    observer: &dyn Observer,
) -> Result<Curve> {
    let known: Vec<(Member, f64)> =
        findings.iter().map(|(finding, member)| (*member, finding.shift)).collect();
    let nothing = || (Curve::default(), vec![Shown::default(); known.len()]);
    let (mut all, mut shown) = nothing();
    let work = |games: &[MarkedGame]| {
        let (mut all, mut shown) = nothing();
        for game in games {
            for (own, sign) in [(game.result, 1), (2 - game.result, -1)] {
                let values = game.positions.iter().map(|marked| sign * marked.value);
                let bins: Vec<_> =
                    values.map(|value| (value.div_euclid(plan.bin), value)).collect();
                all.add_game(own, &bins);
            }
            for ((member, shift), shown) in known.iter().zip(&mut shown) {
                for (own, spots) in spots(plan, base, game, *member, *shift) {
                    shown.add_game(plan, own, &spots);
                }
            }
        }
        shown.iter_mut().for_each(Shown::keep_worst);
        (all, shown)
    };
    marks.for_each_group(work, |(more, parts)| {
        all.merge(&more);
        shown.iter_mut().zip(parts).for_each(|(shown, part)| shown.merge(part));
    })?;
    let boards = boards(plan, shown.iter().flat_map(|one| &one.spots), observer)?;
    for ((finding, _), shown) in findings.iter_mut().zip(shown) {
        finding.curve = shown.curve;
        let board = |spot: &Spot| {
            let &Spot { game, ply, value, points, cost } = spot;
            let position = *boards.get(&(game, ply))?;
            Some(Board { position, value, cost, game, points })
        };
        finding.boards = shown.spots.iter().filter_map(board).collect();
    }
    Ok(all)
}

/// The positions of a game that meet a condition, for Black and for White, with what the game
/// brought that player. Where the game did not go the way that was found the cost is nothing.
fn spots(
    plan: &ScanPlan,
    base: &Base,
    game: &MarkedGame,
    member: Member,
    shift: f64,
) -> [(HalfPoints, Vec<Spot>); 2] {
    let mut both = [(game.result, Vec::new()), (2 - game.result, Vec::new())];
    let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    for (marked, holds) in game.marks() {
        let sign = member.sign(holds);
        if sign == 0 {
            continue;
        }
        let value = sign * marked.value;
        let (own, spots) = &mut both[usize::from(sign < 0)];
        let points = *own as f64 / 2.0;
        let logit = base.logit(bin_of(value, plan.bin));
        let went_so = (points - 0.5) * shift > 0.0;
        let cost = if went_so { (chance(logit + shift) - chance(logit)).abs() } else { 0.0 };
        spots.push(Spot { game: game.number, ply: marked.ply, value, points, cost });
    }
    both
}

/// The positions of these spots, by game and ply.
fn boards<'a>(
    plan: &ScanPlan,
    spots: impl Iterator<Item = &'a Spot>,
    observer: &dyn Observer,
) -> Result<BTreeMap<(u64, u32), Position>> {
    let mut wanted: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    spots.for_each(|spot| wanted.entry(spot.game).or_default().push(spot.ply));
    let of_game = |number: u64, positions: &[Position]| {
        let known = |&ply: &u32| Some(((number, ply), *positions.get(ply as usize)?));
        wanted[&number].iter().filter_map(known).collect::<Vec<_>>()
    };
    let mut boards = BTreeMap::new();
    let is_wanted = |number: u64| wanted.contains_key(&number);
    positions_of_games(&plan.values, observer, is_wanted, of_game, |some| boards.extend(some))?;
    Ok(boards)
}
