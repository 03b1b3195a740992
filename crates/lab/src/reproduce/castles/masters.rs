//! What masters play: the survey of their games as lists, the most frequent first.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use tesuji_eval::formations::{Atlas, Names};

use crate::castles::{Popularity, Survey};

/// Something that is played, and with what success.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    pub id: String,
    pub name: String,
    pub kanji: String,
    pub popularity: Popularity,
}

/// A castle against another, or with the strategies of both players.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Met {
    /// The names of all that met.
    pub names: Vec<String>,
    pub popularity: Popularity,
}

/// How well castles are recognised.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recognised {
    pub games: u64,
    pub sides: u64,
    pub named: u64,
    pub mostly_built: u64,
    pub changes_per_game: f64,
}

/// What was found in the games of professionals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Masters {
    pub all: Recognised,
    /// In the games that a training keeps apart; none where there are too few games for that.
    pub held_out: Option<Recognised>,
    pub castles: Vec<Played>,
    pub assaults: Vec<Played>,
    pub strategies: Vec<Played>,
    /// Castle, its owner's strategy, the opponent's.
    pub openings: Vec<Met>,
    /// Castle against castle.
    pub pairings: Vec<Met>,
}

impl Recognised {
    const fn new(survey: &Survey, changes_per_game: f64) -> Self {
        let Survey { games, sides, named, mostly_built, .. } = *survey;
        Self { games, sides, named, mostly_built, changes_per_game }
    }
}

impl Masters {
    /// The lists of a survey of all games, and how well castles are recognised in both.
    pub fn new(survey: &Survey, held_out: &Survey, atlas: &Atlas) -> Self {
        let formations = atlas.formations();
        let castle = |index: usize| &formations.castles()[index].names;
        let strategy = |id: &str| {
            let known = formations.strategies().iter().find(|one| one.names.id == id);
            known.map_or("none", |one| &*one.names.name).to_owned()
        };
        let played = |names: &Names, popularity: &Popularity| Played {
            id: names.id.clone(),
            name: names.name.clone(),
            kanji: names.kanji.clone(),
            popularity: *popularity,
        };
        let castles = survey.castles.iter().map(|(&index, one)| played(castle(index), one));
        let assaults = survey.assaults.iter();
        let assaults =
            assaults.map(|(&index, one)| played(&formations.assaults()[index].names, one));
        let strategies = survey.strategies.iter().map(|(id, one)| {
            let known = formations.strategies().iter().find(|one| one.names.id == *id);
            let (name, kanji) = (strategy(id), known.map(|one| one.names.kanji.clone()));
            Played { id: id.clone(), name, kanji: kanji.unwrap_or_default(), popularity: *one }
        });
        let openings = survey.by_opening.iter().map(|((index, own, enemy), one)| Met {
            names: vec![castle(*index).name.clone(), strategy(own), strategy(enemy)],
            popularity: *one,
        });
        let pairings = survey.pairings.iter().map(|(&(own, enemy), one)| Met {
            names: [own, enemy].map(|index| castle(index).name.clone()).into(),
            popularity: *one,
        });
        let recognised = |survey: &Survey| Recognised::new(survey, survey.changes_per_game());
        Self {
            all: recognised(survey),
            held_out: Some(held_out).filter(|survey| survey.sides > 0).map(recognised),
            castles: most_first(castles, |one| one.popularity),
            assaults: most_first(assaults, |one| one.popularity),
            strategies: most_first(strategies, |one| one.popularity),
            openings: most_first(openings, |one| one.popularity),
            pairings: most_first(pairings, |one| one.popularity),
        }
    }
}

/// The most frequent first; those that are alike stay in their order.
fn most_first<T>(all: impl Iterator<Item = T>, popularity: impl Fn(&T) -> Popularity) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_by_key(|one| Reverse(popularity(one).sides));
    all
}
