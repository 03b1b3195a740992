//! Facts as sentences, in English and in Japanese.

use tesuji_records::japanese as ja;
use tesuji_report::Lang;
use tesuji_shogi::{Color, Piece, PieceKind, Square};

use super::ReasonGroup;
use super::fact::{Counts, Exposure, Fact, Placed, Taken};
use super::followed::NamedMove;

/// How many moves that lead to a capture are named.
const BEFORE: usize = 4;

/// The fact in a sentence.
pub(super) fn sentence(fact: &Fact, lang: Lang) -> String {
    match lang {
        Lang::English => capitalised(&english(fact)),
        Lang::Japanese => format!("{}。", japanese(fact)),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// The name of a player.
pub(crate) const fn player(color: Color, lang: Lang) -> &'static str {
    match (lang, color) {
        (Lang::English, Color::Black) => "Black",
        (Lang::English, Color::White) => "White",
        (Lang::Japanese, color) => ja::player_name(color, false),
    }
}

fn english(fact: &Fact) -> String {
    const LANG: Lang = Lang::English;
    let side_of = |color| player(color, LANG);
    match fact {
        Fact::Material { .. } => english_material(fact),
        Fact::Attack { side, king, came, gone, exposure } => {
            let enemy = side_of(!*side);
            let mut parts = Vec::new();
            if !came.is_empty() {
                let came = listed(came.iter().map(|one| placed(one, LANG)), LANG);
                parts.push(format!("{came} near {}'s king on {king}", side_of(*side)));
            }
            if !gone.is_empty() {
                let gone = listed(gone.iter().map(|at| on(*at, LANG)), LANG);
                let from = if came.is_empty() {
                    format!(" near {}'s king on {king}", side_of(*side))
                } else {
                    String::new()
                };
                parts.push(format!("no {gone}{from}"));
            }
            format!("{enemy} has a {}{}", parts.join(", but "), around(exposure, LANG))
                .replace(" has a no ", " has no ")
        }
        Fact::Castle { .. } => english_castle(fact),
        Fact::Hand { side, held: [first, second] } => {
            let held = |hand: &Counts| match hand.is_empty() {
                true => "nothing".to_owned(),
                false => counts(hand, LANG),
            };
            format!("{} holds {} instead of {}", side_of(*side), held(second), held(first))
        }
        Fact::Piece { first, second, safe, unguarded } => {
            english_piece(*first, second.as_ref(), *safe, unguarded)
        }
        Fact::Ahead { more, less } => match (more.is_empty(), less.is_empty()) {
            (true, true) => "the same pieces, but others in hand or promoted".to_owned(),
            (false, true) => format!("Black is {} up", counts(more, LANG)),
            (true, false) => format!("White is {} up", counts(less, LANG)),
            (false, false) => {
                format!("Black has {} for {}", counts(more, LANG), counts(less, LANG))
            }
        },
        Fact::Standing { side, group, king, pieces } => {
            let king = king.map_or_else(String::new, |king| format!(" on {king}"));
            let place = match group {
                ReasonGroup::Castle => format!("castle around the king{king}"),
                ReasonGroup::KingSafety => format!("pieces near {}'s king{king}", side_of(!*side)),
                _ => "other pieces".to_owned(),
            };
            let pieces: Vec<String> = pieces
                .iter()
                .map(|one| format!("{} {:+}", on((one.piece, one.square), LANG), one.centipawns))
                .collect();
            format!("{}'s {place}: {}", side_of(*side), pieces.join(", "))
        }
        Fact::Held { side, held } => {
            format!("what {} holds, beyond its material: {}", side_of(*side), counts(held, LANG))
        }
        Fact::Feature { sentence, name, black, white, .. } => {
            let meaning = sentence.trim_end_matches('.');
            format!(
                "{meaning} ({name}): Black {}, White {}",
                instead(*black, LANG),
                instead(*white, LANG)
            )
        }
    }
}

fn english_piece(
    first: Option<(Piece, Square)>,
    second: Option<&Placed>,
    safe: [Option<u32>; 2],
    unguarded: &[Square],
) -> String {
    const LANG: Lang = Lang::English;
    let owner = |piece: Piece| player(piece.color(), LANG);
    match (first, second) {
        (Some((was, from)), Some(now)) => {
            let changed = if was.kind() == now.piece.kind() {
                format!("instead of {from}")
            } else {
                format!("instead of a {}", on((was, from), LANG))
            };
            let safe = match safe {
                [Some(before), Some(after)] if before != after => {
                    let squares = if after == 1 { "square" } else { "squares" };
                    format!(", with {after} safe {squares} instead of {before}")
                }
                _ => String::new(),
            };
            let guards = if unguarded.is_empty() {
                String::new()
            } else {
                let squares = listed(unguarded.iter().map(ToString::to_string), LANG);
                format!(", and no longer guards {squares}")
            };
            format!("{}'s {} {changed}{safe}{guards}", owner(now.piece), placed(now, LANG))
                .replacen(" on ", " is on ", 1)
        }
        (Some((was, from)), None) => {
            format!("{} has no {} any more", owner(was), on((was, from), LANG))
        }
        (None, Some(now)) => format!("{} has a {}", owner(now.piece), placed(now, LANG)),
        (None, None) => String::new(),
    }
}

fn japanese(fact: &Fact) -> String {
    const LANG: Lang = Lang::Japanese;
    let side_of = |color| player(color, LANG);
    match fact {
        Fact::Material { .. } => japanese_material(fact),
        Fact::Attack { side, king, came, gone, exposure } => {
            let mut parts = Vec::new();
            if !came.is_empty() {
                let came = listed(came.iter().map(|one| placed(one, LANG)), LANG);
                parts.push(format!("{}の{came}が迫る", side_of(!*side)));
            }
            if !gone.is_empty() {
                let gone = listed(gone.iter().map(|at| on(*at, LANG)), LANG);
                parts.push(format!("{}の{gone}がない", side_of(!*side)));
            }
            let king = ja::square_name(*king);
            let (parts, around) = (parts.join("が、"), around(exposure, LANG));
            format!("{}の{king}玉に{parts}{around}", side_of(*side))
        }
        Fact::Castle { .. } => japanese_castle(fact),
        Fact::Hand { side, held: [first, second] } => {
            let held = |hand: &Counts| match hand.is_empty() {
                true => "なし".to_owned(),
                false => counts(hand, LANG),
            };
            format!("{}の持ち駒が{}でなく{}", side_of(*side), held(first), held(second))
        }
        Fact::Piece { first, second, safe, unguarded } => {
            japanese_piece(*first, second.as_ref(), *safe, unguarded)
        }
        Fact::Ahead { more, less } => match (more.is_empty(), less.is_empty()) {
            (true, true) => "駒の損得はないが持ち駒や成駒が違う".to_owned(),
            (false, true) => format!("先手の{}得", counts(more, LANG)),
            (true, false) => format!("後手の{}得", counts(less, LANG)),
            (false, false) => {
                format!("先手は{}得、{}損", counts(more, LANG), counts(less, LANG))
            }
        },
        Fact::Standing { side, group, king, pieces } => {
            let king = king.map(ja::square_name).unwrap_or_default();
            let place = match group {
                ReasonGroup::Castle => format!("{}の{king}玉の囲い", side_of(*side)),
                ReasonGroup::KingSafety => {
                    format!("{}の{king}玉に迫る{}の駒", side_of(!*side), side_of(*side))
                }
                _ => format!("{}のその他の駒", side_of(*side)),
            };
            let pieces: Vec<String> = pieces
                .iter()
                .map(|one| format!("{}{:+}", on((one.piece, one.square), LANG), one.centipawns))
                .collect();
            format!("{place}：{}", pieces.join("、"))
        }
        Fact::Held { side, held } => {
            format!("{}の持ち駒の働き：{}", side_of(*side), counts(held, LANG))
        }
        Fact::Feature { name, black, white, .. } => {
            format!("{name}：先手{}、後手{}", instead(*black, LANG), instead(*white, LANG))
        }
    }
}

fn japanese_piece(
    first: Option<(Piece, Square)>,
    second: Option<&Placed>,
    safe: [Option<u32>; 2],
    unguarded: &[Square],
) -> String {
    const LANG: Lang = Lang::Japanese;
    let owner = |piece: Piece| player(piece.color(), LANG);
    match (first, second) {
        (Some(was), Some(now)) => {
            let safe = match safe {
                [Some(before), Some(after)] if before != after => {
                    format!("、安全な行き先が{before}から{after}に変わる")
                }
                _ => String::new(),
            };
            let squares: Vec<String> =
                unguarded.iter().map(|square| ja::square_name(*square)).collect();
            let guards = if squares.is_empty() {
                String::new()
            } else {
                format!("、{}に利かなくなる", squares.join("・"))
            };
            let (was, now_text) = (on(was, LANG), placed(now, LANG));
            format!("{}の駒が{was}でなく{now_text}{safe}{guards}", owner(now.piece))
        }
        (Some(was), None) => format!("{}の{}がなくなる", owner(was.0), on(was, LANG)),
        (None, Some(now)) => format!("{}に{}ができる", owner(now.piece), placed(now, LANG)),
        (None, None) => String::new(),
    }
}

/// How the squares next to a king change, if they do.
fn around([first, second]: &[Exposure; 2], lang: Lang) -> String {
    let changed = |a: u32, b: u32, english: &str, japanese: &str| {
        (a != b).then(|| match lang {
            Lang::English => format!("{b} {english} instead of {a}"),
            Lang::Japanese => format!("{japanese}{a}から{b}"),
        })
    };
    let parts: Vec<String> = [
        changed(first.guarded, second.guarded, "guarded", "守り"),
        changed(first.attacked, second.attacked, "attacked", "敵の利き"),
        changed(first.escapes, second.escapes, "free to go to", "逃げ道"),
    ]
    .into_iter()
    .flatten()
    .collect();
    match (parts.is_empty(), lang) {
        (true, _) => String::new(),
        (false, Lang::English) => format!("; squares next to the king: {}", parts.join(", ")),
        (false, Lang::Japanese) => format!("（玉の周り：{}）", parts.join("、")),
    }
}

/// `a rook and 2 pawns`, `飛、歩２`.
fn counts(counts: &Counts, lang: Lang) -> String {
    let one = |&(kind, count): &(PieceKind, u32)| match (lang, count) {
        (Lang::English, 1) => format!("a {}", kind.english()),
        (Lang::English, many) => format!("{many} {}s", kind.english()),
        (Lang::Japanese, 1) => ja::piece_name(kind).to_owned(),
        (Lang::Japanese, many) => format!("{}{many}枚", ja::piece_name(kind)),
    };
    listed(counts.iter().map(one), lang)
}

/// `a, b and c`, `a・b・c`.
pub(crate) fn listed(parts: impl Iterator<Item = String>, lang: Lang) -> String {
    let parts: Vec<String> = parts.collect();
    match (lang, &*parts) {
        (Lang::Japanese, parts) => parts.join("・"),
        (Lang::English, [others @ .., last]) if !others.is_empty() => {
            format!("{} and {last}", others.join(", "))
        }
        (Lang::English, parts) => parts.concat(),
    }
}

fn on((piece, square): (Piece, Square), lang: Lang) -> String {
    match lang {
        Lang::English => format!("{} on {square}", piece.kind().english()),
        Lang::Japanese => {
            format!("{}{}", ja::square_name(square), ja::piece_name(piece.kind()))
        }
    }
}

/// A piece with its square and its moves.
fn placed(placed: &Placed, lang: Lang) -> String {
    let name = on((placed.piece, placed.square), lang);
    match (placed.route.is_empty(), lang) {
        (true, _) => name,
        (false, Lang::English) => format!("{name} ({})", moves(&placed.route, lang)),
        (false, Lang::Japanese) => format!("{name}（{}）", moves(&placed.route, lang)),
    }
}

fn moves(route: &[NamedMove], lang: Lang) -> String {
    let names: Vec<String> = route
        .iter()
        .map(|named| match lang {
            Lang::English => named.mv.to_string(),
            Lang::Japanese => named.japanese.clone(),
        })
        .collect();
    names.join(" ")
}

fn instead([first, second]: [i32; 2], lang: Lang) -> String {
    match lang {
        _ if first == second => second.to_string(),
        Lang::English => format!("{second} instead of {first}"),
        Lang::Japanese => format!("{first}から{second}"),
    }
}

fn english_material(fact: &Fact) -> String {
    const LANG: Lang = Lang::English;
    let side_of = |color| player(color, LANG);
    let Fact::Material { player: of, lost, won, taken, missed, promoted } = fact else {
        return String::new();
    };
    let who = side_of(*of);
    let balance = match (lost.is_empty(), won.is_empty()) {
        (true, true) => String::new(),
        (false, true) if *missed => format!("{who} has {} less", counts(lost, LANG)),
        (false, true) => format!("{who} loses {}", counts(lost, LANG)),
        (true, false) => format!("{who} wins {}", counts(won, LANG)),
        (false, false) => {
            format!("{who} has {} for {}", counts(won, LANG), counts(lost, LANG))
        }
    };
    match (taken, promoted) {
        (Some(Taken { taker, taken, square, mv, before }), _) => format!(
            "{}{}'s {} {} the {} on {square} ({}): {balance}",
            after(before, LANG),
            side_of(taker.color()),
            taker.kind().english(),
            if *missed { "does not take" } else { "takes" },
            taken.kind().english(),
            mv.mv
        ),
        (None, Some(promoted)) => {
            let piece =
                format!("{} has a {}", side_of(promoted.piece.color()), placed(promoted, LANG));
            if balance.is_empty() { piece } else { format!("{piece}: {balance}") }
        }
        (None, None) if balance.is_empty() => "the same pieces, but other ones in hand".to_owned(),
        (None, None) => balance,
    }
}

/// The moves that lead to a capture, at most [`BEFORE`] of them.
fn after(before: &[NamedMove], lang: Lang) -> String {
    let more = if before.len() > BEFORE { " …" } else { "" };
    let line = moves(&before[..before.len().min(BEFORE)], lang);
    match lang {
        _ if before.is_empty() => String::new(),
        Lang::English => format!("after {line}{more}, "),
        Lang::Japanese => format!("{line}{more}の後、"),
    }
}

fn english_castle(fact: &Fact) -> String {
    const LANG: Lang = Lang::English;
    let side_of = |color| player(color, LANG);
    let Fact::Castle { side, king: [first, second], moved, gone, came, exposure } = fact else {
        return String::new();
    };
    let mut parts = Vec::new();
    if first != second {
        parts.push(format!("the king on {second} instead of {first}"));
    }
    for (piece, [from, to]) in moved {
        parts.push(format!("the {} on {to} instead of {from}", piece.kind().english()));
    }
    parts.extend(gone.iter().map(|at| format!("without its {}", on(*at, LANG))));
    parts.extend(came.iter().map(|one| format!("with a {}", placed(one, LANG))));
    format!("{}'s castle: {}{}", side_of(*side), parts.join(", "), around(exposure, LANG))
}

fn japanese_material(fact: &Fact) -> String {
    const LANG: Lang = Lang::Japanese;
    let side_of = |color| player(color, LANG);
    let Fact::Material { player: of, lost, won, taken, missed, promoted } = fact else {
        return String::new();
    };
    let who = side_of(*of);
    let balance = match (lost.is_empty(), won.is_empty()) {
        (true, true) => String::new(),
        (false, true) if *missed => format!("{who}は{}が少ない", counts(lost, LANG)),
        (false, true) => format!("{who}は{}を失う", counts(lost, LANG)),
        (true, false) => format!("{who}は{}を得する", counts(won, LANG)),
        (false, false) => {
            format!("{who}は{}を得て{}を失う", counts(won, LANG), counts(lost, LANG))
        }
    };
    match (taken, promoted) {
        (Some(Taken { taker, taken, square, mv, before }), _) => format!(
            "{}{}の{}が{}の{}を{}（{}）：{balance}",
            after(before, LANG),
            side_of(taker.color()),
            ja::piece_name(taker.kind()),
            ja::square_name(*square),
            ja::piece_name(taken.kind()),
            if *missed { "取れない" } else { "取る" },
            mv.japanese
        ),
        (None, Some(promoted)) => {
            let owner = side_of(promoted.piece.color());
            format!("{owner}に{}ができる。{balance}", placed(promoted, LANG))
                .trim_end_matches('。')
                .to_owned()
        }
        (None, None) if balance.is_empty() => "駒の損得はないが持ち駒が違う".to_owned(),
        (None, None) => balance,
    }
}

fn japanese_castle(fact: &Fact) -> String {
    const LANG: Lang = Lang::Japanese;
    let side_of = |color| player(color, LANG);
    let Fact::Castle { side, king: [first, second], moved, gone, came, exposure } = fact else {
        return String::new();
    };
    let mut parts = Vec::new();
    if first != second {
        let (first, second) = (ja::square_name(*first), ja::square_name(*second));
        parts.push(format!("玉が{first}でなく{second}"));
    }
    for (piece, [from, to]) in moved {
        let name = ja::piece_name(piece.kind());
        let (from, to) = (ja::square_name(*from), ja::square_name(*to));
        parts.push(format!("{name}が{from}でなく{to}"));
    }
    parts.extend(gone.iter().map(|at| format!("{}がない", on(*at, LANG))));
    parts.extend(came.iter().map(|one| format!("{}が加わる", placed(one, LANG))));
    format!("{}の囲い：{}{}", side_of(*side), parts.join("、"), around(exposure, LANG))
}
