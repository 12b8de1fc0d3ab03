//! The commands that the changelog, the documents and the help name do their work on samples.

use crate::support::binary::{Folder, pdn};

const TEXTS: [&str; 19] = [
    include_str!("../../../CHANGELOG.md"),
    include_str!("../../../docs/annotations.md"),
    include_str!("../../../docs/charts.md"),
    include_str!("../../../docs/check.md"),
    include_str!("../../../docs/codes.md"),
    include_str!("../../../docs/configuration.md"),
    include_str!("../../../docs/convert.md"),
    include_str!("../../../docs/data.md"),
    include_str!("../../../docs/endgames.md"),
    include_str!("../../../docs/engine.md"),
    include_str!("../../../docs/lessons.md"),
    include_str!("../../../docs/prepare.md"),
    include_str!("../../../docs/report.md"),
    include_str!("../../../docs/rules.md"),
    include_str!("../../../docs/sheets.md"),
    include_str!("../../../docs/shots.md"),
    include_str!("../../../docs/sites.md"),
    include_str!("../../../docs/tables.md"),
    include_str!("../../../docs/trainer.md"),
];
const GAMES: &str = include_str!("../../../samples/games/italian.pdn");
const PROBLEM: &str = "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 31x22 *\n";

/// Commands whose examples are run.
const WITH_EXAMPLES: [&str; 22] = [
    "annotate", "chart", "check", "convert", "diagram", "diff", "edit", "event", "fmt", "index", "man", "merge",
    "moves", "openings", "players", "prepare", "report", "search", "sheet", "show", "stats", "variants",
];

/// What stands for a value in a text, and a value for it. The first that fits a command line is used.
const VALUES: [(&str, &str); 11] = [
    ("write-aliases names.txt", "write-aliases names.txt --yes"),
    ("--fens", "--fens positions.txt"),
    ("moves --egdb DIR", "moves --egdb tables --variant italian --fen W:WK32:BK1"),
    ("DIR", "tables"),
    ("--sample N", "--sample 10"),
    ("--max-diagnostics", "--max-diagnostics 5"),
    ("variants NAME", "variants russian"),
    ("NAME", "club"),
    ("CODE", "move/illegal"),
    ("FILE", "known.json"),
    ("/man1", ""),
];

/// What a command that is named without its inputs is completed with.
const INPUTS: [(&str, &str); 34] = [
    ("annotate --clean", "games.pdn"),
    ("verify", "--nodes 10 problem.pdn"),
    ("puzzles", "--nodes 10 games.pdn"),
    ("shots", "games.pdn"),
    ("annotate", "--nodes 10 games.pdn"),
    ("bench egdb", "--variant italian --probes 100"),
    ("bench problems", "--nodes 10 problem.pdn"),
    ("chart", "rated.pdn"),
    ("check", "games.pdn"),
    ("convert", "games.pdn"),
    ("diagram", "--fen W:W31,32:B19,20"),
    ("diff", "games.pdn archive/"),
    ("edit", "--set Site=Amsterdam games.pdn"),
    ("egdb build", "--egdb tables --variant italian --pieces 2"),
    ("egdb probe", "--egdb tables --variant italian --fen W:WK32:BK1"),
    ("egdb stats", "--egdb tables --variant italian --pieces 2"),
    ("egdb verify", "--egdb tables --variant italian"),
    ("event", "games.pdn"),
    ("fmt", "games.pdn"),
    ("index", "games.pdn -o positions"),
    ("merge", "games.pdn"),
    ("openings", "games.pdn"),
    ("players", "games.pdn"),
    ("prepare", "--no-shots games.pdn"),
    ("ratings", "games.pdn"),
    ("search", "games.pdn"),
    ("sheet", "games.pdn"),
    ("stats", "games.pdn"),
    ("match", "builtin:nodes=10 builtin:nodes=10 --games 2 --max-plies 2"),
    ("report", "games.pdn"),
    ("train curve", "self-play.jsonl"),
    ("train fit", "self-play.jsonl"),
    ("train gate", "hand-made hand-made --games 2 --nodes 10"),
    ("train selfplay", "more.jsonl --games 2 --nodes 10"),
];

/// Options that decide how long a command runs, with small values.
const SIZES: [(&str, &str); 3] = [("--nodes", "20"), ("--depth", "2"), ("--games", "20")];

/// Returns games with evaluations and ratings.
fn rated() -> String {
    let rated = "[WhiteRating \"2100\"]\n[BlackRating \"2050\"]\n[Result ";
    include_str!("../../../web/app/samples/annotated.pdn").replace("[Result ", rated)
}

