//! Positions, moves, scores and limits in the notation of the Hub protocol.

use std::fmt::Write;
use std::time::Duration;

use super::message::Message;
use crate::board::{Piece, Side, Square, SquareSet};
use crate::engine::{GameClock, Limit, Score};
use crate::notation::Numbering;
use crate::rules::{Move, Position, Setup, Variant};

/// Minimum score of a proven win, in centi-men, as Scan writes it: [`WON`] less one for each ply to the end.
const PROVEN: i32 = 9_000;
/// Score of a game already won, in centi-men.
const WON: i32 = 10_000;

/// Writes a position: the side to move, then the content of each square by number.
///
/// # Examples
///
/// ```
/// use pdn::link::{read_position, write_position};
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::ITALIAN);
/// let text = write_position(&start);
/// assert_eq!(text, "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
/// assert_eq!(read_position(&text, Variant::ITALIAN), Some(start));
/// ```
pub fn write_position(position: &Position) -> String {
    let numbering = Numbering::internal(position.variant());
    let squares = (1..=numbering.shape().square_count()).filter_map(|number| numbering.square(number));
    let letter = |square| match position.piece_at(square) {
        None => 'e',
        Some((Side::White, Piece::Man)) => 'w',
        Some((Side::Black, Piece::Man)) => 'b',
        Some((Side::White, Piece::King)) => 'W',
        Some((Side::Black, Piece::King)) => 'B',
    };
    std::iter::once(position.turn().letter()).chain(squares.map(letter)).collect()
}

/// Reads a position; `None` if the text is invalid or the position is not playable.
pub fn read_position(text: &str, variant: Variant) -> Option<Position> {
    // `Z` and `z` are DXP's letters of Black.
    let setup = Setup::from_letters(text, Numbering::internal(variant)).filter(|_| !text.contains(['Z', 'z', 'E']))?;
    Position::from_setup(variant, &setup).ok().map(|(position, _)| position)
}

/// Writes a move: `32-28`, or for a capture `28x17x22` with the start, the end and every captured square.
pub fn write_move(played: &Move, variant: Variant) -> String {
    let numbering = Numbering::internal(variant);
    let (from, to) = (numbering.number(played.from()), numbering.number(played.to()));
    if !played.is_capture() {
        return format!("{from}-{to}");
    }
    let mut captured: Vec<_> = played.captured().iter().map(|square| numbering.number(square)).collect();
    captured.sort_unstable();
    captured.into_iter().fold(format!("{from}x{to}"), |mut text, number| {
        // Writing to a string cannot fail.
        let _ = write!(text, "x{number}");
        text
    })
}

/// Finds the legal move written as text. The captured squares may be in any order, and may be omitted where the start and
/// end are unambiguous.
///
/// # Examples
///
/// ```
/// use pdn::link::read_move;
/// use pdn::rules::{Position, Variant};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28:B22")?;
/// assert_eq!(read_move(&position, "28x17x22"), read_move(&position, "28x17"));
/// assert_eq!(read_move(&position, "28-23"), None);
/// # Ok::<(), pdn::ParseError>(())
/// ```
pub fn read_move(position: &Position, text: &str) -> Option<Move> {
    let numbering = Numbering::internal(position.variant());
    let squares: Option<Vec<Square>> = text.split(['-', 'x', ':']).map(|number| numbering.find(number)).collect();
    let squares = squares?;
    let [from, to, captured @ ..] = &squares[..] else { return None };
    let mut moves = position.moves_between(*from, *to);
    if !captured.is_empty() {
        let captured: SquareSet = captured.iter().copied().collect();
        moves.retain(|candidate| candidate.captured() == captured);
    }
    if let [only] = moves[..] { Some(only) } else { None }
}

/// Writes a line of moves.
pub(crate) fn write_line(line: &[Move], variant: Variant) -> String {
    line.iter().map(|step| write_move(step, variant)).collect::<Vec<_>>().join(" ")
}

