//! Sentences made from the grammar of questions: each is read as far as the grammar goes.

use std::collections::BTreeMap;

use crate::ebnf::maker::Maker;
use crate::ebnf::{Dice, Grammar};
use pdn::query::{Expression, SearchOptions};
use pdn::rules::Variant;

const TOKENS: &[&str] = &["field", "operator", "string", "word", "group", "count"];

/// Passes sentences of a rule, their tokens separated by spaces.
fn sentences(rule: &str, mut take: impl FnMut(&str)) {
    let grammar = Grammar::read("search.ebnf");
    let mut maker =
        Maker { outer: &grammar, inner: &grammar, dice: Dice::new(3), tight: TOKENS, fixed: BTreeMap::new() };
    for _ in 0..2000 {
        let mut tokens = Vec::new();
        maker.tokens(rule, 0, &mut tokens);
        if !has_keyword_field(&tokens) {
            take(&tokens.join(" "));
        }
    }
}

/// Returns true if a keyword is where a field belongs, which the grammar says in words only.
fn has_keyword_field(tokens: &[String]) -> bool {
    let is = |n: usize, words: &[&str]| tokens.get(n).is_some_and(|token| words.contains(&token.as_str()));
    let begins = |n: usize| n == 0 || is(n - 1, &["(", "and", "or", "not"]);
    let ends = |n: usize| n >= tokens.len() || is(n, &[")", "and", "or", "=", "~", "!=", "!~", "<", "<=", ">", ">="]);
    (0..tokens.len()).any(|n| is(n, &["and", "or"]) && begins(n) || is(n, &["not"]) && ends(n + 1))
}

#[test]
fn expressions_are_read() {
    // What a field or a value means is not said by the grammar.
    let meanings = [
        "unknown field",
        "a number is",
        "text can only",
        "expected a number",
        "expected a date",
        "not a regular",
        "expected W",
        "expected the name of a variant",
        "more than",
        "the regular",
    ];
    let mut longest = 0;
    sentences("expression", |text| {
        longest = longest.max(text.len());
        if let Err(error) = text.parse::<Expression>() {
            let error = error.to_string();
            assert!(meanings.iter().any(|meaning| error.starts_with(meaning)), "{text}\n{error}");
        }
    });
    assert!(longest > 200, "{longest}");
}

#[test]
fn patterns_and_material_are_read() {
    let ask = |options: SearchOptions| options.question(Some(Variant::INTERNATIONAL));
    sentences("pattern", |text| {
        if let Err(error) = ask(SearchOptions { pattern: Some(text.to_owned()), ..SearchOptions::default() }) {
            assert!(error.to_string().starts_with("the pattern: no square of this name"), "{text}\n{error}");
        }
    });
    sentences("material", |text| {
        let question = ask(SearchOptions { material: Some(text.to_owned()), ..SearchOptions::default() });
        assert!(question.is_ok(), "{text}: {question:?}");
    });
}
