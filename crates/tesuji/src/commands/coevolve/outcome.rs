//! What came out of a co-evolution.

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_eval::Weights;
use tesuji_learn::coevolution::{Organism, founder_shares};
use tesuji_learn::ga::weights_hash;
use tesuji_report::{RunFolder, number};

use super::Plan;
use super::rounds::Done;
use crate::commands::arena::text;
use crate::lab::folder;

/// The file of the winner's weights.
pub const WEIGHTS: &str = "weights.toml";

/// What came out, and where it is kept.
pub struct Outcome<'a> {
    pub plan: &'a Plan,
    pub folder: &'a RunFolder,
    pub done: Done,
    pub winner: Weights,
}

impl<'a> Outcome<'a> {
    pub fn new(plan: &'a Plan, folder: &'a RunFolder, done: Done) -> Result<Self> {
        let set = done.founders[0].weights.set().clone();
        let mut winner = Weights::new(set, done.weights.clone())?;
        let run = &mut winner.run;
        run.insert("command".into(), <Plan as folder::Plan>::COMMAND.into());
        let names: Vec<String> = done.founders.iter().map(|founder| founder.name.clone()).collect();
        run.insert("founders".into(), names.into());
        run.insert("control".into(), plan.conditions.control.to_string().into());
        run.insert("seed".into(), count(plan.conditions.seed));
        run.insert("parameters".into(), toml::Value::try_from(&plan.parameters)?);
        let result = &mut winner.result;
        result.insert("born".into(), i64::from(done.organism().born).into());
        result.insert("against".into(), done.founder_name(0).into());
        result.insert("won".into(), count(done.proof.wins));
        result.insert("drawn".into(), count(done.proof.draws));
        result.insert("lost".into(), count(done.proof.losses));
        Ok(Self { plan, folder, done, winner })
    }

    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let done = &self.done;
        let organism = done.organism();
        let shares = founder_shares(done.evolution.organisms(), done.winner);
        let share = |&(number, share): &(usize, f64)| {
            let founder = done.founder_name(number);
            json!({ "founder": founder, "share": share })
        };
        json!({
            "hash": weights_hash(self.winner.values()),
            "winner": {
                "number": done.winner,
                "born": organism.born,
                "rating": organism.rating,
                "error": organism.error,
                "games": organism.games,
                "founders": shares.iter().map(share).collect::<Vec<_>>(),
            },
            "match": { "against": done.founder_name(0), "result": text::tally_json(&done.proof) },
            "generations": done.rounds,
            "games": done.rounds.iter().map(|round| round.games).sum::<u32>(),
            "control": self.plan.conditions.control.to_string(),
            "seconds": done.seconds,
            "busy": done.busy,
            "folder": self.folder.path(),
            "weights_file": self.folder.file(WEIGHTS),
            "report_file": self.folder.report_path(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let done = &self.done;
        let organism = done.organism();
        let games: u32 = done.rounds.iter().map(|round| round.games).sum();
        let mut text = format!(
            "{} generations, {} games, {}\n",
            done.rounds.len(),
            number::count(games.into()),
            number::duration(done.seconds),
        );
        text += &format!(
            "winner #{}, born in generation {}: rated {:+.0} ± {:.0} after {} games\n",
            done.winner, organism.born, organism.rating, organism.error, organism.games,
        );
        text += &format!("against {}: {}\n", done.founder_name(0), done.proof_text());
        text += &format!("weights  {}\n", self.folder.file(WEIGHTS).display());
        text + &format!("report   {}\n", self.folder.report_path().display())
    }
}

impl Done {
    /// The winner as it is known to evolution.
    pub fn organism(&self) -> &Organism {
        &self.evolution.organisms()[self.winner]
    }

    /// What a founder is called; where the population had more room, some differ from them by mutations.
    pub fn founder_name(&self, number: usize) -> String {
        match self.founders.get(number) {
            Some(founder) => founder.name.clone(),
            None => format!("near {}", self.founders[number % self.founders.len()].name),
        }
    }
}

/// A number as TOML can have it.
fn count(number: u64) -> toml::Value {
    i64::try_from(number).unwrap_or(i64::MAX).into()
}
