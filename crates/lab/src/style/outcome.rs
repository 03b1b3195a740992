//! What a comparison of a player with others found.

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_learn::Dataset;
use tesuji_math::stats::{holm, student_two_sided};
use tesuji_report::number;
use tesuji_run::RunFolder;

use super::data::{Chosen, Outing};
use super::fit::Weights;
use super::{Auc, BredStyle, Findings, Spread, StylePlan, habits, page, words};
use crate::data::Features;

/// The chance of any mistake among all that is called significant.
const LEVEL: f64 = 0.05;
/// The largest weight after rounding.
const LARGEST: f64 = 4000.0;
const PLAYER_WEIGHTS: &str = "weights.toml";
const OTHERS_WEIGHTS: &str = "others.toml";
const BRED_WEIGHTS: [&str; 2] = ["bred.toml", "bred-others.toml"];

/// What a weight says of the player.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureStyle {
    /// The feature.
    pub name: String,
    /// The player's weight, in logarithms of odds.
    pub player: f64,
    /// That of the others, by the same scale.
    pub others: f64,
    /// The difference.
    pub difference: f64,
    /// Its standard error, games drawn by chance.
    pub error: f64,
    /// The chance of so large a difference if there is none.
    pub p: f64,
    /// The same for all tests together, by Holm's correction.
    pub adjusted: f64,
    /// In words.
    pub text: String,
}

/// What a habit says of the player.
#[derive(Clone, PartialEq, Debug)]
pub struct HabitStyle {
    /// The numbers.
    pub habit: habits::Compared,
    /// Its chance for all tests together, by Holm's correction.
    pub adjusted: f64,
}

/// Random games of others, treated as a player's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// How well single moves are told apart: by chance alone.
    pub moves: Auc,
    /// How well games are.
    pub games: Auc,
    /// Tests that are called significant, and should not be.
    pub significant: usize,
}

/// What came of it.
pub struct StyleOutcome {
    pub(super) plan: StylePlan,
    pub(super) spellings: Vec<(String, usize)>,
    pub(super) years: Option<(u16, u16)>,
    /// Games of the player and of the others.
    pub games: [usize; 2],
    /// Games that the player won and lost.
    pub results: [usize; 2],
    /// Positions of both.
    pub positions: [usize; 2],
    /// The mean ply of the positions of both.
    pub(super) plies: [f64; 2],
    /// How well single moves of held-out games are told from others'.
    pub moves: Auc,
    /// How well whole games are, by the moves that were taken from them.
    pub whole: Auc,
    /// The controls.
    pub controls: Vec<Control>,
    /// All features.
    pub features: Vec<FeatureStyle>,
    /// All habits.
    pub habits: Vec<HabitStyle>,
    /// What the genetic algorithm makes of both.
    pub bred: BredStyle,
    /// How much more the player's moves follow the features.
    pub(super) scale: f64,
    weights: [tesuji_eval::Weights; 2],
    /// Bred on all games but the first part.
    bred_weights: [tesuji_eval::Weights; 2],
    seconds: f64,
}

/// All tests of a subject, with one correction for all of them.
fn tests(
    found: &Weights,
    data: &Dataset,
    own: &[&Outing],
    others: &[&Outing],
) -> (Vec<FeatureStyle>, Vec<HabitStyle>) {
    let freedom = own.len() as f64 - 1.0;
    let style = |i: usize| {
        let (difference, error) = (found.differences[i], found.errors[i]);
        let feature = &data.set().features()[i];
        let column = data.columns()[i];
        let compared = words::Compared {
            sentence: feature.sentence,
            penalty: column.max <= 0 && column.min < 0,
            player: found.player[i],
            others: found.others[i],
            others_error: found.others_errors[i],
        };
        FeatureStyle {
            name: feature.name.to_owned(),
            player: found.player[i],
            others: found.others[i],
            difference,
            error,
            p: if error > 0.0 { student_two_sided(difference / error, freedom) } else { 1.0 },
            adjusted: 1.0,
            text: compared.text(),
        }
    };
    let mut features: Vec<FeatureStyle> = (0..data.set().len()).map(style).collect();
    let habits = habits::compare(own, others).into_iter();
    let mut habits: Vec<HabitStyle> =
        habits.map(|habit| HabitStyle { habit, adjusted: 1.0 }).collect();
    let chances: Vec<f64> =
        features.iter().map(|f| f.p).chain(habits.iter().map(|h| h.habit.p)).collect();
    let adjusted = holm(&chances);
    features.iter_mut().zip(&adjusted).for_each(|(feature, &p)| feature.adjusted = p);
    habits.iter_mut().zip(&adjusted[data.set().len()..]).for_each(|(habit, &p)| habit.adjusted = p);
    (features, habits)
}

