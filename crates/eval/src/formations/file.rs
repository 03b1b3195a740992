//! The file of formations: TOML, read with everything that can be wrong in it named by its line.

use std::collections::HashMap;

use serde::Deserialize;
use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square};
use thiserror::Error;
use toml::Spanned;

use super::Formations;
use super::definition::{
    Assault, Castle, FirstRule, Names, Placed, RookStyle, Shape, Side, Strategy, SwapRule,
};
use super::pattern::{Pattern, PatternText, parse_letter};

/// Definitions that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct FormationsError {
    /// The line of the definition, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    castle: Vec<Spanned<CastleText>>,
    #[serde(default)]
    assault: Vec<Spanned<AssaultText>>,
    #[serde(default)]
    strategy: Vec<Spanned<StrategyText>>,
    #[serde(default)]
    swap: Vec<Spanned<SwapText>>,
    #[serde(default)]
    first: Vec<Spanned<FirstText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CastleText {
    id: String,
    name: String,
    romaji: String,
    kanji: String,
    #[serde(default)]
    aliases: Vec<String>,
    family: Option<String>,
    side: String,
    rook: String,
    against: String,
    squares: String,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    under_way: Vec<String>,
    #[serde(default)]
    grows_into: Vec<String>,
    #[serde(default)]
    assaults: Vec<String>,
    #[serde(default)]
    maps: HashMap<String, String>,
    #[serde(default)]
    counted: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssaultText {
    id: String,
    name: String,
    romaji: String,
    kanji: String,
    #[serde(default)]
    aliases: Vec<String>,
    rook: String,
    against: String,
    #[serde(default)]
    enemy: String,
    #[serde(default)]
    hand: String,
    targets: Vec<String>,
    squares: String,
    #[serde(default)]
    variants: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrategyText {
    id: String,
    name: String,
    romaji: String,
    kanji: String,
    #[serde(default)]
    aliases: Vec<String>,
    rook: String,
    #[serde(default)]
    own: String,
    #[serde(default)]
    enemy: String,
    #[serde(default)]
    empty: String,
    #[serde(default)]
    hand: String,
    #[serde(default)]
    enemy_hand: String,
    until: Option<u16>,
    #[serde(default)]
    just_moved: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwapText {
    from: Vec<String>,
    to: String,
    #[serde(default)]
    own: String,
    #[serde(default)]
    enemy: String,
    #[serde(default)]
    empty: String,
    #[serde(default)]
    hand: String,
    #[serde(default)]
    enemy_hand: String,
    until: Option<u16>,
    #[serde(default)]
    just_moved: bool,
    why: String,
    why_ja: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstText {
    rook: String,
    against: String,
    #[serde(default)]
    own: String,
    #[serde(default)]
    enemy: String,
    #[serde(default)]
    empty: String,
    #[serde(default)]
    hand: String,
    #[serde(default)]
    enemy_hand: String,
    until: Option<u16>,
    #[serde(default)]
    just_moved: bool,
    castles: Vec<String>,
    why: String,
    why_ja: String,
}

/// The pattern among the fields of a text.
macro_rules! pattern {
    ($text:expr) => {
        Pattern::parse(PatternText {
            own: &$text.own,
            enemy: &$text.enemy,
            empty: &$text.empty,
            hand: &$text.hand,
            enemy_hand: &$text.enemy_hand,
            until: $text.until,
            just_moved: $text.just_moved,
        })
    };
}

/// The names among the fields of a text.
macro_rules! names {
    ($text:expr) => {
        Names {
            id: $text.id.clone(),
            name: $text.name.clone(),
            romaji: $text.romaji.clone(),
            kanji: $text.kanji.clone(),
            aliases: $text.aliases.clone(),
        }
    };
}

impl Formations {
    /// Reads definitions.
    pub fn parse(text: &str) -> Result<Self, FormationsError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            FormationsError { line, problem: error.message().trim().replace('\n', "; ") }
        })?;
        let reader = Reader::new(text, &file)?;
        let castles = reader.each(&file.castle, |castle| reader.castle(castle))?;
        if castles.is_empty() {
            return Err(FormationsError { line: 1, problem: "no castle is defined".into() });
        }
        Ok(Self {
            castles,
            assaults: reader.each(&file.assault, |assault| reader.assault(assault))?,
            strategies: reader.each(&file.strategy, read_strategy)?,
            swaps: reader.each(&file.swap, |swap| reader.swap(swap))?,
            first: reader.each(&file.first, |first| reader.first(first))?,
        })
    }
}

/// The line of a byte, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
}

