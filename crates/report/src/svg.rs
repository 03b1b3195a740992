//! Drawings in SVG, written by hand: a few shapes, each with a class that the style sheet colours.

use std::fmt::Write;

use crate::markup::{escaped, push_escaped};

/// A drawing with its size. It is made by a [`Figure`](crate::Figure), and shown on a page or
/// written as a file of its own with [`standalone_svg`](crate::standalone_svg).
#[derive(Clone, Debug)]
pub struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

/// Which point of a text its place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A coordinate with at most two decimals, without zeros at the end.
pub(crate) fn px(value: f64) -> String {
    let hundredths = (value * 100.0).round();
    if !hundredths.is_finite() || hundredths == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{:.2}", hundredths / 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Drawing {
    pub(crate) const fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// The width that it was drawn for.
    pub const fn width(&self) -> f64 {
        self.width
    }

    /// The height that it needs at that width.
    pub const fn height(&self) -> f64 {
        self.height
    }

    /// The `svg` element, with a description for those who do not see it and a class beside `fig`.
    pub(crate) fn to_element(&self, description: &str, class: &str) -> String {
        self.element(description, &format!("fig {class}"), "")
    }

    /// The `svg` element of a file of its own, with the style inside.
    pub(crate) fn to_document(&self, description: &str, style: &str) -> String {
        let style = format!("<style>{style}</style>");
        let namespace = "xmlns=\"http://www.w3.org/2000/svg\" ";
        let element = self.element(description, "fig", &style);
        element.replacen("<svg ", &format!("<svg {namespace}"), 1) + "\n"
    }

    /// An element that is not seen itself and holds shapes for others to name.
    pub(crate) fn to_definitions(&self) -> String {
        format!(
            "<svg class=\"fig shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{}</defs></svg>\n",
            self.body
        )
    }

    fn element(&self, description: &str, class: &str, inside: &str) -> String {
        let (width, height) = (px(self.width), px(self.height));
        format!(
            "<svg class=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{}\">{inside}{}</svg>",
            class.trim_end(),
            escaped(description),
            self.body
        )
    }

    pub(crate) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let (x, y, width, height) = (px(x), px(y), px(width), px(height));
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// A rectangle filled with the colour of heat maps to this degree, from 0 to 1; with that of
    /// cold below zero, to -1.
    pub(crate) fn shade(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), degree: f64) {
        let (x, y, width, height) = (px(x), px(y), px(width), px(height));
        let class = if degree < 0.0 { "cold" } else { "heat" };
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             fill-opacity=\"{}\"/>",
            px(degree.abs())
        );
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let (x1, y1, x2, y2) = (px(x1), px(y1), px(x2), px(y2));
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    pub(crate) fn circle(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let (x, y, radius) = (px(x), px(y), px(radius));
        let _ =
            write!(self.body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }

    /// A path through these points; closed if it bounds a surface.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], closed: bool, class: &str) {
        if points.is_empty() {
            return;
        }
        let _ = write!(self.body, "<path class=\"{class}\" d=\"");
        for (i, &(x, y)) in points.iter().enumerate() {
            let _ = write!(self.body, "{}{} {}", if i == 0 { 'M' } else { 'L' }, px(x), px(y));
        }
        self.body.push_str(if closed { "Z\"/>" } else { "\"/>" });
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (px(x), px(y));
        let _ = write!(self.body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>");
        push_escaped(&mut self.body, text);
        self.body.push_str("</text>");
    }

    /// Draws a shape with a name, for [`Drawing::named_shape`] to show. Where it is shown, style
    /// sheets see nothing around it, so it is a figure by itself.
    pub(crate) fn named(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g class=\"fig\" lang=\"ja\" id=\"{name}\">");
        draw(self);
        self.body.push_str("</g>");
    }

    /// Shows a shape that is drawn elsewhere on the page, moved to a place and scaled.
    pub(crate) fn named_shape(&mut self, name: &str, (x, y): (f64, f64), scale: f64) {
        let _ = write!(self.body, "<use href=\"#{name}\"");
        if scale != 1.0 {
            let (x, y, scale) = (px(x), px(y), px(scale));
            let _ = write!(self.body, " transform=\"translate({x} {y}) scale({scale})\"/>");
        } else if (x, y) == (0.0, 0.0) {
            self.body.push_str("/>");
        } else {
            let _ = write!(self.body, " x=\"{}\" y=\"{}\"/>", px(x), px(y));
        }
    }

    /// Draws in a link to a place of the page, with a text that is shown when it is pointed at.
    pub(crate) fn link(&mut self, anchor: &str, text: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<a href=\"#{anchor}\" tabindex=\"-1\"><title>");
        push_escaped(&mut self.body, text);
        self.body.push_str("</title>");
        draw(self);
        self.body.push_str("</a>");
    }

    /// Draws in a group that shows a text when it is pointed at.
    pub(crate) fn tooltip(&mut self, text: &str, draw: impl FnOnce(&mut Self)) {
        self.body.push_str("<g><title>");
        push_escaped(&mut self.body, text);
        self.body.push_str("</title>");
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws in a group with this transformation.
    pub(crate) fn transformed(&mut self, transform: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g transform=\"{transform}\">");
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws in a group whose text is Japanese, so that readers choose Japanese glyphs.
    pub(crate) fn japanese(&mut self, draw: impl FnOnce(&mut Self)) {
        self.body.push_str("<g lang=\"ja\">");
        draw(self);
        self.body.push_str("</g>");
    }

    /// Draws in a group with this class.
    pub(crate) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g class=\"{class}\">");
        draw(self);
        self.body.push_str("</g>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        assert_eq!(px(12.0), "12");
        assert_eq!(px(0.125), "0.13");
        assert_eq!(px(-0.001), "0");
        assert_eq!(px(-3.5), "-3.5");
        assert_eq!(px(100.0), "100");
        assert_eq!(px(f64::NAN), "0");
    }

    #[test]
    fn a_drawing_is_literal_text() {
        let mut drawing = Drawing::new(20.0, 10.0);
        drawing.line((0.0, 0.0), (20.0, 10.0), "grid");
        drawing.tooltip("a & b", |d| d.text((1.0, 2.5), Anchor::End, "tick", "<1>"));
        assert_eq!(
            drawing.to_element("\"x\"", "wide"),
            "<svg class=\"fig wide\" viewBox=\"0 0 20 10\" width=\"20\" height=\"10\" role=\"img\" \
             aria-label=\"&quot;x&quot;\"><line class=\"grid\" x1=\"0\" y1=\"0\" x2=\"20\" y2=\"10\"/>\
             <g><title>a &amp; b</title><text class=\"tick\" x=\"1\" y=\"2.5\" text-anchor=\"end\">\
             &lt;1&gt;</text></g></svg>"
        );
    }
}
