//! Edits of games: the bytes of their places change, and no others.

#![expect(clippy::print_stdout, reason = "the numbers of edits")]

use std::num::NonZeroUsize;

use pdn::board::Side;
use pdn::check::{CheckOptions, Checking, reviews};
use pdn::edit::{Change, EditableGame, GameEdits, GameSelection, Refusal, Repairs};
use pdn::export::write_pdn;
use pdn::notation::{GameRecord, Outcome};
use pdn::records::{EditRow, GameRow, MoveRow, Origin, game_row};
use pdn::rules::{Position, Variant};
use pdn::source::{ChunkOptions, Event, Input, Pipeline};
use serde_json::json;

use crate::support::corpus::{corpus, records};
use crate::support::sources::root;

/// The result of an edit.
#[derive(Default)]
struct Edited {
    text: Vec<u8>,
    rows: Vec<EditRow>,
    address: Option<String>,
    refused: Vec<String>,
}

impl Edited {
    fn of(bytes: &[u8], game: u64, changes: Vec<Change>) -> Self {
        run(bytes, &Checking::new(GameEdits::new(GameSelection::Number(game), changes), CheckOptions::default()))
    }

    fn repaired(bytes: &[u8]) -> Self {
        run(bytes, &Checking::new(Repairs, CheckOptions::default()))
    }

    /// Returns the text; fails if a place outside the edits changed.
    fn checked(self, bytes: &[u8]) -> Self {
        let (Some(first), Some(last)) = (self.rows.first(), self.rows.last()) else {
            assert_eq!(self.text, bytes);
            return self;
        };
        let (start, end) = (first.offset as usize, (last.offset + last.length) as usize);
        assert!(self.text.starts_with(&bytes[..start]) && self.text.ends_with(&bytes[end..]));
        self
    }
}

fn run<W>(bytes: &[u8], work: &Checking<W>) -> Edited
where
    W: pdn::check::GameWork<Done = pdn::edit::EditedChunk>,
{
    let mut edited = Edited::default();
    let inputs = vec![Ok(Input::stream("-", std::io::Cursor::new(bytes.to_vec())))];
    let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
    let done = pipeline.run(inputs, work, |event| {
        if let Event::Done(chunk) = event {
            edited.text.extend_from_slice(chunk.text());
            edited.rows.extend_from_slice(chunk.rows());
            edited.address = chunk.address().map(str::to_owned).or_else(|| edited.address.take());
            edited.refused.extend(chunk.refused().iter().map(|(game, reason)| format!("{game}: {reason}")));
        }
        Ok(())
    });
    done.expect("the edits");
    edited
}

fn change(value: serde_json::Value) -> Vec<Change> {
    vec![serde_json::from_value(value).expect("a change")]
}

fn edit(text: &str, value: &serde_json::Value) -> (String, Option<String>) {
    let edited = Edited::of(text.as_bytes(), 1, change(value.clone())).checked(text.as_bytes());
    assert_eq!(edited.refused, [""; 0], "{value}");
    (String::from_utf8(edited.text).expect("UTF-8"), edited.address)
}

