//! Tokens: what a run of bytes is, asked at its first byte.
//!
//! The parsers are nom parsers over bytes. None of them looks back; what a token means in its place is for the reader.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, digit1, multispace0, one_of};
use nom::combinator::{opt, recognize, verify};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

use super::movetext::{LARGEST_SQUARE, digit_like, glued_numbers, separator, with_digits};

/// What a parser returns: what is left, and what it found.
pub(super) type Lexed<'a, T = Token> = IResult<&'a [u8], T, ()>;

/// Deviations of a move, and what kind of move it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    pub(super) const CAPTURE: Self = Self(1);
    /// Blanks inside; the reading grammar takes them.
    pub(super) const PADDED: Self = Self(2);
    pub(super) const DASHED: Self = Self(4);
    pub(super) const ODD_SEPARATOR: Self = Self(8);
    pub(super) const UPPER: Self = Self(16);
    pub(super) const ULTRA_SHORT: Self = Self(32);
    pub(super) const GLUED: Self = Self(64);

    pub(super) const fn has(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }

    /// Whether there is anything to report.
    pub(super) const fn faulty(self) -> bool {
        self.0 & !(Self::CAPTURE.0 | Self::PADDED.0) != 0
    }

    fn set(&mut self, mark: Self) {
        self.0 |= mark.0;
    }
}

/// How a result is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Plain,
    Colon,
    Padded,
    Odd,
}

/// A token that begins with a digit or letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Move(Marks),
    Number {
        value: u32,
        dots: u8,
    },
    /// `9n`, `9,`, `9,` of `9,32-28`: a number if a move follows.
    Typo(u32),
    /// Digits alone: a number without its dot if a move follows.
    Digits(u32),
    Result(Spelling),
    Word,
}

fn digit_run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Blanks of a single paragraph: at most one line break.
fn inner_blanks(bytes: &[u8]) -> usize {
    let len = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
    let breaks = bytes[..len].iter().filter(|&&byte| byte == b'\n');
    if breaks.take(2).count() > 1 { 0 } else { len }
}

#[inline]
fn value_of(digits: &[u8]) -> u32 {
    if digits.len() < 10 {
        return digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    }
    let add = |value: u32, digit: &u8| value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
    digits.iter().fold(0, add)
}

/// Whether a token may end before these bytes.
fn at_boundary(rest: &[u8]) -> bool {
    !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

/// What nearly all tokens of movetext are: `32-28`, `7x16`, `12.`, with a blank behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    Quiet(usize),
    Capture(usize),
    /// A number with one dot.
    Number(usize, u32),
    /// Ask [`digits`].
    Other,
}

/// The common tokens among those that begin with a digit, with few branches: of the first digit nothing is known but
/// that it is one.
#[inline]
pub(super) fn common(input: &[u8]) -> Common {
    let Some(window) = input.first_chunk::<8>() else { return Common::Other };
    let first = 1 + usize::from(window[1].is_ascii_digit());
    let sign = window[first];
    let second = 1 + usize::from(window[first + 2].is_ascii_digit());
    let end = first + 1 + second;
    if sign == b'-' || sign == b'x' {
        // Results have single digits, the first of them at most 2; this leaves them and `1-5` to the long way.
        let plain = window[first + 1].is_ascii_digit() && (first == 2 || second == 2 || window[0] > b'2');
        if plain && matches!(window[end], b' ' | b'\n' | b'\r') {
            return if sign == b'-' { Common::Quiet(end) } else { Common::Capture(end) };
        }
    } else if sign == b'.' && window[first + 1] != b'.' {
        let (high, low) = (u32::from(window[0] - b'0'), u32::from(window[1].wrapping_sub(b'0')));
        return Common::Number(first + 1, if first == 2 { high * 10 + low } else { high });
    }
    Common::Other
}

