//! Writing games as text.
//!
//! A game that is read, written and read again has the same tree except for its spans, as long as stray text is kept and no
//! comment contains braces. An [`Overlay`] holds additions to a game; the tree itself is never changed.

use std::borrow::Cow;

use super::tree::{Attachment, GameTree, LineId, Node, NodeId, NodeKind, Tag, WrittenNumber};

/// Options for writing a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Maximum line width; a single token may be wider.
    pub width: usize,
    /// Write the seven tags of the roster first, in their order.
    pub roster_first: bool,
    /// Put stray text into braces, so that strict programs can read the rest.
    pub stray_as_comment: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        // As PGN recommends for its export format, for readers with short lines.
        Self { width: 80, roster_first: false, stray_as_comment: false }
    }
}

/// The seven tags that come first, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// A move of a variation that an [`Overlay`] adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExtraMove {
    /// Its number.
    pub(crate) number: Option<WrittenNumber>,
    /// Its text.
    pub(crate) text: String,
    /// A comment after it.
    pub(crate) comment: Option<String>,
}

/// The changes and additions made while writing a tree. Methods that are not overridden keep the tree.
#[allow(unused_variables)]
pub(crate) trait Overlay {
    /// Tags by name: a value replaces the first tag of that name or adds a tag at the end; `None` removes all of that name.
    fn tags(&self) -> &[(String, Option<String>)] {
        &[]
    }

    /// The text of a move, setup or null move.
    fn text(&self, id: NodeId) -> Option<Cow<'_, str>> {
        None
    }

    /// The number before a node.
    fn number(&self, id: NodeId, written: Option<WrittenNumber>) -> Option<WrittenNumber> {
        written
    }

    /// Marks after a node, such as `!?`.
    fn strength<'a>(&'a self, id: NodeId, written: Option<&'a str>) -> Option<Cow<'a, str>> {
        written.map(Cow::Borrowed)
    }

    /// Returns true if an attachment of a node is kept.
    fn keeps(&self, id: NodeId, attachment: &Attachment) -> bool {
        true
    }

    /// Numeric annotations to write directly after a node.
    fn nags(&self, id: NodeId) -> Vec<u16> {
        Vec::new()
    }

    /// Comments to write after a node, before its own.
    fn comments(&self, id: NodeId) -> Vec<Cow<'_, str>> {
        Vec::new()
    }

    /// Variations to write after a node, after its own. `None` where there are none: to drop an empty list for each move took
    /// as long as writing two letters.
    fn variations(&self, id: NodeId) -> Option<Vec<Vec<ExtraMove>>> {
        None
    }

    /// The end of the game.
    fn terminator<'a>(&'a self, written: Option<&'a str>) -> Option<Cow<'a, str>> {
        written.map(Cow::Borrowed)
    }
}

/// The overlay that changes nothing.
struct AsWritten;

impl Overlay for AsWritten {}

/// Writes one game, in whole lines.
///
/// # Examples
///
/// ```
/// use pdn::{WriteOptions, games, write_game};
///
/// let game = games(b"[Event \"Club\"]1.32-28 {quiet} 19-23 *").next().unwrap();
/// let text = write_game(game.tree(), WriteOptions::default());
/// assert_eq!(text, "[Event \"Club\"]\n\n1. 32-28 {quiet} 19-23 *\n");
/// ```
pub fn write_game(tree: &GameTree, options: WriteOptions) -> String {
    write_game_over(tree, options, &AsWritten)
}

/// Writes one game as [`write_game`] does, with the changes of an overlay.
pub(crate) fn write_game_over<O: Overlay>(tree: &GameTree, options: WriteOptions, overlay: &O) -> String {
    let mut writer = Writer { tree, options, overlay, page: Page::new(options.width) };
    // Most games are written in about as many bytes as they were read from.
    writer.page.text.reserve(tree.len as usize + tree.len as usize / 8);
    writer.tags();
    writer.lines(LineId::MAIN);
    writer.end();
    writer.page.finish()
}

/// Returns a variation and all those in it as text, in its parentheses.
pub(crate) fn write_line(tree: &GameTree, line: LineId) -> String {
    let options = WriteOptions { width: usize::MAX, ..WriteOptions::default() };
    let mut writer = Writer { tree, options, overlay: &AsWritten, page: Page::new(options.width) };
    writer.page.open("(");
    writer.lines(line);
    writer.page.close(")");
    // Comments keep their own line ends, but this becomes part of a text on one line.
    writer.page.finish().trim_end().replace('\n', " ")
}

