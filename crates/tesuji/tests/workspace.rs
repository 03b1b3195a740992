//! The rules of the workspace that no compiler checks: who may use whom, licences, where `unsafe`
//! may stand, and what must not be in the tree.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Which of our crates each of our crates may use when it is shipped.
const ALLOWED_USES: [(&str, &[&str]); 14] = [
    ("tesuji-shogi", &[]),
    ("tesuji-math", &[]),
    ("tesuji-run", &[]),
    ("tesuji-records", &["shogi", "math", "run"]),
    ("tesuji-eval", &["shogi"]),
    ("tesuji-report", &["shogi"]),
    ("tesuji-search", &["shogi", "eval"]),
    ("tesuji-usi", &["shogi", "eval", "search"]),
    ("tesuji-learn", &["shogi", "math", "run", "records", "eval", "search"]),
    ("tesuji-arena", &["shogi", "math", "run", "records", "eval", "search", "usi"]),
    (
        "tesuji-analysis",
        &["shogi", "math", "run", "records", "eval", "search", "usi", "arena", "report"],
    ),
    (
        "tesuji-lab",
        &[
            "shogi", "math", "run", "records", "eval", "search", "usi", "arena", "report",
            "analysis", "learn",
        ],
    ),
    (
        "tesuji",
        &[
            "shogi", "math", "run", "records", "eval", "search", "usi", "arena", "report",
            "analysis", "learn", "lab",
        ],
    ),
    (
        "tesuji-bench",
        &[
            "shogi", "math", "run", "records", "eval", "search", "learn", "arena", "lab",
            "analysis", "report",
        ],
    ),
];

/// Licences that a dependency may have; one of its alternatives is enough.
const ALLOWED_LICENCES: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "0BSD",
    "CC0-1.0",
    "Unicode-3.0",
];

/// The only files that may contain `unsafe`, each with its reason at the top.
const UNSAFE_FILES: [&str; 8] = [
    "crates/eval/src/moves/rows.rs",
    "crates/learn/src/games/store.rs",
    "crates/learn/src/kernel.rs",
    "crates/search/src/alphabeta/prefetch.rs",
    "crates/shogi/src/bitboard.rs",
    "crates/shogi/src/cpu.rs",
    "crates/shogi/src/moves.rs",
    "crates/shogi/src/square.rs",
];

/// The binary is flags, wiring and text for the terminal: no more lines of code than this, which are
/// neither empty nor comments nor tests.
const LARGEST_BINARY: usize = 5_100;

/// What only the binary may use: nobody else has a command line or a terminal.
const FOR_THE_BINARY: [&str; 3] = ["clap", "clap_complete", "indicatif"];

/// A file that grows beyond this holds more than one thing.
const LONGEST_FILE: usize = 700;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The platform that this test was built for, as the compiler names it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names it").to_owned()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &host()])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The names of a package's dependencies, those for tests and builds left out.
fn shipped_dependencies(package: &Value) -> BTreeSet<&str> {
    items(&package["dependencies"])
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
        .map(|dependency| text(&dependency["name"]))
        .collect()
}

#[test]
fn our_crates_use_each_other_as_the_design_says() {
    let metadata = metadata();
    let members: BTreeSet<&str> = items(&metadata["workspace_members"]).iter().map(text).collect();
    let ours: BTreeMap<&str, &Value> = items(&metadata["packages"])
        .iter()
        .filter(|package| members.contains(text(&package["id"])))
        .map(|package| (text(&package["name"]), package))
        .collect();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED_USES.into_iter().collect();
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        allowed.keys().collect::<Vec<_>>(),
        "a new crate needs a line in ALLOWED_USES"
    );
    for (name, package) in &ours {
        for dependency in shipped_dependencies(package) {
            let short = dependency.strip_prefix("tesuji-").unwrap_or(dependency);
            let fine = !ours.contains_key(dependency) || allowed[name].contains(&short);
            assert!(fine, "{name} must not use {dependency}");
        }
    }
    assert!(shipped_dependencies(ours["tesuji-shogi"]).is_empty(), "the rules depend on nothing");
}

/// All packages that the shipped binary is built from.
fn shipped_packages(metadata: &Value) -> Vec<&Value> {
    let packages: BTreeMap<&str, &Value> = items(&metadata["packages"])
        .iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<&str, &Value> =
        items(&metadata["resolve"]["nodes"]).iter().map(|node| (text(&node["id"]), node)).collect();
    let binary = packages.values().find(|package| text(&package["name"]) == "tesuji");
    let mut open = vec![text(&binary.expect("the binary is a member")["id"])];
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            let normal = |dependency: &&Value| {
                items(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev")
            };
            let used = items(&nodes[id]["deps"]).iter().filter(normal);
            open.extend(used.map(|dependency| text(&dependency["pkg"])));
        }
    }
    reached.into_iter().map(|id| packages[id]).collect()
}

