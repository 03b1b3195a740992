//! Groups of numbered features: their names, what they tell apart, and where they lie.

use std::fmt::Display;

use sha2::{Digest, Sha256};

/// Declares all groups of a model: the name in the program, that in files and reports, and how many
/// features each has. They lie one after the other.
macro_rules! groups {
    ($(#[$of_all:meta])* pub enum Group; $($(#[$doc:meta])* $group:ident $name:literal $size:expr;)*) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Group {
            $($(#[$doc])* $group,)*
        }

        impl Group {
            /// All groups in their order.
            pub const ALL: &'static [Self] = &[$(Self::$group,)*];
            const NAMES: &'static [&'static str] = &[$($name,)*];
            const SIZES: &'static [usize] = &[$($size,)*];

            /// How many groups there are.
            pub const COUNT: usize = Self::ALL.len();

            const STARTS: [usize; Self::COUNT + 1] = $crate::groups::starts(Self::SIZES);

            /// How many features all groups have.
            pub const FEATURES: usize = Self::STARTS[Self::COUNT];

            /// The name in files and reports.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// The features of the group.
            pub const fn range(self) -> std::ops::Range<usize> {
                Self::STARTS[self as usize]..Self::STARTS[self as usize + 1]
            }

            /// The number of a feature of the group.
            #[inline(always)]
            pub(super) fn feature(self, index: usize) -> usize {
                debug_assert!(index < Self::SIZES[self as usize], "{} {index}", self.name());
                Self::STARTS[self as usize] + index
            }
        }
    };
}

pub(crate) use groups;

/// Where lists of these sizes begin if they lie one after the other, and where the last one ends.
pub(crate) const fn starts<const N: usize>(sizes: &[usize]) -> [usize; N] {
    let mut starts = [0; N];
    let mut i = 1;
    while i < N {
        starts[i] = starts[i - 1] + sizes[i - 1];
        i += 1;
    }
    starts
}

/// The identity of some lists of features: a change of a name, of a size or of `definitions`, which
/// stands for all that these do not tell, changes it.
pub(crate) fn identity(
    set: &str,
    definitions: &str,
    lists: impl Iterator<Item = (impl Display, usize)>,
) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("definitions {definitions}\n"));
    for (name, size) in lists {
        hash.update(format!("{name}\t{size}\n"));
    }
    let short: String = hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{set}-{short}")
}
