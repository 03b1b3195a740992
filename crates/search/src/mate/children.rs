//! The children of a node: what is known of them, or what a look at them tells.

use tesuji_shogi::{Bitboard, Color, Move, MoveKind, MoveSink, PieceKind, Position, Square};

use super::holding::Holding;
use super::one::{self, Checks};
use super::search::{Node, ON_NOTHING, Search, less};
use super::table::{INFINITE, Known, Place, UNLIMITED};

/// The disproof is none: the line was only too long to be followed.
pub(super) const ON_THE_HORIZON: i32 = -1;

/// A move with the numbers of the position that it leads to, seen from the player to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub mv: Move,
    pub place: Place,
    pub phi: u32,
    pub delta: u32,
    pub length: u16,
    pub holding: Holding,
    pub since: i32,
    /// Is it the attacker's move there?
    attacks: bool,
}

impl Search<'_> {
    /// Makes the children of a node. A child that decides the node ends the list.
    pub fn expand(&mut self, node: &Node<'_>) {
        let limit = less(node.limit, 1);
        let kind = if node.attacks { MoveKind::Checks } else { MoveKind::All };
        for mv in &node.position.moves_of(kind) {
            let mut position = *node.position;
            position.play_unchecked(mv);
            let mut child = Child::new(mv, self.place(&position), !node.attacks);
            if !self.recall(&mut child, limit) {
                if child.attacks {
                    child.look_at_checks(&position, limit);
                } else {
                    child.look_at_evasions(&position, limit);
                }
            }
            if child.is_open() && node.ply + 1 >= self.max_ply {
                child.set_saved(UNLIMITED, child.place.hand.into(), ON_THE_HORIZON);
            }
            self.children.push(child);
            if child.delta == 0 {
                break;
            }
        }
    }

    /// Fills in what the path or the tables say; `false` if they say nothing.
    fn recall(&self, child: &mut Child, limit: u16) -> bool {
        let hand = child.place.hand;
        if limit == UNLIMITED
            && let Some(since) = self.repeated(child.place)
        {
            child.set_saved(UNLIMITED, hand.into(), since);
            return true;
        }
        let known = self.table.look_up(child.place, limit);
        match known {
            Some(Known::Mate { length, needs, .. }) => child.set_mated(length, needs.into()),
            Some(Known::NoMate { length, allows }) => {
                child.set_saved(length, allows.into(), ON_NOTHING);
            }
            Some(Known::Open { pn, dn }) => {
                if limit == UNLIMITED
                    && let Some(since) = self.loops.look_up(self.path_key_with(child.place))
                {
                    child.set_saved(UNLIMITED, hand.into(), since);
                    return true;
                }
                child.set_open(pn, dn);
            }
            None => return false,
        }
        true
    }
}

impl Child {
    const fn new(mv: Move, place: Place, attacks: bool) -> Self {
        let (holding, since) = (Holding::NOTHING, ON_NOTHING);
        Self { mv, place, phi: 1, delta: 1, length: 0, holding, since, attacks }
    }

    const fn is_open(&self) -> bool {
        self.phi != 0 && self.delta != 0
    }

    const fn set_open(&mut self, pn: u32, dn: u32) {
        (self.phi, self.delta) = if self.attacks { (pn, dn) } else { (dn, pn) };
    }

    const fn set_mated(&mut self, length: u16, needs: Holding) {
        self.set_open(0, INFINITE);
        self.length = length;
        self.holding = needs;
    }

    const fn set_saved(&mut self, length: u16, allows: Holding, since: i32) {
        self.set_open(INFINITE, 0);
        self.length = length;
        self.holding = allows;
        self.since = since;
    }

    /// The defender is in check: has he answers, and how many?
    fn look_at_evasions(&mut self, position: &Position, limit: u16) {
        let mut answers = Answers::default();
        position.generate(MoveKind::All, &mut answers);
        if answers.board == 0 && answers.drops.is_empty() {
            self.set_mated(0, Holding::NOTHING.without_interpositions(position));
        } else if limit < 2 {
            let both = Holding::of_both(position);
            let allows = if answers.board > 0 { both } else { self.place.hand.into() };
            self.set_saved(1, allows, ON_NOTHING);
        } else {
            self.set_open(answers.board + answers.drops.count().min(1), 1);
        }
    }

    /// The attacker may check again: does one of the checks mate at once, and are there any?
    fn look_at_checks(&mut self, position: &Position, limit: u16) {
        match one::look(position) {
            Checks::Mate(_, needs) => self.set_mated(1, needs),
            Checks::Count(0) => {
                let allows = Holding::of_both(position).without_new_drops(position);
                self.set_saved(UNLIMITED, allows, ON_NOTHING);
            }
            Checks::Count(_) if limit < 3 => {
                self.set_saved(limit, self.place.hand.into(), ON_NOTHING);
            }
            Checks::Count(_) => self.set_open(1, 1),
        }
    }
}

/// Counts the answers to a check: moves on the board, and squares for drops.
#[derive(Default)]
struct Answers {
    board: u32,
    drops: Bitboard,
}

impl MoveSink for Answers {
    fn board_moves(&mut self, _from: Square, plain: Bitboard, promoting: Bitboard) {
        // A move that may promote is one answer, not two.
        self.board += (plain | promoting).count();
    }

    fn pawn_moves(&mut self, _color: Color, plain: Bitboard, promoting: Bitboard) {
        self.board += (plain | promoting).count();
    }

    fn drops(&mut self, _kind: PieceKind, targets: Bitboard) {
        self.drops |= targets;
    }
}
