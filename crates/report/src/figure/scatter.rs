//! Scatter charts: one dot a thing.

use crate::figure::axis::Axis;
use crate::figure::frame::{Frame, Place, Reference};
use crate::figure::legend::{self, Key, Sign};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::markup::text_width;
use crate::svg::Anchor;
use crate::{Drawing, Lang};

const LABEL_SIZE: f64 = 11.5;

/// Points of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Cloud {
    name: String,
    points: Vec<(f64, f64, String)>,
}

impl Cloud {
    /// A cloud without points yet.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), points: Vec::new() }
    }

    /// Adds a point. Its name is shown when it is pointed at, and beside it where there is room
    /// among the named ones; it may be empty.
    #[must_use]
    pub fn point(mut self, x: f64, y: f64, name: &str) -> Self {
        self.points.push((x, y, name.to_owned()));
        self
    }
}

/// A scatter chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Scatter {
    x: Axis,
    y: Axis,
    clouds: Vec<Cloud>,
    diagonal: bool,
    references: Vec<Reference>,
}

impl Scatter {
    /// A chart without points yet.
    pub const fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, clouds: Vec::new(), diagonal: false, references: Vec::new() }
    }

    /// Adds a cloud.
    #[must_use]
    pub fn cloud(mut self, cloud: Cloud) -> Self {
        self.clouds.push(cloud);
        self
    }

    /// Draws the line on which both numbers are equal.
    #[must_use]
    pub const fn diagonal(mut self) -> Self {
        self.diagonal = true;
        self
    }

    /// Adds a horizontal line at a value that means something.
    #[must_use]
    pub fn reference(mut self, value: f64, label: &str) -> Self {
        self.references.push(Reference { value, label: label.to_owned() });
        self
    }

    fn keys(&self) -> Vec<Key> {
        if self.clouds.len() < 2 {
            return Vec::new();
        }
        let key = |(colour, cloud): (usize, &Cloud)| Key {
            sign: Sign::Dot,
            colour,
            name: cloud.name.clone(),
        };
        self.clouds.iter().enumerate().map(key).collect()
    }

    /// The drawn points with the number of their cloud.
    fn points(&self) -> impl Iterator<Item = (usize, &(f64, f64, String))> {
        let clouds = self.clouds.iter().enumerate();
        let all = clouds.flat_map(|(i, cloud)| cloud.points.iter().map(move |point| (i, point)));
        all.filter(|(_, point)| self.x.takes(point.0) && self.y.takes(point.1))
    }

    fn draw_diagonal(&self, d: &mut Drawing, frame: &Frame) {
        let ends = |scale: &crate::figure::axis::Scale| {
            (scale.ticks[0], scale.ticks[scale.ticks.len() - 1])
        };
        let ((x0, x1), (y0, y1)) = (ends(&frame.x), ends(&frame.y));
        let (low, high) = (x0.max(y0), x1.min(y1));
        if low < high {
            let at = |value| (frame.x.at(value), frame.y.at(value));
            d.line(at(low), at(high), "reference");
        }
    }

    /// Names points whose name meets no dot and no other name.
    fn draw_names(&self, d: &mut Drawing, frame: &Frame) {
        let at = |point: &(f64, f64, String)| (frame.x.at(point.0), frame.y.at(point.1));
        let mut taken: Vec<Rect> =
            self.points().map(|(_, point)| Rect::around(at(point), 5.0, 5.0)).collect();
        for (_, point) in self.points().filter(|(_, point)| !point.2.is_empty()) {
            let ((x, y), width) = (at(point), text_width(&point.2, LABEL_SIZE));
            let right =
                Rect { left: x + 7.0, right: x + 9.0 + width, top: y - 7.0, bottom: y + 7.0 };
            let left = Rect { left: x - 9.0 - width, right: x - 7.0, ..right };
            let above = Rect::around((x, y - 13.0), width / 2.0 + 1.0, 7.0);
            let below = Rect::around((x, y + 14.0), width / 2.0 + 1.0, 7.0);
            let free = |rect: &&Rect| {
                rect.left >= frame.left
                    && rect.right <= d.width()
                    && rect.top >= frame.top - 8.0
                    && rect.bottom <= frame.bottom
                    && !taken.iter().any(|other| other.meets(rect))
            };
            if let Some(&rect) = [right, left, above, below].iter().find(free) {
                let place = (f64::midpoint(rect.left, rect.right), rect.bottom - 3.0);
                d.text(place, Anchor::Middle, "soft small halo", &point.2);
                taken.push(rect);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Rect {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Rect {
    fn around((x, y): (f64, f64), width: f64, height: f64) -> Self {
        Self { left: x - width, right: x + width, top: y - height, bottom: y + height }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

impl Figure for Scatter {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        if self.points().next().is_none() {
            return no_data(width, lang);
        }
        let keys = self.keys();
        let above = legend::height(&keys, width);
        let references = self.references.iter().map(|reference| reference.value);
        let references = references.filter(|&value| self.y.takes(value));
        let frame = Frame::new(&Place {
            width,
            above,
            beside: 0.0,
            x: &self.x,
            y: &self.y,
            x_data: extent(self.points().map(|(_, point)| point.0)),
            y_data: extent(self.points().map(|(_, point)| point.1).chain(references)),
            round_x: true,
        });
        let mut d = Drawing::new(width, Frame::height(width, above));
        frame.draw(&mut d, &self.x, &self.y);
        if self.diagonal {
            self.draw_diagonal(&mut d, &frame);
        }
        for (colour, (x, y, name)) in self.points() {
            let at = (frame.x.at(*x), frame.y.at(*y));
            let numbers = format!("{}, {}", frame.x.label_with(*x, 1), frame.y.label_with(*y, 1));
            let text = if name.is_empty() { numbers } else { format!("{name}: {numbers}") };
            let class = format!("cloud {}", colour_class(colour));
            d.tooltip(&text, |d| d.circle(at, 4.5, &class));
        }
        let placed: Vec<_> =
            self.points().map(|(_, point)| (frame.x.at(point.0), frame.y.at(point.1))).collect();
        for reference in &self.references {
            frame.draw_reference(&mut d, reference, &placed);
        }
        self.draw_names(&mut d, &frame);
        legend::draw(&mut d, &keys);
        d
    }
}
