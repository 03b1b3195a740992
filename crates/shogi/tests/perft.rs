//! Perft against known numbers.

use tesuji_shogi::{Position, divide, perft, perft_full};

struct Row {
    position: Position,
    depth: u32,
    nodes: u64,
}

fn rows(speed: &str) -> Vec<Row> {
    let rows: Vec<Row> = include_str!("data/perft.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields[3] == speed)
        .map(|fields| Row {
            position: Position::from_sfen(fields[0]).unwrap(),
            depth: fields[1].parse().unwrap(),
            nodes: fields[2].parse().unwrap(),
        })
        .collect();
    assert!(!rows.is_empty());
    rows
}

#[test]
fn counts_are_the_known_ones() {
    for row in rows("quick") {
        assert_eq!(perft(&row.position, row.depth), row.nodes, "{:?}", row.position);
    }
}

#[test]
#[ignore = "slow: over a billion nodes; .ci/run runs it in release"]
fn deep_counts_are_the_known_ones() {
    for row in rows("slow") {
        assert_eq!(perft(&row.position, row.depth), row.nodes, "{:?}", row.position);
    }
}

#[test]
fn counting_making_and_dividing_agree() {
    for row in rows("quick").iter().filter(|row| row.nodes < 1_000_000) {
        let bulk = perft(&row.position, row.depth);
        assert_eq!(bulk, perft_full(&row.position, row.depth));
        let divided = divide(&row.position, row.depth);
        assert_eq!(bulk, divided.iter().map(|(_, nodes)| nodes).sum::<u64>());
        assert_eq!(divided.len(), row.position.count_legal_moves());
    }
}
