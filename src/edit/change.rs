//! Changes to a game, and what each of them does to its bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::tokens::{GameTokens, Item, Kind, Token};
use super::{Refusal, written_tag};
use crate::check::{FileDates, Review};
use crate::notation::{is_tag_name, roster_tag};
use crate::pdn::{Evaluation, NodeId, command_sources, nag_sign, strength_nag, text_without_commands};
use crate::records::{GameRow, MoveRow};
use crate::text::Encoding;

/// A change to a game. Moves are named by their addresses: `6` is ply 6 of the main line, `6.1.2` the second move of the first
/// variation in place of it, and `0` the start of the game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Change {
    /// Sets the first tag of a name, or adds it after the others.
    SetTag {
        /// The name of the tag.
        name: String,
        /// Its new value.
        value: String,
    },
    /// Removes all tags of a name.
    RemoveTag {
        /// The name of the tags.
        name: String,
    },
    /// Sets the text after a move, or before the first one. Commands such as `[%eval 0.32]` are kept.
    Comment {
        /// The address of the move.
        at: String,
        /// The new text; without one, the old one is removed.
        text: String,
        /// True for the text before the first move of a variation.
        #[serde(default)]
        before: bool,
    },
    /// Sets the numeric annotations of a move: `!` to `?!` are 1 to 6.
    Nags {
        /// The address of the move.
        at: String,
        /// The annotations, in order.
        nags: Vec<u16>,
    },
    /// Sets commands in the comments after a move, such as the clock `[%clk 1:29:46]`, the evaluation `[%eval 0.32]`, coloured
    /// squares `[%csl Y28]` and arrows `[%cal G32-28]`.
    Commands {
        /// The address of the move; `0` for what is before the first one.
        at: String,
        /// The new value of each command by its name, such as `clk`; without one, all commands of the name are removed.
        values: BTreeMap<String, Option<String>>,
    },
    /// Adds moves after a move: at the end of its line, or else as a variation.
    AddMoves {
        /// The address of the move.
        at: String,
        /// The moves, in the names of squares of the variant.
        moves: Vec<String>,
        /// The time left to the player of the last of them, as `1:29:46`.
        #[serde(default)]
        clock: Option<String>,
    },
    /// Removes a move with all that follow in its line; with the first move of a variation, all of it.
    Remove {
        /// The address of the move.
        at: String,
    },
    /// Exchanges the variation of a move and the line around it.
    Promote {
        /// The address of a move of the variation.
        at: String,
    },
    /// Exchanges the variation of a move and the one before it, or, for the first variation, the line around it.
    MoveUp {
        /// The address of a move of the variation.
        at: String,
    },
    /// Sets the evaluation of the position after a move, as the command `[%eval …]`.
    Evaluation {
        /// The address of the move.
        at: String,
        /// The evaluation, such as `0.32` and `#-7`; without one, the old one is removed.
        value: Option<String>,
    },
    /// Sets the time left on the clock of the side that made a move, as the command `[%clk …]`, or in `[%clock …]` if that is there.
    Clock {
        /// The address of the move.
        at: String,
        /// The time, such as `1:29:46`; without one, the old one is removed.
        value: Option<String>,
    },
    /// Replaces the text of a move.
    Replace {
        /// The address of the move.
        at: String,
        /// The new text, which may be several moves.
        text: String,
    },
    /// Sets the result: in the tag if there is one, and at the end of the moves.
    Result {
        /// The new result.
        text: String,
    },
    /// Makes repairs that have exactly one reading: all, or those with these numbers in their list, from 0.
    Repair {
        /// The numbers of the repairs.
        #[serde(default)]
        only: Option<Vec<usize>>,
    },
    /// Replaces the whole text of the game.
    Text {
        /// The new text.
        text: String,
    },
}

/// A token as it has to be read after an edit.
pub(super) type Expected = (Kind, Vec<u8>);

/// A replacement of some bytes and of some tokens, where `new` is expected; `None` if any tokens may be read there.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    pub(super) bytes: Range<usize>,
    pub(super) text: Vec<u8>,
    pub(super) tokens: Range<usize>,
    pub(super) new: Option<Vec<Expected>>,
    /// What is said of it; empty if nothing is.
    pub(super) message: String,
}

