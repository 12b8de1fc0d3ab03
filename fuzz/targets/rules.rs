#![no_main]

#[expect(dead_code, reason = "tests of shots use the rest")]
#[path = "../../tests/it/naive.rs"]
mod naive;
#[path = "../../tests/it/fuzz/targets/rules.rs"]
mod rules;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rules::check(bytes));
