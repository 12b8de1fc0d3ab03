//! The real binary: arguments, exit status, output files.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::{TempDir, tempdir};

const COMMANDS: [&str; 14] = [
    "check",
    "fmt",
    "convert",
    "annotate",
    "show",
    "moves",
    "perft",
    "variants",
    "bench",
    "hub",
    "match",
    "play",
    "completions",
    "man",
];

fn pdn(arguments: &[&str]) -> Output {
    pdn_in(Path::new("."), arguments)
}

fn pdn_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdn"));
    command.current_dir(folder).stdin(Stdio::null()).args(arguments).output().expect("started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn assert_status(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}{}", text(&output.stdout), text(&output.stderr));
}

fn folder() -> TempDir {
    tempdir().expect("a folder")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in COMMANDS {
        let output = pdn(&[command, "--help"]);
        assert_status(&output, 0);
        let help = text(&output.stdout);
        assert!(help.contains("Usage: pdn ") && help.contains(&format!("  pdn {command}")), "{help}");
        assert!(help.contains("--variant") && help.contains("--jobs") && help.contains("--quiet"), "{help}");
    }
    assert_status(&pdn(&["--help"]), 0);
    assert_status(&pdn(&["--version"]), 0);
}

#[test]
fn what_cannot_be_understood_is_2() {
    let calls: [&[&str]; 9] = [
        &[],
        &["frobnicate"],
        &["check"],
        &["check", "--frobnicate", "a.pdn"],
        &["check", "--variant", "ludo", "a.pdn"],
        &["perft", "--depth", "1", "--variant", "99"],
        &["perft", "--depth", "1", "--jobs", "0"],
        &["check", "--explain", "no/code"],
        &["check", "--max-game", "0", "a.pdn"],
    ];
    for arguments in calls {
        let output = pdn(arguments);
        assert_status(&output, 2);
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn variants_have_names_and_numbers() {
    for variant in ["russian", "Russian", "25", "25,W,8,8,A0,0"] {
        let output = pdn(&["perft", "--depth", "3", "--variant", variant]);
        assert_status(&output, 0);
        assert_eq!(text(&output.stdout), "302\n");
    }
}

#[test]
fn perft_counts_on_any_number_of_threads() {
    for jobs in ["1", "3"] {
        let output = pdn(&["perft", "--depth", "7", "--jobs", jobs, "--divide"]);
        assert_status(&output, 0);
        let stdout = text(&output.stdout);
        let lines: Vec<_> = stdout.lines().collect();
        assert_eq!((lines.len(), lines[9]), (10, "1049442"));
    }
    let json: serde_json::Value =
        serde_json::from_slice(&pdn(&["perft", "--depth", "5", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["leaves"], 27_117);
    assert!(json["seconds"].is_number() && json["leaves_per_second"].is_number());
    assert_eq!(text(&pdn(&["perft", "--depth", "0", "--divide"]).stdout), "1\n");
}

#[test]
fn moves_follow_the_contract() {
    let output = pdn(&["moves", "--format", "json", "--fen", "W:W31,32,K5:B19,20,10"]);
    assert_status(&output, 0);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["variant"], "international");
    assert_eq!(json["fen"], "W:W31,32,K5:B19,20,10");
    let first = serde_json::json!(
        {"notation": "5x23", "from": 5, "to": 23, "captured": [10, 19], "path": [5, 14, 23]});
    assert_eq!(json["moves"][0], first);
    assert_eq!(text(&pdn(&["moves", "--fen", "W:W31:B1"]).stdout), "31-26\n31-27\n");
}

#[test]
fn many_positions_are_answered_in_order() {
    let folder = folder();
    fs::write(folder.path().join("fens"), "W:W31:B1\r\n\r\nnonsense\n  B:W31:B1").expect("written");
    let output = pdn_in(folder.path(), &["moves", "--fens", "fens", "--format", "json"]);
    assert_status(&output, 1);
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["moves"][1]["notation"], "31-27");
    assert_eq!(lines[1]["fen"], "nonsense");
    assert!(lines[1]["error"].is_string() && lines[1].get("moves").is_none());
    assert_eq!(lines[2]["fen"], "  B:W31:B1");
    assert_status(&pdn_in(folder.path(), &["moves", "--fens", "missing"]), 2);
}

#[test]
fn a_bad_fen_is_1() {
    for command in [&["moves"][..], &["perft", "--depth", "2"]] {
        let output = pdn(&[command, &["--fen", "W:W99:B1"]].concat());
        assert_status(&output, 1);
        assert!(text(&output.stderr).contains("FEN"));
    }
}

#[test]
fn output_goes_to_a_file_in_one_step() {
    let folder = folder();
    fs::write(folder.path().join("out"), "before").expect("written");
    assert_status(&pdn_in(folder.path(), &["perft", "--depth", "2", "-o", "out"]), 0);
    assert_eq!(fs::read_to_string(folder.path().join("out")).expect("there"), "81\n");
    assert_status(&pdn_in(folder.path(), &["perft", "--depth", "2", "-o", "new"]), 0);
    assert_status(&pdn_in(folder.path(), &["moves", "--fens", "missing", "-o", "out"]), 2);
    assert_eq!(fs::read_to_string(folder.path().join("out")).expect("there"), "81\n");
    assert_eq!(names_in(folder.path()).len(), 2);
}

#[test]
fn an_output_that_cannot_be_written_is_2_in_one_line() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder")).expect("a folder");
    for target in ["no/such/folder/out", "folder"] {
        let output = pdn_in(folder.path(), &["perft", "--depth", "2", "-o", target]);
        assert_status(&output, 2);
        let message = text(&output.stderr);
        assert!(message.lines().count() == 1 && message.contains(target), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_2() {
    let output = pdn(&["perft", "--depth", "2", "-o", "/dev/full"]);
    assert_status(&output, 2);
    assert!(text(&output.stderr).starts_with("pdn: cannot write /dev/full: "));
}

#[cfg(unix)]
#[test]
fn a_new_file_is_as_readable_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).expect("there").permissions().mode();
    fs::write(folder.path().join("other"), "").expect("written");
    assert_status(&pdn_in(folder.path(), &["variants", "-o", "out"]), 0);
    assert_eq!(mode("out"), mode("other"));
}

#[test]
fn a_broken_pipe_is_quiet() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pdn"))
        .args(["man"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut message).expect("UTF-8");
    assert_eq!(child.wait().expect("ended").code(), Some(0));
    assert_eq!(message, "");
}

#[test]
fn standard_input_is_a_dash() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pdn"))
        .args(["moves", "--fens", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    child.stdin.take().expect("a pipe").write_all(b"W:W31:B1\nB:W31:B1\n").expect("written");
    let output = child.wait_with_output().expect("ended");
    assert_status(&output, 0);
    assert_eq!(text(&output.stdout), "31-26 31-27\n1-6 1-7\n");
}

#[test]
fn shells_and_manual() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = pdn(&["completions", shell]);
        assert_status(&output, 0);
        assert!(text(&output.stdout).contains("perft"), "{shell}");
    }
    let manual = text(&pdn(&["man"]).stdout);
    assert!(COMMANDS.iter().all(|command| manual.contains(&format!(".TH pdn-{command} 1"))));
    let folder = folder();
    assert_status(&pdn_in(folder.path(), &["man", "--out", "pages"]), 0);
    let names = names_in(&folder.path().join("pages"));
    assert!(names.contains(&"pdn.1".to_owned()) && names.contains(&"pdn-check.1".to_owned()), "{names:?}");
}

#[test]
fn codes_are_explained() {
    let output = pdn(&["check", "--explain", "move/illegal"]);
    assert_status(&output, 0);
    assert!(text(&output.stdout).starts_with("move/illegal (error)\n"));
}

#[cfg(unix)]
#[test]
fn an_interruption_is_130_and_leaves_nothing_behind() {
    let folder = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pdn"))
        .current_dir(folder.path())
        .args(["perft", "--depth", "30", "--jobs", "1", "-o", "out"])
        .spawn()
        .expect("started");
    // The file beside the output appears when the handler has long been there.
    while names_in(folder.path()).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}
