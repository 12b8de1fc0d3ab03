//! Builds without optional features: they say how to get them.

use crate::support::binary::Folder;

const GAME: &str = "[GameType \"20\"]\n1. 32-28 19-23 *\n";

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let folder = Folder::with("a.pdn", GAME);
    let errors = folder.run(&["convert", "a.pdn", "-o", "a.parquet"]).is(2).errors;
    assert!(errors.contains("it needs the feature `parquet`"), "{errors}");
    assert!(errors.contains("`cargo install --path . --features parquet`"), "{errors}");
    assert_eq!(folder.names(), ["a.pdn"]);
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_png_says_so() {
    let folder = Folder::with("a.pdn", GAME);
    let run = folder.run(&["diagram", "a.pdn", "-o", "board.png"]).is(2);
    assert!(run.errors.contains("feature `png`"), "{}", run.errors);
    assert_eq!(folder.names(), ["a.pdn"]);
}
