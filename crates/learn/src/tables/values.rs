//! Piece values: what the tables make of each kind, on average over the positions of games.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::parts::{
    self, ALL_CELLS, COUNTS, HELD, PIECES, board_cell, hand_cell, pair_cell,
};
use tesuji_eval::tables::zone::{KINDS, ZONE_PIECES, ZonePiece};
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

    /// The tables with the mean values of their pieces: what a position would lose without the
    /// piece, all its pairs among it. A kind that never occurs keeps its value.
    pub fn with_values(&self, mut tables: PieceTables) -> PieceTables {
        let pairs = self.worth_in_pairs(&tables);
        let mut values = *tables.values();
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
            let mean = |piece: usize| self.mean_piece(&tables, piece, pairs[piece]);
            let (own, enemy) = (mean(kind.index()), mean(kind.index() + PIECES / 2));
            if let (Some(own), Some(enemy)) = (own, enemy) {
                values.board[kind.index()] = ((own - enemy).round() as i32).max(1);
            }
        }
        for (kind, value) in values.hand.iter_mut().enumerate() {
            let mean = |held: usize| self.mean_held(&tables, held, pairs[PIECES + held]);
            let (own, enemy) = (mean(kind), mean(kind + HELD / 2));
            if let (Some(own), Some(enemy)) = (own, enemy) {
                *value = ((own - enemy).round() as i32).max(1);
            }
        }
        tables.set_values(values);
        tables
    }

    /// What all pairs of each kind are worth together, in units.
    fn worth_in_pairs(&self, tables: &PieceTables) -> [f64; KINDS] {
        let mut worth = [0.0; KINDS];
        for a in 1..ZONE_PIECES {
            for b in 0..a {
                let cell = pair_cell(a, b);
                let pair = f64::from(self.0[cell]) * f64::from(tables.cells()[cell]);
                worth[ZonePiece::new(a).kind()] += pair;
                worth[ZonePiece::new(b).kind()] += pair;
            }
        }
        worth
    }

    fn mean_piece(&self, tables: &PieceTables, piece: usize, pairs: f64) -> Option<f64> {
        let squares =
            Square::all().flat_map(|king| Square::all().map(move |square| (king, square)));
        let cells = squares.map(|(king, square)| (board_cell(king, piece, square), 1));
        self.mean(tables, cells, pairs)
    }

    fn mean_held(&self, tables: &PieceTables, held: usize, pairs: f64) -> Option<f64> {
        let counts = Square::all().flat_map(|king| (1..COUNTS).map(move |count| (king, count)));
        let cells = counts.map(|(king, count)| (hand_cell(king, held, count), count));
        self.mean(tables, cells, pairs)
    }

    /// The mean over cells of so many pieces, for one piece, with what its pairs are worth.
    fn mean(
        &self,
        tables: &PieceTables,
        cells: impl Iterator<Item = (usize, usize)>,
        pairs: f64,
    ) -> Option<f64> {
        let (mut worth, mut pieces) = (pairs, 0.0);
        for (cell, count) in cells {
            let times = f64::from(self.0[cell]);
            worth += times * f64::from(tables.cells()[cell]);
            pieces += times * count as f64;
        }
        (pieces > 0.0).then(|| worth / pieces / f64::from(UNITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_worth_its_pairs_too() {
        let king = Square::new(5, 9).unwrap();
        let square = Square::new(4, 9).unwrap();
        let gold = |side: usize| board_cell(king, PieceKind::Gold.index() + side, square);
        // An own gold and a silver of the enemy in the first and the second place of a zone.
        let pieces = [PieceKind::Gold.index(), PIECES + PIECES / 2 + PieceKind::Silver.index()];
        let pair = pair_cell(pieces[0], pieces[1]);
        let mut parameters = vec![0; parts::parameter_count()];
        let last = parts::part_ranges().into_iter().find(|part| part.name == "pair-cell").unwrap();
        parameters[last.range.start + pair - parts::SINGLE_CELLS] = 10 * UNITS as i16;
        let mut counts = vec![0; ALL_CELLS];
        (counts[gold(0)], counts[gold(PIECES / 2)], counts[pair]) = (20, 20, 10);
        let tables = PieceTables::new(parameters, MATERIAL).unwrap();
        let values = *Occurrences(counts).with_values(tables).values();
        // Half of the golds have the pair, which is worth ten.
        assert_eq!(values.board[PieceKind::Gold.index()], 5);
        // Silvers do not occur by themselves.
        assert_eq!(values.board[PieceKind::Silver.index()], MATERIAL.board[3]);
    }
}
