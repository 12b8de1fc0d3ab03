//! `pdn match` and the openings of a match.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use pdn::arena::{Opening, two_ply_openings};
use pdn::rules::Variant;

use crate::support::binary::{Folder, Run, numbers, program};

const PLAYERS: [&str; 2] = ["builtin:nodes=60,hash=1", "builtin:nodes=25,hash=1"];

fn play(folder: &Folder, players: [&str; 2], more: &[&str]) -> Run {
    folder.run(&[&["match", players[0], players[1], "--quiet", "-o", "games.pdn"], more].concat())
}

fn games(folder: &Folder) -> String {
    folder.read("games.pdn")
}

/// Plays a match and returns its summary and its games.
fn played(more: &[&str]) -> (String, String) {
    let folder = Folder::new();
    let run = play(&folder, PLAYERS, more).is(0);
    (run.text().to_owned(), games(&folder))
}

fn assert_clean(folder: &Folder, games: u64) {
    let summary = folder.run(&["check", "--format", "json", "games.pdn"]).is(0).summary();
    assert_eq!(numbers(&summary, ["clean_games", "errors", "warnings"]), [games, 0, 0], "{summary}");
}

#[test]
fn the_two_ply_openings_are_the_customary_ballots() {
    let known: BTreeSet<&str> = include_str!("../../data/ballots-2-move.fen").lines().collect();
    let fens: BTreeSet<String> =
        two_ply_openings(Variant::INTERNATIONAL).iter().map(|opening| opening.position().fen()).collect();
    assert_eq!(fens.iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
    assert_eq!(two_ply_openings(Variant::INTERNATIONAL).iter().map(Opening::position).count(), 79);
}

#[test]
fn games_of_a_match_are_clean() {
    for variant in ["international", "italian", "brazilian", "english", "frisian", "turkish"] {
        let folder = Folder::new();
        let output = play(&folder, PLAYERS, &["--variant", variant, "--games", "4", "--max-plies", "120"]).is(0);
        assert!(output.text().contains("\n4 games: +"), "{}", output.text());
        assert_clean(&folder, 4);
        let games = games(&folder);
        assert_eq!(games.matches(&format!("[White \"{}\"]", PLAYERS[0])).count(), 2);
        assert_eq!(games.matches("[Result \"*\"]").count(), 0);
    }
}

#[test]
fn any_number_of_jobs_gives_the_same_games() {
    let once = played(&["--games", "7", "--jobs", "1"]);
    assert_eq!(played(&["--games", "7", "--jobs", "4"]), once);
    let random = ["--games", "6", "--random-plies", "5", "--seed", "7"];
    let first = played(&[&random[..], &["--jobs", "1"]].concat());
    assert_eq!(played(&[&random[..], &["--jobs", "3"]].concat()), first);
    assert_ne!(played(&["--games", "6", "--random-plies", "5", "--seed", "8"]).1, first.1);
}

#[test]
fn an_interrupted_match_is_continued() {
    let more = ["--games", "6", "--variant", "brazilian", "--jobs", "2"];
    let whole = played(&more);
    let folder = Folder::new();
    let more = [&more[..], &["--checkpoint", "run.jsonl"]].concat();
    let output = play(&folder, PLAYERS, &more).is(0);
    assert_eq!((output.text().to_owned(), games(&folder)), whole);
    let path = folder.path("run.jsonl");
    let bytes = fs::read(&path).expect("there");
    // Everything, with a partial last line, half of it, only the header, nothing.
    let header = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    for length in [bytes.len(), bytes.len() - 30, bytes.len() / 2, header, 0] {
        fs::write(&path, &bytes[..length]).expect("written");
        let output = play(&folder, PLAYERS, &more).is(0);
        assert_eq!((output.text().to_owned(), games(&folder)), whole);
        assert_eq!(fs::read(&path).expect("there"), bytes);
    }
    let other = play(&folder, [PLAYERS[1], PLAYERS[0]], &more).is(2);
    assert!(other.errors.contains("another match"));
    assert_eq!(fs::read(&path).expect("there"), bytes);
}

#[test]
fn even_openings_leave_out_those_that_decide_the_game() {
    let folder = Folder::new();
    let more = ["--variant", "brazilian", "--random-plies", "6", "--games", "8", "--max-plies", "8"];
    let even = [&more[..], &["--even", "25"]].concat();
    let chosen = played(&even);
    assert_eq!(played(&[&even[..], &["--jobs", "3"]].concat()), chosen);
    assert_ne!(played(&more).1, chosen.1, "other openings");
    let alone = play(&folder, PLAYERS, &["--even", "25"]).is(2);
    assert!(alone.errors.contains("--random-plies"), "{}", alone.errors);
}

#[test]
fn openings_from_a_file() {
    let folder = Folder::new();
    let fens = "W:W28,32:B9,14\n\nB:W31,K46:B2,3\n";
    folder.write("openings", fens);
    play(&folder, PLAYERS, &["--openings", "openings"]).is(0);
    assert_clean(&folder, 4);
    let games = games(&folder);
    assert_eq!(games.matches("[SetUp \"1\"]\n[FEN \"W:W28,32:B9,14\"]").count(), 2);
    assert!(games.contains("1... "), "{games}");
    for (fens, message) in
        [("W:W28,32:B9,14\nnonsense\n", "openings:2"), ("", "no openings"), ("W:W1:B50", "openings:1")]
    {
        folder.write("openings", fens);
        let output = play(&folder, PLAYERS, &["--openings", "openings"]).is(2);
        assert!(output.errors.contains(message), "{}", output.errors);
    }
}

#[test]
fn openings_from_records() {
    let folder = Folder::new();
    folder.write("openings.pdn", "1. 32-28 19-23 2. 28x19 14x23 *\n\n[FEN \"B:W31,K46:B2,3\"]\n*\n");
    play(&folder, PLAYERS, &["--openings", "openings.pdn", "--max-plies", "20"]).is(0);
    assert_clean(&folder, 4);
    assert_eq!(games(&folder).matches("\n1. 32-28 19-23 2. 28x19 14x23 ").count(), 2, "{}", games(&folder));
    for (text, reason) in [
        ("1. 32-28 19-23 *\n\n1. 32-28 1-2 *\n", "openings.pdn:3: game 2: `1-2` is not legal"),
        ("1. 32-28 19-23 *\n\n1. 32-28 {19-23 *\n", "openings.pdn:3: game 2: "),
        ("[GameType \"25\"]\n1. c3-d4 *\n", "openings.pdn: game 1: the GameType is that of russian, not international"),
        ("[FEN \"W:W99:B1\"]\n*\n", "openings.pdn:1: game 1: the FEN cannot be read"),
    ] {
        folder.write("openings.pdn", text);
        let output = play(&folder, PLAYERS, &["--openings", "openings.pdn"]).is(2);
        assert!(output.errors.contains(reason), "{}", output.errors);
    }
}

#[test]
fn openings_may_be_compressed_and_have_a_byte_order_mark() {
    let folder = Folder::new();
    let fens = "W:W28,32:B9,14\nB:W31,K46:B2,3\n";
    folder.write("openings.fen", format!("\u{feff}{fens}"));
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("in memory")
    };
    folder.write("openings.fen.gz", gzip(fens));
    folder.write("openings.pdn.gz", gzip("[FEN \"W:W28,32:B9,14\"]\n*\n\n[FEN \"B:W31,K46:B2,3\"]\n*\n"));
    for name in ["openings.fen", "openings.fen.gz", "openings.pdn.gz"] {
        play(&folder, PLAYERS, &["--openings", name, "--max-plies", "20"]).is(0);
        assert_eq!(games(&folder).matches("[FEN \"W:W28,32:B9,14\"]").count(), 2, "{name}");
    }
}

