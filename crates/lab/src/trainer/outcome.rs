//! What the trainer found: misses by the generators of the better move, the player's beside others'.

use std::collections::{BTreeMap, HashSet};

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_analysis::plausible::{Purpose, generator_nouns};
use tesuji_eval::Calibration;
use tesuji_eval::plausible::Generator;
use tesuji_math::stats::{Group, fisher, holm, welch};
use tesuji_report::Lang;
use tesuji_run::RunFolder;
use tesuji_search::score::chance;
use tesuji_shogi::{Move, Position};

use super::games::{Chosen, Game, Side};
use super::searches::{GameSearches, Searched};
use super::{TrainerPlan, page, text};

/// The chance of any mistake among all that is called significant.
const LEVEL: f64 = 0.05;
/// Boards of each generator.
const BOARDS: usize = 3;
/// Reasons of a move on a board.
const REASONS: usize = 3;

/// How often the better move was of a kind, and how often it was missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chances {
    /// Positions in which the preferred move was of the kind.
    pub chances: u64,
    /// Those where another move was played that gives something away, and is not of the kind.
    pub misses: u64,
}

impl Chances {
    /// The share that was missed.
    pub fn share(self) -> f64 {
        if self.chances == 0 { 0.0 } else { self.misses as f64 / self.chances as f64 }
    }

    fn add(&mut self, missed: bool) {
        self.chances += 1;
        self.misses += u64::from(missed);
    }
}

/// What is told of a generator.
#[derive(Clone, Debug)]
pub struct GeneratorMisses {
    /// The generator; none for all moves together.
    pub generator: Option<Generator>,
    /// The player's chances.
    pub player: Chances,
    /// Those of others.
    pub others: Chances,
    /// The chance of so large a difference if there is none: the larger one of Fisher's exact test
    /// of the counts, and of a test that takes whole games as drawn by chance.
    pub p: f64,
    /// The same for all generators together, by Holm's correction.
    pub adjusted: f64,
    /// The player's costliest misses, each of another game.
    pub boards: Vec<Board>,
}

/// A miss to look at.
#[derive(Clone, Debug)]
pub struct Board {
    /// Who played whom, and when.
    pub title: String,
    /// The file with the game, and the line where it begins.
    pub place: (String, usize),
    /// The position, and the move before.
    pub position: Position,
    /// The move before.
    pub last: Option<Move>,
    /// The number of the move in the game.
    pub number: usize,
    /// The move that was played.
    pub played: Move,
    /// The better move.
    pub best: Move,
    /// The winning chance that was given away.
    pub loss: f64,
    /// What the better move is for.
    pub purpose: Purpose,
}

/// What came of it.
pub struct TrainerOutcome {
    pub(super) plan: TrainerPlan,
    pub(super) spellings: Vec<(String, usize)>,
    /// The player's games, and games of others alone.
    pub games: [usize; 2],
    /// All moves with a choice together.
    pub all: GeneratorMisses,
    /// The generators, the surest difference first.
    pub generators: Vec<GeneratorMisses>,
    pub(super) calibration: Calibration,
    seconds: f64,
}

/// Chances of one kind in one game by one side.
type ByGame = BTreeMap<(Side, usize), Chances>;

/// A move of the player that may stand on a board.
struct Candidate<'a> {
    game: usize,
    searched: &'a Searched,
    loss: f64,
}

/// What is counted of a kind of move.
#[derive(Default)]
struct Tally<'a> {
    by_game: ByGame,
    missed: Vec<Candidate<'a>>,
}

