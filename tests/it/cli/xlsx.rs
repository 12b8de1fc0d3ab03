//! Tournaments as spreadsheets.

use crate::support::binary::Folder;

const GAMES: &str = "[White \"=1+1\"]\n[Black \"1-1\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 1-1\n";

#[cfg(not(feature = "xlsx"))]
#[test]
fn a_build_without_xlsx_says_so() {
    let folder = Folder::with("a.pdn", GAMES);
    let run = folder.run(&["event", "--format", "xlsx", "a.pdn", "-o", "a.xlsx"]).is(2);
    assert!(run.errors.contains("feature `xlsx`"), "{}", run.errors);
    assert_eq!(folder.names(), ["a.pdn"]);
}

#[cfg(feature = "xlsx")]
#[test]
fn names_and_results_are_text() {
    use std::io::Read as _;

    let folder = Folder::with("a.pdn", GAMES);
    let write = |name: &str| {
        folder.run(&["event", "--format", "xlsx", "a.pdn", "-o", name]).is(0);
        std::fs::read(folder.path(name)).expect("a file")
    };
    let bytes = write("a.xlsx");
    assert_eq!(bytes, write("b.xlsx"));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let mut part = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).expect(name).read_to_string(&mut text).expect("a text");
        text
    };
    let strings = part("xl/sharedStrings.xml");
    assert!(strings.contains("=1+1") && strings.contains(">1-1<"), "{strings}");
    let standings = part("xl/worksheets/sheet1.xml");
    assert!(!standings.contains("<f>") && standings.contains("t=\"s\""), "{standings}");
}
