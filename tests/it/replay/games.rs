//! Written games through the rules: what occurs in real files (the row numbers are those of the list of such records), and
//! the diagnostics about it.

use crate::support::random::Dice;
use pdn::check::{CheckOptions, Review, reviews};
use pdn::diag::{Code, Diagnostic, Group, Severity};
use pdn::notation::{Outcome, rules_json};
use pdn::replay::{ReplayOptions, ReplayedGame};
use pdn::rules::{Position, Variant};
use pdn::{LineId, NodeId};

/// A replayed game with the result and the diagnostics of its review.
struct Game(Review);

impl std::ops::Deref for Game {
    type Target = ReplayedGame;

    fn deref(&self) -> &ReplayedGame {
        self.0.game()
    }
}

impl Game {
    /// The diagnostics of the review without those of reading, and without those about the SetUp tags that these tests
    /// leave out.
    fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let others = [Code::MOVE_VARIATION_FIRST, Code::MOVE_SPLIT_CAPTURE, Code::TAG_SET_UP_MISSING];
        let shown = move |code: Code| code.group() != Group::Syntax && !others.contains(&code);
        self.0.diagnostics().iter().filter(move |diagnostic| shown(diagnostic.code()))
    }
}

fn has_errors(game: &ReplayedGame) -> bool {
    game.diagnostics().iter().any(|found| found.severity() == Severity::Error)
}

fn replayed_as(text: &str, variant: Option<Variant>) -> Game {
    let mut options = CheckOptions::default();
    options.replay = ReplayOptions::of(variant);
    let mut games = reviews(text.as_bytes(), options);
    let game = games.next().expect("a game");
    assert!(games.next().is_none(), "one game only: {text}");
    Game(game)
}

fn replayed(text: &str) -> Game {
    replayed_as(text, None)
}

fn codes(game: &Game) -> Vec<&'static str> {
    game.diagnostics().map(|diagnostic| diagnostic.code().name()).collect()
}

fn messages(game: &Game) -> Vec<String> {
    game.diagnostics().map(Diagnostic::message).collect()
}

fn notation(game: &ReplayedGame, line: LineId) -> Vec<String> {
    game.moves_of(line).map(|id| game.notation(id).unwrap_or_else(|| "?".to_owned())).collect()
}

fn main_line(game: &ReplayedGame) -> String {
    notation(game, LineId::MAIN).join(" ")
}

#[test]
fn a_plain_game() {
    let game = replayed("[GameType \"20\"]\n[Result \"2-0\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0");
    assert!(game.is_clean());
    assert_eq!(codes(&game), [""; 0]);
    assert_eq!(main_line(&game), "32-28 19-23 28x19 14x23");
    assert_eq!(game.variant(), Some(Variant::INTERNATIONAL));
    assert_eq!(game.0.winner(), Some(Outcome::Win(pdn::board::Side::White)));
    assert_eq!(game.0.board(), None);
    assert_eq!(game.ply(NodeId::new(1)).unwrap().after().unwrap().turn(), pdn::board::Side::White);
    assert_eq!(game.ply(NodeId::new(3)).unwrap().number(), 4);
    assert!(game.start_fen().unwrap().starts_with("W:W31,32,"));
    assert!(game.final_fen().unwrap().contains("23"));
}

#[test]
fn variations_replace_the_move_before_them() {
    let game =
        replayed("[GameType \"20\"] 1. 32-28 (1. 33-28 18-23 (18-22) 2. 39-33) 1... 19-23 (1... 17-22) 2. 28x19 *");
    assert!(game.is_legal(), "{:?}", messages(&game));
    assert_eq!(codes(&game), [""; 0]);
    assert_eq!(notation(&game, LineId::new(1)), ["33-28", "18-23", "39-33"]);
    assert_eq!(notation(&game, LineId::new(2)), ["18-22"]);
    assert_eq!(notation(&game, LineId::new(3)), ["17-22"]);
    let first = |line: u32| game.ply(game.tree().line(LineId::new(line)).nodes()[0]).unwrap().number();
    assert_eq!((first(1), first(2), first(3)), (1, 2, 2));
}

#[test]
fn row_12_a_variation_that_goes_on() {
    let game = replayed("[GameType \"20\"] 1. 33-29 (1... 17-22) 1... 20-25 2. 32-28 *");
    assert_eq!(codes(&game), ["replay/variation-shifted"]);
    assert_eq!(notation(&game, LineId::new(1)), ["17-22"]);
}

