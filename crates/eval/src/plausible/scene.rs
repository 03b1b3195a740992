//! The scene: what all moves of a position share when it is asked what they are for.

use std::cell::Cell;
use std::sync::LazyLock;

use tesuji_shogi::{
    AttackCounts, Bitboard, CheckSquares, Color, ExchangeValues, Move, Piece, PieceKind, Position,
    Square, attacks,
};

use super::few::Few;
use super::groups::PHASES;
use super::patterns::Kings;
use super::{Development, Step, development};
use crate::moves::{Past, attacker_class};

/// What exchanges are worth.
static VALUES: LazyLock<ExchangeValues> = LazyLock::new(ExchangeValues::default);

/// What an exchange must win for a threat of material to be strong.
const STRONG_GAIN: i32 = 1300;
/// How often the squares beside a king must be attacked for a threat to it to be strong.
const STRONG_ATTACK: u32 = 6;

/// A position as the side to move sees it, with what its moves are for.
///
/// What is about attacks speaks of the board before the move, unless it is what the moved piece
/// itself attacks from its new square.
pub struct Scene<'a> {
    pub(super) position: &'a Position,
    pub(super) development: &'a Development,
    /// What the book has of the position.
    pub(super) book: &'a [Move],
    pub(super) values: &'static ExchangeValues,
    pub(super) us: Color,
    pub(super) own: Bitboard,
    pub(super) enemy: Bitboard,
    pub(super) occupied: Bitboard,
    /// The squares that we attack, those that we attack twice; the same of the enemy, and those that
    /// they attack more often than we do.
    pub(super) ours: Bitboard,
    pub(super) ours_twice: Bitboard,
    pub(super) theirs: Bitboard,
    pub(super) theirs_twice: Bitboard,
    pub(super) more_of_theirs: Bitboard,
    /// Where the last move, that of the enemy, went.
    pub(super) last_to: Option<Square>,
    /// The moves before, and what the piece that moved last attacks.
    pub(super) past: Past,
    pub(super) last_reach: Bitboard,
    /// The kinds of the enemy's last move and of the own one before, as they stand now; or none.
    pub(super) past_kinds: [usize; 2],
    pub(super) checks: Option<CheckSquares>,
    /// The kings with the squares beside them.
    pub(super) own_zone: Bitboard,
    pub(super) enemy_zone: Bitboard,
    /// Squares at most two away from the enemy king.
    pub(super) near_enemy_king: Bitboard,
    /// Squares beside the enemy king where it could go.
    pub(super) flights: Bitboard,
    /// What the enemy gains by taking what is dropped on each square, once it was asked.
    pub(super) replies: [Cell<Option<i32>>; Square::COUNT],
    /// What enemy sliders attack: a piece that leaves such a square may uncover more.
    pub(super) enemy_lines: Bitboard,
    /// By kind of the attacker, the enemy pieces that are worth attacking.
    pub(super) prey: [Bitboard; PieceKind::COUNT],
    /// Own pieces that the opponent could win.
    pub(super) losses: Few<Loss, 24>,
    pub(super) of_losses: Concern,
    /// Own sliders behind own pieces that hide an enemy piece worth attacking, or the king.
    pub(super) ambushes: Few<Screen, 20>,
    /// The own pieces in these lines.
    pub(super) hiding: Bitboard,
    /// Enemy sliders behind enemy pieces that hide an own piece.
    pub(super) masked: Few<Screen, 20>,
    pub(super) of_masked: Concern,
    /// Enemy sliders before own pieces that hide the own king, or a piece that is worth more.
    pub(super) pins: Few<Screen, 20>,
    pub(super) of_pins: Concern,
    /// Enemy pieces that attack squares beside the own king, and where sliders among them can be
    /// stopped.
    pub(super) besiegers: Bitboard,
    pub(super) siege_lines: Bitboard,
    /// Enemy pieces that could promote next, and where.
    pub(super) promoters: Bitboard,
    pub(super) promotion_squares: Bitboard,
    /// What is to be protected: own pieces by what ails them.
    pub(super) tied: Bitboard,
    pub(super) unguarded: Bitboard,
    pub(super) balanced: Bitboard,
    /// Squares of the own camp that we do not attack, and the enemy's camp.
    pub(super) open_camp: Bitboard,
    pub(super) enemy_camp: Bitboard,
    pub(super) kings: Kings,
    pub(super) is_tense: bool,
    /// Whether it is tense, and how many pieces are in hand.
    pub(super) phase: usize,
    /// The most that one of our exchanges would win now, and one of the opponent's.
    pub(super) most_won: i32,
    pub(super) most_lost: i32,
    /// How many squares beside the own king are attacked: none, one or two, up to four, more.
    pub(super) danger: usize,
}

