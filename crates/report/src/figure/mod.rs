//! Figures: what they have in common.

pub(crate) mod axis;
pub(crate) mod bars;
pub(crate) mod board;
pub(crate) mod confusion;
mod frame;
pub(crate) mod legend;
pub(crate) mod line;
pub(crate) mod ranges;
pub(crate) mod row_chart;
mod rows;
pub(crate) mod scatter;

use crate::svg::Anchor;
use crate::{Drawing, Lang};

/// The colours of figures, for both light and dark surroundings, and the classes that use them.
pub(crate) const STYLE: &str = include_str!("figure.css");

/// How many colours there are for series; further series begin again with the first.
pub(crate) const COLOURS: usize = 6;

/// Something that can be drawn.
pub trait Figure {
    /// Draws it for a place of this width.
    fn draw(&self, width: f64, lang: Lang) -> Drawing;

    /// Does it take the width that there is?
    fn shape(&self) -> Shape {
        Shape::Fluid
    }
}

/// How a figure takes its place on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Drawn anew for a wide and for a narrow page, with letters of the same size.
    Fluid,
    /// Drawn once and scaled down where there is less room.
    Fixed,
}

/// A figure as an SVG file of its own, for a place of this width, with its style inside.
pub fn standalone_svg(figure: &dyn Figure, width: f64, lang: Lang, description: &str) -> String {
    figure.draw(width, lang).to_document(description, STYLE)
}

/// The least and the greatest of the numbers that can be drawn.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let drawn = values.into_iter().filter(|value| value.is_finite());
    drawn.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

/// What stands where there is nothing to draw.
pub(crate) fn no_data(width: f64, lang: Lang) -> Drawing {
    let mut d = Drawing::new(width, 64.0);
    d.rect((0.0, 0.0), (width, 64.0), "stripe");
    d.text((width / 2.0, 37.0), Anchor::Middle, "soft", lang.words().no_data);
    d
}

/// The class of a colour.
pub(crate) fn colour_class(colour: usize) -> String {
    format!("c{}", colour % COLOURS)
}
