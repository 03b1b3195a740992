//! A short list that needs no allocation.

/// At most `N` things; more are left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few<T, const N: usize> {
    items: [Option<T>; N],
    count: usize,
}

impl<T: Copy, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Self { items: [None; N], count: 0 }
    }
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// Adds one, if there is room.
    #[inline]
    pub fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = Some(item);
            self.count += 1;
        }
    }

    /// All of them.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items[..self.count].iter().flatten()
    }

    /// Is there none?
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}
