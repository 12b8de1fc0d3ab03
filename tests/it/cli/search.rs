//! `pdn search`: tags, positions, moves, formats, and games that are kept once.

use std::collections::BTreeSet;

use pdn::board::{Piece, Side};
use pdn::check::{CheckOptions, file_reviews};
use pdn::rules::{Position, Variant};

use crate::support::binary::{Folder, fed, pdn, pdn_with};

const GAMES: &str = "\
[Event \"Suikerdam 1969\"]\n[Date \"1969.12.26\"]\n[White \"Sijbrands, Ton\"]\n[Black \"Jansen\"]\n[WhiteRating \"2400\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\
1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[Event \"Suikerdam 1970\"]\n[Date \"1970.??.??\"]\n[White \"Clerc, Rob\"]\n[Black \"S\u{ef}jbr\u{e1}nds\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n\
1. 32-28 $4 (1. 33-28 18-23) 1... 18-23 2. 37-32 23-29 1-1\n\n\
[Event \"Other\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[GameType \"25\"]\n\
1. c3-d4 d6-c5 0-1\n\n";

/// Returns the events of the games that a search finds.
fn found(arguments: &[&str]) -> Vec<String> {
    let run = pdn_with(GAMES, &[&["search"], arguments, &["-"]].concat()).is(0);
    let events = run.text().lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"));
    events.map(|event| event.trim_start_matches("Suikerdam ").to_owned()).collect()
}

#[test]
fn expressions_select_games() {
    for (expression, events) in [
        ("white ~ sijbrands", &["1969"][..]),
        ("player ~ \"^sijbr[aá]nds\"", &["1969", "1970"]),
        ("player = SIJBRANDS", &["1970"]),
        ("not player ~ sij", &["Other"]),
        ("White !~ sij and result != 1-1", &["Other"]),
        ("year >= 1970", &["1970"]),
        ("year = 1969 or year = 1970 and result = \"2-0\"", &["1969"]),
        ("(year = 1969 or year = 1970) and result = 1-1", &["1970"]),
        ("result = 1-0", &["1969"]),
        ("result = 0-2", &["Other"]),
        ("result != \"1/2-1/2\"", &["1969", "Other"]),
        ("result ~ \"^0-2$\"", &[]),
        ("date >= 1969.12", &["1969"]),
        ("date = 1970", &["1970"]),
        ("date", &["1969", "1970"]),
        ("not Date", &["Other"]),
        ("white_rating > 2399", &["1969"]),
        ("rating", &["1969"]),
        ("winner = B", &["Other"]),
        ("winner = W", &["1969"]),
        ("winner = draw", &["1970"]),
        ("variant = russian", &["Other"]),
        ("variant = 20 and plies = 4", &["1969", "1970"]),
        ("plies <= 2", &["Other"]),
        ("blunders >= 1", &["1970"]),
        ("blunders = 0", &["1969", "Other"]),
        ("game = 2", &["1970"]),
        ("file = -", &["1969", "1970", "Other"]),
        ("GameType > 20", &["Other"]),
        ("event ~ \"dam 19(69|71)\"", &["1969"]),
    ] {
        assert_eq!(found(&["--where", expression]), events, "{expression}");
        let count = pdn_with(GAMES, &["search", "--count", "--where", expression, "-"]).is(0);
        assert_eq!(count.text(), format!("{}\n", events.len()), "{expression}");
        let others = 3 - events.len();
        let inverted = pdn_with(GAMES, &["search", "-v", "--count", "--where", expression, "-"]).is(0);
        assert_eq!(inverted.text(), format!("{others}\n"), "{expression}");
    }
}

