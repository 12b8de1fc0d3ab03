//! Tournaments and tables as spreadsheets.

use std::io::Read as _;

use crate::support::binary::Folder;

const GAMES: &str = "[White \"=1+1\"]\n[Black \"1-1\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 1-1\n";

/// Returns a part of a spreadsheet, after its checksum.
fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let index = archive.index_for_name(name).expect(name);
    let member = archive.by_index_raw(index).expect(name);
    let (sum, mut text) = (member.crc32(), String::new());
    flate2::read::DeflateDecoder::new(member).read_to_string(&mut text).expect("a text");
    let mut check = flate2::Crc::new();
    check.update(text.as_bytes());
    assert_eq!(check.sum(), sum, "{name}");
    text
}

/// Returns the cells of a sheet as CSV has them; days are numbers.
fn cells(sheet: &str) -> Vec<Vec<String>> {
    let between = |text: &str, start: &str, end: &str| {
        text.split_once(start)
            .and_then(|(_, rest)| rest.split_once(end))
            .map_or(String::new(), |(text, _)| text.to_owned())
    };
    let cell = |text: &str| match text {
        _ if text.starts_with("/>") => String::new(),
        _ if text.contains("t=\"b\"") => (between(text, "<v>", "</v>") == "1").to_string(),
        _ if text.contains("inlineStr") => {
            let text = between(text, "xml:space=\"preserve\">", "</t>");
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&#13;", "\r").replace("&amp;", "&")
        }
        _ => between(text, "<v>", "</v>"),
    };
    let data = between(sheet, "<sheetData>", "</sheetData>");
    let rows = data.split("</row>").filter(|row| !row.is_empty());
    rows.map(|row| row.trim_start_matches("<row>").split("<c").skip(1).map(cell).collect()).collect()
}

#[test]
fn tables_have_the_cells_of_csv() {
    let folder = Folder::with("a.pdn", GAMES);
    let samples = crate::support::sources::root().join("samples");
    let samples = samples.to_str().expect("a path");
    for table in ["games", "moves", "positions", "players", "diagnostics"] {
        let convert = |name: &str| {
            folder.run(&["convert", "--table", table, samples, "-o", name]);
            std::fs::read(folder.path(name)).expect("a file")
        };
        let (csv, xlsx) = (convert("t.csv"), convert("t.xlsx"));
        let sheet = part(&xlsx, "xl/worksheets/sheet1.xml");
        let rows: Vec<Vec<String>> = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(&csv[..])
            .records()
            .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
            .collect();
        let found = cells(&sheet);
        assert_eq!(found.len(), rows.len(), "{table}");
        assert!(rows.len() > 5, "{table}");
        let names = &rows[0];
        for (found, row) in found.iter().zip(&rows) {
            for ((name, found), cell) in names.iter().zip(found).zip(row) {
                let is_day = name == "played_on" && found.parse::<u32>().is_ok();
                // XML has no control characters.
                let cell = cell.replace(
                    |letter: char| letter.is_control() && !"\t\n\r".contains(letter) && letter < ' ',
                    "\u{fffd}",
                );
                assert!(is_day || *found == cell, "{table} {name}: {found:?}, not {cell:?}");
            }
            assert_eq!(found.len(), row.len());
        }
        assert!(sheet.contains(&format!(":{}{}\"/></worksheet>", letters(names.len()), rows.len())), "{table}");
        assert!(part(&xlsx, "xl/workbook.xml").contains(&format!("<sheet name=\"{table}\" sheetId=\"1\"")));
    }
}

/// Returns the letters of a column, of which there are fewer than 703.
fn letters(column: usize) -> String {
    let letter = |n: usize| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]).to_string();
    let first = if column > 26 { letter((column - 1) / 26 - 1) } else { String::new() };
    first + &letter((column - 1) % 26)
}

