//! A visitor that builds the tree of each game.

use std::borrow::Cow;

use compact_str::CompactString;
use memchr::{memchr, memchr3};

use super::movetext::MoveText;
use super::reader::{bare_result, decides_reading};
use super::tree::{
    Attachment, GameTree, Line, LineId, MAX_ITEMS, Node, NodeId, NodeKind, Tag, Terminator, WrittenNumber,
};
use super::visitor::{Fault, Flow, RawTag, Visitor, quote};
use super::{Outside, Parsed, ReadAs};
use crate::diag::{Code, Collector, Diagnostic, Span, messages};
use crate::text::signs::{as_it_looks, plain_letter, without_entities};
use crate::text::whitespace::is_ignorable;
use crate::text::{Encoding, Evidence};

/// The numbers of moves read so far.
#[derive(Debug, Default)]
struct Numbers {
    /// Twice the first number less the number of moves before it. All numbers of one side that count the moves have the same.
    first: Option<i64>,
    /// True while the game has nothing but moves, and numbers that agree with the first one: so it is in nearly all games, and
    /// they need not be looked through again for numbers that are wrong.
    are_regular: bool,
}

/// Builds one game after another.
#[derive(Debug, Default)]
pub(super) struct Builder {
    parsed: Parsed,
    diagnostics: Collector,
    /// The lines that are open, the main line first.
    open: Vec<LineId>,
    number: Option<(WrittenNumber, Span)>,
    /// Number of moves, comments, variations and other parts of the game so far.
    items: usize,
    /// True if the rest of the game is kept as text.
    is_full: bool,
    /// Number of moves and tags of the last game; the next one is expected to have as many.
    expected: (usize, usize),
    /// True if the game has anything but tags, moves and an end.
    has_attachments: bool,
    numbers: Numbers,
    /// Number of variations that are open in the part kept as text.
    open_in_text: usize,
    ended: bool,
    outside: Vec<Outside>,
    /// Number of results without a game so far.
    lone_results: usize,
    read_as: ReadAs,
    /// The encoding of all bytes that are not UTF-8, once it is known.
    otherwise: Option<Encoding>,
}

/// Results without a game that are kept; the others are counted in the last one, because a megabyte may hold half a million.
const MAX_LONE_RESULTS: usize = 1000;

// After a damaged game of 100,000 moves the next one must not reserve as much.
/// Cap on the moves for which a new game reserves memory.
pub(crate) const MAX_EXPECTED: usize = 200;

const GO: Flow = Flow::Continue(());

impl Builder {
    pub(super) fn new(read_as: ReadAs) -> Self {
        Self { read_as, ..Self::default() }
    }

    /// Returns the decoding of the next game.
    pub(super) const fn read_as(&self) -> ReadAs {
        self.read_as
    }