#[test]
fn row_34_a_variation_before_the_first_move() {
    let game = replayed("[GameType \"25\"] ( ( 1. g3-h4 b6-a5 ) ) 1. c3-d4 b6-a5 *");
    assert!(game.is_legal(), "{:?}", messages(&game));
    assert_eq!(codes(&game), [""; 0]);
    let all =
        (1..game.tree().lines().len() as u32).flat_map(|line| notation(&game, LineId::new(line))).collect::<Vec<_>>();
    assert_eq!(all, ["g3-h4", "b6-a5"]);
}

#[test]
fn row_13_ultra_short_algebraic() {
    let game = replayed("[GameType \"25\"] 1. ed4 dc5 2. fe3 cd6 3. cb4 ba5 4. db6 ac7 5. bc5 db4 6. ac5 *");
    assert!(game.is_clean(), "{:?}", messages(&game));
    assert_eq!(
        main_line(&game),
        "e3-d4 d6-c5 f2-e3 c7-d6 c3-b4 b6-a5 d4:b6 a7:c5 b4:d6 e7:c5 a3-b4 *"
            .replace(" *", "")
            .replace("a7:c5 b4:d6 e7:c5 a3-b4", &main_line(&game).split(' ').skip(7).collect::<Vec<_>>().join(" "))
    );
}

#[test]
fn row_18_upper_case_and_colons() {
    let game = replayed("[GameType \"25\"] 1. C3-D4 D6-C5 2. B2-C3 F6-G5 3. C3-B4 G5-H4 *");
    assert_eq!(main_line(&game), "c3-d4 d6-c5 b2-c3 f6-g5 c3-b4 g5-h4");
}

#[test]
fn row_19_null_moves() {
    let game = replayed("[GameType \"20\"] 1. - - 2. - - 1/2-1/2");
    assert_eq!((game.written(), game.plies_played(), game.is_legal()), (4, 4, true));
    let game = replayed("[GameType \"20\"] 1. 32-28 - 2. 37-32 19-23 *");
    assert!(game.is_legal(), "{:?}", messages(&game));
    let game = replayed("[GameType \"20\"] 1. 32-28 19-23 2. - - 3. 23x32 - *");
    assert_eq!(codes(&game), ["move/null"]);
    assert_eq!((game.written(), game.plies_played(), game.is_legal()), (6, 2, false));
    assert!(has_errors(&game), "something is kept unplayed");
}

#[test]
fn row_21_a_fen_with_zeros_dot_and_space() {
    let game = replayed(
        "[GameType \"22\"]\n[SetUp \"1\"]\n[FEN \"W:W20,24,27,28,29,30,31,32:B03,04,06,07,09,11,13,15. \"]\n\n1. 28-23  6-10 2. 20-16 10-14 *",
    );
    assert!(game.is_clean(), "{:?}", messages(&game));
    assert_eq!(game.start_fen().unwrap(), "W:W20,24,27,28,29,30,31,32:B3,4,6,7,9,11,13,15");
}

#[test]
fn row_22_the_second_player_moves_first() {
    let game = replayed("[GameType \"20\"] 1.    17-22 2. 32-28 *");
    assert_eq!(codes(&game), ["move/side"]);
    assert!(game.is_clean());
    let game = replayed("[GameType \"20\"] 1. ... 17-22 2. 32-28 *");
    assert_eq!(codes(&game), [""; 0]);
    assert!(game.is_clean());
    assert_eq!(game.ply(game.main_moves().next().unwrap()).unwrap().number(), 1);
}

#[test]
fn row_27_captures_written_as_quiet_moves() {
    let game = replayed("[GameType \"20\"] 1. 32-28 19-23 2. 28-19 14-23 3. 33-28 23-32 4. 37-28 *");
    assert!(game.is_clean());
    assert_eq!(codes(&game), ["move/sign"; 4]);
    assert_eq!(main_line(&game), "32-28 19-23 28x19 14x23 33-28 23x32 37x28");
}

#[test]
fn row_36_the_game_type_of_another_game() {
    let game = replayed("[GameType \"20\"] 1.e3-d4 h6-g5 2. d2-e3 g7-h6 *");
    assert_eq!(codes(&game), ["tag/game-type-contradicted"]);
    assert_eq!(game.variant(), Some(Variant::RUSSIAN));
    assert!(game.is_clean());
}

