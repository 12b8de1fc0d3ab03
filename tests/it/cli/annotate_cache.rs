//! `pdn annotate --cache` and `pdn cache`: the output does not depend on what the cache has.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::binary::{Folder, program};
use crate::support::samples::sample;

fn collection() -> Folder {
    let folder = Folder::with("all.pdn", sample("brazilian") + &sample("italian"));
    folder.write("some.pdn", sample("italian"));
    folder
}

const RUN: [&str; 4] = ["annotate", "--nodes", "40", "all.pdn"];

/// Returns the number of positions in a cache.
fn positions(folder: &Folder, cache: &str) -> u64 {
    let stats = folder.run(&["cache", "stats", "--format", "json", cache]).is(0).values();
    stats.iter().map(|row| row["positions"].as_u64().expect("a number")).sum()
}

/// Returns the number of games in a cache.
fn cached_games(folder: &Folder, cache: &str) -> u64 {
    let stats = folder.run(&["cache", "stats", "--format", "json", cache]).is(0).values();
    stats.iter().map(|row| row["games"].as_u64().expect("a number")).sum()
}

#[test]
fn the_output_does_not_depend_on_the_cache() {
    let folder = collection();
    let whole = folder.run(&RUN).is(0).bytes;
    let cached = |cache, jobs| folder.run(&[&RUN[..], &["--cache", cache, "--jobs", jobs]].concat()).is(0).bytes;
    for jobs in ["1", "2", "7"] {
        assert!(cached(jobs, jobs) == whole, "empty, {jobs} jobs");
    }
    let full = positions(&folder, "1");
    assert!(full > 500, "{full} positions");
    assert_eq!((positions(&folder, "2"), positions(&folder, "7")), (full, full));
    assert!(cached("1", "2") == whole, "full");
    assert_eq!(positions(&folder, "1"), full, "nothing is new");
    folder.run(&["annotate", "--nodes", "40", "some.pdn", "--cache", "half"]).is(0);
    assert!((1..full).contains(&positions(&folder, "half")));
    assert!(cached("half", "2") == whole, "half full");
    assert_eq!(positions(&folder, "half"), full);
}

#[test]
fn what_is_written_does_not_change_what_is_searched() {
    let folder = collection();
    let run = |more: &[&str]| folder.run(&[&RUN[..], more].concat()).is(0).bytes;
    run(&["--cache", "c"]);
    let count = cached_games(&folder, "c");
    assert!(count > 10, "{count} games");
    for more in [
        &["--words", "--lang", "nl"][..],
        &["--shots", "--to", "jsonl"],
        &["--keep-evals"],
        &["--to", "csv", "--table", "players"],
        &["--side", "B"],
        &["--thresholds", "0.1,0.12,0.2"],
    ] {
        assert!(run(&[more, &["--cache", "c"]].concat()) == run(more), "{more:?}");
        assert_eq!(cached_games(&folder, "c"), count, "{more:?}");
    }
    let more = ["--thresholds", "0.05,0.1,0.3"];
    let direct = run(&more);
    assert!(run(&[&more[..], &["--cache", "c"]].concat()) == direct);
    let both = cached_games(&folder, "c");
    assert!((count + 1..=2 * count).contains(&both), "other moves are searched again: {both}");
    assert!(run(&[&more[..], &["--cache", "c"]].concat()) == direct);
    assert_eq!(cached_games(&folder, "c"), both);
}

#[test]
fn other_limits_are_other_questions() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n");
    for nodes in ["100", "200"] {
        folder.run(&["annotate", "--nodes", nodes, "a.pdn", "--cache", "c"]).is(0);
    }
    let stats = folder.run(&["cache", "stats", "c"]).is(0);
    for nodes in ["nodes 100\n", "nodes 200\n"] {
        assert!(stats.text().contains(nodes), "{}", stats.text());
    }
}

