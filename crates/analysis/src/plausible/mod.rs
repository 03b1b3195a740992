//! Plausible moves in words: what each legal move of a position is for, by the generators that
//! produce it, with merit and rank.

mod as_json;
mod english;
mod japanese;
mod text;
mod words;

use std::sync::LazyLock;

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_eval::moves::Past;
use tesuji_eval::plausible::{
    Cut, Development, Generator, Generators, Merits, Rater, Rating, Reason, Scene, UNITS,
};
use tesuji_records::japanese::move_text;
use tesuji_report::Lang;
use tesuji_search::book;
use tesuji_shogi::{Bitboard, BoardStyle, Move, MoveList, Position};

use crate::notation;
use crate::subject::Subject;
use words::Speaker;

/// How many reasons of a move are listed beside others.
const LISTED: usize = 4;

/// How moves are rated, as plain values.
#[derive(Clone, PartialEq, Debug)]
pub struct MovesSettings {
    /// A file of merits, or the name of those that come with the program.
    pub merit: String,
    /// Which moves are kept.
    pub cut: Cut,
    /// Ask all generators, though improvement and prevention should rest while a strong threat is
    /// on the board.
    pub ask_all: bool,
    /// The move to be shown, `7g7f` or `７六歩`; all of them if there is none.
    pub mv: Option<String>,
}

/// How moves are told as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovesLayout {
    /// The language.
    pub lang: Lang,
    /// How the board is drawn and moves are named.
    pub style: BoardStyle,
    /// How many moves are listed.
    pub top: usize,
}

/// A reason for a move, with its phrase in English and Japanese.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordedReason {
    /// Who produced the move, what that adds to its merit, and what it is about.
    pub reason: Reason,
    /// The phrase in each language; empty for costs that nothing can be told of.
    pub words: [String; 2],
}

/// A legal move of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedMove {
    /// The move.
    pub mv: Move,
    /// Its name in Japanese.
    pub japanese: String,
    /// Which generators produce it, and its merit.
    pub rating: Rating,
    /// Its place by merit, from 1.
    pub rank: usize,
    /// How likely a master plays it, where merits are logarithms of odds.
    pub probability: Option<f64>,
    /// Would it be left out?
    pub cut: bool,
    /// The reasons, costs last.
    pub reasons: Vec<WordedReason>,
    /// The reasons together in each language.
    pub words: [String; 2],
    /// The best of them.
    short: [String; 2],
}

/// The legal moves of a position with their reasons, by merit from the best.
#[derive(Debug)]
pub struct PlausibleMoves {
    subject: Subject,
    settings: MovesSettings,
    /// Is a strong threat on the board, so that improvement and prevention rest?
    pub is_tense: bool,
    /// What all merits of the position have in common.
    pub level: i32,
    /// The moves.
    pub moves: Vec<RatedMove>,
    /// The move that was asked for, by its place among them.
    asked: Option<usize>,
}

/// Rates the moves of a position.
pub fn plausible_moves(subject: Subject, settings: &MovesSettings) -> Result<PlausibleMoves> {
    let merits = Merits::load(&settings.merit)?;
    let previous = subject.last.map(Move::to);
    let read = |text: &String| notation::read_move(text, &subject.position, previous);
    let asked = settings.mv.as_ref().map(read).transpose()?;
    let (mut moves, is_tense, level) =
        with_rater(&subject.position, subject.last, &merits, !settings.ask_all, |rater| {
            let is_tense = rater.scene().is_tense();
            let (moves, level) = rated(rater, &subject, settings.cut);
            (moves, is_tense, level)
        });
    if merits.are_odds() {
        add_probabilities(&mut moves);
    }
    let asked = asked.and_then(|mv| moves.iter().position(|rated| rated.mv == mv));
    Ok(PlausibleMoves { subject, settings: settings.clone(), is_tense, level, moves, asked })
}

