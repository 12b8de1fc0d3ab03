//! Sentences made from the grammars: the reader takes each without a finding of the group `syntax/`, and tells of each
//! that was made wrong.

mod ebnf;

use ebnf::{Dice, Expression, Grammar};
use pdn::pdn::games;

/// Rules of `reading.ebnf` whose parts nothing may stand between.
const TIGHT: [&str; 1] = ["identifier"];
/// What stands directly behind the token before it.
const BEHIND: [&str; 1] = ["marks"];

/// Makes sentences as lists of tokens.
struct Writer<'a> {
    reading: &'a Grammar,
    movetext: &'a Grammar,
    dice: Dice,
}

impl Writer<'_> {
    fn tokens(&mut self, rule: &str, depth: u32, out: &mut Vec<String>) {
        if BEHIND.contains(&rule) {
            let text = self.text(rule);
            return out.last_mut().expect("a move").push_str(&text);
        }
        match self.reading.rule(rule).filter(|_| !TIGHT.contains(&rule)) {
            Some(expression) => self.expand(&expression.clone(), depth, out),
            None => {
                let text = self.text(rule);
                out.push(text);
            }
        }
    }

    fn expand(&mut self, expression: &Expression, depth: u32, out: &mut Vec<String>) {
        match expression {
            Expression::Choice(list) => {
                let chosen = &list[self.dice.below(list.len())];
                self.expand(chosen, depth, out);
            }
            Expression::Sequence(list) => list.iter().for_each(|item| self.expand(item, depth, out)),
            Expression::Optional(inner) => {
                if self.dice.below(2) == 0 {
                    self.expand(inner, depth, out);
                }
            }
            Expression::Repeated(inner) => {
                // Variations inside variations come to an end.
                let most = if depth > 6 { 1 } else { 4 };
                for _ in 0..self.dice.below(most) {
                    self.expand(inner, depth + 1, out);
                }
            }
            Expression::Rule(name) if name == "variation" && depth > 8 => out.push("{deep}".to_owned()),
            Expression::Rule(name) => self.tokens(&name.clone(), depth + 1, out),
            Expression::Terminal(text) => out.push(text.clone()),
            Expression::Range(..) | Expression::Words(_) => unreachable!("tokens are rules"),
        }
    }

    /// A token, whose parts nothing stands between.
    fn text(&mut self, rule: &str) -> String {
        loop {
            let mut text = String::new();
            let expression = self.reading.rule(rule).or_else(|| self.movetext.rule(rule));
            let expression = expression.unwrap_or_else(|| panic!("there is no rule {rule}")).clone();
            self.spell(&expression, &mut text);
            // The longest match decides, and `1-0` is a result.
            if rule == "result" || !is_result(&text) {
                return text;
            }
        }
    }

    fn spell(&mut self, expression: &Expression, out: &mut String) {
        match expression {
            Expression::Choice(list) => {
                let chosen = &list[self.dice.below(list.len())];
                self.spell(chosen, out);
            }
            Expression::Sequence(list) => list.iter().for_each(|item| self.spell(item, out)),
            Expression::Optional(inner) if self.dice.below(2) == 0 => self.spell(inner, out),
            Expression::Optional(_) => {}
            Expression::Repeated(inner) => {
                let blanks = matches!(**inner, Expression::Rule(ref name) if name == "blank");
                for _ in 0..self.dice.below(if blanks { 2 } else { 4 }) {
                    self.spell(inner, out);
                }
            }
            Expression::Rule(name) => {
                let name = name.clone();
                let text = self.text(&name);
                out.push_str(&text);
            }
            Expression::Terminal(text) => out.push_str(text),
            Expression::Range(first, last) => {
                let letters: Vec<char> = (*first..=*last).collect();
                out.push(letters[self.dice.below(letters.len())]);
            }
            Expression::Words(words) => {
                let letters: &[char] = match words.as_str() {
                    "space, tab, line break" => &[' ', '\t', '\n'],
                    _ if words.starts_with("any character but") => &['a', 'Z', '0', ' ', '-', 'é', ':', ',', '!', '.'],
                    _ => panic!("nobody knows what `{words}` is"),
                };
                out.push(letters[self.dice.below(letters.len())]);
            }
        }
    }

    /// Tokens with white space, and now and then a comment to the end of the line, between them.
    fn join(&mut self, tokens: &[String]) -> String {
        let mut text = String::new();
        let mut in_tag = false;
        for (n, token) in tokens.iter().enumerate() {
            text.push_str(token);
            in_tag = token == "[" || in_tag && token != "]";
            if in_tag {
                text.push_str(["", " ", "\t", "\n", "  "][self.dice.below(5)]);
                continue;
            }
            let gaps = [" ", " ", " ", "\n", "  ", "\t", "\r\n", "\n% a comment\n", " ; another\n"];
            // A comment behind everything belongs to no game.
            let gaps = if n + 1 == tokens.len() { &gaps[..7] } else { &gaps[..] };
            text.push_str(gaps[self.dice.below(gaps.len())]);
        }
        text
    }
}

fn is_result(text: &str) -> bool {
    let plain: String = text.split_whitespace().collect();
    matches!(
        plain.as_str(),
        "1-0" | "0-1" | "2-0" | "0-2" | "1-1" | "0-0" | "1:0" | "0:1" | "2:0" | "0:2" | "1:1" | "0:0"
    )
}

