//! Line charts: several series over one axis, with bands and reference lines.

use crate::figure::axis::Axis;
use crate::figure::frame::{Frame, Place, Reference};
use crate::figure::legend::{self, Key, Sign};
use crate::figure::{Figure, colour_class, extent, no_data};
use crate::markup::{fitted, text_width};
use crate::svg::Anchor;
use crate::{Drawing, Lang};

/// From this width on there is room for names at the ends of the curves.
const ROOM_FOR_NAMES: f64 = 560.0;
const NAME_SIZE: f64 = 13.0;
/// The least distance between two names.
const NAME_STEP: f64 = 17.0;

/// A curve, with a band around it if there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    band: Vec<(f64, f64, f64)>,
    colour: Option<usize>,
    dashed: bool,
    thin: bool,
    dots: bool,
}

impl Series {
    /// A curve through these points, from left to right. It breaks where a number is missing
    /// (`NaN`).
    pub fn new(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.to_owned(),
            points: points.into_iter().collect(),
            band: Vec::new(),
            colour: None,
            dashed: false,
            thin: false,
            dots: false,
        }
    }

    /// A band between a lower and an upper end at each place: `(x, low, high)`.
    #[must_use]
    pub fn band(mut self, band: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        self.band = band.into_iter().collect();
        self
    }

    /// Takes the colour with this number; else each named series takes the next one.
    #[must_use]
    pub const fn colour(mut self, colour: usize) -> Self {
        self.colour = Some(colour);
        self
    }

    /// Draws it dashed.
    #[must_use]
    pub const fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }

    /// Draws it thin and without a name, as one of many.
    #[must_use]
    pub const fn thin(mut self) -> Self {
        self.thin = true;
        self
    }

    /// Marks each point with a dot.
    #[must_use]
    pub const fn dots(mut self) -> Self {
        self.dots = true;
        self
    }
}

/// A line chart.
#[derive(Clone, PartialEq, Debug)]
pub struct LineChart {
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    references: Vec<Reference>,
}

