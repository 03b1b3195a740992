//! The wires between a search and its caller: the stop signal, which the caller sets and the search
//! only reads, and a count of nodes, the other way round.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The signal of those that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A stop signal that can be read and not set.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    flag: &'a AtomicBool,
    /// What a search adds for its own threads.
    inner: &'a AtomicBool,
    /// Where the search says how many nodes it has seen, now and then.
    nodes: Option<&'a AtomicU64>,
}

impl<'a> Stop<'a> {
    /// The signal that this flag gives.
    pub const fn new(flag: &'a AtomicBool) -> Self {
        Self { flag, inner: &NEVER, nodes: None }
    }

    /// The same signal, and the caller wants to know how many nodes there are so far.
    #[must_use]
    pub const fn counting(self, nodes: &'a AtomicU64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// The same signal for a search inside the search, whose nodes are counted there.
    pub(crate) const fn silent(self) -> Self {
        Self { nodes: None, ..self }
    }

    /// Tells the caller the number of nodes so far, if he wants to know.
    pub(crate) fn tell_nodes(self, nodes: u64) {
        if let Some(told) = self.nodes {
            told.store(nodes, Ordering::Relaxed);
        }
    }

    /// A signal that is never set: the search ends by its limits.
    pub const fn never() -> Self {
        Self::new(&NEVER)
    }

    /// The signal, or that of a search itself.
    pub(crate) const fn or(self, inner: &'a AtomicBool) -> Self {
        Self { inner, ..self }
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
