//! The variant of games that no tag gives: random games of every variant, real games without their GameType, and files of
//! several games. The long test prints its table with
//! `PDN_LONG_TESTS=1 cargo test --release --test it replay::inference -- --nocapture`.

#![expect(clippy::print_stdout, reason = "tables")]

use std::fmt::Write as _;
use std::io::Cursor;

use pdn::board::{Corner, Names, Shape};
use pdn::canon::{FormatOptions, format_game, is_undecided};
use pdn::check::{CheckOptions, Review, input_reviews, reviews};
use pdn::diag::Code;
use pdn::notation::{Numbering, Outcome};
use pdn::replay::{EVIDENCE_BYTES, Inference};
use pdn::rules::{Position, Variant};
use pdn::source::{ChunkOptions, Input};

use crate::support::corpus::{corpus, long_tests, records};
use crate::support::random::Dice;

/// How inferences went.
#[derive(Debug, Default)]
struct Score {
    right: usize,
    one_of: usize,
    wrong: usize,
}

impl Score {
    fn add(&mut self, inference: Inference, variant: Variant) {
        match inference.variant() {
            Some(taken) if taken == variant => self.right += 1,
            _ if inference.others().any(|other| other == variant) => self.one_of += 1,
            _ => self.wrong += 1,
        }
    }
}

/// A game by chance, played to its end or to a limit, in these names of squares.
fn random_game(variant: Variant, numbering: Numbering, dice: &mut Dice) -> String {
    let mut position = Position::start(variant);
    let mut moves = String::new();
    let plies = 20 + dice.below(120);
    for ply in 0..plies {
        let legal = position.legal_moves();
        if position.winner().is_some() || legal.is_empty() {
            break;
        }
        let played = legal[dice.below(legal.len())];
        let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
        let _ = write!(moves, "{number}{} ", position.short_in(&played, numbering));
        position = position.play_unchecked(&played);
    }
    let result = position.winner().map_or("*", |side| Outcome::Win(side).result_text(variant));
    format!("[Event \"by chance\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n")
}

/// The names of squares in which a variant is written: its own, letters for numbers or numbers for letters, and numbers
/// from the bottom left on small boards with letters.
fn names(variant: Variant) -> Vec<Numbering> {
    let own = Numbering::for_variant(variant);
    let other = if own.is_algebraic() { Names::Numeric } else { Names::Algebraic };
    let other = Numbering::new(own.shape(), own.is_mirrored(), other, own.corner())
        .with_capture_sign(own.capture_sign())
        .from_usual_corner();
    let small = own.shape() == Shape::dark(8, 8) && own.is_algebraic() && !own.is_mirrored();
    [own, other].into_iter().chain(small.then(|| other.with_corner(Corner::BottomLeft))).collect()
}

/// The event of a game: it names the variant where only a word in a tag can point to it.
fn event(variant: Variant) -> String {
    let is_named = [Variant::KILLER, Variant::BREAKTHROUGH, Variant::ANTIDRAUGHTS].contains(&variant);
    if is_named { format!("{variant} by chance") } else { "by chance".to_owned() }
}

#[test]
fn random_games_of_every_variant() {
    let games = if long_tests() { 200 } else { 8 };
    println!(
        "| variant | right | one of | wrong | files of 20: right | one of | wrong |\n|---|---|---|---|---|---|---|"
    );
    for &variant in Variant::ALL {
        let (mut single, mut whole) = (Score::default(), Score::default());
        for numbering in names(variant) {
            let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
            let game = |_| random_game(variant, numbering, &mut dice).replace("by chance", &event(variant));
            let texts: Vec<_> = (0..games).map(game).collect();
            for text in &texts {
                let wrong = single.wrong;
                single.add(Inference::of(text.as_bytes()), variant);
                assert_eq!(single.wrong, wrong, "{variant}: {text}");
            }
            texts.chunks(20).for_each(|file| whole.add(Inference::of(file.concat().as_bytes()), variant));
        }
        let of = |score: &Score| format!("{} | {} | {}", score.right, score.one_of, score.wrong);
        println!("| {variant} | {} | {} |", of(&single), of(&whole));
        assert_eq!(whole.wrong, 0, "{variant}");
    }
}

