//! Axes: what they say, and where their ticks are.

use crate::number;

/// What an axis measures and how far it reaches. It always reaches far enough for the data.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    pub(crate) title: String,
    low: Option<f64>,
    high: Option<f64>,
    kind: Kind,
    percent: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Linear,
    Logarithmic,
}

impl Axis {
    /// An axis with this title, which names the unit too.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), low: None, high: None, kind: Kind::Linear, percent: false }
    }

    /// Begins at this number, or lower if the data do.
    #[must_use]
    pub const fn from(mut self, low: f64) -> Self {
        self.low = Some(low);
        self
    }

    /// Ends at this number, or higher if the data do.
    #[must_use]
    pub const fn to(mut self, high: f64) -> Self {
        self.high = Some(high);
        self
    }

    /// Equal steps are equal ratios. Numbers that are not positive are not drawn.
    #[must_use]
    pub const fn logarithmic(mut self) -> Self {
        self.kind = Kind::Logarithmic;
        self
    }

    /// The numbers are shares of one and shown as percentages.
    #[must_use]
    pub const fn percent(mut self) -> Self {
        self.percent = true;
        self
    }

    /// Can this number be drawn?
    pub(crate) fn takes(&self, value: f64) -> bool {
        value.is_finite() && (self.kind == Kind::Linear || value > 0.0)
    }

    /// Places the axis between two coordinates, with about `ticks` ticks. Its ends are ticks if
    /// it is to be `round`, else the ends of the data.
    pub(crate) fn scale(
        &self,
        data: Option<(f64, f64)>,
        (start, end): (f64, f64),
        ticks: usize,
        round: bool,
    ) -> Scale {
        let fits = |bound: &f64| self.takes(*bound);
        let (mut low, mut high) = data.unwrap_or_else(|| {
            let low = self.low.filter(fits).unwrap_or(if self.percent { 0.0 } else { 1.0 });
            (low, self.high.filter(fits).unwrap_or(low).max(low))
        });
        low = self.low.filter(fits).map_or(low, |bound| bound.min(low));
        high = self.high.filter(fits).map_or(high, |bound| bound.max(high));
        if low == high {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            low -= if self.low == Some(low) { 0.0 } else { room };
            high += room;
        }
        let mut scale =
            Scale { low, high, start, end, kind: self.kind, percent: self.percent, ..Scale::EMPTY };
        match self.kind {
            Kind::Linear => scale.place_linear(ticks, round),
            Kind::Logarithmic => scale.place_logarithmic(ticks),
        }
        scale
    }
}

/// An axis in its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    kind: Kind,
    percent: bool,
    pub ticks: Vec<f64>,
    decimals: usize,
}

impl Scale {
    const EMPTY: Self = Self {
        low: 0.0,
        high: 1.0,
        start: 0.0,
        end: 1.0,
        kind: Kind::Linear,
        percent: false,
        ticks: Vec::new(),
        decimals: 0,
    };

