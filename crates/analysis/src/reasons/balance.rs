//! What a position is worth to Black, gathered into statements about material, kings, castles,
//! hands and the other pieces of each side.

use tesuji_eval::PieceTables;
use tesuji_eval::tables::PieceValues;
use tesuji_eval::tables::compare::{FINE_UNITS, Item};
use tesuji_shogi::{Color, Hand, PieceKind, Position, Square};

use super::board::{is_near_king, owned};
use super::fact::{Counts, Fact, Standing};
use super::{Reason, ReasonGroup};

/// How many pieces of a statement are named.
const NAMED: usize = 4;

/// The statements by piece tables, in the view of Black: the position is compared with one in which
/// only the kings stand where they are.
pub(super) fn reasons(tables: &PieceTables, position: &Position) -> Vec<Reason> {
    let Some(bare) = bare(position) else { return Vec::new() };
    let values = tables.values();
    let comparison = tables.compare(position, &bare, Color::Black);
    let mut reasons: Vec<Reason> = material(values, position).into_iter().collect();
    let worth: Vec<(Item, i32)> =
        comparison.first.iter().map(|&(item, worth)| (item, worth - value(values, item))).collect();
    for side in Color::ALL {
        for group in [ReasonGroup::Castle, ReasonGroup::KingSafety, ReasonGroup::Activity] {
            reasons.extend(standing(position, side, group, &worth));
        }
        reasons.extend(hand(position, side, &worth));
    }
    reasons
}

/// Who has more, in the view of Black.
pub(super) fn material(values: &PieceValues, position: &Position) -> Option<Reason> {
    let placed = position.pieces().map(|(square, piece)| Item::Placed(piece, square));
    let held = Color::ALL.into_iter().flat_map(|color| {
        position.hand(color).iter().map(move |(kind, count)| Item::Held(color, kind, count))
    });
    let sum: i32 = placed.chain(held).map(|item| value(values, item)).sum();
    let (mut lost, mut won): (Counts, Counts) = (Vec::new(), Vec::new());
    for kind in PieceKind::HAND_FROM_ROOK {
        let more = owned(position, Color::Black, kind) - owned(position, Color::White, kind);
        let list = if more < 0 { &mut lost } else { &mut won };
        // One more than half of the pieces is one less for the opponent.
        if more != 0 {
            list.push((kind, more.unsigned_abs().div_ceil(2)));
        }
    }
    let centipawns = sum / FINE_UNITS;
    let fact = Fact::Ahead { more: won, less: lost };
    (centipawns != 0).then_some(Reason { group: ReasonGroup::Material, centipawns, fact })
}

/// The kings where they are, and nothing else.
fn bare(position: &Position) -> Option<Position> {
    let kings = position.pieces().filter(|(_, piece)| piece.kind() == PieceKind::King);
    let pieces: Vec<_> = kings.collect();
    Position::from_parts(pieces, [Hand::default(); 2], position.side_to_move(), 1).ok()
}

/// The material of an item in the units of comparisons, in the view of Black.
fn value(values: &PieceValues, item: Item) -> i32 {
    let (color, value) = match item {
        Item::Placed(piece, _) => (piece.color(), values.board[piece.kind().index()]),
        Item::Held(color, kind, count) => (color, values.hand[kind.index()] * i32::from(count)),
    };
    FINE_UNITS * if color == Color::Black { value } else { -value }
}

fn standing(
    position: &Position,
    side: Color,
    group: ReasonGroup,
    worth: &[(Item, i32)],
) -> Option<Reason> {
    let mut pieces: Vec<Standing> = Vec::new();
    let mut sum = 0;
    for &(item, worth) in worth {
        if let Item::Placed(piece, square) = item
            && piece.color() == side
            && place(position, side, square) == group
        {
            sum += worth;
            pieces.push(Standing { piece, square, centipawns: centipawns(worth) });
        }
    }
    pieces.sort_by_key(|one| -one.centipawns.abs());
    pieces.truncate(NAMED);
    let king_of = if group == ReasonGroup::KingSafety { !side } else { side };
    let king = position.king(king_of);
    let fact = Fact::Standing { side, group, king, pieces };
    (centipawns(sum) != 0).then(|| Reason { group, centipawns: centipawns(sum), fact })
}

fn hand(position: &Position, side: Color, worth: &[(Item, i32)]) -> Option<Reason> {
    let held = |(item, _): &&(Item, i32)| matches!(item, Item::Held(of, ..) if *of == side);
    let sum: i32 = worth.iter().filter(held).map(|(_, worth)| worth).sum();
    let counts: Counts =
        position.hand(side).iter().map(|(kind, count)| (kind, u32::from(count))).collect();
    let fact = Fact::Held { side, held: counts };
    let centipawns = centipawns(sum);
    (centipawns != 0).then_some(Reason { group: ReasonGroup::Hands, centipawns, fact })
}

fn place(position: &Position, side: Color, square: Square) -> ReasonGroup {
    if is_near_king(position, side, square) {
        ReasonGroup::Castle
    } else if is_near_king(position, !side, square) {
        ReasonGroup::KingSafety
    } else {
        ReasonGroup::Activity
    }
}

fn centipawns(worth: i32) -> i32 {
    (f64::from(worth) / f64::from(FINE_UNITS)).round() as i32
}
