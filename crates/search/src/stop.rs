//! The stop signal of a search: the caller sets it, the search only reads it.

use std::sync::atomic::{AtomicBool, Ordering};

/// The signal of those that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A stop signal that can be read and not set.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    flag: &'a AtomicBool,
    /// What a search adds for its own threads.
    inner: &'a AtomicBool,
}

impl<'a> Stop<'a> {
    /// The signal that this flag gives.
    pub const fn new(flag: &'a AtomicBool) -> Self {
        Self { flag, inner: &NEVER }
    }

    /// A signal that is never set: the search ends by its limits.
    pub const fn never() -> Self {
        Self::new(&NEVER)
    }

    /// The signal, or that of a search itself.
    pub(crate) const fn or(self, inner: &'a AtomicBool) -> Self {
        Self { flag: self.flag, inner }
    }

    /// Is the search to end?
    #[inline]
    pub fn is_set(self) -> bool {
        self.flag.load(Ordering::Relaxed) | self.inner.load(Ordering::Relaxed)
    }
}

impl<'a> From<&'a AtomicBool> for Stop<'a> {
    fn from(flag: &'a AtomicBool) -> Self {
        Self::new(flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_flag_stops() {
        let (caller, search) = (AtomicBool::new(false), AtomicBool::new(false));
        let stop = Stop::new(&caller).or(&search);
        assert!(!stop.is_set() && !Stop::never().is_set());
        search.store(true, Ordering::Relaxed);
        assert!(stop.is_set() && !Stop::from(&caller).is_set());
        caller.store(true, Ordering::Relaxed);
        assert!(Stop::from(&caller).is_set());
    }
}
