//! The paper on castle and assault maps (Grimbergen, Rollason 2001), repeated: what the maps win
//! with openings of several lengths, how soon the opening book is left, what masters build.

mod leaving;
mod masters;
mod page;
mod pictures;
mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_arena::GameLine;
use tesuji_eval::formations::Atlas;
use tesuji_math::stats::Tally;
use tesuji_run::plan as folder;
use tesuji_run::{Context, RunFolder};
use tesuji_search::book::STANDARD;

use super::{Reproduction, Work};
use crate::book::{self, BuildPlan};
use crate::castles::{Popularity, SurveyPlan, survey_any};
use crate::games::matches as match_games;
use crate::games::text::tally_json;
use leaving::{Doubted, LeavingPlan, Left};
use masters::Masters;
use settings::{BOOK_MOVES, HELD_OUT_SEED, PAIRINGS, SEED, SURVEY_PLY};
pub use settings::{CastlesReproduction, Sizes};

/// The book of the professionals' games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookMade {
    games: u64,
    positions: usize,
    moves: usize,
}

/// A cell of table 1.
struct Cell {
    tally: Tally,
    /// Moves from the book at the beginning of a game, on average.
    followed: f64,
    /// Lines of the book that differ.
    lines: usize,
    faults: u64,
}

/// A book, and where its lines end and are doubted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookSeen {
    name: String,
    positions: usize,
    doubted: Doubted,
}

/// Games against one opponent with one book; those that do not count are not among them.
struct Met {
    opponent: String,
    book: String,
    moves: Vec<usize>,
    broken_off: Vec<String>,
}

/// Everything that was found.
struct Findings {
    book: BookMade,
    /// By pairing and length of the book.
    table: Vec<Vec<Cell>>,
    books: Vec<BookSeen>,
    met: Vec<Met>,
    /// Opponents that are not there, and why.
    absent: Vec<String>,
    masters: Masters,
}

/// Carries out the experiments, each of which keeps what it found in `out`.
pub fn carry_out(
    plan: &CastlesReproduction,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    let out = &std::path::absolute(out)?;
    let top = folder::step(out, plan)?;
    let work = Work { plan, out, context };
    let atlas = Atlas::shipped();
    let book = work.book()?;
    let masters = work.kept("masters", || work.masters(&atlas))?;
    let books = work.kept("books", || work.books())?;
    let (met, absent) = work.met()?;
    let table = work.table()?;
    let findings = Findings { book, table, books, met, absent, masters };
    let numbers = findings.numbers();
    top.write_json("result.json", &numbers)?;
    let document = page::document(plan, &findings, &atlas);
    top.write_report(&document.page().to_html())?;
    Ok(Reproduction { page: document.markdown(pictures), pictures: document.pictures(), numbers })
}

