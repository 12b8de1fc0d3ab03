//! Records of other programs as game trees, with spans into the original: logs of electronic boards, exports from Turbo
//! Dambase and Lidraughts, rounds of relays.
//!
//! A format is a file in this module, an entry in `FORMATS`, and the way it is recognised in [`Format`]. Contradictions and gaps
//! in a record are diagnostics of the group `log/`; whatever can be read is kept.

mod custom;
mod draft;
mod grammar;
mod json;
mod ldf;
pub(crate) mod lidraughts;
mod list;
mod own;
mod round;
mod turbo;

use crate::diag::{Span, messages};
use crate::pdn::{self, Games, GamesPlace, Outside, Parsed, ReadAs, Visitor};

use crate::text::{Encoding, Format};

/// The contents of a record: its games, and diagnostics outside any game. Offsets count from its first byte.
#[derive(Debug, Default)]
struct RecordContents {
    games: Vec<Parsed>,
    outside: Vec<Outside>,
}

impl RecordContents {
    /// Adds the contents of a part of the record that begins at `start`.
    fn append_at(&mut self, start: usize, part: Self) {
        self.games.extend(part.games.into_iter().map(|game| {
            let offset = start + game.offset();
            game.at(offset)
        }));
        let moved = |outside: Outside| Outside::new(start + outside.offset(), outside.into_diagnostic());
        self.outside.extend(part.outside.into_iter().map(moved));
    }
}

/// Reads a record.
type ReadRecord = fn(record: &[u8], read_as: ReadAs) -> RecordContents;

/// Returns true if the first record of a text in JSON, of which the end may be missing, is a game as this program writes it.
pub(crate) fn begins_with_own_game(text: &[u8]) -> bool {
    let (members, _) = json::members(text);
    // Its moves may come after the missing end.
    own::has_schema(&members) || own::is_own(&members)
}

/// The formats other than PDN, with their readers.
const FORMATS: [(Format, ReadRecord); 6] = [
    (Format::BoardLog, ldf::read),
    (Format::TurboDambase, turbo::read),
    (Format::Lidraughts, lidraughts::read),
    (Format::JsonArray, lidraughts::read),
    (Format::Round, round::read),
    (Format::Image, image),
];

/// Returns the only diagnostic of an image of Paint.NET, whose files have the extension of records.
fn image(record: &[u8], _: ReadAs) -> RecordContents {
    let span = Span::new(0, record.len().min(4) as u32);
    RecordContents { games: Vec::new(), outside: vec![Outside::new(0, messages::no_game_image(span))] }
}

/// Returns the games in the bytes, in order, whatever format they are in; see [`pdn::games`].
///
/// # Examples
///
/// ```
/// let text = br#"{"id":"a","variant":"standard","moves":"32-28 19-23","winner":"white"}"#;
/// let game = pdn::import::games(text).next().unwrap();
/// assert_eq!(game.tree().tag("Result"), Some("2-0"));
/// assert_eq!(game.tree().written_moves(), 2);
/// ```
pub fn games(bytes: &[u8]) -> Records<'_> {
    games_as(bytes, Format::of(bytes), None)
}

/// Returns the games in bytes of a known format as [`games`] does, decoded as given; without an encoding, it is detected.
pub fn games_as(bytes: &[u8], format: Format, encoding: Option<Encoding>) -> Records<'_> {
    records(bytes, format, ReadAs { always: encoding, ..ReadAs::default() })
}

/// Returns the games in bytes of a known format, decoded according to the options.
pub(crate) fn records(bytes: &[u8], format: Format, read_as: ReadAs) -> Records<'_> {
    Records::of(match FORMATS.iter().find(|(known, _)| *known == format) {
        Some(&(format, read)) => Source::Other(Importer {
            bytes,
            at: 0,
            format,
            read,
            read_as,
            games: Vec::new().into_iter(),
            outside: Vec::new(),
        }),
        None => Source::Pdn(Box::new(pdn::games_as(bytes, read_as))),
    })
}

/// An iterator over the games of an input; see [`games`].
#[derive(Debug)]
pub struct Records<'a> {
    source: Source<'a>,
    /// The games of a text that is read as one and consists of several, which are not returned yet.
    parts: std::vec::IntoIter<Parsed>,
    /// The place before that text, and the number of its games that were returned.
    whole: Option<(GamesPlace, usize)>,
    /// Diagnostics between such games.
    outside: Vec<Outside>,
}

/// A place between two games of a PDN text.
#[derive(Clone, Debug)]
pub(crate) struct RecordsPlace {
    games: GamesPlace,
    /// The number of games skipped there.
    skipped: usize,
}

