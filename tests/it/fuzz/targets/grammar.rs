//! The reader and `grammar/reading.ebnf` say the same of a text: it fits, or there is a finding.

use std::cell::OnceCell;

use crate::ebnf::matcher::{Leaf, Matcher};
use crate::ebnf::{Expression, Grammar};
use pdn::games;

/// Bytes and open parentheses above which a text is not judged: following all ways to read it takes long.
const LONGEST: usize = 6000;
const DEEPEST: usize = 60;

/// Fails if the reader finds something in a text that fits the grammar, or nothing in one that does not.
pub(crate) fn check(bytes: &[u8]) {
    let Some(fits) = fits(bytes) else { return };
    let found = faults(bytes);
    assert_eq!(found.is_empty(), fits, "the grammar says {fits}, the reader {found:?} of\n{}", bytes.escape_ascii());
}

/// The findings of the group `syntax/`, those outside games too.
fn faults(bytes: &[u8]) -> Vec<&'static str> {
    let mut reader = games(bytes);
    let mut codes: Vec<_> =
        reader.by_ref().flat_map(|game| game.into_parts().1).map(|found| found.code().name()).collect();
    codes.extend(reader.take_outside().into_iter().map(|found| found.diagnostic().code().name()));
    codes.retain(|code| code.starts_with("syntax/"));
    codes
}

thread_local! {
    static GRAMMARS: OnceCell<[Grammar; 2]> = const { OnceCell::new() };
}

/// Whether the text fits the grammar; `None` where the grammar leaves it to words.
pub(crate) fn fits(bytes: &[u8]) -> Option<bool> {
    if bytes.len() > LONGEST || bytes.split(|&byte| byte == b'(').count() > DEEPEST {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    GRAMMARS.with(|grammars| {
        let [reading, movetext] = grammars.get_or_init(|| ["reading.ebnf", "movetext.ebnf"].map(Grammar::read));
        let grammars = [reading, movetext];
        let mut lexer = Lexer { text: bytes, at: 0, tokens: Vec::new(), in_tag: false, remark: false, unsure: false };
        let whole = lexer.tokens(&grammars);
        let tokens = lexer.tokens;
        if lexer.unsure || lexer.remark || left_to_words(bytes, &tokens) {
            return None;
        }
        let mut matcher = Matcher::new(&grammars, |expression, at| {
            let (Expression::Rule(name) | Expression::Terminal(name)) = expression else { return Leaf::Inner };
            let fits = tokens.get(at).is_some_and(|token| token.name == name);
            if TOKENS.contains(&name.as_str()) { Leaf::Ends(fits.then_some(at + 1)) } else { Leaf::Inner }
        });
        Some(whole && matcher.rule("records", 0).contains(&tokens.len()))
    })
}

#[derive(Clone, Copy, Debug)]
struct Token {
    name: &'static str,
    start: usize,
    end: usize,
}

/// What the rules of `reading.ebnf` are made of.
const TOKENS: [&str; 16] = [
    "[",
    "]",
    "(",
    ")",
    "identifier",
    "string",
    "number",
    "quiet move",
    "capture",
    "ellipsis",
    "marks",
    "nag",
    "comment",
    "tail",
    "setup",
    "result",
];

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    in_tag: bool,
    /// Whether a comment to the end of the line stands behind the last token.
    remark: bool,
    unsure: bool,
}

