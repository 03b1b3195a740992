//! Which castles, strategies and assaults games have, and with what success.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tesuji_eval::formations::{Atlas, Formations, SideRecognition, Stage, Tracker};
use tesuji_learn::games::is_held_out;
use tesuji_learn::pool;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_run::Context;
use tesuji_shogi::{Color, Outcome, Position};

use crate::data::positions::in_parallel;

/// Which games are looked at, and when.
#[derive(Clone, Debug)]
pub struct SurveyPlan {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// The position after this many moves is the one that counts.
    pub ply: usize,
    /// Only the games that a training with this seed keeps apart to measure with.
    pub held_out: Option<u64>,
}

/// How often something was played, and with what success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Popularity {
    /// Players' sides with it.
    pub sides: u64,
    /// Of them Black's.
    pub black: u64,
    /// Sides of decided games.
    pub decided: u64,
    /// Won, drawn games as half: counted in halves.
    pub half_points: u64,
    /// Decided sides and half points of Black alone.
    pub of_black: [u64; 2],
}

impl Popularity {
    fn add(&mut self, color: Color, half_points: Option<u64>) {
        let is_black = u64::from(color == Color::Black);
        self.sides += 1;
        self.black += is_black;
        if let Some(points) = half_points {
            self.decided += 1;
            self.half_points += points;
            self.of_black[0] += is_black;
            self.of_black[1] += is_black * points;
        }
    }

    /// The share of points, with its standard error.
    pub fn success(&self) -> Option<(f64, f64)> {
        let decided = self.decided as f64;
        let share = self.half_points as f64 / 2.0 / decided;
        (self.decided > 0).then(|| (share, (share * (1.0 - share) / decided).sqrt()))
    }

    /// The share of points of one player, `None` if no such game was decided.
    pub fn success_of(&self, color: Color) -> Option<f64> {
        let [mut decided, mut points] = self.of_black;
        if color == Color::White {
            (decided, points) = (self.decided - decided, self.half_points - points);
        }
        (decided > 0).then(|| points as f64 / 2.0 / decided as f64)
    }
}

/// What was found in games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// All games.
    pub games: u64,
    /// Players' sides in games that are long enough.
    pub sides: u64,
    /// Of them those whose castle has a name.
    pub named: u64,
    /// And is complete to 60 % or more.
    pub mostly_built: u64,
    /// Changes of the name of a castle, in all games.
    pub changes: u64,
    /// By the place in the list: castles, strategies, assaults.
    pub castles: BTreeMap<usize, Popularity>,
    /// Strategies by their names.
    pub strategies: BTreeMap<String, Popularity>,
    /// Assaults by their places.
    pub assaults: BTreeMap<usize, Popularity>,
    /// Castles by the strategy of their owner and of the opponent.
    pub by_opening: BTreeMap<(usize, String, String), Popularity>,
    /// What became of castles that a swap rule speaks of, by the rule's place in the list.
    pub swaps: BTreeMap<usize, Swapped>,
    /// A castle against another: of the first, which is the one that the list has before the other.
    /// Of a castle against itself, Black's.
    pub pairings: BTreeMap<(usize, usize), Popularity>,
}

/// How often a swap rule held, and what players did then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Swapped {
    /// Positions in which it held for the castle that suited best.
    pub positions: u64,
    /// Sides that went to the castle that it names, kept the one that it gives up, and others.
    pub sides: [Popularity; 3],
}

impl Swapped {
    /// Sides for which it held.
    pub fn held(&self) -> u64 {
        self.sides.iter().map(|one| one.sides).sum()
    }
}

/// What one player's side was.
struct SideFound {
    color: Color,
    castle: Option<(usize, f64)>,
    strategy: Option<String>,
    assault: Option<usize>,
}

/// A swap rule that held for a side.
struct SwapFound {
    color: Color,
    rule: usize,
    from: usize,
    positions: u64,
    /// Had the castle that the rule names its name afterwards, and which castle had it last?
    went: bool,
    last: Option<usize>,
}

/// What one game had.
struct GameFound {
    sides: Vec<SideFound>,
    swaps: Vec<SwapFound>,
    changes: u64,
    black_half_points: Option<u64>,
}

/// Looks at all games, of which there must be some.
pub fn survey(plan: &SurveyPlan, atlas: &Atlas, context: &Context<'_>) -> Result<Survey> {
    let survey = survey_any(plan, atlas, context)?;
    ensure!(survey.games > 0, "there is no such game in these files");
    Ok(survey)
}

