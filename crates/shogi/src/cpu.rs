//! Code compiled twice: for any x86-64 processor and for those with bit instructions.
//!
//! Named module for `unsafe`: calling code that was compiled for more than the baseline is only
//! sound on a processor that has it, which is asked first.
#![allow(unsafe_code)]

/// Work that handles many sets of squares.
pub trait BitWork {
    /// What comes of it.
    type Output;

    /// Does it. To be `#[inline(always)]`, with all that matters in it: only what is inlined is
    /// compiled for bit instructions.
    fn run(self) -> Self::Output;
}

/// Does work in the best version that this processor has.
#[inline(always)]
pub fn with_bit_instructions<W: BitWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if x86::has_bit_instructions() {
        // SAFETY: the processor has every feature that the function was compiled for.
        return unsafe { x86::run(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::is_x86_feature_detected;
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::BitWork;

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;

    /// The answer is kept in one byte: asking for each feature anew shows in the profile.
    static BIT_INSTRUCTIONS: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline(always)]
    pub(super) fn has_bit_instructions() -> bool {
        match BIT_INSTRUCTIONS.load(Ordering::Relaxed) {
            UNKNOWN => detect(),
            answer => answer == PRESENT,
        }
    }

    #[cold]
    fn detect() -> bool {
        let present = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        BIT_INSTRUCTIONS.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
        present
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn run<W: BitWork>(work: W) -> W::Output {
        work.run()
    }
}

#[cfg(test)]
mod tests {
    use crate::{MoveKind, MoveList, Position, movegen};

    /// Perft by the plain version alone, whatever this processor has.
    fn plain_perft(position: &Position, depth: u32) -> u64 {
        let mut moves = MoveList::new();
        movegen::generate(position, MoveKind::All, &mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        (&moves).into_iter().map(|mv| plain_perft(&position.after_unchecked(mv), depth - 1)).sum()
    }

    #[test]
    fn both_versions_agree() {
        for sfen in [
            Position::STARTPOS,
            "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            for depth in 1..=2 {
                assert_eq!(plain_perft(&position, depth), crate::perft(&position, depth), "{sfen}");
            }
        }
    }
}
