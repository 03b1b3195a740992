//! The thesis's other experiments: readings of its text, formulas, widths of genes, longer runs,
//! linked values, kinds of moves, distances. All on the same splits, so that they can be compared
//! run by run.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tesuji_eval::{FeatureSet, Selection, SelectionChange};
use tesuji_learn::ga::{Parameters, Run};
use tesuji_learn::validation::split;
use tesuji_learn::{Dataset, MoveClass, MoveOrder, Scorer};
use tesuji_math::Random;
use tesuji_records::Sample;
use tesuji_run::{Observer, kept};

/// The share of positions that winners are tried on.
const HELD_OUT: f64 = 0.2;

/// Which positions are learned from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Positions {
    All,
    /// Those in which the master does not drop.
    WithoutDrops,
    /// Those in which he does, with all legal moves.
    Drops,
    /// The same with drops for the only moves.
    DropsAlone,
}

/// A variant of features, algorithm or positions.
struct Variant {
    section: &'static str,
    title: &'static str,
    set: Selection,
    parameters: Parameters,
    positions: Positions,
}

/// What the runs of a variant reached.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Varied {
    pub section: String,
    pub title: String,
    /// Genes that evolve.
    pub genes: usize,
    /// Positions that are learned from, and solved by each run.
    pub of: usize,
    pub trained: Vec<u32>,
    /// Positions that are held out, and solved by each run.
    pub held_out_of: Vec<usize>,
    pub held_out: Vec<u32>,
    /// The standard deviation of a piece's value over the runs, in pawns, mean of all pieces.
    pub spread: Option<f64>,
}

