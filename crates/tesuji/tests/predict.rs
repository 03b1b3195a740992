//! `tesuji predict` by the real command.

mod common;

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use common::Folder;
use serde_json::Value;

#[test]
fn the_thesis_is_reproduced() {
    let Some(positions) = shared_data::path("cain_train.tsv") else { return };
    let args = format!(
        "predict --features legacy --weights published --json --positions {}",
        positions.display()
    );
    let ran = Folder::new().run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_u64);
    let expected = [
        ("/correct", 885),
        ("/of", 5000),
        ("/resulting_positions", 382_816),
        ("/illegal_rows", 4),
        ("/kinds/promotion/of", 352),
        ("/kinds/promotion/correct", 186),
        ("/kinds/promotion/chosen", 1666),
        ("/kinds/drop/of", 922),
        ("/kinds/drop/correct", 8),
        ("/kinds/drop/chosen", 158),
        ("/kinds/normal/chosen_instead/promotion", 1080),
        ("/master_among_best", 887),
        ("/master_uniquely_best", 880),
    ];
    for (pointer, value) in expected {
        assert_eq!(number(pointer), Some(value), "{pointer}");
    }
}

#[test]
fn a_small_table_and_its_mistakes() {
    let folder = Folder::new();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    folder.write("two.tsv", format!("#sfen\tmove\n{start}\t7g7f\n{start}\t5e5d\n"));
    let ran = folder.run("predict --weights published --positions two.tsv --json");
    let report: Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
    assert_eq!((report["of"].as_u64(), report["illegal_rows"].as_u64()), (Some(2), Some(1)));
    assert_eq!(report["resulting_positions"].as_u64(), Some(60));

    folder.write("bad.tsv", "#sfen\tmove\nnonsense\t7g7f\n");
    folder.write("no.toml", "nonsense");
    for (args, expected) in [
        (
            "predict --weights published --positions bad.tsv",
            "bad.tsv:2: position: SFEN has 1 fields",
        ),
        ("predict --weights published --positions none.tsv", "none.tsv"),
        ("predict --weights no.toml --positions two.tsv", "no.toml: not a weights file"),
        ("predict --weights none --positions two.tsv", "nor one of published"),
        ("predict --weights published --features paper --positions two.tsv", "not paper"),
        ("predict --weights published", "required"),
    ] {
        let ran = folder.run(args);
        assert!(ran.code != Some(0) && ran.stdout.is_empty(), "{args}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{args}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{args}: {}", ran.stderr);
    }
}
