//! The scan is honest: it names nothing where nothing is, and first what was planted.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::fs;
use std::path::{Path, PathBuf};

use tesuji_eval::adjust::{Adjusted, Adjustments, identity};
use tesuji_eval::condition::{Condition, Facts};
use tesuji_eval::tables::UNITS;
use tesuji_eval::{Model, Notes, PieceTables};
use tesuji_lab::winrate::scan::{self, Finding, ScanOutcome, ScanPlan};
use tesuji_lab::winrate::{ValuePlan, ValueSource};
use tesuji_math::Random;
use tesuji_records::stream::{Games, Input};
use tesuji_run::{Context, Silent};
use tesuji_shogi::{Color, Outcome, Position};

/// A scan of all positions by the conditions that come with the program.
fn plan(games: &[PathBuf], evaluation: &str) -> ScanPlan {
    ScanPlan {
        values: ValuePlan {
            games: games.to_vec(),
            source: ValueSource::named(evaluation),
            quiet: false,
            mate_nodes: None,
            every: 1,
        },
        conditions: scan::shipped().unwrap(),
        features: None,
        top: 10,
        bin: 50,
        min_count: 100,
        min_games: 100,
        shuffle: None,
    }
}

fn scan(plan: &ScanPlan, threads: usize) -> ScanOutcome {
    scan::carry_out(plan, &Context { threads, observer: &Silent }).unwrap()
}

#[test]
fn nothing_is_named_where_results_are_shuffled() {
    let Some(games) = shared_data::path("amateur_games.tsv") else { return };
    let games = [games];
    let mut plan = plan(&games, "material");
    let found = scan(&plan, 0);
    assert!(!found.findings.is_empty(), "material knows no kings");
    found.findings.iter().for_each(|finding| assert_counts(&games, finding));
    plan.values.every = scan::EVERY;
    let named = (1..=20).filter(|&seed| {
        plan.shuffle = Some(seed);
        !scan(&plan, 0).findings.is_empty()
    });
    assert!(named.count() <= 1, "at most one of twenty");
}

/// Counts the positions and games of a condition again, one position after the other.
fn assert_counts(games: &[PathBuf], finding: &Finding) {
    let condition = Condition::parse(finding.when()).unwrap();
    let both = [condition.mirrored(), condition];
    let (mut positions, mut in_games) = (0, 0);
    for game in Games::new(Input::from_paths(games).unwrap(), None) {
        let game = game.unwrap().value;
        let alone = |position: &Position| {
            let facts = Facts::new(position);
            both[0].holds(&facts) != both[1].holds(&facts)
        };
        if game.outcome() != Outcome::Unknown {
            let count = game.positions().filter(|(position, _)| alone(position)).count() as u64;
            positions += count;
            in_games += u64::from(count > 0);
        }
    }
    assert_eq!((finding.positions, finding.games), (positions, in_games), "{}", finding.when());
    assert_eq!(finding.curve.total.all(), positions, "{}", finding.when());
}

/// Centipawns of a logit in made-up results.
const SCALE: f64 = 450.0;
const PLANTED: &str = "hand(B,bishop) = 2";

/// An evaluation with 150 more for whoever holds two bishops.
fn planted(folder: &Path) -> String {
    let base = Model::named("tables");
    let adjusted = Adjusted {
        base: "tables".into(),
        base_id: identity(base.as_ref()),
        terms: Adjustments::new(vec![(PLANTED.parse().unwrap(), 150)]),
        run: Notes::new(),
        result: Notes::new(),
    };
    let path = folder.join("planted.toml");
    fs::write(&path, adjusted.to_text()).unwrap();
    path.display().to_string()
}

/// Positions of the games that come with the program, as games of one move whose results are drawn
/// by what the tables say: nobody knows better than they.
fn drawn_games(folder: &Path) -> PathBuf {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/games.tsv.zst");
    let tables = PieceTables::named("tables").unwrap();
    let mut random = Random::new(1);
    let mut text = String::from("#result\tgame\n");
    for game in Games::new(Input::from_paths(&[sample]).unwrap(), None) {
        for (position, mv) in game.unwrap().value.positions() {
            let own = f64::from(tables.score(&position) / UNITS);
            let wins = random.chance(1.0 / (1.0 + (-own / SCALE).exp()));
            let black = wins == (position.side_to_move() == Color::Black);
            let result = if black { "b" } else { "w" };
            text += &format!("{result}\tsfen {} moves {mv}\n", position.to_sfen());
        }
    }
    let path = folder.join("drawn.tsv");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn what_was_planted_is_named_first() {
    let folder = tempfile::tempdir().unwrap();
    let games = [drawn_games(folder.path())];
    let right = scan(&plan(&games, "tables"), 2);
    assert!(right.findings.is_empty(), "{}", right.text());
    let evaluation = planted(folder.path());
    let plan = plan(&games, &evaluation);
    let found = scan(&plan, 2);
    let first = &found.findings[0];
    assert_eq!(first.when(), PLANTED, "{}", found.text());
    let off = (first.shift_cp() - 150.0) / first.error_cp();
    assert!(off.abs() < 3.0, "{}", found.text());
    assert!(!first.boards.is_empty());
    // One thread finds the same, byte by byte.
    let again = scan(&plan, 1);
    assert_eq!(again.json(), found.json());
    assert_eq!(again.page().to_html(), found.page().to_html());
}
