//! Win ratios: what two hundred conditions cost beside one.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tesuji_eval::condition::Condition;
use tesuji_lab::winrate::scan::{self, Candidate, ScanPlan};
use tesuji_lab::winrate::{self, ValuePlan, ValueSource, WinratePlan};
use tesuji_run::{Context, Silent};

use crate::timing::{rounded, timed_by_clock};

/// Conditions of the scan.
const CONDITIONS: usize = 200;

#[derive(clap::Args)]
pub struct WinrateOptions {
    /// Files of games.
    #[arg(long, num_args = 1.., default_values = [
        "../shared/data/pro_games.tsv",
        "../shared/data/amateur_games.tsv",
        "../shared/data/engine_games.tsv",
    ])]
    games: Vec<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Measures the pass with one condition, and the scan with two hundred, as it usually is and with all
/// positions.
pub fn run(rounds: usize, options: &WinrateOptions) -> Result<Value> {
    ensure!(rounds > 0, "--rounds must be at least 1");
    let values = ValuePlan {
        games: options.games.clone(),
        source: ValueSource::named("material"),
        quiet: false,
        mate_nodes: None,
        every: 1,
    };
    let context = Context { threads: options.threads, observer: &Silent };
    let conditions = conditions()?;
    let when = Some(Condition::parse("progress(B)-progress(W) >= 0.25")?);
    let one = WinratePlan { values: values.clone(), when, bin: 50, min_count: 100, seed: 1 };
    let many = |every: usize| ScanPlan {
        values: ValuePlan { every, ..values.clone() },
        conditions: conditions.clone(),
        features: None,
        top: 10,
        bin: 50,
        min_count: 100,
        min_games: 100,
        shuffle: None,
    };
    let [mut alone, mut usual, mut all] = [f64::INFINITY; 3];
    for _ in 0..rounds {
        let (found, seconds) = timed_by_clock(|| winrate::carry_out(&one, &context));
        found?;
        alone = alone.min(seconds);
        for (every, least) in [(scan::EVERY, &mut usual), (1, &mut all)] {
            let (found, seconds) = timed_by_clock(|| scan::carry_out(&many(every), &context));
            found?;
            *least = least.min(seconds);
        }
    }
    Ok(json!({
        "conditions": CONDITIONS,
        "threads": options.threads,
        "one": { "seconds": rounded(alone) },
        "scan": { "seconds": rounded(usual), "ratio": rounded(usual / alone) },
        "scan_of_all": { "seconds": rounded(all), "ratio": rounded(all / alone) },
    }))
}

/// The shipped conditions, and features above some values, until there are enough.
fn conditions() -> Result<Vec<Candidate>> {
    let mut conditions = scan::shipped()?;
    let set = tesuji_eval::FeatureSet::named("paper")?;
    for limit in 1.. {
        for feature in set.features() {
            if conditions.len() >= CONDITIONS {
                conditions.truncate(CONDITIONS);
                return Ok(conditions);
            }
            let text = format!("{}(B) >= {limit}", feature.name);
            conditions.push(Candidate::new(Condition::parse(&text)?));
        }
    }
    Ok(conditions)
}
