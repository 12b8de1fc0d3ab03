//! Games as PDN.

use std::fmt::Write;

use super::game::{End, Played};
use super::run::Match;
use crate::board::Side;
use crate::notation::Outcome;
use crate::pdn::{AsWritten, WriteOptions, games, write_game};
use crate::rules::{Move, Position, ResultStyle};

/// A game to be written.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Value of the tag Event.
    pub event: &'a str,
    /// Number of the game, if it has one.
    pub round: Option<usize>,
    /// Names of White and Black.
    pub names: [&'a str; 2],
    /// Where it begins.
    pub start: Position,
    /// Its moves.
    pub moves: &'a [Move],
    /// The result, if the game is over.
    pub result: Option<Outcome>,
    /// How it ended, for a comment.
    pub remark: Option<&'a str>,
}

/// Writes a game with a blank line behind it.
pub fn write_record(record: &Record<'_>) -> String {
    let text = raw(record);
    let options = WriteOptions::default();
    games(text.as_bytes()).map(|game| write_game(&game.tree, options, &AsWritten) + "\n").collect()
}

/// Everything in one line, for the writer to break.
fn raw(record: &Record<'_>) -> String {
    let variant = record.start.variant();
    let result = result(record);
    let round = record.round.map_or_else(|| "?".to_owned(), |round| round.to_string());
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace(['"', '\\'], "'"));
    };
    tag("Event", record.event);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &round);
    tag("White", record.names[0]);
    tag("Black", record.names[1]);
    tag("Result", result);
    if let Some(game_type) = variant.game_type() {
        tag("GameType", &game_type.to_string());
    }
    if record.start != Position::start(variant) {
        tag("FEN", &record.start.fen());
    }
    text.push('\n');
    write_moves(&mut text, record);
    if let Some(remark) = record.remark {
        let _ = write!(text, "{{{}}} ", remark.replace(['{', '}'], "'"));
    }
    text + result + "\n"
}

fn write_moves(text: &mut String, record: &Record<'_>) {
    let mut position = record.start;
    let starts = position.variant().starts();
    let shift = usize::from(position.turn() != starts);
    for (n, step) in record.moves.iter().enumerate() {
        let ply = n + shift;
        let number = ply / 2 + 1;
        if position.turn() == starts {
            let _ = write!(text, "{number}. ");
        } else if n == 0 {
            let _ = write!(text, "{number}... ");
        }
        text.push_str(&position.short(step));
        text.push(' ');
        position = position.play_unchecked(step);
    }
}

/// The result; its left number is that of the side that starts games.
fn result(record: &Record<'_>) -> &'static str {
    let variant = record.start.variant();
    let Some(verdict) = record.result else { return "*" };
    let first_won = match verdict {
        Outcome::Win(winner) => Some(winner == variant.starts()),
        Outcome::Draw => None,
    };
    match (first_won, variant.conventions().results == ResultStyle::TwoPoints) {
        (Some(true), true) => "2-0",
        (Some(false), true) => "0-2",
        (None, true) => "1-1",
        (Some(true), false) => "1-0",
        (Some(false), false) => "0-1",
        (None, false) => "1/2-1/2",
    }
}

impl Match {
    /// Writes a game of the match.
    pub fn record(&self, played: &Played) -> String {
        let [a, b] = &self.players.each_ref().map(ToString::to_string);
        let names = if played.first == Side::White { [a.as_str(), b] } else { [b.as_str(), a] };
        let moves: Vec<_> = played.opening.moves.iter().chain(&played.moves).copied().collect();
        let remark = match &played.end {
            End::Board => None,
            End::Draw(name) => Some(format!("draw: {name}")),
            End::Length => Some("draw: too long".to_owned()),
            End::Failed(reason) => {
                let failed = played.winner.map_or(Side::White, |winner| !winner);
                Some(format!("{failed} failed: {reason}"))
            }
        };
        write_record(&Record {
            event: "pdn match",
            round: Some(played.number + 1),
            names,
            start: played.opening.start,
            moves: &moves,
            result: Some(played.winner.map_or(Outcome::Draw, Outcome::Win)),
            remark: remark.as_deref(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{ReplayOptions, replay};
    use crate::rules::Variant;

    #[test]
    fn every_variant_is_replayed() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let mut position = start;
            let mut moves = Vec::new();
            for n in 0..30 {
                let legal = position.legal_moves();
                let Some(step) = legal.get(n * 7 % legal.len().max(1)) else { break };
                moves.push(*step);
                position = position.play_unchecked(step);
            }
            for skipped in [0, 1] {
                let start = moves[..skipped].iter().fold(start, |position, step| position.play_unchecked(step));
                let (names, moves) = (["a \"b\" \\", "c"], &moves[skipped..]);
                let record = Record {
                    event: "e",
                    round: None,
                    names,
                    start,
                    moves,
                    result: Some(Outcome::Draw),
                    remark: Some("x"),
                };
                let text = write_record(&record);
                let parsed = games(text.as_bytes()).next().expect("a game");
                assert_eq!(parsed.diagnostics, [], "{text}");
                let game = replay(parsed.tree, &ReplayOptions { variant: Some(variant) });
                assert_eq!((game.plies_played(), game.is_legal()), (moves.len(), true), "{text}");
            }
        }
    }
}
