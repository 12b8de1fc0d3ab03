//! `pdn annotate` and `pdn match` when they are interrupted: engines end with their children, what was done is kept.
#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::binary::{Folder, program};
use crate::support::library::games;
use crate::support::samples::{first_games, sample};

/// A timeout that only a failing test reaches, even on a slow machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// An engine with a child, which both write their process ids, and which writes whether it was asked to quit. It searches
/// without end.
const ENGINE: &str = "#!/bin/sh
sleep 1000 &
echo $! > child.pid
echo $$ > engine.pid
while read -r line; do case \"$line\" in
hub) echo 'id name=Script'; echo 'param name=variant values=\"international brazilian\"'; echo wait;;
init) echo ready;;
go*) touch searching;;
quit) touch asked; trap '' TERM; sleep 1000;;
esac; done
";

fn engine_folder() -> Folder {
    let folder = Folder::with("engine", ENGINE);
    folder.write("games.pdn", "[GameType \"20\"]\n1. 32-28 19-23 *\n");
    fs::set_permissions(folder.path("engine"), fs::Permissions::from_mode(0o755)).expect("set");
    folder
}

fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < TIMEOUT, "{what}");
        sleep(Duration::from_millis(5));
    }
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started")
}

/// Starts a command and waits until its first line of messages.
fn started(folder: &Folder, arguments: &[&str]) -> Child {
    let mut child = start(folder, arguments);
    let mut first = [0];
    child.stderr.as_mut().expect("piped").read_exact(&mut first).expect("a message");
    child
}

