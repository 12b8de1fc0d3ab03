//! `pdn fmt --strip`: each part of games that can be left out, alone and with others.

use crate::support::binary::pdn_with;

/// A game with a part of each kind, apart from its tags.
const GAME: &str = "{lead [%eval 0.01]}\n1. 32-28!? $14 {good [%eval 0.32] move [%clk 1:59:00]} 1... 19-23 $6 {[%pdn mark=6]} \
                    (1... 17-21 {deep} 2. 33-29 (2. 34-29)) 2. 28x19 {[%eval -0.10] [%emt 0:00:12]} 2... 14x23 {why} *";

/// Returns the moves of a game in canonical form, on one line.
fn moves(game: &str, arguments: &[&str]) -> String {
    let text = format!("[GameType \"20\"]\n{game}\n");
    let run = pdn_with(text, &[&["fmt", "-"], arguments].concat()).is(0);
    let (_, body) = run.text().split_once("\n\n").expect("tags and moves");
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn stripped(kinds: &str) -> String {
    moves(GAME, &["--strip", kinds])
}

#[test]
fn each_kind_alone() {
    assert_eq!(
        stripped("evals"),
        "{lead} 1. 32-28!? $14 {good move [%clk 1:59:00]} 1... 19-23 $6 {[%pdn mark=6]} \
         (1... 17-21 {deep} 2. 33-29 (2. 34-29)) 2. 28x19 {[%emt 0:00:12]} 2... 14x23 {why} *"
    );
    assert_eq!(
        stripped("clocks"),
        "{lead [%eval 0.01]} 1. 32-28!? $14 {good [%eval 0.32] move} 1... 19-23 $6 {[%pdn mark=6]} \
         (1... 17-21 {deep} 2. 33-29 (2. 34-29)) 2. 28x19 {[%eval -0.10]} 2... 14x23 {why} *"
    );
    assert_eq!(
        stripped("marks"),
        "{lead [%eval 0.01]} 1. 32-28 {good [%eval 0.32] move [%clk 1:59:00]} 1... 19-23 {[%pdn mark=6]} \
         (1... 17-21 {deep} 2. 33-29 (2. 34-29)) 2. 28x19 {[%eval -0.10] [%emt 0:00:12]} 2... 14x23 {why} *"
    );
    assert_eq!(
        stripped("commands"),
        "{lead} 1. 32-28!? $14 {good move} 1... 19-23 $6 (1... 17-21 {deep} 2. 33-29 (2. 34-29)) 2. 28x19 14x23 {why} *"
    );
    assert_eq!(
        stripped("comments"),
        "{[%eval 0.01]} 1. 32-28!? $14 {[%eval 0.32] [%clk 1:59:00]} 1... 19-23 $6 {[%pdn mark=6]} \
         (1... 17-21 2. 33-29 (2. 34-29)) 2. 28x19 {[%eval -0.10] [%emt 0:00:12]} 2... 14x23 *"
    );
    assert_eq!(
        stripped("variations"),
        "{lead [%eval 0.01]} 1. 32-28!? $14 {good [%eval 0.32] move [%clk 1:59:00]} 1... 19-23 $6 {[%pdn mark=6]} \
         2. 28x19 {[%eval -0.10] [%emt 0:00:12]} 2... 14x23 {why} *"
    );
}

#[test]
fn several_kinds_together() {
    let rest = "1. 32-28!? $14 19-23 $6 (1... 17-21 2. 33-29 (2. 34-29)) 2. 28x19 14x23 *";
    assert_eq!(stripped("comments,commands"), rest);
    assert_eq!(moves(GAME, &["--no-comments"]), rest, "all comments are all text and all commands");
    assert_eq!(moves(GAME, &["--strip", "comments", "--strip", "commands"]), rest);
    let all = "evals,clocks,marks,commands,comments,variations";
    assert_eq!(stripped(all), "1. 32-28 19-23 2. 28x19 14x23 *");
    assert_eq!(moves(GAME, &["--strip", "variations"]), moves(GAME, &["--no-variations"]));
}

#[test]
fn what_engines_write_as_comments() {
    let of_match = "1. 32-28 {+0.53/14 47s} 19-23 {-0.18/9, 0.520s} 2. 28x19 {+1.20/7 a good move} 14x23 {-M5/20 0.5s, White wins} *";
    let bare = "1. 32-28 19-23 2. 28x19 {a good move} 14x23 {White wins} *";
    assert_eq!(moves(of_match, &["--strip", "evals"]), bare.replace("} 14", "} 2... 14"));
    assert_eq!(
        moves(of_match, &["--strip", "clocks"]),
        "1. 32-28 {+0.53/14} 1... 19-23 {-0.18/9} 2. 28x19 {+1.20/7 a good move} 2... 14x23 {-M5/20 White wins} *"
    );
    assert_eq!(moves(of_match, &["--strip", "comments"]), "1. 32-28 19-23 2. 28x19 14x23 *");
    // Numbers are scores if a side has many of them, and no others; the comments of White are not.
    let scores = "1. 33-29 {1995} 20-25 {-80: 39-33} 2. 39-33 {the game} 17-21 {12} 3. 44-39 14-20 {only move} \
                  4. 29-23 19x28 {40} *";
    assert_eq!(
        moves(scores, &["--strip", "evals"]),
        "1. 33-29 {1995} 1... 20-25 2. 39-33 {the game} 2... 17-21 3. 44-39 14-20 4. 29-23 19x28 *"
    );
    let few = "1. 33-29 {1995} 20-25 {-80: 39-33} *";
    assert_eq!(moves(few, &["--strip", "evals"]), "1. 33-29 {1995} 1... 20-25 {-80: 39-33} *");
}

#[test]
fn only_empty_things_that_were_stripped_disappear() {
    let text = "1. 32-28 {} 19-23 {[%eval 0.1]} (1... 17-21 {[%eval 0.2]}) 2. 28x19 {[%clk 1]} 14x23 *";
    assert_eq!(
        moves(text, &["--strip", "evals"]),
        "1. 32-28 {} 1... 19-23 (1... 17-21) 2. 28x19 {[%clk 1]} 2... 14x23 *"
    );
    assert_eq!(moves("1. 32-28 (only words) 19-23 word *", &["--strip", "comments"]), "1. 32-28 19-23 *");
}

#[test]
fn numbers_of_replies_go_with_what_they_followed() {
    // In a game of an unknown variant, moves keep the numbers that they have.
    let text = "[Event \"e\"]\n1. 3-1 {x} 1... 2-9 (1... 2-8) 2. 1-50 $1 2... 9-3 {y} 3. 50-4 {[%clk 1]} 3... 3-9 *\n";
    let run = pdn_with(text, &["fmt", "--strip", "comments", "-"]).is(0);
    let body = run.text().split_once("\n\n").expect("tags and moves").1;
    assert_eq!(body, "1. 3-1 2-9 (1... 2-8) 2. 1-50 $1 2... 9-3 3. 50-4 {[%clk 1]} 3... 3-9 *\n");
}

#[test]
fn text_between_games_is_stripped_too() {
    let text = "[GameType \"20\"]\n1. 32-28 *\n\n{prose [%eval 0.1]}\n[GameType \"20\"]\n1. 31-27 *\n";
    let fmt = |kinds| pdn_with(text, &["fmt", "--strip", kinds, "-"]).is(0).text().to_owned();
    assert!(fmt("evals").contains("{prose}\n") && fmt("comments").contains("{[%eval 0.1]}\n"));
    assert!(!fmt("comments,commands").contains('{'));
}

#[test]
fn unknown_kinds_are_refused() {
    let run = pdn_with(GAME, &["fmt", "--strip", "evals,nothing", "-"]).is(2);
    assert!(run.errors.contains("nothing") && run.errors.contains("variations"), "{}", run.errors);
    pdn_with(GAME, &["fmt", "--fix", "--only-repairs", "--strip", "evals", "-"]).is(2);
}
