//! `pdn chart`: numbers as pictures.

use serde_json::Value;

use crate::support::binary::{Folder, Run};
use crate::support::browser::Browser;

/// Games with evaluations, two of them of one player.
const ANNOTATED: &str = include_str!("../../../web/app/samples/annotated.pdn");
/// A game that Black begins, in which some moves have no evaluation.
const ENGLISH: &str = "\
[Event \"Glasgow <b>\"]
[White \"Wyllie & Son\"]
[Black \"Martins\"]
[Date \"1876.05.??\"]
[GameType \"21\"]
[Result \"1-0\"]

1. 11-15 {[%eval 0.10]} 23-19 {[%eval 0.20]} 2. 8-11 22-17 3. 4-8 {[%eval -0.50]} 17-13 {[%eval -3.00]} 4. 15-18 $4 {[%eval 2.00]} 1-0
";

/// Returns the rows of a table as names and cells.
fn rows(run: &Run) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(&*run.bytes);
    let names: Vec<_> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let row = |row: csv::Result<csv::StringRecord>| {
        names.iter().cloned().zip(row.expect("a row").iter().map(str::to_owned)).collect()
    };
    reader.records().map(row).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}: {row:?}")).1
}

/// Returns the value of an attribute of the first element of a class.
fn attribute<'a>(svg: &'a str, class: &str, name: &str) -> &'a str {
    let (_, element) = svg.split_once(&format!("class=\"{class}\"")).unwrap_or_else(|| panic!("no {class}"));
    let (_, value) = element.split_once(&format!(" {name}=\"")).expect(name);
    value.split('"').next().expect("a value")
}

/// Returns the runs of points of a path.
fn runs(path: &str) -> Vec<Vec<[f64; 2]>> {
    let point = |text: &str| {
        let mut numbers = text.split_whitespace().map(|number| number.parse().expect(number));
        [numbers.next().expect("x"), numbers.next().expect("y")]
    };
    path.split('M').skip(1).map(|run| run.split('L').map(point).collect()).collect()
}

#[test]
fn the_graph_has_the_evaluations_of_the_moves() {
    let folder = Folder::with("games.pdn", ANNOTATED);
    let svg = folder.run(&["chart", "games.pdn", "--game", "2"]).is(0);
    let table = folder.run(&["chart", "games.pdn", "--game", "2", "--format", "csv"]).is(0);
    let moves = rows(&folder.run(&["convert", "games.pdn", "--to", "csv", "--table", "moves"]).is(0));
    let moves: Vec<_> = moves.iter().filter(|row| cell(row, "game") == "2").collect();
    let table = rows(&table);
    assert_eq!(table.len(), moves.len());
    let path = runs(attribute(svg.text(), "curve", "d"));
    assert_eq!(path.len(), 1, "no gap");
    // The first point is the start, from which the line goes to the first move.
    for ((row, known), [_, y]) in table.iter().zip(moves).zip(&path[0][1..]) {
        assert_eq!(cell(row, "move"), cell(known, "notation"));
        let evaluation = match (cell(known, "eval_cm"), cell(known, "win_side")) {
            ("", "W") => format!("#{}", cell(known, "win_in")),
            ("", _) => format!("#-{}", cell(known, "win_in")),
            (value, _) => format!("{:.2}", value.parse::<f64>().expect("centi-men") / 100.0),
        };
        assert_eq!(cell(row, "eval"), evaluation);
        let drawn = (300.0 - y) / 216.0;
        let share: f64 = cell(row, "expected_score").parse().expect("a share");
        assert!((drawn - share).abs() < 0.001, "{drawn} {share}");
        assert_eq!(cell(row, "judgement"), cell(known, "judgement"));
    }
    for name in ["inaccuracy", "mistake", "blunder"] {
        let judged = table.iter().filter(|row| cell(row, "judgement") == name).count();
        let drawn = svg.text().matches(&format!("class=\"{name}\"")).count();
        // One more in the legend.
        assert_eq!(drawn, judged + usize::from(judged > 0), "{name}");
    }
}

#[test]
fn the_graph_is_that_of_the_report() {
    let folder = Folder::with("games.pdn", ENGLISH);
    folder.run(&["report", "games.pdn", "-o", "report.html"]).is(0);
    let chart = folder.run(&["chart", "games.pdn"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    let drawn = browser.text("document.querySelector('#graph .curve').getAttribute('d')");
    let shares = |path: &str, edge: f64, height: f64| -> Vec<Vec<i32>> {
        let share = |[_, y]: [f64; 2]| (100.0 * (1.0 - (y - edge) / height)).round() as i32;
        runs(path).into_iter().map(|run| run.into_iter().map(share).collect()).collect()
    };
    let mut page = shares(&drawn, 6.0, 98.0);
    // The page draws the last point to its edge.
    page.last_mut().expect("a run").pop();
    assert_eq!(page, shares(attribute(chart.text(), "curve", "d"), 84.0, 216.0));
}

#[test]
fn moves_without_evaluations_are_gaps_and_black_may_begin() {
    let folder = Folder::with("games.pdn", ENGLISH);
    let run = folder.run(&["chart", "games.pdn"]).is(0);
    let svg = run.text();
    let path = runs(attribute(svg, "curve", "d"));
    assert_eq!(path.iter().map(Vec::len).collect::<Vec<_>>(), [3, 4]);
    assert!(path[0][2][0] < path[1][0][0], "moves 3 and 4 have no evaluation");
    assert_eq!(svg.matches("class=\"white-share\"").count(), 2);
    for text in [
        "<title>Martins – Wyllie &amp; Son</title>",
        ">Glasgow &lt;b&gt; · May 1876 · 1-0</text>",
        "<title>4. 15-18 · Blunder · 2.00</title>",
        "moves with an evaluation: 5/7",
        ">White’s expected score (%)</text>",
        ">Move</text>",
        "prefers-color-scheme:dark",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    let dutch = folder.run(&["chart", "games.pdn", "--lang", "nl"]).is(0);
    assert!(dutch.text().contains(">Verwachte score van wit (%)</text>"), "{}", dutch.text());
}

#[test]
fn accuracy_is_that_of_the_players() {
    let folder = Folder::with("games.pdn", ANNOTATED);
    folder.write("later.pdn", ANNOTATED.replace("2026.", "2028."));
    let players = folder.run(&["convert", "games.pdn", "--to", "csv", "--table", "players"]).is(0);
    let mut compared = 0;
    for player in rows(&players) {
        let chart = ["chart", "--kind", "accuracy", "--player", cell(&player, "player")];
        let table = folder.run(&[&chart[..], &["games.pdn", "later.pdn", "--format", "csv"]].concat()).is(0);
        let years = rows(&table);
        assert_eq!(years.iter().map(|row| cell(row, "year")).collect::<Vec<_>>(), ["2026", "2028"]);
        for year in &years {
            for name in ["games", "moves", "accuracy", "average_loss_cm", "inaccuracies", "mistakes", "blunders"] {
                assert_eq!(cell(year, name), cell(&player, name), "{name}");
            }
        }
        let svg = folder.run(&[&chart[..], &["games.pdn", "later.pdn"]].concat()).is(0);
        assert_eq!(svg.text().matches("class=\"point\"").count(), 2);
        assert_eq!(runs(attribute(svg.text(), "curve", "d")).len(), 2, "no game of 2027");
        let tip = format!("<title>2026: {:.1} %", cell(&years[0], "accuracy").parse::<f64>().expect("a number"));
        assert!(svg.text().contains(&tip), "{tip}");
        compared += 1;
    }
    assert!(compared > 1, "{compared} players");
    let all = folder.run(&["chart", "games.pdn", "--kind", "accuracy", "--format", "csv"]).is(0);
    assert_eq!(cell(&rows(&all)[0], "games"), ANNOTATED.matches("[Event ").count().to_string());
}

#[test]
fn openings_are_those_of_stats_and_prepare() {
    let folder = Folder::new();
    folder.write("games.pdn", include_str!("../../../samples/games/international.pdn"));
    let stats = folder.run(&["stats", "games.pdn", "--format", "json"]).is(0).values();
    let named = stats[0]["named_openings"].as_array().expect("openings");
    let list = if named.is_empty() { stats[0]["openings"].as_array().expect("openings") } else { named };
    let table = rows(&folder.run(&["chart", "games.pdn", "--kind", "openings", "--format", "csv"]).is(0));
    assert_eq!(table.len(), list.len().min(12));
    for (row, known) in table.iter().zip(list) {
        let name = known.get("name").or_else(|| known.get("moves")).expect("a name");
        assert_eq!(cell(row, "opening"), name);
        for (cells, count) in [("games", "games"), ("wins", "white_wins"), ("draws", "draws"), ("losses", "black_wins")]
        {
            assert_eq!(cell(row, cells), known[count].to_string(), "{count}");
        }
    }
    // Names of a few openings would leave out most games.
    let [named, other] = ["1. 32-28 19-23 2. 28x19 14x23 *\n\n", "1. 31-27 16-21 2. 27x16 20-24 *\n\n"];
    for (games, first) in
        [([named, other, named].concat(), "Symmetrical"), ([other, named, other].concat(), "31-27 16-21 27x16 20-24")]
    {
        folder.write("few.pdn", games);
        let table = rows(&folder.run(&["chart", "few.pdn", "--kind", "openings", "--format", "csv"]).is(0));
        assert_eq!(cell(&table[0], "opening"), first);
    }
    let prepared = folder.run(&["prepare", "--player", "glance", "--no-shots", "games.pdn", "--format", "json"]);
    let prepared: Value = prepared.is(0).values().remove(0);
    let player = ["chart", "games.pdn", "--kind", "openings", "--player", "glance"];
    let table = rows(&folder.run(&[&player[..], &["--format", "csv"]].concat()).is(0));
    let known =
        prepared["sides"].as_array().expect("sides").iter().flat_map(|side| {
            side["openings"].as_array().expect("openings").iter().map(move |row| (&side["side"], row))
        });
    let known: Vec<_> = known.collect();
    assert_eq!(table.len(), known.len());
    for (row, (side, known)) in table.iter().zip(&known) {
        assert_eq!(cell(row, "side"), **side);
        for name in ["games", "wins", "draws", "losses"] {
            assert_eq!(cell(row, name), known[name].to_string());
        }
        assert_eq!(cell(row, "opening"), known["name"]);
    }
    let svg = folder.run(&player).is(0);
    for heading in ["With White", "With Black"] {
        assert!(svg.text().contains(&format!(">{heading}</text>")), "{heading}");
    }
    let bars = ["win", "draw", "loss"].map(|class| svg.text().matches(&format!("<rect class=\"{class}\"")).count());
    let drawn = |name: &str| known.iter().filter(|(_, row)| row[name] != 0).count() + 1;
    assert_eq!(bars, ["wins", "draws", "losses"].map(drawn), "a bar for each count, and one in the legend");
}

/// Returns a game between players with ratings.
fn rated(white: u32, black: u32, result: &str) -> String {
    format!(
        "[White \"Ada\"]\n[Black \"Bob\"]\n[WhiteRating \"{white}\"]\n[BlackRating \"{black}\"]\n[Result \"{result}\"]\n\
         [GameType \"20\"]\n\n1. 32-28 19-23 {result}\n\n"
    )
}

#[test]
fn results_are_grouped_by_the_difference_in_rating() {
    let games = [
        rated(2000, 1990, "2-0"),
        rated(1990, 2000, "2-0"),
        rated(2100, 2000, "1-1"),
        rated(2000, 2100, "0-2"),
        rated(2600, 2000, "2-0"),
        rated(2000, 1000, "*"),
    ];
    let folder = Folder::with("games.pdn", games.concat());
    let table = folder.run(&["chart", "games.pdn", "--kind", "ratings", "--format", "csv"]).is(0);
    let expected = "\
difference_from,games,wins,draws,losses,score,expected_score
0,2,1,0,1,0.5,0.536
100,2,1,1,0,0.75,0.673
350,1,1,0,0,1,0.896
";
    assert_eq!(table.text(), expected);
    let own = folder.run(&["chart", "games.pdn", "--kind", "ratings", "--player", "ada", "--format", "csv"]).is(0);
    let groups: Vec<_> = rows(&own).iter().map(|row| cell(row, "difference_from").to_owned()).collect();
    assert_eq!(groups, ["-100", "-50", "0", "100", "350"]);
    let svg = folder.run(&["chart", "games.pdn", "--kind", "ratings"]).is(0);
    assert_eq!(svg.text().matches("class=\"point\"").count(), 4, "three scores and the legend");
    for text in ["Difference in rating (points)", "Share of the games (%)", "Wins: 1 (50 %)", "games: 5"] {
        assert!(svg.text().contains(text), "{text}");
    }
}

#[test]
fn a_chart_without_numbers_is_an_error() {
    let folder = Folder::with("games.pdn", rated(2000, 2000, "*"));
    folder.write("empty.pdn", "");
    folder.write("short.pdn", "[GameType \"20\"]\n\n1. 31-26 *\n");
    for (arguments, reason) in [
        (&["games.pdn"][..], "game 1 has no evaluations; `pdn annotate` adds evaluations"),
        (&["games.pdn", "--game", "7"], "game 7 was requested"),
        (&["games.pdn", "--kind", "accuracy"], "no game has a year and evaluations"),
        (&["games.pdn", "--kind", "ratings"], "no game has the ratings of both players and a result"),
        (&["games.pdn", "--kind", "ratings", "--player", "Ada"], "no game of `Ada` has the ratings"),
        (&["games.pdn", "--kind", "accuracy", "--player", "Eve"], "no game of a player whose name contains `Eve`"),
        (&["short.pdn", "--kind", "openings"], "no game has the first moves"),
        (&["games.pdn", "--kind", "openings", "--player", " "], "expected the name of a player"),
        (&["empty.pdn", "--kind", "openings"], "there are no games"),
        (&["games.pdn", "--width", "200"], "--width is for PNG only"),
    ] {
        let run = folder.run(&[&["chart"], arguments, &["-o", "x.svg"]].concat()).is(2);
        assert!(run.errors.contains(reason), "{arguments:?}: {}", run.errors);
        assert!(!folder.path("x.svg").exists(), "{arguments:?}");
    }
}

#[test]
fn options_without_meaning_are_refused() {
    let folder = Folder::with("a.pdn", "1. 32-28 *\n");
    for (arguments, reason) in [
        (&["--player", "X"][..], "`player` has no meaning"),
        (&["--top", "3"], "`top` has no meaning"),
        (&["--kind", "openings", "--game", "2"], "`game` has no meaning"),
        (&["--kind", "accuracy", "--game", "2"], "`game` has no meaning"),
        (&["--kind", "openings", "--top", "0"], "expected at least 1 as the number of openings"),
    ] {
        let run = folder.run(&[&["chart", "a.pdn"], arguments].concat()).is(2);
        assert!(run.errors.contains(reason), "{arguments:?}: {}", run.errors);
    }
}

#[test]
fn the_picture_of_the_book_is_the_one_that_is_drawn() {
    let path = crate::support::sources::root().join("docs/chart.svg");
    let folder = Folder::with("annotated.pdn", ANNOTATED);
    let drawn = folder.run(&["chart", "annotated.pdn"]).is(0);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, drawn.text()).expect("written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("a picture"), drawn.text(), "run with UPDATE_DOCS=1");
}

#[test]
fn french_has_a_space_before_colons() {
    let folder = Folder::with("games.pdn", ANNOTATED);
    let chart = folder.run(&["chart", "--kind", "accuracy", "--lang", "fr", "games.pdn"]).is(0);
    assert!(chart.text().contains("toutes les années\u{a0}: "), "{}", chart.text());
    assert!(chart.text().contains("(parties\u{a0}: "), "{}", chart.text());
}
