//! What a move is for: the generators, class by class.
//!
//! Each calls `visit` with the features that its value depends on. A move that a generator does not
//! visit is not produced by it.

use tesuji_shogi::{Bitboard, Piece, PieceKind, Square};

use super::groups::{Group, LIKELY_PATTERNS, MAP_GAINS, RANKS};
use super::scene::{Loss, Screen, Wanted, is_slider, slides};
use super::{Scene, Step, development, patterns};
use crate::moves::attacker_class;

const KINDS: usize = PieceKind::COUNT;

/// Ranks of pieces from least to most: pawns; lances and knights; generals.
const PAWN: usize = 0;
const SMALL: usize = 1;
const GENERAL: usize = 2;

/// How a threat is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Leave,
    Guard,
    Take,
    Stop,
}

/// So many of a set, at most.
#[inline(always)]
pub(super) fn few(set: Bitboard, most: u32) -> usize {
    set.count().min(most) as usize
}

impl Scene<'_> {
    /// Calls `visit` for all reasons, class by class.
    #[inline(always)]
    pub(super) fn reasons(
        &self,
        step: &Step,
        wanted: &Wanted,
        visit: &mut impl FnMut(Group, usize),
    ) {
        self.goal(step, visit);
        self.threat(step, visit);
        self.defence(step, visit);
        self.improvement(step, visit);
        self.prevention(step, wanted, visit);
    }

    #[inline(always)]
    fn goal(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let attacked = usize::from(self.theirs.contains(step.to));
        if let Some(taken) = step.taken {
            let again = usize::from(self.last_to == Some(step.to));
            let index = (taken.index() * 2 + again) * 2 + attacked;
            visit(Group::Capture, index * RANKS + attacker_class(step.kind));
        }
        if step.mv.is_promotion() {
            let takes = usize::from(step.taken.is_some());
            visit(Group::Promote, (step.actor * 2 + attacked) * 2 + takes);
        }
    }

    #[inline(always)]
    fn threat(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let (actor, safe) = (step.actor, step.safe());
        if step.gives_check {
            let taken_away = few(self.flights & (step.gained | step.target), 3);
            visit(Group::Check, (actor * 4 + taken_away) * 2 + safe);
        }
        let beside = few(step.gained & self.enemy_zone, 4);
        let near = self.near_enemy_king;
        let comes_near =
            near.contains(step.to) && step.from.is_none_or(|from| !near.contains(from));
        if (beside > 0 || comes_near) && (!step.is_offered() || step.rank == GENERAL) {
            visit(Group::AttackKing, (actor * 5 + beside) * 2 + safe);
        }
        for square in self.prey_of(step) {
            let Some(kind) = self.position.piece_on(square).map(Piece::kind) else { continue };
            let protected = usize::from(self.theirs.contains(square));
            let mover = step.rank * 2 + usize::from(step.from.is_none());
            let index = (mover * KINDS + kind.index()) * 2 + protected;
            visit(Group::AttackMaterial, index * 2 + safe);
        }
        self.discovered(step, visit);
        let squares = self.promotions_of(step);
        if !squares.is_empty() {
            let free = usize::from(!squares.without(self.theirs).is_empty());
            visit(Group::ThreatenPromotion, (actor * 2 + free) * 2 + safe);
        }
    }

    /// The enemy pieces that a move attacks with gain. A piece that is given away does so only if it
    /// is small, or a general that moves.
    #[inline(always)]
    pub(super) fn prey_of(&self, step: &Step) -> Bitboard {
        let idle = step.is_offered() && (step.rank > GENERAL || step.drops_above(SMALL));
        if idle { Bitboard::EMPTY } else { step.gained & self.prey[step.standing.index()] }
    }

    /// Where the moved piece could promote next, if it is not given away. Of the pieces that are
    /// dropped for that, pawns, bishops and rooks count.
    #[inline(always)]
    pub(super) fn promotions_of(&self, step: &Step) -> Bitboard {
        let idle = step.from.is_none() && matches!(step.rank, SMALL | GENERAL);
        if idle || step.is_offered() || !step.standing.can_promote() {
            return Bitboard::EMPTY;
        }
        let zone = self.enemy_camp;
        let squares = if zone.contains(step.to) { step.gained } else { step.gained & zone };
        squares.without(self.own | self.more_of_theirs)
    }

    #[inline(always)]
    fn discovered(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        if !self.hiding.intersects(step.left) {
            return;
        }
        for ambush in self.ambushes.iter().filter(|ambush| ambush.is_opened_by(step)) {
            visit(Group::DiscoveredAttack, ambush.kind.index() * 2 + step.safe());
        }
    }

    #[inline(always)]
    fn defence(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let actor = step.actor;
        if self.position.in_check() {
            let how = match step.taken {
                Some(_) => 1,
                None if step.kind == PieceKind::King => 0,
                None => 2,
            };
            visit(Group::AnswerCheck, (actor * 3 + how) * 2 + step.safe());
        }
        if let Some(how) = self.defends_king(step) {
            visit(Group::DefendKing, (actor * 6 + how) * 4 + self.danger);
        }
        if step.is_given_away() && step.rank > SMALL {
            return;
        }
        if self.of_losses.meets(step) {
            for loss in self.losses.iter() {
                if let Some(answer) = answer_to_loss(loss, step) {
                    let index = (loss.kind.index() * 4 + answer as usize) * RANKS + step.rank;
                    visit(Group::DefendMaterial, index * 2 + usize::from(loss.by_last));
                }
            }
        }
        if step.is_given_away() || step.drops_above(SMALL) {
            return;
        }
        if !step.drops_above(PAWN) && self.of_masked.meets(step) {
            for screen in self.masked.iter() {
                if let Some(answer) = answer_to_mask(screen, step) {
                    visit(Group::DefendDiscovered, screen.kind.index() * 4 + answer as usize);
                }
            }
        }
        let how = if self.promoters.contains(step.to) {
            Some(2)
        } else if self.promotion_squares.contains(step.to) {
            Some(1)
        } else if step.gained.intersects(self.promotion_squares) {
            Some(0)
        } else {
            None
        };
        if let Some(how) = how {
            visit(Group::DefendPromotion, how * super::groups::ACTORS + actor);
        }
    }

    /// How a move defends the own king.
    #[inline(always)]
    fn defends_king(&self, step: &Step) -> Option<usize> {
        let theirs = self.theirs;
        if step.kind == PieceKind::King {
            return self.own_zone.intersects(theirs).then_some(5);
        }
        if self.besiegers.contains(step.to) {
            return Some(4);
        }
        if step.drops_above(GENERAL) || (step.is_given_away() && step.rank > SMALL) {
            return None;
        }
        let covered = few(step.gained & self.own_zone & theirs, 2);
        if covered > 0 {
            return Some(covered);
        }
        if self.siege_lines.contains(step.to) {
            return Some(3);
        }
        (!(step.gained & self.own_zone).is_empty()).then_some(0)
    }

    #[inline(always)]
    fn improvement(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        if step.is_given_away() {
            return;
        }
        if self.of_pins.meets(step) {
            for pin in self.pins.iter() {
                let Some(how) = answer_to_pin(pin, step) else { continue };
                if let Some(kind) = self.position.piece_on(pin.middle).map(Piece::kind) {
                    visit(Group::DefendPin, how * KINDS + kind.index());
                }
            }
        }
        self.guard(step, visit);
        let covered = few(step.gained & self.open_camp, 4);
        if covered > 0 && step.from.is_some() {
            visit(Group::CoverOwnCamp, step.actor * 4 + covered - 1);
        }
        self.develop(step, visit);
    }

    /// The own pieces that a move newly protects, by what ails each.
    #[inline(always)]
    fn guard(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        self.for_each_guarded(step, &mut |group, square, kind| {
            let ails = match group {
                Group::GuardUndefended => {
                    let attacked = self.theirs.contains(square);
                    kind.index() * 2 + usize::from(attacked)
                }
                _ => kind.index(),
            };
            visit(group, ails * RANKS + step.rank);
        });
    }

    /// Calls `visit` with what ails each of them, where it stands, and its kind.
    #[inline(always)]
    pub(super) fn for_each_guarded(
        &self,
        step: &Step,
        visit: &mut impl FnMut(Group, Square, PieceKind),
    ) {
        let unguarded = if step.from.is_some() { self.unguarded } else { Bitboard::EMPTY };
        let ailing = self.tied | unguarded | self.balanced;
        for square in (step.gained & ailing).without(step.left) {
            let Some(kind) = self.position.piece_on(square).map(Piece::kind) else { continue };
            let ailing = [
                (Group::EaseTie, self.tied),
                (Group::GuardUndefended, unguarded),
                (Group::DefendExchange, self.balanced),
            ];
            for (group, set) in ailing {
                if set.contains(square) {
                    visit(group, square, kind);
                }
            }
        }
    }

    /// Development: the book, the maps of castles and assaults, and patterns.
    #[inline(always)]
    fn develop(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        if self.book.contains(&step.mv) {
            visit(Group::Develop, 0);
        }
        if step.taken.is_some() || step.mv.is_promotion() {
            return;
        }
        if step.from.is_some() {
            let gains = self.development.map_gains(self.us, step.kind, step.from, step.to);
            for (number, gain) in gains.into_iter().enumerate() {
                if gain > 0 {
                    let bin = ((gain as usize - 1) / 4).min(MAP_GAINS - 1);
                    let index = (number * KINDS + step.kind.index()) * MAP_GAINS + bin;
                    visit(Group::Develop, 1 + index);
                }
            }
        }
        let Some(value) = step.pattern else { return };
        let drop = usize::from(step.from.is_none());
        if value >= development::LIKELY[drop] {
            let bin = (value - development::LIKELY[0]) * 2 / patterns::UNITS;
            let bin = (bin as usize).min(LIKELY_PATTERNS - 1);
            visit(Group::Develop, 1 + 2 * KINDS * MAP_GAINS + drop * LIKELY_PATTERNS + bin);
        }
    }

    #[inline(always)]
    fn prevention(&self, step: &Step, wanted: &Wanted, visit: &mut impl FnMut(Group, usize)) {
        if step.is_given_away() {
            return;
        }
        if is_slider(step.standing) {
            self.pin(step, visit);
        }
        if step.drops_above(PAWN) {
            return;
        }
        let covered = few(step.gained & self.enemy_camp, 4);
        if covered > 0 {
            visit(Group::CoverEnemyCamp, step.actor * 4 + covered - 1);
        }
        let takes = wanted.squares.contains(step.to);
        let met = if takes { step.target } else { step.gained & wanted.squares };
        if !met.is_empty() {
            let kind = wanted.by_kind.iter().position(|squares| squares.intersects(met));
            visit(Group::AvoidDevelopment, kind.unwrap_or(0) * 2 + usize::from(takes));
        }
    }

    #[inline(always)]
    fn pin(&self, step: &Step, visit: &mut impl FnMut(Group, usize)) {
        let kind = |square| self.position.piece_on(square).map_or(0, |p: Piece| p.kind().index());
        self.for_each_pin(step, &mut |middle, behind| {
            visit(Group::Pin, kind(middle) * KINDS + kind(behind));
        });
    }

    /// Enemy pieces that the moved slider pins, each with what stands behind: the king, or a piece
    /// that it would attack with gain.
    #[inline(always)]
    pub(super) fn for_each_pin(&self, step: &Step, visit: &mut impl FnMut(Square, Square)) {
        let piece = Piece::new(self.us, step.standing);
        let left = step.from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = self.occupied.without(left) | step.target;
        let reach = slides(piece, step.to, occupied);
        let king = self.position.of(!self.us, PieceKind::King);
        for middle in reach & self.enemy.without(king) & step.gained {
            let without = occupied.without(Bitboard::of(middle));
            let beyond = slides(piece, step.to, without).without(reach);
            let victims = (self.prey[step.standing.index()] | king) & beyond;
            if let Some(behind) = victims.first() {
                visit(middle, behind);
            }
        }
    }
}

