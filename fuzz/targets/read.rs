#![no_main]

#[path = "../../tests/it/fuzz/targets/read.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read::check(bytes));
