//! `pdn event`: standings, cross tables, spellings and diagnostics, on tournaments of the corpus and made ones.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::binary::{Folder, pdn_with};
use crate::support::corpus::corpus;

fn game(white: &str, black: &str, result: &str, more: &str) -> String {
    format!(
        "[Event \"Club\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[GameType \"20\"]\n{more}\n1. 32-28 *\n\n"
    )
}

fn event(games: &str, arguments: &[&str]) -> Value {
    let run = pdn_with(games, &[&["event", "--format", "json"], arguments, &["-"]].concat());
    run.values().pop().expect("an object")
}

fn standings(event: &Value) -> Vec<(u64, String, u64)> {
    let rows = event["players"].as_array().expect("players").iter();
    rows.map(|row| {
        let number = |name: &str| row[name].as_u64().expect("a number");
        (number("rank"), row["name"].as_str().expect("a name").to_owned(), number("points"))
    })
    .collect()
}

fn of(rank: u64, name: &str, points: u64) -> (u64, String, u64) {
    (rank, name.to_owned(), points)
}

#[test]
fn standings_have_points_and_tie_breaks() {
    let games = [
        game("A", "B", "2-0", "[Round \"1\"]\n[WhiteRating \"2000\"]\n[BlackRating \"2200\"]"),
        game("C", "A", "1-1", "[Round \"2\"]\n[WhiteRating \"0001\"]"),
        game("B", "C", "2-0", "[Round \"3\"]"),
    ]
    .concat();
    let event = event(&games, &[]);
    assert_eq!((event["event"].as_str(), event["rounds"].as_u64()), (Some("Club"), Some(3)));
    assert_eq!(standings(&event), [of(1, "A", 3), of(2, "B", 2), of(3, "C", 1)]);
    let first = &event["players"][0];
    assert_eq!(
        [&first["games"], &first["wins"], &first["draws"], &first["losses"]],
        [1 + 1, 1, 1, 0].map(Value::from).each_ref()
    );
    // The points of B, won against, and half of those of C.
    assert_eq!((first["sonneborn_berger"].as_f64(), first["solkoff"].as_u64()), (Some(2.5), Some(3)));
    assert_eq!((first["performance"].as_i64(), first["rating"].as_u64()), (Some(3000), Some(2000)));
    let threes = self::event(&games, &["--points", "3-1-0"]);
    assert_eq!(standings(&threes), [of(1, "A", 4), of(2, "B", 3), of(3, "C", 1)]);
    let even = [game("A", "B", "1-1", ""), game("B", "C", "1-1", ""), game("C", "A", "1-1", "")].concat();
    assert_eq!(standings(&self::event(&even, &[])), [of(1, "A", 2), of(1, "B", 2), of(1, "C", 2)]);
}

#[test]
fn teams_play_matches() {
    let teams = |white: &str, black: &str| format!("[Round \"1\"]\n[WhiteTeam \"{white}\"]\n[BlackTeam \"{black}\"]");
    let games = [game("A", "B", "2-0", &teams("X", "Y")), game("C", "D", "1-1", &teams("Y", "X"))].concat();
    let matches = &event(&games, &[])["matches"];
    assert_eq!(matches.as_array().map(Vec::len), Some(1));
    assert_eq!((&matches[0]["teams"], &matches[0]["points"]), (&Value::from(vec!["X", "Y"]), &Value::from(vec![3, 1])));
}

