//! The slow twin of the generators: each definition of docs/generators.md, by making the move and
//! looking at the board before it and after it.

use tesuji_eval::plausible::{Generator, Generators};
use tesuji_shogi::{Color, ExchangeValues, Move, PieceKind, Position, Square};

use crate::board::Board;
use crate::lore::{Knowledge, Plans};

/// A position whose moves are asked what they are for.
pub struct Oracle<'a> {
    pub position: &'a Position,
    pub plans: Plans<'a>,
    pub us: Color,
    pub them: Color,
    pub before: Board,
    pub values: ExchangeValues,
    /// Empty squares to which an enemy piece would like to develop.
    pub wanted: Vec<Square>,
}

/// A move that was made.
pub struct Made {
    pub mv: Move,
    /// The kind that moves, and as what it stands afterwards.
    pub kind: PieceKind,
    pub standing: PieceKind,
    pub from: Option<Square>,
    pub to: Square,
    pub exchange: i32,
    pub after: Board,
    /// What the moved piece attacks that it did not attack before.
    pub new: Vec<Square>,
}

/// Pieces by size; all that steps like a general is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    Pawn,
    Small,
    General,
    Bishop,
    Rook,
    King,
}

pub fn size(kind: PieceKind) -> Size {
    use PieceKind::{Bishop, Dragon, Horse, King, Knight, Lance, Pawn, Rook};
    match kind {
        Pawn => Size::Pawn,
        Lance | Knight => Size::Small,
        Bishop | Horse => Size::Bishop,
        Rook | Dragon => Size::Rook,
        King => Size::King,
        _ => Size::General,
    }
}

impl Made {
    /// Does the exchange on its square lose more than a pawn, on the board and in hand?
    pub fn is_offered(&self) -> bool {
        self.exchange < -200
    }

    pub fn is_given_away(&self) -> bool {
        self.mv.is_drop() && self.is_offered()
    }

    pub fn size(&self) -> Size {
        size(self.standing)
    }

    pub fn drops_more_than(&self, most: Size) -> bool {
        self.mv.is_drop() && self.size() > most
    }
}

impl<'a> Oracle<'a> {
    pub fn new(position: &'a Position, knowledge: &'a Knowledge) -> Self {
        let us = position.side_to_move();
        let plans = Plans::new(position, knowledge);
        let before = Board::new(position);
        let wanted = plans.wanted(&before, !us);
        let values = ExchangeValues::default();
        Self { position, plans, us, them: !us, before, values, wanted }
    }

    /// The generators that produce a legal move.
    pub fn generators(&self, mv: Move) -> Generators {
        let made = self.make(mv);
        Generator::ALL.into_iter().filter(|&generator| self.produces(generator, &made)).collect()
    }

    fn make(&self, mv: Move) -> Made {
        let after = Board::new(&self.position.after_unchecked(mv));
        let (from, to) = (mv.from(), mv.to());
        let standing = after.kind_of(self.us, to).expect("the piece arrives");
        let kind = from.map_or(standing, |from| {
            self.before.kind_of(self.us, from).expect("a piece of ours moves")
        });
        let old = from.map_or(&[][..], |from| self.before.attacks_from(from));
        let new = after.attacks_from(to).iter().filter(|square| !old.contains(square));
        let (new, exchange) = (new.copied().collect(), self.position.exchange(mv, &self.values));
        Made { mv, kind, standing, from, to, exchange, after, new }
    }

    fn produces(&self, generator: Generator, made: &Made) -> bool {
        match generator {
            Generator::Capture => self.captures(made),
            Generator::Promote => made.standing != made.kind,
            Generator::Check => self.gives_check(made),
            Generator::AttackKing => self.attacks_king(made),
            Generator::AttackMaterial => self.attacks_material(made),
            Generator::DiscoveredAttack => self.discovers(made),
            Generator::ThreatenPromotion => self.threatens_promotion(made),
            Generator::AnswerCheck => self.is_in_check(),
            Generator::DefendKing => self.defends_king(made),
            Generator::DefendMaterial => self.defends_material(made),
            Generator::DefendDiscovered => self.defends_discovered(made),
            Generator::DefendPromotion => self.defends_promotion(made),
            Generator::DefendPin => self.defends_pin(made),
            Generator::EaseTie => self.eases_tie(made),
            Generator::GuardUndefended => self.guards_undefended(made),
            Generator::DefendExchange => self.defends_exchange(made),
            Generator::CoverOwnCamp => self.covers_own_camp(made),
            Generator::Develop => self.develops(made),
            Generator::Pin => self.pins(made),
            Generator::CoverEnemyCamp => self.covers_enemy_camp(made),
            Generator::AvoidDevelopment => self.avoids_development(made),
        }
    }

    /// Is a strong threat on the board?
    pub fn is_tense(&self) -> bool {
        let most = |owner: Color| {
            let gain = |square| self.position.capture_gain(square, !owner, &self.values);
            self.before.but_king(owner).map(|seen| gain(seen.square)).max().unwrap_or(0)
        };
        let siege = |owner: Color| self.before.attacks_beside(!owner, self.before.king(owner));
        self.is_in_check() || Color::ALL.into_iter().any(|of| most(of) >= 1300 || siege(of) >= 6)
    }

    pub fn is_in_check(&self) -> bool {
        self.before.king(self.us).is_some_and(|king| self.before.is_attacked(self.them, king))
    }

    /// Is an enemy piece worth attacking with a piece of this kind: is that worth less, or would
    /// there be more attackers than protectors with one attacker more?
    pub fn is_worth_attacking(&self, square: Square, with: PieceKind) -> bool {
        let Some(kind) = self.before.kind_of(self.them, square) else { return false };
        let (attackers, protectors) =
            (self.before.count(self.us, square), self.before.count(self.them, square));
        let worth = |kind| self.values.capture(kind);
        kind != PieceKind::King
            && (attackers + 1 > protectors
                || (with != PieceKind::King && worth(kind) > worth(with)))
    }

    /// Is a square in the three ranks farthest from a player?
    pub fn is_in_zone(color: Color, square: Square) -> bool {
        square.rank_from(color) <= 3
    }
}