#[test]
fn a_player_without_games_is_not_said_to_have_lost_them() {
    let folder = Folder::new();
    let players = ["builtin:nodes=20,hash=1", "builtin:nodes=20,hash=1", "/no/such/engine"];
    let run = folder.run(&[&["match"], &players[..], &["--games", "2", "--max-plies", "6"]].concat()).is(2);
    assert!(
        run.text().contains("3 players, 2 games") && !run.text().contains("won or lost everything"),
        "{}",
        run.text()
    );
    let row = run.lines().into_iter().find(|line| line.contains("/no/such/engine")).expect("a row").to_owned();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!(cells, ["3", "/no/such/engine", "-", "0", "0.0", "0.0"], "no points against the others");
}

const THREE: [&str; 3] = ["builtin:nodes=200,hash=1", "builtin:nodes=60,hash=1", "builtin:nodes=20,hash=1"];

#[test]
fn a_tournament_has_a_table_of_all_against_all() {
    let folder = Folder::new();
    let more = ["--games", "4", "--variant", "italian", "--quiet", "-o", "games.pdn", "--checkpoint", "run.jsonl"];
    let whole = folder.run(&[&["match"][..], &THREE, &more].concat()).is(0);
    let lines: Vec<_> = whole.text().lines().collect();
    assert_eq!(lines[0], "round robin, italian, 3 players, 12 games");
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>(),
        ["player", "Elo", "±", "games", "points", "%", "1", "2", "3"]
    );
    let rows: Vec<Vec<_>> = lines[2..5].iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.iter().map(|row| row[1]).collect::<std::collections::BTreeSet<_>>(), THREE.into());
    // Each meets the two others: eight games, whose points are those of the columns.
    let points = |cell: &str| cell.parse::<f64>().expect("points");
    for row in &rows {
        let at = row.iter().position(|cell| *cell == "8").expect("eight games");
        assert!((points(row[at + 1]) - points(row[at + 3]) - points(row[at + 4])).abs() < 0.01, "{row:?}");
    }
    assert_clean(&folder, 12);
    let games = folder.read("games.pdn");
    for [one, other] in [[0, 1], [0, 2], [1, 2]] {
        let header = format!("[White \"{}\"]\n[Black \"{}\"]", THREE[one], THREE[other]);
        assert_eq!(games.matches(&header).count(), 2, "{header}");
    }
    // Continued from a part, it is the same.
    let path = folder.path("run.jsonl.2-3");
    let bytes = fs::read(&path).expect("there");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    let again = folder.run(&[&["match"][..], &THREE, &more, &["--jobs", "2"]].concat()).is(0);
    assert_eq!((again.text(), folder.read("games.pdn")), (whole.text(), games));
    assert_eq!(fs::read(&path).expect("there"), bytes);
}

