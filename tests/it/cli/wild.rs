//! Every construct known from real files: each game and each move is kept, and what is said about it is right.
//!
//! The numbers are those of the list of constructs that the reader was made from.

use crate::support::binary::{Folder, numbers, only, pdn_with};
use crate::support::library::{codes, game, games};
use pdn::text::Encoding;
use serde_json::{Value, json};

const GAME: &str = "[GameType \"20\"]\n";

/// Number of the construct, text after the usual tag, diagnostics, and the moves of all games with `#` after those that
/// could not be played and `|` between games.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

/// Texts after `[GameType "20"]`.
static INTERNATIONAL: &[Row] = &[
    ("1", "[Site \"\"]\\r\n1.\\r\n32-28 19-23 *", &["warning syntax/typed-escape"], "32-28 19-23"),
    ("2", "[Empty]\n1. 32-28 *", &["warning syntax/empty-tag"], "32-28"),
    (
        "3",
        "1. 32-28 *\n\nEvent \"b\"]\n[GameType \"20\"]\n1. 31-27 *",
        &["warning syntax/missing-opening-bracket"],
        "32-28 | 31-27",
    ),
    (
        "4",
        "[&#x00c9;v \"Finale\"]\n[Type de jeu \"20\"]\n1. 32-28 *",
        &["warning syntax/tag-name", "warning syntax/tag-name"],
        "32-28",
    ),
    ("5", "[Event \"Championnat d\\\\\\'Afrique\"]\n1. 32-28 *", &["note tag/backslash"], "32-28"),
    ("6", "[Event \"x\"]  1.33-29 19-23 2.39-33 *", &[], "33-29 19-23 39-33"),
    ("7", "[Result \"-\"]\n1.33-29 19-23 2.35-30 -", &["warning syntax/dash-result"], "33-29 19-23 35-30"),
    ("8", "[\n[Event \"48th\"]\n1. 32-28 *", &["warning syntax/stray-bracket"], "32-28"),
    ("9", "\t1. 32-28\t19-23\n\t2. 28x19\t14x23\n\t*", &[], "32-28 19-23 28x19 14x23"),
    ("10", "[Result \" 0-2\"]\n1. 32-28 0-2", &["note tag/padded-value"], "32-28"),
    ("11", "1. 32-28 {[%clock w1:29:46 B1:29:40]} *", &[], "32-28"),
    ("12", "1. 32-28 (1... 19-23) 1... 20-25 *", &["note replay/variation-shifted"], "32-28 20-25"),
    ("15", "[Round \"11.1]\n[White \"A\"]\n1. 32-28 *", &["error syntax/unclosed-string"], "32-28"),
    ("16", "[Round 17]\n1. 32-28 *", &["warning syntax/unquoted-value"], "32-28"),
    ("17", "[Game # 612]\n1. 32-28 *", &["warning syntax/unquoted-value"], "32-28"),
    ("19", "1. 32-28 19-23 2. - - *", &["warning syntax/null-move", "warning syntax/null-move"], "32-28 19-23 - -"),
    ("20", "[Event       \"XXXIII\"]\n1. 32-28 *", &[], "32-28"),
    ("21", "[FEN \"W:W41,42:B03,04. \"]\n1. 41-37 03-09 *", &["note tag/padded-value"], "41-37 03-09"),
    ("22", "1.    19-23 2. 32-28 *", &["warning move/side"], "19-23 32-28"),
    ("23", " [SetUp \"1\"]\n [FEN \"W:W41:B3\"]\n1. 41-37 *", &[], "41-37"),
    ("25", "[Comment \"C:\\nemesis\\games\\x.xml\"]\n1. 32-28 *", &["note tag/backslash"], "32-28"),
    (
        "26",
        "1. 32-28 (Roberto's first choice, the Wilderness 1.) 19-23 *",
        &["warning syntax/prose-in-parentheses"],
        "32-28 19-23",
    ),
    ("27", "1. 32-28 19-23 2. 28-19 14-23 *", &["warning move/sign", "warning move/sign"], "32-28 19-23 28-19 14-23"),
    ("28", "8. 32-28 19-23 9n 28x19 14x23 *", &["warning syntax/number-typo"], "32-28 19-23 28x19 14x23"),
    ("29", "1. 32-28 19-23Redoversteppedthetimecontrol *", &["warning syntax/missing-blank"], "32-28 19-23"),
    ("30", "1. 32-28 {18-142-727-1820x27 32x23} 19-23 *", &[], "32-28 19-23"),
    ("31", "1. 32-28 19-23* {loses} 2. 28x19 *", &["warning syntax/forced-star"], "32-28 19-23 28x19"),
    ("32", "1.\n32-28\n19-23 2.\n28x19 *", &[], "32-28 19-23 28x19"),
    (
        "33",
        "1. !32-28 19-23 ! 2. 28x19 *",
        &["warning syntax/strength-before", "warning syntax/strength-apart"],
        "32-28 19-23 28x19",
    ),
    ("34", "1. 32-28 (  ( 1.  31-27     20-24 ) ) 19-23 *", &["note move/variation-first"], "32-28 19-23"),
    (
        "35",
        "1. 32-28 ((( 1... 20-24 *\n\n[Event \"b\"]\n[GameType \"20\"]\n1. 31-27 *",
        &[
            "warning syntax/unclosed-variation",
            "note move/variation-first",
            "note move/variation-first",
            "note replay/variation-shifted",
        ],
        "32-28 | 31-27",
    ),
    ("38", "[FEN \"W:W47,48:B7,8\"]\n1. 47-42  7-11 2. 48-43  8-12 3. 42-38 *", &[], "47-42 7-11 48-43 8-12 42-38"),
    ("39", "01. 32-28  19-23\r\n02. 28x19 14x23\n *", &[], "32-28 19-23 28x19 14x23"),
    ("40", "[Result \"4-6\"]\n1. 32-28 4-6", &["warning syntax/score"], "32-28"),
    ("41", "1. 32-28 . 2-0", &["warning syntax/stray-period"], "32-28"),
    ("42", "1. ... 19-23 *", &[], "19-23"),
    ("43", "1. 32-28 { nested { comment } } 19-23 *", &["warning syntax/nested-comment"], "32-28 19-23"),
    ("44", "1. 32-28(!?!!!) *", &[], "32-28"),
    ("45", "[FEN \"?:W29,13,11:B22,4,2\"]\n*", &[], ""),
    ("46", "1. 3228 1823 *", &["warning syntax/missing-separator", "warning syntax/missing-separator"], "3228 1823"),
    ("47", "[Event \"a \\\"b\\\"\"] 32-28 *", &[], "32-28"),
    ("49", "1. 32-28 19-23 ( { Meestal eerst } 1... 20-24 ) 2. 28x19 *", &[], "32-28 19-23 28x19"),
    ("50", "1. 32-28 {[%drgnode 17 18][%eval -0.032][%egt 0:0:6.38]} *", &[], "32-28"),
    ("51", "[Result \"0-2\"]\n1. 32-28 2-0", &["warning result/mismatch"], "32-28"),
    ("52", "[FEN \"W:W31:B1\"] *\n\n[FEN \"W:W31:B1\"]\n[GameType \"20\"]\n*", &[], " | "),
    ("53", "[Date \"9999.99.99 - x\"]\n32-28 *", &["warning tag/date"], "32-28"),
    ("54", "[Setup \"1\"]\n[FEN \"W:W31:B1\"]\n1. 31-27", &["note tag/spelling"], "31-27"),
    (
        "56",
        "[FEN \"W:WK47:B42,29,14,31,19\"]\n1. 47x36 <42, 29, 14, 31> *",
        &["note syntax/captured-list"],
        "47x36 <42, 29, 14, 31>",
    ),
    ("57", "[FEN \"W:WK47:B42,29,14,31,19\"]\n1. 47x36 14-20 *", &["note move/ambiguous-resolved"], "47x36 14-20"),
    ("57b", "[FEN \"W:WK47:B42,29,14,31,19\"]\n1. 47x36 *", &["error move/ambiguous"], "47x36#"),
    ("58", "[FEN \"W:WK47:B38,24\"]\n1. 47x29x15 *", &["warning move/stops"], "47x29x15"),
    ("59", "38. 32-28 19-23 38. 28x19 14x23 *", &["warning move/number"], "32-28 19-23 28x19 14x23"),
    ("60", "1. 28-32 19-23 *", &["error move/illegal"], "28-32# 19-23#"),
];

