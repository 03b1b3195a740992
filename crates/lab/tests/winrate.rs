//! The scan is honest: it names nothing where nothing is, and first what was planted.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::fs;
use std::path::{Path, PathBuf};

use tesuji_eval::Model;
use tesuji_eval::adjust::{Adjusted, Adjustments, identity};
use tesuji_lab::winrate::scan::{self, ScanOutcome, ScanPlan};
use tesuji_lab::winrate::{ValuePlan, ValueSource};
use tesuji_run::{Context, Silent};

/// The three collections, or nothing where they are missing.
fn collections() -> Option<Vec<PathBuf>> {
    let names = ["pro_games.tsv", "amateur_games.tsv", "engine_games.tsv"];
    names.map(shared_data::path).into_iter().collect()
}

fn scan(games: &[PathBuf], evaluation: &str, shuffle: Option<u64>, threads: usize) -> ScanOutcome {
    let plan = ScanPlan {
        values: ValuePlan {
            games: games.to_vec(),
            source: ValueSource::named(evaluation),
            quiet: false,
            mate_nodes: None,
        },
        conditions: scan::shipped().unwrap(),
        features: None,
        top: 10,
        bin: 50,
        min_count: 100,
        min_games: 100,
        shuffle,
    };
    scan::carry_out(&plan, &Context { threads, observer: &Silent }).unwrap()
}

#[test]
fn nothing_is_named_where_results_are_shuffled() {
    let Some(games) = shared_data::path("amateur_games.tsv") else { return };
    let games = [games];
    let named =
        (1..=20).filter(|&seed| !scan(&games, "material", Some(seed), 0).findings.is_empty());
    assert!(named.count() <= 1, "at most one of twenty");
    assert!(!scan(&games, "material", None, 0).findings.is_empty(), "material knows no kings");
}

/// An evaluation with 150 more for whoever holds two bishops.
fn planted(folder: &Path) -> String {
    let base = Model::named("tables");
    let adjusted = Adjusted {
        base: "tables".into(),
        base_id: identity(base.as_ref()),
        terms: Adjustments::new(vec![(PLANTED.parse().unwrap(), 150)]),
        run: Default::default(),
        result: Default::default(),
    };
    let path = folder.join("planted.toml");
    fs::write(&path, adjusted.to_text()).unwrap();
    path.display().to_string()
}

const PLANTED: &str = "hand(B,bishop) = 2";

#[test]
fn what_was_planted_is_named_first() {
    let Some(games) = collections() else { return };
    let folder = tempfile::tempdir().unwrap();
    let evaluation = planted(folder.path());
    let found = scan(&games, &evaluation, None, 2);
    let first = &found.findings[0];
    assert_eq!(first.when(), PLANTED, "{}", found.text());
    let off = (first.shift_cp() - 150.0) / first.error_cp();
    assert!(off.abs() < 4.0, "{}", found.text());
    assert!(!first.boards.is_empty());
    // One thread finds the same, byte by byte.
    let again = scan(&games, &evaluation, None, 1);
    assert_eq!(again.json(), found.json());
    assert_eq!(again.page().to_html(), found.page().to_html());
}
