//! Features with their effects, one below the other, as text.

use tesuji_eval::{Change, Feature, Term, Weights};
use tesuji_report::number::counted;
use tesuji_shogi::{Bitboard, Color};

/// The widest line of sentences, without the indentation.
const WIDTH: usize = 84;
/// Longer lists of squares are told by their number, and not drawn on the board.
const LISTED_SQUARES: u32 = 12;
/// How many features are drawn on the board.
const DRAWN_ROWS: usize = 3;
/// The indentation of what belongs to a row.
pub const INDENT: &str = "            ";

/// A feature with its values in several views or positions.
pub struct Row<'a> {
    feature: &'a Feature,
    weight: i32,
    effect: i32,
    /// One value for each label of the table.
    values: Vec<i32>,
    /// Squares that belong to the row, with a word for each set.
    squares: Vec<(String, Bitboard)>,
}

/// Rows and what their values are called.
pub struct Table<'a> {
    labels: Vec<String>,
    pub rows: Vec<Row<'a>>,
}

/// `Black` or `White`.
pub const fn player_name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

impl<'a> Table<'a> {
    /// Both views, Black's first, by how much each feature speaks for Black.
    pub fn of_both(terms: &[Term<'a>]) -> Self {
        let labels = Color::ALL.map(|color| player_name(color).to_owned());
        let row = |term: &Term<'a>| {
            let [black, white] = labels.clone();
            let squares = if term.own_squares == term.enemy_squares {
                vec![(String::new(), term.own_squares)]
            } else {
                vec![(black, term.own_squares), (white, term.enemy_squares)]
            };
            Row {
                feature: term.feature,
                weight: term.weight,
                effect: term.effect(),
                values: vec![term.own_value, term.enemy_value],
                squares,
            }
        };
        Self::new(Vec::from(labels.clone()), terms.iter().map(row))
    }

    /// The view of one player, by what each feature contributes; `terms` are in that view.
    pub fn of_one(player: Color, terms: &[Term<'a>]) -> Self {
        let row = |term: &Term<'a>| Row {
            feature: term.feature,
            weight: term.weight,
            effect: term.own(),
            values: vec![term.own_value],
            squares: vec![(String::new(), term.own_squares)],
        };
        Self::new(vec![player_name(player).to_owned()], terms.iter().map(row))
    }

    /// Changes between two positions with these names, and the words for squares that only the
    /// first or the second has.
    pub fn of_changes(labels: [String; 2], words: [String; 2], changes: &[Change<'a>]) -> Self {
        let row = |change: &Change<'a>| {
            let (before, after) = (change.squares_before, change.squares_after);
            let [old, new] = words.clone();
            Row {
                feature: change.feature,
                weight: change.weight,
                effect: change.effect(),
                values: vec![change.before, change.after],
                squares: vec![(new, after.without(before)), (old, before.without(after))],
            }
        };
        Self::new(Vec::from(labels), changes.iter().map(row))
    }

    /// Rows with an effect, the strongest first.
    fn new(labels: Vec<String>, rows: impl Iterator<Item = Row<'a>>) -> Self {
        let mut rows: Vec<Row<'a>> = rows.filter(|row| row.effect != 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.effect.abs()));
        Self { labels, rows }
    }

    /// The squares of the strongest of the first `top` rows, and the numbers of these rows. Rows
    /// that talk about half the board would only hide the others.
    pub fn drawn(&self, top: usize) -> (Bitboard, Vec<usize>) {
        let numbered = (1..).zip(self.rows.iter().take(top).map(Row::all_squares));
        numbered
            .filter(|(_, squares)| (1..=LISTED_SQUARES).contains(&squares.count()))
            .take(DRAWN_ROWS)
            .fold((Bitboard::EMPTY, Vec::new()), |(all, mut numbers), (number, squares)| {
                numbers.push(number);
                (all | squares, numbers)
            })
    }

    /// The first rows, and what the others amount to.
    pub fn text(&self, weights: &Weights, top: usize) -> String {
        if self.rows.is_empty() {
            return format!("{INDENT}nothing\n");
        }
        let shown = &self.rows[..top.min(self.rows.len())];
        let lengths =
            shown.iter().flat_map(|row| row.calculations().map(|text| text.chars().count()));
        let width = lengths.max().unwrap_or(0);
        let mut text = String::new();
        for (number, row) in (1..).zip(shown) {
            let effect = signed(row.effect);
            let head = format!("{number:>3} {effect:>7} ");
            text += &wrapped(&head, row.feature.sentence);
            text += INDENT;
            for (label, calculation) in self.labels.iter().zip(row.calculations()) {
                text += &format!("{label} {calculation:<width$}   ");
            }
            text += &format!("{}\n", row.feature.name);
            text += &row.notes(weights);
        }
        let rest = &self.rows[shown.len()..];
        if !rest.is_empty() {
            let sum = signed(rest.iter().map(|row| row.effect).sum());
            let more = counted(rest.len() as u64, "more feature");
            text += &format!("    {sum:>7} {more} (--top {} lists all)\n", self.rows.len());
        }
        text
    }
}

impl Row<'_> {
    /// `2 × 75 = 150` for each value.
    fn calculations(&self) -> impl Iterator<Item = String> {
        let weight = self.weight;
        self.values.iter().map(move |value| format!("{value} × {weight} = {}", value * weight))
    }

    fn all_squares(&self) -> Bitboard {
        self.squares.iter().fold(Bitboard::EMPTY, |all, &(_, squares)| all | squares)
    }

    /// Where the weight comes from if it is a sum, and which squares are meant.
    fn notes(&self, weights: &Weights) -> String {
        let mut notes = String::new();
        if let Some(base) = self.feature.linked_to {
            let own = learned_weight(weights, self.feature);
            let of_base = self.weight - own;
            notes +=
                &format!("{INDENT}weight {} = {of_base} for {base} + {own} on top\n", self.weight);
        }
        let sets = || self.squares.iter().filter(|(_, squares)| !squares.is_empty());
        if sets().any(|(_, squares)| squares.count() <= LISTED_SQUARES) {
            let named: Vec<String> = sets()
                .map(|(word, squares)| format!("{word} {}", squares_text(*squares)))
                .collect();
            notes += &format!("{INDENT}squares: {}\n", named.join("; ").trim_start());
        }
        notes
    }
}

/// The weight as the file has it, without that of the feature it is linked to.
pub fn learned_weight(weights: &Weights, feature: &Feature) -> i32 {
    let index = weights.set().index_of(feature.name);
    index.and_then(|index| weights.values().get(index)).copied().unwrap_or(0)
}

/// `5h 6h`, or how many there are if it is no use to name them.
fn squares_text(squares: Bitboard) -> String {
    if squares.count() > LISTED_SQUARES {
        return format!("{} squares", squares.count());
    }
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.join(" ")
}

/// `+12`, `-3`, `0`.
pub fn signed(number: i32) -> String {
    if number == 0 { "0".into() } else { format!("{number:+}") }
}

/// Words behind a head, with further lines indented below the first word.
pub fn wrapped(head: &str, words: &str) -> String {
    let indent = " ".repeat(head.chars().count());
    let mut text = head.to_owned();
    let mut length = 0;
    for word in words.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + letters > WIDTH {
            text += &format!("\n{indent}");
            length = 0;
        }
        if length > 0 {
            text.push(' ');
        }
        text += word;
        length += letters + 1;
    }
    text + "\n"
}