#[cfg(unix)]
#[test]
fn a_player_of_a_tournament_has_one_name() {
    let folder = Folder::new();
    let script = "while read -r line; do case \"$line\" in hub) echo 'id name=Toy version=1'; echo wait;; \
                  init) echo ready;; go*) echo 'done move=1-2';; esac; done";
    folder.write("engine.sh", script);
    let more = ["--games", "2", "--nodes", "20", "--quiet", "-o", "games.pdn"];
    let players = ["sh engine.sh a", "sh engine.sh b", "builtin"];
    folder.run(&[&["match"], &players[..], &more].concat()).is(2);
    let named = games(&folder);
    let named: BTreeSet<_> = named.lines().filter_map(|line| line.strip_prefix("[White ")).collect();
    assert_eq!(named, players.map(|player| format!("\"{player}\"]")).iter().map(String::as_str).collect());
    play(&folder, ["sh engine.sh a", "builtin"], &["--games", "2", "--nodes", "20"]).is(2);
    assert!(games(&folder).contains("[White \"Toy 1\"]"), "in a match, the engine names itself");
}

#[test]
fn in_a_gauntlet_the_first_player_meets_all_others() {
    let folder = Folder::new();
    let run = |more: &[&str]| folder.run(&[&["match"][..], &THREE, &["--games", "2", "--quiet"], more].concat());
    let output = run(&["--format", "gauntlet"]).is(0);
    assert!(output.text().starts_with("gauntlet, international, 3 players, 4 games\n"), "{}", output.text());
    run(&["--sprt", "0,10"]).is(2);
    run(&["--format", "swiss"]).is(2);
    assert_eq!(folder.run(&["match", "builtin"]).status, Some(2), "one player");
}

#[test]
fn a_sequential_test_ends_a_match() {
    let folder = Folder::new();
    let players = ["builtin:nodes=2000,hash=1", "builtin:depth=1,hash=1"];
    let output = play(&folder, players, &["--variant", "brazilian", "--sprt", "0,300", "--jobs", "2"]).is(0);
    let summary = output.text();
    assert!(summary.contains("300 accepted"), "{summary}");
    let written = games(&folder).matches("[Event ").count();
    assert!(written < 60 && summary.contains(&format!("{written} games: +")), "{summary}");
}

