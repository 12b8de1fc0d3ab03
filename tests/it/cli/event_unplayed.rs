//! `pdn event`: points without play, regulations, Swiss tournaments recounted independently, and teams.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::binary::{Folder, pdn_with};

/// A record without moves unless they are given.
fn record(tags: &[(&str, &str)], moves: &str) -> String {
    let tags = tags.iter().fold(String::new(), |all, (name, value)| all + &format!("[{name} \"{value}\"]\n"));
    format!("[Event \"Open\"]\n{tags}[GameType \"20\"]\n\n{moves} *\n\n")
}

fn game(round: &str, white: &str, black: &str, result: &str, moves: &str) -> String {
    record(&[("Round", round), ("White", white), ("Black", black), ("Result", result)], moves)
}

fn event(text: &str, arguments: &[&str]) -> Value {
    pdn_with(text, &[&["event", "--format", "json"], arguments, &["-"]].concat()).values().pop().expect("an object")
}

fn player<'a>(event: &'a Value, name: &str) -> &'a Value {
    let rows = event["players"].as_array().expect("players");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {rows:?}"))
}

#[test]
fn a_bye_is_points_and_nobody() {
    for nobody in [
        "bye",
        "BYE",
        "(bye)",
        "bye 1",
        "Bye!",
        "bye, bye",
        "bye (half point)",
        "half-point bye",
        "vrij",
        "Vrij.",
        "exempt",
        "exempté(e)",
        "Freilos",
        "-",
        "--",
        "свободен",
        "not paired",
    ] {
        let text = game("1", "Adams", nobody, "2-0", "") + &game("2", nobody, "Adams", "0-2", "");
        let event = event(&text, &[]);
        assert_eq!(event["players"].as_array().map(Vec::len), Some(1), "{nobody}");
        let adams = player(&event, "Adams");
        assert_eq!(
            [&adams["points"], &adams["games"], &adams["byes"]],
            [4, 0, 2].map(Value::from).each_ref(),
            "{nobody}"
        );
        assert_eq!(event["diagnostics"], Value::Array(Vec::new()), "{nobody}");
        assert_eq!(event["pairings"][0]["play"], "bye");
    }
    // An unknown opponent is nobody only if the Termination tag says so, or with a result and a round.
    for unknown in ["?", "NN", "N.N.", ""] {
        let bye = game("1", "Adams", unknown, "2-0", "");
        assert_eq!(player(&event(&bye, &[]), "Adams")["byes"], 1, "{unknown}");
        let said = record(&[("White", "Adams"), ("Black", unknown), ("Result", "1-1"), ("Termination", "bye")], "");
        assert_eq!(player(&event(&said, &[]), "Adams")["points"], 1, "{unknown}");
        let without_round = record(&[("White", "Adams"), ("Black", unknown), ("Result", "2-0")], "");
        assert_eq!(player(&event(&without_round, &[]), "Adams")["byes"], 0, "{unknown}");
        let played = game("1", "Adams", unknown, "2-0", "1. 32-28");
        assert_eq!(player(&event(&played, &[]), "Adams")["wins"], 1, "{unknown}");
    }
}

