//! `pdn fmt` as it is called.

use std::fs;
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use crate::support::binary::program;
use crate::support::binary::{Folder, Run, pdn, pdn_with};

fn piped(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    pdn_with(input, arguments)
}

const CANONICAL: &str = "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n";
const LOOSE: &str = "[Event \"e\"]\n[GameType \"20\"]\n\n01. 3228 19-23 2. 28-19 14x23 1-0\n";

#[test]
fn standard_input_to_standard_output() {
    let output = piped(&["fmt", "-"], LOOSE);
    assert_eq!((output.text(), output.status), (CANONICAL, Some(0)));
    let output = piped(&["fmt", "-"], &output.bytes);
    assert_eq!(output.text(), CANONICAL);
    let output = piped(&["fmt", "--results", "-"], LOOSE);
    assert!(output.text().ends_with("14x23 2-0\n"));
}

#[test]
fn texts_between_games_become_comments() {
    let input = "prose before\n\n[Event \"a\"]\n\n1. 32-28 *\n\n1-0\n\n{left over}\n";
    let once = piped(&["fmt", "--quiet", "-"], input);
    let ends = once.text().split_once("1. 32-28").expect("a game");
    assert!(
        ends.0.starts_with("{prose before}\n[Event \"a\"]\n") && ends.1 == " *\n\n{1-0}\n{left over}\n",
        "{ends:?}"
    );
    assert_eq!(piped(&["fmt", "--quiet", "-"], &once.bytes).text(), once.text());
}

#[test]
fn checks_and_replaces_files() {
    let folder = Folder::new();
    folder.write("good.pdn", CANONICAL);
    folder.write("loose.pdn", LOOSE);
    folder.write("mark.pdn", format!("\u{feff}{CANONICAL}"));
    let output = folder.run(&["fmt", "--check", "."]);
    assert_eq!((output.text(), output.status), ("./loose.pdn\n./mark.pdn\n", Some(1)));
    let before = fs::metadata(folder.path("good.pdn")).expect("there").modified().expect("a time");
    let output = folder.run(&["fmt", "-i", "."]);
    assert_eq!((output.text(), output.status), ("", Some(0)));
    assert_eq!(output.errors, "2 files rewritten\n");
    for name in ["good.pdn", "loose.pdn", "mark.pdn"] {
        assert_eq!(folder.read(name), CANONICAL);
    }
    assert_eq!(fs::metadata(folder.path("good.pdn")).expect("there").modified().expect("a time"), before);
    folder.run(&["fmt", "--check", "."]).is(0);
    assert_eq!(folder.names().len(), 3);
}

#[test]
fn files_that_cannot_be_replaced_are_left_unchanged() {
    let folder = Folder::new();
    let huge = format!("{LOOSE}\n[Event \"x\"]\n1. 32-28 {{{}}} *\n", "long ".repeat(100));
    folder.write("a.pdn", &huge);
    let output = folder.run(&["fmt", "-i", "--max-game", "300", "a.pdn"]);
    assert_eq!(output.status, Some(2), "{}", output.errors);
    assert!(output.errors.contains("a.pdn: a game is too large; raise --max-game"), "{}", output.errors);
    assert_eq!(folder.read("a.pdn"), huge);
    for arguments in [&["fmt", "-i", "-"][..], &["fmt", "-i", "a.pdn", "-o", "b"], &["fmt", "-i", "--check", "a.pdn"]] {
        folder.run(arguments).is(2);
    }
    folder.run(&["fmt", "missing.pdn"]).is(2);
}

#[test]
fn repairs_are_reported_with_their_position() {
    let input = "[Event \"e\"]\n[Date \"25/12/1999\"]\n[Bianco \"w\"]\n[GameType \"20\"]\n\n1. 28-32 l9-23 2. 28x1914x23 3. 31-1 *\n";
    let output = piped(&["fmt", "--fix", "-"], input);
    assert!(output.text().ends_with("1. 32-28 19-23 2. 28x19 14x23 3. 31-1 *\n"), "{}", output.text());
    assert!(output.text().contains("[Date \"1999.12.25\"]\n") && output.text().contains("[White \"w\"]"));
    let report = output.errors;
    for line in [
        "-:2:1: date `25/12/1999` rewritten as 1999.12.25\n",
        "-:3:1: tag `Bianco` renamed White\n",
        "-:6:4: squares swapped: `28-32` read as 32-28\n",
        "-:6:10: letter read as digit: `l9-23` read as 19-23\n",
        "-:6:19: moves split: `28x1914x23` read as 28x19 14x23\n",
    ] {
        assert!(report.contains(line), "{report}");
    }
    assert_eq!(output.status, Some(1), "31-1 is still illegal");
}

