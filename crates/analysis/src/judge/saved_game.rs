//! The game that is analysed, out of a file and into the folder of the run.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use tesuji_records::stream::{Input, RawGames};
use tesuji_records::{Contents, Ending, Format, GameRecord, Header, MoveRecord, jkf, usi};
use tesuji_run::Observer;
use tesuji_shogi::{EndReason, GameResult, Outcome};

/// A game as the settings of a run keep it: all that an analysis shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// Where it came from.
    pub file: String,
    /// Its number there, from 1.
    pub number: u64,
    headers: Vec<(String, String)>,
    /// Start and moves, as they follow the USI command `position`.
    position: String,
    /// `b`, `w`, `d` or `?`, and why.
    result: char,
    reason: String,
    /// The game in JKF if its record says more: comments, times, variations. An annotated game
    /// keeps them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
}

impl SavedGame {
    /// Reads the game with this number; without one there must be a single game.
    pub fn load(path: &Path, format: Option<Format>, number: Option<u64>) -> Result<Self> {
        let input =
            if path == Path::new("-") { Input::Stdin } else { Input::File(path.to_owned()) };
        let name = input.name();
        ensure!(!path.is_dir(), "{name}: is a folder, give one of its files");
        let (format, bytes) = input.open(format)?;
        ensure!(format.contents() != Contents::Samples, "{name}: positions, expected a game");
        let mut games = RawGames::new(&name, format, bytes);
        let mut skipped = 0;
        let raw = loop {
            match games.next() {
                None if skipped == 0 => bail!("{name}: no game in the file"),
                None => bail!("{name}: no game {}, there are {skipped}", skipped + 1),
                Some(raw) if skipped + 1 == number.unwrap_or(1) => break raw?,
                Some(Err(error)) if !error.is_bad_game() => return Err(error.into()),
                Some(_) => skipped += 1,
            }
        };
        if number.is_none() && games.next().is_some() {
            bail!("{name}: several games, say which with --game N, or --all");
        }
        Ok(Self::new(&name, number.unwrap_or(1), &raw.read()?))
    }

    /// All games of files and of the files in folders. A game that cannot be read, or that has no
    /// moves, is complained about and left out.
    pub fn load_all(
        paths: &[PathBuf],
        format: Option<Format>,
        observer: &dyn Observer,
    ) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for input in Input::from_paths(paths)? {
            let name = input.name();
            let games = match input.open_games(format) {
                Ok(games) => games,
                Err(error) => {
                    observer.complain(&error.to_string());
                    continue;
                }
            };
            for (raw, number) in games.zip(1..) {
                match raw.and_then(|raw| raw.read()) {
                    Ok(record) if record.main.moves.is_empty() => {
                        observer.complain(&format!("{name}: game {number} has no moves"));
                    }
                    Ok(record) => all.push(Self::new(&name, number, &record)),
                    Err(error) => observer.complain(&error.to_string()),
                }
            }
        }
        ensure!(!all.is_empty(), "no game that can be analysed");
        Ok(all)
    }

    /// A game that was read: its headers, its main line and how it ended.
    pub fn new(file: &str, number: u64, record: &GameRecord) -> Self {
        let result = record.result();
        Self {
            file: file.to_owned(),
            number,
            headers: record.headers.iter().map(|h| (h.key.clone(), h.value.clone())).collect(),
            position: usi::format_game(&record.start, record.moves()),
            result: tesuji_records::tsv::outcome_letter(result.outcome),
            reason: result.reason.name().to_owned(),
            notes: has_notes(record).then(|| jkf::write(record).ok()).flatten(),
        }
    }

    /// The game again.
    pub fn record(&self) -> Result<GameRecord> {
        let (start, moves) =
            usi::parse_game(&self.position).map_err(|error| anyhow!("{}: {error}", self.file))?;
        let mut record = match &self.notes {
            Some(notes) => jkf::read(notes).map_err(|error| anyhow!("{}: {error}", self.file))?,
            None => GameRecord::new(start),
        };
        record.headers.clear();
        for (key, value) in &self.headers {
            record.headers.push(Header { key: key.clone(), value: value.clone() });
        }
        if self.notes.is_none() {
            record.main.moves = moves.into_iter().map(MoveRecord::from).collect();
        }
        let reason = EndReason::from_name(&self.reason).unwrap_or(EndReason::Unknown);
        let outcome = match self.result {
            'b' => Outcome::Win(tesuji_shogi::Color::Black),
            'w' => Outcome::Win(tesuji_shogi::Color::White),
            'd' => Outcome::Draw,
            _ => Outcome::Unknown,
        };
        let result = GameResult { outcome, reason };
        if record.main.ending.as_ref().is_none_or(|ending| ending.result != result) {
            record.main.ending = Some(Ending::new(result));
        }
        Ok(record)
    }
}

/// Does the record say more than headers, moves and result?
fn has_notes(record: &GameRecord) -> bool {
    let ending = record.main.ending.as_ref();
    let of_move =
        |mv: &MoveRecord| mv.time.is_some() || !mv.comments.is_empty() || !mv.variations.is_empty();
    !record.comments.is_empty()
        || record.main.moves.iter().any(of_move)
        || ending.is_some_and(|ending| *ending != Ending::new(ending.result))
}
