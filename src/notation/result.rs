//! Results of games, as written in tags and terminators.

use std::borrow::Cow;

use crate::board::Side;
use crate::rules::{ResultStyle, Variant};
use crate::text::signs::{is_colon, is_dash};
use crate::text::whitespace::is_ignorable;

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// Returns the half points of a side: 2 for a win, 1 for a draw, 0 for a loss.
    pub(crate) fn half_points(self, side: Side) -> u8 {
        match self {
            Self::Win(winner) => 2 * u8::from(winner == side),
            Self::Draw => 1,
        }
    }

    /// Returns the word used in records: `W`, `B` or `draw`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win(Side::White) => "W",
            Self::Win(Side::Black) => "B",
            Self::Draw => "draw",
        }
    }

    /// Returns the result as written in records of the variant. The left number belongs to the side that moves first.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::board::Side;
    /// use pdn::notation::Outcome;
    /// use pdn::rules::Variant;
    ///
    /// assert_eq!(Outcome::Win(Side::White).result_text(Variant::INTERNATIONAL), "2-0");
    /// assert_eq!(Outcome::Win(Side::White).result_text(Variant::ENGLISH), "0-1");
    /// ```
    pub fn result_text(self, variant: Variant) -> &'static str {
        let first_won = match self {
            Self::Win(winner) => Some(winner == variant.starts()),
            Self::Draw => None,
        };
        match (first_won, variant.conventions().results) {
            (Some(true), ResultStyle::TwoPoints) => "2-0",
            (Some(false), ResultStyle::TwoPoints) => "0-2",
            (None, ResultStyle::TwoPoints) => "1-1",
            (Some(true), ResultStyle::OnePoint) => "1-0",
            (Some(false), ResultStyle::OnePoint) => "0-1",
            (None, ResultStyle::OnePoint) => "1/2-1/2",
        }
    }
}

/// A result as written; the left number belongs to the side that moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenResult {
    /// The left side won.
    Left,
    /// The right side won.
    Right,
    /// A draw, with or without a plus for the better side.
    Draw,
    /// `0-0`: both sides lost.
    BothLost,
}

impl WrittenResult {
    /// Returns the outcome, given the side of the left number; `None` if both sides lost.
    pub(crate) fn outcome(self, left: Side) -> Option<Outcome> {
        match self {
            Self::Left => Some(Outcome::Win(left)),
            Self::Right => Some(Outcome::Win(!left)),
            Self::Draw => Some(Outcome::Draw),
            Self::BothLost => None,
        }
    }
}

/// Reads a result in any of its formats; `None` for `*`, `?` and scores of teams or matches.
pub(crate) fn read_result(text: &str) -> Option<WrittenResult> {
    match text {
        // Nearly all results are one of these and are read without an allocation.
        "2-0" | "1-0" => Some(WrittenResult::Left),
        "0-2" | "0-1" => Some(WrittenResult::Right),
        "1-1" | "1/2-1/2" => Some(WrittenResult::Draw),
        "*" => None,
        _ => read_rare_result(text),
    }
}

fn read_rare_result(text: &str) -> Option<WrittenResult> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() || *c == ' ').collect();
    let text = plain_signs(&text);
    let (left, right) = halves(both_halves(text.trim()))?;
    if let (Some(left), Some(right)) = (forfeit(left), forfeit(right)) {
        return match (left, right) {
            (true, false) => Some(WrittenResult::Left),
            (false, true) => Some(WrittenResult::Right),
            (false, false) => Some(WrittenResult::BothLost),
            (true, true) => None,
        };
    }
    let plus = left.contains('+') || right.contains('+');
    let (left, right) = (points(left)?, points(right)?);
    match (left + right, left, right) {
        (0, ..) => Some(WrittenResult::BothLost),
        // A win is 1 or 2 points. A draw with a plus for one side, as `1+ - 1-`, is a draw; so is 1 to 1.
        (100 | 200, _, 0) => Some(WrittenResult::Left),
        (100 | 200, 0, _) => Some(WrittenResult::Right),
        (100 | 200, ..) if left == right => Some(WrittenResult::Draw),
        _ if plus && left == right => Some(WrittenResult::Draw),
        // Two points split unequally: a draw with a plus for one side (`1.02-0.98`, `1 1/2 - 1/2`).
        (200, ..) => Some(WrittenResult::Draw),
        _ => None,
    }
}