#[test]
fn a_forfeit_is_points_and_no_game() {
    for (result, points) in [
        ("+:-", [2, 0]),
        ("-:+", [0, 2]),
        ("-:-", [0, 0]),
        ("+/-", [2, 0]),
        ("2F-0F", [2, 0]),
        ("---", [0, 0]),
        ("– : +", [0, 2]),
        ("- - -", [0, 0]),
        ("– – –", [0, 0]),
    ] {
        let event = event(&game("1", "Adams", "Brown", result, ""), &[]);
        for (name, points) in ["Adams", "Brown"].into_iter().zip(points) {
            let row = player(&event, name);
            assert_eq!([&row["points"], &row["games"]], [points, 0].map(Value::from).each_ref(), "{result} {name}");
        }
        assert_eq!(event["pairings"][0]["play"], "forfeit", "{result}");
    }
    for termination in [
        "unplayed",
        "Forfeit",
        "walkover",
        "WO",
        "Black did not come: no show",
        "afwezig",
        "kampflos",
        "absence",
        "assente",
        "não jogada",
        "не явился",
    ] {
        let tags = [("White", "Adams"), ("Black", "Brown"), ("Result", "2-0"), ("Termination", termination)];
        assert_eq!(player(&event(&record(&tags, ""), &[]), "Adams")["forfeit_wins"], 1, "{termination}");
        // With moves it was played, whatever ended it.
        assert_eq!(player(&event(&record(&tags, "1. 32-28"), &[]), "Adams")["wins"], 1, "{termination}");
    }
    // A result alone is a game whose moves are not known, and an adjourned game is not decided.
    assert_eq!(player(&event(&game("1", "Adams", "Brown", "2-0", ""), &[]), "Adams")["wins"], 1);
    for termination in ["adjourned", "afgebroken", "rinviata", "отложена"] {
        let of = |result| {
            record(&[("White", "Adams"), ("Black", "Brown"), ("Result", result), ("Termination", termination)], "")
        };
        let adjourned = event(&of("*"), &[]);
        assert_eq!(
            (&adjourned["pairings"][0]["play"], &adjourned["diagnostics"]),
            (&"unplayed".into(), &Value::Array(Vec::new())),
            "{termination}"
        );
        // With a result, it was finished.
        assert_eq!(event(&of("2-0"), &[])["pairings"][0]["play"], "game", "{termination}");
    }
    let games =
        game("1", "A", "B", "+:-", "") + &game("2", "B", "A", "2-0", "1. 32-28") + &game("3", "A", "bye", "2-0", "");
    for (answer, count) in [("yes", "1\n"), ("no", "2\n")] {
        let run = pdn_with(&games, &["search", "--count", "--where", &format!("played = {answer}"), "-"]).is(0);
        assert_eq!(run.text(), count);
    }
}

#[test]
fn pages_name_byes_and_forfeits_in_their_language() {
    let text = game("1", "Adams", "bye", "2-0", "") + &game("2", "Adams", "Brown", "2F-0F", "");
    for (language, bye, forfeit) in [
        ("en", "bye", "forfeit"),
        ("nl", "vrij", "reglementair"),
        ("fr", "exempt", "forfait"),
        ("it", "riposo", "a forfait"),
        ("pt", "folga", "por ausência"),
        ("ru", "свободен", "неявка"),
    ] {
        let page = pdn_with(&text, &["event", "--format", "html", "--lang", language, "-"]).is(0);
        let page = page.text();
        for part in [
            format!("</a> – {bye}</td><td>2–0 ({bye})<"),
            format!("<td>2–0 ({forfeit})<"),
            format!(" {bye} <strong>2<"),
        ] {
            assert!(page.contains(&part), "{language}: {part}: {page}");
        }
    }
    let swiss = pdn_with(&tournament().1, &["event", "--format", "html", "--lang", "nl", "-"]).is(0);
    assert!(swiss.text().contains("vrij+") && !swiss.text().contains("bye"), "{}", swiss.text());
}

/// A round of a player: the opponent, if there is one, the points in halves, and whether it was played.
type Round = (Option<usize>, u32, bool);

/// Twelve players in seven rounds: two byes, a double forfeit, and one player who withdraws after round 5, which is like byes
/// without points.
fn tournament() -> (Vec<Vec<Round>>, String) {
    let mut rounds: Vec<Vec<Round>> = vec![Vec::new(); 12];
    let mut text = String::new();
    let lines =
        ["1. 32-28 17-21", "1. 31-27 18-23", "1. 33-28 19-23", "1. 34-30 20-25", "1. 35-30 16-21", "1. 32-27 17-22"];
    for round in 0..7 {
        for board in 0..6 {
            let one = if board == 0 { 11 } else { (round + board) % 11 };
            let other = (round + 11 - board) % 11;
            let points = (round * 5 + board * 3 + one) % 3;
            let number = (round + 1).to_string();
            let moves = lines[(round + board) % 6];
            // The opponents of the player who withdrew have byes.
            let absent = [(one, other), (other, one)].into_iter().find(|(player, _)| *player == 7 && round >= 5);
            if let Some((missing, alone)) = absent {
                rounds[missing].push((None, 0, false));
                rounds[alone].push((None, 2, false));
                text += &game(&number, &name(alone), "bye", "2-0", "");
            } else if (round, board) == (1, 3) {
                rounds[one].push((Some(other), 0, false));
                rounds[other].push((Some(one), 0, false));
                text += &game(&number, &name(one), &name(other), "-:-", "");
            } else {
                rounds[one].push((Some(other), points as u32, true));
                rounds[other].push((Some(one), 2 - points as u32, true));
                let result = ["0-2", "1-1", "2-0"][points];
                text += &game(&number, &name(one), &name(other), result, moves);
            }
        }
    }
    (rounds, text)
}

