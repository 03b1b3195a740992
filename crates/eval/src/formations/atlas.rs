//! Formations together with the maps of all of them.

use std::sync::{Arc, LazyLock};

use super::{FormationMaps, Formations, FormationsError, LearnedMaps};

/// Definitions with their maps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atlas {
    formations: Formations,
    castles: Vec<FormationMaps>,
    assaults: Vec<FormationMaps>,
}

impl Atlas {
    /// The formations that come with the program.
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<Atlas>> = LazyLock::new(|| {
            let learned = LearnedMaps::parse(include_str!("../../data/maps.tsv"));
            let learned = learned.expect("our own file reads");
            Arc::new(Atlas::new(Formations::shipped().clone()).with(&learned))
        });
        Arc::clone(&SHIPPED)
    }

    /// Builds the maps of formations from their squares.
    pub fn new(formations: Formations) -> Self {
        let castles = formations.castles().iter().map(FormationMaps::of_castle).collect();
        let assaults = formations.assaults().iter().map(FormationMaps::of_assault).collect();
        Self { formations, castles, assaults }
    }

    /// The same with learned maps where there are any.
    #[must_use]
    pub fn with(mut self, learned: &LearnedMaps) -> Self {
        for (castle, maps) in self.formations.castles().iter().zip(&mut self.castles) {
            learned.apply(&castle.names.id, maps);
        }
        for (assault, maps) in self.formations.assaults().iter().zip(&mut self.assaults) {
            learned.apply(&assault.names.id, maps);
        }
        self
    }

    /// Maps built for the text of a file.
    pub fn parse(text: &str) -> Result<Self, FormationsError> {
        Formations::parse(text).map(Self::new)
    }

    /// The definitions.
    pub const fn formations(&self) -> &Formations {
        &self.formations
    }

    /// The maps of the castle with this number.
    pub fn castle(&self, index: usize) -> &FormationMaps {
        &self.castles[index]
    }

    /// The maps of the assault with this number.
    pub fn assault(&self, index: usize) -> &FormationMaps {
        &self.assaults[index]
    }
}
