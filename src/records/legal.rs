//! Rows of legal moves.

use serde::Serialize;

use crate::egdb::{EndgameTables, Probe, Value};
use crate::notation::Numbering;
use crate::rules::{Move, Position};

/// The legal moves of a position. Squares are the internal numbers of the variant.
///
/// # Examples
///
/// ```
/// use pdn::records::LegalMovesRow;
/// use pdn::rules::{Position, Variant};
///
/// let fen = "W:W31:B20,27";
/// let row = LegalMovesRow::new(fen, &Position::from_fen(Variant::INTERNATIONAL, fen)?, None);
/// assert_eq!((row.moves[0].notation.as_str(), &row.moves[0].captured[..]), ("31x22", &[27][..]));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LegalMovesRow<'a> {
    /// Name of the variant.
    pub variant: &'a str,
    /// The position as given.
    pub fen: &'a str,
    /// The moves, ordered by first square, last square and captured pieces.
    pub moves: Vec<LegalMoveRow>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LegalMoveRow {
    /// The move: short unless that is ambiguous.
    pub notation: String,
    /// First square.
    pub from: u8,
    /// Last square.
    pub to: u8,
    /// Squares of the captured pieces, sorted.
    pub captured: Vec<u8>,
    /// The path of the piece; if paths were merged, the smallest.
    pub path: Vec<u8>,
    /// The result of the move for the side to move, if endgame tables were queried.
    #[serde(flatten)]
    pub endgame: Option<EndgameRow>,
}

/// The result of a move for the side that makes it, if the tables contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndgameRow {
    /// Win, draw or loss.
    pub value: Option<Value>,
    /// Plies to the end.
    pub plies: Option<u32>,
}

impl From<Option<Probe>> for EndgameRow {
    fn from(probe: Option<Probe>) -> Self {
        Self { value: probe.map(|probe| probe.value()), plies: probe.and_then(|probe| probe.plies()) }
    }
}

impl<'a> LegalMovesRow<'a> {
    /// Returns the legal moves of a position that was given as this FEN, with their values in tables, if there are any.
    pub fn new(fen: &'a str, position: &Position, tables: Option<&EndgameTables>) -> Self {
        let probed = tables.map(|tables| tables.probe_moves(position));
        let row = |(n, played): (usize, &Move)| LegalMoveRow {
            endgame: probed.as_ref().map(|probed| probed[n].1.into()),
            ..LegalMoveRow::new(position, played)
        };
        let mut moves: Vec<_> = position.legal_moves().iter().enumerate().map(row).collect();
        // After the tables were asked, whose values are in the order of the generator.
        moves.sort_unstable_by(|a, b| (a.from, a.to, &a.captured).cmp(&(b.from, b.to, &b.captured)));
        Self { variant: position.variant().name(), fen, moves }
    }
}

impl LegalMoveRow {
    /// Returns a legal move of a position.
    pub(crate) fn new(position: &Position, played: &Move) -> Self {
        let numbering = Numbering::internal(position.variant());
        let number = |square| numbering.number(square);
        let mut captured: Vec<u8> = played.captured().iter().map(number).collect();
        captured.sort_unstable();
        let paths = position.paths(played).into_iter().map(|path| path.into_iter().map(number).collect());
        Self {
            notation: position.short(played),
            from: number(played.from()),
            to: number(played.to()),
            captured,
            path: paths.min().unwrap_or_default(),
            endgame: None,
        }
    }
}