fn name(player: usize) -> String {
    let surnames =
        ["Adams", "Brandsma", "Castelein", "Dekkers", "Ewoldt", "Fontaine", "Groeneveld", "Hutchinson", "Ivanchenko"];
    surnames
        .get(player)
        .map_or_else(|| ["Jorritsma", "Kowalczyk", "Lindeman"][player - 9].to_owned(), |name| (*name).to_owned())
}

/// The sums over opponents of a player, as the rules say in words.
fn sums(rounds: &[Vec<Round>], player: usize, is_virtual: bool) -> Vec<(u32, u32)> {
    let total = |of: usize| -> u32 {
        let points = |&(_, points, played): &Round| if is_virtual && !played { 1 } else { points };
        rounds[of].iter().map(points).sum()
    };
    let mut before = 0;
    let mut sums = Vec::new();
    for (n, &(opponent, points, played)) in rounds[player].iter().enumerate() {
        let of_opponent = match opponent {
            Some(opponent) if played => total(opponent),
            _ if is_virtual => before + 2 - points + (6 - n as u32),
            _ => 0,
        };
        sums.push((of_opponent, points));
        before += points;
    }
    sums
}

#[test]
fn a_swiss_tournament_is_recounted() {
    let (rounds, text) = tournament();
    for (regulations, is_virtual) in
        [(&[][..], false), (&["--regulations", "fide"][..], true), (&["--regulations", "kndb"], false)]
    {
        let event = event(&text, regulations);
        assert_eq!(event["system"], "swiss");
        for (number, own) in rounds.iter().enumerate() {
            let row = player(&event, &name(number));
            let points: u32 = own.iter().map(|round| round.1).sum();
            assert_eq!(row["points"], points, "{row}");
            assert_eq!(row["games"], own.iter().filter(|round| round.2).count(), "{row}");
            let sums = sums(&rounds, number, is_virtual);
            let mut of_opponents: Vec<u32> = sums.iter().map(|sum| sum.0).collect();
            of_opponents.sort_unstable();
            let full: u32 = of_opponents.iter().sum();
            let (low, high) = (of_opponents[0], of_opponents[of_opponents.len() - 1]);
            let products: u32 = sums.iter().map(|(one, other)| one * other).sum();
            for tie_break in row["tie_breaks"].as_array().expect("tie-breaks") {
                let expected = match tie_break["name"].as_str().expect("a name") {
                    "solkoff" => f64::from(full),
                    "solkoff_cut_1" => f64::from(full - low),
                    "solkoff_median" => f64::from(full - low - high),
                    "sonneborn_berger" => f64::from(products) / 2.0,
                    "wins" => own.iter().filter(|round| round.2 && round.1 == 2).count() as f64,
                    other => panic!("{other}"),
                };
                assert_eq!(tie_break["value"].as_f64(), Some(expected), "{tie_break} {row}");
            }
        }
        // The ranking follows the points, then the tie-breaks in their order.
        let key = |row: &Value| -> Vec<i64> {
            let values = row["tie_breaks"].as_array().expect("tie-breaks").iter();
            let values = values.map(|tie_break| (tie_break["value"].as_f64().expect("a value") * 4.0) as i64);
            std::iter::once(row["points"].as_i64().expect("points")).chain(values).collect()
        };
        let rows = event["players"].as_array().expect("players");
        assert!(rows.is_sorted_by(|one, other| key(one) >= key(other)));
        for pair in rows.windows(2) {
            assert_eq!(pair[0]["rank"] == pair[1]["rank"], key(&pair[0]) == key(&pair[1]), "{pair:?}");
        }
    }
}

