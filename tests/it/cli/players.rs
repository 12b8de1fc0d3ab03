//! `pdn players` and `--aliases`: proposals on tournaments of the corpus against lists made by hand, and on hostile names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::iter;

use crate::support::binary::{Folder, pdn_with};
use crate::support::corpus::corpus;

/// A tournament: its file, the number of people, and the spellings of each of those with several.
type Listed = (&'static str, usize, &'static [&'static [&'static str]]);

/// Lists made by hand.
const LISTS: [Listed; 8] = [
    (
        "international/wk2003.pdn",
        20,
        &[
            &["Andall,A.", "Andall,A.K.", "Andall,K."],
            &["Boezjinski,E.", "Buzhinksi,E.", "Buzhinski,E", "Buzhinski,E."],
            &["Erdenebileg,A.", "Erdenebileg,D."],
            &["Heusdens, R.", "Heusdens,R."],
            &["Koifman,I.", "Koyfman,Y"],
            &["Milshin,A", "Milshin,V", "Milshin,V.", "Milsjin,W."],
            &["Ndjofang, J.M.", "Ndjofang,J."],
            &["Valneris,G", "Valneris,G."],
            &["Veytsman,V", "Veytsman,V.", "Weitsman,V."],
        ],
    ),
    ("international/dutch96h.pdn", 53, &[]),
    ("international/candidate95.pdn", 2, &[]),
    ("international/nk2003-amsterdam.pdn", 14, &[&["Gerard Jansen", "Gérard Jansen"]]),
    (
        "italian/40champ-1996.pdn",
        38,
        &[
            &["Gene Westmoreland", "West Moreland"],
            &["Harvey Kelley", "Harvey kelley"],
            &["James Morrison", "Jim Morrison"],
            &["Les Balderson", "Les balderson"],
            &["Phil Schwartberg", "Phil Schwartzberg"],
            &["Ron King", "Ron king"],
        ],
    ),
    ("italian/partite.pdn", 78, &[&["Bisanti", "Bisanti O."], &["Gasparetti", "Gasparetti Antonio"]]),
    (
        "conformance/reject/40Camp.DamaInternazionaleAssoluto.pdn",
        10,
        &[
            &["Berté Daniele", "Bertè Daniele"],
            &["Bubbi Raoul", "Bubbi Raoul (non disponibile)", "Bubbi Raul"],
            &["Veronesi Marco", "Veronesi Marco (non disponibile)"],
        ],
    ),
    (
        "russian/World_Championship_1998.pdn",
        16,
        &[&["Gorunov", "Goryunov"], &["Mocrovich", "Mokrovich"], &["Scrabov", "Skrabov"]],
    ),
];

/// Returns all pairs of spellings in groups.
fn pairs<'a>(groups: impl IntoIterator<Item = Vec<&'a str>>) -> BTreeSet<[String; 2]> {
    let mut all = BTreeSet::new();
    for mut group in groups {
        group.sort_unstable();
        for (n, one) in group.iter().enumerate() {
            all.extend(group[n + 1..].iter().map(|other| [(*one).to_owned(), (*other).to_owned()]));
        }
    }
    all
}

#[test]
fn proposals_are_those_of_lists_made_by_hand() {
    let Some(corpus) = corpus() else { return };
    let (mut right, mut proposed, mut listed) = (0, 0, 0);
    for (file, people, groups) in LISTS {
        let path = corpus.join(file);
        let run = pdn_with("", &["players", "--format", "json", path.to_str().expect("a path")]).is(0);
        let rows = run.values();
        let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in &rows {
            let [alias, name] = ["alias", "name"].map(|key| row[key].as_str().expect("a name"));
            found.entry(name).or_insert_with(|| vec![name]).push(alias);
        }
        let (found, expected) = (pairs(found.into_values()), pairs(groups.iter().map(|group| group.to_vec())));
        assert!(found.is_subset(&expected), "{file}: {:?}", found.difference(&expected));
        right += found.intersection(&expected).count();
        (proposed, listed) = (proposed + found.len(), listed + expected.len());
        assert!(run.errors.contains(&format!(": {people} players")), "{file}: {}", run.errors);
    }
    assert_eq!(right, proposed, "no spelling is joined to another person");
    assert!(right * 10 >= listed * 9, "{right} of {listed} pairs");
}

