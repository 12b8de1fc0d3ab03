#![no_main]

#[path = "../../tests/it/fuzz/targets/replay.rs"]
mod replay;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| replay::check(bytes));
