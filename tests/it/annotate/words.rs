//! What is said about moves is counted again, on the board.

use std::fs;

use pdn::annotate::{AnnotateOptions, words};
use pdn::board::Side;
use pdn::egdb::{Databases, Value};
use pdn::engine::Limit;
use pdn::notation::Numbering;
use pdn::records::{Annotation, FactClause};
use pdn::replay::{Ply, ReplayedGame};
use pdn::rules::Position;
use pdn::text::Language;

use super::{annotator, read};

/// Returns the position after a line of a clause.
fn played(start: &Position, numbering: Numbering, line: &str) -> Position {
    line.split(',').filter(|text| *text != "…").fold(*start, |position, text| {
        let step = position.legal_moves().into_iter().find(|step| position.short_in(step, numbering) == text);
        position.play_unchecked(&step.unwrap_or_else(|| panic!("{text} in {line} from {}", start.fen())))
    })
}

/// Returns the lead of a side in pieces and in kings.
fn lead(position: &Position, side: Side) -> [i32; 2] {
    let count = |side| {
        let squares = position.squares_of(side);
        let kings = squares.iter().filter(|&square| position.kings().contains(square)).count();
        [squares.len() as i32, kings as i32]
    };
    let (own, other) = (count(side), count(!side));
    [own[0] - other[0], own[1] - other[1]]
}

/// Returns true if a side gained what a clause says, by its text.
fn gained(start: &Position, end: &Position, side: Side, gain: &str) -> bool {
    let ([pieces, kings], [pieces_after, kings_after]) = (lead(start, side), lead(end, side));
    let (pieces, kings) = (pieces_after - pieces, kings_after - kings);
    if gain == "g" {
        return end.winner() == Some(side);
    }
    match gain.split_at(1) {
        ("m", men) => match men.strip_suffix("-k") {
            Some(men) => kings == -1 && [pieces, pieces + 1].map(Ok).contains(&men.parse()),
            None => kings == 0 && men.parse() == Ok(pieces),
        },
        ("k", "") => kings == 1 && (0..=1).contains(&pieces),
        ("k", men) => {
            let men: i32 = men.parse().expect("a number with a sign");
            kings == 1 && (pieces == men || pieces == men + 1)
        }
        _ => false,
    }
}

/// Returns the lead of a side in men, where a king counts as three.
fn worth(position: &Position, side: Side) -> i32 {
    let [pieces, kings] = lead(position, side);
    pieces + 2 * kings
}

/// Returns the lead of a side when all captures are made.
fn captured_out(position: &Position, side: Side) -> i32 {
    if !position.can_capture() {
        return worth(position, side);
    }
    let ends = position.legal_moves().into_iter().map(|step| captured_out(&position.play_unchecked(&step), side));
    let end = if position.turn() == side { ends.max() } else { ends.min() };
    end.expect("a capture")
}

/// Returns true if the side to move wins more than a lead by moves that force captures, within so many plies.
fn can_force(position: &Position, lead: i32, plies: usize) -> bool {
    let side = position.turn();
    let is_quiet = !position.can_capture();
    if is_quiet && worth(position, side).min(captured_out(&position.pass(), side)) > lead {
        return true;
    }
    plies > 0
        && position.legal_moves().iter().map(|step| position.play_unchecked(step)).any(|after| {
            if !after.can_capture() {
                return !is_quiet && worth(&after, side) > lead;
            }
            let mut replies = after.legal_moves().into_iter();
            plies > 1 && replies.all(|reply| can_force(&after.play_unchecked(&reply), lead, plies - 2))
        })
}

/// Returns the positions after the moves that lose nothing to captures, or to a shot of at most nine plies.
fn safe_moves(position: &Position) -> Vec<Position> {
    let side = position.turn();
    let is_safe = |after: &Position| {
        let is_quiet = !after.can_capture();
        captured_out(after, side) >= captured_out(position, side)
            && !(is_quiet && can_force(after, worth(after, !side), 9))
    };
    position.legal_moves().iter().map(|step| position.play_unchecked(step)).filter(is_safe).collect()
}

/// Returns the value of a position in the built-in databases, for the side to move.
fn value(position: &Position) -> Option<Value> {
    Databases::embedded().probe(position).map(|found| found.value())
}