/// An own piece that the opponent could win by an exchange.
#[derive(Clone, Copy)]
pub(super) struct Loss {
    pub square: Square,
    pub kind: PieceKind,
    /// Who attacks it.
    pub attackers: Bitboard,
    /// Where sliders among them can be stopped.
    pub between: Bitboard,
    /// Is it worth more than a piece that attacks it? Then protection does not help.
    pub by_less: bool,
    /// Has one of them just moved?
    pub by_last: bool,
}

/// A slider, the one piece in its line, and the first piece behind that.
#[derive(Clone, Copy)]
pub(super) struct Screen {
    pub slider: Square,
    pub middle: Square,
    pub behind: Square,
    /// The kind of the piece behind.
    pub kind: PieceKind,
    /// The squares between the slider and the piece behind.
    pub between: Bitboard,
}

/// Squares by which a move may have to do with one of several things: whether it does is asked one by
/// one only if one of these sets says so.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Concern {
    /// Where its mover would stand.
    origins: Bitboard,
    /// Where it would go.
    targets: Bitboard,
    /// What it would newly attack or protect.
    reached: Bitboard,
}

impl Concern {
    fn add(&mut self, origin: Square, targets: Bitboard, reached: Square) {
        self.origins |= Bitboard::of(origin);
        self.targets |= targets;
        self.reached |= Bitboard::of(reached);
    }

    /// May a move have to do with one of them?
    #[inline(always)]
    pub fn meets(&self, step: &Step) -> bool {
        (step.gained & self.reached | step.target & self.targets | step.left & self.origins)
            != Bitboard::EMPTY
    }
}

impl<'a> Scene<'a> {
    /// Works out what the moves of a position share. Without kings, in check, without a move: every
    /// position has a scene.
    pub fn new(position: &'a Position, past: Past, development: &'a Development) -> Self {
        let us = position.side_to_move();
        let them = !us;
        let (own, enemy) = (position.of_color(us), position.of_color(them));
        let counts = AttackCounts::new(position);
        let king = |color: Color| position.king(color).map_or(Bitboard::EMPTY, Bitboard::of);
        let zone =
            |color| position.king(color).map_or(Bitboard::EMPTY, |k| attacks::king_zone(k, 1));
        let (own_zone, enemy_zone) = (zone(us), zone(them));
        let (ours, theirs) = (counts.attacked(us), counts.attacked(them));
        let camp = Bitboard::promotion_zone;
        let own_pieces = own.without(king(us));
        let more_of_theirs = counts.superior(them);
        let ours_twice = counts.attacked_twice(us);
        let sieges = [counts.sum(them, own_zone), counts.sum(us, enemy_zone)];
        let mut scene = Self {
            position,
            development,
            book: development.book_moves(position),
            values: &VALUES,
            us,
            own,
            enemy,
            occupied: position.occupied(),
            ours,
            ours_twice,
            theirs,
            theirs_twice: counts.attacked_twice(them),
            more_of_theirs,
            last_to: past.last.map(Move::to),
            past,
            past_kinds: [(past.last, them), (past.before, us)]
                .map(|(mv, color)| kind_of_move(position, mv, color)),
            last_reach: past
                .last
                .and_then(|mv| Some((position.piece_on(mv.to())?, mv.to())))
                .map_or(Bitboard::EMPTY, |(piece, to)| attacks::of(piece, to, position.occupied())),
            checks: CheckSquares::new(position),
            own_zone,
            enemy_zone,
            near_enemy_king: position
                .king(them)
                .map_or(Bitboard::EMPTY, |k| attacks::king_zone(k, 2)),
            flights: enemy_zone.without(enemy).without(ours),
            replies: [const { Cell::new(None) }; Square::COUNT],
            enemy_lines: Bitboard::EMPTY,
            prey: [Bitboard::EMPTY; PieceKind::COUNT],
            losses: Few::default(),
            of_losses: Concern::default(),
            ambushes: Few::default(),
            hiding: Bitboard::EMPTY,
            masked: Few::default(),
            of_masked: Concern::default(),
            pins: Few::default(),
            of_pins: Concern::default(),
            besiegers: Bitboard::EMPTY,
            siege_lines: Bitboard::EMPTY,
            promoters: Bitboard::EMPTY,
            promotion_squares: Bitboard::EMPTY,
            tied: (own_pieces & theirs & ours).without(ours_twice),
            unguarded: own_pieces.without(ours),
            balanced: (own_pieces & theirs & ours).without(more_of_theirs | counts.superior(us)),
            open_camp: camp(them).without(ours),
            enemy_camp: camp(us),
            kings: Kings::new(position, us),
            is_tense: false,
            phase: 0,
            most_won: 0,
            most_lost: 0,
            danger: match (own_zone & theirs).count() {
                0 => 0,
                1..=2 => 1,
                3..=4 => 2,
                _ => 3,
            },
        };
        scene.find_prey(enemy.without(king(them)));
        scene.look_along_lines();
        scene.find_besiegers();
        scene.find_losses(past, own_pieces & theirs);
        scene.most_won = scene.best_exchange(enemy.without(king(them)) & ours);
        scene.is_tense = position.in_check()
            || scene.most_won.max(scene.most_lost) >= STRONG_GAIN
            || sieges.into_iter().any(|attacks| attacks >= STRONG_ATTACK);
        let held = [us, them].map(|color| position.hand(color).total());
        let part = usize::from((held[0] + held[1]) / 2).min(PHASES / 2 - 1);
        scene.phase = usize::from(scene.is_tense) * (PHASES / 2) + part;
        scene
    }

