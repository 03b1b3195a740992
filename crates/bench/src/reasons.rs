//! Do reasons name what refutes a blunder? Measured on games of professionals.
//!
//! A blunder is a move that loses a fifth of the winning chances or more by searches of
//! [`JUDGE_NODES`] of the positions after it and after the best move, mates apart. Its refutation is
//! the opponent's best reply by an independent search of [`REFUTE_NODES`]. The reasons come from
//! searches of [`EXPLAIN_NODES`], as `tesuji analyse` makes them, which know nothing of that. The
//! first reason names the refutation if it names a square of it: where the piece of the reply stood,
//! or where it goes to. Lines that end in mate, or in a position that stood before with less in
//! hand, have no reasons and are counted apart.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_analysis::reasons::{Explainer, Fact, Reason, Reasons};
use tesuji_eval::Calibration;
use tesuji_records::{GameRecord, Header, japanese, tsv, usi};
use tesuji_report::Lang;
use tesuji_search::score::{chance, is_evaluation};
use tesuji_search::spec::{EvaluationSpec, SearchSpec};
use tesuji_search::{Limits, SearchResult, Searcher, Stop};
use tesuji_shogi::{Bitboard, Game, Move, Position};

/// Nodes of the searches that look for blunders, and of those that look again.
const SCAN_NODES: u64 = 3_000;
const CHECK_NODES: u64 = 30_000;
/// Nodes of the searches that judge them.
const JUDGE_NODES: u64 = 200_000;
/// Nodes of the searches that explain them: those of `tesuji analyse` where a move loses much.
const EXPLAIN_NODES: u64 = 400_000;
/// Nodes of the search for the refutation.
const REFUTE_NODES: u64 = 600_000;
/// The loss of winning chances from which a move is a blunder.
const BLUNDER: f64 = 0.2;
/// Moves before this one are opening.
const FIRST_PLY: usize = 24;

#[derive(Args)]
pub struct ReasonsOptions {
    /// A table of games.
    #[arg(long, default_value = "../shared/data/pro_games.tsv")]
    games: PathBuf,
    /// How many blunders.
    #[arg(long, default_value_t = 200)]
    blunders: usize,
    /// The evaluation.
    #[arg(long, default_value = "tables")]
    eval: String,
    /// Blunders that were found are kept in this file, a line each; what it has is not looked for
    /// again.
    #[arg(long, default_value = "runs/blunders.jsonl")]
    found: PathBuf,
    /// Every so many games of the table one is taken; then the game after each of them.
    #[arg(long, default_value_t = 9)]
    stride: usize,
    /// Writes examples to this page.
    #[arg(long)]
    page: Option<PathBuf>,
    /// How many examples.
    #[arg(long, default_value_t = 20)]
    examples: usize,
}

/// A blunder and its refutation; moves in USI notation.
#[derive(Serialize, Deserialize)]
struct Found {
    /// The number of the game among those that are looked at, from 0.
    number: usize,
    title: String,
    /// The game up to the blunder, as USI has it.
    game: String,
    best: String,
    played: String,
    refutation: Vec<String>,
}

/// A blunder, explained.
struct Case {
    title: String,
    position: Position,
    last: Option<Move>,
    best: Move,
    played: Move,
    refutation: Vec<Move>,
    reasons: Reasons,
    scores: [i32; 2],
}

impl Case {
    /// Does the first reason name a square of one of the opponent's first replies?
    fn names(&self, replies: usize) -> bool {
        let named = self.reasons.said.first().map_or(Bitboard::EMPTY, Reason::squares);
        self.refutation.iter().step_by(2).take(replies).any(|&mv| is_named(mv, named))
    }

    /// Is the reply named as the move that leads to a capture only, not in the capture?
    fn only_leads(&self) -> bool {
        let fact = self.reasons.said.first().map(|first| &first.fact);
        let Some(Fact::Material { taken: Some(taken), .. }) = fact else { return false };
        let capture = taken.mv.mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let named = capture | Bitboard::of(taken.square);
        self.names(1) && self.refutation.first().is_some_and(|&mv| !is_named(mv, named))
    }

    fn is_plain(&self) -> bool {
        self.scores.into_iter().all(is_evaluation)
    }
}

fn is_named(mv: Move, named: Bitboard) -> bool {
    named.contains(mv.to()) || mv.from().is_some_and(|from| named.contains(from))
}