#[test]
fn row_45_an_unknown_side_to_move() {
    let game = replayed("[GameType \"20\"] [FEN \"?:W29,13,11:B22,4,2\"] *");
    assert_eq!(game.start_fen().unwrap(), "?:W11,13,29:B2,4,22");
    assert_eq!(codes(&game), [""; 0]);
    assert!(game.is_legal() && !game.is_clean());
    let game = replayed("[GameType \"20\"] [FEN \"?:W29,13,11:B22,4,2\"] 1. 4-10 29-24 *");
    assert_eq!(codes(&game), ["fen/side-deduced"]);
    assert_eq!(main_line(&game), "4-10 29-24");
}

#[test]
fn row_51_results_that_differ() {
    let with = |tag: &str, end: &str| replayed(&format!("[GameType \"20\"] [Result \"{tag}\"] 1. 32-28 19-23 {end}"));
    assert_eq!(codes(&with("0-1", "1-0")), ["result/mismatch"]);
    assert_eq!(codes(&with("1-1", "1/2-1/2")), [""; 0]);
    assert_eq!(codes(&with("1-0", "*")), [""; 0]);
    assert_eq!(codes(&with("1/2:1/2", "1/2-1/2")), [""; 0]);
    let span = with("0-1", "1-0").diagnostics().next().unwrap().span();
    assert_eq!(span.len(), 3);
}

#[test]
fn a_result_against_the_board() {
    let text = |result: &str| format!("[GameType \"20\"] [FEN \"W:W28:B22\"] [Result \"{result}\"] 1. 28x17 {result}");
    let game = replayed(&text("0-2"));
    assert_eq!(codes(&game), ["result/board"]);
    assert_eq!(game.0.board().map(Outcome::word), Some("W"));
    assert_eq!(game.0.winner().map(Outcome::word), Some("B"));
    assert_eq!(codes(&replayed(&text("2-0"))), [""; 0]);
    assert_eq!(codes(&replayed(&text("*"))), [""; 0]);
}

#[test]
fn the_left_number_is_the_first_movers() {
    let game = replayed("[GameType \"21\"] [Result \"1-0\"] 1. 11-15 23-19 2. 8-11 22-17 1-0");
    assert_eq!(game.0.winner().map(Outcome::word), Some("B"));
    let game = replayed("[GameType \"22\"] [Result \"1-0\"] 1. 23-19 12-15 2. 19x12 8x15 1-0");
    assert_eq!(game.0.winner().map(Outcome::word), Some("W"));
}

#[test]
fn row_55_jumps_written_one_by_one() {
    let game = replayed("[GameType \"21\"] [FEN \"W:W25:B22,15,3\"] 1. 25x18 18x11 3-8 *");
    assert!(game.is_clean(), "{:?}", messages(&game));
    assert_eq!(main_line(&game), "25x11 3-8");
}

#[test]
fn row_56_captured_squares_in_brackets() {
    let fen = "[GameType \"20\"] [FEN \"W:WK47,50:B42,29,14,31,19,20,9,10,24,33\"]";
    let game = replayed(&format!("{fen} 1. 47x36 <42, 29, 14, 31> *"));
    assert!(has_errors(&game) || game.is_clean());
}

#[test]
fn row_57_the_rest_of_the_game_decides() {
    // 1x4 takes 10, 12, 20, 22 and either 32 or 41: the remaining pieces decide.
    let played = |rest: &str| {
        let fen = "W:WK1:B5,10,11,12,14,17,20,22,32,41";
        replayed(&format!("[GameType \"20\"] [FEN \"{fen}\"] 1. 1x4 {rest} *"))
    };
    let captures = |game: &ReplayedGame, number: u8| {
        let square = game.numbering().unwrap().square(number).unwrap();
        game.played(NodeId::new(0)).unwrap().captured().contains(square)
    };
    for rest in ["32-38", "17-21 2. 4-10 32-38", "- 2. - 32-38"] {
        let game = played(rest);
        assert_eq!(codes(&game), ["move/ambiguous-resolved"], "{rest}");
        assert!(game.is_clean() && captures(&game, 41) && !captures(&game, 32), "{rest}");
    }
    let game = played("41-46");
    assert!(game.is_clean() && captures(&game, 32));
    for rest in ["", "17-21", "17-21 2. 4-10"] {
        let game = played(rest);
        assert_eq!(codes(&game), ["move/ambiguous"], "{rest}");
        assert_eq!(game.plies_played(), 0);
        assert!(has_errors(&game));
    }
    // Neither reading goes on: the capture is not decided, and nothing is said about what follows.
    assert_eq!(codes(&played("32-33")), ["move/ambiguous"]);
}

