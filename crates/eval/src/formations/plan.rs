//! Plans: the moves that build a castle, in an order that works.
//!
//! The maps alone say where each piece should go, not who must move first: a gold may be in the way
//! of the king. So the order is searched (A*), with the moves that are left for each piece on an
//! empty board as the estimate, while the opponent passes. Of orders that are equally short the one
//! is taken that has most on the maps early.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Square};

use super::maps::{distances, is_shared_out, pieces_of};
use super::{Atlas, FormationMaps, Placed, RookStyle};

/// Positions whose moves are tried before a plan is given up.
const MOST_EXPANDED: usize = 12_000;
/// The same where a search waits for it.
const AT_ONCE: usize = 60;
/// What a move counts, and what a move that is still needed counts: a little more, so that what is
/// nearly finished is finished.
const DONE: u32 = 2;
const LEFT: u32 = 3;

/// What a place counts that nobody can reach any more.
const LOST: u32 = 100;

/// How a castle is built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The castle's place in the list.
    pub castle: usize,
    /// The moves of its owner, in order.
    pub moves: Vec<Move>,
    /// What the castle's maps are worth before the first move and after each, in quarters.
    pub values: Vec<i32>,
    /// Does everything stand in its place at the end?
    pub finished: bool,
}

impl Plan {
    /// The position after the plan of a player, while the opponent passes.
    ///
    /// # Panics
    ///
    /// If it is the plan of another position.
    pub fn carried_out(&self, start: &Position, color: Color) -> Position {
        self.moves.iter().fold(*start, |position, &mv| {
            let own = position.side_to_move() == color;
            let own = if own { Some(position) } else { position.after_pass() };
            own.and_then(|position| position.after(mv)).expect("the plan is for this position")
        })
    }
}

impl Atlas {
    /// Does a move take the moved piece further from its place in the castle that its player builds?
    /// And in all that this grows into: on the road to those, pieces leave places of the first.
    pub fn lowers_castle(&self, position: &Position, mv: Move) -> bool {
        let color = position.side_to_move();
        let wanted = self.formations().wanted(position, color, 1, None);
        let Some(castle) = wanted.first().map(|wanted| wanted.castle) else { return false };
        let later = &self.formations().castles()[castle].grows_into;
        let moved = mv.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
        let (Some(kind), Some(after)) = (moved, position.after(mv)) else { return false };
        let lowers = |castle: usize| self.castle(castle).change(position, &after, color, kind) < 0;
        lowers(castle) && later.iter().all(|&castle| lowers(castle))
    }

    /// The plan of the side to move, as far as it is found at once; no moves in check.
    pub fn planned_moves(&self, position: &Position) -> Vec<Move> {
        let color = position.side_to_move();
        let castles = self.formations().candidates_to_build(position, color);
        let Some(&castle) = castles.first().filter(|_| !position.in_check()) else {
            return Vec::new();
        };
        let rook = self.formations().castles()[castle].rook;
        Builder::new(self.castle(castle), color, rook).build(*position, castle, AT_ONCE).moves
    }

    /// The plan of a player: for the first of the castles that suit which can be finished, or as far
    /// as the best one goes.
    pub fn plan(&self, position: &Position, color: Color, most: usize) -> Option<Plan> {
        let castles = self.formations().candidates_to_build(position, color);
        let mut best: Option<Plan> = None;
        for castle in castles.into_iter().take(most) {
            let plan = self.plan_castle(position, color, castle)?;
            if plan.finished {
                return Some(plan);
            }
            let better = best.as_ref().is_none_or(|best| plan.values.last() > best.values.last());
            if better {
                best = Some(plan);
            }
        }
        best
    }

    /// The plan for one castle; `None` while the player is in check and has something else to do.
    pub fn plan_castle(&self, position: &Position, color: Color, castle: usize) -> Option<Plan> {
        let maps = self.castle(castle);
        let start =
            if position.side_to_move() == color { *position } else { position.after_pass()? };
        if start.in_check() {
            return None;
        }
        let rook = self.formations().castles()[castle].rook;
        Some(Builder::new(maps, color, rook).build(start, castle, MOST_EXPANDED))
    }
}

/// One position on the way.
struct Node {
    position: Position,
    parent: Option<(usize, Move)>,
    moves: u32,
    left: u32,
    /// What the maps were worth on the way, added up.
    gained: i32,
}

struct Builder<'a> {
    maps: &'a FormationMaps,
    color: Color,
    /// Each place with the moves to it from everywhere.
    places: Vec<(Placed, [Option<u8>; Square::COUNT])>,
    /// How the castle wants the rook to be used.
    rook: Option<RookStyle>,
}

impl<'a> Builder<'a> {
    fn new(maps: &'a FormationMaps, color: Color, rook: Option<RookStyle>) -> Self {
        let places = maps.places().iter().map(|place| place.place);
        let places = places.map(|place| (place, distances(place.0, place.1))).collect();
        Self { maps, color, places, rook }
    }

