//! The mate solver.