/// What a change does, and the byte of the move to be shown afterwards: in the new text of a splice, or in the old bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) splices: Vec<Splice>,
    pub(super) focus: Option<Focus>,
    /// The old and the new places of moves that are written elsewhere.
    pub(super) moved: Vec<(usize, Focus)>,
    /// True if some of several repairs are left out.
    pub(super) is_partial: bool,
}

/// The place of a move after an edit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Focus {
    /// A byte of the game before the edit.
    Old(usize),
    /// A byte of the new text of a splice, by their numbers.
    New(usize, usize),
}

pub(super) type Planned = Result<Plan, Refusal>;

/// A game that is changed.
pub(super) struct Subject<'a> {
    pub(super) review: &'a Review,
    pub(super) row: &'a GameRow<'a>,
    pub(super) tokens: GameTokens<'a>,
    /// The offset of the game in the bytes of the tokens.
    pub(super) start: usize,
    pub(super) line_end: &'static str,
    pub(super) dates: &'a FileDates,
    /// The encoding of new text.
    pub(super) encoding: Encoding,
}

/// A line of rows, the index of a move in it, and the rows that the line replaces.
pub(super) struct Place<'a> {
    pub(super) line: &'a [MoveRow<'a>],
    pub(super) index: usize,
    pub(super) parent: Option<&'a MoveRow<'a>>,
}

impl<'a> Subject<'a> {
    /// Plans a change.
    pub(super) fn plan(&self, change: &Change) -> Planned {
        match change {
            Change::SetTag { name, value } => self.set_tag(name, value),
            Change::RemoveTag { name } => self.remove_tag(name),
            Change::Comment { at, text, before } => self.comment(at, text, *before),
            Change::Nags { at, nags } => self.nags(at, nags),
            Change::Commands { at, values } => self.commands(at, values),
            Change::AddMoves { at, moves, clock } => self.add_moves(at, moves, clock.as_deref()),
            Change::Remove { at } => self.remove(at),
            Change::Promote { at } => self.promote(at),
            Change::MoveUp { at } => self.move_up(at),
            Change::Evaluation { at, value } => self.evaluation(at, value.as_deref()),
            Change::Clock { at, value } => self.clock(at, value.as_deref()),
            Change::Replace { at, text } => self.replace(at, text),
            Change::Result { text } => self.result(text),
            Change::Repair { only } => self.repair(only.as_deref()),
            Change::Text { text } => self.rewrite(text),
        }
    }

    /// Returns a text in the encoding of the game.
    pub(super) fn encoded(&self, text: &str) -> Result<Vec<u8>, Refusal> {
        self.encoding.encode(text).map(std::borrow::Cow::into_owned).ok_or(Refusal::Encoding)
    }