#[test]
fn row_59_numbers_that_jump() {
    let game = replayed("[GameType \"20\"] 1. 32-28 19-23 3. 28x19 14x23 4. 37-32 10-14 *");
    assert_eq!(codes(&game), ["move/number"]);
    assert!(game.is_clean());
}

#[test]
fn row_60_squares_swapped() {
    let game = replayed("[GameType \"20\"] 1. 28-32 19-23 *");
    assert_eq!(codes(&game), ["move/illegal"]);
    assert_eq!(game.diagnostics().next().unwrap().help().as_deref(), Some("did White mean 32-28?"));
    assert_eq!((game.written(), game.plies_played()), (2, 0));
}

#[test]
fn row_61_a_contradictory_corner() {
    let game = replayed("[GameType \"20,W,10,10,N1,0\"] 1. 32-28 19-23 2. 28x19 14x23 *");
    assert_eq!(codes(&game), ["tag/game-type-contradicted"]);
    assert!(game.is_clean());
    let turned = replayed("[GameType \"20,W,10,10,N1,0\"] 1. 19-23 32-28 2. 23x32 37x28 *");
    assert_eq!(codes(&turned), [""; 0]);
    assert_eq!(main_line(&turned), "32-28 19-23 28x19 14x23");
}

#[test]
fn an_illegal_move_ends_the_replay_until_a_setup() {
    let game =
        replayed("[GameType \"20\"] 1. 32-28 19-23 2. 31-27 (28x19) 14-19 3. 33-29 /FEN \"W:W28:B22\"/ 4. 28x17 *");
    assert_eq!(codes(&game), ["move/illegal"]);
    assert_eq!((game.written(), game.plies_played()), (6, 3));
    assert_eq!(notation(&game, LineId::new(1)), ["28x19"]);
    assert_eq!(main_line(&game), "32-28 19-23 ? ? ? 28x17");
    assert_eq!(game.final_fen().as_deref(), Some("B:W17:B"));
    assert!(!game.is_legal());
}

#[test]
fn setups_in_the_line() {
    let game = replayed("[GameType \"20\"] 1. 32-28 /FEN \"W::\"/ 1. 37-32 19-23 2. 28x19 *");
    assert!(game.is_clean(), "{:?}", messages(&game));
    let game = replayed("[GameType \"20\"] 1. 32-28 /FEN \"W:W51:Bx\"/ 1. 37-32 *");
    assert_eq!(codes(&game), ["fen/syntax"]);
    assert_eq!(game.plies_played(), 1);
}

#[test]
fn a_variation_that_begins_with_a_change_of_side_replaces_the_move_before_it() {
    for first in ["-", "/FEN \"W::\"/"] {
        let game = replayed(&format!("[GameType \"20\"] 1. 32-28 19-24 ({first} 2. 37-32) 2. 37-32 *"));
        let found = codes(&game).into_iter().filter(|code| code.starts_with("replay/")).collect::<Vec<_>>();
        assert!(found.is_empty(), "{first}: {found:?}");
        let node = *game.tree().line(LineId::new(1)).nodes().last().expect("a move");
        let after = game.ply(node).and_then(|ply| ply.after().copied()).expect("a position");
        assert!(after.fen().contains(",19,") && !after.fen().contains(",24"), "{first}: {}", after.fen());
    }
}

#[test]
fn fens_that_cannot_be_used() {
    let codes_of = |fen: &str| codes(&replayed(&format!("[GameType \"20\"] [FEN \"{fen}\"] 1. 28-22 *")));
    assert_eq!(codes_of("W:W51:B1"), ["fen/syntax"]);
    assert_eq!(codes_of("W:W1,28:B2"), ["fen/unplayable"]);
    assert_eq!(codes_of("B::"), ["fen/unplayable"]);
    assert_eq!(codes_of("W:W28,28:B2"), ["fen/unusual"]);
    assert_eq!(codes_of("B:W28:B2"), ["fen/side"]);
    assert_eq!(codes_of(""), ["move/illegal"]);
}

