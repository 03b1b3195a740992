//! What came out of a co-evolution.

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_eval::Weights;
use tesuji_learn::coevolution::{Organism, founder_shares};
use tesuji_learn::ga::weights_hash;
use tesuji_math::stats::Tally;
use tesuji_report::number;
use tesuji_run::{Context, Plan, RunFolder};

use super::{CoevolvePlan, Founder};
use crate::games::text;
use crate::pairings::{self, Breed, Evolved, Pairings, verification_text};

/// The file of the winner's weights.
pub const WEIGHTS: &str = "weights.toml";

/// What came out, and where it is kept.
pub struct CoevolveOutcome<'a> {
    /// What was carried out.
    pub plan: &'a CoevolvePlan,
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// The weights that it began with.
    pub founders: Vec<Founder>,
    /// How it went.
    pub evolved: Evolved,
    /// The weights of the winner.
    pub winner: Weights,
    /// The winner against the first founder.
    pub verification: Tally,
}

impl<'a> CoevolveOutcome<'a> {
    /// Carries out a plan, or what is left of it.
    pub(super) fn new(
        plan: &'a CoevolvePlan,
        folder: &'a RunFolder,
        context: &Context<'_>,
    ) -> Result<Self> {
        let founders = plan.founders()?;
        let first = &founders[0].weights;
        let set = first.set().clone();
        let embody = |values: &[i32]| Ok(plan.engine(&first.with_values(values.to_vec())?));
        let played = folder.entries()?.collect::<Result<_, _>>()?;
        let mut pairings = Pairings::new(&plan.pairings, folder, *context, &embody, played)?;
        let values: Vec<Vec<i32>> =
            founders.iter().map(|founder| founder.weights.values().to_vec()).collect();
        let (id, map) = (set.id(), plan.parameters.gene_map(&set)?);
        let breed = Breed { genes: (&id, &map), parameters: &plan.parameters, founders: &values };
        let evolved = pairings::evolve(&breed, &mut pairings)?;
        let verification = pairings.verify(&evolved.values, &values[0])?;
        let winner = first.with_values(evolved.values.clone())?;
        let mut outcome = Self { plan, folder, founders, evolved, winner, verification };
        outcome.sign()?;
        Ok(outcome)
    }

    /// Says in the weights where they come from.
    fn sign(&mut self) -> Result<()> {
        let against = self.founder_name(0);
        let (plan, winner) = (self.plan, &mut self.winner);
        let run = &mut winner.run;
        run.insert("command".into(), CoevolvePlan::COMMAND.into());
        let names: Vec<String> = self.founders.iter().map(|founder| founder.name.clone()).collect();
        run.insert("founders".into(), names.into());
        run.insert("control".into(), plan.pairings.conditions.control.to_string().into());
        run.insert("seed".into(), count(plan.pairings.seed()));
        run.insert("parameters".into(), toml::Value::try_from(&plan.parameters)?);
        let result = &mut winner.result;
        let organism = &self.evolved.evolution.organisms()[self.evolved.winner];
        result.insert("born".into(), i64::from(organism.born).into());
        result.insert("against".into(), against.into());
        result.insert("won".into(), count(self.verification.wins));
        result.insert("drawn".into(), count(self.verification.draws));
        result.insert("lost".into(), count(self.verification.losses));
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let (evolved, organism) = (&self.evolved, self.organism());
        let shares = founder_shares(evolved.evolution.organisms(), evolved.winner);
        let share = |&(number, share): &(usize, f64)| {
            let founder = self.founder_name(number);
            json!({ "founder": founder, "share": share })
        };
        json!({
            "hash": weights_hash(self.winner.values()),
            "winner": {
                "number": evolved.winner,
                "born": organism.born,
                "rating": organism.rating,
                "error": organism.error,
                "games": organism.games,
                "founders": shares.iter().map(share).collect::<Vec<_>>(),
            },
            "match": { "against": self.founder_name(0), "result": text::tally_json(&self.verification) },
            "generations": evolved.rounds,
            "games": evolved.rounds.iter().map(|round| round.games).sum::<u32>(),
            "control": self.plan.pairings.conditions.control.to_string(),
            "seconds": evolved.seconds,
            "busy": evolved.busy,
            "folder": self.folder.path(),
            "weights_file": self.folder.file(WEIGHTS),
            "report_file": self.folder.report_path(),
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let (evolved, organism) = (&self.evolved, self.organism());
        let games: u32 = evolved.rounds.iter().map(|round| round.games).sum();
        let mut text = format!(
            "{} generations, {} games, {}\n",
            evolved.rounds.len(),
            number::count(games.into()),
            number::duration(evolved.seconds),
        );
        text += &format!(
            "winner #{}, born in generation {}: rated {:+.0} ± {:.0} after {} games\n",
            evolved.winner, organism.born, organism.rating, organism.error, organism.games,
        );
        text += &format!(
            "against {}: {}\n",
            self.founder_name(0),
            verification_text(&self.verification)
        );
        text += &format!("weights  {}\n", self.folder.file(WEIGHTS).display());
        text + &format!("report   {}\n", self.folder.report_path().display())
    }

    /// The winner as it is known to evolution.
    pub fn organism(&self) -> &Organism {
        &self.evolved.evolution.organisms()[self.evolved.winner]
    }

    /// What a founder is called; where the population had more room, some differ from them by
    /// mutations.
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
