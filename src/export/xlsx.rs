//! Spreadsheets: a ZIP archive of XML files (ECMA-376, Office Open XML).
//!
//! Written here, since the libraries for it ask for the clock and for random numbers, which a page's module does not have.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use memchr::memmem;

use super::event::{TextTable, joined_sheets};
use super::table::{Cells, Column, Kind, RowForm, Table, days, trimmed};
use crate::notation::DateParts;
use crate::records::EventRow;

/// Maximum number of rows of a sheet in spreadsheet programs, with its header.
const MAX_ROWS: usize = 1 << 20;

/// Maximum number of bytes of a sheet: far below those that an archive of this kind can hold.
const MAX_SHEET: usize = 1 << 31;

/// Maximum number of units of UTF-16 in a cell.
const MAX_TEXT: usize = 32_767;

/// Maximum width of a column, in characters.
const MAX_WIDTH: usize = 60;

/// Width of a column of texts whose lengths are not known, in characters.
const TEXT_WIDTH: usize = 24;

/// The end of a row.
const ROW_END: &[u8] = b"</row>";

/// The number of the day 1970-01-01 in spreadsheets, whose first day is 1900-01-01.
const FIRST_DAY: i64 = 25_569;

/// The namespaces of the parts of a spreadsheet and of the relations between them.
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const KINDS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";

/// Returns tournaments as a spreadsheet (XLSX) with a sheet for each table; of several tournaments, each table has a column with
/// their names. The numbers of the standings are numbers, and every other cell is text, so that programs do not treat `1-1` as a
/// date or a name as a formula. The same tournaments give the same bytes. The second value is the number of texts that were cut.
pub(crate) fn events_xlsx(events: &[EventRow]) -> (Vec<u8>, u64) {
    let mut sheets = joined_sheets(events);
    if sheets.is_empty() {
        sheets.push(TextTable::new("Standings", &[], std::iter::empty()));
    }
    let (mut book, cut) = (Book::default(), AtomicU64::new(0));
    for sheet in &sheets {
        let rows = || std::iter::once(&sheet.header).chain(&sheet.rows);
        let widest = |column: usize| rows().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let columns = sheet.header.iter().enumerate();
        let columns = columns.map(|(n, name)| (name.as_str(), widest(n).unwrap_or_default().min(MAX_WIDTH) + 2));
        let columns: Vec<_> = columns.collect();
        book.begin(sheet.title, &columns);
        for (n, rows) in (1..).zip(sheet.rows.chunks(MAX_ROWS - 1)) {
            if n > 1 {
                book.begin(&format!("{} {n}", sheet.title), &columns);
            }
            let mut text = Vec::new();
            for row in rows {
                let mut cells = XlsxCells::counting(&mut text, &cut);
                for (name, cell) in sheet.header.iter().zip(row) {
                    cells.text_or_number(cell, is_number(sheet, name));
                }
                cells.end_row();
            }
            book.rows(&text);
        }
    }
    (book.finish(), cut.into_inner())
}

/// Returns true if a column has numbers: all columns of the standings except the names.
fn is_number(sheet: &TextTable, column: &str) -> bool {
    sheet.title == "Standings" && !["event", "name", "team"].contains(&column)
}

/// A table as a spreadsheet in the making: rows come in, and the bytes of the file go out. Rows beyond the limit of spreadsheet
/// programs are on further sheets.
pub(super) struct Spreadsheet {
    table: Table,
    book: Book,
    sheets: usize,
}

impl Spreadsheet {
    pub(super) fn new(table: Table) -> Self {
        let mut sheet = Self { table, book: Book::default(), sheets: 0 };
        sheet.begin();
        sheet
    }

    fn begin(&mut self) {
        self.sheets += 1;
        let number = if self.sheets == 1 { String::new() } else { format!(" {}", self.sheets) };
        let columns = self.table.columns().iter().filter(|column| !column.is_typed);
        let width = |column: &Column| match column.kind {
            Kind::Text | Kind::Word => TEXT_WIDTH,
            _ => column.name().len() + 4,
        };
        let columns: Vec<_> = columns.map(|column| (column.name(), width(column))).collect();
        self.book.begin(&format!("{}{number}", self.table.name()), &columns);
    }

    /// Adds rows as [`XlsxCells`] write them, and returns the next bytes of the file.
    pub(super) fn add(&mut self, mut rows: &[u8]) -> Vec<u8> {
        while !rows.is_empty() {
            if self.book.rows >= MAX_ROWS || self.book.archive.size() >= MAX_SHEET {
                self.begin();
            }
            let last = memmem::find_iter(rows, ROW_END).take(MAX_ROWS - self.book.rows).last();
            let (now, later) = rows.split_at(last.map_or(rows.len(), |start| start + ROW_END.len()));
            self.book.rows(now);
            rows = later;
        }
        self.book.archive.take()
    }