impl Work<'_, CastlesReproduction> {
    fn book_path(&self) -> PathBuf {
        self.out.join("professionals.db")
    }

    /// The book of the professionals' games, as deep as it is followed.
    fn book(&self) -> Result<BookMade> {
        self.kept("book", || {
            let plan = BuildPlan {
                games: vec![self.plan.professionals.clone()],
                plies: BOOK_MOVES.iter().copied().max().unwrap_or(0).into(),
                min_count: 1,
                winners: false,
            };
            let made = book::build_file(&plan, &self.book_path(), self.context)?;
            let (positions, moves) = (made.book.len(), made.book.move_count());
            Ok(BookMade { games: made.games, positions, moves })
        })
    }

    /// What masters build, and how well it is recognised.
    fn masters(&self, atlas: &Atlas) -> Result<Masters> {
        let survey = |held_out| {
            let games = vec![self.plan.professionals.clone()];
            survey_any(&SurveyPlan { games, ply: SURVEY_PLY, held_out }, atlas, self.context)
        };
        Ok(Masters::new(&survey(None)?, &survey(Some(HELD_OUT_SEED))?, atlas))
    }

    /// The books by what they are called on the page, and where they are.
    fn sources(&self) -> [(&'static str, String); 2] {
        [("professionals", self.book_path().display().to_string()), (STANDARD, STANDARD.to_owned())]
    }

    /// Where lines of the books end, and where they are doubted.
    fn books(&self) -> Result<Vec<BookSeen>> {
        let seen = |(name, source): (&str, String)| -> Result<BookSeen> {
            let positions = book::load(&source, self.context.observer)?.len();
            let doubted = leaving::doubted(&source, self.plan.sizes.lines, SEED)?;
            Ok(BookSeen { name: name.to_owned(), positions, doubted })
        };
        self.sources().into_iter().map(seen).collect()
    }

    /// Games against the opponents that are there, and why the others are not.
    fn met(&self) -> Result<(Vec<Met>, Vec<String>)> {
        let (mut met, mut absent) = (Vec::new(), Vec::new());
        for opponent in &self.plan.opponents {
            let label = opponent.label();
            for (book, source) in self.sources() {
                let plan = LeavingPlan {
                    opponent: opponent.clone(),
                    book: source,
                    games: self.plan.sizes.games,
                    seed: SEED,
                };
                self.context.observer.note(&format!("the book {book} against {label}"));
                let run_folder = self.folder_of(opponent, book, &plan)?;
                match leaving::play(&plan, &run_folder, self.context) {
                    Ok(games) => met.push(Met::new(&label, book, games)),
                    Err(why) => {
                        let why = format!("{why:#}");
                        self.context.observer.complain(&format!("{why}; left out"));
                        absent.push(why);
                        break;
                    }
                }
            }
        }
        Ok((met, absent))
    }

    /// Opponents may share a label, so each has the folder of its place in the list.
    fn folder_of(
        &self,
        opponent: &tesuji_arena::EngineSpec,
        book: &str,
        plan: &LeavingPlan,
    ) -> Result<RunFolder> {
        let place = self.plan.opponents.iter().position(|one| one == opponent).unwrap_or(0) + 1;
        folder::step(&self.out.join(format!("leaving-{place}-{book}")), plan)
    }

    /// All matches of table 1.
    fn table(&self) -> Result<Vec<Vec<Cell>>> {
        let row = |pairing: &settings::Pairing| -> Result<Vec<Cell>> {
            BOOK_MOVES.into_iter().map(|moves| self.cell(pairing, moves)).collect()
        };
        PAIRINGS.iter().map(row).collect()
    }

    fn cell(&self, pairing: &settings::Pairing, moves: u16) -> Result<Cell> {
        let name = format!("{}, book of {moves} moves", pairing.name());
        self.context.observer.note(&name);
        let plan = self.plan.game_match(pairing, moves, &self.book_path())?;
        let id = format!("match-{}-{moves}", pairing.name().replace('–', "-").to_lowercase());
        let run_folder = folder::step(&self.out.join(id), &plan)?;
        let standing = match_games::play(&plan, &run_folder, self.context)?;
        let mut lines = BTreeSet::new();
        let mut followed = Vec::new();
        for game in run_folder.entries::<GameLine>()? {
            let game = game?;
            // Nobody has thought about a move of the book.
            let known = game.nodes.iter().take_while(|nodes| nodes.is_none()).count();
            followed.push(known as f64);
            let moves = game.position.split_whitespace().take(2 + known);
            lines.insert(moves.collect::<Vec<_>>().join(" "));
        }
        Ok(Cell {
            tally: standing.tally,
            followed: mean(&followed).with_context(|| format!("{name}: no games"))?,
            lines: lines.len(),
            faults: standing.faults.count(),
        })
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

impl Met {
    fn new(opponent: &str, book: &str, games: Vec<Left>) -> Self {
        let moves = games.iter().filter(|game| game.broken_off.is_none()).map(|game| game.moves);
        let moves = moves.collect();
        let broken_off = games.into_iter().filter_map(|game| game.broken_off).collect();
        Self { opponent: opponent.to_owned(), book: book.to_owned(), moves, broken_off }
    }
}

/// Moves after which books were left.
struct Soon {
    games: usize,
    mean: f64,
    /// Within five moves.
    within_five: usize,
}

impl Soon {
    fn new(moves: &[usize]) -> Option<Self> {
        let values: Vec<f64> = moves.iter().map(|&moves| moves as f64).collect();
        let within_five = moves.iter().filter(|&&moves| moves <= 5).count();
        Some(Self { games: moves.len(), mean: mean(&values)?, within_five })
    }
}

impl Findings {
    fn numbers(&self) -> Value {
        let table = PAIRINGS.iter().zip(&self.table).flat_map(|(pairing, cells)| {
            let cells = BOOK_MOVES.into_iter().zip(&pairing.paper).zip(cells);
            cells.map(move |((moves, paper), cell)| {
                let mut shown = tally_json(&cell.tally);
                shown["match"] = pairing.name().into();
                shown["book_moves"] = moves.into();
                shown["paper"] = json!(paper);
                shown["followed"] = cell.followed.into();
                shown["lines"] = cell.lines.into();
                shown["faults"] = cell.faults.into();
                shown
            })
        });
        let leaving = self.met.iter().map(|met| {
            let soon = Soon::new(&met.moves);
            json!({
                "opponent": met.opponent,
                "book": met.book,
                "moves": met.moves,
                "mean": soon.as_ref().map(|soon| soon.mean),
                "within_five": soon.as_ref().map(|soon| soon.within_five),
                "broken_off": met.broken_off,
            })
        });
        json!({
            "book": self.book,
            "table": table.collect::<Vec<_>>(),
            "books": self.books,
            "leaving": leaving.collect::<Vec<_>>(),
            "absent": self.absent,
            "masters": self.masters,
        })
    }
}
