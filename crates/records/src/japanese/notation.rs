//! Reading the text of a move: `７六歩(77)`, `同　銀右不成`, `５五角打`.

use tesuji_shogi::{Bitboard, Color, Move, PieceKind, Position, Square};

use super::distinction::{Motion, Side, is_large, leftness, pieces_reaching};
use super::{digit, player_of_mark, strip_piece};

/// A move as its text says it, before a position tells what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Notation {
    /// The mark in front, if there is one.
    pub(crate) player: Option<Color>,
    /// The target; `None` for 同, the target of the move before.
    to: Option<Square>,
    kind: PieceKind,
    side: Option<Side>,
    motion: Option<Motion>,
    /// 成 or 不成.
    promotes: Option<bool>,
    /// 打.
    drops: bool,
    /// The origin in parentheses that KIF gives.
    from: Option<Square>,
}

/// Why a text is not a move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// It is not a move, or says 同 where no move came before.
    Unreadable,
    /// No legal move fits.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

impl Notation {
    /// Reads a move; `None` if the text is not one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let player = text.chars().next().and_then(player_of_mark);
        let text = if player.is_some() { text.trim_start_matches(is_mark_or_space) } else { text };
        let (to, text) = strip_target(text)?;
        let (kind, words) = strip_piece(text)?;
        let (words, from) = split_origin(words)?;
        let mut notation =
            Self { player, to, kind, side: None, motion: None, promotes: None, drops: false, from };
        notation.take_words(words)?;
        Some(notation)
    }

    /// Reads what follows the piece. Each sort of word may be there once.
    fn take_words(&mut self, words: &str) -> Option<()> {
        let mut characters = words.trim().chars();
        while let Some(character) = characters.next() {
            let fresh = match character {
                '左' => self.side.replace(Side::Left).is_none(),
                '右' => self.side.replace(Side::Right).is_none(),
                '直' => self.side.replace(Side::Straight).is_none(),
                // Older records have 行 and 入 for large pieces that go up.
                '上' | '行' | '入' => self.motion.replace(Motion::Up).is_none(),
                '寄' => self.motion.replace(Motion::Sideways).is_none(),
                '引' => self.motion.replace(Motion::Back).is_none(),
                '打' => !std::mem::replace(&mut self.drops, true),
                '成' => self.promotes.replace(true).is_none(),
                '生' => self.promotes.replace(false).is_none(),
                '不' if characters.next() == Some('成') => self.promotes.replace(false).is_none(),
                _ => false,
            };
            if !fresh {
                return None;
            }
        }
        Some(())
    }

    /// The one legal move that the text means.
    pub(crate) fn resolve(
        &self,
        position: &Position,
        previous_to: Option<Square>,
    ) -> Result<Move, Misfit> {
        let to = self.to.or(previous_to).ok_or(Misfit::Unreadable)?;
        let legal = |mv: Move| position.is_legal(mv);
        if self.player.is_some_and(|player| player != position.side_to_move()) {
            return Err(Misfit::Illegal);
        }
        if self.drops {
            return self.drop(to).filter(|&mv| legal(mv)).ok_or(Misfit::Illegal);
        }
        let origins = match self.from {
            Some(from) => position.of(position.side_to_move(), self.kind) & Bitboard::of(from),
            None => self.origins(position, to),
        };
        let mut fitting =
            origins.into_iter().map(|from| self.board_move(from, to)).filter(|&mv| legal(mv));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(Misfit::Ambiguous),
            // A drop that no move on the board could be mistaken for goes without 打.
            (None, _) => self.drop(to).filter(|&mv| legal(mv)).ok_or(Misfit::Illegal),
        }
    }

    fn board_move(&self, from: Square, to: Square) -> Move {
        if self.promotes == Some(true) { Move::promotion(from, to) } else { Move::normal(from, to) }
    }

    /// The drop, if nothing in the text speaks against one.
    fn drop(&self, to: Square) -> Option<Move> {
        let plain = self.from.is_none()
            && self.side.is_none()
            && self.motion.is_none()
            && self.promotes.is_none();
        if plain { Move::drop(self.kind, to) } else { None }
    }

    /// The squares of the pieces that fit the words of the text.
    fn origins(&self, position: &Position, to: Square) -> Bitboard {
        let us = position.side_to_move();
        let moving = select(pieces_reaching(position, self.kind, to), |from| {
            self.motion.is_none_or(|motion| Motion::of(us, from, to) == motion)
        });
        let Some(side) = self.side else { return moving };
        let strict = select(moving, |from| Side::of(us, from, to) == side);
        match side {
            Side::Straight => select(strict, |from| Motion::of(us, from, to) == Motion::Up),
            _ if strict.is_empty() || is_large(self.kind) => outermost(moving, us, side),
            _ => strict,
        }
    }
}

/// The pieces farthest to the left or right.
fn outermost(pieces: Bitboard, us: Color, side: Side) -> Bitboard {
    let files = pieces.into_iter().map(|square| leftness(us, square));
    let extreme = if side == Side::Left { files.max() } else { files.min() };
    select(pieces, |square| Some(leftness(us, square)) == extreme)
}

fn select(pieces: Bitboard, wanted: impl Fn(Square) -> bool) -> Bitboard {
    pieces
        .into_iter()
        .filter(|&square| wanted(square))
        .fold(Bitboard::EMPTY, |set, square| set.union(Bitboard::of(square)))
}

fn is_mark_or_space(character: char) -> bool {
    player_of_mark(character).is_some() || character.is_whitespace()
}

/// Takes `７六`, `76`, `同　` or `７六同` off the front.
fn strip_target(text: &str) -> Option<(Option<Square>, &str)> {
    let spaces = char::is_whitespace;
    if let Some(rest) = text.strip_prefix('同') {
        return Some((None, rest.trim_start_matches(spaces)));
    }
    let mut characters = text.chars();
    let (file, rank) = (digit(characters.next()?)?, digit(characters.next()?)?);
    let to = Square::new(file, rank)?;
    let rest = characters.as_str();
    let rest = rest.strip_prefix('同').unwrap_or(rest);
    Some((Some(to), rest.trim_start_matches(spaces)))
}

/// Splits `成(88)` into the words and the origin.
fn split_origin(text: &str) -> Option<(&str, Option<Square>)> {
    let Some((words, origin)) = text.split_once(['(', '（']) else { return Some((text, None)) };
    let origin = origin.trim_end().strip_suffix([')', '）'])?;
    let mut digits = origin.chars().map(digit);
    let (file, rank) = (digits.next()??, digits.next()??);
    if digits.next().is_some() {
        return None;
    }
    Some((words, Some(Square::new(file, rank)?)))
}