struct Writer<'a, O: ?Sized> {
    tree: &'a GameTree,
    options: WriteOptions,
    overlay: &'a O,
    page: Page,
}

/// A line being written: its nodes before `next` are done, and `item` attachments of the last of them.
struct Frame {
    line: LineId,
    next: usize,
    item: usize,
}

impl<O: Overlay + ?Sized> Writer<'_, O> {
    fn tags(&mut self) {
        for attachment in &self.tree.lead {
            self.attachment(attachment);
            self.page.end_line();
        }
        let mut tags = overlaid(&self.tree.tags, self.overlay.tags());
        if self.options.roster_first {
            put_roster_first(&mut tags);
        }
        for (name, value) in &tags {
            for part in ["[", name, " \"", &escaped(value), "\"]"] {
                self.page.raw(part);
            }
            self.page.end_line();
        }
        if !tags.is_empty() {
            self.page.blank_line();
        }
    }

    /// Writes a line and all variations in it; a list of open lines replaces recursion.
    fn lines(&mut self, first: LineId) {
        let tree = self.tree;
        let mut open = vec![Frame { line: first, next: 0, item: 0 }];
        while let Some(frame) = open.last_mut() {
            let line = tree.line(frame.line);
            let node = frame.next.checked_sub(1).map(|index| line.nodes[index]);
            let list = node.map_or(line.intro(), |id| tree.node(id).attachments());
            if let Some(attachment) = list.get(frame.item) {
                frame.item += 1;
                if node.is_some_and(|id| !self.overlay.keeps(id, attachment)) {
                    continue;
                }
                if let Attachment::Variation(line) = *attachment {
                    self.page.open("(");
                    open.push(Frame { line, next: 0, item: 0 });
                } else {
                    self.attachment(attachment);
                }
                continue;
            }
            if let Some(id) = node {
                self.extra_variations(id);
            }
            if let Some(&id) = line.nodes.get(frame.next) {
                (frame.next, frame.item) = (frame.next + 1, 0);
                self.node(id);
            } else {
                let closes = frame.line != first;
                open.pop();
                if closes {
                    self.page.close(")");
                }
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        let number = self.overlay.number(id, node.number);
        let changed = self.overlay.text(id);
        let text: Cow<'_, [u8]> = match &changed {
            Some(text) => text.as_bytes().into(),
            None => self.text_of(id, node),
        };
        // An empty comment keeps the two captures apart.
        if number.is_none() && self.page.would_join(&text) {
            self.page.comment("");
        }
        self.page.begin_word();
        if let Some(number) = number {
            self.page.push_number(number);
        }
        self.page.text.extend_from_slice(&text);
        if let Some(marks) = self.overlay.strength(id, node.strength()) {
            self.page.push(&marks);
        }
        for nag in self.overlay.nags(id) {
            self.page.word(&format!("${nag}"));
        }
        for comment in self.overlay.comments(id) {
            self.page.comment(&comment);
        }
    }

    #[inline]
    fn text_of<'a>(&self, id: NodeId, node: &'a Node) -> Cow<'a, [u8]> {
        let text: &[u8] = match &node.kind {
            NodeKind::Move(text) => text.bytes(),
            // One hyphen at the very end of a game would be read as its result.
            NodeKind::Null if self.is_last(id) => b"--",
            NodeKind::Null => b"-",
            NodeKind::Ellipsis => b"...",
            NodeKind::Setup { fen } => return format!("/FEN \"{fen}\"/").into_bytes().into(),
        };
        text.into()
    }

    /// Returns true if only attachments follow in the game.
    fn is_last(&self, id: NodeId) -> bool {
        let tree = self.tree;
        tree.terminator.is_none() && tree.main_line().nodes.last() == Some(&id) && tree.node(id).number.is_none()
    }

    fn extra_variations(&mut self, id: NodeId) {
        let Some(variations) = self.overlay.variations(id) else { return };
        for variation in &variations {
            self.page.open("(");
            for ExtraMove { number, text, comment } in variation {
                self.page.begin_word();
                if let Some(number) = *number {
                    self.page.push_number(number);
                }
                self.page.push(text);
                if let Some(comment) = comment {
                    self.page.comment(comment);
                }
            }
            self.page.close(")");
        }
    }

    /// Writes all but variations.
    fn attachment(&mut self, attachment: &Attachment) {
        match attachment {
            Attachment::Comment { text, .. } => self.page.comment(text),
            Attachment::LineComment { text, .. } => self.page.line_comment(text),
            Attachment::Nag(nag) => self.page.word(&format!("${nag}")),
            Attachment::Stray { text, .. } if self.options.stray_as_comment => self.page.comment(text),
            Attachment::Stray { text, .. } => self.page.word(text),
            Attachment::Variation(_) => {}
        }
    }

    fn end(&mut self) {
        let written = self.tree.terminator.as_ref().map(|terminator| terminator.text.as_str());
        if let Some(text) = self.overlay.terminator(written) {
            self.page.word(&text);
        }
        // A comment on a later line would belong to the next game.
        for attachment in &self.tree.tail {
            self.page.glue();
            match attachment {
                Attachment::LineComment { text, .. } => {
                    // A percent sign begins a comment only where a line begins.
                    self.page.word(&format!("; {text}"));
                    self.page.end_line();
                }
                other => self.attachment(other),
            }
        }
        self.page.end_line();
    }
}

