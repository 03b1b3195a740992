//! Piece values: what the tables make of each kind, on average over the positions of games.

use std::marker::PhantomData;

use tesuji_eval::PieceTables;
use tesuji_eval::tables::parts::{
    self, ALL_CELLS, COUNTS, HELD, PIECES, Parts, board_cell, hand_cell, pair_cell,
};
use tesuji_eval::tables::zone::{KINDS, ZONE_PIECES, ZonePiece};
use tesuji_eval::tables::{PieceValues, UNITS};
use tesuji_shogi::{Color, PieceKind, Square};

use super::Fitted;
use crate::games::TrainingGames;

/// Values to begin with, pawn = 100.
pub const MATERIAL: PieceValues = PieceValues {
    board: [100, 300, 350, 500, 800, 1000, 550, 0, 500, 500, 500, 550, 1100, 1300],
    hand: [110, 320, 370, 520, 850, 1050, 570],
};

/// Parameters of some parts that say no more than the values of the pieces: half of each in the
/// view of either king.
pub fn material(parts: &Parts) -> Vec<f32> {
    let mut parameters = vec![0.0; parts.count()];
    if let (Some(board), Some(hand)) = (parts.start("value"), parts.start("hand")) {
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

/// How often each cell of each table counts in games, in sixteenths.
#[derive(Clone)]
pub struct Occurrences<M> {
    tables: Vec<Vec<u64>>,
    of: PhantomData<M>,
}

impl<M: Fitted> Occurrences<M> {
    /// Counts the cells of all positions to learn from, in the view of both kings.
    pub fn count(games: &TrainingGames) -> Self {
        let mut tables: Vec<Vec<u64>> = M::parts().iter().map(|_| vec![0; ALL_CELLS]).collect();
        for &place in &games.train {
            for (position, _) in games.get(place).positions() {
                for (counts, share) in tables.iter_mut().zip(M::shares(&position)) {
                    for owner in Color::ALL {
                        M::for_each_cell(&position, owner, |cell| {
                            counts[cell] += u64::from(share);
                        });
                    }
                }
            }
        }
        Self { tables, of: PhantomData }
    }

    /// The tables with the mean values of their pieces: what a position would lose without the
    /// piece, all its pairs among it. A kind that never occurs keeps its value.
    pub fn with_values(&self, mut model: M) -> M {
        let tables: Vec<Counted<'_>> = (self.tables.iter().zip(model.tables()))
            .map(|(counts, tables)| Counted::new(counts, tables))
            .collect();
        let mut values = *model.values();
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
            let mean = |piece: usize| mean(&tables, |table| table.piece(piece));
            let (own, enemy) = (mean(kind.index()), mean(kind.index() + PIECES / 2));
            if let (Some(own), Some(enemy)) = (own, enemy) {
                values.board[kind.index()] = ((own - enemy).round() as i32).max(1);
            }
        }
        for (kind, value) in values.hand.iter_mut().enumerate() {
            let mean = |held: usize| mean(&tables, |table| table.held(held));
            let (own, enemy) = (mean(kind), mean(kind + HELD / 2));
            if let (Some(own), Some(enemy)) = (own, enemy) {
                *value = ((own - enemy).round() as i32).max(1);
            }
        }
        model.set_values(values);
        model
    }
}

/// The mean worth of a piece over all tables, in centipawns.
fn mean<'a>(tables: &[Counted<'a>], sums: impl Fn(&Counted<'a>) -> [f64; 2]) -> Option<f64> {
    let (mut worth, mut pieces) = (0.0, 0.0);
    for table in tables {
        let [more, of] = sums(table);
        worth += more;
        pieces += of;
    }
    (pieces > 0.0).then(|| worth / pieces / f64::from(UNITS))
}

/// A table and how often each of its cells counts.
struct Counted<'a> {
    counts: &'a [u64],
    cells: &'a [i16],
    /// What all pairs of each kind are worth together, in units.
    pairs: [f64; KINDS],
}

impl<'a> Counted<'a> {
    fn new(counts: &'a [u64], tables: &'a PieceTables) -> Self {
        let cells = tables.cells();
        let mut pairs = [0.0; KINDS];
        for a in 1..ZONE_PIECES {
            for b in 0..a {
                let cell = pair_cell(a, b);
                let pair = counts[cell] as f64 * f64::from(cells[cell]);
                pairs[ZonePiece::new(a).kind()] += pair;
                pairs[ZonePiece::new(b).kind()] += pair;
            }
        }
        Self { counts, cells, pairs }
    }

    /// What all pieces of a kind are worth together with their pairs, and how many there are.
    fn piece(&self, piece: usize) -> [f64; 2] {
        let squares =
            Square::all().flat_map(|king| Square::all().map(move |square| (king, square)));
        let cells = squares.map(|(king, square)| (board_cell(king, piece, square), 1));
        self.sums(cells, self.pairs[piece])
    }

    /// The same for a kind in hand.
    fn held(&self, held: usize) -> [f64; 2] {
        let counts = Square::all().flat_map(|king| (1..COUNTS).map(move |count| (king, count)));
        let cells = counts.map(|(king, count)| (hand_cell(king, held, count), count));
        self.sums(cells, self.pairs[PIECES + held])
    }

    /// The sums over cells of so many pieces, with what their pairs are worth.
    fn sums(&self, cells: impl Iterator<Item = (usize, usize)>, pairs: f64) -> [f64; 2] {
        let (mut worth, mut pieces) = (pairs, 0.0);
        for (cell, count) in cells {
            let times = self.counts[cell] as f64;
            worth += times * f64::from(self.cells[cell]);
            pieces += times * count as f64;
        }
        [worth, pieces]
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
        let occurrences = Occurrences::<PieceTables> { tables: vec![counts], of: PhantomData };
        let values = *occurrences.with_values(tables).values();
        // Half of the golds have the pair, which is worth ten.
        assert_eq!(values.board[PieceKind::Gold.index()], 5);
        // Silvers do not occur by themselves.
        assert_eq!(values.board[PieceKind::Silver.index()], MATERIAL.board[3]);
    }
}
