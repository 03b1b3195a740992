//! The games of a player, and those of others that they are compared with.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use tesuji_math::Random;
use tesuji_records::collection::GameKey;
use tesuji_records::{GameRecord, Header, Sample};
use tesuji_report::number;
use tesuji_run::Observer;
use tesuji_shogi::{Color, Move, Outcome, Position};

use super::StylePlan;
use super::habits::{self, Habits};
use super::names::Roster;

/// Plies that count as the same phase of a game.
const PHASE: usize = 10;
const PHASES: usize = 20;

/// A game from the usual start.
struct Game {
    /// The players of Black and White: numbers of names.
    players: [usize; 2],
    moves: Vec<Move>,
    outcome: Outcome,
    year: Option<u16>,
}

/// All games of some files, each once.
pub struct Games {
    roster: Roster,
    games: Vec<Game>,
}

/// One side of a game.
#[derive(Clone, Debug)]
pub struct Outing {
    /// Some of its positions, with the moves that were played.
    pub samples: Vec<Sample>,
    /// What was done in all of the game.
    pub habits: Habits,
    /// Was the game won? Nobody knows of some.
    pub won: Option<bool>,
}

/// What is compared.
pub struct Chosen {
    /// The spellings that were joined, with the games of each.
    pub spellings: Vec<(String, usize)>,
    /// The player's games.
    pub player: Vec<Outing>,
    /// Games of others, one side of each.
    pub others: Vec<Outing>,
    /// The first and the last year of the player's games. Others' games are of the same years, as
    /// far as there are enough of them.
    pub years: Option<(u16, u16)>,
}

impl Games {
    /// Reads the games. Copies are left out, and games that begin from another position.
    pub fn read(paths: &[PathBuf], observer: &dyn Observer) -> Result<Self> {
        let mut known: HashSet<GameKey> = HashSet::new();
        let mut roster = Roster::default();
        let mut games = Vec::new();
        crate::data::positions::for_each_game(paths, observer, |record| {
            if !record.start.same_position(&Position::startpos())
                || record.main.moves.len() < 2
                || !known.insert(GameKey::of(record))
            {
                return;
            }
            let players = roster.add(record);
            let moves = record.moves().collect();
            games.push(Game { players, moves, outcome: record.outcome(), year: year(record) });
        })?;
        ensure!(!games.is_empty(), "no games from the usual start in the files");
        Ok(Self { roster, games })
    }

    /// The player's games and those of others, with the positions that are taken of them.
    pub fn choose(&self, plan: &StylePlan) -> Result<Chosen> {
        let numbers = self.roster.spellings(&plan.player)?;
        let is_own = |game: &Game, color: Color| numbers.contains(&game.players[color.index()]);
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for game in &self.games {
            match Color::ALL.into_iter().find(|&color| is_own(game, color)) {
                Some(color) => own.push((game, color)),
                None => others.push(game),
            }
        }
        let needed = StylePlan::FEWEST_GAMES;
        let name = plan.player.join(", ");
        ensure!(
            own.len() >= needed,
            "{} of {name}, at least {needed} are needed",
            number::counted(own.len() as u64, "game")
        );
        let years: Vec<u16> = own.iter().filter_map(|(game, _)| game.year).collect();
        // Of a few dates nothing follows.
        let years = if 2 * years.len() > own.len() { years } else { Vec::new() };
        let others = of_years(others, &years, plan);
        ensure!(
            others.len() >= 2 * needed,
            "{} without {name}, at least {} are needed to compare with",
            number::counted(others.len() as u64, "game"),
            2 * needed
        );
        let others = &others[..others.len().min(plan.others * own.len())];
        let mut random = Random::stream(plan.seed, 2);
        let player: Vec<Outing> = (0..)
            .zip(&own)
            .map(|(i, (game, color))| outing(game, *color, i, plan.per_game, None, &mut random))
            .collect();
        let sides: Vec<Color> = others.iter().map(|_| Color::ALL[random.below(2)]).collect();
        let phases = matching(&player, others, &sides, plan.per_game);
        let others = (player.len() as u64..)
            .zip(others.iter().zip(sides))
            .map(|(i, (game, color))| {
                outing(game, color, i, plan.per_game, Some(&phases), &mut random)
            })
            .collect();
        let years = years.iter().copied().min().zip(years.iter().copied().max());
        let spelling = |&i: &usize| (self.roster.name(i).to_owned(), self.roster.games(i));
        let spellings = numbers.iter().map(spelling).collect();
        Ok(Chosen { spellings, player, others, years })
    }
}

