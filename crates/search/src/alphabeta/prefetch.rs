//! Asks the processor to fetch memory before it is needed.
//!
//! Named module for `unsafe`: the instruction takes a raw pointer, but reads nothing that the
//! program could see, so that any address is sound.
#![allow(unsafe_code)]

/// Begins to bring a value into the cache; does nothing where there is no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; the address is that of a live value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