/// Reads a line of moves, up to the first that is not legal.
pub fn read_line(position: &Position, text: &str) -> Vec<Move> {
    let mut position = *position;
    let next = |word: &str| {
        let step = read_move(&position, word)?;
        position = position.play_unchecked(&step);
        Some(step)
    };
    text.split_whitespace().map_while(next).collect()
}

/// Writes a score in men. A proven win in n plies is 100 men less n hundredths.
///
/// # Examples
///
/// ```
/// use pdn::engine::Score;
/// use pdn::link::{read_score, write_score};
///
/// assert_eq!(write_score(Score::centi_men(-4)), "-0.04");
/// assert_eq!(read_score("99.93"), Some(Score::win_in(7)));
/// ```
pub fn write_score(score: Score) -> String {
    let value = match score.plies_to_end() {
        Some(plies) if score.is_loss() => plies as i32 - WON,
        Some(plies) => WON - plies as i32,
        // An estimate must not be read as a proven win.
        None => score.value().clamp(1 - PROVEN, PROVEN - 1),
    };
    Score::centi_men(value).to_string()
}

/// Reads a score in men; `None` if the text is not a number.
pub fn read_score(men: &str) -> Option<Score> {
    let centi_men = men.parse::<f64>().ok().filter(|men| men.is_finite())? * 100.0;
    // Engines write any number for a win; beyond the scores of wins, it is one in no plies.
    let centi_men = centi_men.clamp(-20_000.0, 20_000.0).round() as i32;
    let plies = (WON - centi_men.abs()).max(0) as u32;
    Some(match centi_men {
        PROVEN.. => Score::win_in(plies),
        _ if centi_men <= -PROVEN => Score::loss_in(plies),
        _ => Score::centi_men(centi_men),
    })
}

/// Reads a `level` message. The limit of `level infinite` is [`Limit::none`].
///
/// # Errors
///
/// If a value is invalid or no limit is given.
pub(super) fn read_level(message: &Message) -> Result<Limit, String> {
    let depth = number(message, "depth", 1.0)?.map(|plies| plies as u32);
    let nodes = number(message, "nodes", 1.0)?.map(|nodes| nodes as u64);
    let time = number(message, "move-time", 0.0)?.map(duration);
    let increment = number(message, "inc", 0.0)?.map_or(Duration::ZERO, duration);
    // Without moves to play, the time is for the rest of the game.
    let moves = number(message, "moves", 0.0)?.filter(|&moves| moves >= 1.0).map(|moves| moves as u32);
    let left = number(message, "time", 0.0)?.map(duration);
    let clock = left.map(|left| GameClock::new(left, increment).with_moves(moves));
    let limit = Limit { depth, nodes, time, clock };
    if limit.is_none() && !message.has("infinite") {
        return Err("invalid level: no known limit".to_owned());
    }
    Ok(limit)
}

fn number(message: &Message, name: &str, least: f64) -> Result<Option<f64>, String> {
    let Some(text) = message.value(name) else { return Ok(None) };
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= least);
    number.map(Some).ok_or_else(|| format!("invalid level: {name}={text}"))
}