/// The year in the date of a game.
fn year(record: &GameRecord) -> Option<u16> {
    let date = record.header(Header::STARTED)?;
    let mut words = date.split(|c: char| !c.is_ascii_digit());
    words.find(|word| word.len() == 4)?.parse().ok()
}

/// Games in random order, those first that are of the years of the player's games: fashions of
/// the opening change. Without years all are alike.
fn of_years<'a>(games: Vec<&'a Game>, years: &[u16], plan: &StylePlan) -> Vec<&'a Game> {
    let mut there: BTreeMap<u16, f64> = BTreeMap::new();
    for year in games.iter().filter_map(|game| game.year) {
        *there.entry(year).or_default() += 1.0;
    }
    let weight = |game: &Game| match game.year {
        _ if years.is_empty() => 1.0,
        Some(year) => {
            let wanted = years.iter().filter(|&&other| other == year).count();
            wanted as f64 / there[&year]
        }
        None => 0.0,
    };
    let mut random = Random::stream(plan.seed, 1);
    let mut drawn: Vec<(f64, &Game)> = games
        .into_iter()
        .map(|game| (draw(weight(game), &mut random), game))
        .filter(|(draw, _)| draw.is_finite())
        .collect();
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
    drawn.into_iter().map(|(_, game)| game).collect()
}

/// A number by which a thing of this weight is drawn: the things with the largest numbers are a
/// draw without replacement. Without weight it is infinitely small.
fn draw(weight: f64, random: &mut Random) -> f64 {
    let log = (1.0 - random.unit()).ln();
    if weight > 0.0 { log / weight } else { f64::NEG_INFINITY }
}

const fn phase(ply: usize) -> usize {
    if ply / PHASE < PHASES { ply / PHASE } else { PHASES - 1 }
}

/// By how much positions of each phase are preferred in others' games, so that they are of the
/// same phases as the player's.
fn matching(player: &[Outing], others: &[&Game], sides: &[Color], per_game: usize) -> Vec<f64> {
    let (mut wanted, mut there) = (vec![0.0; PHASES], vec![0.0; PHASES]);
    for sample in player.iter().flat_map(|outing| &outing.samples) {
        wanted[phase(usize::from(sample.ply).saturating_sub(1))] += 1.0;
    }
    for (game, side) in others.iter().zip(sides) {
        let plies: Vec<usize> = (side.index()..game.moves.len()).step_by(2).collect();
        let share = (per_game as f64 / plies.len().max(1) as f64).min(1.0);
        plies.iter().for_each(|&ply| there[phase(ply)] += share);
    }
    let sums = [wanted.iter().sum::<f64>(), there.iter().sum::<f64>()];
    let ratio = |(wanted, there): (f64, f64)| {
        if there > 0.0 { (wanted / sums[0]) / (there / sums[1]) } else { 1.0 }
    };
    wanted.into_iter().zip(there).map(ratio).collect()
}

/// One side of a game, with some of its positions.
fn outing(
    game: &Game,
    color: Color,
    number: u64,
    per_game: usize,
    phases: Option<&[f64]>,
    random: &mut Random,
) -> Outing {
    let mut plies: Vec<(f64, usize)> = (color.index()..game.moves.len())
        .step_by(2)
        .map(|ply| (draw(phases.map_or(1.0, |phases| phases[phase(ply)]), random), ply))
        .collect();
    plies.sort_by(|a, b| b.0.total_cmp(&a.0));
    plies.truncate(per_game);
    let mut wanted: Vec<usize> = plies.into_iter().map(|(_, ply)| ply).collect();
    wanted.sort_unstable();
    let mut position = Position::startpos();
    let mut samples = Vec::with_capacity(wanted.len());
    for (ply, &mv) in game.moves.iter().enumerate() {
        if wanted.get(samples.len()) == Some(&ply) {
            let outcome = game.outcome;
            samples.push(Sample { outcome, game: number, ..Sample::new(position, mv) });
        }
        position.play_unchecked(mv);
    }
    let won = match game.outcome {
        Outcome::Win(winner) => Some(winner == color),
        Outcome::Draw | Outcome::Unknown => None,
    };
    Outing { samples, habits: habits::measure(&game.moves, color), won }
}
