//! The conditions that a scan tries.

use anyhow::{Context as _, Result, anyhow};
use tesuji_eval::condition::Condition;
use tesuji_eval::{Feature, FeatureSet};

use super::marks::{each_alone, is_set};

/// The list that comes with the program.
const SHIPPED: &str = include_str!("../../../data/conditions.txt");

/// A condition for Black, and for White.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub(super) both: [Condition; 2],
}

impl Candidate {
    /// A condition that is written for Black.
    pub fn new(condition: Condition) -> Self {
        let mirrored = condition.mirrored();
        Self { both: [condition, mirrored] }
    }

    /// As it is written for Black.
    pub fn text(&self) -> &str {
        self.both[0].text()
    }

    /// Both conditions at once.
    pub fn and(&self, other: &Self) -> Result<Self> {
        let text = format!("({}) and ({})", self.text(), other.text());
        let condition = Condition::parse(&text).map_err(|error| anyhow!("{text}: {error}"))?;
        Ok(Self::new(condition))
    }
}

/// A candidate of a scan by its place, or two that must hold at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member([usize; 2]);

impl Member {
    /// One candidate.
    pub const fn single(place: usize) -> Self {
        Self([place; 2])
    }

    /// Two single ones at once.
    pub const fn pair(one: Self, other: Self) -> Self {
        Self([one.0[0], other.0[0]])
    }

    /// For whom it holds, by the candidates that hold for Black and for White: 1 Black alone, −1
    /// White alone, 0 both or none.
    #[inline]
    pub fn sign(self, [black, white]: [&[u64]; 2]) -> i32 {
        let Self([a, b]) = self;
        let of = |words: &[u64]| i32::from(is_set(words, a) & is_set(words, b));
        of(black) - of(white)
    }
}

/// Members that are counted together.
pub enum Lineup {
    /// All candidates, so many.
    All(usize),
    /// Some of them, and pairs.
    Some(Vec<Member>),
}

impl Lineup {
    /// How many there are.
    pub const fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(members) => members.len(),
        }
    }

    /// Those that hold for one player alone, and for whom: 1 Black, −1 White.
    pub fn held(&self, holds: [&[u64]; 2], held: &mut Vec<(usize, i32)>) {
        held.clear();
        match self {
            Self::All(_) => each_alone(holds, |place, sign| held.push((place, sign))),
            Self::Some(members) => {
                let signs = members.iter().map(|member| member.sign(holds)).enumerate();
                held.extend(signs.filter(|(_, sign)| *sign != 0));
            }
        }
    }
}

/// Reads a list: one condition a line; empty lines and those with `#` are left out.
pub fn read_list(name: &str, text: &str) -> Result<Vec<Candidate>> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let condition = Condition::parse(line);
            condition.map(Candidate::new).with_context(|| format!("{name}:{number}: {line}"))
        })
        .collect()
}

/// The list that comes with the program.
pub fn shipped() -> Result<Vec<Candidate>> {
    read_list("conditions.txt", SHIPPED)
}

/// The upper and the lower tenth of each feature, by its values in some positions, both players'.
pub fn tenths(set: &FeatureSet, rows: &[Vec<i16>]) -> Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (place, feature) in set.features().iter().enumerate() {
        let mut values: Vec<i16> = rows.iter().map(|row| row[place]).collect();
        values.sort_unstable();
        for text in tenth_texts(feature, &values) {
            let condition = Condition::parse(&text).map_err(|error| anyhow!("{text}: {error}"))?;
            candidates.push(Candidate::new(condition));
        }
    }
    Ok(candidates)
}

/// The conditions of the tenths, by sorted values. A tenth that has most of the positions, because
/// they all have the same value, is none.
fn tenth_texts(feature: &Feature, sorted: &[i16]) -> Vec<String> {
    let count = sorted.len();
    if count == 0 {
        return Vec::new();
    }
    let is_some = |share: usize| share > 0 && 2 * share <= count;
    // The highest value that a tenth has or exceeds; the next higher one where that is too many.
    let at = sorted[count - 1 - count / 10];
    let above = |least: i16| count - sorted.partition_point(|&value| value < least);
    let next = sorted.get(sorted.partition_point(|&value| value <= at)).copied();
    let upper = [Some(at), next].into_iter().flatten().find(|&least| is_some(above(least)));
    let at = sorted[count / 10];
    let below = |most: i16| sorted.partition_point(|&value| value <= most);
    let before = sorted.partition_point(|&value| value < at).checked_sub(1).map(|i| sorted[i]);
    let lower = [Some(at), before].into_iter().flatten().find(|&most| is_some(below(most)));
    let name = feature.name;
    let upper = upper.map(|least| format!("{name}(B) >= {least}"));
    upper.into_iter().chain(lower.map(|most| format!("{name}(B) <= {most}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_eval::condition::Facts;
    use tesuji_shogi::Position;

    #[test]
    fn the_shipped_list_is_read_and_each_has_two_sides() {
        let list = shipped().unwrap();
        assert!(list.len() > 100);
        for candidate in &list {
            assert_ne!(candidate.both[0].text(), candidate.both[1].text());
        }
        let error = read_list("my.txt", "# mine\nhand(B,rok) = 1\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("my.txt:2: hand(B,rok) = 1: "), "{error:#}");
    }

    #[test]
    fn a_condition_of_both_players_says_nothing() {
        let list = read_list("", "hand(B,pawn) >= 1\n").unwrap();
        for (hands, expected) in [("P", 1), ("p", -1), ("Pp", 0), ("-", 0)] {
            let sfen = format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1");
            let position = Position::from_sfen(&sfen).unwrap();
            let facts = Facts::new(&position);
            let holds = [0, 1].map(|player| [u64::from(list[0].both[player].holds(&facts))]);
            assert_eq!(Member::single(0).sign(holds.each_ref().map(|words| &words[..])), expected);
        }
    }

    #[test]
    fn tenths_leave_out_what_most_positions_have() {
        let set = FeatureSet::named("paper").unwrap();
        let feature = &set.features()[0];
        let name = feature.name;
        let texts = |values: &[i16]| tenth_texts(feature, values);
        let all: Vec<i16> = (0..100).collect();
        assert_eq!(texts(&all), [format!("{name}(B) >= 89"), format!("{name}(B) <= 10")]);
        // Mostly zero: those above it.
        let mut rare = vec![0; 97];
        rare.extend([1, 1, 2]);
        assert_eq!(texts(&rare), [format!("{name}(B) >= 1")]);
        assert!(texts(&[3; 50]).is_empty() && texts(&[]).is_empty());
    }
}
