//! Horizontal bars with error bars and signs of comparison.

use crate::figure::axis::Scale;
use crate::figure::legend::{Key, Sign, comparison_keys};
use crate::figure::row_chart::RowChart;
use crate::figure::rows::{Rows, rows_of};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::{Drawing, Lang};

/// One bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    label: String,
    value: f64,
    error: Option<(f64, f64)>,
    compared: Vec<Option<f64>>,
}

impl Bar {
    /// A bar from zero to a value.
    pub fn new(label: &str, value: f64) -> Self {
        Self { label: label.to_owned(), value, error: None, compared: Vec::new() }
    }

    /// An error bar between two ends.
    #[must_use]
    pub const fn error(mut self, low: f64, high: f64) -> Self {
        self.error = Some((low, high));
        self
    }

    /// What it is compared with, in the order of [`RowChart::comparison`].
    #[must_use]
    pub fn compared(mut self, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.compared = values.into_iter().collect();
        self
    }

    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let error = self.error.into_iter().flat_map(|(low, high)| [low, high]);
        self.compared.iter().flatten().copied().chain(error).chain([self.value])
    }
}

/// A chart of horizontal bars.
pub type BarChart = RowChart<Bar>;

impl RowChart<Bar> {
    /// Adds a bar below the others.
    #[must_use]
    pub fn bar(self, bar: Bar) -> Self {
        self.row(bar)
    }

    fn draw_bar(&self, d: &mut Drawing, bar: &Bar, scale: &Scale, y: f64) {
        let zero = scale.at(0.0);
        let mut tip = format!("{}: {}", bar.label, self.text(bar.value));
        if let Some((low, high)) = bar.error {
            tip += &format!(" ({} – {})", self.text(low), self.text(high));
        }
        for (name, value) in self.comparisons.iter().zip(&bar.compared) {
            if let Some(value) = value {
                tip += &format!("; {name}: {}", self.text(*value));
            }
        }
        d.tooltip(&tip, |d| {
            if bar.value.is_finite() {
                let end = scale.at(bar.value);
                let size = ((end - zero).abs(), 14.0);
                d.rect((zero.min(end), y - 7.0), size, &format!("bar {}", colour_class(0)));
            }
            if let Some((low, high)) = bar.error.filter(|(l, h)| l.is_finite() && h.is_finite()) {
                let (low, high) = (scale.at(low), scale.at(high));
                d.line((low, y), (high, y), "whisker");
                d.line((low, y - 4.0), (low, y + 4.0), "whisker");
                d.line((high, y - 4.0), (high, y + 4.0), "whisker");
            }
            self.draw_comparisons(d, &bar.compared, scale, y);
        });
    }
}

impl Figure for BarChart {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        if rows_of(&self.entries).next().is_none() {
            return no_data(width, lang);
        }
        let mut keys: Vec<_> = comparison_keys(&self.comparisons).collect();
        if !keys.is_empty() {
            keys.insert(0, Key { sign: Sign::Bar, colour: 0, name: self.name.clone() });
        }
        let rows = Rows {
            axis: &self.axis,
            keys,
            lines: self.lines(|bar| (&bar.label, bar.value)),
            // Bars begin at zero, so that their lengths can be compared.
            extent: extent(rows_of(&self.entries).flat_map(Bar::numbers).chain([0.0])),
        };
        rows.draw(width, |d, bar, scale, y| self.draw_bar(d, bar, scale, y))
    }
}
