//! Commands inside comments: `[%clk 1:29:46]`, `[%eval -0.03]`.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until};
use nom::sequence::delimited;

use super::evaluation::Evaluation;
use super::grammar::{Parsed, command};

/// A command as found in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `clk`: time left.
    Clk(Time),
    /// `mct`: time used, as shown by a mechanical clock.
    Mct(Time),
    /// `egt`: time used in the game.
    Egt(Time),
    /// `emt`: time used for the move.
    Emt(Time),
    /// `clock`: one or two clocks with their sides.
    Clock {
        /// White's clock.
        white: Option<SideClock>,
        /// Black's clock.
        black: Option<SideClock>,
    },
    /// `eval`: an evaluation from White's point of view.
    Eval(Evaluation),
    /// `csl`: coloured squares.
    Csl(Vec<Mark>),
    /// `cal`: coloured arrows.
    Cal(Vec<Mark>),
    /// Any other command, or a known one with an invalid value.
    Unknown {
        /// The name after the percent sign.
        name: String,
        /// The rest, without the whitespace at its ends.
        value: String,
    },
}

/// A time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub u64);

/// A clock of [`Command::Clock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideClock {
    /// Time left.
    pub time: Time,
    /// True if the clock is running: its side is written in upper case.
    pub running: bool,
}

/// A coloured square or arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The letter of its colour, such as `R`.
    pub colour: char,
    /// Its square, or its two squares joined by `-`.
    pub squares: String,
}

/// How a clock of two parts is read. That depends on the game: `1:20` may be an hour and twenty minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TwoParts {
    /// Hours and minutes.
    Hours,
    /// Minutes and seconds.
    Minutes,
}

impl Time {
    /// Reads a clock that shows the time left; `None` if it has two readings.
    pub(crate) fn clock(text: &str, two: TwoParts) -> Option<Self> {
        let is_hours = two == TwoParts::Hours && text.matches(':').count() == 1;
        let time = Self::parse(text).filter(|_| !Self::is_dotted(text))?;
        Some(if is_hours { Self(time.0.checked_mul(60)?) } else { time })
    }

    /// Returns true for `4.50`, which may be seconds, or minutes and seconds.
    pub(crate) fn is_dotted(text: &str) -> bool {
        let is_two = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        text.split_once('.').is_some_and(|(whole, part)| whole.len() <= 2 && is_two(part))
    }

    /// Reads `h:mm:ss`, `h.mm.ss`, `mm:ss` or `ss`, with decimals of a second.
    ///
    /// On the clocks of some records, two parts are hours and minutes. The rows of games decide by the whole game.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut millis = 0u64;
        let text = text.trim();
        let sign = if text.matches('.').count() == 2 && !text.contains(':') { '.' } else { ':' };
        let mut parts = text.split(sign).peekable();
        let mut count = 0;
        while let Some(part) = parts.next() {
            let last = parts.peek().is_none();
            millis = millis.checked_mul(60)?.checked_add(thousandths(part, last)?)?;
            count += 1;
        }
        (count <= 3).then_some(Self(millis))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0 / 1000, self.0 % 1000);
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        if millis == 0 { Ok(()) } else { f.write_str(format!(".{millis:03}").trim_end_matches('0')) }
    }
}

/// A number without sign in thousandths; a fraction only where it is allowed.
pub(super) fn thousandths(text: &str, fraction: bool) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || !part.is_empty() && !fraction {
        return None;
    }
    // Further decimals are cut off, not rounded: a clock that shows 59.9999 has not reached the minute.
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(part.parse().ok()?)
}

/// Returns the names and values of the commands of a comment, in order.
pub(crate) fn written_commands(comment: &str) -> impl Iterator<Item = (&str, &str)> {
    pieces(comment).filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Command { name, value } => Some((name, value)),
    })
}

/// Returns the commands of a comment, in order.
///
/// # Examples
///
/// ```
/// use pdn::{Command, Evaluation, Time, parse_commands};
///
/// let found = parse_commands("good [%clk 0:01:30][%eval -0.032]");
/// assert_eq!(found, [Command::Clk(Time(90_000)), Command::Eval(Evaluation::CentiMen(-3))]);
/// ```
pub fn parse_commands(comment: &str) -> Vec<Command> {
    written_commands(comment).map(|(name, value)| parse_command(name, value)).collect()
}

