//! The `pdn` command.

fn main() {}
