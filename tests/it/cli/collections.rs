//! `pdn edit`, `pdn merge` and `pdn diff`: tags, orders and transcriptions.

use crate::support::binary::{Folder, pdn_with};

const GAMES: &str = "\
{before}\n[Event \"Club\"]\n[White \"Jansen,  A.\"]\n[Black \"B \\\"x\\\"\"]\n[Date \"2001.02.03\"]\n[Round \"10\"]\n\n1. 32-28 {White \"} 19-23 2-0\n\n\n\
[Event \"Club\"]\n[White \"C\"]\n[Black \"Jansen, A.\"]\n[Date \"2001.02.03\"]\n[Round \"9\"]\n[Site \"Rome\"]\n\n1. 31-27 *\n\n\
1. 33-28 *\n\n";

#[test]
fn an_edit_changes_tags_and_nothing_else() {
    let folder = Folder::with("a.pdn", GAMES);
    folder.write("names.txt", "Jansen, A. = Jansen, Arie\n");
    let run = folder.run(&["edit", "--set", "Site=The \"Hague\"", "--rename-players", "names.txt", "a.pdn"]).is(0);
    let expected = GAMES
        .replace("Jansen,  A.", "Jansen, Arie")
        .replace("Jansen, A.", "Jansen, Arie")
        .replace("[Round \"10\"]\n", "[Round \"10\"]\n[Site \"The \\\"Hague\\\"\"]\n")
        .replace("Rome", "The \\\"Hague\\\"")
        .replace("1. 33-28", "[Site \"The \\\"Hague\\\"\"]\n1. 33-28");
    assert_eq!(run.text(), expected);
    // What changes nothing leaves every byte, whatever the record is.
    for text in
        [GAMES.as_bytes(), b"\xef\xbb\xbf[Event \"\xe9\"]\r\n1. 32-28 *\r\n", b"words\n\n[White \"x]\n1. 32-28", b""]
    {
        let run =
            pdn_with(text, &["edit", "--rename-players", folder.path("names.txt").to_str().expect("a path"), "-"]);
        if !text.windows(6).any(|bytes| bytes == b"Jansen") {
            assert_eq!(run.bytes, text);
        }
    }
}

#[test]
fn new_names_have_no_control_characters() {
    let folder = Folder::with("a.pdn", GAMES);
    for name in ["\x1b[31mred", "zero\0"] {
        folder.write("names.txt", format!("C = Good\nJansen, A. = {name}\n"));
        let run = folder.run(&["edit", "--rename-players", "names.txt", "a.pdn"]).is(2);
        assert!(run.text().is_empty() && run.errors.contains("names.txt: the name `"), "{}", run.errors);
        assert!(run.errors.contains("control characters") && !run.errors.contains(['\x1b', '\0']), "{}", run.errors);
    }
}

#[test]
fn tags_to_set_have_a_name_and_one_value() {
    let folder = Folder::with("a.pdn", GAMES);
    for (set, reason) in [
        (&["--set", "Site=A", "--set", "Site=B"][..], "--set Site is given twice"),
        (&["--set", "White=A", "--set", "Wit=B"], "--set Wit is given twice"),
        (&["--set", "Fen=A"], "Fen determines how moves are read"),
        (&["--set", "site=A"], "a capital letter, then letters, digits and `_`"),
        (&["--set", "Si te=A"], "a capital letter, then letters, digits and `_`"),
    ] {
        let run = folder.run(&[&["edit", "a.pdn"], set].concat()).is(2);
        assert!(run.text().is_empty() && run.errors.contains(reason), "{}", run.errors);
    }
}

