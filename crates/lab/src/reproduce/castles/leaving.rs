//! How soon an opening book is left: games against other programs that end where the book does, and
//! lines drawn from the book itself, to see where the veto would have doubted a move.

use std::env;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_arena::TimeControl;
use tesuji_arena::clock::GameClock;
use tesuji_arena::player::{Action, Answer, Chance, Player, Turn};
use tesuji_arena::spec::{EngineKind, EngineSpec};
use tesuji_math::Random;
use tesuji_run::jobs::Task;
use tesuji_run::plan as folder;
use tesuji_run::{Context, Input, Observer, RunFolder};
use tesuji_search::Limits;
use tesuji_search::book::{self, Book, OpeningBook, castle_veto};
use tesuji_shogi::{Color, Game, Outcome, Position, Rules};

/// Where Debian has games beside the search path of most users.
const GAMES: &str = "/usr/games";
/// How long to wait for an opponent, and how late it may be: nobody loses on time here.
const PATIENCE: Duration = Duration::from_secs(60);
const MARGIN: Duration = Duration::from_secs(10);

/// Games against one opponent with one book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavingPlan {
    /// The opponent, as it was named.
    pub opponent: EngineSpec,
    /// The name or file of the book.
    pub book: String,
    /// Games, half of them with each colour.
    pub games: u64,
    /// Where the lines of the book come from.
    pub seed: u64,
}

impl folder::Plan for LeavingPlan {
    const COMMAND: &'static str = "leave-book";

    fn seed(&self) -> u64 {
        self.seed
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        let file = book::file(&self.book).map(Path::new);
        file.into_iter().map(folder::input).collect()
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}

/// How a game went until the book had nothing more to say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// The number of the game, from 1.
    pub game: u64,
    /// Does the book have the black pieces?
    pub black: bool,
    /// The start and all moves, as they follow the USI command `position`.
    pub position: String,
    /// Moves of both players when it was the book's turn and it did not know the position.
    pub moves: usize,
    /// What ended the game before that: then it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<String>,
}

/// Plays games until the book is left. A job is the number of a game, from 0.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaveBook {
    opponent: EngineSpec,
    book: String,
    seed: u64,
}

/// What a thread has.
struct Table {
    player: Box<dyn Player>,
    clocks: [GameClock; 2],
    opening: OpeningBook,
}

impl Task for LeaveBook {
    const NAME: &'static str = "leave-book";
    type Job = u64;
    type Output = Left;
    type Worker = Table;

    fn worker(&self) -> Result<Table> {
        let engine = self.opponent.load(TimeControl::default())?;
        let loaded = book::load(&self.book)?.with_context(|| format!("{}: no book", self.book))?;
        Ok(Table {
            clocks: [GameClock::new(engine.control); 2],
            player: engine.player(),
            opening: followed(Arc::new(loaded.book)),
        })
    }

    fn run(&self, table: &mut Table, &number: &u64, stop: &AtomicBool) -> Result<Option<Left>> {
        let own = if number % 2 == 0 { Color::Black } else { Color::White };
        let mut game = Game::new(Position::startpos());
        let broken_off =
            match table.play(&mut game, own, Chance::of_game(self.seed, number, 1), stop) {
                _ if stop.load(Ordering::Relaxed) => return Ok(None),
                Ok(()) => None,
                Err(why) => Some(why),
            };
        table.player.end(Outcome::Unknown, !own);
        Ok(Some(Left {
            game: number + 1,
            black: own == Color::Black,
            moves: game.moves().len(),
            position: game.to_usi_position(),
            broken_off,
        }))
    }
}

impl Table {
    /// Plays until the book does not know the position; an error says what came before that.
    fn play(
        &mut self,
        game: &mut Game,
        own: Color,
        chance: Chance,
        stop: &AtomicBool,
    ) -> Result<(), String> {
        let rules = Rules::default();
        let Self { player, clocks, opening } = self;
        player.begin(game, &rules, chance).map_err(|fault| fault.to_string())?;
        while !stop.load(Ordering::Relaxed) {
            if let Some(result) = game.result(&rules) {
                return Err(result.to_string());
            }
            let mv = if game.position().side_to_move() == own {
                let answer = opening.answer(game, &Limits::default(), chance.pair_seed);
                let Some(answer) = answer else { break };
                answer.mv
            } else {
                let turn = Turn { clocks, margin: MARGIN, patience: PATIENCE };
                let Answer { action, .. } =
                    player.choose(game, &turn).map_err(|fault| fault.to_string())?;
                match action {
                    Action::Move(mv) => mv,
                    Action::Resign | Action::Declare => return Err("the opponent ended it".into()),
                }
            };
            if let Err(wrong) = game.play(mv) {
                player.blame();
                return Err(wrong.to_string());
            }
        }
        Ok(())
    }
}

/// A book that is followed as long as it knows the position.
fn followed(book: Arc<Book>) -> OpeningBook {
    OpeningBook { moves: u16::MAX, ..OpeningBook::new(book) }
}

