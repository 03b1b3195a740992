//! Reasons for a move in Japanese, in the words of shogi books.

use tesuji_eval::plausible::{Detail, Generator, How, Reason};
use tesuji_records::japanese::piece_name;
use tesuji_report::Lang;
use tesuji_shogi::{Move, Origin, PieceKind};

use super::english::is_edge_pawn;
use super::words::{Speaker, of};
use crate::reasons::player;

const CHECK: &str = "王手";

/// The phrase of a reason.
pub(super) fn phrase(speaker: &Speaker<'_>, mv: Move, reason: &Reason) -> String {
    let details = &reason.details[..];
    let Some(generator) = reason.generator else { return costs(speaker, details) };
    let squares = || speaker.squares(details);
    let pieces = || speaker.pieces(details);
    match generator {
        Generator::Capture => format!("{}を取る", pieces()),
        Generator::Promote => promotes(details),
        Generator::Check => CHECK.to_owned(),
        Generator::AttackKing if details.is_empty() => "玉に迫る".to_owned(),
        Generator::AttackKing => format!("玉の周りの{}に利かす", squares()),
        Generator::AttackMaterial => attacks(speaker, details),
        Generator::DiscoveredAttack => each(speaker, details, uncovers),
        Generator::ThreatenPromotion if speaker.is_in_camp(mv) => "次に成れる".to_owned(),
        Generator::ThreatenPromotion => format!("{}での成りを狙う", squares()),
        Generator::AnswerCheck => answers_check(mv, details),
        Generator::DefendKing => defends_king(speaker, details),
        Generator::DefendMaterial => by_how(speaker, details, saves),
        Generator::DefendDiscovered => each(speaker, details, closes),
        Generator::DefendPromotion => keeps_from_promoting(speaker, details),
        Generator::DefendPin => by_how(speaker, details, |how, pieces| match how {
            How::Guard => format!("ピンされた{pieces}を守る"),
            _ => format!("{pieces}のピンを外す"),
        }),
        Generator::EaseTie => format!("{}にひもを足す", pieces()),
        Generator::GuardUndefended => format!("浮いている{}にひもをつける", pieces()),
        Generator::DefendExchange => format!("{}の守りを増やす", pieces()),
        Generator::CoverOwnCamp => format!("自陣の{}に利かす", squares()),
        Generator::Develop => develops(speaker, mv, details),
        Generator::Pin => each(speaker, details, pins),
        Generator::CoverEnemyCamp => format!("敵陣の{}に利かす", squares()),
        Generator::AvoidDevelopment => keeps_from_developing(speaker, details),
    }
}

/// Phrases one after the other; a check that attacks a piece is one word: 王手飛取り.
pub(super) fn joined(phrases: &[String]) -> String {
    let mut text = String::new();
    for (number, phrase) in phrases.iter().enumerate() {
        let after_check = number > 0 && phrases[number - 1] == CHECK;
        let is_one_word = after_check && phrase.contains("取り（");
        if number > 0 && !is_one_word {
            text.push('、');
        }
        text += phrase;
    }
    text
}

fn name(kind: Option<PieceKind>) -> &'static str {
    kind.map_or("駒", piece_name)
}

/// A phrase for each detail.
fn each(
    speaker: &Speaker<'_>,
    details: &[Detail],
    say: fn(&Speaker<'_>, &Detail) -> String,
) -> String {
    details.iter().map(|detail| say(speaker, detail)).collect::<Vec<_>>().join("、")
}

/// A phrase for each way in which pieces are concerned.
fn by_how(speaker: &Speaker<'_>, details: &[Detail], say: impl Fn(How, &str) -> String) -> String {
    let phrases = [How::Leave, How::Guard, How::Take, How::Stop].into_iter().filter_map(|how| {
        let concerned = of(details, how);
        (!concerned.is_empty()).then(|| say(how, &speaker.pieces(concerned)))
    });
    phrases.collect::<Vec<_>>().join("、")
}

/// 飛取り, 飛銀両取り, with the squares behind.
fn attacks(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let squares = speaker.squares(details);
    match details {
        [one] => format!("{}取り（{squares}）", name(one.kind)),
        [first, second] => {
            format!("{}{}両取り（{squares}）", name(first.kind), name(second.kind))
        }
        _ => format!("{}に当てる", speaker.pieces(details)),
    }
}

fn promotes(details: &[Detail]) -> String {
    match details.first().and_then(|detail| detail.kind) {
        Some(PieceKind::ProPawn) => "と金を作る",
        Some(PieceKind::Horse) => "馬を作る",
        Some(PieceKind::Dragon) => "竜を作る",
        _ => "成る",
    }
    .to_owned()
}

fn uncovers(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let slider = name(speaker.kind_on(detail.other));
    match detail.kind {
        Some(PieceKind::King) => format!("{slider}の開き王手"),
        kind => format!("{slider}の利きを開いて{}に当てる", speaker.piece(kind, detail.square)),
    }
}

fn answers_check(mv: Move, details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return "王手を防ぐ".to_owned() };
    match (detail.how, mv.origin()) {
        (How::Leave, _) => "玉を逃げる".to_owned(),
        (How::Take, _) => format!("王手の{}を取る", name(detail.kind)),
        (_, Origin::Hand(_)) => "合駒で王手を防ぐ".to_owned(),
        (_, Origin::Board(_)) => "移動合いで王手を防ぐ".to_owned(),
    }
}

