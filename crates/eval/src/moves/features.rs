//! The features of a move.

use tesuji_shogi::{Bitboard, CheckSquares, Move, Origin, Piece, PieceKind, Square, attacks};

use super::context::{self, EMPTY, MoveContext, attacker_class};
use super::groups::{
    ACTORS, AROUND, ATTACKERS, CODES, EXCHANGES, FILES, Group, LINES, NEAR, STEPS,
};
use crate::mirror::{HALF, beside, half};

const KINDS: usize = PieceKind::COUNT;
const SQUARES: usize = Square::COUNT;

/// Where ranges of exchange values begin. Taking counts twice, once on the board and once in hand.
const EXCHANGE_STEPS: [i32; EXCHANGES - 1] =
    [-1500, -1000, -700, -400, -200, -50, 51, 201, 401, 701, 1001, 1501];

/// Which way a move is looked at, so that a position and its mirror image are the same.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) mirror: bool,
    /// Nothing tells left from right: only distances in files count.
    pub(super) folded: bool,
}

impl Frame {
    /// The own king is on the right half of the board, or else the enemy's, the target, the origin.
    fn new(context: &MoveContext<'_>, from: Option<Square>, to: Square) -> Self {
        let places = [Some(context.own_king), Some(context.enemy_king), Some(to), from];
        match context::mirror_by(places) {
            Some(mirror) => Self { mirror, folded: false },
            None => Self { mirror: false, folded: true },
        }
    }

    #[inline(always)]
    pub(super) fn square(self, square: Square) -> Square {
        if self.mirror { square.mirrored() } else { square }
    }

    /// The file of a square, or 0 without one.
    #[inline(always)]
    fn file(self, square: Option<Square>) -> usize {
        let file = square.map_or(0, |square| usize::from(self.square(square).file()));
        if self.folded && file > 5 { 10 - file } else { file }
    }

    /// Files from one square to another.
    #[inline(always)]
    fn files(self, from: Square, to: Square) -> i32 {
        self.fold(i32::from(to.file()) - i32::from(from.file()))
    }

    #[inline(always)]
    fn fold(self, files: i32) -> i32 {
        match (self.folded, self.mirror) {
            (true, _) => files.abs(),
            (false, true) => -files,
            (false, false) => files,
        }
    }
}

/// A move with all that its features need. Squares of `seen` are as the side to move sees them.
pub(super) struct MoveInfo {
    pub(super) actor: usize,
    pub(super) kind: PieceKind,
    pub(super) standing: PieceKind,
    pub(super) taken: Option<PieceKind>,
    pub(super) from: Option<Square>,
    pub(super) to: Square,
    pub(super) seen_from: Option<Square>,
    pub(super) seen_to: Square,
    pub(super) frame: Frame,
    pub(super) exchange: i32,
    /// Own pieces besides this one that attack the target.
    pub(super) support: u8,
    /// Enemy pieces that attack the target.
    pub(super) attackers: u8,
    pub(super) gives_check: bool,
    /// The square that the piece leaves.
    pub(super) left: Bitboard,
    /// What is occupied after the move.
    pub(super) occupied: Bitboard,
    /// What the piece attacks from its origin, and from its target.
    before: Bitboard,
    pub(super) reach: Bitboard,
}

impl MoveInfo {
    fn is_safe(&self) -> usize {
        usize::from(self.exchange >= 0)
    }
}

