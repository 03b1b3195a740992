//! What came out of an evolution.

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_eval::{FeatureSet, Weights};
use tesuji_learn::ga::Generation;
use tesuji_learn::validation::Fold;
use tesuji_learn::{Dataset, MoveClass, Prediction, Scorer};
use tesuji_records::Sample;
use tesuji_report::number;
use tesuji_run::RunFolder;

use super::drawn::All;
use super::experts::Panel;
use super::polish::{Polished, Remedy};
use super::{Counted, EvolvePlan};
use crate::data::features::Features;
use tesuji_run::plan as folder;

/// The file of the best weights.
const WEIGHTS: &str = "weights.toml";

/// What came out of an evolution, and the data it was made from.
pub struct EvolveOutcome {
    /// The features that weights were found for.
    pub features: Features,
    /// The positions with the moves that were played: all, or those that were drawn.
    pub samples: Vec<Sample>,
    /// The same positions as training data.
    pub data: Dataset,
    /// How many positions there are, drawn or not: winners are counted on all of them.
    pub positions: usize,
    /// What was counted on all of them, if only some were drawn.
    pub counted: Option<Counted>,
    /// The test positions.
    pub test: Option<Dataset>,
    /// The winners, in the order of the runs.
    pub winners: Vec<Winner>,
    /// The number of the best winner.
    pub best: usize,
    /// The mean of all winners, if there are several.
    pub mean: Option<Mean>,
    /// What cross-validation found.
    pub folds: Vec<Fold>,
    /// How well the best weights predict.
    pub prediction: Prediction,
    /// The same of the test positions.
    pub test_prediction: Option<Prediction>,
    /// Experts for each kind of move, if they were asked for.
    pub experts: Option<Panel>,
    /// The best winner, polished for positions that nobody has seen.
    pub polished: Option<Polished>,
    /// Test positions that it solves.
    pub polished_test: Option<u32>,
    /// How long the parts took.
    pub seconds: Seconds,
    /// The plan that was carried out.
    pub plan: EvolvePlan,
}

/// What a learner found.
pub struct Learned {
    pub winners: Vec<Winner>,
    /// What was learned without each part of the positions, and tried on it.
    pub folds: Vec<Fold>,
    /// Experts for each kind of move, if they were asked for.
    pub experts: Option<Panel>,
    /// How long it took to find the winners, from the first beginning to the end.
    pub seconds: f64,
}

/// The mean of the winners' weights. Chance that is in each of them cancels.
pub struct Mean {
    /// The weights.
    pub weights: Vec<i32>,
    /// Positions that they solve.
    pub correct: u32,
    /// Test positions that it solves.
    pub test: Option<u32>,
}

impl Mean {
    /// The largest weight after rounding.
    const LARGEST: f64 = 4000.0;

    fn new(winners: &[Winner], data: &Dataset, test: Option<&Dataset>) -> Option<Self> {
        if winners.len() < 2 {
            return None;
        }
        let all: Vec<Vec<i32>> = winners.iter().map(|winner| winner.weights.clone()).collect();
        let weights = Self::weights(&all);
        let correct = |data: &Dataset| Scorer::new(data).correct(std::slice::from_ref(&weights))[0];
        Some(Self { correct: correct(data), test: test.map(correct), weights: weights.clone() })
    }

    /// The mean of weights, all of which count alike, whatever their scale.
    pub fn weights(winners: &[Vec<i32>]) -> Vec<i32> {
        let mut sum = vec![0.0; winners.first().map_or(0, Vec::len)];
        for winner in winners {
            let squares: f64 = winner.iter().map(|&w| f64::from(w).powi(2)).sum();
            for (sum, &weight) in sum.iter_mut().zip(winner) {
                *sum += f64::from(weight) / squares.sqrt().max(1.0);
            }
        }
        let most = sum.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        let scale = Self::LARGEST / most.max(f64::MIN_POSITIVE);
        sum.iter().map(|weight| (weight * scale).round() as i32).collect()
    }
}