#[test]
fn squares_named_from_an_unusual_corner() {
    let own = Numbering::for_variant(Variant::INTERNATIONAL);
    let text = random_game(Variant::INTERNATIONAL, own.with_corner(Corner::BottomLeft), &mut Dice(7));
    let games: Vec<_> = reviews(text.as_bytes(), CheckOptions::default()).collect();
    assert_eq!(games[0].game().variant(), Some(Variant::INTERNATIONAL));
    assert!(games[0].game().is_clean());
    let formatted = format_game(games[0].game(), &FormatOptions::default());
    assert!(formatted.contains("[GameType \"20,W,10,10,N0,0\"]"), "{formatted}");
    let again = reviews(formatted.as_bytes(), CheckOptions::default()).next().expect("a game");
    assert_eq!(again.game().final_fen(), games[0].game().final_fen());
    assert!(again.diagnostics().is_empty(), "{:?}", again.diagnostics());
}

/// Takes the GameType out of a text.
fn without_game_type(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let text = lines.flat_map(|line| {
        let start = line.windows(9).position(|window| window == b"[GameType");
        let end = start.and_then(|start| Some(start + line[start..].iter().position(|&byte| byte == b']')? + 1));
        match start.zip(end) {
            Some((start, end)) => [&line[..start], &line[end..]].concat(),
            None => line.to_vec(),
        }
    });
    text.collect()
}

fn variants_of(bytes: &[u8]) -> Vec<Option<Variant>> {
    reviews(bytes, CheckOptions::default()).map(|review| review.game().variant()).collect()
}

#[test]
fn real_games_are_inferred_without_their_game_type() {
    let Some(corpus) = corpus() else { return };
    let (mut right, mut one_of, mut wrong, mut undecided) = (0, 0, Vec::new(), 0);
    for record in records(&corpus) {
        let bare = without_game_type(&record.bytes);
        let inference = Inference::of(&bare);
        for (number, (tagged, bare)) in (1..).zip(variants_of(&record.bytes).into_iter().zip(variants_of(&bare))) {
            match (tagged, bare) {
                (None, _) => {}
                (_, None) => undecided += 1,
                (Some(tagged), Some(bare)) if tagged == bare => right += 1,
                (Some(tagged), _) if inference.others().any(|other| other == tagged) => one_of += 1,
                (tagged, bare) => wrong.push((record.name.clone(), number, tagged, bare)),
            }
        }
    }
    println!("right {right}, one of {one_of}, wrong {wrong:?}, undecided {undecided}");
    assert!(wrong.is_empty() && one_of == 0, "{wrong:?}");
}

#[test]
fn our_own_samples_are_inferred_without_their_game_type() {
    for (name, variant) in
        [("brazilian", Variant::BRAZILIAN), ("international", Variant::INTERNATIONAL), ("italian", Variant::ITALIAN)]
    {
        let path = format!("{}/samples/games/{name}.pdn", env!("CARGO_MANIFEST_DIR"));
        let bare = without_game_type(&std::fs::read(path).expect("a sample"));
        assert!(variants_of(&bare).iter().all(|found| *found == Some(variant)), "{name}");
    }
}

const OPENING: &str = "1. 32-28 19-23 2. 28x19 14x23 *\n\n";

fn codes(review: &Review) -> Vec<&'static str> {
    review.diagnostics().iter().map(|found| found.code().name()).filter(|code| code.starts_with("replay/")).collect()
}

fn replay_codes(text: &str) -> Vec<Vec<&'static str>> {
    reviews(text.as_bytes(), CheckOptions::default()).map(|review| codes(&review)).collect()
}

#[test]
fn one_note_says_what_a_file_was_taken_as() {
    let typed = "[GameType \"20\"] 1. 31-27 *\n\n";
    let found = replay_codes(&[typed, OPENING, OPENING, typed, OPENING].concat());
    assert_eq!(found, [vec![], vec!["replay/inferred-variant"], vec![], vec![], vec![]]);
    let found = replay_codes("[Event \"a\"] *\n\n[Event \"b\"] *\n\n[Event \"c\"] *");
    assert_eq!(found, [vec!["replay/unknown-variant"], vec![], vec![]]);
}

#[test]
fn the_note_names_the_variants_that_fit_alike() {
    let mut found = reviews(OPENING.as_bytes(), CheckOptions::default());
    let message = found.next().expect("a game").diagnostics()[0].message();
    let expected = "taken as international: 4 of 4 moves fit; equally likely: frisian";
    assert_eq!(message, expected);
}