#[test]
fn the_built_in_engine_plays_the_same_moves_over_the_protocol() {
    let folder = Folder::new();
    let linked = format!("'{}' hub", program());
    let more = ["--games", "2", "--nodes", "50", "--variant", "italian"];
    play(&folder, [&linked, "builtin"], &more).is(0);
    let there = games(&folder).replace(concat!("pdn ", env!("CARGO_PKG_VERSION")), "builtin");
    play(&folder, ["builtin", "builtin"], &more).is(0);
    assert_eq!(there, games(&folder));
}

#[test]
fn openings_are_not_overwritten() {
    let folder = Folder::new();
    for (openings, output) in [("x.part", "x"), ("x", "x")] {
        folder.write(openings, "W:W28,32:B9,14\n");
        let arguments = ["match", PLAYERS[0], PLAYERS[1], "--openings", openings, "-o", output];
        let run = folder.run(&arguments).is(2);
        assert!(run.errors.contains("the file of openings and the output are the same file"), "{}", run.errors);
        assert_eq!(folder.read(openings), "W:W28,32:B9,14\n");
    }
}

/// The engine thinks for longer than the time-out, but not for longer than its clock.
#[cfg(unix)]
#[test]
fn a_clock_is_more_time_than_the_time_out() {
    let folder = Folder::new();
    script(&folder, "init) echo ready;; go*) sleep 2.5; echo 'done move=1-2';;");
    let more = ["--games", "2", "--engine-timeout", "2", "--clock", "60"];
    let run = play(&folder, ["sh engine.sh", "builtin"], &more).is(2);
    assert!(run.errors.contains("illegal move: `1-2`"), "{}", run.errors);
}

/// Writes an engine with two parameters, which answers to some lines and keeps what it is told in a file.
#[cfg(unix)]
fn script(folder: &Folder, cases: &str) {
    let text = format!(
        "while read -r line; do echo \"$line\" >> told; case \"$line\" in \
         hub) echo 'param name=level value=1 type=int'; echo 'param name=book value=true type=bool'; echo wait;; {cases} esac; done"
    );
    folder.write("engine.sh", text);
}

#[cfg(unix)]
#[test]
fn parameters_of_a_player_are_set_before_the_first_game() {
    let folder = Folder::new();
    script(&folder, "init) echo ready;; go*) echo 'done move=1-2';;");
    let more = ["--games", "2", "--nodes", "50", "--jobs", "1"];
    let run = play(&folder, ["hub:sh engine.sh{level=7, book=a b}", "builtin"], &more).is(2);
    assert!(run.errors.contains("hub:sh engine.sh{level=7, book=a b} failed and lost 2 games"), "{}", run.errors);
    let told = folder.read("told");
    let first: Vec<_> = told.lines().take(4).collect();
    assert_eq!(first, ["hub", "set-param name=level value=7", "set-param name=book value=\"a b\"", "init"]);
    let unknown = play(&folder, ["hub:sh engine.sh{depth=7}", "builtin"], &more).is(2);
    assert_eq!(
        unknown.errors,
        "pdn: hub:sh engine.sh{depth=7} cannot play: the engine has no parameter `depth`; it has level, book\n"
    );
    for (player, reason) in [
        ("hub:sh engine.sh{level}", "expected a parameter such as threads=2, found `level`"),
        ("hub:", "the command line is empty"),
    ] {
        let refused = play(&folder, [player, "builtin"], &more).is(2);
        assert!(refused.errors.contains(reason), "{}", refused.errors);
    }
}

#[cfg(unix)]
#[test]
fn a_parameter_that_a_player_refuses_ends_the_match() {
    let folder = Folder::new();
    let refuses = "'set-param name=level value=x') echo 'error message=\"invalid value: level=x\"';;";
    script(&folder, &format!("{refuses} init) echo ready;; go*) echo 'done move=1-2';;"));
    let more = ["--games", "2", "--nodes", "50"];
    let reported = "the engine reported an error before it was ready: invalid value";
    let run = play(&folder, ["hub:sh engine.sh{level=x}", "builtin"], &more).is(2);
    assert_eq!(run.errors, format!("pdn: hub:sh engine.sh{{level=x}} cannot play: {reported}: level=x\n"));
    let built_in = format!("hub:'{}' hub{{threads=abc}}", program());
    let run = play(&folder, [&built_in, "builtin"], &more).is(2);
    assert!(run.errors.ends_with(&format!("cannot play: {reported}: threads=abc\n")), "{}", run.errors);
    assert!(!folder.path("games.pdn").exists(), "no file without a game");
}

