//! `pdn annotate` in long runs: parts of a collection, a file for each input, interrupts at any moment.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::support::binary::{Folder, pdn};
use crate::support::samples::{first_games, sample};

/// Returns a folder with games in two files.
fn collection() -> Folder {
    let folder = Folder::with("archive/a.pdn", first_games("brazilian", 4));
    folder.write("archive/old/b.pdn", first_games("italian", 4));
    folder
}

#[test]
fn the_parts_of_a_run_are_the_whole() {
    let folder = collection();
    for (format, parts) in [("pdn", 5), ("json", 3), ("json", 40), ("jsonl", 2), ("csv", 4)] {
        let arguments = ["annotate", "--nodes", "20", "--to", format, "archive"];
        let whole = folder.run(&arguments).is(0).bytes;
        let shard = |part| folder.run(&[&arguments[..], &["--shard", &format!("{part}/{parts}")]].concat()).is(0).bytes;
        let joined: Vec<u8> = (1..=parts).flat_map(shard).collect();
        assert!(joined == whole, "{format} in {parts} parts");
    }
}

#[test]
fn parts_that_cannot_be_are_errors() {
    let folder = collection();
    for arguments in [
        &["--shard", "0/3"][..],
        &["--shard", "4/3"],
        &["--shard", "+1/3"],
        &["--shard", "1/2", "--to", "csv", "--table", "players"],
        &["--out-dir", "out", "-o", "out.pdn"],
        &["--out-dir", "archive"],
        &["--table", "players"],
        &["--to", "json", "--table", "moves"],
        &["--from-ply", "40", "--to-ply", "20"],
        &["--engine-timeout", "5"],
        &["--engine", "engine", "--hash", "4"],
        &["--engine", "engine", "--weights", "hand-made"],
        &["--engine", "engine", "--egdb", "archive"],
    ] {
        folder.run(&[&["annotate", "--nodes", "20", "archive"], arguments].concat()).is(2);
    }
    assert!(pdn(&["annotate", "-", "--shard", "1/2"]).is(2).errors.contains("--shard needs files"));
}

#[test]
fn each_input_has_a_file() {
    let folder = collection();
    for (format, extension) in [("pdn", "pdn"), ("json", "json"), ("csv", "csv")] {
        let run = folder.run(&["annotate", "--nodes", "20", "--to", format, "--out-dir", "out", "archive"]).is(0);
        assert!(run.bytes.is_empty());
        for name in ["a", "old/b"] {
            let alone =
                folder.run(&["annotate", "--nodes", "20", "--to", format, &format!("archive/{name}.pdn")]).is(0);
            assert_eq!(folder.read(&format!("out/{name}.{extension}")), alone.text(), "{name} as {format}");
        }
    }
    folder.write("other/a.pdn", sample("brazilian"));
    let same = folder.run(&["annotate", "--nodes", "20", "--out-dir", "out", "archive", "other"]).is(2);
    assert!(same.errors.contains("two inputs would be written to this file"), "{}", same.errors);
}

#[test]
fn each_file_of_a_folder_is_in_one_part() {
    let folder = collection();
    folder.write("archive/z.pdn", "");
    let run =
        |more: &[&str]| folder.run(&[&["annotate", "--nodes", "20", "archive", "--out-dir"], more].concat()).is(0);
    run(&["whole"]);
    // The games 0 to 1, 2 to 4 and 5 to 7: the second file begins with game 4.
    for (shard, new) in [("1/3", &["a.pdn"][..]), ("2/3", &["old/b.pdn"]), ("3/3", &["z.pdn"])] {
        let exist = || ["a.pdn", "old/b.pdn", "z.pdn"].map(|name| folder.path(&format!("parts/{name}")).exists());
        let before = exist().iter().filter(|exists| **exists).count();
        run(&["parts", "--shard", shard]);
        assert_eq!(exist().iter().filter(|exists| **exists).count(), before + 1, "{shard}");
        for name in new {
            assert_eq!(folder.read(&format!("parts/{name}")), folder.read(&format!("whole/{name}")), "{shard}");
        }
    }
}

#[test]
fn a_run_killed_at_any_moment_is_continued() {
    let folder = collection();
    let whole = folder.run(&["annotate", "--nodes", "300", "archive"]).is(0);
    let run =
        |jobs| ["annotate", "--nodes", "300", "archive", "--checkpoint", "run.jsonl", "-o", "out.pdn", "--jobs", jobs];
    for (n, jobs) in ["1", "7", "2", "3", "1", "2"].into_iter().enumerate() {
        let mut child = folder.command(&run(jobs)).spawn().expect("started");
        sleep(Duration::from_millis(30 + 37 * n as u64));
        child.kill().expect("killed");
        child.wait().expect("ended");
        if let Ok(part) = fs::read(folder.path("out.pdn.part")) {
            assert!(whole.bytes.starts_with(&part) || part.len() > whole.bytes.len(), "the part can be read");
        }
    }
    folder.run(&run("2")).is(0);
    assert_eq!(folder.read("out.pdn"), whole.text());
}

#[test]
fn selected_moves_are_restored_too() {
    let folder = collection();
    let run = ["annotate", "--nodes", "50", "archive", "--side", "W", "--from-ply", "5", "--checkpoint", "run.jsonl"];
    let first = folder.run(&run).is(0);
    let saved = folder.read("run.jsonl");
    let again = folder.run(&run).is(0);
    assert!(again.bytes == first.bytes && again.errors.contains("restored from the checkpoint"), "{}", again.errors);
    assert_eq!(folder.read("run.jsonl"), saved, "nothing is analysed again");
}
