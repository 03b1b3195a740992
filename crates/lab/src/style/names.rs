//! Names of players: the same person in several spellings, and names that are like one.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use strsim::levenshtein;
use tesuji_records::{GameRecord, Header};
use tesuji_report::number;

/// How many names are told of when one is not there.
const NEAREST: usize = 4;

/// Ranks and titles that stand behind a Japanese name, or before it.
const TITLES: [&str; 34] = [
    "竜王",
    "名人",
    "王位",
    "王座",
    "棋王",
    "棋聖",
    "王将",
    "叡王",
    "十段",
    "女王",
    "白玲",
    "清麗",
    "女流名人",
    "女流王座",
    "女流王位",
    "女流王将",
    "倉敷藤花",
    "永世名人",
    "永世棋聖",
    "永世王将",
    "永世王位",
    "永世竜王",
    "名誉王座",
    "名誉nhk杯",
    "実力制第四代名人",
    "奨励会員",
    "アマ",
    "女流",
    "先生",
    "さん",
    "氏",
    "プロ",
    "ｊｔ杯覇者",
    "jt杯覇者",
];
/// Words that count something behind a number: dan, kyu, crowns, the number of a Meijin.
const COUNTED: [&str; 5] = ["段", "級", "冠", "世名人", "代名人"];
const NUMBERS: &str = "〇一二三四五六七八九十初0123456789０１２３４５６７８９";
/// Titles and ranks in Latin letters.
const LATIN: [&str; 18] = [
    "meijin", "ryuo", "ryu-o", "oi", "oza", "kio", "kisei", "osho", "eio", "judan", "dan", "kyu",
    "lifetime", "honorary", "amateur", "lady", "ladies", "pro",
];

/// All names of some games, each with a number.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    numbers: BTreeMap<String, usize>,
    names: Vec<String>,
    /// How many games each name has.
    games: Vec<usize>,
}

impl Roster {
    /// The numbers of the players of a game, Black's first; the game counts for both.
    pub fn add(&mut self, record: &GameRecord) -> [usize; 2] {
        let players = [Header::BLACK, Header::WHITE]
            .map(|key| self.number(record.header(key).unwrap_or_default().trim()));
        self.games[players[0]] += 1;
        self.games[players[1]] += usize::from(players[0] != players[1]);
        players
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.games.push(0);
        self.names.len() - 1
    }

    /// A name.
    pub fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    /// How many games a name has.
    pub fn games(&self, number: usize) -> usize {
        self.games[number]
    }

