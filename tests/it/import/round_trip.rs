//! Games written as those of Lidraughts and read again.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use pdn::check::{CheckOptions, Checking, reviews};
use pdn::export::{Conversion, CsvOptions, RecordFormat, Table, TextOutput, write_pdn};
use pdn::import::games;
use pdn::records::{GameRow, Origin, game_row};
use pdn::source::{ChunkOptions, Event, Input, Pipeline};
use serde_json::Value;

use crate::support::random::Dice;
use crate::support::samples::sample;

/// Games made of those of a sample: with other names, clocks, evaluations, marks and comments.
fn made(count: usize) -> String {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let sample = sample("international");
    let originals: Vec<_> = reviews(sample.as_bytes(), CheckOptions::default()).collect();
    let mut text = String::new();
    for n in 0..count {
        let game = originals[n % originals.len()].game();
        let _ = writeln!(
            text,
            "[Event \"Made {n}\"]\n[White \"Player {}\"]\n[Black \"Player {}\"]",
            dice.below(50),
            dice.below(50)
        );
        let _ = writeln!(text, "[Result \"{}\"]\n[GameType \"20\"]\n", ["2-0", "1-1", "0-2", "*"][dice.below(4)]);
        let length = 1 + dice.below(game.plies_played());
        for (ply, id) in game.main_moves().take(length).enumerate() {
            let Some(written) = game.tree().node(id).move_text() else { break };
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{written} ");
            let comment = match dice.below(5) {
                0 => format!("{{[%clk 0:{:02}:{:02}]}} ", dice.below(60), dice.below(60)),
                1 => format!("{{[%eval {}.{:02}]}} ", dice.below(9), dice.below(100)),
                2 => format!("$6 {{[%eval #-{}]}} {{a \"quoted\" \\\\ word {n}}} ", 1 + dice.below(30)),
                _ => String::new(),
            };
            text.push_str(&comment);
        }
        text.push_str("*\n\n");
    }
    text
}

/// Returns games in the format of Lidraughts.
fn lidraughts(text: &str) -> Vec<u8> {
    let writer = RecordFormat::named("lidraughts").expect("a format").writer(Table::Games, CsvOptions::default());
    let mut output = TextOutput::new(writer.clone());
    let mut lines = output.header();
    let work = Checking::new(Conversion::new(writer), CheckOptions::default());
    let inputs = vec![Ok(Input::stream("made", std::io::Cursor::new(text.to_owned())))];
    let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
    pipeline
        .run(inputs, &work, |event| {
            if let Event::Done(chunk) = event {
                output.add(chunk, |piece| {
                    lines.extend_from_slice(piece);
                    Ok::<_, pdn::Error>(())
                })?;
            }
            Ok(())
        })
        .expect("memory");
    lines.extend(output.finish());
    lines
}

/// Evaluations and clocks of the moves.
fn annotations(row: &GameRow<'_>) -> Vec<(String, Option<f64>, Option<String>)> {
    let of =
        |row: &pdn::records::MoveRow<'_>| (row.written.to_string(), row.clock, row.eval.map(|eval| eval.to_string()));
    row.moves.iter().map(of).collect()
}

#[test]
fn a_thousand_games_are_read_again_as_they_were() {
    let text = made(1000);
    let lines = lidraughts(&text);
    assert_eq!(lines.split(|&byte| byte == b'\n').count(), 1001);
    let written: Vec<_> = reviews(text.as_bytes(), CheckOptions::default()).collect();
    let read: Vec<_> = games(&lines).collect();
    assert_eq!((written.len(), read.len()), (1000, 1000));
    for (one, other) in written.iter().zip(read) {
        let canonical = write_pdn(one.game());
        let expected = pdn::games(canonical.as_bytes()).next().expect("a game").into_tree().without_spans();
        assert!(other.diagnostics().is_empty(), "{:?}", other.diagnostics());
        assert_eq!(other.into_tree().without_spans(), expected);
    }
}

/// What other programs see: the members of Lidraughts, without our own.
#[test]
fn members_alone_have_moves_evaluations_and_clocks() {
    let text = made(200);
    let mut stripped = String::new();
    for line in String::from_utf8(lidraughts(&text)).expect("UTF-8").lines() {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        value.as_object_mut().expect("an object").remove("record").expect("the record");
        let _ = writeln!(stripped, "{value}");
    }
    let origin = Origin { file: "-", game: 1, offset: 0 };
    let read: Vec<_> = reviews(stripped.as_bytes(), CheckOptions::default()).collect();
    assert_eq!(read.len(), 200);
    for (one, other) in reviews(text.as_bytes(), CheckOptions::default()).zip(&read) {
        let (one, other) = (game_row(&one, origin, Vec::new()), game_row(other, origin, Vec::new()));
        assert_eq!(annotations(&one), annotations(&other));
        assert_eq!((&one.result.winner, one.tags.get("White")), (&other.result.winner, other.tags.get("White")));
    }
}
