//! Maps learned from the roads that players took, and their file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use tesuji_shogi::{PieceKind, Square};

use super::maps::{HOME, LEAST, STEP, Values, distances};
use super::{Atlas, FormationMaps, FormationsError};

/// Roads after which what was seen counts as much as what is counted on an empty board.
const PRIOR: f64 = 4.0;
/// Roads after which a square that nobody went by counts as half a move further away.
const UNUSED: f64 = 20.0;

/// How players' pieces came to a place: for each square how many went by it, and how many moves they
/// still needed.
#[derive(Clone, PartialEq, Debug)]
pub struct Roads {
    roads: u32,
    passed: [u32; Square::COUNT],
    needed: [u32; Square::COUNT],
}

impl Default for Roads {
    fn default() -> Self {
        Self { roads: 0, passed: [0; Square::COUNT], needed: [0; Square::COUNT] }
    }
}

impl Roads {
    /// A piece came by these squares, the last of which is its place.
    pub fn note(&mut self, road: &[Square]) {
        self.roads += 1;
        for (needed, square) in (0..).zip(road.iter().rev()) {
            self.passed[square.index()] += 1;
            self.needed[square.index()] += needed;
        }
    }

    /// Adds those of other games.
    pub fn add(&mut self, other: &Self) {
        self.roads += other.roads;
        for square in 0..Square::COUNT {
            self.passed[square] += other.passed[square];
            self.needed[square] += other.needed[square];
        }
    }

    /// The values of a map that was built from squares, changed by these roads.
    fn values(&self, kind: PieceKind, target: Square, built: &Values) -> Values {
        let moves = distances(kind, target);
        let mut values = *built;
        for square in Square::all().map(Square::index) {
            let Some(moves) = moves[square].filter(|_| built[square] != 0) else { continue };
            let (passed, moves) = (f64::from(self.passed[square]), f64::from(moves));
            let seen = f64::from(self.needed[square]);
            let unused = f64::from(self.roads) / (f64::from(self.roads) + UNUSED);
            let moves = if passed > 0.0 {
                (seen + PRIOR * moves) / (passed + PRIOR)
            } else {
                moves + unused
            };
            let value = f64::from(HOME) - f64::from(STEP) * moves;
            values[square] = value.round().max(f64::from(LEAST)) as i8;
        }
        values[target.index()] = built[target.index()];
        values
    }
}

/// The id under which the file has positional maps, with a kind for a place.
const POSITIONAL: &str = "positional";

/// Learned maps of formations: by id and place, `mino K2h`; positional maps by kind, `positional L`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LearnedMaps {
    maps: BTreeMap<(String, String), Values>,
}

impl LearnedMaps {
    /// Those that come with the program.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<LearnedMaps> = LazyLock::new(|| {
            let text = include_str!("../../data/maps.tsv");
            LearnedMaps::parse(text).expect("our own file reads")
        });
        &SHIPPED
    }

    /// The maps of an atlas changed by roads; those without roads are left out, and so are those that
    /// the file of definitions gives itself.
    pub fn new(atlas: &Atlas, roads: &BTreeMap<(String, usize), Roads>) -> Self {
        let mut maps = BTreeMap::new();
        let mut learn = |id: &str, own: &FormationMaps, given: &[PieceKind]| {
            for (number, place) in own.places().iter().enumerate() {
                let (kind, square) = place.place;
                if let Some(roads) = roads.get(&(id.to_owned(), number))
                    && !given.contains(&kind)
                {
                    let values = roads.values(kind, square, &place.values);
                    maps.insert((id.to_owned(), format!("{}{square}", kind.letter())), values);
                }
            }
        };
        let formations = atlas.formations();
        for (index, castle) in formations.castles().iter().enumerate() {
            let given: Vec<PieceKind> = castle.maps.iter().map(|(kind, _)| *kind).collect();
            learn(&castle.names.id, atlas.castle(index), &given);
        }
        for (index, assault) in formations.assaults().iter().enumerate() {
            learn(&assault.names.id, atlas.assault(index), &[]);
        }
        Self { maps }
    }

    /// How many maps there are.
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// The same with positional maps.
    #[must_use]
    pub fn with_positional(mut self, maps: &BTreeMap<PieceKind, Values>) -> Self {
        let key = |kind: &PieceKind| (POSITIONAL.to_owned(), kind.letter().to_string());
        self.maps.extend(maps.iter().map(|(kind, values)| (key(kind), *values)));
        self
    }

    /// The positional maps.
    pub(super) fn positional(&self) -> BTreeMap<PieceKind, Values> {
        let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
        let of = |kind: PieceKind| {
            let values = self.maps.get(&(POSITIONAL.to_owned(), kind.letter().to_string()))?;
            Some((kind, *values))
        };
        plain.filter_map(of).collect()
    }

    /// Puts the maps of a formation in the place of those that were built, but for kinds whose maps
    /// are given by hand.
    pub(super) fn apply(&self, id: &str, maps: &mut FormationMaps, given: &[PieceKind]) {
        for place in maps.places_mut() {
            let (kind, square) = place.place;
            if given.contains(&kind) {
                continue;
            }
            let key = (id.to_owned(), format!("{}{square}", kind.letter()));
            if let Some(values) = self.maps.get(&key) {
                place.values = *values;
            }
        }
    }

    /// The text of the file: a line for each map, with the values of ranks a to i, files 9 to 1.
    pub fn to_text(&self, note: &str) -> String {
        let mut text = format!("# {note}\n");
        for ((id, place), values) in &self.maps {
            let _ = write!(text, "{id}\t{place}\t");
            let rows = (1..=9).flat_map(|rank| (1..=9).rev().map(move |file| (file, rank)));
            let squares = rows.filter_map(|(file, rank)| Square::new(file, rank));
            let numbers: Vec<String> =
                squares.map(|square| values[square.index()].to_string()).collect();
            text += &numbers.join(" ");
            text.push('\n');
        }
        text
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, FormationsError> {
        let mut maps = BTreeMap::new();
        for (line, row) in (1..).zip(text.lines()) {
            if row.starts_with('#') || row.trim().is_empty() {
                continue;
            }
            let wrong = |problem: String| FormationsError { line, problem };
            let fields: Vec<&str> = row.split('\t').collect();
            let &[id, place, numbers] = &fields[..] else {
                return Err(wrong("expected id, place and 81 numbers with tabs between".into()));
            };
            let values = super::file::parse_map(numbers).map_err(wrong)?;
            maps.insert((id.to_owned(), place.to_owned()), values);
        }
        Ok(Self { maps })
    }
}