#[cfg(unix)]
#[test]
fn a_player_that_exits_before_it_is_ready_ends_the_match_unless_it_was_ready_before() {
    let folder = Folder::new();
    let more = ["--games", "2", "--nodes", "50", "--jobs", "1"];
    script(&folder, "init) exit 1;;");
    let run = play(&folder, ["builtin", "sh engine.sh"], &more).is(2);
    assert_eq!(run.errors, "pdn: sh engine.sh cannot play: the engine exited before it was ready\n");
    script(&folder, "init) [ -e once ] && exit 1; echo ready;; go*) touch once; exit 1;;");
    let run = play(&folder, ["sh engine.sh", "builtin"], &more).is(2);
    assert_eq!(run.errors, "pdn: sh engine.sh failed and lost 2 games; game 1: the engine exited\n");
}

#[cfg(unix)]
#[test]
fn a_game_lost_by_a_failure_has_the_name_of_the_engine() {
    let folder = Folder::new();
    let script = "while read -r line; do case \"$line\" in hub) echo 'id name=Foo version=1'; echo wait;; \
                  init) echo ready;; go*) exit 1;; esac; done";
    folder.write("engine.sh", script);
    play(&folder, ["sh engine.sh", "builtin"], &["--games", "2", "--nodes", "50"]).is(2);
    let games = games(&folder);
    assert_eq!((games.matches("\"Foo 1\"]").count(), games.matches("engine.sh\"]").count()), (2, 0), "{games}");
}

#[cfg(unix)]
#[test]
fn a_move_that_takes_too_long_loses() {
    let folder = Folder::new();
    script(&folder, "init) echo ready;; go*) sleep 0.4; echo 'done move=1-2';;");
    let more = ["--games", "2", "--limit-a", "time 0.02", "--limit-b", "nodes 50"];
    let run = play(&folder, ["sh engine.sh", "builtin"], &more).is(2);
    let start = "pdn: sh engine.sh (time 0.02) failed and lost 2 games; game 1: a move took 0.";
    assert!(run.errors.starts_with(start) && run.errors.ends_with(" s of 0.02 s\n"), "{}", run.errors);
    let run = play(&folder, ["sh engine.sh", "builtin"], &[&more[..], &["--time-margin", "60"]].concat()).is(2);
    assert!(run.errors.contains("illegal move: `1-2`"), "{}", run.errors);
}

#[cfg(unix)]
#[test]
fn a_player_that_is_never_ready_ends_the_match() {
    let folder = Folder::new();
    script(&folder, "");
    let more = ["--games", "2", "--engine-timeout", "0.3", "--nodes", "50"];
    let run = play(&folder, ["builtin", "sh engine.sh"], &more).is(2);
    assert_eq!(run.errors, "pdn: sh engine.sh cannot play: the engine gave no answer within 0.3 s\n");
}

#[cfg(unix)]
#[test]
fn a_player_that_never_answers_ends_the_match() {
    let folder = Folder::new();
    script(&folder, "init) echo ready;;");
    for limit in [["--nodes", "50"], ["--time", "0.1"], ["--clock", "0.2"], ["--clock", "0.2+0"]] {
        let more = [&["--games", "6", "--engine-timeout", "0.3"], &limit[..]].concat();
        let run = play(&folder, ["builtin", "sh engine.sh"], &more).is(2);
        let start = "pdn: sh engine.sh cannot play: the engine gave no answer within 0.";
        assert!(run.errors.starts_with(start) && run.errors.lines().count() == 1, "{}", run.errors);
    }
}

#[cfg(unix)]
#[test]
fn a_player_that_answered_before_loses_a_game_by_a_time_out() {
    let folder = Folder::new();
    script(&folder, "init) echo ready;; go*) [ -e once ] || echo 'done move=1-2'; touch once;;");
    let more = ["--games", "2", "--engine-timeout", "1", "--nodes", "50", "--jobs", "1"];
    let run = play(&folder, ["sh engine.sh", "builtin"], &more).is(2);
    let failure =
        "pdn: sh engine.sh failed and lost 2 games; game 1: the engine answered with an illegal move: `1-2`\n";
    assert_eq!(run.errors, failure);
    let games = games(&folder).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(games.contains("failed: the engine gave no answer within 1 s"), "{games}");
}

