//! The calls of the application.

use std::fs;

use pdn::egdb::Databases;
use pdn::serve::ServeOptions;
use serde_json::{Value, json};

use super::client::{GAMES, Served, serve, serve_with};
use crate::support::binary::Folder;

/// Does work on the games of the folder.
fn work(served: &Served, name: &str, options: &Value) -> (Vec<Value>, Vec<u8>) {
    let request = json!({ "inputs": [{ "name": "games.pdn", "path": "games.pdn" }], "options": options });
    served.ask(&format!("POST /api/work?name={name}"), format!("{request}\n").as_bytes()).frames()
}

fn result(messages: &[Value]) -> &Value {
    &messages.last().expect("a message")["result"]
}

#[test]
fn the_folder_is_listed() {
    let served = serve(|options| options);
    let listed = served.ask("GET /api/files", b"").json();
    assert_eq!((&listed["folder"], &listed["writable"]), (&json!("club"), &json!(false)));
    assert_eq!(listed["files"][0]["path"], "games.pdn");
    let before = listed["files"][0]["version"].clone();
    fs::write(served.place.path().join("club/games.pdn"), "").expect("a change");
    assert_ne!(served.ask("GET /api/files", b"").json()["files"][0]["version"], before);
}

#[test]
fn answers_are_those_of_the_command_line() {
    let served = serve(|options| options);
    let folder = Folder::with("games.pdn", GAMES);
    let (messages, _) = work(&served, "check", &json!({}));
    let wanted = folder.run(&["check", "--format", "json", "games.pdn"]).is(1);
    assert_eq!(
        messages.iter().filter_map(|message| message["diagnostics"].as_array()).flatten().collect::<Vec<_>>(),
        wanted.diagnostics().iter().collect::<Vec<_>>()
    );
    assert_eq!(result(&messages)["summary"]["games"], 2);
    for (name, options, arguments) in [
        ("convert", json!({ "to": "jsonl" }), &["convert", "--to", "jsonl", "games.pdn"][..]),
        ("fmt", json!({}), &["fmt", "games.pdn"]),
        (
            "search",
            json!({ "fen": "W:W31-50:B1-20", "to": "pdn" }),
            &["search", "--fen", "W:W31-50:B1-20", "games.pdn"],
        ),
        ("report", json!({ "lang": "nl" }), &["report", "--lang", "nl", "games.pdn"]),
        ("annotate", json!({ "nodes": 200, "all": [2, 5] }), &["annotate", "--nodes", "200", "--quiet", "games.pdn"]),
    ] {
        assert_eq!(String::from_utf8_lossy(&work(&served, name, &options).1), folder.run(arguments).text(), "{name}");
    }
    let tree = work(&served, "openings", &json!({})).0;
    let wanted = folder.run(&["openings", "--format", "json", "games.pdn"]).is(0);
    assert_eq!(result(&tree), &wanted.values()[0]);
}

#[test]
fn records_come_with_the_request_or_from_the_folder() {
    let served = serve(|options| options);
    let head = json!({ "inputs": [{ "name": "one", "size": 12 }, { "name": "two", "path": "games.pdn" }, { "name": "three", "size": 11 }] });
    let sent =
        served.ask("POST /api/work?name=count", format!("{head}\n1. 31-27 *\n\n1. 32-28 *\n").as_bytes()).frames().0;
    let begun: Vec<_> = sent.iter().filter_map(|message| message["begin"].as_str()).collect();
    assert_eq!(begun, ["one", "two", "three"]);
    assert_eq!(result(&sent), &json!({ "games": 4, "moves": 6 }));
    for (body, wanted) in [
        ("{\"inputs\":[{\"name\":\"a\",\"size\":9}]}\n1. x", "the request ends early"),
        ("{\"inputs\":[{\"name\":\"a\",\"path\":\"games.pdn\",\"version\":\"1-1\"}]}\n", "has changed"),
        ("{\"inputs\":[],\"options\":{\"none\":1}}\n", "unknown option `none`"),
        ("", "invalid options"),
    ] {
        let sent = served.ask("POST /api/work?name=check", body.as_bytes()).frames().0;
        assert!(sent[0]["error"]["message"].as_str().is_some_and(|text| text.contains(wanted)), "{body}: {sent:?}");
    }
    let unknown = served.ask("POST /api/work?name=none", b"{\"inputs\":[]}\n").frames().0;
    assert_eq!(unknown[0]["error"], json!({ "kind": "usage", "message": "unknown call `none`" }));
}

