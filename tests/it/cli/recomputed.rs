//! Answers of the data commands, recomputed naively from what `convert` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::binary::{Folder, Run, pdn};
use crate::support::corpus::corpus;
use crate::support::random::Dice;

const INTERNATIONAL: &str = "samples/games/international.pdn";

/// The rows of CSV, each as its cells by their names.
fn rows(run: &Run) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(&run.bytes[..]);
    let names = reader.headers().expect("a header").clone();
    let row =
        |record: csv::StringRecord| names.iter().zip(&record).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

fn table(name: &str, path: &Path) -> Vec<BTreeMap<String, String>> {
    rows(&pdn(&["convert", "--to", "csv", "--table", name, path.to_str().expect("a path")]))
}

/// Returns a FEN with exchanged colours on a board of 50 squares turned by half.
fn mirrored(fen: &str) -> String {
    let turned = |list: &str| {
        let mut squares: Vec<(u32, bool)> = list
            .split(',')
            .filter(|name| !name.is_empty())
            .map(|name| (51 - name.trim_start_matches('K').parse::<u32>().expect("a square"), name.starts_with('K')))
            .collect();
        squares.sort_unstable();
        let names = squares.iter().map(|(number, king)| format!("{}{number}", if *king { "K" } else { "" }));
        names.collect::<Vec<_>>().join(",")
    };
    let parts: Vec<_> = fen.split(':').collect();
    let [turn, white, black] = parts[..] else { panic!("{fen}") };
    let other = if turn == "W" { "B" } else { "W" };
    format!("{other}:W{}:B{}", turned(&black[1..]), turned(&white[1..]))
}

/// Returns the numbers of the games that a search finds.
fn found(arguments: &[&str]) -> BTreeSet<String> {
    let run = pdn(&[&["search", "--to", "csv", "--no-variations"], arguments, &[INTERNATIONAL]].concat()).is(0);
    rows(&run).into_iter().map(|mut row| row.remove("game").expect("a number")).collect()
}

#[test]
fn positions_are_found_where_the_tables_have_them() {
    let positions = table("positions", Path::new(INTERNATIONAL));
    let with = |fens: &[&str]| {
        let rows = positions.iter().filter(|row| fens.contains(&row["fen"].as_str()));
        rows.map(|row| row["game"].clone()).collect::<BTreeSet<_>>()
    };
    let finals = pdn(&["convert", "--to", "fen", INTERNATIONAL]).is(0);
    let all: BTreeSet<&str> = positions.iter().map(|row| row["fen"].as_str()).collect();
    let common = all.iter().copied().filter(|fen| with(&[*fen]).len() > 1).take(5);
    let some: Vec<_> = all.iter().copied().step_by(41).chain(finals.lines()).chain(common).collect();
    assert!(some.len() > 20);
    for fen in some {
        let other = mirrored(fen);
        assert_eq!(found(&["--fen", fen]), with(&[fen]), "{fen}");
        assert_eq!(found(&["--fen", &other, "--mirror"]), with(&[fen, &other]), "{fen}");
    }
}

/// Games of random moves, some of them copies, and some beginnings of others; with their moves.
fn random_games(dice: &mut Dice) -> Vec<(String, String)> {
    let lines: Vec<Vec<String>> = (0..30)
        .map(|_| {
            let mut position = pdn::rules::Position::start(pdn::rules::Variant::INTERNATIONAL);
            let mut line = Vec::new();
            for _ in 0..15 + dice.below(30) {
                let moves = position.legal_moves();
                let played = moves[dice.below(moves.len())];
                line.push(position.short(&played));
                position = position.play(&played).expect("a legal move");
            }
            line
        })
        .collect();
    let game = |n: usize, dice: &mut Dice| {
        let line = &lines[dice.below(lines.len())];
        let length = if dice.below(3) == 0 { 1 + dice.below(line.len()) } else { line.len() };
        let site = if dice.below(2) == 0 { "[Site \"x\"]\n" } else { "" };
        let moves = line[..length].join(" ");
        (format!("[Event \"{n}\"]\n{site}[GameType \"20\"]\n{moves} *\n\n"), moves)
    };
    (0..200).map(|n| game(n, dice)).collect()
}