impl FeatureStyle {
    /// Is the difference more than chance, after all tests?
    pub fn is_significant(&self) -> bool {
        self.adjusted < LEVEL
    }
}

impl HabitStyle {
    /// Is the difference more than chance, after all tests?
    pub fn is_significant(&self) -> bool {
        self.adjusted < LEVEL
    }
}

impl StyleOutcome {
    pub(super) fn new(
        plan: &StylePlan,
        set: Features,
        data: &Dataset,
        chosen: &Chosen,
        findings: &Findings,
        seconds: f64,
    ) -> Result<Self> {
        let Findings { subjects, found, bred } = findings;
        let all: Vec<&Outing> = chosen.player.iter().chain(&chosen.others).collect();
        let of = |numbers: &[usize]| -> Vec<&Outing> { numbers.iter().map(|&i| all[i]).collect() };
        let mut measured = Vec::new();
        for (subject, found) in subjects.iter().zip(found) {
            let (own, others) = (of(&subject.own), of(&subject.others));
            let (features, habits) = tests(&found.weights, data, &own, &others);
            let [own, others] =
                [found.scores(|fold| &fold.player), found.scores(|fold| &fold.others)];
            let moves = Auc::of_moves(&own, &others, plan.seed);
            let games = Auc::of_games(&own, &others, plan.seed);
            measured.push((moves, games, features, habits));
        }
        let mut measured = measured.into_iter();
        let (moves, whole, features, habits) = measured.next().unwrap_or_default();
        let control =
            |(moves, games, features, habits): (Auc, Auc, Vec<FeatureStyle>, Vec<HabitStyle>)| {
                let significant = features.iter().filter(|f| f.is_significant()).count()
                    + habits.iter().filter(|h| h.is_significant()).count();
                Control { moves, games, significant }
            };
        let results = [true, false]
            .map(|won| chosen.player.iter().filter(|outing| outing.won == Some(won)).count());
        let positions = [&chosen.player, &chosen.others]
            .map(|outings| outings.iter().map(|outing| outing.samples.len()).sum::<usize>());
        let plies = [&chosen.player, &chosen.others].map(|outings| mean_ply(outings));
        Ok(Self {
            plan: plan.clone(),
            spellings: chosen.spellings.clone(),
            years: chosen.years,
            games: [chosen.player.len(), chosen.others.len()],
            results,
            positions,
            plies,
            moves,
            whole,
            controls: measured.map(control).collect(),
            features,
            habits,
            bred: BredStyle::new(data, bred),
            bred_weights: bred_weights(plan, &set, &bred[0].weights)?,
            scale: found[0].weights.scale,
            weights: whole_weights(plan, &set, &found[0].weights)?,
            seconds,
        })
    }

    /// The tests that were made.
    pub(super) fn tests(&self) -> usize {
        self.features.len() + self.habits.len()
    }

    /// What sets the player apart, in words, the surest first.
    pub fn sentences(&self) -> Vec<&str> {
        let features = self.features.iter().filter(|feature| feature.is_significant());
        let habits = self.habits.iter().filter(|habit| habit.is_significant());
        let mut said: Vec<(f64, &str)> = features
            .map(|feature| (feature.p, &*feature.text))
            .chain(habits.map(|style| (style.habit.p, &*style.habit.text)))
            .collect();
        said.sort_by(|a, b| a.0.total_cmp(&b.0));
        said.into_iter().map(|(_, text)| text).collect()
    }