impl Lexer<'_> {
    /// Finds the tokens; false if there is something that is none.
    fn tokens(&mut self, grammars: &[&Grammar]) -> bool {
        loop {
            self.skip();
            if self.at == self.text.len() {
                return true;
            }
            let Some(mut token) = self.longest(grammars) else {
                self.unsure |= self.has_three_digits();
                return false;
            };
            if token.name == "comment" && self.is_on_the_line_of_a_result() {
                token.name = "tail";
            }
            (self.at, self.remark) = (token.end, false);
            self.in_tag = token.name == "[" || self.in_tag && token.name != "]";
            self.tokens.push(token);
        }
    }

    /// Passes white space and, outside tags, comments to the end of the line.
    fn skip(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            let rest = &self.text[self.at..];
            let wide = [&b"\xC2\xA0"[..], b"\xEF\xBB\xBF"].into_iter().find(|blank| rest.starts_with(blank));
            if let Some(blank) = wide {
                self.at += blank.len();
            } else if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) {
                self.at += 1;
            } else if !self.in_tag && self.is_remark(byte) {
                self.remark = true;
                self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    fn is_on_the_line_of_a_result(&self) -> bool {
        let ends = self.tokens.last().filter(|last| matches!(last.name, "result" | "tail"));
        ends.is_some_and(|last| !self.text[last.end..self.at].iter().any(|byte| matches!(byte, b'\n' | b'\r')))
    }

    fn is_remark(&self, byte: u8) -> bool {
        let before = &self.text[..self.at];
        let line = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C);
        match byte {
            b'%' => before[line..].iter().all(blank),
            b';' => before.len() == line || before.last().is_some_and(blank),
            _ => false,
        }
    }

    /// The longest token here.
    fn longest(&mut self, grammars: &[&Grammar]) -> Option<Token> {
        let (at, byte) = (self.at, self.text[self.at]);
        let behind_move = self
            .tokens
            .last()
            .is_some_and(|last| last.end == at && matches!(last.name, "quiet move" | "capture" | "ellipsis" | "marks"));
        let names: &[&'static str] = match byte {
            b'"' if self.in_tag => &["string"],
            b']' if self.in_tag => return Some(Token { name: "]", start: at, end: at + 1 }),
            _ if self.in_tag => &["identifier"],
            b'[' => return Some(Token { name: "[", start: at, end: at + 1 }),
            b')' => return Some(Token { name: ")", start: at, end: at + 1 }),
            b'!' | b'?' | b'(' if behind_move => &["marks"],
            b'0'..=b'9' => &["result", "number", "quiet move", "capture"],
            b'a'..=b'l' => &["quiet move", "capture"],
            b'.' => &["ellipsis"],
            b'$' => &["nag"],
            b'{' => &["comment"],
            b'/' => &["setup"],
            b'*' if !self.behind_marked_move() => &["result"],
            _ => &[],
        };
        let found = names.iter().filter_map(|name| Some(Token { name, start: at, end: self.end(grammars, name)? }));
        // Of two that are equally long the first one is meant.
        let longest = found.rev().max_by_key(|token| token.end);
        let parenthesis = Token { name: "(", start: at, end: at + 1 };
        let token = longest.or((byte == b'(').then_some(parenthesis))?;
        self.unsure |= self.is_left_to_words(token) || self.has_three_digits();
        let is_none = match token.name {
            "quiet move" | "capture" => is_result(&self.text[at..token.end]),
            // All digits belong to it, and these are too many.
            "nag" => self.text.get(token.end).is_some_and(u8::is_ascii_digit),
            _ => false,
        };
        (!is_none).then_some(token)
    }

    /// Whether a move, perhaps with marks, stands directly before.
    fn behind_marked_move(&self) -> bool {
        let touches = self.tokens.last().is_some_and(|last| last.end == self.at);
        touches && self.tokens.last().is_some_and(|last| matches!(last.name, "quiet move" | "capture" | "marks"))
    }

    fn end(&self, grammars: &[&Grammar], name: &'static str) -> Option<usize> {
        let text = self.text;
        Matcher::new(grammars, |expression, at| leaf(text, expression, at)).rule(name, self.at).last().copied()
    }

    /// Whether the word that begins here has a number that no square has: it may be a move all the same.
    fn has_three_digits(&self) -> bool {
        let word = self.text[self.at..].split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let signs = word.iter().any(|byte| b"-x:".contains(byte));
        signs
            && !self.in_tag
            && word[0].is_ascii_digit()
            && word.windows(3).any(|three| three.iter().all(u8::is_ascii_digit))
    }

    /// Whether the token holds what begins a game for the reader.
    fn is_left_to_words(&self, token: Token) -> bool {
        let text = &self.text[token.start..token.end];
        let next =
            self.text.get(token.end).is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte >= 0x80);
        match token.name {
            // `c1e319`, `7- 327-2`, `12- 13. 5-10`, `1/2-1/215x24`: where the second half ends nobody knows.
            "quiet move" | "capture" | "result" => next,
            "comment" => text.contains(&b'[') && has_blank_line(text),
            "string" => text.iter().any(|byte| matches!(byte, b'\n' | b'\r')),
            _ => false,
        }
    }
}

