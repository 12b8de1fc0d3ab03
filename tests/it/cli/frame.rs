//! What all commands have in common: help, exit status, inputs, output files, colours.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::binary::signals;
use crate::support::binary::{Folder, Run, numbers, pdn, pdn_with, program};

/// The commands of the program in its help.
const HELP: &str = "\
Records:
  check        Validate records: syntax, tags, moves, positions, results, draws
  fmt          Write records in canonical PDN 3.0
  convert      Convert records to CSV, XLSX, JSON, PDN, FEN or Parquet
  edit         Change tags of all games; all other bytes stay unchanged
  diff         Compare two transcriptions of the same games

Annotation:
  annotate     Add engine evaluations to records
  report       Write games as an HTML page: a board, moves, evaluations
  sheet        Print exercises and games: PDF, or HTML to print from a browser
  puzzles      Make puzzles from the shots and mistakes in games
  lesson       Make a lesson on a shot out of games: explanation, examples, exercises
  verify       Check that problems have exactly one solution
  cache        Manage the searches that `annotate --cache` or `--checkpoint` saves

Collections:
  search       Find games by tags, positions and moves
  index        Write a sorted table of all positions in games to a folder
  stats        Show statistics of a collection
  chart        Draw charts: evaluations of a game, accuracy by year, openings, ratings
  shots        List the shots in games: combinations that win material or a king
  openings     Show the moves played from a position, and how they scored
  players      Suggest which spellings belong to the same person
  ratings      Rate players by the results of their games
  prepare      Report on a player: repertoire, results, accuracy, shots, endgames
  event        Show the standings of a tournament, and problems in its records
  merge        Write the games of all inputs, sorted
  serve        Open a folder of records in the browser, with the native engine

Positions:
  show         Show the board of a FEN, or of a game after a number of plies
  diagram      Draw positions as pictures for books, slides and pages: SVG, PNG or GIF
  moves        List the legal moves of one or more positions
  perft        Count the leaves of the move tree at a depth
  egdb         Build and query endgame databases

Engines:
  play         Play against the engine
  match        Play a match between two engines, or a tournament of several
  hub          Run the built-in engine for other programs (Hub protocol, version 2)
  dxp          Play against another program over a network (DXP)
  train        Learn an evaluation: play games, fit weights, test them
  bench        Measure the speed of reading, replaying and searching

Other:
  variants     List the built-in variants, or write the rules file of one
  completions  Write a completion script for a shell
  man          Write the manual, one page per command

Options:
";
const GOOD: &str = "[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
const BAD: &str = "[GameType \"20\"]\n1. 31-13 *\n\n";

fn folder() -> Folder {
    let folder = Folder::with("good.pdn", GOOD);
    folder.write("bad.pdn", BAD);
    folder.write("empty.pdn", "");
    folder.write("none/readme.txt", "no record");
    folder
}