#[test]
fn what_is_shipped_has_a_permissive_licence() {
    let metadata = metadata();
    let shipped = shipped_packages(&metadata);
    assert!(shipped.len() > 10, "the walk over the dependencies found too little");
    for package in shipped {
        let (name, licence) = (text(&package["name"]), text(&package["license"]));
        assert!(
            !["rsshogi", "haitaka"].contains(&name),
            "{name} is a reference, not to be shipped"
        );
        // Each part joined by AND must offer an allowed alternative.
        let fine = licence.replace(['(', ')'], "").split(" AND ").all(|part| {
            part.split(" OR ")
                .flat_map(|part| part.split('/'))
                .any(|one| ALLOWED_LICENCES.contains(&one.trim()))
        });
        assert!(fine, "{name} has the licence {licence:?}");
    }
}

fn tracked_files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
        }
        _ => {
            shared_data::skipped("not a git checkout");
            Vec::new()
        }
    }
}

#[test]
fn the_tree_is_tidy() {
    let markers = ["TO".to_owned() + "DO", "FIX".to_owned() + "ME"];
    for file in tracked_files().iter().filter(|file| file.ends_with(".rs")) {
        let Ok(source) = std::fs::read_to_string(root().join(file)) else { continue };
        let lines = source.lines().count();
        assert!(lines <= LONGEST_FILE, "{file} has {lines} lines");
        for marker in &markers {
            assert!(!source.contains(marker.as_str()), "{file} contains {marker}");
        }
        let allows_unsafe = source.contains("#![allow(unsafe_code)]");
        let listed = UNSAFE_FILES.contains(&file.as_str());
        let here = file.ends_with("tests/workspace.rs");
        assert!(here || allows_unsafe == listed, "{file}: unsafe is for the files listed here");
    }
}

/// The sources of a crate without its tests.
fn sources_of(crate_folder: &str) -> Vec<(String, String)> {
    let folder = format!("{crate_folder}/src/");
    let is_source = |file: &String| {
        let is_test = file.ends_with("/tests.rs") || file.ends_with("/testing.rs");
        file.starts_with(&folder) && file.ends_with(".rs") && !is_test
    };
    let read = |file: String| {
        let source = std::fs::read_to_string(root().join(&file)).ok()?;
        let shipped =
            source.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        Some((file, shipped))
    };
    tracked_files().into_iter().filter(is_source).filter_map(read).collect()
}

#[test]
fn the_binary_is_thin() {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let sources = sources_of("crates/tesuji");
    let lines: usize =
        sources.iter().map(|(_, source)| source.lines().filter(is_code).count()).sum();
    println!("{lines} lines of code in crates/tesuji");
    assert!(lines <= LARGEST_BINARY, "{lines} lines of code: what is logic belongs to a library");
}

#[test]
fn libraries_have_neither_flags_nor_a_terminal() {
    let metadata = metadata();
    let members: BTreeSet<&str> = items(&metadata["workspace_members"]).iter().map(text).collect();
    for package in items(&metadata["packages"]) {
        let name = text(&package["name"]);
        if !members.contains(text(&package["id"])) || ["tesuji", "tesuji-bench"].contains(&name) {
            continue;
        }
        let used = shipped_dependencies(package);
        for forbidden in FOR_THE_BINARY {
            assert!(!used.contains(forbidden), "{name} uses {forbidden}");
        }
        let folder = format!("crates/{}", name.trim_start_matches("tesuji-"));
        for (file, source) in sources_of(&folder) {
            let is_program = file.contains("/bin/");
            let prints = |line: &str| {
                let line = line.trim_start();
                ["println!", "eprintln!", "print!"].iter().any(|print| line.starts_with(print))
            };
            assert!(is_program || !source.lines().any(prints), "{file} prints");
        }
    }
}

#[test]
fn the_map_has_every_crate() {
    let map = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the map");
    for (name, _) in ALLOWED_USES {
        let folder = format!("crates/{}", name.strip_prefix("tesuji-").unwrap_or(name));
        assert!(map.contains(&format!("`{folder}`")), "{folder} is not in docs/ARCHITECTURE.md");
    }
}
