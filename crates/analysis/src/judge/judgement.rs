//! The judgement of every move, from best to blunder, and of the players.

use tesuji_eval::Weights;
use tesuji_records::GameRecord;
use tesuji_report::Mark;
use tesuji_search::score::is_mate;
use tesuji_shogi::{Color, Move, Position};

use super::concession::{Concession, Lines};
use super::{AnalysisSettings, PositionSearch};
use crate::score::{gets_mated_in, gives_mate_in, of_mover, win_rate};

/// From this loss of win rate on a move is an inaccuracy.
pub const INACCURACY: f64 = 0.05;
/// From this loss of win rate on a move is a mistake.
pub const MISTAKE: f64 = 0.10;
/// From this loss of win rate on a move is a blunder.
pub const BLUNDER: f64 = 0.20;

/// The moves of a game with their judgements.
#[derive(Clone, PartialEq, Debug)]
pub struct GameJudgement {
    /// The score of the position before the first move that was judged, in Black's view.
    pub start_score: i32,
    /// The moves that were judged.
    pub moves: Vec<JudgedMove>,
    /// Black and White.
    pub players: [PlayerSummary; 2],
    /// The place in `moves` of the move with which the lead changed for the last time.
    pub turning_point: Option<usize>,
}

/// A move with its judgement. Scores are the mover's unless they say otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The number of the move in the game, from 1.
    pub number: usize,
    /// The position before the move.
    pub position: Position,
    /// The move before.
    pub last: Option<Move>,
    /// The move of the game.
    pub mv: Move,
    /// The best move and what follows it; empty if there is no other.
    pub best_line: Vec<Move>,
    /// The move that was played and what should follow it.
    pub played_line: Vec<Move>,
    /// The score after the best move.
    pub best_score: i32,
    /// The score after the move of the game, searched with the same limits.
    pub played_score: i32,
    /// The position after the move, in Black's view.
    pub black_score: i32,
    /// The depth of the search of the position before the move.
    pub depth: u32,
    /// The nodes of that search.
    pub nodes: u64,
    /// Is there no other legal move?
    pub forced: bool,
    /// Win rate lost, from 0 to 1.
    pub loss: f64,
    /// What a fault conceded; nothing where mates decide.
    pub concession: Option<Concession>,
}

impl JudgedMove {
    /// Who moved.
    pub fn color(&self) -> Color {
        self.position.side_to_move()
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.best_line.first().copied()
    }

    /// Is it the engine's first choice?
    pub fn is_best(&self) -> bool {
        self.best() == Some(self.mv)
    }

    /// Blunder, mistake, inaccuracy or best, by the loss of win rate.
    pub fn mark(&self) -> Option<Mark> {
        match self.loss {
            _ if self.is_best() && !self.forced => Some(Mark::Best),
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= INACCURACY => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// Is it an inaccuracy or worse?
    pub fn is_fault(&self) -> bool {
        self.mark().is_some_and(|mark| mark > Mark::Best)
    }

    /// Centipawns lost; nothing can be said of mates.
    pub fn loss_cp(&self) -> Option<i32> {
        let plain = !is_mate(self.best_score) && !is_mate(self.played_score);
        plain.then(|| (self.best_score - self.played_score).max(0))
    }

    /// Plies of a mate that the mover had and did not play.
    pub fn missed_mate(&self) -> Option<i32> {
        gives_mate_in(self.best_score).filter(|_| gives_mate_in(self.played_score).is_none())
    }

    /// Plies of a mate that the opponent has after the move, and would not have had after the best.
    pub fn allowed_mate(&self) -> Option<i32> {
        gets_mated_in(self.played_score).filter(|_| gets_mated_in(self.best_score).is_none())
    }
}

/// How a player played.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PlayerSummary {
    /// Moves that were judged.
    pub moves: usize,
    /// Moves with which there was a choice.
    pub chosen: usize,
    /// Those of them that were the engine's first choice.
    pub agreed: usize,
    /// Win rate lost in all.
    pub loss: f64,
    /// Losses from [`INACCURACY`] up to a mistake.
    pub inaccuracies: usize,
    /// Losses from [`MISTAKE`] up to a blunder.
    pub mistakes: usize,
    /// Losses of [`BLUNDER`] or more.
    pub blunders: usize,
    /// Mates that were there and not played.
    pub missed_mates: usize,
}

impl PlayerSummary {
    fn new(moves: &[JudgedMove], color: Color) -> Self {
        let mut summary = Self::default();
        for mv in moves.iter().filter(|mv| mv.color() == color) {
            summary.moves += 1;
            summary.chosen += usize::from(!mv.forced);
            summary.agreed += usize::from(!mv.forced && mv.is_best());
            summary.loss += mv.loss;
            summary.missed_mates += usize::from(mv.missed_mate().is_some());
            match mv.mark() {
                Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
                Some(Mark::Mistake) => summary.mistakes += 1,
                Some(Mark::Blunder) => summary.blunders += 1,
                Some(Mark::Best) | None => {}
            }
        }
        summary
    }