/// Looks at all games, if there are any.
pub fn survey_any(plan: &SurveyPlan, atlas: &Atlas, context: &Context<'_>) -> Result<Survey> {
    pool(context.threads)?.install(|| {
        let mut survey = Survey::default();
        let mut progress = context.observer.begin(0, "");
        let records = Games::new(Input::from_paths(&plan.games)?, None).raw();
        let is_wanted =
            |game: &GameRecord| plan.held_out.is_none_or(|seed| is_held_out(game, seed));
        let of_game = |game: &GameRecord, _| is_wanted(game).then(|| look(game, plan.ply, atlas));
        in_parallel((0..).zip(records), context.observer, of_game, |some| {
            some.iter().flatten().for_each(|game| survey.add(game));
            progress.update(survey.games, &|| format!("{} games", survey.games));
        })?;
        Ok(survey)
    })
}

fn look(game: &GameRecord, ply: usize, atlas: &Atlas) -> GameFound {
    let formations = atlas.formations();
    let mut tracker = Tracker::new(formations);
    let (mut sides, mut swaps) = (Vec::new(), Vec::new());
    for (number, (position, _)) in game.positions().enumerate() {
        let seen = tracker.see(&position);
        for color in Color::ALL {
            follow_swaps(&mut swaps, formations, &position, color, seen.of(color));
        }
        if number == ply {
            sides = Color::ALL
                .map(|color| {
                    let side = seen.of(color);
                    SideFound {
                        color,
                        castle: side.castle.as_ref().map(|one| (one.index, one.complete)),
                        strategy: side.strategy.map(|one| one.names.id.clone()),
                        assault: side.assault.as_ref().map(|one| one.index),
                    }
                })
                .into();
        }
    }
    let changes = Color::ALL.map(|color| tracker.changes(color) as u64).iter().sum();
    let black_half_points = match game.outcome() {
        Outcome::Win(Color::Black) => Some(2),
        Outcome::Draw => Some(1),
        Outcome::Win(Color::White) => Some(0),
        Outcome::Unknown => None,
    };
    GameFound { sides, swaps, changes, black_half_points }
}

/// Notes which swap rule holds for a side, and what becomes of those that held before.
fn follow_swaps(
    swaps: &mut Vec<SwapFound>,
    formations: &Formations,
    position: &Position,
    color: Color,
    seen: &SideRecognition<'_>,
) {
    if seen.stage == Stage::Endgame {
        return;
    }
    let name = seen.castle.as_ref().map(|one| one.index);
    for known in swaps.iter_mut().filter(|known| known.color == color) {
        known.went |= name == Some(formations.swaps()[known.rule].to);
        known.last = name.or(known.last);
    }
    let wanted = formations.wanted(position, color, 1, None);
    let Some((from, rule)) = wanted.first().and_then(|wanted| wanted.swap) else { return };
    let place = formations.swaps().iter().position(|one| std::ptr::eq(one, rule));
    let Some(rule) = place else { return };
    match swaps.iter_mut().find(|known| known.color == color && known.rule == rule) {
        Some(known) => known.positions += 1,
        None => {
            let (went, last) = (false, name);
            swaps.push(SwapFound { color, rule, from, positions: 1, went, last });
        }
    }
}

impl Survey {
    fn add(&mut self, game: &GameFound) {
        self.games += 1;
        self.changes += game.changes;
        self.add_pairing(game);
        let of_side = |color: Color| {
            let black = game.black_half_points;
            black.map(|points| if color == Color::Black { points } else { 2 - points })
        };
        for swap in &game.swaps {
            let swapped = self.swaps.entry(swap.rule).or_default();
            swapped.positions += swap.positions;
            let what = if swap.went { 0 } else { 2 - usize::from(swap.last == Some(swap.from)) };
            swapped.sides[what].add(swap.color, of_side(swap.color));
        }
        let strategy = |side: &SideFound| side.strategy.clone().unwrap_or_default();
        for side in &game.sides {
            let points = of_side(side.color);
            self.sides += 1;
            if let Some((castle, complete)) = side.castle {
                self.named += 1;
                self.mostly_built += u64::from(complete >= 0.6);
                self.castles.entry(castle).or_default().add(side.color, points);
                let other = game.sides.iter().find(|other| other.color != side.color);
                let opening = (castle, strategy(side), other.map(strategy).unwrap_or_default());
                self.by_opening.entry(opening).or_default().add(side.color, points);
            }
            if let Some(assault) = side.assault {
                self.assaults.entry(assault).or_default().add(side.color, points);
            }
            let strategies = self.strategies.entry(strategy(side)).or_default();
            strategies.add(side.color, points);
        }
    }

