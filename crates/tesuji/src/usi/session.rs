//! The engine in a conversation.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_search::limits::Clock;
use tesuji_search::mate::{self, Outcome, Solver};
use tesuji_search::{Limits, SearchResult, Searcher};
use tesuji_shogi::{Game, GameResult, Outcome as GameOutcome, Position};

use super::command::{Command, Go};
use super::info;
use super::options::Options;
use crate::{engines, weights};

/// Says a line to the GUI.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// The engine, which a search holds while it runs.
type SharedEngine = Arc<Mutex<Box<dyn Searcher>>>;

/// The engine, its game, and the search that is under way.
pub struct Session {
    say: Say,
    options: Options,
    /// The engine, with the evaluation and the size of the table that it was made for.
    engine: Option<(SharedEngine, String, usize)>,
    game: Game,
    running: Option<Running>,
}

/// A search under way.
struct Running {
    stop: Arc<AtomicBool>,
    gate: Arc<Gate>,
    thread: JoinHandle<()>,
    /// The clock that counts once the expected move is played.
    clock: Option<Clock>,
}

/// Holds an answer back until it is wanted.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn new(open: bool) -> Self {
        Self { open: Mutex::new(open), opened: Condvar::new() }
    }

    fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    fn wait(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*open {
            open = self.opened.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Session {
    pub fn new(say: Say) -> Self {
        let game = Game::new(Position::startpos());
        Self { say, options: Options::default(), engine: None, game, running: None }
    }

    /// Does what the GUI says.
    pub fn obey(&mut self, command: Command) {
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => {
                self.end_search();
                self.prepare();
                self.say("readyok");
            }
            Command::NewGame => {
                self.end_search();
                if let Some((engine, ..)) = &self.engine {
                    lock(engine).clear();
                }
            }
            Command::SetOption { name, value } => {
                self.end_search();
                if let Err(error) = self.options.set(&name, &value) {
                    self.complain(&error.to_string());
                }
            }
            Command::Position(text) => match Game::from_usi(&text) {
                Ok(game) => self.game = game,
                Err(error) => self.complain(&format!("position: {error}")),
            },
            Command::Go(go) => self.go(&go),
            Command::Stop | Command::GameOver => self.end_search(),
            Command::PonderHit => self.ponder_hit(),
            Command::Eval => self.explain(),
            Command::Quit => self.end(),
            Command::Unknown(line) => self.complain(&format!("unknown command {line:?}")),
        }
    }

    /// Ends the search, if there is one, with its answer.
    pub fn end(&mut self) {
        self.end_search();
    }

    fn say(&self, line: &str) {
        (self.say)(line);
    }

    fn complain(&self, message: &str) {
        let words: Vec<&str> = message.split_whitespace().collect();
        self.say(&format!("info string {}", words.join(" ")));
    }

    fn introduce(&self) {
        self.say(&format!("id name Tesuji {}", env!("CARGO_PKG_VERSION")));
        self.say("id author The Tesuji developers");
        Options::describe().iter().for_each(|line| self.say(line));
        self.say("usiok");
    }

    /// The engine as the options want it. An evaluation that cannot be had is named, and the one
    /// before stays.
    fn prepare(&mut self) -> SharedEngine {
        let wanted = (self.options.evaluation.clone(), self.options.hash);
        if let Some((engine, evaluation, hash)) = &self.engine
            && (evaluation, hash) == (&wanted.0, &wanted.1)
        {
            *lock(engine).settings() = self.options.settings.clone();
            return Arc::clone(engine);
        }
        let made = engines::make(&wanted.0, wanted.1).or_else(|error| {
            self.complain(&format!("EvalFile: {error:#}"));
            let before = self.engine.as_ref().map_or(engines::DEFAULT, |(_, name, _)| name);
            self.options.evaluation = before.to_owned();
            engines::make(&self.options.evaluation, wanted.1)
        });
        let mut engine = match (made, &self.engine) {
            (Ok(engine), _) => engine,
            // The file of the evaluation before has gone: the engine itself is still there.
            (Err(_), Some((engine, ..))) => return Arc::clone(engine),
            (Err(_), None) => {
                Box::new(tesuji_search::Engine::new(tesuji_search::Material::default(), wanted.1))
            }
        };
        *engine.settings() = self.options.settings.clone();
        let engine: SharedEngine = Arc::new(Mutex::new(engine));
        self.engine = Some((Arc::clone(&engine), self.options.evaluation.clone(), wanted.1));
        engine
    }

    /// Stops a search and waits for its answer.
    fn end_search(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
            running.gate.open();
            // A search that died has said so itself.
            let _ = running.thread.join();
        }
    }

    fn go(&mut self, go: &Go) {
        self.end_search();
        if let Some(time) = go.mate {
            return self.go_mate(time);
        }
        let engine = self.prepare();
        let position = self.game.position();
        let clock = go.clock(position.side_to_move());
        if !go.ponder && declares_win(position, &self.options) {
            return self.say("bestmove win");
        }
        let mut limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            hard_time: go.move_time,
            moves: go.moves.clone(),
            lines: self.options.lines,
            ..Limits::default()
        };
        if let (Some(clock), false, false) = (clock, go.ponder, go.infinite) {
            let (soft, hard) = self.options.time.limits(&clock);
            (limits.soft_time, limits.hard_time) = (Some(soft), Some(hard));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let gate = Arc::new(Gate::new(!go.ponder && !go.infinite));
        let thread = {
            let (stop, gate, say) = (Arc::clone(&stop), Arc::clone(&gate), Arc::clone(&self.say));
            let (game, options) = (self.game.clone(), self.options.clone());
            thread::spawn(move || {
                let several = options.lines > 1;
                let result = lock(&engine).search(&game, &limits, &stop, &mut |report| {
                    say(&info::line(report, several));
                });
                gate.wait();
                say(&best_move(&result, &options));
            })
        };
        self.running = Some(Running { stop, gate, thread, clock });
    }

    /// The expected move was played: from now on the clock counts.
    fn ponder_hit(&mut self) {
        let Some(running) = &self.running else { return };
        running.gate.open();
        let Some(clock) = running.clock else {
            running.stop.store(true, Ordering::Relaxed);
            return;
        };
        let (soft, _) = self.options.time.limits(&clock);
        let stop = Arc::clone(&running.stop);
        // The flag belongs to this search alone, so that a late alarm harms nobody.
        thread::spawn(move || {
            thread::sleep(soft);
            stop.store(true, Ordering::Relaxed);
        });
    }

    fn go_mate(&mut self, time: Option<Duration>) {
        let stop = Arc::new(AtomicBool::new(false));
        let position = *self.game.position();
        let (say, hash) = (Arc::clone(&self.say), self.options.hash);
        let thread = {
            let stop = Arc::clone(&stop);
            thread::spawn(move || say(&find_mate(&position, hash, time, &stop)))
        };
        let gate = Arc::new(Gate::new(true));
        self.running = Some(Running { stop, gate, thread, clock: None });
    }

    /// The value of the current position, and what makes it.
    fn explain(&mut self) {
        self.end_search();
        let engine = self.prepare();
        let position = *self.game.position();
        let value = lock(&engine).evaluate(&position);
        self.say(&format!("info string value {value} for the side to move"));
        let Ok(weights) = weights::load(&self.options.evaluation) else { return };
        let explanation = weights.explain(&position, position.side_to_move());
        for term in explanation.terms.iter().filter(|term| term.effect() != 0) {
            let (name, effect) = (term.feature.name, term.effect());
            let (own, enemy) = (term.own_value, term.enemy_value);
            self.say(&format!(
                "info string {effect:+} {name} weight {} own {own} enemy {enemy}",
                term.weight
            ));
        }
    }
}