#[test]
fn the_note_on_games_without_moves_names_the_tags() {
    let message = |text: &str| {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let note = review.diagnostics().iter().find(|found| found.code() == Code::REPLAY_INFERRED_VARIANT);
        note.expect(text).message()
    };
    let like = "; equally likely: canadian, turkish, frisian, frysk";
    let typed = "*\n\n[GameType \"20\"]\n1. 32-28 *";
    let found = message(&format!("[FEN \"W:WK3:BK50\"]\n{typed}"));
    assert_eq!(found, format!("taken as international, judging by the tags{like}"));
    assert_eq!(message(&format!("[FEN \"W:WK72:BK1\"]\n{typed}")), "taken as canadian, judging by the tags");
}

#[test]
fn a_variant_without_moves_of_its_own_is_only_offered_by_name() {
    let others = |event: &str| -> Vec<_> {
        Inference::of(format!("[Event \"{event}\"]\n{OPENING}").as_bytes()).others().map(Variant::name).collect()
    };
    assert_eq!(others("Open"), ["frisian"]);
    assert_eq!(others("Open Antidraughts"), ["international", "frisian"]);
}

#[test]
fn an_impossible_first_move_infers_nothing() {
    for text in [
        "1. 19-23 *",
        "1. 28-32 *",
        "[FEN \"W:W31:B20\"]\n1. 20-25 *",
        "[FEN \"W:W48:B20\"]\n1. 20-25 *",
        "[Event \"a\"]\n1. 7x2 *\n\n[Event \"b\"]\n1. 19-23 *",
    ] {
        assert_eq!(Inference::of(text.as_bytes()).variant(), None, "{text}");
        assert!(variants_of(text.as_bytes()).iter().all(Option::is_none), "{text}");
    }
}

#[test]
fn a_few_moves_do_not_infer_a_rare_variant() {
    for text in ["1. 27-22 *", "1. 28-24 *"] {
        assert_eq!(variants_of(text.as_bytes()), [None], "{text}");
    }
    assert_eq!(variants_of(b"1. 32-28 *"), [Some(Variant::INTERNATIONAL)]);
    assert_eq!(variants_of(b"[Event \"Thailand\"]\n1. 28-24 *"), [Some(Variant::THAI)]);
}

#[test]
fn a_record_of_the_middle_of_a_game_says_so() {
    let message = |text: &str| {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let note = review.diagnostics().iter().find(|found| found.code() == Code::REPLAY_UNKNOWN_VARIANT);
        note.map(pdn::diag::Diagnostic::message)
    };
    let moves = "23. 28-22 17x28 24. 33x22 *";
    let expected = "the record begins with move 23, and no FEN gives the position";
    assert_eq!(message(moves).as_deref(), Some(expected));
    assert_eq!(message(&format!("[Event \"a\"]\n{moves}")).as_deref(), Some(expected));
    assert_eq!(message(&format!("[FEN \"W:W28,33:B17\"]\n{moves}")), None);
    let unknown = "the variant cannot be determined from the tags or the moves";
    assert_eq!(message("1. 28-22 17x28 *").as_deref(), Some(unknown));
}

#[test]
fn a_game_that_fits_only_another_variant_is_inferred_by_itself() {
    let english = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 *\n\n";
    let text = [OPENING, OPENING, english, OPENING].concat();
    let variants: Vec<_> = variants_of(text.as_bytes()).into_iter().flatten().map(Variant::name).collect();
    assert_eq!(variants, ["international", "international", "english", "international"]);
    let note = "replay/inferred-variant";
    assert_eq!(replay_codes(&text), [vec![note], vec![], vec![note], vec![]]);
}

#[test]
fn a_game_that_fits_no_variant_is_one_of_the_file() {
    let broken = "1. 32-28 19-23 2. 28x19 14x23 3. 50-1 *\n\n";
    let text = [OPENING, OPENING, broken].concat();
    assert_eq!(variants_of(text.as_bytes()), [Some(Variant::INTERNATIONAL); 3]);
}

#[test]
fn game_types_of_other_games_decide_where_there_are_no_moves() {
    let (english, empty) = ("[GameType \"21\"] 1. 11-15 *\n\n", "[Event \"a\"] *\n\n");
    for text in [[english, empty].concat(), [empty, english].concat()] {
        assert_eq!(variants_of(text.as_bytes()), [Some(Variant::ENGLISH); 2], "{text}");
    }
    for other in ["1. 7x2 *", "[FEN \"W:W31:B1\"] *"] {
        assert_eq!(variants_of([english, other].concat().as_bytes())[1], Some(Variant::ENGLISH), "{other}");
        assert_eq!(variants_of(other.as_bytes()), [None], "{other}");
    }
    let text = [english, OPENING].concat();
    assert_eq!(variants_of(text.as_bytes())[1], Some(Variant::INTERNATIONAL));
}