#[test]
fn the_tag_that_is_read_as_the_one_to_set_is_changed() {
    let set = ["edit", "--set", "White=X", "--set", "Result=0-2", "--set", "ECO=A", "-"];
    for (old, new) in [
        // A name in another language stays.
        ("[Wit \"A\"]\n[Uitslag \"1-1\"]\n[eco \"b\"]\n", "[Wit \"X\"]\n[Uitslag \"0-2\"]\n[eco \"A\"]\n"),
        // One in another case is not read as that of a roster tag.
        ("[WHITE \"X\"]\n[result \"*\"]\n[ECO \"A\"]\n", "[White \"X\"]\n[Result \"0-2\"]\n[ECO \"A\"]\n"),
        // The name itself comes first, and another tag with the name of a result is none.
        (
            "[Wit \"A\"]\n[White \"B\"]\n[Uitslag \"of the cup\"]\n",
            "[Wit \"A\"]\n[White \"X\"]\n[Uitslag \"of the cup\"]\n[Result \"0-2\"]\n[ECO \"A\"]\n",
        ),
    ] {
        let run = pdn_with(format!("{old}\n1. 32-28 19-23 *\n"), &set).is(0);
        assert_eq!(run.text(), format!("{new}\n1. 32-28 19-23 *\n"));
    }
    let run = pdn_with("[Datum \"1999.01.01\"]\n1. 32-28 *\n", &["edit", "--set", "Date=spring", "-"]).is(0);
    assert_eq!(run.text(), "[Date \"spring\"]\n1. 32-28 *\n");
    let names = Folder::with("names.txt", "A = B\n");
    let path = names.path("names.txt");
    let renamed = ["edit", "--rename-players", path.to_str().expect("a path"), "-"];
    assert_eq!(pdn_with("[WHITE \"A\"]\n1. 32-28 *\n", &renamed).is(0).text(), "[WHITE \"B\"]\n1. 32-28 *\n");
}

#[test]
fn a_value_without_quotes_gets_them() {
    for damaged in ["[Site ", "[Site Rome]", "[Site \"Rome]"] {
        let text = format!("[Event \"Cup\"]\n{damaged}\n1. 32-28 *\n");
        let run = pdn_with(&text, &["edit", "--set", "Site=Delft", "-"]);
        assert_eq!(run.text(), "[Event \"Cup\"]\n[Site \"Delft\"]\n1. 32-28 *\n", "{damaged}");
    }
}

#[test]
fn new_tags_start_a_line_after_a_joined_result() {
    let text = "[Event \"Cup\"]\n1. 32-28 19-23 0-001. 33-29 17-22 *\n";
    let run = pdn_with(text, &["edit", "--set", "Site=Delft", "--set", "Round=1", "-"]);
    let expected = "[Event \"Cup\"]\n[Site \"Delft\"]\n[Round \"1\"]\n1. 32-28 19-23 0-0\n[Site \"Delft\"]\n[Round \"1\"]\n01. 33-29 17-22 *\n";
    assert_eq!(run.text(), expected);
}

#[test]
fn an_edit_is_shown_or_written() {
    let folder = Folder::with("a.pdn", GAMES);
    let diff = folder.run(&["edit", "--set", "Event=Cup", "--diff", "a.pdn"]).is(0);
    assert!(diff.text().starts_with("--- a.pdn\n+++ a.pdn\n@@ "), "{}", diff.text());
    assert!(diff.text().contains("\n-[Event \"Club\"]\n+[Event \"Cup\"]\n"));
    assert_eq!(folder.read("a.pdn"), GAMES);
    folder.run(&["edit", "--set", "Event=Cup", "--write", "a.pdn"]).is(0);
    let changed = GAMES.replace("Club", "Cup").replace("1. 33-28", "[Event \"Cup\"]\n1. 33-28");
    assert_eq!(folder.read("a.pdn"), changed);
    let again = folder.run(&["edit", "--set", "Event=Cup", "--write", "a.pdn"]).is(0);
    assert!(again.errors.contains("0 games in 0 files"), "{}", again.errors);
    for arguments in [
        &["edit", "a.pdn"][..],
        &["edit", "--set", "FEN=x", "a.pdn"],
        &["edit", "--set", "1x=y", "a.pdn"],
        &["edit", "--set", "Event", "a.pdn"],
        &["edit", "--set", "Event=x", "--write", "-"],
    ] {
        folder.run(arguments).is(2);
    }
}

