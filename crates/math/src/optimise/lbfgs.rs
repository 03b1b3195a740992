//! L-BFGS: the minimum of a smooth function by quasi-Newton steps with a limited memory, within
//! bounds.

use std::collections::VecDeque;

/// Steps that the approximation of the inverse Hessian is made of.
const MEMORY: usize = 12;
/// Armijo's condition: the share of the gain the gradient promises that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Relative gains below this end the search.
const TOLERANCE: f64 = 1e-9;
/// Halvings of a step in the backtracking line search.
const MOST_HALVINGS: usize = 30;

/// A step that was made, and how the gradient changed with it.
struct Memory {
    step: Vec<f64>,
    change: Vec<f64>,
}

/// A minimisation by L-BFGS under way, of a function that gives its value and its gradient.
pub struct Lbfgs<F> {
    function: F,
    point: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    /// May no coordinate be negative?
    bounded: bool,
    memory: VecDeque<Memory>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> Lbfgs<F> {
    /// Begins at a point. A minimisation that is `bounded` keeps all coordinates at zero or above.
    pub fn new(start: Vec<f64>, bounded: bool, function: F) -> Self {
        let (value, gradient) = function(&start);
        Self { function, point: start, value, gradient, bounded, memory: VecDeque::new() }
    }

    /// The point that is reached.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// Makes a step. `false` if none brings a gain.
    pub fn step(&mut self) -> bool {
        if self.try_step() {
            return true;
        }
        // Old steps can mislead at a bound: once more, by steepest descent.
        let misled = !self.memory.is_empty();
        self.memory.clear();
        misled && self.try_step()
    }

    fn try_step(&mut self) -> bool {
        let direction = self.direction();
        let mut length = if self.memory.is_empty() {
            dot(&direction, &direction).sqrt().max(1.0).recip()
        } else {
            1.0
        };
        for _ in 0..MOST_HALVINGS {
            let point = self.moved(&direction, length);
            let step = difference(&point, &self.point);
            let (value, gradient) = (self.function)(&point);
            if value <= self.value + ARMIJO * dot(&self.gradient, &step) {
                let gain = self.value - value;
                self.remember(step, difference(&gradient, &self.gradient));
                (self.point, self.value, self.gradient) = (point, value, gradient);
                return gain > TOLERANCE * value.abs();
            }
            length /= 2.0;
        }
        false
    }

    fn moved(&self, direction: &[f64], length: f64) -> Vec<f64> {
        let move_one = |(x, d): (&f64, &f64)| {
            let moved = x + length * d;
            if self.bounded { moved.max(0.0) } else { moved }
        };
        self.point.iter().zip(direction).map(move_one).collect()
    }

    fn remember(&mut self, step: Vec<f64>, change: Vec<f64>) {
        if dot(&step, &change) > 1e-14 {
            if self.memory.len() == MEMORY {
                self.memory.pop_front();
            }
            self.memory.push_back(Memory { step, change });
        }
    }

    /// The direction of descent: minus the gradient times the approximate inverse Hessian.
    /// Coordinates that are held by their bound stay out.
    fn direction(&self) -> Vec<f64> {
        let free: Vec<bool> = self
            .point
            .iter()
            .zip(&self.gradient)
            .map(|(&x, &gradient)| !(self.bounded && x <= 0.0 && gradient > 0.0))
            .collect();
        let keep = |list: &[f64]| -> Vec<f64> {
            list.iter().zip(&free).map(|(&x, &free)| if free { x } else { 0.0 }).collect()
        };
        let gradient = keep(&self.gradient);
        let memory: Vec<(Vec<f64>, Vec<f64>, f64)> = self
            .memory
            .iter()
            .map(|memory| (keep(&memory.step), keep(&memory.change)))
            .map(|(step, change)| {
                let product = dot(&step, &change);
                (step, change, product)
            })
            .filter(|&(_, _, product)| product > 1e-14)
            .collect();
        let bent = two_loops(&gradient, &memory);
        if dot(&bent, &gradient) > 0.0 {
            bent.iter().map(|x| -x).collect()
        } else {
            gradient.iter().map(|x| -x).collect()
        }
    }
}

/// The two-loop recursion: the gradient times the approximate inverse Hessian.
fn two_loops(gradient: &[f64], memory: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut bent = gradient.to_vec();
    let add = |list: &mut [f64], factor: f64, other: &[f64]| {
        list.iter_mut().zip(other).for_each(|(x, other)| *x += factor * other);
    };
    let mut factors = Vec::with_capacity(memory.len());
    for (step, change, product) in memory.iter().rev() {
        let factor = dot(step, &bent) / product;
        add(&mut bent, -factor, change);
        factors.push(factor);
    }
    if let Some((_, change, product)) = memory.last() {
        let scale = product / dot(change, change);
        bent.iter_mut().for_each(|x| *x *= scale);
    }
    for ((step, change, product), factor) in memory.iter().zip(factors.iter().rev()) {
        let back = dot(change, &bent) / product;
        add(&mut bent, factor - back, step);
    }
    bent
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A narrow valley with its lowest point at (2, -1, 3).
    fn valley(x: &[f64]) -> (f64, Vec<f64>) {
        let d = [x[0] - 2.0, x[1] + 1.0, x[2] - 3.0];
        let value = 500.0 * d[0] * d[0] + d[1] * d[1] + d[0] * d[1] + 0.1 * d[2].powi(4);
        (value, vec![1000.0 * d[0] + d[1], 2.0 * d[1] + d[0], 0.4 * d[2].powi(3)])
    }

    fn minimum(bounded: bool) -> Vec<f64> {
        let mut lbfgs = Lbfgs::new(vec![0.0; 3], bounded, valley);
        for _ in 0..200 {
            if !lbfgs.step() {
                break;
            }
        }
        lbfgs.point().to_vec()
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.05
    }

    #[test]
    fn the_lowest_point_is_found() {
        let point = minimum(false);
        assert!(near(point[0], 2.0) && near(point[1], -1.0) && near(point[2], 3.0), "{point:?}");
    }

    #[test]
    fn bounds_are_kept() {
        let point = minimum(true);
        assert!(near(point[0], 2.0) && point[1] == 0.0 && near(point[2], 3.0), "{point:?}");
    }
}
