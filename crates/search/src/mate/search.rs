//! Depth-first proof-number search (df-pn).
//!
//! A node's proof number says how many leaves must at least be proved to prove it, its disproof
//! number how many must be disproved. Both are seen from the player to move here: `phi` is what is
//! missing for him to reach his aim (the proof number where the attacker moves, the disproof number
//! where the defender does), `delta` what is missing to deny it. So `phi` is the least `delta` of
//! the children and `delta` a sum of their `phi`, on either side.
//!
//! The search has two modes. Without a limit a position is the same node however it was reached,
//! and a position that recurs on the path is no mate there: only the attacker's checks lead to it,
//! and perpetual check loses. A disproof that rests on such a recurrence holds on that path alone
//! until the repeated position itself is disproved. With a limit on the length of the mate there
//! are no cycles, since a node includes the plies that remain.

use std::time::Instant;

use tesuji_shogi::{Color, Move, PieceKind, Position};

use super::children::Child;
use super::holding::Holding;
use super::table::{INFINITE, Known, LoopTable, Place, Table, UNLIMITED};
use super::{Limits, Solver};
use crate::stop::Stop;

/// Rests on nothing that was played before.
pub(super) const ON_NOTHING: i32 = i32::MAX;

/// What a search of a node brought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub phi: u32,
    pub delta: u32,
    /// Within how many plies there is a mate, or none; only for a decided node.
    pub length: u16,
    /// What the proof needs or the disproof allows; only for a decided node.
    pub holding: Holding,
    /// The ply of the earliest position of the path on whose recurrence a disproof rests.
    pub since: i32,
    /// The attacker's move that mates.
    pub mv: Option<Move>,
}

impl Value {
    const fn open(phi: u32, delta: u32) -> Self {
        let (holding, since) = (Holding::NOTHING, ON_NOTHING);
        Self { phi, delta, length: 0, holding, since, mv: None }
    }
}

/// A position of the path to the current node, with a key of the path up to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub place: Place,
    pub key: u64,
}

/// How much a player may have to prove before the search turns to something else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    pub phi: u32,
    pub delta: u32,
}

impl Thresholds {
    pub const NONE: Self = Self { phi: INFINITE, delta: INFINITE };
}

/// A node on its way through the search.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub place: Place,
    /// Distance from the root.
    pub ply: u16,
    /// Plies within which the mate must come.
    pub limit: u16,
    /// Is it the attacker's move?
    pub attacks: bool,
}

/// One question to the solver.
pub(super) struct Search<'a> {
    pub table: &'a mut Table,
    pub loops: &'a mut LoopTable,
    stop: Stop<'a>,
    attacker: Color,
    /// Sets apart what is known for other attackers and other sets of pieces.
    salt: u64,
    path: Vec<Step>,
    /// The children of all nodes of the path.
    pub children: Vec<Child>,
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    pub max_ply: u16,
    pub stopped: bool,
}

/// The children taken together.
struct Sum {
    phi: u32,
    delta: u32,
    best: usize,
    /// The second least `delta`.
    second: u32,
    /// The part of `delta` that does not depend on the best child.
    others: u32,
}

impl<'a> Search<'a> {
    pub fn new(solver: &'a mut Solver, root: &Position, limits: &Limits, stop: Stop<'a>) -> Self {
        Self {
            table: &mut solver.table,
            loops: &mut solver.loops,
            stop,
            attacker: root.side_to_move(),
            salt: salt(root),
            path: Vec::new(),
            children: Vec::new(),
            nodes: 0,
            node_limit: limits.nodes,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            max_ply: limits.max_ply.min(Limits::MAX_PLY),
            stopped: false,
        }
    }

    /// How many nodes were searched.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Where a position is kept in the table.
    pub fn place(&self, position: &Position) -> Place {
        Place { key: position.board_key() ^ self.salt, hand: position.hand(self.attacker) }
    }

