//! Grammars in EBNF (ISO 14977), as far as ours use it.

pub(crate) mod maker;
pub(crate) mod matcher;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What a rule is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Choice(Vec<Expression>),
    Sequence(Vec<Expression>),
    Optional(Box<Expression>),
    Repeated(Box<Expression>),
    Rule(String),
    Terminal(String),
    Range(char, char),
    /// What is said in words between question marks.
    Words(String),
}

/// The rules of a file by their names.
#[derive(Debug)]
pub(crate) struct Grammar(BTreeMap<String, Expression>);

impl Grammar {
    /// Reads a file of the folder `grammar`.
    pub(crate) fn read(name: &str) -> Self {
        // The targets of cargo-fuzz are built one folder further down.
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let paths = ["grammar", "../grammar"].map(|folder| root.join(folder).join(name));
        let text = paths.iter().find_map(|path| fs::read_to_string(path).ok()).expect("a grammar");
        let mut parser = Parser { rest: &text };
        let mut rules = BTreeMap::new();
        while !parser.at_end() {
            let name = parser.name();
            parser.expect('=');
            let expression = parser.choice();
            parser.expect(';');
            assert!(rules.insert(name.clone(), expression).is_none(), "{name} stands twice");
        }
        Self(rules)
    }

    pub(crate) fn rule(&self, name: &str) -> Option<&Expression> {
        self.0.get(name)
    }

    /// The names of all rules.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The names of all rules that others use.
    pub(crate) fn used(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.0.values().for_each(|expression| names(expression, &mut found));
        found
    }
}

fn names(expression: &Expression, found: &mut Vec<String>) {
    match expression {
        Expression::Choice(list) | Expression::Sequence(list) => list.iter().for_each(|item| names(item, found)),
        Expression::Optional(inner) | Expression::Repeated(inner) => names(inner, found),
        Expression::Rule(name) => found.push(name.clone()),
        Expression::Terminal(_) | Expression::Range(..) | Expression::Words(_) => {}
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// Passes blanks and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix("(*").and_then(|inner| inner.find("*)").map(|end| &inner[end + 2..])) {
                Some(behind) => self.rest = behind,
                None => return,
            }
        }
    }

    fn at_end(&mut self) -> bool {
        self.skip();
        self.rest.is_empty()
    }

    fn next(&mut self) -> char {
        self.skip();
        self.rest.chars().next().unwrap_or(';')
    }

    fn expect(&mut self, sign: char) {
        assert_eq!(self.next(), sign, "before {:.60}", self.rest);
        self.rest = &self.rest[sign.len_utf8()..];
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.next() == sign;
        if found {
            self.rest = &self.rest[sign.len_utf8()..];
        }
        found
    }

    /// One or more words.
    fn name(&mut self) -> String {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic() && c != ' ').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name.trim().to_owned()
    }

    fn choice(&mut self) -> Expression {
        let mut list = vec![self.sequence()];
        while self.takes('|') {
            list.push(self.sequence());
        }
        if list.len() == 1 { list.remove(0) } else { Expression::Choice(list) }
    }

    fn sequence(&mut self) -> Expression {
        let mut list = vec![self.item()];
        while self.takes(',') {
            list.push(self.item());
        }
        if list.len() == 1 { list.remove(0) } else { Expression::Sequence(list) }
    }

    fn item(&mut self) -> Expression {
        match self.next() {
            '{' => Expression::Repeated(Box::new(self.within('{', '}'))),
            '[' => Expression::Optional(Box::new(self.within('[', ']'))),
            '(' => self.within('(', ')'),
            '?' => Expression::Words(self.quoted()),
            '"' | '\'' => {
                let first = self.quoted();
                if !self.takes('…') {
                    return Expression::Terminal(first);
                }
                self.skip();
                let last = self.quoted();
                let letter = |text: &str| text.chars().next().expect("a letter");
                Expression::Range(letter(&first), letter(&last))
            }
            _ => Expression::Rule(self.name()),
        }
    }

    fn within(&mut self, open: char, close: char) -> Expression {
        self.expect(open);
        let inner = self.choice();
        self.expect(close);
        inner
    }

    /// What stands between this sign and the next one of its kind.
    fn quoted(&mut self) -> String {
        let sign = self.next();
        let inner = &self.rest[1..];
        let end = inner.find(sign).expect("a closing sign");
        self.rest = &inner[end + 1..];
        inner[..end].trim_matches(|c| sign == '?' && c == ' ').to_owned()
    }
}

/// Numbers that are the same in every run (xorshift).
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
