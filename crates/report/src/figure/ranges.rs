//! Spreads: the values of several runs as dots on a line, with their mean.

use crate::figure::axis::{Axis, Scale};
use crate::figure::legend::{Key, Sign, comparison_keys, draw_comparison};
use crate::figure::rows::{Entry, Line, Rows, rows_of};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::{Drawing, Lang, number};

/// One row: the values of one thing.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeRow {
    label: String,
    values: Vec<f64>,
    compared: Vec<Option<f64>>,
}

impl RangeRow {
    /// The values of several runs, in any order.
    pub fn new(label: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite()).collect();
        Self { label: label.to_owned(), values, compared: Vec::new() }
    }

    /// What they are compared with, in the order of [`RangePlot::comparison`].
    #[must_use]
    pub fn compared(mut self, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.compared = values.into_iter().collect();
        self
    }
}

/// A chart of spreads.
#[derive(Clone, PartialEq, Debug)]
pub struct RangePlot {
    name: String,
    axis: Axis,
    decimals: usize,
    comparisons: Vec<String>,
    entries: Vec<Entry<RangeRow>>,
}

impl RangePlot {
    /// A chart without rows yet. The name says what a dot is; the means at the right have this many
    /// decimals.
    pub fn new(name: &str, axis: Axis, decimals: usize) -> Self {
        Self { name: name.to_owned(), axis, decimals, comparisons: Vec::new(), entries: Vec::new() }
    }

    /// Names something that rows are compared with.
    #[must_use]
    pub fn comparison(mut self, name: &str) -> Self {
        self.comparisons.push(name.to_owned());
        self
    }

    /// Adds a heading above the rows that follow.
    #[must_use]
    pub fn heading(mut self, text: &str) -> Self {
        self.entries.push(Entry::Heading(text.to_owned()));
        self
    }

    /// Adds a row below the others.
    #[must_use]
    pub fn row(mut self, row: RangeRow) -> Self {
        self.entries.push(Entry::Row(row));
        self
    }

    fn line<'a>(&self, entry: &'a Entry<RangeRow>) -> Line<'a, RangeRow> {
        match entry {
            Entry::Heading(text) => Line::Heading(text),
            Entry::Row(row) => {
                let value = number::fixed(mean(&row.values), self.decimals);
                Line::Row { label: &row.label, value, row }
            }
        }
    }

    fn draw_row(&self, d: &mut Drawing, row: &RangeRow, scale: &Scale, y: f64, lang: Lang) {
        let mut tip = row.label.clone();
        if let Some((low, high)) = extent(row.values.iter().copied()) {
            let text = |value| number::fixed(value, self.decimals);
            tip += &format!(": {} – {}", text(low), text(high));
            tip += &format!(", {} {}", lang.words().mean, text(mean(&row.values)));
        }
        d.tooltip(&tip, |d| {
            draw_spread(d, &row.values, &|value| scale.at(value), y, true);
            for (i, value) in row.compared.iter().take(self.comparisons.len()).enumerate() {
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    draw_comparison(d, i, (scale.at(value), y));
                }
            }
        });
    }
}

/// The mean; not a number if there is nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A line over the whole spread, a dot for each value, a stroke at the mean.
pub(crate) fn draw_spread(
    d: &mut Drawing,
    values: &[f64],
    at: &dyn Fn(f64) -> f64,
    y: f64,
    large: bool,
) {
    let Some((low, high)) = extent(values.iter().copied()) else { return };
    let colour = colour_class(0);
    d.line((at(low), y), (at(high), y), &format!("span {colour}"));
    for &value in values {
        d.circle((at(value), y), if large { 3.0 } else { 2.2 }, &format!("cloud {colour}"));
    }
    let (middle, half) = (at(mean(values)), if large { 8.0 } else { 6.5 });
    d.line((middle, y - half), (middle, y + half), &format!("middle {colour}"));
}

impl Figure for RangePlot {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        if rows_of(&self.entries).next().is_none() {
            return no_data(width, lang);
        }
        let mut keys = vec![Key { sign: Sign::Dot, colour: 0, name: self.name.clone() }];
        keys.extend(comparison_keys(&self.comparisons));
        let numbers =
            |row: &RangeRow| [row.values.clone(), row.compared.iter().flatten().copied().collect()];
        let rows = Rows {
            axis: &self.axis,
            keys,
            lines: self.entries.iter().map(|entry| self.line(entry)).collect(),
            extent: extent(rows_of(&self.entries).flat_map(numbers).flatten()),
        };
        rows.draw(width, |d, row, scale, y| self.draw_row(d, row, scale, y, lang))
    }
}
