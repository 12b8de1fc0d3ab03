//! `pdn event --letters`.

use std::fmt::Write as _;

use crate::support::binary::Folder;

const GAMES: &str = "[Event \"Club\"]\n[Round \"1\"]\n[White \"Visser, Anna\"]\n[Black \"Bob\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n1. 32-28 18-22 2. 28x17 20-29 2-0\n\n\
    [Event \"Club\"]\n[Round \"2\"]\n[White \"Bob\"]\n[Black \"Cas\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n1. 31-26 19-23 2-0\n\n\
    [Event \"Club\"]\n[Round \"3\"]\n[White \"Cas\"]\n[Black \"Dirk\"]\n[GameType \"20\"]\n[Result \"0-2\"]\n1. 31-26 19-23 0-2\n\n\
    [Event \"Club\"]\n[Round \"1\"]\n[White \"Dirk\"]\n[Black \"Visser, Anna\"]\n[GameType \"20\"]\n[Result \"0-2\"]\n1. 32-27 19-23 0-2\n\n\
    [Event \"Club\"]\n[Round \"2\"]\n[White \"Cas\"]\n[Black \"Visser, Anna\"]\n[GameType \"20\"]\n[Result \"0-2\"]\n1. 33-28 19-23 0-2\n";

#[test]
fn each_player_gets_the_questions_about_her_games_and_the_organiser_all_of_them() {
    let folder = Folder::with("a.pdn", GAMES);
    // The status is 1 because of the illegal move.
    let run = folder.run(&["event", "--letters", "letters", "--lang", "nl", "a.pdn"]).is(1);
    assert_eq!((run.text(), run.errors.as_str()), ("", "5 letters in letters\n"));
    let anna = folder.read("letters/visser-anna.txt");
    assert!(anna.starts_with("Beste Anna Visser,\n\nDe partijen van het toernooi Club worden verzameld"), "{anna}");
    for part in [
        "* Visser, Anna – Bob, ronde 1\n",
        "28x17 is niet toegestaan: het stuk op 28 kan niet naar 17.",
        "Wit is aan zet.\n",
        "Welke zet is hier gespeeld?\n",
    ] {
        assert!(anna.contains(part), "{part}: {anna}");
    }
    assert!(!anna.contains("Cas"), "{anna}");
    let bob = folder.read("letters/bob.txt");
    assert!(bob.contains("Bob – Dirk\n\nDeze partij ontbreekt.\n\nKunt u haar sturen"), "{bob}");
    assert!(bob.contains("Bob – Cas, ronde 2\n") && bob.contains("Wat was de uitslag van de partij?"), "{bob}");
    let page = folder.read("letters/visser-anna.html");
    assert!(page.contains("<html lang=\"nl\">") && page.contains("<svg") && !page.contains("<script"), "{page}");
    let all = folder.read("letters/organiser.txt");
    assert!(all.contains("Visser, Anna – Bob") && all.contains("Bob – Dirk") && all.contains("Bob – Cas"), "{all}");
}

#[test]
fn letters_that_exist_stay_unless_they_may_be_replaced() {
    let folder = Folder::with("a.pdn", GAMES);
    folder.write("letters/cas.txt", "mine");
    let run = folder.run(&["event", "--letters", "letters", "a.pdn"]).is(2);
    assert!(run.errors.contains("cas.txt exists: use --yes"), "{}", run.errors);
    assert_eq!(folder.read("letters/cas.txt"), "mine");
    assert!(!folder.path("letters/bob.txt").exists());
    folder.run(&["event", "--letters", "letters", "--yes", "a.pdn"]).is(1);
    assert!(folder.read("letters/cas.txt").starts_with("Dear Cas,"));
    // Another output would be empty.
    folder.write("mine.html", "mine");
    folder.run(&["event", "--letters", "letters", "--yes", "a.pdn", "-o", "mine.html"]).is(2);
    assert_eq!(folder.read("mine.html"), "mine");
}