#[test]
fn each_kind_of_change_replaces_its_place() {
    const GAME: &str = "[White \"A\"] [Black  'b\n[GameType \"20\"]\n\n1.32-28!? {[%clk 1] good}   19-23 (1...20-24  2.37-32 ; odd\n) 2.28x19\t14x23 3.37-32{[%eval 0.1]} 2-0\n";
    for (value, old, new, address) in [
        (json!({ "setTag": { "name": "White", "value": "\"C\"" } }), "[White \"A\"]", r#"[White "\"C\""]"#, None),
        (
            json!({ "setTag": { "name": "Round", "value": "3" } }),
            "[GameType \"20\"]",
            "[GameType \"20\"]\n[Round \"3\"]",
            None,
        ),
        (json!({ "removeTag": { "name": "White" } }), "[White \"A\"] ", "", None),
        (json!({ "comment": { "at": "1", "text": "bad }" } }), "{[%clk 1] good}", "{[%clk 1] bad )}", Some("1")),
        (json!({ "comment": { "at": "1", "text": "" } }), "{[%clk 1] good}", "{[%clk 1]}", Some("1")),
        // Part of a word is not kept as a text.
        (json!({ "comment": { "at": "1", "text": "goodbye" } }), "{[%clk 1] good}", "{[%clk 1] goodbye}", Some("1")),
        (json!({ "comment": { "at": "1", "text": "so good" } }), "{[%clk 1] good}", "{[%clk 1] so good}", Some("1")),
        (json!({ "comment": { "at": "5", "text": "c" } }), "{[%eval 0.1]}", "{[%eval 0.1] c}", Some("5")),
        (json!({ "comment": { "at": "2", "text": "a\nb" } }), "19-23", "19-23 {a b}", Some("2")),
        (json!({ "comment": { "at": "0", "text": "start" } }), "\n\n1.", "\n\n{start} 1.", None),
        (json!({ "comment": { "at": "2.1.2", "text": "odd move" } }), "; odd\n", "{move} ; odd\n", Some("2.1.2")),
        (json!({ "comment": { "at": "2.1.1", "text": "x", "before": true } }), "(1...", "({x} 1...", Some("2.1.1")),
        (json!({ "nags": { "at": "1", "nags": [2] } }), "32-28!?", "32-28?", Some("1")),
        (json!({ "nags": { "at": "1", "nags": [] } }), "32-28!?", "32-28", Some("1")),
        (json!({ "nags": { "at": "1", "nags": [5, 7] } }), "32-28!?", "32-28!? $7", Some("1")),
        (json!({ "nags": { "at": "3", "nags": [1] } }), "28x19\t", "28x19!\t", Some("3")),
        (
            json!({ "commands": { "at": "1", "values": { "clk": "0:59" } } }),
            "{[%clk 1] good}",
            "{[%clk 0:59] good}",
            Some("1"),
        ),
        (json!({ "commands": { "at": "1", "values": { "clk": null } } }), "{[%clk 1] good}", "{good}", Some("1")),
        (json!({ "commands": { "at": "5", "values": { "eval": null } } }), "{[%eval 0.1]}", "", Some("5")),
        (
            json!({ "commands": { "at": "5", "values": { "csl": "Y28,R3", "eval": null } } }),
            "{[%eval 0.1]}",
            "{[%csl Y28,R3]}",
            Some("5"),
        ),
        (
            json!({ "commands": { "at": "2", "values": { "cal": "G32-28", "csl": "R19", "emt": null } } }),
            "19-23",
            "19-23 {[%cal G32-28] [%csl R19]}",
            Some("2"),
        ),
        (
            json!({ "addMoves": { "at": "5", "moves": ["10-14", "41-37"], "clock": "4:59" } }),
            "0.1]} ",
            "0.1]} 3...10-14 4.41-37 {[%clk 0:04:59]} ",
            Some("7"),
        ),
        (
            json!({ "addMoves": { "at": "5", "moves": ["10-14", "41-37"] } }),
            "0.1]} ",
            "0.1]} 3...10-14 4.41-37 ",
            Some("7"),
        ),
        (json!({ "addMoves": { "at": "1", "moves": ["18-22"] } }), "; odd\n)", "; odd\n) (1...18-22)", Some("2.2.1")),
        (
            json!({ "addMoves": { "at": "2.1.1", "moves": ["28-23"] } }),
            "; odd\n)",
            "; odd\n(2.28-23)\n)",
            Some("2.1.2.1.1"),
        ),
        (
            json!({ "addMoves": { "at": "2.1.2", "moves": ["14-20"] } }),
            "; odd\n)",
            "; odd\n2...14-20\n)",
            Some("2.1.3"),
        ),
        (json!({ "remove": { "at": "2.1.1" } }), "19-23 (1...20-24  2.37-32 ; odd\n)", "19-23", Some("1")),
        (json!({ "remove": { "at": "2.1.2" } }), "20-24  2.37-32 ; odd\n)", "20-24\n)", Some("2.1.1")),
        (json!({ "remove": { "at": "3" } }), ") 2.28x19\t14x23 3.37-32{[%eval 0.1]} 2-0", ") 2-0", Some("2")),
        (
            json!({ "promote": { "at": "2.1.2" } }),
            "19-23 (1...20-24  2.37-32 ; odd\n) 2.28x19\t14x23 3.37-32{[%eval 0.1]} ",
            "1...20-24 (1...19-23 2.28x19\t14x23 3.37-32{[%eval 0.1]}) 2.37-32 ; odd\n ",
            Some("3"),
        ),
        (json!({ "replace": { "at": "4", "text": "23x14" } }), "14x23", "23x14", Some("4")),
        (
            json!({ "moveUp": { "at": "2.1.2" } }),
            "19-23 (1...20-24  2.37-32 ; odd\n) 2.28x19\t14x23 3.37-32{[%eval 0.1]} ",
            "1...20-24 (1...19-23 2.28x19\t14x23 3.37-32{[%eval 0.1]}) 2.37-32 ; odd\n ",
            Some("3"),
        ),
        (json!({ "evaluation": { "at": "5", "value": "-0.325" } }), "[%eval 0.1]", "[%eval -0.33]", Some("5")),
        (json!({ "evaluation": { "at": "5", "value": null } }), "{[%eval 0.1]}", "", Some("5")),
        (json!({ "evaluation": { "at": "1", "value": "#-7" } }), "[%clk 1]", "[%clk 1] [%eval #-7]", Some("1")),
        (json!({ "clock": { "at": "1", "value": "0:00:05" } }), "[%clk 1]", "[%clk 0:00:05]", Some("1")),
        (json!({ "clock": { "at": "1" } }), "{[%clk 1] good}", "{good}", Some("1")),
        (json!({ "clock": { "at": "5", "value": "90" } }), "[%eval 0.1]", "[%eval 0.1] [%clk 0:01:30]", Some("5")),
        (json!({ "result": { "text": "1-1" } }), "2-0", "1-1", None),
    ] {
        let (text, shown) = edit(GAME, &value);
        assert!(GAME.contains(old), "{value}");
        assert_eq!((text, shown.as_deref()), (GAME.replacen(old, new, 1), address), "{value}");
    }
}

#[test]
fn a_command_is_added_to_a_comment() {
    let (text, _) = edit("1. 32-28 {[%clk 1] good} *", &json!({ "comment": { "at": "1", "text": "good [%a b]" } }));
    assert_eq!(text, "1. 32-28 {[%clk 1] good [%a b]} *");
}

#[test]
fn a_result_changes_the_tag_that_is_read_as_it() {
    let old = "[Uitslag \"1-1\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1-1\n";
    let (text, _) = edit(old, &json!({ "result": { "text": "2-0" } }));
    assert_eq!(text, old.replace("1-1", "2-0"));
}

#[test]
fn variations_change_places() {
    const GAME: &str = "1. 32-28 19-23 (18-23 2. 31-27) {x} (17-21 (16-21)) (20-24) 2. 28x19 *";
    let up = |at: &str| edit(GAME, &json!({ "moveUp": { "at": at } }));
    let (text, shown) = up("2.2.1");
    assert_eq!(text, "1. 32-28 19-23 (17-21 (16-21)) {x} (18-23 2. 31-27) (20-24) 2. 28x19 *");
    assert_eq!(shown.as_deref(), Some("2.1.1"));
    assert_eq!(up("2.3.1").0, "1. 32-28 19-23 (18-23 2. 31-27) {x} (20-24) (17-21 (16-21)) 2. 28x19 *");
    let refused = Edited::of(GAME.as_bytes(), 1, change(json!({ "moveUp": { "at": "1" } }))).refused;
    assert_eq!(refused, ["1: it has no such move"]);
}

#[test]
fn games_in_memory_are_made_and_changed() {
    let start = Position::start(Variant::RUSSIAN);
    let moves = &start.legal_moves()[..1];
    let record = GameRecord::new(start, moves).players("A", "B").outcome(Some(Outcome::Win(Side::Black)));
    let end = Outcome::Win(Side::Black).result_text(Variant::RUSSIAN);
    let mut game = EditableGame::new(&record);
    assert_eq!((game.review().number(), game.review().has_errors()), (1, false));
    let first = game.review().game().main_moves().next().expect("a move");
    let key = game.key(first);
    let add = |at: &str, text: &str| Change::AddMoves { at: at.to_owned(), moves: vec![text.to_owned()], clock: None };
    let answer = game.apply(&[add("1", "b6-a5")]).expect("a legal move").expect("a move");
    let answer = game.key(answer);
    game.apply(&[add("1", "f6-g5")]).expect("a legal move");
    game.apply(&[add("0", "c3-b4")]).expect("a legal move");
    assert!(
        written(&game).ends_with(&format!("\n1. a3-b4 (1. c3-b4) b6-a5 (1... f6-g5) {end}\n")),
        "{}",
        written(&game)
    );
    game.apply(&[Change::Promote { at: "1.1.1".to_owned() }]).expect("a variation");
    assert!(
        written(&game).ends_with(&format!("\n1. c3-b4 (1. a3-b4 b6-a5 (1... f6-g5)) {end}\n")),
        "{}",
        written(&game)
    );
    let address = |key| game.find(key).and_then(|id| game.address(id));
    assert_eq!((address(key).as_deref(), address(answer).as_deref()), (Some("1.1.1"), Some("1.1.2")));
    let before = game.text().to_vec();
    assert_eq!(game.apply(&[add("1", "c3-b4")]), Err(Refusal::Illegal));
    let value = Some("good".to_owned());
    assert_eq!(game.apply(&[Change::Evaluation { at: "1".to_owned(), value }]), Err(Refusal::Value));
    let (name, value) = ("a b".to_owned(), String::new());
    assert_eq!(game.apply(&[Change::SetTag { name, value }]), Err(Refusal::TagName));
    assert_eq!(game.text(), before);
    game.apply(&[Change::Remove { at: "1.1.1".to_owned() }]).expect("a variation");
    assert_eq!((game.find(key), game.find(answer)), (None, None));
    assert!(write_pdn(game.review().game()).ends_with("\n1. c3-b4 *\n\n"), "{}", written(&game));
}

fn written(game: &EditableGame) -> String {
    String::from_utf8_lossy(game.text()).into_owned()
}

#[test]
fn games_are_begun_and_ended() {
    let add = |moves: &[&str]| json!({ "addMoves": { "at": "0", "moves": moves } });
    for (text, value, expected) in [
        ("[Event \"e\"]\n\n*\n", add(&["32-28", "19-23"]), "[Event \"e\"]\n\n1. 32-28 19-23 *\n"),
        (
            "[GameType \"21\"]\n[Result \"*\"]\n\n*\n",
            add(&["11-15", "22-18"]),
            "[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 22-18 *\n",
        ),
        ("1. 32-28 *\n", add(&["31-27"]), "1. 32-28 (1. 31-27) *\n"),
        ("[Result \"*\"]\n\n1. 32-28 *\n", json!({ "result": { "text": "2-0" } }), "[Result \"2-0\"]\n\n1. 32-28 *\n"),
        ("1. 32-28\n", json!({ "result": { "text": "2-0" } }), "1. 32-28 2-0\n"),
        ("1. 32-28 *\n", json!({ "setTag": { "name": "White", "value": "A" } }), "[White \"A\"]\n1. 32-28 *\n"),
    ] {
        assert_eq!(edit(text, &value).0, expected, "{text}");
    }
}

#[test]
fn repairs_of_a_game_are_made_apart() {
    for (text, expected) in [
        // A letter for a digit after a number would be read as two tokens.
        (
            "[GameType \"20\"]\n[Date \"25/12/1999\"]\n\n1. 32-28 19-23 2. 28xl9 *\n",
            "[GameType \"20\"]\n[Date \"1999.12.25\"]\n\n1. 32-28 19-23 2. 28xl9 *\n",
        ),
        // What is reported once a game is repaired everywhere.
        ("[GameType \"25\"]\n\n1. ed4 dc5 2. fe3 cd6 *\n", "[GameType \"25\"]\n\n1. e3-d4 d6-c5 2. f2-e3 c7-d6 *\n"),
        ("[Date \"25/12/1999\"]\n\n1. 32-28 {  a &amp; b } *\n", "[Date \"1999.12.25\"]\n\n1. 32-28 {  a & b } *\n"),
    ] {
        let once = Edited::repaired(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&once.text), expected);
        assert_eq!(Edited::repaired(&once.text).text, once.text);
    }
}