impl MoveContext<'_> {
    /// Calls `visit` with the number of each feature that a legal move has, and with 1; and with -1
    /// for each that it takes away.
    #[inline]
    pub fn for_each_feature(&self, mv: Move, mut visit: impl FnMut(usize, i32)) {
        let Some(info) = self.info(mv) else { return };
        self.for_each_pair(&info, &mut visit);
        self.for_each_other_feature(&info, &mut |feature| visit(feature, 1));
    }

    /// The features that are not pairs.
    #[inline]
    pub(super) fn for_each_other_feature(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        self.place(info, visit);
        self.exchange_features(info, visit);
        self.king_features(info, visit);
        self.attack_features(info, visit);
        self.exposure_features(info, visit);
        self.surroundings(info, visit);
        self.past_features(info, visit);
    }

    /// `None` if nothing stands on the origin.
    #[inline]
    pub(super) fn info(&self, mv: Move) -> Option<MoveInfo> {
        let to = mv.to();
        let (kind, from) = match mv.origin() {
            Origin::Hand(kind) => (kind, None),
            Origin::Board(from) => (self.position.piece_on(from)?.kind(), Some(from)),
        };
        let promoted = if mv.is_promotion() { kind.promoted() } else { None };
        let actor = match (from, promoted) {
            (None, _) => KINDS + 6 + kind.index(),
            (_, Some(_)) => KINDS + kind.index(),
            (Some(_), None) => kind.index(),
        };
        let (seen_from, seen_to) = (from.map(|from| from.seen_by(self.us)), to.seen_by(self.us));
        let attackers = self.enemy_counts[to.index()];
        let uncovers = from.is_some_and(|from| self.is_on_enemy_line(from));
        let taken = self.position.piece_on(to).map(Piece::kind);
        let exchange = if attackers == 0 && !uncovers {
            taken.map_or(0, |taken| self.values.capture(taken))
                + promoted.map_or(0, |_| self.values.promotion(kind))
        } else {
            self.position.exchange(mv, &self.values)
        };
        let left = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let now = self.position.occupied();
        let occupied = now.without(left) | Bitboard::of(to);
        let reach = |kind, from, occupied| attacks::of(Piece::new(self.us, kind), from, occupied);
        let gives_check = |checks: &CheckSquares| checks.gives_check(self.position, mv);
        Some(MoveInfo {
            actor,
            kind,
            standing: promoted.unwrap_or(kind),
            taken,
            from,
            to,
            seen_from,
            seen_to,
            frame: Frame::new(self, seen_from, seen_to),
            exchange,
            support: self.own_counts[to.index()].saturating_sub(u8::from(from.is_some())),
            attackers,
            gives_check: self.checks.as_ref().is_some_and(gives_check),
            left,
            occupied,
            before: from.map_or(Bitboard::EMPTY, |from| reach(kind, from, now)),
            reach: reach(promoted.unwrap_or(kind), to, occupied),
        })
    }

    /// Where the piece comes from and where it goes.
    #[inline(always)]
    fn place(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let MoveInfo { actor, frame, seen_to: to, .. } = *info;
        let (own, enemy) = (self.own_king, self.enemy_king);
        let framed = frame.square(to);
        let own_half = half(frame.square(own));
        visit(Group::OwnKingTarget.feature((actor * HALF + own_half) * SQUARES + framed.index()));
        let (enemy_half, by_enemy) = beside(enemy, to);
        let enemy_target = (actor * HALF + enemy_half) * SQUARES + by_enemy.index();
        visit(Group::EnemyKingTarget.feature(enemy_target));
        let (files, ranks) = (frame.files(own, to) + 8, ranks(own, to) + 8);
        let own_offset = (actor * STEPS + files as usize) * STEPS + ranks as usize;
        visit(Group::OwnKingOffset.feature(own_offset));
        let files = usize::from(enemy.file().abs_diff(to.file()));
        let ranks = usize::from(to.rank() + 8 - enemy.rank());
        visit(Group::EnemyKingOffset.feature((actor * 9 + files) * STEPS + ranks));
        let [own_rook, enemy_rook] = self.rooks.map(|rook| frame.file(rook));
        let by_rook = |file: usize| (actor * FILES + file) * SQUARES + framed.index();
        visit(Group::OwnRookTarget.feature(by_rook(own_rook)));
        visit(Group::EnemyRookTarget.feature(by_rook(enemy_rook)));
        visit(Group::Phase.feature(actor * 8 + self.phase));
        for &held in &self.held.0[..self.held.1] {
            visit(Group::Hands.feature(actor * 14 + usize::from(held)));
        }
        let Some(from) = info.seen_from else {
            let held = self.position.hand(self.us).count(info.kind).clamp(1, 4);
            return visit(Group::Held.feature(actor * 4 + usize::from(held) - 1));
        };
        let kind = info.kind.index();
        let framed_from = frame.square(from).index();
        visit(Group::OwnKingOrigin.feature((kind * HALF + own_half) * SQUARES + framed_from));
        let (enemy_half, by_enemy) = beside(enemy, from);
        let enemy_origin = (kind * HALF + enemy_half) * SQUARES + by_enemy.index();
        visit(Group::EnemyKingOrigin.feature(enemy_origin));
        visit(Group::FromTo.feature((actor * SQUARES + framed_from) * SQUARES + framed.index()));
    }

    /// What is won and lost on the target.
    #[inline(always)]
    fn exchange_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let MoveInfo { actor, attackers, support, .. } = *info;
        if let Some(taken) = info.taken {
            let protected = usize::from(attackers > 0);
            visit(Group::Capture.feature((actor * KINDS + taken.index()) * 2 + protected));
            let victims =
                attacks::of(Piece::new(!self.us, taken), info.to, self.position.occupied())
                    & self.position.of_color(self.us);
            let most = victims
                .into_iter()
                .filter_map(|square| self.position.piece_on(square))
                .map(|victim| attacker_class(victim.kind()))
                .max();
            if let Some(most) = most {
                visit(Group::Relief.feature(actor * 6 + most));
            }
        }
        let bin = EXCHANGE_STEPS.iter().filter(|&&step| info.exchange >= step).count();
        let takes = usize::from(info.taken.is_some());
        visit(Group::Exchange.feature((actor * EXCHANGES + bin) * 2 + takes));
        let few = |count: u8| usize::from(count.min(2));
        visit(Group::Control.feature((actor * 3 + few(attackers)) * 3 + few(support)));
        visit(Group::LinesToTarget.feature(actor * LINES + self.lines_to(info.to)));
        if let Some(from) = info.from {
            let index = info.kind.index() * LINES + self.lines_to(from);
            visit(Group::LinesToOrigin.feature(index));
        }
        let least = self.least_attacker(info.to);
        let supported = usize::from(support > 0);
        visit(Group::LeastAttacker.feature((actor * ATTACKERS + least) * 2 + supported));
        if let Some(from) = info.from
            && self.enemy_counts[from.index()] > 0
        {
            let danger = if self.attacked_by_less(info.kind, from) {
                0
            } else if self.own_counts[from.index()] == 0 {
                1
            } else if self.enemy_counts[from.index()] > self.own_counts[from.index()] {
                2
            } else {
                3
            };
            let by_last = usize::from(self.last_reach.contains(from));
            let index = (actor * 4 + danger) * 2 + by_last;
            visit(Group::Escape.feature(index * 2 + info.is_safe()));
        }
    }

    /// Checks, answers to them, and moves of the king.
    #[inline(always)]
    fn king_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let actor = info.actor;
        if info.gives_check {
            let distance = usize::from(self.enemy_king.distance(info.seen_to)).clamp(1, 3) - 1;
            visit(Group::Check.feature((actor * 2 + info.is_safe()) * 3 + distance));
        }
        let in_check = self.position.in_check();
        let is_king = info.kind == PieceKind::King;
        if in_check {
            let how = if is_king { 2 } else { usize::from(info.taken.is_some()) };
            visit(Group::Evasion.feature((actor * 3 + how) * 2 + info.is_safe()));
        }
        if is_king {
            let sum = |zone: Bitboard| -> i32 {
                zone.into_iter().map(|square| i32::from(self.enemy_counts[square.index()])).sum()
            };
            let change = sum(attacks::king_zone(info.to, 1)) - sum(self.own_zone);
            let change = (change.clamp(-3, 3) + 3) as usize;
            visit(Group::KingStep.feature(change * 2 + usize::from(in_check)));
        }
    }

    /// What the piece attacks and protects from its target, and what it no longer protects.
    #[inline(always)]
    fn attack_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let MoveInfo { actor, left, before, reach, .. } = *info;
        let zone = |zone: Bitboard| (reach & zone).count().min(5) as usize;
        visit(Group::EnemyZone.feature(actor * 6 + zone(self.enemy_zone)));
        visit(Group::OwnZone.feature(actor * 6 + zone(self.own_zone)));
        for square in reach & self.position.of_color(!self.us) {
            let Some(target) = self.position.piece_on(square) else { continue };
            let protected = usize::from(self.enemy_counts[square.index()] > 0);
            let is_new = usize::from(!before.contains(square));
            let index = (actor * KINDS + target.kind().index()) * 2 + protected;
            visit(Group::Attack.feature((index * 2 + is_new) * 2 + info.is_safe()));
        }
        let enemies = self.position.of_color(!self.us).without(Bitboard::of(info.to));
        for square in before & enemies.without(reach) {
            let Some(target) = self.position.piece_on(square) else { continue };
            let protected = usize::from(self.enemy_counts[square.index()] > 0);
            let index = (actor * KINDS + target.kind().index()) * 2 + protected;
            visit(Group::Abandon.feature(index));
        }
        let own = self.position.of_color(self.us).without(left);
        for square in reach & own {
            let Some(friend) = self.position.piece_on(square) else { continue };
            let attacked = usize::from(self.enemy_counts[square.index()] > 0)
                + usize::from(self.last_reach.contains(square));
            let others = self.own_counts[square.index()] - u8::from(before.contains(square));
            let index = (actor * KINDS + friend.kind().index()) * 3 + attacked;
            visit(Group::Guard.feature(index * 2 + usize::from(others > 0)));
        }
        for square in before & own.without(reach) {
            let attacked = self.enemy_counts[square.index()] > 0;
            let Some(friend) = self.position.piece_on(square).filter(|_| attacked) else {
                continue;
            };
            let alone = usize::from(self.own_counts[square.index()] == 1);
            let index = (actor * KINDS + friend.kind().index()) * 2 + alone;
            visit(Group::Desert.feature(index));
        }
    }

    /// What stands around the target.
    #[inline(always)]
    fn surroundings(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let MoveInfo { actor, frame, to, .. } = *info;
        // All squares that are at most two files and two ranks away.
        for files in -2..=2_i32 {
            let column = if frame.folded { files.abs() } else { files };
            for ranks in -2..=2_i32 {
                let number = ((column + 2) * 5 + ranks + 2) as usize;
                if (files, ranks) != (0, 0) {
                    let code = self.code(to, files, ranks, frame.mirror);
                    visit(Group::Around.feature((actor * AROUND + number) * CODES + code));
                }
            }
        }
        let (distance, code) = (1..=2)
            .map(|step| (step, self.code(to, 0, -step, false)))
            .find(|&(_, code)| code != usize::from(EMPTY))
            .unwrap_or((3, usize::from(EMPTY)));
        visit(Group::Ahead.feature((actor * CODES + code) * 3 + distance as usize - 1));
    }

    /// What the move has to do with the last two.
    #[inline(always)]
    fn past_features(&self, info: &MoveInfo, visit: &mut impl FnMut(usize)) {
        let MoveInfo { actor, frame, .. } = *info;
        let near = |square: Square| {
            let square = square.seen_by(self.us);
            let (files, ranks) = (frame.files(square, info.seen_to), ranks(square, info.seen_to));
            if files.abs().max(ranks.abs()) > 4 {
                NEAR - 1
            } else {
                ((files + 4) * 9 + ranks + 4) as usize
            }
        };
        let kind = |mv: Move, color| {
            let piece = self.position.piece_on(mv.to()).filter(|piece| piece.color() == color);
            piece.map_or(KINDS, |piece| piece.kind().index())
        };
        let framed_to = frame.square(info.seen_to).index();
        let targets = |kind: usize, mv: Move| {
            let target = frame.square(mv.to().seen_by(self.us)).index();
            ((kind * SQUARES + target) * ACTORS + actor) * SQUARES + framed_to
        };
        if let Some(last) = self.past.last {
            let last_kind = kind(last, !self.us);
            if last_kind < KINDS && !frame.folded {
                visit(Group::ReplyTarget.feature(targets(last_kind, last)));
            }
            let index = last_kind * ACTORS + actor;
            visit(Group::Reply.feature(index * NEAR + near(last.to())));
            if let Some(taken) = info.taken
                && last.to() == info.to
            {
                let index = (actor * KINDS + taken.index()) * 2 + info.is_safe();
                visit(Group::Recapture.feature(index));
            }
        }
        if let Some(before) = self.past.before {
            let own_kind = kind(before, self.us);
            if own_kind < KINDS && !frame.folded {
                visit(Group::ContinuationTarget.feature(targets(own_kind, before)));
            }
            let index = own_kind * ACTORS + actor;
            visit(Group::Continuation.feature(index * NEAR + near(before.to())));
            if info.from == Some(before.to()) {
                let back = usize::from(before.from() == Some(info.to));
                visit(Group::SamePiece.feature(actor * 2 + back));
            }
        }
    }
}

/// Ranks from one square to another.
#[inline(always)]
fn ranks(from: Square, to: Square) -> i32 {
    i32::from(to.rank()) - i32::from(from.rank())
}