/// Returns a plain result as records of the variant spell it: `2-0 1-1 0-2 0-0` or `1-0 1/2-1/2 0-1 0-0`. Without a
/// variant the number of points decides.
///
/// `None` for anything other than a plain win or draw: a draw with a plus, a forfeit, a score of teams, an unknown result.
pub(crate) fn standard_result(text: &str, variant: Option<Variant>) -> Option<&'static str> {
    styled_result(text, variant.map(|variant| variant.conventions().results))
}

/// Returns a plain result in a style, like [`standard_result`].
pub(crate) fn styled_result(text: &str, style: Option<ResultStyle>) -> Option<&'static str> {
    let text = plain_signs(text);
    let text = both_halves(text.trim());
    let (left, right) = halves(text)?;
    if text.contains(['+', 'F', 'f']) || forfeit(left).is_some() || forfeit(right).is_some() {
        return None;
    }
    let (left, right) = (points(left)?, points(right)?);
    let international = style.map_or(left + right == 200, |style| style == ResultStyle::TwoPoints);
    let spelt = |own: &'static str, other: &'static str| Some(if international { own } else { other });
    match (left, right) {
        (0, 0) => Some("0-0"),
        (100 | 200, 0) => spelt("2-0", "1-0"),
        (0, 100 | 200) => spelt("0-2", "0-1"),
        (50, 50) | (100, 100) => spelt("1-1", "1/2-1/2"),
        _ => None,
    }
}

/// Returns true if a value is a result in a known format: plain, with pluses, in points, a score of teams, a forfeit, or
/// unknown.
pub(crate) fn is_result(text: &str) -> bool {
    let sides = |(left, right)| {
        let known = |side| forfeit(side).is_some() || points(side).is_some();
        known(left) && known(right)
    };
    is_unknown_result(text)
        || read_result(text).is_some()
        || halves(both_halves(plain_signs(text).trim())).is_some_and(sides)
}

/// Returns true if a value means an unknown result: `*`, `?`, a dash or nothing.
pub(crate) fn is_unknown_result(text: &str) -> bool {
    matches!(text.trim(), "" | "*" | "?" | "-" | "--" | "\u{2013}")
}

/// Returns a result with the signs that most records have: one half, the colon, the hyphen, and one between two halves.
fn plain_signs(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    // A half in UTF-8 in a game that is read in a single-byte code page; and fractions with their own slash.
    let text: String = text.chars().filter(|&letter| !is_ignorable(letter)).collect();
    let text = text.replace("Â½", "½").replace("1⁄2", "½").replace("1∕2", "½").replace("½½", "½-½");
    Cow::Owned(text.replace(is_colon, ":").replace(is_dash, "-"))
}

/// Completes a lone half, which means one for each side.
fn both_halves(text: &str) -> &str {
    match text {
        "1/2" | "\u{bd}" => "1/2-1/2",
        other => other,
    }
}

/// Splits the two numbers of a result with [plain signs](plain_signs): at a colon, a hyphen between spaces, or the only hyphen.
fn halves(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_matches('"');
    let parts = text
        // First, because the sides themselves may have dashes: `1+ - 1-`.
        .split_once(" - ")
        .or_else(|| text.split_once(':'))
        // `--+` is a game lost by forfeit, not an empty score.
        .or_else(|| text.strip_prefix("--").map(|rest| ("-", rest)))
        .or_else(|| text.split_once('/').filter(|(left, right)| forfeit(left).is_some() && forfeit(right).is_some()))
        .or_else(|| text.split_once('-'))?;
    Some((parts.0.trim(), parts.1.trim()))
}

/// Returns true if a result has the signs of one given without play: `+:-`, `-:-`, `1F-0F`.
pub(crate) fn is_forfeit(text: &str) -> bool {
    let signs = |(left, right)| forfeit(left).is_some() && forfeit(right).is_some();
    let letters = |(left, right): (&str, &str)| {
        [left, right].iter().any(|side| side.ends_with(['F', 'f'])) && points(left).is_some() && points(right).is_some()
    };
    halves(plain_signs(text).trim()).is_some_and(|sides| signs(sides) || letters(sides))
}

/// Returns true for half a point against nothing, as in a bye: `½-0`, `0.5-0`, `0-1/2`.
pub(crate) fn is_half_point(text: &str) -> bool {
    let text = plain_signs(text);
    halves(text.trim())
        .is_some_and(|(left, right)| matches!((points(left), points(right)), (Some(50), Some(0)) | (Some(0), Some(50))))
}

/// Reads `+` and `-`, which mean a game won and lost by forfeit.
fn forfeit(text: &str) -> Option<bool> {
    match text {
        "+" => Some(true),
        "-" => Some(false),
        _ => None,
    }
}

