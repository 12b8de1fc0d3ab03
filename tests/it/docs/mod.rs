//! The documentation agrees with the program.

mod codes;
mod readme;
mod wording;
