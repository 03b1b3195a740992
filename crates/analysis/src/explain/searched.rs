//! A position or a move explained by the engine's own search and evaluation.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tesuji_eval::Calibration;
use tesuji_eval::formations::{Formations, Recognition};
use tesuji_records::japanese;
use tesuji_report::Lang;
use tesuji_search::score::{chance, is_evaluation, to_json};
use tesuji_search::spec::SearchSpec;
use tesuji_search::{Limits, Searcher, Stop};
use tesuji_shogi::{BoardStyle, Color, Game, Move, Position};

use super::text::board;
use crate::formations::{recognition_json, recognition_text};
use crate::judge::SearchLimits;
use crate::reasons::{Balance, Explainer, FollowedLine, Reason, Reasons};
use crate::score;
use crate::subject::{self, Subject};
use crate::{notation, reasons};

/// How many moves are compared.
const LINES: usize = 5;
/// How many moves of a line are shown.
const SHOWN: usize = 8;

/// What is asked of the engine: plain values that a flag, a page or another machine can give.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchedSettings {
    /// The engine that searches and explains.
    pub engine: SearchSpec,
    /// How long it searches.
    pub limits: SearchLimits,
    /// The move to explain, `7g7f` or `７六歩`; the position itself if there is none.
    pub mv: Option<String>,
}

/// How it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchedLayout {
    /// The language.
    pub lang: Lang,
    /// How the board is drawn and moves are named.
    pub style: BoardStyle,
}

/// A move with its line, and why it is not the best.
#[derive(Clone, Debug)]
pub struct ExplainedMove {
    /// The move and what follows.
    pub line: Vec<Move>,
    /// In the view of the player who moves.
    pub score: i32,
    /// What tells it from the best move; nothing for the best one, and with mates.
    pub reasons: Option<Reasons>,
}

/// A position that was searched and explained.
#[derive(Debug)]
pub struct SearchedPosition {
    subject: Subject,
    evaluation: String,
    calibration: Calibration,
    limits: SearchLimits,
    /// What the position is worth to Black with captures played out.
    pub balance: Balance,
    /// The best moves, the best first; none if there is no legal move.
    pub moves: Vec<ExplainedMove>,
    /// The move that was asked for.
    pub asked: Option<ExplainedMove>,
}

/// Searches a position and explains it, or one of its moves.
pub fn explain_searched(subject: Subject, settings: &SearchedSettings) -> Result<SearchedPosition> {
    let previous = subject.last.map(Move::to);
    let read = |text: &String| notation::read_move(text, &subject.position, previous);
    let asked = settings.mv.as_ref().map(read).transpose()?;
    let loaded = settings.engine.load()?;
    let explainer = Explainer::new(&loaded.evaluation);
    let mut engine = loaded.engine();
    let found = search(&mut *engine, &subject.position, settings, LINES, None);
    let best = found.first().cloned();
    let explained = |line: Line, explainer: &Explainer| {
        let reasons = best.as_ref().filter(|best| best.moves.first() != line.moves.first());
        let reasons = reasons.filter(|best| is_evaluation(best.score) && is_evaluation(line.score));
        let reasons = reasons.map(|best| {
            let lines = [&*best.moves, &*line.moves];
            let scores = [best.score, line.score];
            explainer.contrast(&subject.position, subject.last, lines, scores)
        });
        ExplainedMove { line: line.moves, score: line.score, reasons }
    };
    let asked = asked.map(|mv| -> Result<ExplainedMove> {
        let known = found.iter().find(|line| line.moves.first() == Some(&mv)).cloned();
        let mut again = || search(&mut *engine, &subject.position, settings, 1, Some(mv));
        let line = known.or_else(|| again().into_iter().next()).context("no line was found")?;
        Ok(explained(line, &explainer))
    });
    let asked = asked.transpose()?;
    let moves = found.iter().cloned().map(|line| explained(line, &explainer)).collect();
    let balance = explainer.balance(&subject.position, subject.last);
    let evaluation = loaded.evaluation.name().to_owned();
    let calibration = loaded.evaluation.calibration();
    let limits = settings.limits.clone();
    Ok(SearchedPosition { subject, evaluation, calibration, limits, balance, moves, asked })
}

#[derive(Clone)]
struct Line {
    moves: Vec<Move>,
    score: i32,
}

