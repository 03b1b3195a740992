//! Entering kings (nyugyoku): declaration by points, and the try rule.

use crate::{Bitboard, Color, EndReason, GameResult, Hand, PieceKind, Position, Square};

/// How a player whose king has entered the enemy camp may win.
///
/// The point rules are those of the Computer Shogi Association and of the Japan Shogi Association.
/// The player to move declares instead of moving. The declaration holds if
/// - the declarer's king stands in the enemy camp, its three farthest ranks,
/// - ten or more of the declarer's other pieces stand there too,
/// - the declarer is not in check,
/// - the declarer's points suffice: five for each rook and bishop, promoted or not, and one for
///   each other piece but the king, counting the pieces in the camp and in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnteringKingRule {
    /// A king that has entered wins nothing.
    None,
    /// 31 points win, 24 to 30 make a draw.
    Csa24,
    /// As [`EnteringKingRule::Csa24`], with the handicap made good, see
    /// [`Position::handicap_points`].
    Csa24H,
    /// Black wins with 28 points, White with 27: nobody can draw.
    #[default]
    Csa27,
    /// As [`EnteringKingRule::Csa27`], with the handicap made good, see
    /// [`Position::handicap_points`].
    Csa27H,
    /// The king that moves to the square where the enemy king stands at the start of a game (`5a`
    /// for Black, `5i` for White) wins at once. It cannot be taken there, or the move would not
    /// have been legal.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule, in the order in which engines list them.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Csa24, Self::Csa24H, Self::Csa27, Self::Csa27H, Self::TryRule];

    /// The name that engines and graphical interfaces use for the value of the USI option
    /// `EnteringKingRule`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "NoEnteringKing",
            Self::Csa24 => "CSARule24",
            Self::Csa24H => "CSARule24H",
            Self::Csa27 => "CSARule27",
            Self::Csa27H => "CSARule27H",
            Self::TryRule => "TryRule",
        }
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The points with which `color` wins; `None` where points do not count.
    pub const fn winning_points(self, color: Color) -> Option<u8> {
        match (self, color) {
            (Self::Csa24 | Self::Csa24H, _) => Some(31),
            (Self::Csa27 | Self::Csa27H, Color::Black) => Some(28),
            (Self::Csa27 | Self::Csa27H, Color::White) => Some(27),
            (Self::None | Self::TryRule, _) => None,
        }
    }

    /// The points with which a declaration makes a draw; `None` where none does.
    pub const fn drawing_points(self) -> Option<u8> {
        match self {
            Self::Csa24 | Self::Csa24H => Some(24),
            _ => None,
        }
    }

    /// Is White given the points of the pieces that are missing from the set?
    pub const fn counts_handicap(self) -> bool {
        matches!(self, Self::Csa24H | Self::Csa27H)
    }

    /// The square to which the king of `color` must come under the try rule.
    pub fn try_square(color: Color) -> Square {
        /// `5a`.
        const FOR_BLACK: Square = match Square::new(5, 1) {
            Some(square) => square,
            None => unreachable!(),
        };
        FOR_BLACK.seen_by(color)
    }
}

/// How far a player's king has come, in the terms of the point rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnteringKing {
    /// Does the king stand in the enemy camp?
    pub king_entered: bool,
    /// The player's other pieces in the enemy camp.
    pub pieces_in_camp: u8,
    /// The points of those pieces and of the hand.
    pub points: u8,
    /// Is the king attacked?
    pub in_check: bool,
}

impl EnteringKing {
    /// The fewest pieces beside the king that must have entered.
    pub const PIECES_NEEDED: u8 = 10;

    /// Are all conditions met but for the points?
    pub const fn may_declare(self) -> bool {
        self.king_entered && !self.in_check && self.pieces_in_camp >= Self::PIECES_NEEDED
    }
}

/// The points of a whole set, both players together.
const SET_POINTS: u8 = 54;

impl Position {
    /// How far the king of `color` has come, and with how many points.
    pub fn entering_king(&self, color: Color) -> EnteringKing {
        let king = self.king(color);
        let camp = Bitboard::promotion_zone(color);
        let pieces = (self.of_color(color) & camp).without(self.of_kind(PieceKind::King));
        EnteringKing {
            king_entered: king.is_some_and(|king| camp.contains(king)),
            pieces_in_camp: pieces.count() as u8,
            points: self.points_on(pieces) + points_in(self.hand(color)),
            in_check: king.is_some_and(|king| self.is_attacked(king, !color)),
        }
    }

    /// The points of the pieces that are missing from the set: 5 when a rook is, 0 when none is.
    ///
    /// In a handicap game the giver's missing pieces are counted as if the giver had them. Pieces
    /// never leave a game, so what is missing now was missing at the start, and the giver of a
    /// handicap is White.
    pub fn handicap_points(&self) -> u8 {
        let pieces = self.occupied().without(self.of_kind(PieceKind::King));
        let hands = Color::ALL.map(|color| points_in(self.hand(color)));
        SET_POINTS.saturating_sub(self.points_on(pieces) + hands[0] + hands[1])
    }

    /// What a declaration gives here; `None` if there is no ground for one.
    ///
    /// Under a point rule it is the side to move who may declare, for a win or, under a 24-point
    /// rule, for a draw ([`EndReason::Impasse`]). Under the try rule it is the opponent who has
    /// won, by a king that stands on its goal.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<GameResult> {
        if rule == EnteringKingRule::TryRule {
            let mover = !self.side_to_move();
            let arrived = self.king(mover) == Some(EnteringKingRule::try_square(mover));
            return arrived.then(|| GameResult::win(mover, EndReason::TryRule));
        }
        let declarer = self.side_to_move();
        let needed = rule.winning_points(declarer)?;
        let entering = self.entering_king(declarer);
        if !entering.may_declare() {
            return None;
        }
        let mut points = entering.points;
        if rule.counts_handicap() && declarer == Color::White {
            points += self.handicap_points();
        }
        if points >= needed {
            return Some(GameResult::win(declarer, EndReason::Declaration));
        }
        let draws = rule.drawing_points().is_some_and(|needed| points >= needed);
        draws.then(|| GameResult::draw(EndReason::Impasse))
    }

    /// The points of the pieces on these squares, none of them a king.
    fn points_on(&self, squares: Bitboard) -> u8 {
        let large = squares & (self.straight_sliders() | self.diagonal_sliders());
        (squares.count() + 4 * large.count()) as u8
    }
}

fn points_in(hand: Hand) -> u8 {
    hand.total() + 4 * (hand.count(PieceKind::Rook) + hand.count(PieceKind::Bishop))
}
