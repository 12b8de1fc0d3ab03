//! Moves and variations as data of a page.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::board::PageBoard;
use super::page_game::comment;
use super::shown;
use crate::pdn::{Evaluation, parse_commands};
use crate::records::MoveRow;
use crate::rules::Position;

/// A move: an array of its number, negative for Black's, its notation, the [change](PageBoard::change) to the position,
/// its evaluation and further items, without trailing nulls.
pub(super) struct MoveData<'a> {
    number: i64,
    text: Cow<'a, str>,
    change: Option<String>,
    evaluation: Option<EvaluationData>,
    more: More<'a>,
}

/// An evaluation from White's point of view: a number of centi-men, or a win as in PDN.
struct EvaluationData(Evaluation);

#[derive(serde::Serialize)]
struct More<'a> {
    #[serde(skip_serializing_if = "<[u16]>::is_empty")]
    nags: &'a [u16],
    #[serde(skip_serializing_if = "Option::is_none")]
    intro: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    /// Coloured squares: place and letter of the colour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<(u8, char)>,
    /// Coloured arrows: first and last place, and letter of the colour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<(u8, u8, char)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<MoveData<'a>>>,
}

/// Converts rows to page data.
#[derive(Clone, Copy)]
pub(super) struct Moves<'a> {
    /// The board, if the variant is known.
    pub(super) board: Option<&'a PageBoard>,
}

impl Moves<'_> {
    /// Returns the moves of a line that begins in a position.
    pub(super) fn line<'r>(self, rows: &'r [MoveRow<'_>], mut position: Option<Position>) -> Vec<MoveData<'r>> {
        let mut moves = Vec::with_capacity(rows.len());
        for row in rows {
            moves.push(self.one(row, position));
            position = row.fen.map(|after| *after.position()).or(position);
        }
        moves
    }

    fn one<'r>(self, row: &'r MoveRow<'_>, before: Option<Position>) -> MoveData<'r> {
        let number = i64::from(row.move_no);
        MoveData {
            number: if row.side == 'W' { number } else { -number },
            text: shown(row.notation.as_deref().unwrap_or(&row.written)),
            change: self.change(row, before.as_ref()),
            evaluation: row.eval.map(EvaluationData),
            more: self.more(row, before),
        }
    }

    fn change(self, row: &MoveRow<'_>, before: Option<&Position>) -> Option<String> {
        let (board, after) = (self.board?, row.fen.as_ref()?);
        Some(board.change(before, after.position(), board.ends(row.from, row.to)))
    }

    fn more<'r>(self, row: &'r MoveRow<'_>, before: Option<Position>) -> More<'r> {
        let commands =
            row.comment.as_deref().filter(|text| text.contains("[%")).map(parse_commands).unwrap_or_default();
        More {
            nags: &row.nags,
            intro: row.intro.as_deref().and_then(comment),
            comment: row.comment.as_deref().and_then(comment),
            clock: row.clock,
            squares: self.board.map(|board| board.squares(&commands)).unwrap_or_default(),
            arrows: self.board.map(|board| board.arrows(&commands)).unwrap_or_default(),
            variations: row.variations.iter().map(|line| self.line(line, before)).collect(),
        }
    }
}

impl More<'_> {
    const fn is_empty(&self) -> bool {
        let texts = self.intro.is_some() || self.comment.is_some() || self.clock.is_some();
        let drawn = !self.squares.is_empty() || !self.arrows.is_empty();
        !texts && !drawn && self.nags.is_empty() && self.variations.is_empty()
    }
}

impl Serialize for MoveData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let more = Some(&self.more).filter(|more| !more.is_empty());
        // The items of an array have no names: all before the last one are there, even if they are null.
        let length = match (&self.change, &self.evaluation, more) {
            (.., Some(_)) => 5,
            (_, Some(_), None) => 4,
            (Some(_), None, None) => 3,
            (None, None, None) => 2,
        };
        let mut items = serializer.serialize_seq(Some(length))?;
        items.serialize_element(&self.number)?;
        items.serialize_element(&self.text)?;
        if length > 2 {
            items.serialize_element(&self.change)?;
        }
        if length > 3 {
            items.serialize_element(&self.evaluation)?;
        }
        if length > 4 {
            items.serialize_element(&more)?;
        }
        items.end()
    }
}

impl Serialize for EvaluationData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.centi_men() {
            Some(value) => serializer.serialize_i32(value),
            None => serializer.collect_str(&self.0),
        }
    }
}
