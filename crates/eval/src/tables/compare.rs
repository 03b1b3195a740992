//! Two positions compared piece by piece: what tells their scores apart.

use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

use super::{KingTable, PieceTables, UNITS};

/// Parts of a centipawn in which comparisons count: pairs of pieces are shared by halves.
pub const FINE_UNITS: i32 = 2 * UNITS;

/// A piece on the board, or the pieces of a kind in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A piece on a square.
    Placed(Piece, Square),
    /// So many pieces of a kind in the hand of a player, more than none.
    Held(Color, PieceKind, u8),
}

/// What tells two positions apart, in [`FINE_UNITS`] of a centipawn and in the view of one player.
/// All of the first position's less all of the second's, with [`Comparison::kings`] and
/// [`Comparison::tempo`], is the difference of the scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What only the first position has, and what it is worth there.
    pub first: Vec<(Item, i32)>,
    /// What only the second position has, and what it is worth there.
    pub second: Vec<(Item, i32)>,
    /// What pieces of both positions are worth more in the first since a king stands elsewhere: the
    /// king of Black, and of White.
    pub kings: [i32; 2],
    /// Whose move it is.
    pub tempo: i32,
}

impl PieceTables {
    /// Compares two positions in the view of a player. A pair of pieces counts for the one of them
    /// that only one position has, and half for each if that is both.
    pub fn compare(&self, first: &Position, second: &Position, player: Color) -> Comparison {
        let items = [first, second].map(|position| items(position).collect::<Vec<Item>>());
        let (common, unique): (Vec<Item>, Vec<Item>) =
            items[0].iter().partition(|item| items[1].contains(item));
        let others: Vec<Item> =
            items[1].iter().filter(|item| !common.contains(item)).copied().collect();
        let mut comparison = Comparison {
            first: unique.into_iter().map(|item| (item, 0)).collect(),
            second: others.into_iter().map(|item| (item, 0)).collect(),
            kings: [0; 2],
            tempo: 2 * (self.tempo_of(first, player) - self.tempo_of(second, player)),
        };
        for owner in Color::ALL {
            let sign = if owner == player { 1 } else { -1 };
            let [before, after] = [first, second].map(|of| self.of_king(of, owner));
            let more = sum(&before, &common) - sum(&after, &common);
            comparison.kings[owner.index()] = sign * more;
            add(&before, &common, &mut comparison.first, sign);
            add(&after, &common, &mut comparison.second, sign);
        }
        comparison
    }

    fn tempo_of(&self, position: &Position, player: Color) -> i32 {
        if position.side_to_move() == player { self.tempo() } else { -self.tempo() }
    }
}

/// Everything that tables count.
fn items(position: &Position) -> impl Iterator<Item = Item> + '_ {
    let placed = position.pieces().map(|(square, piece)| Item::Placed(piece, square));
    let held = Color::ALL.into_iter().flat_map(move |color| {
        position.hand(color).iter().map(move |(kind, count)| Item::Held(color, kind, count))
    });
    placed.chain(held)
}

fn worth(table: &KingTable<'_>, item: Item) -> i32 {
    match item {
        Item::Placed(piece, square) => table.piece(piece, square),
        Item::Held(color, kind, count) => table.hand(color, kind, count),
    }
}

/// The number of an item in the zone of a king, if it is there.
fn in_zone(table: &KingTable<'_>, item: Item) -> Option<u16> {
    let number = match item {
        Item::Placed(piece, square) => table.zone().placed(piece, square),
        Item::Held(color, kind, count) => table.zone().held(color, kind, count),
    };
    number.map(|number| number as u16)
}

/// What items are worth by themselves and with each other.
fn sum(table: &KingTable<'_>, items: &[Item]) -> i32 {
    let zone: Vec<u16> = items.iter().filter_map(|&item| in_zone(table, item)).collect();
    let pairs = (1..zone.len()).map(|i| table.pairs(zone[i].into(), &zone[..i]));
    2 * (items.iter().map(|&item| worth(table, item)).sum::<i32>() + pairs.sum::<i32>())
}

/// Adds what each item is worth in the view of one king: by itself, with the common ones, and half
/// of what it is worth with the other items.
fn add(table: &KingTable<'_>, common: &[Item], items: &mut [(Item, i32)], sign: i32) {
    let numbers = |items: &mut dyn Iterator<Item = Item>| -> Vec<u16> {
        items.filter_map(|item| in_zone(table, item)).collect()
    };
    let common = numbers(&mut common.iter().copied());
    let unique = numbers(&mut items.iter().map(|(item, _)| *item));
    for (item, sum) in items {
        let pairs = in_zone(table, *item).map_or(0, |number| {
            2 * table.pairs(number.into(), &common) + table.pairs(number.into(), &unique)
        });
        *sum += sign * (2 * worth(table, *item) + pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of a comparison are the difference of the scores, whatever the positions.
    #[test]
    fn everything_adds_up_to_the_difference_of_the_scores() {
        let tables = PieceTables::named("tables").unwrap();
        let positions: Vec<Position> = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P4KGS1/R8/LN4b1L b RGgsn5p 1",
            "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
            "ln1g3nl/1ks2gr2/1ppppsbpp/p4pp2/7P1/P1P1PPP2/1PSPS2GP/1BG4R1/LN1K3NL b - 1",
        ]
        .iter()
        .map(|text| Position::from_sfen(text).unwrap())
        .collect();
        for first in &positions {
            for second in &positions {
                for player in Color::ALL {
                    let Comparison { first: a, second: b, kings, tempo } =
                        tables.compare(first, second, player);
                    let of = |items: &[(Item, i32)]| items.iter().map(|(_, sum)| sum).sum::<i32>();
                    let sum = of(&a) - of(&b) + kings[0] + kings[1] + tempo;
                    let score = |position: &Position| {
                        let score = tables.score(position);
                        if position.side_to_move() == player { score } else { -score }
                    };
                    assert_eq!(sum, 2 * (score(first) - score(second)));
                }
            }
        }
    }

    #[test]
    fn a_king_that_stays_makes_no_difference() {
        let tables = PieceTables::named("tables").unwrap();
        let first = Position::startpos();
        let second = first.after_unchecked("7g7f".parse().unwrap());
        let comparison = tables.compare(&first, &second, Color::Black);
        assert_eq!(comparison.kings, [0, 0]);
        assert_eq!((comparison.first.len(), comparison.second.len()), (1, 1));
        assert_eq!(comparison.tempo, 4 * tables.tempo());
    }
}