    /// Returns the last bytes of the file.
    pub(super) fn finish(self) -> Vec<u8> {
        self.book.finish()
    }
}

impl std::fmt::Debug for Spreadsheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spreadsheet").field("table", &self.table).finish_non_exhaustive()
    }
}

/// The parts of a spreadsheet.
#[derive(Default)]
struct Book {
    archive: Archive,
    names: Vec<String>,
    /// The number of columns of the sheet, and that of its rows with the header.
    columns: usize,
    rows: usize,
}

impl Book {
    /// Begins a sheet with the names and the widths of its columns; its first row stays in view.
    fn begin(&mut self, name: &str, columns: &[(&str, usize)]) {
        self.end();
        self.names.push(name.to_owned());
        self.columns = columns.len();
        self.archive.begin(&format!("xl/worksheets/sheet{}.xml", self.names.len()));
        let mut text = format!("{DECLARATION}<worksheet xmlns=\"{MAIN}\">").into_bytes();
        text.extend_from_slice(
            b"<sheetViews><sheetView workbookViewId=\"0\">\
              <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>",
        );
        if !columns.is_empty() {
            text.extend_from_slice(b"<cols>");
            for ((_, width), n) in columns.iter().zip(1..) {
                // Writing to memory cannot fail, here and below.
                let _ = write!(text, "<col min=\"{n}\" max=\"{n}\" width=\"{width}\" customWidth=\"1\"/>");
            }
            text.extend_from_slice(b"</cols>");
        }
        text.extend_from_slice(b"<sheetData>");
        let mut cells = XlsxCells::new(&mut text);
        for (name, _) in columns {
            cells.string(name, Style::Bold);
        }
        cells.end_row();
        self.rows = 1;
        self.archive.write(&text);
    }

    /// Writes rows of the sheet.
    fn rows(&mut self, text: &[u8]) {
        self.rows += memmem::find_iter(text, ROW_END).count();
        self.archive.write(text);
    }

    /// Ends the sheet, whose rows can be filtered by their columns.
    fn end(&mut self) {
        if self.names.is_empty() {
            return;
        }
        let mut text = String::from("</sheetData>");
        if self.columns > 0 {
            let _ = write!(text, "<autoFilter ref=\"A1:{}{}\"/>", letters(self.columns), self.rows);
        }
        self.archive.write((text + "</worksheet>").as_bytes());
        self.archive.end();
    }

    fn finish(mut self) -> Vec<u8> {
        self.end();
        let count = self.names.len();
        let parts = (1..=count).map(|n| ("worksheet", format!("worksheets/sheet{n}.xml")));
        let archive = &mut self.archive;
        archive.add("[Content_Types].xml", &content_types(count));
        archive.add("_rels/.rels", &relations(std::iter::once(("officeDocument", "xl/workbook.xml".to_owned()))));
        archive.add("xl/workbook.xml", &workbook(&self.names));
        archive.add("xl/_rels/workbook.xml.rels", &relations(parts.chain([("styles", "styles.xml".to_owned())])));
        archive.add("xl/styles.xml", &styles());
        self.archive.finish()
    }
}

/// Returns the name of a column, from 1: `A`, `Z`, `AA`.
fn letters(column: usize) -> String {
    // There is no zero: `Z` is followed by `AA`.
    let last = char::from(b'A' + ((column - 1) % 26) as u8);
    if column > 26 { letters((column - 1) / 26) + &last.to_string() } else { last.to_string() }
}

/// The first line of a part.
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// Returns a part: its root element in a namespace, with attributes, around its content.
fn part(root: &str, namespace: &str, content: &str) -> String {
    let name = root.split(' ').next().unwrap_or_default();
    format!("{DECLARATION}<{root} xmlns=\"{namespace}\">{content}</{name}>")
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

fn workbook(names: &[String]) -> String {
    let of = |(n, name): (usize, &String)| format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"rId{n}\"/>");
    let content: String = (1..).zip(names).map(of).collect();
    part(&format!("workbook xmlns:r=\"{KINDS}\""), MAIN, &format!("<sheets>{content}</sheets>"))
}

/// The styles of cells, in the order of their definitions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Usual,
    Bold,
    Day,
}

