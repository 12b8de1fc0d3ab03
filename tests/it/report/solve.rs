//! Pages of exercises: what they have, and that they can be solved.

use pdn::rules::{Position, Variant};
use serde_json::Value;

use super::blocks;
use super::hostile::TEXTS;
use crate::support::binary::{Folder, pdn_with};
use crate::support::browser::Browser;
use crate::support::random::Dice;

/// A puzzle of a game, one of a position that did not occur, an exercise with a wrong try, and a game.
const EXERCISES: &str = "\
[Event \"Winter Cup\"]
[Date \"2026.01.02\"]
[White \"Anna\"]
[Black \"Boris\"]
[Result \"*\"]
[GameType \"20\"]
[FEN \"W:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,13,15,16,17,18,19,20,24\"]
[Goal \"material\"]
[Theme \"royal\"]

1. 28-22 17x28 {forced} 2. 32x25 *

[Event \"Summer Cup\"]
[Date \"2026.06.02\"]
[Result \"*\"]
[GameType \"20\"]
[FEN \"B:W28,31,35,37,38,39,40,43,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,9,10,11,12,15,16,20,24,29\"]
[Goal \"material\"]
[Instead \"34-29 33-28\"]

1... 29-33 2. 38x29 24x22 *

[Event \"Club\"]
[Result \"2-0\"]
[GameType \"20\"]
[FEN \"W:W32,37,41:B14,21,23\"]

{Two captures} 1. 32-27 (1. 32-28 23x32 2. 37x28 {a man each}) 21x32 2. 37x10 *

[Event \"A game\"]
[GameType \"20\"]

1. 32-28 19-23 *
";

fn folder() -> Folder {
    Folder::with("puzzles.pdn", EXERCISES)
}

/// Returns the exercises of a page, as its script reads them.
fn exercises(page: &str) -> Vec<Value> {
    blocks(page, "exercise").iter().map(|lines| serde_json::from_str(lines[0]).expect("JSON")).collect()
}

fn choice<'a>(step: &'a Value, notation: &str) -> &'a Value {
    let all = step.as_array().expect("moves");
    all.iter().find(|choice| choice["notation"] == notation).unwrap_or_else(|| panic!("{notation}: {all:?}"))
}

fn answer(choice: &Value) -> Vec<&str> {
    choice["answer"].as_array().into_iter().flatten().filter_map(|step| step[0].as_str()).collect()
}

#[test]
fn a_page_has_the_moves_of_each_step_and_their_answers() {
    let folder = folder();
    let run = folder.run(&["report", "--solve", "--lang", "nl", "puzzles.pdn", "-o", "page.html"]).is(0);
    let said = "2 exercises; 1 record of positions that were not played left out (--all takes them); 1 record without a position";
    assert!(run.errors.contains(said), "{}", run.errors);
    let page = folder.read("page.html");
    assert!(page.contains("<html lang=\"nl\">") && page.contains("Oplossing tonen"));
    for word in [" src=", "<link rel=\"stylesheet", "http-equiv=\"refresh", "https:"] {
        assert!(!page.contains(word), "{word}");
    }
    let exercises = exercises(&page);
    let [shot, sound] = &exercises[..] else { panic!("two exercises") };
    assert_eq!(shot["source"], "Anna – Boris, Winter Cup, 2026");
    assert_eq!(shot["turn"], "W");
    assert_eq!(shot["task"], "Wit aan zet wint materiaal");
    assert_eq!(shot["theme"], "coup royal");
    assert_eq!(shot["line"][1][3], "forced");
    let steps = shot["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2);
    // Every legal move is there, with an answer unless it is the right one.
    let fen = "W:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,13,15,16,17,18,19,20,24";
    let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a position");
    for played in position.legal_moves() {
        let notation = position.short(&played);
        let found = choice(&steps[0], &notation);
        assert_eq!(answer(found).is_empty(), notation == "28-22", "{notation}");
    }
    // A capture has its turns.
    assert_eq!(choice(&steps[1], "32x25")["paths"][0].as_array().map(Vec::len), Some(4));
    // What the record says of a wrong try comes before what a search finds.
    assert_eq!(answer(choice(&sound["steps"][0], "32-28")), ["23x32", "37x28"]);
    assert_eq!(sound["comment"], "Two captures");
}

/// A variation may say that a move is wrong, and not why.
#[test]
fn moves_without_a_refutation_in_the_record_are_answered_by_a_search() {
    let record = "[GameType \"20\"]\n[Goal \"material\"]\n[FEN \"W:W27,33,38,39,40,45:B12,13,14,19,23,24\"]\n\n\
                  1. 33-28 (1. 38-32) (1. 27-22 {loses}) (1. 27-21 99-98) (1. 40-34) (1. 40-34 12-18) 23x34 2. 40x7 *\n";
    let page = pdn_with(record, &["report", "--solve", "-"]).is(0).text().to_owned();
    let step = &exercises(&page)[0]["steps"][0];
    for wrong in ["38-32", "27-22", "27-21"] {
        assert!(!answer(choice(step, wrong)).is_empty(), "{wrong}");
    }
    assert_eq!(answer(choice(step, "40-34")), ["12-18"]);
}

/// Turning the board changes nothing else, and what happened in an exercise is known when it is opened again.
#[test]
fn exercises_go_on_where_they_were() {
    let folder = folder();
    folder.run(&["report", "--solve", "puzzles.pdn", "-o", "page.html"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("page.html"), "#2");
    let play = |browser: &mut Browser, text: &str| {
        browser.click("#typed-move");
        browser.enter(text);
        browser.value("document.querySelector('#typing').requestSubmit()");
    };
    play(&mut browser, "32-28");
    browser.until("!document.querySelector('#again').hidden");
    browser.click("#flip");
    assert_eq!(browser.value("document.querySelector('#again').hidden"), false, "the answer is still on the board");
    browser.click("#previous");
    browser.click("#next");
    play(&mut browser, "32-27");
    browser.until("[...document.querySelectorAll('#legal-moves option')].some((move) => move.value === '37x10')");
    play(&mut browser, "37x10");
    browser.until("!document.querySelector('#line').hidden");
    let result = "document.querySelector('#progress .dot:nth-child(2)').classList.value";
    assert_eq!(browser.text(result), "dot later");
    browser.click("#flip");
    assert_eq!(browser.value("document.querySelector('#line').hidden"), false, "the exercise is still solved");
    // A solution that is shown counts from the first move on.
    browser.click("#previous");
    browser.click("#solution");
    assert_eq!(browser.text(&result.replace('2', "1")), "dot shown");
    browser.is_quiet(&["page.html"]);
}

#[test]
fn positions_that_were_not_played_say_so() {
    let text = "after 34-29 instead of the game's 33-28";
    let page = pdn_with(EXERCISES, &["report", "--solve", "--all", "-"]).is(0).text().to_owned();
    let exercises = exercises(&page);
    assert_eq!(exercises.len(), 3);
    assert_eq!(exercises[1]["source"], text);
    let unknown = EXERCISES.replace("34-29 33-28", "34-29");
    let page = pdn_with(unknown, &["report", "--solve", "--all", "--lang", "fr", "-"]).is(0).text().to_owned();
    assert!(page.contains("après 34-29, qui n'a pas été joué"));
}

#[test]
fn exercises_with_an_illegal_move_are_left_out() {
    let text = EXERCISES.replace("21x32 2. 37x10", "21x32 2. 40x17");
    let folder = Folder::with("puzzles.pdn", text);
    for output in ["page.html", "site/"] {
        let run = folder.run(&["report", "--solve", "puzzles.pdn", "-o", output]).is(0);
        let said = "; 1 record with an illegal or null move in the solution left out; 1 record without";
        assert!(run.errors.starts_with("1 exercise; ") && run.errors.contains(said), "{}", run.errors);
    }
    assert_eq!(exercises(&folder.read("page.html")).len(), 1);
}

/// Three moves win: where the tag `Goal` is one of `pdn puzzles`, only that of the solution is right.
#[test]
fn only_known_goals_make_other_moves_wrong() {
    let is_good = |goal: &str| {
        let record = format!("[GameType \"20\"]\n[Goal \"{goal}\"]\n[FEN \"W:W22,43:B25\"]\n\n1. 22-17 *\n");
        let page = pdn_with(record, &["report", "--solve", "-"]).is(0).text().to_owned();
        choice(&exercises(&page)[0]["steps"][0], "22-18")["good"] == true
    };
    assert_eq!(["win", "Win", "wins", "?"].map(is_good), [false, false, true, true]);
}

#[test]
fn pages_are_the_same_with_any_number_of_threads() {
    let page = |jobs| pdn_with(EXERCISES.repeat(3), &["report", "--solve", "--jobs", jobs, "-"]).is(0).bytes;
    assert!(page("1") == page("3"));
}

#[test]
fn a_folder_is_a_site_of_lessons() {
    let folder = folder();
    folder.write("two/Les 2 <b>.pdn", EXERCISES);
    folder.write("three/puzzles.pdn", EXERCISES);
    folder.write("games.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    let args = ["report", "--solve", "puzzles.pdn", "two", "three", "games.pdn", "-o", "site/"];
    let run = folder.run(&args).is(0);
    assert!(run.errors.contains("3 lessons in site/: 4 files written"), "{}", run.errors);
    let index = folder.read("site/index.html");
    for link in [
        "lessons/puzzles.html\">puzzles<",
        "lessons/les-2-b.html\">Les 2 &lt;b&gt;<",
        "lessons/puzzles-2.html\">puzzles<",
    ] {
        assert!(index.contains(link), "{link}: {index}");
    }
    assert!(folder.read("site/lessons/puzzles-2.html").contains("\"index\":\"../index.html\""));
    // A lesson that is gone is removed, and a site of games is no place for lessons.
    let run = folder.run(&["report", "--solve", "puzzles.pdn", "-o", "site/"]).is(0);
    assert!(run.errors.contains("2 files removed"), "{}", run.errors);
    let run = folder.run(&["report", "--solve", "games.pdn", "-o", "site/"]).is(2);
    assert!(run.errors.contains("no exercises in the inputs: the site in site/ is left unchanged"), "{}", run.errors);
    assert!(folder.path("site/lessons/puzzles.html").exists());
    folder.run(&["report", "puzzles.pdn", "-o", "site/"]).is(2);
    folder.run(&["report", "puzzles.pdn", "-o", "games/"]).is(0);
    let run = folder.run(&["report", "--solve", "puzzles.pdn", "-o", "games/"]).is(2);
    assert!(run.errors.contains("a site of games"), "{}", run.errors);
}

#[test]
fn exercises_of_every_variant_are_legal_moves() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for &variant in Variant::ALL {
        let mut position = Position::start(variant);
        for _ in 0..12 {
            let moves = position.legal_moves();
            position = position.play_unchecked(&moves[dice.below(moves.len())]);
        }
        let played = position.legal_moves();
        let right = position.full(&played[dice.below(played.len())]);
        let record = format!(
            "[FEN \"{}\"]\n\n{}{right} *\n",
            position.fen(),
            if position.turn() == variant.starts() { "1. " } else { "1... " }
        );
        let page = pdn_with(record, &["report", "--solve", "--variant", variant.name(), "-"]).is(0).text().to_owned();
        let found = exercises(&page);
        let names = found[0]["steps"][0]
            .as_array()
            .expect("moves")
            .iter()
            .map(|choice| choice["notation"].as_str().expect("a name"));
        let legal: Vec<_> = played.iter().map(|step| position.short(step)).collect();
        assert_eq!(names.collect::<Vec<_>>(), legal, "{variant}");
    }
}

#[test]
fn hostile_text_is_only_shown() {
    let records: String = TEXTS
        .map(|text| {
            let tag = text.replace('"', "'");
            format!(
                "[Event \"{tag}\"]\n[White \"{tag}\"]\n[Black \"{tag}\"]\n[Theme \"{tag}\"]\n[Instead \"{tag}\"]\n[Goal \"{tag}\"]\n\
                 [Result \"2-0\"]\n[GameType \"20\"]\n[FEN \"W:W32,37,41:B14,21,23\"]\n\n{{{tag}}} 1. 32-27 {{{tag}}} \
                 (1. 32-28 {{{tag}}}) 21x32 {{{tag}}} 2. 37x10 {{{tag}}} *\n\n"
            )
        })
        .concat();
    let folder = Folder::with("a.pdn", records);
    folder.run(&["report", "--solve", "--all", "--title", TEXTS[0], "a.pdn", "-o", "page.html"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    for number in 1..=TEXTS.len() {
        browser.open(&folder.path("page.html"), &format!("#{number}"));
        browser.click("#hint");
        browser.click("#solution");
        browser.until("!document.querySelector('#line').hidden");
        let shown = browser.text("document.body.innerText");
        assert!(!shown.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{1}']), "{shown:?}");
    }
    assert_eq!(browser.value("window.reached ?? null"), Value::Null);
    assert_eq!(browser.value("document.querySelectorAll('img, iframe, object, [onclick], [onerror]').length"), 0);
    browser.is_quiet(&["page.html"]);
}
