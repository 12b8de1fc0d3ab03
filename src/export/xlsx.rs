//! Tournaments as spreadsheets: a ZIP archive of XML files (ECMA-376, Office Open XML).
//!
//! Written here, since the libraries for it ask for the clock and for random numbers, which a page's module does not have.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::event::{TextTable, sheets};
use crate::records::EventRow;

/// Maximum number of rows of a sheet in spreadsheet programs, with its header.
const MAX_ROWS: usize = 1 << 20;

/// Maximum number of sheets: spreadsheet programs get slow with more.
const MAX_SHEETS: usize = 1000;

/// Maximum number of characters of a cell; spreadsheet programs count some characters as two, up to 32,767.
const MAX_TEXT: usize = 16_383;

/// Maximum width of a column, in characters.
const MAX_WIDTH: usize = 60;

/// The namespaces of the parts of a spreadsheet and of the relations between them.
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const KINDS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";

/// Returns tournaments as a spreadsheet (XLSX) with a sheet for each table. The numbers of the standings are numbers, and
/// every other cell is text, so that programs do not treat `1-1` as a date or a name as a formula. The same tournaments give
/// the same bytes.
pub(crate) fn events_xlsx(events: &[EventRow]) -> Vec<u8> {
    let sheets = (1..).zip(events).flat_map(|(n, event)| sheets(event).into_iter().map(move |sheet| (n, sheet)));
    let mut sheets: Vec<(usize, TextTable)> = sheets.take(MAX_SHEETS).collect();
    if sheets.is_empty() {
        sheets.push((1, TextTable::new("Standings", &[], std::iter::empty())));
    }
    let mut archive = Archive::default();
    archive.add("[Content_Types].xml", &content_types(sheets.len()));
    archive.add("_rels/.rels", &relations(std::iter::once(("officeDocument", "xl/workbook.xml".to_owned()))));
    archive.add("xl/workbook.xml", &workbook(&sheets));
    let parts = (1..=sheets.len()).map(|n| ("worksheet", format!("worksheets/sheet{n}.xml")));
    archive.add("xl/_rels/workbook.xml.rels", &relations(parts.chain([("styles", "styles.xml".to_owned())])));
    archive.add("xl/styles.xml", &styles());
    for (n, (_, sheet)) in (1..).zip(&sheets) {
        archive.add(&format!("xl/worksheets/sheet{n}.xml"), &worksheet(sheet));
    }
    archive.finish()
}

/// Returns a part: its root element in a namespace, with attributes, around its content.
fn part(root: &str, namespace: &str, content: &str) -> String {
    let name = root.split(' ').next().unwrap_or_default();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<{root} xmlns=\"{namespace}\">{content}</{name}>"
    )
}

fn content_types(sheets: usize) -> String {
    const OF_SHEETS: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut content = String::from(
        "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>",
    );
    let of_sheets = (1..=sheets).map(|n| (format!("worksheets/sheet{n}"), "worksheet"));
    let others = [("workbook", "sheet.main"), ("styles", "styles")].map(|(name, kind)| (name.to_owned(), kind));
    for (name, kind) in others.into_iter().chain(of_sheets) {
        // Writing to memory cannot fail, here and below.
        let _ = write!(content, "<Override PartName=\"/xl/{name}.xml\" ContentType=\"{OF_SHEETS}.{kind}+xml\"/>");
    }
    part("Types", TYPES, &content)
}

