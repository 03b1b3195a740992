//! Exposure after a move: own pieces that hang, lines that open and close, king safety.

use tesuji_shogi::{AttackCounts, Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

use super::context::{MoveContext, attacker_class};
use super::features::MoveInfo;
use super::groups::Group;

const KINDS: usize = PieceKind::COUNT;

/// What is exposed before the move, which all moves of a position share.
pub(super) struct Exposure {
    hanging: Vec<Hanging>,
    sliders: Vec<Slider>,
    /// Squares beside the enemy king where it could go.
    escapes: Bitboard,
    /// Squares beside the own king that the enemy attacks, and at least as often as we protect
    /// them.
    weak: Bitboard,
}

/// An own piece that the enemy can win.
struct Hanging {
    square: Square,
    class: usize,
    /// Its attacker, if there is only one.
    attacker: Option<(Square, Piece)>,
    /// Is it worth more than what attacks it? Then protection does not help.
    by_less: bool,
}

/// A lance, bishop or rook of either side.
struct Slider {
    square: Square,
    piece: Piece,
    reach: Bitboard,
    class: usize,
}

impl Exposure {
    /// `enemy_attacks` has what the enemy's pieces of each class attack.
    pub fn new(
        position: &Position,
        counts: &AttackCounts,
        enemy_attacks: &[Bitboard; 6],
        [own_zone, enemy_zone]: [Bitboard; 2],
    ) -> Self {
        let us = position.side_to_move();
        let king = |color| position.king(color).map_or(Bitboard::EMPTY, Bitboard::of);
        let weak = own_zone
            .without(king(us))
            .into_iter()
            .filter(|&square| counts.count(!us, square) >= counts.count(us, square).max(1));
        Self {
            hanging: hanging(position, counts, enemy_attacks),
            sliders: position.pieces().filter_map(|piece| Slider::new(position, piece)).collect(),
            escapes: enemy_zone.without(position.of_color(!us)).without(counts.attacked(us)),
            weak: weak.collect(),
        }
    }
}

/// Own pieces that are attacked by less, or not protected.
fn hanging(
    position: &Position,
    counts: &AttackCounts,
    enemy_attacks: &[Bitboard; 6],
) -> Vec<Hanging> {
    let us = position.side_to_move();
    let attacked = position.of_color(us) & counts.attacked(!us);
    let pieces = attacked.into_iter().filter_map(|square| {
        let kind = position.piece_on(square)?.kind();
        let class = attacker_class(kind);
        let by_less = enemy_attacks[..class].iter().any(|attacked| attacked.contains(square));
        if kind == PieceKind::King || !(by_less || counts.count(us, square) == 0) {
            return None;
        }
        let attackers = position.attackers(square, !us, position.occupied());
        let lone = attackers.first().filter(|_| !attackers.has_several());
        let attacker = lone.and_then(|lone| Some((lone, position.piece_on(lone)?)));
        Some(Hanging { square, class, attacker, by_less })
    });
    pieces.collect()
}

impl Slider {
    fn new(position: &Position, (square, piece): (Square, Piece)) -> Option<Self> {
        let class = match piece.kind() {
            PieceKind::Lance => 0,
            PieceKind::Bishop | PieceKind::Horse => 1,
            PieceKind::Rook | PieceKind::Dragon => 2,
            _ => return None,
        };
        let reach = attacks::of(piece, square, position.occupied());
        Some(Self { square, piece, reach, class })
    }
}

impl Hanging {
    /// Does it still hang once the move is made?
    fn is_left(&self, info: &MoveInfo) -> bool {
        let is_saved = info.from == Some(self.square)
            || (!self.by_less && info.reach.contains(self.square))
            || self.attacker.is_some_and(|(from, piece)| {
                from == info.to || !attacks::of(piece, from, info.occupied).contains(self.square)
            });
        !is_saved
    }
}

impl MoveContext<'_> {
    #[inline(always)]
    pub(super) fn exposure_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let Exposure { hanging, escapes, weak, .. } = &self.exposure;
        let actor = info.actor;
        let left = hanging.iter().filter(|piece| piece.is_left(info));
        let most = left.map(|piece| piece.class + 1).max().unwrap_or(0);
        let index = (actor * 7 + most) * 2 + usize::from(!hanging.is_empty());
        let tempo = usize::from(info.gives_check) * 2 + usize::from(info.taken.is_some());
        visit(Group::LeftHanging.feature(index * 4 + tempo));

        let reached = info.reach | Bitboard::of(info.to);
        let few = |set: Bitboard, most: u32| set.count().min(most) as usize;
        let index = (actor * 5 + few(*escapes, 4)) * 5 + few(escapes.without(reached), 4);
        visit(Group::Escapes.feature(index * 2 + usize::from(info.gives_check)));
        let index = (actor * 4 + few(*weak, 3)) * 4 + few(*weak & reached, 3);
        visit(Group::WeakSquares.feature(index));
        self.line_features(info, visit);
    }

    /// Pieces that sliders of either side come to attack or protect, or no longer do.
    #[inline(always)]
    fn line_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let ends = info.left | Bitboard::of(info.to);
        let others = self.position.occupied().without(ends);
        for slider in &self.exposure.sliders {
            if !slider.reach.intersects(ends) || ends.contains(slider.square) {
                continue;
            }
            let now = attacks::of(slider.piece, slider.square, info.occupied);
            let of_slider = self.is_own(slider.piece.color()) * 3 + slider.class;
            let changes = [slider.reach.without(now), now.without(slider.reach)];
            for (is_opened, changed) in changes.into_iter().enumerate() {
                for square in changed & others {
                    let Some(piece) = self.position.piece_on(square) else { continue };
                    let protectors = self.counts_of(piece.color())[square.index()];
                    let target = of_slider * 2 + self.is_own(piece.color());
                    let index = (target * KINDS + piece.kind().index()) * 2;
                    let index = (index + usize::from(protectors > 0)) * 2 + is_opened;
                    visit(Group::Opened.feature(index));
                }
            }
        }
    }

    fn is_own(&self, color: Color) -> usize {
        usize::from(color == self.us)
    }

    fn counts_of(&self, color: Color) -> &[u8; Square::COUNT] {
        if color == self.us { &self.own_counts } else { &self.enemy_counts }
    }
}
