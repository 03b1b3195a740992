//! Reasons out of piece tables: what each piece is worth at the ends of two lines, gathered into
//! statements about kings, castles, hands and single pieces.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::PieceValues;
use tesuji_eval::tables::compare::{FINE_UNITS, Item};
use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

use super::board::{exposure, is_near_king, own, owned, reach, safe_squares};
use super::fact::{Counts, Fact, Placed, Taken};
use super::followed::{Capture, FollowedLine};
use super::{Reason, ReasonGroup};

/// How many pieces of a castle or of an attack are named.
const NAMED: usize = 3;

/// Both lines, compared in the view of a player.
struct Pair<'a> {
    first: &'a FollowedLine,
    second: &'a FollowedLine,
    values: &'a PieceValues,
    player: Color,
}

/// A piece in either line, or in both but not on the same square, and what it adds to the second
/// line beyond its material.
struct Shift {
    first: Option<(Piece, Square)>,
    second: Option<(Piece, Square)>,
    worth: i32,
}

/// All reasons by piece tables.
pub(super) fn reasons(
    tables: &PieceTables,
    first: &FollowedLine,
    second: &FollowedLine,
    player: Color,
) -> Vec<Reason> {
    let values = tables.values();
    let pair = Pair { first, second, values, player };
    let comparison = tables.compare(&first.end, &second.end, player);
    let beyond = |items: &[(Item, i32)]| -> Vec<(Item, i32)> {
        items.iter().map(|&(item, worth)| (item, worth - pair.value(item))).collect()
    };
    let (before, after) = (beyond(&comparison.first), beyond(&comparison.second));
    let shifts = shifts(&placed(&before), &placed(&after));
    let kings = comparison.kings.map(|more| -more);
    let mut reasons: Vec<Reason> = material(values, first, second, player).into_iter().collect();
    reasons.extend(Color::ALL.iter().flat_map(|&side| pair.hand(side, &before, &after)));
    reasons.extend(Color::ALL.iter().flat_map(|&side| pair.castle(side, &shifts, kings)));
    reasons.extend(Color::ALL.iter().flat_map(|&side| pair.attack(side, &shifts)));
    reasons.extend(shifts.iter().filter_map(|shift| pair.elsewhere(shift)));
    reasons
}

/// The reason that is material; none if there is no difference.
pub(super) fn material(
    values: &PieceValues,
    first: &FollowedLine,
    second: &FollowedLine,
    player: Color,
) -> Option<Reason> {
    let pair = Pair { first, second, values, player };
    let centipawns = pair.sum(&second.end) - pair.sum(&first.end);
    let (mut lost, mut won): (Counts, Counts) = (Vec::new(), Vec::new());
    for kind in PieceKind::HAND_FROM_ROOK {
        let more = owned(&second.end, player, kind) - owned(&first.end, player, kind);
        let list = if more < 0 { &mut lost } else { &mut won };
        if more != 0 {
            list.push((kind, more.unsigned_abs()));
        }
    }
    let winner = if centipawns < 0 { !player } else { player };
    let missing = if centipawns < 0 { &lost } else { &won };
    let happened = pair.capture(second, winner, missing);
    let missed = pair.capture(first, !winner, missing);
    // Of equal ones the capture that happens.
    let (missed, taken) = match (happened, missed) {
        (Some((worth, _)), Some((more, missed))) if more > worth => (true, Some(missed)),
        (None, Some((_, missed))) => (true, Some(missed)),
        (happened, _) => (false, happened.map(|(_, taken)| taken)),
    };
    let promoted = if taken.is_none() { pair.promoted(winner) } else { None };
    let fact = Fact::Material { player, lost, won, taken, missed, promoted };
    (centipawns != 0).then_some(Reason { group: ReasonGroup::Material, centipawns, fact })
}

