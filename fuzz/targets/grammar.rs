#![no_main]

#[path = "../../tests/fuzz/targets/grammar.rs"]
mod grammar;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| grammar::check(bytes));
