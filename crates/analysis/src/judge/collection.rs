//! Many games analysed in one run: counts of mistakes for every player, and a histogram of losses.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_eval::Calibration;
use tesuji_records::Header;
use tesuji_run::{Context, Input, Observer, Plan, RunFolder};
use tesuji_search::score::calibration_json;
use tesuji_shogi::Color;

use super::json::player_json;
use super::judgement::PlayerSummary;
use super::text::summary;
use super::{AnalysisSettings, GameAnalysis, PositionSearch, judge_with};

/// The settings of each game, as the folder of the run keeps them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionSettings {
    /// The games with their limits and engine.
    pub games: Vec<AnalysisSettings>,
}

/// A line of the journal: the number of a game, from 1, and a search of it.
#[derive(Serialize, Deserialize)]
struct GameSearch {
    of: usize,
    #[serde(flatten)]
    search: PositionSearch,
}

/// The bounds of the histogram: winning chances lost with a move, up to each and above the last.
pub const LOSS_BOUNDS: [f64; 6] = [0.0, 0.01, 0.02, 0.05, 0.10, 0.20];

/// What came of all games.
#[derive(Default)]
pub struct CollectionAnalysis {
    /// Each game: where it is from, who played, and the summaries of Black and White.
    pub games: Vec<GameSummary>,
    /// Summaries by the name of the player.
    pub players: BTreeMap<String, PlayerTotal>,
    /// The scale by which scores are chances, once a game was judged: all share an engine.
    pub calibration: Option<Calibration>,
}

/// A game in short.
pub struct GameSummary {
    /// The file it came from.
    pub file: String,
    /// Its number there, from 1.
    pub number: u64,
    /// Names of Black and White.
    pub names: [String; 2],
    /// How they played.
    pub players: [PlayerSummary; 2],
    /// The number of the turning point.
    pub turning_point: Option<usize>,
}

/// A player over all games.
#[derive(Clone, Default)]
pub struct PlayerTotal {
    /// Games.
    pub games: usize,
    /// How the player played in all of them.
    pub summary: PlayerSummary,
    /// Moves with a choice by what they lost, see `histogram_bounds` in JSON.
    pub histogram: [usize; LOSS_BOUNDS.len() + 1],
}

impl Plan for CollectionSettings {
    const COMMAND: &'static str = "analyse-games";

    fn seed(&self) -> u64 {
        0
    }

    fn inputs(&self) -> Result<Vec<Input>> {
        self.games.first().map_or_else(|| Ok(Vec::new()), Plan::inputs)
    }

    fn check(&self, observer: &dyn Observer) -> Result<()> {
        ensure!(!self.games.is_empty(), "no game to analyse");
        self.games.first().map_or(Ok(()), |first| first.check(observer))
    }
}

/// Analyses all games, each with a page and its result in the folder of the run, and hands every
/// one on as soon as it is done.
pub fn judge_collection(
    run_folder: &RunFolder,
    settings: &CollectionSettings,
    context: Context<'_>,
    mut done: impl FnMut(usize, &GameAnalysis) -> Result<()>,
) -> Result<CollectionAnalysis> {
    let mut known: Vec<Vec<PositionSearch>> = vec![Vec::new(); settings.games.len() + 1];
    for entry in run_folder.entries::<GameSearch>()? {
        let GameSearch { of, search } = entry?;
        let game = known.get_mut(of).filter(|_| of > 0);
        let name = run_folder.path().display();
        ensure!(game.is_some(), "{name}: the journal has a game {of} that is not in the run");
        game.into_iter().for_each(|game| game.push(search.clone()));
    }
    let mut all = CollectionAnalysis::default();
    for (of, game) in (1..).zip(&settings.games) {
        let keep = |new: &[PositionSearch]| {
            let lines: Vec<GameSearch> =
                new.iter().map(|search| GameSearch { of, search: search.clone() }).collect();
            Ok(run_folder.append_all(&lines)?)
        };
        let analysis = judge_with(game, context, &known[of], keep)?;
        all.add(&analysis);
        done(of, &analysis)?;
    }
    run_folder.write_json("result.json", &all.to_json())?;
    Ok(all)
}

impl CollectionAnalysis {
    fn add(&mut self, analysis: &GameAnalysis) {
        self.calibration = Some(analysis.judgement.calibration);
        let name = |key: &str, unknown: &str| {
            let name = analysis.record.header(key).filter(|name| !name.trim().is_empty());
            name.unwrap_or(unknown).to_owned()
        };
        let names = [name(Header::BLACK, "Black"), name(Header::WHITE, "White")];
        for color in Color::ALL {
            let total = self.players.entry(names[color.index()].clone()).or_default();
            total.games += 1;
            total.summary.add(&analysis.judgement.players[color.index()]);
            let moves = analysis.judgement.moves.iter();
            for mv in moves.filter(|mv| mv.color() == color && !mv.forced) {
                total.histogram[bin(mv.loss)] += 1;
            }
        }
        self.games.push(GameSummary {
            file: analysis.settings.game.file.clone(),
            number: analysis.settings.game.number,
            names,
            players: analysis.judgement.players.clone(),
            turning_point: analysis
                .judgement
                .turning_point
                .map(|place| analysis.judgement.moves[place].number),
        });
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> Value {
        let game = |game: &GameSummary| {
            json!({
                "file": game.file,
                "game": game.number,
                "black": { "name": game.names[0], "summary": player_json(&game.players[0]) },
                "white": { "name": game.names[1], "summary": player_json(&game.players[1]) },
                "turning_point": game.turning_point,
            })
        };
        let player = |(name, total): (&String, &PlayerTotal)| {
            json!({
                "name": name,
                "games": total.games,
                "summary": player_json(&total.summary),
                "histogram": total.histogram,
            })
        };
        let mut result = json!({
            "format": "tesuji-analyses",
            "version": 1,
            "games": self.games.iter().map(game).collect::<Vec<_>>(),
            "players": self.players.iter().map(player).collect::<Vec<_>>(),
            "histogram_bounds": LOSS_BOUNDS,
        });
        for (key, value) in self.calibration.iter().flat_map(calibration_json) {
            result[key] = value;
        }
        result
    }

    /// Counts of every player, and the histogram of losses.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, total) in &self.players {
            text += &format!("{name}, {} games: {}\n", total.games, summary(&total.summary));
        }
        text += "\nMoves with a choice by the winning chances that they lost:\n";
        let bounds = LOSS_BOUNDS.map(|bound| format!("≤ {:.0} %", bound * 100.0));
        text += &format!("{:24}", "");
        for bound in bounds.iter().map(String::as_str).chain(["more"]) {
            text += &format!("{bound:>8}");
        }
        text.push('\n');
        for (name, total) in &self.players {
            let short: String = name.chars().take(22).collect();
            text += &format!("{short:24}");
            for count in total.histogram {
                text += &format!("{count:>8}");
            }
            text.push('\n');
        }
        text
    }
}

/// The place of a loss in the histogram.
fn bin(loss: f64) -> usize {
    LOSS_BOUNDS.iter().position(|&bound| loss <= bound).unwrap_or(LOSS_BOUNDS.len())
}