/// The best lines, or the line of one move.
fn search(
    engine: &mut dyn Searcher,
    position: &Position,
    settings: &SearchedSettings,
    lines: usize,
    only: Option<Move>,
) -> Vec<Line> {
    engine.clear();
    let limits = Limits { lines, moves: only.into_iter().collect(), ..settings.limits.limits() };
    let result = engine.search(&Game::new(*position), &limits, Stop::never(), &mut |_| {});
    let found = result.lines.into_iter().filter(|line| !line.pv.is_empty());
    found.map(|line| Line { moves: line.pv, score: line.score }).collect()
}

impl SearchedPosition {
    fn position(&self) -> &Position {
        &self.subject.position
    }

    /// A score of the side to move in Black's view.
    fn black(&self, score: i32) -> i32 {
        if self.position().side_to_move() == Color::Black { score } else { -score }
    }

    /// For people.
    pub fn text(&self, layout: SearchedLayout) -> String {
        let position = self.position();
        let none = tesuji_shogi::Bitboard::EMPTY;
        let mut text = self.subject.heading();
        text += &board(layout.style, position, self.subject.last, none);
        text += &format!("{}\n\n", subject::state_text(position));
        text += &self.formations_text(layout.lang);
        text += &self.search_text(layout);
        text += &self.balance_text(layout);
        match &self.asked {
            Some(asked) => text += &self.asked_text(asked, layout),
            None => text += &self.moves_text(layout),
        }
        text
    }

    /// What both players have built, once somebody has begun to build.
    fn formations_text(&self, lang: Lang) -> String {
        let seen = Recognition::new(Formations::shipped(), self.position());
        let is_begun = Color::ALL.iter().any(|&color| {
            let side = seen.of(color);
            side.castle.is_some() || side.strategy.is_some()
        });
        if is_begun { recognition_text(&seen, lang) + "\n" } else { String::new() }
    }

    fn search_text(&self, layout: SearchedLayout) -> String {
        let Some(best) = self.moves.first() else { return String::new() };
        let score = score::text(self.black(best.score));
        let mover = 100.0 * chance(best.score, &self.calibration);
        let is_black = self.position().side_to_move() == Color::Black;
        let chance = if is_black { mover } else { 100.0 - mover };
        let (evaluation, limits) = (&self.evaluation, self.limits.text());
        match layout.lang {
            Lang::English => format!(
                "The engine's score after {limits} with {evaluation}: {score} for Black, a chance \
                 to win of {chance:.0} %.\n"
            ),
            Lang::Japanese => format!(
                "{evaluation}で{limits}を読んだ評価値：先手から見て{score}、勝率{chance:.0} %。\n"
            ),
        }
    }

    fn balance_text(&self, layout: SearchedLayout) -> String {
        let Balance { said, unsaid, score, line } = &self.balance;
        let captures = names(line, layout);
        let after = match (captures.is_empty(), layout.lang) {
            (true, Lang::English) => String::new(),
            (false, Lang::English) => format!(" after the captures {captures}"),
            (true, Lang::Japanese) => String::new(),
            (false, Lang::Japanese) => format!("（{captures}の後）"),
        };
        let mut text = match layout.lang {
            Lang::English => {
                format!("\nWithout a search{after}: {score:+} for Black, made up of\n")
            }
            Lang::Japanese => {
                format!("\n読まずに見た局面{after}：先手から見て{score:+}、その内訳\n")
            }
        };
        text += &reason_lines(said, *unsaid, layout.lang);
        text
    }

    fn moves_text(&self, layout: SearchedLayout) -> String {
        let mut text = String::from(match layout.lang {
            Lang::English => "\nBest moves, with the strongest reason against all but the first:\n",
            Lang::Japanese => "\n候補手（二番目からは最善手に劣る一番の理由）：\n",
        });
        for (number, mv) in (1..).zip(&self.moves) {
            let line = self.line_text(&mv.line, layout);
            text += &format!("{number:>3} {:>6}  {line}\n", score::text(self.black(mv.score)));
            let first = mv.reasons.as_ref().and_then(|reasons| reasons.said.first());
            if let Some(reason) = first {
                text += &format!("{:12}{:+} {}\n", "", reason.centipawns, reason.text(layout.lang));
            }
        }
        if self.moves.is_empty() {
            return String::new();
        }
        text
    }

