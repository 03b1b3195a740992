//! `tesuji play`: a game in the terminal against a person.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use tesuji_analysis::notation;
use tesuji_lab::sink;
use tesuji_records::{Ending, GameRecord, Header, MoveRecord, japanese};
use tesuji_search::spec::LoadedSearch;
use tesuji_search::{Limits, SearchResult, Searcher, Stop, score};
use tesuji_shogi::{
    BoardStyle, Color, EnteringKing, Game, GameResult, Handicap, Move, Position, Rules,
};

use crate::engines::EngineArgs;
use crate::flags::whole;
use crate::output;

/// Play a game against the engine.
#[derive(Args, Debug)]
#[command(after_help = format!("Enter a move as 7g7f, 8h2b+ or P*5e, or in Japanese, or one of these:
{COMMANDS}

Handicaps: {}, or their Japanese names. White gives the handicap and moves first.

Examples:
  tesuji play
  tesuji play --level 2
  tesuji play --side white --ms 3000 --kanji
  tesuji play --handicap two-piece", handicap_names()))]
pub struct PlayArgs {
    /// Your side.
    #[arg(long, value_name = "SIDE", default_value = "black")]
    side: Side,
    /// How long the engine thinks about a move, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = whole::<u64>(1..=1_000_000_000_000))]
    ms: u64,
    /// How strong the engine is, from 1 to 9, in place of a time for its moves.
    #[arg(long, value_name = "N", conflicts_with = "ms", value_parser = whole::<usize>(1..=9))]
    level: Option<usize>,
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
  level N  let the engine be weaker or stronger, from 1 to 9
  save F   write the game into a file: .kif, .ki2, .csa, .jkf or .usi
  board    show the board again
  new      begin a new game
  help     show this
  quit     end";

/// What limits the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strength {
    /// So long for a move.
    Time(Duration),
    /// A level from 1.
    Level(usize),
}

/// Nodes for a move at each level. Four times as many are worth about as much everywhere.
const LEVELS: [u64; 9] = [30, 120, 500, 2_000, 8_000, 30_000, 120_000, 500_000, 2_000_000];

impl Strength {
    fn level(number: &str) -> Result<Self> {
        let read = number.trim().parse().ok().filter(|level| (1..=LEVELS.len()).contains(level));
        let level = read.with_context(|| format!("expected a level from 1 to {}", LEVELS.len()))?;
        Ok(Self::Level(level))
    }

    fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits::time(time),
            Self::Level(level) => Limits::nodes(LEVELS[level - 1]),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Time(time) => format!("{} s for a move", time.as_secs_f64()),
            Self::Level(level) => format!("level {level} of {}", LEVELS.len()),
        }
    }
}

/// How to play.
#[derive(Debug)]
pub struct PlaySettings {
    person: Color,
    strength: Strength,
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
            strength: args
                .level
                .map_or(Strength::Time(Duration::from_millis(args.ms)), Strength::Level),
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

/// What the person enters, line by line; with editing where it is typed.
enum Lines {
    Typed(Box<DefaultEditor>),
    Read(io::StdinLock<'static>),
}

impl Lines {
    fn new() -> Result<Self> {
        Ok(if io::stdin().is_terminal() && io::stdout().is_terminal() {
            Self::Typed(Box::new(DefaultEditor::new()?))
        } else {
            Self::Read(io::stdin().lock())
        })
    }

