//! Spreads: the values of several runs as dots on a line, with their mean.

use crate::figure::axis::Scale;
use crate::figure::legend::{Key, Sign, comparison_keys};
use crate::figure::row_chart::RowChart;
use crate::figure::rows::{Rows, rows_of};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::{Drawing, Lang};

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

    /// What they are compared with, in the order of [`RowChart::comparison`].
    #[must_use]
    pub fn compared(mut self, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.compared = values.into_iter().collect();
        self
    }
}

/// A chart of spreads, with the means at the right.
pub type RangePlot = RowChart<RangeRow>;

impl RowChart<RangeRow> {
    fn draw_row(&self, d: &mut Drawing, row: &RangeRow, scale: &Scale, y: f64, lang: Lang) {
        let mut tip = row.label.clone();
        if let Some((low, high)) = extent(row.values.iter().copied()) {
            tip += &format!(": {} – {}", self.text(low), self.text(high));
            tip += &format!(", {} {}", lang.words().mean, self.text(mean(&row.values)));
        }
        d.tooltip(&tip, |d| {
            draw_spread(d, &row.values, &|value| scale.at(value), y, true);
            self.draw_comparisons(d, &row.compared, scale, y);
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
            lines: self.lines(|row| (&row.label, mean(&row.values))),
            extent: extent(rows_of(&self.entries).flat_map(numbers).flatten()),
        };
        rows.draw(width, |d, row, scale, y| self.draw_row(d, row, scale, y, lang))
    }
}