/// What a character is to the rules of a token.
fn leaf(text: &[u8], expression: &Expression, at: usize) -> Leaf {
    let rest = &text[at..];
    let next = |fits: &dyn Fn(u8) -> bool| Leaf::Ends(rest.first().is_some_and(|&byte| fits(byte)).then_some(at + 1));
    let is_break = |byte: u8| matches!(byte, b'\n' | b'\r');
    match expression {
        Expression::Terminal(text) => Leaf::Ends(rest.starts_with(text.as_bytes()).then_some(at + text.len())),
        Expression::Range(first, last) => next(&|byte| (*first..=*last).contains(&char::from(byte))),
        Expression::Rule(name) if name == "gap" => {
            let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
            let lines = rest[..blanks].split(|&byte| byte == b'\n').count();
            Leaf::Ends(Some(if lines > 2 { at } else { at + blanks }))
        }
        Expression::Words(words) => match words.as_str() {
            "space, tab, line break" => next(&|byte| byte == b' ' || byte == b'\t' || is_break(byte)),
            "any character" => next(&|_| true),
            "any character but a brace" => next(&|byte| byte != b'{' && byte != b'}'),
            "any character but a line break" => next(&|byte| !is_break(byte)),
            "any character but a quotation mark or a line break" => next(&|byte| byte != b'"' && !is_break(byte)),
            "any character but a quotation mark or a backslash" => next(&|byte| byte != b'"' && byte != b'\\'),
            _ => panic!("nobody knows what `{words}` is"),
        },
        _ => Leaf::Inner,
    }
}

fn has_blank_line(text: &[u8]) -> bool {
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.skip(1).filter(|line| line.trim_ascii().is_empty()).count() > 0
}

/// Whether a move is spelt like a result, which is never a move.
fn is_result(text: &[u8]) -> bool {
    let plain: Vec<u8> = text.iter().filter(|byte| !byte.is_ascii_whitespace()).copied().collect();
    matches!(
        &plain[..],
        b"1-0" | b"0-1" | b"2-0" | b"0-2" | b"1-1" | b"0-0" | b"1:0" | b"0:1" | b"2:0" | b"0:2" | b"1:1" | b"0:0"
    )
}

/// Whether the text asks for what no rule says: where a game begins, and a score as a result.
fn left_to_words(text: &[u8], tokens: &[Token]) -> bool {
    let word = |token: &Token| &text[token.start..token.end];
    let names = || tokens.iter().filter(|token| token.name == "identifier").map(word);
    let twice = |name: &[u8]| names().filter(|other| *other == name).count() > 1;
    let values =
        || tokens.iter().filter(|token| token.name == "string").map(|token| &word(token)[1..word(token).len() - 1]);
    let score =
        tokens.iter().any(|token| values().any(|value| text[token.start..].starts_with(value) && !value.is_empty()));
    // Behind tags a comment, a blank line and then other tags: are those of the next game?
    let leads = tokens.windows(2).any(|pair| {
        let gap = &text[pair[0].end..pair[1].start];
        let comment = pair[0].name == "comment" || pair[0].name == "]" && gap.iter().any(|byte| b";%".contains(byte));
        comment && pair[1].name == "[" && has_blank_line(gap)
    });
    // A comment to the end of the line that leads annotations.
    let remark_leads = tokens.iter().enumerate().any(|(n, token)| {
        let before = n.checked_sub(1).map(|before| tokens[before]);
        let gap = &text[before.map_or(0, |before| before.end)..token.start];
        let between = before.is_none_or(|before| matches!(before.name, "result" | "tail"));
        token.name == "nag" && between && gap.iter().any(|byte| b";%".contains(byte))
    });
    leads || remark_leads || twice(b"Event") || twice(b"FEN") || names().any(|name| name == b"Result") && score
}
