//! Tests of what only a build with all features has, in one binary: a module per theme.

mod parquet;
mod pictures;
#[expect(dead_code, reason = "shared with the tests of the default build, which use the rest")]
#[path = "../it/support/mod.rs"]
mod support;