/// What begins with a digit.
pub(super) fn digits(input: &[u8]) -> Lexed<'_> {
    let len = digit_run(input);
    match input.get(len) {
        Some(b'.') => Ok(number(input, len)),
        Some(b'-' | b'x' | b':') => match path(input, len) {
            // `37-3Z`: the second digit of the last square.
            Some((end, _)) if matches!(input.get(end), Some(b'l' | b'o' | b'A'..=b'Z')) && misspelt(input).is_ok() => {
                word(input)
            }
            Some((end, token)) => Ok((&input[end..], token)),
            None => word(input),
        },
        _ => odd_digits(input, len),
    }
}

#[inline]
fn number(input: &[u8], len: usize) -> (&[u8], Token) {
    let dots = input[len..].iter().take_while(|&&byte| byte == b'.').count();
    (&input[len + dots..], Token::Number { value: value_of(&input[..len]), dots: dots.min(255) as u8 })
}

/// The rest of a move behind its first square; `None` if no second one follows.
#[inline]
fn path(input: &[u8], first: usize) -> Option<(usize, Token)> {
    let (mut at, mut marks, mut squares) = (first, Marks::default(), 1);
    while let Some((len, captures)) = separator(&input[at..]) {
        let mut start = at + len;
        let mut digits = digit_run(&input[start..]);
        if digits == 0 {
            start += inner_blanks(&input[start..]);
            digits = digit_run(&input[start..]);
            // `12- 13. 5-10` lost a square; `30-25 - 19` is a move and a null move.
            let joins = start > at + len && digits > 0 && input.get(start + digits) != Some(&b'.');
            if !joins || squares > 1 && !captures {
                break;
            }
            marks.set(Marks::PADDED);
        }
        separated(&mut marks, input[at], len, captures, squares);
        at = start + digits;
        squares += 1;
    }
    if squares == 2
        && !input[1].is_ascii_digit()
        && let Some(spelling) = result_of(&input[..at])
    {
        return Some((at, Token::Result(spelling)));
    }
    (squares > 1).then_some((at, Token::Move(marks)))
}

#[inline]
fn separated(marks: &mut Marks, byte: u8, len: usize, captures: bool, squares: usize) {
    // Of several signs all are those of a capture.
    if squares > 1 && !(captures && marks.has(Marks::CAPTURE)) {
        marks.set(Marks::DASHED);
    }
    if captures {
        marks.set(Marks::CAPTURE);
    }
    if len > 1 || byte >= 0x80 {
        marks.set(Marks::ODD_SEPARATOR);
    }
    if byte == b'X' {
        marks.set(Marks::UPPER);
    }
}

/// `1-0` and its like; no move goes from or to 0, and none from 1 to 1.
fn result_of(text: &[u8]) -> Option<Spelling> {
    let (first, last) = (text[0], text[text.len() - 1]);
    let known = matches!((first, last), (b'1', b'0' | b'1') | (b'0', b'0' | b'1' | b'2') | (b'2', b'0'));
    let inner = text.get(1..text.len() - 1)?;
    let spelling = match inner.trim_ascii() {
        _ if !known => return None,
        b":" => Spelling::Colon,
        b"-" if inner.len() > 1 => Spelling::Padded,
        b"-" => Spelling::Plain,
        _ => return None,
    };
    Some(spelling)
}

/// Digits with neither a dot nor a usual separator behind them.
#[cold]
fn odd_digits(input: &[u8], len: usize) -> Lexed<'_> {
    if let Ok((rest, spelling)) = half(input) {
        return Ok((rest, Token::Result(spelling)));
    }
    if glued_numbers(input).is_some() && at_boundary(&input[4..]) {
        let mut marks = Marks::default();
        marks.set(Marks::GLUED);
        return Ok((&input[4..], Token::Move(marks)));
    }
    let blanks = inner_blanks(&input[len..]);
    if len <= 2
        && let Some((end, token)) = path(input, len + blanks)
    {
        return Ok((&input[end..], blanks_inside(token, blanks)));
    }
    let value = value_of(&input[..len]);
    let mark = input.get(len).copied().unwrap_or(b' ');
    let next = input.get(len + 1);
    let apart = (mark.is_ascii_alphabetic() || mark == b',') && next.is_none_or(u8::is_ascii_whitespace);
    let glued = || matches!(mark, b',' | b';') && is_move_alone(&input[len + 1..]);
    if len <= 3 && (apart || glued()) {
        return Ok((&input[len + 1..], Token::Typo(value)));
    }
    if mark.is_ascii_whitespace() || b"{}()[]".contains(&mark) {
        return Ok((&input[len..], Token::Digits(value)));
    }
    word(input)
}