    /// Returns the last game read; `bytes` is the whole input.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Parsed {
        let mut parsed = std::mem::take(&mut self.parsed);
        parsed.numbers_are_regular = self.numbers.are_regular && !self.has_attachments;
        self.expected = (parsed.tree.nodes.len().min(MAX_EXPECTED), parsed.tree.tags.len().min(MAX_EXPECTED));
        let game = &bytes[parsed.offset..parsed.offset + parsed.tree.len as usize];
        let valid = str::from_utf8(game).ok().filter(|_| self.read_as.always.is_none_or(|read| read == Encoding::Utf8));
        let encoding = if valid.is_some() { Encoding::Utf8 } else { self.encoding_of(game, bytes) };
        parsed.tree.encoding = encoding;
        if encoding == Encoding::Utf8 && valid.is_none() && str::from_utf8(game).is_err() {
            self.diagnostics.extend(bad_bytes(game));
        }
        if encoding != Encoding::Utf8 && self.reports_encoding() {
            self.read_as.reported = true;
            self.diagnostics.push(encoding_note(game, encoding));
        }
        fill(&mut parsed.tree, (game, valid), (self.has_attachments, self.read_as.keeps_bytes));
        note_tags(&parsed.tree, game, &mut self.diagnostics);
        parsed.diagnostics = std::mem::take(&mut self.diagnostics).into_vec();
        parsed.diagnostics.iter_mut().for_each(|diagnostic| quote(diagnostic, game, encoding));
        // Notes on tags are added last, but belong first.
        parsed.diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
        parsed
    }

    /// Removes and returns the diagnostics outside any game.
    pub(super) fn take_outside(&mut self, bytes: &[u8]) -> Vec<Outside> {
        let mut all = std::mem::take(&mut self.outside);
        for Outside { offset, diagnostic } in &mut all {
            let text = &bytes[*offset..];
            // Text between games may come from another file, in another encoding, than the games.
            let encoding = self.encoding_of(&text[diagnostic.span().range()], bytes);
            quote(diagnostic, text, encoding);
            if diagnostic.count() > 1 {
                messages::represent_others(diagnostic);
            }
        }
        all
    }

    /// Returns true if the encoding of a game that is not UTF-8 still has to be reported.
    const fn reports_encoding(&self) -> bool {
        !self.read_as.reported && self.read_as.always.is_none()
    }

    /// Returns the encoding of a game of the input.
    fn encoding_of(&mut self, game: &[u8], bytes: &[u8]) -> Encoding {
        if let Some(always) = self.read_as.always {
            return always;
        }
        if str::from_utf8(game).is_ok() {
            return Encoding::Utf8;
        }
        let own = Evidence::of(game);
        if own.is_strong() || own.is_damaged_utf8() {
            return own.encoding();
        }
        // The whole input is examined once, for the first game whose bytes leave it open.
        let of_all = || Evidence::of(bytes).encoding();
        let of_file = self.read_as.otherwise.unwrap_or_else(|| *self.otherwise.get_or_insert_with(of_all));
        // A game without any UTF-8 may be in another encoding than the rest of a collection.
        if of_file == Encoding::Utf8 { own.encoding() } else { of_file }
    }

    fn tree(&mut self) -> &mut GameTree {
        &mut self.parsed.tree
    }

    fn line(&self) -> LineId {
        self.open.last().copied().unwrap_or(LineId::MAIN)
    }

    /// The last node of the current line.
    fn last_node(&self) -> Option<NodeId> {
        self.parsed.tree.line(self.line()).nodes.last().copied()
    }

    /// The list that the next attachment goes to.
    fn place(&mut self) -> &mut Vec<Attachment> {
        let (line, node, ended) = (self.line(), self.last_node(), self.ended);
        let tree = self.tree();
        match node {
            _ if ended => &mut tree.tail,
            Some(node) => tree.nodes[node.index()].attachments_mut(),
            None => &mut tree.lines[line.index()].intro,
        }
    }

    /// Adds a part of the game, unless there are too many.
    #[inline]
    fn part(&mut self, attachment: Attachment, span: Span) -> Flow {
        if self.counts(span) { self.attach(attachment) } else { GO }
    }

    fn attach(&mut self, attachment: Attachment) -> Flow {
        self.has_attachments = true;
        let place = self.place();
        let Attachment::Stray { span, .. } = attachment else {
            place.push(attachment);
            return GO;
        };
        // A number without its move is known only after the parts that follow it.
        let follows = |other: &Attachment| other.span().is_some_and(|other| other.start > span.start);
        let at = place.iter().rposition(|other| !follows(other)).map_or(0, |n| n + 1);
        // Adjacent stray texts are merged.
        match &mut place[at.saturating_sub(1)..] {
            [Attachment::Stray { span: before, .. }, ..] if at > 0 => *before = before.to(span),
            [_, Attachment::Stray { span: after, .. }, ..] if at > 0 => *after = span.to(*after),
            [Attachment::Stray { span: after, .. }, ..] => *after = span.to(*after),
            _ => place.insert(at, attachment),
        }
        GO
    }

    /// Counts a part of the game. Returns false if there are too many: then the rest of the game is kept as text.
    #[inline]
    fn counts(&mut self, span: Span) -> bool {
        self.items += 1;
        self.items <= MAX_ITEMS || self.keep_as_text(span, messages::too_many_parts)
    }

    /// Keeps a part as text, and adds a diagnostic for the first one.
    #[cold]
    fn keep_as_text(&mut self, span: Span, diagnostic: fn(Span, usize) -> Diagnostic) -> bool {
        if !std::mem::replace(&mut self.is_full, true) {
            self.diagnostics.push(diagnostic(span, MAX_ITEMS));
        }
        let span = self.number.take().map_or(span, |(_, number)| number.to(span));
        let _ = self.attach(Attachment::Stray { text: String::new(), span });
        false
    }

    /// Adds a move or its replacement, unless there are too many parts. Inlined, so that the span of the number, which is hardly
    /// ever needed, is not computed.
    #[inline(always)]
    fn node(&mut self, number: Option<(WrittenNumber, Span)>, kind: NodeKind, span: Span) -> Flow {
        self.items += 1;
        if self.items > MAX_ITEMS {
            self.number = number;
            self.keep_as_text(span, messages::too_many_parts);
            return GO;
        }
        let line = self.line();
        let tree = &mut self.parsed.tree;
        let number = number.map(|(number, _)| number);
        let is_move = matches!(kind, NodeKind::Move(_));
        let id = tree.add_node(Node { number, ..Node::new(kind, span) });
        tree.lines[line.index()].nodes.push(id);
        if let Some(number) = number {
            // In regular records the number grows by 1 with every second node, so this difference stays the same.
            let found = 2 * i64::from(number.value()) - id.index() as i64;
            self.numbers.are_regular &= *self.numbers.first.get_or_insert(found) == found;
        }
        self.numbers.are_regular &= is_move;
        GO
    }
}

