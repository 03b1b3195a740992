//! `tesuji reproduce`: the tables of a paper beside ours, by one command.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use tesuji_arena::TimeControl;
use tesuji_arena::clock::milliseconds;
use tesuji_lab::reproduce::castles::{self, CastlesReproduction};
use tesuji_lab::reproduce::plausible::{self, PlausibleReproduction};
use tesuji_lab::reproduce::stages::{self, StagesPlan};
use tesuji_lab::reproduce::tables::{self, Sizes, TablesPlan};
use tesuji_lab::reproduce::thesis::ThesisPlan;
use tesuji_lab::reproduce::winrate::{self, WinrateReproduction};
use tesuji_lab::reproduce::{DataFolder, thesis};
use tesuji_run::Context;

use crate::flags::whole;
use crate::output;
use crate::progress::Terminal;

/// Repeat the experiments of a paper and write its tables beside ours.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  tesuji reproduce thesis
  tesuji reproduce thesis --quick
  tesuji reproduce thesis --data ../shared/data --page docs/results/thesis.md
  tesuji reproduce stages
  tesuji reproduce winrate
  tesuji reproduce castles --opponent cmd:gpsusi,byoyomi=1
  tesuji reproduce plausible
  tesuji reproduce tables --games 100,300 --ablation-games 100 --out runs/small --page -")]
pub struct ReproduceArgs {
    #[command(subcommand)]
    paper: Paper,
}

/// The papers.
#[derive(Subcommand, Debug)]
enum Paper {
    /// The thesis on evolved evaluation: its program, its algorithm and better ones.
    Thesis(PaperArgs),
    /// What comes after it: piece tables, models of positions and of moves, learned from whole
    /// games.
    Tables(TablesArgs),
    /// The model paper's three stages: imitation, co-evolution, evolution of the search.
    Stages(StagesArgs),
    /// The paper on win ratios: where evaluations are wrong, what mends them, what that wins.
    Winrate(PaperArgs),
    /// The paper on castle and assault maps: what they win, how soon the opening book is left, what
    /// masters build.
    Castles(CastlesArgs),
    /// The paper on plausible moves: what generators keep of masters' moves, what that saves, and
    /// what it wins.
    Plausible(PaperArgs),
}

/// What every paper needs.
#[derive(Args, Debug)]
struct PaperArgs {
    /// The folder of the laboratory's data; if not given, the environment variable TESUJI_DATA or
    /// ../shared/data.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where each step keeps its folder; runs/ and the name of the paper if not given. Finished
    /// steps are not repeated.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The page to write, with its pictures in a folder beside it; - is standard output. A page in
    /// docs/results if not given.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Tiny sizes: all is done in a minute or two, and the numbers mean nothing. The thesis needs no
    /// data then, and its page is printed unless --page names one.
    #[arg(long)]
    quick: bool,
    /// How many threads to use; 0 = one per core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=1_024))]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl PaperArgs {
    /// The folder of the laboratory's data.
    fn data_folder(&self) -> DataFolder {
        let given =
            self.data.clone().or_else(|| std::env::var_os(DataFolder::VARIABLE).map(PathBuf::from));
        DataFolder(given.unwrap_or_else(|| DataFolder::DEFAULT.into()))
    }

    const fn context(&self) -> Context<'static> {
        Context { threads: self.threads, observer: &Terminal }
    }
}

/// What the tables need.
#[derive(Args, Debug)]
struct TablesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    /// Numbers of games that the learning curve goes through; 100,300,1000,3000 if not given.
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    games: Vec<usize>,
    /// Measure with at most so many of the held-out games.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000_000))]
    test_games: Option<usize>,
    /// Games to learn from without each group of features; 300 if not given.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1_000_000_000_000))]
    ablation_games: Option<usize>,
}

impl TablesArgs {
    fn sizes(&self) -> Result<Sizes> {
        let usual = if self.paper.quick { Sizes::quick() } else { Sizes::usual() };
        let mut curve = if self.games.is_empty() { usual.curve } else { self.games.clone() };
        curve.sort_unstable();
        curve.dedup();
        let test = self.test_games.unwrap_or(usual.test);
        let ablation = self.ablation_games.unwrap_or(usual.ablation);
        for (name, value) in
            [("--games", curve[0]), ("--test-games", test), ("--ablation-games", ablation)]
        {
            ensure!(value > 0, "{name} is 0, expected at least 1");
        }
        Ok(Sizes { curve, test, ablation, ..usual })
    }
}

/// What the stages need.
#[derive(Args, Debug)]
struct StagesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    /// The settings of the model paper: games and matches by the clock, which takes weeks.
    #[arg(long, conflicts_with = "quick")]
    paper_settings: bool,
}