#[test]
fn cells_have_types() {
    let dated = "[Date \"2000.02.29\"]\n[Round \"1.2\"]\n".to_owned() + GAMES;
    let folder = Folder::with("a.pdn", dated + "\n[Date \"1899.12.31\"]\n1. 32-28 *\n");
    folder.run(&["convert", "a.pdn", "-o", "a.xlsx"]).is(0);
    let sheet = part(&std::fs::read(folder.path("a.xlsx")).expect("a file"), "xl/worksheets/sheet1.xml");
    for cell in [
        "<c s=\"2\"><v>36585</v></c>",
        ">1899-12-31</t>",
        ">=1+1</t>",
        ">1-1</t>",
        ">1.2</t>",
        "<c t=\"b\"><v>1</v></c>",
    ] {
        assert!(sheet.contains(cell), "{cell}: {sheet}");
    }
    assert!(!sheet.contains("<f>"));
    let run = folder.run(&["convert", "--to", "xlsx", "a.pdn"]).is(0);
    assert!(run.bytes.starts_with(b"PK"));
}

#[test]
fn names_and_results_are_text() {
    let folder = Folder::with("a.pdn", GAMES);
    let write = |name: &str| {
        folder.run(&["event", "--format", "xlsx", "a.pdn", "-o", name]).is(0);
        std::fs::read(folder.path(name)).expect("a file")
    };
    let bytes = write("a.xlsx");
    assert_eq!(bytes, write("b.xlsx"));
    let standings = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(standings.contains("t=\"inlineStr\"><is><t xml:space=\"preserve\">=1+1</t>"), "{standings}");
    assert!(!standings.contains("<f>") && standings.contains("<c><v>1</v></c>"), "{standings}");
    assert!(part(&bytes, "xl/workbook.xml").contains("<sheet name=\"Standings\" sheetId=\"1\" r:id=\"rId1\"/>"));
}

#[test]
fn tables_of_several_events_have_a_column_for_the_event() {
    let game = |event: &str, white: &str| {
        format!(
            "[Event \"{event}\"]\n[White \"{white}\"]\n[Black \"B\"]\n[Round \"1\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n\n"
        )
    };
    let folder = Folder::with("a.pdn", (1..=1200).map(|n| game(&format!("No {n:x}th"), "A")).collect::<String>());
    folder.run(&["event", "a.pdn", "-o", "a.xlsx"]).is(0);
    let bytes = std::fs::read(folder.path("a.xlsx")).expect("a file");
    let standings = cells(&part(&bytes, "xl/worksheets/sheet1.xml"));
    assert_eq!(standings[0][..4], ["event", "rank", "name", "points"], "{:?}", standings[0]);
    assert_eq!(standings.len(), 1 + 2 * 1200);
    assert_eq!(standings[2400][..4], ["No 4b0th", "2", "B", "0"], "{:?}", standings[2400]);
    let games = part(&bytes, "xl/workbook.xml");
    assert!(games.contains("name=\"Games\"") && !games.contains("name=\"Standings 2\""), "{games}");
}

#[test]
fn texts_that_are_cut_are_counted() {
    // Each smiling face takes two units of UTF-16.
    let site =
        |text: &str, count: usize| format!("[Site \"{}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n", text.repeat(count));
    let folder = Folder::with("a.pdn", site("x", 32_767) + &site("\u{1F600}", 16_383));
    let run = folder.run(&["convert", "a.pdn", "-o", "a.xlsx"]).is(0);
    assert!(!run.errors.contains("cut"), "{}", run.errors);
    let sheet = part(&std::fs::read(folder.path("a.xlsx")).expect("a file"), "xl/worksheets/sheet1.xml");
    assert!(sheet.contains(&"x".repeat(32_767)) && sheet.contains(&"\u{1F600}".repeat(16_383)));
    folder.write("a.pdn", site("x", 32_768) + &site("\u{1F600}", 16_384));
    let run = folder.run(&["convert", "a.pdn", "-o", "a.xlsx"]).is(0);
    assert!(run.errors.contains("2 texts were cut: a cell of a spreadsheet holds 32,767 characters"), "{}", run.errors);
}
