//! What was found in games, in words.

use std::cmp::Reverse;

use tesuji_eval::formations::Formations;

use super::survey::{Popularity, Survey};

/// How wide names are.
const NAME: usize = 36;
/// How many openings of a castle are told.
const OPENINGS: usize = 3;
/// Openings of fewer sides are not told, unless all are.
const LEAST: u64 = 5;

impl Survey {
    /// Tables of castles, strategies and assaults, of how castles fared by opening and side, and of
    /// the swap rules: the first `top` of each, all of them without. `ply` is the one that was asked
    /// for.
    pub fn text(&self, formations: &Formations, ply: usize, top: Option<usize>) -> String {
        let most = top.unwrap_or(usize::MAX);
        let castles = self.castles.iter();
        let castles = castles.map(|(&index, one)| (&*formations.castles()[index].names.name, *one));
        let strategies = self.strategies.iter().map(|(id, one)| (strategy(formations, id), *one));
        let assaults = self.assaults.iter();
        let assaults =
            assaults.map(|(&index, one)| (&*formations.assaults()[index].names.name, *one));
        self.heading(ply)
            + &list("castle", castles.collect(), most)
            + &list("strategy", strategies.collect(), most)
            + &list("assault", assaults.collect(), most)
            + &self.openings(formations, top)
            + &self.swap_rules(formations, most)
    }

    fn heading(&self, ply: usize) -> String {
        let share = |count: u64| 100.0 * count as f64 / self.sides.max(1) as f64;
        format!(
            "{} games; of {} sides after {ply} moves {:.1} % have a castle with a name, {:.1} % one \
             that is complete to 60 % or more; a name changes {:.2} times a game\n",
            self.games,
            self.sides,
            share(self.named),
            share(self.mostly_built),
            self.changes_per_game(),
        )
    }

    /// How castles fared by what their owners and the opponents played.
    fn openings(&self, formations: &Formations, top: Option<usize>) -> String {
        let mut castles: Vec<_> = self.castles.iter().collect();
        castles.sort_by_key(|(index, one)| (Reverse(one.sides), **index));
        let mut text = String::new();
        for (&index, _) in castles.into_iter().take(top.unwrap_or(usize::MAX)) {
            let own = self.by_opening.iter().filter(|((castle, _, _), _)| *castle == index);
            let mut own: Vec<_> =
                own.filter(|(_, one)| top.is_none() || one.sides >= LEAST).collect();
            own.sort_by_key(|(_, one)| Reverse(one.sides));
            own.truncate(if top.is_some() { OPENINGS } else { usize::MAX });
            let name = &formations.castles()[index].names.name;
            for (place, ((_, strategy_of, against), one)) in own.into_iter().enumerate() {
                let name = if place == 0 { name } else { "" };
                let [own, enemy] = [strategy_of, against].map(|id| strategy(formations, id));
                text += &row(&format!("{name:<24} {own} – {enemy}"), 62, one);
            }
        }
        if text.is_empty() {
            return text;
        }
        let what = format!("{:<24} it plays – against", "castle");
        format!("\n{what:<62}  sides  Black's  success\n{text}")
    }

    /// The swap rules that held, and what players did then.
    fn swap_rules(&self, formations: &Formations, most: usize) -> String {
        let mut held: Vec<_> = self.swaps.iter().collect();
        held.sort_by_key(|(place, swapped)| (Reverse(swapped.held()), **place));
        if held.is_empty() {
            return String::new();
        }
        let mut text =
            format!("\n{:<54}  sides  went there  kept  other\n", "castles that should give way");
        for (&place, swapped) in held.into_iter().take(most) {
            let rule = &formations.swaps()[place];
            let name = |index: usize| &*formations.castles()[index].names.name;
            let from: Vec<&str> = rule.from.iter().map(|&index| name(index)).collect();
            let what = format!("{} → {}", from.join(", "), name(rule.to));
            let [went, kept, other] = swapped.sides.map(|one| one.sides);
            let sides = swapped.held();
            text += &format!("{what:<54} {sides:>6} {went:>11} {kept:>5} {other:>6}\n");
        }
        text
    }
}

fn strategy<'a>(formations: &'a Formations, id: &str) -> &'a str {
    let known = formations.strategies().iter().find(|strategy| strategy.names.id == *id);
    known.map_or("none", |strategy| &strategy.names.name)
}

fn list(what: &str, mut all: Vec<(&str, Popularity)>, most: usize) -> String {
    all.sort_by_key(|(name, one)| (Reverse(one.sides), *name));
    let mut text = format!("\n{what:<NAME$}  sides  Black's  success\n");
    text.extend(all.into_iter().take(most).map(|(name, one)| row(name, NAME, &one)));
    text
}

fn row(name: &str, width: usize, one: &Popularity) -> String {
    let success = one.success().map_or_else(String::new, |(share, error)| {
        format!("{:5.1} ± {:.1} %", 100.0 * share, 100.0 * error)
    });
    format!("{name:<width$} {:>6} {:>8}  {success}\n", one.sides, one.black)
}