/// Returns the numbers of the games that stay, from lists of moves: of equal ones the one with the most tags, or else the
/// longest text, or else the first; and no beginnings of at least twenty moves.
fn naive_dedupe(games: &[(String, String)]) -> BTreeSet<usize> {
    let merit = |n: usize| (games[n].0.matches("[Site").count(), games[n].0.len());
    let best = |n: &usize| {
        let same = (0..games.len()).filter(|&other| games[other].1 == games[*n].1);
        same.max_by_key(|&other| (merit(other), std::cmp::Reverse(other))) == Some(*n)
    };
    let mut kept: Vec<usize> = (0..games.len()).filter(best).collect();
    kept.sort_by_key(|&n| &games[n].1);
    let begins = |n: usize, other: usize| games[other].1.starts_with(&format!("{} ", games[n].1));
    let is_beginning = |n: usize| games[n].1.split(' ').count() >= 20 && kept.iter().any(|&other| begins(n, other));
    kept.iter().copied().filter(|&n| !is_beginning(n)).collect()
}

#[test]
fn games_are_kept_once_as_lists_of_moves_say() {
    for seed in 1..=3 {
        let games = random_games(&mut Dice(seed));
        let text: String = games.iter().map(|(text, _)| text.as_str()).collect();
        let folder = Folder::with("a.pdn", text);
        let run = folder.run(&["search", "--dedupe", "--dropped", "rest.pdn", "a.pdn"]).is(0);
        let numbers = |text: &str| -> BTreeSet<usize> {
            let events = text.lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"));
            events.map(|number| number.parse().expect("a number")).collect()
        };
        let kept = naive_dedupe(&games);
        assert!(kept.len() > 20 && kept.len() < 150);
        assert_eq!(numbers(run.text()), kept, "seed {seed}");
        let dropped: BTreeSet<_> = (0..games.len()).filter(|n| !kept.contains(n)).collect();
        assert_eq!(numbers(&folder.read("rest.pdn")), dropped, "seed {seed}");
    }
}

/// A player's games, wins, draws, losses and points.
type Standing = [u64; 5];

/// Returns the standings by the rows of games: two points for a win, one for a draw.
fn naive_standings(games: &[BTreeMap<String, String>]) -> BTreeMap<String, Standing> {
    let mut table: BTreeMap<String, Standing> = BTreeMap::new();
    let known = |name: &str| !matches!(name, "" | "?" | "-");
    for game in games.iter().filter(|game| known(&game["White"]) && known(&game["Black"])) {
        for (side, name) in [("W", &game["White"]), ("B", &game["Black"])] {
            let row = table.entry(name.split_whitespace().collect::<Vec<_>>().join(" ")).or_default();
            row[0] += 1;
            match game["winner"].as_str() {
                "" => {}
                "draw" => (row[2], row[4]) = (row[2] + 1, row[4] + 1),
                winner if winner == side => (row[1], row[4]) = (row[1] + 1, row[4] + 2),
                _ => row[3] += 1,
            }
        }
    }
    table
}

fn compare_standings(path: &Path) {
    let run = pdn(&["event", "--one", "--format", "json", path.to_str().expect("a path")]);
    let event = run.values().pop().expect("an object");
    let names = ["games", "wins", "draws", "losses", "points"];
    let found = event["players"].as_array().expect("players").iter().map(|row| {
        let numbers = names.map(|name| row[name].as_u64().expect("a number"));
        (row["name"].as_str().expect("a name").to_owned(), numbers)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), naive_standings(&table("games", path)), "{}", path.display());
}

#[test]
fn standings_are_those_of_the_rows() {
    compare_standings(Path::new("samples/games/english.pdn"));
    let Some(corpus) = corpus() else { return };
    for name in ["international/wk2003.pdn", "international/dutch96h.pdn", "italian/40champ-1996.pdn"] {
        compare_standings(&corpus.join(name));
    }
}