/// Texts with tags of their own.
static OTHERS: &[Row] = &[
    (
        "13",
        "[Event \"x\"]\n1. ed4 dc5 2. fe3 cd6 *",
        &["warning syntax/ultra-short", "note replay/inferred-variant"],
        "ed4 dc5 fe3 cd6",
    ),
    ("14", "[GameType \"25\"]\n[Result \"1/2:1/2\"]\n1. c3-d4 1/2:1/2", &["warning syntax/colon-result"], "c3-d4"),
    (
        "18",
        "[GameType \"25\"]\n1. C3-D4 B6-A5 2. D4-C5 D6:B4 3. A3:C5 *",
        &["warning syntax/upper-case"],
        "C3-D4 B6-A5 D4-C5 D6:B4 A3:C5",
    ),
    ("24", "[GameType \"20\"]\n[Event \"40\u{b0}\"]\n32-28 *", &[], "32-28"),
    (
        "27",
        "[GameType \"21\"]\n[FEN \"B:W16,24,27:B12,1\"]\n1. 12-19-28 *",
        &["warning syntax/dashed-capture", "warning move/sign"],
        "12-19-28",
    ),
    (
        "36",
        "[GameType \"20\"]\n1.e3-d4 h6-g5 2. d4-e5 f6xd4 *",
        &["warning tag/game-type-contradicted"],
        "e3-d4 h6-g5 d4-e5 f6xd4",
    ),
    ("37", "123 45\n[GameType \"20\"]\n1. 32-28 *", &["warning syntax/stray-text"], "32-28"),
    ("46", "[GameType \"25\"]\n1.c3d4 b6a5 *", &[], "c3d4 b6a5"),
    ("48", "[Bianco \"a\"] [Nero \"b\"]\n1. 22-18 12-16 *", &["note replay/inferred-variant"], "22-18 12-16"),
    (
        "55",
        "[GameType \"21\"]\n[FEN \"B:W16,24,27:B12,1\"]\n1. 12x19 19x28 *",
        &["warning move/split-capture"],
        "12x19 19x28",
    ),
    ("58", "[GameType \"29\"]\n[FEN \"W:WKa1:Bd4,g7\"]\n1. a1xf6xh8 *", &["warning move/stops"], "a1xf6xh8"),
    ("61", "[GameType \"20,W,10,10,N1,0\"]\n1. 32-28 19-23 *", &["warning tag/game-type-contradicted"], "32-28 19-23"),
];