/// The best organism of a run, or what a fit found.
pub struct Winner {
    /// The seed of its run.
    pub seed: u64,
    /// Its weights.
    pub weights: Vec<i32>,
    /// Positions that it solves.
    pub correct: u32,
    /// The generation in which it appeared.
    pub generation: Option<u32>,
    /// Test positions that it solves.
    pub test: Option<u32>,
    /// All generations of its run.
    pub history: Vec<Generation>,
}

/// How long the parts took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seconds {
    /// Finding the legal moves.
    pub legal_moves: f64,
    /// The features of all resulting positions.
    pub features: f64,
    /// Learning.
    pub evolution: f64,
    /// Everything.
    pub total: f64,
}

impl EvolveOutcome {
    pub(super) fn new(
        plan: &EvolvePlan,
        features: Features,
        samples: Vec<Sample>,
        data: Dataset,
        test: Option<Dataset>,
        learned: Learned,
        all: Option<&All>,
    ) -> Self {
        let Learned { mut winners, folds, experts, seconds } = learned;
        let mut mean = Mean::new(&winners, &data, test.as_ref());
        let counted = all.map(|all| count(all, data.set(), &mut winners, mean.as_mut()));
        let best = best_of(&winners);
        let weights = &winners[best].weights;
        let times = data.times();
        Self {
            mean,
            positions: all.map_or(data.len(), All::len),
            counted,
            prediction: Prediction::new(&data, weights),
            test_prediction: test.as_ref().map(|test| Prediction::new(test, weights)),
            features,
            samples,
            test,
            winners,
            best,
            folds,
            experts,
            seconds: Seconds {
                legal_moves: times.legal_moves.as_secs_f64(),
                features: times.features.as_secs_f64(),
                evolution: seconds,
                total: 0.0,
            },
            data,
            polished: None,
            polished_test: None,
            plan: plan.clone(),
        }
    }

    /// Takes the polished winner over: its weights are the ones to use.
    pub(super) fn set_polished(&mut self, polished: Option<Polished>) {
        let weights = polished.as_ref().map(|polished| vec![polished.weights.clone()]);
        let correct =
            |test: &Dataset| weights.map(|weights| Scorer::new(test).correct(&weights)[0]);
        self.polished_test = self.test.as_ref().and_then(correct);
        self.polished = polished;
    }