#[cfg(unix)]
#[test]
fn games_lost_by_a_failure_are_reported() {
    let cases = [
        ("go*) exit 1;;", "failed: the engine exited"),
        ("go*) echo 'done move=1-2';;", "failed: the engine answered with an illegal move: `1-2`"),
    ];
    for (case, comment) in cases {
        let folder = Folder::new();
        script(&folder, &format!("init) echo ready;; {case}"));
        let more = ["--games", "2", "--engine-timeout", "3", "--nodes", "50"];
        let output = play(&folder, ["sh engine.sh", "builtin"], &more).is(2);
        let reason = comment.strip_prefix("failed: ").expect("a failure");
        let failure = format!("pdn: sh engine.sh failed and lost 2 games; game 1: {reason}\n");
        assert_eq!(output.errors, failure);
        let summary = output.text();
        assert!(summary.contains("2 games: +0 =0 -2") && summary.contains("ends: failure of a player 2"), "{summary}");
        assert!(summary.contains("illegal move: 2 by sh engine.sh, 0 by builtin"), "{summary}");
        assert_clean(&folder, 2);
        let games = games(&folder).replace('\n', " ");
        assert_eq!(games.matches(comment).count(), 2, "{games}");
    }
}

#[test]
fn an_error_that_cannot_be_measured_is_not_zero() {
    let (summary, _) = played(&["--games", "4", "--max-plies", "3"]);
    let lines = "\nElo difference: +0.0, error not measurable\nLOS not measurable, draws 100.0 %\n";
    assert!(summary.contains(lines), "{summary}");
}

#[cfg(unix)]
#[test]
fn names_of_engines_cannot_control_a_terminal() {
    let folder = Folder::new();
    let script = "while read -r line; do case \"$line\" in hub) printf 'id name=\"a\\033[2Jb\"\\nwait\\n';; \
                  init) echo ready;; go*) echo 'done move=\u{1b}';; esac; done";
    folder.write("engine.sh", script);
    let output = play(&folder, ["sh engine.sh", "builtin"], &["--games", "2", "--nodes", "50"]).is(2);
    let games = games(&folder);
    assert!(games.contains("\u{fffd}") && !games.contains('\u{1b}'), "{games:?}");
    assert!(!output.errors.contains('\u{1b}'), "{:?}", output.errors);
}

#[test]
fn a_player_that_cannot_play_ends_the_match() {
    let folder = Folder::new();
    let output = play(&folder, ["/no/such/engine", "builtin"], &["--games", "4"]).is(2);
    assert!(output.errors.contains("cannot be started"), "{}", output.errors);
    assert_eq!(folder.names().len(), 0, "no file without a game");
    for bad in [["builtin:x=1", "builtin"], ["", "builtin"]] {
        play(&folder, bad, &[]).is(2);
    }
}

#[test]
fn each_player_may_have_limits_of_its_own() {
    let (summary, games) = played(&["--games", "2", "--limit-b", "depth 1", "--max-plies", "60"]);
    assert!(summary.starts_with("builtin:nodes=60,hash=1 v builtin:nodes=25,hash=1 (depth 1), "), "{summary}");
    assert!(games.contains("(depth 1)\"]"), "{games}");
    let folder = Folder::new();
    play(&folder, PLAYERS, &["--games", "2", "--limit-a", "plies 3"]).is(2);
}

#[test]
fn records_of_games_have_the_scores_of_the_players() {
    let (summary, games) = played(&["--games", "2", "--max-plies", "40"]);
    assert!(summary.contains("\nends: "), "{summary}");
    let games = games.replace('\n', " ");
    let comments = games.matches("{[%eval ").count();
    assert!(comments > 60 && games.matches("] [%depth ").count() > 40, "{games}");
    assert!(!games.contains("%emt"), "times differ from run to run: {games}");
    let folder = Folder::new();
    let timed = ["--games", "2", "--time", "0.001", "--time-margin", "60", "--max-plies", "20"];
    play(&folder, ["builtin:hash=1", "builtin:hash=1"], &timed);
    let games = self::games(&folder).replace('\n', " ");
    assert!(games.contains("] [%emt 0.0"), "{games}");
}

