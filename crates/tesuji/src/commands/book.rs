//! `tesuji book`: opening books made of games, looked into, merged and checked.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tesuji_eval::formations::Atlas;
use tesuji_lab::book::{self, BuildPlan};
use tesuji_run::Context;
use tesuji_search::book::{Book, CastleVeto, STANDARD, db};
use tesuji_shogi::BoardStyle;

use crate::flags::whole;
use crate::output::{self, counted};
use crate::progress::Terminal;
use crate::subject::SubjectArgs;

/// Make, look into, merge and check opening books.
///
/// Books are in the text format .db of YaneuraOu. Engines open by one that is named:
/// tesuji:book=FILE,book_moves=10 in matches, the options BookFile and BookMoves of tesuji usi.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji book build --games games.tsv --plies 30 --min-count 3 --output own.db
  tesuji book show startpos moves 7g7f --book own.db
  tesuji book merge a.db b.db --output both.db
  tesuji book check own.db
  tesuji match tesuji:book=own.db,book_moves=10 tesuji:eval=material,book=own.db,book_moves=10")]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Build(BuildArgs),
    Show(ShowArgs),
    Merge(MergeArgs),
    Check(CheckArgs),
}

/// Make a book of games: how often each move was played in each position.
#[derive(Args, Debug)]
struct BuildArgs {
    /// Files or folders of games in any format; - is standard input.
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Moves of a game that count, from its beginning.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole::<usize>(1..=1_000_000))]
    plies: usize,
    /// Leave out moves that were played less often in a position.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(1..=4_294_967_295))]
    min_count: u32,
    /// Count the moves of the winner alone.
    #[arg(long)]
    winners: bool,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Show the moves that a book has in a position.
#[derive(Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// A book, or standard for the one that comes with the program.
    #[arg(long, value_name = "FILE", default_value = STANDARD)]
    book: String,
    /// Draw the board in Japanese.
    #[arg(long)]
    kanji: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Make one book of several; the counts of a move add up.
#[derive(Args, Debug)]
struct MergeArgs {
    /// The books.
    #[arg(required = true, value_name = "FILE")]
    books: Vec<String>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Name every line of a book that is wrong; the exit code is 0 if there is none.
#[derive(Args, Debug)]
struct CheckArgs {
    /// The book.
    #[arg(value_name = "FILE")]
    book: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Does what the subcommand says.
pub fn run(args: &BookArgs) -> Result<ExitCode> {
    match &args.command {
        BookCommand::Build(args) => build(args),
        BookCommand::Show(args) => show(args),
        BookCommand::Merge(args) => merge(args),
        BookCommand::Check(args) => check(args),
    }
}

fn build(args: &BuildArgs) -> Result<ExitCode> {
    let BuildArgs { plies, min_count, winners, .. } = *args;
    let plan = BuildPlan { games: args.games.clone(), plies, min_count, winners };
    let context = Context { threads: args.threads, observer: &Terminal };
    let built = book::build_file(&plan, &args.output, &context)?;
    let text = || format!("{}: {}", args.output.display(), built.text());
    output::either(args.json, || built.json(), text)
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    let subject = args.subject.load()?;
    let book = book::load(&args.book, &Terminal)?;
    let shown = book::show(&book, &subject.position, Some(&CastleVeto::new(Atlas::shipped())));
    output::either(
        args.json,
        || shown.json(),
        || {
            let style = if args.kanji { BoardStyle::Kanji } else { BoardStyle::Letters };
            let board = subject.position.display(style).last_move(subject.last);
            format!("{board}{}", shown.text())
        },
    )
}

fn merge(args: &MergeArgs) -> Result<ExitCode> {
    let books = args.books.iter().map(|name| book::load(name, &Terminal));
    let books: Vec<Book> = books.collect::<Result<_>>()?;
    let merged = Book::merged(&books);
    book::save(&merged, &args.output)?;
    let text = || format!("{}: {}\n", args.output.display(), size(&merged));
    output::either(args.json, || size_json(&merged), text)
}

fn check(args: &CheckArgs) -> Result<ExitCode> {
    let name = args.book.display().to_string();
    let loaded = db::examine(&args.book)?;
    let good = loaded.fault_count == 0;
    if args.json {
        let mut report = size_json(&loaded.book);
        let faults = loaded.faults.iter();
        let listed: Vec<Value> =
            faults.map(|fault| json!({ "line": fault.line, "message": fault.problem })).collect();
        report["faults"] = loaded.fault_count.into();
        report["errors"] = listed.into();
        output::print_json(&report)?;
    } else {
        book::faults(&name, &loaded).iter().for_each(|line| output::complain(line));
        let faults = counted(loaded.fault_count as u64, "fault");
        output::print(&format!("{name}: {}, {faults}\n", size(&loaded.book)))?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn size(book: &Book) -> String {
    let [positions, moves] = [book.len(), book.move_count()].map(|number| number as u64);
    format!("{}, {}", counted(positions, "position"), counted(moves, "move"))
}

fn size_json(book: &Book) -> Value {
    json!({ "positions": book.len(), "moves": book.move_count() })
}