pub fn run(options: &ReasonsOptions) -> Result<Value> {
    let spec = SearchSpec {
        evaluation: Some(EvaluationSpec::named(&options.eval)),
        hash: Some(16),
        ..SearchSpec::default()
    };
    let engine = spec.load()?;
    let explainer = Explainer::new(&engine.evaluation);
    let calibration = engine.evaluation.calibration().balanced();
    let mut analyst = Analyst { searcher: engine.engine(), explainer, calibration };
    let found = analyst.find(options)?;
    let cases: Result<Vec<Case>> =
        found.iter().take(options.blunders).map(|found| analyst.explain(found)).collect();
    let (cases, mates): (Vec<Case>, Vec<Case>) = cases?.into_iter().partition(Case::is_plain);
    if let Some(page) = &options.page {
        fs::write(page, page_text(&cases, mates.len(), options))?;
    }
    Ok(report(&cases, mates.len()))
}

struct Analyst {
    searcher: Box<dyn Searcher>,
    explainer: Explainer,
    calibration: Calibration,
}

impl Analyst {
    fn search(&mut self, game: &Game, nodes: u64, fresh: bool) -> SearchResult {
        if fresh {
            self.searcher.clear();
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.searcher.search(game, &limits, Stop::never(), &mut |_| {})
    }

    /// The search of the position after a move.
    fn after(&mut self, game: &Game, mv: Move, nodes: u64) -> Option<SearchResult> {
        let mut game = game.clone();
        game.play(mv).ok()?;
        Some(self.search(&game, nodes, true))
    }

    /// Looks for blunders in games.
    fn find(&mut self, options: &ReasonsOptions) -> Result<Vec<Found>> {
        let text = fs::read_to_string(&options.games)
            .with_context(|| options.games.display().to_string())?;
        let columns = text.lines().find_map(tsv::Columns::read);
        let columns = columns.context("no line with the columns")?;
        let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let mut found = read_found(&options.found)?;
        let first = found.last().map_or(0, |last| last.number + 1);
        if let Some(folder) = options.found.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&options.found)?;
        let stride = options.stride.max(1);
        let games = (0..stride).flat_map(|start| rows.iter().skip(start).step_by(stride));
        let games = games.enumerate();
        for (number, row) in games.skip(first) {
            if found.len() >= options.blunders {
                break;
            }
            let before = found.len();
            if let Ok(record) = columns.read_game(row) {
                self.game(number, &record, &mut found);
            }
            for new in &found[before..] {
                writeln!(file, "{}", serde_json::to_string(new)?)?;
            }
            eprintln!("{} games, {} blunders", number + 1, found.len());
        }
        found.truncate(options.blunders);
        Ok(found)
    }

    /// Adds the first blunder of each player in a game.
    fn game(&mut self, number: usize, record: &GameRecord, all: &mut Vec<Found>) {
        let title = [Header::EVENT, Header::BLACK, Header::WHITE]
            .map(|key| record.header(key).unwrap_or_default());
        let mut game = Game::new(record.start);
        let mut seen = [false; 2];
        self.searcher.clear();
        for (ply, mv) in record.moves().enumerate() {
            let side = game.position().side_to_move().index();
            if ply >= FIRST_PLY
                && !seen[side]
                && let Some((best, refutation)) = self.blunder(&game, mv)
            {
                seen[side] = true;
                all.push(Found {
                    number,
                    title: format!("{}, {} – {}, move {}", title[0], title[1], title[2], ply + 1),
                    game: usi::format_game(&record.start, record.moves().take(ply)),
                    best: best.to_string(),
                    played: mv.to_string(),
                    refutation: refutation.iter().map(ToString::to_string).collect(),
                });
            }
            if game.play(mv).is_err() {
                break;
            }
        }
    }

    /// The best move and the refutation, if this move is a blunder.
    fn blunder(&mut self, game: &Game, mv: Move) -> Option<(Move, Vec<Move>)> {
        let calibration = self.calibration;
        let loss =
            |best: i32, played: i32| chance(best, &calibration) - chance(played, &calibration);
        for nodes in [SCAN_NODES, CHECK_NODES] {
            let before = self.search(game, nodes, false);
            if before.best == Some(mv) {
                return None;
            }
            let mut next = game.clone();
            next.play(mv).ok()?;
            let after = self.search(&next, nodes, false);
            if loss(before.score, -after.score) < BLUNDER {
                return None;
            }
        }
        let best = self.search(game, JUDGE_NODES, true).best.filter(|&best| best != mv)?;
        let scores = [best, mv].map(|mv| self.after(game, mv, JUDGE_NODES).map(|r| -r.score));
        let [Some(best_score), Some(played_score)] = scores else { return None };
        let plain = [best_score, played_score].into_iter().all(is_evaluation);
        if !plain || loss(best_score, played_score) < BLUNDER {
            return None;
        }
        Some((best, self.after(game, mv, REFUTE_NODES)?.lines.first()?.pv.clone()))
    }