    /// Is a strong threat on the board: to win material, or against either king? Then improvement and
    /// prevention rest.
    pub const fn is_tense(&self) -> bool {
        self.is_tense
    }

    /// An enemy piece is worth attacking for one that is worth less, and for any that makes more
    /// attackers than protectors.
    fn find_prey(&mut self, pieces: Bitboard) {
        let weak = pieces.without(self.more_of_theirs);
        let worth = |kind: PieceKind| self.values.capture(kind);
        for attacker in PieceKind::ALL {
            self.prey[attacker.index()] = weak;
        }
        for victim in PieceKind::ALL {
            let victims = self.position.of_kind(victim) & pieces;
            if victims.is_empty() {
                continue;
            }
            for attacker in PieceKind::ALL {
                if attacker != PieceKind::King && worth(victim) > worth(attacker) {
                    self.prey[attacker.index()] |= victims;
                }
            }
        }
    }

    /// Finds what stands in the lines of sliders: pins, and lines that can be opened.
    fn look_along_lines(&mut self) {
        let position = self.position;
        let lances = position.of_kind(PieceKind::Lance);
        let sliders = position.straight_sliders() | position.diagonal_sliders() | lances;
        for slider in sliders {
            let Some(piece) = position.piece_on(slider) else { continue };
            let reach = slides(piece, slider, self.occupied);
            let of_enemy = piece.color() != self.us;
            if of_enemy {
                self.enemy_lines |= reach;
            }
            for middle in reach & self.occupied {
                let without = self.occupied.without(Bitboard::of(middle));
                let beyond = slides(piece, slider, without).without(reach);
                let victims = if of_enemy { self.own } else { self.enemy };
                let Some(behind) = (beyond & victims).first() else { continue };
                let Some(kind) = position.piece_on(behind).map(Piece::kind) else { continue };
                let between = attacks::between(slider, behind);
                let screen = Screen { slider, middle, behind, kind, between };
                self.add_screen(piece.kind(), &screen, of_enemy);
            }
        }
    }

    fn add_screen(&mut self, slider: PieceKind, screen: &Screen, of_enemy: bool) {
        let Screen { middle, behind, kind, .. } = *screen;
        let is_king = kind == PieceKind::King;
        if !of_enemy {
            let worth_it = is_king || self.prey[slider.index()].contains(behind);
            if self.own.contains(middle) && worth_it {
                self.ambushes.push(*screen);
                self.hiding |= Bitboard::of(middle);
            }
            return;
        }
        let worth_more = self.values.capture(kind) > self.values.capture(slider);
        let between = screen.between | Bitboard::of(screen.slider);
        if self.own.contains(middle) {
            if is_king || worth_more {
                self.pins.push(*screen);
                self.of_pins.add(behind, between, middle);
            }
        } else if is_king || worth_more || self.unguarded.contains(behind) {
            self.masked.push(*screen);
            self.of_masked.add(behind, between | Bitboard::of(middle), behind);
        }
    }