/// The tags with the changes of the overlay.
fn overlaid<'a>(tags: &'a [Tag], overlay: &'a [(String, Option<String>)]) -> Vec<(&'a str, &'a str)> {
    let mut all: Vec<_> = tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
    for (name, value) in overlay {
        let known = all.iter().position(|(known, _)| known == name);
        match (known, value) {
            (Some(index), Some(value)) => all[index].1 = value,
            (None, Some(value)) => all.push((name, value)),
            (_, None) => all.retain(|(known, _)| known != name),
        }
    }
    all
}

/// Moves the tags of the roster to the front; of duplicate tags the first, whose value is used.
fn put_roster_first(tags: &mut Vec<(&str, &str)>) {
    let mut rest = std::mem::take(tags);
    for name in ROSTER {
        if let Some(first) = rest.iter().position(|(known, _)| *known == name) {
            tags.push(rest.remove(first));
        }
    }
    tags.append(&mut rest);
}

/// A tag's value with backslashes before quotes and backslashes, on one line.
fn escaped(value: &str) -> Cow<'_, str> {
    if !value.contains(['\n', '\r', '\\', '"']) {
        return value.into();
    }
    let one_line = value.replace(['\n', '\r'], " ");
    one_line.replace('\\', r"\\").replace('"', r#"\""#).into()
}

/// Text in lines of bounded width.
struct Page {
    /// UTF-8. That is checked once, at the end: to take each move as text would check it again, a twentieth of the time of `fmt`.
    text: Vec<u8>,
    width: usize,
    /// Characters on the last line, without the last word.
    column: usize,
    /// The start of the last word, to which signs may still be added. Unless it is the first of its line, a space precedes
    /// it, which becomes a line break if the word is too long.
    word: Option<usize>,
    /// Signs that the next word begins with.
    signs: String,
}

impl Page {
    const fn new(width: usize) -> Self {
        Self { text: Vec::new(), width, column: 0, word: None, signs: String::new() }
    }

    fn raw(&mut self, text: &str) {
        self.end_word();
        self.push(text);
        self.column += characters(text.as_bytes());
    }

    /// Ends the last word: a word that is too long for the line goes to the next one, and an empty word leaves no space.
    fn end_word(&mut self) {
        let Some(start) = self.word.take() else { return };
        let len = characters(&self.text[start..]);
        if self.column > 0 && len == 0 {
            self.text.pop();
        } else if self.column > 0 && self.column + 1 + len > self.width {
            self.text[start - 1] = b'\n';
            self.column = len;
        } else {
            self.column += usize::from(self.column > 0) + len;
        }
    }

    fn end_line(&mut self) {
        self.end_word();
        if self.column > 0 {
            self.text.push(b'\n');
        }
        self.column = 0;
    }

    fn blank_line(&mut self) {
        self.end_line();
        self.text.push(b'\n');
    }

    fn word(&mut self, word: &str) {
        self.begin_word();
        self.push(word);
    }

