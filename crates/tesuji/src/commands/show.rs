//! `tesuji show`: a position, or a position of a game.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Map, Value, json};
use tesuji_records::stream::{Games, Input, Located};
use tesuji_records::{Format, GameRecord, tsv};
use tesuji_shogi::{BoardStyle, Color, Move, Position};

use super::format_parser;
use crate::{output, position};

/// Show a position, or a position of a game in a file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji show startpos
  tesuji show startpos moves 7g7f 3c3d 8h2b+ --kanji
  tesuji show game.kif --ply 40
  tesuji show games.tsv --game 12 --json")]
pub struct ShowArgs {
    /// `startpos` or an SFEN, which `moves …` may follow, or a file of games; - is standard input.
    #[arg(required = true, value_name = "POSITION|FILE")]
    subject: Vec<String>,
    /// The position after this many moves; after the last one if not given.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// The number of the game in the file, from 1.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// The format of the file, if neither name nor content tells.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Draw the board in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What to show.
#[derive(Debug)]
pub struct Plan {
    subject: Subject,
    style: BoardStyle,
    json: bool,
}

#[derive(Debug)]
enum Subject {
    Position(Box<Position>),
    Game { input: Input, format: Option<Format>, number: u64, ply: Option<usize> },
}

impl Plan {
    /// The plan that the flags mean.
    pub fn new(args: &ShowArgs) -> Result<Self> {
        let style = if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters };
        let subject = match file_of(&args.subject) {
            Some(path) => Subject::Game {
                input: match path.to_str() {
                    Some("-") => Input::Stdin,
                    _ => Input::File(path),
                },
                format: args.from,
                number: args.game,
                ply: args.ply,
            },
            None => Subject::Position(Box::new(position_of(args)?)),
        };
        Ok(Self { subject, style, json: args.json })
    }
}

/// The file that is meant, if it is a file.
fn file_of(words: &[String]) -> Option<PathBuf> {
    match words {
        [word] if word == "-" || Path::new(word).is_file() => Some(word.into()),
        _ => None,
    }
}

fn position_of(args: &ShowArgs) -> Result<Position> {
    let subject = args.subject.join(" ");
    if args.ply.is_some() || args.game != 1 || args.from.is_some() {
        bail!("--ply, --game and --from are for files, and {subject:?} is none");
    }
    position::parse(&args.subject)
        .with_context(|| format!("{subject:?} is neither a file nor a position"))
}

/// Shows it.
pub fn run(plan: &Plan) -> Result<ExitCode> {
    match &plan.subject {
        Subject::Position(position) => {
            if plan.json {
                output::print_json(&Value::Object(position_json(position, None)))?;
            } else {
                output::print(&position_text(position, None, plan.style))?;
            }
        }
        Subject::Game { input, format, number, ply } => {
            let game = find_game(input, *format, *number)?;
            let moves: Vec<Move> = game.value.moves().collect();
            let played = ply.unwrap_or(moves.len());
            let Some(moves) = moves.get(..played) else {
                bail!("{}:{}: the game has {} moves", game.file, game.line, moves.len());
            };
            let start = game.value.start;
            let position = moves.iter().fold(start, |position, &mv| position.after_unchecked(mv));
            let last = moves.last().copied();
            if plan.json {
                let mut shown = position_json(&position, last);
                shown.append(&mut game_json(&game, *number));
                output::print_json(&Value::Object(shown))?;
            } else {
                let text = game_text(&game) + "\n" + &position_text(&position, last, plan.style);
                output::print(&text)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The game with this number; bad games before it count too.
fn find_game(input: &Input, format: Option<Format>, number: u64) -> Result<Located<GameRecord>> {
    let mut count = 0;
    for game in Games::new(vec![input.clone()], format) {
        count += 1;
        match game {
            Err(error) if count == number || !error.is_bad_game() => return Err(error.into()),
            Ok(game) if count == number => return Ok(game),
            _ => {}
        }
    }
    match count {
        0 => bail!("{}: no games in the file", input.name()),
        1 => bail!("{}: no game {number}, there is one", input.name()),
        _ => bail!("{}: no game {number}, there are {count}", input.name()),
    }
}

fn position_text(position: &Position, last: Option<Move>, style: BoardStyle) -> String {
    let check = if position.in_check() { "check, " } else { "" };
    format!(
        "{}{check}{} legal moves\nsfen {}\n",
        position.display(style).last_move(last),
        position.count_legal_moves(),
        position.to_sfen(),
    )
}

fn game_text(game: &Located<GameRecord>) -> String {
    let record = &game.value;
    let mut text = String::new();
    for header in &record.headers {
        text += &format!("{}: {}\n", header.key, header.value);
    }
    text += &format!("{} moves, {}\n", record.main.moves.len(), record.result());
    text
}

fn position_json(position: &Position, last: Option<Move>) -> Map<String, Value> {
    let hand = |color: Color| -> Value {
        let held = position.hand(color).iter();
        held.map(|(kind, count)| (kind.letter().to_string(), json!(count))).collect()
    };
    let mut shown = Map::new();
    shown.insert("sfen".into(), position.to_sfen().into());
    shown.insert("side".into(), position.side_to_move().to_string().into());
    shown.insert("ply".into(), position.ply().into());
    shown.insert("last_move".into(), last.map(|mv| mv.to_string()).into());
    shown.insert("in_check".into(), position.in_check().into());
    shown.insert("legal_moves".into(), position.count_legal_moves().into());
    let hands = json!({ "black": hand(Color::Black), "white": hand(Color::White) });
    shown.insert("hands".into(), hands);
    shown
}

fn game_json(game: &Located<GameRecord>, number: u64) -> Map<String, Value> {
    let record = &game.value;
    let headers: Map<String, Value> =
        record.headers.iter().map(|h| (h.key.clone(), json!(h.value))).collect();
    let result = record.result();
    let mut shown = Map::new();
    shown.insert("file".into(), json!(&*game.file));
    shown.insert("line".into(), json!(game.line));
    shown.insert("game".into(), json!(number));
    shown.insert("moves".into(), json!(record.main.moves.len()));
    shown.insert("result".into(), json!(tsv::outcome_letter(result.outcome)));
    shown.insert("reason".into(), json!(result.reason.name()));
    shown.insert("headers".into(), Value::Object(headers));
    shown
}