/// What is needed while definitions are read: the text for the lines, ids for the references.
struct Reader<'a> {
    text: &'a str,
    castles: HashMap<&'a str, usize>,
    assaults: HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    /// Notes the ids; no two are the same.
    fn new(text: &'a str, file: &'a File) -> Result<Self, FormationsError> {
        let castles = file.castle.iter().map(|castle| (&*castle.get_ref().id, castle.span()));
        let assaults = file.assault.iter().map(|assault| (&*assault.get_ref().id, assault.span()));
        let strategies = file.strategy.iter().map(|one| (&*one.get_ref().id, one.span()));
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (id, span) in castles.clone().chain(assaults.clone()).chain(strategies) {
            let line = line_of(text, span.start);
            let wrong = |problem: String| Err(FormationsError { line, problem });
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if id.is_empty() || !id.chars().all(plain) {
                return wrong(format!("{id:?}: expected an id of a-z, 0-9 and _"));
            }
            if let Some(first) = known.insert(id, line) {
                return wrong(format!("{id}: already defined in line {first}"));
            }
        }
        let places = |ids: &mut dyn Iterator<Item = &'a str>| ids.zip(0..).collect();
        Ok(Self {
            text,
            castles: places(&mut castles.map(|(id, _)| id)),
            assaults: places(&mut assaults.map(|(id, _)| id)),
        })
    }

    /// Reads definitions of one sort; an error gets the line.
    fn each<T, U>(
        &self,
        texts: &[Spanned<T>],
        read: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<U>, FormationsError> {
        let with_line = |text: &Spanned<T>| {
            read(text.get_ref()).map_err(|problem| FormationsError {
                line: line_of(self.text, text.span().start),
                problem,
            })
        };
        texts.iter().map(with_line).collect()
    }

    fn castle(&self, text: &CastleText) -> Result<Castle, String> {
        let named = |problem: String| format!("{}: {problem}", text.id);
        let shapes = self.shapes(&text.squares, &text.variants, Kings::One).map_err(named)?;
        let under_way = text.under_way.iter().map(|text| parse_shape(text, Kings::One));
        let side = one_of(&text.side, &Side::ALL.map(Side::name)).map_err(named)?;
        let castle = Castle {
            names: names!(text),
            family: text.family.clone().unwrap_or_else(|| text.name.clone()),
            side: Side::ALL[side],
            rook: rook_style(&text.rook).map_err(named)?,
            against: rook_style(&text.against).map_err(named)?,
            shapes,
            under_way: under_way.collect::<Result<_, _>>().map_err(named)?,
            grows_into: find_all(&self.castles, &text.grows_into, "castle").map_err(named)?,
            assaults: find_all(&self.assaults, &text.assaults, "assault").map_err(named)?,
            maps: parse_maps(&text.maps).map_err(named)?,
            counted: text.counted,
        };
        check_names(&castle.names)?;
        if Side::of(castle.king()) != castle.side {
            let side = Side::of(castle.king()).name();
            return Err(named(format!("its king on {} is on the {side} side", castle.king())));
        }
        Ok(castle)
    }

    fn assault(&self, text: &AssaultText) -> Result<Assault, String> {
        let named = |problem: String| format!("{}: {problem}", text.id);
        let any = matches!(&text.targets[..], [any] if any == "any");
        let targets = || find_all(&self.castles, &text.targets, "castle").map_err(named);
        let pattern =
            PatternText { enemy: &text.enemy, hand: &text.hand, ..PatternText::default() };
        let assault = Assault {
            names: names!(text),
            rook: rook_style(&text.rook).map_err(named)?,
            against: rook_style(&text.against).map_err(named)?,
            pattern: Pattern::parse(pattern).map_err(named)?,
            targets: if any { None } else { Some(targets()?) },
            shapes: self.shapes(&text.squares, &text.variants, Kings::None).map_err(named)?,
        };
        check_names(&assault.names)?;
        Ok(assault)
    }

    fn swap(&self, text: &SwapText) -> Result<SwapRule, String> {
        let named = |problem: String| format!("swap rule to {}: {problem}", text.to);
        let to = find_all(&self.castles, std::slice::from_ref(&text.to), "castle");
        Ok(SwapRule {
            from: find_all(&self.castles, &text.from, "castle").map_err(named)?,
            to: to.map_err(named)?[0],
            pattern: pattern!(text).map_err(named)?,
            why: [text.why.clone(), text.why_ja.clone()],
        })
    }

    fn first(&self, text: &FirstText) -> Result<FirstRule, String> {
        let named = |problem: String| format!("rule for the first moves: {problem}");
        if text.castles.is_empty() {
            return Err(named("expected at least one castle".into()));
        }
        Ok(FirstRule {
            rook: rook_style(&text.rook).map_err(named)?,
            against: rook_style(&text.against).map_err(named)?,
            pattern: pattern!(text).map_err(named)?,
            castles: find_all(&self.castles, &text.castles, "castle").map_err(named)?,
            why: [text.why.clone(), text.why_ja.clone()],
        })
    }

    fn shapes(&self, main: &str, variants: &[String], kings: Kings) -> Result<Vec<Shape>, String> {
        let all = std::iter::once(main).chain(variants.iter().map(|text| &**text));
        all.map(|text| parse_shape(text, kings)).collect()
    }
}

fn read_strategy(text: &StrategyText) -> Result<Strategy, String> {
    let named = |problem: String| format!("{}: {problem}", text.id);
    let rook = rook_style(&text.rook).map_err(named)?;
    let pattern = pattern!(text).map_err(named)?;
    let is_start = pattern.holds(&Position::startpos(), Color::Black);
    let strategy = Strategy { names: names!(text), rook, pattern, is_start };
    check_names(&strategy.names)?;
    Ok(strategy)
}

