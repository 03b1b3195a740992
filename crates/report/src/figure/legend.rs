//! Legends: what the signs of a figure mean.

use crate::Drawing;
use crate::figure::colour_class;
use crate::markup::{fitted, text_width};
use crate::svg::Anchor;

/// The height of a line of the legend.
const LINE: f64 = 21.0;
const SIGN_WIDTH: f64 = 22.0;
const SIZE: f64 = 13.0;

/// The sign of a thing in a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Curve,
    Dashed,
    Bar,
    Dot,
    /// A comparison, by its number: each has a shape of its own beside its colour.
    Comparison(usize),
}

/// A sign, its colour and its name.
pub(crate) struct Key {
    pub sign: Sign,
    pub colour: usize,
    pub name: String,
}

/// The names of comparison signs, with the first colour for what is compared.
pub(crate) fn comparison_keys(names: &[String]) -> impl Iterator<Item = Key> + '_ {
    names.iter().enumerate().map(|(i, name)| Key {
        sign: Sign::Comparison(i),
        colour: i + 1,
        name: name.clone(),
    })
}

/// The place of each key, and the height of them all.
fn layout(keys: &[Key], width: f64) -> (Vec<(f64, f64)>, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for key in keys {
        let needed = SIGN_WIDTH + 6.0 + text_width(&key.name, SIZE);
        if x > 0.0 && x + needed > width {
            (x, y) = (0.0, y + LINE);
        }
        places.push((x, y));
        x += needed + 16.0;
    }
    (places, if keys.is_empty() { 0.0 } else { y + LINE + 11.0 })
}

pub(crate) fn height(keys: &[Key], width: f64) -> f64 {
    layout(keys, width).1
}

/// Draws the legend at the top left.
pub(crate) fn draw(d: &mut Drawing, keys: &[Key]) {
    let width = d.width();
    for (key, (x, y)) in keys.iter().zip(layout(keys, width).0) {
        draw_sign(d, key, (x + SIGN_WIDTH / 2.0, y + 10.0));
        let room = width - x - SIGN_WIDTH - 6.0;
        let name = fitted(&key.name, SIZE, room);
        d.text((x + SIGN_WIDTH + 6.0, y + 14.5), Anchor::Start, "name", &name);
    }
}

fn draw_sign(d: &mut Drawing, key: &Key, (x, y): (f64, f64)) {
    let colour = colour_class(key.colour);
    match key.sign {
        Sign::Curve => d.line((x - 10.0, y), (x + 10.0, y), &format!("curve {colour}")),
        Sign::Dashed => d.line((x - 10.0, y), (x + 10.0, y), &format!("curve dashed {colour}")),
        Sign::Bar => d.rect((x - 10.0, y - 5.5), (20.0, 11.0), &format!("bar {colour}")),
        Sign::Dot => d.circle((x, y), 5.0, &format!("dot {colour}")),
        Sign::Comparison(number) => draw_comparison(d, number, (x, y)),
    }
}

/// Draws the sign of a comparison: a diamond, a triangle, a square or a disc in turn.
pub(crate) fn draw_comparison(d: &mut Drawing, number: usize, (x, y): (f64, f64)) {
    let class = format!("sign {}", colour_class(number + 1));
    let points: &[(f64, f64)] = match number % 4 {
        0 => &[(0.0, -6.5), (5.5, 0.0), (0.0, 6.5), (-5.5, 0.0)],
        1 => &[(-5.6, -5.0), (5.6, -5.0), (0.0, 5.5)],
        2 => &[(-4.7, -4.7), (4.7, -4.7), (4.7, 4.7), (-4.7, 4.7)],
        _ => return d.circle((x, y), 5.0, &class),
    };
    let placed: Vec<_> = points.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    d.path(&placed, true, &class);
}

/// The sign of the first comparison, small enough for a cell of a table.
pub(crate) fn draw_small_diamond(d: &mut Drawing, (x, y): (f64, f64)) {
    let points = [(x, y - 5.5), (x + 4.5, y), (x, y + 5.5), (x - 4.5, y)];
    d.path(&points, true, &format!("sign {}", colour_class(1)));
}
