//! The conversation as a state machine. It is told what happens and says what is to be done;
//! threads, clocks and pipes are elsewhere.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt::Display;
use std::time::Duration;

use tesuji_search::mate::Outcome as MateOutcome;
use tesuji_search::spec::{Evaluation, SpecError};
use tesuji_search::{Algorithm, Info, Limits, SearchResult};
use tesuji_shogi::{BoardStyle, Game, GameResult, Move, Position};

use crate::answer;
use crate::command::{self, Command, Go, MateTime};
use crate::options::{Options, Setup};
use crate::response::{BestMove, Response};

/// Takes the evaluation of the current position of a game apart for people, feature by feature or
/// piece by piece; empty where there is nothing to tell.
pub type Explain = fn(&Evaluation, &Game) -> String;

/// What happens.
#[derive(Debug)]
pub enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that is longer than any command; nothing of it was kept.
    Overlong,
    /// No line will come any more.
    EndOfInput,
    /// What [`Job::Prepare`] asked for is done.
    Ready,
    /// A search has found something.
    Info(Info),
    /// Nothing was said for a while, and the engine thread still works.
    Silence {
        /// The nodes that it has searched.
        nodes: u64,
        /// How long it has been at work.
        time: Duration,
    },
    /// Something for people: what is not as it was asked for, or where a move comes from.
    Remark(String),
    /// A search has ended.
    Found(SearchResult),
    /// The search for a mate has ended.
    Solved(MateOutcome),
}

/// What is to be done. There are a few of them at a time, so that their size is no matter.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Effect {
    /// Write a line.
    Say(String),
    /// Give this to the engine thread. It gets one job at a time.
    Begin(Box<Job>),
    /// End the search that goes on.
    Stop,
    /// End it when this time has passed, if it has not ended by then.
    StopAfter(Duration),
    /// End the program.
    Exit,
}

/// What the engine thread is asked for.
#[derive(Debug)]
pub enum Job {
    /// Make everything ready, and forget what was learned if a new game begins.
    Prepare {
        /// The engine that is wanted.
        setup: Setup,
        /// Does a new game begin?
        forget: bool,
    },
    /// Choose a move.
    Search {
        /// The engine that is wanted.
        setup: Setup,
        /// The game whose current position is searched.
        game: Box<Game>,
        /// What ends the search.
        limits: Limits,
    },
    /// Look for a mate.
    Mate {
        /// The engine that is wanted; of it the solver takes the size of its table.
        setup: Setup,
        /// Where the side to move is to give mate.
        position: Box<Position>,
        /// How long to look; for ever if `None`.
        time: Option<Duration>,
    },
}

/// What the engine thread is doing. There is one of these, so that its size is no matter.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
enum Activity {
    Nothing,
    /// It makes itself ready, to say so afterwards or not.
    Preparing {
        announce: bool,
    },
    Searching(Box<Searching>),
    Solving {
        endless: bool,
        stopped: bool,
    },
}

/// A search that goes on, or whose answer is held back.
#[derive(Debug)]
struct Searching {
    go: Go,
    /// The answer waits for `stop` or `ponderhit`.
    holds: bool,
    /// It was told to end: nothing holds its answer any more.
    stopped: bool,
    /// The answer that is held back.
    answer: Option<BestMove>,
}

/// A conversation with a graphical interface.
#[derive(Debug)]
pub struct Session {
    explain: Explain,
    /// Are the parameters of the search told with the other options?
    list_parameters: bool,
    options: Options,
    game: Box<Game>,
    activity: Activity,
    /// Commands that wait until the engine thread is free.
    waiting: VecDeque<Command>,
    /// The program ends when nothing waits any more.
    closing: bool,
    effects: Vec<Effect>,
}

impl Session {
    /// A conversation that has not begun. The parameters of the search can always be set, but are
    /// listed among the options only if that is wanted: no dialog should have so many.
    pub fn new(explain: Explain, list_parameters: bool) -> Result<Self, SpecError> {
        Ok(Self {
            explain,
            list_parameters,
            options: Options::new()?,
            game: Box::new(Game::new(Position::startpos())),
            activity: Activity::Nothing,
            waiting: VecDeque::new(),
            closing: false,
            effects: Vec::new(),
        })
    }

