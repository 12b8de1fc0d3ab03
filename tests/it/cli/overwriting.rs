//! Outputs that would replace files which are read.

use std::fs;

use super::archives::{Member, gzip, zip};
use crate::support::binary::Folder;
use crate::support::sources::root;

const GAME: &str =
    "[Event \"E\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n\n";

/// Runs commands that are refused for a reason; all files stay as they are.
fn refused(folder: &Folder, commands: &[&str], reason: &str) {
    let all = || folder.names().into_iter().filter(|name| folder.path(name).is_file());
    let bytes = |name: String| (fs::read(folder.path(&name)).expect("a file"), name);
    let before: Vec<_> = all().map(bytes).collect();
    for command in commands {
        let run = folder.run(&command.split(' ').collect::<Vec<_>>()).is(2);
        assert!(run.errors.contains(reason), "{command}: {}", run.errors);
        assert!(all().map(bytes).eq(before.clone()), "{command}");
    }
}

#[test]
fn the_part_of_an_interrupted_run_is_replaced_only_by_its_continuation() {
    let folder = Folder::with("g.pdn", GAME);
    fs::create_dir(folder.path("out")).expect("a folder");
    folder.write("out/g.pdn.part", GAME);
    folder.write("x.pdn.part", GAME);
    let play = "match builtin:depth=1,hash=1 builtin:depth=1,hash=1 --games 2 --max-plies 10 -o x.pdn";
    let (annotate, dxp) = ("annotate g.pdn --depth 1 -o x.pdn", "dxp --connect 127.0.0.1:1 -o x.pdn");
    let all = "annotate g.pdn --depth 1 --out-dir out";
    let saved = format!("{play} --checkpoint run.jsonl");
    let reason = "x.pdn: x.pdn.part holds the games of an interrupted run; rename or remove it";
    refused(&folder, &[play, annotate, dxp, &saved], reason);
    refused(&folder, &[all], "g.pdn.part holds the games of an interrupted run; rename or remove it");
    assert_eq!(folder.read("out/g.pdn.part"), GAME);
    let run = |command: &str| folder.run(&command.split(' ').collect::<Vec<_>>()).is(0);
    run(&saved.replace("x.pdn", "y.pdn"));
    run(&saved);
    assert!(!folder.path("x.pdn.part").exists() && folder.read("x.pdn") == folder.read("y.pdn"));
    folder.write("x.pdn.part", "");
    run(play);
}

#[test]
fn an_output_that_would_be_empty_is_refused_wherever_it_is_given() {
    let folder = Folder::with("g.pdn", GAME);
    folder.write("mine", GAME);
    for command in
        ["edit --write --set Site=A g.pdn", "event --letters new g.pdn", "search --split year --out-dir new g.pdn"]
    {
        let orders = [format!("-o mine {command}"), format!("{command} -o mine")];
        refused(&folder, &orders.each_ref().map(String::as_str), "writes other files and cannot be used with -o");
    }
    assert!(!folder.path("new").exists());
}

#[test]
fn an_input_is_replaced_only_by_its_records() {
    let folder = Folder::with("g.pdn", GAME);
    folder.write("g.txt", GAME);
    folder.write("list", "g.pdn\n");
    folder.run(&["convert", "g.pdn", "-o", "r.json"]).is(0);
    refused(
        &folder,
        &[
            "openings g.pdn -o g.pdn",
            "openings --format pdn g.pdn -o ./g.pdn",
            "search --where year>1 g.pdn -o g.pdn",
            "search --count g.txt -o g.txt",
            "search --to csv g.txt -o g.txt",
            "search --where year>1 . -o g.pdn",
            "search --where year>1 --files-from list -o g.pdn",
            "edit --set Site=A --diff g.pdn -o g.pdn",
            "fmt --diff g.pdn -o g.pdn",
            "fmt --check g.pdn -o g.pdn",
            "check g.txt -o g.txt",
            "check --format json r.json -o r.json",
            "stats g.txt -o g.txt",
            "stats --format json r.json -o r.json",
            "event g.txt -o g.txt",
            "ratings g.txt -o g.txt",
            "players g.txt -o g.txt",
            "shots g.txt -o g.txt",
            "diff g.txt g.pdn -o g.txt",
            "show g.txt -o g.txt",
            "convert --to csv g.pdn -o g.pdn",
            "convert --to fen g.pdn -o g.pdn",
            "convert --to json g.pdn -o g.pdn",
            "annotate --depth 1 --shard 1/2 g.pdn -o g.pdn",
        ],
        "the output would replace an input",
    );
}

