//! The games of chunks that match, as text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::split::SplitKey;
use crate::check::{CheckedGame, GameWork, Needs, is_known};
use crate::diag::Span;
use crate::edit::written_tag;
use crate::export::RecordWriter;
use crate::pdn::{Parsed, games};
use crate::query::{BoardFinder, Documented, Question, SortKey, SortValue};
use crate::text::{Encoding, Format};

/// Searches for games and writes them.
#[derive(Default)]
pub(in crate::cli) struct Searcher {
    pub(in crate::cli) question: Question,
    /// True if the bytes of the games are copied.
    pub(in crate::cli) copies: bool,
    /// Number of games converted to UTF-8; `None` if copies keep their encoding.
    pub(in crate::cli) recoded: Option<AtomicU64>,
    /// Writes the games, unless they are copied or only counted.
    pub(in crate::cli) writer: Option<Arc<dyn RecordWriter>>,
    pub(in crate::cli) split: Option<SplitKey>,
    /// The sort keys.
    pub(in crate::cli) sort: Vec<SortKey>,
    /// True if the heads of the games are needed, to add tags.
    pub(in crate::cli) heads: bool,
}

/// The games of a chunk that match.
#[derive(Default)]
pub(in crate::cli) struct Matches {
    finder: Option<BoardFinder>,
    pub(super) text: Vec<u8>,
    /// End of each game in the text.
    ends: Vec<usize>,
    /// The files that each game is written to, with --split.
    keys: Vec<Vec<String>>,
    /// The sort key of each game, if they are sorted.
    pub(in crate::cli) values: Vec<SortValue>,
    heads: Vec<Head>,
}

/// The tags of a game, if others are to be added.
struct Head {
    /// The end of the last tag in the text of the game.
    end: Option<usize>,
    /// The name of each tag, and where it is in the text if its value is not known.
    tags: Vec<(String, Option<Range<usize>>)>,
    encoding: Encoding,
}

impl Matches {
    /// Returns a game with its missing tags added, and with those whose values are not known replaced, if its encoding has their
    /// characters.
    pub(super) fn with_tags(&self, n: usize, tags: &[(String, String)]) -> Cow<'_, [u8]> {
        let (game, head) = (self.game(n), &self.heads[n]);
        // The added tags have the line ends of the record.
        let line_end = if game.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let mut places: HashMap<&str, Option<Range<usize>>> = HashMap::new();
        for (name, place) in &head.tags {
            places.entry(name).or_insert_with(|| place.clone());
        }
        let end = head.end.unwrap_or_default();
        let (mut replaced, mut added) = (BTreeMap::new(), Vec::new());
        for (name, value) in tags.iter().filter(|(_, value)| is_known(value)) {
            let place = places.get(name.as_str()).cloned();
            let tag = written_tag(name, value);
            let tag = match place {
                Some(None) => continue,
                Some(Some(_)) => tag,
                None if head.end.is_some() => format!("{line_end}{tag}"),
                None => format!("{tag}{line_end}"),
            };
            let Some(bytes) = head.encoding.encode(&tag) else { continue };
            match place.flatten() {
                Some(place) => drop(replaced.insert(place.start, (place.end, bytes.into_owned()))),
                None => added.extend_from_slice(&bytes),
            }
            places.insert(name, None);
        }
        let (mut text, mut from) = (Vec::new(), 0);
        for (start, (end, tag)) in replaced {
            text.extend_from_slice(&game[from..start]);
            text.extend_from_slice(&tag);
            from = end;
        }
        [&text, &game[from..end], &added, &game[end..]].concat().into()
    }

    pub(in crate::cli) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in crate::cli) fn game(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.text[start..self.ends[n]]
    }

    pub(super) fn keys(&self, n: usize) -> &[String] {
        self.keys.get(n).map_or(&[], Vec::as_slice)
    }
}

impl GameWork for &Searcher {
    type Done = Matches;

    fn needs(&self) -> Needs {
        self.question.needs().max(self.split.map_or(Needs::Tags, SplitKey::needs))
    }

    fn game(&self, game: CheckedGame<'_>, matches: &mut Matches) {
        if !self.question.fits(&game, &mut matches.finder) {
            return;
        }
        let start = matches.text.len();
        if self.copies {
            game.copy_to(&mut matches.text);
            // Most games are UTF-8, and testing for that is faster than detecting the encoding.
            if let Some(recoded) = &self.recoded
                && std::str::from_utf8(&matches.text[start..]).is_err()
            {
                let text = game.encoding().decode(&matches.text[start..]).into_owned();
                matches.text.truncate(start);
                matches.text.extend_from_slice(text.as_bytes());
                recoded.fetch_add(1, Ordering::Relaxed);
            }
        } else if let Some(writer) = &self.writer {
            writer.game(&game, &mut matches.text);
        }
        matches.ends.push(matches.text.len());
        matches.keys.extend(self.split.map(|key| key.keys(&game)));
        if !self.sort.is_empty() {
            matches.values.push(SortValue::new(&game, &self.sort));
        }
        if self.heads {
            let copy = &matches.text[start..];
            // In other formats and encodings, the offsets of tags in the copy differ from those in the original.
            let tag = |name: &str, value: &str, span: Span| {
                (name.to_owned(), Some(span.range()).filter(|_| !is_known(value)), span.end as usize)
            };
            let (tags, encoding): (Vec<_>, _) = if self.recoded.is_some() || game.chunk().format() != Format::Pdn {
                let copied = games(copy).next().map(Parsed::into_tree).unwrap_or_default();
                (copied.tags().iter().map(|own| tag(own.name(), own.value(), own.span())).collect(), Encoding::Utf8)
            } else {
                (game.written_tags().map(|own| tag(own.name, own.value, own.span)).collect(), game.encoding())
            };
            let end = tags.last().map(|(.., end)| *end);
            let tags = tags.into_iter().map(|(name, place, _)| (name, place)).collect();
            matches.heads.push(Head { end, tags, encoding });
        }
    }
}

/// Searches for games and takes their fingerprints.
pub(super) struct Comparer<'a> {
    pub(super) searcher: &'a Searcher,
    /// True if all fingerprints are needed, not only the last one.
    pub(super) beginnings: bool,
}

/// The fingerprints and the tags of the games of a chunk that match.
#[derive(Default)]
pub(super) struct Compared {
    finder: Option<BoardFinder>,
    pub(super) games: Vec<(Documented, Vec<(String, String)>)>,
}

impl GameWork for &Comparer<'_> {
    type Done = Compared;

    fn needs(&self) -> Needs {
        self.searcher.needs().max(Needs::Game)
    }

    fn game(&self, game: CheckedGame<'_>, compared: &mut Compared) {
        if self.searcher.question.fits(&game, &mut compared.finder) {
            let tags = game.tags().filter(|_| self.beginnings && self.searcher.heads);
            let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let game = Documented::new(&game);
            compared.games.push((if self.beginnings { game } else { game.without_beginnings() }, tags));
        }
    }
}