    /// What is to be done about an event, in this order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Line(line) => self.hear(&line),
            Event::Overlong => self.remark("a line that is longer than any command was dropped"),
            Event::EndOfInput => self.close(),
            Event::Info(info) => self.say(answer::info(&info, self.options.lines() > 1)),
            Event::Silence { nodes, time } if self.is_searching() => {
                self.say(answer::pulse(nodes, time));
            }
            Event::Silence { .. } => {}
            Event::Remark(what) => self.remark(&what),
            Event::Ready => {
                if matches!(self.activity, Activity::Preparing { announce: true }) {
                    self.say(Response::ReadyOk);
                }
                self.activity = Activity::Nothing;
            }
            Event::Found(result) => self.found(&result),
            Event::Solved(outcome) => {
                self.activity = Activity::Nothing;
                self.say(answer::checkmate(&outcome));
            }
        }
        self.take_up();
        // A search without an end of its own would keep the next one waiting for ever.
        while self.is_endless() && self.waiting.iter().any(is_go) {
            self.stop();
            self.take_up();
        }
        if self.closing && self.waiting.is_empty() && self.is_free() {
            self.effects.push(Effect::Exit);
        }
        std::mem::take(&mut self.effects)
    }

    fn say(&mut self, line: impl Display) {
        self.effects.push(Effect::Say(line.to_string()));
    }

    fn begin(&mut self, job: Job) {
        self.effects.push(Effect::Begin(Box::new(job)));
    }

    fn remark(&mut self, text: &str) {
        self.say(answer::remark(text));
    }

    fn hear(&mut self, line: &str) {
        if self.closing {
            return;
        }
        match command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => self.close(),
            Ok(Some(command)) if self.must_wait(&command, &self.waiting) => {
                self.waiting.push_back(command);
            }
            Ok(Some(command)) => self.obey(command),
            Err(why) => self.remark(&why.to_string()),
        }
    }

    /// While a search goes on it can be stopped and questions are answered; all else comes after
    /// it. What is said behind another `go` is meant for that one.
    fn must_wait(&self, command: &Command, ahead: &VecDeque<Command>) -> bool {
        let preparing = matches!(self.activity, Activity::Preparing { .. });
        !self.is_free()
            && match command {
                Command::Stop | Command::PonderHit | Command::GameOver(_) => {
                    preparing || ahead.iter().any(is_go)
                }
                // Whoever asks waits for the answer, perhaps before he says `stop`. Only behind a
                // search that is about to end the question can wait for what was said before it.
                Command::IsReady => preparing || self.is_stopped() && !ahead.is_empty(),
                Command::Usi | Command::Eval | Command::Show => preparing || !ahead.is_empty(),
                _ => true,
            }
    }

    /// Obeys what waits, as far as that can be done now.
    fn take_up(&mut self) {
        while let Some(command) = self.waiting.pop_front() {
            if self.must_wait(&command, &VecDeque::new()) {
                self.waiting.push_front(command);
                break;
            }
            self.obey(command);
        }
        if self.is_searching() && !self.is_stopped() {
            let before = self.waiting.len();
            self.waiting.retain(|command| *command != Command::IsReady);
            for _ in self.waiting.len()..before {
                self.say(Response::ReadyOk);
            }
        }
    }

    /// Is the engine thread searching, for a move or a mate?
    const fn is_searching(&self) -> bool {
        match &self.activity {
            Activity::Searching(searching) => searching.answer.is_none(),
            Activity::Solving { .. } => true,
            Activity::Nothing | Activity::Preparing { .. } => false,
        }
    }

    /// Was the search that goes on told to end?
    const fn is_stopped(&self) -> bool {
        match &self.activity {
            Activity::Searching(searching) => searching.stopped,
            Activity::Solving { stopped, .. } => *stopped,
            Activity::Nothing | Activity::Preparing { .. } => false,
        }
    }

    const fn is_free(&self) -> bool {
        matches!(self.activity, Activity::Nothing)
    }

    /// Does a search go on until somebody stops it?
    const fn is_endless(&self) -> bool {
        match &self.activity {
            Activity::Searching(searching) => searching.holds,
            Activity::Solving { endless, .. } => *endless,
            Activity::Nothing | Activity::Preparing { .. } => false,
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Usi => {
                let options = self
                    .options
                    .declarations(self.list_parameters)
                    .into_iter()
                    .map(Response::Option);
                for line in answer::identity().into_iter().chain(options) {
                    self.say(line);
                }
                self.say(Response::UsiOk);
            }
            Command::IsReady if self.is_free() => self.prepare(true, false),
            Command::IsReady => self.say(Response::ReadyOk),
            Command::NewGame => {
                self.options.begin_game();
                self.prepare(false, true);
            }
            Command::SetOption { name, value } => {
                let set = self.options.set(&name, &value.unwrap_or_default());
                if let Some(why) = set.err().or_else(|| self.options.take_remark()) {
                    self.remark(&why);
                }
            }
            Command::Position(game) => self.game = game,
            Command::Go(go) => self.go(go),
            Command::Stop | Command::GameOver(_) => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.close(),
            Command::Eval => self.explain(),
            Command::Show => {
                let board = self.game.position().display(BoardStyle::Letters);
                let board = board.last_move(self.game.last_move()).to_string();
                self.say(format!("{board}sfen {}", self.game.position().to_sfen()));
            }
        }
    }

    fn prepare(&mut self, announce: bool, forget: bool) {
        self.activity = Activity::Preparing { announce };
        self.begin(Job::Prepare { setup: self.options.setup(), forget });
    }

    fn go(&mut self, go: Go) {
        if !go.strange.is_empty() {
            self.remark(&format!("go: not understood: {}", go.strange.join(" ")));
        }
        let mut setup = self.options.setup();
        // Whoever lets the engine think without an end wants to know what it thinks.
        if go.is_endless() && !go.ponder {
            setup.opening = None;
        }
        if let Some(time) = go.mate {
            let position = Box::new(*self.game.position());
            let time = match time {
                MateTime::Infinite => None,
                MateTime::Limited(time) => Some(time),
            };
            self.activity = Activity::Solving { endless: time.is_none(), stopped: false };
            self.begin(Job::Mate { setup, position, time });
        } else {
            let holds = go.ponder || go.is_endless();
            let limits = self.limits(&go);
            let answer = self.answer_by_rules();
            if answer.is_none() {
                let game = self.game.clone();
                self.begin(Job::Search { setup, game, limits });
            }
            self.activity =
                Activity::Searching(Box::new(Searching { go, holds, stopped: false, answer }));
            self.give_answer();
        }
        if self.closing {
            self.stop();
        }
    }

    /// The answer that needs no thought: there is no legal move, or the game is won by declaration.
    fn answer_by_rules(&self) -> Option<BestMove> {
        let position = self.game.position();
        if !position.has_legal_move() {
            return Some(BestMove::Resign);
        }
        let entering_king = self.options.entering_king();
        let declared = position.declaration(entering_king);
        let won = declared.and_then(GameResult::winner) == Some(position.side_to_move());
        won.then_some(BestMove::Win)
    }

    /// The limits of a search. While it ponders no time is counted.
    fn limits(&mut self, go: &Go) -> Limits {
        let legal = |mv: &Move| self.game.position().is_legal(*mv);
        let moves: Vec<Move> = go.moves.iter().copied().filter(legal).collect();
        let illegal = go.moves.iter().filter(|mv| !legal(mv)).map(ToString::to_string);
        let wrong: Vec<String> = illegal.chain(go.no_moves.iter().cloned()).collect();
        if !wrong.is_empty() {
            let problem = if moves.is_empty() {
                "none is legal here, all moves are searched"
            } else {
                "left out, for they are illegal here"
            };
            self.remark(&format!("go: searchmoves: {problem}: {}", wrong.join(" ")));
        }
        let mut limits = Limits {
            depth: go.depth.map(|depth| depth.max(1)),
            nodes: go.nodes,
            moves,
            lines: self.options.lines(),
            ..Limits::default()
        };
        if !go.ponder && !go.infinite {
            (limits.soft_time, limits.hard_time) = self.times(go);
            if go.times.is_some() {
                limits.least_time = self.options.least_time();
            }
        }
        limits
    }

    /// When a search should end and when it must.
    fn times(&self, go: &Go) -> (Option<Duration>, Option<Duration>) {
        let side = self.game.position().side_to_move();
        let shares = go.times.map(|times| self.options.share_of(&times.clock(side)));
        let (soft, hard) = shares.unzip();
        (soft, [hard, go.move_time].into_iter().flatten().min())
    }

    /// The opponent played the expected move: from now on the clock counts.
    fn ponder_hit(&mut self) {
        let Activity::Searching(searching) = &mut self.activity else { return };
        if !searching.go.ponder || searching.stopped {
            return;
        }
        searching.go.ponder = false;
        searching.holds = searching.go.is_endless();
        let go = searching.go.clone();
        if !go.infinite {
            let (soft, hard) = self.times(&go);
            let time = [soft, hard].into_iter().flatten().min();
            self.effects.extend(time.map(Effect::StopAfter));
        }
        self.give_answer();
    }

    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Searching(searching) => {
                (searching.holds, searching.stopped) = (false, true);
                self.effects.push(Effect::Stop);
                self.give_answer();
            }
            Activity::Solving { endless, stopped } => {
                (*endless, *stopped) = (false, true);
                self.effects.push(Effect::Stop);
            }
            Activity::Nothing | Activity::Preparing { .. } => {}
        }
    }

    fn close(&mut self) {
        self.closing = true;
        self.stop();
    }

    fn found(&mut self, result: &SearchResult) {
        let resign_value = self.options.resign_value();
        if let Activity::Searching(searching) = &mut self.activity {
            let position = self.game.position();
            searching.answer = Some(answer::best_move(result, position, resign_value));
        }
        self.give_answer();
    }

    /// Says the answer of the search if there is one and nothing holds it back.
    fn give_answer(&mut self) {
        let Activity::Searching(searching) = &mut self.activity else { return };
        if !searching.holds
            && let Some(answer) = searching.answer.take()
        {
            self.activity = Activity::Nothing;
            self.say(answer);
        }
    }

    /// What the evaluation says of the position, feature by feature or piece by piece where it can.
    fn explain(&mut self) {
        let evaluation = self.options.evaluation();
        let (position, name) = (self.game.position(), evaluation.name());
        let score = evaluation.engine(Algorithm::standard(), 0).evaluate(position);
        let side = position.side_to_move();
        let parts = (self.explain)(evaluation, &self.game);
        self.say(format!(
            "{parts}The evaluation {name} gives {score} in the view of {side}, who is to move."
        ));
    }
}

const fn is_go(command: &Command) -> bool {
    matches!(command, Command::Go(_))
}