    /// Finds who attacks squares beside the own king, and who could promote next.
    fn find_besiegers(&mut self) {
        let (position, them) = (self.position, !self.us);
        let zone = Bitboard::promotion_zone(them);
        for square in self.enemy {
            let Some(piece) = position.piece_on(square) else { continue };
            let reach = attacks::of(piece, square, self.occupied);
            if reach.intersects(self.own_zone) {
                self.besiegers |= Bitboard::of(square);
                if is_slider(piece.kind()) {
                    for target in reach & self.own_zone {
                        self.siege_lines |= attacks::between(square, target);
                    }
                }
            }
            if piece.kind().can_promote() {
                let near = if zone.contains(square) { reach } else { reach & zone };
                let open = near.without(self.enemy) & self.more_of_theirs;
                if !open.is_empty() {
                    self.promoters |= Bitboard::of(square);
                    self.promotion_squares |= open;
                }
            }
        }
    }

    /// Finds own pieces that the opponent could win, and the most that is to be lost.
    fn find_losses(&mut self, past: Past, attacked: Bitboard) {
        let (position, them) = (self.position, !self.us);
        for square in attacked {
            let lost = position.capture_gain(square, them, self.values);
            if lost <= 0 {
                continue;
            }
            self.most_lost = self.most_lost.max(lost);
            let Some(kind) = position.piece_on(square).map(Piece::kind) else { continue };
            let attackers = position.attackers(square, them, self.occupied);
            let mut between = Bitboard::EMPTY;
            let mut by_less = false;
            for attacker in attackers {
                between |= attacks::between(attacker, square);
                let class = position.piece_on(attacker).map(|piece| attacker_class(piece.kind()));
                by_less |= class.is_some_and(|class| class < attacker_class(kind));
            }
            let by_last = past.last.is_some_and(|mv| attackers.contains(mv.to()));
            self.of_losses.add(square, attackers | between, square);
            self.losses.push(Loss { square, kind, attackers, between, by_less, by_last });
        }
    }

    /// The most that taking one of these pieces wins; 0 if none wins anything.
    fn best_exchange(&self, attacked: Bitboard) -> i32 {
        let gain = |square| self.position.capture_gain(square, self.us, self.values);
        attacked.into_iter().map(gain).max().unwrap_or(0).max(0)
    }

    /// The kinds for which the opponent wants each square for development, worked out when it is
    /// asked for: squares, and the kind that wants the last of them.
    pub(super) fn wanted_squares(&self) -> Wanted {
        let (position, them) = (self.position, !self.us);
        let kings = Kings::new(position, them);
        let mut wanted = Wanted::default();
        for from in self.enemy {
            let Some(kind) = position.piece_on(from).map(Piece::kind) else { continue };
            let reach = attacks::of(Piece::new(them, kind), from, self.occupied);
            for to in reach.without(self.occupied) {
                let gains = self.development.map_gains(them, kind, Some(from), to);
                if gains[0] > 0
                    || gains[1] > 0
                    || self.development.pattern(&kings, kind, Some(from), to) >= development::WANTED
                {
                    wanted.squares |= Bitboard::of(to);
                    wanted.by_kind[kind.index()] |= Bitboard::of(to);
                }
            }
        }
        wanted
    }
}

/// The kind that a move brought to its target, if it stands there still; or one more than all kinds.
fn kind_of_move(position: &Position, mv: Option<Move>, color: Color) -> usize {
    let piece = mv.and_then(|mv| position.piece_on(mv.to()));
    piece.filter(|piece| piece.color() == color).map_or(PieceKind::COUNT, |p| p.kind().index())
}

/// Squares that a player wants for development.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub squares: Bitboard,
    pub by_kind: [Bitboard; PieceKind::COUNT],
}

/// Does a piece of this kind attack along lines?
pub(super) const fn is_slider(kind: PieceKind) -> bool {
    matches!(
        kind,
        PieceKind::Lance
            | PieceKind::Bishop
            | PieceKind::Rook
            | PieceKind::Horse
            | PieceKind::Dragon
    )
}

/// What a slider attacks along its lines, without single steps.
#[inline(always)]
pub(super) fn slides(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Lance => attacks::lance(piece.color(), square, occupied),
        PieceKind::Bishop | PieceKind::Horse => attacks::bishop(square, occupied),
        _ => attacks::rook(square, occupied),
    }
}