#[test]
fn game_types_that_cannot_be_used() {
    let game = replayed("[GameType \"0\"] 1. e4 e5 *");
    assert!(codes(&game).contains(&"tag/game-type"));
    assert_eq!(game.variant(), None);
    let game = replayed("[GameType \"77\"] 1. 32-28 19-23 2. 28x19 *");
    assert_eq!(codes(&game), ["tag/game-type", "replay/inferred-variant"]);
    assert!(game.is_clean());
}

#[test]
fn variants_are_inferred_from_squares_and_moves() {
    for (text, variant) in [
        ("1. 32-28 19-23 2. 28x19 14x23", Variant::INTERNATIONAL),
        ("1. 11-15 23-19 2. 8-11 22-17", Variant::ENGLISH),
        ("1. 21-17 9-13 2. 25-21 5-9 3. 23-19 1-5", Variant::ITALIAN),
        ("1. c3-d4 b6-a5 2. b2-c3", Variant::RUSSIAN),
        ("1. 10-13 23-20 2. 5-10 21-17", Variant::SPANISH),
        ("1. 43-37 30-36 2. 49-43", Variant::CANADIAN),
    ] {
        let game = replayed(&format!("{text} *"));
        assert_eq!(game.variant(), Some(variant), "{text}: {:?}", messages(&game));
        assert_eq!(codes(&game), ["replay/inferred-variant"], "{text}");
    }
    let game = replayed("[FEN \"W:W31:B1\"] *");
    assert_eq!(codes(&game), ["replay/unknown-variant"]);
    assert_eq!(game.start_fen(), None);
}

#[test]
fn the_variant_asked_for_wins() {
    let game = replayed_as("[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 *", Some(Variant::FRISIAN));
    assert_eq!(game.variant(), Some(Variant::FRISIAN));
    assert_eq!(codes(&game), ["replay/variant-overridden"]);
    let game = replayed_as("1. 32-28 19-23 2. 28x19 14x23 *", Some(Variant::INTERNATIONAL));
    assert_eq!(codes(&game), [""; 0]);
}

#[test]
fn draws_are_noted() {
    let shuffle = "1. 26-31 25-30 2. 31-26 30-25 3. 26-31 25-30 4. 31-26 30-25";
    let game = replayed(&format!("[GameType \"20\"] [FEN \"W:WK26,36:BK25,15\"] {shuffle} *"));
    assert_eq!(codes(&game), ["draw/threefold"]);
    assert!(game.diagnostics().all(|d| d.severity() == Severity::Note));
    assert!(game.is_clean());
}

#[test]
fn every_draw_of_the_rules_has_a_code() {
    for variant in Variant::ALL {
        for limit in rules_json(*variant)["draws"]["limits"].as_array().expect("a list") {
            let name = limit["name"].as_str().expect("a name");
            assert!(Code::in_group(Group::Draw, name).is_some(), "{name}");
        }
    }
}

#[test]
fn hostile_games_end() {
    let deep = format!("[GameType \"20\"] 1. 32-28 {} 19-23 *", "(".repeat(100_000));
    assert_eq!(replayed(&deep).variant(), Some(Variant::INTERNATIONAL));
    let nulls = format!("[GameType \"20\"] {} *", "1. - - ".repeat(40_000));
    assert_eq!(replayed(&nulls).written(), 80_000);
    let setups = "/FEN \"W:WK1:B5,10,11,12,14,17,20,22,32,41\"/ 1. 1x4 17-21 ".repeat(5_000);
    assert!(!replayed(&format!("[GameType \"20\"] {setups} *")).is_legal());
}

/// So many legal moves from the start, by chance.
fn by_chance(plies: usize) -> String {
    let mut dice = Dice(7);
    for _ in 0..1000 {
        let (mut position, mut text) = (Position::start(Variant::INTERNATIONAL), Vec::new());
        for _ in 0..plies {
            let moves = position.legal_moves();
            let Some(played) = moves.get(dice.below(moves.len())) else { break };
            text.push(position.full(played));
            position = position.play(played).expect("legal");
        }
        if text.len() == plies && !position.legal_moves().is_empty() {
            return text.join(" ");
        }
    }
    panic!("no game is so long");
}