fn lock(engine: &SharedEngine) -> std::sync::MutexGuard<'_, Box<dyn Searcher>> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// May the side to move declare that it has won?
fn declares_win(position: &Position, options: &Options) -> bool {
    let declared = position.declaration(options.settings.entering_king);
    let winner = GameOutcome::Win(position.side_to_move());
    matches!(declared, Some(GameResult { outcome, .. }) if outcome == winner)
}

fn best_move(result: &SearchResult, options: &Options) -> String {
    match result.best {
        None => "bestmove resign".to_owned(),
        Some(_) if result.depth > 0 && result.score <= -options.resign => {
            "bestmove resign".to_owned()
        }
        Some(best) => match result.ponder {
            Some(ponder) => format!("bestmove {best} ponder {ponder}"),
            None => format!("bestmove {best}"),
        },
    }
}

fn find_mate(
    position: &Position,
    hash: usize,
    time: Option<Duration>,
    stop: &AtomicBool,
) -> String {
    let limits = mate::Limits { time, ..mate::Limits::default() };
    let solution = Solver::new(hash).solve(position, &limits, stop);
    match solution.outcome {
        Outcome::Mate(mate) => format!("checkmate {}", info::moves(&mate.line)),
        Outcome::NoMate => "checkmate nomate".to_owned(),
        Outcome::Unknown => "checkmate timeout".to_owned(),
    }
}