impl TrainerOutcome {
    pub(super) fn new(
        plan: &TrainerPlan,
        games: Chosen,
        found: &BTreeMap<usize, GameSearches>,
        calibration: &Calibration,
        seconds: f64,
    ) -> Self {
        let mut all = Tally::default();
        let mut tallies: Vec<Tally<'_>> = Generator::ALL.iter().map(|_| Tally::default()).collect();
        for (&number, searches) in found {
            let Some(game) = games.chosen.get(number) else { continue };
            let first = game.start.side_to_move();
            for searched in &searches.positions {
                let color = if searched.ply % 2 == 0 { first } else { !first };
                let key = (games.side(game, color), number);
                let loss = loss(searched, calibration);
                let is_miss = loss >= plan.margin;
                let candidate = || Candidate { game: number, searched, loss };
                all.add(key, is_miss, candidate);
                for (generator, tally) in Generator::ALL.into_iter().zip(&mut tallies) {
                    let has = |names: &[String]| names.iter().any(|name| name == generator.name());
                    if has(&searched.best_for) {
                        let missed = is_miss && !has(&searched.played_for);
                        tally.add(key, missed, candidate);
                    }
                }
            }
        }
        let of = Generator::ALL.into_iter().zip(tallies);
        let mut generators: Vec<GeneratorMisses> =
            of.map(|(generator, tally)| tally.told(Some(generator), &games)).collect();
        let chances: Vec<f64> = generators.iter().map(|of| of.p).collect();
        let adjusted = holm(&chances);
        generators.iter_mut().zip(adjusted).for_each(|(of, adjusted)| of.adjusted = adjusted);
        generators.sort_by(|a, b| a.p.total_cmp(&b.p));
        Self {
            plan: plan.clone(),
            spellings: games.spellings.clone(),
            games: [games.own, games.chosen.len() - games.own],
            all: all.told(None, &games),
            generators,
            calibration: *calibration,
            seconds,
        }
    }

    /// The generators whose moves the player misses more often than others, beyond chance.
    pub fn weak(&self) -> impl Iterator<Item = &GeneratorMisses> {
        self.generators.iter().filter(|of| of.is_significant() && of.is_more())
    }

    /// The generators of which boards are shown: those that are significant, or else the one that
    /// comes nearest.
    pub fn shown(&self) -> Vec<&GeneratorMisses> {
        let weak: Vec<&GeneratorMisses> = self.weak().collect();
        if !weak.is_empty() {
            return weak;
        }
        let mut more = self.generators.iter().filter(|of| of.is_more() && !of.boards.is_empty());
        more.next().into_iter().collect()
    }

    /// Writes the results and the page into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write_json("result.json", &self.json(folder))?;
        folder.write_report(&page::page(self).to_html())?;
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let spelling = |(name, games): &(String, usize)| json!({ "name": name, "games": games });
        json!({
            "format": "tesuji-trainer",
            "version": 1,
            "player": self.plan.player.join(", "),
            "spellings": self.spellings.iter().map(spelling).collect::<Vec<_>>(),
            "games": self.games[0],
            "others_games": self.games[1],
            "nodes": self.plan.nodes,
            "margin": self.plan.margin,
            "all": self.all.json(),
            "generators": self.generators.iter().map(GeneratorMisses::json).collect::<Vec<_>>(),
            "folder": folder.path().display().to_string(),
            "report": folder.report_path().display().to_string(),
            "seconds": self.seconds,
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        text::report(self, &folder.report_path().display().to_string())
    }
}

/// The winning chance that a move gives away.
fn loss(searched: &Searched, calibration: &Calibration) -> f64 {
    if searched.best_score <= searched.played_score {
        return 0.0;
    }
    chance(searched.best_score, calibration) - chance(searched.played_score, calibration)
}

impl<'a> Tally<'a> {
    fn add(&mut self, key: (Side, usize), missed: bool, candidate: impl FnOnce() -> Candidate<'a>) {
        self.by_game.entry(key).or_default().add(missed);
        if missed && key.0 == Side::Player {
            self.missed.push(candidate());
        }
    }