fn moves(game: &Value) -> String {
    let text = |row: &Value| {
        let mark = if row["legal"] == true { "" } else { "#" };
        format!("{}{mark}", row["written"].as_str().expect("a text"))
    };
    game["moves"].as_array().expect("a list").iter().map(text).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_row(number: &str, text: &str, wanted: &[&str], kept: &str) {
    let asides = ["note tag/set-up-missing", "note tag/translated"];
    let reported: Vec<_> = codes(text).into_iter().filter(|code| !asides.contains(&code.as_str())).collect();
    assert_eq!(reported, wanted, "{number}: {text:?}");
    let all: Vec<_> = games(text).iter().map(moves).collect();
    assert_eq!(all.join(" | "), kept, "{number}: {text:?}");
}

#[test]
fn every_construct_is_kept_and_reported() {
    for (number, text, wanted, kept) in INTERNATIONAL {
        assert_row(number, &format!("{GAME}{text}\n"), wanted, kept);
    }
    for (number, text, wanted, kept) in OTHERS {
        assert_row(number, text, wanted, kept);
    }
}

#[test]
fn encodings_are_read() {
    let latin = b"[Event \"40\xb0\"]\n[GameType \"20\"]\n1. 32-28 {\xe9} *";
    assert_eq!(codes(latin), ["note tag/encoding"]);
    assert_eq!((&game(latin)["tags"]["Event"], &game(latin)["moves"][0]["comment"]), (&json!("40°"), &json!("é")));
    for odd in ["\u{feff}1. 32-28 *", "1. 32-28 *\u{1a}", "1. 32-28\u{0} *", "1.\u{a0}32-28 *", "\r1. 32-28\r*\r"] {
        assert_eq!(moves(&game(odd)), "32-28", "{odd:?}");
    }
    // The no-break space of the Windows code pages is one byte, which also ends `à` in UTF-8.
    for odd in [
        &b"[GameType \"20\"]\n1.\xa032-28\xa019-23\xa02.\xa028x19 14x23\xa01-1\xa0\n"[..],
        b"[GameType \"20\"]\n[Event \"citt\xc3\xa0\"]\n\xc2\xa01. 32-28\xc2\xa019-23 2. 28x19 14x23 1-1",
    ] {
        assert_eq!(moves(&game(odd)), "32-28 19-23 28x19 14x23", "{}", odd.escape_ascii());
        assert_eq!(game(odd)["result"]["terminator"], "1-1");
    }
    let accents = game("[GameType \"20\"]\n1. 32-28 à 19-23 *");
    assert_eq!((moves(&accents).as_str(), &accents["moves"][0]["comment"]), ("32-28 19-23", &json!("à")));
    // In cp866 it is a letter, and a word.
    let words =
        Encoding::Cp866.encode("[GameType \"25\"]\n1. c3-d4 d6-c5 а потом а 2. b2-c3 *").expect("letters of cp866");
    assert_eq!(games(&words)[0]["moves"][1]["comment"], "а потом а");
    // Dashes of Windows are letters in cp866.
    let dashes = "[White \"Иванов\"]\n[Black \"Петров\"]\n[GameType \"20\"]\n\n1. 32–28 19–23 2. 28:19 14:23 3. 37–32 10–14 1–1\n";
    let dashes = game(Encoding::Cp1251.encode(dashes).expect("letters of cp1251"));
    assert_eq!((&dashes["tags"]["White"], &dashes["result"]["winner"]), (&json!("Иванов"), &json!("draw")));
}

#[test]
fn the_values_of_odd_tags_are_right() {
    let tag = |text: &str, name: &str| game(format!("{text}\n{GAME}*"))["tags"][name].clone();
    assert_eq!(tag("[Round \"11.1]", "Round"), "11.1");
    assert_eq!(tag("[Round 17]", "Round"), "17");
    assert_eq!(tag("[Game # 612]", "Game"), "# 612");
    assert_eq!(tag("[Empty]", "Empty"), "");
    assert_eq!(tag("[Result \" 0-1\"]", "Result"), " 0-1");
    assert_eq!(tag("[Event \"a \\\"b\\\" c\"]", "Event"), "a \"b\" c");
    assert_eq!(tag("[Event \"a\"]\n[Event \"b\"]", "Event"), "a");
    assert_eq!(tag("[Event \"\"]", "Event"), "");
    assert_eq!(tag("[Type de jeu \"20\"]", "Type de jeu"), "20");
}

#[test]
fn damaged_quotation_marks_leave_the_name_and_the_value() {
    const REPAIRED: &str = "[Site \"New York\"]";
    for (tag, code) in [
        ("[Site New York\"]", "warning syntax/unquoted-value"),
        ("[Site 'New York']", "warning syntax/unquoted-value"),
        ("[Site \u{201c}New York\u{201d}]", "warning syntax/unquoted-value"),
        ("[Site New York]", "warning syntax/unquoted-value"),
        ("[Site: New York]", "warning syntax/unquoted-value"),
        ("[Site: \"New York\"]", "warning syntax/tag-name"),
        ("[Site = \"New York\"]", "warning syntax/tag-name"),
        ("[Site \"New York]", "error syntax/unclosed-string"),
    ] {
        // The fast reader takes the games with a GameType and without variations, and another one all others.
        for (head, variation) in [(GAME, ""), ("", "(1. 33-29)")] {
            let text = format!("[Event \"E\"]\n{tag}\n{head}\n1. 32-28 {variation} 19-23 2. 28x19 14x23 *\n");
            let reported: Vec<_> = codes(&text).into_iter().filter(|code| code.contains("syntax/")).collect();
            assert_eq!(reported, [code], "{text}");
            assert_eq!(game(&text)["tags"]["Site"], "New York", "{text}");
            let folder = Folder::with("game.pdn", &text);
            let found = folder.run(&["search", "--where", "Site = \"New York\"", "--count", "game.pdn"]).is(0);
            assert_eq!(found.text().trim(), "1", "{text}");
            for options in [&["fmt"][..], &["fmt", "--fix"], &["edit", "--set", "Site=New York"]] {
                let written = folder.run(&[options, &["game.pdn"]].concat());
                assert!(options[0] == "edit" || written.text().contains(REPAIRED), "{options:?} {}", written.text());
                assert_eq!(game(written.text())["tags"]["Site"], "New York", "{options:?} {}", written.text());
            }
        }
    }
}

#[test]
fn marks_clocks_and_values_are_read() {
    let first = |text: &str| game(format!("{GAME}1. {text} *"))["moves"][0].clone();
    assert_eq!(first("32-28* {x}")["nags"], json!([7]));
    assert_eq!(first("!32-28")["nags"], json!([1]));
    assert_eq!(first("32-28(?!) $140")["nags"], json!([6, 140]));
    assert_eq!(first("32-28 {[%clock w1:29:46 B1:29:40]}")["clock"], 5386.0);
    assert_eq!(first("32-28 {[%eval -0.032]}")["eval"], json!({"cm": -3}));
}

#[test]
fn signs_of_any_kind_are_read_and_written_plainly() {
    let whole = |text: &str| {
        let text = format!("{GAME}{text}");
        let found = game(&text);
        assert_eq!(found["plies"], 4, "{text}");
        let fmt = pdn_with(&text, &["fmt", "-"]).is(0);
        let moves = fmt.text().replace("{x} 1... ", "");
        assert!(moves.contains("1. 32-28 19-23 2. 28x19 14x23 "), "{text}: {}", fmt.text());
    };
    for dash in
        "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{2043}\u{207b}\u{2d7}\u{fe58}\u{fe63}\u{ff0d}"
            .chars()
    {
        whole(&format!("1. 32{dash}28 19{dash}23 2. 28x19 14x23 *"));
    }
    for cross in "×хХχΧ✕✖⨉⨯☓╳\u{ff58}\u{ff38}\u{2236}\u{ff1a}".chars() {
        whole(&format!("1. 32-28 19-23 2. 28{cross}19 14{cross}23 *"));
    }
    for dots in [
        "\u{2009}…\u{2009}",
        "\u{2009}.\u{2009}.\u{2009}. ",
        "\u{2024}\u{2024}\u{2024} ",
        "\u{ff0e}\u{ff0e}\u{ff0e}",
        "\u{a0}...\u{a0}",
    ] {
        whole(&format!("1. 32-28 {{x}} 1{dots}19-23 2. 28x19 14x23 *"));
    }
    for (result, style) in [
        ("0.5-0.5", "draw"),
        ("0,5-0,5", "draw"),
        ("½-0.5", "draw"),
        ("2.0-0.0", "W"),
        ("1⁄2-1⁄2", "draw"),
        ("½½", "draw"),
        ("2\u{2236}0", "W"),
        ("½\u{2212}½", "draw"),
    ] {
        let found = game(format!("{GAME}1. 32-28 19-23 2. 28x19 14x23 {result}"));
        assert_eq!((&found["plies"], &found["result"]["winner"]), (&json!(4), &json!(style)), "{result}");
    }
}

#[test]
fn games_in_a_list_of_an_object_are_read() {
    let game = |moves: &str| format!("{{\"id\":\"a\",\"variant\":\"standard\",\"moves\":\"{moves}\"}}");
    let text = format!("{{\"event\":\"x\",\"games\":[{},\n {}]}}\n", game("32-28 19-23"), game("31-27"));
    let rows = games(&text);
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["plies"], &rows[1]["plies"]), (&json!(2), &json!(1)));
    let fmt = pdn_with(&text, &["fmt", "-"]).is(0);
    assert!(fmt.text().contains("1. 32-28 19-23 *") && fmt.text().contains("1. 31-27 *"), "{}", fmt.text());
    assert_eq!(codes("{\"games\":[{\"id\":\"a\"}]}").len(), 1);
}

