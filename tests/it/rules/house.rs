//! House rules: built-in variants written as files and read back play as the built-in ones do, by the run-time path.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use crate::support::board::position;
use crate::support::random::Dice;
use pdn::notation::{Numbering, read_rules, rules_json, rules_label, write_rules};
use pdn::rules::{Counting, Position, Setup, Variant, perft};
use serde_json::Value;

/// The variant with the rules of a built-in one, by the run-time path.
fn house(variant: Variant) -> Variant {
    let text = write_rules(variant);
    let house = read_rules(&text).unwrap_or_else(|fault| panic!("{variant}: {fault}\n{text}"));
    assert!(house.is_house() && house != variant);
    house
}

/// The same pieces under house rules.
fn under(house: Variant, position: &Position) -> Position {
    Position::from_setup(house, &Setup::from(position)).expect("playable as before").0
}

#[test]
fn what_is_written_is_read_back() {
    for &variant in Variant::ALL {
        let house = house(variant);
        assert_eq!(rules_json(house), rules_json(variant));
        assert_eq!(Numbering::for_variant(house), Numbering::for_variant(variant), "{variant}");
        assert_eq!(Numbering::internal(house), Numbering::internal(variant), "{variant}");
        assert_eq!(house.game_type(), None, "{variant}");
        assert_eq!(write_rules(house), write_rules(variant));
        assert_eq!(read_rules(&write_rules(variant)).as_ref(), Ok(&house), "the same rules are the same variant");
        assert_ne!(rules_label(house), rules_label(variant));
    }
}

#[test]
fn a_base_alone_is_the_variant_itself() {
    for &variant in Variant::ALL {
        assert_eq!(read_rules(&format!("name = '{variant}'\nbase = '{variant}'")), Ok(house(variant)), "{variant}");
    }
}

#[test]
fn start_positions_have_the_same_leaves() {
    const MOST_LEAVES: u64 = 200_000;
    let text = fs::read_to_string("tests/data/rules/perft.json").expect("the data lies in the repository");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let counts: BTreeMap<String, Value> = serde_json::from_value(data["start"].clone()).expect("an object");
    for &variant in Variant::ALL {
        let start = Position::start(house(variant));
        for (name, counting) in [("distinct", Counting::Distinct), ("paths", Counting::Paths)] {
            let known = counts.get(variant.name()).and_then(|counts| counts[name].as_array()).into_iter().flatten();
            let known = (1..).zip(known.filter_map(Value::as_u64)).take_while(|(_, leaves)| *leaves <= MOST_LEAVES);
            for (depth, leaves) in known {
                assert_eq!(perft(&start, depth, counting), Some(leaves), "{variant}, depth {depth}");
            }
            let built_in = perft(&Position::start(variant), 5, counting);
            assert_eq!(perft(&start, 5, counting), built_in, "{variant}");
        }
    }
}

#[test]
fn hard_positions_have_the_same_moves() {
    for entry in fs::read_dir("tests/data/rules/legal").expect("the data lies in the repository") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let variant = Variant::by_name(name).expect("a variant");
        let house = house(variant);
        for line in fs::read_to_string(&path).expect("a text").lines() {
            let case: Value = serde_json::from_str(line).expect("a position a line");
            let expected = position(variant, case["fen"].as_str().expect("a FEN"));
            let found = under(house, &expected);
            assert_eq!(found.legal_moves(), expected.legal_moves(), "{line}");
            assert_eq!(found.legal_paths(), expected.legal_paths(), "{line}");
            for played in &expected.legal_moves() {
                assert_eq!(found.paths(played), expected.paths(played), "{line}");
                let (from, to) = (played.from(), played.to());
                assert_eq!(found.moves_between(from, to), expected.moves_between(from, to), "{line}");
                assert!(found.is_legal(played), "{line}");
            }
        }
    }
}

#[test]
fn hundreds_of_quiet_moves_of_one_king_are_counted() {
    let square = |n| crate::support::board::square(Variant::FRISIAN, n);
    let mut position = position(Variant::FRISIAN, "W:WK46:BK1,K2");
    for _ in 0..300 {
        for (from, to) in [(46, 41), (1, 7), (41, 46), (7, 1)] {
            let played = position.moves_between(square(from), square(to));
            position = position.play_unchecked(&played[0]);
        }
    }
    assert!(!position.legal_moves().is_empty());
}

/// Puts a line of one file in place of a line of another, or one sign in place of another.
fn damaged(lines: &[&str], others: &[&str], dice: &mut Dice) -> String {
    const SIGNS: &[u8] = b"[]{}\"'=,.#-0129az \n\\";
    let mut lines = lines.to_vec();
    let place = dice.below(lines.len());
    lines[place] = others[dice.below(others.len())];
    let mut bytes = lines.join("\n").into_bytes();
    if dice.below(2) == 0 {
        let at = dice.below(bytes.len());
        bytes[at] = SIGNS[dice.below(SIGNS.len())];
    }
    String::from_utf8(bytes).expect("signs and words are of one byte each")
}

#[test]
fn damaged_files_are_refused_or_make_sense() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let files: Vec<_> = Variant::ALL.iter().map(|&variant| write_rules(variant)).collect();
    let lines =
        |file: &str| -> Vec<String> { file.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect() };
    let files: Vec<_> = files.iter().map(|file| lines(file)).collect();
    for n in 0..20 * files.len() {
        let [file, other] =
            [n, n * 7 + 3].map(|n| files[n % files.len()].iter().map(String::as_str).collect::<Vec<_>>());
        let text = damaged(&file, &other, &mut dice);
        match read_rules(&text) {
            Ok(variant) => {
                assert!(!Position::start(variant).legal_moves().is_empty(), "{text}");
                assert_eq!(read_rules(&write_rules(variant)), Ok(variant), "{text}");
            }
            Err(issue) => {
                let Range { start, end } = issue.range();
                assert!(start <= end && end <= text.len() && !issue.to_string().is_empty(), "{text}");
            }
        }
    }
}

#[test]
fn thousands_of_rules_are_read() {
    let variants = (0..3000).map(|n| read_rules(&format!("name = 'rules-{n}'\nbase = 'russian'")));
    assert!(variants.zip(0..).all(|(variant, n)| variant.is_ok_and(|read| read.name() == format!("rules-{n}"))));
}
