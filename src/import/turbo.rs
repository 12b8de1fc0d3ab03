//! The text export of Turbo Dambase.
//!
//! The moves are PDN movetext and are read as such; the lines before them become tags, as do the times after the result.

use super::RecordContents;
use super::draft::{encoding_note, encoding_of, span_of, tag_at};
use super::grammar::turbo::{Event, Head, event, game, times};
use crate::diag::{Diagnostic, Span, messages};
use crate::pdn::{Outside, Parsed, ReadAs, Tag, games_as};
use crate::text::quoted;
use crate::text::whitespace::is_line_end;

/// Reads a game.
pub(super) fn read(record: &[u8], read_as: ReadAs) -> RecordContents {
    let encoding = encoding_of(record, read_as);
    let mut reader = GameReader { record, tags: Vec::new(), faults: Vec::new() };
    reader.faults.extend(encoding_note(record, encoding, read_as));
    let read_as = ReadAs { always: Some(encoding), ..read_as };
    let text = |part| encoding.decode(part).trim().to_owned();
    let mut rest = record.trim_ascii_start();
    match game(rest) {
        Ok((after, Head { number, white, black })) => {
            reader.tag("White", &text(white), white);
            reader.tag("Black", &text(black), black);
            reader.tag("DatabaseNumber", &text(number), number);
            rest = after.trim_ascii_start();
        }
        Err(_) => rest = reader.stray(rest),
    }
    match event(rest) {
        Ok((after, Event { name, date: (all, [day, month, year]) })) => {
            reader.tag("Event", &text(name), name);
            let known = |part| text(part).trim_start_matches('0').to_owned();
            let part = |part| if known(part).is_empty() { "??".to_owned() } else { format!("{:0>2}", text(part)) };
            let year = if known(year).is_empty() { "????".to_owned() } else { text(year) };
            reader.tag("Date", &format!("{year}.{}.{}", part(month), part(day)), all);
            rest = after;
        }
        Err(_) if rest.first().is_some_and(|byte| !byte.is_ascii_digit()) => rest = reader.stray(rest),
        // The line ends of the head may be overwritten.
        Err(_) if rest.is_empty() => {
            reader.faults.push(messages::log_cut_off(span_of(record, rest), "no event and no moves"));
        }
        Err(_) => {}
    }
    let moves = rest.trim_ascii();
    let moves = match split_times(moves) {
        Some((moves, [white, black])) => {
            reader.tag("WhiteTime", &text(white).replace('.', ":"), white);
            reader.tag("BlackTime", &text(black).replace('.', ":"), black);
            moves
        }
        None => moves,
    };
    reader.finish(moves, read_as)
}

/// Splits the times used off the end of the moves.
fn split_times(moves: &[u8]) -> Option<(&[u8], [&[u8]; 2])> {
    let open = memchr::memrchr(b'(', moves)?;
    let (rest, (white, black)) = times(&moves[open..]).ok()?;
    rest.is_empty().then(|| (moves[..open].trim_ascii_end(), [white, black]))
}

/// A game being read.
struct GameReader<'a> {
    record: &'a [u8],
    tags: Vec<Tag>,
    faults: Vec<Diagnostic>,
}

impl<'a> GameReader<'a> {
    fn tag(&mut self, name: &str, value: &str, place: &[u8]) {
        self.tags.push(tag_at(self.record, name, value, place, place));
    }

    /// Reports an unexpected line, and returns the bytes after it.
    fn stray(&mut self, rest: &'a [u8]) -> &'a [u8] {
        let length = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
        let (line, after) = rest.split_at(length);
        if !line.is_empty() {
            self.faults.push(messages::log_stray(span_of(self.record, line), quoted(line)));
        }
        after.trim_ascii_start()
    }

    /// Reads the moves, and adds the data read before them to the first game.
    fn finish(self, moves: &[u8], read_as: ReadAs) -> RecordContents {
        let Self { record, mut tags, faults } = self;
        let mut reader = games_as(moves, read_as);
        let mut games: Vec<Parsed> = reader.by_ref().collect();
        let start = span_of(record, moves).start;
        let mut found = RecordContents::default();
        for outside in reader.take_outside() {
            found.outside.push(Outside::new(outside.offset() + start as usize, outside.into_diagnostic()));
        }
        if games.is_empty() {
            games.push(Parsed::default());
        }
        let is_single = games.len() == 1;
        for (n, mut game) in games.into_iter().enumerate() {
            let offset = start + game.offset() as u32;
            let mut length = game.tree().byte_len();
            if n == 0 {
                // The first game begins with the record.
                game.map_spans(|span| Span::new(span.start + offset, span.end + offset));
                length += offset;
                // The data after the first of several games does not belong to any of them.
                let end = if is_single { u32::MAX } else { length };
                let place = |span: Span| Span::new(span.start.min(end), span.end.min(end));
                for mut fault in faults.iter().cloned() {
                    fault.set_span(place(fault.span()));
                    length = length.max(fault.span().end);
                    game.add_diagnostic(fault);
                }
                for tag in &mut tags {
                    *tag = tag.clone().at(place(tag.span()), place(tag.value_span()));
                }
            }
            let (encoding, tree) = (game.tree().encoding(), game.tree_mut());
            if n == 0 {
                if let Some((result, span)) = tree.terminator().zip(tree.terminator_span()) {
                    let tag = Tag::new("Result", result).at(span, span);
                    tree.prepend_tags([tag]);
                }
                tree.prepend_tags(tags.iter().cloned());
                length = length.max(tags.iter().map(|tag| tag.span().end).max().unwrap_or(0));
            }
            tree.set_source(length, encoding);
            found.games.push(game.at(if n == 0 { 0 } else { offset as usize }));
        }
        found
    }
}