/// Whether a move of two digits on both sides begins here, and nothing is glued to it: `9,32-28` is a number and a move,
/// `1,5-0,5` and `2,5-10` are not.
fn is_move_alone(input: &[u8]) -> bool {
    let len = digit_run(input);
    let Some((end, Token::Move(marks))) = path(input, len).filter(|_| len > 0) else { return false };
    let plain = !marks.has(Marks::PADDED) && !marks.has(Marks::DASHED);
    plain && end >= "32-28".len() && at_boundary(&input[end..]) && input.get(end) != Some(&b',')
}

fn blanks_inside(token: Token, blanks: usize) -> Token {
    match token {
        Token::Move(mut marks) if blanks > 0 => {
            marks.set(Marks::PADDED);
            Token::Move(marks)
        }
        Token::Result(Spelling::Plain) if blanks > 0 => Token::Result(Spelling::Padded),
        other => other,
    }
}

/// `1/2-1/2`, `1/2:1/2`, `1/2 - 1/2`, `1/2`, `½-½`, and `Â½-Â½`, which is that in UTF-8 taken for single bytes.
pub(super) fn half(input: &[u8]) -> Lexed<'_, Spelling> {
    let signs = (tag("1/2"), tag("\u{BD}".as_bytes()), tag(&b"\xBD"[..]), tag("\u{C2}\u{BD}".as_bytes()));
    let (rest, fraction) = alt(signs).parse(input)?;
    let second = pair(delimited(multispace0, one_of("-:"), multispace0), tag(fraction));
    let (rest, sign) = opt(verify(second, |_: &(char, &[u8])| true)).parse(rest)?;
    if !at_boundary(rest) {
        return Err(nom::Err::Error(()));
    }
    let len = input.len() - rest.len();
    let spelling = match sign {
        None => Spelling::Odd,
        Some(_) if fraction != b"1/2" => Spelling::Odd,
        Some((':', _)) => Spelling::Colon,
        Some(_) if len > "1/2-1/2".len() => Spelling::Padded,
        Some(_) => Spelling::Plain,
    };
    Ok((rest, spelling))
}

/// What begins with a letter: a move in letters and ranks, or a word.
pub(super) fn letters(input: &[u8]) -> Lexed<'_> {
    match algebraic(input) {
        Some((end, marks)) => Ok((&input[end..], Token::Move(marks))),
        None => word(input),
    }
}

/// Length of the cell that the bytes begin with, its file in upper case or not.
fn cell(input: &[u8]) -> Option<(usize, bool)> {
    let file = *input.first()?;
    let ranks = digit_run(&input[1..]);
    (matches!(file, b'a'..=b'l' | b'A'..=b'L') && (1..=2).contains(&ranks))
        .then(|| (1 + ranks, file.is_ascii_uppercase()))
}