#[test]
fn a_short_match_takes_openings_at_equal_distances() {
    let openings = two_ply_openings(Variant::INTERNATIONAL);
    let (_, games) = played(&["--games", "4", "--max-plies", "3"]);
    let third = openings[openings.len() / 2].moves()[0];
    let start = pdn::rules::Position::start(Variant::INTERNATIONAL);
    let first_moves: Vec<_> = games.lines().filter(|line| line.starts_with("1. ")).collect();
    assert_eq!(first_moves.len(), 4, "{games}");
    assert!(first_moves[2].starts_with(&format!("1. {} ", start.short(&third))), "{games}");
}

#[test]
fn games_end_when_both_scores_agree() {
    let folder = Folder::new();
    folder.write("won.fen", "W:W32,33,37,38,39,42,43,44:B1,2\n");
    let agreed = play(&folder, PLAYERS, &["--openings", "won.fen", "--games", "2", "--agree", "200"]);
    let summary = agreed.text();
    assert!(summary.contains("\nends: agreement 2\n"), "{summary}");
    assert!(games(&folder).contains("{the scores of both players agree}"), "{}", games(&folder));
    assert_clean(&folder, 2);
}

#[test]
fn a_player_may_have_a_book() {
    let folder = Folder::new();
    let text = "1. 34-29 19-23 2. 40-34 14-19 *\n\n1. 33-28 18-23 2. 39-33 *\n\n[GameType \"25\"]\n1. c3-d4 *\n";
    folder.write("book.pdn", text);
    folder.write("start", "W:W31-50:B1-20\n");
    let players = ["builtin:nodes=30,hash=1,book=book.pdn", PLAYERS[1]];
    let more = ["--openings", "start", "--games", "2", "--max-plies", "12"];
    play(&folder, players, &more).is(0);
    let first = games(&folder);
    let of_book = |text: &str| {
        text.lines().filter(|line| ["1. 34-29 ", "1. 33-28 "].iter().any(|own| line.starts_with(own))).count()
    };
    assert!(of_book(&first) >= 1, "{first}");
    assert!(!first.contains("1. 34-29 {"), "a move of the book has no evaluation: {first}");
    play(&folder, players, &[&more[..], &["--jobs", "2"]].concat()).is(0);
    assert_eq!(games(&folder), first, "the choice of moves is repeatable");
    let many = ["--openings", "start", "--games", "80", "--max-plies", "3", "--jobs", "3"];
    play(&folder, players, &many).is(0);
    // A move of a search has a comment.
    let is_chosen = |line: &str, start| line.strip_prefix(start).is_some_and(|rest| !rest.starts_with('{'));
    let chosen = |start| games(&folder).lines().filter(|line| is_chosen(line, start)).count();
    let (one, other) = (chosen("1. 34-29 "), chosen("1. 33-28 "));
    assert!(one >= 5 && other >= 5, "the moves of a book differ from game to game: {one} and {other}");
    let saved = [&more[..], &["--checkpoint", "run.jsonl"]].concat();
    play(&folder, players, &saved).is(0);
    folder.write("book.pdn", "[GameType \"20\"]\n1. 34-29 1-2 *\n");
    let changed = folder.run(&[&["match", players[0], players[1]], &saved[..]].concat()).is(2);
    assert!(changed.errors.contains("belongs to another match"), "{}", changed.errors);
    let note = "book.pdn: 1 game stops at an error in the opening book; run `pdn check` for details\n";
    assert!(changed.errors.starts_with(note), "{}", changed.errors);
    folder.write("book.pdn", text);
    let run = folder.run(&["match", players[0], players[1], "-o", "book.pdn"]).is(2);
    assert!(run.errors.contains("the opening book and the output are the same file"), "{}", run.errors);
    assert_eq!(folder.read("book.pdn"), text);
    let run = play(&folder, ["builtin:book=missing.pdn", "builtin"], &more).is(2);
    assert!(run.errors.contains("missing.pdn"), "{}", run.errors);
    let run = play(&folder, players, &["--variant", "frisian", "--games", "2"]).is(2);
    assert!(run.errors.contains("no moves of frisian for an opening book"), "{}", run.errors);
}