    /// Writes everything into the folder of the run: weights, numbers and the report.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        folder.write_json("result.json", &self.json(folder))?;
        if let Some(panel) = &self.experts {
            folder.write_json("experts.json", &panel.experts)?;
        }
        for (name, weights) in self.weights_files()? {
            folder.write(&name, weights.to_text().as_bytes())?;
        }
        folder.write_report(&super::page::page(self, folder)?.to_html())?;
        Ok(())
    }

    /// Legal moves of all positions.
    pub fn resulting_positions(&self) -> usize {
        self.counted.as_ref().map_or(self.data.resulting_positions(), |counted| counted.count.rows)
    }

    /// Positions whose move is illegal.
    pub fn illegal_rows(&self) -> usize {
        self.counted.as_ref().map_or(self.data.illegal_rows(), |counted| counted.count.illegal)
    }

    /// The best of the winners.
    pub fn winner(&self) -> &Winner {
        &self.winners[self.best]
    }

    /// The weights of each run, and the best once more, with the names of their files.
    pub fn weights_files(&self) -> Result<Vec<(String, Weights)>> {
        let mut files = vec![(WEIGHTS.to_owned(), self.weights_to_use()?)];
        for run in 0..self.winners.len() {
            files.push((format!("weights-{:02}.toml", run + 1), self.weights(run)?));
        }
        if let Some(mean) = &self.mean {
            let mut weights = self.weights(self.best)?;
            let mut of_mean = self.features.weights(mean.weights.clone())?;
            weights.run.insert("run".into(), "mean of all".into());
            weights.result.remove("generation");
            weights.result.insert("correct".into(), toml_count(mean.correct.into()));
            if let Some(correct) = mean.test {
                weights.result.insert("test_correct".into(), toml_count(correct.into()));
            }
            (of_mean.run, of_mean.result) = (weights.run, weights.result);
            files.push(("weights-mean.toml".to_owned(), of_mean));
        }
        Ok(files)
    }

    /// The weights to use: the polished winner's where there is one.
    fn weights_to_use(&self) -> Result<Weights> {
        let best = self.weights(self.best)?;
        let Some(polished) = &self.polished else { return Ok(best) };
        let mut weights = self.features.weights(polished.weights.clone())?;
        (weights.run, weights.result) = (best.run, best.result);
        if let Some(Remedy { objective, l2 }) = polished.remedy {
            weights.run.insert("polished_for".into(), toml::Value::try_from(objective)?);
            weights.run.insert("polished_l2".into(), l2.into());
        }
        weights.result.insert("correct".into(), toml_count(polished.correct.into()));
        let held_out = polished.held_out.chosen();
        weights.result.insert("held_out_correct".into(), toml_count(held_out.into()));
        let of = polished.held_out.of as u64;
        weights.result.insert("held_out_of".into(), toml_count(of));
        if let Some(correct) = self.polished_test {
            weights.result.insert("test_correct".into(), toml_count(correct.into()));
        }
        Ok(weights)
    }

    /// The weights of the winner of a run, with what made them.
    pub fn weights(&self, run: usize) -> Result<Weights> {
        let winner = &self.winners[run];
        let mut weights = self.features.weights(winner.weights.clone())?;
        let plan = &self.plan;
        let learned = &mut weights.run;
        learned.insert("command".into(), <EvolvePlan as folder::Plan>::COMMAND.into());
        learned.insert("data".into(), plan.data.describe().into());
        let hashes: Vec<String> =
            plan.data.inputs()?.into_iter().map(|input| input.sha256).collect();
        learned.insert("data_sha256".into(), hashes.into());
        if plan.unseen_test {
            learned.insert("unseen_test".into(), true.into());
        }
        if let Some(class) = plan.only {
            learned.insert("only".into(), class.name().into());
        }
        learned.insert("seed".into(), toml_count(plan.seed));
        learned.insert("learner".into(), plan.learner.name().into());
        if winner.generation.is_some() {
            learned.insert("run".into(), toml_count(run as u64 + 1));
            learned.insert("parameters".into(), toml::Value::try_from(&plan.parameters)?);
        } else {
            learned.insert("l2".into(), plan.l2.into());
            learned.insert("signed".into(), plan.parameters.signed.into());
        }
        let result = &mut weights.result;
        result.insert("correct".into(), toml_count(winner.correct.into()));
        result.insert("of".into(), toml_count(self.positions as u64));
        if let Some(generation) = winner.generation {
            result.insert("generation".into(), toml_count(generation.into()));
        }
        if let (Some(correct), Some(test)) = (winner.test, &self.test) {
            result.insert("test_correct".into(), toml_count(correct.into()));
            result.insert("test_of".into(), toml_count(test.len() as u64));
        }
        Ok(weights)
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let winner = self.winner();
        let of = self.positions;
        let share = |correct: u32, of: usize| f64::from(correct) / of.max(1) as f64;
        let test = |correct: Option<u32>| {
            let of = self.test.as_ref().map_or(0, Dataset::len);
            correct.map(
                |correct| json!({ "correct": correct, "of": of, "accuracy": share(correct, of) }),
            )
        };
        json!({
            "best": {
                "correct": winner.correct,
                "of": of,
                "accuracy": share(winner.correct, of),
                "run": self.best + 1,
                "generation": winner.generation,
                "test": test(winner.test),
                "kinds": kinds(&self.prediction),
            },
            "generations": self.generations(),
            "runs": self.winners.iter().map(|winner| json!({
                "seed": winner.seed,
                "correct": winner.correct,
                "generation": winner.generation,
                "test": test(winner.test),
                "weights": tesuji_learn::ga::weights_hash(&winner.weights),
            })).collect::<Vec<_>>(),
            "mean_of_runs": self.mean.as_ref().map(|mean| json!({
                "correct": mean.correct, "of": of, "accuracy": share(mean.correct, of),
                "test": test(mean.test),
            })),
            "polished": self.polished.as_ref().map(|polished| json!({
                "correct": polished.correct,
                "of": of,
                "accuracy": share(polished.correct, of),
                "objective": polished.remedy.map(|remedy| remedy.objective),
                "l2": polished.remedy.map(|remedy| remedy.l2),
                "held_out": {
                    "of": polished.held_out.of,
                    "run": polished.held_out.run,
                    "polished": polished.held_out.polished.iter().map(|(remedy, correct)| {
                        json!({
                            "objective": remedy.objective, "l2": remedy.l2, "correct": correct,
                        })
                    }).collect::<Vec<_>>(),
                },
                "test": test(self.polished_test),
            })),
            "experts": self.experts.as_ref().map(|panel| json!({
                "correct": panel.prediction.correct,
                "of": panel.prediction.of,
                "kinds": kinds(&panel.prediction),
                "test": panel.test.as_ref().map(|test| json!({
                    "correct": test.correct, "of": test.of, "kinds": kinds(test),
                })),
                "folds": panel.folds,
            })),
            "folds": self.folds,
            "held_out": self.held_out().map(|(correct, of)| json!({
                "correct": correct, "of": of, "accuracy": share(correct, of),
            })),
            "resulting_positions": self.resulting_positions(),
            "illegal_rows": self.illegal_rows(),
            "drawn": self.counted.as_ref().map(|counted| json!({
                "positions": self.data.len(),
                "resulting_positions": self.data.resulting_positions(),
                "counted_resulting_positions": counted.count.touched,
            })),
            "bytes_per_resulting_position":
                self.data.bytes() as f64 / self.data.resulting_positions().max(1) as f64,
            "feature_set": self.data.set().id(),
            "seconds": {
                "legal_moves": self.seconds.legal_moves,
                "features": self.seconds.features,
                "evolution": self.seconds.evolution,
                "counting": self.counted.as_ref().map(|counted| counted.seconds),
                "total": self.seconds.total,
            },
            "folder": folder.path(),
            "weights_file": folder.file(WEIGHTS),
            "report_file": folder.report_path(),
        })
    }

    /// The best organism of all runs and the mean over the populations, generation by generation.
    fn generations(&self) -> Vec<Value> {
        let count = self.winners.iter().map(|winner| winner.history.len()).max().unwrap_or(0);
        let generation = |i: usize| {
            let now: Vec<&Generation> =
                self.winners.iter().filter_map(|winner| winner.history.get(i)).collect();
            let mean = now.iter().map(|generation| generation.mean).sum::<f64>() / now.len() as f64;
            let best = now.iter().max_by_key(|generation| generation.best);
            json!({
                "generation": i + 1,
                "best": best.map(|generation| generation.best),
                "mean": mean,
                "test": best.and_then(|generation| generation.test),
            })
        };
        (0..count).map(generation).collect()
    }

    /// Held-out positions that were solved, of how many.
    pub fn held_out(&self) -> Option<(u32, usize)> {
        held_out(&self.folds)
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let of = |correct: u64, of: u64| {
            let share = correct as f64 / of.max(1) as f64;
            format!(
                "{} of {} ({})",
                number::count(correct),
                number::count(of),
                number::percent(share, 2)
            )
        };
        let all = self.positions as u64;
        let mut text = String::new();
        for (i, winner) in self.winners.iter().enumerate() {
            let correct = of(winner.correct.into(), all);
            text += &format!("run {:>2}  {correct}", i + 1);
            if let Some(generation) = winner.generation {
                text += &format!(" since generation {generation}");
            }
            if let (Some(correct), Some(test)) = (winner.test, &self.test) {
                text += &format!("  test {}", of(correct.into(), test.len() as u64));
            }
            text += if i == self.best { "  best\n" } else { "\n" };
        }
        if let Some(mean) = &self.mean {
            text += &format!("mean of their weights  {}", of(mean.correct.into(), all));
            if let (Some(correct), Some(test)) = (mean.test, &self.test) {
                text += &format!("  test {}", of(correct.into(), test.len() as u64));
            }
            text += "\n";
        }
        if let Some(polished) = &self.polished {
            text += &format!("best, polished  {}", of(polished.correct.into(), all));
            let held_out = &polished.held_out;
            text += &format!(
                "  held out {}, unpolished {}",
                of(held_out.chosen().into(), held_out.of as u64),
                number::count(held_out.run.into())
            );
            if let (Some(correct), Some(test)) = (self.polished_test, &self.test) {
                text += &format!("  test {}", of(correct.into(), test.len() as u64));
            }
            text += "\n";
        }
        if self.counted.is_some() {
            let drawn = number::count(self.data.len() as u64);
            text += &format!("kinds of moves, of the {drawn} positions drawn to learn from\n");
        }
        for class in MoveClass::ALL {
            let i = class.index();
            let (correct, count) =
                (self.prediction.correct_of_class[i], self.prediction.of_class[i]);
            text += &format!("  {:<9} {}\n", class.name(), of(correct as u64, count as u64));
        }
        if let Some((correct, count)) = self.held_out() {
            let correct = of(correct.into(), count as u64);
            text += &format!("held out, {} folds: {correct}\n", self.folds.len());
        }
        if let Some(panel) = &self.experts {
            let correct = of(panel.prediction.correct as u64, panel.prediction.of as u64);
            text += &format!("three experts with an arbiter: {correct}");
            if let Some(test) = &panel.test {
                text += &format!("  test {}", of(test.correct as u64, test.of as u64));
            }
            if let Some((correct, count)) = held_out(&panel.folds) {
                text += &format!("  held out {}", of(correct.into(), count as u64));
            }
            text += "\n";
        }
        text += &format!(
            "{} resulting positions; legal moves {}, features {}, evolution {}\n",
            number::count(self.resulting_positions() as u64),
            number::duration(self.seconds.legal_moves),
            number::duration(self.seconds.features),
            number::duration(self.seconds.evolution),
        );
        text += &format!("weights  {}\n", folder.file(WEIGHTS).display());
        text + &format!("report   {}\n", folder.report_path().display())
    }
}

