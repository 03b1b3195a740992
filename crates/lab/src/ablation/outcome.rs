//! What an ablation found: as JSON, in words and as a page.

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_report::{Axis, Bar, BarChart, Cell, Column, KeyFigure, Lang, Page, Table, number};
use tesuji_run::RunFolder;

use super::{AblationPlan, Effect, Removed};

/// Below this chance, corrected for all tests together, an effect is more than chance.
const CHANCE: f64 = 0.05;

/// What a feature or a group is worth.
pub struct Worth {
    /// Its name.
    pub name: String,
    /// How many features it has.
    pub features: usize,
    /// Held-out positions that are lost without it.
    pub effect: Effect,
    /// The chance of that, corrected for all tests together.
    pub adjusted: f64,
}

impl Worth {
    fn is_significant(&self) -> bool {
        self.adjusted < CHANCE
    }
}

/// What two are worth together.
pub struct Interaction {
    /// Their names.
    pub names: [String; 2],
    /// Held-out positions that are lost without both.
    pub effect: Effect,
    /// What of that is beyond the sum of what each is worth alone: positive where one stands in
    /// for the other, negative where they need each other.
    pub interaction: Effect,
}

/// A small set that is as good as all, as far as can be told.
pub struct Minimal {
    /// What is left, the most valuable first.
    pub kept: Vec<String>,
    /// What was removed together.
    pub dropped: Vec<String>,
    /// Held-out positions that are lost.
    pub effect: Effect,
}

/// What an ablation found.
pub struct Ablation {
    pub(super) plan: AblationPlan,
    /// Held-out positions that are solved with all features, mean of the repetitions.
    pub solved: f64,
    /// Of so many.
    pub of: usize,
    /// What each feature or group is worth, the most valuable first.
    pub worth: Vec<Worth>,
    /// What pairs of the most valuable are worth.
    pub pairs: Vec<Interaction>,
    /// The smallest set found that loses nothing.
    pub minimal: Option<Minimal>,
}

