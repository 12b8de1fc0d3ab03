//! `pdn lesson`: a shot, explained and shown in games, with exercises.

use super::sheet::{operations, pages};
use crate::support::binary::{Folder, Run, pdn, pdn_with};
use crate::support::sources::root;

const GAMES: &str = "samples/games/international.pdn";

/// White overlooks the royal shot, and then makes it.
const ROYAL: &str = "[Event \"Cup\"]\n[Date \"1999.05.01\"]\n[White \"Ada\"]\n[Black \"Bo\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n\
                     [FEN \"B:W27,33,38,39,40,45,48:B3,9,12,13,19,23,24\"]\n1... 9-14 2. 48-42 *\n\n";

/// Runs the command on the sample in a folder.
fn lesson(folder: &Folder, arguments: &[&str]) -> Run {
    let games = root().join(GAMES);
    let games = games.to_str().expect("a path");
    folder.run(&[&["lesson", "--nodes", "2000", "direct", games], arguments].concat())
}

/// Returns the number of records.
fn records(text: &str) -> usize {
    text.matches("[FEN ").count()
}

#[test]
fn the_exercises_are_puzzles_with_the_shot() {
    let folder = Folder::new();
    let run = lesson(&folder, &["--examples", "2", "-o", "a.pdn"]).is(0);
    assert!(run.errors.contains("direct shot: 2 examples, "), "{}", run.errors);
    let exercises = folder.read("a.pdn");
    let number = records(&exercises);
    assert!(
        number > 2 && run.errors.contains(&format!("{number} exercises out of {} puzzles", number + 2)),
        "{}",
        run.errors
    );
    let games = root().join(GAMES);
    let puzzles =
        folder.run(&["puzzles", "--nodes", "2000", "--theme", "direct", games.to_str().expect("a path")]).is(0);
    assert_eq!(records(puzzles.text()), number + 2);
    let parts = |text: &str| text.split("[Event ").skip(1).map(|part| part.trim().to_owned()).collect::<Vec<_>>();
    let all = parts(puzzles.text());
    let chosen = parts(&exercises);
    assert!(chosen.iter().all(|exercise| all.contains(exercise)), "{exercises}");
    let level = |exercise: &String| {
        let (_, rest) = exercise.split_once("[Difficulty \"").expect("a tag");
        rest.split('"').next().and_then(|level| level.parse::<u32>().ok()).expect("a number")
    };
    assert!(chosen.iter().map(level).is_sorted(), "from easy to hard: {exercises}");
    folder.run(&["verify", "a.pdn"]).is(0);
    let one = lesson(&folder, &["--examples", "1", "--exercises", "1", "--played", "-o", "b.pdn"]).is(0);
    let text = folder.read("b.pdn");
    assert!(one.errors.contains("1 example, 1 exercise out of") && records(&text) == 1, "{}", one.errors);
    assert!(!text.contains("[Instead "));
}

#[test]
fn a_page_has_the_explanation_the_examples_and_the_exercises() {
    let page = |language: &str, exercises: &str| {
        let arguments = ["lesson", "--nodes", "20000", "--exercises", exercises, "--lang", language, "coup royal", "-"];
        pdn_with(ROYAL, &arguments).is(0).text().to_owned()
    };
    let html = page("en", "0");
    let introduction = html.split_once("</details>").expect("an introduction").0;
    for text in [
        "<title>Royal shot (coup royal)</title>",
        "<p>You give three men at once",
        "<p>The enemy man must take three men and stops on 34",
        "</span>Model</h2>",
        ">Ada – Bo</h2>",
        "Cup, 1999.05.01",
        "The royal shot, winning",
    ] {
        assert!(introduction.contains(text), "{text}: {introduction}");
    }
    assert!(introduction.matches("<svg ").count() >= 2, "the model and an example");
    assert!(!html.contains("class=\"exercise\""), "no exercises are asked for");
    let dutch = page("nl", "9");
    assert!(dutch.contains("<p>U geeft drie schijven tegelijk") && dutch.contains("<h2>Voorbeelden</h2>"));
    assert!(!dutch.contains("You give"));
}

