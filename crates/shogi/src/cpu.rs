//! The generator compiled twice: for any x86-64 processor and for those with bit instructions.
//!
//! Named module for `unsafe`: calling code that was compiled for more than the baseline is only
//! sound on a processor that has it, which is asked first.
#![allow(unsafe_code)]

use crate::{MoveKind, MoveSink, Position};

/// Runs the generator in the best version that this processor has.
#[inline(always)]
pub(crate) fn dispatch_generate<S: MoveSink>(position: &Position, kind: MoveKind, sink: &mut S) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") && has_bit_counting() {
        // SAFETY: the processor has every feature that the function was compiled for.
        unsafe { generate_with_bit_instructions(position, kind, sink) };
        return;
    }
    generate_anywhere(position, kind, sink);
}

/// Are the features besides BMI2 there? Every processor with BMI2 has them, but that is its
/// makers' habit and not a rule.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bit_counting() -> bool {
    use std::arch::is_x86_feature_detected;
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn generate_with_bit_instructions<S: MoveSink>(position: &Position, kind: MoveKind, sink: &mut S) {
    position.generate_inline(kind, sink);
}

fn generate_anywhere<S: MoveSink>(position: &Position, kind: MoveKind, sink: &mut S) {
    position.generate_inline(kind, sink);
}
