//! `pdn report`: pages as text, and pages in a real browser.

mod files;
mod hostile;
mod page;
mod solve;
mod variants;

use crate::support::binary::Folder;

/// Two annotated games: a blunder with the better line and a comment, and a game without evaluations.
const GAMES: &str = "\
[Event \"Winter Cup\"]
[Round \"3\"]
[Date \"2026.01.02\"]
[White \"Anna Müller\"]
[Black \"Boris\"]
[Result \"2-0\"]
[GameType \"20\"]

{Opening remarks} 1. 32-28 {[%eval 0.10]} 19-23 {[%eval 0.12]} 2. 28x19 {[%eval 0.11]} 14x23 {[%eval 0.15] [%cal R23-28][%csl B28]}
3. 37-32 {[%eval 0.10] [%clk 0:59:00]} 10-14 $4 {[%eval 2.00] loses} (3... 20-24 {[%eval 0.12]} 4. 41-37 (4. 42-37 {also possible}) 15-20) 4. 41-37 {[%eval #7]} *

[Event \"Summer Cup\"]
[White \"Clara\"]
[Black \"Anna Müller\"]
[Result \"0-2\"]
[GameType \"20\"]

1. 31-27 20-24 2. 1-2 *
";

/// Returns a folder with the games and their report.
fn folder() -> Folder {
    let folder = Folder::with("games.pdn", GAMES);
    folder.run(&["report", "games.pdn", "-o", "report.html"]).is(0);
    folder
}

/// Returns JSON in a page, as the browser reads it: the lines of the data blocks of a class.
fn blocks<'a>(page: &'a str, class: &str) -> Vec<Vec<&'a str>> {
    let start = format!("<script type=\"application/json\" class=\"{class}\">");
    let blocks = page.split(&start).skip(1);
    blocks.map(|block| block.split("</script>").next().expect("a block").split('\n').collect()).collect()
}