impl Visitor for Builder {
    fn begin_game(&mut self, offset: usize) -> Flow {
        debug_assert_eq!(self.parsed.tree, GameTree::default(), "the last game was taken");
        self.parsed.offset = offset;
        let (moves, tags) = self.expected;
        let tree = self.tree();
        tree.nodes.reserve(moves);
        tree.lines[LineId::MAIN.index()].nodes.reserve(moves);
        tree.tags.reserve(tags);
        self.diagnostics = Collector::default();
        self.open.clear();
        self.open.push(LineId::MAIN);
        self.number = None;
        (self.items, self.is_full, self.open_in_text) = (0, false, 0);
        (self.ended, self.has_attachments) = (false, false);
        self.numbers = Numbers { first: None, are_regular: true };
        GO
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        if self.parsed.tree.tags.len() == MAX_ITEMS {
            self.keep_as_text(tag.span, messages::too_many_tags);
            return GO;
        }
        let tree = self.tree();
        if tree.tags.is_empty() {
            // Until now it was not known that the comments before would be followed by tags, not by moves.
            tree.lead = std::mem::take(&mut tree.lines[0].intro);
        }
        let name = str::from_utf8(tag.name).map_or_else(|_| lossy(tag.name).into(), CompactString::from);
        let tag = Tag { span: tag.span, value_span: tag.value_span, name, value: CompactString::default() };
        tree.tags.push(tag);
        GO
    }

    fn number(&mut self, number: WrittenNumber, span: Span) -> Flow {
        self.number = Some((number, span));
        GO
    }

