//! The board diagram of nine ranks, and pieces in hand.

use tesuji_shogi::{Color, Hand, Piece, PieceKind, Position, Square};

use crate::japanese::{digit, number, number_name, player_name, rank_name, strip_piece};

/// The nine squares of a line such as `|v香v桂 ・ ・v玉 ・ ・ ・v香|一`, from file 9 to file 1.
pub(super) fn read_rank(line: &str) -> Option<[Option<Piece>; 9]> {
    let inside = line.trim().strip_prefix('|')?;
    let inside = inside.split('|').next()?;
    let mut squares = [None; 9];
    let mut rest = inside;
    for square in &mut squares {
        let (color, text) = strip_owner(rest)?;
        if let Some(text) = text.strip_prefix(['・', '･', '.']) {
            rest = text;
        } else {
            let (kind, text) = strip_piece(text)?;
            *square = Some(Piece::new(color, kind));
            rest = text;
        }
    }
    rest.trim().is_empty().then_some(squares)
}

/// A `v` in front makes the piece White's.
fn strip_owner(text: &str) -> Option<(Color, &str)> {
    let mut characters = text.chars();
    let color = match characters.next()? {
        ' ' | '　' | '^' => Color::Black,
        'v' | 'V' | 'ｖ' => Color::White,
        // Some programs leave no space in front of Black's pieces.
        _ => return Some((Color::Black, text)),
    };
    Some((color, characters.as_str()))
}

/// The pieces of a line such as `飛　角　金二　歩十八`, with or without the spaces.
pub(super) fn read_hand(text: &str) -> Option<Hand> {
    let mut counts = [0_u8; 7];
    let mut rest = text.trim();
    if rest == "なし" {
        return Some(Hand::EMPTY);
    }
    while !rest.is_empty() {
        let (kind, text) = strip_piece(rest)?;
        let after = text.trim_start_matches(|c| c == '十' || digit(c).is_some());
        let count = &text[..text.len() - after.len()];
        let count = if count.is_empty() { 1 } else { number(count)? };
        let slot = counts.get_mut(kind.index())?;
        *slot = slot.checked_add(count)?;
        rest = after.trim_start();
    }
    Hand::from_counts(counts)
}

fn hand_text(hand: Hand) -> String {
    let mut kinds: Vec<(PieceKind, u8)> = hand.iter().collect();
    // Rook, bishop, gold and so on down to the pawn: gold comes last in the order of the numbers.
    kinds.sort_by_key(|&(kind, _)| match kind {
        PieceKind::Rook => 0,
        PieceKind::Bishop => 1,
        PieceKind::Gold => 2,
        other => 10 - other.index(),
    });
    let words = kinds.into_iter().map(|(kind, count)| {
        let number = if count > 1 { number_name(count) } else { String::new() };
        format!("{}{number}", kind.kanji())
    });
    let text = words.collect::<Vec<_>>().join("　");
    if text.is_empty() { "なし".into() } else { text }
}

/// The board, both hands, the number of moves already played and whose move it is.
pub(crate) fn write_diagram(position: &Position) -> String {
    let border = "+---------------------------+\n";
    let hand = |color: Color| {
        format!("{}の持駒：{}\n", player_name(color, false), hand_text(position.hand(color)))
    };
    let mut text = hand(Color::White);
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n");
    text.push_str(border);
    for rank in 1..=9 {
        text.push('|');
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|square| position.piece_on(square));
            let white = piece.is_some_and(|piece| piece.color() == Color::White);
            text.push(if white { 'v' } else { ' ' });
            text.push(piece.map_or('・', |piece| piece.kind().kanji()));
        }
        text.push('|');
        text.push(rank_name(rank));
        text.push('\n');
    }
    text.push_str(border);
    text.push_str(&hand(Color::Black));
    if position.ply() > 1 {
        text.push_str(&format!("手数＝{}  まで\n", position.ply() - 1));
    }
    if position.side_to_move() == Color::White {
        text.push_str("後手番\n");
    }
    text
}