    /// Returns the place of a move; `None` for the start.
    pub(super) fn place(&self, at: &str) -> Result<Option<Place<'a>>, Refusal> {
        let parts: Option<Vec<usize>> = at.split('.').map(|part| part.parse().ok()).collect();
        let parts = parts.ok_or(Refusal::NoSuchPlace)?;
        let (&first, rest) = parts.split_first().ok_or(Refusal::NoSuchPlace)?;
        let mut line: &'a [MoveRow<'a>] = &self.row.moves;
        // There is no index before 0, and the largest number is that of no move.
        let mut index = first.wrapping_sub(1);
        let mut parent = None;
        if first == 0 && rest.is_empty() {
            return Ok(None);
        }
        for (n, pair) in rest.chunks(2).enumerate() {
            let &[variation, number] = pair else { return Err(Refusal::NoSuchPlace) };
            let before = (n > 0 || first > 0).then(|| line.get(index)).flatten();
            let lines = before.map_or(&self.row.variations, |row| &row.variations);
            line = lines.get(variation.wrapping_sub(1)).ok_or(Refusal::NoSuchPlace)?;
            (index, parent) = (number.wrapping_sub(1), before);
        }
        if line.get(index).is_none() {
            return Err(Refusal::NoSuchPlace);
        }
        Ok(Some(Place { line, index, parent }))
    }

    pub(super) fn move_at(&self, at: &str) -> Result<Place<'a>, Refusal> {
        self.place(at)?.ok_or(Refusal::NoSuchPlace)
    }

    /// Returns the token of a row.
    pub(super) fn token(&self, row: &MoveRow<'_>) -> Result<usize, Refusal> {
        let node = row.node.map(|id: NodeId| self.review.game().tree().node(id)).ok_or(Refusal::NoSuchPlace)?;
        self.tokens.node_at(self.start + node.span().start as usize).ok_or(Refusal::NoSuchPlace)
    }

    /// Returns the byte at which a token begins.
    pub(super) fn byte(&self, token: usize) -> usize {
        self.tokens.all[token].span.start
    }

    /// Returns the splice that replaces some tokens, at least one, by a text.
    pub(super) fn replaced(&self, tokens: Range<usize>, text: Vec<u8>, new: Option<Vec<Expected>>) -> Splice {
        Splice::new(self.tokens.span(&tokens), text, tokens, new)
    }

    /// Returns the splice that inserts words after a token, or before the first one.
    pub(super) fn inserted(&self, after: Option<usize>, words: &[u8], new: Vec<Expected>) -> Splice {
        let Some(token) = after else {
            let text = [words, self.line_end.as_bytes()].concat();
            return Splice::new(self.start..self.start, text, 0..0, Some(new));
        };
        let all = self.tokens.all;
        let at = all[token].span.end;
        let before = match all[token].kind {
            // On the same line, the words would be part of the comment.
            Kind::LineComment => self.line_end,
            Kind::Open => "",
            Kind::Tag if all.get(token + 1).is_none() => return self.inserted_at_end(token, words, new),
            Kind::Tag => return self.inserted_before(token + 1, words, new),
            _ => " ",
        };
        // After a blank, `; words` would become a comment.
        let is_apart = |next: &Token| next.span.start > at || next.kind == Kind::Close || self.tokens.bytes[at] == b';';
        let is_joined = all.get(token + 1).is_some_and(|next| !is_apart(next));
        let text = [before.as_bytes(), words, if is_joined { b" " } else { b"" }].concat();
        Splice::new(at..at, text, token + 1..token + 1, Some(new))
    }

    /// Returns the splice that inserts words before a token.
    fn inserted_before(&self, token: usize, words: &[u8], new: Vec<Expected>) -> Splice {
        let at = self.byte(token);
        Splice::new(at..at, [words, b" "].concat(), token..token, Some(new))
    }

    /// Returns the splice that inserts the first words after the tags.
    fn inserted_at_end(&self, token: usize, words: &[u8], new: Vec<Expected>) -> Splice {
        let at = self.tokens.all[token].span.end;
        // An empty line separates the moves from the tags.
        let gap = self.line_end.repeat(2);
        Splice::new(at..at, [gap.as_bytes(), words].concat(), token + 1..token + 1, Some(new))
    }

    /// Returns the splice that removes some tokens, with the whitespace that separated them from the text around them.
    pub(super) fn removed(&self, tokens: Range<usize>) -> Splice {
        let Range { mut start, mut end } = self.tokens.span(&tokens);
        let bytes = self.tokens.bytes;
        let is_blank = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b')'));
        let blanks = |bytes: &[u8]| bytes.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let before = blanks(&bytes[self.start..start]);
        let begins_line = matches!(bytes[..start - before].last(), None | Some(b'\n'));
        let mut text = Vec::new();
        if is_blank(bytes.get(end)) {
            start -= before;
            if begins_line {
                // The end of a line that has nothing else goes too; otherwise the next word begins the line.
                let rest = &bytes[end..];
                end += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                end += usize::from(bytes.get(end) == Some(&b'\r'));
                end += usize::from(bytes.get(end) == Some(&b'\n'));
            }
        // `32-28{a}19-23` without the comment would be one word.
        } else if !is_blank(bytes[..start].last()) && bytes[..start].last() != Some(&b'(') {
            text.push(b' ');
        }
        Splice::new(start..end, text, tokens, Some(Vec::new()))
    }

    /// Replaces the whole game; the whitespace after it stays.
    fn rewrite(&self, text: &str) -> Planned {
        // The two characters first, or they would become two line ends.
        let text = self.encoded(&text.trim().replace("\r\n", "\n").replace('\r', "\n").replace('\n', self.line_end))?;
        let length = self.review.game().tree().byte_len() as usize;
        let end = self.start + self.tokens.bytes[self.start..self.start + length].trim_ascii_end().len();
        let bytes = self.start..end;
        if text.is_empty() || self.tokens.bytes[bytes.clone()] == text {
            return Ok(Plan::default());
        }
        Ok(Plan::of(Splice::new(bytes, text, 0..self.tokens.all.len(), None)))
    }

    fn set_tag(&self, name: &str, value: &str) -> Planned {
        let value = one_line(value);
        let tree = self.review.game().tree();
        let Some(index) = tree.tags().iter().position(|tag| tag.name() == name) else {
            if !is_tag_name(name) {
                return Err(Refusal::TagName);
            }
            let tag = self.encoded(&written_tag(name, &value))?;
            let expected = vec![(Kind::Tag, tag.clone())];
            let after = self.tokens.first_after_tags().checked_sub(1);
            return Ok(Plan::of(match after {
                Some(last) => {
                    let at = self.tokens.all[last].span.end;
                    let text = [self.line_end.as_bytes(), &tag].concat();
                    Splice::new(at..at, text, last + 1..last + 1, Some(expected))
                }
                None => self.inserted(None, &tag, expected),
            }));
        };
        if tree.tags()[index].value() == value {
            return Ok(Plan::default());
        }
        Ok(Plan::of(self.retagged(index, name, &value)?))
    }

    /// Returns the splice that gives the tag with an index in the tree a name and a value.
    pub(super) fn retagged(&self, index: usize, name: &str, value: &str) -> Result<Splice, Refusal> {
        let tag = &self.review.game().tree().tags()[index];
        let token = self.tag_token(index)?;
        let (all, inner) = (tag.span(), tag.value_span());
        let bytes = &self.tokens.bytes[self.start..];
        let before = &bytes[all.start as usize..inner.start as usize];
        let after = &bytes[inner.end as usize..all.end as usize];
        let text = if name == tag.name() && before.ends_with(b"\"") && after.starts_with(b"\"") && after.ends_with(b"]")
        {
            [before, &self.encoded(&super::escaped(value))?, after].concat()
        } else {
            self.encoded(&written_tag(name, value))?
        };
        Ok(self.replaced(token..token + 1, text.clone(), Some(vec![(Kind::Tag, text)])))
    }

    fn tag_token(&self, index: usize) -> Result<usize, Refusal> {
        let start = self.start + self.review.game().tree().tags()[index].span().start as usize;
        let found = self.tokens.all.iter().position(|token| token.kind == Kind::Tag && token.span.start == start);
        found.ok_or(Refusal::NoSuchPlace)
    }

    fn remove_tag(&self, name: &str) -> Planned {
        let tags = self.review.game().tree().tags().iter().enumerate();
        let of_name = tags.filter(|(_, tag)| tag.name() == name);
        let splices = of_name.map(|(index, _)| self.tag_token(index).map(|token| self.removed(token..token + 1)));
        Ok(Plan { splices: splices.collect::<Result<_, _>>()?, ..Plan::default() })
    }

    /// Returns what is written at a place, and the token after which a new comment goes.
    pub(super) fn texts_at(&self, at: &str, before: bool) -> Result<(Vec<Item>, Option<usize>), Refusal> {
        let Some(place) = self.place(at)? else {
            let first = self.tokens.first_after_tags();
            let lead = self.tokens.all[..first].iter().enumerate().filter(|(_, token)| token.kind != Kind::Tag);
            let mut items: Vec<Item> = lead.map(|(n, token)| Item { kind: token.kind, tokens: n..n + 1 }).collect();
            items.append(&mut self.tokens.slot(first, true));
            return Ok((items, first.checked_sub(1)));
        };
        if before {
            let open = self.tokens.open_of(self.token(&place.line[0])?).ok_or(Refusal::NoSuchPlace)?;
            return Ok((self.tokens.slot(open + 1, true), Some(open)));
        }
        let token = self.token(&place.line[place.index])?;
        let items = self.tokens.slot(token + 1, true);
        let marks = items.iter().take_while(|item| matches!(item.kind, Kind::Strength | Kind::Nag));
        let after = marks.last().map_or(token, |item| item.tokens.start);
        Ok((items, Some(after)))
    }

    /// Changes the texts at a place so that they are a new one together. Those at their start and end that the new text has, too,
    /// are unchanged; of the others, one gets what is new.
    fn comment(&self, at: &str, text: &str, before: bool) -> Planned {
        // A closing brace would end the comment.
        let text = one_line(text).replace('{', "(").replace('}', ")");
        let mut rest = text.trim();
        let (items, after) = self.texts_at(at, before)?;
        let is_text = |item: &&Item| matches!(item.kind, Kind::Comment | Kind::LineComment | Kind::Stray);
        let mut texts: Vec<(&Item, String, String)> =
            items.iter().filter(is_text).map(|item| self.text_of(item)).collect();
        // A comment with nothing but commands takes a text where no other one does.
        let spare = texts.iter().find(|(item, text, _)| item.kind == Kind::Comment && text.is_empty()).cloned();
        texts.retain(|(_, text, _)| !text.is_empty());
        let (mut before_rest, mut after_rest) = (None, None);
        while let Some(left) = texts.first().and_then(|(_, part, _)| apart(rest.strip_prefix(part.as_str())?)) {
            before_rest = Some(texts.remove(0));
            rest = left;
        }
        while let Some(left) = texts.last().and_then(|(_, part, _)| apart(rest.strip_suffix(part.as_str())?)) {
            after_rest = texts.pop();
            rest = left;
        }
        // Where no comment is between them to take what is new, one next to it does: another comment would be before them all.
        let is_comment = |(item, ..): &(&Item, String, String)| item.kind == Kind::Comment;
        let joined;
        if !rest.is_empty() && !texts.iter().any(is_comment) {
            if let Some(taker) = before_rest.filter(is_comment) {
                joined = format!("{} {rest}", taker.1);
                rest = &joined;
                texts.insert(0, taker);
            } else if let Some(taker) = after_rest.filter(is_comment) {
                joined = format!("{rest} {}", taker.1);
                rest = &joined;
                texts.push(taker);
            }
        }
        let mut splices = Vec::new();
        for (item, old, commands) in &texts {
            // Words outside comments may be moves that could not be read.
            if item.kind == Kind::Stray {
                continue;
            }
            let is_taker = item.kind == Kind::Comment && !rest.is_empty();
            let new = if is_taker { std::mem::take(&mut rest) } else { "" };
            if *old != new {
                splices.push(self.recommented(item, new, commands)?);
            }
        }
        if let Some((item, _, commands)) = spare.filter(|_| !rest.is_empty()) {
            splices.push(self.recommented(item, std::mem::take(&mut rest), &commands)?);
        }
        if !rest.is_empty() {
            let comment = self.encoded(&format!("{{{rest}}}"))?;
            // Texts that are removed, such as a line comment, are before it.
            splices.push(self.inserted(after, &comment, vec![(Kind::Comment, comment.clone())]));
        }
        splices.sort_by_key(|splice| splice.bytes.start);
        Ok(Plan { splices, focus: self.focus_at(at)?, ..Plan::default() })
    }

    pub(super) fn focus_at(&self, at: &str) -> Result<Option<Focus>, Refusal> {
        let Some(place) = self.place(at)? else { return Ok(None) };
        Ok(Some(Focus::Old(self.byte(self.token(&place.line[place.index])?))))
    }

    /// Returns the text of a comment without its signs.
    pub(super) fn inner(&self, item: &Item) -> String {
        let whole = self.review.game().tree().encoding().decode(self.tokens.text(item.tokens.start));
        match item.kind {
            Kind::Comment => whole.trim_start_matches('{').trim_end_matches('}').to_owned(),
            Kind::LineComment => whole[1..].to_owned(),
            _ => whole.into_owned(),
        }
    }

    /// Returns a text as it is shown, without its commands, and its commands.
    pub(super) fn text_of<'i>(&self, item: &'i Item) -> (&'i Item, String, String) {
        let inner = self.inner(item);
        let inner =
            inner.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let commands = command_sources(&inner).collect::<Vec<_>>().join(" ");
        (item, text_without_commands(&inner), commands)
    }

    /// Replaces the text of a comment, which keeps its commands.
    fn recommented(&self, item: &Item, text: &str, commands: &str) -> Result<Splice, Refusal> {
        let parts = [commands, text].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        self.with_inner(item, &parts)
    }

    /// Replaces the text between the signs of a comment, or removes it with nothing between them.
    pub(super) fn with_inner(&self, item: &Item, inner: &str) -> Result<Splice, Refusal> {
        if inner.is_empty() {
            return Ok(self.removed(item.tokens.clone()));
        }
        let comment = match item.kind {
            Kind::LineComment => format!("{}{inner}", char::from(self.tokens.text(item.tokens.start)[0])),
            _ => format!("{{{inner}}}"),
        };
        let comment = self.encoded(&comment)?;
        let kind = if item.kind == Kind::Stray { Kind::Comment } else { item.kind };
        Ok(self.replaced(item.tokens.clone(), comment.clone(), Some(vec![(kind, comment)])))
    }

    /// Sets the annotations of a move: those that stay are unchanged, and new ones are written as the game writes them.
    fn nags(&self, at: &str, nags: &[u16]) -> Planned {
        let place = self.move_at(at)?;
        let token = self.token(&place.line[place.index])?;
        let mut wanted = nags.to_vec();
        let mut splices = Vec::new();
        let mut last = token;
        for item in self.tokens.slot(token + 1, false) {
            let written = self.tokens.text(item.tokens.start);
            let nag = match item.kind {
                Kind::Strength => str::from_utf8(written).ok().and_then(strength_nag),
                Kind::Nag => str::from_utf8(&written[1..]).ok().and_then(|number| number.parse().ok()),
                _ => continue,
            };
            match nag.and_then(|nag| wanted.iter().position(|&other| other == nag)) {
                Some(index) => drop(wanted.remove(index)),
                None => splices.push(self.unmarked(&item)),
            }
            if item.kind == Kind::Strength || last == item.tokens.start - 1 {
                last = item.tokens.start;
            }
        }
        let uses_numbers = self.tokens.all.iter().any(|token| token.kind == Kind::Nag);
        let is_move = self.tokens.text(token).last().is_some_and(u8::is_ascii_alphanumeric);
        // Marks directly after a move replace marks there.
        let keeps_marks =
            self.tokens.slot(token + 1, false).iter().any(|item| item.kind == Kind::Strength) && splices.is_empty();
        if let Some(sign) =
            wanted.first().and_then(|&nag| nag_sign(nag)).filter(|_| is_move && !uses_numbers && !keeps_marks)
        {
            let at = self.tokens.all[token].span.end;
            let new = Some(vec![(Kind::Strength, sign.as_bytes().to_vec())]);
            let text = sign.as_bytes().to_vec();
            splices.insert(0, Splice::new(at..at, text, token + 1..token + 1, new));
            wanted.remove(0);
        }
        if !wanted.is_empty() {
            let numbers: Vec<_> = wanted.iter().map(|nag| format!("${nag}").into_bytes()).collect();
            let new = numbers.iter().map(|number| (Kind::Nag, number.clone())).collect();
            splices.push(self.inserted(Some(last), &numbers.join(&b' '), new));
        }
        splices.sort_by_key(|splice| (splice.bytes.start, splice.bytes.end));
        Ok(Plan { splices, focus: Some(Focus::Old(self.byte(token))), ..Plan::default() })
    }

    /// Removes an annotation, with the parentheses around marks.
    fn unmarked(&self, item: &Item) -> Splice {
        let splice = self.removed(item.tokens.clone());
        let (bytes, span) = (self.tokens.bytes, self.tokens.span(&item.tokens));
        let is_enclosed = item.kind == Kind::Strength
            && bytes[..span.start].last() == Some(&b'(')
            && bytes.get(span.end) == Some(&b')');
        if !is_enclosed {
            return if item.kind == Kind::Strength {
                Splice { bytes: span, text: Vec::new(), ..splice }
            } else {
                splice
            };
        }
        Splice { bytes: span.start - 1..span.end + 1, text: Vec::new(), ..splice }
    }

    fn remove(&self, at: &str) -> Planned {
        let place = self.move_at(at)?;
        let token = self.token(&place.line[place.index])?;
        let before = place.index.checked_sub(1).map(|index| &place.line[index]);
        if before.is_none()
            && let Some(open) = self.tokens.open_of(token)
        {
            let end = self.tokens.line_end(token) + 1;
            let focus = place.parent.and_then(|row| self.before(row));
            return Ok(Plan { focus, ..Plan::of(self.removed(open..end)) });
        }
        let from = self.tokens.with_number(token);
        let focus = before.map(|row| self.token(row)).transpose()?.map(|token| Focus::Old(self.byte(token)));
        Ok(Plan { focus, ..Plan::of(self.removed(from..self.tokens.line_end(token))) })
    }

    /// Returns the place of the move before a row, in the text.
    pub(super) fn before(&self, row: &MoveRow<'_>) -> Option<Focus> {
        let tree = self.review.game().tree();
        let id = row.node?;
        let line = tree.lines().iter().find(|line| line.nodes().contains(&id))?;
        let index = line.nodes().iter().position(|&other| other == id)?;
        let moves = line.nodes()[..index].iter().rev();
        let before = moves.map(|&id| tree.node(id)).find(|node| node.kind().is_written_move());
        match (before, line.parent()) {
            (Some(node), _) => Some(Focus::Old(self.start + node.span().start as usize)),
            // A variation replaces its parent, so the move before that is before both.
            (None, Some(parent)) => self.before(&MoveRow { node: Some(parent), ..MoveRow::default() }),
            (None, None) => None,
        }
    }

    fn replace(&self, at: &str, text: &str) -> Planned {
        let place = self.move_at(at)?;
        let token = self.token(&place.line[place.index])?;
        let words: Vec<Expected> = text.split_whitespace().map(|word| (Kind::Move, word.as_bytes().to_vec())).collect();
        if words.is_empty() {
            return Err(Refusal::OtherReading);
        }
        let text = words.iter().map(|(_, word)| &word[..]).collect::<Vec<_>>().join(&b' ');
        let splices = vec![self.replaced(token..token + 1, text, Some(words))];
        Ok(Plan { splices, focus: Some(Focus::Old(self.byte(token))), ..Plan::default() })
    }

    fn result(&self, text: &str) -> Planned {
        let text = one_line(text.trim());
        let tag = roster_tag(self.review.game().tree(), "Result");
        let has_tag = tag.is_some();
        let mut plan = tag.map_or_else(|| Ok(Plan::default()), |tag| self.set_tag(tag.name(), &text))?;
        let word = self.encoded(&text)?;
        let new = vec![(Kind::End, word.clone())];
        let end = self.tokens.all.iter().position(|token| token.kind == Kind::End);
        plan.splices.extend(match end {
            // `*` ends a game that has its result in the tag.
            Some(end) if has_tag && self.tokens.text(end) == b"*" => None,
            Some(end) => Some(self.replaced(end..end + 1, word, Some(new))),
            None => Some(self.inserted(self.tokens.all.len().checked_sub(1), &word, new)),
        });
        Ok(plan)
    }
}