/// Returns a comment without its commands, with one space where they were.
pub fn text_without_commands(comment: &str) -> String {
    let text = |piece| match piece {
        Piece::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        Piece::Command { .. } => None,
    };
    pieces(comment).filter_map(text).collect::<Vec<_>>().join(" ")
}

/// Returns a comment without the commands that are removed by their names. The text around each is joined by a space; all other
/// text and commands are left unchanged: `good [%eval 0.32][%clk 1:00]` without `eval` is `good [%clk 1:00]`.
pub(crate) fn without_commands(comment: &str, is_removed: impl Fn(&str) -> bool) -> String {
    let (mut kept, mut removed) = (String::with_capacity(comment.len()), false);
    for (piece, source) in sources(comment) {
        if matches!(piece, Piece::Command { name, .. } if is_removed(name)) {
            // Only whitespace next to a removed command is touched; the rest of the comment is the author's.
            kept.truncate(kept.trim_ascii_end().len());
            removed = true;
            continue;
        }
        let source = if removed { source.trim_ascii_start() } else { source };
        if removed && !kept.is_empty() && !source.is_empty() {
            kept.push(' ');
        }
        kept.push_str(source);
        removed &= source.is_empty();
    }
    kept
}

/// Returns a comment in which the commands of a name are one with a value: in the place of the first of them, or else after the
/// last command of any name, or at the start. All other text and commands are left unchanged.
pub(crate) fn with_command(comment: &str, name: &str, value: &str) -> String {
    let command = written_command(name, value);
    let of_name = |piece| matches!(piece, Piece::Command { name: other, .. } if other == name);
    let parts: Vec<_> = sources(comment).collect();
    if let Some(first) = parts.iter().position(|(piece, _)| of_name(*piece)) {
        let before: String = parts[..first].iter().map(|(_, source)| *source).collect();
        let after: String = parts[first + 1..].iter().map(|(_, source)| *source).collect();
        return before + &command + &without_commands(&after, |other| other == name);
    }
    let last = parts.iter().rposition(|(piece, _)| matches!(piece, Piece::Command { .. }));
    let (before, after) =
        comment.split_at(parts[..last.map_or(0, |last| last + 1)].iter().map(|(_, source)| source.len()).sum());
    let gap = |text: &str, is_blank: bool| if text.is_empty() || is_blank { "" } else { " " };
    let (left, right) = (gap(before, false), gap(after, after.starts_with(char::is_whitespace)));
    [before, left, &command, right, after].concat()
}

/// Returns a command as it is written.
pub(crate) fn written_command(name: &str, value: &str) -> String {
    format!("[%{name} {value}]")
}

/// Returns the commands of a comment as written, in order.
pub(crate) fn command_sources(comment: &str) -> impl Iterator<Item = &str> {
    sources(comment).filter(|(piece, _)| matches!(piece, Piece::Command { .. })).map(|(_, source)| source)
}

/// A part of a comment.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a str),
    Command { name: &'a str, value: &'a str },
}

fn pieces(comment: &str) -> impl Iterator<Item = Piece<'_>> {
    sources(comment).map(|(piece, _)| piece)
}

/// Returns the parts of a comment, each with all of its text.
fn sources(comment: &str) -> impl Iterator<Item = (Piece<'_>, &str)> {
    let mut left = comment;
    // Nothing after the last bracket can be a command, so it is not searched.
    let mut closed = comment.rfind(']').map_or(0, |last| last + 1);
    std::iter::from_fn(move || {
        let (found, length) = piece(left, closed)?;
        let (source, rest) = left.split_at(length);
        left = rest;
        closed = closed.saturating_sub(length);
        Some((found, source))
    })
}