#[test]
fn options_and_games_without_effect_are_named() {
    let served = serve(|options| options);
    for (name, options, wanted) in [
        (
            "convert",
            json!({ "to": "jsonl", "excel": "comma" }),
            "option `excel`: it is for CSV, but the output is jsonl",
        ),
        ("convert", json!({ "to": "xlsx", "escapeFormulas": true }), "option `escapeFormulas`: it is for CSV"),
        ("convert", json!({ "to": "jsonl", "table": "moves" }), "option `table`: jsonl has no tables"),
        ("convert", json!({}), "the option `to` is required"),
        ("search", json!({ "to": "jsonl", "excel": "tab" }), "option `excel`: it is for CSV, but the output is jsonl"),
        ("event", json!({ "excel": "tab" }), "option `excel`: it is for CSV, but the output is JSON"),
        ("event", json!({ "aliases": "A = B\nC\n" }), "aliases, line 2: expected `alias = name`"),
        ("annotate", json!({ "to": "pdn", "table": "players" }), "option `table`: pdn has no tables"),
        ("edit", json!({ "game": { "number": 0 } }), "games are numbered from 1"),
    ] {
        let error = work(&served, name, &options).0[0]["error"].clone();
        let text = error["message"].as_str().unwrap_or_default();
        assert!(error["kind"] == "usage" && text.contains(wanted), "{name}: {error}");
    }
    let missing = |game: Value| {
        let comment = json!([{ "comment": { "at": "1", "text": "a" } }]);
        result(&work(&served, "edit", &json!({ "game": game, "changes": comment })).0)["refused"].clone()
    };
    assert_eq!(missing(json!({ "number": 9 })), json!(["there is no game 9"]));
    assert_eq!(missing(json!({ "offset": 3 })), json!(["no game begins at byte 3"]));
    assert_eq!(missing(json!({ "number": 1 })), json!([]));
}

#[test]
fn unknown_options_are_refused_by_name() {
    let served = serve(|options| options);
    let named = |error: &Value| error["message"].as_str().is_some_and(|text| text.contains("`none`"));
    for name in [
        "annotate",
        "chart",
        "check",
        "convert",
        "count",
        "event",
        "fmt",
        "games",
        "openings",
        "players",
        "puzzles",
        "report",
        "reportRows",
        "search",
        "stats",
    ] {
        for body in [json!({ "inputs": [], "options": { "none": 1 } }), json!({ "inputs": [], "none": 1 })] {
            let sent = served.ask(&format!("POST /api/work?name={name}"), format!("{body}\n").as_bytes()).frames().0;
            assert!(named(&sent[0]["error"]), "{name}: {sent:?}");
        }
    }
    for name in ["board", "codes", "explain", "legalMoves", "opening", "play", "position", "variants", "version"] {
        let answer = served.ask(&format!("POST /api/answer?name={name}"), b"{\"none\":1}").json();
        assert!(named(&answer["error"]), "{name}: {answer}");
    }
    assert!(named(&thoughts(&served, &json!({ "none": 1 }))[0].1));
}

#[test]
fn questions_about_positions_are_answered() {
    let served = serve(|options| options);
    let answer = served.ask("POST /api/answer?name=position", b"{\"fen\":\"W:W31:B20\"}").json();
    assert_eq!(answer["result"]["moves"][0]["notation"], "31-26");
    let refused = served.ask("POST /api/answer?name=position", b"{\"fen\":\"W:W99:B20\"}").json();
    assert_eq!(refused["error"]["kind"], "usage");
}

