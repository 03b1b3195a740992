//! What pieces are worth on the average of the positions of games.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::parts::{self, ALL_CELLS, COUNTS, HELD, PIECES, board_cell, hand_cell};
use tesuji_eval::tables::{PieceValues, UNITS, for_each_cell};
use tesuji_shogi::{Color, PieceKind, Square};

use crate::games::TrainingGames;

/// Values to begin with, pawn = 100.
pub const MATERIAL: PieceValues = PieceValues {
    board: [100, 300, 350, 500, 800, 1000, 550, 0, 500, 500, 500, 550, 1100, 1300],
    hand: [110, 320, 370, 520, 850, 1050, 570],
};

/// Parameters that say no more than the values of the pieces: half of each in the view of either
/// king.
pub fn material() -> Vec<f32> {
    let mut parameters = vec![0.0; parts::parameter_count()];
    let ranges = parts::part_ranges();
    let start =
        |name: &str| ranges.iter().find(|part| part.name == name).map(|part| part.range.start);
    if let (Some(board), Some(hand)) = (start("value"), start("hand")) {
        for (kind, &value) in MATERIAL.board.iter().enumerate() {
            parameters[board + kind] = value as f32 / 2.0;
            parameters[board + PieceKind::COUNT + kind] = -value as f32 / 2.0;
        }
        for (held, count) in parts::held_counts() {
            let own = held < MATERIAL.hand.len();
            let worth = (count as i32 * MATERIAL.hand[held % MATERIAL.hand.len()]) as f32 / 2.0;
            parameters[hand + held * COUNTS + count] = if own { worth } else { -worth };
        }
    }
    parameters
}

/// How often each cell counts in games.
#[derive(Clone)]
pub struct Occurrences(Vec<u32>);

impl Occurrences {
    /// Counts the cells of all positions to learn from, in the view of both kings.
    pub fn count(games: &TrainingGames) -> Self {
        let mut counts = vec![0; ALL_CELLS];
        for &place in &games.train {
            for (position, _) in games.get(place).positions() {
                for owner in Color::ALL {
                    for_each_cell(&position, owner, |cell| counts[cell] += 1);
                }
            }
        }
        Self(counts)
    }

    /// The tables with the mean values of their pieces. A kind that never occurs keeps its value.
    pub fn with_values(&self, mut tables: PieceTables) -> PieceTables {
        let mut values = *tables.values();
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
            let own = self.mean_piece(&tables, kind.index());
            let enemy = self.mean_piece(&tables, kind.index() + PIECES / 2);
            if let (Some(own), Some(enemy)) = (own, enemy) {
                values.board[kind.index()] = ((own - enemy).round() as i32).max(1);
            }
        }
        for (kind, value) in values.hand.iter_mut().enumerate() {
            let own = self.mean_held(&tables, kind);
            let enemy = self.mean_held(&tables, kind + HELD / 2);
            if let (Some(own), Some(enemy)) = (own, enemy) {
                *value = ((own - enemy).round() as i32).max(1);
            }
        }
        tables.set_values(values);
        tables
    }

    fn mean_piece(&self, tables: &PieceTables, piece: usize) -> Option<f64> {
        let squares =
            Square::all().flat_map(|king| Square::all().map(move |square| (king, square)));
        self.mean(tables, squares.map(|(king, square)| (board_cell(king, piece, square), 1)))
    }

    fn mean_held(&self, tables: &PieceTables, held: usize) -> Option<f64> {
        let counts = Square::all().flat_map(|king| (1..COUNTS).map(move |count| (king, count)));
        self.mean(tables, counts.map(|(king, count)| (hand_cell(king, held, count), count)))
    }

    /// The mean over cells of so many pieces, for one piece.
    fn mean(
        &self,
        tables: &PieceTables,
        cells: impl Iterator<Item = (usize, usize)>,
    ) -> Option<f64> {
        let (mut worth, mut pieces) = (0.0, 0.0);
        for (cell, count) in cells {
            let times = f64::from(self.0[cell]);
            worth += times * f64::from(tables.cells()[cell]);
            pieces += times * count as f64;
        }
        (pieces > 0.0).then(|| worth / pieces / f64::from(UNITS))
    }
}