#[test]
fn one_accent_is_one_diagnostic() {
    let names = ["Gérard Jansen", "Ann Abel", "Bob Bakker", "Cas Clark", "Dirk Dekker", "Els Evers"];
    let mut text = String::new();
    let moves = [
        "32-28 18-22",
        "32-28 18-23",
        "32-28 19-23",
        "32-28 20-24",
        "32-28 20-25",
        "31-26 18-22",
        "31-26 18-23",
        "31-26 19-23",
        "31-26 20-24",
        "31-26 20-25",
        "31-27 18-22",
        "31-27 18-23",
        "31-27 19-23",
        "31-27 20-24",
        "31-27 20-25",
    ];
    let pairs = (0..names.len()).flat_map(|one| (one + 1..names.len()).map(move |other| (one, other)));
    for (n, (one, other)) in pairs.enumerate() {
        // Of one game, the name has no accent.
        let white = if n == 0 { "Gerard Jansen" } else { names[one] };
        let _ = write!(
            text,
            "[Event \"Club\"]\n[White \"{white}\"]\n[Black \"{}\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n1. {} 1-1\n\n",
            names[other], moves[n]
        );
    }
    let folder = Folder::with("a.pdn", text);
    let event = folder.run(&["event", "--format", "json", "a.pdn"]).is(0).values().remove(0);
    let codes: Vec<_> =
        event["diagnostics"].as_array().expect("diagnostics").iter().map(|row| row["code"].clone()).collect();
    assert_eq!(codes, ["event/similar-names"]);
}

#[test]
fn files_in_folders_that_may_be_records_are_named_if_they_are_not_read() {
    let folder = Folder::with("d/a.pdn", GAMES);
    for name in ["d/b.LDF", "d/c.txt", "d/e/f.json", "d/g.ndjson", "d/h.md"] {
        folder.write(name, "x");
    }
    let run = folder.run(&["stats", "--format", "json", "d"]).is(0);
    assert_eq!(
        run.errors,
        "not read: d/b.LDF, d/c.txt, d/e/f.json, 1 more; `--include '*.LDF'` reads such files in folders\n"
    );
    assert_eq!(folder.run(&["stats", "--quiet", "--format", "json", "d"]).is(0).errors, "");
    assert_eq!(folder.run(&["stats", "--format", "json", "d/a.pdn"]).is(0).errors, "");
}

fn unfinished(round: u32, white: &str, black: &str, result: &str) -> String {
    format!(
        "[Event \"Club\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[GameType \"20\"]\n\
         [Result \"{result}\"]\n\n1. 32-28 19-23 2. 28x19 14x23 {result}\n\n"
    )
}

#[test]
fn each_letter_has_a_file() {
    let text = unfinished(1, "Чижов", "Иванов", "*") + &unfinished(1, "Player 2", "Brown", "*");
    let folder = Folder::with("a.pdn", text);
    let run = folder.run(&["event", "--letters", "letters", "a.pdn"]).is(0);
    assert_eq!(run.errors, "5 letters in letters\n");
    let read = ["brown", "player", "player-2", "player-3", "organiser"]
        .map(|name| folder.read(&format!("letters/{name}.txt")));
    for name in ["Brown", "Иванов", "Player 2", "Чижов"] {
        assert_eq!(read.iter().filter(|letter| letter.starts_with(&format!("Dear {name},"))).count(), 1, "{name}");
    }
}

#[test]
fn a_game_with_two_results_is_a_question() {
    let folder =
        Folder::with("a.pdn", unfinished(1, "Adams", "Brown", "2-0") + &unfinished(1, "Adams", "Brown", "1-1"));
    let run = folder.run(&["event", "--letters", "letters", "a.pdn"]).is(0);
    assert_eq!(run.errors, "3 letters in letters\n");
    for name in ["adams", "brown", "organiser"] {
        let letter = folder.read(&format!("letters/{name}.txt"));
        assert!(
            letter.contains("* Adams – Brown, round 1\n\nGame ") && letter.contains("a different result"),
            "{letter}"
        );
    }
}
