//! The move generator.

use super::{CheckSquares, MoveKind, MoveSink};
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

// No closures in this file: the compiler builds them for the plain processor even where the
// function around them is built for one with bit instructions, see `cpu`.

/// The legal moves of one sort. The generator is compiled once for each player, so that directions
/// and zones are constants.
#[inline(always)]
pub(crate) fn generate<S: MoveSink>(position: &Position, kind: MoveKind, sink: &mut S) {
    match position.side_to_move() {
        Color::Black => Generator::new(position, Color::Black).generate(kind, sink),
        Color::White => Generator::new(position, Color::White).generate(kind, sink),
    }
}

/// What every legal move of a position has to respect.
struct Generator<'a> {
    position: &'a Position,
    us: Color,
    king: Option<Square>,
    occupied: Bitboard,
    /// Our pieces that may only move along the line to our king.
    pinned: Bitboard,
    /// Where a piece other than the king may move: everywhere, or in check onto the checking piece
    /// and the squares before it.
    saving: Bitboard,
    /// Where a drop may go, given the check.
    blocking: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(position: &'a Position, us: Color) -> Self {
        let (saving, blocking) = match (position.king(us), position.checkers().first()) {
            (Some(_), Some(_)) if position.checkers().has_several() => {
                (Bitboard::EMPTY, Bitboard::EMPTY)
            }
            (Some(king), Some(checker)) => {
                let between = attacks::between(king, checker);
                (between | Bitboard::of(checker), between)
            }
            _ => (Bitboard::FULL, Bitboard::FULL),
        };
        Self {
            position,
            us,
            king: position.king(us),
            occupied: position.occupied(),
            pinned: position.pinned(us),
            saving,
            blocking,
        }
    }

    #[inline(always)]
    fn generate<S: MoveSink>(&self, kind: MoveKind, sink: &mut S) {
        match kind {
            MoveKind::All => {
                self.board_moves(self.own_free(), sink);
                self.drops(self.empty(), sink);
            }
            MoveKind::Captures => self.board_moves(self.position.of_color(!self.us), sink),
            MoveKind::Quiets => self.board_moves(self.empty(), sink),
            MoveKind::QuietPromotions => {
                self.board_moves(self.empty(), &mut OnlyPromotions { sink });
            }
            MoveKind::Drops => self.drops(self.empty(), sink),
            MoveKind::Checks => {
                let Some(checks) = CheckSquares::new(self.position) else { return };
                let mut only = OnlyChecks { position: self.position, checks, sink };
                self.board_moves(self.own_free(), &mut only);
                self.drops(self.empty(), &mut only);
            }
        }
    }

    #[inline(always)]
    fn empty(&self) -> Bitboard {
        !self.occupied
    }

    /// Squares without a piece of ours.
    #[inline(always)]
    fn own_free(&self) -> Bitboard {
        !self.position.of_color(self.us)
    }

    /// Moves on the board onto `targets`.
    #[inline(always)]
    fn board_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        self.king_moves(targets, sink);
        let targets = targets & self.saving;
        if targets.is_empty() {
            return;
        }
        self.pawn_moves(targets, sink);
        self.piece_moves(PieceKind::Lance, targets, sink);
        self.piece_moves(PieceKind::Knight, targets, sink);
        self.piece_moves(PieceKind::Silver, targets, sink);
        self.piece_moves(PieceKind::Bishop, targets, sink);
        self.piece_moves(PieceKind::Rook, targets, sink);
        self.piece_moves(PieceKind::Horse, targets, sink);
        self.piece_moves(PieceKind::Dragon, targets, sink);
        self.piece_moves(PieceKind::Gold, targets, sink);
    }

    #[inline(always)]
    fn king_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let Some(king) = self.king else { return };
        let candidates = attacks::king(king) & targets;
        if candidates.is_empty() {
            return;
        }
        let safe = candidates & !self.position.king_danger(king);
        if !safe.is_empty() {
            sink.board_moves(king, safe, Bitboard::EMPTY);
        }
    }

    /// All unpinned pawns at once, then the pinned ones, which may still move along their pin.
    #[inline(always)]
    fn pawn_moves<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let pawns = self.position.of(self.us, PieceKind::Pawn);
        let steps = pawns.without(self.pinned).forward(self.us) & targets;
        let promoting = steps & Bitboard::promotion_zone(self.us);
        let plain = steps.without(Bitboard::far_ranks(self.us, 1));
        sink.pawn_moves(self.us, plain, promoting);
        for from in pawns & self.pinned {
            let steps = attacks::pawn(self.us, from) & targets & self.pin_line(from);
            self.give(PieceKind::Pawn, from, steps, sink);
        }
    }

    /// The moves of all pieces of a kind (`Gold` stands for all that move like one).
    #[inline(always)]
    fn piece_moves<S: MoveSink>(&self, kind: PieceKind, targets: Bitboard, sink: &mut S) {
        let pieces = match kind {
            PieceKind::Gold => self.position.golds() & self.position.of_color(self.us),
            _ => self.position.of(self.us, kind),
        };
        for from in pieces {
            let piece = Piece::new(self.us, kind);
            let mut reached = attacks::of(piece, from, self.occupied) & targets;
            if self.pinned.contains(from) {
                reached &= self.pin_line(from);
            }
            self.give(kind, from, reached, sink);
        }
    }

    /// Splits targets into plain and promoting moves.
    #[inline(always)]
    fn give<S: MoveSink>(&self, kind: PieceKind, from: Square, reached: Bitboard, sink: &mut S) {
        if !kind.can_promote() {
            sink.board_moves(from, reached, Bitboard::EMPTY);
            return;
        }
        let zone = Bitboard::promotion_zone(self.us);
        let promoting = if zone.contains(from) { reached } else { reached & zone };
        let plain = reached.without(Bitboard::far_ranks(self.us, kind.dead_ranks()));
        sink.board_moves(from, plain, promoting);
    }

    /// The line on which a pinned piece may move.
    #[inline(always)]
    fn pin_line(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) => attacks::line(king, from),
            None => Bitboard::FULL,
        }
    }

    /// Drops onto `targets`.
    #[inline(always)]
    fn drops<S: MoveSink>(&self, targets: Bitboard, sink: &mut S) {
        let hand = self.position.hand(self.us);
        let targets = targets & self.blocking;
        if hand.is_empty() || targets.is_empty() {
            return;
        }
        if hand.has(PieceKind::Pawn) {
            let pawns = self.position.of(self.us, PieceKind::Pawn);
            let files = pawns.files_without();
            let mut targets = targets & files & !Bitboard::far_ranks(self.us, 1);
            if let Some(mating) = self.position.pawn_drop_mate_among(self.us, targets) {
                targets ^= Bitboard::of(mating);
            }
            sink.drops(PieceKind::Pawn, targets);
        }
        if hand.has(PieceKind::Lance) {
            sink.drops(PieceKind::Lance, targets.without(Bitboard::far_ranks(self.us, 1)));
        }
        if hand.has(PieceKind::Knight) {
            sink.drops(PieceKind::Knight, targets.without(Bitboard::far_ranks(self.us, 2)));
        }
        for kind in [PieceKind::Silver, PieceKind::Bishop, PieceKind::Rook, PieceKind::Gold] {
            if hand.has(kind) {
                sink.drops(kind, targets);
            }
        }
    }
}