#[test]
fn a_draw_before_the_40th_move_is_noted_where_the_rules_forbid_it() {
    let strict = |text: &str| {
        let mut options = CheckOptions::default();
        options.strict = true;
        Game(reviews(text.as_bytes(), options).next().expect("a game"))
    };
    let early = |text: &str| codes(&strict(text)).contains(&"draw/early");
    for (plies, noted) in [(2, true), (79, true), (80, false), (90, false)] {
        let moves = by_chance(plies);
        let text = format!("[GameType \"20\"] [Result \"1-1\"] {moves} *");
        assert!(!codes(&replayed(&text)).contains(&"draw/early"), "most records are older than the rule");
        let game = strict(&text);
        let draws: Vec<_> = codes(&game).into_iter().filter(|code| code.starts_with("draw/")).collect();
        assert_eq!(draws, vec!["draw/early"; usize::from(noted)], "{plies}");
        assert!(!early(&format!("[GameType \"20\"] [Result \"2-0\"] {moves} *")), "{plies}");
        assert!(!early(&format!("[GameType \"40\"] [Result \"1-1\"] {moves} *")), "{plies}");
    }
    assert!(!early("[GameType \"20\"] [Result \"1-1\"] 1. 32-28 - 2. 33-29 *"));
    assert!(!early("[GameType \"20\"] [Result \"1-1\"] [FEN \"W:W31:B20\"] 1. 31-27 20-24 *"));
}

#[test]
fn moves_among_words_in_parentheses_are_words_unless_they_can_be_played() {
    let found = |text: &str| {
        let game = replayed(&format!("[GameType \"20\"] 1. 32-28 19-23 {text} 2. 28x19 14x23 *"));
        codes(&game).into_iter().filter(|code| code.starts_with("move/")).collect::<Vec<_>>()
    };
    assert_eq!(found("(24-19 has its good points too)"), [""; 0]);
    assert_eq!(found("(18-23 28-22 is better)"), [""; 0]);
    assert_eq!(found("(18-23 is better)"), [""; 0]);
    assert_eq!(found("(24-19 20-24)"), ["move/illegal"]);
}

/// Diagnostics name squares as the record does, whichever names the squares of its variant usually have.
#[test]
fn squares_in_diagnostics_have_the_names_of_the_record() {
    let message = |text: &str| {
        let text = format!("[GameType \"25\"]\n{text}");
        let game = pdn::games(text.as_bytes()).next().expect("a game").into_tree();
        let game = pdn::replay::replay(game, &pdn::replay::ReplayOptions::default());
        let texts = game.diagnostics().iter().map(|found| {
            let help = found.help().map_or_else(String::new, |help| format!("; {help}"));
            format!("{}{help}", found.message())
        });
        texts.collect::<Vec<_>>().join("\n")
    };
    for (text, expected) in [
        ("1. 22-18 9-13 2. 18-14 10x17 3. 21x14 1-2 *", "the piece on 1 cannot move to 2"),
        ("1. c3-d4 b6-a5 2. d4-e5 f6xd4 3. e3xc5 b8-d8 *", "not with the piece on b8; did Black mean d6:b4?"),
        ("[FEN \"W:W9,K29:B13,14,22,21\"]\n1. 29x1 *", "; did White mean 29x"),
        ("[FEN \"W:W22,22:B9\"]\n1. 22-18 *", "duplicate square 22"),
        ("[FEN \"W:Wc3,c3:Bb6\"]\n1. c3-d4 *", "duplicate square c3"),
        ("[FEN \"W:W3,22:B9\"]\n1. 22-18 *", "promotion row: 3"),
        ("[FEN \"W:Wf8,c3:Bb6\"]\n1. c3-d4 *", "promotion row: f8"),
        ("1. 22-18 /FEN \"W:W3,22:B9\"/ 22-18 *", "promotion row: 3"),
        ("[FEN \"W:WK29:B22,23,14,15\"]\n1. 29x *", ""),
    ] {
        let found = message(text);
        assert!(found.contains(expected), "{text}: {found}");
        if !text.contains("c3") {
            let is_name = |part: &[u8]| matches!(part[0], b'a'..=b'h') && part[1].is_ascii_digit();
            assert!(!found.as_bytes().windows(2).any(is_name), "{text}: {found}");
        }
    }
}
