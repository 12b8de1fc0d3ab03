//! All integration tests, in one binary: a module per theme.

mod annotate;
mod architecture;
mod canon;
mod cli;
mod corpus;
mod docs;
mod ebnf;
mod engine;
mod fuzz;
mod grammar;
mod hostile_input;
mod import;
mod modules;
mod naive;
mod notation;
mod parsing;
mod release;
mod replay;
mod report;
mod rules;
mod serve;
mod shots;
mod source;
mod support;
mod web;
mod wild;