#[test]
fn variants_are_inferred_from_squares_and_moves() {
    for (text, variant) in [
        ("1. 32-28 *", "international"),
        ("1. 33-28 31-13 *", "international"),
        ("1. 33-28 19-23 2. 99-98 *", "international"),
        ("1. ... 19-23 *", "international"),
        ("1... 19-23 *", "international"),
        ("[FEN \"W:W31-50:B1-20\"] *", "international"),
        ("[FEN \"w:w31,46:b12,20\"] 1. 31-27 *", "international"),
        ("1. 11-15 23-19 2. 8-11 *", "english"),
        ("1. 11-15 22-18 2. 15x22 25x18 3. 12-99 *", "english"),
        ("1. 22-18 12-16 2. 21-17 *", "italian"),
        ("1. 10-13 23-20 2. 12-16 *", "spanish"),
        ("1. c3-d4 d6-c5 2. b2-c3 *", "russian"),
        ("1. cd4 dc5 *", "russian"),
        ("[GameType \"?\"] 1. 32-28 *", "international"),
        ("[GameType \"777\"] 1. 32-28 19-23 *", "international"),
        ("[GameType \"99\"] 1. 32-28 *", "international"),
    ] {
        assert_eq!(game(text)["variant"], variant, "{text}");
    }
    for text in [
        "1. 3-1 2-9 *",
        "1. - - *",
        "[FEN \"W:W31,27:B17,12\"] *",
        "[GameType \"0\"] 1. e4 e5 *",
        "[GameType \"50\"] *",
    ] {
        assert_eq!(game(text)["variant"], Value::Null, "{text}");
    }
    assert_eq!(codes("[SetUp \"1\"] [FEN \"W:W31,27:B17,12\"] *"), ["warning replay/unknown-variant"]);
}

