#![no_main]

#[path = "../../tests/it/fuzz/targets/fast.rs"]
mod fast;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fast::check(bytes));