fn algebraic(input: &[u8]) -> Option<(usize, Marks)> {
    let mut marks = Marks::default();
    let mut at = match cell(input) {
        Some((len, upper)) => {
            set_if(&mut marks, Marks::UPPER, upper);
            len
        }
        None if matches!(input[0], b'a'..=b'l' | b'A'..=b'L') => {
            marks.set(Marks::ULTRA_SHORT);
            1
        }
        None => return None,
    };
    let (mut squares, mut glued, mut signs) = (1, false, false);
    loop {
        let blanks = if squares == 1 && at > 1 { inner_blanks(&input[at..]) } else { 0 };
        let sign = separator(&input[at + blanks..]);
        let start = match sign {
            Some((len, _)) => at + blanks + len,
            None => at,
        };
        let padding = if sign.is_some() && at > 1 { inner_blanks(&input[start..]) } else { 0 };
        let Some((len, upper)) = cell(&input[start + padding..]) else { break };
        match sign {
            Some((len, captures)) => {
                signs = true;
                separated(&mut marks, input[at + blanks], len, captures, squares);
            }
            None => glued = true,
        }
        set_if(&mut marks, Marks::PADDED, blanks + padding > 0);
        set_if(&mut marks, Marks::UPPER, upper);
        at = start + padding + len;
        squares += 1;
    }
    // Signs between some of the squares only.
    set_if(&mut marks, Marks::ODD_SEPARATOR, glued && signs);
    (squares > 1 && (!glued || at_boundary(&input[at..]))).then_some((at, marks))
}

fn set_if(marks: &mut Marks, mark: Marks, condition: bool) {
    if condition {
        marks.set(mark);
    }
}

/// `l4x23`, `2B-19!`: squares of which a letter stands in the place of one of two digits, and the marks behind them.
pub(super) fn misspelt(input: &[u8]) -> Lexed<'_, &[u8]> {
    let numeral = |byte: u8| byte.is_ascii_digit() || digit_like(char::from(byte)).is_some();
    let square = || verify(take_while_m_n(1, 2, numeral), |square: &[u8]| square.iter().any(u8::is_ascii_digit));
    let squares = recognize((square(), many1_count(pair(one_of("-x:"), square()))));
    let marks = many0_count(alt((strength, tag("*"))));
    let (rest, found) = terminated(verify(squares, |found: &[u8]| is_misspelt(found)), marks).parse(input)?;
    if at_boundary(rest) { Ok((rest, found)) } else { Err(nom::Err::Error(())) }
}

fn is_misspelt(found: &[u8]) -> bool {
    let spelt = str::from_utf8(found).ok().and_then(with_digits);
    spelt.is_some_and(|spelt| {
        let squares = || spelt.split(['-', 'x', ':']).map(str::parse);
        let differ = squares().zip(squares().skip(1)).all(|(one, next)| one != next);
        differ && squares().all(|square| matches!(square, Ok(1..=LARGEST_SQUARE)))
    })
}

/// Everything up to a blank, brace, bracket or parenthesis; never nothing.
pub(super) fn word(input: &[u8]) -> Lexed<'_> {
    let inner = take_while(|byte: u8| byte > b' ' && !b"{}()[]".contains(&byte));
    recognize(pair(nom::bytes::complete::take(1usize), inner)).map(|_| Token::Word).parse(input)
}

/// `!?`, `(!)`: the marks alone.
pub(super) fn strength(input: &[u8]) -> Lexed<'_, &[u8]> {
    let marks = || take_while1(|byte: u8| byte == b'!' || byte == b'?');
    alt((marks(), delimited(char('('), marks(), char(')')))).parse(input)
}

/// `$7`: all the digits that stand there, three at most.
pub(super) fn nag(input: &[u8]) -> Lexed<'_, u16> {
    let digits = verify(digit1, |digits: &[u8]| digits.len() <= 3);
    preceded(char('$'), digits).map(|digits| value_of(digits) as u16).parse(input)
}

/// `/FEN "…"/`: what stands between its quotes, and whether the last slash is there.
pub(super) fn setup(input: &[u8]) -> Lexed<'_, (&[u8], bool)> {
    let open = (char('/'), multispace0, tag("FEN"), multispace0, char('"'));
    let value = recognize(many0_count(is_not("\"\r\n")));
    let (rest, fen) = delimited(open, value, char('"')).parse(input)?;
    let (rest, slash) = opt(preceded(multispace0, char('/'))).parse(rest)?;
    Ok((rest, (fen, slash.is_some())))
}