#[test]
fn an_inference_names_the_variants_that_fit_alike() {
    let message = |text: &str| {
        let diagnostics = pdn_with(text, &["check", "--format", "json", "-"]).diagnostics();
        only(&diagnostics, "replay/inferred-variant")["message"].as_str().expect("a message").to_owned()
    };
    let ten = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10";
    for (text, counts) in [(format!("{ten} *"), "10 of 10"), (format!("{ten} 6. 32-1 *"), "10 of 11")] {
        let expected = format!("taken as international: {counts} moves fit; equally likely: frisian");
        assert_eq!(message(&text), expected, "{text}");
    }
    assert_eq!(message("1. 22-19 10-14 2. 19x10 5x14 *"), "taken as italian: 4 of 4 moves fit");
}

#[test]
fn hyphens_are_the_sign_of_captures_in_thai_alone() {
    let game = |number: &str, text: &str| format!("[GameType \"{number}\"]\n{text}");
    let thai = "[SetUp \"1\"]\n[FEN \"B:B22:W18,10\"]\n1. 22-6 *";
    assert_eq!(codes(game("31", thai)), [""; 0]);
    assert_eq!(codes(game("31", &thai.replace("22-6", "22x6"))), [""; 0]);
    assert_eq!(codes(game("20", "1. 32-28 19-23 2. 28-19 14x23 *")), ["warning move/sign"]);
}