impl Screen {
    /// Does a move take the piece in the middle out of the line?
    #[inline(always)]
    pub(super) fn is_opened_by(&self, step: &Step) -> bool {
        Some(self.middle) == step.from && !self.between.contains(step.to) && self.behind != step.to
    }
}

/// How a move saves a piece that could be won: it goes away without loss, is protected, its attacker
/// is taken, or the line to it is closed.
#[inline(always)]
pub(super) fn answer_to_loss(loss: &Loss, step: &Step) -> Option<Answer> {
    if step.from == Some(loss.square) {
        return (step.exchange >= 0).then_some(Answer::Leave);
    }
    if loss.attackers.contains(step.to) {
        return Some(Answer::Take);
    }
    if loss.between.contains(step.to) {
        return Some(Answer::Stop);
    }
    step.gained.contains(loss.square).then_some(Answer::Guard)
}

/// Is a piece safe once the move is made, as far as is seen at once?
#[inline(always)]
pub(super) fn is_saved(loss: &Loss, step: &Step) -> bool {
    match answer_to_loss(loss, step) {
        Some(Answer::Leave) => true,
        Some(Answer::Guard) => !loss.by_less,
        Some(Answer::Take | Answer::Stop) => !loss.attackers.has_several(),
        None => step.from == Some(loss.square),
    }
}

