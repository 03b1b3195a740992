//! An engine behind a pipe that speaks USI.

use std::time::{Duration, Instant};
use std::{io, process};

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Game, Outcome, Rules};
use tesuji_usi::command::{GameOver, position_line};
use tesuji_usi::process::{Process, ProcessEvent};
use tesuji_usi::{Command, Response, response};

use super::{Answer, Chance, Fault, FaultKind, Player, Thought, Turn, info};
use crate::clock::go_command;

/// How an engine is started.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsiCommand {
    /// The program: a path, or a name that the system finds.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options and their values, as they are sent.
    pub options: Vec<(String, String)>,
    /// Does it write drops as `P@5e`, as engines do that come from another variant of chess?
    pub at_drops: bool,
}

/// How long an engine has to introduce itself, and to get ready.
const INTRODUCTION: Duration = Duration::from_secs(20);
const PREPARATION: Duration = Duration::from_secs(60);
/// How long an engine that was told to stop has to answer, so that it was late and not silent.
const LAST_CHANCE: Duration = Duration::from_secs(1);
/// What may be said before an answer.
const MOST_LINES: usize = 200_000;
const MOST_BYTES: usize = 64 << 20;

/// An engine of another program as a player. It is started when a game begins and no engine is
/// there.
pub struct UsiEngine {
    command: UsiCommand,
    process: Option<Process>,
    /// The name by which the engine introduced itself.
    name: Option<String>,
}

/// What an engine was waited for, and when it came.
struct Heard {
    line: String,
    at: Instant,
}

impl UsiEngine {
    /// An engine that is not started yet.
    pub const fn new(command: UsiCommand) -> Self {
        Self { command, process: None, name: None }
    }

    /// Starts the engine and waits until it is ready; the name by which it introduces itself.
    pub fn introduce(&mut self) -> Result<Option<String>, Fault> {
        self.ready()?;
        Ok(self.name.clone())
    }

    /// Starts the engine if there is none.
    fn ready(&mut self) -> Result<(), Fault> {
        if self.process.is_some() {
            return Ok(());
        }
        let mut command = process::Command::new(&self.command.program);
        command.args(&self.command.arguments);
        let started = Process::start(&mut command).map_err(|error| Fault {
            kind: FaultKind::Start,
            detail: format!("{}: {error}", self.command.program),
            lines: Vec::new(),
        })?;
        self.process = Some(started);
        self.say(&Command::Usi).and_then(|()| self.introduction()).map_err(at_start)?;
        for (name, value) in self.command.options.clone() {
            let value = Some(value);
            self.say(&Command::SetOption { name, value }).map_err(at_start)?;
        }
        self.prepare()
    }

    /// Waits for the end of the introduction, which has the engine's name.
    fn introduction(&mut self) -> Result<(), Fault> {
        let mut name = None;
        self.wait(Instant::now() + INTRODUCTION, |line| match response::parse(line) {
            Ok(Some(Response::Name(found))) => {
                name = Some(found).filter(|name| !name.is_empty()).or(name.take());
                false
            }
            other => other == Ok(Some(Response::UsiOk)),
        })?;
        self.name = name;
        Ok(())
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        let ready = |line: &str| response::parse(line) == Ok(Some(Response::ReadyOk));
        self.say(&Command::IsReady)
            .and_then(|()| self.wait(Instant::now() + PREPARATION, ready))
            .map_err(at_start)?;
        Ok(())
    }

    /// Says something; an engine that does not listen any more has crashed.
    fn say(&mut self, command: &Command) -> Result<(), Fault> {
        self.say_line(&command.to_string())
    }

