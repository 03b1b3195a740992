//! How many of the moves that masters played a cut keeps, and how many moves it saves.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};
use tesuji_eval::MoveModel;
use tesuji_eval::plausible::{Cut, Generator, Merits};
use tesuji_learn::games::part_of;
use tesuji_learn::imitation::MoveExample;
use tesuji_learn::plausible::{Judge, Keeping, Kept, OfGenerator, kept};
use tesuji_learn::pool;
use tesuji_records::collection::Part;
use tesuji_run::Context;

use crate::data::positions::for_each_game;

/// Positions that are worked on together.
const BATCH: usize = 8192;

/// What is measured, and with which games.
#[derive(Clone, PartialEq, Debug)]
pub struct AccuracyPlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// Only the games that training with the same seed learns from, or holds out.
    pub part: Option<Part>,
    /// By which games are divided.
    pub seed: u64,
    /// The first move of a game that counts.
    pub from_ply: u16,
    /// Which moves are kept.
    pub cut: Cut,
    /// A file of merits, the name of those that come with the program, or `move`: the model of moves
    /// that does, to compare with.
    pub merit: String,
    /// Do improvement and prevention rest while a strong threat is on the board?
    pub hierarchy: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct AccuracyOutcome {
    /// What was measured.
    pub plan: AccuracyPlan,
    /// Games, and positions whose move is not legal.
    pub games: usize,
    /// What was kept.
    pub kept: Kept,
    /// How long it took.
    pub seconds: f64,
}

/// Measures.
pub fn accuracy(plan: &AccuracyPlan, context: &Context<'_>) -> Result<AccuracyOutcome> {
    let started = Instant::now();
    let rates = Rates::load(&plan.merit, plan.cut)?;
    let keeping = Keeping { judge: rates.judge(plan.hierarchy), cut: plan.cut };
    let pool = pool(context.threads)?;
    let mut sum = Kept::default();
    let mut games = 0;
    let mut batch: Vec<MoveExample> = Vec::new();
    let mut progress = context.observer.begin(0, "");
    let mut work = |batch: &mut Vec<MoveExample>| {
        sum.merge(&pool.install(|| kept(&keeping, batch)).0);
        batch.clear();
        let (positions, missed) = (sum.positions, sum.missed());
        progress.update(positions as u64, &|| format!("{positions} positions, {missed} missed"));
    };
    for_each_game(&plan.games, context.observer, |game| {
        if plan.part.is_some_and(|part| part != part_of(game, plan.seed)) {
            return;
        }
        games += 1;
        let examples = MoveExample::of_game(game.positions());
        batch.extend(examples.filter(|example| example.position.ply() >= plan.from_ply));
        if batch.len() >= BATCH {
            work(&mut batch);
        }
    })?;
    work(&mut batch);
    drop(progress);
    ensure!(sum.positions > 0, "no positions to measure with");
    let seconds = started.elapsed().as_secs_f64();
    Ok(AccuracyOutcome { plan: plan.clone(), games, kept: sum, seconds })
}

/// What rates moves.
pub enum Rates {
    /// The merits of generators.
    Merits(Merits),
    /// A model of moves.
    Model(Box<MoveModel>),
}

impl Rates {
    /// The name of the model of moves.
    pub const MOVE: &str = "move";

    /// By name or from a file, for this cut.
    pub fn load(name: &str, cut: Cut) -> Result<Self> {
        if name != Self::MOVE {
            return Ok(Self::Merits(Merits::load(name)?));
        }
        let by_place = matches!(cut, Cut::Best(_) | Cut::Mass(_));
        ensure!(by_place, "the cut {cut} asks generators, which the model of moves has not");
        Ok(Self::Model(Box::new(MoveModel::shipped())))
    }

    /// The judge, with or without the hierarchy of generators.
    pub const fn judge(&self, hierarchy: bool) -> Judge<'_> {
        match self {
            Self::Merits(merits) => Judge::Merits { merits, hierarchy },
            Self::Model(model) => Judge::Model(model),
        }
    }
}

impl AccuracyOutcome {
    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let kept = &self.kept;
        json!({
            "games": self.games,
            "positions": kept.positions,
            "cut": self.plan.cut.to_string(),
            "merit": self.plan.merit,
            "hierarchy": self.plan.hierarchy,
            "missed": kept.missed(),
            "accuracy": kept.accuracy(),
            "legal": kept.legal,
            "kept": kept.kept.legal,
            "saved": kept.saved(),
            "top1": kept.within(1),
            "top5": kept.within(5),
            "top10": kept.within(10),
            "ranks": kept.ranks,
            "savings": kept.savings,
            "by_generator": by_generator(kept),
            "seconds": self.seconds,
        })
    }

    /// What came out, for a person at a terminal.
    pub fn text(&self) -> String {
        let kept = &self.kept;
        let percent = |share: f64| 100.0 * share;
        let mut text = format!(
            "{} positions of {} games, cut {}: {} moves missed, accuracy {:.2} %; {:.1} of {:.1} \
             moves kept, {:.1} % saved\nby merit: first {:.1} %, first 5 {:.1} %, first 10 {:.1} %\n",
            kept.positions,
            self.games,
            self.plan.cut,
            kept.missed(),
            percent(kept.accuracy()),
            kept.kept.legal as f64 / kept.positions as f64,
            kept.legal as f64 / kept.positions as f64,
            percent(kept.saved()),
            percent(kept.within(1)),
            percent(kept.within(5)),
            percent(kept.within(10)),
        );
        if has_none(kept) {
            return text;
        }
        text += &format!(
            "{:<20} {:>9} {:>7} {:>8} {:>8}   without it: {:>7} {:>7}\n",
            "generator", "produced", "% moves", "% played", "only it", "missed", "saved",
        );
        for (generator, of) in Generator::ALL.into_iter().zip(&kept.generators) {
            text += &format!(
                "{generator:<20} {:>9} {:>7.2} {:>8.2} {:>8} {:>12} {:>7} {:>7.2}\n",
                of.produced.legal,
                percent(of.produced.legal as f64 / kept.legal as f64),
                percent(of.produced.played as f64 / kept.positions as f64),
                of.only.played,
                "",
                kept.positions - of.kept_without.played,
                percent(kept.saved_with(of.kept_without)),
            );
        }
        text
    }
}

/// What each generator has part in; nothing where a model of moves rates.
pub fn by_generator(kept: &Kept) -> Map<String, Value> {
    let one = |(generator, of): (Generator, &OfGenerator)| {
        (generator.name().to_owned(), generator_json(kept, of))
    };
    let all = Generator::ALL.into_iter().zip(&kept.generators);
    if has_none(kept) { Map::new() } else { all.map(one).collect() }
}

/// Does no generator produce anything?
fn has_none(kept: &Kept) -> bool {
    kept.generators.iter().all(|of| of.produced.legal == 0)
}

fn generator_json(kept: &Kept, of: &OfGenerator) -> Value {
    json!({
        "produced": of.produced.played,
        "only": of.only.played,
        "produced_moves": of.produced.legal,
        "only_moves": of.only.legal,
        "accuracy_without": of.kept_without.played as f64 / kept.positions.max(1) as f64,
        "saved_without": kept.saved_with(of.kept_without),
    })
}