#[test]
fn positions_and_moves_select_games() {
    for (arguments, events) in [
        (&["--sequence", "32-28 19-23"][..], &["1969"][..]),
        (&["--sequence", "28x19"], &["1969"]),
        (&["--sequence", "1. 32-28 18-23 2. 37-32"], &["1970"]),
        (&["--sequence", "33-28 18-23"], &["1970"]),
        (&["--sequence", "33-28 18-23", "--no-variations"], &[]),
        (&["--sequence", "19-23 32-28"], &[]),
        (&["--sequence", "19-23 32-28", "--mirror"], &["1969"]),
        (&["--sequence", "18-23 33-28", "--mirror"], &["1970"]),
        // The squares of a move may be named by any numbering: 37-32 is c3-d4 too.
        (&["--sequence", "c3-d4"], &["1970", "Other"]),
        (&["--pattern", "28=w 23=b"], &["1969", "1970"]),
        (&["--pattern", "28=w 23=b turn=B"], &["1970"]),
        (&["--pattern", "28=w,18=.,23=b", "--no-variations"], &["1970"]),
        (&["--pattern", "d4=w c5=b"], &["Other"]),
        (&["--material", "all=38"], &["1969"]),
        (&["--material", "white=20 black=19"], &["1969"]),
        (&["--material", "white=19 black=20"], &[]),
        (&["--material", "white=19 black=20", "--mirror"], &["1969"]),
        (&["--material", "all<=24"], &["Other"]),
        (&["--material", "kings>0"], &[]),
        (&["--fen", "W:W31-50:B1-20"], &["1969", "1970"]),
        (&["--fen", "B:W31-50:B1-20"], &[]),
        (&["--fen", "?:W31-50:B1-20", "--where", "year = 1969"], &["1969"]),
        (&["--fen", "B:W28,31,33-50:B1-20"], &["1969", "1970"]),
        (&["--fen", "B:W28,31,33-50:B1-20", "--material", "all=38"], &[]),
        (&["--fen", "W:W31-50:B1-18,20,23"], &[]),
    ] {
        assert_eq!(found(arguments), events, "{arguments:?}");
    }
}

/// A position with exchanged colours on the board turned by half.
fn mirrored(position: &Position) -> Position {
    let pieces: Vec<String> = [Side::Black, Side::White]
        .map(|side| {
            let squares = position.pieces().filter(|(_, owner, _)| *owner == side);
            let names = squares.map(|(square, _, piece)| {
                let number = 51 - pdn::notation::Numbering::internal(Variant::INTERNATIONAL).number(square);
                format!("{}{number}", if piece == Piece::King { "K" } else { "" })
            });
            names.collect::<Vec<_>>().join(",")
        })
        .into();
    let turn = if position.turn() == Side::White { 'B' } else { 'W' };
    Position::from_fen(Variant::INTERNATIONAL, &format!("{turn}:W{}:B{}", pieces[0], pieces[1])).expect("a position")
}

/// All positions of the main lines of a file, by the numbers of their games.
fn positions(path: &str) -> Vec<(u64, Position)> {
    let mut all = Vec::new();
    for review in file_reviews(path, CheckOptions::default()).expect("a file") {
        let review = review.expect("a game");
        let game = review.game();
        all.extend(game.start().map(|start| (review.number(), *start)));
        all.extend(game.positions().map(|(_, _, position)| (review.number(), *position)));
    }
    all
}

const INTERNATIONAL: &str = "samples/games/international.pdn";

/// Returns the numbers of the games that a search finds in the sample.
fn numbers(arguments: &[&str]) -> BTreeSet<u64> {
    let run = pdn(&[&["search", "--to", "jsonl", "--no-variations"], arguments, &[INTERNATIONAL]].concat()).is(0);
    run.values().iter().map(|row| row["game"].as_u64().expect("a number")).collect()
}

#[test]
fn positions_are_those_of_a_naive_scan() {
    let all = positions(INTERNATIONAL);
    assert!(all.len() > 200);
    for (_, wanted) in all.iter().step_by(37) {
        let fen = wanted.fen();
        let exact: BTreeSet<u64> = all.iter().filter(|(_, other)| other.fen() == fen).map(|(game, _)| *game).collect();
        assert_eq!(numbers(&["--fen", &fen]), exact, "{fen}");
        let other = mirrored(wanted).fen();
        let either: BTreeSet<u64> =
            all.iter().filter(|(_, found)| found.fen() == fen || found.fen() == other).map(|(game, _)| *game).collect();
        assert_eq!(numbers(&["--fen", &other, "--mirror"]), either, "{fen}");
    }
}