    /// Explains a blunder by searches of its own.
    fn explain(&mut self, found: &Found) -> Result<Case> {
        let (start, moves) = usi::parse_game(&found.game)?;
        let mut game = Game::new(start);
        for &mv in &moves {
            game.play(mv)?;
        }
        let (best, played) = (found.best.parse()?, found.played.parse()?);
        let lines = [best, played].map(|mv| {
            let result = self.after(&game, mv, EXPLAIN_NODES)?;
            let rest = result.lines.first().map_or(&[][..], |line| &line.pv);
            Some(([&[mv], rest].concat(), -result.score))
        });
        let [Some(first), Some(second)] = lines else { bail!("{}: an illegal move", found.game) };
        let last = moves.last().copied();
        let scores = [first.1, second.1];
        let lines: [&[Move]; 2] = [&first.0, &second.0];
        let reasons = self.explainer.contrast(game.position(), last, lines, scores);
        let refutation: Result<Vec<Move>, _> =
            found.refutation.iter().map(|mv| mv.parse()).collect();
        Ok(Case {
            title: found.title.clone(),
            position: *game.position(),
            last,
            best,
            played,
            refutation: refutation?,
            reasons,
            scores,
        })
    }
}

/// The blunders that a file has; a line that was cut short is left out.
fn read_found(path: &Path) -> Result<Vec<Found>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    Ok(text.lines().map_while(|line| serde_json::from_str(line).ok()).collect())
}

fn report(cases: &[Case], mates: usize) -> Value {
    let share = |count: usize| count as f64 / cases.len().max(1) as f64;
    let named = |replies: usize| share(cases.iter().filter(|case| case.names(replies)).count());
    let mut unsaid: Vec<f64> = cases
        .iter()
        .map(|case| {
            let Reasons { unsaid, change, .. } = &case.reasons;
            f64::from(unsaid.abs()) / f64::from(change.abs().max(1))
        })
        .collect();
    unsaid.sort_by(f64::total_cmp);
    let mut groups = serde_json::Map::new();
    for case in cases {
        let name = case.reasons.said.first().map_or("none", |first| first.group.name());
        let count = groups.get(name).and_then(Value::as_u64).unwrap_or(0);
        groups.insert(name.to_owned(), json!(count + 1));
    }
    json!({
        "blunders": cases.len(),
        "mates_apart": mates,
        "first_reason_names_refutation": named(1),
        "only_as_the_move_that_leads_to_it": share(cases.iter().filter(|case| case.only_leads()).count()),
        "first_reason_names_one_of_two_replies": named(2),
        "unsaid_share_median": unsaid.get(unsaid.len() / 2),
        "first_reason_by_group": groups,
    })
}

fn page_text(cases: &[Case], mates: usize, options: &ReasonsOptions) -> String {
    let mut text = String::new();
    let report = report(cases, mates);
    let _ = writeln!(text, "{report:#}\n");
    let every = (cases.len() / options.examples.max(1)).max(1);
    for (number, case) in (1..).zip(cases.iter().step_by(every).take(options.examples)) {
        let _ = write!(text, "{}", example(number, case));
    }
    text
}

fn example(number: usize, case: &Case) -> String {
    let Case { position, last, best, played, refutation, reasons, .. } = case;
    let name = |mv: Move| japanese::move_text(position, mv, last.map(Move::to));
    let line = |moves: &[Move]| {
        moves.iter().take(6).map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("## {number}. {}\n\n`{}`\n\n", case.title, position.to_sfen());
    let _ = writeln!(
        text,
        "Played {played} ({}), best {best} ({}): {} centipawns. Refutation: {}.\n",
        name(*played),
        name(*best),
        reasons.change,
        line(refutation)
    );
    for reason in &reasons.said {
        let (english, japanese) = (reason.text(Lang::English), reason.text(Lang::Japanese));
        let _ = writeln!(text, "- {:+} {english} {japanese}", reason.centipawns);
    }
    let named = if case.names(1) { "names" } else { "does not name" };
    let _ = writeln!(text, "- {:+} not said", reasons.unsaid);
    let followed: Vec<Move> = reasons.second.moves.iter().skip(1).map(|named| named.mv).collect();
    let _ = writeln!(text, "\nFollowed: {}. The first {named} the refutation.\n", line(&followed));
    // Drops have stars, which would be emphasis.
    text.replace('*', "\\*")
}