    fn told(self, generator: Option<Generator>, games: &Chosen) -> GeneratorMisses {
        let sum = |side: Side| {
            let of = self.by_game.iter().filter(|((of, _), _)| *of == side);
            of.fold(Chances::default(), |sum, (_, game)| Chances {
                chances: sum.chances + game.chances,
                misses: sum.misses + game.misses,
            })
        };
        let [player, others] = Side::BOTH.map(sum);
        let exact = fisher([player.misses, others.misses], [player.chances, others.chances]);
        let [by_game, others_by_game] = Side::BOTH.map(|side| share(&self.by_game, side));
        let p = exact.max(welch(by_game, others_by_game));
        let boards = generator.map_or_else(Vec::new, |of| boards(of, self.missed, games));
        GeneratorMisses { generator, player, others, p, adjusted: p, boards }
    }
}

/// The share of misses with its error where whole games are drawn by chance.
fn share(by_game: &ByGame, side: Side) -> Group {
    let of: Vec<(f64, f64)> = by_game
        .iter()
        .filter(|((of, _), _)| *of == side)
        .map(|(_, game)| (game.chances as f64, game.misses as f64))
        .collect();
    let chances: f64 = of.iter().map(|(chances, _)| chances).sum();
    let mean = of.iter().map(|(_, misses)| misses).sum::<f64>() / chances.max(1.0);
    let count = of.len();
    let squares: f64 = of.iter().map(|(chances, misses)| (misses - mean * chances).powi(2)).sum();
    let games = count as f64;
    // The variance of the mean of all, as that of so many numbers.
    let variance = squares / chances.max(1.0).powi(2) * games * games / (games - 1.0).max(1.0);
    Group { count, mean, variance }
}

/// The costliest misses, each of another game.
fn boards(generator: Generator, mut missed: Vec<Candidate<'_>>, games: &Chosen) -> Vec<Board> {
    missed.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let mut seen = HashSet::new();
    missed.retain(|candidate| seen.insert(candidate.game));
    let board = |candidate: &Candidate<'_>| {
        let game: &Game = &games.chosen[candidate.game];
        let Searched { ply, best, .. } = candidate.searched;
        let (position, last) = game.position(*ply);
        let best: Move = best.parse().ok()?;
        Some(Board {
            title: game.title(),
            place: (game.file.clone(), game.line),
            position,
            last,
            number: ply + 1,
            played: game.moves[*ply],
            best,
            loss: candidate.loss,
            purpose: Purpose::with(&position, last, best, REASONS, Some(generator)),
        })
    };
    missed.iter().take(BOARDS).filter_map(board).collect()
}

impl GeneratorMisses {
    /// Is the difference more than chance, after all tests?
    pub fn is_significant(&self) -> bool {
        self.adjusted < LEVEL
    }

    /// Does the player miss more?
    pub fn is_more(&self) -> bool {
        self.player.share() > self.others.share()
    }

    /// How many times as often as others the player misses it; none if others never do.
    pub fn ratio(&self) -> Option<f64> {
        let others = self.others.share();
        (others > 0.0).then(|| self.player.share() / others)
    }

    /// What the moves are called.
    pub fn nouns(&self) -> &'static str {
        self.generator.map_or("all moves", |of| generator_nouns(of, Lang::English))
    }

    fn json(&self) -> Value {
        let counts = |of: Chances| json!({ "chances": of.chances, "misses": of.misses });
        json!({
            "name": self.generator.map(Generator::name),
            "class": self.generator.map(|generator| generator.class().name()),
            "moves": self.nouns(),
            "player": counts(self.player),
            "others": counts(self.others),
            "ratio": self.ratio(),
            "p": self.p,
            "p_adjusted": self.adjusted,
            "significant": self.generator.is_some() && self.is_significant(),
            "boards": self.boards.iter().map(Board::json).collect::<Vec<_>>(),
        })
    }
}

impl Board {
    fn json(&self) -> Value {
        json!({
            "file": self.place.0,
            "line": self.place.1,
            "game": self.title,
            "number": self.number,
            "sfen": self.position.to_sfen(),
            "played": self.played.to_string(),
            "best": self.best.to_string(),
            "loss": self.loss,
            "purpose": self.purpose.to_json(),
        })
    }
}