/// `<42, 29>` behind a move, with the blanks before it.
pub(super) fn captured_list(input: &[u8]) -> Lexed<'_, &[u8]> {
    let square = alt((recognize(digit1), recognize(pair(one_of("abcdefghijkl"), digit1))));
    let item = (multispace0, square, multispace0, opt(char(',')));
    recognize((multispace0, char('<'), many0_count(item), multispace0, char('>'))).parse(input)
}

/// `\r`, `\n`, `\t` typed as two characters each, one or more of them.
pub(super) fn typed_escape(input: &[u8]) -> Lexed<'_, &[u8]> {
    let escapes = || many0_count(pair(char('\\'), one_of("rnt")));
    verify(recognize(escapes()), |found: &[u8]| {
        let next = input.get(found.len());
        !found.is_empty() && !next.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80)
    })
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexed(text: &str) -> (Token, &str) {
        let input = text.as_bytes();
        let parsed = if input[0].is_ascii_digit() { digits(input) } else { letters(input) };
        let (rest, token) = parsed.unwrap();
        (token, &text[..text.len() - rest.len()])
    }

    #[test]
    fn tells_results_from_moves() {
        for (text, end) in [("1-18 2", 4), ("1-1x", 3), ("2-0", 3), ("0-2 ", 3), ("1/2-1/2", 7), ("1/2:1/2", 7)] {
            let (token, found) = lexed(text);
            assert_eq!(found, &text[..end]);
            assert_eq!(matches!(token, Token::Result(_)), end != 4, "{text}");
        }
        assert_eq!(lexed("0:1").0, Token::Result(Spelling::Colon));
        assert_eq!(lexed("1 - 0").0, Token::Result(Spelling::Padded));
        assert!(matches!(lexed("1-2").0, Token::Move(_)));
        assert!(matches!(lexed("11-0").0, Token::Move(_)));
    }

    #[test]
    fn the_short_way_agrees_with_the_long_one() {
        let pieces = ["", "0", "1", "2", "7", "12", "31", "050", "-", "x", ":", ".", "..", " ", "\n", "!", "a", "/"];
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    for d in pieces {
                        let text = format!("1{a}{b}{c}{d} 12-17 ");
                        let long = digits(text.as_bytes()).map(|(rest, token)| (text.len() - rest.len(), token));
                        let mut capture = Marks::default();
                        capture.set(Marks::CAPTURE);
                        let short = match common(text.as_bytes()) {
                            Common::Quiet(len) => (len, Token::Move(Marks::default())),
                            Common::Capture(len) => (len, Token::Move(capture)),
                            Common::Number(len, value) => (len, Token::Number { value, dots: 1 }),
                            Common::Other => continue,
                        };
                        assert_eq!(long, Ok(short), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn finds_where_moves_end() {
        for (text, end) in [
            ("32-28!", 5),
            ("7- 2 48-31", 4),
            ("18x 9", 5),
            ("7 - 2", 5),
            ("30-25 - 2. 5-6", 5),
            ("12x23x 9 14-20", 8),
            ("c3xe5xg7?", 8),
            ("a3b4 c", 4),
            ("ed4 dc5", 3),
            ("8-11Red", 4),
            ("3228 1823", 4),
        ] {
            assert_eq!(lexed(text).1, &text[..end]);
            assert!(matches!(lexed(text).0, Token::Move(_)), "{text}");
        }
        for text in ["beter", "d4", "12-", "x23", "2nd", "2nd-best"] {
            assert_eq!(lexed(text), (Token::Word, text));
        }
        assert_eq!(lexed("9n 32x41"), (Token::Typo(9), "9n"));
        assert_eq!(lexed("12... 7-8"), (Token::Number { value: 12, dots: 3 }, "12..."));
    }
}
