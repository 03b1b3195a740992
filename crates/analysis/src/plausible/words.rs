//! What a move is for, in words: a phrase for each reason, and the best of them together.

use std::collections::HashSet;

use tesuji_eval::formations::Names;
use tesuji_eval::plausible::{Detail, Generator, How, Reason};
use tesuji_records::japanese as ja;
use tesuji_report::Lang;
use tesuji_shogi::{Bitboard, Move, Piece, PieceKind, Position, Square};

use super::{english, japanese};
use crate::reasons::listed;

/// How many squares a phrase names.
const MOST_SQUARES: usize = 4;

/// Speaks about the moves of a position.
pub(super) struct Speaker<'a> {
    pub(super) position: &'a Position,
    /// The castle and the assault that the side to move heads for.
    pub(super) aims: [Option<&'a Names>; 2],
    pub(super) lang: Lang,
}

impl Speaker<'_> {
    /// The phrase of a reason: `attacks the rook on 2h and the silver on 4e`; what the move costs
    /// is empty if it costs nothing that can be told.
    pub(super) fn phrase(&self, mv: Move, reason: &Reason) -> String {
        match self.lang {
            Lang::English => english::phrase(self, mv, reason),
            Lang::Japanese => japanese::phrase(self, mv, reason),
        }
    }

    /// Several reasons in the order of their classes: each piece that is protected and each square
    /// is named but once.
    pub(super) fn together(&self, mv: Move, reasons: &[&Reason]) -> String {
        let mut sorted: Vec<&Reason> = reasons.to_vec();
        sorted.sort_by_key(|reason| precedence(reason.generator));
        let has = |generator| reasons.iter().any(|reason| reason.generator == Some(generator));
        let (is_check, answers_check) = (has(Generator::Check), has(Generator::AnswerCheck));
        let mut told: HashSet<(Square, bool)> = HashSet::new();
        let mut phrases = Vec::new();
        for reason in sorted {
            // Whoever gives check bears on the king, and whoever answers one defends it.
            let is_said = match reason.generator {
                Some(Generator::AttackKing) => is_check,
                Some(Generator::DefendKing) => answers_check,
                _ => false,
            };
            if is_said {
                continue;
            }
            let mut fresh = reason.clone();
            fresh.details.retain(|detail| is_fresh(reason.generator, detail, &mut told));
            if fresh.details.is_empty() && !reason.details.is_empty() {
                continue;
            }
            let phrase = self.phrase(mv, &fresh);
            if !phrase.is_empty() {
                phrases.push(phrase);
            }
        }
        match self.lang {
            Lang::English => phrases.join(", "),
            Lang::Japanese => japanese::joined(&phrases),
        }
    }

    /// `the rook on 2h`, `２八飛`.
    pub(super) fn piece(&self, kind: Option<PieceKind>, square: Square) -> String {
        match (self.lang, kind) {
            (Lang::English, Some(kind)) => format!("the {} on {square}", kind.english()),
            (Lang::English, None) => square.to_string(),
            (Lang::Japanese, kind) => {
                format!("{}{}", ja::square_name(square), kind.map_or("", ja::piece_name))
            }
        }
    }

    /// The pieces of these details, those of a kind together: `the pawns on 5g and 6g`.
    pub(super) fn pieces<'d>(&self, details: impl IntoIterator<Item = &'d Detail>) -> String {
        let mut kinds: Vec<(Option<PieceKind>, Vec<&Detail>)> = Vec::new();
        for detail in details {
            match kinds.iter_mut().find(|(kind, _)| *kind == detail.kind) {
                Some((_, same)) => same.push(detail),
                None => kinds.push((detail.kind, vec![detail])),
            }
        }
        let names = kinds.into_iter().map(|(kind, same)| match (self.lang, kind, &*same) {
            (Lang::English, Some(kind), [_, _, ..]) => {
                format!("the {}s on {}", kind.english(), self.squares(same))
            }
            _ => listed(same.iter().map(|one| self.piece(kind, one.square)), self.lang),
        });
        listed(names, self.lang)
    }

    /// Squares, the first of them by name.
    pub(super) fn squares<'d>(&self, details: impl IntoIterator<Item = &'d Detail>) -> String {
        let name = |detail: &Detail| match self.lang {
            Lang::English => detail.square.to_string(),
            Lang::Japanese => ja::square_name(detail.square),
        };
        let mut names: Vec<String> = details.into_iter().map(name).collect();
        let more = names.len().saturating_sub(MOST_SQUARES);
        if more > 1 {
            names.truncate(MOST_SQUARES);
            return match self.lang {
                Lang::English => format!("{} and {more} more squares", names.join(", ")),
                Lang::Japanese => format!("{}など", names.join("・")),
            };
        }
        listed(names.into_iter(), self.lang)
    }

    /// Is it a move into the enemy camp, or within it? Then the piece may promote wherever it goes.
    pub(super) fn is_in_camp(&self, mv: Move) -> bool {
        Bitboard::promotion_zone(self.position.side_to_move()).contains(mv.to())
    }

    /// The kind of the piece on a square.
    pub(super) fn kind_on(&self, square: Option<Square>) -> Option<PieceKind> {
        self.position.piece_on(square?).map(Piece::kind)
    }
}

/// Where a reason stands among others: by its generator, but whoever protects a piece from most is
/// told first. Costs come last.
fn precedence(generator: Option<Generator>) -> usize {
    match generator {
        None => 2 * Generator::COUNT,
        // Nobody protected it: more than that it was pinned, or attacked as often as protected.
        Some(Generator::GuardUndefended) => 2 * Generator::DefendDiscovered as usize - 1,
        Some(Generator::EaseTie) => 2 * Generator::DefendExchange as usize + 1,
        Some(generator) => 2 * generator as usize,
    }
}

/// Is it to be told after what was told of the square? What is covered is told once, and so is who
/// is protected; threats are told whatever was said before.
fn is_fresh(
    generator: Option<Generator>,
    detail: &Detail,
    told: &mut HashSet<(Square, bool)>,
) -> bool {
    let is_guard = detail.how == How::Guard && detail.kind.is_some();
    let covers = matches!(generator, Some(Generator::CoverOwnCamp | Generator::CoverEnemyCamp));
    if generator == Some(Generator::AvoidDevelopment) || !(is_guard || detail.kind.is_none()) {
        return true;
    }
    let is_guarded = covers && told.contains(&(detail.square, true));
    !is_guarded && (told.insert((detail.square, is_guard)) || !(is_guard || covers))
}

/// Those of the details that have to do with it in one way.
pub(super) fn of(details: &[Detail], how: How) -> Vec<&Detail> {
    details.iter().filter(|detail| detail.how == how).collect()
}
