//! Tables of positions: the same answers as from reading the games, of the files as they are.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pdn::serve::ServeOptions;
use serde_json::{Value, json};
use tempfile::tempdir;

use super::client::{Served, serve};

/// The games of a file that is read in several pieces; some of them of another variant.
fn games(is_mixed: bool) -> String {
    let lines = [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1. 32-28 (1. 33-29 19-23 2. 35-30) 19-23 2. 28x19 14x23 3. 37-32",
        "1. 33-29 19-23 (1... 17-22 2. 31-27) 2. 35-30 20-25",
        "1. 31-27 17-21 2. 33-28",
        "1. 32-28 18-23 2. 31-26 23x32 3. 37x28",
        "1. 11-13",
        "",
    ];
    let results = ["2-0", "1-1", "0-2", "*"];
    let mut text = String::new();
    for n in 0..2400 {
        let (line, result) = (lines[n % lines.len()], results[n % results.len()]);
        let _ = write!(text, "[Event \"Cup {}\"]\n[Date \"{}.??.??\"]\n", n % 40, 1950 + n % 70);
        let _ = write!(text, "[White \"Player {}\"]\n[WhiteElo \"{}\"]\n", n % 90, 1800 + n % 90);
        let _ = write!(text, "[Result \"{result}\"]\n[GameType \"20\"]\n\n{line} {result}\n\n");
        if is_mixed && n % 50 == 0 {
            text += "[GameType \"25\"]\n\n1. c3-d4 d6-c5 *\n\n";
            text += "[SetUp \"1\"]\n[FEN \"B:W28,31,33-50:B1-20\"]\n[GameType \"20\"]\n\n1... 18-23 2. 31-26 *\n\n";
        }
    }
    text
}

/// Asks a question and returns what was read meanwhile, and the answer.
fn asked(served: &Served, name: &str, read: &Value, options: &Value) -> (usize, Vec<Value>) {
    let inputs = json!([{ "name": "games.pdn", "path": "games.pdn" }, { "name": "many.pdn", "path": "many.pdn" }]);
    let request = json!({ "inputs": inputs, "rules": read, "options": options });
    let (messages, output) =
        served.ask(&format!("POST /api/work?name={name}"), format!("{request}\n").as_bytes()).frames();
    assert!(output.is_empty());
    let (read, others): (Vec<_>, Vec<_>) = messages.into_iter().partition(|message| message["read"].is_object());
    let (found, mut answer): (Vec<_>, Vec<_>) = others.into_iter().partition(|message| message["found"].is_array());
    answer.extend(found.iter().filter_map(|message| message["found"].as_array()).flatten().cloned());
    (read.len(), answer)
}

/// The questions that tables answer.
fn questions() -> Vec<(&'static str, Value, Value)> {
    let fens = ["W:W31-50:B1-20", "B:W28,31,33-50:B1-20", "B:W29,31,32,34-50:B1-20", "W:Wa1,c1:Bb8", "W:W31:B20"];
    let mut questions = Vec::new();
    for fen in fens {
        for variant in [json!({}), json!({ "variant": "international" }), json!({ "variant": "russian" })] {
            for plies in [1, 2, 6] {
                questions.push(("openings", variant.clone(), json!({ "fen": fen, "plies": plies, "minGames": 3 })));
            }
            questions.push(("search", variant.clone(), json!({ "fen": fen, "to": "none" })));
            questions.push(("search", variant, json!({ "fen": fen, "to": "none", "mirror": true })));
        }
    }
    questions.push(("search", json!({}), json!({ "fen": "?:W28,31,33-50:B1-20", "to": "none" })));
    questions
}

fn tables(folder: &Path) -> Vec<u64> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file"));
    let tables = files.filter(|file| file.path().extension().is_some_and(|end| end == "positions"));
    tables.map(|file| file.metadata().expect("a file").len()).collect()
}

fn wait(reason: &str, mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_mins(3), "{reason}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn answers_with_tables_are_those_without() {
    let cache = tempdir().expect("a folder");
    let (plain, served) = (
        serve(|options| options),
        serve(|options| ServeOptions { cache: Some(cache.path().join("made/here")), ..options }),
    );
    for one in [&plain, &served] {
        fs::write(one.place.path().join("club/many.pdn"), games(true)).expect("games");
    }
    let questions = questions();
    // They are asked while the tables are made, and again when they are there: one for each variant that games were read with.
    let wanted: Vec<_> = questions.iter().map(|(name, read, options)| asked(&plain, name, read, options)).collect();
    for n in 0..3 {
        for ((name, read, options), (pieces, wanted)) in questions.iter().zip(&wanted) {
            let (own, answer) = asked(&served, name, read, options);
            assert_eq!(&answer, wanted, "{name} {read} {options}");
            assert!(
                own <= *pieces && (n < 2 || own < *pieces || answer[0].get("error").is_some()),
                "{name} {options}: {own}"
            );
        }
        wait("tables", || tables(&cache.path().join("made/here")).len() >= if n == 0 { 1 } else { 3 });
    }
    // Nothing is beside the records.
    assert_eq!(fs::read_dir(served.place.path().join("club")).expect("a folder").count(), 2);
}

#[test]
fn a_changed_file_is_read_until_it_has_a_new_table() {
    let cache = tempdir().expect("a folder");
    let served = serve(|options| ServeOptions { cache: Some(cache.path().to_owned()), ..options });
    let (path, mut text) = (served.place.path().join("club/many.pdn"), games(false));
    fs::write(&path, &text).expect("games");
    let question = json!({ "fen": "W:W31-50:B1-20", "plies": 1 });
    let count = || {
        // All games are of this variant, so the table is the same as without one.
        let (pieces, answer) = asked(&served, "openings", &json!({ "variant": "international" }), &question);
        let result = answer.iter().find_map(|message| message.get("result")).expect("an answer");
        (pieces, result["games"].as_u64().expect("a number"))
    };
    let (all, before) = count();
    wait("a table", || count().0 < all);
    let size = tables(cache.path());
    for n in 1..=2 {
        text += "[GameType \"20\"]\n\n1. 32-28 *\n\n";
        fs::write(&path, &text).expect("games");
        assert_eq!(count().1, before + n);
        wait("another table", || count() == (all - 1, before + n) || count().0 < all);
    }
    let after = tables(cache.path());
    assert!(after.len() == 1 && after[0] > size[0], "the table of the older version is replaced");
    // What is damaged is not used.
    let table = fs::read_dir(cache.path()).expect("a folder").next().expect("a table").expect("a file").path();
    fs::write(&table, "damaged").expect("a file");
    assert_eq!(count(), (all, before + 2));
}