#[test]
fn a_killed_run_leaves_a_cache() {
    let folder = collection();
    let whole = folder.run(&RUN).is(0).bytes;
    let run = [&RUN[..], &["--cache", "c", "-o", "out.pdn"]].concat();
    let is_cache = || fs::read(folder.path("c")).is_ok_and(|bytes| bytes.contains(&b'\n'));
    for n in 0..4 {
        let mut child = folder.command(&run).spawn().expect("started");
        while !is_cache() {
            sleep(Duration::from_millis(2));
        }
        sleep(Duration::from_millis(20 * n));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    folder.run(&run).is(0);
    assert_eq!(fs::read(folder.path("out.pdn")).expect("a file"), whole);
}

#[test]
fn caches_of_parts_are_joined() {
    let folder = collection();
    let part = |n: &str| folder.run(&[&RUN[..], &["--cache", n, "--shard", &format!("{n}/2")]].concat()).is(0).bytes;
    let joined = [part("1"), part("2")].concat();
    let merged = folder.run(&["cache", "merge", "all", "1", "2"]).is(0);
    assert!(merged.errors.contains("games added"), "{}", merged.errors);
    let count = positions(&folder, "all");
    assert!(folder.run(&[&RUN[..], &["--cache", "all"]].concat()).is(0).bytes == joined);
    assert_eq!(positions(&folder, "all"), count);
    let rows = folder.run(&["cache", "export", "all"]).is(0).values();
    assert_eq!(rows.len() as u64, count);
    let is_whole = |row: &Value| row["fen"].is_string() && row["score"].is_object() && row["line"].is_array();
    assert!(rows.iter().all(is_whole), "{}", rows[0]);
    assert!(folder.run(&["cache", "merge", "all", "1"]).is(0).errors.contains("0 games added"));
    folder.run(&["cache", "prune", "all"]).is(0);
    assert_eq!(positions(&folder, "all"), count, "all are of this version");
    let pruned = folder.run(&["cache", "prune", "--keep", "variant=italian", "all"]).is(0);
    assert!(pruned.errors.contains("removed") && (1..count).contains(&positions(&folder, "all")), "{}", pruned.errors);
}

#[test]
fn what_is_no_cache_is_an_error() {
    let folder = collection();
    let no_journal = "not a journal of annotated games";
    assert!(folder.run(&[&RUN[..], &["--cache", "some.pdn"]].concat()).is(2).errors.contains(no_journal));
    assert!(folder.run(&["cache", "stats", "missing"]).is(2).errors.contains("missing"));
    assert_eq!(folder.read("some.pdn"), sample("italian"));
    folder.write("empty", "");
    assert!(folder.run(&["cache", "stats", "empty"]).is(2).errors.contains("an empty file, not a journal"));
    assert_eq!(folder.read("empty"), "");
    let merged = folder.run(&["cache", "merge", "new", "some.pdn"]).is(2);
    assert!(merged.errors.contains(&format!("some.pdn: {no_journal}")), "{}", merged.errors);
    assert!(!folder.path("new").exists());
    folder.run(&[&RUN[..], &["--cache", "some.cache"]].concat()).is(0);
    assert!(folder.run(&["cache", "merge", "some.cache", "some.cache"]).is(2).errors.contains("with itself"));
    assert!(folder.run(&["check", "some.cache"]).is(2).errors.contains("a journal of annotated games, not text"));
}

#[test]
fn files_of_older_versions_are_named_and_kept() {
    let folder = collection();
    let checkpoint = &b"{\"checkpoint\":2,\"of\":\"run\",\"settings\":\"pdn 0.1.0\"}\n"[..];
    for (old, kind) in [(&b"redb\x1A\n\xA9\r\n\x05\0\0"[..], "cache"), (checkpoint, "checkpoint")] {
        folder.write("old", old);
        for arguments in [
            &["annotate", "some.pdn", "--cache", "old"][..],
            &["annotate", "some.pdn", "--checkpoint", "old"],
            &["cache", "stats", "old"],
            &["cache", "export", "old"],
            &["cache", "prune", "old"],
            &["cache", "merge", "old", "some.pdn"],
            &["cache", "merge", "new", "old"],
        ] {
            let run = folder.run(arguments).is(2);
            assert!(run.errors.contains(&format!("old: a {kind} of an older version of pdn")), "{}", run.errors);
            assert_eq!((fs::read(folder.path("old")).expect("a file"), run.text()), (old.to_vec(), ""));
        }
    }
    assert_eq!(folder.names(), ["all.pdn", "old", "some.pdn"]);
}

#[test]
fn a_checkpoint_and_a_cache_are_the_same() {
    let folder = collection();
    let whole = folder.run(&RUN).is(0).bytes;
    let run = |more: &[&str]| folder.run(&[&RUN[..], more].concat()).is(0);
    assert!(run(&["--checkpoint", "c"]).bytes == whole);
    let count = cached_games(&folder, "c");
    assert!(run(&["--cache", "c"]).bytes == whole);
    let both = run(&["--checkpoint", "c", "--cache", "./c"]);
    assert!(both.bytes == whole && both.errors.contains("restored from the checkpoint"), "{}", both.errors);
    assert_eq!(cached_games(&folder, "c"), count, "no game is added twice");
    run(&["--checkpoint", "new", "--cache", "c", "--depth", "1"]);
    assert_eq!((cached_games(&folder, "new"), cached_games(&folder, "c")), (count, 2 * count));
}

#[test]
fn a_damaged_cache_changes_nothing() {
    let folder = Folder::with("some.pdn", "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n");
    let run = ["annotate", "--nodes", "50", "some.pdn", "--cache", "c"];
    let whole = folder.run(&run).is(0).bytes;
    let cache = fs::read(folder.path("c")).expect("a cache");
    let header = cache.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    for at in (header..cache.len()).step_by(cache.len() / 20) {
        let mut bytes = cache.clone();
        bytes[at] ^= 1 << (at % 8);
        folder.write("c", &bytes);
        assert!(folder.run(&run).is(0).bytes == whole, "byte {at}");
        assert_eq!(cached_games(&folder, "c"), 1, "the game is searched again and added: byte {at}");
    }
}

#[test]
fn a_cache_is_not_replaced_by_its_export() {
    let folder = collection();
    folder.run(&["annotate", "--depth", "1", "some.pdn", "--cache", "c"]).is(0);
    let count = positions(&folder, "c");
    for arguments in [&["cache", "export", "c", "-o", "c"][..], &["cache", "stats", "c", "-o", "./c"]] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains("the output would replace an input"), "{}", run.errors);
        assert_eq!(positions(&folder, "c"), count);
    }
    folder.run(&["cache", "export", "c", "-o", "positions.jsonl"]).is(0);
    assert_eq!(folder.read("positions.jsonl").lines().next().map(|line| line.starts_with("{\"engine\"")), Some(true));
}