#[test]
fn a_tournament_in_trf_is_read_back() {
    let (rounds, text) = tournament();
    let folder = Folder::with("a.pdn", &text);
    folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
    let trf = folder.read("a.trf");
    // The columns of the standard: the name from 15, the points from 81, and ten columns for each round from 92: the opponent in four, the colour and
    // the result.
    let mut found: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for line in trf.lines().filter(|line| line.starts_with("001")) {
        let padded = format!("{line:<170}");
        let own = (0..7).map(|n| padded[92 + n * 10..99 + n * 10].to_owned()).collect();
        found.insert(padded[14..47].trim().to_owned(), (padded[80..84].trim().to_owned(), own));
    }
    for (number, own) in rounds.iter().enumerate() {
        let (points, line) = &found[&name(number)];
        let halves: u32 = own.iter().map(|round| round.1).sum();
        assert_eq!(*points, format!("{}.{}", halves / 2, halves % 2 * 5));
        for (round, column) in own.iter().zip(line) {
            let sign = column.chars().last().expect("a result");
            match round {
                (None, 0, _) => assert_eq!(column.trim(), "", "{column}"),
                (None, ..) => assert_eq!(column, "000 - U", "{column}"),
                (Some(_), points, true) => assert_eq!(sign, ['0', '=', '1'][*points as usize], "{column}"),
                (Some(_), _, false) => assert_eq!(sign, '-', "{column}"),
            }
        }
    }
    assert!(trf.contains("0000 - U") && trf.contains("092 Individual: Swiss System"), "{trf}");
    let run = folder.run(&["event", "--format", "json", "--trf", "a.trf", "a.pdn"]).is(0);
    assert_eq!(run.values()[0]["diagnostics"], Value::Array(Vec::new()));
}

#[test]
fn regulations_come_from_a_file_too() {
    let (_, text) = tournament();
    let folder = Folder::with("a.pdn", text);
    folder.write(
        "own.toml",
        "points = [3, 1, 0]\n[swiss]\ntie-breaks = [\"progressive\", \"blacks\"]\nunplayed = \"played\"\n",
    );
    let run = folder.run(&["event", "--format", "json", "--regulations", "own.toml", "a.pdn"]).is(0);
    let first = &run.values()[0]["players"][0]["tie_breaks"];
    assert_eq!((&first[0]["name"], &first[1]["name"]), (&"progressive".into(), &"blacks".into()));
    folder.write("bad.toml", "points = [3, 1, 0]\n[swis]\n");
    let run = folder.run(&["event", "--regulations", "bad.toml", "a.pdn"]).is(2);
    assert!(run.errors.contains("swis"), "{}", run.errors);
    let run = folder.run(&["event", "--regulations", "usta", "a.pdn"]).is(2);
    assert!(run.errors.contains("fmjd, kndb, fide, ffjd"), "{}", run.errors);
}

#[test]
fn four_teams_play_a_weekend() {
    let board = |round: &str, teams: [&str; 2], players: [&str; 2], result: &str| {
        let tags = [
            ("Round", round),
            ("White", players[0]),
            ("Black", players[1]),
            ("WhiteTeam", teams[0]),
            ("BlackTeam", teams[1]),
            ("Result", result),
        ];
        record(&tags, "")
    };
    let text = [
        board("1", ["North", "South"], ["Nan", "Sue"], "2-0"),
        board("1", ["South", "North"], ["Sid", "Ned"], "1-1"),
        board("1", ["East", "West"], ["Eve", "Wim"], "1-1"),
        board("1", ["West", "East"], ["Wil", "Edo"], "1-1"),
        board("2", ["North", "East"], ["Nan", "Eve"], "0-2"),
        board("2", ["East", "North"], ["Edo", "Ned"], "+:-"),
        board("2", ["South", "West"], ["Sue", "Wim"], "2-0"),
        board("2", ["West", "South"], ["Wil", "Sid"], "2-0"),
    ]
    .concat();
    let event = event(&text, &[]);
    let teams: Vec<_> = event["teams"].as_array().expect("teams").iter().collect();
    let row = |team: &Value| {
        let number = |key: &str| team[key].as_u64().expect("a number");
        (
            team["name"].as_str().expect("a name").to_owned(),
            number("rank"),
            number("match_points"),
            number("board_points"),
        )
    };
    // East drew 2-2 and won 4-0; North won 3-1 and lost; West drew twice; South lost and drew.
    let expected = [("East", 1, 3, 6), ("North", 2, 2, 3), ("West", 3, 2, 4), ("South", 4, 1, 3)];
    let mut expected = expected.map(|(name, rank, points, boards)| (name.to_owned(), rank, points, boards));
    // Board points decide between North and West.
    expected[1] = ("West".to_owned(), 2, 2, 4);
    expected[2] = ("North".to_owned(), 3, 2, 3);
    assert_eq!(teams.into_iter().map(row).collect::<Vec<_>>(), expected);
    assert_eq!(player(&event, "Eve")["team"], "East");
    let trf = pdn_with(&text, &["event", "--to", "trf", "-"]).is(0);
    assert_eq!(trf.text().lines().filter(|line| line.starts_with("013 ")).count(), 4);
    assert!(trf.text().contains("\n082 4\n"), "{}", trf.text());
    let shown = pdn_with(&text, &["event", "-"]).is(0);
    assert!(shown.text().contains("RANK  TEAM   POINTS"), "{}", shown.text());
}

