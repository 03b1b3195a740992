//! What a pass over games found: as JSON and in words.

use serde_json::{Value, json};
use tesuji_eval::condition::Condition;
use tesuji_report::number;

use super::pass::Counted;
use super::{Curve, WinratePlan};

/// What was counted, and what it says.
pub struct WinrateOutcome {
    pub(super) plan: WinratePlan,
    pub(super) counted: Counted,
}

impl WinrateOutcome {
    /// The curve of all positions.
    pub const fn all(&self) -> &Curve {
        &self.counted.all
    }

    /// The curve of the positions that meet the condition.
    pub const fn when(&self) -> &Curve {
        &self.counted.when
    }

    /// How far the curve of the condition parts from that of all, in logits.
    pub fn split(&self) -> Option<f64> {
        self.plan.when.as_ref()?;
        self.counted.when.split(&self.counted.all, self.plan.min_count)
    }

    /// The same with the results of other games: what chance does.
    pub fn noise(&self) -> Option<f64> {
        self.plan.when.as_ref()?;
        let [all, when] = &self.counted.shuffled;
        when.split(all, self.plan.min_count)
    }

    /// By how many centipawns positions that meet the condition are worth less than their value
    /// says: where their curve crosses one half.
    fn shift(&self) -> Option<f64> {
        self.plan.when.as_ref()?;
        Some(self.counted.when.even()? - self.counted.all.even()?)
    }

    /// The curves with their names; only all where there is no condition.
    fn curves(&self) -> Vec<(&'static str, &Curve)> {
        let counted = &self.counted;
        let mut curves = vec![("all", &counted.all)];
        if self.plan.when.is_some() {
            curves.extend([("when", &counted.when), ("without", &counted.without)]);
        }
        curves
    }

    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let mut json = json!({
            "eval": self.plan.values.source.name(),
            "when_text": self.plan.when.as_ref().map(Condition::text),
            "quiet": self.plan.values.quiet,
            "games": self.counted.decided,
            "drawn": self.counted.drawn,
            "undecided": self.counted.undecided,
            "split": self.split(),
            "noise": self.noise(),
            "shift_cp": self.shift(),
            "even_cp": self.all().even(),
        });
        let mut bins = Vec::new();
        for (name, curve) in self.curves() {
            json[name] = curve.total.json();
            for (bin, cell) in curve.enough(self.plan.min_count) {
                let mut row = cell.json();
                row["of"] = json!(name);
                row["from"] = json!(bin * self.plan.bin);
                row["to"] = json!((bin + 1) * self.plan.bin);
                bins.push(row);
            }
        }
        json["bins"] = json!(bins);
        json
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let counted = &self.counted;
        let mut text = format!(
            "{} games, {} drawn, {} without a result\n",
            number::count(counted.decided + counted.drawn),
            number::count(counted.drawn),
            number::count(counted.undecided)
        );
        for (name, curve) in self.curves() {
            let total = &curve.total;
            text += &format!(
                "{name:<8} {:>11} positions, Black scores {} ± {}, mean value {:+.0}\n",
                number::count(total.all()),
                number::percent(total.ratio(), 2),
                number::percent(total.error(), 2),
                total.mean(),
            );
        }
        let Some(when) = &self.plan.when else { return text + &self.table() };
        text += &format!("when     {}\n", when.text());
        text += &match self.split() {
            Some(split) => {
                let noise =
                    self.noise().map_or_else(String::new, |noise| format!(" (chance {noise:.3})"));
                format!("split    {split:.3} logits{noise}\n")
            }
            None => format!(
                "split    no bin has {} positions that meet the condition: {} do in all\n",
                self.plan.min_count,
                number::count(counted.when.total.all())
            ),
        };
        if let Some(shift) = self.shift() {
            text += &format!("shift    {shift:+.0} centipawns\n");
        }
        text + &self.table()
    }

    /// Both curves, bin by bin.
    fn table(&self) -> String {
        let mut text = String::from("\n        value        all              when\n");
        for (bin, all) in self.counted.all.enough(self.plan.min_count) {
            let from = bin * self.plan.bin;
            let share = |cell: &super::Cell| {
                format!(
                    "{:>6} ± {:<6}",
                    number::percent(cell.ratio(), 1),
                    number::percent(cell.error(), 1)
                )
            };
            text += &format!("{from:>6} … {:<6} {}", from + self.plan.bin, share(all));
            let when = self.counted.when.bins.get(&bin);
            if let Some(cell) = when.filter(|cell| cell.all() >= self.plan.min_count) {
                text += &format!("  {}", share(cell));
            }
            text.push('\n');
        }
        text
    }
}