#[test]
fn patterns_are_those_of_a_naive_scan() {
    let all = positions(INTERNATIONAL);
    let square =
        |number: u8| pdn::notation::Numbering::internal(Variant::INTERNATIONAL).square(number).expect("a square");
    let holds = |position: &Position, number: u8| position.piece_at(square(number));
    let naive = |test: &dyn Fn(&Position) -> bool| {
        all.iter().filter(|(_, position)| test(position)).map(|(game, _)| *game).collect::<BTreeSet<u64>>()
    };
    let men = |position: &Position| position.pieces().filter(|(_, _, piece)| *piece == Piece::Man).count();
    let outpost =
        |position: &Position| holds(position, 24) == Some((Side::White, Piece::Man)) && holds(position, 20).is_none();
    assert_eq!(numbers(&["--pattern", "24=w 20=."]), naive(&outpost));
    assert_eq!(numbers(&["--pattern", "24=w 20=.", "--mirror"]), naive(&|p| outpost(p) || outpost(&mirrored(p))));
    let clear = |position: &Position| (21..=30).all(|number| holds(position, number).is_none()) && men(position) < 40;
    assert_eq!(numbers(&["--pattern", "21-30=.", "--material", "men<40"]), naive(&clear));
    let few = |position: &Position| men(position) < 20;
    assert_eq!(numbers(&["--material", "men<20"]), naive(&few));
    assert_eq!(numbers(&["--pattern", "*=wb."]), naive(&|position| position.kings().is_empty()));
    assert_eq!(numbers(&["--pattern", "1-50=!WB *=."]), naive(&|position| position.kings().is_empty()));
}

#[test]
fn the_bytes_of_games_are_kept() {
    let crlf = GAMES.replace('\n', "\r\n");
    let mut old = GAMES.as_bytes().to_vec();
    old.splice(0..0, b"{caf\xe9}\n[Event \"\xc9t\xe9\"]\n1. 32-28 *\n\n\n\n".iter().copied());
    for input in [GAMES.as_bytes(), crlf.as_bytes(), &old] {
        for arguments in [
            &["search", "-"][..],
            &["search", "--where", "plies > 0", "-"],
            &["search", "-v", "--material", "all=1", "-"],
        ] {
            assert_eq!(pdn_with(input, arguments).is(0).bytes, input, "{arguments:?}");
        }
    }
    let found = pdn_with(&old, &["search", "--where", "Event = ete", "-"]).is(0);
    assert!(found.bytes.starts_with(b"{caf\xe9}\n[Event \"\xc9t\xe9\"]\n1. 32-28 *\n"));
    // Games are apart, whatever was between them.
    let run = pdn_with("[Event \"a\"]\n1. 32-28 *", &["search", "-"]).is(0);
    assert_eq!(run.text(), "[Event \"a\"]\n1. 32-28 *\n\n");
}

#[test]
fn rows_are_those_of_convert() {
    for (to, table) in [("jsonl", &["--to", "jsonl"][..]), ("csv", &["--to", "csv"])] {
        for path in ["samples/games", "samples/diagnostics/move-illegal.pdn"] {
            let all = pdn(&[&["convert"], table, &[path]].concat());
            let found = pdn(&["search", "--to", to, path]).is(0);
            assert_eq!(found.text(), all.text(), "{to} {path}");
        }
    }
}

#[test]
fn games_are_found_in_any_input() {
    let folder = Folder::with("a.pdn", GAMES);
    let zip = ["search", "--where", "year = 1969 and plies = 4", "--count"];
    let plain = folder.run(&[&zip[..], &["a.pdn"]].concat()).is(0);
    assert_eq!(plain.text(), "1\n");
    folder.write("b/c.pdn", GAMES.repeat(500));
    for jobs in ["1", "2", "7"] {
        let run = folder.run(&["search", "--jobs", jobs, "--where", "result = 1-1", "b", "a.pdn"]).is(0);
        assert_eq!(run.text().matches("[Event \"Suikerdam 1970\"]").count(), 501);
        assert_eq!(run.text().matches("[Event").count(), 501);
    }
    let run = folder.run(&["search", "--where", "year = 1969", "missing.pdn", "a.pdn"]).is(2);
    assert_eq!(run.text().matches("[Event").count(), 1);
    let piped = fed(&folder.path("."), GAMES.as_bytes(), &["search", "--count", "-"]);
    assert_eq!(piped.stdout, b"3\n");
}