#[test]
fn records_replace_an_input() {
    let folder = Folder::with("g.pdn", GAME);
    folder.run(&["convert", "g.pdn", "-o", "r.json"]).is(0);
    for command in [
        "fmt g.pdn -o g.pdn",
        "merge g.pdn -o g.pdn",
        "edit --set Site=A g.pdn -o g.pdn",
        "annotate --depth 1 g.pdn -o g.pdn",
        "convert g.pdn -o g.pdn",
        "convert r.json -o r.json",
    ] {
        folder.run(&command.split(' ').collect::<Vec<_>>()).is(0);
        assert_eq!(folder.run(&["search", "--count", "g.pdn", "r.json"]).is(0).text(), "2\n", "{command}");
    }
    // Its moves come after the beginning that is looked at.
    folder.write("g.pdn", GAME.replace("\"E\"", &format!("\"{}\"", "E".repeat(40_000))));
    folder.run(&["convert", "g.pdn", "-o", "r.json"]).is(0);
    folder.run(&["convert", "r.json", "-o", "r.json"]).is(0);
}

#[test]
fn an_input_in_another_format_is_not_replaced() {
    let folder = Folder::with("packed.pdn", gzip(GAME));
    folder.write("archive.pdn", zip(&[Member::new("g.pdn", GAME), Member::new("standings.txt", "1. Ann\n")]));
    for name in ["board.ldf", "turbo.txt", "lidraughts.ndjson"] {
        folder.write(name, fs::read(root().join("samples/accept").join(name)).expect("a sample"));
    }
    folder.write("l.json", "[{\"id\":\"a\",\"moves\":\"32-28 19-23\",\"speed\":\"blitz\"}]");
    folder.run(&["convert", "packed.pdn", "-o", "own.json"]).is(0);
    refused(
        &folder,
        &[
            "merge archive.pdn -o archive.pdn",
            "fmt packed.pdn -o packed.pdn",
            "annotate --nodes 5 packed.pdn -o packed.pdn",
        ],
        "is compressed and cannot be replaced; write to a new file",
    );
    refused(
        &folder,
        &[
            "fmt board.ldf -o board.ldf",
            "merge board.ldf packed.pdn -o ./board.ldf",
            "edit --set Site=X board.ldf -o board.ldf",
            "convert --to pdn board.ldf -o board.ldf",
            "annotate --nodes 5 board.ldf -o board.ldf",
            "fmt turbo.txt -o turbo.txt",
            "merge --include *.ldf . -o board.ldf",
            "convert --to pdn own.json -o own.json",
        ],
        "is not PDN and cannot be replaced; write to a new file",
    );
    refused(
        &folder,
        &[
            "convert lidraughts.ndjson --to jsonl -o lidraughts.ndjson",
            "convert l.json -o l.json",
            "convert --to jsonl own.json -o own.json",
        ],
        "is not JSON that pdn wrote in this format and cannot be replaced; write to a new file",
    );
}

#[test]
fn an_input_whose_encoding_is_a_guess_is_not_replaced() {
    // Иванов and Петров.
    let (white, black) = (b"[White \"\xc8\xe2\xe0\xed\xee\xe2\"]\n", b"[Black \"\xcf\xe5\xf2\xf0\xee\xe2\"]\n");
    let folder = Folder::with("g.pdn", [&white[..], black, b"[GameType \"20\"]\n\n1. 32-28 19-23 *\n"].concat());
    folder.write("u.pdn", GAME);
    refused(
        &folder,
        &[
            "fmt g.pdn -o g.pdn -q",
            "merge u.pdn g.pdn -o g.pdn",
            "merge --sort white g.pdn -o g.pdn",
            "convert g.pdn -o g.pdn",
            "edit --set Site=X g.pdn -o g.pdn",
            "annotate --nodes 5 g.pdn -o g.pdn",
        ],
        "g.pdn is left unchanged: not UTF-8, and read in the encoding that its bytes suggest, cp1251; add --encoding cp1251",
    );
    let damaged =
        b"[White \"M\xC3\xBCller\"]\n[Site \"\xFF\xC3\"]\n[GameType \"20\"]\n\n1. 32-28 {Gr\xC3\xB6\xFEe} 19-23 *\n";
    folder.write("d.pdn", damaged);
    let replacing = ["fmt d.pdn -o d.pdn", "annotate --nodes 5 u.pdn d.pdn -o d.pdn"];
    refused(&folder, &replacing, "some bytes are not UTF-8 and cannot be read; write to a new file");
    // The file that is replaced is certain.
    folder.run(&["merge", "u.pdn", "g.pdn", "-o", "u.pdn"]).is(0);
    folder.run(&["fmt", "--encoding", "cp1251", "g.pdn", "-o", "g.pdn"]).is(0);
    assert!(folder.read("u.pdn").contains("Иван") && folder.read("g.pdn").contains("Иван"));
}