#[test]
fn a_page_has_its_exercises_with_their_answers() {
    let folder = Folder::new();
    let run = lesson(&folder, &["--examples", "1", "--exercises", "2", "-o", "a.html"]).is(0);
    let html = folder.read("a.html");
    let blocks = html.matches("<script type=\"application/json\" class=\"exercise\">").count();
    assert_eq!((blocks, html.matches("<details id=\"introduction\"").count()), (2, 1), "{}", run.errors);
    assert!(html.contains("\"steps\":") && html.contains("\"answer\":"));
}

#[test]
fn a_sheet_has_everything_and_its_solutions_on_the_last_page() {
    let folder = Folder::new();
    let run = lesson(&folder, &["--examples", "2", "--exercises", "3", "--lang", "fr", "-o", "a.pdf"]).is(0);
    assert!(run.errors.contains("coup direct: 2 examples, 3 exercises"), "{}", run.errors);
    let pdf = std::fs::read(folder.path("a.pdf")).expect("a PDF");
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    // The explanation and the examples, the exercises, the solutions.
    assert_eq!(pages(&pdf), 3);
    assert_eq!(operations(&pdf, "/B0 Do"), 6, "the model, two examples, three exercises");
    let without = lesson(&folder, &["--examples", "0", "--exercises", "3", "-o", "b.pdf"]).is(0);
    let pdf = std::fs::read(folder.path("b.pdf")).expect("a PDF");
    assert_eq!((pages(&pdf), operations(&pdf, "/B0 Do")), (3, 4), "{}", without.errors);
}

#[test]
fn names_are_accepted_in_any_language_and_unknown_ones_refused() {
    let run = pdn(&["lesson", "philippine", GAMES]).is(2);
    assert!(run.errors.contains("no shot has the name `philippine`; `pdn shots --names` lists them"), "{}", run.errors);
    let text = |name| pdn_with(ROYAL, &["lesson", "--nodes", "20000", name, "-"]).is(0).text().to_owned();
    let english = text("royal");
    for name in ["coup_royal", "Royal Shot", "colpo reale", "golpe real", "королевский удар"] {
        assert_eq!(text(name), english, "{name}");
    }
}

/// A few puzzles would all become examples.
#[test]
fn for_records_no_puzzle_becomes_an_example_unless_asked_for() {
    let folder = Folder::with("a.pdn", ROYAL);
    let written = |arguments: &[&str]| {
        let all = ["lesson", "--nodes", "20000", "royal", "a.pdn", "-o", "b.pdn"];
        folder.run(&[&all[..], arguments].concat()).is(0);
        records(&folder.read("b.pdn"))
    };
    let all = written(&[]);
    assert!(all > 0);
    assert_eq!([written(&["--examples", "1"]), written(&["--examples", "0"])], [all - 1, all]);
}

/// The name is that of one shot in International draughts and of another one in Russian.
#[test]
fn the_explanation_is_that_of_the_shot_on_the_board_of_the_games() {
    let text = "[GameType \"25\"]\n[FEN \"W:Wc3,c5,c7,f4,f6:Bb8,Kf8\"]\n\n1. c7-d8 *\n";
    for (name, title) in [("турецкий удар", "Turkish strike"), ("coup_turc", "Turkish strike")] {
        let page = pdn_with(text, &["lesson", "--nodes", "20000", name, "-"]).is(0);
        assert!(page.text().contains(&format!("<title>{title}</title>")), "{}", page.errors);
        assert!(page.errors.starts_with(title), "{}", page.errors);
    }
}

#[test]
fn nothing_is_written_if_no_puzzle_has_the_shot() {
    let folder = Folder::with("a.pdn", ROYAL);
    let run = folder.run(&["lesson", "--nodes", "20000", "philippe", "a.pdn", "-o", "a.pdf"]).is(2);
    assert!(run.errors.contains("no example of Philippe shot: 1 game searched, "), "{}", run.errors);
    assert!(!run.errors.contains(" 0 other puzzles"), "{}", run.errors);
    assert_eq!(folder.names(), ["a.pdn"]);
    let empty = pdn_with("", &["lesson", "royal", "-"]).is(2);
    assert!(empty.errors.contains("0 games searched, 0 other puzzles found"), "{}", empty.errors);
}
