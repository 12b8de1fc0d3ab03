#![no_main]

#[path = "../../tests/it/ebnf/mod.rs"]
#[allow(dead_code, reason = "the sentences are made elsewhere")]
mod ebnf;
#[path = "../../tests/it/fuzz/targets/grammar.rs"]
mod grammar;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| grammar::check(bytes));
