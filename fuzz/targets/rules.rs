#![no_main]

#[path = "../../tests/fuzz/targets/rules.rs"]
mod rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules::check(bytes));
