//! Horizontal bars with error bars and signs of comparison.

use crate::figure::axis::{Axis, Scale};
use crate::figure::legend::{Key, Sign, comparison_keys, draw_comparison};
use crate::figure::rows::{Entry, Line, Rows, rows_of};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::{Drawing, Lang, number};

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

    /// What it is compared with, in the order of [`BarChart::comparison`].
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
#[derive(Clone, PartialEq, Debug)]
pub struct BarChart {
    name: String,
    axis: Axis,
    decimals: usize,
    percent: bool,
    comparisons: Vec<String>,
    entries: Vec<Entry<Bar>>,
}

impl BarChart {
    /// A chart without bars yet. The name says what the bars are; the values beside them have this
    /// many decimals.
    pub fn new(name: &str, axis: Axis, decimals: usize) -> Self {
        Self {
            name: name.to_owned(),
            axis,
            decimals,
            percent: false,
            comparisons: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// The values are shares of one and shown as percentages.
    #[must_use]
    pub fn percent(mut self) -> Self {
        self.percent = true;
        self.axis = self.axis.percent();
        self
    }

    /// Names something that bars are compared with.
    #[must_use]
    pub fn comparison(mut self, name: &str) -> Self {
        self.comparisons.push(name.to_owned());
        self
    }

    /// Adds a heading above the bars that follow.
    #[must_use]
    pub fn heading(mut self, text: &str) -> Self {
        self.entries.push(Entry::Heading(text.to_owned()));
        self
    }

    /// Adds a bar below the others.
    #[must_use]
    pub fn bar(mut self, bar: Bar) -> Self {
        self.entries.push(Entry::Row(bar));
        self
    }

    fn text(&self, value: f64) -> String {
        if self.percent {
            number::percent(value, self.decimals)
        } else {
            number::fixed(value, self.decimals)
        }
    }

    fn line<'a>(&self, entry: &'a Entry<Bar>) -> Line<'a, Bar> {
        match entry {
            Entry::Heading(text) => Line::Heading(text),
            Entry::Row(bar) => {
                Line::Row { label: &bar.label, value: self.text(bar.value), row: bar }
            }
        }
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
            for (i, value) in bar.compared.iter().take(self.comparisons.len()).enumerate() {
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    draw_comparison(d, i, (scale.at(value), y));
                }
            }
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
            lines: self.entries.iter().map(|entry| self.line(entry)).collect(),
            // Bars begin at zero, so that their lengths can be compared.
            extent: extent(rows_of(&self.entries).flat_map(Bar::numbers).chain([0.0])),
        };
        rows.draw(width, |d, bar, scale, y| self.draw_bar(d, bar, scale, y))
    }
}
