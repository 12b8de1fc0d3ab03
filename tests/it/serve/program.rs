//! The command: what it prints, and how it ends.

use crate::support::binary::{Folder, pdn};

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
        (&["serve", ".", "--password-file", "none"], "cannot read none"),
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
