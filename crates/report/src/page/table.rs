//! Tables in HTML, with small pictures in their cells.

use crate::figure::legend::draw_small_diamond;
use crate::figure::ranges::draw_spread;
use crate::figure::{colour_class, extent};
use crate::markup::escaped;
use crate::table::{Cell, Column, Picture, Row};
use crate::{Drawing, Table};

/// The size of a picture in a cell, and the room at its ends for signs.
const SIZE: (f64, f64) = (150.0, 18.0);
const EDGE: f64 = 7.0;

/// Writes a table. Each heading begins a group of rows whose pictures share a scale a column.
pub(super) fn write(out: &mut String, table: &Table) {
    *out += "<div class=\"table\"><table>\n";
    if !table.caption.is_empty() {
        *out += &format!("<caption>{}</caption>\n", escaped(&table.caption));
    }
    *out += "<thead><tr>";
    for column in &table.columns {
        *out +=
            &format!("<th scope=\"col\"{}>{}</th>", class(column, false), escaped(&column.title));
    }
    *out += "</tr></thead>\n";
    let mut rows = table.rows.as_slice();
    while let Some(first) = rows.first() {
        let is_heading = |row: &Row| matches!(row, Row::Heading(_));
        let end = rows[1..].iter().position(is_heading).map_or(rows.len(), |i| i + 1);
        let group = &rows[..end];
        rows = &rows[end..];
        *out += "<tbody>\n";
        if let Row::Heading(text) = first {
            let span = table.columns.len();
            let text = escaped(text);
            *out += &format!(
                "<tr><th scope=\"rowgroup\" class=\"group\" colspan=\"{span}\">{text}</th></tr>\n"
            );
        }
        write_group(out, &table.columns, group);
        *out += "</tbody>\n";
    }
    *out += "</table></div>\n";
}

fn write_group(out: &mut String, columns: &[Column], group: &[Row]) {
    let rows = || {
        group.iter().filter_map(|row| match row {
            Row::Cells(cells) => Some(cells),
            Row::Heading(_) => None,
        })
    };
    let scales: Vec<_> = (0..columns.len())
        .map(|i| extent(rows().flat_map(|cells| numbers(&cells[i].picture))))
        .collect();
    for cells in rows() {
        *out += "<tr>";
        for ((cell, column), scale) in cells.iter().zip(columns).zip(&scales) {
            *out += &format!("<td{}>", class(column, cell.strong));
            write_cell(out, cell, *scale);
            if !cell.note.is_empty() {
                *out += &format!("<div class=\"below\">{}</div>", escaped(&cell.note));
            }
            *out += "</td>";
        }
        *out += "</tr>\n";
    }
}

fn class(column: &Column, strong: bool) -> String {
    let names: Vec<&str> = [(column.is_number, "number"), (strong, "strong")]
        .into_iter()
        .filter_map(|(wanted, name)| wanted.then_some(name))
        .collect();
    if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) }
}

/// The numbers that a picture must have room for.
fn numbers(picture: &Picture) -> Vec<f64> {
    match picture {
        Picture::None => Vec::new(),
        Picture::Bar(value) => vec![0.0, *value],
        Picture::Spread { values, mark } => values.iter().copied().chain(*mark).collect(),
    }
}

fn write_cell(out: &mut String, cell: &Cell, scale: Option<(f64, f64)>) {
    let text = escaped(&cell.text);
    let Some((low, high)) = scale else {
        *out += &text;
        return;
    };
    let at = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        EDGE + share * (SIZE.0 - 2.0 * EDGE)
    };
    let mut d = Drawing::new(SIZE.0, SIZE.1);
    let middle = SIZE.1 / 2.0;
    match &cell.picture {
        Picture::None => {
            *out += &text;
            return;
        }
        Picture::Bar(value) => {
            let (zero, end) = (at(0.0), at(*value));
            let size = ((end - zero).abs(), 12.0);
            let colour = if *value < 0.0 { 1 } else { 0 };
            d.rect((zero.min(end), middle - 6.0), size, &format!("bar {}", colour_class(colour)));
            if low < 0.0 {
                d.line((zero, 0.0), (zero, SIZE.1), "zero");
            }
        }
        Picture::Spread { values, mark } => {
            d.line((EDGE, middle), (SIZE.0 - EDGE, middle), "grid");
            draw_spread(&mut d, values, &at, middle, false);
            if let Some(mark) = mark {
                draw_small_diamond(&mut d, (at(*mark), middle));
            }
        }
    }
    let picture = d.to_element(&cell.text, "in-cell");
    // A bar stands after its number, a spread before its ends.
    *out += &match cell.picture {
        Picture::Bar(_) => format!("<span class=\"picture\"><span>{text}</span>{picture}</span>"),
        _ => format!("<span class=\"picture\">{picture}<span class=\"range\">{text}</span></span>"),
    };
}
