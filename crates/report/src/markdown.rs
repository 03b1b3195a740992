//! Tables in Markdown, for the pages under `docs/results`.

use crate::Table;
use crate::markup::is_wide;
use crate::table::{Cell, Row};

/// A table in Markdown, its columns padded so that the source can be read too. A heading becomes a
/// row with bold text in its first cell.
///
/// ```
/// use tesuji_report::{Cell, Column, Table, markdown};
/// let mut table = Table::new([Column::text("kind"), Column::number("correct")]);
/// table.row([Cell::text("drops"), Cell::count(8)]);
/// table.row([Cell::text("all"), Cell::count(1_885).strong()]);
/// let text = "\
/// | kind  |   correct |
/// |:------|----------:|
/// | drops |         8 |
/// | all   | **1,885** |
/// ";
/// assert_eq!(markdown::table(&table), text);
/// ```
pub fn table(table: &Table) -> String {
    let mut lines = vec![table.columns.iter().map(|column| escaped(&column.title)).collect()];
    lines.extend(table.rows.iter().map(|row| texts(row, table.columns.len())));
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|i| lines.iter().map(|line: &Vec<String>| width(&line[i])).max().unwrap_or(0).max(3))
        .collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        for ((text, column), &wide) in line.iter().zip(&table.columns).zip(&widths) {
            let padding = " ".repeat(wide - width(text));
            let (before, after) =
                if column.is_number { (padding, String::new()) } else { (String::new(), padding) };
            out += &format!("| {before}{text}{after} ");
        }
        out += "|\n";
        if number == 0 {
            for (column, &wide) in table.columns.iter().zip(&widths) {
                let dashes = "-".repeat(wide + 1);
                out +=
                    &if column.is_number { format!("|{dashes}:") } else { format!("|:{dashes}") };
            }
            out += "|\n";
        }
    }
    out
}

/// The texts of a row, one for each column.
fn texts(row: &Row, columns: usize) -> Vec<String> {
    match row {
        Row::Cells(cells) => cells.iter().map(cell).collect(),
        Row::Heading(text) => {
            let heading = [bold(&escaped(text))].into_iter();
            heading.chain(std::iter::repeat_with(String::new)).take(columns).collect()
        }
    }
}

fn cell(cell: &Cell) -> String {
    let text = escaped(&cell.text);
    if cell.strong { bold(&text) } else { text }
}

fn bold(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("**{}**", text.trim()) }
}

/// The text without a meaning in Markdown, on one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // Within a word, as in a feature's name, an underscore means nothing.
            '_' if before.is_some_and(char::is_alphanumeric)
                && characters.peek().copied().is_some_and(char::is_alphanumeric) =>
            {
                out.push('_');
            }
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' => out.extend(['\\', character]),
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
        before = Some(character);
    }
    out
}

/// How many columns of a terminal the text takes.
fn width(text: &str) -> usize {
    text.chars().map(|character| if is_wide(character) { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn text_has_no_meaning_in_markdown() {
        assert_eq!(escaped("a|b\nc"), "a\\|b c");
        assert_eq!(escaped("PAWN_VALUE _x_ *"), "PAWN_VALUE \\_x\\_ \\*");
        assert_eq!(escaped("<b> & \\"), "&lt;b> &amp; \\\\");
    }

    #[test]
    fn headings_and_kanji_keep_the_columns() {
        let mut made = Table::new([Column::text("駒"), Column::number("value")]);
        made.heading("盤上").row([Cell::text("歩"), Cell::number(1.0, 2)]).row([]);
        let expected = "\
| 駒       | value |
|:---------|------:|
| **盤上** |       |
| 歩       |  1.00 |
|          |       |
";
        assert_eq!(table(&made), expected);
    }
}