/// Returns the relations of a part to others: their kinds and targets.
fn relations(targets: impl Iterator<Item = (&'static str, String)>) -> String {
    let of = |(n, (kind, target)): (usize, (&str, String))| {
        format!("<Relationship Id=\"rId{n}\" Type=\"{KINDS}/{kind}\" Target=\"{target}\"/>")
    };
    part("Relationships", RELATIONS, &(1..).zip(targets).map(of).collect::<String>())
}

fn workbook(sheets: &[(usize, TextTable)]) -> String {
    let of = |(n, (event, sheet)): (usize, &(usize, TextTable))| {
        // Names are unique: those of the second event and the following have its number.
        let number = if *event == 1 { String::new() } else { format!(" {event}") };
        format!("<sheet name=\"{}{number}\" sheetId=\"{n}\" r:id=\"rId{n}\"/>", sheet.title)
    };
    let content: String = (1..).zip(sheets).map(of).collect();
    part(&format!("workbook xmlns:r=\"{KINDS}\""), MAIN, &format!("<sheets>{content}</sheets>"))
}

/// Returns the styles of cells: 0 is usual, 1 is bold.
fn styles() -> String {
    let font = |bold: &str| format!("<font>{bold}<sz val=\"11\"/><name val=\"Calibri\"/></font>");
    let format = |font: usize| format!("<xf numFmtId=\"0\" fontId=\"{font}\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>");
    let content = format!(
        "<fonts count=\"2\">{}{}</fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"2\">{}{}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>",
        font(""),
        font("<b/>"),
        format(0),
        format(1)
    );
    part("styleSheet", MAIN, &content)
}

fn worksheet(sheet: &TextTable) -> String {
    // The header stays in view.
    let mut content = String::from(
        "<sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>",
    );
    let rows = || std::iter::once(&sheet.header).chain(sheet.rows.iter().take(MAX_ROWS - 1));
    let widest = |column: usize| rows().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    if !sheet.header.is_empty() {
        content.push_str("<cols>");
        for (column, n) in (0..sheet.header.len()).zip(1..) {
            let width = widest(column).unwrap_or_default().min(MAX_WIDTH) + 2;
            let _ = write!(content, "<col min=\"{n}\" max=\"{n}\" width=\"{width}\" customWidth=\"1\"/>");
        }
        content.push_str("</cols>");
    }
    content.push_str("<sheetData>");
    for (n, row) in rows().enumerate() {
        content.push_str("<row>");
        for (column, cell) in row.iter().enumerate() {
            write_cell(&mut content, cell, n == 0, n > 0 && is_number(sheet, column));
        }
        content.push_str("</row>");
    }
    content.push_str("</sheetData>");
    part("worksheet", MAIN, &content)
}

/// Returns true if a column has numbers: all columns of the standings except the names.
fn is_number(sheet: &TextTable, column: usize) -> bool {
    sheet.title == "Standings" && column != 1
}

fn write_cell(out: &mut String, cell: &str, is_bold: bool, is_number: bool) {
    let style = if is_bold { " s=\"1\"" } else { "" };
    match cell.parse::<f64>() {
        _ if cell.is_empty() => out.push_str("<c/>"),
        Ok(number) if is_number && number.is_finite() => {
            let _ = write!(out, "<c{style}><v>{number}</v></c>");
        }
        _ => {
            let _ = write!(out, "<c{style} t=\"inlineStr\"><is><t xml:space=\"preserve\">");
            cell.chars().take(MAX_TEXT).for_each(|c| write_char(out, c));
            out.push_str("</t></is></c>");
        }
    }
}

/// Appends a character of a text; those that XML 1.0 does not allow become U+FFFD.
fn write_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\t' | '\n' => out.push(c),
        '\r' => out.push_str("&#13;"),
        '\0'..' ' | '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
        _ => out.push(c),
    }
}

/// A ZIP archive with compressed members (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16).
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    members: u16,
}

impl Archive {
    fn add(&mut self, name: &str, text: &str) {
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
        // Writing to memory cannot fail.
        let _ = packed.write_all(text.as_bytes());
        let packed = packed.finish().unwrap_or_default();
        let start = self.bytes.len();
        let common = common_header(crc.sum(), [packed.len(), text.len()], name.len());
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&common);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(&packed);
        // Made by version 2.0; no comment, disk 0 and no attributes.
        self.directory.extend_from_slice(b"PK\x01\x02\x14\0");
        self.directory.extend_from_slice(&common);
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&field(start));
        self.directory.extend_from_slice(name.as_bytes());
        self.members += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, length) = (self.bytes.len(), self.directory.len());
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&self.members.to_le_bytes());
        self.bytes.extend_from_slice(&self.members.to_le_bytes());
        self.bytes.extend_from_slice(&field(length));
        self.bytes.extend_from_slice(&field(start));
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes
    }
}

/// Returns the part of a header that is the same before a member and in the directory: version 2.0, names in UTF-8, deflated,
/// 1 January 2000, checksum, sizes, and the length of the name.
fn common_header(crc: u32, sizes: [usize; 2], name: usize) -> Vec<u8> {
    let mut header = Vec::from(*b"\x14\0\0\x08\x08\0\0\0\x21\x28");
    header.extend_from_slice(&crc.to_le_bytes());
    for size in sizes {
        header.extend_from_slice(&field(size));
    }
    header.extend_from_slice(&u16::try_from(name).unwrap_or(u16::MAX).to_le_bytes());
    header.extend_from_slice(&[0; 2]);
    header
}

/// Returns a size or an offset in an archive: sheets within the limits above stay far below 4 GB.
fn field(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}
