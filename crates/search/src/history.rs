//! What moves did well before: killers, counter-moves, and history by piece and square.

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

/// Moves a score toward a bonus, the less the nearer it is to its limit.
#[inline]
fn update(score: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *score += (bonus - i32::from(*score) * bonus.abs() / LIMIT) as i16;
}

/// All that a thread remembers of moves.
pub struct History {
    /// By side, origin and target.
    butterfly: Vec<[[i16; Square::COUNT]; ORIGINS]>,
    /// By the move before and the move itself, as pieces on squares.
    continuation: Vec<[i16; PIECE_TO]>,
    /// By the capturing piece on its target and the kind that it takes.
    captures: Vec<[i16; PieceKind::COUNT]>,
    /// The answer that refuted a move last.
    counters: Vec<Option<Move>>,
}

/// The moves before, as pieces on squares: one and two plies ago.
pub type Context = [Option<PieceTo>; 2];

impl Default for History {
    fn default() -> Self {
        Self {
            butterfly: vec![[[0; Square::COUNT]; ORIGINS]; 2],
            continuation: vec![[0; PIECE_TO]; PIECE_TO],
            captures: vec![[0; PieceKind::COUNT]; PIECE_TO],
            counters: vec![None; PIECE_TO],
        }
    }
}

impl History {
    /// What a quiet move has earned.
    #[inline]
    pub fn quiet(&self, side: Color, mv: Move, piece: PieceTo, context: &Context) -> i32 {
        let mut sum = i32::from(self.butterfly[side.index()][origin(mv)][mv.to().index()]);
        for before in context.iter().flatten() {
            sum += i32::from(self.continuation[usize::from(*before)][usize::from(piece)]);
        }
        sum
    }

    /// What a capture has earned.
    #[inline]
    pub fn capture(&self, piece: PieceTo, taken: PieceKind) -> i32 {
        i32::from(self.captures[usize::from(piece)][taken.index()])
    }

    /// Rewards or punishes a quiet move.
    pub fn reward_quiet(
        &mut self,
        side: Color,
        mv: Move,
        piece: PieceTo,
        context: &Context,
        bonus: i32,
    ) {
        update(&mut self.butterfly[side.index()][origin(mv)][mv.to().index()], bonus);
        for before in context.iter().flatten() {
            update(&mut self.continuation[usize::from(*before)][usize::from(piece)], bonus);
        }
    }

    /// Rewards or punishes a capture.
    pub fn reward_capture(&mut self, piece: PieceTo, taken: PieceKind, bonus: i32) {
        update(&mut self.captures[usize::from(piece)][taken.index()], bonus);
    }

    /// The answer that refuted a move last.
    pub fn counter(&self, before: Option<PieceTo>) -> Option<Move> {
        before.and_then(|before| self.counters[usize::from(before)])
    }

    /// Remembers an answer that refuted a move.
    pub fn set_counter(&mut self, before: Option<PieceTo>, mv: Move) {
        if let Some(before) = before {
            self.counters[usize::from(before)] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_their_limits() {
        let mut history = History::default();
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