#[test]
fn positions_and_sides() {
    for (tags, text, start, sides) in [
        ("[FEN \"B:W31:B20\"]", "1... 20-24 2. 31-27", "B:W31:B20", "BW"),
        ("[FEN \"B:W31:B20\"]", "1. 20-24 31-27", "B:W31:B20", "BW"),
        ("[FEN \"W:W31:B20\"]", "1. 20-24 31-27", "B:W31:B20", "BW"),
        ("[FEN \"?:W31:B20\"]", "1. 20-24 31-27", "B:W31:B20", "BW"),
        ("[FEN \"?:W31:B20\"]", "1. 31-27 20-24", "W:W31:B20", "WB"),
        ("[FEN \"W:W31:B20\"]", "1. 31-27 -- 2. 27-22", "W:W31:B20", "WBW"),
        ("[FEN \"W:W31:B20\"]", "1. 31-27 ... 2. 27-22", "W:W31:B20", "WW"),
        ("[FEN \"W:W31:B20\"]", "1. 31-27 /FEN \"W::\"/ 2. 27-22", "W:W31:B20", "WW"),
        ("[FEN \"W:W31:B20\"]", "1. 31-27 /FEN \"W:W41:B20\"/ 2. 41-37", "W:W31:B20", "WW"),
    ] {
        let game = game(format!("{GAME}{tags}\n{text} *"));
        assert_eq!(game["start_fen"], start, "{tags} {text}");
        assert_eq!(game["legal"], true, "{tags} {text}");
        let reported = game["moves"].as_array().expect("a list").iter().filter_map(|row| row["side"].as_str());
        assert_eq!(reported.collect::<String>(), sides, "{tags} {text}");
    }
}

#[test]
fn a_variation_of_the_other_side_is_read_where_its_dots_say() {
    let game = game(format!("{GAME}1. 32-28 (1... 5-10) 1... 20-25 *"));
    let reported: Vec<_> = game["diagnostics"].as_array().expect("a list").iter().map(|found| &found["code"]).collect();
    assert_eq!(reported, ["replay/variation-shifted", "move/illegal"]);
    assert_eq!(game["moves"][0]["variations"][0][0]["side"], "B");
    assert!(game["diagnostics"][1]["message"].as_str().is_some_and(|message| message.contains("cannot move to 10")));
}

#[test]
fn absurd_texts_are_survived() {
    let deep = format!("{GAME}1. 32-28 {} 19-23 *", "(1. 31-27 ".repeat(50_000));
    assert_eq!(moves(&game(deep)), "32-28");
    let open = format!("{GAME}1. 32-28 {}", "(".repeat(100_000));
    assert_eq!(numbers(&game(open), ["written"]), [1]);
    let long = game(format!("[Event \"{}\"]\n{GAME}1. 32-28 *", "x".repeat(3_000_000)));
    assert_eq!(long["tags"]["Event"].as_str().map(str::len), Some(3_000_000));
    let squares = game(format!("{GAME}99999999999. 0-5 51-3 4294967296-1 *"));
    assert_eq!(moves(&squares), "0-5# 51-3# 4294967296-1#");
    let message = game(format!("{GAME}1. 4294967296-1 *"))["diagnostics"][0]["message"].clone();
    assert!(message.as_str().expect("a text").contains("no square 4294967296"), "{message}");
    for text in
        ["[", "]", "{", "}", "(", ")", "/", "\\", "%", ";", "$", "\"", "[[[[", "1.", "-", "\u{0}", "[\"]", "[A \""]
    {
        codes(text);
        codes(format!("{GAME}1. 32-28 {text}"));
    }
}