    /// The numbers of all spellings of a player, who is wanted by these names.
    pub fn spellings(&self, player: &[String]) -> Result<Vec<usize>> {
        let keys: Vec<String> = self.names.iter().map(|name| person(name)).collect();
        let mut found = Vec::new();
        for wanted in player {
            let key = person(wanted);
            let before = found.len();
            found.extend((0..keys.len()).filter(|&i| !self.names[i].is_empty() && keys[i] == key));
            if found.len() == before {
                bail!("{}", self.stranger(wanted));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// That somebody has no games, and who is meant perhaps.
    fn stranger(&self, wanted: &str) -> String {
        let people = self.people();
        let near = nearest(wanted, people.iter().map(|&number| self.name(number)), NEAREST);
        let near: Vec<String> =
            near.into_iter().map(|name| self.with_games(self.numbers[name])).collect();
        match &near[..] {
            [] => format!("no games of {wanted:?} in the files, and no name like it"),
            near => format!("no games of {wanted:?}; the nearest names: {}", near.join(", ")),
        }
    }

    /// The names with the most games, those with most first.
    pub fn most(&self, count: usize) -> Vec<String> {
        let mut people = self.people();
        people.sort_by_key(|&number| std::cmp::Reverse(self.games[number]));
        people.into_iter().take(count).map(|number| self.with_games(number)).collect()
    }

    /// One name for each person, that of most games.
    fn people(&self) -> Vec<usize> {
        let mut people: BTreeMap<String, usize> = BTreeMap::new();
        for number in (0..self.names.len()).filter(|&number| !self.names[number].is_empty()) {
            let best = people.entry(person(&self.names[number])).or_insert(number);
            if self.games[number] > self.games[*best] {
                *best = number;
            }
        }
        people.into_values().collect()
    }

    fn with_games(&self, number: usize) -> String {
        let games = number::counted(self.games[number] as u64, "game");
        format!("{} ({games})", self.names[number])
    }
}

/// What tells a person apart: the name without titles and ranks, without capitals, and in Latin
/// letters with its parts in alphabetical order.
pub fn person(name: &str) -> String {
    let whole = plain(name);
    let mut parts: Vec<&str> =
        whole.split_whitespace().filter(|part| !is_title(part)).map(untitled).collect();
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() {
        // Nothing but a title: it has to do.
        parts = whole.split_whitespace().collect();
    }
    if parts.iter().all(|part| part.is_ascii()) {
        parts.sort_unstable();
        parts.join(" ")
    } else {
        parts.concat()
    }
}

/// Small letters, no brackets and what is in them, and nothing but spaces between parts.
fn plain(name: &str) -> String {
    let mut depth = 0;
    let mut plain = String::with_capacity(name.len());
    for character in name.to_lowercase().chars() {
        match character {
            '(' | '[' | '（' | '［' | '<' | '【' => depth += 1,
            ')' | ']' | '）' | '］' | '>' | '】' => depth = (depth - 1).max(0),
            _ if depth > 0 => {}
            ',' | '.' | '・' | '_' | '、' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    if plain.trim().is_empty() { name.to_lowercase() } else { plain }
}

fn is_title(part: &str) -> bool {
    let latin = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.trim_start_matches("th").trim_start_matches('-');
        LATIN.contains(&part)
            || (rest.len() < part.len() && ["", "dan", "kyu", "d", "k", "p"].contains(&rest))
    };
    latin(part) || untitled(part).is_empty()
}

/// The part without the titles and ranks at its end, each time the longest that fits.
fn untitled(part: &str) -> &str {
    let mut left = part;
    loop {
        let titles = TITLES.iter().filter_map(|title| left.strip_suffix(title));
        let counted = COUNTED.iter().filter_map(|word| uncounted(left.strip_suffix(word)?, word));
        match titles.chain(counted).min_by_key(|name| name.len()) {
            Some(shorter) => left = shorter,
            None => return left,
        }
    }
}

/// The part before a number of dan and the like, if one is there. A rank is one number, and what is
/// before it belongs to the name: 加藤一二三九段 is Kato Hifumi.
fn uncounted<'a>(before: &'a str, word: &str) -> Option<&'a str> {
    let is_number = |c: char| NUMBERS.contains(c);
    let is_digit = |c: char| c.is_numeric() && !"〇一二三四五六七八九十".contains(c);
    let whole =
        before.trim_end_matches(
            |c: char| {
                if word.ends_with("名人") { is_number(c) } else { is_digit(c) }
            },
        );
    let name = if whole.len() < before.len() { whole } else { before.strip_suffix(is_number)? };
    (name.len() < before.len()).then_some(name)
}

/// The names most like a given one, the likest first.
pub fn nearest<'a>(
    wanted: &str,
    names: impl Iterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let key = person(wanted);
    let mut found: Vec<(usize, &str)> =
        names.map(|name| (unlikeness(&key, &person(name)), name)).collect();
    found.sort();
    // Who shares hardly a letter is not worth naming.
    let bound = (key.chars().count() / 2).max(1);
    found.retain(|&(distance, _)| distance <= bound);
    found.into_iter().take(most).map(|(_, name)| name).collect()
}

/// How unlike a name is: letters to change in it, or in the part of it that is most like.
fn unlikeness(key: &str, name: &str) -> usize {
    // A part alone is a little less than the whole name.
    let parts = name.split_whitespace().map(|part| levenshtein(key, part) + 1);
    let best = parts.fold(levenshtein(key, name), usize::min);
    let is_part = key.chars().count() >= 2 && key.len() < name.len() && name.contains(key);
    if is_part { best.min(1) } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_person() {
        for spelling in
            ["Yoshiharu Habu", "HABU YOSHIHARU", "Habu, Yoshiharu", "Habu Yoshiharu 9-dan"]
        {
            assert_eq!(person(spelling), "habu yoshiharu", "{spelling}");
        }
        for spelling in [
            "羽生善治",
            "羽生善治 九段",
            "羽生善治三冠",
            "羽生善治 竜王・名人",
            "羽生　善治 十九世名人",
            "竜王 羽生善治",
        ] {
            assert_eq!(person(spelling), "羽生善治", "{spelling}");
        }
        assert_eq!(person("渡辺　明 竜王"), person("渡辺明"));
        assert_eq!(person("西山朋佳女流三冠"), "西山朋佳");
        for spelling in ["加藤一二三", "加藤 一二三九段", "加藤一二三 9段", "加藤　一二三 九段"]
        {
            assert_eq!(person(spelling), "加藤一二三", "{spelling}");
        }
        assert_eq!(person("amaidel[4D]"), person("Amaidel[10K]"));
        assert_ne!(person("佐藤康光"), person("佐藤天彦"));
        assert_eq!(person("名人"), "名人", "a name of nothing but a title stays");
        assert_eq!(person("[4D]"), "[4d]");
        assert_eq!(person("bot9000"), "bot9000");
    }

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["Yoshiharu Habu", "Sota Fujii", "Takeshi Fujii", "羽生善治", "Akira Watanabe"];
        let near = |wanted| nearest(wanted, names.into_iter(), 3);
        assert_eq!(near("Yoshiharo Habu")[0], "Yoshiharu Habu");
        assert_eq!(near("Habu")[0], "Yoshiharu Habu");
        assert_eq!(near("Souta Fuji")[0], "Sota Fujii");
        assert_eq!(near("羽生"), ["羽生善治"]);
        assert_eq!(near("Habu"), ["Yoshiharu Habu"]);
        assert!(near("Zzyzx Qqqq").is_empty());
    }
}