/// Returns the first part of a text and its length; only the first `closed` bytes can hold commands.
fn piece(left: &str, closed: usize) -> Option<(Piece<'_>, usize)> {
    let first = left.chars().next()?;
    if let Ok((rest, command)) = any_command(&left.as_bytes()[..closed]) {
        return Some((command, closed - rest.len()));
    }
    let after = first.len_utf8();
    // The first character may open a command that cannot be read, and is text then.
    let next = left.get(after..closed).and_then(|text| text.find("[%")).map_or(left.len(), |open| after + open);
    Some((Piece::Text(&left[..next]), next))
}

fn any_command(input: &[u8]) -> Parsed<'_, Piece<'_>> {
    let plain = command.map(|(name, value)| Piece::Command { name: text(name), value: text(value).trim() });
    alt((plain, odd_command)).parse(input)
}

/// A command whose name does not fit the grammar: everything up to the whitespace.
fn odd_command(input: &[u8]) -> Parsed<'_, Piece<'_>> {
    let inner = delimited(tag("[%"), take_until("]"), tag("]"));
    let command = |inner| {
        let (name, value) = text(inner).split_once(char::is_whitespace).unwrap_or((text(inner), ""));
        Piece::Command { name, value: value.trim() }
    };
    inner.map(command).parse(input)
}

/// A part of a text that was cut at ASCII characters.
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

/// Returns a command; one whose value cannot be read is [`Command::Unknown`].
pub(crate) fn parse_command(name: &str, value: &str) -> Command {
    let known = match name {
        "clk" => Time::parse(value).map(Command::Clk),
        "mct" => Time::parse(value).map(Command::Mct),
        "egt" => Time::parse(value).map(Command::Egt),
        "emt" => Time::parse(value).map(Command::Emt),
        "clock" => clocks(value),
        "eval" => evaluation(value).map(Command::Eval),
        "csl" => marks(value, false).map(Command::Csl),
        "cal" => marks(value, true).map(Command::Cal),
        _ => None,
    };
    known.unwrap_or_else(|| Command::Unknown { name: name.to_owned(), value: value.to_owned() })
}

/// Reads an evaluation, perhaps followed by the depth of its search: `0.32,20`, `0.32/20`.
fn evaluation(value: &str) -> Option<Evaluation> {
    let (value, depth) = value.split_once([',', '/']).unwrap_or((value, "0"));
    depth.trim().parse::<u32>().ok()?;
    value.trim().parse().ok()
}

fn clocks(value: &str) -> Option<Command> {
    let (mut white, mut black) = (None, None);
    for (side, time) in clock_times(value) {
        let clock = SideClock { time: Time::parse(time)?, running: side.is_ascii_uppercase() };
        match side.to_ascii_lowercase() {
            'w' => white = Some(clock),
            'b' => black = Some(clock),
            _ => return None,
        }
    }
    (white.is_some() || black.is_some()).then_some(Command::Clock { white, black })
}

/// Returns the letters and times in the value of `clock`.
pub(crate) fn clock_times(value: &str) -> impl Iterator<Item = (char, &str)> {
    value.split_whitespace().filter_map(|word| {
        let side = word.chars().next()?;
        Some((side, &word[side.len_utf8()..]))
    })
}

