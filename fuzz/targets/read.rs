#![no_main]

#[path = "../../tests/fuzz/targets/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read::check(bytes));