fn styles() -> String {
    /// The built-in format of days, in the form of the reader's language (ECMA-376, 18.8.30).
    const DAY: usize = 14;
    let font = |bold: &str| format!("<font>{bold}<sz val=\"11\"/><name val=\"Calibri\"/></font>");
    let format = |number: usize, font: usize| {
        format!(
            "<xf numFmtId=\"{number}\" fontId=\"{font}\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>"
        )
    };
    let content = format!(
        "<fonts count=\"2\">{}{}</fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"3\">{}{}{}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>",
        font(""),
        font("<b/>"),
        format(0, 0),
        format(0, 1),
        format(DAY, 0),
    );
    part("styleSheet", MAIN, &content)
}

/// The rows of a table as those of a sheet.
#[derive(Debug, Default)]
pub(super) struct XlsxRows {
    /// The number of texts that were cut.
    cut: AtomicU64,
}

impl RowForm for XlsxRows {
    const IS_SHEET: bool = true;

    type Cells<'a> = XlsxCells<'a>;

    fn cells<'a>(&'a self, out: &'a mut Vec<u8>) -> XlsxCells<'a> {
        XlsxCells::counting(out, &self.cut)
    }

    fn cut_texts(&self) -> u64 {
        self.cut.load(Ordering::Relaxed)
    }
}

/// The cells of rows of a sheet.
pub(super) struct XlsxCells<'a> {
    out: &'a mut Vec<u8>,
    is_open: bool,
    /// The cells of the first row that are repeated in the rows after it, which copy them.
    repeated: Range<usize>,
    /// Counts the texts that are cut.
    cut: Option<&'a AtomicU64>,
}

impl<'a> XlsxCells<'a> {
    const fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, is_open: false, repeated: 0..0, cut: None }
    }

    const fn counting(out: &'a mut Vec<u8>, cut: &'a AtomicU64) -> Self {
        Self { cut: Some(cut), ..Self::new(out) }
    }

    fn open(&mut self) {
        if !std::mem::replace(&mut self.is_open, true) {
            self.out.extend_from_slice(b"<row>");
        }
    }

    fn null(&mut self) {
        self.open();
        self.out.extend_from_slice(b"<c/>");
    }

    /// Appends a text; characters that XML 1.0 does not allow become U+FFFD.
    fn string(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return self.null();
        }
        self.open();
        let style = if style == Style::Usual { String::new() } else { format!(" s=\"{}\"", style as usize) };
        let _ = write!(self.out, "<c{style} t=\"inlineStr\"><is><t xml:space=\"preserve\">");
        let mut units = 0;
        for letter in text.chars() {
            units += letter.len_utf16();
            if units > MAX_TEXT {
                if let Some(cut) = self.cut {
                    cut.fetch_add(1, Ordering::Relaxed);
                }
                break;
            }
            match letter {
                '&' => self.out.extend_from_slice(b"&amp;"),
                '<' => self.out.extend_from_slice(b"&lt;"),
                '>' => self.out.extend_from_slice(b"&gt;"),
                '\t' | '\n' => self.out.push(letter as u8),
                // XML reads a plain carriage return as a line feed.
                '\r' => self.out.extend_from_slice(b"&#13;"),
                '\0'..' ' | '\u{FFFE}' | '\u{FFFF}' => self.out.extend_from_slice("\u{FFFD}".as_bytes()),
                _ => self.out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        self.out.extend_from_slice(b"</t></is></c>");
    }

    fn number(&mut self, number: impl std::fmt::Display, style: Style) {
        self.open();
        let style = if style == Style::Usual { String::new() } else { format!(" s=\"{}\"", style as usize) };
        let _ = write!(self.out, "<c{style}><v>{number}</v></c>");
    }

    /// Appends a number if the cell is to be one and is, and a text otherwise.
    fn text_or_number(&mut self, cell: &str, is_number: bool) {
        match cell.parse::<f64>() {
            Ok(number) if is_number && number.is_finite() => self.number(number, Style::Usual),
            _ => self.string(cell, Style::Usual),
        }
    }
}