#[test]
fn games_are_sorted_into_files() {
    let folder = Folder::with("a.pdn", GAMES);
    for (key, names) in [
        ("year", &["1969.pdn", "1970.pdn", "unknown.pdn"][..]),
        ("event", &["Other.pdn", "Suikerdam 1969.pdn", "Suikerdam 1970.pdn"]),
        ("variant", &["international.pdn", "russian.pdn"]),
        (
            "player",
            &["A.pdn", "B.pdn", "Clerc, Rob.pdn", "Jansen.pdn", "Sijbrands, Ton.pdn", "S\u{ef}jbr\u{e1}nds.pdn"],
        ),
    ] {
        folder.run(&["search", "--split", key, "--out-dir", key, "a.pdn"]).is(0);
        let mut found: Vec<_> = std::fs::read_dir(folder.path(key)).expect("a folder").flatten().collect();
        found.sort_by_key(std::fs::DirEntry::file_name);
        let found: Vec<_> = found.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(found, names, "{key}");
    }
    assert!(folder.read("year/1969.pdn").starts_with("[Event \"Suikerdam 1969\"]"));
    let all = ["international", "russian"].map(|name| folder.read(&format!("variant/{name}.pdn"))).concat();
    assert_eq!(all, GAMES);
    folder.run(&["search", "--split", "year", "a.pdn"]).is(2);
    folder.run(&["search", "--split", "player", "--to", "csv", "--out-dir", "rows", "a.pdn"]).is(0);
    assert_eq!(folder.read("rows/Jansen.csv").lines().count(), 2);
    folder.write("bye.pdn", "[White \"Ann\"]\n[Black \"bye\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n\n2-0\n\n");
    folder.run(&["search", "--split", "player", "--out-dir", "byes", "bye.pdn"]).is(0);
    assert!(folder.path("byes/Ann.pdn").exists() && !folder.path("byes/bye.pdn").exists());
}

#[test]
fn games_with_the_same_moves_are_kept_once() {
    const MOVES: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 35-30 20-25 7. 33-29 25x34 \
        8. 40x29 23x34 9. 39x30 10-14 10. 44-39 14-20 11. 50-44 20-25";
    let short = format!("[Event \"short\"]\n[GameType \"20\"]\n{MOVES} *\n\n");
    let bare = format!("[Event \"?\"]\n[GameType \"20\"]\n{MOVES} 12. 30-24 *\n\n");
    let full = format!("[Event \"full\"]\n[Site \"x\"]\n[GameType \"20\"]\n{MOVES} {{good}} 12. 30-24 *\n\n");
    let empty = "[Event \"empty\"]\n*\n\n";
    let folder = Folder::with("a.pdn", format!("{short}{bare}{empty}{full}{bare}{empty}"));
    let run = folder.run(&["search", "--dedupe", "--dropped", "rest.pdn", "a.pdn"]).is(0);
    assert_eq!(run.text(), format!("{empty}{full}{empty}"));
    assert_eq!(folder.read("rest.pdn"), format!("{short}{bare}{bare}"));
    let input = folder.read("a.pdn");
    assert_eq!(pdn_with(&input, &["search", "--dedupe", "--count", "-"]).is(0).text(), "3\n");
    let few = pdn_with(&input, &["search", "--dedupe", "--where", "Event != full", "-"]).is(0);
    assert_eq!(few.text(), format!("{bare}{empty}{empty}"));
}

#[test]
fn results_without_moves_are_kept_once() {
    let result = |white: &str, black: &str, round: &str, result: &str| {
        format!(
            "[Event \"E\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n{result}\n\n"
        )
    };
    let (bye, forfeit) = (result("Ann", "bye", "1", "2-0"), result("Bob", "Carl", "2", "2F-0"));
    let later = result("Ann", "bye", "2", "2-0");
    let unknown = result("Ann", "?", "1", "2-0");
    let problem = |fen: &str| result("Ann", "Bob", "1", "*").replacen('[', &format!("[FEN \"{fen}\"]\n["), 1);
    let others = [unknown.as_str(), &unknown, &problem("W:W31:B20"), &problem("W:W32:B20")].concat();
    let folder = Folder::with("a.pdn", [&bye, &forfeit, &later, &others].map(String::as_str).concat());
    folder.write("b.pdn", format!("{forfeit}{bye}"));
    for command in ["merge", "search"] {
        let run = folder.run(&[command, "--dedupe", "a.pdn", "b.pdn"]).is(0);
        assert_eq!(run.text(), folder.read("a.pdn"), "{command}");
        assert!(run.errors.contains("2 copies"), "{}", run.errors);
    }
    let run =
        folder.run(&["check", "--duplicates", "--format", "json", "--select", "replay/duplicate", "a.pdn", "b.pdn"]);
    let found: Vec<_> = run.diagnostics().iter().map(|row| (row["code"].clone(), row["game"].clone())).collect();
    assert_eq!(found, [("replay/duplicate".into(), 1.into()), ("replay/duplicate".into(), 2.into())]);
}

