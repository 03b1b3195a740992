//! Confusion matrices: what was right against what was chosen.

use crate::figure::{Figure, no_data};
use crate::markup::{fitted, text_width};
use crate::svg::Anchor;
use crate::{Drawing, Lang, number};

const SIZE: f64 = 13.0;
/// From this share on a cell is so dark that its text changes colour.
const DARK: f64 = 0.58;

/// A confusion matrix: a row for each right answer, a column for each choice. Cells are shaded by
/// their share of the row.
#[derive(Clone, PartialEq, Debug)]
pub struct ConfusionMatrix {
    row_title: String,
    column_title: String,
    labels: Vec<String>,
    counts: Vec<Vec<u64>>,
}

impl ConfusionMatrix {
    /// A matrix of `counts[right][chosen]`. Missing counts are zero, those without a label are
    /// left out.
    pub fn new(labels: &[&str], counts: &[Vec<u64>]) -> Self {
        let n = labels.len();
        let count = |r: usize, c: usize| counts.get(r).and_then(|row| row.get(c)).copied();
        Self {
            row_title: String::new(),
            column_title: String::new(),
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            counts: (0..n).map(|r| (0..n).map(|c| count(r, c).unwrap_or(0)).collect()).collect(),
        }
    }

    /// What the rows and the columns are.
    #[must_use]
    pub fn titles(mut self, rows: &str, columns: &str) -> Self {
        (self.row_title, self.column_title) = (rows.to_owned(), columns.to_owned());
        self
    }

    fn draw_cell(&self, d: &mut Drawing, (r, c): (usize, usize), place: Cell) {
        let count = self.counts[r][c];
        let total: u64 = self.counts[r].iter().sum();
        let share = if total == 0 { 0.0 } else { count as f64 / total as f64 };
        let Cell { x, y, width, height } = place;
        let tip = format!("{} → {}: {}", self.labels[r], self.labels[c], number::count(count));
        d.tooltip(&tip, |d| {
            d.shade((x, y), (width, height), 0.04 + 0.9 * share);
            d.rect((x, y), (width, height), "cell");
            if r == c {
                d.rect((x + 2.0, y + 2.0), (width - 4.0, height - 4.0), "right");
            }
            let dark = if share > DARK { " on-heat" } else { "" };
            let middle = x + width / 2.0;
            let at = (middle, y + height / 2.0 - 2.0);
            d.text(at, Anchor::Middle, &format!("bold{dark}"), &number::count(count));
            let at = (middle, y + height / 2.0 + 15.0);
            let text = number::percent(share, usize::from(width > 60.0));
            d.text(at, Anchor::Middle, &format!("small soft{dark}"), &text);
        });
    }
}

#[derive(Clone, Copy)]
struct Cell {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Figure for ConfusionMatrix {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        let n = self.labels.len();
        if n == 0 {
            return no_data(width, lang);
        }
        let all = self.labels.iter().chain([&self.row_title]);
        let widest = all.map(|label| text_width(label, SIZE)).fold(0.0, f64::max);
        let left = (widest + 12.0).min(width * 0.3);
        let cell_width = ((width - left) / (n as f64 + 0.7)).min(116.0);
        let (height, top) = (56.0, 50.0);
        let mut d =
            Drawing::new(left + (n as f64 + 0.7) * cell_width, top + n as f64 * height + 26.0);
        let matrix_width = n as f64 * cell_width;
        let title = fitted(&self.column_title, SIZE, matrix_width);
        d.text((left + matrix_width / 2.0, 14.0), Anchor::Middle, "soft", &title);
        let title = fitted(&self.row_title, SIZE, left - 8.0);
        d.text((left - 10.0, top - 10.0), Anchor::End, "soft", &title);
        let totals_x = left + matrix_width + cell_width * 0.62;
        d.text((totals_x, top - 10.0), Anchor::End, "soft", lang.words().total);
        for (i, label) in self.labels.iter().enumerate() {
            let (x, y) = (left + i as f64 * cell_width, top + i as f64 * height);
            let name = fitted(label, SIZE, cell_width - 4.0);
            d.text((x + cell_width / 2.0, top - 10.0), Anchor::Middle, "name", &name);
            let name = fitted(label, SIZE, left - 8.0);
            d.text((left - 10.0, y + height / 2.0 + 4.5), Anchor::End, "name", &name);
            for c in 0..n {
                let x = left + c as f64 * cell_width;
                self.draw_cell(&mut d, (i, c), Cell { x, y, width: cell_width, height });
            }
            let row: u64 = self.counts[i].iter().sum();
            d.text((totals_x, y + height / 2.0 + 4.5), Anchor::End, "soft", &number::count(row));
            let column: u64 = self.counts.iter().map(|row| row[i]).sum();
            let at = (x + cell_width / 2.0, top + n as f64 * height + 19.0);
            d.text(at, Anchor::Middle, "soft", &number::count(column));
        }
        let at = (left - 10.0, top + n as f64 * height + 19.0);
        d.text(at, Anchor::End, "soft", lang.words().total);
        d
    }
}
