//! What a fit found: a weights file, JSON and words.

use std::path::Path;

use serde_json::{Value, json};
use tesuji_eval::Notes;
use tesuji_eval::adjust::{Adjusted, Adjustment, Adjustments, identity};
use tesuji_search::spec::Evaluation;

use super::super::regress::Method;
use super::rows::Split;
use super::{FitPlan, Fitting, Weight};

/// Weights that were fitted, and what they do.
pub struct FitOutcome {
    pub(super) plan: FitPlan,
    pub(super) evaluation: Evaluation,
    /// Weights of what Black has and of what White has, one term after the other.
    pub(super) sides: Vec<Weight>,
    /// Weights of what Black has less what White has, before the factor.
    pub(super) played: Vec<Weight>,
    /// The terms as they were fitted, and as they are played with.
    pub(super) fitted: Adjustments,
    pub(super) terms: Adjustments,
    pub(super) split: Split,
}

/// Digits that are worth a note.
fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}

impl FitOutcome {
    /// The text of the weights file; `command` made it.
    pub fn file(&self, command: &str) -> String {
        self.adjusted(command, &self.terms).to_text()
    }

    /// The same with the weights as they were fitted, which explain results best and are not those
    /// that play best.
    pub fn fitted_file(&self, command: &str) -> String {
        self.adjusted(command, &self.fitted).to_text()
    }

    fn adjusted(&self, command: &str, terms: &Adjustments) -> Adjusted {
        let Split { before, after, played, noise } = self.split;
        let number = |value: f64| toml::Value::Float(rounded(value, 4));
        Adjusted {
            base: self.plan.values.source.name().to_owned(),
            base_id: identity(self.evaluation.model()),
            terms: terms.clone(),
            run: Notes::from([("command".into(), command.into())]),
            result: Notes::from([
                ("split_before".into(), number(before)),
                ("split_after".into(), number(after)),
                ("split_played".into(), number(played)),
                ("split_noise".into(), number(noise)),
            ]),
        }
    }

    /// The name of the method.
    fn method(&self) -> &'static str {
        match self.plan.fitting {
            Fitting::Fitted(Method::Ls) => "ls",
            Fitting::Fitted(Method::Mlm) => "mlm",
            Fitting::Hand(_) => "hand",
        }
    }

    /// The weights of both players with their names.
    fn named_sides(&self) -> impl Iterator<Item = (String, Weight)> + '_ {
        let names = self.plan.terms.iter().flat_map(Adjustment::side_names);
        names.zip(self.sides.iter().copied())
    }

    /// Everything as JSON; the weights file is at `path`.
    pub fn json(&self, path: &Path) -> Value {
        let weight = |name: String, Weight { value, error }: Weight| json!({ "name": name, "value": value, "error": error });
        let terms = self.terms.iter().zip(&self.played).map(|((term, played), fitted)| {
            let mut row = weight(term.to_string(), *fitted);
            row["played"] = json!(played);
            row
        });
        let Split { before, after, played, noise } = self.split;
        json!({
            "eval": self.plan.values.source.name(),
            "method": self.method(),
            "quiet": self.plan.values.quiet,
            "factor": self.plan.factor,
            "weights": self.named_sides().map(|(name, w)| weight(name, w)).collect::<Vec<_>>(),
            "terms": terms.collect::<Vec<_>>(),
            "split": { "before": before, "after": after, "played": played, "noise": noise },
            "weights_file": path.display().to_string(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, path: &Path) -> String {
        let with_error = |weight: Weight| match weight.error {
            Some(error) => format!("{:+.0} ± {error:.0}", weight.value),
            None => format!("{:+.0}", weight.value),
        };
        let mut text = String::new();
        for (name, weight) in self.named_sides() {
            text += &format!("{name}  {}\n", with_error(weight));
        }
        for ((term, played), fitted) in self.terms.iter().zip(&self.played) {
            text += &format!("{term}  {} for both alike, played {played:+}\n", with_error(*fitted));
        }
        let Split { before, after, played, noise } = self.split;
        text += &format!(
            "split    {before:.3} before, {after:.3} after (chance {noise:.3}), {played:.3} as played\n"
        );
        text + &format!("{}\n", path.display())
    }
}
