//! Numbers with their nouns, in everything that the commands say to people.

use crate::support::binary::Folder;

const GOOD: &str = "[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 2-0\n";
const BAD: &str = "[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n1. 32-27x *\n";

/// Every command that counts something, with one game, one move or one of whatever it counts.
const RUNS: [&[&str]; 29] = [
    &["check", "good.pdn"],
    &["check", "bad.pdn"],
    &["check", "--statistics", "bad.pdn"],
    &["check", "--strict", "good.pdn"],
    &["check", "--duplicates", "good.pdn", "again.pdn"],
    &["check", "--max-diagnostics", "1", "bad.pdn"],
    &["check", "--severity", "warning", "bad.pdn"],
    &["fmt", "--check", "bad.pdn"],
    &["fmt", "--fix", "bad.pdn"],
    &["fmt", "--diff", "bad.pdn"],
    &["search", "--where", "plies = 1", "good.pdn"],
    &["stats", "good.pdn"],
    &["openings", "good.pdn"],
    &["openings", "--format", "pdn", "good.pdn"],
    &["event", "good.pdn"],
    &["merge", "good.pdn", "again.pdn"],
    &["diff", "good.pdn", "bad.pdn"],
    &["diff", "good.pdn", "again.pdn"],
    &["edit", "--set", "Round=1", "--diff", "good.pdn"],
    &["annotate", "--nodes", "1", "good.pdn"],
    &["puzzles", "--nodes", "10", "good.pdn"],
    &["verify", "good.pdn"],
    &["report", "good.pdn", "-o", "page.html"],
    &["show", "--ply", "1", "good.pdn"],
    &["moves", "--fen", "W:W32:B19"],
    &["bench", "problems", "--nodes", "10", "good.pdn"],
    &["bench", "read", "good.pdn"],
    &["bench", "replay", "good.pdn"],
    &["match", "builtin", "builtin", "--nodes", "1", "--games", "1"],
];

#[test]
fn one_of_anything_is_in_the_singular() {
    let folder = Folder::with("good.pdn", GOOD);
    folder.write("again.pdn", GOOD);
    folder.write("bad.pdn", BAD);
    for run in RUNS {
        let output = folder.run(run);
        assert_ne!(output.status, Some(2), "pdn {}: {}", run.join(" "), output.errors);
        for text in [output.text(), &output.errors] {
            let wrong = text.lines().find_map(plural_of_one);
            assert_eq!(wrong, None, "pdn {}: {text}", run.join(" "));
        }
    }
}

#[test]
fn a_number_with_a_plural_is_found() {
    assert_eq!(plural_of_one("after 11 games, 1 games (1 clean)").as_deref(), Some("1 games"));
    assert_eq!(plural_of_one("1: 1 errors"), Some("1 errors".to_owned()));
    assert_eq!(plural_of_one("1 ply, 1 loss, 21 games, 0.1 s, 1 s a move, move 1 is"), None);
}

/// Returns the first `1` with a noun in the plural, if there is one.
fn plural_of_one(line: &str) -> Option<String> {
    const SINGULAR: [&str; 3] = ["is", "has", "loss"];
    let words: Vec<_> = line.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', '.', ':', ';'])).collect();
    let wrong = |pair: &&[&str]| {
        let is_plural =
            pair[1].ends_with('s') && pair[1].len() > 1 && pair[1].bytes().all(|byte| byte.is_ascii_lowercase());
        pair[0] == "1" && is_plural && !SINGULAR.contains(&pair[1])
    };
    words.windows(2).find(wrong).map(|pair| pair.join(" "))
}