#[test]
fn values_that_an_old_encoding_lacks_are_refused() {
    let old = b"[Event \"\xe9\"]\n1. 32-28 *\n";
    let run = pdn_with(old, &["edit", "--set", "Site=\u{141}", "-"]).is(2);
    assert!(run.bytes == old && run.errors.contains("game 1 is left unchanged"), "{}", run.errors);
    let run = pdn_with(old, &["edit", "--set", "Site=x", "-"]).is(0);
    assert_eq!(run.bytes, b"[Event \"\xe9\"]\n[Site \"x\"]\n1. 32-28 *\n");
}

#[test]
fn damaged_tags_are_edited_if_they_are_read_as_tags_afterwards() {
    for (old, new) in [
        ("[Site \"x\"\n1. 32-28 *\n", "[Site \"Amsterdam\"]\n1. 32-28 *\n"),
        ("[Site x]\n1. 32-28 *\n", "[Site \"Amsterdam\"]\n1. 32-28 *\n"),
        ("([Site\"(\")1-3", "([Site \"Amsterdam\"])1-3"),
    ] {
        assert_eq!(pdn_with(old.as_bytes(), &["edit", "--set", "Site=Amsterdam", "-"]).is(0).text(), new);
    }
    // With another tag, the position would take the tags of the next game.
    let listed = "[FEN \"W:W42:B8\"]\n\n[Event \"1\"]\n[Site \"Amsterdam\"]\n[FEN \"W:W43:B9\"]\n";
    for unchanged in ["[S\"][Site", listed] {
        let run = pdn_with(unchanged, &["edit", "--set", "Site=Amsterdam", "-"]).is(2);
        assert!(run.text() == unchanged && run.errors.contains("its text would be read differently"), "{}", run.errors);
    }
}

#[test]
fn values_are_written_in_the_encoding_of_the_game() {
    let old = b"[White \"\xc8\xe2\xe0\xed\xee\xe2\"]\n[Black \"\xcf\xe5\xf2\xf0\xee\xe2\"]\n1. 32-28 *\n";
    let run = pdn_with(old, &["edit", "--set", "Site=Да", "--set", "White=Ёж", "-"]).is(0);
    let new = b"[White \"\xa8\xe6\"]\n[Black \"\xcf\xe5\xf2\xf0\xee\xe2\"]\n[Site \"\xc4\xe0\"]\n1. 32-28 *\n";
    assert_eq!(run.bytes, new);
    let short = b"[White \"\xb3\"]\n1. 32-28 *\n";
    let run = pdn_with(short, &["edit", "--encoding", "cp1250", "--set", "Site=ł", "-"]).is(0);
    assert_eq!(run.bytes, b"[White \"\xb3\"]\n[Site \"\xb3\"]\n1. 32-28 *\n");
}

fn game(event: &str, date: &str, round: &str) -> String {
    format!("[Event \"{event}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n1. 32-28 *\n\n")
}

#[test]
fn games_are_merged_in_order() {
    let [a, b, c, d] = [
        game("b", "2001.01.01", "10"),
        game("\u{c1}", "2001.01.01", "9"),
        game("b", "2001.01.01", "9"),
        game("z", "1999.??.??", "?"),
    ];
    let folder = Folder::with("1.pdn", [a.as_str(), b.as_str()].concat());
    folder.write("2.pdn", [c.as_str(), d.as_str()].concat());
    let run = folder.run(&["merge", "--sort", "date,event,round", "1.pdn", "2.pdn"]).is(0);
    assert_eq!(run.text(), [d.as_str(), &b, &c, &a].concat());
    let run = folder.run(&["merge", "2.pdn", "1.pdn", "--jobs", "3"]).is(0);
    assert_eq!(run.text(), [c.as_str(), &d, &a, &b].concat());
    // Rounds are ordered by all their numbers.
    let rounds = [
        "?",
        "1.1",
        "1.2",
        "1.10",
        "Ronde 2",
        "ronde 10",
        "1/4 finale",
        "1/2 finale",
        "Finale",
        "99999999999999999999",
        "99999999999999999999.2",
    ];
    let sorted: Vec<_> = rounds.iter().map(|round| game("e", "?", round)).collect();
    let reversed: String = sorted.iter().rev().map(String::as_str).collect();
    assert_eq!(pdn_with(reversed, &["merge", "--sort", "round", "-"]).is(0).text(), sorted.concat());
    // Equal games keep their order.
    let many: Vec<_> = (0..3000).map(|n| format!("[White \"{n}\"]\n1. 32-28 *\n\n")).collect();
    let many = many.concat();
    assert_eq!(pdn_with(&many, &["merge", "--sort", "date,round", "-"]).is(0).text(), many);
    folder.run(&["merge", "--sort", "size", "1.pdn"]).is(2);
}

