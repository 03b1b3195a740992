//! The lines before the first move: headers, handicap, board diagram.

use tesuji_shogi::{Color, Hand, Handicap, Piece, Position, Square};

use super::diagram::{read_hand, read_rank};
use super::line::{is_arabic, leading_number};
use crate::japanese::{digit, number_name, player_name};
use crate::{Header, ParseError, ParseErrorKind};

/// Header names that the record model knows, the one to write first.
const KNOWN: [(&str, &str); 10] = [
    (Header::BLACK, "先手"),
    (Header::BLACK, "下手"),
    (Header::WHITE, "後手"),
    (Header::WHITE, "上手"),
    (Header::STARTED, "開始日時"),
    (Header::ENDED, "終了日時"),
    (Header::EVENT, "棋戦"),
    (Header::SITE, "場所"),
    (Header::TIME_LIMIT, "持ち時間"),
    (Header::OPENING, "戦型"),
];

/// The day of the game. It is the start where no other header tells it.
const DAY: &str = "対局日";

/// What a program writes of the board that it showed, not of the game.
const BOARD_TURNED: &str = "盤面回転";

/// Starts that have a name but are not among the usual handicaps. Lishogi gives no diagram of them.
const NAMED_STARTS: [(&str, &str); 13] = [
    ("歩三兵", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"),
    ("裸玉", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("トンボ", "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("トンボ＋香", "l3k3l/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("香得", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w L 1"),
    ("角得", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w B 1"),
    ("飛車得", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w R 1"),
    ("飛香得", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RL 1"),
    ("二枚得", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB 1"),
    ("四枚得", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2L 1"),
    ("六枚得", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2N2L 1"),
    ("八枚得", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2S2N2L 1"),
];

/// What the lines before the first move have said so far.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) headers: Vec<Header>,
    handicap: Option<String>,
    ranks: Vec<[Option<Piece>; 9]>,
    hands: [Option<Hand>; 2],
    side: Option<Color>,
    /// How many moves were played before the diagram.
    played: u16,
    /// The line to blame if the start position is impossible.
    position_line: usize,
}

impl Head {
    /// Takes a line that is neither empty nor a comment nor a move.
    pub(crate) fn take(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        // A stray carriage return could not be written again.
        let line = line.replace('\r', " ");
        let line = line.trim();
        if line.starts_with('|') {
            return self.take_rank(number, line);
        }
        if is_ruling(line) || line == BOARD_TURNED {
            return Ok(());
        }
        if let Some(side) = side_to_move(line) {
            self.side = Some(side);
            self.blame(number);
            return Ok(());
        }
        if let Some(count) =
            line.strip_prefix("手数").and_then(|text| text.strip_prefix(['＝', '=']))
        {
            self.played = leading_number(count)
                .and_then(|(count, _)| u16::try_from(count).ok())
                .filter(|&count| count < u16::MAX)
                .ok_or_else(|| unexpected("a number of moves", line).at(number))?;
            return Ok(());
        }
        let (key, value) = line
            .split_once(['：', ':'])
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| unexpected("a header, a comment or a move", line).at(number))?;
        self.take_header(number, key, value)
    }

    /// If the start position is impossible, the diagram is where to look, or else the last line
    /// that had to do with it.
    fn blame(&mut self, number: usize) {
        if self.ranks.is_empty() {
            self.position_line = number;
        }
    }

    fn take_rank(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        self.blame(number);
        if self.ranks.len() == 9 {
            return Err(unexpected("a diagram of nine ranks", line).at(number));
        }
        let rank = read_rank(line)
            .ok_or_else(|| unexpected("a rank of a board diagram", line).at(number))?;
        self.ranks.push(rank);
        Ok(())
    }

    fn take_header(&mut self, number: usize, key: &str, value: &str) -> Result<(), ParseError> {
        if key == "手合割" {
            self.handicap = Some(value.into()).filter(|name: &String| !name.is_empty());
            self.blame(number);
        } else if let Some(color) = owner_of_hand(key) {
            let hand =
                read_hand(value).ok_or_else(|| unexpected("pieces in hand", value).at(number))?;
            self.hands[color.index()] = Some(hand);
            self.blame(number);
        } else if let Some((black, white)) = both_players(key, value) {
            self.take_header(number, "先手", black)?;
            self.take_header(number, "後手", white)?;
        } else if !value.is_empty() {
            let known = KNOWN.iter().find(|&&(_, name)| name == key);
            let key = known.map_or(key, |&(key, _)| key);
            self.headers.push(Header { key: key.into(), value: value.into() });
        }
        Ok(())
    }

    /// Has no line said anything of the start position?
    pub(super) fn says_nothing(&self) -> bool {
        self.position_line == 0 && self.played == 0
    }

    /// The position before the first move.
    pub(crate) fn start(&self) -> Result<Position, ParseError> {
        let line = self.position_line.max(1);
        let bad = |what: String| ParseErrorKind::BadPosition(what).at(line);
        let hands = self.hands.map(Option::unwrap_or_default);
        if !self.ranks.is_empty() {
            if self.ranks.len() < 9 {
                return Err(
                    ParseErrorKind::Truncated { expected: "a diagram of nine ranks" }.at(line)
                );
            }
            let named = self.handicap.as_deref().and_then(handicap_named);
            return self.diagram(hands, named).map_err(|error| bad(error.to_string()));
        }
        if hands.iter().any(|hand| !hand.is_empty()) {
            return Err(bad("pieces in hand, but no board diagram".into()));
        }
        let start = match self.handicap.as_deref() {
            None => Handicap::Even.position(),
            Some(name) => handicap_start(name)
                .ok_or_else(|| bad(format!("the handicap {name:?} needs a board diagram")))?,
        };
        match self.side {
            Some(side) if side != start.side_to_move() => {
                Position::from_parts(start.pieces(), hands, side, 1)
                    .map_err(|error| bad(error.to_string()))
            }
            _ => Ok(start),
        }
    }

    fn diagram(
        &self,
        hands: [Hand; 2],
        handicap: Option<Handicap>,
    ) -> Result<Position, tesuji_shogi::PositionError> {
        let pieces = || {
            self.ranks.iter().zip(1_u8..).flat_map(|(rank, number)| {
                rank.iter()
                    .zip((1..=9_u8).rev())
                    .filter_map(move |(piece, file)| Some((Square::new(file, number)?, (*piece)?)))
            })
        };
        let build = |side: Color| {
            Position::from_parts(pieces(), hands, side, self.played.saturating_add(1))
        };
        // Some programs draw the diagram of a handicap start and leave out that White begins.
        if self.side.is_none()
            && let Some(handicap) = handicap
            && let Ok(position) = build(handicap.position().side_to_move())
            && handicap.position().same_position(&position)
        {
            return Ok(position);
        }
        build(self.side.unwrap_or(Color::Black))
    }
}

/// The name of a header in these formats.
pub(super) fn header_name(key: &str, handicap: bool) -> &str {
    match key {
        Header::BLACK => player_name(Color::Black, handicap),
        Header::WHITE => player_name(Color::White, handicap),
        _ => KNOWN.iter().find(|&&(known, _)| known == key).map_or(key, |&(_, name)| name),
    }
}

fn unexpected(expected: &'static str, found: &str) -> ParseErrorKind {
    ParseErrorKind::Unexpected { expected, found: found.into() }
}

/// The frame of the diagram.
fn is_ruling(line: &str) -> bool {
    line.starts_with("+-") || line.chars().all(|c| is_arabic(c) || c.is_whitespace())
}

fn side_to_move(line: &str) -> Option<Color> {
    match line {
        "先手番" | "下手番" => Some(Color::Black),
        "後手番" | "上手番" => Some(Color::White),
        _ => None,
    }
}

fn owner_of_hand(key: &str) -> Option<Color> {
    let player = key.strip_suffix("持駒").or_else(|| key.strip_suffix("持ち駒"))?;
    let player = player.strip_suffix('の').unwrap_or(player);
    Color::ALL
        .into_iter()
        .find(|&color| player == player_name(color, false) || player == player_name(color, true))
}

/// The names of `先手: A / 後手: B`, as Gekisashi writes both on one line.
fn both_players<'a>(key: &str, value: &'a str) -> Option<(&'a str, &'a str)> {
    let (black, rest) = value.split_once(" / ").filter(|_| key == "先手")?;
    let white = rest.strip_prefix("後手")?.trim_start().strip_prefix(['：', ':'])?;
    Some((black.trim(), white.trim()))
}

/// Makes the day of the game its start, if no header gives the start more exactly.
pub(crate) fn settle_start_date(headers: &mut [Header]) {
    let is_started = |header: &Header| header.key == Header::STARTED;
    if !headers.iter().any(is_started)
        && let Some(day) = headers.iter_mut().find(|header| header.key == DAY)
    {
        day.key = Header::STARTED.into();
    }
}

/// The start position that a handicap's name means.
pub(crate) fn handicap_start(name: &str) -> Option<Position> {
    if let Some(handicap) = handicap_named(name) {
        return Some(handicap.position());
    }
    let (_, sfen) = NAMED_STARTS.into_iter().find(|&(known, _)| known == name.trim())?;
    Position::from_sfen(sfen).ok()
}

/// The handicap with this name, also as `2枚落ち`, `二枚落` or `飛落ち`.
fn handicap_named(name: &str) -> Option<Handicap> {
    let name: String = name
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match digit(c) {
            Some(digit @ 1..=9) => number_name(digit),
            _ => c.to_string(),
        })
        .collect();
    let name = format!("{}ち", name.trim_end_matches('ち'));
    match name.as_str() {
        "平手ち" => Some(Handicap::Even),
        "左香落ち" => Some(Handicap::Lance),
        "飛落ち" => Some(Handicap::Rook),
        "飛車香落ち" => Some(Handicap::RookLance),
        _ => Handicap::from_japanese(&name),
    }
}
