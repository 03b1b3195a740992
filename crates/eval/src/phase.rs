//! Phase-interpolated tables (equation 1 of Takeuchi et al.): one evaluation of the opening, one of
//! the endgame, and between them by the [`Progress`] of the game.
//!
//! The opening knows pieces by their squares, the endgame by where they stand to either king; both
//! know what is in hand, how many of a kind, and whose move it is. Both are [`PieceTables`] with a
//! few of the [`parts`].

use tesuji_shogi::Position;

use crate::groups;
use crate::numbers::{Kind, Notes, NumberFile};
use crate::progress::Progress;
use crate::tables::parts::{self, Parts};
use crate::tables::{PieceTables, PieceValues, TablesError, UNITS};

/// The name of the feature set, by which files know it.
pub const FEATURE_SET: &str = "phase";

/// Raised when the meaning of the two evaluations or of the progress between them changes, so that
/// older files are not misread.
const DEFINITIONS: u32 = 1;

/// The parts of the opening.
pub fn opening_parts() -> Parts {
    Parts::named(&["value", "square", "mirrored-square", "hand"])
}

/// The parts of the endgame.
pub fn endgame_parts() -> Parts {
    Parts::named(&["value", "distance", "offset", "hand"])
}

/// The identity of the features: a change of a part changes it.
pub fn feature_set_id() -> String {
    let both = [("opening", opening_parts()), ("endgame", endgame_parts())];
    let lists: Vec<(String, usize)> = both
        .iter()
        .flat_map(|(phase, parts)| {
            parts
                .ranges()
                .iter()
                .map(move |part| (format!("{phase} {}", part.name), part.range.len()))
        })
        .collect();
    let definitions = format!("{DEFINITIONS} of {}", parts::feature_set_id());
    groups::identity(FEATURE_SET, &definitions, lists.into_iter())
}

fn kind() -> Kind {
    Kind {
        format: "tesuji-phase",
        name: "phase tables",
        feature_set: FEATURE_SET,
        feature_set_id: feature_set_id(),
        units: UNITS,
        count: opening_parts().count() + endgame_parts().count(),
    }
}

/// Tables of the opening and of the endgame.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseTables {
    opening: Box<PieceTables>,
    endgame: Box<PieceTables>,
    /// What made them: the command, the seed, the data, as the file says it.
    pub run: Notes,
    /// How good they were found to be.
    pub result: Notes,
}

