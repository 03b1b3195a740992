//! Time and means.

use std::time::Instant;

use cpu_time::ThreadTime;

/// Runs `work` and gives its value and the processor time it took, in seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let value = work();
    (value, start.elapsed().as_secs_f64())
}

/// Runs `work` and gives its value and the time that went by, in seconds: for work of several
/// threads.
pub fn timed_by_clock<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed().as_secs_f64())
}

/// The geometric mean.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.into_iter().fold((0.0, 0_u32), |(sum, n), value| (sum + value.ln(), n + 1));
    (sum / f64::from(count)).exp()
}

/// Three decimals are all that a noisy machine can tell.
pub fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
