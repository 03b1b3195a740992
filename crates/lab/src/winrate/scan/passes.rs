//! The passes of a scan over the games.

use anyhow::Result;
use tesuji_eval::condition::Facts;
use tesuji_math::Random;
use tesuji_math::linear::{Matrix, dot};
use tesuji_run::Observer;
use tesuji_shogi::{Color, Position};

use super::super::curve::{Curve, HalfPoints};
use super::super::values::{ValuedGame, walk};
use super::ScanPlan;
use super::base::{BINS, Base, HALF, bin_of, folded};
use super::candidates::{Candidate, Lineup, Scratch};
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

/// What was counted of a lineup.
pub struct Counts {
    /// Each candidate, in games with even numbers and in the others, the curve taken for certain.
    tallies: Vec<[Tally; 2]>,
    /// What the curve is off in them.
    curve: [Residuals; 2],
    /// What a shift of each brings in the positions of each other, and the surpluses of single
    /// games, multiplied; without any size where nobody asked for them.
    information: Matrix,
    squares: Matrix,
    games: f64,
}

/// A condition that was counted: in games with even numbers, in the others, and in all.
pub struct Halves {
    pub even: Tally,
    pub odd: Tally,
    pub all: Tally,
}

impl Counts {
    /// The tallies, in the order of the lineup.
    pub fn halves(&self, base: &Base) -> Vec<Halves> {
        let whole = self.curve[0].merged(&self.curve[1]);
        let halves = |[even, odd]: &[Tally; 2]| Halves {
            all: even.merged(odd).beside(&whole, base),
            even: even.clone().beside(&self.curve[0], base),
            odd: odd.clone().beside(&self.curve[1], base),
        };
        self.tallies.iter().map(halves).collect()
    }

    /// How some of the candidates go together, by their places.
    pub fn overlap(&self, base: &Base, places: &[usize]) -> Overlap {
        let whole = self.curve[0].merged(&self.curve[1]);
        let tallies =
            places.iter().map(|&place| self.tallies[place][0].merged(&self.tallies[place][1]));
        let tallies: Vec<Tally> = tallies.collect();
        let shares: Vec<Vec<f64>> = tallies
            .iter()
            .map(|tally| (0..HALF).map(|bin| base.share(&tally.bins, bin)).collect())
            .collect();
        let mut overlap = Overlap {
            surplus: Vec::new(),
            information: Matrix::zero(places.len()),
            squares: Matrix::zero(places.len()),
            games: self.games,
        };
        for (a, tally) in tallies.iter().enumerate() {
            overlap.surplus.push(tally.clone().beside(&whole, base).surplus);
            for b in 0..places.len() {
                let known: f64 = (0..HALF)
                    .map(|bin| shares[a][bin] * shares[b][bin] * base.information(bin))
                    .sum();
                overlap.information.row_mut(a)[b] =
                    self.information.row(places[a])[places[b]] - known;
                overlap.squares.row_mut(a)[b] = self.squares.row(places[a])[places[b]]
                    - dot(&shares[b], &tally.residuals)
                    - dot(&shares[a], &tallies[b].residuals)
                    + whole.between(&shares[a], &shares[b]);
            }
        }
        overlap
    }
}

/// Positions of a game in which a candidate holds, one after the other in the same bin.
struct Run {
    candidate: u16,
    is_black: bool,
    /// As Black sees it.
    bin: u8,
    length: u16,
}

/// What one game adds to the counts.
struct GameCounts {
    parts: Vec<Part>,
    places: Vec<Run>,
    expected: Expected,
    information: Matrix,
}

/// Counts a lineup; how candidates go together only if that is wanted.
pub fn count(
    plan: &ScanPlan,
    base: &Base,
    lineup: &Lineup,
    together: bool,
    observer: &dyn Observer,
) -> Result<Counts> {
    let size = if together { lineup.len() } else { 0 };
    let mut counts = Counts {
        tallies: vec![[Tally::new(), Tally::new()]; lineup.len()],
        curve: [Residuals::new(), Residuals::new()],
        information: Matrix::zero(size),
        squares: Matrix::zero(size),
        games: 0.0,
    };
    if lineup.len() == 0 {
        return Ok(counts);
    }
    let work = |game: &ValuedGame| count_game(plan, base, lineup, together, game);
    for_each(plan, observer, work, |number, result, game| {
        counts.add((number % 2) as usize, result as f64 / 2.0, &game);
    })?;
    Ok(counts)
}

fn count_game(
    plan: &ScanPlan,
    base: &Base,
    lineup: &Lineup,
    together: bool,
    game: &ValuedGame,
) -> GameCounts {
    let size = if together { lineup.len() } else { 0 };
    let mut counts = GameCounts {
        parts: vec![Part::default(); lineup.len()],
        places: Vec::new(),
        expected: Expected::default(),
        information: Matrix::zero(size),
    };
    let mut scratch = Scratch::default();
    // The last run of each candidate.
    let mut last: Vec<Option<usize>> = vec![None; lineup.len()];
    for valued in &game.positions {
        let bin = bin_of(valued.value, plan.bin);
        let chance = base.chance(bin);
        counts.expected.add(bin, chance);
        let signs = lineup.signs(&Facts::new(&valued.position), &mut scratch);
        let held = || signs.iter().enumerate().filter(|(_, sign)| **sign != 0);
        for (number, &sign) in held() {
            counts.parts[number].add(i32::from(sign), chance);
            let (is_black, bin) = (sign > 0, bin as u8);
            match last[number].map(|place| &mut counts.places[place]) {
                Some(run) if (run.is_black, run.bin) == (is_black, bin) => run.length += 1,
                _ => {
                    last[number] = Some(counts.places.len());
                    let candidate = number as u16;
                    counts.places.push(Run { candidate, is_black, bin, length: 1 });
                }
            }
        }
        if together {
            let weight = chance * (1.0 - chance);
            for (a, &one) in held() {
                let row = counts.information.row_mut(a);
                held().for_each(|(b, &other)| row[b] += weight * f64::from(one * other));
            }
        }
    }
    counts
}

impl Counts {
    /// Adds a game of one half that brought Black so many points.
    fn add(&mut self, half: usize, points: f64, game: &GameCounts) {
        let residuals = game.expected.residuals(points);
        self.curve[half].add_game(&spread(&residuals));
        for (tallies, part) in self.tallies.iter_mut().zip(&game.parts) {
            tallies[half].add_game(part, points, &residuals);
        }
        for &Run { candidate, is_black, bin, length } in &game.places {
            let (bin, points) = if is_black {
                (usize::from(bin), points)
            } else {
                (BINS - 1 - usize::from(bin), 1.0 - points)
            };
            let bin = &mut self.tallies[usize::from(candidate)][half].bins[bin];
            *bin = (bin.0 + u32::from(length), bin.1 + f64::from(length) * points);
        }
        if self.squares.size() > 0 {
            let surplus: Vec<f64> = game.parts.iter().map(|part| part.surplus(points)).collect();
            self.squares.add_square(&surplus, 1.0);
            self.information.add(&game.information, 1.0);
        }
        self.games += 1.0;
    }
}

/// How conditions go together, the curve not being taken for certain.
pub struct Overlap {
    /// The surplus of each.
    pub surplus: Vec<f64>,
    /// What a shift of each brings in the positions of each other.
    pub information: Matrix,
    /// The surpluses of single games, multiplied.
    pub squares: Matrix,
    pub games: f64,
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
