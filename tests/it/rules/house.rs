//! House rules: built-in variants written as files and read back play as the built-in ones do, by the run-time path.

use std::collections::BTreeMap;
use std::fs;

use crate::support::board::position;
use crate::support::random::Dice;
use pdn::board::Shape;
use pdn::diag::Span;
use pdn::notation::{Numbering, read_rules, rules_json, rules_label, write_rules};
use pdn::rules::{
    Counting, Diagonal, DrawLimit, Ending, KingLanding, KingRange, ManCaptures, ManMoves, Position, Precedence,
    RuleSpec, Setup, StartRows, Variant, perft,
};
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
        assert_eq!(house.spec(), variant.spec());
        assert_eq!(house.conventions(), variant.conventions(), "{variant}");
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
                assert_eq!(perft(&start, depth, counting), Ok(leaves), "{variant}, depth {depth}");
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
fn variants_with_the_same_rules_differ_by_their_conventions() {
    let spec = || renamed(Variant::ITALIAN, "twins");
    let [own, other] = [Variant::ITALIAN.conventions(), Variant::ENGLISH.conventions()];
    let [a, b] = [own, other].map(|conventions| Variant::house(&spec(), conventions).expect("valid rules"));
    assert_ne!(a, b);
    assert_eq!((a.spec(), a.conventions(), b.conventions()), (b.spec(), own, other));
    assert_eq!(Variant::house(&spec(), own), Ok(a));
    assert_eq!((Variant::by_name("twins"), a.to_string()), (None, "twins".to_owned()));
}