    /// Begins a word with the signs for it.
    fn begin_word(&mut self) {
        self.end_word();
        if self.column > 0 {
            self.text.push(b' ');
        }
        self.word = Some(self.text.len());
        if !self.signs.is_empty() {
            self.text.extend_from_slice(self.signs.as_bytes());
            self.signs.clear();
        }
    }

    /// Adds to the last word.
    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Adds a move number and the space after it to the last word.
    fn push_number(&mut self, number: WrittenNumber) {
        self.push(itoa::Buffer::new().format(number.value()));
        for _ in 0..number.dots() {
            self.push(".");
        }
        self.push(" ");
    }

    /// The last word.
    fn last_word(&self) -> &[u8] {
        self.word.map_or(&[], |start| &self.text[start..])
    }

    /// Returns true if this word would be read as the rest of a capture written jump by jump, as in `11x18 18x25`.
    fn would_join(&self, word: &[u8]) -> bool {
        let is_sign = |byte: &u8| matches!(byte, b'x' | b'X' | b':');
        let Some(sign @ 1..) = word.iter().position(is_sign) else { return false };
        let before = self.last_word().strip_suffix(&word[..sign]).filter(|_| self.signs.is_empty());
        before.is_some_and(|before| before.last().is_some_and(is_sign))
    }

    fn open(&mut self, sign: &str) {
        self.signs.push_str(sign);
    }

    fn close(&mut self, sign: &str) {
        // `(1823)` is a year; an empty comment after it leaves a move.
        if self.last_word().strip_prefix(b"(").is_some_and(is_four_digits) {
            self.comment("");
        }
        // In `()` the opening sign waits for a word that does not come.
        if self.last_word().is_empty() || !self.signs.is_empty() {
            self.begin_word();
        }
        self.push(sign);
    }

    /// Keeps the last word and the next one on the same line.
    fn glue(&mut self) {
        if let Some(start) = self.word.filter(|&start| start < self.text.len()) {
            self.signs = utf8(self.text.split_off(start)) + " ";
            // It is empty now: the space before it goes.
            self.end_word();
        }
    }

    /// A comment in braces. Braces inside it would end it too early elsewhere, so they become parentheses.
    fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('{', "(").replace('}', ")"));
        let mut start = 0;
        let mut commands = commands(&text).peekable();
        for (space, _) in text.match_indices(' ') {
            while commands.next_if(|&(_, end)| end <= space).is_some() {}
            let in_command = commands.peek().is_some_and(|&(open, _)| open < space);
            // Only a single space may become a line break: reading turns that into one space again.
            let (before, after) = (&text[start..space], &text[space + 1..]);
            let single = !before.is_empty() && !before.ends_with(is_space) && !after.starts_with(is_space);
            if single && !in_command {
                self.word(before);
                start = space + 1;
            }
        }
        self.word(&text[start..]);
    }

    fn line_comment(&mut self, text: &str) {
        self.end_line();
        // A line comment inside a parenthesis, which must be opened first.
        let signs = std::mem::take(&mut self.signs);
        self.raw(&signs);
        self.end_line();
        self.raw(&format!("% {text}"));
        self.end_line();
    }

    fn finish(mut self) -> String {
        self.end_line();
        utf8(self.text)
    }
}

/// Returns what was put together from whole texts as text.
fn utf8(text: Vec<u8>) -> String {
    String::from_utf8(text).expect("a page has whole texts only")
}

fn is_four_digits(word: &[u8]) -> bool {
    word.len() == 4 && word.iter().all(u8::is_ascii_digit)
}

/// Returns the number of characters, at once where all are ASCII.
fn characters(text: &[u8]) -> usize {
    // Of the bytes of a character, all but the first begin with the bits 10.
    if text.is_ascii() { text.len() } else { text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() }
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t')
}

/// Longest command kept on one line, in bytes; anything longer is hardly a command.
const LONGEST_COMMAND: usize = 1000;