/// Returns what `fmt` writes for a game: the tags without those of an empty roster, and the moves.
fn formatted(input: &str, options: &[&str]) -> String {
    let once = piped(&[&["fmt", "-"], options].concat(), input);
    let twice = piped(&[&["fmt", "-"], options].concat(), &once.bytes);
    assert_eq!(twice.text(), once.text(), "{input}");
    let lines = once.text().lines().filter(|line| !line.is_empty() && !ROSTER.contains(line));
    lines.collect::<Vec<_>>().join(" ")
}

const ROSTER: [&str; 6] =
    ["[Event \"?\"]", "[Site \"?\"]", "[Date \"????.??.??\"]", "[Round \"?\"]", "[White \"?\"]", "[Black \"?\"]"];

#[test]
fn moves_are_written_in_the_notation_of_the_game_type() {
    for (game_type, moves) in [
        ("25,W,8,8,N2,0", "1. 22-18 11-16 2. 25-22 *"),
        ("25,W,8,8,A0,0", "1. c3-d4 f6-g5 2. b2-c3 *"),
        ("20,W,10,10,A0,0", "1. d4-e5 g7-f6 *"),
        ("20,W,10,10,N0,0", "1. 22-28 37-31 *"),
        ("20,W,10,10,N1,0", "1. 19-23 32-28 *"),
        // Squares that contradict the tag win.
        ("20,W,10,10,A0,0", "1. 32-28 19-23 *"),
    ] {
        let tags = format!("[Result \"*\"] [GameType \"{game_type}\"]");
        assert_eq!(formatted(&format!("{tags}\n{moves}"), &[]), format!("{tags} {moves}"));
    }
}

#[test]
fn tags_are_written_in_standard_form() {
    for (tags, wanted) in [
        ("[Result \"?\"][GameType \"20\"]", "[Result \"*\"] [GameType \"20\"]"),
        ("[Result \"\"][GameType \"20\"]", "[Result \"*\"] [GameType \"20\"]"),
        ("[Result \"1/2\"][GameType \"20\"]", "[Result \"1-1\"] [GameType \"20\"]"),
        ("[Result \"1-0F\"][GameType \"20\"]", "[Result \"1-0F\"] [GameType \"20\"]"),
        ("[Result \"1-0\"][GameType \"20\"]", "[Result \"2-0\"] [GameType \"20\"]"),
        ("[Date \"-\"][GameType \"20\"]", "[Result \"*\"] [GameType \"20\"]"),
        ("[GameType \"International\"]", "[Result \"*\"] [GameType \"20,W,10,10,N2,0\"]"),
        ("[GameType \"20,w,10,10,n2,0\"]", "[Result \"*\"] [GameType \"20,W,10,10,N2,0\"]"),
        ("[GameType \"20,W,10,10\"]", "[Result \"*\"] [GameType \"20\"]"),
        ("[Result \"*\"][Result \"1-1\"][GameType \"20\"]", "[Result \"*\"] [Result \"1-1\"] [GameType \"20\"]"),
    ] {
        assert_eq!(formatted(&format!("{tags}\n1. 32-28 *"), &[]), format!("{wanted} 1. 32-28 *"));
    }
    let twice = formatted("[White \"A\"][White \"B\"][Black \"C\"]\n1. 32-28 *", &[]);
    assert!(twice.starts_with("[White \"A\"] [Black \"C\"] [Result \"*\"] [White \"B\"]"), "{twice}");
    let fen = formatted("[FEN \"W:W31,K05:B07,08. \"]\n*", &[]);
    assert_eq!(fen, "[Result \"*\"] [FEN \"W:W31,K5:B7,8\"] *");
    let setup = formatted("[GameType \"20\"]\n1. 32-28 /FEN \"W::.\"/ 31-27 *", &[]);
    assert!(setup.ends_with("1. 32-28 /FEN \"W::\"/ 2. 31-27 *"), "{setup}");
}

