#![no_main]

#[path = "../../tests/it/fuzz/targets/write.rs"]
mod write;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| write::check(bytes));
