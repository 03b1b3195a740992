//! Which castle a player should build, and how to attack.

use std::cmp::Reverse;

use tesuji_shogi::{Color, Position};

use super::definition::RookStyle;
use super::recognition::rook_style;
use super::{Castle, FirstRule, Formations, Found, Recognition, Stage, SwapRule};

/// The share of a castle from which one builds on towards what it grows into.
const READY_TO_GROW: f64 = 0.9;

/// By how much another castle must fit better before a player builds it in place of the one before:
/// a general more or less in its place.
const LOYALTY: i32 = 6;

/// What a player builds: the best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Castles.
    pub castles: Vec<usize>,
    /// Assaults.
    pub assaults: Vec<usize>,
    /// How far this player is.
    pub stage: Stage,
}

/// A castle that a player should build, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted<'a> {
    /// The castle, by its place in the list.
    pub castle: usize,
    /// The rule for the first moves that wants it, or wanted what it takes the place of.
    pub first: Option<&'a FirstRule>,
    /// The castle that it takes the place of, and the rule that says so.
    pub swap: Option<(usize, &'a SwapRule)>,
}

impl Wanted<'_> {
    /// A castle that no rule had a part in.
    const fn new(castle: usize) -> Self {
        Self { castle, first: None, swap: None }
    }
}

impl Formations {
    /// What each player builds, so many castles and assaults at most, and what they have been
    /// building.
    pub fn choose(
        &self,
        position: &Position,
        most: usize,
        before: [Option<usize>; 2],
    ) -> [Choice; 2] {
        let seen = Recognition::new(self, position);
        let castles = Color::ALL
            .map(|color| self.choose_castles(position, color, most, before[color.index()]));
        Color::ALL.map(|color| {
            let own = seen.of(color);
            let enemy = castles[(!color).index()].first().copied();
            let recognised = own.assault.as_ref().map(|assault| assault.index);
            let assaults = self.choose_assaults(position, color, enemy, recognised, most);
            Choice { castles: castles[color.index()].clone(), assaults, stage: own.stage }
        })
    }

    /// The castles that are nearest to what stands, and suit how the rooks are used.
    fn choose_castles(
        &self,
        position: &Position,
        color: Color,
        most: usize,
        before: Option<usize>,
    ) -> Vec<usize> {
        let wanted = self.wanted(position, color, most, before);
        wanted.into_iter().map(|wanted| wanted.castle).collect()
    }

    /// The same with the rules that had a part in it: what is wanted for the first moves, what is
    /// nearest to what stands, and what a rule puts in its place. `before` is what has been built
    /// so far.
    pub fn wanted(
        &self,
        position: &Position,
        color: Color,
        most: usize,
        before: Option<usize>,
    ) -> Vec<Wanted<'_>> {
        let [own, enemy] = [color, !color].map(|side| rook_style(position, side));
        let mut fits = self.castles_by_fit(position, color);
        let loyalty = |index: usize| if before == Some(index) { LOYALTY } else { 0 };
        fits.sort_by_key(|found| Reverse(found.worth_building() + loyalty(found.index)));
        let suits = |found: &&Found<'_, Castle>| {
            agrees(found.formation.rook, own) && agrees(found.formation.against, enemy)
        };
        let mut wanted: Vec<Wanted<'_>> = Vec::new();
        let is_open = !fits.first().is_some_and(Found::is_castle);
        if is_open && let Some(rule) = self.first_rule(position, color) {
            let of_rule = fits.iter().filter(|found| rule.castles.contains(&found.index));
            wanted.extend(
                of_rule.map(|found| Wanted { first: Some(rule), ..Wanted::new(found.index) }),
            );
        }
        for found in fits.iter().filter(suits).take(most) {
            wanted.extend(self.growth(position, color, found).into_iter().map(Wanted::new));
        }
        for one in &mut wanted {
            if let Some(rule) = self.swap_rule(position, color, one.castle) {
                *one = Wanted { castle: rule.to, swap: Some((one.castle, rule)), ..*one };
            }
        }
        let mut seen = Vec::new();
        wanted.retain(|one| {
            !seen.contains(&one.castle) && {
                seen.push(one.castle);
                true
            }
        });
        wanted.truncate(most);
        wanted
    }

    /// The castles that a player may build, the best first: those that are chosen, and then others
    /// that suit.
    pub(super) fn candidates_to_build(&self, position: &Position, color: Color) -> Vec<usize> {
        let [own, enemy] = [color, !color].map(|side| rook_style(position, side));
        let mut castles = self.choose_castles(position, color, 2, None);
        for found in self.castles_by_fit(position, color) {
            let Castle { rook, against, .. } = found.formation;
            if agrees(*rook, own) && agrees(*against, enemy) && !castles.contains(&found.index) {
                castles.push(found.index);
            }
        }
        castles
    }

    /// A castle, or once it stands the nearest that it grows into.
    fn growth(&self, position: &Position, color: Color, found: &Found<'_, Castle>) -> Vec<usize> {
        let next = found.formation.grows_into.iter();
        let next = next.map(|&index| self.castle_fit(position, color, index));
        let nearest = next.max_by_key(|found| found.score).map(|found| found.index);
        match nearest {
            Some(next) if found.complete >= READY_TO_GROW => vec![next, found.index],
            _ => vec![found.index],
        }
    }

    /// The first rule for the first moves that holds.
    fn first_rule(&self, position: &Position, color: Color) -> Option<&FirstRule> {
        let [own, enemy] = [color, !color].map(|side| rook_style(position, side));
        let holds =
            |wanted: Option<RookStyle>, used: Option<RookStyle>| wanted.is_none() || wanted == used;
        self.first.iter().find(|rule| {
            holds(rule.rook, own)
                && holds(rule.against, enemy)
                && rule.pattern.holds(position, color)
        })
    }

    /// The rule by which a castle gives way to another, if one says so.
    pub fn swap_rule(&self, position: &Position, color: Color, castle: usize) -> Option<&SwapRule> {
        let mut rules = self.swaps.iter();
        rules.find(|rule| rule.from.contains(&castle) && rule.pattern.holds(position, color))
    }

    /// The assaults against a castle that are nearest to what stands; one that is recognised counts
    /// before them, whatever the opponent's castle.
    fn choose_assaults(
        &self,
        position: &Position,
        color: Color,
        against: Option<usize>,
        recognised: Option<usize>,
        most: usize,
    ) -> Vec<usize> {
        let own = rook_style(position, color);
        let mut against: Vec<usize> =
            against.map_or_else(Vec::new, |castle| self.castles[castle].assaults.clone());
        against.retain(|&index| agrees(self.assaults[index].rook, own));
        against.sort_by_key(|&index| Reverse(self.assault_fit(position, color, index).score));
        let mut chosen: Vec<usize> = recognised.into_iter().collect();
        chosen.extend(against.into_iter().filter(|&index| Some(index) != recognised));
        chosen.truncate(most);
        chosen
    }
}

/// Does something suit what is known?
fn agrees(wanted: Option<RookStyle>, used: Option<RookStyle>) -> bool {
    wanted.is_none() || used.is_none() || wanted == used
}
