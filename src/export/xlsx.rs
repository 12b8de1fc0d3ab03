//! Tournaments as spreadsheets.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::event::{TextTable, sheets};
use crate::records::EventRow;

/// Maximum number of rows of a sheet in spreadsheet programs, with its header.
const MAX_ROWS: usize = 1 << 20;

/// Maximum number of sheets: spreadsheet programs get slow with more.
const MAX_SHEETS: usize = 1000;

/// Maximum number of characters of a cell; spreadsheet programs count some characters as two, up to 32,767.
const MAX_TEXT: usize = 16_383;

/// Returns tournaments as a spreadsheet (XLSX) with a sheet for each table. The numbers of the standings are numbers, and
/// every other cell is text, so that programs do not treat `1-1` as a date or a name as a formula.
///
/// # Panics
///
/// Never: the sheets are within the limits of the format.
pub fn events_xlsx(events: &[EventRow]) -> Vec<u8> {
    let sheets = (1..).zip(events).flat_map(|(n, event)| sheets(event).into_iter().map(move |sheet| (n, sheet)));
    let sheets: Vec<_> = sheets.take(MAX_SHEETS).collect();
    workbook(&sheets).expect("names, sizes and texts are within the limits of the format")
}

fn workbook(sheets: &[(usize, TextTable)]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The same tournament gives the same bytes on any day.
    let day = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&day));
    for (n, sheet) in sheets {
        // Names are unique: those of the second event and the following have its number.
        let name = if *n == 1 { sheet.title.to_owned() } else { format!("{} {n}", sheet.title) };
        write_sheet(book.add_worksheet(), sheet, &name)?;
    }
    if sheets.is_empty() {
        book.add_worksheet();
    }
    book.save_to_buffer()
}

fn write_sheet(to: &mut Worksheet, sheet: &TextTable, name: &str) -> Result<(), XlsxError> {
    to.set_name(name)?.set_freeze_panes(1, 0)?;
    let bold = Format::new().set_bold();
    for (column, name) in (0..).zip(&sheet.header) {
        to.write_string_with_format(0, column, name, &bold)?;
    }
    for (row, cells) in (1..).zip(sheet.rows.iter().take(MAX_ROWS - 1)) {
        for (column, cell) in (0..).zip(cells) {
            write_cell(to, (row, column), cell, is_number(sheet, column))?;
        }
    }
    to.autofit();
    Ok(())
}

/// Returns true if a column has numbers: all columns of the standings except the names.
fn is_number(sheet: &TextTable, column: u16) -> bool {
    sheet.title == "Standings" && column != 1
}

fn write_cell(to: &mut Worksheet, (row, column): (u32, u16), cell: &str, number: bool) -> Result<(), XlsxError> {
    match cell.parse::<f64>() {
        Ok(value) if number => to.write_number(row, column, value).map(drop),
        _ => to.write_string(row, column, cell.chars().take(MAX_TEXT).collect::<String>()).map(drop),
    }
}