fn defends_king(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return "玉を支える".to_owned() };
    match detail.how {
        How::Leave => "攻められている玉を動かす".to_owned(),
        How::Take => format!("玉に迫る{}を取る", name(detail.kind)),
        How::Stop => "玉への利きを遮る".to_owned(),
        _ => format!("玉の周りの{}を守る", speaker.squares(details)),
    }
}

fn saves(how: How, pieces: &str) -> String {
    match how {
        How::Leave => format!("{pieces}を逃がす"),
        How::Guard => format!("{pieces}を守る"),
        How::Take => format!("{pieces}に当たる駒を取る"),
        _ => format!("{pieces}への利きを遮る"),
    }
}

fn closes(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let piece = speaker.piece(detail.kind, detail.square);
    let slider = name(speaker.kind_on(detail.other));
    match detail.how {
        How::Leave => format!("{slider}の陰の利きから{piece}を逃がす"),
        How::Guard => format!("{slider}の開き攻めに備えて{piece}を守る"),
        How::Take => format!("{slider}の{piece}への開き攻めを消す"),
        _ => format!("{slider}から{piece}への筋を止める"),
    }
}

fn keeps_from_promoting(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(detail) = details.first() else { return String::new() };
    match detail.how {
        How::Take => format!("成りを狙う{}を取る", name(detail.kind)),
        How::Stop => format!("{}に成られるのを防ぐ", speaker.squares(details)),
        _ => format!("{}への成り込みに備える", speaker.squares(details)),
    }
}

fn develops(speaker: &Speaker<'_>, mv: Move, details: &[Detail]) -> String {
    let phrases = details.iter().filter_map(|detail| {
        let [castle, assault] = speaker.aims.map(|aim| aim.map(|names| &*names.kanji));
        Some(match detail.how {
            How::Book => "定跡の手".to_owned(),
            How::Castle => format!("囲い（{}）を進める", castle?),
            How::Assault => format!("{}の攻めを整える", assault?),
            _ if is_edge_pawn(mv, detail) => "端歩を突く".to_owned(),
            _ => "プロによくある形".to_owned(),
        })
    });
    phrases.collect::<Vec<_>>().join("、")
}

fn pins(speaker: &Speaker<'_>, detail: &Detail) -> String {
    let piece = speaker.piece(detail.kind, detail.square);
    match speaker.kind_on(detail.other) {
        Some(kind) => format!("{piece}をピンする（後ろは{}）", piece_name(kind)),
        None => format!("{piece}をピンする"),
    }
}

fn keeps_from_developing(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let Some(first) = details.first() else { return String::new() };
    let enemy = player(!speaker.position.side_to_move(), Lang::Japanese);
    let what = if first.how == How::Take { "を先に占める" } else { "に利かす" };
    let same = details.iter().all(|detail| detail.kind == first.kind);
    let piece = if same { name(first.kind) } else { "駒" };
    format!("{enemy}が{piece}で狙う{}{what}", speaker.squares(details))
}

fn costs(speaker: &Speaker<'_>, details: &[Detail]) -> String {
    let phrases = [How::Offer, How::Abandon, How::Desert].into_iter().filter_map(|how| {
        let concerned = of(details, how);
        let first = concerned.first()?;
        Some(match how {
            How::Offer => format!("{}を取られる", name(first.kind)),
            How::Abandon => format!("{}が取られそう", speaker.pieces(concerned)),
            _ => format!("{}のひもが外れる", speaker.pieces(concerned)),
        })
    });
    phrases.collect::<Vec<_>>().join("、")
}

/// The moves of a generator, as a table calls them.
pub(super) const fn nouns(generator: Generator) -> &'static str {
    match generator {
        Generator::Capture => "駒を取る手",
        Generator::Promote => "成る手",
        Generator::Check => "王手",
        Generator::AttackKing => "玉に迫る手",
        Generator::AttackMaterial => "駒取り",
        Generator::DiscoveredAttack => "開き攻め",
        Generator::ThreatenPromotion => "成りの狙い",
        Generator::AnswerCheck => "王手の受け",
        Generator::DefendKing => "玉の守り",
        Generator::DefendMaterial => "駒の受け",
        Generator::DefendDiscovered => "開き攻めの受け",
        Generator::DefendPromotion => "成りの受け",
        Generator::DefendPin => "ピンの受け",
        Generator::EaseTie => "ひもを足す手",
        Generator::GuardUndefended => "浮き駒にひもをつける手",
        Generator::DefendExchange => "交換に備える手",
        Generator::CoverOwnCamp => "自陣を守る手",
        Generator::Develop => "駒組み",
        Generator::Pin => "ピン",
        Generator::CoverEnemyCamp => "敵陣に利かす手",
        Generator::AvoidDevelopment => "駒組みを妨げる手",
    }
}
