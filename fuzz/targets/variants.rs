#![no_main]

#[path = "../../tests/it/fuzz/targets/variants.rs"]
mod variants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variants::check(bytes));