impl Cells for XlsxCells<'_> {
    fn text(&mut self, text: Option<&str>) {
        self.string(trimmed(text.unwrap_or_default()), Style::Usual);
    }

    fn word(&mut self, word: Option<&str>) {
        self.string(word.unwrap_or_default(), Style::Usual);
    }

    fn integer(&mut self, number: Option<i64>) {
        match number {
            Some(number) => self.number(number, Style::Usual),
            None => self.null(),
        }
    }

    /// Appends a day. Spreadsheets have none before 1900-03-01 that all programs agree on: it is a text there.
    fn day(&mut self, date: DateParts) {
        let Some(days) = days(date) else { return self.null() };
        // Day 60 is 29 February 1900, which never was, but is counted by some programs.
        if days + FIRST_DAY > 60 {
            return self.number(days + FIRST_DAY, Style::Day);
        }
        let [year, month, day] = date.map(Option::unwrap_or_default).map(u32::from);
        self.string(&format!("{year:04}-{month:02}-{day:02}"), Style::Usual);
    }

    fn decimal(&mut self, number: Option<f64>) {
        match number.filter(|number| number.is_finite()) {
            Some(number) => self.number(number, Style::Usual),
            None => self.null(),
        }
    }

    fn boolean(&mut self, value: Option<bool>) {
        let Some(value) = value else { return self.null() };
        self.open();
        let _ = write!(self.out, "<c t=\"b\"><v>{}</v></c>", u8::from(value));
    }

    fn repeated(&mut self, is_again: bool, write: impl Fn(&mut Self)) {
        self.open();
        if is_again {
            return self.out.extend_from_within(self.repeated.clone());
        }
        let start = self.out.len();
        write(self);
        self.repeated = start..self.out.len();
    }

    fn nulls(&mut self, count: usize) {
        for _ in 0..count {
            self.null();
        }
    }

    fn end_row(&mut self) {
        self.open();
        self.out.extend_from_slice(ROW_END);
        self.is_open = false;
    }
}

/// A ZIP archive with compressed members, whose sizes follow them (APPNOTE 6.3, sections 4.3.7, 4.3.9, 4.3.12 and 4.3.16).
#[derive(Default)]
struct Archive {
    /// The bytes that are still to be taken, and the number of those before them.
    bytes: Vec<u8>,
    taken: usize,
    directory: Vec<u8>,
    members: u16,
    member: Option<Member>,
}

/// A member that is being written.
struct Member {
    name: String,
    start: usize,
    packed: DeflateEncoder<Vec<u8>>,
    packed_size: usize,
    crc: Crc,
}

impl Archive {
    fn add(&mut self, name: &str, text: &str) {
        self.begin(name);
        self.write(text.as_bytes());
        self.end();
    }

    fn begin(&mut self, name: &str) {
        let start = self.taken + self.bytes.len();
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&common_header([0; 3], name.len()));
        self.bytes.extend_from_slice(name.as_bytes());
        let packed = DeflateEncoder::new(Vec::new(), Compression::default());
        self.member = Some(Member { name: name.to_owned(), start, packed, packed_size: 0, crc: Crc::new() });
    }

    fn write(&mut self, text: &[u8]) {
        let Some(member) = &mut self.member else { return };
        member.crc.update(text);
        // Writing to memory cannot fail.
        let _ = member.packed.write_all(text);
        let packed = member.packed.get_mut();
        member.packed_size += packed.len();
        self.bytes.append(packed);
    }

    /// Returns the number of bytes of the member before they are compressed.
    fn size(&self) -> usize {
        self.member.as_ref().map_or(0, |member| member.packed.total_in() as usize)
    }

    fn end(&mut self) {
        let Some(Member { name, start, packed, packed_size, crc }) = self.member.take() else { return };
        let size = packed.total_in() as usize;
        let last = packed.finish().unwrap_or_default();
        let sizes = [crc.sum(), field(packed_size + last.len()), field(size)];
        self.bytes.extend_from_slice(&last);
        self.bytes.extend_from_slice(b"PK\x07\x08");
        self.bytes.extend_from_slice(sizes.map(u32::to_le_bytes).as_flattened());
        // Made by version 2.0; no comment, disk 0 and no attributes.
        self.directory.extend_from_slice(b"PK\x01\x02\x14\0");
        self.directory.extend_from_slice(&common_header(sizes, name.len()));
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&field(start).to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.members += 1;
    }

    /// Returns the bytes since the last call.
    fn take(&mut self) -> Vec<u8> {
        self.taken += self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, length) = (self.taken + self.bytes.len(), self.directory.len());
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&self.members.to_le_bytes());
        self.bytes.extend_from_slice(&self.members.to_le_bytes());
        self.bytes.extend_from_slice(&field(length).to_le_bytes());
        self.bytes.extend_from_slice(&field(start).to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes
    }
}

/// Returns the part of a header that is the same before a member and in the directory: version 2.0, names in UTF-8 and sizes
/// after the member, deflated, 1 January 2000, the checksum and the sizes, and the length of the name.
fn common_header(sizes: [u32; 3], name: usize) -> Vec<u8> {
    let mut header = Vec::from(*b"\x14\0\x08\x08\x08\0\0\0\x21\x28");
    header.extend_from_slice(sizes.map(u32::to_le_bytes).as_flattened());
    header.extend_from_slice(&u16::try_from(name).unwrap_or(u16::MAX).to_le_bytes());
    header.extend_from_slice(&[0; 2]);
    header
}

/// Returns a size or an offset in an archive, of at most 4 GB: sheets within the limits above are compressed to less.
fn field(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
