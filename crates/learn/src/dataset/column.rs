//! Statistics of the columns: what the rows say of each feature.

/// Statistics of a feature over all resulting positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Resulting positions.
    pub rows: u64,
    /// The smallest value.
    pub min: i16,
    /// The largest value.
    pub max: i16,
    /// The sum of all values.
    pub sum: i64,
    /// How many values differ from the one after the master's move.
    pub changes: u64,
    /// The sum of the squares of those differences.
    pub squared_differences: u64,
}

impl Default for Column {
    fn default() -> Self {
        Self { rows: 0, min: i16::MAX, max: i16::MIN, sum: 0, changes: 0, squared_differences: 0 }
    }
}

impl Column {
    #[inline]
    pub(super) fn add(&mut self, value: i16, difference: i32) {
        self.rows += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += i64::from(value);
        self.changes += u64::from(difference != 0);
        self.squared_differences += u64::from(difference.unsigned_abs()).pow(2);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.changes += other.changes;
        self.squared_differences += other.squared_differences;
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.rows.max(1) as f64
    }

    /// The root of the mean squared difference to the master's move: how much the feature has to
    /// say about moves.
    pub fn spread(&self) -> f64 {
        (self.squared_differences as f64 / self.rows.max(1) as f64).sqrt()
    }
}