#[test]
fn comments_after_the_end_belong_to_their_game() {
    let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14";
    let input = format!("[GameType \"20\"]\n{moves} {{xx}} * {{after}} {{and this}}\n\n[Event \"next\"]\n*");
    for width in ["20", "40", "50", "80"] {
        let output = piped(&["fmt", "--width", width, "-"], &input);
        let body = output.text().split("\n\n").nth(1).expect("moves");
        assert!(body.lines().all(|line| line.len() <= width.parse().expect("a number")), "{body}");
        assert!(body.replace('\n', " ").ends_with("{xx} * {after} {and this}"), "{body}");
    }
    assert!(formatted("[GameType \"20\"]\n1. 32-28 * ; tail", &[]).ends_with("1. 32-28 * {tail}"));
    let strict = formatted("{before}\n[GameType \"20\"]\n1. 32-28 * {after}", &["--strict"]);
    assert!(strict.ends_with("] {before} 1. 32-28 {after} *"), "{strict}");
}

#[test]
fn fix_reports_its_edits_and_nothing_else() {
    for sample in ["tag-duplicate", "tag-ply-count", "tag-rating", "tag-time", "tag-time-control", "result-format"] {
        let path = format!("{}/samples/diagnostics/{sample}.pdn", env!("CARGO_MANIFEST_DIR"));
        let output = pdn(&["fmt", "--fix", &path]);
        assert_eq!(output.errors, "", "{sample}");
    }
    let fixed = |input: &str, options: &[&str]| {
        let output = piped(&[&["fmt", "--fix", "-"], options].concat(), input);
        (output.errors.clone(), output.status)
    };
    let (report, status) = fixed("[GameType \"20\"]\n1. 32-28 (1. 28-33) 19-24 (1... 91-23) *", &[]);
    assert!(
        report.contains("squares swapped: `28-33`") && !report.contains("resolved") && status == Some(1),
        "{report}"
    );
    let (report, status) =
        fixed("[Event \"x\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n", &["--max-game", "45"]);
    assert!(!report.contains("resolved: the game") && status == Some(2), "{report}");
    let (report, _) = fixed("about Bram\n\n[Event \"x\"]\n1. 32-28 *", &["--no-comments"]);
    assert!(report.contains("removed: stray text"), "{report}");
    // Two names for one tag are two readings; a name is repaired in one step.
    for tags in ["[Risultato \"1-0\"][result \"0-1\"]", "[Bianco \"A\"][Bianco \"C\"]", "[E vent \"a\"][E-vent \"b\"]"]
    {
        assert_eq!(fixed(&format!("{tags}[GameType \"20\"]\n1. 32-28 *"), &[]).0, "", "{tags}");
    }
    let set_up = formatted("[Setup: \"1\"]\n[FEN \"W:W31:B5\"]\n[GameType \"20\"]\n1. 31-27 *", &["--fix"]);
    assert!(set_up.contains("[SetUp \"1\"]"), "{set_up}");
}