/// Text after the tags, and for each game its moves and what ends it.
const ENDS: &[(&str, &[(&str, &str)])] = &[
    // A score or hyphen ends a game, with any text between it and the next one.
    ("1. 32-28 19-23 4-6\n\n{about b}\n[Event \"b\"]\n1. 33-28 *", &[("32-28 19-23", "4-6"), ("33-28", "*")]),
    ("1. 32-28 19-23 4-6\n[\n[Event \"b\"]\n1. 33-28 *", &[("32-28 19-23", "4-6"), ("33-28", "*")]),
    ("1. 32-28 19-23 4-6\n% c\n[Event \"b\"]\n1. 33-28 *", &[("32-28 19-23", "4-6"), ("33-28", "*")]),
    ("1. 32-28 19-23 4-6 {c} ; d", &[("32-28 19-23", "4-6")]),
    ("1. 32-28 19-23 4-6\n\n1. 33-28 *", &[("32-28 19-23", "4-6"), ("33-28", "*")]),
    ("1. 32-28 19-23 -\n13\n[Event \"b\"]\n1. 33-28 *", &[("32-28 19-23", "-"), ("33-28", "*")]),
    ("1. 32-28 19-23 -\\r\n[Event \"b\"]\n1. 33-28 *", &[("32-28 19-23", "-"), ("33-28", "*")]),
    ("1. 32-28 19-23 -\n\n{next}\n1. 31-27 *", &[("32-28 19-23", "-"), ("31-27", "*")]),
    ("1. 32-28 19-23 - {lost on time}", &[("32-28 19-23", "-")]),
    ("-\n[Event \"b\"]\n1. 33-28 *", &[("", "-"), ("33-28", "*")]),
    // A hyphen that something of the game follows is a null move.
    ("1. 32-28 - {c} 2. 33-29 *", &[("32-28 - 33-29", "*")]),
    ("- - *", &[("- -", "*")]),
    ("- 19-23 *", &[("- 19-23", "*")]),
    ("- see the book *", &[("", "*")]),
    // Directly after the tags it is a null move, a dash in a text, or alone the result.
    ("-\n\n1. 32-28 19-23 *", &[("32-28 19-23", "*")]),
    ("-\n1. 32-28 *", &[("32-28", "*")]),
    ("- {c} 1. 32-28 *", &[("32-28", "*")]),
    ("- (see below) 1. 32-28 *", &[("32-28", "*")]),
    ("- 12.3.2000 1. 32-28 *", &[("32-28", "*")]),
    ("-\n[Site \"x\"]\n1. 32-28 *", &[("32-28", "*")]),
    ("-\n[EventDate \"x\"]\n1. 32-28 *", &[("32-28", "*")]),
    ("-\n\n[Site \"x\"]\n1. 32-28 *", &[("", "-"), ("32-28", "*")]),
    // Results in a variation end nothing, even after empty lines.
    ("1. 32-28 (1. 33-28 19-23 2-0\n\n2. 28x19) 18-23 *", &[("32-28 18-23", "*")]),
    ("1. 32-28 (1. 33-28 2-0\n\n1. 33-28 19-23 0-2) 19-23 *", &[("32-28 19-23", "*")]),
    ("1. 32-28 (1. 33-28 - {eq}\n\n1. 33-28) 19-23 *", &[("32-28 19-23", "*")]),
    // A star after a misspelt move marks that.
    ("1. 32-28 19-23 2. 28xl9* 14x23 *", &[("32-28 19-23 14x23", "*")]),
];

#[test]
fn results_end_games_and_hyphens_do_where_nothing_follows() {
    for (text, wanted) in ENDS {
        let found: Vec<_> = games(format!("[Result \"4-6\"]\n{GAME}{text}\n"))
            .iter()
            .map(|game| (moves(game).replace('#', ""), game["result"]["terminator"].clone()))
            .collect();
        let wanted: Vec<_> = wanted.iter().map(|(moves, end)| ((*moves).to_owned(), json!(end))).collect();
        assert_eq!(found, wanted, "{text:?}");
    }
}

#[test]
fn a_comment_after_a_score_belongs_to_the_next_game() {
    let text = format!("[Result \"4-6\"]\n{GAME}1. 32-28 4-6\n\n{{about b}}\n[Event \"b\"]\n{GAME}1. 33-28 *\n");
    let comments: Vec<_> = games(text).iter().map(|game| game["comment"].clone()).collect();
    assert_eq!(comments, [Value::Null, json!("about b")]);
}