    /// Counts which castle met which.
    fn add_pairing(&mut self, game: &GameFound) {
        let [one, other] = &*game.sides else { return };
        let (Some((own, _)), Some((enemy, _))) = (one.castle, other.castle) else { return };
        let points = game.black_half_points;
        let (pair, color) = match own <= enemy {
            true => ((own, enemy), one.color),
            false => ((enemy, own), other.color),
        };
        let points = points.map(|points| if color == Color::Black { points } else { 2 - points });
        self.pairings.entry(pair).or_default().add(color, points);
    }

    /// Changes of a castle's name in a game, both players together.
    pub fn changes_per_game(&self) -> f64 {
        self.changes as f64 / self.games.max(1) as f64
    }

    /// All of it as JSON.
    pub fn to_json(&self, atlas: &Atlas) -> Value {
        let formations = atlas.formations();
        let castle = |index: usize| &formations.castles()[index].names;
        let assault = |index: usize| &formations.assaults()[index].names;
        let mut castles: Vec<_> = self.castles.iter().collect();
        castles.sort_by_key(|(_, popularity)| std::cmp::Reverse(popularity.sides));
        let castles: Vec<Value> = castles
            .into_iter()
            .map(|(&index, popularity)| {
                let mut shown =
                    popularity_json(&castle(index).id, &castle(index).kanji, popularity);
                shown["openings"] = self.openings_json(index);
                shown
            })
            .collect();
        let mut assaults: Vec<_> = self.assaults.iter().collect();
        assaults.sort_by_key(|(_, popularity)| std::cmp::Reverse(popularity.sides));
        let assaults: Vec<Value> = assaults
            .into_iter()
            .map(|(&index, one)| popularity_json(&assault(index).id, &assault(index).kanji, one))
            .collect();
        let kanji = |id: &str| {
            let strategy = formations.strategies().iter().find(|one| one.names.id == id);
            strategy.map_or("", |strategy| &strategy.names.kanji)
        };
        let mut strategies: Vec<_> = self.strategies.iter().collect();
        strategies.sort_by_key(|(_, popularity)| std::cmp::Reverse(popularity.sides));
        let strategies: Vec<Value> = strategies
            .into_iter()
            .map(|(id, popularity)| popularity_json(id, kanji(id), popularity))
            .collect();
        json!({
            "games": self.games,
            "sides": self.sides,
            "named": self.named,
            "mostly_built": self.mostly_built,
            "changes_per_game": self.changes_per_game(),
            "castles": castles,
            "strategies": strategies,
            "assaults": assaults,
            "swaps": self.swaps_json(formations),
        })
    }

    /// Every swap rule: how often it held, and what players did then.
    fn swaps_json(&self, formations: &Formations) -> Value {
        let id = |index: usize| &formations.castles()[index].names.id;
        let rules = formations.swaps().iter().enumerate().map(|(place, rule)| {
            let swapped = self.swaps.get(&place).copied().unwrap_or_default();
            let [went, kept, other] = swapped.sides;
            let shown = |one: Popularity| {
                json!({ "sides": one.sides, "success": one.success().map(|(share, _)| share) })
            };
            json!({
                "from": rule.from.iter().map(|&index| id(index)).collect::<Vec<_>>(),
                "to": id(rule.to),
                "why": rule.why[0],
                "positions": swapped.positions,
                "sides": swapped.held(),
                "went": shown(went),
                "kept": shown(kept),
                "other": shown(other),
            })
        });
        rules.collect()
    }

    fn openings_json(&self, castle: usize) -> Value {
        let own = self.by_opening.iter().filter(|((index, _, _), _)| *index == castle);
        let mut own: Vec<_> = own.collect();
        own.sort_by_key(|(_, popularity)| std::cmp::Reverse(popularity.sides));
        let openings = own.into_iter().map(|((_, own, enemy), popularity)| {
            json!({
                "strategy": own,
                "against": enemy,
                "sides": popularity.sides,
                "success": popularity.success().map(|(share, _)| share),
            })
        });
        openings.collect()
    }
}

fn popularity_json(id: &str, kanji: &str, popularity: &Popularity) -> Value {
    let success = popularity.success();
    json!({
        "id": id,
        "kanji": kanji,
        "sides": popularity.sides,
        "black": popularity.black,
        "success": success.map(|(share, _)| share),
        "error": success.map(|(_, error)| error),
    })
}
