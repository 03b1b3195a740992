//! The judgement of every move, from best to blunder, and of the players.

use tesuji_eval::Calibration;
use tesuji_records::GameRecord;
use tesuji_report::Mark;
use tesuji_search::score::{self, is_evaluation};
use tesuji_shogi::{Color, Move, Position};

use super::AnalysisSettings;
use super::rounds::{Backed, Choice, Searches, backed_up};
use crate::plausible::Purpose;
use crate::reasons::{Explainer, Reasons};
use crate::score::{gets_mated_in, gives_mate_in, of_opponent};

/// From this loss of win rate on a move is an inaccuracy.
pub const INACCURACY: f64 = 0.05;
/// From this loss of win rate on a move is a mistake.
pub const MISTAKE: f64 = 0.10;
/// From this loss of win rate on a move is a blunder.
pub const BLUNDER: f64 = 0.20;

/// The moves of a game with their judgements.
#[derive(Clone, PartialEq, Debug)]
pub struct GameJudgement {
    /// The scale by which scores are chances.
    pub calibration: Calibration,
    /// The score of the position before the first move that was judged, in Black's view.
    pub start_score: i32,
    /// The moves that were judged.
    pub moves: Vec<JudgedMove>,
    /// Black and White.
    pub players: [PlayerSummary; 2],
    /// The place in `moves` of the move with which its player lost the lead for good.
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
    /// The score after the move of the game, with all that later searches know.
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
    /// Why a fault is one; nothing where mates decide.
    pub reasons: Option<Reasons>,
    /// What the best move is for, where a fault was played.
    pub purpose: Option<Purpose>,
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
        let plain = is_evaluation(self.best_score) && is_evaluation(self.played_score);
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

    /// Adds another game of the same player.
    pub(super) fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.chosen += other.chosen;
        self.agreed += other.agreed;
        self.loss += other.loss;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.missed_mates += other.missed_mates;
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
        searches: &Searches,
        calibration: Calibration,
        explainer: &Explainer,
    ) -> Self {
        let before: Vec<(Position, Move)> = record.positions().collect();
        let backed = backed_up(settings, record, searches);
        let mut moves = Vec::new();
        for (ply, now) in settings.plies().zip(&backed) {
            let (Some(found), Some(played)) = (searches.position(ply), &now.played) else {
                continue;
            };
            let (position, mv) = before[ply];
            let last = ply.checked_sub(1).map(|ply| before[ply].1);
            let mut judged = judge_move(position, mv, ply + 1, now, played);
            (judged.last, judged.depth, judged.nodes) = (last, found.depth, found.nodes);
            judged.loss = now.loss(&calibration);
            judged.explain(explainer);
            moves.push(judged);
        }
        let start_score = backed.first().map_or(0, |first| first.score);
        let start = before.get(settings.first - 1).map_or(record.start, |(position, _)| *position);
        let white_first = start.side_to_move() == Color::White;
        let start_score = if white_first { -start_score } else { start_score };
        Self {
            calibration,
            start_score,
            players: Color::ALL.map(|color| PlayerSummary::new(&moves, color)),
            turning_point: turning_point(start_score, &moves),
            moves,
        }
    }

    /// The chance to win of the player whose score it is, from 0 to 1.
    pub fn chance(&self, score: i32) -> f64 {
        score::chance(score, &self.calibration)
    }

    /// Faults, the costliest first.
    pub fn worst(&self) -> Vec<&JudgedMove> {
        let mut faults: Vec<&JudgedMove> = self.moves.iter().filter(|mv| mv.is_fault()).collect();
        faults.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.number.cmp(&b.number)));
        faults
    }

    /// Black's winning chances as they are drawn: before the first move that was judged, and after
    /// each. Every one counts twice, its neighbours once.
    pub fn drawn(&self) -> Vec<f64> {
        let scores = self.moves.iter().map(|mv| mv.black_score);
        let chances: Vec<f64> =
            [self.start_score].into_iter().chain(scores).map(|score| self.chance(score)).collect();
        let at = |place: usize| chances[place.min(chances.len() - 1)];
        let smooth =
            |place: usize| (at(place.saturating_sub(1)) + 2.0 * at(place) + at(place + 1)) / 4.0;
        (0..chances.len()).map(smooth).collect()
    }
}

/// Judges a move by the values around it.
fn judge_move(
    position: Position,
    mv: Move,
    number: usize,
    now: &Backed,
    played: &Choice,
) -> JudgedMove {
    // The score after the move, which mates count from the position after it.
    let after = of_opponent(played.score);
    JudgedMove {
        number,
        position,
        last: None,
        mv,
        best_line: now.line.clone(),
        played_line: played.line.clone(),
        best_score: now.score,
        played_score: played.score,
        black_score: if position.side_to_move() == Color::Black { -after } else { after },
        depth: 0,
        nodes: 0,
        forced: position.count_legal_moves() == 1,
        loss: 0.0,
        reasons: None,
        purpose: None,
    }
}

impl JudgedMove {
    /// Finds what the better move is for, and the reasons why a fault is one; of these nothing is to
    /// be said where mates decide.
    fn explain(&mut self, explainer: &Explainer) {
        /// Longer lines say more about what came later than about the move.
        const PLIES: usize = 16;
        /// Reasons of the better move.
        const MOST: usize = 3;
        if !self.is_fault() {
            return;
        }
        let purpose = |best| Purpose::of(&self.position, self.last, best, MOST);
        self.purpose = self.best().map(purpose);
        let scores = [self.best_score, self.played_score];
        if scores.into_iter().all(is_evaluation) {
            let lines =
                [&self.best_line, &self.played_line].map(|line| &line[..line.len().min(PLIES)]);
            self.reasons = Some(explainer.contrast(&self.position, self.last, lines, scores));
        }
    }
}

/// The place of the move with which the side that does not lead at the end lost the lead, or the
/// balance, for good; none if it never had it. That is always a move of that side: chances change
/// by what a move loses.
fn turning_point(start_score: i32, moves: &[JudgedMove]) -> Option<usize> {
    let at_end = moves.last()?.black_score.signum();
    let before = |place: usize| match place.checked_sub(1) {
        None => start_score,
        Some(place) => moves[place].black_score,
    };
    (0..moves.len()).rev().find(|&place| at_end != 0 && before(place).signum() != at_end)
}