/// The commands of a comment, such as `[%eval 0.32]`, which stay on one line: where each begins and ends.
fn commands(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let open = from + text[from..].find("[%")?;
            let near = text.as_bytes()[open..].iter().take(LONGEST_COMMAND);
            match near.into_iter().position(|&byte| byte == b']') {
                Some(length) => {
                    from = open + length + 1;
                    return Some((open, from));
                }
                None => from = open + 2,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;

    fn tree(text: &str) -> GameTree {
        games(text.as_bytes()).next().expect("a game").tree
    }

    fn written(text: &str) -> String {
        write_game(&tree(text), WriteOptions::default())
    }

    #[test]
    fn writes_what_it_reads() {
        for text in [
            "{lead}\n[Event \"a \\\"b\\\" \\\\c\"]\n\n{intro} 1. 32-28!? $3 {c  d} 19-23 (1... 18-23 (18-22) 2. 7- 2) 2. 28x19 1-0 {tail}\n",
            "1. 32-28 ... 2. - - /FEN \"B::\"/ 47x36 <42, 29>! 3. 11x18 18x25 *\n",
            "% line\n32-28 stray words 19-23\n% another\n28x19 *\n",
            "1. 32-28 --\n",
            "(32-28) 33-29 -\n",
        ] {
            let once = written(text);
            assert_eq!(tree(&once).without_spans(), tree(text).without_spans(), "{text}\n{once}");
            assert_eq!(written(&once), once);
        }
    }

    #[test]
    fn wraps_lines() {
        let moves = "32-28 19-23 ".repeat(40) + "{" + &"word ".repeat(60) + "}";
        let text = written(&moves);
        assert!(text.lines().all(|line| line.len() <= 80) && text.lines().count() > 8);
        assert_eq!(tree(&text).without_spans(), tree(&moves).without_spans());
    }

    #[test]
    fn commands_stay_on_one_line() {
        let text = "1. 32-28 {".to_owned() + &"good [%clock w0:10:00 B0:09:50] move [%eval 0.32] [% ".repeat(9) + "} *";
        let wrapped = written(&text);
        assert!(wrapped.lines().count() > 5, "{wrapped}");
        for line in wrapped.lines() {
            assert!(line.len() <= 80 && line.matches("[%e").count() <= line.matches("2]").count(), "{wrapped}");
            assert_eq!(line.matches("[%clock w0:10:00 B").count(), line.matches("B0:09:50]").count(), "{wrapped}");
        }
        assert_eq!(tree(&wrapped).without_spans(), tree(&text).without_spans());
    }

    #[test]
    fn writes_braces_safely() {
        let mut game = tree("32-28 {a} *");
        let span = crate::diag::Span::default();
        *game.nodes[0].attachments_mut() = vec![Attachment::Comment { text: "a } b { c".to_owned(), span }];
        assert_eq!(write_game(&game, WriteOptions::default()), "32-28 {a ) b ( c} *\n");
    }

    struct Annotated(Vec<(String, Option<String>)>);

    impl Overlay for Annotated {
        fn tags(&self) -> &[(String, Option<String>)] {
            &self.0
        }

        fn text(&self, id: NodeId) -> Option<Cow<'_, str>> {
            (id.index() == 1).then_some("19x23".into())
        }

        fn nags(&self, id: NodeId) -> Vec<u16> {
            if id.index() == 0 { vec![2] } else { Vec::new() }
        }

        fn comments(&self, id: NodeId) -> Vec<Cow<'_, str>> {
            if id.index() == 0 { vec!["[%eval 0.10]".into()] } else { Vec::new() }
        }

        fn variations(&self, id: NodeId) -> Option<Vec<Vec<ExtraMove>>> {
            let number = Some(WrittenNumber::new(1, 1));
            let better = ExtraMove { number, text: "33-29".into(), comment: Some("better".into()) };
            (id.index() == 0).then(|| vec![vec![better]])
        }
    }

    #[test]
    fn lays_annotations_over_a_tree() {
        let overlay = Annotated(vec![
            ("Annotator".into(), Some("me".into())),
            ("Round".into(), None),
            ("Event".into(), Some("Cup".into())),
        ]);
        let options = WriteOptions { roster_first: true, ..WriteOptions::default() };
        let game = tree("[White \"w\"][Event \"e\"][Round \"1\"] 1. 32-28 {old} 19-23 *");
        assert_eq!(
            write_game_over(&game, options, &overlay),
            "[Event \"Cup\"]\n[White \"w\"]\n[Annotator \"me\"]\n\n\
             1. 32-28 $2 {[%eval 0.10]} {old} (1. 33-29 {better}) 19x23 *\n"
        );
    }
}
