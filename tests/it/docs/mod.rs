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
mod settings;
mod walkthrough;
mod wording;
