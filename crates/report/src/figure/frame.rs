//! The frame of a chart with two axes: grid, ticks, titles, reference lines.

use crate::Drawing;
use crate::figure::axis::{Axis, Scale};
use crate::markup::{fitted, text_width};
use crate::svg::Anchor;

/// The size of tick labels.
pub(crate) const TICK_SIZE: f64 = 13.0;

/// A line at a value that means something, such as a result to be reached.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reference {
    pub value: f64,
    pub label: String,
}

/// The place of a chart between its axes.
pub(crate) struct Frame {
    pub x: Scale,
    pub y: Scale,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// Where a frame goes and what it holds.
pub(crate) struct Place<'a> {
    pub width: f64,
    /// The room above the frame, for a legend.
    pub above: f64,
    /// The room at the right, for labels of the series.
    pub beside: f64,
    pub x: &'a Axis,
    pub y: &'a Axis,
    pub x_data: Option<(f64, f64)>,
    pub y_data: Option<(f64, f64)>,
    /// Do the ends of the x axis have to be ticks?
    pub round_x: bool,
}

impl Frame {
    /// The height of the whole chart with this much above the frame.
    pub(crate) fn height(width: f64, above: f64) -> f64 {
        above + 26.0 + (width * 0.5).clamp(220.0, 330.0) + 48.0
    }

    pub(crate) fn new(place: &Place<'_>) -> Self {
        let top = place.above + 26.0;
        let bottom = Self::height(place.width, place.above) - 48.0;
        let y_ticks = ((bottom - top) / 55.0) as usize;
        let y = place.y.scale(place.y_data, (bottom, top), y_ticks, true);
        let widest = y.ticks.iter().map(|&tick| text_width(&y.label(tick), TICK_SIZE));
        let left = 10.0 + widest.fold(0.0, f64::max);
        // Half of the last tick's label stands out on the right.
        let right = place.width - f64::max(place.beside, 22.0);
        let x_ticks = ((right - left) / 80.0).max(2.0) as usize;
        let x = place.x.scale(place.x_data, (left, right), x_ticks, place.round_x);
        Self { x, y, left, right, top, bottom }
    }

    pub(crate) fn draw(&self, d: &mut Drawing, x: &Axis, y: &Axis) {
        for &tick in &self.y.ticks {
            let at = self.y.at(tick);
            d.line((self.left, at), (self.right, at), "grid");
            d.text((self.left - 7.0, at + 4.5), Anchor::End, "tick", &self.y.label(tick));
        }
        let mut free_from = f64::NEG_INFINITY;
        for &tick in &self.x.ticks {
            let at = self.x.at(tick);
            d.line((at, self.bottom), (at, self.bottom + 5.0), "axis");
            let label = self.x.label(tick);
            let half = text_width(&label, TICK_SIZE) / 2.0;
            if at - half >= free_from {
                d.text((at, self.bottom + 19.0), Anchor::Middle, "tick", &label);
                free_from = at + half + 4.0;
            }
        }
        d.line((self.left, self.bottom), (self.right, self.bottom), "axis");
        let room = d.width() - 4.0;
        d.text((0.0, self.top - 13.0), Anchor::Start, "soft", &fitted(&y.title, TICK_SIZE, room));
        let middle = (self.left + self.right) / 2.0;
        let title = fitted(&x.title, TICK_SIZE, room);
        d.text((middle, self.bottom + 40.0), Anchor::Middle, "soft", &title);
    }

    /// Draws a horizontal line with its label where the fewest of the drawn points are.
    pub(crate) fn draw_reference(
        &self,
        d: &mut Drawing,
        reference: &Reference,
        points: &[(f64, f64)],
    ) {
        if !self.y.holds(reference.value) {
            return;
        }
        let at = self.y.at(reference.value);
        d.line((self.left, at), (self.right, at), "reference");
        let label = fitted(&reference.label, 12.0, self.right - self.left - 12.0);
        let width = text_width(&label, 12.0);
        let middle = (self.left + self.right - width) / 2.0;
        let mut best: Option<(usize, (f64, f64))> = None;
        for x in [self.left + 6.0, self.right - width - 6.0, middle] {
            for y in [at - 6.0, at + 15.0] {
                let near = |&&(px, py): &&(f64, f64)| {
                    (x - 4.0..x + width + 4.0).contains(&px) && (y - 15.0..y + 6.0).contains(&py)
                };
                let inside = y - 12.0 >= self.top - 8.0 && y + 4.0 <= self.bottom;
                let hidden = points.iter().filter(near).count();
                if inside && best.is_none_or(|(least, _)| hidden < least) {
                    best = Some((hidden, (x, y)));
                }
            }
        }
        if let Some((_, place)) = best {
            d.text(place, Anchor::Start, "soft halo small", &label);
        }
    }
}