#[test]
fn one_of_several_events_is_chosen_by_name() {
    let text =
        game("1", "Adams", "Brown", "2-0", "") + &game("1", "Adams", "Clark", "2-0", "").replace("Open", "Blitz");
    let run = pdn_with(&text, &["event", "--to", "trf", "-"]).is(2);
    assert!(run.errors.contains("--event NAME") && run.errors.contains("\n  Blitz: 1 game"), "{}", run.errors);
    let run = pdn_with(&text, &["event", "--to", "trf", "--event", "blitz", "-"]).is(0);
    assert!(run.text().starts_with("012 Blitz\n") && run.text().contains("Clark"), "{}", run.text());
    pdn_with(&text, &["event", "--event", "Rapid", "-"]).is(2);
}

#[test]
fn a_draw_without_play_is_no_loss_and_a_fallen_flag_no_forfeit() {
    let drawn =
        [("Round", "1"), ("White", "Adams"), ("Black", "Brown"), ("Result", "1-1"), ("Termination", "not played")];
    let flag =
        [("Round", "3"), ("White", "Brown"), ("Black", "Clark"), ("Result", "0-2"), ("Termination", "Time forfeit")];
    let text = record(&drawn, "") + &game("2", "Adams", "Clark", "2-0", "") + &record(&flag, "");
    let event = event(&text, &[]);
    for (name, points, games) in [("Adams", 3, 1), ("Brown", 1, 1), ("Clark", 2, 2)] {
        let row = player(&event, name);
        assert_eq!(
            (&row["points"], &row["games"], &row["forfeit_losses"]),
            (&points.into(), &games.into(), &0.into()),
            "{name}"
        );
    }
    let folder = Folder::with("a.pdn", &text);
    for words in ["forfeit (time)", "Forfait au temps", "reglementair: tijdoverschrijding", "White forfeits on time"] {
        let text = text.replace("Time forfeit", words);
        let run = pdn_with(&text, &["search", "--count", "--where", "played = no", "-"]).is(0);
        assert_eq!(run.text(), "1\n", "{words}");
    }
    let late = text.replace("Time forfeit", "no show in time");
    assert_eq!(pdn_with(&late, &["search", "--count", "--where", "played = no", "-"]).is(0).text(), "2\n");
    let shown = folder.run(&["event", "a.pdn"]).is(0);
    let is_drawn = |line: &str| line.contains("Brown") && line.split_whitespace().any(|cell| cell == "=");
    assert!(shown.lines().iter().any(|line| is_drawn(line)), "{}", shown.text());
    // In TRF16 it is half a point without an opponent.
    folder.run(&["event", "--to", "trf", "a.pdn", "-o", "a.trf"]).is(0);
    assert_eq!(folder.read("a.trf").matches("0000 - H").count(), 2, "{}", folder.read("a.trf"));
    let run = folder.run(&["event", "--trf", "a.trf", "a.pdn"]).is(0);
    assert!(!run.text().contains("event/trf-"), "{}", run.text());
}

