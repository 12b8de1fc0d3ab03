//! Published lines are recognised, and no other name is given to them.

use std::collections::BTreeMap;

use pdn::board::Side;
use pdn::notation::Numbering;
use pdn::rules::{Move, Position, Variant};
use pdn::shots::{Bounds, Definition, Fate, Shot, find, found_in_game, played};
use serde_json::Value;

/// Examples of names by `(name, kind)`: lines published with their name.
const EXAMPLES: &str = include_str!("../../data/shots/examples.jsonl");

/// Examples that the definitions do not fit: two tags that other capture orders would have. The texts are the beginnings of the
/// lines.
const NOT_RECOGNISED: [(&str, &str); 2] =
    [("temps_de_repos", "37-31 26x28 38-33 21x32 33x4"), ("coup_renverse", "15-20 24x15 4-10 15x4 18-22 4x27 21x45")];

/// A line that gets another name, which its source does not give: the two mechanisms differ only in what the source calls the
/// right order.
const NOT_TOLD_APART: (&str, &str) = ("coup_double_deux", "coup_arnoux");

pub(super) struct Example {
    shot: String,
    text: String,
    high: bool,
    labelled: bool,
    /// An exercise that a book labels.
    book: bool,
    pub(super) start: Position,
    pub(super) line: Vec<Move>,
}

pub(super) fn examples() -> Vec<Example> {
    EXAMPLES.lines().map(example).collect()
}

fn example(json: &str) -> Example {
    let value: Value = serde_json::from_str(json).expect("JSON");
    let text = |name: &str| value[name].as_str().expect("a text").to_owned();
    let variant = Variant::by_name(&text("variant")).expect("a variant");
    let numbering = Numbering::for_variant(variant);
    let start = Position::from_fen(variant, &text("fen")).expect("a FEN");
    let (mut position, mut line) = (start, Vec::new());
    for played in text("line").split(' ') {
        let (from, to) = played.split_once(['-', 'x']).expect("a move");
        let [from, to] = [from, to].map(|name| numbering.find(name).expect("a square"));
        let legal = position.moves_between(from, to);
        let played = legal.first().unwrap_or_else(|| panic!("{json}: {played} is not legal"));
        position = position.play_unchecked(played);
        line.push(*played);
    }
    let labelled = !text("kind").starts_with("book-chapter") && text("kind") != "book-weak";
    Example {
        shot: text("shot"),
        text: text("line"),
        high: text("confidence") == "high" && text("class") != "structure",
        labelled,
        book: text("kind") == "book-named",
        start,
        line,
    }
}

/// The shot of a line, as `pdn shots` lists it.
fn shot_of(example: &Example) -> Option<Shot> {
    let shots = played(&example.start, &example.line);
    let wanted = |shot: &Shot| shot.name().is_some_and(|name| name.id() == example.shot);
    let best = shots.iter().position(|(_, shot)| wanted(shot)).or_else(|| shots.len().checked_sub(1))?;
    Some(shots[best].1.clone())
}

/// Returns the shot of a line even if it wins nothing: labels also name lines whose gain comes later.
fn line_of(example: &Example) -> Option<Shot> {
    shot_of(example).or_else(|| {
        let lines = Side::ALL.into_iter().filter_map(|side| Shot::of_line(&example.start, &example.line, side));
        lines.max_by_key(|shot| (shot.name().is_some(), shot.side() == example.start.turn()))
    })
}

