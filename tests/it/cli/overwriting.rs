//! Outputs that would replace files which are read.

use std::fs;

use crate::support::binary::Folder;

const GAME: &str =
    "[Event \"E\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n\n";

/// Runs commands that are refused for a reason; all files stay as they are.
fn refused(folder: &Folder, commands: &[&str], reason: &str) {
    let all = || folder.names().into_iter().filter(|name| folder.path(name).is_file());
    let before: Vec<_> = all().map(|name| (name.clone(), folder.read(&name))).collect();
    for command in commands {
        let run = folder.run(&command.split(' ').collect::<Vec<_>>()).is(2);
        assert!(run.errors.contains(reason), "{command}: {}", run.errors);
        let after: Vec<_> = all().map(|name| (name.clone(), folder.read(&name))).collect();
        assert_eq!(after, before, "{command}");
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