#[test]
fn aliases_that_are_written_make_a_table_of_twenty() {
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("international/wk2003.pdn");
    let path = path.to_str().expect("a path");
    let folder = Folder::new();
    folder.run(&["players", "--write-aliases", "names.txt", path]).is(0);
    let event = folder.run(&["event", "--format", "json", "--aliases", "names.txt", path]).values();
    let players = event[0]["players"].as_array().expect("players");
    assert_eq!(players.iter().map(|row| row["games"].as_u64()).collect::<Vec<_>>(), [Some(19); 20]);
    assert!(folder.run(&["players", "--aliases", "names.txt", path]).is(0).text().is_empty());
    let games =
        folder.run(&["search", "--aliases", "names.txt", "--where", "White = \"Buzhinski,E\"", "--count", path]);
    let own = folder.run(&["search", "--where", "White ~ \"Boezjin|Buzhin\"", "--count", path]);
    assert_eq!(games.text(), own.text());
    let stats = folder.run(&["stats", "--format", "json", "--aliases", "names.txt", path]).values();
    assert_eq!(stats[0]["players"].as_array().map(Vec::len), Some(20));
    let renamed = folder.run(&["edit", "--rename-players", "names.txt", path]).is(0);
    assert_eq!(folder.run(&["edit", "--aliases", "names.txt", path]).is(0).bytes, renamed.bytes);
    let left = pdn_with(&renamed.bytes, &["players", "-"]);
    assert!(left.text().is_empty() && left.errors.contains("20 spellings: 20 players"), "{}", left.errors);
    let converted = folder.run(&["convert", "--to", "jsonl", "--aliases", "names.txt", path]).values();
    assert!(converted.iter().all(|game| !game["tags"]["White"].as_str().expect("a name").contains("Boezjinski")));
}

#[test]
fn other_people_are_never_joined() {
    let game = |n: u32, white: &str, black: &str, round: u32| {
        format!(
            "[Event \"Club\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[GameType \"20\"]\n\
             1. 32-28 19-23 2. 28x19 14x23 3. {} *\n\n",
            ["37-32", "38-32", "33-28", "33-29"][n as usize % 4]
        )
    };
    let lines = |games: &str| pdn_with(games, &["players", "-"]).is(0).lines().len();
    assert_eq!(lines(&[game(1, "Jansen, J.", "Bos", 1), game(2, "Jan Jansen", "Kos", 2)].concat()), 1);
    assert_eq!(lines(&game(1, "Jansen, J.", "Jan Jansen", 1)), 0, "they played each other");
    assert_eq!(lines(&[game(1, "Jansen, J.", "Bos", 1), game(2, "Jan Jansen", "Kos", 1)].concat()), 0, "one round");
    let twice = [game(1, "Jansen, J.", "Bos", 1), game(1, "Jan Jansen", "Bos", 1)].concat();
    assert_eq!(lines(&twice), 1, "the same game twice is one game");
    let either = [game(1, "J. Jansen", "A", 1), game(2, "Jan Jansen", "B", 2), game(3, "Joop Jansen", "C", 3)].concat();
    assert_eq!(lines(&either), 0, "either of two");
}

/// Returns a round robin of eight in which the first player has another name in the third round.
fn round_robin(name: &str, other: &str) -> String {
    let others = "Ozols, Ivo|Bakker, Kees|Clerc, Rob|Drost, Wim|Evers, Leo|Faber, Max|Kuiper, Bas";
    let mut players: Vec<&str> = iter::once(name).chain(others.split('|')).collect();
    let mut games = String::new();
    for round in 1..8 {
        players[0] = if round == 3 { other } else { name };
        for n in 0..4 {
            let [white, black] = [players[n], players[7 - n]];
            let _ =
                writeln!(games, "[Event \"NK\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n2-0\n");
        }
        players[1..].rotate_right(1);
    }
    games
}