/// Counts what the winners and their mean solve of all positions.
fn count(all: &All, set: &FeatureSet, winners: &mut [Winner], mean: Option<&mut Mean>) -> Counted {
    let of_mean = mean.iter().map(|mean| mean.weights.clone());
    let weights: Vec<Vec<i32>> =
        winners.iter().map(|winner| winner.weights.clone()).chain(of_mean).collect();
    let counted = all.count(set, &weights);
    let counts = winners.iter_mut().map(|winner| &mut winner.correct);
    let counts = counts.chain(mean.map(|mean| &mut mean.correct));
    counts.zip(&counted.count.correct).for_each(|(correct, &counted)| *correct = counted);
    counted
}

/// Held-out positions that were solved in all folds together, of how many.
pub fn held_out(folds: &[Fold]) -> Option<(u32, usize)> {
    let sum = |fold: &Fold| (fold.test_correct, fold.test);
    folds.iter().map(sum).reduce(|a, b| (a.0 + b.0, a.1 + b.1))
}

/// The winner that solves most.
fn best_of(winners: &[Winner]) -> usize {
    let mut best = 0;
    for (i, winner) in winners.iter().enumerate() {
        if winner.correct > winners[best].correct {
            best = i;
        }
    }
    best
}

/// What is solved and chosen, by kind of moves.
fn kinds(prediction: &Prediction) -> Value {
    let kind = |class: MoveClass| {
        let i = class.index();
        let numbers = json!({
            "of": prediction.of_class[i],
            "correct": prediction.correct_of_class[i],
            "chosen": prediction.chosen[i],
        });
        (class.name().to_owned(), numbers)
    };
    Value::Object(MoveClass::ALL.into_iter().map(kind).collect())
}

fn toml_count(count: u64) -> toml::Value {
    toml::Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}