/// Checks a clause about a move; returns true if there is material to count in it.
fn is_counted(clause: &FactClause, ply: Ply<'_>, base: &Position, numbering: Numbering) -> bool {
    let (before, after) = (ply.before().expect("a position"), ply.after().expect("a position"));
    let (side, values) = (before.turn(), clause.values());
    let what = format!("{} {values:?} at {}", clause.key(), before.fen());
    let check = |start: &Position, base: &Position, side: Side, line: &str, gain: &str| {
        let end = played(start, numbering, line);
        assert!(!end.can_capture(), "{what}: an exchange is open");
        assert!(gained(base, &end, side, gain), "{what}");
        true
    };
    let shot = |start: &Position, side| {
        let [.., line, gain] = values else { panic!("{what}") };
        check(start, start, side, line, gain)
    };
    match clause.key().split_once('-').unwrap_or((clause.key(), "")) {
        ("loses" | "lets", "") => check(after, base, !side, &values[1], &values[0]),
        ("misses", "" | "king") => check(before, base, side, &values[1], &values[0]),
        ("misses", "win") | ("drift", _) => false,
        ("drawn", "") => {
            let end = played(after, numbering, &values[0]);
            assert_eq!(value(&end), Some(Value::Draw), "{what}");
            true
        }
        ("only", "win" | "draw") => {
            let wanted = if clause.key() == "only-win" { Value::Loss } else { Value::Draw };
            let kept = before.legal_moves().into_iter().filter(|step| {
                let value = value(&before.play_unchecked(step)).expect("a position of the tables");
                value == Value::Loss || value == wanted
            });
            assert_eq!(kept.map(|step| before.play_unchecked(&step)).collect::<Vec<_>>(), [*after], "{what}");
            true
        }
        ("better", "wins") => check(before, base, side, &values[0], &values[1]),
        ("better", "less") => check(before, base, !side, &values[0], &values[1]),
        ("better", "keeps" | "exchange") => {
            let end = played(before, numbering, &values[0]);
            let [pieces, kings] = [0, 1].map(|n| lead(&end, side)[n] - lead(base, side)[n]);
            assert!(pieces >= 0 && kings >= 0, "{what}");
            true
        }
        ("allows", _) => shot(after, !side),
        ("misses" | "plays" | "possible", _) => shot(before, side),
        ("prevents", _) => shot(&before.pass(), !side),
        ("even" | "slightly" | "ahead" | "much", "") => {
            played(after, numbering, &values[0]);
            assert!(values.get(1).is_none_or(|who| ["W", "B"].contains(&&**who)), "{what}");
            false
        }
        ("tied", form) => {
            let next = played(after, numbering, &values[0]);
            assert!(next.turn() == side && next.legal_moves().len() > 1, "{what}");
            let safe = safe_moves(&next);
            if form == "one" {
                assert!(safe.iter().all(|safe| *safe == played(&next, numbering, &values[1])), "{what}");
            } else {
                assert!(safe.len() <= if form == "two" { 2 } else { 3 }, "{what}");
            }
            true
        }
        ("only", form) => {
            let safe = safe_moves(before);
            if form == "one" {
                assert!(safe.iter().all(|safe| safe == after), "{what}");
            } else {
                assert!(safe.len() <= 2, "{what}");
            }
            true
        }
        ("better", "line" | "exchange-line") => {
            played(before, numbering, &values[0]);
            false
        }
        ("loses", "game" | "at-once") | ("lost" | "gives", _) => {
            values.last().map(|line| played(after, numbering, line));
            false
        }
        ("better", _) => false,
        _ => panic!("{what}"),
    }
}

/// Returns the last position up to the one before a move in which there was nothing to capture.
fn base(game: &ReplayedGame, last: Ply<'_>) -> Position {
    let before: Vec<Position> = game.main_moves().filter_map(|id| game.ply(id)?.before().copied()).collect();
    let before = &before[..before.len().min(last.number() as usize)];
    let quiet = before.iter().rfind(|position| !position.can_capture());
    *quiet.unwrap_or_else(|| last.before().expect("a position"))
}

fn clauses<'a>(game: &'a ReplayedGame, made: &'a [Annotation]) -> impl Iterator<Item = (&'a FactClause, Ply<'a>)> {
    made.iter().flat_map(|made| {
        let ply = game.ply(made.node).expect("a played move");
        made.explanation().into_iter().flat_map(pdn::records::SentenceFacts::clauses).map(move |clause| (clause, ply))
    })
}

#[test]
fn what_is_said_is_true_on_the_board() {
    let annotator = annotator(AnnotateOptions { shots: true, ..AnnotateOptions::new(Limit::nodes(300)) });
    let (mut said, mut counted) = (0, 0);
    for file in ["international", "italian", "brazilian"] {
        let text = fs::read(format!("samples/games/{file}.pdn")).expect("the samples are in the repository");
        for game in read(&text).iter().take(8) {
            let made = annotator.annotations(game).expect("the built-in engine does not fail");
            let numbering = game.numbering().expect("a known variant");
            for (clause, ply) in clauses(game, &made) {
                said += 1;
                counted += usize::from(is_counted(clause, ply, &base(game, ply), numbering));
            }
            for annotation in &made {
                assert!(
                    annotation.judgement.is_none() || annotation.explanation().is_some(),
                    "a mark without a reason"
                );
                let explanation = annotation.explanation();
                assert!(
                    Language::ALL.iter().all(|&language| explanation.is_none_or(|explanation| words(
                        explanation,
                        language
                    )
                    .is_some()))
                );
            }
        }
    }
    assert!(said > 60 && counted > 20, "{said} clauses, {counted} with material");
}

#[test]
fn a_shot_that_a_move_allows_is_named() {
    let text = b"[GameType \"20\"]\n[FEN \"B:W27,33,38,39,40,45,48:B3,9,12,13,19,23,24\"]\n1... 9-14 2. 48-42 *";
    let annotator = annotator(AnnotateOptions { shots: true, ..AnnotateOptions::new(Limit::nodes(20_000)) });
    let made = annotator.annotations(&read(text)[0]).expect("an analysis");
    let said = made[0].explanation().and_then(|explanation| words(explanation, Language::English)).unwrap_or_default();
    assert!(
        said.starts_with("Allows the royal shot: 33-28 23x34 40x7, winning two men. Better is "),
        "{said} {made:?}"
    );
}