#[test]
fn one_other_spelling_of_a_name_is_the_cause_of_the_missing_games_and_the_name_stays() {
    for (name, other) in [
        ("Weiß, Uwe", "Weiss, Uwe"),
        ("Götz, Uwe", "Goetz, Uwe"),
        ("Götz", "Goetz"),
        ("Müller, Jörg", "Mueller, Joerg"),
        ("Đorđević, Ana", "Djordjevic, Ana"),
        ("Þórsson, Jón", "Thorsson, Jon"),
        ("Иванов, Сергей", "Иванов Сергей, гмс"),
        ("Иванов, Сергей", "кмс Иванов Сергей"),
        ("Kamychleeva, Viktoria", "MFF Kamychleeva Viktoria"),
        ("Kamychleeva, Viktoria", "Kamychleeva, Viktoria GMIF"),
        ("de Boer, Jan", "DE BOER, JAN"),
        ("de Boer, Jan", "Jan DE BOER"),
        ("Bos, Jan", "BOS, Jan"),
        ("van den Berg, Ad", "VAN DEN BERG, AD"),
        ("van der Wal, Piet", "VAN DER WAL PIET"),
        ("van der Wal, Piet", "VAN DER WAL, Piet"),
        ("Visser, Anna", "Visser, Anna NED"),
        ("Visser, Anna", "Visser, Anna, NED"),
        ("Visser, Anna", "Visser, Anna <1987>"),
        ("Müller, Jörg", "Müller, Jörg GER"),
    ] {
        let games = round_robin(name, other);
        let run = pdn_with(&games, &["players", "-"]).is(0);
        let lines = run.lines();
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("{other} = {name}  (")), "{lines:?}");
        let event = pdn_with(&games, &["event", "--format", "json", "-"]).is(0).values().remove(0);
        let found: Vec<_> =
            event["diagnostics"].as_array().expect("diagnostics").iter().map(|row| &row["code"]).collect();
        assert_eq!(found, ["event/similar-names"], "{other}");
    }
    for (name, other) in [
        ("Boer, Jan", "Boer, Jana"),
        ("Goetz, Karl", "Götz, Uwe"),
        ("Boer, Jan", "Bör, Uwe"),
        ("Иванов МС", "Иванов АК"),
    ] {
        let games = format!(
            "[White \"{name}\"]\n[Black \"Ozols, Ivo\"]\n2-0\n\n[White \"{other}\"]\n[Black \"Faber, Max\"]\n2-0\n"
        );
        assert!(pdn_with(&games, &["players", "-"]).is(0).text().is_empty(), "{name}, {other}");
    }
}

#[test]
fn events_are_compared_by_their_words_and_numbers() {
    let game = |event: &str, round: u32, white: &str| {
        format!("[Event \"{event}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"B{round}\"]\n*\n\n")
    };
    let games = [
        game("Dutch championship 2003", 1, "A"),
        game("Dutch championship 2003 - ronde 2", 2, "A"),
        game("Dutch Championship, 2003", 3, "A"),
        game("Dutch champoinship 2003", 4, "A"),
        game("Dutch championship 2004", 1, "A"),
    ]
    .concat();
    let run = pdn_with(&games, &["players", "--events", "-"]).is(0);
    let lines: Vec<_> = run.lines().iter().map(|line| line.split("  (").next().expect("a line")).collect();
    let name = "Dutch championship 2003";
    assert_eq!(lines, [format!("Dutch Championship, 2003 = {name}"), format!("Dutch champoinship 2003 = {name}")]);
}

#[test]
fn invalid_aliases_are_errors_with_their_lines() {
    let folder = Folder::with("a.pdn", "[White \"A\"]\n[Black \"B\"]\n*\n");
    for (text, message) in [
        ("A = B\nC = D\nA = E\n", "names.txt:3: the alias `A` is already on line 1"),
        ("A = B\n# chain\nB = C\nC = A\n", "names.txt:4: the alias `C` leads back to itself"),
        ("A\n", "names.txt:1: expected `alias = name`"),
    ] {
        folder.write("names.txt", text);
        for command in ["check", "stats", "event", "convert", "merge", "fmt", "players"] {
            let run = folder.run(&[command, "--aliases", "names.txt", "a.pdn"]).is(2);
            assert!(run.errors.contains(message), "{command}: {}", run.errors);
            assert!(run.bytes.is_empty(), "{command}");
        }
    }
    folder.run(&["players", "--write-aliases", "out.txt", "a.pdn", "-o", "out.txt"]).is(2);
    folder.run(&["players", "--write-aliases", "a.pdn", "a.pdn"]).is(2);
    assert!(folder.read("a.pdn").starts_with("[White"));
}

