//! How the chances of the players went, move by move.

use super::GameView;
use crate::figure::{Figure, no_data};
use crate::markup::text_width;
use crate::svg::Anchor;
use crate::{Drawing, Lang};

const SIZE: f64 = 12.0;
const TOP: f64 = 30.0;
const BELOW: f64 = 42.0;
const LEFT: f64 = 48.0;

/// Black's chance to win in each position of a game, as a curve. Each position is a link to its
/// board.
#[derive(Clone, Debug)]
pub struct ChanceGraph<'a> {
    view: &'a GameView,
    ticks: Vec<(f64, String)>,
}

impl<'a> ChanceGraph<'a> {
    /// The graph of a game that is on the same page.
    pub const fn new(view: &'a GameView) -> Self {
        Self { view, ticks: Vec::new() }
    }

    /// Names a chance in another unit, at the right end of the graph.
    #[must_use]
    pub fn tick(mut self, chance: f64, label: &str) -> Self {
        self.ticks.push((chance, label.to_owned()));
        self
    }
}

/// Where the graph stands in its drawing.
struct Frame {
    left: f64,
    right: f64,
    bottom: f64,
    first: usize,
    steps: f64,
}

impl Frame {
    fn x(&self, number: usize) -> f64 {
        let share = (number - self.first) as f64 / self.steps;
        self.left + share * (self.right - self.left)
    }

    fn y(&self, chance: f64) -> f64 {
        let chance = if chance.is_finite() { chance.clamp(0.0, 1.0) } else { 0.5 };
        self.bottom - chance * (self.bottom - TOP)
    }

    /// Half the distance from one position to the next.
    fn half_step(&self) -> f64 {
        (self.right - self.left) / self.steps / 2.0
    }
}

impl ChanceGraph<'_> {
    fn draw_scales(&self, d: &mut Drawing, frame: &Frame, lang: Lang) {
        for percent in [0, 25, 50, 75, 100] {
            let y = frame.y(f64::from(percent) / 100.0);
            let class = if percent == 50 { "zero" } else { "grid" };
            d.line((frame.left, y), (frame.right, y), class);
            let label = format!("{percent} %");
            d.text((frame.left - 7.0, y + 4.0), Anchor::End, "tick small", &label);
        }
        for (chance, label) in &self.ticks {
            let y = frame.y(*chance);
            d.line((frame.right, y), (frame.right + 5.0, y), "axis");
            d.text((frame.right + 8.0, y + 4.0), Anchor::Start, "tick small", label);
        }
        let every = [5, 10, 20, 50, 100, 200, 500]
            .into_iter()
            .find(|&every| frame.half_step() * 2.0 * every as f64 >= 44.0)
            .unwrap_or(1000);
        let last = frame.first + frame.steps as usize;
        for number in (frame.first..=last).filter(|number| number.is_multiple_of(every)) {
            let x = frame.x(number);
            d.line((x, frame.bottom), (x, frame.bottom + 5.0), "axis");
            let label = number.to_string();
            d.text((x, frame.bottom + 18.0), Anchor::Middle, "tick small", &label);
        }
        let words = lang.words();
        d.text((0.0, 15.0), Anchor::Start, "soft", words.chance);
        d.text((d.width(), 15.0), Anchor::End, "soft", words.score);
        let middle = (frame.left + frame.right) / 2.0;
        d.text((middle, frame.bottom + 36.0), Anchor::Middle, "soft", words.moves);
    }

    fn draw_curve(&self, d: &mut Drawing, frame: &Frame) {
        let plies = &self.view.plies;
        let curve: Vec<_> =
            plies.iter().map(|ply| (frame.x(ply.number), frame.y(ply.drawn))).collect();
        let middle = frame.y(0.5);
        let mut area = vec![(frame.x(frame.first), middle)];
        area.extend(&curve);
        area.push((curve.last().map_or(frame.left, |point| point.0), middle));
        d.path(&area, true, "band c0");
        d.path(&curve, false, "curve c0");
        for ply in plies {
            if let Some(mark) = ply.mark.filter(|mark| mark.is_fault()) {
                let (x, y) = (frame.x(ply.number), frame.y(ply.drawn));
                d.circle((x, y), 4.5, &format!("fault {}", mark.class()));
                // The sign stands on the side from which the curve came.
                let above = ply.drawn < 0.5;
                let y = if above { y - 9.0 } else { y + 17.0 }.clamp(TOP - 2.0, frame.bottom - 3.0);
                let class = format!("small bold halo sign-of {}", mark.class());
                d.text((x, y), Anchor::Middle, &class, mark.sign());
            }
        }
    }

    /// Strips over the whole height, each a link to a position.
    fn draw_links(&self, d: &mut Drawing, frame: &Frame) {
        let half = frame.half_step();
        for ply in &self.view.plies {
            let x = frame.x(ply.number);
            let from = (x - half).max(frame.left);
            let to = (x + half).min(frame.right);
            let sign = ply.mark.filter(|mark| mark.is_fault()).map_or("", super::Mark::sign);
            let text = format!("{} {}{sign}  {}", ply.number, ply.name, ply.score);
            d.link(&ply.anchor(), &text, |d| {
                d.rect((from, TOP), (to - from, frame.bottom - TOP), "strip");
            });
        }
    }
}

impl Figure for ChanceGraph<'_> {
    fn draw(&self, width: f64, lang: Lang) -> Drawing {
        let [first, .., last] = self.view.plies.as_slice() else { return no_data(width, lang) };
        let height = TOP + (width * 0.24).clamp(150.0, 210.0) + BELOW;
        let widest = self.ticks.iter().map(|(_, label)| text_width(label, SIZE));
        let frame = Frame {
            left: LEFT,
            right: width - 12.0 - widest.fold(0.0, f64::max),
            bottom: height - BELOW,
            first: first.number,
            steps: last.number.saturating_sub(first.number).max(1) as f64,
        };
        let mut d = Drawing::new(width, height);
        self.draw_scales(&mut d, &frame, lang);
        self.draw_curve(&mut d, &frame);
        d.line((frame.left, TOP), (frame.left, frame.bottom), "cursor");
        self.draw_links(&mut d, &frame);
        d
    }
}