/// Returns the names of the commands that the help of the program, or of a command, lists.
fn commands(of: &[&str]) -> Vec<String> {
    let help = pdn(&[of, &["--help"]].concat()).is(0);
    let lines = help.text().lines().skip_while(|line| !["Commands:", "Records:"].contains(line));
    let lines = lines.take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  "));
    let names = lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_help_lists_the_commands_by_groups() {
    for arguments in [&["--help"][..], &["-h"], &["help"]] {
        let help = pdn(arguments).is(0);
        assert!(help.text().contains(HELP), "{arguments:?}:\n{}", help.text());
    }
    assert_eq!(commands(&[]).len(), 38);
    assert_eq!(pdn(&[]).is(2).errors, pdn(&["-h"]).text());
}

#[test]
fn rare_options_have_a_heading() {
    for (command, option) in [("check", "--baseline"), ("annotate", "--thresholds"), ("diagram", "--width")] {
        let help = pdn(&[command, "--help"]).is(0);
        let (usual, advanced) = help.text().split_once("\nAdvanced options:\n").expect("a heading");
        let (advanced, common) = advanced.split_once("\nCommon options:\n").expect("another one");
        for (part, option) in [(usual, "--help"), (advanced, option), (common, "--variant")] {
            assert!(
                part.contains(&format!("{option} ")) || part.contains(&format!("{option}\n")),
                "{command} {option}"
            );
        }
    }
}

#[test]
fn a_command_lists_only_its_formats() {
    for (command, formats) in [
        ("chart", "svg, png, csv"),
        ("check", "human, json, csv, sarif, github"),
        ("event", "text, csv, html, pdf, json, xlsx"),
        ("moves", "plain, json"),
        ("openings", "table, csv, json, pdn"),
        ("ratings", "table, csv, json"),
        ("show", "text, svg"),
        ("stats", "table, csv, json"),
    ] {
        let run = pdn(&[command, "--format", "potato"]).is(2);
        assert!(run.errors.contains(&format!("[possible values: {formats}]")), "{}", run.errors);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in commands(&[]) {
        let help = pdn(&[&command, "--help"]).is(0);
        for part in ["Example", &format!("pdn {command}"), "--variant", "--jobs", "--quiet", "--output", "--color"] {
            assert!(help.text().contains(part), "no {part} in the help of {command}");
        }
    }
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    for command in ["bench", "cache", "egdb", "train"] {
        let subcommands = commands(&[command]);
        assert!(subcommands.len() > 2, "{command}: {subcommands:?}");
        for subcommand in subcommands {
            let help = pdn(&[command, &subcommand, "--help"]).is(0);
            let example = format!("pdn {command} {subcommand}");
            assert!(help.text().split_once("Example").is_some_and(|(_, after)| after.contains(&example)), "{example}");
        }
    }
}

#[test]
fn what_cannot_be_done_exits_with_2_and_the_rest_is_done() {
    let folder = folder();
    for (arguments, status) in [
        (&["check", "good.pdn"][..], 0),
        (&["check", "empty.pdn"], 0),
        (&["check", "bad.pdn"], 1),
        (&["check", "good.pdn", "bad.pdn", "good.pdn"], 1),
        (&["check", "missing.pdn"], 2),
        (&["check", "none"], 2),
        (&["check", "none", "good.pdn"], 2),
        (&["check", "missing.pdn", "bad.pdn"], 2),
        (&["check"], 2),
        (&["check", "--no-such-option", "good.pdn"], 2),
        (&["check", "--variant", "ludo", "good.pdn"], 2),
        (&["check", "--jobs", "0", "good.pdn"], 2),
        (&["check", "--max-game", "0", "good.pdn"], 2),
        (&["check", "--explain", "no/code"], 2),
        (&["perft", "--depth", "1", "--variant", "99"], 2),
        (&["perft", "--depth", "1", "--jobs", "0"], 2),
        (&["no-such-command"], 2),
        (&[], 2),
        (&["annotate", "--quiet", "--nodes", "10", "good.pdn"], 0),
        (&["annotate", "--nodes", "10", "missing.pdn", "good.pdn"], 2),
        (&["annotate", "--nodes", "0", "good.pdn"], 2),
        (&["bench", "read", "missing.pdn"], 2),
        (&["moves", "--fens", "missing"], 2),
        (&["--version"], 0),
    ] {
        let run = folder.run(arguments).is(status);
        assert_eq!(status == 2, !run.errors.is_empty(), "{arguments:?}: {}", run.errors);
    }
    let run = folder.run(&["annotate", "--quiet", "--nodes", "10", "bad.pdn"]).is(1);
    assert!(run.errors.contains("game 1: not annotated"), "{}", run.errors);
    let run = folder.run(&["check", "--format", "json", "missing.pdn", "bad.pdn", "none", "good.pdn"]).is(2);
    let (notes, errors): (Vec<_>, Vec<_>) = run.errors.lines().partition(|line| line.starts_with("not read: none/"));
    assert_eq!((notes.len(), errors.len()), (1, 2), "{}", run.errors);
    assert_eq!(numbers(&run.summary(), ["files", "games", "clean_games", "errors"]), [2, 2, 1, 1]);
}

#[test]
fn damaged_files_exit_with_2_and_the_games_before_the_damage_are_kept() {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(GOOD.repeat(20_000).as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let folder = folder();
    folder.write("cut.pdn.gz", &gzip[..gzip.len() * 9 / 10]);
    let run = folder.run(&["check", "--format", "json", "cut.pdn.gz", "good.pdn"]).is(2);
    assert!(run.summary()["clean_games"].as_u64().expect("a number") > 1000);
    folder.write("two.pdn.gz", [&gzip[..], &gzip[..]].concat());
    assert_eq!(folder.run(&["check", "--format", "json", "two.pdn.gz"]).is(0).summary()["games"], 40_000);
    folder.write("plain.pdn.gz", GOOD);
    folder.run(&["check", "plain.pdn.gz"]).is(0);
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_exits_with_2() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    folder.write("locked/a.pdn", GOOD);
    let mode = |mode| fs::set_permissions(folder.path("locked"), fs::Permissions::from_mode(mode)).expect("ours");
    mode(0o000);
    // The superuser can read this folder.
    let barred = fs::read_dir(folder.path("locked")).is_err();
    let run = folder.run(&["check", "--format", "json", "locked", "good.pdn"]);
    mode(0o755);
    let run = run.is(if barred { 2 } else { 0 });
    assert_eq!(run.summary()["games"], if barred { 1 } else { 2 });
}

#[test]
fn a_dash_is_standard_input_in_every_command() {
    for arguments in [
        &["check", "-"][..],
        &["convert", "--to", "jsonl", "-"],
        &["annotate", "--nodes", "10", "-"],
        &["show", "-"],
        &["bench", "read", "-"],
        &["bench", "replay", "-"],
    ] {
        assert!(!pdn_with(GOOD, arguments).is(0).text().is_empty(), "{arguments:?}");
    }
    let run = pdn_with(GOOD, &["check", "--format", "json", "-", "missing.pdn"]).is(2);
    assert_eq!(run.summary()["games"], 1);
}

#[test]
fn output_files_are_replaced_only_at_the_end() {
    let folder = folder();
    folder.write("out", "before");
    folder.run(&["check", "bad.pdn", "-o", "out"]).is(1);
    assert!(folder.read("out").contains("move/illegal"));
    folder.run(&["check", "good.pdn", "-o", "out"]).is(0);
    assert!(folder.read("out").starts_with("1 file, 1 game: 1 without errors"));
    folder.run(&["convert", "--to", "pdn", "good.pdn", "-o", "good.pdn"]).is(0);
    assert!(folder.read("good.pdn").contains("1. 32-28 19-23 *"));
    folder.run(&["moves", "--fens", "missing", "-o", "out"]).is(2);
    assert!(folder.read("out").starts_with("1 file, 1 game: 1 without errors"));
    for target in ["none", "no/such/folder/out", "good.pdn/out"] {
        let run = folder.run(&["check", "good.pdn", "-o", target]).is(2);
        assert!(run.text().is_empty() && run.errors.lines().count() == 1, "{}", run.errors);
        assert!(run.errors.contains(target), "{}", run.errors);
    }
    assert_eq!(folder.names(), ["bad.pdn", "empty.pdn", "good.pdn", "none", "out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_exits_with_2() {
    let folder = folder();
    for arguments in [
        &["check", "bad.pdn"][..],
        &["convert", "--to", "jsonl", "good.pdn"],
        &["annotate", "--nodes", "10", "good.pdn"],
        &["moves", "--fen", "W:W31:B1"],
        &["perft", "--depth", "1"],
        &["show", "--fen", "W:W31:B1"],
        &["variants"],
        &["man"],
        &["completions", "bash"],
    ] {
        let run = folder.run(&[arguments, &["-o", "/dev/full"]].concat()).is(2);
        assert!(run.errors.contains("cannot write /dev/full: "), "{arguments:?}: {}", run.errors);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        Run::of(folder.command(arguments).stdout(full)).is(2);
    }
}

#[test]
fn output_is_coloured_on_terminals_or_on_request() {
    let folder = folder();
    let colored = |arguments: &[&str], no_color: Option<&str>| {
        let mut command = folder.command(&[&["check", "bad.pdn"], arguments].concat());
        command.env_remove("NO_COLOR").envs(no_color.map(|value| ("NO_COLOR", value)));
        Run::of(&mut command).is(1).text().contains('\x1b')
    };
    assert!(!colored(&[], None) && !colored(&["--color", "auto"], None) && !colored(&["--color", "never"], None));
    assert!(colored(&["--color", "always"], None) && colored(&["--color=always"], Some("1")));
    assert!(!colored(&[], Some("1")));
    folder.run(&["check", "bad.pdn", "--color", "sometimes"]).is(2);
    assert!(!folder.run(&["check", "--format", "json", "--color", "always", "bad.pdn"]).text().contains('\x1b'));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = Folder::with("many.pdn", BAD.repeat(20_000));
    for arguments in [&["check", "many.pdn"][..], &["convert", "--to", "jsonl", "many.pdn"], &["man"]] {
        let mut command: Command = folder.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ended");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_ne!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_exits_with_130_and_leaves_no_output() {
    for arguments in [&["check", "-"][..], &["check", "--duplicates", "-"], &["perft", "--depth", "30", "--jobs", "1"]]
    {
        assert_eq!(ended_by("-INT", &[arguments, &["-o", "out"]].concat()), Some(130));
    }
}

/// Output that is not complete has no name.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_no_output() {
    for arguments in [&["check", "-", "-o", "out"][..], &["check", "--duplicates", "-"]] {
        assert_eq!(ended_by("-KILL", arguments), None);
    }
}

/// Ends a command that handles signals and has opened its files, of which none may be left, and returns its exit status.
#[cfg(target_os = "linux")]
fn ended_by(signal: &str, arguments: &[&str]) -> Option<i32> {
    use std::io::Write;
    use std::time::Duration;

    const INTERRUPT: u64 = 1 << 1;
    let folder = Folder::new();
    fs::create_dir(folder.path("temporary")).expect("a folder");
    let mut command = folder.command(arguments);
    let mut child = command.env("TMPDIR", folder.path("temporary")).stdin(Stdio::piped()).spawn().expect("started");
    // `wait` would close standard input, and the run could end before it handles the signal.
    let mut stdin = child.stdin.take().expect("a pipe");
    // This is more than a pipe holds: once it is written, the program is reading it.
    let reads = arguments.contains(&"-").then(|| stdin.write_all(GOOD.repeat(20_000).as_bytes()));
    assert!(reads.is_none_or(|written| written.is_ok()));
    while signals(&child.id().to_string(), "SigCgt") & INTERRUPT == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill").success());
    let status = child.wait().expect("ended").code();
    drop(stdin);
    let left = fs::read_dir(folder.path("temporary")).expect("a folder").count();
    assert_eq!((folder.names(), left), (vec!["temporary".to_owned()], 0), "{arguments:?}");
    status
}

#[test]
fn benchmarks_end_with_one_line_of_figures() {
    let text = "[GameType \"20\"]\n1. 32-28 (1. 31-27 19-23) 19-23 2. 28x19 - *\n\n".repeat(3);
    let folder = Folder::with("a.pdn", &text);
    for what in ["read", "replay"] {
        let run = folder.run(&["bench", what, "a.pdn"]).is(0);
        let last = *run.lines().last().expect("a line");
        let [speed, games, moves, rate] = last.split(", ").collect::<Vec<_>>()[..] else { panic!("{last}") };
        assert_eq!((games, moves), ("3 games", "18 moves"));
        let number = |text: &str, unit: &str| text.strip_suffix(unit).and_then(|text| text.parse::<f64>().ok());
        assert!(number(speed, " MB/s").is_some() && number(rate, " M moves/s").is_some(), "{last}");
        assert!(!speed.contains('.'), "{last}");
    }
}

#[test]
fn an_unsolved_problem_exits_with_1() {
    const SOLVED: &str = "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 31x22 *\n\n";
    const UNSOLVED: &str = "[GameType \"20\"]\n[FEN \"W:W28,48:B18\"]\n1. 28-23 *\n\n";
    let folder = Folder::with("a.pdn", SOLVED);
    folder.write("b.pdn", format!("{SOLVED}{UNSOLVED}"));
    let bench = |arguments: &[&str]| folder.run(&[&["bench", "problems", "--nodes", "1000"], arguments].concat());
    assert!(bench(&["a.pdn"]).is(0).text().ends_with("1 of 1 problems solved, 100.0 %\n"));
    assert!(bench(&["b.pdn"]).is(1).text().ends_with("1 of 2 problems solved, 50.0 %\n"));
    let rows = bench(&["--format", "json", "b.pdn"]).is(1).values();
    assert_eq!((&rows[0]["solved"], &rows[0]["found"]), (&true.into(), &"31x22".into()));
    assert_eq!(
        (&rows[1]["game"], &rows[1]["solution"], &rows[1]["solved"]),
        (&2.into(), &"28-23".into(), &false.into())
    );
    assert_eq!(numbers(&rows[2]["summary"], ["problems", "solved"]), [2, 1]);
}

#[test]
fn problems_that_cannot_be_used_are_named() {
    let problem = |fen: &str, solution: &str| format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n{solution} *\n\n");
    let text = problem("W:W31,48:B27", "1. 31x22")
        + &problem("W:W31,48:B27", "1. 48-1")
        + &problem("W:W99:Bx", "1. 31x22")
        + &problem("W:W31,48:B27", "")
        + "[GameType \"20\"]\n1. 32-28 *\n";
    let folder = Folder::with("a.pdn", text);
    let run = folder.run(&["bench", "problems", "--nodes", "1000", "a.pdn"]).is(1);
    assert!(run.text().ends_with("1 of 1 problems solved, 100.0 %, 3 skipped\n"), "{}", run.text());
    let lines: Vec<_> = run.errors.lines().collect();
    assert!(lines[0].starts_with("pdn: a.pdn: game 2: `48-1` is not legal"), "{lines:?}");
    assert!(lines[1].starts_with("pdn: a.pdn: game 3: the FEN cannot be read"), "{lines:?}");
    assert_eq!(lines[2..], ["pdn: a.pdn: game 4: there is no solution"]);
    let rows = folder.run(&["bench", "problems", "--nodes", "1000", "--format", "json", "a.pdn"]).is(1).values();
    assert_eq!(numbers(&rows[1]["summary"], ["problems", "solved", "skipped"]), [1, 1, 3]);
}

#[test]
fn another_engine_solves_problems() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 31x22 *\n\n");
    let engine = format!("hub:'{}' hub {{threads=1, hash=1}}", program());
    let solve = |engine: &str| folder.run(&["bench", "problems", "--nodes", "1000", "--engine", engine, "a.pdn"]);
    assert!(solve(&engine).is(0).text().ends_with("1 of 1 problems solved, 100.0 %\n"));
    let missing = solve("no-such-engine-is-here hub").is(2);
    assert!(
        missing.errors.starts_with("pdn: no-such-engine-is-here hub: the engine cannot be started: "),
        "{}",
        missing.errors
    );
    assert!(missing.text().ends_with("0 of 1 problems solved, 0.0 %\n"));
    let unknown = solve(&engine.replace("hash", "hashes")).is(2);
    assert!(
        unknown.errors.contains("the engine has no parameter `hashes`; it has variant, threads, hash, "),
        "{}",
        unknown.errors
    );
}

#[cfg(unix)]
#[test]
fn an_engine_without_scores_solves_problems() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 31x22 *\n\n");
    let script = "while read -r line; do case \"$line\" in hub) echo wait;; init) echo ready;; \
                  go*) echo 'done move=31x22x27';; esac; done";
    folder.write("engine.sh", script);
    let solved = folder.run(&["bench", "problems", "--engine", "sh engine.sh", "a.pdn"]).is(0);
    assert_eq!(solved.text(), "a.pdn: game 1: 31x22 found with 0 nodes\n1 of 1 problems solved, 100.0 %\n");
    // A brace that is not closed is not an argument of the program.
    let unclosed = folder.run(&["bench", "problems", "--engine", "hub:sh engine.sh{threads=1", "a.pdn"]).is(2);
    assert!(unclosed.errors.contains("expected `}` at the end"), "{}", unclosed.errors);
}

#[test]
fn errors_in_arguments_are_json_on_request() {
    for (arguments, wanted) in [
        (&["check", "--format", "json", "--no-such", "a.pdn"][..], "unexpected argument '--no-such' found"),
        (&["check", "--format=json", "--jobs", "x", "a.pdn"], "invalid value 'x' for '--jobs <N>'"),
        (&["check", "--format", "json", "--variant", "american", "a.pdn"], "`american` may be checkers (english, "),
        (&["moves", "--format", "json"], "required arguments were not provided: --fen <F>"),
    ] {
        let run = pdn(arguments).is(2);
        let error: Value = serde_json::from_str(&run.errors).expect("one JSON object");
        assert!(error["error"].as_str().is_some_and(|error| error.contains(wanted)), "{error}");
        assert_eq!((&error["kind"], &error["path"]), (&"usage".into(), &Value::Null));
        assert!(run.text().is_empty());
    }
}

#[test]
fn completions_and_manual_name_every_command() {
    let commands = commands(&[]);
    let manual = pdn(&["man"]).is(0);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = pdn(&["completions", shell]).is(0);
        assert!(commands.iter().all(|command| script.text().contains(command.as_str())), "{shell}");
    }
    assert!(commands.iter().all(|command| manual.text().contains(&format!(".TH pdn-{command} 1"))));
    pdn(&["completions", "tcsh"]).is(2);
    for shell in ["bash", "zsh", "fish"] {
        let script = pdn(&["completions", shell]).is(0);
        for value in ["italian", "spantsiretti", "move/illegal", "draw/early", "syntax"] {
            assert!(script.text().contains(value), "{shell}: {value}");
        }
    }
    let folder = Folder::new();
    folder.run(&["man", "--out", "pages"]).is(0);
    assert!(commands.iter().all(|command| folder.path(&format!("pages/pdn-{command}.1")).exists()));
    assert!(folder.path("pages/pdn.1").exists());
}

/// Skipped where there is no bash.
#[cfg(unix)]
#[test]
fn bash_completes_variants_and_codes() {
    let folder = Folder::new();
    folder.run(&["completions", "bash", "-o", "script"]).is(0);
    for (words, wanted) in [
        ("pdn check --variant it", "italian"),
        ("pdn check --ignore draw/ea", "draw/early"),
        ("pdn check --ignore syntax,draw/ea", "syntax,draw/early"),
        ("pdn check --deny move/illegal,draw,tag/encod", "move/illegal,draw,tag/encoding"),
        ("pdn check --explain move/ill", "move/illegal"),
    ] {
        let count = words.split(' ').count() - 1;
        let text = format!(
            "source ./script; COMP_WORDS=({words}); COMP_CWORD={count}; _pdn pdn \"${{COMP_WORDS[{count}]}}\" \
            \"${{COMP_WORDS[{}]}}\"; echo \"${{COMPREPLY[@]}}\"",
            count - 1
        );
        let Ok(output) = Command::new("bash").current_dir(folder.path(".")).args(["-c", &text]).output() else {
            return;
        };
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), wanted, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_file_gets_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("other", "");
    let mode = |name: &str| fs::metadata(folder.path(name)).expect("a file").permissions().mode();
    folder.run(&["variants", "-o", "out"]).is(0);
    assert_eq!(mode("out"), mode("other"));
}

/// Standard input is read before the folder, whose files are listed at the start. A file that is deleted in between is
/// reported like any other file that cannot be read.
#[cfg(unix)]
#[test]
fn files_may_be_deleted_or_change_while_others_are_read() {
    use std::io::Write;

    let folder = Folder::with("records/a.pdn", GOOD);
    folder.write("records/b.pdn", GOOD);
    folder.write("records/c.pdn", GOOD.repeat(1000));
    let mut command = folder.command(&["check", "--format", "json", "--jobs", "1", "-", "records"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("a pipe");
    // This is more than a pipe holds: once it is written, the program is reading it.
    stdin.write_all(GOOD.repeat(20_000).as_bytes()).expect("read");
    fs::remove_file(folder.path("records/b.pdn")).expect("removed");
    folder.write("records/c.pdn", GOOD);
    drop(stdin);
    let run = Run::from(child.wait_with_output().expect("ended")).is(2);
    assert_eq!(run.summary()["games"], 20_002);
    assert!(run.errors.lines().count() == 1 && run.errors.contains("b.pdn"), "{}", run.errors);
}

#[test]
fn a_truncated_file_keeps_the_games_before_its_end() {
    let whole = GOOD.repeat(3);
    for end in [whole.len() - 3, whole.len() - GOOD.len() + 5] {
        let folder = Folder::with("cut.pdn", &whole[..end]);
        assert!(folder.run(&["check", "--format", "json", "cut.pdn"]).summary()["clean_games"].as_u64() >= Some(2));
    }
}