#[test]
fn rounds_in_words_are_in_order() {
    let text: String =
        ["10-й тур", "1-й тур", "9-й тур"].iter().map(|round| game(round, "Adams", "Brown", "2-0", "")).collect();
    let event = event(&text, &[]);
    let rounds: Vec<_> = event["pairings"].as_array().expect("pairings").iter().map(|row| &row["round"]).collect();
    assert_eq!(rounds, ["1", "9", "10"]);
}

/// A record whose movetext is its result alone.
fn decided(round: &str, white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"Open\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [GameType \"20\"]\n\n{result}\n\n"
    )
}

#[test]
fn a_double_forfeit_in_the_movetext_is_no_null_move() {
    for result in ["- - -", "---", "-:-", "-/-", "– – –"] {
        let text = decided("1", "Adams", "Brown", result) + &decided("2", "Brown", "Adams", result);
        let event = event(&text, &[]);
        assert_eq!((&event["pairings"][0]["play"], &event["copies"]), (&"forfeit".into(), &0.into()), "{result}");
        let run = pdn_with(&text, &["search", "--count", "--where", "played = no", "-"]).is(0);
        assert_eq!(run.text(), "2\n", "{result}");
        let run = pdn_with(&text, &["check", "--format", "json", "--all", "-"]);
        let codes: Vec<_> = run.diagnostics().iter().map(|row| row["code"].clone()).collect();
        assert_eq!(codes, ["syntax/score", "syntax/score"], "{result}");
    }
}

#[test]
fn half_a_point_against_nothing_is_a_bye() {
    for result in ["½-0", "1/2-0", "0.5-0", "½"] {
        let event = event(&decided("1", "Adams", "bye", result), &[]);
        assert_eq!(player(&event, "Adams")["points"], 1, "{result}");
        assert_eq!(event["diagnostics"], Value::Array(Vec::new()), "{result}");
        let trf = pdn_with(decided("1", "Adams", "bye", result), &["event", "--to", "trf", "-"]).is(0);
        assert!(trf.text().contains("0000 - H"), "{result}: {}", trf.text());
    }
}

#[test]
fn points_for_a_loss_are_for_games_alone() {
    let text = decided("1", "Adams", "Brown", "-:-")
        + &decided("2", "Adams", "bye", "0-2")
        + &decided("3", "Adams", "Brown", "-:+")
        + &decided("4", "Adams", "Brown", "0-2");
    let rows = event(&text, &["--points", "3-2-1"]);
    assert_eq!((&player(&rows, "Adams")["points"], &player(&rows, "Brown")["points"]), (&1.into(), &6.into()));
    let shown = pdn_with(&text, &["event", "--points", "3-2-1", "-"]).is(0);
    assert!(!shown.text().contains('='), "{}", shown.text());
    // A draw is one, whatever it is worth.
    let swiss = ["event", "--system", "swiss", "--points", "2-0-0", "-"];
    let shown = pdn_with(decided("1", "Adams", "Brown", "1-1"), &swiss).is(0);
    assert!(shown.text().contains("2w=") && shown.text().contains("1b="), "{}", shown.text());
    // A third of a point has two decimals.
    let text = decided("1", "Adams", "Brown", "1-1") + &decided("2", "Brown", "Clark", "1-1");
    let shown = pdn_with(text, &["event", "--points", "3-1-0", "--tie-breaks", "sonneborn-berger", "-"]).is(0);
    assert!(shown.text().contains("0.67") && !shown.text().contains("0.666"), "{}", shown.text());
}

