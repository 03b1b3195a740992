//! Reasons for a move in English.

use tesuji_eval::plausible::{Detail, Generator, How, Reason};
use tesuji_report::Lang;
use tesuji_shogi::{Move, PieceKind};

use super::words::{Speaker, of};
use crate::reasons::player;

/// The phrase of a reason.
pub(super) fn phrase(speaker: &Speaker<'_>, mv: Move, reason: &Reason) -> String {
    let details = &reason.details[..];
    let Some(generator) = reason.generator else { return costs(speaker, details) };
    let squares = || speaker.squares(details);
    let pieces = || speaker.pieces(details);
    match generator {
        Generator::Capture => format!("takes {}", pieces()),
        Generator::Promote => promotes(details),
        Generator::Check => "gives check".to_owned(),
        Generator::AttackKing if details.is_empty() => "comes near the king".to_owned(),
        Generator::AttackKing => format!("bears on {} beside the king", squares()),
        Generator::AttackMaterial => format!("attacks {}", pieces()),
        Generator::DiscoveredAttack => each(speaker, details, uncovers),
        Generator::ThreatenPromotion if speaker.is_in_camp(mv) => "can promote next".to_owned(),
        Generator::ThreatenPromotion => format!("threatens to promote on {}", squares()),
        Generator::AnswerCheck => answers_check(details),
        Generator::DefendKing => defends_king(speaker, details),
        Generator::DefendMaterial => by_how(speaker, details, saves),
        Generator::DefendDiscovered => each(speaker, details, closes),
        Generator::DefendPromotion => keeps_from_promoting(speaker, details),
        Generator::DefendPin => by_how(speaker, details, |how, pieces| match how {
            How::Guard => format!("protects the pinned {}", without_article(pieces)),
            _ => format!("unpins {pieces}"),
        }),
        Generator::EaseTie => format!("gives {} one more guard", pieces()),
        Generator::GuardUndefended => format!("protects {}, which nobody protected", pieces()),
        Generator::DefendExchange => format!("strengthens the defence of {}", pieces()),
        Generator::CoverOwnCamp => format!("covers {} in the own camp", squares()),
        Generator::Develop => develops(speaker, mv, details),
        Generator::Pin => each(speaker, details, pins),
        Generator::CoverEnemyCamp => format!("covers {} in the enemy camp", squares()),
        Generator::AvoidDevelopment => keeps_from_developing(speaker, details),
    }
}

fn name(kind: Option<PieceKind>) -> &'static str {
    kind.map_or("piece", PieceKind::english)
}

fn without_article(pieces: &str) -> &str {
    pieces.strip_prefix("the ").unwrap_or(pieces)
}

/// A phrase for each detail.
fn each(
    speaker: &Speaker<'_>,
    details: &[Detail],
    say: fn(&Speaker<'_>, &Detail) -> String,
) -> String {
    details.iter().map(|detail| say(speaker, detail)).collect::<Vec<_>>().join(", ")
}

/// A phrase for each way in which pieces are concerned.
fn by_how(speaker: &Speaker<'_>, details: &[Detail], say: impl Fn(How, &str) -> String) -> String {
    let phrases = [How::Leave, How::Guard, How::Take, How::Stop].into_iter().filter_map(|how| {
        let concerned = of(details, how);
        (!concerned.is_empty()).then(|| say(how, &speaker.pieces(concerned)))
    });
    phrases.collect::<Vec<_>>().join(", ")
}

fn promotes(details: &[Detail]) -> String {
    let kind = details.first().and_then(|detail| detail.kind).map(PieceKind::unpromoted);
    format!("promotes the {}", name(kind))
}

fn uncovers(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let slider = name(speaker.kind_on(detail.other));
    match detail.kind {
        Some(PieceKind::King) => format!("uncovers a check by the {slider}"),
        kind => format!("uncovers the {slider}'s attack on {}", speaker.piece(kind, detail.square)),
    }
}

fn answers_check(details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return "answers the check".to_owned() };
    match detail.how {
        How::Leave => "moves the king out of check".to_owned(),
        How::Take => format!("takes the checking {}", name(detail.kind)),
        _ => "stands between the king and the check".to_owned(),
    }
}

fn defends_king(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return "supports the king".to_owned() };
    match detail.how {
        How::Leave => "moves the king under attack".to_owned(),
        How::Take => format!("takes the {} that bears on the king", name(detail.kind)),
        How::Stop => "closes a line to the king".to_owned(),
        _ => format!("guards {} beside the king", speaker.squares(details)),
    }
}