    fn asked_text(&self, asked: &ExplainedMove, layout: SearchedLayout) -> String {
        let name = self.line_text(&asked.line[..1.min(asked.line.len())], layout);
        let score = score::text(self.black(asked.score));
        let line = self.line_text(&asked.line, layout);
        let Some(best) = self.moves.first() else { return String::new() };
        if best.line.first() == asked.line.first() {
            let next = self.moves.get(1);
            let mut text = match layout.lang {
                Lang::English => format!("\n{name} is the best move: {score}, {line}\n"),
                Lang::Japanese => format!("\n{name}は最善手：{score}、{line}\n"),
            };
            if let Some((next, reasons)) =
                next.and_then(|next| Some((next, next.reasons.as_ref()?)))
            {
                let other = self.line_text(&next.line[..1], layout);
                text += &match layout.lang {
                    Lang::English => format!("What the next best, {other}, has less or more:\n"),
                    Lang::Japanese => format!("次善の{other}との違い：\n"),
                };
                text += &reason_lines(&reasons.said, reasons.unsaid, layout.lang);
            }
            return text;
        }
        let best_line = self.line_text(&best.line, layout);
        let best_score = score::text(self.black(best.score));
        let mut text = match layout.lang {
            Lang::English => format!(
                "\n{name}: {score}, {line}\nBest is      {best_score}, {best_line}\nWhat tells \
                 {name} from it, in the view of the player who moves:\n"
            ),
            Lang::Japanese => format!(
                "\n{name}：{score}、{line}\n最善は{best_score}、{best_line}\n最善手との違い（手番から見て）：\n"
            ),
        };
        match &asked.reasons {
            Some(reasons) => text += &reason_lines(&reasons.said, reasons.unsaid, layout.lang),
            None => text += "  mates decide\n",
        }
        text
    }

    fn line_text(&self, line: &[Move], layout: SearchedLayout) -> String {
        let followed = FollowedLine::new(self.position(), line, self.subject.last);
        let shown = followed.moves.iter().take(SHOWN);
        let names = shown.map(|named| match layout.style {
            BoardStyle::Letters => named.mv.to_string(),
            BoardStyle::Kanji => named.japanese.clone(),
        });
        let more = if followed.moves.len() > SHOWN { " …" } else { "" };
        format!("{}{more}", names.collect::<Vec<_>>().join(" "))
    }

    /// Everything.
    pub fn to_json(&self) -> Value {
        let source = self.subject.source_json();
        let Balance { said, unsaid, score, line } = &self.balance;
        let usi = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        let captures: Vec<Move> = line.moves.iter().map(|named| named.mv).collect();
        let mv = |mv: &ExplainedMove| {
            let first = mv.line.first().copied();
            let previous = self.subject.last.map(Move::to);
            let name = first.map(|mv| japanese::move_text(self.position(), mv, previous));
            json!({
                "move": first.map(|mv| mv.to_string()),
                "japanese": name,
                "score": to_json(mv.score),
                "line": usi(&mv.line),
                "against_best": mv.reasons.as_ref().map(reasons::to_json),
            })
        };
        json!({
            "format": "tesuji-explain",
            "version": 2,
            "position": subject::position_json(self.position(), self.subject.last),
            "source": if source.is_empty() { Value::Null } else { source.into() },
            "formations": recognition_json(&Recognition::new(Formations::shipped(), self.position())),
            "eval": self.evaluation,
            "balance": {
                "score": score,
                "captures": usi(&captures),
                "reasons": said.iter().map(reasons::reason_json).collect::<Vec<_>>(),
                "unsaid": unsaid,
            },
            "moves": self.moves.iter().map(mv).collect::<Vec<_>>(),
            "played": self.subject.next.map(|mv| mv.to_string()),
            "move": self.asked.as_ref().map(mv),
        })
    }
}

fn names(line: &FollowedLine, layout: SearchedLayout) -> String {
    let names = line.moves.iter().map(|named| match layout.style {
        BoardStyle::Letters => named.mv.to_string(),
        BoardStyle::Kanji => named.japanese.clone(),
    });
    names.collect::<Vec<_>>().join(" ")
}

fn reason_lines(said: &[Reason], unsaid: i32, lang: Lang) -> String {
    let said =
        said.iter().map(|reason| format!("{:>+7} {}\n", reason.centipawns, reason.text(lang)));
    let unsaid = match lang {
        Lang::English => format!("{unsaid:>+7} not said\n"),
        Lang::Japanese => format!("{unsaid:>+7} その他\n"),
    };
    said.chain([unsaid]).collect()
}
