//! Small dense symmetric matrices: information of a fit, and what follows from it.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

/// The triangle `L` of a positive definite matrix `L·Lᵀ`.
#[derive(Clone, PartialEq, Debug)]
pub struct Cholesky(Matrix);

impl Matrix {
    /// All zero.
    pub fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    /// How many rows it has, and columns.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    /// A row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..(row + 1) * self.size]
    }

    /// Adds another one, `factor` times.
    pub fn add(&mut self, other: &Self, factor: f64) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(sum, cell)| *sum += factor * cell);
    }

    /// Adds to the diagonal.
    pub fn add_diagonal(&mut self, diagonal: &[f64]) {
        for (i, value) in diagonal.iter().enumerate() {
            self.row_mut(i)[i] += value;
        }
    }

    /// Adds the product of a vector with itself, `factor` times.
    pub fn add_square(&mut self, vector: &[f64], factor: f64) {
        for (i, &a) in vector.iter().enumerate() {
            if a != 0.0 {
                let scaled = factor * a;
                self.row_mut(i).iter_mut().zip(vector).for_each(|(sum, b)| *sum += scaled * b);
            }
        }
    }

    /// The product with a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    /// The product with another matrix.
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for i in 0..self.size {
            for (k, &factor) in self.row(i).iter().enumerate() {
                if factor != 0.0 {
                    let row = &mut product.cells[i * self.size..(i + 1) * self.size];
                    row.iter_mut().zip(other.row(k)).for_each(|(sum, cell)| *sum += factor * cell);
                }
            }
        }
        product
    }

    /// Rows as columns.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut turned = Self::zero(self.size);
        for i in 0..self.size {
            for k in 0..self.size {
                turned.row_mut(k)[i] = self.row(i)[k];
            }
        }
        turned
    }

    /// The triangle of a positive definite matrix; `None` of any other.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let mut triangle = Self::zero(self.size);
        for i in 0..self.size {
            for k in 0..=i {
                let known = dot(&triangle.row(i)[..k], &triangle.row(k)[..k]);
                let rest = self.row(i)[k] - known;
                let cell = if i == k {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / triangle.row(k)[k]
                };
                triangle.row_mut(i)[k] = cell;
            }
        }
        Some(Cholesky(triangle))
    }
}

impl Cholesky {
    /// The vector that the matrix turns into this one.
    pub fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let Self(triangle) = self;
        let mut solution = vector.to_vec();
        for i in 0..triangle.size {
            let known = dot(&triangle.row(i)[..i], &solution[..i]);
            solution[i] = (solution[i] - known) / triangle.row(i)[i];
        }
        for i in (0..triangle.size).rev() {
            solution[i] /= triangle.row(i)[i];
            let value = solution[i];
            let row = &triangle.row(i)[..i];
            solution.iter_mut().zip(row).for_each(|(sum, cell)| *sum -= value * cell);
        }
        solution
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Matrix {
        let mut inverse = Matrix::zero(self.0.size);
        let mut unit = vec![0.0; self.0.size];
        for i in 0..self.0.size {
            unit[i] = 1.0;
            inverse.row_mut(i).copy_from_slice(&self.solve(&unit));
            unit[i] = 0.0;
        }
        inverse
    }
}

/// The sum of the products.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn some(size: usize) -> Matrix {
        let mut random = Random::new(3);
        let mut matrix = Matrix::zero(size);
        for _ in 0..2 * size {
            let vector: Vec<f64> = (0..size).map(|_| random.unit() - 0.5).collect();
            matrix.add_square(&vector, 1.0);
        }
        matrix
    }

    #[test]
    fn what_is_solved_is_right() {
        let matrix = some(12);
        let wanted: Vec<f64> = (0..12).map(|i| f64::from(i) - 4.0).collect();
        let cholesky = matrix.cholesky().unwrap();
        let solved = cholesky.solve(&matrix.times(&wanted));
        assert!(solved.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{solved:?}");
        let one = matrix.product(&cholesky.inverse());
        for i in 0..12 {
            for k in 0..12 {
                let expected = f64::from(u8::from(i == k));
                assert!((one.row(i)[k] - expected).abs() < 1e-9);
            }
        }
        assert_eq!(matrix.transposed().transposed(), matrix);
    }

    #[test]
    fn other_matrices_have_no_triangle() {
        assert!(Matrix::zero(3).cholesky().is_none());
        let mut negative = Matrix::zero(2);
        negative.add_diagonal(&[1.0, -1.0]);
        assert!(negative.cholesky().is_none());
    }
}
