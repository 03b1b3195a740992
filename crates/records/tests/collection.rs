//! Imports of made-up and of real games.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tesuji_records::collection::{
    GameKey, ImportError, ImportEvent, ImportPlan, ImportReport, Manifest, Part, Split, import,
};
use tesuji_records::stream::{Games, Input};
use tesuji_records::{Ending, GameRecord, Header, tsv};
use tesuji_shogi::{Color, EndReason, GameResult, Position};

/// A game of legal moves that the number decides.
fn made_up_game(number: u64) -> GameRecord {
    let mut game = GameRecord::new(Position::startpos());
    let mut position = game.start;
    let mut state = number;
    for _ in 0..20 + number % 60 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[(state >> 33) as usize % moves.len()];
        game.main.moves.push(mv.into());
        position.play_unchecked(mv);
    }
    game.add_header(Header::BLACK, &format!("先手{number}"));
    game.add_header(Header::WHITE, "後手");
    game.main.ending = Some(Ending::new(GameResult::win(Color::Black, EndReason::Resignation)));
    game
}

fn made_up_rows(numbers: impl IntoIterator<Item = u64>) -> String {
    let rows: String = numbers.into_iter().map(|n| tsv::write_game(&made_up_game(n))).collect();
    format!("{}\n{rows}", tsv::HEADER_LINE)
}

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn plan(&self, inputs: &[(&str, &str)]) -> ImportPlan {
        for (name, text) in inputs {
            fs::write(self.path(name), text).unwrap();
        }
        ImportPlan {
            inputs: inputs.iter().map(|(name, _)| Input::File(self.path(name))).collect(),
            format: None,
            output: self.path("out.tsv"),
            dedup: true,
            split: None,
            threads: 2,
            strict: false,
            command: vec!["tesuji".into(), "import".into()],
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn run(plan: &ImportPlan) -> (ImportReport, Vec<String>) {
    let mut errors = Vec::new();
    let report = import(plan, |event| {
        if let ImportEvent::Rejected(error) = event {
            errors.push(error.to_string());
        }
    })
    .unwrap();
    (report, errors)
}

fn games_of(path: &Path) -> Vec<GameRecord> {
    Games::new(vec![Input::File(path.into())], None).map(|game| game.unwrap().value).collect()
}

fn sha256(path: &Path) -> String {
    Sha256::digest(fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn good_games_are_kept_in_order_and_copies_left_out() {
    let bench = Bench::new();
    let plan = bench.plan(&[
        ("a.tsv", &made_up_rows([1, 2, 3, 2])),
        (
            "b.usi",
            &format!(
                "startpos moves 7g7f\n{}",
                tesuji_records::usi::write(&made_up_game(3)).unwrap()
            ),
        ),
    ]);
    let (report, errors) = run(&plan);
    assert_eq!(errors, [""; 0]);
    let games = games_of(&plan.output);
    assert_eq!(games[..3], [1, 2, 3].map(made_up_game));
    assert_eq!(games[3].moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["7g7f"]);
    assert_eq!(games.len(), 4);
    let manifest = &report.manifest;
    assert_eq!((manifest.games, manifest.duplicates, manifest.rejected), (4, 2, 0));
    let moves = games.iter().map(|game| game.main.moves.len() as u64).sum::<u64>();
    assert_eq!(manifest.moves, moves);
    assert_eq!(bench.names(), ["a.tsv", "b.usi", "out.tsv", "out.tsv.manifest.json"]);
}

#[test]
fn without_dedup_copies_stay() {
    let bench = Bench::new();
    let plan = ImportPlan { dedup: false, ..bench.plan(&[("a.tsv", &made_up_rows([1, 1, 1]))]) };
    assert_eq!(run(&plan).0.manifest.games, 3);
    assert_eq!(games_of(&plan.output), [1, 1, 1].map(made_up_game));
}

#[test]
fn the_manifest_has_the_hashes_of_all_files() {
    let bench = Bench::new();
    let plan = bench.plan(&[("a.tsv", &made_up_rows(0..5)), ("b.tsv", &made_up_rows(3..9))]);
    let (report, _) = run(&plan);
    let text = fs::read_to_string(bench.path("out.tsv.manifest.json")).unwrap();
    let manifest: Manifest = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest, report.manifest);
    assert_eq!((&*manifest.format, manifest.version), ("tesuji-collection", 1));
    assert_eq!(manifest.command, ["tesuji", "import"]);
    assert_eq!((manifest.inputs.len(), manifest.outputs.len()), (2, 1));
    for file in manifest.inputs.iter().chain(&manifest.outputs) {
        assert_eq!(file.sha256, sha256(Path::new(&file.path)));
        assert_eq!(file.bytes, fs::metadata(&file.path).unwrap().len());
    }
    assert_eq!((manifest.inputs[1].games, manifest.outputs[0].games), (6, 9));
}

#[test]
fn bad_games_are_named_and_the_rest_is_kept() {
    let bench = Bench::new();
    let mut rows: Vec<String> = made_up_rows(0..300).lines().map(String::from).collect();
    rows[7] = rows[7].replace("startpos moves ", "startpos moves 5e5e ");
    rows[100] += " 1a1a+";
    rows[200] = "nonsense".into();
    let plan = bench.plan(&[("a.tsv", &rows.join("\n"))]);
    let (report, errors) = run(&plan);
    let file = bench.path("a.tsv").display().to_string();
    let last = made_up_game(99).main.moves.len() + 1;
    assert_eq!(
        errors,
        [
            format!("{file}:8: ply 1: illegal move \"5e5e\""),
            format!("{file}:101: ply {last}: illegal move \"1a1a+\""),
            format!("{file}:201: the record ends too early: expected a game column"),
        ]
    );
    assert_eq!((report.manifest.games, report.manifest.rejected), (297, 3));
    let kept: Vec<GameRecord> =
        (0..300).filter(|n| ![6, 99, 199].contains(n)).map(made_up_game).collect();
    assert_eq!(games_of(&plan.output), kept);
}

#[test]
fn a_strict_import_writes_nothing_if_a_game_is_bad() {
    let bench = Bench::new();
    let text = made_up_rows(0..3) + "nonsense\n";
    let plan = ImportPlan { strict: true, ..bench.plan(&[("a.tsv", &text)]) };
    let (report, errors) = run(&plan);
    assert_eq!((report.manifest_path, errors.len()), (None, 1));
    assert_eq!(bench.names(), ["a.tsv"]);
}

#[test]
fn an_import_of_nothing_leaves_what_was_there() {
    let bench = Bench::new();
    let plan = bench.plan(&[("a.tsv", &made_up_rows([]))]);
    fs::write(&plan.output, "old").unwrap();
    assert_eq!(run(&plan).0.manifest_path, None);
    assert_eq!(fs::read_to_string(&plan.output).unwrap(), "old");
    assert_eq!(bench.names(), ["a.tsv", "out.tsv"]);
}

#[test]
fn a_place_that_cannot_be_written_to_stops_the_import() {
    let bench = Bench::new();
    let plan = bench.plan(&[("a.tsv", &made_up_rows(0..3))]);
    let plan = ImportPlan { output: bench.path("missing/out.tsv"), ..plan };
    let error = import(&plan, |_| {}).unwrap_err();
    assert!(matches!(error, ImportError::Output { .. }), "{error}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = Bench::new();
    // Enough for several chunks.
    let text = made_up_rows((0..2500).map(|n| n % 2400)) + "nonsense\n" + &made_up_rows(7..9);
    let plan = bench.plan(&[("a.tsv", &text)]);
    let results = [1, 2, 3, 8].map(|threads| {
        let (report, errors) = run(&ImportPlan { threads, ..plan.clone() });
        (fs::read(&plan.output).unwrap(), report.manifest, errors)
    });
    assert!(results[0].0.len() > 600_000);
    for other in &results[1..] {
        assert!(results[0] == *other);
    }
    assert_eq!(results[0].1.duplicates, 102);
}

#[test]
fn a_split_depends_on_each_game_alone() {
    let bench = Bench::new();
    let split = Split { train_share: 0.8, seed: 5 };
    let plan =
        bench.plan(&[("few.tsv", &made_up_rows(0..50)), ("many.tsv", &made_up_rows(0..200))]);
    let import_into = |name: &str, inputs: &[Input]| {
        let plan = ImportPlan {
            inputs: inputs.to_vec(),
            output: bench.path(&format!("{name}.tsv")),
            dedup: false,
            split: Some(split),
            ..plan.clone()
        };
        run(&plan);
        [Part::Train, Part::Test]
            .map(|part| games_of(&bench.path(&format!("{name}.{}.tsv", part.name()))))
    };
    let few = import_into("few-split", &plan.inputs[..1]);
    let many = import_into("many-split", &plan.inputs);
    assert_eq!((few[0].len() + few[1].len(), many[0].len() + many[1].len()), (50, 250));
    // A fifth of the games, give or take more than chance ever would.
    assert!((10..=100).contains(&many[1].len()), "{}", many[1].len());
    for side in 0..2 {
        assert!(few[side].iter().all(|game| many[side].contains(game)));
        let keys: Vec<GameKey> = many[side].iter().map(GameKey::of).collect();
        assert!(many[1 - side].iter().all(|game| !keys.contains(&GameKey::of(game))));
    }
    assert!(!bench.path("many-split.tsv").exists());
    assert!(bench.path("many-split.tsv.manifest.json").exists());
}

#[test]
fn real_games_are_all_imported() {
    let names = ["pro_games.tsv", "engine_games.tsv", "amateur_games.tsv"];
    let found: Option<Vec<PathBuf>> = names.into_iter().map(shared_data::path).collect();
    let Some(found) = found else { return };
    let bench = Bench::new();
    let inputs = found.into_iter().map(Input::File).collect();
    let plan = ImportPlan { inputs, ..bench.plan(&[]) };
    let (report, errors) = run(&plan);
    assert_eq!(errors, [""; 0]);
    let manifest = report.manifest;
    assert_eq!((manifest.games, manifest.duplicates, manifest.rejected), (6150, 3, 0));
    assert_eq!(manifest.inputs.iter().map(|input| input.moves).sum::<u64>(), 709_376);
}

#[test]
fn a_bad_file_is_named_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Input::File(path)
    };
    let packed = zstd_of("startpos moves 7g7f\n".repeat(200).as_bytes(), folder.path());
    let inputs = vec![
        write("a.usi", b"startpos moves 7g7f\n"),
        write("what", b"neither\n"),
        write("stray.tsv", b"1\t2\n3\t4\n"),
        write("positions.psv", &[0; 80]),
        write("cut.usi.zst", &packed[..packed.len() - 3]),
        Input::File(folder.path().join("gone.kif")),
        write("z.usi", b"startpos moves 2g2f\n"),
    ];
    let plan = |strict, threads| ImportPlan {
        inputs: inputs.clone(),
        format: None,
        output: folder.path().join("all.tsv"),
        dedup: true,
        split: None,
        threads,
        strict,
        command: Vec::new(),
    };
    for threads in [1, 3] {
        let mut named = Vec::new();
        let report = import(&plan(false, threads), |event| {
            if let ImportEvent::Rejected(error) = event {
                named.push(error.file.rsplit('/').next().unwrap().to_string());
            }
        })
        .unwrap();
        assert_eq!(named, ["what", "stray.tsv", "positions.psv", "cut.usi.zst", "gone.kif"]);
        let manifest = report.manifest;
        assert_eq!((manifest.games, manifest.rejected, manifest.unreadable), (2, 0, 5));
        let wrong: Vec<bool> = manifest.inputs.iter().map(|file| file.error.is_some()).collect();
        assert_eq!(wrong, [false, true, true, true, true, true, false]);
        assert!(report.manifest_path.is_some());
    }
    assert_eq!(import(&plan(true, 1), |_| {}).unwrap().manifest_path, None);
}

/// The bytes, compressed.
fn zstd_of(bytes: &[u8], folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.usi.zst");
    tesuji_run::atomic::write(&path, bytes).unwrap();
    fs::read(path).unwrap()
}
