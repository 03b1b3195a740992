//! The `tesuji` command.
fn main() {}