#[test]
fn published_lines_are_recognised() {
    let mut recall: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut missed = Vec::new();
    for example in examples().iter().filter(|example| example.high && example.labelled) {
        let Some(definition) = Definition::by_id(&example.shot) else { continue };
        let found = line_of(example).is_some_and(|shot| shot.has(definition));
        let count = recall.entry(example.shot.clone()).or_default();
        count[0] += usize::from(found);
        count[1] += 1;
        let is_known =
            NOT_RECOGNISED.iter().any(|(name, text)| example.shot == *name && example.text.starts_with(text));
        if !found && !is_known {
            missed.push(format!("{}: {}", example.shot, example.text));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(recall.len() > 30, "{recall:?}");
}

/// Exercises whose solution wins less than a man in the moves that their book gives.
const NOT_WON: [&str; 1] = ["33-29 23x34 39x30 25x34 27-21 26x28 32x25"];

#[test]
fn exercises_of_books_are_shots_where_they_are_played() {
    let books = || examples().into_iter().filter(|example| example.book);
    let missed: Vec<_> = books().filter(|example| played(&example.start, &example.line).is_empty()).collect();
    let missed: Vec<_> = missed.iter().map(|example| &*example.text).filter(|text| !NOT_WON.contains(text)).collect();
    assert!(books().count() > 25 && missed.is_empty(), "{missed:#?}");
}

#[test]
fn no_other_name_is_given() {
    let mut wrong = Vec::new();
    for example in examples().iter().filter(|example| example.high && example.labelled) {
        let name = line_of(example).and_then(|shot| shot.name());
        if let Some(name) = name
            && name.id() != example.shot
            && (&*example.shot, name.id()) != NOT_TOLD_APART
            && Definition::by_id(&example.shot).is_some_and(Definition::is_name)
        {
            wrong.push(format!("{} is not {}: {}", example.shot, name.id(), example.text));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_search_finds_what_the_examples_win() {
    let fen = "W:W27,28,32,33,37,38,39,40,45:B6,12,13,14,18,19,23,24,26";
    let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
    let shot = find(&position, &Bounds::default()).expect("a shot");
    assert_eq!(shot.name().map(Definition::id), Some("coup_royal"));
    assert!(find(&position, &Bounds::default().nodes(3)).is_none());
    let other = position.legal_moves().into_iter().find(|played| *played != shot.moves()[0]).expect("another move");
    let fates = |moves: &[Move]| found_in_game(&position, moves, &Bounds::default());
    assert_eq!(fates(&[])[0].2, Fate::Allowed);
    assert_eq!((fates(&[other])[0].0, fates(&[other])[0].2), (1, Fate::Missed));
    assert_eq!(fates(shot.moves())[0].2, Fate::Played);
}

/// Returns the moves of a text such as `27-22 18x27` in a position.
fn moves(start: &Position, text: &str) -> Vec<Move> {
    let mut position = *start;
    let step = |text| {
        let moves = position.legal_moves();
        let played = *moves.iter().find(|played| position.short(played) == text).unwrap_or_else(|| panic!("{text}"));
        position = position.play_unchecked(&played);
        played
    };
    text.split(' ').map(step).collect()
}

#[test]
fn to_win_back_what_was_offered_is_no_shot() {
    // A two-for-two exchange of an opening: after the first capture, 28-23 wins "a man".
    let start = Position::start(Variant::INTERNATIONAL);
    let opening = moves(&start, "32-28 18-22 31-27 22x31 36x27 12-18 27-22 18x27 28-23 19x28 33x31");
    let found = found_in_game(&start, &opening, &Bounds::default());
    assert!(found.iter().all(|(ply, ..)| *ply < 9), "{found:?}");
    let exchanged = opening[..8].iter().fold(start, |position, played| position.play_unchecked(played));
    assert_eq!(find(&exchanged, &Bounds::default()).map(|shot| shot.gain()), Some(1));
}

#[test]
fn a_king_that_costs_more_than_it_is_worth_is_no_shot() {
    // 27-21 16x27 32-28 23x32 37-31 26x37 gives three men, and 22x2 would take one and crown: three against three.
    for fen in ["W:W22,27,32,37:B16,17,18,23,26", "W:W12,28,33:B2,17,18,19,22,23"] {
        let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
        assert!(find(&position, &Bounds::default()).is_none_or(|shot| shot.gain() > 0), "{fen}");
    }
    let position = Position::from_fen(Variant::INTERNATIONAL, "W:W11,12,19,30:B1,2,7").expect("a FEN");
    let found = played(&position, &moves(&position, "12-8 2x35 11x2"));
    assert!(found.is_empty(), "it was played: {found:?}");
}

#[test]
fn two_for_two_is_not_two_for_one() {
    let fen = "W:W17,21,22,23,24,25,26,27,28,30,31,32:B1,2,3,4,6,7,8,10,12,13,14,15";
    let position = Position::from_fen(Variant::ENGLISH, fen).expect("a FEN");
    let line = moves(&position, "23-18 14x23 27x11 8x15");
    assert!(played(&position, &line).is_empty(), "a man is taken back");
    let cut = Shot::of_line(&position, &line[..3], Side::White).expect("a capture");
    assert_eq!((cut.gain(), cut.name()), (0, None), "a record may end before that");
    let position = Position::from_fen(Variant::ENGLISH, "W:W23,24,28:B14,15,16").expect("a FEN");
    let found = played(&position, &moves(&position, "24-19 15x24 28x12"));
    assert_eq!(found[0].1.name().map(Definition::id), Some("eng_two_for_one"));
}

#[test]
fn a_walk_ends_with_the_piece_that_walked() {
    // The king captures twice and is taken; a man that captured once comes to its square and is taken last.
    let fen = "W:W36,37,39,41,42,46,47,48:B1,4,6,7,9,10,11,12,13,15,26,K50";
    let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
    let line = moves(&position, "39-33 50x28 37-32 28x37 42x31 26x37 41x32");
    let shot = Shot::of_line(&position, &line, Side::White).expect("a capture");
    let has = |id| shot.has(Definition::by_id(id).expect("a definition"));
    assert!(has("twice") && !has("coup_promenade"));
}

/// Lines that resemble a name and are not its strict form.
const NOT_STRICT: [(Variant, &str, &str, &str); 6] = [
    // Nothing that stood in the way of the raid was removed first.
    (Variant::INTERNATIONAL, "W:W24,34,40,45:B12,14,25", "24-19 14x23 34-30 25x34 40x7", "coup_philippe"),
    (Variant::INTERNATIONAL, "W:W24,34,40,45:B13,14,25", "24-19 14x23 34-30 25x34 40x9", "coup_marne"),
    // The last capture takes the king first, from a distance.
    (Variant::INTERNATIONAL, "W:W6,7,9,10,24,33,K21:B5,K44", "7-1 44x29 1x45", "coup_suisse"),
    // A man takes back between the captures of the two kings.
    (
        Variant::INTERNATIONAL,
        "W:W12,15,37,40,45,48,K14:B13,38,K3,K29",
        "14-32 3x42 48x37 38x27 40-34 29x40 45x34",
        "coup_escalier",
    ),
    // Two raids of two for four men: what is won is the king.
    (
        Variant::INTERNATIONAL,
        "W:W25,27,28,30,33,35:B4,9,14,16,19,20,24",
        "27-21 16x27 28-23 19x39 30x10 4x15 25x3",
        "coup_double_deux",
    ),
    // A king and a man for two men.
    (Variant::ENGLISH, "W:W8,21,24,25,32:B2,10,K26", "25-22 26x17 21x7 2x11", "eng_two_for_one"),
];

#[test]
fn what_only_resembles_a_name_does_not_get_it() {
    for (variant, fen, text, id) in NOT_STRICT {
        let position = Position::from_fen(variant, fen).expect("a FEN");
        let shot = Shot::of_line(&position, &moves(&position, text), position.turn()).expect("a capture");
        assert!(shot.name().is_none_or(|name| name.id() != id), "{text} is not {id}");
    }
}

#[test]
fn a_form_with_the_squares_of_a_name_keeps_the_tag() {
    let (_, fen, text, id) = NOT_STRICT[0];
    let wide = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
    let shots = played(&wide, &moves(&wide, text));
    assert!(shots[0].1.has(Definition::by_id(id).expect("a definition")) && shots[0].1.name().is_none());
    // The same raid, for which the man on 18 is drawn away.
    let strict = Position::from_fen(Variant::INTERNATIONAL, "W:W24,27,34,40,45:B12,14,18,25").expect("a FEN");
    let shots = played(&strict, &moves(&strict, "27-22 18x27 24-19 14x23 34-30 25x34 40x7"));
    assert_eq!(shots[0].1.name().map(Definition::id), Some(id));
}

#[test]
fn a_record_may_begin_with_the_capture_of_a_stroke() {
    let fen = "B:W13,14,18,23,29,30,38,39:BK35";
    let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
    let found = played(&position, &moves(&position, "35x34 29x40"));
    assert_eq!(found[0].1.name().map(Definition::id), Some("coup_turc"));
}

#[test]
fn what_is_taken_back_afterwards_does_not_hide_the_name() {
    for (fen, text, id) in [
        (
            "W:W16,27,32,34,38,40,45:B2,12,18,23,25,26",
            "27-22 18x27 32x21 26x17 34-30 25x34 40x7 2x11 16x7",
            "coup_philippe",
        ),
        // The new king takes more after the reply.
        (
            "W:W24,27,29,32,33,37,38,39,43,48:B8,9,12,13,15,16,17,18,21,26",
            "24-19 13x24 29x20 15x24 37-31 26x28 33x2 21x32 2x30",
            "coup_express",
        ),
    ] {
        let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
        let shots = played(&position, &moves(&position, text));
        assert_eq!(
            shots.iter().map(|(_, shot)| shot.name().map(Definition::id)).collect::<Vec<_>>(),
            [Some(id)],
            "{fen}"
        );
        assert_eq!(shots[0].1.finish().to(), moves(&position, text)[shots[0].1.moves().len() - 3].to());
    }
}

#[test]
fn what_the_other_side_cannot_save_is_won() {
    // Two for two, and the man on 7 will be a king.
    let fen = "W:W24,27,34,40,45,48:B12,14,18,25,26,35";
    let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
    let line = moves(&position, "27-22 18x27 24-19 14x23 34-30 25x34 40x7");
    let shots = played(&position, &line);
    assert_eq!(shots.iter().map(|(ply, shot)| (*ply, shot.gain() > 0)).collect::<Vec<_>>(), [(1, true)]);
}