    /// Writes the weights, the numbers and the report into the folder of the run.
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        let names = [PLAYER_WEIGHTS, OTHERS_WEIGHTS].into_iter().chain(BRED_WEIGHTS);
        for (name, weights) in names.zip(self.weights.iter().chain(&self.bred_weights)) {
            folder.write(name, weights.to_text().as_bytes())?;
        }
        folder.write_json("result.json", &self.json(folder))?;
        folder.write_report(&page::page(self).to_html())?;
        Ok(())
    }

    /// Everything as JSON.
    pub fn json(&self, folder: &RunFolder) -> Value {
        let feature = |(feature, (shares, bred)): (&FeatureStyle, &([f64; 2], Spread))| {
            json!({
                "name": feature.name,
                "player": feature.player,
                "others": feature.others,
                "difference": feature.difference,
                "error": feature.error,
                "p": feature.p,
                "p_adjusted": feature.adjusted,
                "significant": feature.is_significant(),
                "text": feature.text,
                "bred": {
                    "player": shares[0],
                    "others": shares[1],
                    "difference": bred.value,
                    "error": bred.error,
                },
            })
        };
        let habit = |style: &HabitStyle| {
            let habits::Compared { name, player, others, error, games, p, text } = &style.habit;
            json!({
                "name": name,
                "player": player,
                "others": others,
                "difference": player - others,
                "error": error,
                "games": games,
                "p": p,
                "p_adjusted": style.adjusted,
                "significant": style.is_significant(),
                "text": text,
            })
        };
        let spellings: Vec<Value> = self
            .spellings
            .iter()
            .map(|(name, games)| json!({ "name": name, "games": games }))
            .collect();
        json!({
            "player": self.plan.player.join(", "),
            "spellings": spellings,
            "games": self.games[0],
            "won": self.results[0],
            "lost": self.results[1],
            "others_games": self.games[1],
            "years": self.years,
            "positions": self.positions[0],
            "others_positions": self.positions[1],
            "mean_ply": self.plies[0],
            "others_mean_ply": self.plies[1],
            "auc": self.moves.value,
            "auc_error": self.moves.error,
            "game_auc": self.whole.value,
            "game_auc_error": self.whole.error,
            "control": self.control_json(),
            "tests": self.tests(),
            "scale": self.scale,
            "sentences": self.sentences(),
            "bred": self.bred_json(folder),
            "features": self.features.iter().zip(&self.bred.shares).map(feature).collect::<Vec<_>>(),
            "habits": self.habits.iter().map(habit).collect::<Vec<_>>(),
            "seconds": self.seconds,
            "folder": folder.path(),
            "weights_file": folder.file(PLAYER_WEIGHTS),
            "others_weights_file": folder.file(OTHERS_WEIGHTS),
            "report_file": folder.report_path(),
        })
    }

    fn bred_json(&self, folder: &RunFolder) -> Value {
        let BredStyle { told: [player, others], gain, .. } = &self.bred;
        let told = |told: &[f64; 2]| json!({ "player_moves": told[0], "others_moves": told[1] });
        json!({
            "player_weights": told(player),
            "others_weights": told(others),
            "gain": gain.value,
            "gain_error": gain.error,
            "weights_file": folder.file(BRED_WEIGHTS[0]),
            "others_weights_file": folder.file(BRED_WEIGHTS[1]),
        })
    }

    fn control_json(&self) -> Value {
        let control = |control: &Control| {
            json!({
                "auc": control.moves.value,
                "auc_error": control.moves.error,
                "game_auc": control.games.value,
                "game_auc_error": control.games.error,
                "significant": control.significant,
            })
        };
        json!({
            "auc": self.control_mean(|control| control.moves.value),
            "game_auc": self.control_mean(|control| control.games.value),
            "significant": self.controls.iter().map(|control| control.significant).sum::<usize>(),
            "sets": self.controls.iter().map(control).collect::<Vec<_>>(),
        })
    }

    /// The mean over the controls; nothing without one.
    pub(super) fn control_mean(&self, of: impl Fn(&Control) -> f64) -> Option<f64> {
        let count = self.controls.len();
        (count > 0).then(|| self.controls.iter().map(of).sum::<f64>() / count as f64)
    }

    /// The spellings that were joined, with their games.
    pub(super) fn joined(&self) -> String {
        let one = |(name, games): &(String, usize)| {
            format!("{name} ({})", number::counted(*games as u64, "game"))
        };
        self.spellings.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self, folder: &RunFolder) -> String {
        let count = |count: usize| number::count(count as u64);
        let area = |auc: Auc| format!("{:.3} ± {:.3}", auc.value, auc.error);
        let mut text = format!(
            "{}: {} games ({} won, {} lost), {} positions, beside {} games and {} positions of \
             others\n\
             spellings  {}\n\
             told apart AUC {} by a move, {} by a game (held out)\n",
            self.plan.player.join(", "),
            count(self.games[0]),
            self.results[0],
            self.results[1],
            count(self.positions[0]),
            count(self.games[1]),
            count(self.positions[1]),
            self.joined(),
            area(self.moves),
            area(self.whole),
        );
        for control in &self.controls {
            text += &format!(
                "control    AUC {} by a move, {} by a game; {} significant\n",
                area(control.moves),
                area(control.games),
                control.significant
            );
        }
        let BredStyle { told, gain, .. } = &self.bred;
        text += &format!(
            "bred       own weights tell {} of the player's held-out moves and {} of others', others' \
             weights {} and {}: {:+.1} ± {:.1} points\n",
            number::percent(told[0][0], 1),
            number::percent(told[0][1], 1),
            number::percent(told[1][0], 1),
            number::percent(told[1][1], 1),
            100.0 * gain.value,
            100.0 * gain.error,
        );
        let tests = self.tests();
        match &self.sentences()[..] {
            [] => text += &format!("nothing is significant after {tests} tests\n"),
            said => {
                text += &format!("what sets the player apart, significant after {tests} tests:\n");
                said.iter().for_each(|sentence| text += &format!("  {sentence}\n"));
            }
        }
        text += &format!("weights    {}\n", folder.file(PLAYER_WEIGHTS).display());
        text + &format!("report     {}\n", folder.report_path().display())
    }
}