/// Returns the rules of a variant under another name.
fn renamed(base: Variant, name: &'static str) -> RuleSpec<'static> {
    let mut spec = base.spec().clone();
    spec.name = name;
    spec
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

/// Returns the decisive field of the first issue of changed rules of a variant.
fn issue(base: Variant, change: impl FnOnce(&mut RuleSpec<'static>)) -> Option<(&'static str, Option<usize>)> {
    let mut spec = renamed(base, "changed");
    change(&mut spec);
    let issue = spec.check().err();
    assert_eq!(Variant::house(&spec, base.conventions()).err(), issue);
    issue.map(|issue| (issue.fields()[0], issue.limit()))
}

#[test]
fn contradictory_rules_are_refused() {
    let only = |field| Some((field, None));
    let (dark, full) = (Variant::BRAZILIAN, Variant::TURKISH);
    assert_eq!(issue(dark, |_| ()), None);
    assert_eq!(issue(dark, |spec| spec.name = ""), only("name"));
    assert_eq!(issue(dark, |spec| spec.name = "My Rules"), only("name"));
    assert_eq!(issue(dark, |spec| spec.shape = Shape::dark(6, 6)), only("board"));
    assert_eq!(issue(dark, |spec| spec.man_moves = ManMoves::ForwardAndSideways), only("man-moves"));
    assert_eq!(issue(dark, |spec| spec.man_captures = ManCaptures::ForwardAndSideways), only("man-captures"));
    assert_eq!(issue(full, |spec| spec.man_moves = ManMoves::DiagonallyForward), only("man-moves"));
    assert_eq!(issue(full, |spec| spec.man_captures = ManCaptures::EightWays), only("man-captures"));
    for (skipped, rows) in [(0, 0), (0, 4), (1, 3), (0, 5), (255, 255)] {
        assert_eq!(issue(dark, |spec| spec.start_rows = StartRows { skipped, rows }), only("start-rows"));
    }
    assert_eq!(issue(Variant::KILLER, |spec| spec.king_range = KingRange::Short), only("king-landing"));
    assert_eq!(issue(Variant::ITALIAN, |spec| spec.king_landing = KingLanding::DirectlyBehind), only("king-landing"));
    assert_eq!(issue(dark, |spec| spec.may_turn_back = false), only("may-turn-back"));
    assert_eq!(issue(Variant::FRISIAN, |spec| spec.king_move_limit = Some(0)), only("king-move-limit"));
    let once = |spec: &mut RuleSpec<'static>| spec.draws.repetition.as_mut().expect("a rule").occurrences = 1;
    assert_eq!(issue(dark, once), only("occurrences"));
    let mut conventions = full.conventions();
    conventions.mirrored = true;
    let mirrored = Variant::house(&renamed(full, "changed"), conventions);
    assert_eq!(mirrored.map_err(|issue| issue.fields()[0]), Err("mirrored"));
    conventions = dark.conventions();
    conventions.capture_sign = '*';
    let starred = Variant::house(&renamed(dark, "changed"), conventions);
    assert_eq!(starred.map_err(|issue| issue.fields()[0]), Err("capture-sign"));
    // Odd, but a game: every precedence goes with every way of removal, and with every goal.
    for precedence in [Precedence::Italian, Precedence::HighestValue, Precedence::WithKing] {
        assert_eq!(issue(Variant::THAI, |spec| spec.precedence = precedence), None);
    }
}

#[test]
fn limits_that_cannot_be_counted_are_refused() {
    let base = Variant::INTERNATIONAL;
    let limit = base.spec().draws.limits[1];
    let with = |base: Variant, limits: Vec<DrawLimit<'static>>| issue(base, |spec| spec.draws.limits = limits.leak());
    let changed = |change: &dyn Fn(&mut DrawLimit<'static>)| {
        let mut limit = limit;
        change(&mut limit);
        with(base, vec![limit])
    };
    let only = |field| Some((field, Some(0)));
    assert_eq!(changed(&|_| ()), None);
    assert_eq!(changed(&|limit| limit.name = "A"), only("name"));
    assert_eq!(changed(&|limit| limit.plies = 0), only("plies"));
    let lone = |pieces, kings, diagonal| Ending::LoneKing { pieces, kings, diagonal, outlasts_captures: false };
    assert_eq!(changed(&|limit| limit.ending = lone((3, 2), 1, Diagonal::Any)), only("pieces"));
    assert_eq!(changed(&|limit| limit.ending = lone((0, 0), 0, Diagonal::Any)), only("pieces"));
    assert_eq!(changed(&|limit| limit.ending = lone((2, 3), 4, Diagonal::Any)), only("kings"));
    assert_eq!(changed(&|limit| limit.ending = Ending::BothKings { pieces: (5, 4) }), only("pieces"));
    assert_eq!(changed(&|limit| limit.ending = Ending::BothKings { pieces: (1, 1) }), only("pieces"));
    assert_eq!(
        changed(&|limit| limit.ending = Ending::NoProgress { except_both_kings: (7, 4) }),
        only("except-both-kings")
    );
    assert_eq!(with(base, vec![limit, limit]), Some(("name", Some(1))));
    let many = (0..7).map(|n| DrawLimit { name: format!("l-{n}").leak(), ..limit }).collect();
    assert_eq!(with(base, many), Some(("limits", None)));
    let diagonal = DrawLimit { ending: lone((3, 3), 1, Diagonal::Stronger), ..limit };
    assert_eq!(with(base, vec![diagonal]), None);
    for board in [Variant::SPANTSIRETTI, Variant::TURKISH] {
        assert_eq!(with(board, vec![diagonal]), only("diagonal"));
    }
}

#[test]
fn any_article_is_written_and_read_back() {
    let article = "a \"quoted\" one, \\ and\ttwo\nlines \u{7f} é";
    let mut spec = renamed(Variant::ENGLISH, "wordy");
    spec.draws.repetition.as_mut().expect("a rule").article = article;
    let variant = Variant::house(&spec, Variant::ENGLISH.conventions()).expect("valid rules");
    assert_eq!(read_rules(&write_rules(variant)), Ok(variant));
    assert_eq!(rules_json(variant)["draws"]["repetition"]["article"], article);
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
                let Span { start, end } = issue.span();
                assert!(start <= end && end as usize <= text.len() && !issue.reason().is_empty(), "{text}");
            }
        }
    }
}

#[test]
fn thousands_of_rules_are_read() {
    let variants = (0..3000).map(|n| read_rules(&format!("name = 'rules-{n}'\nbase = 'russian'")));
    assert!(variants.zip(0..).all(|(variant, n)| variant.is_ok_and(|read| read.name() == format!("rules-{n}"))));
}