    /// Counts a node, and stops the search when a limit is reached.
    fn count_node(&mut self) {
        /// How many nodes are searched between two looks at the clock, some tenths of a
        /// millisecond.
        const CLOCK_EVERY: u64 = 128;
        self.nodes += 1;
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || self.stop.is_set();
            self.stop.tell_nodes(self.nodes);
        }
    }

    /// Searches from a root until it is decided or a limit is reached.
    pub fn search_root(&mut self, position: &Position, limit: u16) -> Value {
        self.path.clear();
        self.children.clear();
        self.loops.forget();
        let place = self.place(position);
        let node = Node { position, place, ply: 0, limit, attacks: true };
        self.search(&node, Thresholds::NONE)
    }

    /// Searches below a node until one of its numbers reaches its threshold.
    pub fn search(&mut self, node: &Node<'_>, thresholds: Thresholds) -> Value {
        let before = self.nodes;
        self.count_node();
        let first = self.children.len();
        self.enter(node.place);
        self.expand(node);
        let sum = loop {
            let sum = self.sum(first);
            if sum.phi >= thresholds.phi || sum.delta >= thresholds.delta || self.stopped {
                break sum;
            }
            self.search_child(node, first + sum.best, &sum, thresholds);
        };
        let value = self.conclude(node, first, &sum);
        self.path.pop();
        self.children.truncate(first);
        self.remember(node, &value, self.nodes - before);
        value
    }

    fn search_child(&mut self, node: &Node<'_>, index: usize, sum: &Sum, thresholds: Thresholds) {
        let child = self.children[index];
        let mut position = *node.position;
        position.play_unchecked(child.mv);
        let next = Node {
            position: &position,
            place: child.place,
            ply: node.ply + 1,
            limit: less(node.limit, 1),
            attacks: !node.attacks,
        };
        // A little more than the second best: going back and forth between two lines costs more.
        let enough = sum.second.saturating_add(sum.second / 4 + 1);
        let below = Thresholds {
            phi: thresholds.delta.saturating_sub(sum.others).max(child.phi + 1),
            delta: thresholds.phi.min(enough),
        };
        let value = self.search(&next, below);
        let child = &mut self.children[index];
        child.phi = value.phi;
        child.delta = value.delta;
        child.length = value.length;
        child.holding = value.holding;
        child.since = value.since;
    }

    /// Adds up the children. To sum their numbers would count a position as often as lines lead to
    /// it, most of all behind pieces put between one after the other. So only the greatest counts
    /// in full, and every other undecided child as one (weak proof numbers).
    fn sum(&self, first: usize) -> Sum {
        let children = &self.children[first..];
        let mut sum = Sum { phi: INFINITE, delta: 0, best: 0, second: INFINITE, others: 0 };
        let (mut open, mut greatest, mut best_phi) = (0_u32, 0, u32::MAX);
        for (i, child) in children.iter().enumerate() {
            greatest = greatest.max(child.phi);
            open += u32::from(child.phi > 0);
            let better = child.delta < sum.phi || child.delta == sum.phi && child.phi < best_phi;
            if better {
                sum.second = sum.phi;
                sum.phi = child.delta;
                sum.best = i;
                best_phi = child.phi;
            } else {
                sum.second = sum.second.min(child.delta);
            }
        }
        sum.others = open.saturating_sub(1);
        sum.delta = greatest + sum.others;
        if sum.phi == 0 {
            sum.delta = INFINITE;
        } else if sum.delta == 0 {
            sum.phi = INFINITE;
        } else {
            sum.delta = sum.delta.min(INFINITE - 1);
            sum.phi = sum.phi.min(INFINITE - 1);
        }
        sum
    }

    /// What the children say of the node.
    fn conclude(&self, node: &Node<'_>, first: usize, sum: &Sum) -> Value {
        let children = &self.children[first..];
        let Sum { phi, delta, best, .. } = *sum;
        let open = Value::open(phi, delta);
        let value = match (node.attacks, phi, delta) {
            (true, 0, _) => {
                let child = &children[best];
                let holding = child.holding.before(node.position, child.mv);
                Value { length: child.length + 1, holding, mv: Some(child.mv), ..open }
            }
            (true, _, 0) => every_check_fails(node, children, open),
            (false, 0, _) => {
                // Of several answers that save the king, one that rests on nothing is the best.
                let saving = children.iter().filter(|child| child.delta == 0);
                let Some(child) = saving.max_by_key(|child| child.since) else { return open };
                let holding = child.holding.least(Holding::of_both(node.position));
                Value { length: more(child.length, 1), holding, since: child.since, ..open }
            }
            (false, _, 0) => {
                let length = children.iter().map(|child| child.length + 1).max().unwrap_or(0);
                let needs = children.iter().fold(Holding::NOTHING, |a, b| a.most(b.holding));
                Value { length, holding: needs.without_interpositions(node.position), ..open }
            }
            _ => open,
        };
        // What rests on this very position rests on nothing before it.
        let since = if value.since >= i32::from(node.ply) { ON_NOTHING } else { value.since };
        Value { since, ..value }
    }

    /// Writes a value into the tables.
    fn remember(&mut self, node: &Node<'_>, value: &Value, work: u64) {
        if self.stopped {
            return;
        }
        let (pn, dn) =
            if node.attacks { (value.phi, value.delta) } else { (value.delta, value.phi) };
        let length = value.length;
        let known = if pn == 0 {
            Known::Mate { length, needs: value.holding.hand(), mv: value.mv }
        } else if dn == 0 {
            if value.since != ON_NOTHING {
                let path = self.path_key_with(node.place);
                self.loops.store(path, value.since);
                return;
            }
            Known::NoMate { length, allows: value.holding.hand() }
        } else {
            Known::Open { pn, dn }
        };
        self.table.store(node.place, node.limit, known, work.min(u64::from(u32::MAX)) as u32);
    }

    fn enter(&mut self, place: Place) {
        let key = self.path_key_with(place);
        self.path.push(Step { place, key });
    }

    /// The latest position of the path that the attacker would only repeat at `place`: the same
    /// board, with as much in hand or more.
    pub fn repeated(&self, place: Place) -> Option<i32> {
        let same_side = self.path.iter().enumerate().rev().skip(1).step_by(2);
        same_side
            .filter(|(_, step)| step.place.key == place.key && step.place.hand.covers(place.hand))
            .map(|(ply, _)| ply as i32)
            .next()
    }

    /// A key of the path with a position added at its end.
    pub fn path_key_with(&self, place: Place) -> u64 {
        let key = self.path.last().map_or(0, |step| step.key);
        (key.rotate_left(5) ^ place.key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// No check mates: what that allows the attacker to hold, and on what it rests.
fn every_check_fails(node: &Node<'_>, children: &[Child], open: Value) -> Value {
    let mut length = UNLIMITED;
    let mut since = ON_NOTHING;
    let mut allows = Holding::of_both(node.position).without_new_drops(node.position);
    for child in children {
        length = length.min(more(child.length, 1));
        since = since.min(child.since);
        allows = allows.least(child.holding.before(node.position, child.mv));
    }
    if since != ON_NOTHING {
        allows = allows.least(node.place.hand.into());
    }
    Value { length, holding: allows, since, ..open }
}

/// A number for the attacker and the pieces that there are. With the pieces given, the board and
/// one hand tell the other hand.
fn salt(root: &Position) -> u64 {
    let kinds = PieceKind::HAND.into_iter().enumerate();
    let counts = kinds.fold(root.side_to_move().index() as u64, |number, (i, kind)| {
        let promoted = kind.promoted().map_or(0, |kind| root.of_kind(kind).count());
        let in_hands: u8 = Color::ALL.iter().map(|&color| root.hand(color).count(kind)).sum();
        let count = root.of_kind(kind).count() + promoted + u32::from(in_hands);
        number | u64::from(count) << (8 * i + 8)
    });
    counts.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A limit, so many plies later.
pub(super) const fn less(limit: u16, plies: u16) -> u16 {
    if limit == UNLIMITED { UNLIMITED } else { limit.saturating_sub(plies) }
}

/// A bound, so many plies earlier.
const fn more(length: u16, plies: u16) -> u16 {
    length.saturating_add(plies)
}
