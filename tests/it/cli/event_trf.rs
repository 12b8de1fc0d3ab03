//! `pdn event`: several events, copies, Swiss tournaments, damaged tags, and TRF16.

use std::collections::{BTreeMap, BTreeSet};

use pdn::query::TrfFile;
use pdn::text::Encoding;
use serde_json::Value;

use crate::support::binary::{Folder, pdn, pdn_with};
use crate::support::random::Dice;

/// A game of a made tournament: its players, points of White, and round.
struct Made {
    players: [usize; 2],
    points: usize,
    round: usize,
}

/// A round robin of an even number of players, by the circle method.
fn round_robin(players: usize, dice: &mut Dice) -> Vec<Made> {
    let mut games = Vec::new();
    for round in 0..players - 1 {
        for board in 0..players / 2 {
            let one = if board == 0 { players - 1 } else { (round + board) % (players - 1) };
            let other = (round + players - 1 - board) % (players - 1);
            let players = if (round + board) % 2 == 0 { [one, other] } else { [other, one] };
            games.push(Made { players, points: dice.below(3), round: round + 1 });
        }
    }
    games
}

const SURNAMES: [&str; 12] = [
    "Adams",
    "Brandsma",
    "Castelein",
    "Dekkers",
    "Ewoldt",
    "Fontaine",
    "Groeneveld",
    "Hutchinson",
    "Ivanchenko",
    "Jorritsma",
    "Kowalczyk",
    "Lindeman",
];

fn name(player: usize) -> String {
    format!("{}, {}.", SURNAMES[player], ["A", "B", "C", "D"][player % 4])
}

/// Writes a game, whose moves are its own.
fn record(game: &Made, n: usize) -> String {
    // Men that are too far apart for captures: every line of moves is legal, and each game has its own.
    let openings = ["47-41", "47-42", "48-42", "48-43", "49-43", "49-44", "50-44", "50-45"];
    let replies = ["1-6", "1-7", "2-7", "2-8", "3-8", "3-9", "4-9", "4-10"];
    let (opening, reply) = (openings[n % 8], replies[n / 8 % 8]);
    let second = if n < 64 {
        ""
    } else if n % 8 < 4 {
        " 2. 50-45"
    } else {
        " 2. 47-41"
    };
    let result = ["0-2", "1-1", "2-0"][game.points];
    format!(
        "[Event \"Harbour Open\"]\n[Date \"2026.11.{:02}\"]\n[Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n\
         [Result \"{result}\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n\
         [FEN \"W:W47,48,49,50:B1,2,3,4\"]\n\n1. {opening} {reply}{second} {result}\n\n",
        game.round,
        game.round,
        name(game.players[0]),
        name(game.players[1])
    )
}

fn table(event: &Value) -> BTreeMap<String, (u64, u64)> {
    let rows = event["players"].as_array().expect("players").iter();
    rows.map(|row| {
        let number = |key: &str| row[key].as_u64().expect("a number");
        (row["name"].as_str().expect("a name").to_owned(), (number("games"), number("points")))
    })
    .collect()
}

fn truth(games: &[Made]) -> BTreeMap<String, (u64, u64)> {
    let mut table: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for game in games {
        for (side, points) in [(0, game.points), (1, 2 - game.points)] {
            let row = table.entry(name(game.players[side])).or_default();
            *row = (row.0 + 1, row.1 + points as u64);
        }
    }
    table
}