#[test]
fn lines_of_any_length_are_shown_in_part() {
    let game = |n: usize| format!("[Event \"{n}\"]\r[Date \"25/12/1999\"]\r\r1. 32-28 19-23 *\r\r");
    let text: String = (0..300).map(game).collect();
    let edited = Edited::repaired(text.as_bytes());
    assert_eq!(edited.rows.len(), 300);
    let shown = |row: &EditRow| row.before.as_ref().map_or(0, String::len);
    assert!(edited.rows.iter().all(|row| (1..1000).contains(&shown(row))), "{:?}", edited.rows[0]);
}

#[test]
fn refused_changes_change_nothing() {
    let latin = b"[White \"Andr\xe9\"]\n\n1. 32-28 19-23 *\n";
    for (bytes, value, reason) in [
        (
            &b"[White \"\xc8\xe2\xe0\xed\xee\xe2\"]\n\n1. 32-28 {A \xe8 B} *\n"[..],
            json!({ "setTag": { "name": "White", "value": "Ivanov" } }),
            "1: with the new values, its text would seem to be in another encoding",
        ),
        (
            b"1. 32-28 *\n",
            json!({ "setTag": { "name": "white", "value": "A" } }),
            "1: a name of a tag has only ASCII letters, digits and underscores, and begins with a capital letter",
        ),
        (
            b"1. 32-28 *\n",
            json!({ "commands": { "at": "1", "values": { "clk": "1:00}" } } }),
            "1: a new value of a command cannot be read",
        ),
        (
            b"1. 32-28 *\n",
            json!({ "commands": { "at": "1", "values": { "cal": "from here" } } }),
            "1: a new value of a command cannot be read",
        ),
        (
            b"1. 32-28 19-23\n\n1. 31-27 *\n",
            json!({ "remove": { "at": "1" } }),
            "1: with the new values, its text would be read differently",
        ),
        (
            &latin[..],
            json!({ "comment": { "at": "1", "text": "\u{416}" } }),
            "1: its encoding lacks a character in the new value",
        ),
        (b"1. 32-28 19-23 *", json!({ "comment": { "at": "9", "text": "a" } }), "1: it has no such move"),
        (b"1. 32-28 19-23 *", json!({ "addMoves": { "at": "2", "moves": ["1-50"] } }), "1: a new move is not legal"),
        (
            b"1. 32-28 19-23 *",
            json!({ "replace": { "at": "2", "text": "(no" } }),
            "1: with the new values, its text would be read differently",
        ),
        (
            b"1. 32-28 19-23 2-0 1. 31-27 *",
            json!({ "result": { "text": "?" } }),
            "1: with the new values, its text would be read differently",
        ),
    ] {
        let edited = Edited::of(bytes, 1, change(value.clone()));
        assert_eq!((edited.refused, edited.text), (vec![reason.to_owned()], bytes.to_vec()), "{value}");
    }
    let edited = Edited::of(latin, 1, change(json!({ "comment": { "at": "1", "text": "\u{ea}" } })));
    assert_eq!(edited.text, b"[White \"Andr\xe9\"]\n\n1. 32-28 {\xea} 19-23 *\n");
}