#[test]
fn a_game_that_is_too_large_is_reported_and_replaces_nothing() {
    let large = GAME.replace("32-28", &format!("32-28 {{{}}}", "0".repeat(300)));
    let folder = Folder::with("g.pdn", large + GAME);
    folder.write("h.pdn", GAME);
    refused(
        &folder,
        &[
            "fmt g.pdn -o g.pdn --max-game 200",
            "merge g.pdn -o g.pdn --max-game 200",
            "merge --dedupe g.pdn h.pdn -o h.pdn --max-game 200",
            "convert g.pdn -o g.pdn --max-game 200",
            "edit --set Site=X g.pdn -o g.pdn --max-game 200",
            "edit --set Site=X --write g.pdn --max-game 200",
            "index g.pdn -o positions --max-game 200",
            "stats g.pdn --max-game 200",
            "search --where white=ann g.pdn --max-game 200",
            "sheet g.pdn --max-game 200",
            "convert --to csv g.pdn --max-game 200",
        ],
        "g.pdn: a game is too large; raise --max-game",
    );
    let run = folder.run(&["merge", "--dedupe", "g.pdn", "-o", "g.pdn", "--max-game", "200"]).is(2);
    assert_eq!(run.errors.matches("g.pdn is left unchanged").count(), 1, "{}", run.errors);
    refused(
        &folder,
        &[
            "edit --set Site=X --write g.pdn --max-game 200",
            "fmt --write g.pdn --max-game 200",
            "fmt --fix --only-repairs --write g.pdn --max-game 200",
        ],
        "g.pdn: a game is too large; raise --max-game; g.pdn is left unchanged",
    );
    // The games of a run of hours are kept beside the input.
    let run = folder.run(&["annotate", "-q", "--nodes", "5", "g.pdn", "-o", "g.pdn", "--max-game", "200"]).is(2);
    assert!(
        run.errors.contains("the incomplete output is kept in g.pdn.part") && folder.read("g.pdn.part").contains("Bob")
    );
    // A new file has what could be read, and checks report the game themselves.
    folder.run(&["merge", "g.pdn", "-o", "new.pdn", "--max-game", "200"]).is(2);
    assert!(folder.read("new.pdn").contains("Ann"));
    let run = folder.run(&["check", "g.pdn", "--max-game", "200"]).is(1);
    assert!(run.text().contains("replay/too-large") && !run.errors.contains("raise --max-game"), "{}", run.errors);
}

#[test]
fn files_of_options_are_not_replaced() {
    let folder = Folder::with("a.pdn", GAME);
    folder.write("names.txt", "Ann = Anna\n");
    folder.write("openings.pdn", "32-28 = First\n");
    folder.write("pdn.toml", "");
    folder.write("list.pdn", "a.pdn\n");
    folder.run(&["variants", "italian", "-o", "rules.toml"]).is(0);
    for (commands, option, output) in [
        (&["players --aliases names.txt --write-aliases names.txt a.pdn"][..], "aliases", "second output"),
        (&["edit --rename-players names.txt a.pdn -o ./names.txt"], "rename-players", "output"),
        (
            &["merge --aliases names.txt a.pdn -o names.txt", "stats --aliases names.txt a.pdn -o names.txt"],
            "aliases",
            "output",
        ),
        (&["edit --openings --names openings.pdn a.pdn -o openings.pdn"], "names", "output"),
        (&["fmt --config pdn.toml a.pdn -o pdn.toml"], "config", "output"),
        (&["fmt --rules rules.toml a.pdn -o rules.toml"], "rules", "output"),
        (&["merge --files-from list.pdn -o list.pdn"], "files-from", "output"),
    ] {
        refused(&folder, commands, &format!("the file of --{option} and the {output} are the same file"));
    }
    refused(&folder, &["check --write-baseline a.pdn a.pdn"], "the second output would replace an input");
}

#[test]
fn a_file_of_aliases_is_replaced_only_on_request() {
    let folder = Folder::with("a.pdn", GAME.replace("Ann", "Jansen, Piet") + &GAME.replace("Ann", "Jansen, P."));
    folder.write("names.txt", "kept");
    let run = folder.run(&["players", "--write-aliases", "names.txt", "a.pdn"]).is(2);
    assert!(run.errors.contains("names.txt exists: use --yes to replace it"), "{}", run.errors);
    assert_eq!(folder.read("names.txt"), "kept");
    folder.run(&["players", "--write-aliases", "names.txt", "--yes", "a.pdn"]).is(0);
    assert!(folder.read("names.txt").contains("Jansen, P. = Jansen, Piet"));
}

#[test]
fn files_of_a_split_do_not_replace_inputs() {
    let folder = Folder::with("Bob.pdn", GAME.repeat(2).replacen("Ann", "Carl", 1));
    refused(
        &folder,
        &["search --split player --out-dir . Bob.pdn", "search --split player --out-dir . ."],
        "Bob.pdn: the output would replace an input",
    );
    assert_eq!(folder.names(), ["Bob.pdn"]);
    folder.run(&["search", "--split", "player", "--out-dir", "new", "Bob.pdn"]).is(0);
    folder.run(&["search", "--split", "player", "--out-dir", "new", "Bob.pdn"]).is(0);
    assert_eq!(folder.names(), ["Bob.pdn", "new"]);
}
