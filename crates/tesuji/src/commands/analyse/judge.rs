//! What is to be thought of every move, and of the players.

use tesuji_eval::Weights;
use tesuji_records::GameRecord;
use tesuji_report::Mark;
use tesuji_search::score::is_mate;
use tesuji_shogi::{Color, Move, Position};

use super::Plan;
use super::given::{Given, Lines};
use super::scores::{chance, mated_after, mates_in, of_mover};
use super::work::Seen;

/// From this loss of winning chances on a move is an inaccuracy, a mistake, a blunder.
pub const INACCURACY: f64 = 0.05;
pub const MISTAKE: f64 = 0.10;
pub const BLUNDER: f64 = 0.20;

/// A game with what is thought of it.
pub struct Judged {
    /// The position before the first move that was judged, in Black's view.
    pub start_score: i32,
    pub moves: Vec<JudgedMove>,
    /// Black and White.
    pub players: [PlayerSummary; 2],
    /// The place in `moves` of the move with which the lead changed for the last time.
    pub turning: Option<usize>,
}

/// A move with what is thought of it. Scores are the mover's unless they say otherwise.
pub struct JudgedMove {
    /// The number of the move in the game, from 1.
    pub number: usize,
    pub position: Position,
    /// The move before.
    pub last: Option<Move>,
    pub mv: Move,
    /// The best move and what follows it; empty if there is no other.
    pub best_line: Vec<Move>,
    /// The move that was played and what should follow it.
    pub played_line: Vec<Move>,
    /// After the best move, and after the one that was played, searched alike.
    pub best_score: i32,
    pub played_score: i32,
    /// The position after the move, in Black's view.
    pub black_score: i32,
    pub depth: u32,
    pub nodes: u64,
    /// Is there no other legal move?
    pub forced: bool,
    /// Winning chances lost, from 0 to 1.
    pub loss: f64,
    /// What a fault gave away.
    pub given: Option<Given>,
}

impl JudgedMove {
    pub fn color(&self) -> Color {
        self.position.side_to_move()
    }

    pub fn best(&self) -> Option<Move> {
        self.best_line.first().copied()
    }

    pub fn is_best(&self) -> bool {
        self.best() == Some(self.mv)
    }

    /// What the loss amounts to.
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

    /// Hundredths of a pawn lost; nothing can be said of mates.
    pub fn loss_cp(&self) -> Option<i32> {
        let plain = !is_mate(self.best_score) && !is_mate(self.played_score);
        plain.then(|| (self.best_score - self.played_score).max(0))
    }

    /// Plies of a mate that the mover had and did not play.
    pub fn missed_mate(&self) -> Option<i32> {
        mates_in(self.best_score).filter(|_| mates_in(self.played_score).is_none())
    }

    /// Plies of a mate that the opponent has after the move, and would not have had after the best.
    pub fn allowed_mate(&self) -> Option<i32> {
        mated_after(self.played_score).filter(|_| mated_after(self.best_score).is_none())
    }
}

/// How a player played.
#[derive(Default)]
pub struct PlayerSummary {
    pub moves: usize,
    /// Moves with which there was a choice.
    pub chosen: usize,
    /// Those of them that were the engine's first choice.
    pub agreed: usize,
    /// Winning chances lost in all.
    pub loss: f64,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
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

    /// Winning chances lost with a move on average, where there was a choice.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.chosen > 0).then(|| self.loss / self.chosen as f64)
    }

    /// The share of moves that were the engine's first choice.
    pub fn agreement(&self) -> Option<f64> {
        (self.chosen > 0).then(|| self.agreed as f64 / self.chosen as f64)
    }
}

impl Judged {
    /// Judges the moves of a game by what was seen in its positions.
    pub fn new(plan: &Plan, record: &GameRecord, seen: &[Seen], weights: &Weights) -> Self {
        let before: Vec<(Position, Move)> = record.positions().collect();
        let mut moves = Vec::new();
        for (place, pair) in seen.windows(2).enumerate() {
            let ply = plan.first - 1 + place;
            let (position, mv) = before[ply];
            let last = ply.checked_sub(1).map(|ply| before[ply].1);
            moves.push(judge(position, mv, last, pair, ply + 1, weights));
        }
        let start_score = seen.first().map_or(0, |first| first.found.score);
        let start = before.get(plan.first - 1).map_or(record.start, |(position, _)| *position);
        let white_first = start.side_to_move() == Color::White;
        Self {
            start_score: if white_first { -start_score } else { start_score },
            players: Color::ALL.map(|color| PlayerSummary::new(&moves, color)),
            turning: turning(&moves),
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

/// Judges a move by what was seen before and after it.
fn judge(
    position: Position,
    mv: Move,
    last: Option<Move>,
    pair: &[Seen],
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
    let loss = (chance(best_score) - chance(played_score)).max(0.0);
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
        given: None,
    };
    if judged.is_fault() && !is_mate(best_score) && !is_mate(played_score) {
        let lines =
            Lines { position: &position, best: &judged.best_line, played: &judged.played_line };
        judged.given = Given::new(&lines, weights);
    }
    judged
}

/// The place of the move with which the side that leads at the end took the lead for good; none if it led
/// all the time.
fn turning(moves: &[JudgedMove]) -> Option<usize> {
    let leads = |mv: &JudgedMove| mv.black_score > 0;
    let at_end = leads(moves.last()?);
    let before = moves.iter().rposition(|mv| leads(mv) != at_end)?;
    Some(before + 1)
}
