//! Records of other programs in every command.

use super::archives::{Member, zip};
use crate::support::binary::{Folder, fed, pdn, pdn_with};
use crate::support::sources::root;

fn sample(name: &str) -> String {
    std::fs::read_to_string(root().join("samples").join(name)).expect("a sample")
}

const SAMPLES: [(&str, u64); 4] =
    [("accept/board.ldf", 1), ("accept/turbo.txt", 2), ("accept/lidraughts.ndjson", 2), ("accept/round.json", 2)];

#[test]
fn commands_read_them_by_name_and_from_standard_input() {
    for (name, games) in SAMPLES {
        let path = format!("samples/{name}");
        for run in [
            pdn(&["check", "--format", "json", &path]).is(0),
            pdn_with(sample(name), &["check", "--format", "json", "-"]).is(0),
        ] {
            let summary = run.summary();
            assert_eq!(
                (summary["games"].as_u64(), summary["clean_games"].as_u64()),
                (Some(games), Some(games)),
                "{name}"
            );
        }
        for arguments in
            [&["fmt", &path][..], &["convert", "--to", "pdn", &path], &["search", &path], &["merge", &path]]
        {
            let text = pdn(arguments).is(0).text().to_owned();
            let again = pdn_with(&text, &["check", "--format", "json", "-"]).is(0);
            assert_eq!(again.summary()["clean_games"].as_u64(), Some(games), "{arguments:?}\n{text}");
        }
        let edited = pdn(&["edit", "--set", "Site=Nowhere", &path]).is(0);
        assert_eq!(edited.text().matches("[Site \"Nowhere\"]").count() as u64, games, "{name}");
        let count = pdn(&["search", "--count", &path]).is(0);
        assert_eq!(count.text().trim(), games.to_string(), "{name}");
    }
}

#[test]
fn folders_and_archives_have_them_on_request() {
    let folder = Folder::with("logs/a.LDF", sample("accept/board.ldf"));
    folder.write("logs/b.pdn", "1. 32-28 *");
    folder.write("logs/c.txt", "a letter");
    let archive = zip(&[Member::new("x.ldf", sample("accept/board.ldf")), Member::new("y.txt", "a letter")]);
    folder.write("logs.zip", archive);
    let games = |arguments: &[&str]| folder.run(arguments).is(0).summary()["games"].as_u64();
    assert_eq!(games(&["check", "--format", "json", "logs"]), Some(1));
    assert_eq!(games(&["check", "--format", "json", "--include", "*.ldf*", "logs", "logs.zip"]), Some(3));
}

#[test]
fn a_diagnostic_points_at_the_line_of_the_log() {
    let run = pdn(&["check", "--format", "json", "samples/reject/board.ldf"]).is(0);
    let found = run.diagnostics();
    let board = found.iter().find(|found| found["code"] == "log/board").expect("a diagnostic");
    assert_eq!((board["line"].as_u64(), board["column"].as_u64()), (Some(12), Some(24)));
}

#[test]
fn other_formats_are_not_replaced() {
    let folder = Folder::with("a.ldf", sample("accept/board.ldf"));
    for arguments in [&["fmt", "--write", "a.ldf"][..], &["edit", "--set", "Site=x", "--write", "a.ldf"]] {
        let output = fed(&folder.path(""), b"", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not PDN and cannot be replaced"), "{arguments:?}");
    }
    assert_eq!(folder.read("a.ldf"), sample("accept/board.ldf"));
}

#[test]
fn games_are_written_for_lidraughts() {
    let run = pdn(&["convert", "--to", "lidraughts", "samples/games/international.pdn"]).is(0);
    let first = &run.values()[0];
    assert_eq!(
        (first["variant"].as_str(), first["players"]["white"]["user"]["name"].is_string()),
        (Some("standard"), true)
    );
    let again = pdn_with(run.text(), &["check", "--format", "json", "-"]).is(0);
    assert_eq!(again.summary()["games"].as_u64(), Some(run.values().len() as u64));
}