#[test]
fn the_rounds_of_a_knockout_are_in_order() {
    for rounds in [
        ["8e de finale", "Quart de finale", "Demi-finale", "Finale"],
        ["Huitièmes de finale", "Quarts de finale", "1/2 finale", "Grande finale"],
        ["Ottavi di finale", "Quarti di finale", "Semifinale", "Finale"],
        ["Oitavas de final", "Quartas de final", "Meia-final", "Final"],
        ["Octavos de final", "Cuartos de final", "Semifinal", "Final"],
        ["1/8 finału", "Ćwierćfinał", "Półfinał", "Finał"],
        ["Round of 16", "Round of 8", "Round of 4", "Final"],
        ["1/8", "QF", "SF", "F"],
        ["Achtste finale", "Kwartfinale", "Halve finale", "Finale"],
        ["Achtelfinale", "Viertelfinale", "Halbfinale", "Finale"],
        ["1/8 финала", "Четвертьфинал", "Полуфинал", "Финал"],
    ] {
        let text: String =
            [3, 1, 0, 2].iter().map(|&round: &usize| game(rounds[round], "Adams", "Brown", "2-0", "")).collect();
        let text = game("7", "Adams", "Brown", "2-0", "") + &text;
        let event = event(&text, &[]);
        let found: Vec<_> = event["pairings"].as_array().expect("pairings").iter().map(|row| &row["round"]).collect();
        assert_eq!(found[1..], rounds, "{found:?}");
    }
    let text = game("Final", "Adams", "Brown", "2-0", "") + &game("final", "Clark", "Dubois", "2-0", "");
    assert_eq!(event(&text, &[])["rounds"], 1);
    // A fourth round in words is no quarter-final.
    let text = game("Finale", "Adams", "Brown", "2-0", "") + &game("Quarta rodada", "Clark", "Dubois", "2-0", "");
    assert_eq!(event(&text, &[])["pairings"][0]["round"], "Finale");
    // A group is no final.
    let text: String = ["H", "F", "A"].iter().map(|group| game(group, "Adams", "Brown", "2-0", "")).collect();
    let rounds = event(&text, &[]);
    let rounds: Vec<_> = rounds["pairings"].as_array().expect("pairings").iter().map(|row| &row["round"]).collect();
    assert_eq!(rounds, ["A", "F", "H"]);
}

#[test]
fn teams_have_byes_and_dates() {
    let board = |date: &str, teams: [&str; 2], players: [&str; 2]| {
        let tags = [("Date", date), ("White", players[0]), ("Black", players[1]), ("Result", "2-0")];
        record(&[&tags[..], &[("WhiteTeam", teams[0]), ("BlackTeam", teams[1])]].concat(), "")
    };
    let text = board("2026.01.10", ["Alkmaar", "Breda"], ["Abe", "Bea"])
        + &board("2026.01.10", ["Breda", "Alkmaar"], ["Bob", "Ann"])
        + &board("2026.02.10", ["Breda", "Alkmaar"], ["Bea", "Abe"])
        + &board("2026.02.17", ["Alkmaar", "bye"], ["Abe", "bye"]);
    let found = event(&text, &[]);
    let points: Vec<_> =
        found["matches"].as_array().expect("matches").iter().map(|row| row["points"].clone()).collect();
    assert_eq!(points, [Value::from(vec![2, 2]), Value::from(vec![0, 2])]);
    assert_eq!(found["teams"].as_array().map(Vec::len), Some(2));
    let trf = pdn_with(&text, &["event", "--to", "trf", "-"]).is(0);
    assert!(trf.text().contains("\n082 2\n092 Team: Round-Robin\n"), "{}", trf.text());
    // A board without a date, or played on another day, belongs to the same match.
    for date in ["", "2026.01", "2026.01.17"] {
        let text = board("2026.01.10", ["Alkmaar", "Breda"], ["Abe", "Bea"])
            + &board(date, ["Breda", "Alkmaar"], ["Bob", "Ann"]);
        let found = event(&text, &[]);
        let matches = found["matches"].as_array().expect("matches");
        assert_eq!((matches.len(), &matches[0]["games"]), (1, &2.into()), "{date}");
    }
}

#[test]
fn an_unknown_event_is_refused_with_the_events() {
    let text = game("1", "Adams", "Brown", "2-0", "").replace("Open", "NK - ronde 1")
        + &game("1", "Adams", "Clark", "2-0", "").replace("Open", "Blitz");
    for name in ["NK", "nk  -  ronde 1", "NK - ronde 2"] {
        assert_eq!(event(&text, &["--event", name])["event"], "NK", "{name}");
    }
    let run = pdn_with(&text, &["event", "--event", "Blits", "-"]).is(2);
    assert!(run.errors.contains("no event `Blits`\n  NK: 1 game\n  Blitz: 1 game"), "{}", run.errors);
}