    /// The coordinate of a number.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.start + share * (self.end - self.start)
    }

    /// Is this number between the ends?
    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// A number as the ticks show it.
    pub(crate) fn label(&self, value: f64) -> String {
        self.label_with(value, 0)
    }

    /// A number with more decimals than the ticks have, for a single value.
    pub(crate) fn label_with(&self, value: f64, more: usize) -> String {
        let decimals = match self.kind {
            Kind::Linear => self.decimals,
            // Ticks of one axis differ in size: each has the decimals that it needs.
            Kind::Logarithmic => decimals_of(value * if self.percent { 100.0 } else { 1.0 }),
        } + more;
        if self.percent { number::percent(value, decimals) } else { number::fixed(value, decimals) }
    }

    fn place_linear(&mut self, ticks: usize, round: bool) {
        let step = nice_step((self.high - self.low) / ticks.max(1) as f64);
        if round {
            self.low = (self.low / step + 1e-9).floor() * step;
            self.high = (self.high / step - 1e-9).ceil() * step;
        }
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        // The bound holds for numbers so large that adding a step changes nothing.
        let count = (last - first).clamp(0.0, 100.0) as usize;
        self.ticks = (0..=count).map(|i| (first + i as f64) * step).collect();
        self.decimals = decimals_of(step * if self.percent { 100.0 } else { 1.0 });
    }

    fn place_logarithmic(&mut self, ticks: usize) {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let of_digits = |digits: &[f64]| -> Vec<f64> {
            let powers = (first..=last).map(|power| 10f64.powi(power));
            let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
            all.filter(|&tick| self.holds(tick)).collect()
        };
        let choices = [of_digits(&[1.0, 2.0, 5.0]), of_digits(&[1.0, 3.0]), of_digits(&[1.0])];
        let [many, .., few] = &choices;
        let fitting = choices.iter().find(|choice| choice.len() <= ticks.max(2));
        self.ticks = fitting.unwrap_or(few).clone();
        if self.ticks.len() < 2 {
            self.ticks = if many.is_empty() { vec![self.low, self.high] } else { many.clone() };
        }
    }
}

/// The least of 1, 2, 2.5, 5 times a power of ten that is at least `rough`.
fn nice_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
    let factor = factors.into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// How many decimals a step needs to be exact, up to six.
fn decimals_of(step: f64) -> usize {
    let exact = |decimals: &usize| {
        let scaled = step.abs() * 10f64.powi(*decimals as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1e-9)
    };
    (0..6).find(exact).unwrap_or(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64, round: bool) -> Vec<String> {
        let scale = axis.scale(Some((low, high)), (0.0, 100.0), 5, round);
        scale.ticks.iter().map(|&tick| scale.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let axis = Axis::new("x");
        assert_eq!(labels(&axis, 312.0, 886.0, true), ["200", "400", "600", "800", "1,000"]);
        assert_eq!(labels(&axis, 0.0, 200.0, false), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(&axis, -0.3, 0.4, true), ["−0.4", "−0.2", "0.0", "0.2", "0.4"]);
        let share = Axis::new("share").from(0.0).percent();
        assert_eq!(labels(&share, 0.1, 0.24, true), ["0 %", "5 %", "10 %", "15 %", "20 %", "25 %"]);
        let log = Axis::new("positions").logarithmic();
        assert_eq!(labels(&log, 1e3, 5e4, false), ["1,000", "3,000", "10,000", "30,000"]);
        assert_eq!(labels(&log, 0.01, 1.0, false), ["0.01", "0.03", "0.1", "0.3", "1"]);
    }

    #[test]
    fn strange_data_still_give_an_axis() {
        let axis = Axis::new("x");
        for data in
            [None, Some((0.0, 0.0)), Some((7.0, 7.0)), Some((-1e18, 1e18)), Some((1e17, 1e17))]
        {
            let scale = axis.scale(data, (0.0, 100.0), 5, true);
            assert!(!scale.ticks.is_empty() && scale.ticks.len() <= 101, "{data:?}");
            let (low, high) = data.unwrap_or((1.0, 1.0));
            assert!(scale.at(low) >= -1e-6 && scale.at(high) <= 100.0 + 1e-6, "{data:?}");
        }
        let log = axis.logarithmic().from(0.0);
        assert!(!log.takes(0.0));
        assert!(log.scale(None, (0.0, 1.0), 5, false).at(1.0).is_finite());
        assert_eq!(labels(&log, 31.0, 34.0, false), ["31", "34"]);
    }

    #[test]
    fn bounds_only_widen() {
        let scale = Axis::new("x").from(0.0).to(5.0).scale(Some((2.0, 8.0)), (0.0, 80.0), 4, false);
        assert_eq!((scale.at(0.0), scale.at(8.0)), (0.0, 80.0));
        assert!(scale.holds(8.0) && !scale.holds(8.1));
    }
}
