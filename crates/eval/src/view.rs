//! A position as one player sees it, with what many features need worked out once.

use std::cell::OnceCell;

use tesuji_shogi::{AttackCounts, Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::extended::Survey;
use crate::legacy::Numbering;

/// A position seen by one player, `P` in the definitions of features; the other is the opponent,
/// `O`.
#[derive(Clone, Debug)]
pub struct View<'a> {
    position: &'a Position,
    player: Color,
    counts: AttackCounts,
    /// Given if the pieces have the numbers of an earlier position.
    numbering: Option<Numbering>,
    survey: OnceCell<Box<Survey>>,
}

impl<'a> View<'a> {
    /// The view of `player`, whoever is to move.
    pub fn new(position: &'a Position, player: Color) -> Self {
        let counts = AttackCounts::new(position);
        Self { position, player, counts, numbering: None, survey: OnceCell::new() }
    }

    /// The view of `player` on a position whose pieces have kept the numbers of an earlier one.
    pub fn numbered(position: &'a Position, player: Color, numbering: Numbering) -> Self {
        Self { numbering: Some(numbering), ..Self::new(position, player) }
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// The player whose view it is.
    #[inline]
    pub const fn player(&self) -> Color {
        self.player
    }

    /// The other player.
    #[inline]
    pub const fn opponent(&self) -> Color {
        self.player.flip()
    }

    /// The same position seen from the other side.
    pub const fn turned(&self) -> Self {
        Self {
            position: self.position,
            player: self.player.flip(),
            counts: self.counts,
            numbering: self.numbering,
            survey: OnceCell::new(),
        }
    }

    /// The numbers of the pieces, for the features of the thesis's program: those given to the
    /// view, else those of a position that has just been loaded.
    pub fn numbering(&self) -> Numbering {
        self.numbering.unwrap_or_else(|| Numbering::of(self.position))
    }

    /// How many pieces attack each square.
    #[inline]
    pub const fn counts(&self) -> &AttackCounts {
        &self.counts
    }

    /// What the extended features share; worked out when first asked for.
    #[inline]
    pub(crate) fn survey(&self) -> &Survey {
        self.survey.get_or_init(|| Box::new(Survey::new(self)))
    }

    /// The player's pieces.
    #[inline]
    pub const fn own(&self) -> Bitboard {
        self.position.of_color(self.player)
    }

    /// The opponent's pieces.
    #[inline]
    pub const fn enemy(&self) -> Bitboard {
        self.position.of_color(self.opponent())
    }

    /// The player's pieces of exactly this kind.
    #[inline]
    pub fn own_kind(&self, kind: PieceKind) -> Bitboard {
        self.position.of(self.player, kind)
    }

    /// The opponent's pieces of exactly this kind.
    #[inline]
    pub fn enemy_kind(&self, kind: PieceKind) -> Bitboard {
        self.position.of(self.opponent(), kind)
    }

    /// The player's rooks and dragons.
    #[inline]
    pub fn own_rooks(&self) -> Bitboard {
        self.position.straight_sliders() & self.own()
    }

    /// The player's bishops and horses.
    #[inline]
    pub fn own_bishops(&self) -> Bitboard {
        self.position.diagonal_sliders() & self.own()
    }

    /// The player's king.
    #[inline]
    pub const fn own_king(&self) -> Option<Square> {
        self.position.king(self.player)
    }

    /// The opponent's king.
    #[inline]
    pub const fn enemy_king(&self) -> Option<Square> {
        self.position.king(self.opponent())
    }

    /// The king's square and its neighbours; empty without the king.
    #[inline]
    pub fn king_zone(&self, color: Color) -> Bitboard {
        self.position.king(color).map_or(Bitboard::EMPTY, |king| attacks::king_zone(king, 1))
    }

    /// The player's three nearest ranks.
    #[inline]
    pub const fn own_camp(&self) -> Bitboard {
        Bitboard::promotion_zone(self.opponent())
    }

    /// The opponent's three nearest ranks.
    #[inline]
    pub const fn enemy_camp(&self) -> Bitboard {
        Bitboard::promotion_zone(self.player)
    }

    /// Every square of the set moved one step forward, as the player moves.
    #[inline]
    pub const fn forward(&self, set: Bitboard) -> Bitboard {
        match self.player {
            Color::Black => set.shifted(0, -1),
            Color::White => set.shifted(0, 1),
        }
    }

    /// Every square of the set moved one step back, as the player moves.
    #[inline]
    pub const fn back(&self, set: Bitboard) -> Bitboard {
        match self.player {
            Color::Black => set.shifted(0, 1),
            Color::White => set.shifted(0, -1),
        }
    }
}