#[test]
fn transcriptions_are_compared() {
    let one = "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.01.01\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n\
        [White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 33-28 *\n\n[White \"E\"]\n[Black \"F\"]\n[GameType \"20\"]\n1. 31-27 *\n\n";
    let other = "[White \"c\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 33-28 *\n\n\
        [White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 13x24 *\n\n[White \"G\"]\n[Black \"H\"]\n[GameType \"20\"]\n1. 31-27 *\n\n";
    let folder = Folder::with("one.pdn", one);
    folder.write("other.pdn", other);
    let run = folder.run(&["diff", "--format", "json", "one.pdn", "other.pdn"]).is(1);
    let rows = run.values();
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (&rows[0]["ply"], &rows[0]["a_move"], &rows[0]["b_move"]),
        (&4.into(), &"14x23".into(), &"13x24".into())
    );
    assert_eq!(rows[0]["tags"][0]["name"], "Date");
    assert_eq!((&rows[1]["ply"], &rows[1]["tags"][0]["b"]), (&serde_json::Value::Null, &"c".into()));
    assert_eq!((&rows[2]["a"]["game"], &rows[2]["b"]), (&3.into(), &serde_json::Value::Null));
    assert_eq!((&rows[3]["a"], &rows[3]["b"]["game"]), (&serde_json::Value::Null, &3.into()));
    let run = folder.run(&["diff", "--no-tags", "one.pdn", "other.pdn"]).is(1);
    assert!(
        run.text().contains("  ply 4: 14x23 / 13x24\n") && run.text().ends_with("2 games in both, 3 differences\n"),
        "{}",
        run.text()
    );
    let same = folder.run(&["diff", "one.pdn", "one.pdn"]).is(0);
    assert_eq!(same.text(), "3 games in both, 0 differences\n");
    folder.run(&["diff", "one.pdn"]).is(2);
    folder.run(&["diff", "-", "-"]).is(2);
    let missing = folder.run(&["diff", "one.pdn", "missing.pdn"]).is(2);
    assert!(missing.bytes.is_empty() && missing.errors.contains("missing.pdn"), "{}", missing.errors);
}

#[test]
fn a_merged_file_is_utf_8() {
    let russian = encoding_rs::WINDOWS_1251.encode("[White \"Иванов Сергей\"]\n[GameType \"25\"]\n1. c3-d4 *\n").0;
    let folder = Folder::with("russian.pdn", &russian);
    folder.write("french.pdn", b"[White \"Ren\xe9\"]\n[GameType \"20\"]\n1. 32-28 *\n");
    folder.write("dutch.pdn", "[White \"Zoë\"]\n[GameType \"20\"]\n1. 33-28 *\n");
    let run = folder.run(&["merge", "russian.pdn", "french.pdn", "dutch.pdn"]).is(0);
    for name in ["Иванов Сергей", "René", "Zoë"] {
        assert!(run.text().contains(&format!("[White \"{name}\"]\n")), "{}", run.text());
    }
    let guessed = |file, encoding| {
        format!("{file}: not UTF-8, and read in the encoding that its bytes suggest, {encoding}; see --encoding\n")
    };
    let stated = guessed("russian.pdn", "cp1251") + &guessed("french.pdn", "cp1252");
    assert_eq!(run.errors, stated + "2 games in another encoding written as UTF-8\n");
    assert_eq!(folder.run(&["merge", "dutch.pdn"]).is(0).errors, "");
}