/// How a move answers a line that an enemy piece could open: what stands behind goes elsewhere than
/// nearer or is protected, slider or the piece before it is taken, the line is closed.
#[inline(always)]
pub(super) fn answer_to_mask(screen: &Screen, step: &Step) -> Option<Answer> {
    if step.from == Some(screen.behind) {
        let stays = screen.between.contains(step.to) || step.to == screen.slider;
        return (!stays).then_some(Answer::Leave);
    }
    if step.to == screen.slider || step.to == screen.middle {
        return Some(Answer::Take);
    }
    if screen.between.contains(step.to) {
        return Some(Answer::Stop);
    }
    let is_king = screen.kind == PieceKind::King;
    (!is_king && step.gained.contains(screen.behind)).then_some(Answer::Guard)
}

/// How a move helps a pinned piece: it is protected, the line is closed before or behind it or the
/// slider taken, or what stands behind goes elsewhere than nearer.
#[inline(always)]
pub(super) fn answer_to_pin(pin: &Screen, step: &Step) -> Option<usize> {
    if step.from == Some(pin.behind) {
        let stays = pin.between.contains(step.to);
        return (!stays).then_some(2);
    }
    if step.from == Some(pin.middle) {
        return None;
    }
    if pin.between.contains(step.to) || step.to == pin.slider {
        return Some(1);
    }
    step.gained.contains(pin.middle).then_some(0)
}