    /// The next line; `None` at the end.
    fn next(&mut self) -> Result<Option<String>> {
        match self {
            Self::Typed(editor) => match editor.readline("> ") {
                Ok(line) => {
                    editor.add_history_entry(line.trim())?;
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(error.into()),
            },
            Self::Read(input) => {
                let mut line = Vec::new();
                let read = input.read_until(b'\n', &mut line)?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
            }
        }
    }
}

/// Plays until the person has enough.
pub fn run(plan: &PlaySettings) -> Result<ExitCode> {
    let mut match_ = Match {
        plan,
        engine: plan.engine.engine(),
        strength: plan.strength,
        game: Game::new(plan.handicap.position()),
        rules: Rules::default(),
        saved: None,
    };
    match_.greet()?;
    match_.show()?;
    match_.reply()?;
    let mut lines = Lines::new()?;
    while let Some(line) = lines.next()? {
        let entered = line.trim();
        if entered == "quit" {
            break;
        }
        if let Err(error) = match_.obey(entered) {
            if output::is_closed_pipe(&error) {
                return Err(error);
            }
            output::print(&format!("{error:#}\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A person and the engine at the board.
struct Match<'a> {
    plan: &'a PlaySettings,
    engine: Box<dyn Searcher>,
    strength: Strength,
    game: Game,
    rules: Rules,
    /// Where the game was saved last.
    saved: Option<PathBuf>,
}

impl Match<'_> {
    fn greet(&self) -> Result<()> {
        let person = side_name(self.plan.person);
        let engine = side_name(!self.plan.person);
        output::print(&format!(
            "Welcome to a game of shogi. You have {person}, Tesuji has {engine} ({}).\n\
             Enter a move as 7g7f, 8h2b+ or P*5e, or in Japanese; help shows what else there is.\n",
            self.strength.words()
        ))
    }

    /// Does what the person entered.
    fn obey(&mut self, entered: &str) -> Result<()> {
        let (word, rest) = entered.split_once(char::is_whitespace).unwrap_or((entered, ""));
        match word {
            "level" => return self.set_level(rest),
            "save" => return self.save(rest.trim()),
            _ => {}
        }
        match entered {
            "" => Ok(()),
            "help" => output::print(&format!("{COMMANDS}\n")),
            "board" => self.show(),
            "new" => {
                self.game = Game::new(self.plan.handicap.position());
                self.engine.clear();
                self.saved = None;
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
            "declare" => self.declare(),
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

    fn set_level(&mut self, number: &str) -> Result<()> {
        self.strength = Strength::level(number)?;
        output::print(&format!("Tesuji plays at {}\n", self.strength.words()))
    }

    /// Ends the game by a declaration that holds. One that does not would lose it, by the rules;
    /// the person is told why instead.
    fn declare(&mut self) -> Result<()> {
        let missing = missing_for_declaration(self.game.position(), &self.rules);
        ensure!(
            missing.is_empty(),
            "you cannot declare: {}; by the rules it would lose, so the game goes on",
            missing.join(", ")
        );
        self.game.declare(&self.rules);
        self.show()
    }

    /// Writes the game into a file, over an old one only if this game has been saved there.
    fn save(&mut self, name: &str) -> Result<()> {
        let path = Path::new(name);
        ensure!(
            self.saved.as_deref() == Some(path) || !path.exists(),
            "{name}: there is a file of this name"
        );
        sink::write_file(path, &self.record())?;
        self.saved = Some(path.to_owned());
        output::print(&format!("saved as {name}\n"))
    }

    /// The game so far as a record.
    fn record(&self) -> GameRecord {
        let mut record = GameRecord::new(self.plan.handicap.position());
        let players = match self.plan.person {
            Color::Black => ["You", "Tesuji"],
            Color::White => ["Tesuji", "You"],
        };
        record.add_header(Header::BLACK, players[0]);
        record.add_header(Header::WHITE, players[1]);
        record.main.moves = self.game.moves().iter().copied().map(MoveRecord::from).collect();
        record.main.ending = self.result().map(Ending::new);
        record
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
        self.engine.search(&self.game, &self.strength.limits(), Stop::never(), &mut |_| {})
    }

    fn result(&self) -> Option<GameResult> {
        self.game.result(&self.rules)
    }

    /// Draws the board, and says how the game ended if it did.
    fn show(&self) -> Result<()> {
        let board = self.game.position().display(self.plan.style).seen_by(self.plan.person);
        let board = board.last_move(self.game.last_move());
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

const fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// Why the player to move cannot declare, in words; nothing where he can.
fn missing_for_declaration(position: &Position, rules: &Rules) -> Vec<String> {
    let side = position.side_to_move();
    let EnteringKing { king_entered, pieces_in_camp, points, in_check } =
        position.entering_king(side);
    let mut missing = Vec::new();
    if !king_entered {
        missing.push("your king is not in the enemy camp".to_owned());
    }
    if pieces_in_camp < EnteringKing::PIECES_NEEDED {
        let needed = EnteringKing::PIECES_NEEDED;
        missing.push(format!("you have {pieces_in_camp} of {needed} pieces there"));
    }
    if let Some(needed) = rules.entering_king.winning_points(side)
        && points < needed
    {
        missing.push(format!("you have {points} of {needed} points"));
    }
    if in_check {
        missing.push("you are in check".to_owned());
    }
    missing
}