#[test]
fn hostile_names_take_linear_time() {
    let mut games = String::new();
    for n in 0..50_000_u32 {
        let (white, black) = (n.wrapping_mul(2_654_435_761) % 1_000_003, n);
        let _ = write!(games, "[White \"Player {white}, (a+)+$ \\\\d{{{n}}}\"]\n[Black \"Jansen, {black}\"]\n*\n\n");
    }
    let (white, black) = ("(a|b)*".repeat(100_000), ", ".repeat(100_000));
    let _ = write!(games, "[White \"{white}\"]\n[Black \"{black}\"]\n*\n");
    let run = pdn_with(&games, &["players", "-"]).is(0);
    assert!(run.errors.contains("spellings: "), "{}", run.errors);
}

#[test]
fn players_are_rated_by_games_that_were_played() {
    let game = |white: &str, black: &str, result: &str, moves: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[GameType \"20\"]\n\n{moves}{result}\n\n"
        )
    };
    let moves = "1. 32-28 19-23 ";
    let games = [
        game("Ada", "Ben", "2-0", moves),
        game("Ben", "Ada", "1-1", moves),
        game("Ada", "Ben", "2-0", moves),
        game("Ben", "Ada", "1-1", moves),
        game("Ben", "Cem", "0-2", moves),
        // Neither a bye, nor a forfeit, nor a game without a result or a name is a game between two players.
        game("Ben", "bye", "2-0", ""),
        game("Ben", "Ada", "2-0F", ""),
        game("Ben", "Ada", "*", moves),
        game("Ben", "?", "2-0", moves),
    ];
    let folder = Folder::with("games.pdn", games.concat());
    let run = folder.run(&["ratings", "--format", "json", "games.pdn"]).is(0);
    let json: serde_json::Value = serde_json::from_str(run.text()).expect("JSON");
    assert_eq!((&json["games"], &json["draws"], &json["rated"]), (&5.into(), &2.into(), &2.into()));
    let player = |n: usize| {
        let row = &json["players"][n];
        (row["rank"].as_u64(), row["name"].as_str(), row["rating"].as_f64(), row["games"].as_u64())
    };
    // 75 % is 190.85 Elo.
    assert_eq!(player(0), (Some(1), Some("Ada"), Some(2095.4), Some(4)));
    assert_eq!(player(1), (Some(2), Some("Ben"), Some(1904.6), Some(5)));
    assert_eq!(player(2), (None, Some("Cem"), None, Some(1)));
    let table = folder.run(&["ratings", "--anchor", "Ben=1000", "--format", "csv", "games.pdn"]).is(0);
    let rows: Vec<_> = table.text().lines().collect();
    assert_eq!(rows[0], "rank,name,rating,error,games,wins,draws,losses,points,opponents");
    assert!(rows[1].starts_with("1,Ada,1190.8,") && rows[1].ends_with(",4,2,2,0,3.0,1000.0"), "{rows:?}");
    assert_eq!(rows[2..], ["2,Ben,1000.0,,5,0,2,3,1.0,1190.8", ",Cem,,,1,1,0,0,1.0,"]);
    for (arguments, reason) in [
        (["--anchor=Ben=1000", "--anchor=Ben=1200"], "`Ben` has two anchors"),
        (["--average", "nan"], "the mean of the ratings is not from -100000 to 100000"),
        (["--average", "1e308"], "the mean of the ratings is not from -100000 to 100000"),
        (["--anchor=Ben=1e308", "--quiet"], "the rating of the anchor `Ben=1e308` is not from -100000 to 100000"),
    ] {
        let run = folder.run(&[&["ratings", "games.pdn"], &arguments[..]].concat()).is(2);
        assert!(run.errors.contains(reason), "{}", run.errors);
    }
    let refused = folder.run(&["ratings", "--anchor", "Cem=1000", "games.pdn"]).is(2);
    assert_eq!(refused.errors, "pdn: `Cem` is not the name of a rated player\n");
}

#[test]
fn games_between_equal_names_are_not_rated() {
    let game = |black: &str| {
        format!("[White \"Ada\"]\n[Black \"{black}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n\n")
    };
    let folder = Folder::with("games.pdn", game("Ada") + &game("Ben") + &game("Ada"));
    let run = folder.run(&["ratings", "games.pdn"]).is(0);
    assert!(run.errors.contains("2 games with the same name for both players are not counted"), "{}", run.errors);
    assert!(run.text().starts_with("1 game, "), "{}", run.text());
}
