//! What a reason for a move is about: the pieces and squares that it speaks of, for people.

use tesuji_shogi::{Bitboard, Piece, PieceKind, Square};

use super::groups::Group;
use super::rules::{Answer, answer_to_loss, answer_to_mask, answer_to_pin, is_saved};
use super::scene::Wanted;
use super::{Scene, Step, development};
use crate::formations::Names;

/// How a move has to do with a square or a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// As the generator says: it takes, attacks or bears on what is there.
    Plainly,
    /// The piece goes away.
    Leave,
    /// The piece or the square is protected.
    Guard,
    /// What is dangerous is taken; a square is occupied.
    Take,
    /// The line is closed.
    Stop,
    /// A move of the book.
    Book,
    /// On the way to a castle.
    Castle,
    /// On the way to an assault.
    Assault,
    /// A pattern of masters.
    Pattern,
    /// A cost: the piece that moves can be won.
    Offer,
    /// A cost: a piece that the opponent could win is left to be won.
    Abandon,
    /// A cost: a piece that is attacked loses its guard.
    Desert,
}

/// One thing that a reason speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Detail {
    /// What the move has to do with it.
    pub how: How,
    /// Where it is.
    pub square: Square,
    /// The piece there, or the one that would come there; none for a square alone.
    pub kind: Option<PieceKind>,
    /// The other end of a line: who attacks along it, or who stands behind.
    pub other: Option<Square>,
}

impl Detail {
    const fn of_square(how: How, square: Square) -> Self {
        Self { how, square, kind: None, other: None }
    }
}

impl Answer {
    const fn how(self) -> How {
        match self {
            Self::Leave => How::Leave,
            Self::Guard => How::Guard,
            Self::Take => How::Take,
            Self::Stop => How::Stop,
        }
    }
}