impl StagesArgs {
    fn sizes(&self) -> stages::Sizes {
        match (self.paper.quick, self.paper_settings) {
            (true, _) => stages::Sizes::quick(),
            (false, true) => stages::Sizes::paper(),
            (false, false) => stages::Sizes::usual(),
        }
    }
}

/// What castles need.
#[derive(Args, Debug)]
struct CastlesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    /// Games of each cell of the paper's table, and of each book against each opponent; 50 if not
    /// given.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000))]
    games: Option<u64>,
    /// Nodes for a move in the paper's table; 20,000 if not given.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), conflicts_with = "st")]
    nodes: Option<u64>,
    /// Seconds for a move in the paper's table, in place of nodes.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    st: Option<u64>,
    /// Another program against which the book is left, as `match` names engines; fairy-stockfish and
    /// gpsusi if none is given. One that is not there is left out.
    #[arg(long, value_name = "ENGINE")]
    opponent: Vec<String>,
}

/// Seconds as milliseconds.
fn seconds(text: &str) -> Result<u64, &'static str> {
    milliseconds(text).filter(|&ms| ms > 0).ok_or("expected seconds, such as 0.5")
}

impl CastlesArgs {
    fn plan(&self) -> Result<CastlesReproduction> {
        let mut sizes = castles::Sizes::new(self.paper.quick);
        sizes.games = self.games.unwrap_or(sizes.games);
        if self.nodes.is_some() || self.st.is_some() {
            let (nodes, move_time) = (self.nodes, self.st);
            sizes.control = TimeControl { nodes, move_time, ..TimeControl::default() };
        }
        CastlesReproduction::new(&self.paper.data_folder(), &self.opponent, sizes)
    }
}

/// Carries out the experiments and writes the page.
pub fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    let (name, paper) = match &args.paper {
        Paper::Thesis(paper) if paper.quick => ("thesis-quick", paper),
        Paper::Thesis(paper) => ("thesis", paper),
        Paper::Tables(tables) => ("tables", &tables.paper),
        Paper::Stages(stages) => ("stages", &stages.paper),
        Paper::Winrate(paper) => ("winrate", paper),
        Paper::Castles(castles) => ("castles", &castles.paper),
        Paper::Plausible(paper) => ("plausible", paper),
    };
    let usual = match name {
        "thesis-quick" => "-".into(),
        name => format!("docs/results/{name}.md"),
    };
    let page = paper.page.clone().unwrap_or_else(|| usual.into());
    let out = paper.out.clone().unwrap_or_else(|| Path::new("runs").join(name));
    let is_file = page.as_os_str() != "-";
    let pictures = page.file_stem().filter(|_| is_file).map(|name| name.to_string_lossy());
    let beside = page.parent().unwrap_or(Path::new("")).join(".");
    // The experiments are long, and only then is the page written.
    ensure!(!is_file || beside.is_dir(), "{}: there is no such folder", page.display());
    let pictures = pictures.as_deref();
    let context = paper.context();
    let found = match &args.paper {
        Paper::Thesis(_) if paper.quick => thesis::carry_out(&ThesisPlan::Quick, &out, &context),
        Paper::Thesis(_) => {
            thesis::carry_out(&ThesisPlan::new(&paper.data_folder())?, &out, &context)
        }
        Paper::Tables(tables) => {
            let sizes = tables.sizes()?;
            let plan = TablesPlan::new(&paper.data_folder(), sizes)?;
            tables::carry_out(&plan, &out, pictures, &context)
        }
        Paper::Stages(args) => {
            let plan = StagesPlan::new(&paper.data_folder(), args.sizes())?;
            stages::carry_out(&plan, &out, pictures, &context)
        }
        Paper::Winrate(_) => {
            let usual = winrate::Sizes::usual();
            let sizes = if paper.quick { winrate::Sizes::quick() } else { usual };
            let plan = WinrateReproduction::new(&paper.data_folder(), sizes)?;
            winrate::carry_out(&plan, &out, pictures, &context)
        }
        Paper::Castles(args) => castles::carry_out(&args.plan()?, &out, pictures, &context),
        Paper::Plausible(_) => {
            let sizes = plausible::Sizes::new(paper.quick);
            let plan = PlausibleReproduction::new(&paper.data_folder(), sizes)?;
            plausible::carry_out(&plan, &out, pictures, &context)
        }
    }?;
    if is_file {
        found.write(&page)?;
    } else {
        output::print(&found.page)?;
    }
    if paper.json {
        output::print_json(&found.numbers)?;
    } else if is_file {
        output::print(&format!("{}\n", page.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