#[test]
fn a_letter_for_a_digit_is_an_error_and_one_for_a_dot_is_none() {
    for word in ["l4x23", "I4x23", "14xZ3!", "1A-23"] {
        let reported = codes(format!("{GAME}1. 32-28 19-23 2. 28x19 {word} *"));
        let code = if word == "1A-23" { "warning syntax/stray-text" } else { "error syntax/letter-for-digit" };
        assert_eq!(reported, [code], "{word}");
    }
    let prose = [
        "O-O",
        "so-so",
        "1-O",
        "B-side",
        "B-2",
        "G-20",
        "is-12",
        "S-1",
        "go-2",
        "zz-10",
        "go:20",
        "5-S",
        "l1-11",
        "8B-2",
        "1,5-0,5",
        "31,32-38,40",
        "12;5-10",
        "1,5-10",
    ];
    for prose in prose {
        assert_eq!(codes(format!("{GAME}1. 32-28 19-23 {prose} *")), ["warning syntax/stray-text"], "{prose}");
    }
    let text = format!("{GAME}1,32-28 19-23 2;28x19 14x23 *");
    assert_eq!(codes(&text), ["warning syntax/number-typo"; 2]);
    assert_eq!(moves(&game(text)), "32-28 19-23 28x19 14x23");
}

#[test]
fn numbers_are_counted_from_the_side_that_begins() {
    for (text, wrong) in [
        ("1. 32-28 19-23 2. 28x19 3. 14x23 4. 33-28", 1),
        ("1. 32-28 2. 19-23 2. 28x19", 1),
        ("1. 32-28 1. 19-23 2. 28x19", 0),
        ("1. 32-28 1... 19-23 2. 28x19", 0),
        ("1... 19-23 2. 32-28", 0),
        ("1. ... 19-23 2. 32-28", 0),
        ("1. 32-28 ... 2. 33-29", 0),
        ("1. 32-28 19-23 2. ... 23x32 3. 37x28", 0),
        ("1. 32-28 l9-23 2. 28x19", 0),
        ("38. 32-28 19-23 39. 28x19", 0),
        ("1. 32-28 (1. 33-28 2. 19-23) 19-23 2. 28x19", 1),
        ("1. 32-28 19-23 22. 28x19 14x23 3. 33-28", 1),
        // After a FEN the side that the numbers count from is unknown.
        ("[FEN \"B:W32,33:B18,19\"] 1. 19-23 2. 32-27 2... 18-22", 0),
        ("[FEN \"B:W32,33:B18,19\"] 1. 19-23 32-27 2. 18-22", 0),
        ("[FEN \"B:W32,33:B18,19\"] 1. 19-23 32-27 3. 18-22", 1),
    ] {
        let reported = codes(format!("{GAME}{text} *"));
        assert_eq!(reported.iter().filter(|code| code.ends_with("move/number")).count(), wrong, "{text}: {reported:?}");
    }
}

#[test]
fn a_variant_that_is_asked_for_overrules_every_game_type_with_a_note() {
    for game_type in ["25", "50", "0", "xyz", "20,W,10,10,N1,0", "20,W,8,8,N2,0"] {
        let text = format!("[GameType \"{game_type}\"]\n1. 32-28 19-23 *");
        let run = pdn_with(text, &["check", "--variant", "20", "--format", "json", "-"]);
        let reported: Vec<_> =
            run.diagnostics().iter().map(|found| (found["code"].clone(), found["severity"].clone())).collect();
        assert_eq!(reported, [(json!("replay/variant-overridden"), json!("note"))], "{game_type}");
    }
    for game_type in ["20", "20,W,10,10,N2,0", "?", ""] {
        let text = format!("[GameType \"{game_type}\"]\n1. 32-28 19-23 *");
        assert!(pdn_with(text, &["check", "--variant", "20", "--format", "json", "-"]).diagnostics().is_empty());
    }
}

#[test]
fn games_that_are_not_replayed_have_one_warning() {
    for text in ["[GameType \"1\"]\n1. e2-e4 *", "[GameType \"50\"]\n1. 32-28 *"] {
        assert_eq!(codes(text), ["error tag/game-type", "warning replay/unknown-variant"], "{text}");
        assert_eq!(game(text)["start_fen"], Value::Null);
    }
    let unplayable = format!("{GAME}[SetUp \"1\"]\n[FEN \"W:W3:B\"]\n1. 31-27 *");
    assert_eq!(game(unplayable)["start_fen"], "W:W3:B");
}

#[test]
fn diagnostics_quote_text_in_its_encoding() {
    let byte = |letter: char| if letter.is_ascii() { letter as u8 } else { (letter as u32 - 0x410 + 0xC0) as u8 };
    let bytes: Vec<u8> =
        "[Event \"Турнир городов\"]\n[GameType \"20\"]\n1. 32-28 Привет *\n\n{Конец}".chars().map(byte).collect();
    let findings = pdn_with(bytes, &["check", "--format", "json", "-"]).diagnostics();
    assert_eq!(only(&findings, "syntax/stray-text")["message"], "stray text: `Привет`");
    assert_eq!(only(&findings, "syntax/stray-comment")["message"], "comment outside any game: `{Конец}`");
}