/// Plays what is left of the games; an opponent that is not there is an error that says so.
pub fn play(
    plan: &LeavingPlan,
    run_folder: &RunFolder,
    context: &Context<'_>,
) -> Result<Vec<Left>> {
    let mut games: Vec<Left> = run_folder.entries()?.collect::<Result<_, _>>()?;
    let done = games.len() as u64;
    ensure!(done <= plan.games, "{}: too many games", run_folder.path().display());
    if done == plan.games {
        return Ok(games);
    }
    let opponent = located(&plan.opponent)?;
    opponent.load(TimeControl::default())?.check()?;
    let task = LeaveBook { opponent, book: plan.book.clone(), seed: plan.seed };
    let mut progress = context.observer.begin(plan.games, "games");
    context.executor().run_numbered(
        &task,
        plan.games - done,
        |number| done + number,
        |some| {
            run_folder.append_all(&some)?;
            games.extend(some);
            let last = games.last().map_or(0, |game| game.moves);
            progress
                .update(games.len() as u64, &|| format!("the book was left after {last} moves"));
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(games)
}

/// The engine with its program where it is: as it is named, on the search path, or among Debian's
/// games.
pub fn located(engine: &EngineSpec) -> Result<EngineSpec> {
    let mut engine = engine.clone();
    if let EngineKind::Usi(command) = &mut engine.kind {
        let name = Path::new(&command.program);
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain([PathBuf::from(GAMES)]);
        let mut places = folders.map(|folder| folder.join(name));
        let is_bare = name.components().count() == 1;
        let place = if is_bare { places.find(|path| path.is_file()) } else { Some(name.into()) };
        let place = place.filter(|path| path.is_file());
        let place = place.ok_or_else(|| anyhow!("{}: no such program here", command.program))?;
        command.program = place.display().to_string();
    }
    Ok(engine)
}

/// Where the moves of lines from a book were doubted first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doubted {
    /// Moves of each line until the book ended.
    pub lengths: Vec<usize>,
    /// Moves of each line before the first that is doubted; its length if none is.
    pub undoubted: Vec<usize>,
}

/// Draws lines from a book, and asks the veto about every move.
pub fn doubted(source: &str, lines: u64, seed: u64) -> Result<Doubted> {
    let loaded = book::load(source)?.with_context(|| format!("{source}: no book"))?;
    let opening = followed(Arc::new(loaded.book));
    let veto = castle_veto(None);
    let mut found = Doubted { lengths: Vec::new(), undoubted: Vec::new() };
    for number in 0..lines {
        let mut game = Game::new(Position::startpos());
        let mut first = None;
        let seed = Random::derived_seed(seed, number);
        while let Some(answer) = opening.answer(&game, &Limits::default(), seed) {
            if first.is_none() && veto.doubts(game.position(), answer.mv) {
                first = Some(game.moves().len());
            }
            game.play(answer.mv)?;
        }
        found.lengths.push(game.moves().len());
        found.undoubted.push(first.unwrap_or(game.moves().len()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_looked_for() {
        let engine = |text: &str| text.parse::<EngineSpec>().unwrap();
        assert!(located(&engine("tesuji")).is_ok());
        let gone = located(&engine("cmd:no-such-engine-anywhere")).unwrap_err();
        assert!(gone.to_string().contains("no-such-engine-anywhere: no such program"), "{gone}");
        let here = env::current_exe().unwrap();
        let found = located(&engine(&format!("cmd:{}", here.display()))).unwrap();
        assert!(found.to_string().contains(&*here.display().to_string()));
    }

    /// Against an engine that plays from the same book, which has one line, the book is left where
    /// the line ends; against one that searches, somewhere in it.
    #[test]
    fn the_book_is_left_where_its_line_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("line.db");
        let mut game = Game::new(Position::startpos());
        let mut draft = book::Draft::default();
        for mv in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"] {
            let mv = mv.parse().unwrap();
            let mut placement = String::new();
            game.position().write_placement(&mut placement);
            let known = book::BookMove::played(mv, 1);
            draft.add(&placement, game.position().ply(), [known]);
            game.play(mv).unwrap();
        }
        crate::book::save(&draft.finish(), &path).unwrap();
        let book = path.display().to_string();
        let same = format!("tesuji:eval=material,book=\"{book}\",book_veto=0,nodes=10");
        for (opponent, least) in
            [(same.as_str(), [6, 7]), ("tesuji:eval=material,nodes=10", [0, 1])]
        {
            let plan = LeavingPlan {
                opponent: opponent.parse().unwrap(),
                book: book.clone(),
                games: 4,
                seed: 1,
            };
            let run_folder = folder::step(&folder.path().join(opponent.len().to_string()), &plan);
            let run_folder = run_folder.unwrap();
            let context = Context { threads: 2, observer: &tesuji_run::Silent };
            let games = play(&plan, &run_folder, &context).unwrap();
            assert_eq!(games.len(), 4);
            for (number, game) in games.iter().enumerate() {
                assert_eq!((game.black, &game.broken_off), (number % 2 == 0, &None));
                let least = least[number % 2];
                assert!(game.moves >= least && game.moves <= 7, "{game:?}");
                assert_eq!(game.moves % 2, usize::from(!game.black));
            }
            // What is done is not played again.
            assert_eq!(play(&plan, &run_folder, &context).unwrap(), games);
        }
        let found = doubted(&book, 3, 1).unwrap();
        assert_eq!(found.lengths, [6, 6, 6]);
        assert!(found.undoubted.iter().all(|&moves| moves <= 6));
    }
}
