//! The documentation agrees with the program.

mod codes;
mod commands;
mod contributing;
mod organisers;
mod readme;
mod schemas;
mod wording;
