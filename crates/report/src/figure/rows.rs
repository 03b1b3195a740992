//! Charts with a row for each thing: its label, its place on a horizontal axis, its value.

use crate::Drawing;
use crate::figure::axis::{Axis, Scale};
use crate::figure::legend::{self, Key};
use crate::markup::{fitted, text_width};
use crate::svg::Anchor;

const SIZE: f64 = 13.0;
const ROW: f64 = 26.0;
/// A row whose label stands above it.
const TALL_ROW: f64 = 42.0;
const HEADING: f64 = 32.0;
const BELOW: f64 = 44.0;

/// What a chart is given: a row, or a heading above some.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Entry<T> {
    Heading(String),
    Row(T),
}

/// The rows among entries.
pub(crate) fn rows_of<T>(entries: &[Entry<T>]) -> impl Iterator<Item = &T> {
    entries.iter().filter_map(|entry| match entry {
        Entry::Row(row) => Some(row),
        Entry::Heading(_) => None,
    })
}

/// An entry with the texts that are written beside it.
pub(crate) enum Line<'a, T> {
    Heading(&'a str),
    Row { label: &'a str, value: String, row: &'a T },
}

/// A chart of rows, before it is drawn.
pub(crate) struct Rows<'a, T> {
    pub axis: &'a Axis,
    pub keys: Vec<Key>,
    pub lines: Vec<Line<'a, T>>,
    pub extent: Option<(f64, f64)>,
}

/// Where things are once the width is known.
struct Layout {
    /// Do the labels stand above their rows?
    stacked: bool,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl<T> Rows<'_, T> {
    fn layout(&self, width: f64) -> Layout {
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| text_width(text, SIZE)).fold(0.0, f64::max)
        };
        let rows = || self.lines.iter().filter_map(Line::texts);
        let labels = widest(&mut rows().map(|(label, _)| label));
        let values = widest(&mut rows().map(|(_, value)| value));
        let stacked = labels + values > width * 0.52;
        let top = legend::height(&self.keys, width) + 4.0;
        let height: f64 = self.lines.iter().map(|line| line.height(stacked)).sum();
        Layout {
            stacked,
            left: if stacked { 8.0 } else { labels + 12.0 },
            right: width - f64::max(values + 14.0, 20.0),
            top,
            bottom: top + height.max(ROW),
        }
    }

    /// Draws the chart; `draw_row` draws a row's signs at a height.
    pub(crate) fn draw(
        &self,
        width: f64,
        draw_row: impl Fn(&mut Drawing, &T, &Scale, f64),
    ) -> Drawing {
        let layout = self.layout(width);
        let (left, right) = (layout.left, layout.right);
        let ticks = ((right - left) / 75.0).max(2.0) as usize;
        let place = |left: f64| self.axis.scale(self.extent, (left, right), ticks, true);
        let scale = place(left);
        // Labels of ticks stand out on both sides; the values leave room on the right.
        let label = scale.ticks.first().map_or(0.0, |&tick| text_width(&scale.label(tick), SIZE));
        let left = left.max(label / 2.0 + 1.0);
        let scale = place(left);
        let mut d = Drawing::new(width, layout.bottom + BELOW);
        legend::draw(&mut d, &self.keys);
        self.draw_grid(&mut d, &layout, &scale);
        let mut y = layout.top;
        for line in &self.lines {
            let height = line.height(layout.stacked);
            match line {
                Line::Heading(text) => {
                    let text = fitted(text, SIZE, width);
                    d.text((0.0, y + height - 9.0), Anchor::Start, "bold halo", &text);
                }
                Line::Row { label, value, row } => {
                    let middle = y + height - ROW / 2.0;
                    if layout.stacked {
                        let label = fitted(label, SIZE, width);
                        d.text((0.0, y + 15.0), Anchor::Start, "halo", &label);
                    } else {
                        d.text((left - 10.0, middle + 4.5), Anchor::End, "name", label);
                    }
                    draw_row(&mut d, row, &scale, middle);
                    d.text((width - 1.0, middle + 4.5), Anchor::End, "value", value);
                }
            }
            y += height;
        }
        d
    }
}

impl<T> Rows<'_, T> {
    /// Draws the lines of the ticks beside rows, not through headings, and the axis below.
    fn draw_grid(&self, d: &mut Drawing, layout: &Layout, scale: &Scale) {
        let mut y = layout.top;
        for group in self.lines.split_inclusive(|line| matches!(line, Line::Heading(_))) {
            let is_row = |line: &&Line<'_, T>| matches!(line, Line::Row { .. });
            let rows = group.iter().filter(is_row).map(|line| line.height(layout.stacked));
            let end = y + rows.sum::<f64>();
            if end > y {
                for &tick in &scale.ticks {
                    let class = if tick == 0.0 { "zero" } else { "grid" };
                    d.line((scale.at(tick), y), (scale.at(tick), end), class);
                }
            }
            y = end + if group.iter().any(|line| !is_row(&line)) { HEADING } else { 0.0 };
        }
        let bottom = layout.bottom + 3.0;
        for &tick in &scale.ticks {
            d.text((scale.at(tick), bottom + 16.0), Anchor::Middle, "tick", &scale.label(tick));
        }
        let width = d.width();
        let title = fitted(&self.axis.title, SIZE, width);
        let half = text_width(&title, SIZE) / 2.0;
        // In the middle of the axis, but not beyond the edges.
        let middle = f64::midpoint(layout.left, layout.right).min(width - half).max(half);
        d.text((middle, bottom + 36.0), Anchor::Middle, "soft", &title);
    }
}

impl<T> Line<'_, T> {
    fn texts(&self) -> Option<(&str, &str)> {
        match self {
            Self::Heading(_) => None,
            Self::Row { label, value, .. } => Some((label, value)),
        }
    }

    fn height(&self, stacked: bool) -> f64 {
        match self {
            Self::Heading(_) => HEADING,
            Self::Row { .. } => {
                if stacked {
                    TALL_ROW
                } else {
                    ROW
                }
            }
        }
    }
}
