//! The words of the format for pieces and for the ends of games; JKF uses the same.

use tesuji_shogi::{Color, EndReason, GameResult, Outcome, PieceKind, Square};

/// The two letters of a piece.
pub(crate) const fn piece_code(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::Gold => "KI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::Horse => "UM",
        PieceKind::Dragon => "RY",
    }
}

/// The piece with these two letters.
pub(crate) fn piece_kind(code: &[u8]) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|&kind| piece_code(kind).as_bytes() == code)
}

/// The square that two digits name, file first.
pub(super) fn square(file: u8, rank: u8) -> Option<Square> {
    Square::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'0'))
}

/// The player whose sign this is.
pub(super) const fn color(sign: u8) -> Option<Color> {
    match sign {
        b'+' => Some(Color::Black),
        b'-' => Some(Color::White),
        _ => None,
    }
}

/// The sign of a player.
pub(super) const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// What the name of an ending (without `%`) means when `side` is to move; `None` if it is unknown.
pub(crate) fn ending_result(name: &str, side: Color) -> Option<GameResult> {
    let loses = |reason| GameResult::win(!side, reason);
    Some(match name {
        "TORYO" => loses(EndReason::Resignation),
        "TSUMI" => loses(EndReason::Checkmate),
        "TIME_UP" => loses(EndReason::TimeUp),
        "ILLEGAL_MOVE" => loses(EndReason::IllegalMove),
        "+ILLEGAL_ACTION" => GameResult::win(Color::White, EndReason::IllegalMove),
        "-ILLEGAL_ACTION" => GameResult::win(Color::Black, EndReason::IllegalMove),
        "KACHI" => GameResult::win(side, EndReason::Declaration),
        "SENNICHITE" => GameResult::draw(EndReason::Repetition),
        "JISHOGI" | "HIKIWAKE" => GameResult::draw(EndReason::Impasse),
        "MAX_MOVES" => GameResult::draw(EndReason::MoveLimit),
        "CHUDAN" => GameResult { outcome: Outcome::Unknown, reason: EndReason::Interrupted },
        "FUZUMI" | "MATTA" | "ERROR" => GameResult::UNKNOWN,
        _ => return None,
    })
}

/// What the server of floodgate says of the end in its comment
/// `'summary:time up:black win:white lose`, given without `'summary:`. It tells ends that have no
/// statement of their own, and that a declaration was wrong. `None` if the text is none of this.
pub(super) fn summary_result(text: &str) -> Option<GameResult> {
    let (kind, players) = text.trim_end().split_once(':')?;
    let says = |black: &str, white: &str| players.contains(black) && players.ends_with(white);
    let outcome = if says(" win:", " lose") {
        Outcome::Win(Color::Black)
    } else if says(" lose:", " win") {
        Outcome::Win(Color::White)
    } else if says(" draw:", " draw") {
        Outcome::Draw
    } else {
        return None;
    };
    let reason = match kind {
        "toryo" => EndReason::Resignation,
        "time up" => EndReason::TimeUp,
        "kachi" => EndReason::Declaration,
        "illegal move" | "illegal kachi" | "uchifuzume" | "oute_kaihimore" | "outori" => {
            EndReason::IllegalMove
        }
        "sennichite" => EndReason::Repetition,
        "oute_sennichite" => EndReason::PerpetualCheck,
        "max_moves" => EndReason::MoveLimit,
        "jishogi" => EndReason::Impasse,
        _ => EndReason::Unknown,
    };
    Some(GameResult { outcome, reason })
}

/// The name (without `%`) for the end of a game in which `side` is to move; `None` if nothing is
/// known of the end.
///
/// The winner is always kept. A reason without a name becomes the nearest one that has the same
/// winner: when the loser is to move a resignation, otherwise a declaration. A draw by the move
/// limit is one by impasse: its own name came with version 3 of CSA, and JKF has only those of 2.2.
pub(crate) fn ending_name(result: GameResult, side: Color) -> Option<&'static str> {
    use EndReason::{
        Checkmate, IllegalMove, Impasse, Interrupted, MoveLimit, NoLegalMove, PerpetualCheck,
        Repetition, TimeUp,
    };
    Some(match (result.outcome, result.reason) {
        (Outcome::Win(winner), reason) if winner == side => match (reason, winner) {
            // The player who has just moved broke the rules.
            (IllegalMove | PerpetualCheck, Color::White) => "+ILLEGAL_ACTION",
            (IllegalMove | PerpetualCheck, Color::Black) => "-ILLEGAL_ACTION",
            _ => "KACHI",
        },
        (Outcome::Win(_), Checkmate | NoLegalMove) => "TSUMI",
        (Outcome::Win(_), TimeUp) => "TIME_UP",
        (Outcome::Win(_), IllegalMove | PerpetualCheck) => "ILLEGAL_MOVE",
        (Outcome::Win(_), _) => "TORYO",
        (Outcome::Draw, Repetition) => "SENNICHITE",
        (Outcome::Draw, Impasse | MoveLimit) => "JISHOGI",
        (Outcome::Draw, _) => "HIKIWAKE",
        (Outcome::Unknown, Interrupted) => "CHUDAN",
        (Outcome::Unknown, _) => return None,
    })
}