/// Returns the events of an analysis.
fn thoughts(served: &Served, question: &Value) -> Vec<(String, Value)> {
    let answer = served.ask("POST /api/analyse", question.to_string().as_bytes());
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let events = answer.text().split_terminator("\n\n").map(|event| {
        let (name, data) = event.trim_start_matches("event: ").split_once("\ndata: ").expect("an event");
        (name.to_owned(), serde_json::from_str(data).expect("JSON"))
    });
    events.collect()
}

#[test]
fn the_engine_thinks_as_long_as_it_is_asked_to() {
    let served = serve(|options| options);
    let question = json!({ "fen": "W:W31,32:B19,20", "rules": { "variant": "international" }, "depth": 5, "lines": 2 });
    let events = thoughts(&served, &question);
    let (name, last) = events.last().expect("an event");
    assert_eq!((&**name, &last["depth"]), ("result", &json!(5)));
    assert_eq!(last["lines"].as_array().map(Vec::len), Some(2));
    assert!(events.iter().filter(|(name, _)| name == "info").count() > 1);
    let events = thoughts(&served, &json!({ "fen": "none" }));
    assert_eq!((&*events[0].0, &events[0].1["kind"]), ("error", &json!("usage")));
}

#[cfg(unix)]
#[test]
fn another_engine_annotates_as_on_the_command_line() {
    let hub = format!("{} hub", crate::support::binary::program());
    let folder = Folder::with("games.pdn", GAMES);
    let options = json!({ "nodes": 200, "all": [2, 5] });
    for engine in [&*hub, "builtin:hash=4"] {
        let served = serve(|options| ServeOptions { engine: Some(engine.parse().expect("an engine")), ..options });
        let (_, made) = work(&served, "annotate", &options);
        let arguments: &[&str] = if engine == hub { &["--engine", &hub] } else { &["--hash", "4"] };
        let wanted = folder.run(&[&["annotate", "--nodes", "200", "--quiet", "games.pdn"], arguments].concat());
        assert_eq!(String::from_utf8_lossy(&made), wanted.text(), "{engine}");
    }
    for (engine, reason) in [("/none/engine", "cannot be started"), ("dxp:127.0.0.1:1", "cannot annotate")] {
        let served = serve(|options| ServeOptions { engine: Some(engine.parse().expect("an engine")), ..options });
        let (messages, made) = work(&served, "annotate", &options);
        let error = messages.last().expect("a message")["error"]["message"].to_string();
        assert!(error.contains(reason) && made.is_empty(), "{engine}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn another_engine_is_started_once_for_games_that_come_one_at_a_time() {
    let folder = Folder::with("games.pdn", GAMES);
    let (heard, program) = (folder.path("heard"), crate::support::binary::program());
    let command = format!("sh -c 'tee -a {} | {program} hub'", heard.display());
    let served = serve(|options| ServeOptions { engine: Some(command.parse().expect("an engine")), ..options });
    for _ in 0..3 {
        let (_, made) = work(&served, "annotate", &json!({ "nodes": 200, "range": [0, 1], "all": [2, 5] }));
        assert!(String::from_utf8_lossy(&made).contains("[%eval "));
    }
    let heard = fs::read_to_string(heard).expect("what the engine heard");
    let count = |line: &str| heard.lines().filter(|heard| *heard == line).count();
    // One more process only shows that it can be started.
    assert!(count("hub") == 1 && count("quit") <= 1, "{heard}");
    assert!(count("new-game") >= 2, "each game is a new one: {heard}");
}

/// An engine that ends after it has read a number of lines.
#[cfg(unix)]
fn mortal(lines: usize) -> String {
    let read = format!("n=0; while [ $n -lt {lines} ] && read -r line; do echo \"$line\"; n=$((n + 1)); done");
    format!("sh -c '{read} | {} hub'", crate::support::binary::program())
}

#[cfg(unix)]
#[test]
fn an_engine_that_dies_during_a_game_is_started_again() {
    let annotated = |command: &str| {
        let served = serve(|options| ServeOptions { engine: Some(command.parse().expect("an engine")), ..options });
        let (messages, made) = work(&served, "annotate", &json!({ "nodes": 200, "range": [0, 1], "all": [2, 5] }));
        assert!(messages.iter().all(|message| message["failure"].is_null()), "{messages:?}");
        let made = String::from_utf8(made).expect("text");
        made.lines().filter(|line| !line.starts_with("[Annotator")).collect::<Vec<_>>().join("\n")
    };
    let whole = annotated(&format!("{} hub", crate::support::binary::program()));
    assert!(whole.contains("[%eval ") && annotated(&mortal(8)).contains("[%eval "));
}

#[cfg(unix)]
#[test]
fn an_engine_that_always_dies_is_reported_for_each_game() {
    let served = serve(|options| ServeOptions { engine: Some(mortal(4).parse().expect("an engine")), ..options });
    for _ in 0..5 {
        let (messages, made) = work(&served, "annotate", &json!({ "nodes": 200, "range": [0, 1], "all": [2, 5] }));
        let failures: Vec<_> = messages.iter().filter_map(|message| message["failure"]["message"].as_str()).collect();
        // After three games the processes are given up, and the next game has new ones.
        let is_reported = |text: &&str| text.starts_with("game 1: not annotated: ") && !text.contains("abandoned");
        assert!(failures.len() == 1 && failures.iter().all(is_reported), "{messages:?}");
        // The game is written as it was.
        assert!(String::from_utf8_lossy(&made).contains("1. 32-28 19-23 2. 28x19 14x23"));
        assert!(result(&messages)["games"] == 1 && served.ask("GET /api/files", b"").status == 200);
    }
}

#[test]
fn annotation_uses_the_databases_as_the_command_line_does() {
    let ending = "[GameType \"40\"]\n[SetUp \"1\"]\n[FEN \"W:WK48:B13,K3\"]\n\n1. 48-43 3-8 2. 43-38 8-3 *\n";
    let folder = Folder::with("games.pdn", ending);
    folder.run(&["egdb", "build", "--variant", "frisian", "--pieces", "3", "--egdb", "tables"]).is(0);
    let databases = Databases::in_folder(&folder.path("tables")).expect("databases");
    let annotated = |databases: Option<&Databases>| {
        let served = serve_with(|options| options, databases.cloned().unwrap_or_default());
        fs::write(served.place.path().join("club/games.pdn"), ending).expect("a file");
        String::from_utf8(work(&served, "annotate", &json!({ "nodes": 200, "all": [1, 4] })).1).expect("text")
    };
    let arguments = ["annotate", "--nodes", "200", "--quiet", "games.pdn", "--egdb", "tables"];
    let (with, without) = (annotated(Some(&databases)), annotated(None));
    assert_eq!(with, folder.run(&arguments).text());
    assert_eq!(without, folder.run(&arguments[..5]).text());
    assert!(with.contains("egdb frisian 3"), "{with}");
}

#[cfg(unix)]
#[test]
fn another_engine_thinks_and_one_that_dies_is_reported() {
    let hub = format!("{} hub", crate::support::binary::program());
    let question = json!({ "fen": "W:W31,32:B19,20", "depth": 3 });
    let served = serve(|options| ServeOptions { engine: Some(hub.parse().expect("an engine")), ..options });
    assert_eq!(thoughts(&served, &question).last().expect("an event").1["depth"], 3);
    for command in ["false", "sh -c 'read line; exit 3'"] {
        let served = serve(|options| ServeOptions { engine: Some(command.parse().expect("an engine")), ..options });
        for _ in 0..2 {
            let events = thoughts(&served, &question);
            assert!(
                events[0].0 == "error" && events[0].1["message"].as_str().is_some_and(|text| text.contains("engine")),
                "{events:?}"
            );
        }
        assert_eq!(served.ask("GET /api/files", b"").status, 200);
    }
}