#[test]
fn commands_that_change_a_cache_have_no_output() {
    let folder = Folder::with("c", "");
    for (command, change) in [
        (&["cache", "merge", "new", "c"][..], "`pdn cache merge` adds to its first file"),
        (&["cache", "prune", "c"], "`pdn cache prune` changes its file"),
        (&["train", "selfplay", "games.jsonl"], "`pdn train selfplay` adds to its file"),
    ] {
        for name in ["c", "out", "out.jsonl"] {
            let run = folder.run(&[command, &["-o", name]].concat()).is(2);
            let expected = format!("{change} and has no other output; omit -o");
            assert!(run.errors.contains(&expected), "{name}: {}", run.errors);
        }
    }
    assert_eq!(folder.names(), ["c"]);
}

/// Runs the program with files of at most that many kilobytes, as on a full disk, and returns its status and its messages.
#[cfg(target_os = "linux")]
fn limited(folder: &Folder, kilobytes: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let script = format!("ulimit -f {kilobytes}; exec {} {}", program(), arguments.join(" "));
    let mut command = std::process::Command::new("bash");
    let output = command.current_dir(folder.path(".")).args(["-c", &script]).output().expect("run");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn a_merge_on_a_full_disk_changes_nothing() {
    let folder = collection();
    folder.run(&[&RUN[..], &["--cache", "more"]].concat()).is(0);
    for kilobytes in [0, 40] {
        let (status, errors) = limited(&folder, kilobytes, &["cache", "merge", "new", "more"]);
        assert_eq!(status, Some(2), "{errors}");
        assert!(errors.contains("new") && !folder.path("new").exists(), "{errors}");
    }
    folder.run(&["annotate", "--depth", "1", "some.pdn", "--cache", "old"]).is(0);
    let old = fs::read(folder.path("old")).expect("a file");
    let kilobytes = u32::try_from(old.len() / 1024).expect("a small file") + 40;
    let (status, errors) = limited(&folder, kilobytes, &["cache", "merge", "old", "more"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(fs::read(folder.path("old")).expect("a file") == old, "nothing was added");
    let (status, errors) = limited(&folder, 1, &["cache", "prune", "old"]);
    assert!(status == Some(2) && fs::read(folder.path("old")).expect("a file") == old, "{errors}");
    assert_eq!(folder.names(), ["all.pdn", "more", "old", "some.pdn"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_written_costs_no_result() {
    let folder = collection();
    let whole = folder.run(&RUN).is(0).bytes;
    let (status, errors) = limited(&folder, 0, &[&RUN[..], &["--cache", "new", "-o", "out.pdn"]].concat());
    assert_eq!(status, Some(2), "{errors}");
    assert!(!folder.path("out.pdn").exists(), "before the run: {errors}");
    let kilobytes = u32::try_from(whole.len() / 1024).expect("a small file") + 8;
    let (status, errors) = limited(&folder, kilobytes, &[&RUN[..], &["--cache", "full", "-o", "out.pdn"]].concat());
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("cannot write full: ") && errors.contains("continued without this file"), "{errors}");
    assert!(fs::read(folder.path("out.pdn")).expect("a file") == whole);
    assert!(cached_games(&folder, "full") > 0, "no game is incomplete");
}
