//! Makes sentences of a grammar at random.

use std::collections::BTreeMap;

use super::{Dice, Expression, Grammar};

/// What stands directly behind the token before it.
const BEHIND: [&str; 1] = ["marks"];

/// A comment on the line of a result, and what stands on a line of its own in front of a game.
const TAIL: &str = "tail";
const LEAD: &str = "lead";

/// Makes sentences as lists of tokens.
pub(crate) struct Maker<'a> {
    /// How sentences are made of tokens.
    pub(crate) outer: &'a Grammar,
    /// How tokens are made of characters.
    pub(crate) inner: &'a Grammar,
    pub(crate) dice: Dice,
    /// Rules of `outer` whose parts nothing may stand between.
    pub(crate) tight: &'static [&'static str],
    /// Rules that are the same wherever they stand in a sentence, with the choice that was made.
    pub(crate) fixed: BTreeMap<&'static str, usize>,
}

impl Maker<'_> {
    pub(crate) fn tokens(&mut self, rule: &str, depth: u32, out: &mut Vec<String>) {
        if BEHIND.contains(&rule) {
            let text = self.text(rule);
            return out.last_mut().expect("a move").push_str(&text);
        }
        if rule == TAIL {
            let text = self.text("comment");
            let result = out.last_mut().expect("a result");
            return result.extend([" ", &text]);
        }
        let first = out.len();
        match self.outer.rule(rule).filter(|_| !self.tight.contains(&rule)) {
            Some(expression) => self.expand(&expression.clone(), depth, out),
            None => {
                let text = self.text(rule);
                out.push(text);
            }
        }
        if rule == LEAD {
            out[first].insert(0, '\n');
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
    pub(crate) fn text(&mut self, rule: &str) -> String {
        loop {
            let mut text = String::new();
            let expression = self.outer.rule(rule).or_else(|| self.inner.rule(rule));
            let mut expression = expression.unwrap_or_else(|| panic!("there is no rule {rule}")).clone();
            if let (Some(&fixed), Expression::Choice(list)) = (self.fixed.get(rule), &mut expression) {
                expression = list.swap_remove(fixed);
            }
            self.spell(&expression, &mut text);
            // The longest match decides, and `1-0` is a result; `0:05` is a time.
            if rule == "result" || !is_result(&text) && !is_time(&text) {
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
                    "line feed" => &['\n'],
                    "any letter" => &['a', 'Z', 'é', 'Ł', 'ч'],
                    "space, tab, line break" => &[' ', '\t', '\n'],
                    _ if words.starts_with("any character") => &['a', 'Z', '0', ' ', '-', 'é', ':', ',', '!', '.'],
                    _ => panic!("nobody knows what `{words}` is"),
                };
                out.push(letters[self.dice.below(letters.len())]);
            }
        }
    }

    /// Tokens with white space, and now and then a comment to the end of the line, between them.
    pub(crate) fn join(&mut self, tokens: &[String]) -> String {
        let mut text = String::new();
        let mut in_tag = false;
        for (n, token) in tokens.iter().enumerate() {
            text.push_str(token);
            in_tag = token == "[" || in_tag && token != "]";
            if in_tag {
                text.push_str(["", " ", "\t", "\n", "  "][self.dice.below(5)]);
                continue;
            }
            let gaps = [" ", "  ", "\t", "\n", " ", " ", "\r\n", "\n% a comment\n", " ; another\n"];
            let gaps = if n + 1 == tokens.len() { &gaps[..7] } else { &gaps[..] };
            text.push_str(gaps[self.dice.below(gaps.len())]);
        }
        text
    }
}

fn is_time(text: &str) -> bool {
    let minutes = text.strip_prefix("00:").or_else(|| text.strip_prefix("0:"));
    minutes.is_some_and(|minutes| minutes.starts_with(|digit: char| digit.is_ascii_digit()))
}

pub(crate) fn is_result(text: &str) -> bool {
    let plain: String = text.split_whitespace().collect();
    matches!(
        plain.as_str(),
        "1-0" | "0-1" | "2-0" | "0-2" | "1-1" | "0-0" | "1:0" | "0:1" | "2:0" | "0:2" | "1:1" | "0:0"
    )
}