    /// Win rate lost with a move on average, where there was a choice.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.chosen > 0).then(|| self.loss / self.chosen as f64)
    }

    /// The share of moves that were the engine's first choice.
    pub fn agreement(&self) -> Option<f64> {
        (self.chosen > 0).then(|| self.agreed as f64 / self.chosen as f64)
    }
}

impl GameJudgement {
    /// Judges the moves of a game by the searches of its positions.
    pub(super) fn new(
        settings: &AnalysisSettings,
        record: &GameRecord,
        searches: &[PositionSearch],
        weights: &Weights,
    ) -> Self {
        let before: Vec<(Position, Move)> = record.positions().collect();
        let mut moves = Vec::new();
        for (place, pair) in searches.windows(2).enumerate() {
            let ply = settings.first - 1 + place;
            let (position, mv) = before[ply];
            let last = ply.checked_sub(1).map(|ply| before[ply].1);
            moves.push(judge_move(position, mv, last, pair, ply + 1, weights));
        }
        let start_score = searches.first().map_or(0, |first| first.found.score);
        let start = before.get(settings.first - 1).map_or(record.start, |(position, _)| *position);
        let white_first = start.side_to_move() == Color::White;
        Self {
            start_score: if white_first { -start_score } else { start_score },
            players: Color::ALL.map(|color| PlayerSummary::new(&moves, color)),
            turning_point: turning_point(&moves),
            moves,
        }
    }

    /// Faults, the costliest first.
    pub fn worst(&self) -> Vec<&JudgedMove> {
        let mut faults: Vec<&JudgedMove> = self.moves.iter().filter(|mv| mv.is_fault()).collect();
        faults.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.number.cmp(&b.number)));
        faults
    }
}

/// Judges a move by the searches before and after it.
fn judge_move(
    position: Position,
    mv: Move,
    last: Option<Move>,
    pair: &[PositionSearch],
    number: usize,
    weights: &Weights,
) -> JudgedMove {
    let (before, after) = (&pair[0], &pair[1]);
    let mut played_line = vec![mv];
    played_line.extend(after.found.moves());
    let played_score = of_mover(after.found.score);
    let mut best_line = before.found.moves();
    let forced = position.count_legal_moves() == 1;
    let best_score = match &before.after_best {
        _ if best_line.first() == Some(&mv) => played_score,
        Some(after_best) => {
            best_line.truncate(1);
            best_line.extend(after_best.moves());
            of_mover(after_best.score)
        }
        None => before.found.score,
    };
    let loss = (win_rate(best_score) - win_rate(played_score)).max(0.0);
    let mut judged = JudgedMove {
        number,
        position,
        last,
        mv,
        best_line,
        played_line,
        best_score,
        played_score,
        black_score: match position.side_to_move() {
            Color::Black => -after.found.score,
            Color::White => after.found.score,
        },
        depth: before.found.depth,
        nodes: before.found.nodes,
        forced,
        loss,
        concession: None,
    };
    if judged.is_fault() && !is_mate(best_score) && !is_mate(played_score) {
        let lines =
            Lines { position: &position, best: &judged.best_line, played: &judged.played_line };
        judged.concession = Concession::new(&lines, weights);
    }
    judged
}

/// The place of the move with which the side that leads at the end took the lead for good; none if
/// it led all the time.
fn turning_point(moves: &[JudgedMove]) -> Option<usize> {
    let leads = |mv: &JudgedMove| mv.black_score > 0;
    let at_end = leads(moves.last()?);
    let before = moves.iter().rposition(|mv| leads(mv) != at_end)?;
    Some(before + 1)
}