fn codes(events: &[Value]) -> BTreeSet<String> {
    let rows = events.iter().flat_map(|event| event["diagnostics"].as_array().expect("diagnostics"));
    rows.filter_map(|row| row["code"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_round_that_was_exported_twice_counts_once() {
    let games = round_robin(12, &mut Dice(7));
    let records: Vec<_> = games.iter().enumerate().map(|(n, game)| record(game, n)).collect();
    let again: String =
        records.iter().zip(&games).filter(|(_, game)| game.round == 5).map(|(text, _)| text.as_str()).collect();
    let text = records.concat() + &again;
    let run = pdn_with(&text, &["event", "--format", "json", "-"]).is(0);
    let event = &run.values()[0];
    assert_eq!(table(event), truth(&games));
    assert_eq!(event["copies"], 6);
    assert_eq!(codes(&run.values()), BTreeSet::from(["event/copies".to_owned()]));
    let shown = pdn_with(&text, &["event", "-"]).is(0);
    assert!(shown.text().contains("\n6 records are copies of other games and not counted\n"), "{}", shown.text());
    let deduped = pdn_with(&text, &["merge", "--dedupe", "-"]).is(0);
    assert_eq!(deduped.text(), records.concat());
    assert!(deduped.errors.contains("6 copies and 0 beginnings of other games dropped"), "{}", deduped.errors);
}

/// Damages the value of a tag: a letter is lost, doubled, or another one.
fn damaged(line: &str, dice: &mut Dice) -> String {
    let Some((start, value)) = line.split_once('"') else { return line.to_owned() };
    let mut letters: Vec<char> = value.trim_end_matches(['"', ']']).chars().collect();
    let at = dice.below(letters.len());
    match dice.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters[at] = ['x', '7', '?'][dice.below(3)],
    }
    format!("{start}\"{}\"]", letters.iter().collect::<String>())
}

#[test]
fn damaged_tags_change_the_standings_with_a_diagnostic_only() {
    for seed in 1..=20 {
        let mut dice = Dice(seed * 77);
        let games = round_robin(12, &mut dice);
        let records: Vec<_> = games.iter().enumerate().map(|(n, game)| record(game, n)).collect();
        let twice = records.iter().zip(&games).filter(|(_, game)| game.round == 5).map(|(text, _)| text.clone());
        let mut text = String::new();
        for line in records.iter().cloned().chain(twice).collect::<String>().lines() {
            let is_damaged = line.starts_with('[') && !line.starts_with("[GameType") && dice.below(20) == 0;
            text.push_str(&if is_damaged { damaged(line, &mut dice) } else { line.to_owned() });
            text.push('\n');
        }
        let folder = Folder::with("a.pdn", &text);
        folder.run(&["players", "--write-aliases", "names.txt", "a.pdn"]).is(0);
        folder.run(&["players", "--events", "--write-aliases", "events.txt", "a.pdn"]).is(0);
        folder.write("all.txt", folder.read("names.txt") + &folder.read("events.txt"));
        let run = folder.run(&["event", "--format", "json", "--aliases", "all.txt", "a.pdn"]);
        let events = run.values();
        if events.len() > 1 || table(&events[0]) != truth(&games) {
            let mut found = codes(&events);
            found.remove("event/copies");
            assert!(!found.is_empty(), "seed {seed}");
        }
        // No person is taken for another one: each spelling that is joined begins or ends like the name.
        for line in folder.read("names.txt").lines().filter(|line| !line.starts_with('#')) {
            let (alias, name) = line.split_once(" = ").expect("an alias");
            let alike = alias[..2] == name[..2] || [2, 3, 4].iter().any(|&at| alias[at..at + 3] == name[3..6]);
            assert!(alike, "{line}");
        }
    }
}

#[test]
fn each_event_has_a_table_and_titles_have_rounds() {
    let game = |event: &str, round: &str, white: &str, black: &str, move_: &str| {
        format!(
            "[Event \"{event}\"]\n{round}[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. {move_} *\n\n"
        )
    };
    let text = [
        game("Club - ronde 1", "", "A", "B", "32-28"),
        game("Club - ronde 2", "", "B", "C", "33-28"),
        game("Cup", "[Round \"1\"]\n", "A", "C", "34-30"),
    ]
    .concat();
    let events = pdn_with(&text, &["event", "--format", "json", "-"]).is(0).values();
    let names: Vec<_> = events.iter().map(|event| (event["event"].as_str(), event["rounds"].as_u64())).collect();
    assert_eq!(names, [(Some("Club"), Some(2)), (Some("Cup"), Some(1))]);
    assert_eq!(events[0]["pairings"][1]["round"], "2");
    assert_eq!(pdn_with(&text, &["event", "--one", "--format", "json", "-"]).is(0).values().len(), 1);
    let html = pdn_with(&text, &["event", "--format", "html", "-"]).is(0);
    assert_eq!(html.text().matches("<section ").count(), 2);
    pdn_with(&text, &["event", "--to", "trf", "-"]).is(2);
}

/// The first rounds of a tournament with more players than rounds.
fn swiss() -> (Vec<Made>, String) {
    let games: Vec<_> = round_robin(12, &mut Dice(3)).into_iter().filter(|game| game.round <= 4).collect();
    let text = games.iter().enumerate().map(|(n, game)| record(game, n)).collect();
    (games, text)
}

#[test]
fn a_swiss_tournament_has_a_table_by_rounds() {
    let (games, text) = swiss();
    let run = pdn_with(&text, &["event", "-"]).is(0);
    let lines = run.lines();
    let header = ["PLAYER", "1", "2", "3", "4"];
    let at = lines.iter().position(|line| line.split_whitespace().eq(header)).expect("a table");
    let cells =
        lines[at + 1..at + 13].iter().flat_map(|line| line.split_whitespace().rev().take(4)).collect::<Vec<_>>();
    assert!(cells.iter().all(|cell| cell.ends_with(['+', '=', '-']) && cell.contains(['w', 'b'])), "{cells:?}");
    let draws = games.iter().filter(|game| game.points == 1).count();
    assert_eq!(cells.iter().filter(|cell| cell.ends_with('=')).count(), 2 * draws);
    assert!(!run.text().contains("event/missing-game"));
}

#[test]
fn trf_is_written_and_agrees_with_its_records() {
    let (_, text) = swiss();
    let folder = Folder::with("a.pdn", &text);
    folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
    let trf = folder.read("a.trf");
    let dates = "042 2026/11/01\n052 2026/11/04\n";
    let head = format!("012 Harbour Open\n{dates}062 12\n092 Individual: Swiss System\nXXR 4\n001    1 ");
    assert!(trf.starts_with(&head), "{trf}");
    let first = trf.lines().find(|line| line.starts_with("001")).expect("a player");
    assert_eq!(first.chars().count(), 91 + 40 - 2, "{first}");
    let run = folder.run(&["event", "--format", "json", "--trf", "a.trf", "a.pdn"]).is(0);
    assert!(codes(&run.values()).is_empty(), "{:?}", codes(&run.values()));
    folder.write("none.trf", "nothing\n");
    folder.run(&["event", "--trf", "none.trf", "a.pdn"]).is(2);
}

#[test]
fn contradictions_with_a_trf_file_are_found() {
    let alone = [
        "colour",
        "extra-game",
        "line",
        "missing-game",
        "number",
        "opponent",
        "pair",
        "points",
        "rank",
        "rating",
        "result",
        "round",
        "rounds",
        "no-games",
        "unknown-player",
    ];
    for kind in alone {
        let (records, trf) =
            (format!("samples/diagnostics/event-trf-{kind}.pdn"), format!("samples/trf/trf-{kind}.trf"));
        let run = pdn(&["event", "--format", "json", "--trf", &trf, &records]);
        let found: BTreeSet<_> =
            codes(&run.values()).into_iter().filter(|code| code.starts_with("event/trf-")).collect();
        assert!(found.contains(&format!("event/trf-{kind}")), "{kind}: {found:?}");
        // Some contradictions entail others: an opponent without a game, a lost game of an unknown player.
        assert!(found.len() <= 3, "{kind}: {found:?}");
    }
}

/// A round that is numbered by round and board in one file, and by round in another, is one round.
#[test]
fn boards_are_not_rounds() {
    let games = round_robin(12, &mut Dice(3));
    let mut number = 0;
    let with_boards = games.iter().enumerate().map(|(n, game)| {
        number = if n > 0 && games[n - 1].round == game.round { number + 1 } else { 1 };
        let (round, board) = (format!("[Round \"{}\"]", game.round), format!("[Round \"{:02}.{number}\"]", game.round));
        record(game, n).replace(&round, &board)
    });
    let mut text: String = with_boards.collect();
    let fifth = games.iter().enumerate().filter(|(_, game)| game.round == 5);
    text.extend(fifth.map(|(n, game)| record(game, n)));
    let event = pdn_with(&text, &["event", "--format", "json", "-"]).is(0).values().remove(0);
    assert_eq!((&event["rounds"], &event["copies"]), (&11.into(), &6.into()));
    assert_eq!(table(&event), truth(&games));
    // The games of a match are not boards.
    let game = |round, opening| {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Round \"{round}\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. {opening} 1-1\n\n"
        )
    };
    let text = game("1.1", "32-28") + &game("1.2", "32-28") + &game("2.1", "33-28");
    let event = pdn_with(&text, &["event", "--format", "json", "-"]).is(0).values().remove(0);
    assert_eq!((&event["rounds"], &event["copies"]), (&3.into(), &0.into()));
}

/// The columns of the standard, with every kind of result, byes, forfeits, titles, numbers and dates of birth.
#[test]
fn the_columns_of_a_trf_file_are_those_of_the_standard() {
    let text = include_str!("../../../samples/trf/swiss.trf");
    let (file, problems) = TrfFile::parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((file.name(), file.players().len()), (Some("Lakeside Open"), 6));
    assert_eq!(file.text(), text);
    // As other programs write it: after a byte order mark, with other line ends and blanks at the ends of lines.
    let (again, problems) = TrfFile::parse(&format!("\u{feff}{}", text.replace('\n', "   \r\n")));
    assert_eq!((again, problems.len()), (file, 0));
}

/// Lines of a megabyte: of names, of rounds, of anything.
#[test]
fn long_lines_of_a_trf_file_take_linear_time() {
    let player = "001    1 m    Adams, Ann                        2000                             2.0    1";
    for line in [
        format!("{player}{}", "     2 w 1".repeat(100_000)),
        format!("{player}{}", " ".repeat(1_000_000)),
        format!("{player}{}", "é".repeat(1_000_000)),
        format!("012 {}", "(a+)+$".repeat(200_000)),
        "001 ".repeat(250_000),
    ] {
        let text = format!("012 Open\n{line}\n{player}\n{line}\n");
        let (file, problems) = TrfFile::parse(&text);
        assert!(!file.players().is_empty() && problems.len() <= 2);
        assert_eq!(TrfFile::parse(&file.text()).0.players().len(), file.players().len());
    }
    let text = format!("012 Open\n{player}{}\n", "     2 w 1".repeat(100_000));
    let folder = Folder::with("a.trf", text);
    folder.write(
        "a.pdn",
        "[White \"Adams, Ann\"]\n[Black \"Bell, Bo\"]\n[Round \"1\"]\n[Result \"2-0\"]\n1. 32-28 2-0\n",
    );
    let run = folder.run(&["event", "--trf", "a.trf", "a.pdn"]);
    assert!(run.text().contains("event/trf-pair"), "{}", run.text());
}

/// Records, each with its own moves: the round, if it is not empty, the players and the result.
fn records(games: &[[&str; 4]]) -> String {
    let moves = ["32-28 18-23", "32-28 17-22", "31-27 18-23", "31-27 17-22", "33-28 18-23", "33-28 17-22"];
    let record = |([round, white, black, result], moves): (&[&str; 4], &str)| {
        let round = if round.is_empty() { String::new() } else { format!("[Round \"{round}\"]\n") };
        format!(
            "[Event \"Cup\"]\n{round}[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[GameType \"20\"]\n\n\
             1. {moves} {result}\n\n"
        )
    };
    games.iter().zip(moves).map(record).collect()
}

/// Writes records as TRF16, and returns the file and the contradictions between both.
fn written(text: &str) -> (String, BTreeSet<String>) {
    let folder = Folder::with("a.pdn", text);
    folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
    let run = folder.run(&["event", "--format", "json", "--trf", "a.trf", "a.pdn"]);
    let found = codes(&run.values()).into_iter().filter(|code| code.starts_with("event/trf-")).collect();
    (folder.read("a.trf"), found)
}

#[test]
fn rounds_of_any_name_have_a_column_in_trf() {
    let [a, b, c, d] = ["Adams", "Brown", "Clark", "Dubois"];
    let pairs = [[a, b], [c, d], [d, a], [a, d]];
    for (rounds, count) in [
        (["1/2 finale", "1/2 finale", "Finale", "Finale"], 3),
        (["20260307", "20260308", "20260309", "20260310"], 4),
        (["1", "1", "2", "Final"], 3),
        (["1", "2", "4", "tie-break"], 5),
        (["", "", "", ""], 3),
    ] {
        let games: Vec<_> =
            rounds.into_iter().zip(pairs).map(|(round, [one, other])| [round, one, other, "2-0"]).collect();
        let (trf, found) = written(&records(&games));
        assert!(trf.contains(&format!("\nXXR {count}\n")), "{rounds:?}: {trf}");
        let points = trf.lines().filter(|line| line.starts_with("001")).map(|line| line[80..84].trim().parse::<f64>());
        assert_eq!((points.sum::<Result<f64, _>>(), found), (Ok(4.0), BTreeSet::new()), "{rounds:?}: {trf}");
    }
    // Without rounds, both players of a game have it in the same one.
    let all = [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].map(|[one, other]| ["", one, other, "1-1"]);
    let (trf, found) = written(&records(&all));
    assert!(trf.contains("\nXXR 3\n") && found.is_empty(), "{found:?}: {trf}");
}

/// In another order than that of the records, with an absence in each round.
#[test]
fn a_trf_file_decides_the_rounds_of_records_without_any() {
    let folder = Folder::with(
        "a.pdn",
        records(&[["", "Brown", "Clark", "2-0"], ["", "Adams", "Brown", "2-0"], ["", "Adams", "Clark", "2-0"]]),
    );
    let line = |number: u32, name: &str, points: &str, rounds: [&str; 3]| {
        format!("001 {number:4}      {name:<67}{points}{number:5}  {}\n", rounds.join("  "))
    };
    let file = |third: [&str; 3]| {
        "012 Cup\nXXR 3\n".to_owned()
            + &line(1, "Adams", "2.0", ["   2 w 1", "   3 w 1", "0000 - Z"])
            + &line(2, "Brown", "1.0", ["   1 b 0", "0000 - Z", "   3 w 1"])
            + &line(3, "Clark", "0.0", third)
    };
    folder.write("a.trf", file(["0000 - Z", "   1 b 0", "   2 b 0"]));
    let run = folder.run(&["event", "--format", "json", "--trf", "a.trf", "a.pdn"]).is(0);
    let found = codes(&run.values());
    assert!(!found.iter().any(|code| code.starts_with("event/trf-")), "{found:?}");
}

#[test]
fn unfinished_games_double_losses_and_any_names_agree_with_their_own_trf() {
    let long = "Van den Bergh-Hoogstraten-van der Jansen, Willem";
    let games =
        [["1", "O", "№1", "*"], ["1", long, "Brown", "0-0"], ["2", "O", "Brown", "2-0"], ["2", "№1", long, "1-1"]];
    let text = records(&games);
    let (trf, found) = written(&text);
    assert!(found.is_empty(), "{found:?}: {trf}");
    // The file lacks the result of a game that has been finished.
    let folder = Folder::with("a.pdn", text.replace('*', "2-0"));
    folder.write("a.trf", trf);
    let run = folder.run(&["event", "--trf", "a.trf", "a.pdn"]);
    assert!(run.text().contains(": no result in the TRF file, a game against "), "{}", run.text());
}

/// A file in which both lost, where one won in the records, has a difference whatever the numbers of the players.
#[test]
fn both_lines_of_a_game_are_compared() {
    for result in ["2-0", "0-2", "+:-", "-:+"] {
        let tags = |result| {
            format!(
                "[Event \"Cup\"]\n[Round \"1\"]\n[White \"Adams\"]\n[Black \"Brown\"]\n[WhiteRating \"2000\"]\n[BlackRating \"1900\"]\n[Result \"{result}\"]\n*\n"
            )
        };
        let folder = Folder::with("a.pdn", tags(result));
        folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
        let lost = |line: &str| {
            let line =
                line.replace(" 1.0 ", " 0.0 ").replace(" w 1", " w 0").replace(" b 1", " b 0").replace(" +", " -");
            line + "\n"
        };
        folder.write("b.trf", folder.read("a.trf").lines().map(lost).collect::<String>());
        let run = folder.run(&["event", "--format", "json", "--trf", "b.trf", "a.pdn"]).is(0);
        let events = run.values();
        let rows = events[0]["diagnostics"].as_array().expect("diagnostics").iter();
        let codes: Vec<_> = rows.map(|row| row["code"].as_str().expect("a code")).collect();
        assert_eq!(codes, ["event/trf-result"], "{result}");
        // Outputs without diagnostics have the difference beside them.
        for format in [&["--format", "csv"][..], &["--format", "html"], &["--to", "trf"], &["--letters", "l", "--yes"]]
        {
            let run = folder.run(&[&["event", "--trf", "b.trf", "a.pdn"], format].concat()).is(0);
            assert!(run.errors.contains("[event/trf-result]: round 1, "), "{format:?}: {}", run.errors);
        }
        let run = folder.run(&["event", "--trf", "a.trf", "--format", "csv", "a.pdn"]).is(0);
        assert_eq!(run.errors, "", "{result}");
    }
}

#[test]
fn the_status_is_that_of_the_games_in_every_format() {
    let folder = Folder::with("a.pdn", records(&[["1", "Adams", "Brown", "2-0"]]).replace("18-23", "18-45"));
    for format in [&[][..], &["--format", "csv"], &["--to", "trf"], &["--letters", "letters"]] {
        folder.run(&[&["event", "a.pdn"], format].concat()).is(1);
    }
}

#[test]
fn a_trf_file_has_any_encoding_and_line_ends() {
    let text =
        records(&[["1", "Иванов, Сергей", "Смирнова, Анна", "2-0"], ["2", "Кузнецов, Пётр", "Иванов, Сергей", "1-1"]]);
    let folder = Folder::with("a.pdn", text);
    folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
    let trf = folder.read("a.trf");
    let cyrillic = Encoding::Cp1251.encode(&trf).expect("letters of cp1251").into_owned();
    let wide = trf.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let returns = trf.replace('\n', "\r").into_bytes();
    let is_guess = |run: &str| run.contains("read in the encoding that its bytes suggest, cp1251; see --encoding");
    for (bytes, guesses) in [(cyrillic, true), (wide, false), (returns, false)] {
        folder.write("b.trf", bytes);
        let run = folder.run(&["event", "--format", "json", "--trf", "b.trf", "a.pdn"]).is(0);
        assert!(codes(&run.values()).iter().all(|code| !code.starts_with("event/trf-")), "{}", run.text());
        assert_eq!(is_guess(&run.errors), guesses, "{}", run.errors);
    }
}