fn saves(how: How, pieces: &str) -> String {
    match how {
        How::Leave => format!("moves {pieces} out of danger"),
        How::Guard => format!("defends {pieces}"),
        How::Take => format!("takes an attacker of {pieces}"),
        _ => format!("closes the line to {pieces}"),
    }
}

fn closes(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let piece = speaker.piece(detail.kind, detail.square);
    let slider = name(speaker.kind_on(detail.other));
    match detail.how {
        How::Leave => format!("moves {piece} out of the hidden line of the {slider}"),
        How::Guard => format!("guards {piece} against the {slider} behind"),
        How::Take => format!("removes a discovered attack of the {slider} on {piece}"),
        _ => format!("closes the hidden line of the {slider} to {piece}"),
    }
}

fn keeps_from_promoting(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return String::new() };
    let enemy = player(!speaker.position.side_to_move(), Lang::English);
    match detail.how {
        How::Take => format!("takes the {} that could promote", name(detail.kind)),
        How::Stop => format!("occupies {}, where {enemy} could promote", detail.square),
        _ => format!("guards {}, where {enemy} could promote", speaker.squares(details)),
    }
}

fn develops(speaker: &Speaker<'_>, mv: Move, details: &[Detail]) -> String {
    let phrases = details.iter().filter_map(|detail| {
        let [castle, assault] = speaker.aims.map(|aim| aim.map(|names| &*names.name));
        Some(match detail.how {
            How::Book => "is a move of the book".to_owned(),
            How::Castle => format!("heads for the {} castle", castle?.trim_end_matches(" castle")),
            How::Assault => format!("prepares the {}", assault?),
            _ if is_edge_pawn(mv, detail) => "pushes the edge pawn, as masters do".to_owned(),
            _ => "follows a pattern of masters".to_owned(),
        })
    });
    phrases.collect::<Vec<_>>().join(", ")
}

/// Is it a pawn at the edge that goes forward?
pub(super) fn is_edge_pawn(mv: Move, detail: &Detail) -> bool {
    let at_edge = matches!(detail.square.file(), 1 | 9);
    detail.kind == Some(PieceKind::Pawn) && at_edge && mv.from().is_some()
}

fn pins(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let piece = speaker.piece(detail.kind, detail.square);
    match speaker.kind_on(detail.other) {
        Some(kind) => format!("pins {piece} to the {}", kind.english()),
        None => format!("pins {piece}"),
    }
}

fn keeps_from_developing(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(first) = details.first() else { return String::new() };
    let enemy = player(!speaker.position.side_to_move(), Lang::English);
    let what = if first.how == How::Take { "takes" } else { "covers" };
    let same = details.iter().all(|detail| detail.kind == first.kind);
    let piece = if same { format!(" for the {}", name(first.kind)) } else { String::new() };
    format!("{what} {}, which {enemy} wants{piece}", speaker.squares(details))
}

fn costs(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let phrases = [How::Offer, How::Abandon, How::Desert].into_iter().filter_map(|how| {
        let concerned = of(details, how);
        let first = concerned.first()?;
        Some(match how {
            How::Offer => format!("can lose the {}", name(first.kind)),
            How::Abandon => format!("leaves {} to be won", speaker.pieces(concerned)),
            _ => format!("takes a guard from {}", speaker.pieces(concerned)),
        })
    });
    phrases.collect::<Vec<_>>().join(", ")
}

/// The moves of a generator, as a table calls them.
pub(super) const fn nouns(generator: Generator) -> &'static str {
    match generator {
        Generator::Capture => "captures",
        Generator::Promote => "promotions",
        Generator::Check => "checks",
        Generator::AttackKing => "attacks on the king",
        Generator::AttackMaterial => "attacks on pieces",
        Generator::DiscoveredAttack => "discovered attacks",
        Generator::ThreatenPromotion => "threats to promote",
        Generator::AnswerCheck => "answers to checks",
        Generator::DefendKing => "defences of the king",
        Generator::DefendMaterial => "defences of attacked pieces",
        Generator::DefendDiscovered => "defences against discovered attacks",
        Generator::DefendPromotion => "defences against promotion",
        Generator::DefendPin => "answers to pins",
        Generator::EaseTie => "second guards of tied pieces",
        Generator::GuardUndefended => "guards of pieces without one",
        Generator::DefendExchange => "guards before an exchange",
        Generator::CoverOwnCamp => "moves that cover the own camp",
        Generator::Develop => "developing moves",
        Generator::Pin => "pins",
        Generator::CoverEnemyCamp => "moves that cover the enemy camp",
        Generator::AvoidDevelopment => "moves against the enemy's development",
    }
}
