//! History heuristics: butterfly, continuation and capture history, and counter-moves.

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering};

use tesuji_shogi::{Color, Move, Origin, Piece, PieceKind, Position, Square};

/// Scores stay between plus and minus this.
const LIMIT: i32 = 16_000;
/// Where moves come from: squares and kinds in hand.
const ORIGINS: usize = Square::COUNT + 7;
/// Pieces with the squares that they go to.
const PIECE_TO: usize = 2 * PieceKind::COUNT * Square::COUNT;

/// The place of a piece on a square in tables.
pub type PieceTo = u16;

/// The piece that a move sets down, with its square.
#[inline]
pub fn piece_to(position: &Position, mv: Move) -> PieceTo {
    let kind = match mv.origin() {
        Origin::Hand(kind) => kind,
        Origin::Board(from) => position.piece_on(from).map_or(PieceKind::Pawn, Piece::kind),
    };
    let piece = position.side_to_move().index() * PieceKind::COUNT + kind.index();
    (piece * Square::COUNT + mv.to().index()) as u16
}

#[inline]
fn origin(mv: Move) -> usize {
    match mv.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(kind) => Square::COUNT + kind.index(),
    }
}

/// Moves a score toward a bonus, the less the nearer it is to its limit. Of two threads that do so
/// at the same moment one may be forgotten.
#[inline]
fn update(score: &AtomicI16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let before = i32::from(score.load(Ordering::Relaxed));
    score.store((before + bonus - before * bonus.abs() / LIMIT) as i16, Ordering::Relaxed);
}

#[inline]
fn read(score: &AtomicI16) -> i32 {
    i32::from(score.load(Ordering::Relaxed))
}

/// All that is remembered of moves. The threads of a search share it: they agree then on the order
/// of moves and on how deep each is searched, so that one finds in the table what the other looked
/// for.
pub struct History {
    /// Butterfly history: by side, origin and target.
    butterfly: Vec<AtomicI16>,
    /// Continuation history: by the move before and the move itself, as pieces on squares.
    continuation: Vec<AtomicI16>,
    /// Capture history: by the capturing piece on its target and the kind that it takes.
    captures: Vec<AtomicI16>,
    /// Counter-moves: the answer that refuted a move last; 0 for none.
    counters: Vec<AtomicU16>,
}

/// The moves before, as pieces on squares: one and two plies ago.
pub type Context = [Option<PieceTo>; 2];

impl Default for History {
    fn default() -> Self {
        let scores = |count: usize| (0..count).map(|_| AtomicI16::new(0)).collect();
        Self {
            butterfly: scores(2 * ORIGINS * Square::COUNT),
            continuation: scores(PIECE_TO * PIECE_TO),
            captures: scores(PIECE_TO * PieceKind::COUNT),
            counters: (0..PIECE_TO).map(|_| AtomicU16::new(0)).collect(),
        }
    }
}

impl History {
    /// A history without room, for searches that neither read nor write one: quiescence with the
    /// parameter `history` off.
    pub fn none() -> Self {
        let (butterfly, continuation, captures) = (Vec::new(), Vec::new(), Vec::new());
        Self { butterfly, continuation, captures, counters: Vec::new() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let scores = [&mut self.butterfly, &mut self.continuation, &mut self.captures];
        scores.into_iter().flatten().for_each(|score| *score.get_mut() = 0);
        self.counters.iter_mut().for_each(|counter| *counter.get_mut() = 0);
    }

    #[inline]
    fn butterfly(&self, side: Color, mv: Move) -> &AtomicI16 {
        &self.butterfly[(side.index() * ORIGINS + origin(mv)) * Square::COUNT + mv.to().index()]
    }

    #[inline]
    fn continuation(&self, before: PieceTo, piece: PieceTo) -> &AtomicI16 {
        &self.continuation[usize::from(before) * PIECE_TO + usize::from(piece)]
    }

    #[inline]
    fn captures(&self, piece: PieceTo, taken: PieceKind) -> &AtomicI16 {
        &self.captures[usize::from(piece) * PieceKind::COUNT + taken.index()]
    }

    /// What a quiet move has earned.
    #[inline]
    pub fn quiet(&self, side: Color, mv: Move, piece: PieceTo, context: &Context) -> i32 {
        let mut sum = read(self.butterfly(side, mv));
        for &before in context.iter().flatten() {
            sum += read(self.continuation(before, piece));
        }
        sum
    }

    /// What a capture has earned.
    #[inline]
    pub fn capture(&self, piece: PieceTo, taken: PieceKind) -> i32 {
        read(self.captures(piece, taken))
    }

    /// Rewards or punishes a quiet move.
    pub fn reward_quiet(
        &self,
        side: Color,
        mv: Move,
        piece: PieceTo,
        context: &Context,
        bonus: i32,
    ) {
        update(self.butterfly(side, mv), bonus);
        for &before in context.iter().flatten() {
            update(self.continuation(before, piece), bonus);
        }
    }

    /// Rewards or punishes a capture.
    pub fn reward_capture(&self, piece: PieceTo, taken: PieceKind, bonus: i32) {
        update(self.captures(piece, taken), bonus);
    }

    /// The answer that refuted a move last.
    pub fn counter(&self, before: Option<PieceTo>) -> Option<Move> {
        let counter = self.counters.get(usize::from(before?))?;
        Move::from_u16(counter.load(Ordering::Relaxed))
    }

    /// Remembers an answer that refuted a move.
    pub fn set_counter(&self, before: Option<PieceTo>, mv: Move) {
        if let Some(before) = before {
            self.counters[usize::from(before)].store(mv.to_u16(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_their_limits() {
        let history = History::default();
        let position = Position::startpos();
        let mv: Move = "7g7f".parse().unwrap();
        let piece = piece_to(&position, mv);
        let context = [Some(3), None];
        for _ in 0..1000 {
            history.reward_quiet(Color::Black, mv, piece, &context, 2000);
        }
        let score = history.quiet(Color::Black, mv, piece, &context);
        assert!((30_000..=2 * LIMIT).contains(&score), "{score}");
        assert_eq!(history.quiet(Color::White, mv, piece, &[None, None]), 0);
        for _ in 0..1000 {
            history.reward_quiet(Color::Black, mv, piece, &context, -2000);
        }
        assert!(history.quiet(Color::Black, mv, piece, &context) < -30_000);
        history.set_counter(Some(3), mv);
        assert_eq!((history.counter(Some(3)), history.counter(Some(4))), (Some(mv), None));
    }
}