    fn say_line(&mut self, line: &str) -> Result<(), Fault> {
        let said = self.process.as_mut().map(|process| process.say(line));
        match said {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) if error.kind() == io::ErrorKind::TimedOut => {
                let detail = "the engine does not read what it is told".to_owned();
                Err(self.fail(FaultKind::Silence, detail))
            }
            _ => Err(self.crashed()),
        }
    }

    /// Waits for a line.
    fn wait(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Heard, Fault> {
        let (mut lines, mut bytes) = (0, 0);
        loop {
            let Some(process) = &self.process else { return Err(self.crashed()) };
            match process.hear(deadline) {
                Ok(ProcessEvent::Line(line, at)) => {
                    if wanted(&line) {
                        return Ok(Heard { line, at });
                    }
                    lines += 1;
                    bytes += line.len();
                    if lines > MOST_LINES || bytes > MOST_BYTES {
                        let detail = format!("{lines} lines, {bytes} bytes without an answer");
                        return Err(self.fail(FaultKind::Flood, detail));
                    }
                }
                Ok(ProcessEvent::EndlessLine) => {
                    return Err(self.fail(FaultKind::Flood, "a line without an end".to_owned()));
                }
                Ok(ProcessEvent::Closed) => return Err(self.crashed()),
                Err(_) => {
                    let lines = process.last_lines();
                    let detail = "no answer".to_owned();
                    return Err(Fault { kind: FaultKind::Silence, detail, lines });
                }
            }
        }
    }

    fn crashed(&mut self) -> Fault {
        let status = self.process.as_mut().and_then(Process::ended);
        let detail = match status {
            Some(status) => format!("the engine ended ({status})"),
            None => "the engine closed its side".to_owned(),
        };
        self.fail(FaultKind::Crash, detail)
    }

    /// Ends the engine for a fault.
    fn fail(&mut self, kind: FaultKind, detail: String) -> Fault {
        Fault { kind, detail, lines: self.blame() }
    }

    /// Waits for the answer to `go`. When the time is up the engine is told to stop, and what it
    /// answers then is late.
    fn answer(&mut self, started: Instant, turn: &Turn<'_>, color: Color) -> Result<Answer, Fault> {
        let allowed = turn.clocks[color.index()].allowed();
        let longest = allowed.map_or(turn.patience, |allowed| allowed + turn.margin);
        let mut thought = Thought::default();
        let mut answer = None;
        let mut hear = |line: &str| {
            answer = info::hear(&mut thought, line);
            answer.is_some()
        };
        let heard = match self.wait(started + longest, &mut hear) {
            Err(fault) if fault.kind == FaultKind::Silence => {
                self.say(&Command::Stop)?;
                self.wait(Instant::now() + LAST_CHANCE, &mut hear).map_err(|fault| {
                    let detail = format!("no answer within {:.3} s", longest.as_secs_f64());
                    self.blame();
                    Fault { detail, ..fault }
                })?
            }
            other => other?,
        };
        let time = heard.at.saturating_duration_since(started);
        match answer {
            Some(Ok(action)) => {
                if allowed.is_none() && time > turn.patience {
                    let detail = format!("no answer within {:.3} s", longest.as_secs_f64());
                    return Err(self.fail(FaultKind::Silence, detail));
                }
                Ok(Answer { action, thought, time })
            }
            Some(Err(why)) => Err(self.fail(FaultKind::BadAnswer, why.to_string())),
            None => Err(self.fail(FaultKind::BadAnswer, heard.line)),
        }
    }

    /// Throws away what was said out of turn.
    fn forget_old_lines(&mut self) {
        let Some(process) = &self.process else { return };
        for _ in 0..MOST_LINES {
            if !matches!(process.hear(Instant::now()), Ok(ProcessEvent::Line(..))) {
                return;
            }
        }
    }
}

/// Whatever goes wrong before the first move is a bad start.
fn at_start(fault: Fault) -> Fault {
    let kind = if fault.kind == FaultKind::Flood { fault.kind } else { FaultKind::Start };
    Fault { kind, ..fault }
}

impl Player for UsiEngine {
    fn begin(&mut self, _: &Game, _: &Rules, _: Chance) -> Result<(), Fault> {
        // An engine that ended between two games is started anew, which is nobody's loss.
        let again = self.process.is_some();
        let begun =
            self.ready().and_then(|()| self.say(&Command::NewGame)).and_then(|()| self.prepare());
        match begun {
            Err(_) if again => {
                self.blame();
                self.ready()?;
                self.say(&Command::NewGame).map_err(at_start)
            }
            Err(fault) => {
                self.blame();
                Err(fault)
            }
            Ok(()) => Ok(()),
        }
    }

    fn choose(&mut self, game: &Game, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.forget_old_lines();
        let color = game.position().side_to_move();
        let mut position = position_line(game);
        if self.command.at_drops {
            position = position.replace('*', "@");
        }
        self.say_line(&position)?;
        let started = Instant::now();
        self.say(&Command::Go(go_command(color, turn.clocks)))?;
        self.answer(started, turn, color)
    }

    fn end(&mut self, outcome: Outcome, own: Color) {
        let result = match outcome {
            Outcome::Win(color) if color == own => GameOver::Win,
            Outcome::Win(_) => GameOver::Lose,
            Outcome::Draw | Outcome::Unknown => GameOver::Draw,
        };
        // Who does not hear this any more is found out when the next game begins.
        if let Some(process) = &mut self.process {
            let _ = process.say(&Command::GameOver(Some(result)).to_string());
        }
    }

    fn blame(&mut self) -> Vec<String> {
        let Some(mut process) = self.process.take() else { return Vec::new() };
        process.kill();
        process.last_lines()
    }
}
