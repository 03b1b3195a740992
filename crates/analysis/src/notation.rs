//! Moves as people write them.

use anyhow::{Result, bail, ensure};
use tesuji_records::japanese::{digit, move_name, piece_name, player_of_mark, square_name};
use tesuji_shogi::{Move, Origin, Position, Square};

/// Reads a legal move: USI, or Japanese as in KI2 (`７六歩`, `58金右`, `同銀`) or KIF
/// (`７六歩(77)`). `previous` is the target of the move before, which `同` speaks of.
pub fn read_move(text: &str, position: &Position, previous: Option<Square>) -> Result<Move> {
    if let Ok(mv) = text.parse() {
        ensure!(position.is_legal(mv), "{text:?} is not a legal move in this position");
        return Ok(mv);
    }
    if text.is_ascii() {
        bail!("{text:?} is no move: expected one such as 7g7f, 8h2b+, P*5e or ７六歩");
    }
    let wanted = plain(text);
    let moves = position.legal_moves();
    let mut meant = moves.into_iter().filter(|&mv| {
        let names = [move_name(position, mv, previous), move_name(position, mv, None)];
        names.into_iter().chain(kif_name(position, mv)).any(|name| plain(&name) == wanted)
    });
    match (meant.next(), meant.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => bail!("{text:?} may be several moves, say which: 7g7f"),
        (None, _) => bail!("{text:?} names no legal move in this position"),
    }
}

/// The move as KIF files have it: `７六歩(77)`, `５五角打`.
fn kif_name(position: &Position, mv: Move) -> Option<String> {
    let target = square_name(mv.to());
    Some(match mv.origin() {
        Origin::Hand(kind) => format!("{target}{}打", piece_name(kind)),
        Origin::Board(from) => {
            let piece = piece_name(position.piece_on(from)?.kind());
            let promotion = if mv.is_promotion() { "成" } else { "" };
            format!("{target}{piece}{promotion}({}{})", from.file(), from.rank())
        }
    })
}

/// The text without marks and spaces, with one form of each digit and piece.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|&c| !c.is_whitespace() && player_of_mark(c).is_none())
        .map(|c| match (digit(c), c) {
            (Some(value), _) => char::from(b'0' + value),
            (None, '竜') => '龍',
            (None, '王') => '玉',
            (None, _) => c,
        })
        .collect()
}
