//! Games in the export format of Lidraughts: one JSON object per line.
//!
//! Data for which Lidraughts has no member is kept in an additional member `record`: the whole game in PDN. It is used when the
//! line is read again; other programs skip it.

use serde::Serialize;

use super::format::{RecordWriter, WrittenGame};
use crate::import::lidraughts::{JUDGEMENTS, VARIANTS, day_of};
use crate::notation::{Stage, TimeControl, date_parts};
use crate::pdn::{Evaluation, Time};
use crate::records::{GameRow, MoveRow};
use crate::rules::Variant;

/// Writes games of Lidraughts.
#[derive(Debug)]
pub(super) struct LidraughtsWriter;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LidraughtsGame<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<i64>,
    status: &'a str,
    players: Players<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening<'a>>,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    /// The time left after each move for the side that moved, in hundredths of a second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    analysis: Vec<Entry>,
    record: String,
}

#[derive(Serialize)]
struct Players<'a> {
    white: Player<'a>,
    black: Player<'a>,
}

#[derive(Serialize)]
struct Player<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<u32>,
}

#[derive(Serialize)]
struct User<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

#[derive(Serialize)]
struct Opening<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    name: &'a str,
}

#[derive(Serialize)]
struct Clock {
    initial: u64,
    increment: u64,
}

#[derive(Default, Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgment: Option<Judgment>,
}

#[derive(Serialize)]
struct Judgment {
    name: &'static str,
    comment: String,
}

impl RecordWriter for LidraughtsWriter {
    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>) {
        let row = game.row();
        let written = lidraughts_game(&row, game.replayed().variant(), game.pdn());
        serde_json::to_writer(&mut *out, &written).expect("rows are JSON");
        out.push(b'\n');
    }
}

fn lidraughts_game<'a>(row: &'a GameRow<'a>, variant: Option<Variant>, record: String) -> LidraughtsGame<'a> {
    let tag = |name: &str| row.tags.get(name).filter(|value| !matches!(*value, "" | "?" | "-"));
    let fen = tag("FEN").and(row.start_fen.as_deref());
    let known = VARIANTS.iter().find(|(name, known)| {
        Some(*known) == variant
            && (*name == "fromPosition") == (fen.is_some() && variant == Some(Variant::INTERNATIONAL))
    });
    let player = |name, title, rating: [&str; 2]| Player {
        user: tag(name).map(|name| User { name, title: tag(title) }),
        rating: rating.iter().find_map(|name| tag(name)?.parse().ok()),
    };
    let winner = match row.result.winner {
        Some("W") => Some("white"),
        Some("B") => Some("black"),
        _ => None,
    };
    let usual = match row.result.winner {
        Some("draw") => "draw",
        Some(_) => "unknownFinish",
        None => "started",
    };
    let has_clocks = row.moves.iter().any(|row| row.clock.is_some());
    let analysis: Vec<_> = row.moves.iter().map(entry).collect();
    let is_analysed = row.moves.iter().any(|row| row.eval.is_some());
    LidraughtsGame {
        id: tag("Site").and_then(|site| site.strip_prefix("https://lidraughts.org/")),
        variant: known.map(|(name, _)| *name).or(row.variant),
        created_at: created_at(tag),
        status: tag("Termination").unwrap_or(usual),
        players: Players {
            white: player("White", "WhiteTitle", ["WhiteRating", "WhiteElo"]),
            black: player("Black", "BlackTitle", ["BlackRating", "BlackElo"]),
        },
        initial_fen: fen,
        winner,
        opening: tag("Opening").map(|name| Opening { code: tag("OpeningCode"), name }),
        moves: moves(&row.moves),
        clock: tag("TimeControl").and_then(clock),
        clocks: if has_clocks {
            // Hundredths of a second.
            row.moves.iter().map(|row| row.clock.map(|time| (time * 100.0).round() as u64)).collect()
        } else {
            Vec::new()
        },
        analysis: if is_analysed { analysis } else { Vec::new() },
        record,
    }
}

/// Returns the start of the game, in milliseconds since 1970; midnight if the time is unknown.
fn created_at<'a>(tag: impl Fn(&str) -> Option<&'a str>) -> Option<i64> {
    let date = tag("UTCDate").or_else(|| tag("Date"))?;
    let [Some(year), Some(month), Some(day)] = date_parts(date) else { return None };
    let time = tag("UTCTime").and_then(Time::parse).unwrap_or_default();
    Some(day_of(year.into(), month.into(), day.into()) * 86_400_000 + time.0 as i64)
}

/// Returns the initial time and the increment of a time control of one stage.
fn clock(value: &str) -> Option<Clock> {
    match value.parse() {
        Ok(TimeControl::Stages(stages)) => match stages[..] {
            [Stage::Clock { moves: None, seconds, increment }] => {
                Some(Clock { initial: seconds, increment: increment.unwrap_or(0) })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns moves separated by spaces: legal ones in their short form, others as written.
fn moves(rows: &[MoveRow<'_>]) -> String {
    // Spaces separate the moves, so there can be none in a move.
    let text =
        |row: &MoveRow<'_>| row.notation.as_ref().map_or_else(|| row.written.replace(' ', ""), ToString::to_string);
    rows.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Returns the analysis of a move: its evaluation from White's point of view, a judgement, and the line that replaces it.
fn entry(row: &MoveRow<'_>) -> Entry {
    let (eval, win) = match row.eval {
        Some(Evaluation::CentiMen(value)) => (Some(value), None),
        Some(Evaluation::WhiteWins(plies)) => (None, Some(i64::from(plies))),
        Some(Evaluation::BlackWins(plies)) => (None, Some(-i64::from(plies))),
        None => (None, None),
    };
    let judged = JUDGEMENTS.iter().find(|(_, nag)| row.nags.contains(nag));
    let variation = row.variations.first().filter(|_| judged.is_some());
    let best = variation.and_then(|line| Some(format!("{:02}{:02}", line.first()?.from?, line.first()?.to?)));
    let comment =
        // In the words that Lidraughts itself writes.
        || variation.map_or_else(String::new, |line| format!("{} was best.", moves(&line[..line.len().min(1)])));
    Entry {
        eval,
        win,
        best,
        variation: variation.map(|line| moves(line)),
        judgment: judged
            .map(|(name, _)| Judgment { name, comment: format!("{name}. {}", comment()).trim_end().to_owned() }),
    }
}
