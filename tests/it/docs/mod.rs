//! The documentation agrees with the program.

mod codes;
mod contributing;
mod readme;
mod wording;