impl LineChart {
    /// A chart without curves yet.
    pub const fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, series: Vec::new(), references: Vec::new() }
    }

    /// Adds a series.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds a horizontal line at a value that means something. The chart reaches to it.
    #[must_use]
    pub fn reference(mut self, value: f64, label: &str) -> Self {
        self.references.push(Reference { value, label: label.to_owned() });
        self
    }

    /// Each series with its colour.
    fn coloured(&self) -> Vec<(&Series, usize)> {
        let mut next = 0;
        let mut coloured = Vec::new();
        for series in &self.series {
            let colour = series.colour.unwrap_or(next);
            if series.colour.is_none() && !series.thin {
                next += 1;
            }
            coloured.push((series, colour));
        }
        coloured
    }

    fn keys(&self) -> Vec<Key> {
        let named = self.coloured().into_iter().filter(|(series, _)| !series.thin);
        let key = |(series, colour): (&Series, usize)| Key {
            sign: if series.dashed { Sign::Dashed } else { Sign::Curve },
            colour,
            name: series.name.clone(),
        };
        named.map(key).collect()
    }

    fn takes(&self, (x, y): (f64, f64)) -> bool {
        self.x.takes(x) && self.y.takes(y)
    }

    /// All points that are drawn, the ends of bands among them.
    fn points(&self) -> Vec<(f64, f64)> {
        let of = |series: &Series| {
            let band = series.band.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
            series.points.iter().copied().chain(band).collect::<Vec<_>>()
        };
        self.series.iter().flat_map(of).filter(|&point| self.takes(point)).collect()
    }

    fn draw_band(&self, d: &mut Drawing, frame: &Frame, series: &Series, colour: usize) {
        let drawn =
            |&&(x, low, high): &&(f64, f64, f64)| self.takes((x, low)) && self.takes((x, high));
        let band: Vec<_> = series.band.iter().filter(drawn).collect();
        let upper = band.iter().map(|&&(x, _, high)| (frame.x.at(x), frame.y.at(high)));
        let lower = band.iter().rev().map(|&&(x, low, _)| (frame.x.at(x), frame.y.at(low)));
        let outline: Vec<_> = upper.chain(lower).collect();
        d.path(&outline, true, &format!("band {}", colour_class(colour)));
    }

    fn draw_curve(&self, d: &mut Drawing, frame: &Frame, series: &Series, colour: usize) {
        let mut class = format!("curve {}", colour_class(colour));
        for (wanted, name) in [(series.dashed, " dashed"), (series.thin, " thin")] {
            class += if wanted { name } else { "" };
        }
        let place = |&(x, y): &(f64, f64)| (frame.x.at(x), frame.y.at(y));
        for piece in series.points.split(|&point| !self.takes(point)) {
            let placed: Vec<_> = piece.iter().map(place).collect();
            d.path(&placed, false, &class);
            // A single point makes no line, so it is shown as a dot.
            if series.dots || piece.len() == 1 {
                for (&(x, y), &at) in piece.iter().zip(&placed) {
                    let (x, y) = (frame.x.label_with(x, 0), frame.y.label_with(y, 1));
                    d.tooltip(&format!("{}: {x}, {y}", series.name), |d| {
                        d.circle(at, 4.0, &format!("dot {}", colour_class(colour)));
                    });
                }
            }
        }
    }

    /// Writes each name beside the end of its curve, moved apart where they would meet.
    fn draw_names(&self, d: &mut Drawing, frame: &Frame) {
        let mut names = Vec::new();
        for (series, colour) in self.coloured() {
            let last = series.points.iter().rev().find(|&&point| self.takes(point));
            if let Some(&(_, y)) = last.filter(|_| !series.thin) {
                names.push((frame.y.at(y), series.name.as_str(), colour));
            }
        }
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut heights: Vec<f64> = names.iter().map(|name| name.0).collect();
        for i in 1..heights.len() {
            heights[i] = heights[i].max(heights[i - 1] + NAME_STEP);
        }
        let mut lowest = frame.bottom;
        for height in heights.iter_mut().rev() {
            *height = height.min(lowest);
            lowest = *height - NAME_STEP;
        }
        let x = frame.right + 12.0;
        for ((_, name, colour), y) in names.into_iter().zip(heights) {
            d.circle((x + 3.0, y), 3.5, &format!("fill {}", colour_class(colour)));
            let name = fitted(name, NAME_SIZE, d.width() - x - 12.0);
            d.text((x + 12.0, y + 4.5), Anchor::Start, "name", &name);
        }
    }
}

impl Figure for LineChart {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        let keys = self.keys();
        let beside = width >= ROOM_FOR_NAMES && keys.len() <= 12;
        let above = if beside { 0.0 } else { legend::height(&keys, width) };
        let widest = keys.iter().map(|key| text_width(&key.name, NAME_SIZE)).fold(0.0, f64::max);
        let points = self.points();
        if points.is_empty() {
            return no_data(width, lang);
        }
        let references = self.references.iter().map(|reference| reference.value);
        let references = references.filter(|&value| self.y.takes(value));
        let frame = Frame::new(&Place {
            width,
            above,
            beside: if beside { (widest + 30.0).min(width * 0.34) } else { 0.0 },
            x: &self.x,
            y: &self.y,
            x_data: extent(points.iter().map(|point| point.0)),
            y_data: extent(points.iter().map(|point| point.1).chain(references)),
            round_x: false,
        });
        let mut d = Drawing::new(width, Frame::height(width, above));
        frame.draw(&mut d, &self.x, &self.y);
        for (series, colour) in self.coloured() {
            self.draw_band(&mut d, &frame, series, colour);
        }
        for (series, colour) in self.coloured() {
            self.draw_curve(&mut d, &frame, series, colour);
        }
        let placed: Vec<_> = points.iter().map(|&(x, y)| (frame.x.at(x), frame.y.at(y))).collect();
        for reference in &self.references {
            frame.draw_reference(&mut d, reference, &placed);
        }
        if beside {
            self.draw_names(&mut d, &frame);
        } else {
            legend::draw(&mut d, &keys);
        }
        d
    }
}
