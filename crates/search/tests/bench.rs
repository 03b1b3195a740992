//! The checksum of the search. It changes when, and only when, alpha-beta or its evaluation does
//! something else: whoever means to change them changes the number here.

use tesuji_eval::PieceTables;
use tesuji_search::{AlphaBeta, Searcher, Tables, bench};

/// What `tesuji bench` prints.
const NODES: u64 = 2_015_492;
/// The table of `tesuji bench` in MiB.
const HASH: usize = 64;

#[test]
fn the_nodes_of_the_bench_are_the_same() {
    let tables = PieceTables::named("tables").expect("comes with the program");
    let mut engine = AlphaBeta::new(Tables::new(tables), HASH);
    engine.settings().threads = 1;
    let mut nodes = 0;
    bench::run(&mut engine, bench::DEPTH, |_, result| nodes += result.nodes);
    assert_eq!(nodes, NODES);
}