impl Pair<'_> {
    /// The material of an item in the units of comparisons, in the view of the player.
    fn value(&self, item: Item) -> i32 {
        let (color, value) = match item {
            Item::Placed(piece, _) => (piece.color(), self.values.board[piece.kind().index()]),
            Item::Held(color, kind, count) => {
                (color, self.values.hand[kind.index()] * i32::from(count))
            }
        };
        FINE_UNITS * if color == self.player { value } else { -value }
    }

    /// All material of a position in centipawns.
    fn sum(&self, position: &Position) -> i32 {
        let sign = |color: Color| if color == self.player { 1 } else { -1 };
        let board = position
            .pieces()
            .map(|(_, piece)| sign(piece.color()) * self.values.board[piece.kind().index()]);
        let hands = Color::ALL.into_iter().flat_map(|color| {
            position.hand(color).iter().map(move |(kind, count)| (color, kind, i32::from(count)))
        });
        let hands = hands.map(|(color, kind, n)| sign(color) * n * self.values.hand[kind.index()]);
        board.sum::<i32>() + hands.sum::<i32>()
    }

    /// The capture of a line that explains what is missing: of the most valuable piece, with its
    /// value.
    fn capture(&self, line: &FollowedLine, by: Color, missing: &Counts) -> Option<(i32, Taken)> {
        let is_missing = |capture: &&Capture| {
            let kind = capture.taken.kind().unpromoted();
            capture.by == by && missing.iter().any(|(missing, _)| *missing == kind)
        };
        let worth =
            |capture: &Capture| self.values.board[capture.taken.kind().unpromoted().index()];
        let captures = line.captures.iter().rev();
        let capture = captures.filter(is_missing).max_by_key(|capture| worth(capture))?;
        let Capture { taker, taken, square, number, .. } = *capture;
        // That the second line begins with the move that is explained needs no words.
        let from = usize::from(std::ptr::eq(line, self.second)).min(number);
        let before = line.moves[from..number].to_vec();
        let mv = line.moves[number].clone();
        Some((worth(capture), Taken { taker, taken, square, mv, before }))
    }

    /// A piece that is promoted at the end of the second line only, the most valuable.
    fn promoted(&self, side: Color) -> Option<Placed> {
        let new = |&(square, piece): &(Square, Piece)| {
            let before = self.first.end.piece_on(square);
            piece.color() == side && piece.is_promoted() && before != Some(piece)
        };
        let worth = |(_, piece): &(Square, Piece)| self.values.board[piece.kind().index()];
        let (square, piece) = self.second.end.pieces().filter(new).max_by_key(worth)?;
        Some(self.placed(piece, square))
    }

    fn placed(&self, piece: Piece, square: Square) -> Placed {
        Placed { piece, square, route: self.second.named(self.second.route(square)) }
    }

    fn exposure(&self, side: Color) -> [super::Exposure; 2] {
        [exposure(&self.first.end, side), exposure(&self.second.end, side)]
    }

    fn hand(&self, side: Color, before: &[(Item, i32)], after: &[(Item, i32)]) -> Option<Reason> {
        let sum = |items: &[(Item, i32)]| -> i32 {
            let held =
                |(item, _): &&(Item, i32)| matches!(item, Item::Held(color, ..) if *color == side);
            items.iter().filter(held).map(|(_, worth)| worth).sum()
        };
        let held = |line: &FollowedLine| -> Counts {
            line.end.hand(side).iter().map(|(kind, count)| (kind, u32::from(count))).collect()
        };
        let fact = Fact::Hand { side, held: [held(self.first), held(self.second)] };
        reason(ReasonGroup::Hands, sum(after) - sum(before), fact)
    }

    /// A king and its own pieces around it, with what it means for all others that it stands
    /// elsewhere.
    fn castle(&self, side: Color, shifts: &[Shift], kings: [i32; 2]) -> Option<Reason> {
        let king = Piece::new(side, PieceKind::King);
        let of_king = shifts.iter().filter(|shift| shift.is(king)).map(|shift| shift.worth);
        let (mut moved, mut gone, mut came) = (Vec::new(), Vec::new(), Vec::new());
        let pieces = self.at(Place::Castle(side), shifts);
        for shift in pieces.iter().take(NAMED) {
            match (shift.first, shift.second) {
                (Some((_, from)), Some((piece, to))) => moved.push((piece, [from, to])),
                (Some(first), None) => gone.push(first),
                (None, Some((piece, square))) => came.push(self.placed(piece, square)),
                (None, None) => {}
            }
        }
        let sum = pieces.iter().map(|shift| shift.worth).chain(of_king).sum::<i32>();
        let king = [self.first.end.king(side)?, self.second.end.king(side)?];
        let fact = Fact::Castle { side, king, moved, gone, came, exposure: self.exposure(side) };
        reason(ReasonGroup::Castle, sum + kings[side.index()], fact)
    }

    fn attack(&self, side: Color, shifts: &[Shift]) -> Option<Reason> {
        let (mut gone, mut came) = (Vec::new(), Vec::new());
        let pieces = self.at(Place::Attack(side), shifts);
        for shift in pieces.iter().take(NAMED) {
            match (shift.first, shift.second) {
                (_, Some((piece, square))) => came.push(self.placed(piece, square)),
                (Some(first), None) => gone.push(first),
                (None, None) => {}
            }
        }
        let sum = pieces.iter().map(|shift| shift.worth).sum();
        let (king, exposure) = (self.second.end.king(side)?, self.exposure(side));
        reason(ReasonGroup::KingSafety, sum, Fact::Attack { side, king, came, gone, exposure })
    }

    /// The pieces of a place, those that weigh most first.
    fn at<'s>(&self, place: Place, shifts: &'s [Shift]) -> Vec<&'s Shift> {
        let mut pieces: Vec<&Shift> =
            shifts.iter().filter(|shift| self.place(shift) == place).collect();
        pieces.sort_by_key(|shift| -shift.worth.abs());
        pieces
    }

    fn elsewhere(&self, shift: &Shift) -> Option<Reason> {
        if self.place(shift) != Place::Elsewhere {
            return None;
        }
        let safe = |at: Option<(Piece, Square)>, position: &Position| {
            at.and_then(|(_, square)| safe_squares(position, square))
        };
        let (first, second) = (&self.first.end, &self.second.end);
        let unguarded = match (shift.first, shift.second) {
            (Some((piece, from)), Some((_, to))) => {
                let friends = own(second, piece.color()) & own(first, piece.color());
                (reach(first, from) & !reach(second, to) & friends).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let fact = Fact::Piece {
            first: shift.first,
            second: shift.second.map(|(piece, square)| self.placed(piece, square)),
            safe: [safe(shift.first, first), safe(shift.second, second)],
            unguarded,
        };
        reason(ReasonGroup::Activity, shift.worth, fact)
    }

    /// To which statement a piece belongs.
    fn place(&self, shift: &Shift) -> Place {
        let ends = [(shift.first, &self.first.end), (shift.second, &self.second.end)];
        let near = |of_enemy: bool| {
            ends.iter().any(|(at, end)| {
                at.is_some_and(|(piece, square)| {
                    let king = if of_enemy { !piece.color() } else { piece.color() };
                    is_near_king(end, king, square)
                })
            })
        };
        let Some((piece, _)) = shift.first.or(shift.second) else { return Place::Elsewhere };
        match piece.color() {
            _ if piece.kind() == PieceKind::King => Place::King,
            side if near(false) => Place::Castle(side),
            side if near(true) => Place::Attack(!side),
            _ => Place::Elsewhere,
        }
    }
}

#[derive(PartialEq, Eq)]
enum Place {
    King,
    Castle(Color),
    Attack(Color),
    Elsewhere,
}

impl Shift {
    fn is(&self, piece: Piece) -> bool {
        self.first.or(self.second).is_some_and(|(of, _)| of == piece)
    }
}

fn reason(group: ReasonGroup, worth: i32, fact: Fact) -> Option<Reason> {
    let centipawns = (f64::from(worth) / f64::from(FINE_UNITS)).round() as i32;
    (centipawns != 0).then_some(Reason { group, centipawns, fact })
}

/// A piece, its square, and what it is worth beyond its material.
type Worth = (Piece, Square, i32);

fn placed(items: &[(Item, i32)]) -> Vec<Worth> {
    let placed = |&(item, worth): &(Item, i32)| match item {
        Item::Placed(piece, square) => Some((piece, square, worth)),
        Item::Held(..) => None,
    };
    items.iter().filter_map(placed).collect()
}

/// Finds the pieces of the first line again in the second, those first that have the shortest way.
fn shifts(first: &[Worth], second: &[Worth]) -> Vec<Shift> {
    let same = |a: Piece, b: Piece| {
        a.color() == b.color() && a.kind().unpromoted() == b.kind().unpromoted()
    };
    let mut ways: Vec<(u8, usize, usize)> = Vec::new();
    for (i, &(a, from, _)) in first.iter().enumerate() {
        for (j, &(b, to, _)) in second.iter().enumerate() {
            if same(a, b) {
                ways.push((from.distance(to), i, j));
            }
        }
    }
    ways.sort_unstable();
    let (mut used, mut found) = (vec![false; first.len()], vec![false; second.len()]);
    let mut shifts = Vec::new();
    for (_, i, j) in ways {
        if !used[i] && !found[j] {
            (used[i], found[j]) = (true, true);
            let ((a, from, was), (b, to, is)) = (first[i], second[j]);
            shifts.push(Shift { first: Some((a, from)), second: Some((b, to)), worth: is - was });
        }
    }
    let left = |all: &[Worth], used: &[bool]| -> Vec<Worth> {
        all.iter().zip(used).filter(|(_, used)| !**used).map(|(worth, _)| *worth).collect()
    };
    for (piece, square, worth) in left(first, &used) {
        shifts.push(Shift { first: Some((piece, square)), second: None, worth: -worth });
    }
    for (piece, square, worth) in left(second, &found) {
        shifts.push(Shift { first: None, second: Some((piece, square)), worth });
    }
    shifts
}