fn signal(child: Child, name: &str) -> Output {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    child.wait_with_output().expect("ended")
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Returns true if the process in a file of process ids runs; one that has exited but was not waited for does not.
fn runs(folder: &Folder, file: &str) -> bool {
    let id = folder.read(file);
    let listed = Command::new("ps").args(["-o", "stat=", "-p", id.trim()]).output().expect("ps");
    let state = String::from_utf8_lossy(&listed.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn engines_and_their_children_end_after_any_signal() {
    let annotate = ["annotate", "--depth", "3", "--engine", "./engine", "games.pdn"];
    let play = ["match", "./engine", "builtin:depth=1", "--depth", "3", "--games", "2", "--checkpoint", "run.jsonl"];
    for (arguments, name) in [(&annotate[..], "INT"), (&annotate, "HUP"), (&annotate, "QUIT"), (&play, "TERM")] {
        let folder = engine_folder();
        let child = start(&folder, arguments);
        wait_until("a search", || folder.path("searching").exists());
        wait_until("the engine and its child run", || runs(&folder, "engine.pid") && runs(&folder, "child.pid"));
        let output = signal(child, name);
        assert_eq!(output.status.code(), Some(130), "{name}: {}", errors(&output));
        assert!(folder.path("asked").exists(), "{name}: the engine was asked to quit");
        wait_until("the engine ends", || !runs(&folder, "engine.pid"));
        wait_until("the child of the engine ends", || !runs(&folder, "child.pid"));
        assert!(!errors(&output).contains("not annotated"), "{}", errors(&output));
        assert!(output.stdout.is_empty());
        if folder.path("run.jsonl").exists() {
            assert_eq!(folder.read("run.jsonl").lines().count(), 1, "no game was lost by the interrupt");
        }
    }
}

#[test]
fn engines_end_with_their_children_at_the_end_of_a_run() {
    let folder = engine_folder();
    let engine = format!("#!/bin/sh\nsleep 1000 &\necho $! > child.pid\n'{}' hub\ntouch done\n", program());
    folder.write("engine", engine);
    folder.run(&["annotate", "--depth", "2", "--engine", "./engine", "games.pdn"]).is(0);
    assert!(folder.path("done").exists(), "the engine had time to quit");
    wait_until("the child of the engine ends", || !runs(&folder, "child.pid"));
}

#[test]
fn an_interrupt_says_what_was_kept_and_how_to_continue() {
    let folder = Folder::with("games.pdn", first_games("brazilian", 6));
    let whole = folder.run(&["annotate", "--nodes", "2000", "games.pdn"]).is(0);
    let arguments = ["annotate", "--nodes", "2000", "--jobs", "2", "games.pdn", "-o", "out.pdn"];
    let saving = [&arguments[..], &["--checkpoint", "run.jsonl"]].concat();
    folder.write("out.pdn", "before");
    let child = start(&folder, &saving);
    let part = || fs::read_to_string(folder.path("out.pdn.part")).unwrap_or_default();
    wait_until("a game is written", || part().matches("[Event ").count() > 1);
    let output = signal(child, "INT");
    assert_eq!(output.status.code(), Some(130));
    let (text, errors) = (part(), errors(&output));
    assert!(whole.text().starts_with(&text) && text.ends_with('\n'), "whole games in their order");
    let written = text.matches("[Event ").count();
    let count = |games: usize| if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let farewell = |saved| {
        let (saved, written) = (count(saved), count(written));
        format!(
            "pdn: interrupted: {saved} saved in run.jsonl, {written} written to out.pdn.part; repeat the command to continue"
        )
    };
    // A game may be saved between the message and the exit.
    let saved = folder.read("run.jsonl").lines().count() - 1;
    let last = errors.lines().last().expect("a message");
    assert!([farewell(saved), farewell(saved - 1)].iter().any(|message| message == last), "{last}");
    assert_eq!(folder.read("out.pdn"), "before");
    folder.run(&saving).is(0);
    assert_eq!(folder.read("out.pdn"), whole.text());
    assert_eq!(folder.names(), ["games.pdn", "out.pdn", "run.jsonl"]);
    let child = start(&folder, &arguments);
    wait_until("a game is written", || !part().is_empty());
    let errors = self::errors(&signal(child, "TERM"));
    assert!(errors.contains("written to out.pdn.part; a run with --checkpoint FILE can be continued"), "{errors}");
}

#[test]
fn an_interrupted_match_keeps_its_games_and_its_score() {
    let folder = Folder::with("games.pdn", "before");
    let arguments = ["match", "builtin:nodes=2000", "builtin:nodes=1000", "--games", "100000", "--agree", "200"];
    let saving = [&arguments[..], &["-o", "games.pdn"]].concat();
    let part = || fs::read_to_string(folder.path("games.pdn.part")).unwrap_or_default();
    for (more, next) in [
        (&[][..], "a match with --checkpoint FILE can be continued"),
        (&["--checkpoint", "run.jsonl"], "repeat the command to continue"),
    ] {
        let child = start(&folder, &[&saving[..], more].concat());
        wait_until("two games are written", || part().matches("[Event ").count() > 1);
        let output = signal(child, "TERM");
        assert_eq!(output.status.code(), Some(130));
        let (text, errors) = (part(), errors(&output));
        let played = text.matches("[Event ").count();
        assert!(text.ends_with("\n\n") && games(text).len() == played, "whole games");
        assert!(errors.contains(&format!("\n{played} games: +")) && errors.contains("Elo "), "{errors}");
        let farewell = format!("interrupted: the games are in games.pdn.part; {next}\n");
        assert!(errors.ends_with(&farewell), "{errors}");
        assert_eq!(folder.read("games.pdn"), "before");
        fs::remove_file(folder.path("games.pdn.part")).expect("removed");
    }
    let output = signal(started(&folder, &arguments), "TERM");
    assert!(errors(&output).contains(": +"), "{}", errors(&output));
    assert!(errors(&output).ends_with("interrupted: a match with --checkpoint FILE can be continued\n"));
}

#[test]
fn output_grows_game_by_game() {
    let folder = Folder::with("games.pdn", sample("brazilian"));
    let mut child = start(&folder, &["annotate", "--nodes", "2000", "--jobs", "1", "games.pdn", "-o", "out.pdn"]);
    let mut counts = Vec::new();
    wait_until("the end", || {
        let text = fs::read_to_string(folder.path("out.pdn.part")).unwrap_or_default();
        counts.push(text.matches("[Event ").count());
        child.try_wait().expect("a child").is_some()
    });
    counts.dedup();
    assert!(counts.len() > 3, "{counts:?}");
    assert_eq!(games(folder.read("out.pdn")).len(), 8);
    assert!(!folder.path("out.pdn.part").exists());
}

#[test]
fn files_that_would_be_destroyed_are_refused() {
    let folder = Folder::with("games.pdn", sample("brazilian"));
    folder.write("run.jsonl", "kept");
    let same = "the checkpoint and the output are the same file";
    for (arguments, reason) in [
        (&["annotate", "games.pdn", "--checkpoint", "run.jsonl", "-o", "run.jsonl"][..], same),
        (&["annotate", "games.pdn", "--checkpoint", "new", "-o", "./new"], same),
        (&["annotate", "games.pdn", "--checkpoint", "out.part", "-o", "out"], same),
        (&["match", "builtin", "builtin", "--checkpoint", "run.pdn", "-o", "./run.pdn"], same),
        (&["annotate", "games.pdn", "--cache", "new", "-o", "./new"], "the cache and the output are the same file"),
        (&["annotate", "games.pdn", "--cache", "new.part", "-o", "new"], "the cache and the output are the same file"),
        (&["annotate", "games.pdn", "--to", "csv", "-o", "games.pdn"], "would replace an input"),
        (&["report", "games.pdn", "-o", "./games.pdn"], "cannot be .pdn"),
        (&["diagram", "games.pdn", "--sheet", "9x9", "-o", "games.pdn"], "cannot be .pdn"),
        (&["puzzles", "games.pdn", "-o", "games.pdn"], "would replace an input"),
        (&["verify", "games.pdn", "-o", "games.pdn"], "cannot be .pdn"),
        (&["annotate", "games.pdn", "old.pdn.part", "-o", "old.pdn"], "before it is read"),
    ] {
        folder.write("old.pdn.part", "kept");
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains(reason), "{}", run.errors);
        assert_eq!((folder.read("run.jsonl"), folder.read("old.pdn.part")), ("kept".to_owned(), "kept".to_owned()));
        assert_eq!(folder.names(), ["games.pdn", "old.pdn.part", "run.jsonl"]);
    }
}

#[test]
fn a_checkpoint_that_was_cut_off_is_continued() {
    let folder = Folder::with("games.pdn", "[GameType \"20\"]\n1. 32-28 19-23 *\n");
    let arguments = ["annotate", "--depth", "2", "games.pdn", "--checkpoint", "run.jsonl"];
    let whole = folder.run(&arguments).is(0);
    let checkpoint = fs::read(folder.path("run.jsonl")).expect("a checkpoint");
    let header = checkpoint.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    for length in [0, 1, header / 2, header - 1, header] {
        folder.write("run.jsonl", &checkpoint[..length]);
        assert_eq!(folder.run(&arguments).is(0).text(), whole.text(), "{length} bytes");
        assert_eq!(fs::read(folder.path("run.jsonl")).expect("a checkpoint"), checkpoint, "{length} bytes");
    }
    folder.write("run.jsonl", &checkpoint[..header + 5]);
    assert_eq!(folder.run(&arguments).is(0).text(), whole.text());
    let cut = [&checkpoint[..header + 5], b"\n", &checkpoint[header..]].concat();
    assert_eq!(fs::read(folder.path("run.jsonl")).expect("a checkpoint"), cut, "what is there stays");
    for damage in [b'x', 0, 0xFF] {
        let mut damaged = checkpoint.clone();
        damaged[3] = damage;
        folder.write("run.jsonl", &damaged);
        let run = folder.run(&arguments).is(2);
        assert!(run.errors.contains("not a journal of annotated games"), "{}", run.errors);
        assert_eq!(fs::read(folder.path("run.jsonl")).expect("a checkpoint"), damaged, "it is not changed");
    }
}

/// Runs a command with a terminal as its standard error, as `script` does.
#[test]
fn progress_is_shown_on_a_terminal_from_the_first_second() {
    if !Path::new("/usr/bin/script").exists() {
        return crate::support::corpus::skip("no program `script`");
    }
    let folder = Folder::with("games.pdn", sample("brazilian"));
    let command = format!("'{}' annotate --nodes 2000000 --jobs 1 games.pdn -o out.pdn", program());
    let mut script = Command::new("/usr/bin/script");
    script.args(["-qfec", &command, "screen"]).current_dir(folder.path("")).stdin(Stdio::null());
    let mut child = script.stdout(Stdio::null()).spawn().expect("started");
    let screen = || String::from_utf8_lossy(&fs::read(folder.path("screen")).unwrap_or_default()).into_owned();
    wait_until("all moves are counted", || screen().contains("0/8 games, ") && screen().contains(" moves/s, "));
    assert!(child.try_wait().expect("a child").is_none(), "the first game is not done yet");
    assert!(screen().contains(" left"), "{}", screen());
    child.kill().expect("killed");
    child.wait().expect("ended");
}