/// `fmt` gives a GameType to the games that one variant plays to the end; the others must be read as before.
#[test]
fn what_no_variant_plays_is_read_as_the_tagged_games() {
    let opening = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 *\n\n";
    for (other, others) in [
        ("[SetUp \"1\"]\n[FEN \"W:W27,19,K13:BK30,12,5\"]\n\n*\n", "english"),
        ("1. 11-15 23-19 2. 8-11 22-17 3. 4-9 *\n", "english"),
        ("1. 12-99 *\n", "english"),
        // Neither a position nor moves of that variant.
        ("[SetUp \"1\"]\n[FEN \"W:W47,48:B3,12\"]\n\n*\n", "international"),
        ("1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 5-10 5. 46-41 50-1 *\n", "international"),
    ] {
        for tag in ["", "[GameType \"21\"]\n"] {
            let text = [tag, opening, other].concat();
            let found = variants_of(text.as_bytes());
            let names: Vec<_> = found.iter().map(|variant| variant.map(Variant::name)).collect();
            assert_eq!(names, [Some("english"), Some(others)], "{text}");
        }
    }
}

#[test]
fn a_position_that_the_variant_of_the_file_cannot_have_is_inferred_by_itself() {
    let text = "[FEN \"W:W42:B1\"] *\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 *\n\n1. c3-d4 *";
    let variants: Vec<_> = variants_of(text.as_bytes()).into_iter().flatten().map(Variant::name).collect();
    assert_eq!(variants, ["international", "russian", "russian"]);
}

#[test]
fn only_the_first_game_type_counts() {
    let text = "[GameType \"d\"]\n[GameType \"0\"]\n1. 32-28 19-23 2. 28x19 14x23 *";
    assert_eq!(variants_of(text.as_bytes()), [Some(Variant::INTERNATIONAL)]);
}

/// Moves without a separator, in unusual names of squares, or in a file whose other games decide, are inferred as another
/// variant once they are written canonically.
#[test]
fn canonical_form_keeps_an_inferred_variant() {
    for text in [
        "28-23\n[s\n20165 2118",
        "de7 [FEN \"W:W22\"]\ngh4",
        "[GameType C\ned4 2320",
        "[GameType \"c\"]\n9. *\n\n1. cd4 *",
        "[FEN \"W:W42\"]\n1. *\n\n1. ed4 *",
    ] {
        let options = FormatOptions::default();
        let games: Vec<_> = reviews(text.as_bytes(), CheckOptions::default()).collect();
        let canonical: String = games.iter().map(|game| format_game(game.game(), &options) + "\n").collect();
        let again = variants_of(canonical.as_bytes());
        assert_eq!(again.len(), games.len(), "{canonical}");
        // The variant of an undecided game is a guess that the GameTypes of other games may change.
        for (game, again) in games.iter().map(Review::game).zip(again).filter(|(game, _)| !is_undecided(game, &options))
        {
            assert_eq!(again, game.variant(), "{canonical}");
        }
    }
}

#[test]
fn variants_without_moves_of_their_own_are_recognised_by_whole_words() {
    let mut dice = Dice(11);
    let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
    for variant in [Variant::KILLER, Variant::BREAKTHROUGH, Variant::ANTIDRAUGHTS] {
        let file: String = (0..20).map(|_| random_game(variant, numbering, &mut dice)).collect();
        let named = file.replace("by chance", &format!("{variant} Open"));
        assert_eq!(Inference::of(named.as_bytes()).variant(), Some(variant));
    }
    let short = |event| format!("[Event \"{event}\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n");
    for (event, variant) in [("Killer Open", Variant::KILLER), ("Killers", Variant::INTERNATIONAL)] {
        assert_eq!(Inference::of(short(event).as_bytes()).variant(), Some(variant), "{event}");
    }
    let numbering = Numbering::for_variant(Variant::PORTUGUESE);
    let game = random_game(Variant::PORTUGUESE, numbering, &mut dice);
    assert_eq!(Inference::of(game.as_bytes()).variant(), Some(Variant::SPANISH));
    let game = game.replace("by chance", "Campeonato de Portugal");
    assert_eq!(Inference::of(game.as_bytes()).variant(), Some(Variant::PORTUGUESE));
}

#[test]
fn parts_of_words_decide_nothing() {
    for place in ["Blackpool", "Liverpool", "Turku"] {
        let text = format!("[Site \"{place}\"]\n1. 11-15 23-19 2. 8-11 22-17 *");
        assert_eq!(Inference::of(text.as_bytes()).variant(), Some(Variant::ENGLISH), "{place}");
    }
}

