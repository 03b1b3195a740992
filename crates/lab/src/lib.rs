//! The experiments: evolution, co-evolution, tuning, training, matches, and the papers repeated.
