//! The walk over the games that all passes of a scan share, the first pass and the last.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_run::Observer;
use tesuji_shogi::{Color, Position};

use super::super::curve::{Curve, HalfPoints};
use super::super::values::{ValuedGame, walk};
use super::ScanPlan;
use super::base::{BINS, Base, bin_of};
use super::candidates::Candidate;
use super::outcome::{Board, Finding};

/// Games whose results are shuffled among each other.
const SHUFFLED: usize = 512;
/// Games of which a position is taken to find the tenths of features.
const SAMPLED: usize = 5000;

/// A game on its way from the threads to the sums: its number, its result, what was counted.
struct Worked<T> {
    number: u64,
    result: HalfPoints,
    part: T,
}

/// Walks over the games and hands them on in their order, with what they brought Black: their own
/// result, or that of another game where results are shuffled. Gives the games without a result.
pub fn for_each<T: Send>(
    plan: &ScanPlan,
    observer: &dyn Observer,
    work: impl Fn(&ValuedGame) -> T + Sync,
    mut take: impl FnMut(u64, HalfPoints, T),
) -> Result<u64> {
    let mut undecided = 0;
    let mut waiting: Vec<Worked<T>> = Vec::new();
    let mut chunks = 0..;
    let mut hand_on = |games: &mut Vec<Worked<T>>| {
        let chunk = chunks.next().unwrap_or_default();
        let mut results: Vec<HalfPoints> = games.iter().map(|game| game.result).collect();
        if let Some(seed) = plan.shuffle {
            Random::stream(seed, chunk).shuffle(&mut results);
        }
        for (game, result) in games.drain(..).zip(results) {
            take(game.number, result, game.part);
        }
    };
    let of_game =
        |game: &ValuedGame| Worked { number: game.number, result: game.result, part: work(game) };
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

/// What the first pass finds.
pub struct Sample {
    pub base: Base,
    /// Values of features in some positions, each seen by both players.
    pub rows: Vec<Vec<i16>>,
    pub games: u64,
    pub undecided: u64,
    pub positions: u64,
}

/// The curve of all positions, and a sample of what features are.
pub fn sample(plan: &ScanPlan, observer: &dyn Observer) -> Result<Sample> {
    let mut bins = vec![(0_u64, 0.0); BINS];
    let (mut rows, mut games, mut positions) = (Vec::new(), 0, 0);
    let work = |game: &ValuedGame| {
        let bins: Vec<u8> =
            game.positions.iter().map(|valued| bin_of(valued.value, plan.bin) as u8).collect();
        let rows = match (&plan.features, game.positions.len()) {
            (Some(set), count @ 1..) if game.number < SAMPLED as u64 => {
                let place = Random::new(game.number).below(count);
                let position = &game.positions[place].position;
                Color::ALL.map(|player| set.values(position, player)).to_vec()
            }
            _ => Vec::new(),
        };
        (bins, rows)
    };
    let undecided = for_each(plan, observer, work, |_, result, (in_bins, more)| {
        games += 1;
        positions += in_bins.len() as u64;
        for bin in in_bins {
            let bin = &mut bins[usize::from(bin)];
            *bin = (bin.0 + 1, bin.1 + result as f64 / 2.0);
        }
        rows.extend(more);
    })?;
    Ok(Sample { base: Base::new(&bins, plan.bin), rows, games, undecided, positions })
}

/// Boards of one condition that are shown.
const BOARDS: usize = 3;

/// A position in which a condition mattered.
struct Shown {
    board: Board,
    bins: Vec<(i32, i32)>,
}

/// Fills in the curves of findings, and the boards where the error costs most: the chance of the
/// player is changed most by what was found, and the game went that way. Gives the curve of all
/// positions, each seen by both players.
pub fn show(
    plan: &ScanPlan,
    base: &Base,
    findings: &mut [Finding],
    observer: &dyn Observer,
) -> Result<Curve> {
    let mut all = Curve::default();
    let known: Vec<(Candidate, f64)> =
        findings.iter().map(|one| (one.candidate.clone(), one.shift)).collect();
    let work = |game: &ValuedGame| {
        let of_condition =
            |(candidate, shift): &(Candidate, f64)| shown(plan, base, game, candidate, *shift);
        let seen_by = |sign: i32| -> Vec<(i32, i32)> {
            let own = game.positions.iter().map(|valued| sign * valued.value);
            own.map(|value| (value.div_euclid(plan.bin), value)).collect()
        };
        (known.iter().map(of_condition).collect::<Vec<_>>(), [seen_by(1), seen_by(-1)])
    };
    for_each(plan, observer, work, |number, result, (shown, [black, white])| {
        all.add_game(result, &black);
        all.add_game(2 - result, &white);
        for (finding, both) in findings.iter_mut().zip(shown) {
            for (player, shown) in both.into_iter().enumerate() {
                let Some(Shown { mut board, bins }) = shown else { continue };
                let own = if player == 0 { result } else { 2 - result };
                finding.curve.add_game(own, &bins);
                board.game = number;
                board.points = own as f64 / 2.0;
                // Only where the game went the way that was found.
                if (board.points - 0.5) * finding.shift > 0.0 {
                    finding.boards.push(board);
                }
            }
            finding.boards.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.game.cmp(&b.game)));
            finding.boards.dedup_by_key(|board| board.game);
            finding.boards.truncate(BOARDS);
        }
    })?;
    Ok(all)
}

/// The positions of a game that meet a condition, for Black and for White: their bins, and the one
/// in which it changes the chance most.
fn shown(
    plan: &ScanPlan,
    base: &Base,
    game: &ValuedGame,
    candidate: &Candidate,
    shift: f64,
) -> [Option<Shown>; 2] {
    let mut both: [Option<Shown>; 2] = [None, None];
    for valued in &game.positions {
        let sign = candidate.sign(&Facts::new(&valued.position));
        if sign == 0 {
            continue;
        }
        let own = sign * valued.value;
        let logit = base.logit(bin_of(own, plan.bin));
        let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        let cost = (chance(logit + shift) - chance(logit)).abs();
        let shown = both[usize::from(sign < 0)].get_or_insert_with(|| Shown {
            board: Board::new(&valued.position, own),
            bins: Vec::new(),
        });
        shown.bins.push((own.div_euclid(plan.bin), own));
        if cost > shown.board.cost {
            shown.board = Board { cost, ..Board::new(&valued.position, own) };
        }
    }
    both
}

impl Board {
    fn new(position: &Position, value: i32) -> Self {
        Self { position: *position, value, cost: 0.0, game: 0, points: 0.5 }
    }
}
