//! Written games played through the rules.
