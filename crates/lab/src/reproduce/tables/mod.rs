//! What comes after the thesis: what each step from its features to a model of moves wins in the
//! prediction of moves, what more games win, and what the tables look like.

mod ablation;
mod exam;
mod experts;
mod learned;
mod maps;
mod page;
mod settings;
mod shipped;

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_learn::pool;

use super::Reproduction;
use exam::Material;
use learned::{Learned, Step};
pub use settings::{Sizes, TablesPlan};
use tesuji_run::{Context, plan as folder};

/// Everything that was found.
struct Findings {
    shipped: Vec<shipped::Shipped>,
    learned: Vec<(Step, Vec<Learned>)>,
    experts: Vec<experts::Compared>,
    ablation: ablation::Ablation,
    maps: maps::Maps,
    /// Professional games to learn from, and those that are held out.
    games: (usize, usize),
}

/// Carries out all steps, each of which keeps what it found in a folder in `out`. The page finds its
/// pictures in a folder, or has none.
pub fn carry_out(
    plan: &TablesPlan,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    pool(context.threads)?.install(|| on_this_pool(plan, out, pictures, context))
}

fn on_this_pool(
    plan: &TablesPlan,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    let run_folder = folder::step(out, plan)?;
    let mut material = Material::load(plan, context.observer)?;
    let findings = Findings {
        games: material.count(),
        shipped: shipped::measure(&material, out, context)?,
        learned: learned::learn(plan, &mut material, out, context)?,
        experts: experts::compare(plan, &material, out, context)?,
        ablation: ablation::ablate(plan, &mut material, out, context)?,
        maps: maps::Maps::new(&material)?,
    };
    let numbers = findings.numbers();
    run_folder.write_json("result.json", &numbers)?;
    let document = page::document(plan, findings);
    run_folder.write_report(&document.page().to_html())?;
    Ok(Reproduction { page: document.markdown(pictures), pictures: document.pictures(), numbers })
}

impl Findings {
    fn numbers(&self) -> Value {
        let steps =
            self.learned.iter().map(|(step, points)| (step.name().to_owned(), json!(points)));
        json!({
            "games": { "train": self.games.0, "test": self.games.1 },
            "shipped": self.shipped,
            "learned": steps.collect::<serde_json::Map<String, Value>>(),
            "experts": self.experts,
            "ablation": self.ablation,
            "gold": self.maps.numbers(),
        })
    }
}
