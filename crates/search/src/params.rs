//! The parameters of an algorithm, each declared once: its name, value, range, step and meaning.
//!
//! The same declaration is a field of the algorithm's own struct, an option of the engine, and a
//! gene when the search itself is tuned. [`Values`] holds the parameters of any algorithm.

/// What is known of a parameter beside its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in files and options.
    pub name: &'static str,
    /// The value that it has if nobody says otherwise.
    pub default: i32,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// A change that is worth trying.
    pub step: i32,
    /// What it means.
    pub meaning: &'static str,
}

impl Parameter {
    /// Does it turn something on or off?
    pub const fn is_switch(&self) -> bool {
        self.min == 0 && self.max == 1
    }
}

/// The parameters of one algorithm, as the algorithm reads them.
pub trait Parameters: Clone + Default {
    /// Every parameter, in the order of its declaration.
    const ALL: &'static [Parameter];
    /// The names that [`Parameters::preset`] knows; the first is that of the defaults.
    const PRESETS: &'static [&'static str];

    /// Settings with a name.
    fn preset(name: &str) -> Option<Self>;

    /// The value of the parameter with this name.
    fn get(&self, name: &str) -> Option<i32>;

    /// Where the value of the parameter with this name is.
    fn slot(&mut self, name: &str) -> Option<&mut i32>;

    /// Sets a parameter; false if there is none with this name or the value is out of its range.
    fn set(&mut self, name: &str, value: i32) -> bool {
        let known = Self::ALL.iter().find(|parameter| parameter.name == name);
        match (known, self.slot(name)) {
            (Some(known), Some(slot)) if (known.min..=known.max).contains(&value) => {
                *slot = value;
                true
            }
            _ => false,
        }
    }

    /// The values of all parameters.
    fn values(&self) -> Values {
        let value = |parameter: &Parameter| self.get(parameter.name).unwrap_or(parameter.default);
        Values { declared: Self::ALL, values: Self::ALL.iter().map(value).collect() }
    }
}

/// Values for the parameters of some algorithm: the same for all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    declared: &'static [Parameter],
    values: Vec<i32>,
}

impl Values {
    /// The parameters, in the order of their declaration.
    pub const fn declared(&self) -> &'static [Parameter] {
        self.declared
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.declared.iter().position(|parameter| parameter.name == name)
    }

    /// The value of the parameter with this name.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.place(name).map(|place| self.values[place])
    }

    /// Sets a parameter; false if there is none with this name or the value is out of its range.
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        let Some(place) = self.place(name) else { return false };
        let Parameter { min, max, .. } = self.declared[place];
        let fits = (min..=max).contains(&value);
        if fits {
            self.values[place] = value;
        }
        fits
    }

    /// Every parameter with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, i32)> + '_ {
        self.declared.iter().zip(self.values.iter().copied())
    }
}

/// Declares the parameters of an algorithm: a struct with a field for each.
macro_rules! parameters {
    (
        $(#[$doc:meta])* $params:ident;
        presets: $presets:expr, $preset:expr;
        $($name:ident = $default:literal, $min:literal..=$max:literal by $step:literal, $meaning:literal;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $params {
            $(#[doc = $meaning] pub $name: i32,)*
        }

        impl Default for $params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl $crate::params::Parameters for $params {
            const ALL: &'static [$crate::params::Parameter] = &[$($crate::params::Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                meaning: $meaning,
            },)*];
            const PRESETS: &'static [&'static str] = &$presets;

            fn preset(name: &str) -> Option<Self> {
                $preset(name)
            }

            fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::AlphaBetaParams;
    use crate::greedy::GreedyParams;

    fn can_be_set_within_its_range<P: Parameters + PartialEq + std::fmt::Debug>() {
        let mut params = P::default();
        let mut values = params.values();
        for parameter in P::ALL {
            let Parameter { name, default, min, max, .. } = *parameter;
            assert!((min..=max).contains(&default), "{parameter:?}");
            assert!(parameter.step > 0 && !parameter.meaning.is_empty());
            assert_eq!((params.get(name), values.get(name)), (Some(default), Some(default)));
            assert!(params.set(name, max) && values.set(name, max));
            assert_eq!((params.get(name), values.get(name)), (Some(max), Some(max)));
            for wrong in [max + 1, min - 1] {
                assert!(!params.set(name, wrong) && !values.set(name, wrong));
            }
        }
        assert_eq!(params.values(), values);
        assert!(!params.set("nothing", 0) && !values.set("nothing", 0));
        assert_eq!((params.get("nothing"), values.get("nothing")), (None, None));
        for name in P::PRESETS {
            assert!(P::preset(name).is_some(), "{name}");
        }
        assert_eq!(P::preset(P::PRESETS[0]), Some(P::default()));
        assert!(P::preset("other").is_none());
    }

    #[test]
    fn every_parameter_can_be_set_within_its_range() {
        can_be_set_within_its_range::<AlphaBetaParams>();
        can_be_set_within_its_range::<GreedyParams>();
    }
}
