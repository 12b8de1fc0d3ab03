//! Names of shots: what they mean, and the models that show them.

use pdn::board::Side;
use pdn::rules::{Move, Position};
use pdn::shots::{Definition, Shot};
use pdn::text::Language;
use serde_json::Value;

use crate::support::binary::{Folder, pdn};

/// Returns the moves of a line.
fn moves(start: &Position, line: impl Iterator<Item = &'static str>) -> Vec<Move> {
    let mut position = *start;
    let step = |text| {
        let legal = position.legal_moves();
        let played = *legal.iter().find(|played| position.short(played) == text).unwrap_or_else(|| panic!("{text}"));
        position = position.play_unchecked(&played);
        played
    };
    line.map(step).collect()
}

#[test]
fn every_model_is_a_shot_of_its_kind() {
    let mut without = Vec::new();
    for kind in Definition::all() {
        let Some((fen, line)) = kind.model() else {
            without.push(kind.id());
            continue;
        };
        let start = Position::from_fen(kind.variant(), fen).unwrap_or_else(|error| panic!("{}: {error}", kind.id()));
        let line = moves(&start, line);
        let shots = Side::ALL.into_iter().filter_map(|side| Shot::of_line(&start, &line, side));
        let shot = shots.into_iter().find(|shot| shot.has(kind)).unwrap_or_else(|| panic!("{} is not", kind.id()));
        if kind.is_name() {
            assert_eq!(shot.name().map(Definition::id), Some(kind.id()), "{fen}");
        }
    }
    assert_eq!(without, ["rus_turkish_strike"]);
}

#[test]
fn every_name_in_every_language_means_its_kind() {
    for kind in Definition::all() {
        for language in Language::ALL {
            let name = kind.name(language.code());
            let without = name.split_once(" (").map_or(name, |(name, _)| name);
            for text in name.split(" / ").chain([name, without, &name.to_uppercase()]) {
                let found = Definition::named(text).unwrap_or_else(|| panic!("{text} is unknown"));
                let is_on_another_board = (found.id(), kind.id()) == ("coup_turc", "rus_turkish_strike");
                assert!(found == kind || is_on_another_board, "{text}: {} is not {}", found.id(), kind.id());
            }
        }
        assert_eq!(Definition::named(kind.id()), Some(kind));
    }
    for (text, id) in [
        ("coup renverse", "coup_renverse"),
        ("golpe Napoleao", "coup_napoleon"),
        ("coup de l'e\u{301}ponge", "coup_eponge"),
        ("ENVOI A DAME", "envoi_a_dame"),
        ("одна шашка бьет дважды", "twice"),
        ("турецкии\u{306} удар", "coup_turc"),
    ] {
        assert_eq!(Definition::named(text).map(Definition::id), Some(id), "{text:?}");
    }
    for text in ["", " ", "shot", "coup de la", "philippine", "roy"] {
        assert_eq!(Definition::named(text), None, "{text:?}");
    }
}

#[test]
fn commands_list_names_and_accept_them() {
    let list = pdn(&["shots", "--names", "--lang", "nl", "--format", "json"]).is(0);
    let rows: Vec<Value> = list.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), Definition::all().len());
    let weiss = rows.iter().find(|row| row["shot"] == "coup_express").expect("a row");
    assert_eq!((&weiss["name"], &weiss["kind"]), (&"zet van Weiss".into(), &"name".into()));
    assert_eq!(weiss["names"]["ru"], "удар Вейсса");
    assert!(weiss["mechanism"].as_str().is_some_and(|text| text.starts_with("Minstens drie schijven")), "{weiss}");
    assert_eq!(weiss["model"]["line"][0], "37-31");
    let text = pdn(&["shots", "--names", "--lang", "fr"]).is(0);
    assert!(
        text.text()
            .contains("coup_direct: coup direct (name)\n    On donne, l'adversaire prend, on prend davantage.\n")
    );
    assert_eq!(pdn(&["shots", "--names", "--format", "csv"]).is(0).text().lines().count(), rows.len() + 1);

    let folder = Folder::with(
        "a.pdn",
        "[GameType \"20\"]\n[FEN \"W:W27,28,33,37,38,39:B9,16,26\"]\n1. 37-31 26x37 2. 27-21 16x27 3. 28-22 27x18 4. 38-32 37x28 5. 33x4 *\n",
    );
    for name in [
        "express",
        "weiss",
        "Weiss shot",
        "coup Weiss",
        "zet van Weiss",
        "tiro Weiss",
        "golpe do expresso",
        "Удар Вейсса",
    ] {
        let found = folder.run(&["shots", "--shot", name, "a.pdn"]).is(0);
        assert!(found.errors.contains("1 shot"), "{name}: {}", found.errors);
    }
    let unknown = folder.run(&["puzzles", "--theme", "philippine", "a.pdn"]).is(2);
    assert!(unknown.errors.contains("no shot has the name `philippine`"), "{}", unknown.errors);
}