/// Reads points in hundredths: `1`, `1/2`, `1 1/2`, `½`, `0.5`, `1.02`, `1+`.
fn points(text: &str) -> Option<u32> {
    let text = text.trim_end_matches(['+', '-', 'F', 'f']).trim();
    let (whole, half) = match text.strip_suffix("1/2").or_else(|| text.strip_suffix('½')) {
        Some(whole) => (whole.trim(), 50),
        None => (text, 0),
    };
    if whole.is_empty() {
        return (half > 0).then_some(half);
    }
    let (units, fraction) = whole.split_once(['.', ',']).unwrap_or((whole, ""));
    let hundredths = match fraction.len() {
        0 => 0,
        1 => fraction.parse::<u32>().ok()? * 10,
        2 => fraction.parse().ok()?,
        _ => return None,
    };
    // The hundredths of both sides together fit into 32 bits.
    let units: u32 = units.parse().ok().filter(|&units| units < 1_000_000)?;
    Some(units * 100 + hundredths + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_formats_are_read() {
        use WrittenResult::{BothLost, Draw, Left, Right};
        for (texts, score) in [
            (
                &["1-0", "2-0", "1:0", " 1-0", "1 - 0", "2 - 0", "+:-", "+ - -", "+--", "+/-", "1F-0F", "+:–", "+ – –"]
                    [..],
                Some(Left),
            ),
            (&["0-1", "0-2", "0:1", "0 - 2", " 0-1", "-:+", "--+", "– : +", "−:+"], Some(Right)),
            (
                &[
                    "1-1",
                    "1/2-1/2",
                    "1/2:1/2",
                    "½-½",
                    "Â½-Â½",
                    "1⁄2-1⁄2",
                    "½½",
                    "½−½",
                    "0,5-0,5",
                    "½-0.5",
                    "1\u{ad}-1",
                    "1∶1",
                    "0.5-0.5",
                    "1 - 1",
                    "1+ - 1-",
                    "1/2 - 1/2",
                    "1-1+",
                    "1.02-0.98",
                    "1 1/2 - 1/2",
                ],
                Some(Draw),
            ),
            (&["0-0", "0 - 0", "-:-", "---", "-/-", "– – –", "–:−"], Some(BothLost)),
            (&["*", "?", "", "-", "4-6", "1-9", "3-1", "a-b", "99999999999-1"], None),
        ] {
            for text in texts {
                assert_eq!(read_result(text), score, "{text}");
            }
        }
    }

    #[test]
    fn forfeits_are_told_from_games() {
        for text in ["+:-", "-:+", "-:-", "+--", "--+", "---", "+/-", "1F-0F", "0f-2f", "+ - -", "+:–", "– – –"]
        {
            assert!(is_forfeit(text), "{text}");
        }
        for text in ["2-0", "1+ - 1-", "1-1+", "*", "-", "", "0-0", "1/2-1/2", "off"] {
            assert!(!is_forfeit(text), "{text}");
        }
    }

    #[test]
    fn half_a_point_is_against_nothing() {
        for text in ["½-0", "1/2-0", "0.5-0", "0–½", " 0,5 : 0"] {
            assert!(is_half_point(text), "{text}");
        }
        for text in ["1/2-1/2", "½", "0-0", "1-0", "+:-", "*"] {
            assert!(!is_half_point(text), "{text}");
        }
    }

    #[test]
    fn plain_results_are_spelt_as_the_variant_does() {
        assert_eq!(standard_result("1/2:1/2", Some(Variant::INTERNATIONAL)), Some("1-1"));
        assert_eq!(standard_result(" 2-0", Some(Variant::RUSSIAN)), Some("1-0"));
        assert_eq!(standard_result("1+ - 1-", Some(Variant::INTERNATIONAL)), None);
    }

    #[test]
    fn formats_are_distinguished_from_words() {
        for text in ["1-0", "4-6", "1.02-0.98", "1+ - 1-", "+:-", "*", "", "5½-4½", "12 - 8", "1/2"] {
            assert!(is_result(text), "{text}");
        }
        for text in ["draw", "White wins", "1-0 (time)", "(2-0)", "* 2-0", "1999.12.31"] {
            assert!(!is_result(text), "{text}");
        }
    }

    #[test]
    fn the_left_number_is_the_given_sides() {
        assert_eq!(WrittenResult::Left.outcome(Side::Black), Some(Outcome::Win(Side::Black)));
        assert_eq!(WrittenResult::Right.outcome(Side::Black), Some(Outcome::Win(Side::White)));
        assert_eq!(Outcome::Win(Side::White).word(), "W");
    }
}
