//! The games of a player, and those of others that they are compared with.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use tesuji_math::Random;
use tesuji_records::collection::GameKey;
use tesuji_records::stream::{Games as Stream, Input};
use tesuji_records::{GameRecord, Header};
use tesuji_run::Observer;
use tesuji_shogi::{Color, Move, Position};

use super::TrainerPlan;
use crate::data::positions::or_complain;
use crate::style::names::Roster;

/// How many names are told of where none is given.
const NAMED: usize = 8;

/// Whose move it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The player's.
    Player,
    /// That of somebody else.
    Others,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Player, Self::Others];
}

/// A game with who played it.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The file, and the line where the game begins.
    pub file: String,
    pub line: usize,
    /// Names of Black and White.
    pub names: [String; 2],
    pub date: Option<String>,
    pub start: Position,
    pub moves: Vec<Move>,
    players: [usize; 2],
}

/// All games of some files, each once.
pub(super) struct Games {
    roster: Roster,
    games: Vec<Game>,
}

/// What is compared.
pub(super) struct Chosen {
    /// The spellings that were joined, with the games of each.
    pub spellings: Vec<(String, usize)>,
    /// The player's games, and then games of others alone.
    pub chosen: Vec<Game>,
    /// How many of them are the player's.
    pub own: usize,
    numbers: Vec<usize>,
}

impl Games {
    /// Reads the games. Bad ones are named to the observer and left out, and so are copies.
    pub fn read(paths: &[PathBuf], observer: &dyn Observer) -> Result<Self> {
        let mut known: HashSet<GameKey> = HashSet::new();
        let mut roster = Roster::default();
        let mut games = Vec::new();
        for game in Stream::new(Input::from_paths(paths)?, None) {
            let Some(game) = or_complain(game, observer)? else { continue };
            let record = &game.value;
            if record.main.moves.is_empty() || !known.insert(GameKey::of(record)) {
                continue;
            }
            let players = roster.add(record);
            games.push(Game::new(&game.file, game.line, record, players));
        }
        ensure!(!games.is_empty(), "no games with moves in the files");
        Ok(Self { roster, games })
    }

    /// The player's games, and as many of others as the plan says, drawn by its seed.
    pub fn choose(self, plan: &TrainerPlan) -> Result<Chosen> {
        if plan.player.is_empty() {
            let names = self.roster.most(NAMED);
            let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
            bail!("say whose moves are meant with --player; most games are of {names}");
        }
        let numbers = self.roster.spellings(&plan.player)?;
        let spelling = |&i: &usize| (self.roster.name(i).to_owned(), self.roster.games(i));
        let spellings = numbers.iter().map(spelling).collect();
        let is_own = |game: &Game| game.players.iter().any(|player| numbers.contains(player));
        let (mut chosen, others): (Vec<Game>, Vec<Game>) = self.games.into_iter().partition(is_own);
        let own = chosen.len();
        let wanted = own.saturating_mul(plan.others).min(others.len());
        let mut drawn = Random::stream(plan.seed, 1).order(others.len());
        drawn.truncate(wanted);
        drawn.sort_unstable();
        let mut others: Vec<Option<Game>> = others.into_iter().map(Some).collect();
        chosen.extend(drawn.into_iter().filter_map(|place| others[place].take()));
        let chosen = Chosen { spellings, chosen, own, numbers };
        let plays = |game: &Game, side| Color::ALL.iter().any(|&c| chosen.side(game, c) == side);
        ensure!(
            chosen.chosen.iter().any(|game| plays(game, Side::Others)),
            "there are no moves of anybody else to compare with"
        );
        Ok(chosen)
    }
}

impl Chosen {
    /// Who has a colour in a game.
    pub fn side(&self, game: &Game, color: Color) -> Side {
        let is_own = self.numbers.contains(&game.players[color.index()]);
        if is_own { Side::Player } else { Side::Others }
    }
}

impl Game {
    fn new(file: &str, line: usize, record: &GameRecord, players: [usize; 2]) -> Self {
        let header = |key| record.header(key).map(str::trim).filter(|text| !text.is_empty());
        let name = |key, unknown: &str| header(key).unwrap_or(unknown).to_owned();
        Self {
            file: file.to_owned(),
            line,
            names: [name(Header::BLACK, "Black"), name(Header::WHITE, "White")],
            date: header(Header::STARTED).map(str::to_owned),
            start: record.start,
            moves: record.moves().collect(),
            players,
        }
    }

    /// The position after so many moves, and the move before it.
    pub fn position(&self, ply: usize) -> (Position, Option<Move>) {
        let played = &self.moves[..ply];
        let position = played.iter().fold(self.start, |position, &mv| position.after_unchecked(mv));
        (position, played.last().copied())
    }

    /// Who played whom, and when.
    pub fn title(&self) -> String {
        let date = self.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
        format!("{}{date}", self.names.join(" – "))
    }
}