    fn build(&self, start: Position, castle: usize, most: usize) -> Plan {
        let left = self.left(&start);
        let mut nodes = vec![Node { position: start, parent: None, moves: 0, left, gained: 0 }];
        let mut open = BinaryHeap::from([(Reverse(LEFT * left), 0, Reverse(0))]);
        let mut known = HashSet::from([start.board_key()]);
        let mut best = 0;
        for _ in 0..most {
            let Some((_, _, Reverse(number))) = open.pop() else { break };
            if nodes[number].left < nodes[best].left {
                best = number;
            }
            // Only what was lost before the plan began is left.
            if nodes[number].left.is_multiple_of(LOST) {
                break;
            }
            for next in self.successors(&nodes[number], number) {
                if known.insert(next.position.board_key()) {
                    let cost = DONE * next.moves + LEFT * next.left;
                    open.push((Reverse(cost), next.gained, Reverse(nodes.len())));
                    nodes.push(next);
                }
            }
        }
        self.plan(&nodes, best, castle)
    }

    /// The moves of a player whose opponent passes.
    fn successors(&self, node: &Node, number: usize) -> Vec<Node> {
        let position = &node.position;
        let quiet = |mv: &&Move| {
            !mv.is_drop() && !mv.is_promotion() && position.piece_on(mv.to()).is_none()
        };
        let near = |mv: &&Move| mv.to().seen_by(self.color).rank() >= 5;
        let moves = position.legal_moves();
        let after = moves.iter().filter(quiet).filter(near).filter_map(|&mv| {
            let position = position.after_unchecked(mv).after_pass()?;
            let left = self.left(&position);
            // A piece may make room for another, but not wander.
            let allowed = left <= node.left + 2 && !position.in_check();
            let gained = node.gained + self.maps.value(&position, self.color);
            let (parent, moves) = (Some((number, mv)), node.moves + 1);
            allowed.then_some(Node { position, parent, moves, left, gained })
        });
        after.collect()
    }

    /// The moves that are left if nobody is in the way. A place that nobody can reach any more counts
    /// as many: one must not lose it on the way.
    fn left(&self, position: &Position) -> u32 {
        let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
        let moves: u32 = plain.map(|kind| self.left_of_kind(position, kind)).sum();
        moves + u32::from(self.waits_for_rook(position))
    }

    /// Must the rook still go to the other side, where it belongs with such a castle?
    fn waits_for_rook(&self, position: &Position) -> bool {
        let rook = position.of(self.color, PieceKind::Rook).first();
        let file = rook.map(|rook| rook.seen_by(self.color).file());
        self.rook == Some(RookStyle::Ranging) && file.is_some_and(|file| file < 5)
    }

    fn left_of_kind(&self, position: &Position, kind: PieceKind) -> u32 {
        let pieces = pieces_of(position, self.color, kind);
        let squares: Vec<Square> =
            pieces.into_iter().map(|square| square.seen_by(self.color)).collect();
        let places = self.places.iter().filter(|((own, _), _)| *own == kind);
        let moves = |distances: &[Option<u8>; Square::COUNT], square: Square| {
            distances[square.index()].map(u32::from)
        };
        if is_shared_out(kind) {
            let places: Vec<_> = places.map(|(_, distances)| distances).collect();
            return match &places[..] {
                [] => 0,
                [place] => {
                    let moves = squares.iter().filter_map(|&square| moves(place, square));
                    moves.min().unwrap_or(LOST)
                }
                [a, b, ..] => {
                    best_pair(&squares, |square| moves(a, square), |square| moves(b, square))
                }
            };
        }
        places
            .map(|(_, distances)| {
                let moves = squares.iter().filter_map(|&square| moves(distances, square));
                moves.min().unwrap_or(LOST)
            })
            .sum()
    }

    fn plan(&self, nodes: &[Node], last: usize, castle: usize) -> Plan {
        let mut way = vec![last];
        while let Some((parent, _)) = nodes[way[way.len() - 1]].parent {
            way.push(parent);
        }
        way.reverse();
        let moves = way.iter().filter_map(|&node| nodes[node].parent.map(|(_, mv)| mv)).collect();
        let value = |&node: &usize| self.maps.value(&nodes[node].position, self.color);
        let end = &nodes[last].position;
        let stands = |((kind, square), _): &(Placed, _)| {
            end.of(self.color, *kind).contains(square.seen_by(self.color))
        };
        let finished = self.places.iter().all(stands) && !self.waits_for_rook(end);
        Plan { castle, moves, values: way.iter().map(value).collect(), finished }
    }
}

/// The fewest moves of two different pieces to two places, or of the only one to one of them.
fn best_pair(
    squares: &[Square],
    first: impl Fn(Square) -> Option<u32>,
    second: impl Fn(Square) -> Option<u32>,
) -> u32 {
    let mut best: Option<u32> = None;
    for (i, &a) in squares.iter().enumerate() {
        for (j, &b) in squares.iter().enumerate() {
            if i != j
                && let (Some(a), Some(b)) = (first(a), second(b))
            {
                best = Some(best.map_or(a + b, |best| best.min(a + b)));
            }
        }
    }
    let alone = || {
        let each = squares.iter().flat_map(|&square| [first(square), second(square)]);
        LOST + each.flatten().min().unwrap_or(LOST)
    };
    best.unwrap_or_else(alone)
}
