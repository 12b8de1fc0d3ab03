//! The documentation agrees with the program.

mod book;
mod codes;
mod commands;
mod contributing;
mod definitions;
mod organisers;
mod readme;
mod reference;
mod schemas;
mod walkthrough;
mod wording;