#[test]
fn questions_without_meaning_are_refused() {
    for (arguments, message) in [
        (&["--where", "white ~"][..], "pdn: --where: expected a value"),
        (&["--where", "year >= x"], "expected a number\n  | year >= x\n  |         ^\n"),
        (&["--fen", "W:W31:Bz"], "pdn: the FEN: "),
        (&["--pattern", "28=x"], "pdn: the pattern: expected w, W, b, B or `.`\n  | 28=x\n  |    ^\n"),
        (&["--pattern", "99=w"], "no square of this name"),
        (&["--material", "bishops=2"], "pdn: the material: expected white, black"),
        (&["--sequence", "32-28 hello"], "pdn: the sequence: not a move"),
        (&["--sequence", " "], "expected moves"),
        (&["--split", "year"], "--out-dir"),
        (&["--split", "year", "--out-dir", "x", "-o", "y"], "cannot be used with"),
        (&["--dropped", "x"], "--dedupe"),
    ] {
        let run = pdn_with(GAMES, &[&["search"], arguments, &["-"]].concat()).is(2);
        assert!(run.errors.contains(message), "{arguments:?}: {}", run.errors);
        assert!(run.bytes.is_empty());
    }
}

#[test]
fn hostile_games_and_questions_are_harmless() {
    let formula = "[Event \"=1+1\"]\n[White \"@SUM(A1)\"]\n1. 32-28 *\n";
    let run = pdn_with(formula, &["search", "--to", "csv", "--escape-formulas", "-"]).is(0);
    assert!(run.text().contains("'=1+1") && run.text().contains("'@SUM(A1)"));
    let everything =
        pdn_with(GAMES, &["search", "--count", "--where", "White ~ \"(.*)*\" or not White ~ \"\"", "-"]).is(0);
    assert_eq!(everything.text(), "3\n");
    let deep = format!("[GameType \"20\"]\n1. 32-28 {}", "(1. 31-27 ".repeat(20_000));
    assert_eq!(pdn_with(&deep, &["search", "--count", "--sequence", "31-27", "-"]).is(0).text(), "1\n");
    let many: Vec<_> = (0..10_000).map(|n| format!("[White \"Player {n}\"]\n1. 32-28 *\n\n")).collect();
    let many = many.concat();
    assert_eq!(pdn_with(&many, &["search", "--count", "--where", "White ~ \"7$\"", "-"]).is(0).text(), "1000\n");
}

#[test]
fn accuracy_is_that_of_annotated_games() {
    let games = "[GameType \"20\"]\n1. 32-28 {[%eval 0.10]} 20-25 {[%eval 0.12]} 2. 28-23 $4 {[%eval -1.00]} 19x28 {[%eval -1.00]} *\n\n\
        [GameType \"20\"]\n1. 32-28 20-25 *\n";
    for (question, count) in [
        ("accuracy < 60", 1),
        ("white_accuracy < 60", 1),
        ("black_accuracy > 90", 1),
        ("black_accuracy < 60", 0),
        ("accuracy", 1),
    ] {
        let run = pdn_with(games, &["search", "--count", "--where", question, "-"]).is(0);
        assert_eq!(run.text(), format!("{count}\n"), "{question}");
    }
}

#[test]
fn a_date_without_a_known_part_is_none() {
    let text = "[Date \"????.??.??\"]\n1. 32-28 *\n\n[Date \"?\"]\n[EventDate \"1990\"]\n1. 32-28 *\n\n\
        [Date \"05/06/1990\"]\n[White \"Чижов\"]\n1. 32-28 *\n\n";
    for (question, count) in [("date", "2\n"), ("date = 1990", "2\n"), ("not date", "1\n"), ("player ~ чиж", "1\n")]
    {
        assert_eq!(pdn_with(text, &["search", "--count", "--where", question, "-"]).is(0).text(), count, "{question}");
    }
}
