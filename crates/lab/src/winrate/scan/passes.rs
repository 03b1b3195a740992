//! The passes of a scan over the games.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_math::linear::Matrix;
use tesuji_run::Observer;
use tesuji_shogi::{Color, Position};

use super::super::curve::{Curve, HalfPoints};
use super::super::values::{ValuedGame, walk};
use super::ScanPlan;
use super::base::{BINS, Base, HALF, bin_of, folded};
use super::candidates::Candidate;
use super::outcome::{Board, Finding};
use super::tally::{Part, Residuals, Tally};

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
fn for_each<T: Send>(
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

/// What the positions of a game are to bring Black by their values alone, and how many there are, by
/// folded bin and as the player sees them who has the better value.
#[derive(Clone, Default)]
struct Expected(Vec<(usize, f64, f64)>);

impl Expected {
    fn add(&mut self, bin: usize, chance: f64) {
        let (folded, sign) = folded(bin);
        match self.0.iter_mut().find(|known| known.0 == folded) {
            Some(known) => (known.1, known.2) = (known.1 + sign, known.2 + sign * chance),
            None => self.0.push((folded, sign, sign * chance)),
        }
    }

    /// What came more than that, Black having got so many points.
    fn residuals(&self, points: f64) -> Vec<(usize, f64)> {
        let residual =
            |&(bin, count, expected): &(usize, f64, f64)| (bin, points * count - expected);
        self.0.iter().map(residual).collect()
    }
}

/// Residuals with a place for every folded bin.
fn spread(residuals: &[(usize, f64)]) -> Vec<f64> {
    let mut all = vec![0.0; HALF];
    residuals.iter().for_each(|&(bin, residual)| all[bin] = residual);
    all
}

/// A condition that was counted: in games with even numbers, in the others, and in all.
pub struct Halves {
    pub even: Tally,
    pub odd: Tally,
    pub all: Tally,
}

/// Counts all candidates.
pub fn tally(
    plan: &ScanPlan,
    base: &Base,
    candidates: &[Candidate],
    observer: &dyn Observer,
) -> Result<Vec<Halves>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let mut tallies = vec![[Tally::new(), Tally::new()]; candidates.len()];
    let mut curve = [Residuals::new(), Residuals::new()];
    let work = |game: &ValuedGame| {
        let mut parts = vec![Part::default(); candidates.len()];
        // The condition, for whom it holds, and the bin as Black sees it.
        let mut places: Vec<(u16, bool, u8)> = Vec::new();
        let mut expected = Expected::default();
        for valued in &game.positions {
            let facts = Facts::new(&valued.position);
            let bin = bin_of(valued.value, plan.bin);
            let chance = base.chance(bin);
            expected.add(bin, chance);
            for (number, candidate) in candidates.iter().enumerate() {
                let sign = candidate.sign(&facts);
                if sign != 0 {
                    parts[number].add(sign, chance);
                    places.push((number as u16, sign > 0, bin as u8));
                }
            }
        }
        (parts, places, expected)
    };
    for_each(plan, observer, work, |number, result, (parts, places, expected)| {
        let half = (number % 2) as usize;
        let points = result as f64 / 2.0;
        let residuals = expected.residuals(points);
        curve[half].add_game(&spread(&residuals));
        for (tallies, part) in tallies.iter_mut().zip(&parts) {
            tallies[half].add_game(part, points, &residuals);
        }
        for (number, is_black, bin) in places {
            let (bin, points) = if is_black {
                (usize::from(bin), points)
            } else {
                (BINS - 1 - usize::from(bin), 1.0 - points)
            };
            let bin = &mut tallies[usize::from(number)][half].bins[bin];
            *bin = (bin.0 + 1, bin.1 + points);
        }
    })?;
    let whole = curve[0].merged(&curve[1]);
    let halves = |[even, odd]: [Tally; 2]| Halves {
        all: even.merged(&odd).beside(&whole, base),
        even: even.beside(&curve[0], base),
        odd: odd.beside(&curve[1], base),
    };
    Ok(tallies.into_iter().map(halves).collect())
}

/// How conditions go together.
pub struct Overlap {
    /// The surplus of each.
    pub surplus: Vec<f64>,
    /// What a shift of each brings in the positions of each other.
    pub information: Matrix,
    /// The surpluses of single games, multiplied.
    pub squares: Matrix,
    pub games: f64,
}

/// Counts how candidates, whose tallies are known, go together.
pub fn overlap(
    plan: &ScanPlan,
    base: &Base,
    finalists: &[(&Candidate, &Tally)],
    observer: &dyn Observer,
) -> Result<Overlap> {
    let size = finalists.len();
    let mut overlap = Overlap {
        surplus: vec![0.0; size],
        information: Matrix::zero(size),
        squares: Matrix::zero(size),
        games: 0.0,
    };
    if size == 0 {
        return Ok(overlap);
    }
    let share = |bin: usize| finalists.iter().map(move |one| base.share(&one.1.bins, bin));
    let shares: Vec<Vec<f64>> = (0..HALF).map(|bin| share(bin).collect()).collect();
    let work = |game: &ValuedGame| {
        let mut parts = vec![Part::default(); size];
        let mut information = Matrix::zero(size);
        let mut expected = Expected::default();
        for valued in &game.positions {
            let facts = Facts::new(&valued.position);
            let bin = bin_of(valued.value, plan.bin);
            let chance = base.chance(bin);
            expected.add(bin, chance);
            let signs: Vec<f64> =
                finalists.iter().map(|one| f64::from(one.0.sign(&facts))).collect();
            information.add_square(&signs, chance * (1.0 - chance));
            for (part, sign) in parts.iter_mut().zip(&signs) {
                if *sign != 0.0 {
                    part.add(*sign as i32, chance);
                }
            }
        }
        (parts, information, expected)
    };
    for_each(plan, observer, work, |_, result, (parts, information, expected)| {
        let points = result as f64 / 2.0;
        let mut surplus: Vec<f64> = parts.iter().map(|part| part.surplus(points)).collect();
        for (bin, residual) in expected.residuals(points) {
            for (surplus, share) in surplus.iter_mut().zip(&shares[bin]) {
                *surplus -= share * residual;
            }
        }
        overlap.surplus.iter_mut().zip(&surplus).for_each(|(sum, more)| *sum += more);
        overlap.information.add(&information, 1.0);
        overlap.squares.add_square(&surplus, 1.0);
        overlap.games += 1.0;
    })?;
    for (bin, shares) in shares.iter().enumerate() {
        overlap.information.add_square(shares, -base.information(bin));
    }
    Ok(overlap)
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
        Self { sfen: position.to_sfen(), value, cost: 0.0, game: 0, points: 0.5 }
    }
}
