//! The report on a player as a page: tables in the style of the reports of games.

use std::fmt::Write as _;

use super::{escaped, static_start, texts::prepare_texts};
use crate::diag::in_language;
use crate::export::{TextTable, noted_reason, preparation_tables};
use crate::notation::Numbering;
use crate::records::{NotedGameRow, PreparationRow};
use crate::report::{BoardView, titled_board_svg};
use crate::rules::{Position, Variant};
use crate::text::Language;

const STYLE: &str = concat!(
    "\n",
    include_str!("../../../web/app/parts/parts.css"),
    include_str!("event.css"),
    include_str!("prepare.css"),
);

/// Maximum number of further names that the page lists.
const MAX_NAMES: usize = 5;

/// A page with the report on a player. It has no script and loads nothing.
///
/// # Examples
///
/// ```
/// use pdn::query::{Preparation, PreparationOptions};
/// use pdn::records::OpeningNames;
/// use pdn::report::PreparationPage;
/// use pdn::text::Language;
///
/// let row = Preparation::default().row(None, &PreparationOptions::new("Glance"), &OpeningNames::default());
/// let page = PreparationPage::new(Language::Dutch).html(&row);
/// assert!(page.contains("<h1>Glance</h1>") && page.contains("Resultaten"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PreparationPage {
    language: Language,
}

impl PreparationPage {
    /// Returns a page in a language.
    pub const fn new(language: Language) -> Self {
        Self { language }
    }

    /// Returns the page.
    pub fn html(self, row: &PreparationRow) -> String {
        let texts = prepare_texts(self.language);
        let text = |name: &str| texts.of(name).to_owned();
        let name = row.names.first().and_then(|name| name.name.as_deref()).unwrap_or(&row.player);
        let mut page = static_start(self.language, &escaped(name), STYLE);
        let years: Vec<_> = row.years.iter().flatten().map(ToString::to_string).collect();
        let others = row.names.iter().skip(1).take(MAX_NAMES).filter_map(|name| name.name.as_deref());
        let others: Vec<_> = others.chain((row.names.len() > MAX_NAMES + 1).then_some("…")).collect();
        let facts = [row.variant.unwrap_or_default().to_owned(), years.join("–"), others.join("; ")];
        let facts: Vec<_> = facts.iter().filter(|fact| !fact.is_empty()).map(|fact| escaped(fact)).collect();
        // Writing to a string cannot fail, here and below.
        let _ = write!(page, "<h1>{}</h1>\n<p class=\"facts\">{}</p>\n<section>\n", escaped(name), facts.join(" · "));
        for table in preparation_tables(row, self.language.code(), &text) {
            // Games with a board link to it.
            let has_boards = table.title == "Games to look at";
            let is_linked = |n: usize| has_boards && row.look_at.get(n).is_some_and(|noted| noted.fen.is_some());
            push_table(&mut page, &table, &is_linked, &text);
        }
        page.push_str("</section>\n<div class=\"boards\">\n");
        let variant = row.variant.and_then(Variant::by_name);
        for (n, noted) in row.look_at.iter().enumerate() {
            self.push_board(&mut page, n, noted, variant, &text);
        }
        page.push_str("</div>\n</body>\n</html>\n");
        page
    }

    /// Adds the board before the move that is the reason to look at a game, seen from the player's side.
    fn push_board(
        self,
        page: &mut String,
        n: usize,
        row: &NotedGameRow,
        variant: Option<Variant>,
        text: &dyn Fn(&str) -> String,
    ) {
        let position = |fen: &String| Position::from_fen(variant?, fen).ok();
        let Some(position) = row.fen.as_ref().and_then(position) else { return };
        let view = BoardView::default().flipped(row.side == "B");
        let turn = in_language(&format!("{} to move", position.turn()), self.language);
        let board = titled_board_svg(&position, Numbering::for_variant(position.variant()), &view, &escaped(&turn));
        let year = row.year.map(|year| format!(", {year}")).unwrap_or_default();
        let (reason, opponent) = (escaped(&noted_reason(row, text)), escaped(&row.opponent));
        let (moves, place) = (escaped(&row.moves.join(" ")), escaped(&format!("{}:{}", row.file, row.line)));
        let _ = writeln!(
            page,
            "<figure id=\"game-{n}\">{board}<figcaption>{reason}<br>{opponent}{year}<br>{moves}<br><small>{place}</small></figcaption></figure>"
        );
    }
}

/// Adds a table; the first cell of a row links to its board if it has one.
fn push_table(page: &mut String, table: &TextTable, is_linked: &dyn Fn(usize) -> bool, text: &dyn Fn(&str) -> String) {
    let place = if table.is_number(1) { "" } else { " class=\"wide\"" };
    let class = |column| if table.is_number(column) { "" } else { " class=\"t\"" };
    let classes: Vec<_> = (0..table.header.len()).map(class).collect();
    let header =
        table.header.iter().zip(&classes).fold(String::new(), |header, (name, class)| {
            header + "<th" + class + ">" + &escaped(&text(name)) + "</th>"
        });
    let _ = write!(
        page,
        "<div{place}><h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr>{header}</tr>\n",
        escaped(&text(table.title))
    );
    for (n, row) in table.rows.iter().enumerate() {
        // The no-break spaces at the start are the depth of a move in a tree.
        let cell = |(column, (cell, class)): (usize, (&String, &&str))| {
            let depth = cell.chars().take_while(|&c| c == '\u{a0}').count();
            let [open, close] = if column == 0 && is_linked(n) {
                [format!("<a href=\"#game-{n}\">"), "</a>".to_owned()]
            } else {
                [String::new(), String::new()]
            };
            format!("<td{class}>{}{open}{}{close}</td>", "&nbsp;".repeat(depth), escaped(cell))
        };
        let cells: String = row.iter().zip(&classes).enumerate().map(cell).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table></div></div>\n");
}
