//! The paper on win ratios (Takeuchi, Hayashi, Kaneko, Kawai 2006), repeated: where evaluations are
//! wrong, what mends them, and what that wins.

mod page;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tesuji_eval::adjust::Adjustment;
use tesuji_eval::condition::Condition;
use tesuji_run::plan as folder;
use tesuji_run::{Context, atomic};

use super::{Reproduction, Work};
use crate::games::matches as match_games;
use crate::games::text;
use crate::winrate::fit::{self, FitPlan, Fitting};
use crate::winrate::scan::{self, ScanPlan};
use crate::winrate::{self, Curve, ValuePlan, ValueSource, WinratePlan};
use settings::{Collection, EVALUATIONS, MENDED, METHODS, MethodOf};
pub use settings::{Sizes, WinrateReproduction};

/// A row of table 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Count {
    evaluation: String,
    set: String,
    positions: u64,
    wins: u64,
    ratio: f64,
    mean: f64,
}

/// A point of a curve: value, win ratio, standard error.
type Point = [f64; 3];

/// Curves that are drawn together.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Panel {
    /// The name of the picture.
    name: String,
    caption: String,
    /// How far those with a condition part from all, in logits, and what chance does; none where
    /// no bin has enough positions.
    split: Option<f64>,
    noise: Option<f64>,
    curves: Vec<(String, Vec<Point>)>,
}

/// A fit of the king terms.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Fit {
    evaluation: String,
    method: String,
    /// What `fit --json` says.
    found: serde_json::Value,
}

/// A match.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Played {
    evaluation: String,
    engines: [String; 2],
    conditions: String,
    result: String,
    /// Wins, draws and losses of the first.
    score: [u64; 3],
}

/// A scan.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Scanned {
    evaluation: String,
    found: serde_json::Value,
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Findings {
    counts: Vec<Count>,
    fits: Vec<Fit>,
    panels: Vec<Panel>,
    hands: Vec<Panel>,
    others: Vec<Panel>,
    matches: Vec<Played>,
    scans: Vec<Scanned>,
}

/// Black's king is in more danger, and in less.
const DANGER: [&str; 2] = ["progress(B)-progress(W) >= 0.25", "progress(B)-progress(W) <= -0.25"];
/// Figures 14 to 16.
const HANDS: [(&str, [&str; 2]); 3] = [
    ("rooks", ["hand(B,rook) = 2", "hand(W,rook) = 2"]),
    ("bishops", ["hand(B,bishop) = 2", "hand(W,bishop) = 2"]),
    ("knights", ["hand(B,knight) >= 3", "hand(W,knight) >= 3"]),
];

/// How positions are put together by value.
#[derive(Clone, Copy)]
struct Bins {
    width: i32,
    min_count: u64,
}

/// Carries out the experiments, each of which keeps what it found in `out`.
pub fn carry_out(
    plan: &WinrateReproduction,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    let out = &std::path::absolute(out)?;
    let top = folder::step(out, plan)?;
    let work = Work { plan, out, context };
    let findings = Findings {
        counts: work.kept("counts", || work.counts())?,
        fits: work.kept("fits", || work.fits())?,
        panels: work.kept("panels", || work.panels())?,
        hands: work.kept("hands", || work.hands())?,
        others: work.kept("others", || work.others())?,
        scans: work.kept("scans", || work.scans())?,
        matches: work.matches()?,
    };
    let numbers = serde_json::to_value(&findings)?;
    top.write_json("result.json", &numbers)?;
    let document = page::document(plan, &findings);
    top.write_report(&document.page().to_html())?;
    Ok(Reproduction { page: document.markdown(pictures), pictures: document.pictures(), numbers })
}