#[test]
fn repairs_change_what_is_wrong() {
    let text = "[Date \"25/12/2025\"]\n[Bianco \"Anna &amp; B\"]\n[GameType \"20\"]\n\n01.32-28   19-23 2. 28x19 14x23 3. 37-32 l0-14 4. 41-37 *\n\n1.32-28  *\n";
    let edited = Edited::repaired(text.as_bytes()).checked(text.as_bytes());
    let expected = text
        .replace("25/12/2025", "2025.12.25")
        .replace("[Bianco \"Anna &amp; B\"]", "[White \"Anna & B\"]")
        .replace("l0-14", "10-14");
    assert_eq!(String::from_utf8_lossy(&edited.text), expected);
    let lines: Vec<_> = edited.rows.iter().map(|row| (row.line, row.before.as_deref(), row.after.as_deref())).collect();
    assert_eq!(lines[0], (1, Some("[Date \"25/12/2025\"]"), Some("[Date \"2025.12.25\"]")));
    assert_eq!(lines.len(), 3);
    let only = Edited::of(text.as_bytes(), 1, change(json!({ "repair": { "only": [2] } })));
    assert_eq!(String::from_utf8_lossy(&only.text), text.replace("l0-14", "10-14"));
}

#[test]
fn a_repair_that_the_encoding_cannot_hold_is_left_out() {
    let game = |date: &str| {
        let text =
            format!("[White \"Andr\u{e9}\"]\n[Date \"{date}\"]\n[GameType \"20\"]\n\n1. 32-28 {{a &#1080; b}} *\n");
        text.chars().map(|letter| u8::try_from(letter).expect("a letter of Latin-1")).collect::<Vec<u8>>()
    };
    let edited = Edited::repaired(&game("25/12/1999"));
    assert_eq!(edited.text, game("1999.12.25"));
    let left_out =
        "1: a repair is left out: its text would be read differently, or the encoding lacks one of its characters";
    assert_eq!(edited.refused, [left_out]);
    // Repairs that were not chosen are not left out.
    let chosen = Edited::of(&game("25/12/1999"), 1, change(json!({ "repair": { "only": [0] } })));
    assert_eq!((chosen.text, chosen.refused.len()), (game("1999.12.25"), 0));
    let edited = Edited::repaired(&game("1999.12.25"));
    assert_eq!(edited.text, game("1999.12.25"));
    assert_eq!(edited.refused, ["1: its encoding lacks a character in the new value"]);
}

