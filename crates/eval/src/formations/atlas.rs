//! Formations together with the maps of all of them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use tesuji_shogi::{PieceKind, Square};

use super::maps::Values;
use super::{FormationMaps, Formations, FormationsError, LearnedMaps};

/// Definitions with their maps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atlas {
    formations: Formations,
    castles: Vec<FormationMaps>,
    assaults: Vec<FormationMaps>,
    /// What a plain kind is worth on a square whatever is being built.
    positional: BTreeMap<PieceKind, Values>,
}

impl Atlas {
    /// The formations that come with the program.
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<Atlas>> = LazyLock::new(|| {
            let formations = Formations::shipped().clone();
            Arc::new(Atlas::new(formations).with(LearnedMaps::shipped()))
        });
        Arc::clone(&SHIPPED)
    }

    /// Builds the maps of formations from their squares; nothing is learned.
    pub fn new(formations: Formations) -> Self {
        let castles = formations.castles().iter().map(FormationMaps::of_castle).collect();
        let assaults = formations.assaults().iter().map(FormationMaps::of_assault).collect();
        Self { formations, castles, assaults, positional: BTreeMap::new() }
    }

    /// The same with learned maps where there are any.
    #[must_use]
    pub fn with(mut self, learned: &LearnedMaps) -> Self {
        for (castle, maps) in self.formations.castles().iter().zip(&mut self.castles) {
            let given: Vec<PieceKind> = castle.maps.iter().map(|(kind, _)| *kind).collect();
            learned.apply(&castle.names.id, maps, &given);
        }
        for (assault, maps) in self.formations.assaults().iter().zip(&mut self.assaults) {
            learned.apply(&assault.names.id, maps, &[]);
        }
        self.positional = learned.positional();
        self
    }

    /// Maps for the text of a file: those that were learned for formations that it shares with ours,
    /// place by place; the others are built from its squares.
    pub fn parse(text: &str) -> Result<Self, FormationsError> {
        Ok(Self::new(Formations::parse(text)?).with(LearnedMaps::shipped()))
    }

    /// What a kind is worth on each square whatever is being built: nothing for promoted pieces, and
    /// where nothing was learned.
    pub fn positional(&self, kind: PieceKind) -> Values {
        self.positional.get(&kind).copied().unwrap_or([0; Square::COUNT])
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
