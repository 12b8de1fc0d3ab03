//! Values of tags by their grammars: sentences made from them, and others that are made wrong, mean the same to the
//! grammar and to the parser.

use std::collections::BTreeMap;

use crate::ebnf::maker::Maker;
use crate::ebnf::matcher::{Leaf, Matcher};
use crate::ebnf::{Dice, Expression, Grammar};
use pdn::check::{CheckOptions, reviews};
use pdn::notation::{GameType, Numbering, parse_fen};
use pdn::rules::Variant;

/// Whether a text is a sentence of a rule.
fn fits(grammar: &Grammar, rule: &str, text: &str) -> bool {
    let leaf = |expression: &Expression, at: usize| {
        let rest = &text.as_bytes()[at..];
        match expression {
            Expression::Terminal(terminal) => {
                Leaf::Ends(rest.starts_with(terminal.as_bytes()).then_some(at + terminal.len()))
            }
            // The longest number is meant.
            Expression::Rule(name) if name == "digits" => {
                let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                Leaf::Ends((len > 0).then_some(at + len))
            }
            Expression::Range(first, last) => Leaf::Ends(
                rest.first().is_some_and(|&byte| (*first..=*last).contains(&char::from(byte))).then_some(at + 1),
            ),
            _ => Leaf::Inner,
        }
    };
    Matcher::new(&[grammar], leaf).rule(rule, 0).contains(&text.len())
}

/// Changes, adds or takes away a sign.
fn damaged(text: &str, dice: &mut Dice) -> String {
    const SIGNS: [char; 21] =
        ['W', 'B', '?', ':', ',', '.', 'K', '0', '3', '-', '+', '/', '*', 'N', 'A', 'a', 'H', '2', '1', '9', 'x'];
    let mut letters: Vec<char> = text.chars().collect();
    let (at, sign) = (dice.below(letters.len() + 1), SIGNS[dice.below(SIGNS.len())]);
    match dice.below(3) {
        0 if at < letters.len() => letters[at] = sign,
        1 if at < letters.len() => drop(letters.remove(at)),
        _ => letters.insert(at, sign),
    }
    letters.into_iter().collect()
}

/// Asks `parser` about sentences of a rule and about damaged ones.
fn agree(file: &str, rule: &'static str, parser: impl Fn(&str) -> bool) {
    let grammar = Grammar::read(file);
    let mut maker = Maker { outer: &grammar, inner: &grammar, dice: Dice::new(5), tight: &[], fixed: BTreeMap::new() };
    let (mut sound, mut wrong) = (0, 0);
    for _ in 0..5000 {
        let text = maker.text(rule);
        assert!(fits(&grammar, rule, &text), "{text} is no sentence of its own grammar");
        assert!(parser(&text), "{rule}: `{text}` is not taken");
        sound += 1;
        let text = damaged(&text, &mut maker.dice);
        let fits = fits(&grammar, rule, &text);
        assert_eq!(parser(&text), fits, "{rule}: `{text}`");
        wrong += u32::from(!fits);
    }
    assert!(sound == 5000 && wrong > 1000, "{rule}: {wrong}");
}

#[test]
fn every_rule_that_is_used_is_there() {
    for file in ["fen.ebnf", "gametype.ebnf", "timecontrol.ebnf"] {
        let grammar = Grammar::read(file);
        assert!(grammar.used().iter().all(|name| grammar.rule(name).is_some()), "{file}");
    }
}

#[test]
fn positions() {
    let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
    // Which squares a board has, and that no two pieces share one, no grammar says.
    let of_the_board = |reason: &str| reason.contains("of this board") || reason.starts_with("two pieces");
    agree("fen.ebnf", "fen", |text| match parse_fen(text, numbering) {
        Ok(_) => true,
        Err(error) => error.iter().all(|fault| of_the_board(&fault.to_string())),
    });
}

/// The codes of what is found in a game with a tag.
fn codes(name: &str, value: &str) -> Vec<&'static str> {
    let text = format!("[{name} \"{value}\"]\n1. 32-28 *");
    let mut options = CheckOptions::default();
    options.strict = true;
    let review = reviews(text.as_bytes(), options).next().expect("a game");
    review.diagnostics().iter().map(|found| found.code().name()).collect()
}

#[test]
fn positions_as_they_are_written() {
    agree("fen.ebnf", "written", |text| !codes("FEN", text).contains(&"fen/strict-form"));
}

#[test]
fn game_types() {
    agree("gametype.ebnf", "gametype", |text| !codes("GameType", text).contains(&"tag/strict-game-type"));
    // The reader takes all of them, unless the number is no draughts game's.
    for text in ["20", "25,W,8,8,A0", "31,B,8,8,N2,0"] {
        assert!(text.parse::<GameType>().is_ok(), "{text}");
    }
}

#[test]
fn time_controls() {
    for tag in ["TimeControl", "TimeControlBlack"] {
        // An empty value may stand in any tag and is no time control.
        let taken = |text: &str| !text.is_empty() && !codes(tag, text).contains(&"tag/time-control");
        agree("timecontrol.ebnf", "timecontrol", taken);
    }
}