/// The findings of the group `syntax/`, those outside games too.
fn faults(text: &str) -> Vec<&'static str> {
    let mut reader = games(text.as_bytes());
    let mut codes: Vec<_> = reader.by_ref().flat_map(|game| game.diagnostics).map(|found| found.code.name()).collect();
    codes.extend(reader.take_outside().into_iter().map(|found| found.diagnostic.code.name()));
    codes.retain(|code| code.starts_with("syntax/"));
    codes
}

fn grammars() -> (Grammar, Grammar) {
    (Grammar::read("reading.ebnf"), Grammar::read("movetext.ebnf"))
}

#[test]
fn every_rule_that_is_used_is_there() {
    let (reading, movetext) = grammars();
    for name in reading.used().into_iter().chain(movetext.used()) {
        assert!(reading.rule(&name).is_some() || movetext.rule(&name).is_some(), "{name}");
    }
}

#[test]
fn sentences_of_the_grammar_are_taken() {
    let (reading, movetext) = grammars();
    let mut writer = Writer { reading: &reading, movetext: &movetext, dice: Dice::new(1) };
    let mut longest = 0;
    for _ in 0..4000 {
        let mut tokens = Vec::new();
        writer.tokens("records", 0, &mut tokens);
        let text = writer.join(&tokens);
        longest = longest.max(tokens.len());
        let found = faults(&text);
        assert!(found.is_empty(), "{found:?} in\n{text}\n{tokens:?}");
    }
    assert!(longest > 40, "{longest}");
}

/// Each way to make a sentence wrong: what is done to the tokens of a game, and the kinds of fault of which there is one.
type Damage = (&'static str, fn(&mut Vec<String>, &mut Dice) -> bool, &'static [&'static str]);

const DAMAGES: [Damage; 8] = [
    (
        "a parenthesis is not closed",
        |tokens, _| remove(tokens, ")"),
        &["syntax/unclosed-variation", "syntax/result-in-variation"],
    ),
    (
        "a parenthesis is not opened",
        |tokens, dice| insert(tokens, dice, ")"),
        &["syntax/unopened-variation", "syntax/unclosed-variation"],
    ),
    (
        "a brace is not opened",
        |tokens, dice| insert(tokens, dice, "}"),
        &["syntax/stray-brace", "syntax/nested-comment", "syntax/prose-in-parentheses"],
    ),
    (
        "a word stands alone",
        |tokens, dice| insert(tokens, dice, "prose"),
        &["syntax/stray-text", "syntax/prose-in-parentheses"],
    ),
    (
        "a bracket stands alone",
        |tokens, dice| insert(tokens, dice, "]"),
        &["syntax/stray-bracket", "syntax/prose-in-parentheses"],
    ),
    ("a number stands alone", |tokens, _| push_before_end(tokens, "99."), &["syntax/number-without-move"]),
    ("a tag is not closed", |tokens, _| remove(tokens, "]"), &["syntax/missing-bracket"]),
    ("a value is not quoted", |tokens, _| unquote(tokens), &["syntax/unquoted-value", "syntax/empty-tag"]),
];

fn remove(tokens: &mut Vec<String>, token: &str) -> bool {
    let place = tokens.iter().position(|other| other == token);
    place.map(|place| tokens.remove(place)).is_some()
}

/// Puts a token between two others of the movetext.
fn insert(tokens: &mut Vec<String>, dice: &mut Dice, token: &str) -> bool {
    let first = tokens.iter().rposition(|other| other == "]").map_or(1, |last| last + 1);
    let places: Vec<_> = (first..tokens.len()).filter(|&at| at > 0 && !tokens[at - 1].ends_with('.')).collect();
    let place = places.get(dice.below(places.len().max(1))).copied();
    place.map(|place| tokens.insert(place, token.to_owned())).is_some()
}

fn push_before_end(tokens: &mut Vec<String>, token: &str) -> bool {
    let at = tokens.len() - 1;
    let moves = tokens[..at].last().is_some_and(|last| last.ends_with(|letter: char| letter.is_ascii_digit()));
    if moves {
        tokens.insert(at, token.to_owned());
    }
    moves
}

fn unquote(tokens: &mut [String]) -> bool {
    let Some(bracket) = tokens.iter().position(|token| token == "[") else { return false };
    "Amsterdam".clone_into(&mut tokens[bracket + 2]);
    true
}

#[test]
fn sentences_that_are_wrong_are_told() {
    let (reading, movetext) = grammars();
    for (name, damage, codes) in DAMAGES {
        let mut writer = Writer { reading: &reading, movetext: &movetext, dice: Dice::new(7) };
        let mut count = 0;
        for _ in 0..2000 {
            let mut tokens = Vec::new();
            writer.tokens("game", 0, &mut tokens);
            tokens.push("*".to_owned());
            let mut dice = Dice::new(writer.dice.below(1 << 20) as u64 + 1);
            if damage(&mut tokens, &mut dice) {
                count += 1;
                let text = tokens.join(" ");
                let found = faults(&text);
                assert!(found.iter().any(|code| codes.contains(code)), "{name}: {found:?} in\n{text}");
            }
        }
        assert!(count > 100, "{name}: {count}");
    }
}