fn duration(seconds: f64) -> Duration {
    // `move-time=1e300` is a valid limit that is never reached.
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Writes limits as a `level` message.
pub(super) fn write_level(limit: Limit) -> Message {
    let message = Message::new("level")
        .with_some("depth", limit.depth)
        .with_some("nodes", limit.nodes)
        .with_some("move-time", limit.time.map(|time| time.as_secs_f64()))
        .with_some("moves", limit.clock.and_then(|clock| clock.moves()))
        .with_some("time", limit.clock.map(|clock| clock.left.as_secs_f64()))
        .with_some("inc", limit.clock.map(|clock| clock.increment.as_secs_f64()));
    if limit.is_none() { message.with_flag("infinite") } else { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_position_survives_its_text() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let text = write_position(&start);
            assert_eq!(text.len(), 1 + usize::from(variant.shape().square_count()));
            assert_eq!(read_position(&text, variant), Some(start), "{variant}");
            for step in start.legal_moves() {
                assert_eq!(read_move(&start, &write_move(&step, variant)), Some(step), "{variant}");
            }
        }
    }

    #[test]
    fn positions_and_moves_are_written_as_the_protocol_requires() {
        let start = Position::start(Variant::INTERNATIONAL);
        assert_eq!(write_position(&start), "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww");
        let line = "32-28 17-22 28x17x22 12x21x17";
        assert_eq!(write_line(&read_line(&start, line), Variant::INTERNATIONAL), line);
        assert_eq!(read_line(&start, "32-28 17-22 28x17x23 12x21x17").len(), 2);
    }

    #[test]
    fn invalid_positions_and_moves_are_rejected() {
        let start = write_position(&Position::start(Variant::INTERNATIONAL));
        let long = format!("{start}e");
        let odd = start.replace("Wbb", "Wbx");
        let black_man_home = format!("W{}b", "e".repeat(49));
        for text in ["", "W", "Wxyz", "é", &long, &odd, &black_man_home, &start[1..]] {
            assert_eq!(read_position(text, Variant::INTERNATIONAL), None, "{text}");
        }
        let start = Position::start(Variant::INTERNATIONAL);
        for text in ["", "-", "32", "32-", "32-28-23", "1-99", "32x28", "00-1", "32--28", "é-é"] {
            let read = read_move(&start, text);
            assert!(read.is_none() || text == "32x28", "{text}");
        }
    }

    #[test]
    fn estimates_and_proven_scores_survive_their_text() {
        let table = [
            (Score::centi_men(-4), "-0.04"),
            (Score::DRAW, "0.00"),
            (Score::win_in(7), "99.93"),
            (Score::loss_in(0), "-100.00"),
            (Score::loss_in(12), "-99.88"),
        ];
        for (score, text) in table {
            assert_eq!(write_score(score), text);
            assert_eq!(read_score(text), Some(score));
        }
        assert_eq!(write_score(Score::centi_men(20_000)), "89.99");
        for text in ["", "x", "nan", "inf"] {
            assert_eq!(read_score(text), None);
        }
    }

    fn level(line: &str) -> Result<Limit, String> {
        read_level(&Message::parse(line))
    }

    #[test]
    fn all_forms_are_read() {
        let seconds = |time| Ok(Limit::time(duration(time)));
        assert_eq!(level("level depth=9"), Ok(Limit::depth(9)));
        assert_eq!(level("level nodes=20000"), Ok(Limit::nodes(20_000)));
        assert_eq!(level("level move-time=0.3"), seconds(0.3));
        assert_eq!(level("level infinite"), Ok(Limit::none()));
        let on_clock = |left, increment, moves| {
            let clock = GameClock::new(Duration::from_secs(left), Duration::from_secs(increment));
            Ok(Limit::clock(clock.with_moves(moves)))
        };
        assert_eq!(level("level time=300"), on_clock(300, 0, None));
        assert_eq!(level("level moves=10 time=60 inc=1"), on_clock(60, 1, Some(10)));
        assert_eq!(level("level moves=0 time=60"), on_clock(60, 0, None));
        assert_eq!(level("level time=0"), on_clock(0, 0, None));
        assert_eq!(level("level depth=9 nodes=7").unwrap().nodes, Some(7));
    }

    #[test]
    fn invalid_levels_are_errors() {
        for line in [
            "level",
            "level depth=0",
            "level depth=x",
            "level nodes=-3",
            "level move-time=nan",
            "level move-time=inf",
            "level time=-1",
            "level time",
            "level moves=5",
            "level potatoes=5",
        ] {
            assert!(level(line).is_err(), "{line}");
        }
        assert!(level("level move-time=1e300 depth=1e99").is_ok(), "huge limits are valid");
    }

    #[test]
    fn limits_survive_their_message() {
        let clock = GameClock::new(Duration::from_mins(1), Duration::from_secs(1)).with_moves(Some(20));
        let time = Some(Duration::from_millis(1500));
        let all = Limit { depth: Some(7), nodes: Some(1_000_000), time, clock: Some(clock) };
        for limit in [all, Limit::depth(3), Limit::none()] {
            assert_eq!(level(&write_level(limit).to_string()), Ok(limit));
        }
    }
}