/// Tags are elsewhere in a log than in its copy, and the letters of a code page have other lengths in UTF-8.
#[test]
fn tags_are_added_to_copies_of_other_formats_and_encodings() {
    let moves = "1. 32-28 19-23 2. 28x19 14x23 2-0\n";
    let tags = "[Event \"Café\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n";
    let latin = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let folder = Folder::with("a.pdn", latin(&format!("{tags}[Site \"Orléans\"]\n\n{moves}")));
    folder.write("b.pdn", latin(&format!("{tags}[Annotator \"René\"]\n[Round \"1\"]\n\n{moves}")));
    let log = "[Event\"Club\"]\n[White\"A\"]\n[Black\"B\"]\n[Result\"2-0\"]\n[Date\"2026.11.24\"]\n[Round\"1\"]\n\
        [S,\"bbbbbbbbbbbbbbbbbbbb          wwwwwwwwwwwwwwwwwwww\",B,1:20.00,1:20.00,  0,-----]\n\
        [N,\"bbbbbbbbbbbbbbbbbbbb       w  w wwwwwwwwwwwwwwwwww\",B,1:19.00,1:20.00,  1,32-28]\n";
    folder.write("c.ldf", log);
    folder.write(
        "d.pdn",
        "[Event \"Club\"]\n[White \"A\"]\n[Black \"B\"]\n[Site \"x\"]\n[GameType \"20\"]\n1. 32-28 2-0\n",
    );
    for command in ["merge", "search"] {
        let run = folder.run(&[command, "--dedupe", "--combine", "a.pdn", "b.pdn", "c.ldf", "d.pdn"]).is(0);
        assert!(run.errors.contains("2 copies"), "{}", run.errors);
        let games = pdn_with(&run.bytes, &["convert", "--to", "jsonl", "-"]).is(0).values();
        let sites: Vec<_> = games.iter().map(|game| game["tags"]["Site"].as_str()).collect();
        assert_eq!(sites, [Some("Orléans"), Some("x")], "{command}");
        assert_eq!((&games[0]["tags"]["Annotator"], &games[1]["tags"]["Date"]), (&"René".into(), &"2026.11.24".into()));
        let check = pdn_with(&run.bytes, &["check", "--format", "json", "-"]).is(0);
        assert!(!check.text().contains("syntax/"), "{}", check.text());
    }
}

#[test]
fn known_values_replace_unknown_ones_in_the_copy_that_is_kept() {
    let moves = "[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n";
    let names = "[Event \"Cup\"]\n[White \"Ann\"]\n[Black \"Bo\"]\n";
    let short = format!("{names}[Site \"Riga\"]\n[Date \"2001.05.06\"]\n[Round \"?\"]\n{moves}");
    for (date, site) in [("????.??.??", "?"), ("?", ""), ("????-??-??", "-")] {
        let more = "[Annotator \"X\"]\n[WhiteRating \"2000\"]\n[BlackRating \"2000\"]\n[Opening \"Y\"]\n";
        let kept = |date: &str, site: &str| format!("{names}[Site \"{site}\"]\n[Date \"{date}\"]\n{more}{moves}");
        let text = short.clone() + &kept(date, site);
        let run = pdn_with(&text, &["merge", "--dedupe", "--combine", "-"]).is(0);
        assert_eq!(run.text(), kept("2001.05.06", "Riga"), "{date}");
    }
}

#[test]
fn moves_after_an_illegal_one_are_compared_as_written() {
    let game = |rest: &str| {
        format!("[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 {rest} 2-0\n")
    };
    let folder = Folder::with("a.pdn", game("3. 33-19 20-24"));
    for (rest, difference) in [
        ("", "ply 5: 33-19 / (the moves end)"),
        ("3. 34-18 20-25", "ply 5: 33-19 / 34-18"),
        ("3. 33-28 20-24", "ply 5: 33-19 / 33-28"),
        ("3. 33-19 20-25", "ply 6: 20-24 / 20-25"),
    ] {
        folder.write("b.pdn", game(rest));
        let run = folder.run(&["diff", "a.pdn", "b.pdn"]).is(1);
        assert!(run.text().contains(difference), "{rest}: {}", run.text());
    }
    folder.run(&["diff", "a.pdn", "a.pdn"]).is(0);
}