/// Lets through the moves that promote.
struct OnlyPromotions<'a, S> {
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for OnlyPromotions<'_, S> {
    #[inline(always)]
    fn board_moves(&mut self, from: Square, _plain: Bitboard, promoting: Bitboard) {
        self.sink.board_moves(from, Bitboard::EMPTY, promoting);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, _plain: Bitboard, promoting: Bitboard) {
        self.sink.pawn_moves(color, Bitboard::EMPTY, promoting);
    }

    #[inline(always)]
    fn drops(&mut self, _kind: PieceKind, _targets: Bitboard) {}
}

/// Lets through the moves that give check: directly from where the piece arrives, or by leaving
/// the line of a slider behind it.
struct OnlyChecks<'a, S> {
    position: &'a Position,
    checks: CheckSquares,
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for OnlyChecks<'_, S> {
    #[inline(always)]
    fn board_moves(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let uncovered = self.checks.uncovered_from(from);
        let direct = self.checks.of(piece.kind());
        let promoted = piece.kind().promoted().unwrap_or(piece.kind());
        let direct_promoted = self.checks.of(promoted);
        let plain = plain & (direct | uncovered);
        let promoting = promoting & (direct_promoted | uncovered);
        self.sink.board_moves(from, plain, promoting);
    }

    #[inline(always)]
    fn pawn_moves(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        for to in plain | promoting {
            let only = Bitboard::of(to);
            self.board_moves(to.behind(color), plain & only, promoting & only);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        self.sink.drops(kind, targets & self.checks.of(kind));
    }
}