impl Scene<'_> {
    /// The names of the castle and of the assault that the side to move heads for.
    pub fn aims(&self) -> [Option<&Names>; 2] {
        self.development.aims(self.us)
    }

    /// What a reason of a move speaks of; of costs, what is lost.
    pub(super) fn details_of(&self, group: Group, step: &Step, wanted: &Wanted) -> Vec<Detail> {
        match group {
            Group::Capture | Group::Promote | Group::AnswerCheck => {
                vec![self.of_mover(group, step)]
            }
            Group::Check | Group::AttackKing => {
                let beside = step.gained & self.enemy_zone;
                let king = self.position.king(!self.us).map_or(Bitboard::EMPTY, Bitboard::of);
                squares(How::Plainly, beside.without(king))
            }
            Group::AttackMaterial => self.pieces(How::Plainly, self.prey_of(step)),
            Group::DiscoveredAttack => {
                let opened = self.ambushes.iter().filter(|ambush| ambush.is_opened_by(step));
                opened.map(|ambush| self.line(How::Plainly, ambush.behind, ambush.slider)).collect()
            }
            Group::ThreatenPromotion => squares(How::Plainly, self.promotions_of(step)),
            Group::DefendKing => self.defended_king(step),
            Group::DefendMaterial | Group::DefendDiscovered | Group::DefendPin => {
                self.answered(group, step)
            }
            Group::DefendPromotion => self.stopped_promotions(step),
            Group::EaseTie | Group::GuardUndefended | Group::DefendExchange => {
                let mut guarded = Vec::new();
                self.for_each_guarded(step, &mut |of, square, _| {
                    if of == group {
                        guarded.push(self.piece(How::Guard, square));
                    }
                });
                guarded
            }
            Group::CoverOwnCamp => squares(How::Guard, step.gained & self.open_camp),
            Group::CoverEnemyCamp => squares(How::Plainly, step.gained & self.enemy_camp),
            Group::Develop => self.developed(step),
            Group::Pin => {
                let mut pinned = Vec::new();
                self.for_each_pin(step, &mut |middle, behind| {
                    pinned.push(self.line(How::Plainly, middle, behind));
                });
                pinned
            }
            Group::AvoidDevelopment => self.kept_from(step, wanted),
            Group::Exchange | Group::LeftHanging | Group::Deserted => self.lost(step),
            _ => Vec::new(),
        }
    }

    /// The piece on a square.
    fn piece(&self, how: How, square: Square) -> Detail {
        let kind = self.position.piece_on(square).map(Piece::kind);
        Detail { how, square, kind, other: None }
    }

    fn pieces(&self, how: How, set: Bitboard) -> Vec<Detail> {
        set.into_iter().map(|square| self.piece(how, square)).collect()
    }

    /// The piece on a square, with the other end of a line.
    fn line(&self, how: How, square: Square, other: Square) -> Detail {
        Detail { other: Some(other), ..self.piece(how, square) }
    }

    /// What concerns the target of a move.
    fn of_mover(&self, group: Group, step: &Step) -> Detail {
        let (how, kind) = match group {
            Group::Capture => (How::Plainly, step.taken),
            Group::Promote => (How::Plainly, Some(step.standing)),
            _ if step.kind == PieceKind::King => (How::Leave, Some(PieceKind::King)),
            _ if self.position.checkers().contains(step.to) => (How::Take, step.taken),
            _ => (How::Stop, Some(step.standing)),
        };
        Detail { how, square: step.to, kind, other: None }
    }

    fn defended_king(&self, step: &Step) -> Vec<Detail> {
        if step.kind == PieceKind::King {
            let kind = Some(PieceKind::King);
            return vec![Detail { kind, ..Detail::of_square(How::Leave, step.to) }];
        }
        if self.besiegers.contains(step.to) {
            return vec![self.piece(How::Take, step.to)];
        }
        let theirs = self.theirs;
        let king = self.position.king(self.us).map_or(Bitboard::EMPTY, Bitboard::of);
        let covered = (step.gained & self.own_zone).without(king);
        if covered.intersects(theirs) {
            return squares(How::Guard, covered & theirs);
        }
        if self.siege_lines.contains(step.to) {
            return vec![Detail::of_square(How::Stop, step.to)];
        }
        squares(How::Guard, covered)
    }

    /// The own pieces that a move saves, keeps out of a line or frees from a pin.
    fn answered(&self, group: Group, step: &Step) -> Vec<Detail> {
        match group {
            Group::DefendMaterial => self
                .losses
                .iter()
                .filter_map(|loss| Some(self.piece(answer_to_loss(loss, step)?.how(), loss.square)))
                .collect(),
            Group::DefendDiscovered => self
                .masked
                .iter()
                .filter_map(|mask| {
                    Some(self.line(answer_to_mask(mask, step)?.how(), mask.behind, mask.slider))
                })
                .collect(),
            _ => self
                .pins
                .iter()
                .filter_map(|pin| {
                    let how = [How::Guard, How::Stop, How::Leave][answer_to_pin(pin, step)?];
                    let how = if step.to == pin.slider { How::Take } else { how };
                    Some(self.line(how, pin.middle, pin.slider))
                })
                .collect(),
        }
    }

    fn stopped_promotions(&self, step: &Step) -> Vec<Detail> {
        if self.promoters.contains(step.to) {
            return vec![self.piece(How::Take, step.to)];
        }
        if self.promotion_squares.contains(step.to) {
            return vec![Detail::of_square(How::Stop, step.to)];
        }
        squares(How::Guard, step.gained & self.promotion_squares)
    }

    fn developed(&self, step: &Step) -> Vec<Detail> {
        let at = |how| Detail { kind: Some(step.kind), ..Detail::of_square(how, step.to) };
        let mut found = Vec::new();
        if self.book.contains(&step.mv) {
            found.push(at(How::Book));
        }
        if step.taken.is_some() || step.mv.is_promotion() {
            return found;
        }
        if step.from.is_some() {
            let gains = self.development.map_gains(self.us, step.kind, step.from, step.to);
            let gained = [How::Castle, How::Assault].into_iter().zip(gains);
            found.extend(gained.filter(|&(_, gain)| gain > 0).map(|(how, _)| at(how)));
        }
        if self.is_likely_pattern(step) {
            found.push(at(How::Pattern));
        }
        found
    }

    fn is_likely_pattern(&self, step: &Step) -> bool {
        let value = self.development.pattern(&self.kings, step.kind, step.from, step.to);
        value >= development::LIKELY[usize::from(step.from.is_none())]
    }

    /// Squares that the opponent wants, each with the kind of piece that it is for.
    fn kept_from(&self, step: &Step, wanted: &Wanted) -> Vec<Detail> {
        let takes = wanted.squares.contains(step.to);
        let how = if takes { How::Take } else { How::Guard };
        let met = if takes { step.target } else { step.gained & wanted.squares };
        let wants = |square: Square| {
            PieceKind::ALL.into_iter().find(|kind| wanted.by_kind[kind.index()].contains(square))
        };
        met.into_iter()
            .map(|square| Detail { kind: wants(square), ..Detail::of_square(how, square) })
            .collect()
    }

    /// What a move costs: the piece itself, pieces that are left to be won, a guard that goes away.
    fn lost(&self, step: &Step) -> Vec<Detail> {
        let mut found = Vec::new();
        if step.exchange < 0 {
            let kind = Some(step.standing);
            found.push(Detail { kind, ..Detail::of_square(How::Offer, step.to) });
        }
        let left = self.losses.iter().filter(|loss| !is_saved(loss, step));
        found.extend(left.map(|loss| self.piece(How::Abandon, loss.square)));
        let deserted = step.before.without(step.reach) & (self.tied | self.balanced);
        found.extend(self.pieces(How::Desert, deserted));
        found
    }
}

fn squares(how: How, set: Bitboard) -> Vec<Detail> {
    set.into_iter().map(|square| Detail::of_square(how, square)).collect()
}