#[cfg(unix)]
#[test]
fn one_file_that_cannot_be_replaced_does_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    for (name, content) in [("a.pdn", LOOSE), ("b.pdn", LOOSE), ("c.pdn", CANONICAL)] {
        folder.write(name, content);
    }
    for name in ["a.pdn", "c.pdn"] {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o444)).expect("set");
    }
    let output = folder.run(&["fmt", "--write", "a.pdn", "c.pdn", "b.pdn"]);
    assert_eq!(output.status, Some(2), "{}", output.errors);
    assert!(output.errors.contains("a.pdn") && !output.errors.contains("c.pdn"), "{}", output.errors);
    assert_eq!(folder.read("b.pdn"), CANONICAL);
    assert_eq!(folder.read("a.pdn"), LOOSE);
    assert!(Command::new("mkfifo").arg(folder.path("pipe.pdn")).status().expect("mkfifo").success());
    let output = folder.run(&["fmt", "--write", "pipe.pdn"]);
    assert_eq!(output.status, Some(2));
    assert!(output.errors.contains("not a regular file"), "{}", output.errors);
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_reported_like_a_full_disk() {
    let folder = Folder::new();
    folder.write("big.pdn", LOOSE.repeat(2000));
    let script = format!("ulimit -f 4; exec {} fmt big.pdn -o out.pdn", program());
    let output = Run::of(Command::new("bash").current_dir(folder.path("")).args(["-c", &script])).is(2);
    assert!(output.errors.contains("out.pdn") && !output.errors.contains(".tmp"), "{}", output.errors);
    assert_eq!(folder.names().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_were_ignored_stay_ignored() {
    let folder = Folder::new();
    // Once it catches signal 25 it has set all its handlers.
    let script = format!(
        "mkfifo in; exec 3<>in; {} fmt - < in 3>&- & \
         until (( 0x$(awk '/SigCgt/ {{ print $2 }}' /proc/$!/status) >> 24 & 1 )); do kill -0 $! || exit 9; done; \
         kill -HUP $!;",
        program()
    );
    let run = |before: &str, after: &str| {
        fs::remove_file(folder.path("in")).ok();
        let script = format!("{before}{script}{after} wait $!");
        Run::of(Command::new("bash").current_dir(folder.path("")).args(["-c", &script])).status
    };
    assert_eq!(run("trap '' HUP;", "exec 3>&-;"), Some(0));
    assert_eq!(run("", ""), Some(130));
}

#[test]
fn fix_reads_misspelt_moves_with_their_marks_and_reports_the_rest() {
    let fixed = |moves: &str, options: &[&str]| {
        let input = format!("[GameType \"20\"]\n{moves}");
        let output = piped(&[&["fmt", "--fix", "-"], options].concat(), input);
        let body = output.text().split("\n\n").nth(1).unwrap_or_default().trim_end().to_owned();
        (body, output.errors.trim_end().to_owned(), output.status)
    };
    let (body, report, status) = fixed("1. 32-28 19-23 2. 28xl9?! 14x23 *", &[]);
    assert_eq!((body.as_str(), status), ("1. 32-28 19-23 2. 28x19?! 14x23 *", Some(0)), "{report}");
    assert!(report.starts_with("-:2:19: letter read as digit: `28xl9` read as 28x19\n"), "{report}");
    let (body, report, status) = fixed("1. 32-28 19-23 2. 28xl9* 14x23 *", &[]);
    assert_eq!((body.as_str(), status), ("1. 32-28 19-23 2. 28x19 $7 14x23 *", Some(0)), "{report}");
    let (body, report, status) = fixed("1. 32-28 19-23 2. 3l-l9 word *", &[]);
    assert_eq!((body.as_str(), status), ("1. 32-28 19-23 {2. 3l-l9 word} *", Some(1)), "{report}");
    assert!(
        report.contains("put into a comment: letter instead of a digit: `3l-l9`")
            && !report.contains("resolved: letter"),
        "{report}"
    );
    let (body, report, _) = fixed("1. 32-28 19-23 word *", &["--no-comments"]);
    assert_eq!((body.as_str(), report.as_str()), ("1. 32-28 19-23 *", "-:2:16: removed: stray text: `word`"));
}

#[test]
fn values_that_hold_more_than_their_plain_form_are_kept() {
    for game_type in ["20 or 40", "20,W,10,10,N2,0,foo", "International or so", "Killer"] {
        let out = formatted(&format!("[GameType \"{game_type}\"]\n1. 32-28 *"), &[]);
        assert!(out.contains(&format!("[GameType \"{game_type}\"]")), "{out}");
    }
    let two = formatted("[GameType \"20\"][GameType \"Russian\"]\n1. 32-28 *", &[]);
    assert!(two.contains("[GameType \"20\"] [GameType \"25,W,8,8,A0,0\"]"), "{two}");
    for fen in ["W:W31:B0", "W:W0:B7", "W:W0a1:Bh8", "W:WD31:BD27", "W:WKK31:B7", "W:WG31:B7"] {
        for tags in ["", "[GameType \"20\"]", "[GameType \"25\"]"] {
            let input = format!("{tags}[FEN \"{fen}\"]\n1. 31-27 /FEN \"{fen}\"/ *");
            let out = formatted(&input, &[]);
            assert_eq!(out.matches(fen).count(), 2, "{out}");
        }
    }
}

#[test]
fn letters_are_kept_where_their_corner_contradicts() {
    let input = "[GameType \"20,W,10,10,A1,0\"]\n1. d4-c5 i7-j6 *";
    let out = formatted(input, &[]);
    assert!(out.ends_with("1. d4-c5 i7-j6 *"), "{out}");
    let found = piped(&["check", "--format", "json", "-"], input);
    assert!(found.text().contains("the GameType has the first square in another corner"), "{}", found.text());
    assert!(formatted("[GameType \"20,W,10,10,A\"]\n1. d4-c5 i7-j6 *", &[]).ends_with("1. d4-c5 i7-j6 *"));
}

#[test]
fn a_typed_line_break_between_games_is_not_a_comment() {
    let input =
        "[Event \"a\"]\n[GameType \"20\"]\n1. 32-28 -\\r\n\n[Event \"b\"]\n[GameType \"20\"]\n1. 33-28 1-1\\r\n";
    let out = formatted(input, &[]);
    assert!(!out.contains('{') && out.contains("[Event \"b\"]"), "{out}");
}

#[test]
fn translated_roster_tags_are_stable() {
    for tags in [
        "[Bianco \"A\"][Blanc \"A\"]",
        "[Bianco \"A\"][Bianco \"A\"]",
        "[white \"A\"][Bianco \"A\"]",
        "[Bianco \"A\"][Blanc \"B\"]",
        "[Risultato \"0-1\"][Result \"-\"]",
        "[Bianco \"A\"]",
    ] {
        for options in [&[][..], &["--fix"]] {
            let out = formatted(&format!("{tags}[GameType \"22\"]\n1. 22-18 0-1"), options);
            let white = if tags.contains("\"B\"") || !tags.contains("\"A\"") { "" } else { "[White \"A\"]" };
            assert!(out.contains(white), "{tags} {options:?}: {out}");
        }
    }
    assert!(!formatted("[Bianco \"A\"]\n1. 22-18 *", &["--fix"]).contains("Bianco"));
}

#[test]
fn misspelt_last_moves_and_last_digits_are_read() {
    let fixed = |moves: &str| {
        let out = formatted(&format!("[GameType \"20\"]\n{moves}"), &["--fix"]);
        out.split("\"20\"] ").nth(1).expect("moves").to_owned()
    };
    assert_eq!(fixed("1. 32-28 19-23 2. 28xl9 *"), "1. 32-28 19-23 2. 28x19 *");
    assert_eq!(fixed("1. 32-28 19-23 2. 28xl9(!) 14x23 *"), "1. 32-28 19-23 2. 28x19! 14x23 *");
    assert_eq!(fixed("1. 32-28 19-23 (1... l8-23 2. 28-22) *"), "1. 32-28 19-23 (1... 18-23 2. 28-22) *");
    assert_eq!(
        fixed("1. 32-28 19-23 2. 28x19 14x23 3. 37-3Z 10-14 *"),
        "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *"
    );
    let king = "[GameType \"20\"]\n[FEN \"W:WK28:B6,7\"]\n1. 28-5O 6-11 *";
    let checked = piped(&["check", "--format", "json", "-"], king.as_bytes());
    assert_eq!(checked.status, Some(1), "{}", checked.text());
    for glued in ["37-32Good", "8-11Redoverstepped", "7-5s"] {
        let output = piped(&["check", "--format", "json", "-"], format!("{glued} *").as_bytes());
        assert!(output.text().contains("syntax/missing-blank"), "{glued}");
    }
}

#[cfg(unix)]
#[test]
fn files_with_several_names_stay_one_file() {
    use std::os::unix::fs::MetadataExt;
    let folder = Folder::new();
    let (one, other) = (folder.path("one.pdn"), folder.path("other.pdn"));
    fs::write(&one, "1.32-28 *\n").expect("written");
    fs::hard_link(&one, &other).expect("a link");
    folder.run(&["fmt", "--write", "one.pdn"]).is(0);
    assert!(fs::read_to_string(&other).expect("there").contains("1. 32-28 *"));
    assert_eq!(fs::metadata(&one).expect("there").ino(), fs::metadata(&other).expect("there").ino());
    assert_eq!(folder.names().len(), 2);
}

#[cfg(unix)]
#[test]
fn replaced_files_keep_their_owner() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = Folder::new();
    let path = folder.path("one.pdn");
    fs::write(&path, "1.32-28 *\n").expect("written");
    if chown(&path, Some(4321), Some(4322)).is_err() {
        return crate::support::corpus::skip("only the superuser can give files away");
    }
    folder.run(&["fmt", "--write", "one.pdn"]).is(0);
    let meta = fs::metadata(&path).expect("there");
    assert_eq!((meta.uid(), meta.gid()), (4321, 4322));
    assert!(fs::read_to_string(&path).expect("there").contains("1. 32-28 *"));
}

#[test]
fn differences_are_a_unified_diff() {
    let folder = Folder::new();
    let tags = "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n";
    let game = format!("{tags}[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n");
    let many = game.repeat(5000);
    let changed = many.trim_end().to_owned() + "\n\n" + &game.replace("1. 32-28", "1.32-28").replace("*\n\n", "*");
    for (name, content) in [("same.pdn", many.trim_end().to_owned() + "\n"), ("changed.pdn", changed)] {
        folder.write(name, content);
    }
    let same = folder.run(&["fmt", "--diff", "same.pdn"]);
    assert_eq!((same.status, same.text()), (Some(0), ""));
    let output = folder.run(&["fmt", "--diff", "--jobs", "3", "same.pdn", "changed.pdn"]);
    assert_eq!(output.status, Some(1));
    let expected = "--- changed.pdn\n+++ changed.pdn\n@@ -55007,4 +55007,4 @@\n [Result \"*\"]\n [GameType \"20\"]\n \n\
                    -1.32-28 19-23 *\n\\ No newline at end of file\n+1. 32-28 19-23 *\n";
    assert_eq!(output.text(), expected);
    assert!(folder.read("changed.pdn").contains("1.32-28"));
    folder.run(&["fmt", "--diff", "--write", "same.pdn"]).is(2);
}

#[test]
fn results_are_written_in_the_requested_style() {
    for (game_type, result, style, written) in [
        ("20", "2-0", "1-0", "1-0"),
        ("20", "1-1", "1-0", "1/2-1/2"),
        ("20", "0-2", "2-0", "0-2"),
        ("25", "1-0", "2-0", "2-0"),
        ("25", "1/2-1/2", "2-0", "1-1"),
        ("25", "*", "2-0", "*"),
    ] {
        let moves = if game_type == "20" { "1. 32-28" } else { "1. c3-d4" };
        let game = format!("[Result \"{result}\"]\n[GameType \"{game_type}\"]\n\n{moves} {result}\n");
        let options = ["--result-style", style];
        assert_eq!(formatted(&game, &options), format!("[Result \"{written}\"] [GameType \"{game_type}\"] {moves} *"));
        let ends = formatted(&game, &[&options[..], &["--results"]].concat());
        assert!(ends.ends_with(&format!("{moves} {written}")), "{ends}");
    }
}

#[test]
fn squares_are_named_as_the_requested_game_type_does() {
    let game = "[Result \"*\"]\n[GameType \"25\"]\n[FEN \"W:Wc3,e3:Bf6,h8\"]\n[SetUp \"1\"]\n\n\
                1. c3-d4 f6-g5 (1... f6-e5 2. d4:f6) 2. d4-c5 h8-g7 /FEN \"B:Wc3:Bh8\"/ 3... h8-g7 *\n";
    let numbers = formatted(game, &["--game-type", "25,W,8,8,N2,0"]);
    assert!(numbers.starts_with("[Result \"*\"] [GameType \"25,W,8,8,N2,0\"] [FEN \"W:W22,23:B4,11\"]"), "{numbers}");
    assert!(
        numbers.contains("1. 22-18 11-16 (1... 11-15 2. 18:11) 2. 18-14 4-8 /FEN \"B:W22:B4\"/ 3... 4-8"),
        "{numbers}"
    );
    assert_eq!(
        formatted(&numbers, &["--game-type", "25,W,8,8,A0,0"]),
        formatted(game, &["--game-type", "25,W,8,8,A0,0"])
    );
    // What cannot be converted whole, and other variants, keep their names.
    for kept in ["[Result \"*\"] [GameType \"25\"] 1. c3-d4 c3-d4 *", "[Result \"*\"] [GameType \"20\"] 1. 32-28 *"] {
        assert_eq!(formatted(kept, &["--game-type", "25,W,8,8,N2,0"]), kept);
    }
    let untagged = "[Result \"*\"] [Event \"x\"] 1. c3-d4 f6-g5 2. b2-c3 g7-f6 3. c3-b4 *";
    let run = piped(&["fmt", "--variant", "russian", "--game-type", "25,W,8,8,N2,0", "-"], untagged.as_bytes());
    assert!(run.text().contains("[GameType \"25,W,8,8,N2,0\"]"), "{}", run.text());
    piped(&["fmt", "--game-type", "1", "-"], b"").is(2);
}

/// Records whose dates, entities, apostrophes, whitespace and times have one reading in their file.
const TYPED: &str = r#"[Event " Caf&eacute; open "]
[Site "L\'Isle"]
[Date "05/06/1999"]
[White "Ren&#x00e9;"]
[Black "&amp;Eacute;mile"]
[WhiteTime "0:1:40"]
[BlackTime "1.5"]
[GameType "20"]

1. 32-28 {l\'id&eacute;e &#133;} 19-23 *

[Event "Caf&eacute; open"]
[Date "25/06/1999"]
[GameType "20"]

1. 33-28 18-23 *
"#;

#[test]
fn values_are_repaired_by_the_evidence_of_their_file() {
    let run = piped(&["fmt", "--fix", "-"], TYPED).is(0);
    for line in [
        "[Event \"Café open\"]",
        "[Site \"L'Isle\"]",
        "[Date \"1999.06.05\"]",
        "[White \"René\"]",
        "[Black \"Émile\"]",
        "[WhiteTime \"0:01:40\"]",
        "[BlackTime \"1.5\"]",
        "1. 32-28 {l'idée &#133;} 1... 19-23 *",
        "[Date \"1999.06.25\"]",
    ] {
        assert!(run.lines().contains(&line), "{line}: {}", run.text());
    }
    // Each repair is listed.
    for (edit, count) in
        [("HTML entities", 5), ("escaped apostrophes", 2), ("whitespace", 1), ("time: `", 1), ("date `", 2)]
    {
        assert_eq!(run.errors.matches(edit).count(), count, "{edit}: {}", run.errors);
    }
    let again = piped(&["fmt", "--fix", "-"], &run.bytes).is(0);
    assert_eq!((again.text(), again.errors.as_str()), (run.text(), ""));
}

#[test]
fn dates_with_two_readings_stay() {
    let of = |dates: &[&str], options: &[&str]| {
        let game = |date| format!("[Date \"{date}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n");
        let games = dates.iter().map(game).collect::<Vec<_>>().concat();
        let run = piped(&[&["fmt", "--fix", "-"], options].concat(), games).is(0);
        let first = run.lines().into_iter().find(|line| line.starts_with("[Date")).expect("a date");
        first[7..first.len() - 2].to_owned()
    };
    assert_eq!(of(&["05/06/1999"], &[]), "05/06/1999");
    assert_eq!(of(&["05/06/1999", "25/06/1999", "06/25/1999"], &[]), "05/06/1999");
    assert_eq!(of(&["05/06/1999", "25.06.1999", "06/25/1999"], &[]), "1999.05.06");
    assert_eq!(of(&["05/06/1999"], &["--date-order", "mdy"]), "1999.05.06");
    assert_eq!(of(&["05/06/1999", "06/25/1999"], &["--date-order", "dmy"]), "1999.06.05");
    assert_eq!(of(&["05/06/1999"], &["--only-repairs", "--date-order", "mdy"]), "1999.05.06");
    assert_eq!(of(&["05/06/1999"], &["--only-repairs"]), "05/06/1999");
    piped(&["fmt", "--date-order", "dmy", "-"], "").is(2);
    let advice = |options: &[&str]| {
        let arguments = [&["check", "--format", "json", "-"], options].concat();
        let run = piped(&arguments, "[Date \"05/06/1999\"]\n[GameType \"20\"]\n1. 32-28 *\n");
        run.diagnostics()[0]["help"].as_str().expect("advice").to_owned()
    };
    assert!(advice(&[]).contains("--date-order"), "{}", advice(&[]));
    assert_eq!(advice(&["--date-order", "dmy"]), "write 1999.06.05");
}

/// The dates of the first megabyte decide, however large the file is and wherever its chunks begin.
#[test]
fn dates_of_a_large_file_are_read_alike() {
    let mut games = "[Date \"25/06/1999\"]\n[GameType \"20\"]\n1. 32-28 *\n\n".to_owned();
    games += &"[Date \"05/06/1999\"]\n[GameType \"20\"]\n1. 32-28 *\n\n".repeat(10_000);
    let run = piped(&["fmt", "--fix", "--quiet", "-"], games).is(0);
    assert_eq!(run.text().matches("[Date \"1999.06.05\"]").count(), 10_000);
}
