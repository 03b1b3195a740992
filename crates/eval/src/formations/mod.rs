//! Formations: castles, assaults and strategies, what they are called, where their pieces belong,
//! and which of them stand on a board.
//!
//! Everything is defined once, by data: one readable file that is compiled in
//! (`data/formations.toml`, docs/formats/formations.md), or a player's own in its place.

mod atlas;
mod choice;
mod definition;
mod file;
mod guide;
mod learned;
pub mod maps;
mod pattern;
mod plan;
mod recognition;
#[cfg(test)]
mod tests;
mod tracker;

use std::sync::LazyLock;

pub use atlas::Atlas;
pub use choice::{Choice, Wanted};
pub use definition::{
    Assault, Castle, FirstRule, Names, Placed, RookStyle, Shape, Side, Strategy, SwapRule,
};
pub use file::FormationsError;
pub use guide::{Guide, GuideState, Wishes};
pub use learned::{LearnedMaps, Roads};
pub use maps::{FormationMaps, PlaceMap};
pub use pattern::Pattern;
pub use plan::Plan;
pub use recognition::{Found, Recognition, SideRecognition, Stage};
pub use tracker::Tracker;

/// All definitions of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formations {
    castles: Vec<Castle>,
    assaults: Vec<Assault>,
    strategies: Vec<Strategy>,
    swaps: Vec<SwapRule>,
    first: Vec<FirstRule>,
}

impl Formations {
    /// The formations that players know by name: the file that comes with the program.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Formations> = LazyLock::new(|| {
            let text = include_str!("../../data/formations.toml");
            Formations::parse(text).expect("our own file reads")
        });
        &SHIPPED
    }

    /// All castles, in the order of the file.
    pub fn castles(&self) -> &[Castle] {
        &self.castles
    }

    /// All assaults.
    pub fn assaults(&self) -> &[Assault] {
        &self.assaults
    }

    /// All strategies, special ones before general ones.
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// When a castle under way should give way to another.
    pub fn swaps(&self) -> &[SwapRule] {
        &self.swaps
    }

    /// Which castles to aim for before anything is decided.
    pub fn first(&self) -> &[FirstRule] {
        &self.first
    }

    /// The castle with this id or name, in English or Japanese.
    pub fn castle(&self, name: &str) -> Option<&Castle> {
        self.castles.iter().find(|castle| castle.names.has(name))
    }

    /// The assault with this id or name.
    pub fn assault(&self, name: &str) -> Option<&Assault> {
        self.assaults.iter().find(|assault| assault.names.has(name))
    }

    /// The id that is most like a name that nothing has.
    pub fn nearest_name(&self, name: &str) -> Option<&str> {
        let ids = self.names().map(|names| &*names.id);
        let like = |id: &str| strsim::jaro_winkler(id, &name.to_lowercase());
        let best = ids.max_by(|a, b| like(a).total_cmp(&like(b)))?;
        (like(best) > 0.8).then_some(best)
    }

    /// Everything that has a name.
    pub fn names(&self) -> impl Iterator<Item = &Names> {
        let castles = self.castles.iter().map(|castle| &castle.names);
        let assaults = self.assaults.iter().map(|assault| &assault.names);
        let strategies = self.strategies.iter().map(|strategy| &strategy.names);
        castles.chain(assaults).chain(strategies)
    }
}
