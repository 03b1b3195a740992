//! What is done: matches, opponents, how much of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tesuji_arena::TimeControl;
use tesuji_arena::spec::{EngineKind, EngineSpec};
use tesuji_report::number;
use tesuji_run::plan as folder;
use tesuji_run::{Input, Observer};

use crate::games::{Conditions, GamesSetup, MatchPlan};
use crate::reproduce::DataFolder;

/// Where all chance comes from.
pub const SEED: u64 = 2001;
/// Decides which games `train` keeps apart, as in `train` itself.
pub const HELD_OUT_SEED: u64 = 1;
/// Moves for which the book is followed, those of both players counted, as the paper has them.
pub const BOOK_MOVES: [u16; 5] = [10, 20, 30, 40, 50];
/// The position after this many moves is the one whose castles count.
pub const SURVEY_PLY: usize = 40;

/// A version of the program, as the paper has three.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    All,
    Castles,
    None,
}

impl Version {
    /// What the paper calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Castles => "Cas",
            Self::None => "No",
        }
    }

    /// What it is, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::All => "castle and assault maps",
            Self::Castles => "castle maps alone",
            Self::None => "no maps",
        }
    }

    const fn settings(self) -> &'static str {
        match self {
            Self::All => ",castle_maps=1,assault_maps=1",
            Self::Castles => ",castle_maps=1",
            Self::None => "",
        }
    }

    /// The engine as text.
    pub fn engine(self, book: &str, moves: u16) -> String {
        let settings = self.settings();
        format!("tesuji:eval=material{settings},book={book},book_moves={moves},book_veto=0")
    }
}

/// A row of table 1: who plays, and the paper's games won and lost by the length of the book.
pub struct Pairing {
    pub versions: [Version; 2],
    pub paper: [[u64; 2]; 5],
}

impl Pairing {
    /// `All–No`.
    pub fn name(&self) -> String {
        self.versions.map(Version::name).join("–")
    }

    /// The paper's games of the first columns, or of all.
    pub fn paper_total(&self, columns: usize) -> [u64; 2] {
        [0, 1].map(|side| self.paper[..columns].iter().map(|cell| cell[side]).sum())
    }
}

/// Table 1 of the paper.
pub const PAIRINGS: [Pairing; 3] = [
    Pairing {
        versions: [Version::All, Version::None],
        paper: [[38, 12], [30, 20], [27, 23], [25, 25], [25, 25]],
    },
    Pairing {
        versions: [Version::Castles, Version::None],
        paper: [[36, 14], [31, 19], [25, 25], [25, 25], [23, 27]],
    },
    Pairing {
        versions: [Version::All, Version::Castles],
        paper: [[27, 23], [29, 21], [29, 21], [29, 21], [28, 22]],
    },
];

/// How much is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Games of each cell of table 1, and with each book against each opponent.
    pub games: u64,
    /// What an engine has for a move in table 1.
    pub control: TimeControl,
    /// Lines that are drawn from a book to see where its moves are doubted.
    pub lines: u64,
}

impl Sizes {
    /// Quick or usual ones.
    pub fn new(quick: bool) -> Self {
        if quick { Self::quick() } else { Self::usual() }
    }

    /// Those of the page in `docs/results`.
    pub fn usual() -> Self {
        Self { games: 50, control: TimeControl::nodes(20_000), lines: 1000 }
    }

    /// Sizes so small that all is done in a minute and the games mean nothing.
    pub fn quick() -> Self {
        Self { games: 2, control: TimeControl::nodes(100), lines: 50 }
    }
}

/// Programs whose opening is met if no others are named: Debian has both.
pub const OPPONENTS: [&str; 2] = [
    "cmd:fairy-stockfish,option.UCI_Variant=shogi,nodes=50000",
    "cmd:gpsusi,option.Thread=1,byoyomi=1",
];

/// Everything that decides what comes out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CastlesReproduction {
    /// Games of professionals.
    pub professionals: PathBuf,
    /// The programs against which the book is left.
    pub opponents: Vec<EngineSpec>,
    /// How much is done.
    pub sizes: Sizes,
}

impl CastlesReproduction {
    /// The plan for the laboratory's data, against these opponents or the usual ones.
    pub fn new(data: &DataFolder, opponents: &[String], sizes: Sizes) -> Result<Self> {
        let usual = OPPONENTS.map(str::to_owned);
        let opponents = if opponents.is_empty() { &usual } else { opponents };
        let engine = |text: &String| {
            let engine: Result<EngineSpec, _> = text.parse();
            engine.with_context(|| format!("opponent {text}"))
        };
        Ok(Self {
            professionals: fs::canonicalize(data.file("pro_games.tsv")?)?,
            opponents: opponents.iter().map(engine).collect::<Result<_>>()?,
            sizes,
        })
    }

    /// A match of table 1 with this book. Every length of the book has lines of its own, which all
    /// three matches share.
    pub fn game_match(&self, pairing: &Pairing, moves: u16, book: &Path) -> Result<MatchPlan> {
        let engine = |version: Version| -> Result<EngineSpec> {
            let engine: EngineSpec = version.engine("BOOK", moves).parse()?;
            let mut engine = engine.named(version.name());
            if let EngineKind::Own(spec) = &mut engine.kind {
                spec.book = Some(book.display().to_string());
            }
            Ok(engine)
        };
        let [one, other] = pairing.versions;
        let setup = GamesSetup {
            engines: vec![engine(one)?, engine(other)?],
            conditions: Conditions::usual(self.sizes.control, match_seed(moves)),
            games: self.sizes.games,
        };
        Ok(MatchPlan { setup, sprt: None, games_file: None })
    }
}

/// Where the lines of a column of table 1 come from.
pub fn match_seed(moves: u16) -> u64 {
    SEED + u64::from(moves)
}

/// A limit by nodes or by time in words.
pub fn words(control: &TimeControl) -> String {
    match control.nodes {
        Some(nodes) => format!("{} nodes a move", number::count(nodes)),
        None => control.to_string(),
    }
}

/// The flag of `tesuji match` for a limit by nodes or by time.
pub fn flag(control: &TimeControl) -> String {
    match (control.nodes, control.move_time) {
        (_, Some(ms)) => format!("--st {}", ms as f64 / 1000.0),
        (nodes, None) => format!("--nodes {}", nodes.unwrap_or_default()),
    }
}

impl folder::Plan for CastlesReproduction {
    const COMMAND: &'static str = "reproduce-castles";

    fn seed(&self) -> u64 {
        SEED
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        Ok(vec![folder::input(&self.professionals)?])
    }

    fn check(&self, _: &dyn Observer) -> Result<()> {
        Ok(())
    }
}