#[test]
fn a_variant_tag_decides_between_those_that_play_as_much() {
    let taken = |variant: &str, moves: &str| Inference::of(format!("[Variant \"{variant}\"]\n{moves}").as_bytes());
    assert_eq!(taken("Frisian", OPENING).variant(), Some(Variant::FRISIAN));
    assert_eq!(taken("Frisian", OPENING).others().count(), 0);
    assert_eq!(taken("Russian", OPENING).variant(), Some(Variant::INTERNATIONAL));
    let file = [OPENING, "[Variant \"Frisian\"]\n", OPENING, OPENING, OPENING].concat();
    let of_game = |number: usize| variants_of(file.as_bytes())[number].map(Variant::name);
    assert_eq!((of_game(1), of_game(2)), (Some("frisian"), Some("international")));
}

#[test]
fn a_variant_tag_decides_where_there_are_no_moves() {
    for (tags, taken) in [
        ("[Variant \"killer\"]\n\n*\n", Some("killer")),
        ("[Variant \"killer\"]\n[SetUp \"1\"]\n[FEN \"W:WK28,31:B4,K23\"]\n\n*\n", Some("killer")),
        ("[Variant \"english\"]\n[FEN \"W:W28,K31:B4,K23\"]\n\n*\n", Some("english")),
        ("[Variant \"armageddon\"]\n[FEN \"W:W28,K31:B4,K23\"]\n\n*\n", None),
        ("[FEN \"W:W28,K31:B4,K23\"]\n\n*\n", None),
    ] {
        assert_eq!(variants_of(tags.as_bytes())[0].map(Variant::name), taken, "{tags}");
    }
}

#[test]
fn rules_that_start_with_the_other_side_have_no_rivals_that_cannot_play() {
    let text =
        "1. 24-20 10-14 2. 22-17 6-10 3. 23-19 14-18 4. 20-16 11x20 5. 26-23 9-14 6. 19-16 12x19x26 7. 30x23 8-11 *";
    let inference = Inference::of(text.as_bytes());
    assert_eq!(inference.variant(), Some(Variant::ENGLISH));
    assert!(
        inference.others().all(|other| other.shape() == Variant::ENGLISH.shape()),
        "{:?}",
        inference.others().collect::<Vec<_>>()
    );
}

#[test]
fn games_that_no_variant_can_play_are_not_tried_again_and_again() {
    let illegal = "1. 9-13 22-18 2. 17-21 *\n\n";
    let last = |games: usize| variants_of((illegal.repeat(games) + OPENING).as_bytes()).pop().flatten();
    assert_eq!(last(5), Some(Variant::INTERNATIONAL));
    let clock = std::time::Instant::now();
    assert_eq!(variants_of(illegal.repeat(20_000).as_bytes()).len(), 20_000);
    println!("{:?}", clock.elapsed());
}

/// Games of two variants that differ late: the second one is beyond the first megabyte.
fn long_file() -> String {
    let mut dice = Dice(3);
    let brazilian = Numbering::for_variant(Variant::BRAZILIAN);
    let mut text = String::new();
    while text.len() < EVIDENCE_BYTES + EVIDENCE_BYTES / 4 {
        text += &random_game(Variant::BRAZILIAN, brazilian, &mut dice);
        text.push_str(&"{filler} ".repeat(dice.below(900)));
    }
    text + OPENING + &random_game(Variant::RUSSIAN, brazilian, &mut dice)
}

#[test]
fn the_size_of_chunks_does_not_matter() {
    let text = long_file();
    let expected: Vec<_> = reviews(text.as_bytes(), CheckOptions::default())
        .map(|review| (review.game().variant(), codes(&review)))
        .collect();
    assert!(expected[0].0 == Some(Variant::BRAZILIAN) && !expected[0].1.is_empty());
    assert!(expected.iter().any(|(variant, _)| *variant == Some(Variant::INTERNATIONAL)));
    for chunk_size in [1, 5000, 100_000, 4_000_000] {
        let mut options = ChunkOptions::default();
        (options.chunk_size, options.head) = (chunk_size, EVIDENCE_BYTES);
        let input = Input::stream("a", Cursor::new(text.clone().into_bytes()));
        let games = input_reviews(&input, CheckOptions::default(), &options).expect("an input");
        let found: Vec<_> = games
            .map(|review| review.expect("readable"))
            .map(|review| (review.game().variant(), codes(&review)))
            .collect();
        assert!(found == expected, "{chunk_size}");
    }
}