impl PhaseTables {
    /// The names that [`PhaseTables::named`] knows.
    pub const NAMES: [&'static str; 1] = ["phase"];

    /// Tables with these parameters: those of [`opening_parts`], then those of [`endgame_parts`].
    pub fn new(parameters: &[i16], values: PieceValues) -> Result<Self, TablesError> {
        let (opening, endgame) = (opening_parts(), endgame_parts());
        let (first, second) = parameters.split_at(opening.count().min(parameters.len()));
        Ok(Self {
            opening: Box::new(PieceTables::of_parts(&opening, first, values)?),
            endgame: Box::new(PieceTables::of_parts(&endgame, second, values)?),
            run: Notes::new(),
            result: Notes::new(),
        })
    }

    /// What a position is worth in the opening.
    pub const fn opening(&self) -> &PieceTables {
        &self.opening
    }

    /// What a position is worth in the endgame.
    pub const fn endgame(&self) -> &PieceTables {
        &self.endgame
    }

    /// The parameters, in the order of [`PhaseTables::new`].
    pub fn parameters(&self) -> Vec<i16> {
        let mut parameters = self.opening.parameters_of(&opening_parts());
        parameters.extend(self.endgame.parameters_of(&endgame_parts()));
        parameters
    }

    /// Sets the piece values.
    pub const fn set_values(&mut self, values: PieceValues) {
        self.opening.set_values(values);
        self.endgame.set_values(values);
    }

    /// The piece values: means over both phases.
    pub const fn values(&self) -> &PieceValues {
        self.opening.values()
    }

    /// The score in units in the view of the side to move, worked out from the pieces.
    pub fn score(&self, position: &Position) -> i32 {
        let progress = Progress::near_kings(position);
        progress.interpolate(self.opening.score(position), self.endgame.score(position))
    }

    /// Both as one at this progress, every number rounded to a unit: they take scores apart piece by
    /// piece.
    #[must_use]
    pub fn at(&self, progress: Progress) -> PieceTables {
        self.opening.mixed(&self.endgame, |opening, endgame| {
            progress.interpolate(opening.into(), endgame.into()) as i16
        })
    }

    /// Is this the beginning of a file of phase tables?
    pub fn is_file(bytes: &[u8]) -> bool {
        kind().begins(bytes)
    }

    /// Tables that come with the program.
    pub fn named(name: &str) -> Option<Self> {
        let bytes: &[u8] = match name {
            "phase" => include_bytes!("../data/weights/phase.bin"),
            _ => return None,
        };
        Some(Self::parse(bytes).expect("tables that come with the program are for its parts"))
    }

    /// Reads a file of phase tables.
    pub fn parse(bytes: &[u8]) -> Result<Self, TablesError> {
        let kind = kind();
        let file = kind.read(bytes)?;
        let values = kind.values(&file)?.into();
        let NumberFile { numbers, run, result, .. } = file;
        Ok(Self { run, result, ..Self::new(&numbers, values)? })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        kind().write(&NumberFile {
            numbers: self.parameters(),
            run: self.run.clone(),
            result: self.result.clone(),
            values: Some((*self.values()).into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use tesuji_shogi::{Color, PieceKind};

    use super::*;
    use crate::testing::{POSITIONS, changed_position};

    fn sample() -> PhaseTables {
        let mut number: u32 = 7;
        let parameters: Vec<i16> = (0..kind().count)
            .map(|_| {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (number >> 16) as i16 % 400
            })
            .collect();
        let values = PieceValues { board: [100; PieceKind::COUNT], hand: [110; 7] };
        let mut tables = PhaseTables::new(&parameters, values).unwrap();
        assert_eq!(tables.parameters(), parameters);
        tables.run.insert("seed".into(), 1.into());
        tables
    }

    fn positions() -> impl Iterator<Item = Position> {
        POSITIONS.into_iter().map(|text| Position::from_sfen(text).unwrap())
    }

    #[test]
    fn files_survive_the_round_trip() {
        let shipped = PhaseTables::named("phase").unwrap();
        for tables in [sample(), shipped] {
            let bytes = tables.to_bytes();
            assert!(PhaseTables::is_file(&bytes) && !PieceTables::is_file(&bytes));
            let read = PhaseTables::parse(&bytes).unwrap();
            assert_eq!(read.to_bytes(), bytes);
            assert_eq!(read, tables);
        }
        assert!(PhaseTables::named("nothing").is_none());
    }

    #[test]
    fn wrong_files_are_refused() {
        let bytes = sample().to_bytes();
        let error = PhaseTables::parse(&bytes[..bytes.len() - 1]).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
        let tables = PieceTables::named("tables").unwrap().to_bytes();
        let error = PhaseTables::parse(&tables).unwrap_err();
        assert!(error.to_string().contains("expected format \"tesuji-phase\""), "{error}");
        let error = PhaseTables::new(&[0; 3], *sample().values()).unwrap_err();
        assert!(error.to_string().contains("3 numbers"), "{error}");
    }

    /// The opening knows nothing of the kings, the endgame nothing of the squares.
    #[test]
    fn each_phase_knows_its_own() {
        let tables = sample();
        let black = |tables: &PieceTables, text: &str| {
            let position = Position::from_sfen(text).unwrap();
            let piece = position.pieces().find(|(_, piece)| piece.kind() == PieceKind::Gold);
            let (square, piece) = piece.unwrap();
            tables.of_king(&position, Color::Black).piece(piece, square)
        };
        let near = "4k4/9/9/9/9/9/9/4G4/4K4 b - 1";
        let elsewhere = "4k4/9/9/9/9/9/9/4G4/K8 b - 1";
        let both_moved = "4k4/9/9/9/9/9/4G4/4K4/9 b - 1";
        assert_eq!(black(tables.opening(), near), black(tables.opening(), elsewhere));
        assert_ne!(black(tables.opening(), near), black(tables.opening(), both_moved));
        assert_eq!(black(tables.endgame(), near), black(tables.endgame(), both_moved));
        assert_ne!(black(tables.endgame(), near), black(tables.endgame(), elsewhere));
    }

    /// But for the bonus of the side to move, which counts for whoever that is.
    #[test]
    fn exchanging_the_players_changes_nothing_for_the_side_to_move() {
        let tables = sample();
        for position in positions() {
            let turned = changed_position(&position, true, &|square| square.seen_by(Color::White));
            assert_eq!(tables.score(&position), tables.score(&turned), "{}", position.to_sfen());
        }
    }

    #[test]
    fn at_the_beginning_the_opening_is_all_there_is() {
        let tables = sample();
        let start = Position::startpos();
        assert_eq!(tables.score(&start), tables.opening().score(&start));
        let at = tables.at(Progress::near_kings(&start));
        assert_eq!(at.cells(), tables.opening().cells());
    }

    /// Each cell is rounded by itself, by half a unit at most.
    #[test]
    fn tables_of_one_progress_score_nearly_the_same() {
        let tables = sample();
        for position in positions() {
            let at = tables.at(Progress::near_kings(&position));
            let difference = at.score(&position).abs_diff(tables.score(&position));
            assert!(difference <= 41, "{difference}: {}", position.to_sfen());
        }
    }
}