fn mean_ply(outings: &[Outing]) -> f64 {
    let plies: Vec<f64> = outings
        .iter()
        .flat_map(|outing| &outing.samples)
        .map(|sample| f64::from(sample.ply))
        .collect();
    plies.iter().sum::<f64>() / plies.len().max(1) as f64
}

/// The weights of both as whole numbers by one scale, for engines to play with.
fn whole_weights(
    plan: &StylePlan,
    features: &Features,
    found: &Weights,
) -> Result<[tesuji_eval::Weights; 2]> {
    let both = [&found.player, &found.others];
    let most =
        both.iter().flat_map(|weights| weights.iter()).fold(0.0_f64, |most, w| most.max(w.abs()));
    let unit = if most > 0.0 { LARGEST / most } else { 0.0 };
    let whole = |value: &f64| (value * unit).round() as i32;
    noted(plan, features, both.map(|values| values.iter().map(whole).collect()), "fit")
}

/// The weights that the genetic algorithm found.
fn bred_weights(
    plan: &StylePlan,
    features: &Features,
    bred: &[Vec<i32>; 2],
) -> Result<[tesuji_eval::Weights; 2]> {
    noted(plan, features, bred.clone(), "genetic")
}

/// The weights of the player and of the others, with where they come from.
fn noted(
    plan: &StylePlan,
    features: &Features,
    [player, others]: [Vec<i32>; 2],
    learner: &str,
) -> Result<[tesuji_eval::Weights; 2]> {
    let make = |values: Vec<i32>, of: &str| -> Result<tesuji_eval::Weights> {
        let mut weights = features.weights(values)?;
        weights.run.insert("command".into(), "evolve --player".into());
        weights.run.insert("player".into(), plan.player.join(", ").into());
        weights.run.insert("moves_of".into(), of.into());
        weights.run.insert("learner".into(), learner.into());
        weights.run.insert("seed".into(), i64::try_from(plan.seed).unwrap_or(i64::MAX).into());
        Ok(weights)
    };
    Ok([make(player, "the player")?, make(others, "others")?])
}