fn folder() -> Folder {
    let folder = Folder::with("games.pdn", GAMES);
    folder.write("archive/a.pdn", GAMES);
    folder.write("annotated.pdn", GAMES);
    folder.write("rated.pdn", rated());
    folder.write("club.css", "h1 { color: teal }\n");
    folder.write("club.html", "<footer>Our club</footer>\n");
    folder.write("problem.pdn", PROBLEM);
    folder.write("problems.pdn", PROBLEM);
    folder.write("russian.pdn", "[GameType \"25\"]\n1. c3-d4 *\n");
    folder.write("names.txt", "Jansen, A. = Jansen\n");
    folder.write("openings.txt", "[english]\n11-15 = Old Faithful\n");
    folder.write("positions.txt", "W:Wc3:Bd6\n");
    folder.run(&["egdb", "build", "--variant", "italian", "--pieces", "2", "--egdb", "tables"]).is(0);
    folder.run(&["report", "games.pdn", "-o", "site/"]).is(0);
    folder.run(&["train", "selfplay", "self-play.jsonl", "--games", "2", "--nodes", "10"]).is(0);
    folder
}

/// Returns the command lines between backticks, with or without the name of the program.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let codes = text.split('`').skip(1).step_by(2).filter(|code| !code.contains('\n'));
    codes.filter_map(|code| match code.strip_prefix("pdn ") {
        Some(line) => Some(line),
        None => INPUTS.iter().any(|(name, _)| code.starts_with(&format!("{name} --"))).then_some(code),
    })
}

/// Returns the examples of a help text.
fn examples(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  pdn "));
    lines.map(|line| line.split(['>', '|']).next().unwrap_or(line)).filter(|line| !line.contains('\''))
}

/// Completes a command line with values and inputs; `None` if it needs another program or a person.
fn runnable(line: &str) -> Option<String> {
    // These do not end by themselves.
    let is_endless = ["dxp", "hub", "play"].contains(&line) || line.starts_with("serve");
    if line.ends_with("--engine") || is_endless {
        return None;
    }
    let mut line = line.trim().to_owned();
    let fits = |line: &str, name: &str| line.contains(name) && (!name.starts_with("--") || line.ends_with(name));
    if let Some((name, value)) = VALUES.iter().find(|(name, _)| fits(&line, name)) {
        line = line.replace(name, value);
    }
    let has_input =
        [".pdn ", ".pdn", "archive/", "--explain", "--index", "--app", "--viewer", "--names", "diagram --fen"]
            .iter()
            .any(|input| line.contains(input));
    let has_input = has_input && !line.ends_with("games.csv");
    match INPUTS.iter().find(|(name, _)| line.starts_with(name)) {
        Some((name, input)) if !has_input => {
            let needs_format = *name == "convert" && !line.contains("--to") && !line.contains("-o ");
            Some(format!("{line} {} {input}", if needs_format { "--to csv" } else { "" }))
        }
        Some(("annotate", _)) if !line.contains("--nodes") => Some(format!("{line} --nodes 10")),
        _ => Some(line),
    }
}

/// Returns the words of a command line with small values for its sizes.
fn shortened(line: &str) -> Vec<&str> {
    let mut words: Vec<_> = line.split_whitespace().collect();
    for n in 1..words.len() {
        let is_size = words[n].starts_with(|letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase());
        let size = SIZES.iter().find(|(name, _)| is_size && *name == words[n - 1]);
        words[n] = size.map_or(words[n], |(_, value)| value);
    }
    words
}

/// Runs the command lines in turn and returns their number.
fn run_all<'a>(folder: &Folder, lines: impl Iterator<Item = &'a str>) -> usize {
    let mut count = 0;
    for line in lines.filter_map(runnable) {
        let run = folder.run(&shortened(&line));
        let lacks_feature =
            ["it needs the feature", "was built without the "].iter().any(|lack| run.errors.contains(lack));
        assert!(matches!(run.status, Some(0 | 1)) || lacks_feature, "{line}: {:?} {}", run.status, run.errors);
        count += 1;
    }
    count
}

#[test]
fn commands_in_documents_do_their_work() {
    let folder = folder();
    let count: usize = TEXTS.iter().map(|text| run_all(&folder, quoted(text))).sum();
    assert!(count >= 25, "{count} commands");
}

#[test]
fn the_recipe_for_training_does_its_work() {
    let text = include_str!("../../../docs/training.md");
    let folder = Folder::new();
    let mut count = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("$ pdn ")) {
        let more = match line.split(' ').nth(1) {
            Some("gate") => "--games 20 --nodes 20",
            Some("selfplay") if !line.contains("--nodes") => "--nodes 20",
            _ => "",
        };
        let line = format!("{line} {more}");
        let run = folder.run(&shortened(&line));
        // A gate that stays shut has status 1.
        let expected = 0..=i32::from(line.contains(" gate "));
        assert!(run.status.is_some_and(|status| expected.contains(&status)), "{line}: {:?} {}", run.status, run.errors);
        count += 1;
    }
    assert!(count >= 7, "{count} commands");
}

#[test]
fn the_examples_of_the_help_do_their_work() {
    let folder = folder();
    let helps: Vec<_> = WITH_EXAMPLES.iter().map(|name| pdn(&["help", name]).text().to_owned()).collect();
    let count: usize = helps.iter().map(|help| run_all(&folder, examples(help))).sum();
    assert!(count >= 20, "{count} examples");
}