fn check_names(names: &Names) -> Result<(), String> {
    let missing = [("name", &names.name), ("romaji", &names.romaji), ("kanji", &names.kanji)];
    match missing.iter().find(|(_, name)| name.trim().is_empty()) {
        Some((field, _)) => Err(format!("{}: its {field} is empty", names.id)),
        None => Ok(()),
    }
}

/// The place of a word among those that are allowed.
fn one_of(word: &str, known: &[&str]) -> Result<usize, String> {
    let place = known.iter().position(|known| *known == word);
    place.ok_or_else(|| format!("expected {}, found {word:?}", known.join(", ")))
}

fn rook_style(word: &str) -> Result<Option<RookStyle>, String> {
    let place = one_of(word, &["static", "ranging", "any"])?;
    Ok(RookStyle::ALL.get(place).copied())
}

/// The places of definitions by their ids.
fn find_all(
    known: &HashMap<&str, usize>,
    ids: &[String],
    what: &str,
) -> Result<Vec<usize>, String> {
    ids.iter()
        .map(|id| known.get(&**id).copied().ok_or_else(|| format!("there is no {what} {id:?}")))
        .collect()
}

/// How many kings belong to a shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kings {
    One,
    None,
}

/// Pieces and squares, `K2h G4i G5h`: what one player can have, each on a square of its own.
fn parse_shape(text: &str, kings: Kings) -> Result<Shape, String> {
    let pieces: Vec<Placed> = text.split_whitespace().map(parse_piece).collect::<Result<_, _>>()?;
    let mut taken = Bitboard::EMPTY;
    let mut counts = [0_u8; PieceKind::COUNT];
    let mut pawn_files = [false; 10];
    for &(kind, square) in &pieces {
        if taken.contains(square) {
            return Err(format!("two pieces on {square}"));
        }
        taken |= Bitboard::of(square);
        counts[kind.index()] += 1;
        let file = &mut pawn_files[usize::from(square.file())];
        if kind == PieceKind::Pawn && std::mem::replace(file, true) {
            return Err(format!("two pawns on file {}", square.file()));
        }
        if square.rank() <= kind.dead_ranks() {
            return Err(format!("a {} on {square} could never move", kind.english()));
        }
    }
    match (kings, counts[PieceKind::King.index()]) {
        (Kings::One, 0) => return Err("it has no king".into()),
        (Kings::One, 1) | (Kings::None, 0) => {}
        (Kings::One, _) => return Err("it has two kings".into()),
        (Kings::None, _) => return Err("an assault has no king".into()),
    }
    if pieces.len() < 2 {
        return Err("it has fewer than two pieces".into());
    }
    for kind in PieceKind::ALL {
        // Half of the set is one player's; more could only be dropped.
        let most = kind.set_count() / 2;
        let count = counts[kind.index()];
        if count > most {
            return Err(format!("{count} of a kind ({}): a player has {most}", kind.english()));
        }
    }
    Ok(Shape::new(pieces))
}

fn parse_piece(token: &str) -> Result<Placed, String> {
    let (kind, square) = parse_letter(token)?;
    let error = |_| format!("expected a piece and its square such as G7h, found {token:?}");
    let square = square.parse().map_err(error)?;
    if kind.is_promoted() {
        return Err(format!("{token}: a kind without a map; promoted pieces share another's"));
    }
    Ok((kind, square))
}

/// Maps that the file gives itself: nine lines of nine numbers, ranks a to i, files 9 to 1.
fn parse_maps(
    texts: &HashMap<String, String>,
) -> Result<Vec<(PieceKind, [i8; Square::COUNT])>, String> {
    let mut maps = Vec::new();
    for (name, text) in texts {
        let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
        let Some(kind) = plain.clone().find(|kind| kind.english() == name) else {
            let names: Vec<&str> = plain.map(PieceKind::english).collect();
            let known = names.join(", ");
            return Err(format!("{name:?}: a kind without a map; there are maps for {known}"));
        };
        maps.push((
            kind,
            parse_map(text).map_err(|problem| format!("map of the {name}: {problem}"))?,
        ));
    }
    maps.sort_by_key(|(kind, _)| kind.index());
    Ok(maps)
}

pub(super) fn parse_map(text: &str) -> Result<[i8; Square::COUNT], String> {
    let numbers: Vec<i8> = text
        .split_whitespace()
        .map(|word| {
            word.parse().map_err(|_| format!("expected a number from -128 to 127, found {word:?}"))
        })
        .collect::<Result<_, _>>()?;
    if numbers.len() != Square::COUNT {
        return Err(format!("expected 81 numbers, found {}", numbers.len()));
    }
    let mut map = [0; Square::COUNT];
    for (number, value) in numbers.into_iter().enumerate() {
        let (rank, file) = (number / 9 + 1, 9 - number % 9);
        let square = Square::new(file as u8, rank as u8).expect("nine ranks of nine files");
        map[square.index()] = value;
    }
    Ok(map)
}
