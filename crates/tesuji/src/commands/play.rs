//! `tesuji play`: a game in the terminal against a person.

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use tesuji_analysis::notation;
use tesuji_records::japanese;
use tesuji_search::{Limits, SearchResult, Searcher, Stop, score};
use tesuji_shogi::{BoardStyle, Color, Game, GameResult, Handicap, Move, Rules};

use crate::engines::EngineArgs;
use crate::output;
use tesuji_search::spec::LoadedSearch;

/// Play a game against the engine.
#[derive(Args, Debug)]
#[command(after_help = format!("Enter a move as 7g7f, 8h2b+ or P*5e, or in Japanese, or one of these:
{COMMANDS}

Handicaps: {}, or their Japanese names. White gives the handicap and moves first.

Examples:
  tesuji play
  tesuji play --side white --ms 3000 --kanji
  tesuji play --handicap two-piece", handicap_names()))]
pub struct PlayArgs {
    /// Your side.
    #[arg(long, value_name = "SIDE", default_value = "black")]
    side: Side,
    /// How long the engine thinks about a move, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..))]
    ms: u64,
    /// Pieces that White leaves out.
    #[arg(long, value_name = "NAME", default_value = "even")]
    handicap: String,
    /// Draw the board in Japanese.
    #[arg(long)]
    kanji: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Black,
    White,
}

/// What can be entered beside moves.
const COMMANDS: &str = "  undo     take back your last move
  hint     ask what the engine would play
  declare  claim a win with an entered king (27-point rule)
  resign   give up
  new      begin a new game
  help     show this
  quit     end";

/// How to play.
#[derive(Debug)]
pub struct PlaySettings {
    person: Color,
    time: Duration,
    handicap: Handicap,
    style: BoardStyle,
    engine: LoadedSearch,
}

impl PlaySettings {
    /// The plan that the flags mean.
    pub fn new(args: &PlayArgs) -> Result<Self> {
        Ok(Self {
            person: match args.side {
                Side::Black => Color::Black,
                Side::White => Color::White,
            },
            time: Duration::from_millis(args.ms),
            handicap: find_handicap(&args.handicap)?,
            style: if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters },
            engine: args.engine.load(1)?,
        })
    }
}

/// `two-piece` for [`Handicap::TwoPiece`].
fn handicap_name(handicap: Handicap) -> String {
    let mut name = String::new();
    for letter in format!("{handicap:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn handicap_names() -> String {
    Handicap::ALL.map(handicap_name).join(", ")
}

fn find_handicap(name: &str) -> Result<Handicap> {
    Handicap::ALL
        .into_iter()
        .find(|&handicap| handicap_name(handicap) == name)
        .or_else(|| Handicap::from_japanese(name))
        .ok_or_else(|| anyhow!("--handicap {name}: expected one of {}", handicap_names()))
}

/// Plays until the person has enough.
pub fn run(plan: &PlaySettings) -> Result<ExitCode> {
    let mut match_ = Match {
        plan,
        engine: plan.engine.engine(),
        game: Game::new(plan.handicap.position()),
        rules: Rules::default(),
    };
    match_.show()?;
    match_.reply()?;
    let asks = io::stdin().is_terminal();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        if asks {
            output::print("> ")?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let entered = String::from_utf8_lossy(&line);
        let entered = entered.trim();
        if entered == "quit" {
            return Ok(ExitCode::SUCCESS);
        }
        if let Err(error) = match_.obey(entered) {
            if output::is_closed_pipe(&error) {
                return Err(error);
            }
            output::print(&format!("{error:#}\n"))?;
        }
    }
}

/// A person and the engine at the board.
struct Match<'a> {
    plan: &'a PlaySettings,
    engine: Box<dyn Searcher>,
    game: Game,
    rules: Rules,
}

impl Match<'_> {
    /// Does what the person entered.
    fn obey(&mut self, entered: &str) -> Result<()> {
        match entered {
            "" => Ok(()),
            "help" => output::print(&format!("{COMMANDS}\n")),
            "new" => {
                self.game = Game::new(self.plan.handicap.position());
                self.engine.clear();
                self.show()?;
                self.reply()
            }
            "undo" => self.undo(),
            _ if self.result().is_some() => bail!("the game is over: new, undo or quit"),
            "hint" => {
                let result = self.think();
                let mv = result.best.ok_or_else(|| anyhow!("there is no legal move"))?;
                let (name, score) = (self.name(mv), score::public(result.score));
                output::print(&format!("perhaps {name} ({score} for you)\n"))
            }
            "declare" => {
                self.game.declare(&self.rules);
                self.show()
            }
            "resign" => {
                self.game.resign(self.plan.person);
                self.show()
            }
            text => {
                let previous = self.game.last_move().map(Move::to);
                let mv = notation::read_move(text, self.game.position(), previous)?;
                self.game.play(mv)?;
                if self.result().is_some() {
                    return self.show();
                }
                self.reply()
            }
        }
    }

    /// Takes back moves until the person is to move again, or begins anew where the engine has made
    /// the only move.
    fn undo(&mut self) -> Result<()> {
        if self.game.undo().is_none() {
            bail!("there is no move to take back");
        }
        if self.game.position().side_to_move() != self.plan.person {
            self.game.undo();
        }
        self.show()?;
        self.reply()
    }

    /// Moves for the engine if it is to move, and shows what came of it.
    fn reply(&mut self) -> Result<()> {
        let side = self.game.position().side_to_move();
        if side == self.plan.person || self.result().is_some() {
            return Ok(());
        }
        let declared = self.game.position().declaration(self.rules.entering_king);
        if declared.and_then(GameResult::winner) == Some(side) {
            self.game.declare(&self.rules);
            return self.show();
        }
        let result = self.think();
        match result.best {
            Some(mv) => {
                let (name, score) = (self.name(mv), score::public(result.score));
                output::print(&format!("Tesuji plays {name} ({score} for Tesuji)\n"))?;
                self.game.play(mv)?;
            }
            None => self.game.resign(side),
        }
        self.show()
    }

    fn think(&mut self) -> SearchResult {
        self.engine.search(&self.game, &Limits::time(self.plan.time), Stop::never(), &mut |_| {})
    }

    fn result(&self) -> Option<GameResult> {
        self.game.result(&self.rules)
    }

    /// Draws the board, and says how the game ended if it did.
    fn show(&self) -> Result<()> {
        let board = self.game.position().display(self.plan.style).last_move(self.game.last_move());
        let result = self.result().map_or_else(String::new, |result| format!("{result}\n"));
        output::print(&format!("\n{board}{result}"))
    }

    /// The move as the person likes to read it.
    fn name(&self, mv: Move) -> String {
        let previous = self.game.last_move().map(Move::to);
        match self.plan.style {
            BoardStyle::Letters => mv.to_string(),
            BoardStyle::Kanji => japanese::move_text(self.game.position(), mv, previous),
        }
    }
}