impl Change {
    /// Returns a change that sets a tag.
    pub fn tag(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::SetTag { name: name.into(), value: value.into() }
    }

    /// Returns a change that sets the comment after the move at an address.
    pub fn comment(at: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Comment { at: at.into(), text: text.into(), before: false }
    }

    /// Returns a change that adds moves after the move at an address: at the end of its line, or otherwise as a variation.
    pub fn moves<T: Into<String>>(at: impl Into<String>, moves: impl IntoIterator<Item = T>) -> Self {
        Self::AddMoves { at: at.into(), moves: moves.into_iter().map(Into::into).collect(), clock: None }
    }

    /// Returns a change that sets the evaluation after the move at an address.
    pub fn evaluation(at: impl Into<String>, evaluation: Evaluation) -> Self {
        Self::Evaluation { at: at.into(), value: Some(evaluation.to_string()) }
    }
}

impl Splice {
    const fn new(bytes: Range<usize>, text: Vec<u8>, tokens: Range<usize>, new: Option<Vec<Expected>>) -> Self {
        Self { bytes, text, tokens, new, message: String::new() }
    }
}

impl Plan {
    pub(super) fn of(splice: Splice) -> Self {
        Self { splices: vec![splice], ..Self::default() }
    }
}

/// Returns what is left of a text without words at its start or end, trimmed; `None` if the last of them is only part of a word.
fn apart(left: &str) -> Option<&str> {
    (left.is_empty() || left.trim().len() < left.len()).then(|| left.trim())
}

/// Returns a text without line breaks and other control characters.
fn one_line(text: &str) -> String {
    text.split(|letter: char| letter.is_control()).collect::<Vec<_>>().join(" ")
}
