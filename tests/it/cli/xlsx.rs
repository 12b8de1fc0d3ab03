//! Tournaments as spreadsheets.

use crate::support::binary::Folder;

const GAMES: &str = "[White \"=1+1\"]\n[Black \"1-1\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 1-1\n";

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
        let index = archive.index_for_name(name).expect(name);
        let member = archive.by_index_raw(index).expect(name);
        let (sum, mut text) = (member.crc32(), String::new());
        flate2::read::DeflateDecoder::new(member).read_to_string(&mut text).expect("a text");
        let mut check = flate2::Crc::new();
        check.update(text.as_bytes());
        assert_eq!(check.sum(), sum, "{name}");
        text
    };
    let standings = part("xl/worksheets/sheet1.xml");
    assert!(standings.contains("t=\"inlineStr\"><is><t xml:space=\"preserve\">=1+1</t>"), "{standings}");
    assert!(!standings.contains("<f>") && standings.contains("<c><v>1</v></c>"), "{standings}");
    assert!(part("xl/workbook.xml").contains("<sheet name=\"Standings\" sheetId=\"1\" r:id=\"rId1\"/>"));
}
