//! What charts with a row for each thing are made of, whatever a row shows.

use crate::figure::axis::{Axis, Scale};
use crate::figure::legend::draw_comparison;
use crate::figure::rows::{Entry, Line};
use crate::{Drawing, number};

/// A chart with a row for each thing, which may be compared with others.
#[derive(Clone, PartialEq, Debug)]
pub struct RowChart<T> {
    pub(super) name: String,
    pub(super) axis: Axis,
    decimals: usize,
    percent: bool,
    pub(super) comparisons: Vec<String>,
    pub(super) entries: Vec<Entry<T>>,
}

impl<T> RowChart<T> {
    /// A chart without rows yet. The name says what a bar or a dot is; the values at the right have
    /// this many decimals.
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
    pub fn row(mut self, row: T) -> Self {
        self.entries.push(Entry::Row(row));
        self
    }

    /// A value as it is written.
    pub(super) fn text(&self, value: f64) -> String {
        if self.percent {
            number::percent(value, self.decimals)
        } else {
            number::fixed(value, self.decimals)
        }
    }

    /// The entries with what is written beside them: the label of a row and its value.
    pub(super) fn lines<'a>(&'a self, texts: impl Fn(&'a T) -> (&'a str, f64)) -> Vec<Line<'a, T>> {
        let line = |entry: &'a Entry<T>| match entry {
            Entry::Heading(text) => Line::Heading(text),
            Entry::Row(row) => {
                let (label, value) = texts(row);
                Line::Row { label, value: self.text(value), row }
            }
        };
        self.entries.iter().map(line).collect()
    }

    /// Draws the signs of what a row is compared with.
    pub(super) fn draw_comparisons(
        &self,
        d: &mut Drawing,
        compared: &[Option<f64>],
        scale: &Scale,
        y: f64,
    ) {
        for (i, value) in compared.iter().take(self.comparisons.len()).enumerate() {
            if let Some(value) = value.filter(|value| value.is_finite()) {
                draw_comparison(d, i, (scale.at(value), y));
            }
        }
    }
}