    #[inline(always)]
    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, text: MoveText, span: Span) -> Flow {
        self.node(number, NodeKind::Move(text), span)
    }

    fn null_move(&mut self, span: Span) -> Flow {
        let number = self.number.take();
        self.node(number, NodeKind::Null, span)
    }

    fn ellipsis(&mut self, span: Span) -> Flow {
        let number = self.number.take();
        self.node(number, NodeKind::Ellipsis, span)
    }

    fn setup(&mut self, fen: &[u8], span: Span) -> Flow {
        let number = self.number.take();
        self.node(number, NodeKind::Setup { fen: Box::new(lossy(fen)) }, span)
    }

    fn strength(&mut self, marks: &[u8], span: Span) -> Flow {
        if !self.counts(span) {
            return GO;
        }
        let Some(node) = self.last_node() else {
            return self.attach(Attachment::Stray { text: String::new(), span });
        };
        let extra = self.tree().nodes[node.index()].extra_mut();
        extra.strength.get_or_insert_default().push_str(&lossy(marks));
        GO
    }

    fn nag(&mut self, nag: u16, span: Span) -> Flow {
        self.part(Attachment::Nag(nag), span)
    }

    fn comment(&mut self, _: &[u8], span: Span) -> Flow {
        // Without text, like all parts: they can be decoded only when the game is complete and its encoding is known.
        self.part(Attachment::Comment { text: String::new(), span }, span)
    }

    fn line_comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.part(Attachment::LineComment { text: String::new(), span }, span)
    }

    fn begin_variation(&mut self, span: Span) -> Flow {
        if !self.counts(span) {
            // Its end must not close a variation of the tree.
            self.open_in_text += 1;
            return GO;
        }
        let parent = self.last_node();
        let tree = self.tree();
        let line = LineId::new(tree.lines.len() as u32);
        tree.lines.push(Line { parent, span, ..Line::default() });
        let _ = self.attach(Attachment::Variation(line));
        self.open.push(line);
        GO
    }

    fn end_variation(&mut self, span: Span) -> Flow {
        if self.open_in_text > 0 {
            self.open_in_text -= 1;
            self.keep_as_text(span, messages::too_many_parts);
        } else if self.open.len() > 1 {
            let line = self.line();
            self.open.pop();
            self.tree().lines[line.index()].span.end = span.end;
        }
        GO
    }

    fn terminator(&mut self, _: &[u8], span: Span) -> Flow {
        self.tree().terminator = Some(Terminator { text: String::new(), span });
        self.ended = true;
        GO
    }

    fn stray(&mut self, _: &[u8], span: Span) -> Flow {
        self.part(Attachment::Stray { text: String::new(), span }, span)
    }

    fn fault(&mut self, fault: Fault<'_>) -> Flow {
        self.diagnostics.push(fault.diagnostic());
        GO
    }

    fn end_game(&mut self, len: u32) -> Flow {
        self.tree().len = len;
        GO
    }

    fn outside(&mut self, offset: usize, fault: Fault<'_>) -> Flow {
        self.lone_results += usize::from(fault.code == Code::SYNTAX_LONE_RESULT);
        let is_counted = fault.code == Code::SYNTAX_LONE_RESULT && self.lone_results > MAX_LONE_RESULTS + 1;
        match self.outside.last_mut().filter(|last| is_counted && last.diagnostic.code() == fault.code) {
            Some(last) => last.diagnostic.add_count(1),
            None => self.outside.push(Outside { offset, diagnostic: fault.diagnostic() }),
        }
        GO
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a diagnostic for each place of a game in UTF-8 that is not UTF-8.
fn bad_bytes(game: &[u8]) -> impl Iterator<Item = Diagnostic> {
    let mut at = 0;
    game.utf8_chunks().filter_map(move |chunk| {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        let bytes = chunk.invalid().iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ");
        (at > start).then(|| messages::bad_byte(Span::new(start as u32, at as u32), bytes))
    })
}

fn encoding_note(game: &[u8], encoding: Encoding) -> Diagnostic {
    let at = game.iter().position(|byte| !byte.is_ascii()).unwrap_or(0) as u32;
    messages::encoding(Span::new(at, at + 1), encoding.to_string())
}

/// Reads all texts, now that the encoding of the game is known.
fn fill(tree: &mut GameTree, (game, valid): (&[u8], Option<&str>), (has_attachments, keeps_bytes): (bool, bool)) {
    let encoding = tree.encoding;
    let decode = |bytes| if keeps_bytes { encoding.decode_keeping(bytes) } else { encoding.decode(bytes) };
    // What is valid as a whole is not checked again part by part.
    let text = |span: Span| {
        let plain = valid.and_then(|game| game.get(span.range()));
        plain.map_or_else(|| decode(&game[span.range()]), Cow::Borrowed)
    };
    for tag in &mut tree.tags {
        tag.value = CompactString::from(unescape(&text(tag.value_span)));
        if !tag.value.is_ascii() && decides_reading(tag.name.as_bytes()) {
            tag.value = CompactString::from(as_it_looks(&tag.value));
        }
        // `lossy` has replaced the letters of another code page, and the encoding was not known yet.
        if !tag.name.is_ascii() {
            let name = &game[tag.span.range()];
            let end = name.iter().position(|&byte| byte == b'"' || byte == b']').unwrap_or(name.len());
            // A value without quotes ends the name, too.
            let end = end.min(tag.value_span.start.saturating_sub(tag.span.start) as usize);
            let is_quote = |letter| matches!(letter, '\'' | '`' | '´' | '«' | '»' | '‘' | '’' | '“' | '”' | '„');
            let around =
                |letter: char| letter == '[' || letter.is_whitespace() || is_ignorable(letter) || is_quote(letter);
            tag.name = decode(&name[..end]).trim_matches(around).into();
        }
    }
    // Most games have none, and to look for them at each node takes a while.
    let nodes = if has_attachments { &mut tree.nodes[..] } else { &mut [] };
    let of_nodes = nodes.iter_mut().filter_map(Node::existing_attachments_mut).flatten();
    let of_lines = tree.lines.iter_mut().flat_map(|line| &mut line.intro);
    for attachment in tree.lead.iter_mut().chain(of_lines).chain(of_nodes).chain(&mut tree.tail) {
        match attachment {
            Attachment::Comment { text: comment, span } => {
                let whole = text(*span);
                let inner = whole.strip_prefix('{').unwrap_or(&whole);
                *comment = unfold(inner.strip_suffix('}').unwrap_or(inner));
            }
            Attachment::LineComment { text: comment, span } => {
                text(*span)[1..].trim().clone_into(comment);
            }
            Attachment::Stray { text: stray, span } => {
                words(&text(*span)).trim_matches([' ', '\u{a0}']).clone_into(stray);
                if let Some(comment) = lone_comment(stray) {
                    *attachment = Attachment::Comment { text: comment.to_owned(), span: *span };
                }
            }
            Attachment::Nag(_) | Attachment::Variation(_) => {}
        }
    }
    if let Some(terminator) = &mut tree.terminator {
        let result = bare_result(&game[terminator.span.range()]);
        // The reader recognises `½` and dashes by their bytes, whatever the encoding of the game.
        let text = match (str::from_utf8(result), result) {
            (Ok(result), _) => without_entities(result),
            (_, [0xBD, ..]) => Encoding::Latin1.decode(result),
            _ => encoding.decode(result),
        };
        terminator.text = visible(&words(&text));
    }
    let first = tree.nodes.first().map(|node| node.span.start);
    let end = tree.terminator.as_ref().map_or(tree.len, |terminator| terminator.span.end);
    tree.lines[0].span = Span::new(first.unwrap_or(end), end);
}

/// Returns a text without invisible characters, and with ASCII for what looks like it.
fn visible(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let seen = text.chars().filter(|&letter| !is_ignorable(letter));
    seen.map(|letter| plain_letter(letter).unwrap_or(letter)).collect()
}

/// Returns the text of a comment that exceeded the limit of the tree and became stray text.
fn lone_comment(stray: &str) -> Option<&str> {
    let comment = stray.strip_prefix('{')?.strip_suffix('}')?;
    (!comment.contains(['{', '}'])).then(|| comment.trim())
}

/// Adds notes on tags that are unusual, but not wrong.
fn note_tags(tree: &GameTree, game: &[u8], diagnostics: &mut Collector) {
    for tag in &tree.tags {
        if tag.value.trim().len() != tag.value.len() {
            diagnostics.push(messages::padded_value(tag.value_span, tag.name()));
        }
        // Hardly any value has a backslash, and a search for one byte is fast.
        if memchr(b'\\', &game[tag.value_span.range()]).is_some() && lone_backslash(&game[tag.value_span.range()]) {
            diagnostics.push(messages::backslash(tag.value_span, tag.name()));
        }
        if tag.name != "SetUp" && tag.name.eq_ignore_ascii_case("SetUp") {
            diagnostics.push(messages::set_up_spelling(tag.span, tag.name()));
        }
    }
}

/// Returns true if a backslash precedes neither a quotation mark nor another backslash.
fn lone_backslash(value: &[u8]) -> bool {
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\' && !matches!(bytes.next(), Some(b'"' | b'\\')) {
            return true;
        }
    }
    false
}