impl Ablation {
    /// Writes the numbers and the report into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write_json("result.json", &self.json(folder))?;
        folder.write_report(&self.page().to_html())?;
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let effect = |effect: &Effect| json!({ "effect": effect.positions, "error": effect.error, "p": effect.p });
        let row = |worth: &Worth| {
            let mut row = effect(&worth.effect);
            row["name"] = json!(worth.name);
            row["features"] = json!(worth.features);
            row["p_adjusted"] = json!(worth.adjusted);
            row["significant"] = json!(worth.is_significant());
            row
        };
        let pair = |pair: &Interaction| {
            let mut row = effect(&pair.effect);
            row["names"] = json!(pair.names);
            row["interaction"] = effect(&pair.interaction);
            row
        };
        let minimal = self.minimal.as_ref().map(|minimal| {
            let mut row = effect(&minimal.effect);
            row["kept"] = json!(minimal.kept);
            row["dropped"] = json!(minimal.dropped);
            row
        });
        let key = match self.plan.by {
            Removed::Feature => "features",
            Removed::Group => "groups",
        };
        json!({
            "held_out": { "correct": self.solved, "of": self.of },
            "repeats": self.plan.repeats,
            key: self.worth.iter().map(row).collect::<Vec<_>>(),
            "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>(),
            "minimal": minimal,
            "folder": folder.path(),
            "report_file": folder.report_path(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let share = number::percent(self.solved / self.of.max(1) as f64, 2);
        let mut text = format!(
            "with everything: {:.0} of {} held-out positions solved ({share})\n\
             without            positions lost ± standard error; * more than chance after {} tests\n",
            self.solved,
            number::count(self.of as u64),
            self.worth.len(),
        );
        for worth in &self.worth {
            let Effect { positions, error, .. } = worth.effect;
            let star = if worth.is_significant() { " *" } else { "" };
            text += &format!("  {:<38} {positions:>5.1} ± {error:.1}{star}\n", worth.name);
        }
        for pair in &self.pairs {
            let Effect { positions, error, .. } = pair.effect;
            let more = pair.interaction;
            text += &format!(
                "  {} and {}: {positions:.1} ± {error:.1}, {:+.1} ± {:.1} beyond both\n",
                pair.names[0], pair.names[1], more.positions, more.error
            );
        }
        if let Some(minimal) = &self.minimal {
            text += &format!(
                "{} of {} can be dropped together: {:.1} ± {:.1} positions lost\n",
                minimal.dropped.len(),
                self.worth.len(),
                minimal.effect.positions,
                minimal.effect.error
            );
        }
        text + &format!("report   {}\n", folder.report_path().display())
    }

    /// The report.
    pub fn page(&self) -> Page {
        let mut page = Page::new("What features are worth", Lang::English);
        page.lead(&format!(
            "Weights of the set {} are fitted anew without each of its features or groups, and \
             tried on positions that were held out: {}.",
            self.plan.features,
            self.plan.data.describe()
        ));
        page.section("In short");
        let share = self.solved / self.of.max(1) as f64;
        let significant = self.worth.iter().filter(|worth| worth.is_significant()).count();
        page.key_figures(&[
            KeyFigure::new(
                &number::fixed(self.solved, 0),
                "held-out positions solved with everything",
            )
            .note(&number::percent(share, 2)),
            KeyFigure::new(&self.worth.len().to_string(), "ablations"),
            KeyFigure::new(&significant.to_string(), "more than chance after so many tests"),
            KeyFigure::new(&self.plan.repeats.to_string(), "repetitions with other folds"),
        ]);
        page.section("The ranking");
        let mut chart = BarChart::new("lost", Axis::new("held-out positions lost"), 0);
        for Worth { name, effect, .. } in &self.worth {
            let Effect { positions, error, .. } = *effect;
            chart =
                chart.bar(Bar::new(name, positions).error(positions - error, positions + error));
        }
        page.figure(
            &chart,
            "Held-out positions that are lost without it; whiskers are one standard error.",
        );
        page.paragraph(
            "The standard error is that of a sum over boards: copies of a board and repetitions of a \
             position are one observation. The last column is the chance that any of so many tests \
             shows an effect as clear as this one where there is none (Holm).",
        );
        page.table(&self.table());
        self.pairs_on(&mut page);
        if let Some(minimal) = &self.minimal {
            page.section("What can be dropped");
            page.paragraph(&format!(
                "Without the {} weakest together {:.1} ± {:.1} positions are lost. What is left: {}.",
                minimal.dropped.len(),
                minimal.effect.positions,
                minimal.effect.error,
                minimal.kept.join(", ")
            ));
        }
        page
    }

    /// The ranking as a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("without"),
            Column::number("features"),
            Column::number("positions lost"),
            Column::number("p"),
            Column::number("p for all together"),
        ]);
        for worth in &self.worth {
            let name = Cell::text(&worth.name);
            table.row([
                if worth.is_significant() { name.strong() } else { name },
                Cell::count(worth.features as u64),
                Cell::plus_minus(worth.effect.positions, worth.effect.error, 1),
                Cell::number(worth.effect.p, 4),
                Cell::number(worth.adjusted, 4),
            ]);
        }
        table
    }

    /// The pairs as a table.
    pub fn pairs_table(&self) -> Table {
        let mut table = Table::new([
            Column::text("without both"),
            Column::number("positions lost"),
            Column::number("beyond the sum of both"),
            Column::number("p of that"),
        ]);
        for pair in &self.pairs {
            table.row([
                Cell::text(&pair.names.join(", ")),
                Cell::plus_minus(pair.effect.positions, pair.effect.error, 1),
                Cell::plus_minus(pair.interaction.positions, pair.interaction.error, 1),
                Cell::number(pair.interaction.p, 4),
            ]);
        }
        table
    }

    fn pairs_on(&self, page: &mut Page) {
        if self.pairs.is_empty() {
            return;
        }
        page.section("Pairs");
        page.paragraph(
            "The strongest, two at a time. Where more is lost than the sum of both, one stands in \
             for the other when it is removed alone.",
        );
        page.table(&self.pairs_table());
    }
}