/// Every variant with so many runs; those of long runs only if they are wanted.
pub fn compare(
    samples: &[Sample],
    runs: u64,
    long: bool,
    out: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Varied>> {
    let mut all = Vec::new();
    let is_long = |variant: &Variant| variant.parameters != Parameters::default();
    for (number, variant) in variants().into_iter().enumerate() {
        if is_long(&variant) && !long {
            continue;
        }
        let file =
            out.join("variants").join(format!("{:02}-{}.json", number + 1, variant.set.name));
        all.push(kept::or_made(&file, || {
            observer.note(&format!("  {}", variant.title));
            vary(&variant, samples, runs)
        })?);
    }
    Ok(all)
}

fn vary(variant: &Variant, samples: &[Sample], runs: u64) -> Result<Varied> {
    let set = if FeatureSet::NAMES.contains(&&*variant.set.name) {
        FeatureSet::named(&variant.set.name)?
    } else {
        variant.set.build()?
    };
    let data = Dataset::build(&set, samples, MoveOrder::Thesis);
    let class = |wanted: &dyn Fn(MoveClass) -> bool| -> Vec<usize> {
        let of = data.positions().enumerate().filter(|(_, position)| wanted(position.class()));
        of.map(|(number, _)| number).collect()
    };
    let data = match variant.positions {
        Positions::All => data,
        Positions::WithoutDrops => data.select(&class(&|class| class != MoveClass::Drop)),
        Positions::Drops => data.select(&class(&|class| class == MoveClass::Drop)),
        Positions::DropsAlone => data.only(MoveClass::Drop),
    };
    let map = variant.parameters.gene_map(&set)?;
    let run = |index: u64| -> Result<(u32, usize, u32, Vec<i32>)> {
        let (train, test) = split(&data, HELD_OUT, index + 1);
        let (train, test) = (data.select(&train), data.select(&test));
        let mut run =
            Run::new(variant.parameters.clone(), &set, Random::derived_seed(1, index), &[])?;
        let mut scorer = Scorer::new(&train);
        while !run.is_over() {
            run.step(&mut scorer, None)?;
        }
        let best = run.best().context("a run has a best organism")?;
        let weights = map.weights(&best.genome);
        let solved = Scorer::new(&test).correct(std::slice::from_ref(&weights))[0];
        Ok((best.correct, test.len(), solved, weights))
    };
    let found: Vec<_> = (0..runs).into_par_iter().map(run).collect::<Result<_>>()?;
    let effective: Vec<Vec<i32>> = found.iter().map(|run| set.effective_weights(&run.3)).collect();
    Ok(Varied {
        section: variant.section.to_owned(),
        title: variant.title.to_owned(),
        genes: map.len(),
        of: data.len() - found.first().map_or(0, |run| run.1),
        trained: found.iter().map(|run| run.0).collect(),
        held_out_of: found.iter().map(|run| run.1).collect(),
        held_out: found.iter().map(|run| run.2).collect(),
        spread: spread(&set, &effective),
    })
}

/// The standard deviation of piece values over the runs, mean of all pieces, in pawns.
fn spread(set: &FeatureSet, runs: &[Vec<i32>]) -> Option<f64> {
    let is_piece = |name: &str| {
        name.ends_with("_VALUE") || (name.ends_with("_BONUS") && !name.contains("KING"))
    };
    let pawn = set.index_of("PAWN_VALUE")?;
    let pieces: Vec<usize> =
        (0..set.len()).filter(|&i| i != pawn && is_piece(set.features()[i].name)).collect();
    let deviation = |&piece: &usize| {
        let values: Vec<f64> = runs
            .iter()
            .map(|weights| f64::from(weights[piece]) / f64::from(weights[pawn].max(1)))
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (squares / (values.len() - 1).max(1) as f64).sqrt()
    };
    (runs.len() > 1 && !pieces.is_empty())
        .then(|| pieces.iter().map(deviation).sum::<f64>() / pieces.len() as f64)
}

/// The features that the thesis had when it followed the chess paper: material, kings, mobility,
/// shapes and rooks, before distances, hands and the rest came.
fn chess_like() -> Vec<String> {
    let later = |name: &str| {
        name.starts_with("DTK_")
            || name.contains("IN_HAND")
            || ["BLOCKED_FLOW_SAFE", "CLAIMED_FILES", "AGGRESSION_BALANCE", "TOTAL_ATTACKING"]
                .contains(&name)
            || ["BISHOP_HEAD_PROTECTED", "BISHOP_HEAD_ATTACK", "GOLD_AHEAD_SILVER_PENALTY"]
                .contains(&name)
            || name == "CASTLE_FORMATION"
    };
    names(|name| !later(name))
}

/// The thesis's features with such names.
fn names(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let set = FeatureSet::named("paper");
    let all = set.iter().flat_map(|set| set.features().iter().map(|feature| feature.name));
    all.filter(|name| wanted(name)).map(ToOwned::to_owned).collect()
}

/// The thesis's features, changed.
fn paper(name: &str) -> Selection {
    Selection {
        name: name.into(),
        base: "paper".into(),
        only: Vec::new(),
        without: Vec::new(),
        with: Vec::new(),
        features: BTreeMap::new(),
    }
}

fn with(name: &str, added: &[&str]) -> Selection {
    Selection { with: added.iter().map(|&name| name.to_owned()).collect(), ..paper(name) }
}

fn changed(name: &str, features: Vec<String>, change: &SelectionChange) -> Selection {
    let features = features.into_iter().map(|feature| (feature, change.clone())).collect();
    Selection { features, ..paper(name) }
}

fn bits(bits: u8) -> SelectionChange {
    SelectionChange { bits: Some(bits), ..SelectionChange::default() }
}

fn is_bonus(name: &str) -> bool {
    name.ends_with("_BONUS")
}

const WIDE: [&str; 3] =
    ["ENEMY_KING_ATTACKS_WIDE", "PLAYER_KING_THREAT_WIDE_PENALTY", "PLAYER_KING_DEFENDERS_WIDE"];
const WIDE_SAFE: [&str; 2] =
    ["ENEMY_KING_ATTACKS_WIDE_SAFE", "PLAYER_KING_THREAT_WIDE_SAFE_PENALTY"];

/// All variants, the thesis's own settings first.
fn variants() -> Vec<Variant> {
    let mut all =
        vec![of("the thesis", "the 74 features as the text has them", paper("paper-text"))];
    all.extend(readings());
    all.extend(formulas());
    all.extend(widths());
    all.extend(longer());
    all.extend(distances());
    all.extend(kinds());
    all
}

/// A variant of the features alone.
fn of(section: &'static str, title: &'static str, set: Selection) -> Variant {
    let (parameters, positions) = (Parameters::default(), Positions::All);
    Variant { section, title, set, parameters, positions }
}

fn readings() -> [Variant; 3] {
    let swapped = |name: &str, out: &str, added: &str| Selection {
        without: vec![out.to_owned()],
        ..with(name, &[added])
    };
    let section = "readings of the text";
    [
        of(section, "both as the program has them", paper("paper-code")),
        of(
            section,
            "beside a king at the edge: the inner file only",
            swapped(
                "inner",
                "ROOK_ATTACK_KING_ADJ_FILE_9821",
                "ROOK_ATTACK_KING_ADJ_FILE_9821_INNER",
            ),
        ),
        of(
            section,
            "total attacking: attacks instead of pieces",
            swapped("attacks", "TOTAL_ATTACKING", "TOTAL_ATTACKS"),
        ),
    ]
}

fn formulas() -> [Variant; 6] {
    let section = "formulas and king control";
    [
        of(section, "equation 4: discount of the hand, exponent evolved", paper("hand-discount")),
        of(section, "equation 5, variant 1: factors evolved", paper("king-zone")),
        of(section, "equation 5, variant 2: factors fixed", paper("king-zone-fixed")),
        of(section, "king control within two squares", with("wide", &WIDE)),
        of(section, "the same by protected pieces only", with("wide-safe", &WIDE_SAFE)),
        of(section, "both", with("wide-both", &[&WIDE[..], &WIDE_SAFE].concat())),
    ]
}

fn widths() -> [Variant; 6] {
    let section = "widths of genes (5)";
    let material = names(|name| name.ends_with("_VALUE") || name.starts_with("PROMOTED_"));
    let chess = Selection { only: chess_like(), ..changed("chess-like", material, &bits(16)) };
    let apart = SelectionChange { linked: Some(false), ..SelectionChange::default() };
    let promoted = names(|name| name.starts_with("PROMOTED_"));
    [
        of(section, "bonuses of 6 bits", changed("narrow", names(is_bonus), &bits(6))),
        of(section, "all of 10 bits", changed("equal-10", names(|_| true), &bits(10))),
        of(section, "all of 6 bits", changed("equal-6", names(|_| true), &bits(6))),
        of(section, "as in chess: fewer features, material of 16 bits", chess),
        of(
            "linked values",
            "promoted pieces with values of their own",
            changed("promoted-apart", promoted, &apart),
        ),
        of(
            "linked values",
            "promoted and held pieces with values of their own",
            changed("all-apart", names(is_bonus), &apart),
        ),
    ]
}

fn longer() -> [Variant; 3] {
    let run = |title, name: &str, generations, population| Variant {
        parameters: Parameters { generations, population, ..Parameters::default() },
        ..of("longer and larger runs (6.1)", title, paper(name))
    };
    [
        run("1,000 generations", "long", 1000, 100),
        run("500 organisms", "large", 200, 500),
        run("1,000 generations of 500", "long-large", 1000, 500),
    ]
}

fn distances() -> [Variant; 5] {
    let section = "distances and safe attacks (A.2)";
    let without = |name: &str, with: Vec<String>| Selection {
        without: names(|name| name.starts_with("DTK_")),
        with,
        ..paper(name)
    };
    let family = |prefix: &str| -> Vec<String> {
        let all = tesuji_eval::all_features().into_iter().map(|feature| feature.name);
        all.filter(|name| name.starts_with(prefix)).map(str::to_owned).collect()
    };
    let safe = "KING_ATTACKS_SAFE";
    [
        of(section, "without distances", without("no-distances", Vec::new())),
        of(
            section,
            "without distances, with safe king attacks",
            without("no-distances-safe", vec![safe.to_owned()]),
        ),
        of(section, "with distances and safe king attacks", with("safe", &[safe])),
        of(
            section,
            "one over the distance in place of the distance",
            without("nearness", family("NEAR_")),
        ),
        of(
            section,
            "any function of distance, 16 weights in place of 26",
            without("rings", family("AT_")),
        ),
    ]
}

fn kinds() -> [Variant; 3] {
    let kind = |title, name: &str, positions| Variant {
        positions,
        ..of("kinds of moves (6.4)", title, paper(name))
    };
    [
        kind("without drops", "without-drops", Positions::WithoutDrops),
        kind("drops only", "drops", Positions::Drops),
        kind("drops only, drops for the only moves", "drops-alone", Positions::DropsAlone),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_can_be_built() {
        for variant in variants() {
            let set = match FeatureSet::named(&variant.set.name) {
                Ok(set) => set,
                Err(_) => variant.set.build().unwrap(),
            };
            assert!(variant.parameters.gene_map(&set).is_ok(), "{}", variant.title);
        }
        assert_eq!(chess_like().len(), 33);
    }
}
