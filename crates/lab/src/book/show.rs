//! What a book has of a position.

use serde_json::{Value, json};
use tesuji_records::japanese::move_name;
use tesuji_report::number::{count, percent};
use tesuji_search::book::{Book, BookMove, Veto, total};
use tesuji_shogi::{Move, Position};

/// A position with the moves of a book.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The position.
    pub position: Position,
    /// How often all moves were played.
    pub count: u64,
    /// The moves, the most played first; none where the book does not have the position.
    pub moves: Vec<ShownMove>,
}

/// A move of a book, and what is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownMove {
    /// The move.
    pub mv: Move,
    /// What the book has of it.
    pub known: BookMove,
    /// The move as people write it.
    pub name: String,
    /// How likely the book plays it.
    pub share: f64,
    /// Is it doubted, so that an engine thinks about it?
    pub veto: bool,
    /// How often the book was played in the position after it, by whatever moves that came about.
    pub transposed: u64,
}

/// Looks a position up.
pub fn show(book: &Book, position: &Position, veto: Option<&dyn Veto>) -> Shown {
    let moves = book.get(position).map_or(&[][..], |entry| entry.moves);
    let all = total(moves);
    let shown = |known: &BookMove| {
        let mv = known.mv?;
        let after = position.after(mv).and_then(|after| book.get(&after));
        Some(ShownMove {
            mv,
            known: *known,
            name: move_name(position, mv, None),
            share: f64::from(known.count) / all.max(1) as f64,
            veto: veto.is_some_and(|veto| veto.doubts(position, mv)),
            transposed: after.map_or(0, |entry| total(entry.moves)),
        })
    };
    Shown { position: *position, count: all, moves: moves.iter().filter_map(shown).collect() }
}

impl Shown {
    /// Everything as JSON.
    pub fn json(&self) -> Value {
        let moves = self.moves.iter().map(|shown| {
            let BookMove { reply, score, depth, count, .. } = shown.known;
            json!({
                "move": shown.mv.to_string(),
                "name": shown.name,
                "count": count,
                "share": shown.share,
                "veto": shown.veto,
                "transposed": shown.transposed,
                "reply": reply.map(|reply| reply.to_string()),
                "score": score,
                "depth": depth,
            })
        });
        json!({
            "sfen": self.position.to_sfen(),
            "count": self.count,
            "moves": moves.collect::<Vec<_>>(),
        })
    }

    /// The moves in words, a line each.
    pub fn text(&self) -> String {
        if self.moves.is_empty() {
            return "The book does not have this position.\n".to_owned();
        }
        let mut text = format!("Played {} times:\n", count(self.count));
        for shown in &self.moves {
            let BookMove { reply, count: times, .. } = shown.known;
            let reply = reply.map_or_else(String::new, |reply| format!("  then {reply}"));
            let veto = if shown.veto { "  doubted" } else { "" };
            text += &format!(
                "{:>10}  {:>7}  {}  {}  position {}{reply}{veto}\n",
                count(times.into()),
                percent(shown.share, 1),
                shown.mv,
                shown.name,
                count(shown.transposed),
            );
        }
        text
    }
}