/// Reads marks. Lidraughts writes arrows without a sign between two squares of two digits: `G3228`.
fn marks(value: &str, are_arrows: bool) -> Option<Vec<Mark>> {
    let mark = |text: &str| {
        let text = text.trim();
        let colour = text.chars().next().filter(char::is_ascii_uppercase)?;
        let squares = &text[1..];
        let sound = squares.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && !squares.is_empty();
        let is_joined = are_arrows && squares.len() == 4 && squares.bytes().all(|byte| byte.is_ascii_digit());
        let squares = || if is_joined { format!("{}-{}", &squares[..2], &squares[2..]) } else { squares.to_owned() };
        sound.then(|| Mark { colour, squares: squares() })
    };
    value.split(',').map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_set_in_their_places() {
        for (comment, expected) in [
            ("", "[%clk 1:00]"),
            ("good", "[%clk 1:00] good"),
            ("[%eval 0.1] good", "[%eval 0.1] [%clk 1:00] good"),
            ("a [%clk 2:00] b", "a [%clk 1:00] b"),
            ("[%clk 2:00][%eval 0.1] [%clk 3:00] b", "[%clk 1:00][%eval 0.1] b"),
            ("[%clk 2:00]", "[%clk 1:00]"),
        ] {
            assert_eq!(with_command(comment, "clk", "1:00"), expected, "{comment}");
        }
    }

    #[test]
    fn reads_commands() {
        let time = |text| Time::parse(text).map(|time| time.0);
        assert_eq!(time("1:29:46"), Some(5_386_000));
        assert_eq!(time("0:0:6.38"), Some(6_380));
        assert_eq!(time("90"), Some(90_000));
        assert_eq!(time("1.29.46"), Some(5_386_000));
        assert_eq!(time("1.5:00"), None);
        assert_eq!(Time(6_380).to_string(), "0:00:06.38");
        assert_eq!(
            parse_commands("[%clock w1:29:46 B1:29:40]"),
            [Command::Clock {
                white: Some(SideClock { time: Time(5_386_000), running: false }),
                black: Some(SideClock { time: Time(5_380_000), running: true }),
            }]
        );
        let evaluations = [
            ("#-7", Evaluation::BlackWins(7)),
            ("#-3,12", Evaluation::BlackWins(3)),
            ("#+3", Evaluation::WhiteWins(3)),
            ("0.32,20", Evaluation::CentiMen(32)),
            ("-12 , 18", Evaluation::CentiMen(-1200)),
            (".5", Evaluation::CentiMen(50)),
            ("-.05,9", Evaluation::CentiMen(-5)),
        ];
        for (value, evaluation) in evaluations {
            assert_eq!(parse_commands(&format!("[%eval {value}]")), [Command::Eval(evaluation)]);
        }
        for value in ["1,5.2", ".", "0.32,", "0.32,20,1", "0.3 2"] {
            let commands = parse_commands(&format!("[%eval {value}]"));
            assert!(matches!(commands[..], [Command::Unknown { .. }]), "{value}");
        }
        let Command::Cal(marks) = &parse_commands("[%cal R12-23,G7-2]")[0] else { panic!("no arrows") };
        assert_eq!((marks[1].colour, marks[1].squares.as_str()), ('G', "7-2"));
        let Command::Cal(marks) = &parse_commands("[%cal G3228,R0105]")[0] else { panic!("no arrows") };
        assert_eq!([marks[0].squares.as_str(), &marks[1].squares], ["32-28", "01-05"]);
        let unknown = Command::Unknown { name: "drgnode".into(), value: "17 18".into() };
        assert_eq!(parse_commands("[%drgnode 17 18] [%"), [unknown]);
    }

    #[test]
    fn separates_text() {
        assert_eq!(text_without_commands("good [%clk 1] move [%eval 0.1]!"), "good move !");
        assert_eq!(text_without_commands("[%open"), "[%open");
        assert_eq!(text_without_commands("a[%clk 1]b]c [%open é"), "a b]c [%open é");
    }

    #[test]
    fn commands_that_are_never_closed_take_linear_time() {
        for repeated in ["[%", "[%eval ", "[%eval 1] [%"] {
            // Quadratic work on this text would take hours.
            let text = repeated.repeat(1_000_000);
            let found = parse_commands(&text).len();
            assert_eq!(found, text.matches(']').count());
            assert!(!text_without_commands(&text).is_empty());
        }
    }

    #[test]
    fn removes_commands_by_name() {
        for (text, rest) in [
            ("[%eval 0.1] good", "good"),
            ("good  [%eval 0.1]  move  [%clk 1]", "good move  [%clk 1]"),
            ("[%eval 0.1] [%pdn mark=2] [%eval x]", ""),
            ("a [%eval 0.1] [%eval 0.2] b", "a b"),
            ("[[%eval 0.1]%eval 0.2]", "[ %eval 0.2]"),
            ("[%evals 0.1] [%eval", "[%evals 0.1] [%eval"),
        ] {
            let left = |text| without_commands(text, |name| ["eval", "pdn"].contains(&name));
            assert_eq!(left(text), rest);
            assert_eq!(left(rest), rest);
        }
    }
}