/// Returns the addresses of some moves: the first and a middle one of the main line, and those of the first variations.
fn addresses(row: &GameRow<'_>) -> Vec<String> {
    fn of_line(line: &[MoveRow<'_>], prefix: &str, all: &mut Vec<String>) {
        if all.len() >= 8 {
            return;
        }
        for n in [0, line.len() / 2] {
            if n < line.len() && all.len() < 8 {
                all.push(format!("{prefix}{}", n + 1));
            }
        }
        for (n, row) in line.iter().enumerate() {
            for (v, inner) in row.variations.iter().enumerate() {
                of_line(inner, &format!("{prefix}{}.{}.", n + 1, v + 1), all);
            }
        }
    }
    let mut all = Vec::new();
    of_line(&row.moves, "", &mut all);
    all
}

/// Changes each kind of node of the games of some bytes. Returns the numbers of edits and of refusals.
fn edit_all(bytes: &[u8], most: usize) -> (usize, usize) {
    let (mut done, mut refused) = (0, 0);
    for review in reviews(bytes, CheckOptions::default()).take(most) {
        let row = game_row(&review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
        let mut changes = vec![
            json!({ "setTag": { "name": "Event", "value": "new \"event\"" } }),
            json!({ "setTag": { "name": "Newest", "value": "n" } }),
            json!({ "removeTag": { "name": "White" } }),
            json!({ "result": { "text": "1-1" } }),
            json!({ "comment": { "at": "0", "text": "of the game" } }),
            json!({ "repair": {} }),
        ];
        for at in addresses(&row) {
            changes.extend([
                json!({ "comment": { "at": at, "text": "of a move" } }),
                json!({ "comment": { "at": at, "text": "" } }),
                json!({ "commands": { "at": at, "values": { "clk": "1:00:00", "eval": null } } }),
                json!({ "nags": { "at": at, "nags": [1, 146] } }),
                json!({ "nags": { "at": at, "nags": [] } }),
                json!({ "remove": { "at": at } }),
                json!({ "replace": { "at": at, "text": "1-2" } }),
            ]);
            if at.contains('.') {
                changes.push(json!({ "promote": { "at": at } }));
            }
        }
        if let Some(position) = review.game().final_position() {
            let last = row.moves.len().to_string();
            let legal = position.legal_moves();
            if let Some(played) = legal.first().filter(|_| review.game().is_legal()) {
                changes.push(json!({ "addMoves": { "at": last, "moves": [position.short(played)] } }));
            }
        }
        for value in changes {
            let edited = Edited::of(bytes, review.number(), change(value.clone())).checked(bytes);
            done += 1;
            refused += edited.refused.len();
            if !edited.refused.is_empty() {
                assert_eq!(edited.text, bytes);
                if std::env::var_os("SHOW_REFUSED").is_some() {
                    println!("game {}: {value}: {:?}", review.number(), edited.refused);
                }
            }
        }
    }
    (done, refused)
}

#[test]
fn other_bytes_of_samples_stay() {
    let (mut done, mut refused) = (0, 0);
    for record in records(&root().join("samples")) {
        let (edits, left) = edit_all(&record.bytes, 4);
        if left > 8 {
            println!("{}: {left} of {edits}", record.name);
        }
        done += edits;
        refused += left;
    }
    println!("{done} edits of samples, {refused} refused");
    assert!(done > 2000 && refused * 10 < done, "{refused} of {done}");
}

/// Bytes of a file that are edited: games at its start.
const START: usize = 5_000;

#[test]
fn other_bytes_of_real_records_stay() {
    let Some(folder) = corpus() else { return };
    let (mut done, mut refused) = (0, 0);
    for mut record in records(&folder) {
        let start = &record.bytes[..record.bytes.len().min(START)];
        let end = start.windows(3).rposition(|bytes| bytes == b"\n\n[").map_or(start.len(), |at| at + 2);
        record.bytes.truncate(end);
        let (edits, left) = edit_all(&record.bytes, 2);
        done += edits;
        refused += left;
    }
    println!("{done} edits of real records, {refused} refused");
    assert!(refused * 20 < done, "{refused} of {done}");
}