/// Returns the text on one line: a line break with the whitespace around it becomes one space, and the ends are trimmed.
fn unfold(text: &str) -> String {
    let text = text.trim_matches(is_space);
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    let lines = text.split(['\n', '\r']).map(|line| line.trim_matches(is_space)).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The words of the text with one space between them.
fn words(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in text.split(|letter: char| letter <= ' ').filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Returns a tag's value on one line, without backslashes before quotes and backslashes. The whitespace at its ends is kept.
fn unescape(text: &str) -> Cow<'_, str> {
    if memchr3(b'\\', b'\n', b'\r', text.as_bytes()).is_none() {
        return text.into();
    }
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.push(letters.next_if(|&next| next == '"' || next == '\\').unwrap_or('\\')),
            '\n' | '\r' => {
                value.truncate(value.trim_end_matches(is_space).len());
                while letters.next_if(|&next| is_space(next)).is_some() {}
                value.push(' ');
            }
            letter => value.push(letter),
        }
    }
    value.into()
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfolds() {
        assert_eq!(unfold(" a  b \r\n c "), "a  b c");
        assert_eq!(words(" a  b \r\n\0 c "), "a b c");
        assert_eq!(unescape(r#"C:\new\\x \"q\" d\\\'A"#), r#"C:\new\x "q" d\\'A"#);
        assert_eq!(unescape("two \n lines"), "two lines");
    }
}