impl Work<'_, WinrateReproduction> {
    fn values(&self, collection: Collection, evaluation: &str) -> ValuePlan {
        ValuePlan {
            games: self.plan.games(collection),
            source: ValueSource::named(evaluation),
            quiet: false,
            mate_nodes: None,
            every: 1,
        }
    }

    /// One pass with a condition.
    fn pass(&self, values: ValuePlan, when: &str, bins: Bins) -> Result<winrate::WinrateOutcome> {
        let when = Some(Condition::parse(when)?);
        let Bins { width, min_count } = bins;
        let plan = WinratePlan { values, when, bin: width, min_count, seed: 1 };
        winrate::carry_out(&plan, self.context)
    }

    /// The usual bins.
    const fn bins(&self) -> Bins {
        Bins { width: 50, min_count: self.plan.min_count }
    }

    /// Bins for few positions.
    const fn rare(&self) -> Bins {
        Bins { width: 250, min_count: self.plan.min_count / 2 }
    }

    /// Table 1.
    fn counts(&self) -> Result<Vec<Count>> {
        let mut counts = Vec::new();
        for evaluation in MENDED {
            for (place, when) in DANGER.into_iter().enumerate() {
                let found =
                    self.pass(self.values(Collection::All, evaluation), when, self.bins())?;
                let mut count = |set: &str, curve: &Curve| {
                    let total = &curve.total;
                    counts.push(Count {
                        evaluation: evaluation.to_owned(),
                        set: set.to_owned(),
                        positions: total.decided(),
                        wins: total.wins(),
                        ratio: total.wins() as f64 / total.decided().max(1) as f64,
                        mean: total.mean(),
                    });
                };
                if place == 0 {
                    count("all", found.all());
                }
                count(when, found.when());
            }
        }
        Ok(counts)
    }

    /// Table 2: the king terms by each method, written as weights files too.
    fn fits(&self) -> Result<Vec<Fit>> {
        let mut fits = Vec::new();
        for evaluation in MENDED {
            for MethodOf { name, fitting } in METHODS {
                let fitting = match fitting {
                    Some(method) => Fitting::Fitted(method),
                    None => Fitting::Hand(vec![settings::HAND]),
                };
                let plan = FitPlan {
                    values: self.values(Collection::All, evaluation),
                    terms: vec![Adjustment::KingSafety],
                    fitting,
                    factor: factor(self.plan, name),
                    bin: 50,
                    min_count: self.plan.min_count,
                    seed: 1,
                };
                let found = fit::carry_out(&plan, self.context)?;
                let path = self.weights(evaluation, name, true);
                fs::create_dir_all(self.out)?;
                let command = "tesuji reproduce winrate";
                atomic::write(&path, found.file(command).as_bytes())?;
                // Curves are drawn with the weights as they were fitted.
                let whole = self.weights(evaluation, name, false);
                atomic::write(&whole, found.fitted_file(command).as_bytes())?;
                let found = found.json(&path);
                fits.push(Fit {
                    evaluation: evaluation.to_owned(),
                    method: name.to_owned(),
                    found,
                });
            }
        }
        Ok(fits)
    }

    /// The weights file of a fit, as it is played or as it was fitted.
    fn weights(&self, evaluation: &str, method: &str, played: bool) -> PathBuf {
        let end = if played { "" } else { "-fitted" };
        self.out.join(format!("{evaluation}-{method}{end}.toml"))
    }

    /// All positions and those with either condition.
    fn panel(
        &self,
        name: &str,
        caption: &str,
        values: &ValuePlan,
        when: [&str; 2],
        bins: Bins,
    ) -> Result<Panel> {
        let pass = |when: &str| self.pass(values.clone(), when, bins);
        let found = [pass(when[0])?, pass(when[1])?];
        let points = |curve: &Curve| -> Vec<Point> {
            let cells = curve.enough(bins.min_count).map(|(_, cell)| cell);
            cells.map(|cell| [cell.mean(), cell.ratio(), cell.error()]).collect()
        };
        let mean = |of: fn(&winrate::WinrateOutcome) -> Option<f64>| {
            of(&found[0]).zip(of(&found[1])).map(|(one, other)| f64::midpoint(one, other))
        };
        Ok(Panel {
            name: name.to_owned(),
            caption: caption.to_owned(),
            split: mean(winrate::WinrateOutcome::split),
            noise: mean(winrate::WinrateOutcome::noise),
            curves: vec![
                ("all".to_owned(), points(found[0].all())),
                (when[0].to_owned(), points(found[0].when())),
                (when[1].to_owned(), points(found[1].when())),
            ],
        })
    }

    /// Figures 2 to 9: before, and after each method, on amateurs' and on strong games.
    fn panels(&self) -> Result<Vec<Panel>> {
        let mut panels = Vec::new();
        for evaluation in MENDED {
            for collection in [Collection::Amateur, Collection::Strong] {
                let games = collection.name();
                let mut one = |method: &str, source: &str| -> Result<()> {
                    let name = format!("{evaluation}-{games}-{method}");
                    let caption = format!("`{evaluation}`, {games} games, {method}");
                    let values = self.values(collection, source);
                    panels.push(self.panel(&name, &caption, &values, DANGER, self.bins())?);
                    Ok(())
                };
                one("none", evaluation)?;
                for MethodOf { name, .. } in METHODS {
                    one(name, &self.weights(evaluation, name, false).display().to_string())?;
                }
            }
        }
        Ok(panels)
    }

    /// Figures 14 to 16.
    fn hands(&self) -> Result<Vec<Panel>> {
        let mut panels = Vec::new();
        for evaluation in ["material", "phase", "tables"] {
            for (name, when) in HANDS {
                let values = self.values(Collection::All, evaluation);
                let caption = format!("`{evaluation}`, {name} in hand");
                panels.push(self.panel(
                    &format!("{evaluation}-{name}"),
                    &caption,
                    &values,
                    when,
                    self.rare(),
                )?);
            }
        }
        Ok(panels)
    }

    /// Figures 10 to 13: others put to the same test, our own tables and the scores that the strong
    /// programs of floodgate reported.
    fn others(&self) -> Result<Vec<Panel>> {
        let mut panels = Vec::new();
        for collection in [Collection::Amateur, Collection::Strong] {
            let (games, values) = (collection.name(), self.values(collection, "tables"));
            let caption = format!("`tables`, {games} games");
            panels.push(self.panel(
                &format!("tables-{games}"),
                &caption,
                &values,
                DANGER,
                self.bins(),
            )?);
        }
        let values = self.values(Collection::Floodgate, "reported");
        let caption = "scores that programs reported on floodgate in 2016";
        panels.push(self.panel("floodgate-reported", caption, &values, DANGER, self.bins())?);
        Ok(panels)
    }

    /// The worst conditions of each evaluation.
    fn scans(&self) -> Result<Vec<Scanned>> {
        let of = |&evaluation: &&str| -> Result<Scanned> {
            self.context.observer.note(&format!("scan of {evaluation}"));
            let plan = ScanPlan {
                values: ValuePlan {
                    every: scan::EVERY,
                    ..self.values(Collection::All, evaluation)
                },
                conditions: scan::shipped()?,
                features: self.plan.features()?,
                top: 10,
                bin: 50,
                min_count: self.plan.min_count,
                min_games: 100,
                shuffle: None,
            };
            let found = scan::carry_out(&plan, self.context)?.json();
            Ok(Scanned { evaluation: evaluation.to_owned(), found })
        };
        EVALUATIONS.iter().map(of).collect()
    }

    /// Table 3, and the longer matches that prove the mending.
    fn matches(&self) -> Result<Vec<Played>> {
        let mut played = Vec::new();
        for matched in self.plan.matches(self.out) {
            self.context.observer.note(&matched.title());
            let plan = self.plan.game_match(&matched);
            let run_folder = folder::step(&self.out.join(&matched.id), &plan)?;
            let tally = match_games::play(&plan, &run_folder, self.context)?.tally;
            played.push(Played {
                evaluation: matched.evaluation.clone(),
                engines: matched.names.clone(),
                conditions: matched.conditions.clone(),
                result: text::elo(tally.estimate().as_ref()),
                score: [tally.wins, tally.draws, tally.losses],
            });
        }
        Ok(played)
    }
}

/// The share of the weights of a method that is played with.
fn factor(plan: &WinrateReproduction, method: &str) -> f64 {
    if method == "hand" { 1.0 } else { plan.factor }
}
