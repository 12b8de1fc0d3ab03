//! The documentation agrees with the program.

mod codes;
mod commands;
mod contributing;
mod readme;
mod schemas;
mod wording;