#[derive(Debug)]
enum Source<'a> {
    Pdn(Box<Games<'a>>),
    Other(Importer<'a>),
}

/// Reads one record after another.
#[derive(Debug)]
struct Importer<'a> {
    bytes: &'a [u8],
    /// The offset of the next record.
    at: usize,
    format: Format,
    read: ReadRecord,
    read_as: ReadAs,
    /// The games of the last record that have not been returned yet.
    games: std::vec::IntoIter<Parsed>,
    outside: Vec<Outside>,
}

impl Iterator for Importer<'_> {
    type Item = Parsed;

    fn next(&mut self) -> Option<Parsed> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(game);
            }
            let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
            let record = &rest[..self.format.next_record(rest).unwrap_or(rest.len())];
            let mut found = (self.read)(record, self.read_as);
            for game in &mut found.games {
                // A value that is cut off, and its diagnostic, can be after the last character of the game.
                let end = game.diagnostics().iter().map(|diagnostic| diagnostic.span().end).max().unwrap_or(0);
                let (length, encoding) = (game.tree().byte_len(), game.tree().encoding());
                game.tree_mut().set_source(length.max(end), encoding);
                self.read_as.reported |= game.tree().encoding() != crate::text::Encoding::Utf8;
            }
            let mut placed = RecordContents::default();
            placed.append_at(self.at, found);
            self.outside.append(&mut placed.outside);
            self.games = placed.games.into_iter();
            self.at += record.len();
        }
    }
}

impl<'a> Records<'a> {
    fn of(source: Source<'a>) -> Self {
        Self { source, parts: Vec::new().into_iter(), whole: None, outside: Vec::new() }
    }

    /// Removes and returns the diagnostics outside any game found so far, in order.
    pub fn take_outside(&mut self) -> Vec<Outside> {
        let mut outside = std::mem::take(&mut self.outside);
        outside.append(&mut match &mut self.source {
            Source::Pdn(games) => games.take_outside(),
            Source::Other(importer) => std::mem::take(&mut importer.outside),
        });
        outside.sort_by_key(Outside::offset);
        outside
    }

    /// Returns where the next game begins, if the records are PDN.
    pub(crate) fn place(&self) -> Option<RecordsPlace> {
        match (&self.source, &self.whole) {
            (_, Some((games, skipped))) if self.parts.len() > 0 => {
                Some(RecordsPlace { games: games.clone(), skipped: *skipped })
            }
            (Source::Pdn(games), _) => Some(RecordsPlace { games: games.place(), skipped: 0 }),
            (Source::Other(_), _) => None,
        }
    }

    /// Returns the games from a place on.
    pub(crate) fn from_place(bytes: &'a [u8], place: &RecordsPlace) -> Self {
        let mut records = Self::of(Source::Pdn(Box::new(Games::from_place(bytes, &place.games))));
        records.by_ref().take(place.skipped).for_each(drop);
        records
    }

    /// Returns a game, or the first of those that it consists of; the others follow.
    fn first_of(&mut self, game: Parsed, before: GamesPlace) -> Parsed {
        let Source::Pdn(games) = &self.source else { return game };
        let Some(mut found) = custom::arranged(&game, games.bytes()) else { return game };
        self.outside.append(&mut found.outside);
        self.parts = found.games.into_iter();
        self.whole = Some((before, 1));
        self.parts.next().unwrap_or(game)
    }

    fn next_part(&mut self) -> Option<Parsed> {
        let part = self.parts.next()?;
        self.whole.iter_mut().for_each(|(_, returned)| *returned += 1);
        Some(part)
    }

    /// Reads the next game with a visitor, if it is PDN. If the visitor stops the reader, `finish` returns nothing, or the game
    /// is in another format, it is read into a tree.
    pub(crate) fn next_with<V: Visitor, T>(
        &mut self,
        visitor: &mut V,
        finish: impl FnOnce(&mut V) -> Option<T>,
    ) -> Option<Result<T, Parsed>> {
        if let Some(part) = self.next_part() {
            return Some(Err(part));
        }
        match &mut self.source {
            Source::Pdn(games) => {
                let before = games.place();
                Some(games.next_with(visitor, finish)?.map_err(|game| self.first_of(game, before)))
            }
            Source::Other(importer) => importer.next().map(Err),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Parsed;

    fn next(&mut self) -> Option<Parsed> {
        if let Some(part) = self.next_part() {
            return Some(part);
        }
        match &mut self.source {
            Source::Pdn(games) => {
                let before = games.place();
                let game = games.next()?;
                Some(self.first_of(game, before))
            }
            Source::Other(importer) => importer.next(),
        }
    }
}
