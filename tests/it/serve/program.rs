//! The command: what it prints, and how it ends.

#![expect(clippy::print_stdout, reason = "the versions found")]

use crate::support::binary::{Folder, pdn};

/// Ends a program also if a test fails.
#[cfg(unix)]
struct Running(std::process::Child);

#[cfg(unix)]
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program that ends in the middle of a save leaves the old version of the file or the new one.
#[cfg(unix)]
#[test]
fn a_server_killed_during_a_save_leaves_a_whole_file() {
    use std::fs;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use tempfile::tempdir;

    use super::client::Served;
    use crate::support::binary::program;

    const GAMES: usize = 40_000;
    let version =
        |event: usize| format!("[Event \"{event}\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n").repeat(GAMES);
    let (mut outcomes, mut last) = ([0, 0], version(0));
    // The times are spread over a save, which takes some hundredths of a second; nothing depends on where one of them falls.
    for round in 1..=8 {
        let place = tempdir().expect("a folder");
        fs::write(place.path().join("games.pdn"), &last).expect("a file");
        let mut command = Command::new(program());
        command.args(["serve", ".", "--write", "--quiet"]).current_dir(place.path()).stdout(Stdio::piped());
        let mut process = Running(command.spawn().expect("the program"));
        let mut line = String::new();
        let output = process.0.stdout.take().expect("output");
        BufReader::new(output).read_line(&mut line).expect("the address");
        let served = Served::at(place, &line);
        let (next, cookie) = (version(round), served.cookie());
        let read = served.ask("GET /api/file?path=games.pdn", b"");
        let tag = format!("If-Match: {}", read.header("etag").expect("a version"));
        let origin = format!("Origin: http://{}", served.host);
        thread::scope(|scope| {
            scope.spawn(|| {
                served.send("PUT /api/file?path=games.pdn", &[&cookie, &tag, &origin], next.as_bytes());
            });
            thread::sleep(Duration::from_millis(12 * round as u64));
            process.0.kill().expect("an end");
        });
        let found = fs::read_to_string(served.place.path().join("games.pdn")).expect("a file");
        assert!(found == last || found == next, "{} bytes of {} or {}", found.len(), last.len(), next.len());
        outcomes[usize::from(found == next)] += 1;
        last = found;
    }
    println!("killed during a save: {} old versions, {} new ones", outcomes[0], outcomes[1]);
}

#[test]
fn it_does_not_serve_a_network_without_a_password() {
    let folder = Folder::with("a.pdn", "*");
    folder.write("short.txt", "1234567\n");
    for arguments in [
        &["serve", ".", "--listen", "0.0.0.0:0"][..],
        &["serve", ".", "--listen", "0.0.0.0:0", "--password-file", "short.txt"],
    ] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains("password") && run.text().is_empty(), "{}", run.errors);
    }
    for (arguments, reason) in [
        (&["serve", "none"][..], "cannot read none"),
        (&["serve", "a.pdn"], "cannot read a.pdn"),
        (&["serve", ".", "--listen", "here"], "expected an address and a port"),
        (&["serve", ".", "--listen", "nohost.invalid:8080"], "nohost.invalid:8080: the host cannot be found"),
        (
            &["serve", ".", "--public-url", "https://club.example/games"],
            "expected the address of a site without a path",
        ),
        (&["serve", ".", "--public-url", "https://club.example"], "needs a password"),
        (&["serve", ".", "--password-file", "none"], "cannot read none"),
        (&["serve", ".", "-o", "url.txt"], "`pdn serve` prints the address to open and has no other output; omit -o"),
        (
            &["serve", ".", "--variant", "russian"],
            "in `pdn serve`, the pages choose how records are read; omit --variant",
        ),
        (&["serve", ".", "--rules", "rules.toml"], "omit --rules"),
        (&["serve", ".", "--aliases", "names.txt"], "omit --aliases"),
    ] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains(reason), "{}", run.errors);
    }
    assert!(pdn(&["serve", "--help"]).is(0).text().contains("variable PDN_PASSWORD"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_status_130() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let folder = Folder::with("a.pdn", "*");
    let mut command = folder.command(&["serve", ".", "--quiet"]);
    let mut process = command.stdout(Stdio::piped()).spawn().expect("the program");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("output")).read_line(&mut line).expect("the address");
    assert!(line.starts_with("http://127.0.0.1:") && line.contains("/?token="), "{line}");
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    assert_eq!(process.wait().expect("an end").code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_byte_order_mark_is_not_part_of_the_password() {
    use std::fs;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use tempfile::tempdir;

    use super::client::Served;
    use crate::support::binary::program;

    let place = tempdir().expect("a folder");
    fs::write(place.path().join("password.txt"), "\u{feff}twenty men\r\n").expect("a file");
    let mut command = Command::new(program());
    command.args(["serve", ".", "--quiet", "--password-file", "password.txt"]).current_dir(place.path());
    let mut process = Running(command.stdout(Stdio::piped()).spawn().expect("the program"));
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().expect("output")).read_line(&mut line).expect("the address");
    let served = Served::at(place, &line);
    let origin = format!("Origin: http://{}", served.host);
    assert_eq!(served.send("POST /sign-in", &[&origin], b"password=twenty+men").status, 303);
}
