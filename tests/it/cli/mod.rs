//! The commands: arguments, exit status, output.

mod annotate;
mod annotate_linked;
mod archives;
mod check;
mod check_options;
mod convert;
mod convert_files;
mod fmt;
mod frame;
mod house_rules;
mod hub;
mod matches;
mod play;
mod positions;
mod tables;
mod wild;
