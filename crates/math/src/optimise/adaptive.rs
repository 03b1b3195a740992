//! AdaGrad and Adam: gradient descent with a step size for every parameter.

/// The factor of a learning rate that falls linearly from 1 to `last` while `done` goes from 0 to
/// `total`.
pub fn linear_decay(last: f64, done: f64, total: f64) -> f64 {
    1.0 - (1.0 - last) * done / total
}

/// AdaGrad: the step of a parameter is the rate times its gradient, divided by the root of the sum
/// of the squares of all its gradients so far.
#[derive(Clone, PartialEq, Debug)]
pub struct AdaGrad {
    initial: f32,
    squares: Vec<f32>,
}

impl AdaGrad {
    /// For so many parameters. Every sum begins with `initial`: the larger, the less a parameter
    /// with few gradients moves.
    pub fn new(count: usize, initial: f32) -> Self {
        Self { initial, squares: vec![initial; count] }
    }

    /// Moves a parameter, by its number, against its gradient.
    #[inline(always)]
    pub fn step(&mut self, number: usize, parameter: &mut f32, gradient: f32, rate: f32) {
        let square = &mut self.squares[number];
        *square += gradient * gradient;
        *parameter -= rate * gradient / square.sqrt();
    }

    /// Has this parameter had a gradient yet?
    pub fn has_moved(&self, number: usize) -> bool {
        self.squares[number] != self.initial
    }

    /// The sums of squares, to be written to a file.
    pub fn squares(&self) -> &[f32] {
        &self.squares
    }

    /// Goes on with sums of squares that were read from a file.
    ///
    /// # Panics
    /// If there are not as many as before.
    pub fn restore(&mut self, squares: Vec<f32>) {
        assert_eq!(squares.len(), self.squares.len(), "one sum for every parameter");
        self.squares = squares;
    }
}

/// Adam without the correction of bias: the step of a parameter is the rate times a running mean of
/// its gradients, divided by the root of a running mean of their squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    epsilon: f32,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    /// The share of the old mean of gradients that is kept in a step.
    const BETA_1: f32 = 0.9;
    /// The share of the old mean of squares that is kept in a step.
    const BETA_2: f32 = 0.99;

    /// For so many parameters. `epsilon` is added to the root: gradients much smaller than it make
    /// steps in proportion to them.
    pub fn new(count: usize, epsilon: f32) -> Self {
        Self { epsilon, means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// Moves a parameter, by its number, against its gradient.
    #[inline(always)]
    pub fn step(&mut self, number: usize, parameter: &mut f32, gradient: f32, rate: f32) {
        let (mean, square) = (&mut self.means[number], &mut self.squares[number]);
        *mean += (1.0 - Self::BETA_1) * (gradient - *mean);
        *square += (1.0 - Self::BETA_2) * (gradient * gradient - *square);
        let size = square.sqrt() + self.epsilon;
        *parameter -= rate * *mean / size;
    }

    /// The running means of gradients and of their squares, to be written to a file.
    pub fn means(&self) -> [&[f32]; 2] {
        [&self.means, &self.squares]
    }

    /// Goes on with running means that were read from a file.
    ///
    /// # Panics
    /// If there are not as many as before.
    pub fn restore(&mut self, means: Vec<f32>, squares: Vec<f32>) {
        let count = self.means.len();
        assert!(means.len() == count && squares.len() == count, "two means for every parameter");
        (self.means, self.squares) = (means, squares);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adagrad_divides_by_the_sum_of_squares() {
        let mut adagrad = AdaGrad::new(2, 16.0);
        let mut parameter = 1.0;
        adagrad.step(0, &mut parameter, 3.0, 0.5);
        assert_eq!(parameter, 1.0 - 0.5 * 3.0 / 5.0);
        assert!(adagrad.has_moved(0) && !adagrad.has_moved(1));
        let mut resumed = AdaGrad::new(2, 16.0);
        resumed.restore(adagrad.squares().to_vec());
        assert_eq!(resumed, adagrad);
    }

    #[test]
    fn adam_goes_to_the_minimum() {
        let mut adam = Adam::new(2, 1e-8);
        let mut point = [5.0_f32, -3.0];
        for step in 0..2000 {
            let rate = 0.1 * linear_decay(0.0, f64::from(step), 2000.0) as f32;
            let gradient = [2.0 * (point[0] - 1.0), 200.0 * (point[1] - 2.0)];
            for (number, gradient) in gradient.into_iter().enumerate() {
                adam.step(number, &mut point[number], gradient, rate);
            }
        }
        assert!((point[0] - 1.0).abs() < 1e-3 && (point[1] - 2.0).abs() < 1e-3, "{point:?}");
        let mut resumed = Adam::new(2, 1e-8);
        let [means, squares] = adam.means().map(<[f32]>::to_vec);
        resumed.restore(means, squares);
        assert_eq!(resumed, adam);
    }

    /// The first step of Adam as it is defined: (1 - b1) g / (sqrt((1 - b2) g^2) + epsilon).
    #[test]
    fn the_first_step_of_adam() {
        let mut parameter = 0.0;
        Adam::new(1, 0.25).step(0, &mut parameter, 2.0, 1.0);
        assert!((parameter + 0.2 / (0.2 + 0.25)).abs() < 1e-6, "{parameter}");
    }

    #[test]
    fn rates_decay_to_their_last_share() {
        assert_eq!(linear_decay(0.1, 0.0, 8.0), 1.0);
        assert!((linear_decay(0.1, 4.0, 8.0) - 0.55).abs() < 1e-15);
        assert!((linear_decay(0.1, 8.0, 8.0) - 0.1).abs() < 1e-15);
    }
}