/// Works with the reasons for the moves of a position, with what the program knows of development.
fn with_rater<T>(
    position: &Position,
    last: Option<Move>,
    merits: &Merits,
    hierarchy: bool,
    work: impl FnOnce(&Rater<'_>) -> T,
) -> T {
    let past = Past { last, before: None };
    let development = Development::new(book::lore(), position, [None; 2]);
    let scene = Scene::new(position, past, &development);
    work(&Rater::new(&scene, merits, scene.asked(hierarchy)))
}

/// All legal moves with ranks and words, and what their merits have in common.
fn rated(rater: &Rater<'_>, subject: &Subject, cut: Cut) -> (Vec<RatedMove>, i32) {
    let position = &subject.position;
    let list: MoveList = position.legal_moves();
    let ratings = rater.rate_all(&list);
    let first = list.into_iter().zip(&ratings).next();
    let level = first.map_or(0, |(mv, rating)| rating.merit - rater.rate(mv).merit);
    let kept = cut.keep(&ratings, position.in_check());
    let speakers = Lang::ALL.map(|lang| Speaker { position, aims: rater.scene().aims(), lang });
    let previous = subject.last.map(Move::to);
    let describe = |((mv, rating), kept): ((Move, Rating), bool)| {
        let reasons = rater.reasons(mv);
        let all: Vec<&Reason> = reasons.iter().collect();
        let words = speakers.each_ref().map(|speaker| speaker.together(mv, &all));
        let best = best_of(&reasons, LISTED, None);
        let short = speakers.each_ref().map(|speaker| speaker.together(mv, &best));
        let worded = |reason: &Reason| WordedReason {
            reason: reason.clone(),
            words: speakers.each_ref().map(|speaker| speaker.phrase(mv, reason)),
        };
        RatedMove {
            mv,
            japanese: move_text(position, mv, previous),
            rating,
            rank: 0,
            probability: None,
            cut: !kept,
            reasons: reasons.iter().map(worded).collect(),
            words,
            short,
        }
    };
    let mut moves: Vec<RatedMove> = list.into_iter().zip(ratings).zip(kept).map(describe).collect();
    moves.sort_by_key(|rated| std::cmp::Reverse(rated.rating.merit));
    (1..).zip(&mut moves).for_each(|(rank, rated)| rated.rank = rank);
    (moves, level)
}

/// The reasons that speak most for a move, and that of a generator that matters. Costs are none.
fn best_of(reasons: &[Reason], most: usize, matters: Option<Generator>) -> Vec<&Reason> {
    let mut best: Vec<&Reason> =
        reasons.iter().filter(|reason| reason.generator.is_some()).collect();
    let is_it = |reason: &Reason| matters.is_some() && reason.generator == matters;
    best.sort_by_key(|reason| std::cmp::Reverse((is_it(reason), reason.value)));
    best.truncate(most);
    best
}

/// How likely each move is by its merit.
fn add_probabilities(moves: &mut [RatedMove]) {
    let best = moves.first().map_or(0, |rated| rated.rating.merit);
    let odds = |merit: i32| (f64::from(merit - best) / f64::from(UNITS)).exp();
    let sum: f64 = moves.iter().map(|rated| odds(rated.rating.merit)).sum();
    for rated in moves {
        rated.probability = Some(odds(rated.rating.merit) / sum);
    }
}

/// What one move is for, as the generators with the fitted merits see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Purpose {
    /// The generators that produce it.
    pub generators: Generators,
    /// The best reasons in English and in Japanese; empty where there is none.
    pub words: [String; 2],
}

impl Purpose {
    /// What a legal move is for, in so many reasons at most. `last` is the move before.
    pub fn of(position: &Position, last: Option<Move>, mv: Move, most: usize) -> Self {
        Self::with(position, last, mv, most, None)
    }

    /// The same with the reason of a generator among them, if it produces the move.
    pub fn with(
        position: &Position,
        last: Option<Move>,
        mv: Move,
        most: usize,
        matters: Option<Generator>,
    ) -> Self {
        static MERITS: LazyLock<Merits> = LazyLock::new(Merits::shipped);
        with_rater(position, last, &MERITS, true, |rater| {
            let reasons = rater.reasons(mv);
            let generators = reasons.iter().filter_map(|reason| reason.generator).collect();
            let best = best_of(&reasons, most, matters);
            let aims = rater.scene().aims();
            let words = Lang::ALL.map(|lang| Speaker { position, aims, lang }.together(mv, &best));
            Self { generators, words }
        })
    }

    /// The words in a language.
    pub fn text(&self, lang: Lang) -> &str {
        &self.words[lang as usize]
    }

    /// The generators by name, and the words.
    pub fn to_json(&self) -> Value {
        let generators: Vec<&str> = self.generators.iter().map(Generator::name).collect();
        json!({ "generators": generators, "words": self.words[0], "japanese": self.words[1] })
    }
}

/// The moves of a generator, as a table calls them: `discovered attacks`, `開き攻め`.
pub const fn generator_nouns(generator: Generator, lang: Lang) -> &'static str {
    match lang {
        Lang::English => english::nouns(generator),
        Lang::Japanese => japanese::nouns(generator),
    }
}

impl RatedMove {
    /// The squares that its reasons speak of.
    fn squares(&self) -> Bitboard {
        let squares = self.reasons.iter().map(|worded| worded.reason.squares());
        squares.fold(Bitboard::of(self.mv.to()), Bitboard::union)
    }
}

impl PlausibleMoves {
    /// The moves that would be left out.
    pub fn left_out(&self) -> impl Iterator<Item = &RatedMove> {
        self.moves.iter().filter(|rated| rated.cut)
    }

    /// The move that was asked for.
    pub fn asked(&self) -> Option<&RatedMove> {
        self.moves.get(self.asked?)
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> Value {
        as_json::report(self)
    }

    /// For people.
    pub fn text(&self, layout: &MovesLayout) -> String {
        text::report(self, layout)
    }
}
