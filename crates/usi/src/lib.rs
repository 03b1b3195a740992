//! The USI protocol, both sides.