/// The names after aliases, and the results as points of White, read from the text.
fn naive(text: &str, aliases: &BTreeMap<String, String>) -> Vec<([String; 2], Option<u64>)> {
    let mut games = Vec::new();
    let (mut names, mut points) = ([String::new(), String::new()], None);
    for line in text.lines() {
        let tag = |name: &str| {
            line.strip_prefix(&format!("[{name} \""))?
                .split('"')
                .next()
                .map(|value| value.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let player = |value: String| aliases.get(&value).cloned().unwrap_or(value);
        if let Some(value) = tag("White") {
            names[0] = player(value);
        }
        if let Some(value) = tag("Black") {
            names[1] = player(value);
        }
        if let Some(value) = tag("Result") {
            points = Some(match value.as_str() {
                "1-0" | "2-0" => Some(2),
                "0-1" | "0-2" => Some(0),
                "1/2-1/2" | "1-1" => Some(1),
                "*" => None,
                other => panic!("{other}"),
            });
        }
        if line.is_empty()
            && let Some(points) = points.take()
        {
            games.push((names.clone(), points));
        }
    }
    games
}

/// Compares the standings of a file with those counted from its tags.
fn compare(path: &std::path::Path, aliases: &BTreeMap<String, String>) -> Value {
    let folder = Folder::new();
    let lines: Vec<_> = aliases.iter().map(|(spelling, name)| format!("{spelling} = {name}\n")).collect();
    folder.write("aliases.txt", lines.concat());
    let path_text = path.to_str().expect("a path");
    let run = folder.run(&["event", "--one", "--format", "json", "--aliases", "aliases.txt", path_text]);
    let event = run.values().pop().expect("an object");
    let text = std::fs::read(path).expect("a file").iter().map(|&byte| char::from(byte)).collect::<String>();
    let text = text.replace("\r\n", "\n");
    let games = naive(&text, aliases);
    assert_eq!(event["pairings"].as_array().map(Vec::len), Some(games.len()));
    let mut table: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for ([white, black], points) in &games {
        for (name, scored) in [(white, *points), (black, points.map(|points| 2 - points))] {
            let row = table.entry(name.clone()).or_default();
            *row = (row.0 + 1, row.1 + scored.unwrap_or_default());
        }
    }
    let rows = event["players"].as_array().expect("players");
    let found: BTreeMap<String, (u64, u64)> = rows
        .iter()
        .map(|row| {
            let number = |name: &str| row[name].as_u64().expect("a number");
            (row["name"].as_str().expect("a name").to_owned(), (number("games"), number("points")))
        })
        .collect();
    assert_eq!(found, table);
    let points: Vec<_> = rows.iter().map(|row| row["points"].as_u64()).collect();
    assert!(points.is_sorted_by(|one, other| one >= other));
    // Solkoff and Sonneborn-Berger are sums over the games.
    for row in rows {
        let name = row["name"].as_str().expect("a name");
        let (mut solkoff, mut products) = (0, 0);
        for ([white, black], points) in &games {
            let Some(points) = points else { continue };
            let (other, scored) = if white == name { (black, *points) } else { (white, 2 - points) };
            if white == name || black == name {
                solkoff += table[other].1;
                products += table[other].1 * scored;
            }
        }
        assert_eq!(row["solkoff"].as_u64(), Some(solkoff), "{name}");
        assert_eq!(row["sonneborn_berger"].as_f64(), Some(products as f64 / 2.0), "{name}");
    }
    event
}

/// Joins all names that are reported as similar: the first of them is the name of all.
fn suggested(event: &Value) -> BTreeMap<String, String> {
    let mut aliases: BTreeMap<String, String> = BTreeMap::new();
    for row in event["diagnostics"].as_array().expect("diagnostics") {
        if row["code"] == "event/similar-names" {
            let help = row["help"].as_str().expect("help").split('`').nth(1).expect("a line");
            let (spelling, name) = help.split_once(" = ").expect("two names");
            let name = aliases.get(name).cloned().unwrap_or_else(|| name.to_owned());
            aliases.insert(spelling.to_owned(), name);
        }
    }
    aliases
}

fn codes(event: &Value) -> BTreeSet<String> {
    let rows = event["diagnostics"].as_array().expect("diagnostics").iter();
    rows.filter_map(|row| row["code"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_world_championship_has_twenty_players() {
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("international/wk2003.pdn");
    let event = compare(&path, &BTreeMap::new());
    assert_eq!((event["players"].as_array().map(Vec::len), event["rounds"].as_u64()), (Some(35), Some(19)));
    let event = compare(&path, &suggested(&event));
    let games: Vec<_> = event["players"].as_array().expect("players").iter().map(|row| row["games"].as_u64()).collect();
    assert_eq!(games, [Some(19); 20]);
    for code in ["event/missing-game", "event/double-game", "event/similar-names", "event/player-twice"] {
        assert!(!codes(&event).contains(code), "{code}");
    }
}

#[test]
fn other_tournaments_have_the_points_of_their_records() {
    let Some(corpus) = corpus() else { return };
    for (file, players) in
        [("international/dutch96h", 53), ("international/candidate95", 2), ("italian/40champ-1996", 38)]
    {
        let path = corpus.join(format!("{file}.pdn"));
        let folder = Folder::new();
        folder.run(&["players", "--write-aliases", "names.txt", path.to_str().expect("a path")]).is(0);
        let text = folder.read("names.txt");
        let aliases = text.lines().filter_map(|line| line.split_once(" = ").filter(|_| !line.starts_with('#')));
        let event = compare(&path, &aliases.map(|(one, other)| (one.to_owned(), other.to_owned())).collect());
        assert_eq!(event["players"].as_array().map(Vec::len), Some(players), "{file}");
    }
    let path = corpus.join("international/nk2003-amsterdam.pdn");
    let event = compare(&path, &BTreeMap::new());
    let aliases = suggested(&event);
    assert_eq!(aliases.len(), 1, "{aliases:?}");
    let event = compare(&path, &aliases);
    assert_eq!(event["players"].as_array().map(Vec::len), Some(14));
    assert!(!codes(&event).contains("event/missing-game"));
}

#[test]
fn problems_are_reported_with_their_games() {
    let games = [
        game("A", "B", "2-0", "[Round \"1\"]"),
        game("A", "C", "*", "[Round \"1\"]"),
        game("B", "C", "2-0", "[Round \"2\"]"),
        game("B", "A", "1-1", "[Round \"3\"]"),
        game("C", "C", "1-1", ""),
        game("?", "C", "1-1", ""),
    ]
    .concat();
    let event = event(&games, &[]);
    let found: Vec<_> = event["diagnostics"]
        .as_array()
        .expect("diagnostics")
        .iter()
        .map(|row| (row["code"].as_str().unwrap_or_default(), row["game"].as_u64().unwrap_or_default()))
        .collect();
    let expected = [
        ("event/no-result", 2),
        ("event/player-twice", 2),
        ("event/double-game", 4),
        ("event/same-player", 5),
        ("event/no-player", 6),
    ];
    assert_eq!(found, expected);
    let run = pdn_with(&games, &["event", "-"]).is(0);
    assert!(
        run.text()
            .contains("warning[event/player-twice]: A already plays in round 1, in game 1 of -\n  --> -:9 (game 2)"),
        "{}",
        run.text()
    );
    let others = ["12-8", "2-1", "2-0 (forfeit)", "ничья"];
    let players = [("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")].into_iter().zip(others);
    let games: String = players.map(|((white, black), text)| game(white, black, text, "")).collect();
    let run = pdn_with(games + &game("B", "D", "?", ""), &["event", "-"]).is(0);
    for text in others {
        let message = format!("`{text}` is not the result of a single game; neither player gets points");
        assert!(run.text().contains(&message), "{}", run.text());
    }
    assert_eq!(run.text().matches("warning[event/no-result]").count(), 5, "{}", run.text());
    let illegal = game("A", "B", "2-0", "").replace("32-28", "32-22");
    let run = pdn_with(&illegal, &["event", "-"]).is(1);
    assert!(run.text().contains("error[event/illegal-game]: A – B: "), "{}", run.text());
}

#[test]
fn tables_are_csv_and_html() {
    let games = [game("=1+1", "<b>B</b>, \"x\"", "2-0", ""), game("C", "=1+1", "1-1", "")].concat();
    let csv = pdn_with(&games, &["event", "--format", "csv", "--escape-formulas", "-"]).is(0);
    assert_eq!(csv.lines()[1], "1,'=1+1,2,1,1,0,3,0,0.5,1,,");
    let csv = pdn_with(&games, &["event", "--format", "csv", "-"]).is(0);
    assert_eq!(csv.lines()[1], "1,=1+1,2,1,1,0,3,0,0.5,1,,");
    let html = pdn_with(&games, &["event", "--format", "html", "-"]).is(0);
    assert!(html.text().starts_with("<!DOCTYPE html>") && html.text().trim_end().ends_with("</html>"));
    assert!(html.text().contains("&lt;b&gt;B&lt;/b&gt;") && !html.text().contains("<b>"));
    let text = pdn_with(&games, &["event", "-"]).is(0);
    assert!(text.text().starts_with("Club: 3 players, 2 games\n\nRANK  PLAYER"), "{}", text.text());
    let folder = Folder::with("games.pdn", &games);
    let dutch = ["event", "--format", "html", "--lang", "nl", "--games", "report/", "games.pdn"];
    assert!(folder.run(&dutch).is(2).errors.contains("site.json"), "there is no report");
    folder.run(&["report", "games.pdn", "-o", "report/"]).is(0);
    let dutch = folder.run(&dutch).is(0);
    assert!(dutch.text().contains("<html lang=\"nl\">") && dutch.text().contains("<h2>Stand</h2>"));
    // The word for points does not depend on their number, and decimals have a comma.
    assert!(dutch.text().contains(">1. =1+1 · Punten: 3</h3>") && dutch.text().contains(" · Punten: 1</h3>"));
    assert!(dutch.text().contains("<td>0,5</td>") && !dutch.text().contains("<td>0.5</td>"), "{}", dutch.text());
    assert!(html.text().contains("<td>0.5</td>") && html.text().contains("<th>Points</th>"), "{}", html.text());
    assert!(
        dutch.text().contains("<a href=\"report/games/1-1-b-b-b-x-") && !dutch.text().contains("<script"),
        "{}",
        dutch.text()
    );
}

#[test]
fn links_lead_to_the_games_that_they_name() {
    let [first, second] = [game("A", "B", "2-0", ""), game("C", "D", "1-1", "")];
    let folder = Folder::with("games.pdn", [&*first, &second, &first].concat());
    folder.run(&["report", "games.pdn", "-o", "site/"]).is(0);
    let links = |name: &str| {
        let page = folder.run(&["event", "--format", "html", "--games", "site", "--one", name]).is(0);
        let links: Vec<_> = page.text().split("href=\"site/games/").skip(1).map(|rest| rest[..3].to_owned()).collect();
        links
    };
    // The site may have more games, in another order.
    folder.write("others.pdn", [&*second, &first].concat());
    for name in ["games.pdn", "others.pdn"] {
        let mut links = links(name);
        links.sort();
        links.dedup();
        assert_eq!(links, ["a-b", "c-d"], "{name}");
    }
    folder.write("new.pdn", [&*game("E", "F", "2-0", ""), &first].concat());
    let run = folder.run(&["event", "--format", "html", "--games", "site", "new.pdn"]).is(2);
    assert!(run.errors.contains("written from other inputs: run `pdn report` again"), "{}", run.errors);
    assert!(run.text().is_empty());
}

#[test]
fn aliases_and_points_are_checked() {
    let folder = Folder::with("a.pdn", game("A", "B", "2-0", ""));
    folder.write("names.txt", "# spellings\n\nB = A\n");
    let run = folder.run(&["event", "--format", "json", "--aliases", "names.txt", "a.pdn"]).is(0);
    assert_eq!(run.values()[0]["diagnostics"][0]["code"], "event/same-player");
    folder.write("bad.txt", "A = B\nC\n");
    let run = folder.run(&["event", "--aliases", "bad.txt", "a.pdn"]).is(2);
    assert!(run.errors.contains("bad.txt:2: expected `alias = name`"), "{}", run.errors);
    folder.run(&["event", "--aliases", "none.txt", "a.pdn"]).is(2);
    for points in ["2-1", "a-b-c", "0-0-0", "1-2-3-4"] {
        folder.run(&["event", "--points", points, "a.pdn"]).is(2);
    }
    folder.run(&["event", "--tie-breaks", "buchholz,mutual", "a.pdn"]).is(0);
}

#[test]
fn ten_thousand_players_are_ranked() {
    let games: String =
        (0..5_000).map(|n| game(&format!("Player {n}, A"), &format!("Jansen {n}"), "2-0", "")).collect();
    let event = event(&games, &["--jobs", "2"]);
    assert_eq!(event["players"].as_array().map(Vec::len), Some(10_000));
    pdn_with(&games, &["event", "-"]).is(0);
}

#[test]
fn several_events_are_one_table() {
    let of = |event: &str, white: &str| format!("[Event \"{event}\"]\n{}", game(white, "B", "2-0", ""));
    let games =
        of("One", "A") + &of("Two", "C") + "[Event \"Two\"]\n[White \"C\"]\n[Black \"-\"]\n[Result \"2-0\"]\n*\n";
    let run = pdn_with(&games, &["event", "--format", "csv", "-"]);
    let lines = run.lines();
    assert!(
        lines[0].starts_with("event,rank,name,games,")
            && lines.iter().filter(|line| line.contains("rank")).count() == 1
    );
    assert!(lines[1].starts_with("One,1,A,1,1,") && lines[3].starts_with("Two,1,C,"), "{lines:?}");
    let width = |line: &&str| line.matches(',').count();
    assert!(lines.iter().all(|line| width(line) == width(&lines[0])), "{lines:?}");
}
