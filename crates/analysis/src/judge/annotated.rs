//! The game with its analysis in comments and variations, for other programs to show.

use tesuji_records::{GameRecord, Line, MoveRecord};
use tesuji_report::{Lang, Mark};
use tesuji_shogi::{Color, Move};

use super::judgement::JudgedMove;
use super::text::{mates, purpose_line, reason_lines};
use super::{GameAnalysis, lines};
use crate::score;

/// How many moves of a variation are written.
const LINE: usize = 12;

impl GameAnalysis {
    /// The game as it was, with a comment on every move that was judged and the better line as a
    /// variation where a move is a fault.
    ///
    /// The first line of a comment is the score in Black's view as `#評価値=120`, which ShogiHome
    /// draws as its graph.
    pub fn annotated(&self, lang: Lang) -> GameRecord {
        let mut record = self.record.clone();
        for mv in &self.judgement.moves {
            let Some(noted) = record.main.moves.get_mut(mv.number - 1) else { continue };
            let chance = self.judgement.chance(mv.black_score);
            noted.comments.extend(comments(mv, chance, lang).iter().map(|line| plain(line)));
            if mv.is_fault() && mv.best().is_some() {
                noted.variations.push(variation(mv, lang));
            }
        }
        for event in &self.story.events {
            let noted = event.number.checked_sub(1).and_then(|at| record.main.moves.get_mut(at));
            noted.into_iter().for_each(|mv| mv.comments.push(event.text(lang).to_owned()));
        }
        record
    }
}

fn comments(mv: &JudgedMove, chance: f64, lang: Lang) -> Vec<String> {
    let mut comments = vec![format!("#評価値={}", engine_score(mv.black_score))];
    let percent = format!("{:.0} %", 100.0 * chance);
    comments.push(match lang {
        Lang::English => format!("Black's chance to win {percent}"),
        Lang::Japanese => format!("先手の勝率 {percent}"),
    });
    if mv.is_fault() {
        comments.push(verdict(mv, lang));
        comments.extend(purpose_line(mv, lang, &best_name(mv)));
        comments.extend(mates(mv));
        comments.extend(reason_lines(mv, lang).iter().map(|line| line.trim().to_owned()));
    }
    comments
}

/// The same with the players' marks that Shift_JIS has, in which KIF is usually written.
fn plain(comment: &str) -> String {
    comment.replace('☗', "▲").replace('☖', "△")
}

/// A mate as a score that is larger than any other.
fn engine_score(score: i32) -> i32 {
    score.clamp(-score::MATE_AS_CENTIPAWNS, score::MATE_AS_CENTIPAWNS)
}

fn verdict(mv: &JudgedMove, lang: Lang) -> String {
    let loss = format!("{:.1} %", 100.0 * mv.loss);
    let best = best_name(mv);
    let sign = mv.mark().map_or("", Mark::sign);
    let mover = mv.color();
    match (lang, mover) {
        (Lang::English, Color::Black) => format!("{sign} costs Black {loss}; better {best}"),
        (Lang::English, Color::White) => format!("{sign} costs White {loss}; better {best}"),
        (Lang::Japanese, Color::Black) => format!("{sign} 先手の勝率が{loss}下がる。最善は{best}"),
        (Lang::Japanese, Color::White) => format!("{sign} 後手の勝率が{loss}下がる。最善は{best}"),
    }
}

fn best_name(mv: &JudgedMove) -> String {
    let best = mv.best().map(|best| lines::japanese(&mv.position, &[best], mv.last).concat());
    best.unwrap_or_default()
}

/// The better line, with its score.
fn variation(mv: &JudgedMove, lang: Lang) -> Line {
    let moves: Vec<Move> = mv.best_line.iter().take(LINE).copied().collect();
    let mut moves: Vec<MoveRecord> = moves.into_iter().map(MoveRecord::from).collect();
    let black = if mv.color() == Color::Black { mv.best_score } else { -mv.best_score };
    if let Some(first) = moves.first_mut() {
        first.comments.push(format!("#評価値={}", engine_score(black)));
        let text = score::text(black);
        first.comments.push(match lang {
            Lang::English => format!("The engine's line, {text} for Black"),
            Lang::Japanese => format!("エンジンの読み筋、先手から見て{text}"),
        });
    }
    Line { moves, ending: None }
}
