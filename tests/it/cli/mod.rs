//! The commands: arguments, exit status, output.

mod annotate;
mod annotate_interrupted;
mod annotate_linked;
mod archives;
mod check;
mod check_options;
mod config;
mod convert;
mod convert_files;
mod databases;
mod diagram;
mod egdb;
mod fmt;
mod frame;
mod house_rules;
mod hub;
mod inference;
mod inputs;
mod matches;
mod play;
mod positions;
mod tables;
mod terminal;
mod train;
mod wild;
