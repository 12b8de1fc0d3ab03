//! Titles of events: their rounds, and their comparable parts.

use super::name::{is_close, skeleton};
use crate::query::expression::folded;

/// Words for a round, folded.
const ROUNDS: [&str; 13] =
    ["round", "ronde", "runde", "ronda", "turno", "tour", "rnd", "rd", "тур", "kolo", "rodada", "jornada", "partie"];

/// Longest number of a round, in digits.
const MAX_DIGITS: usize = 3;

/// Returns the event and the round of a title such as `Club - ronde 7` or `Club (7e ronde)`.
pub(crate) fn event_and_round(title: &str) -> (&str, Option<String>) {
    let trimmed = title.trim_end_matches([')', ']', ' ', '.']);
    let found = last_word(trimmed).and_then(|(rest, last)| {
        let (before, word) = last_word(rest)?;
        // `ronde 7`, or `7e ronde`
        let number = |word: &str, number: &str| ROUNDS.contains(&&*folded(word)).then(|| digits(number)).flatten();
        number(word, last).or_else(|| number(last, word)).map(|round| (before, round))
    });
    let Some((event, round)) = found else { return (title, None) };
    let event = event.trim_end_matches(|letter: char| letter.is_whitespace() || "-–—,:;([/|.".contains(letter));
    if event.is_empty() { (title, None) } else { (event, Some(round)) }
}

/// Returns the number of a round such as `ronde4`, `Round 4`, `R4`, `4e ronde` or `4th`, with the board if there is one; `None`
/// for anything else.
pub(in crate::query) fn round_number(round: &str) -> Option<String> {
    let folded = folded(round.trim());
    let text = folded.trim_matches(['(', ')', '[', ']', '.', ' ']);
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let end =
        text[start..].find(|letter: char| !letter.is_ascii_digit() && letter != '.').map_or(text.len(), |n| start + n);
    let (before, number, after) = (&text[..start], text[start..end].trim_end_matches('.'), &text[end..]);
    let is_word = |word: &str| word == "r" || ROUNDS.contains(&word);
    let before = before.trim_matches([' ', '.', ':', '-', '#', '_']);
    let mut words = after.split_whitespace();
    // `4e ronde`, `4th`, `2nd round`, `3. Runde`: an ordinal, and the word for a round.
    let ordinal = if after.starts_with(char::is_alphabetic) { words.next() } else { None };
    let is_ordinal = ordinal.is_none_or(|suffix| suffix.chars().count() <= 2);
    let rest: Vec<&str> = words.collect();
    let is_round = match rest.as_slice() {
        [] => before.is_empty() || is_word(before),
        [word] => before.is_empty() && is_word(word),
        _ => false,
    };
    let (round, board) = round_and_board(number);
    let is_number = number.len() <= MAX_DIGITS * 2 + 1 && round.bytes().all(|byte| byte.is_ascii_digit());
    (is_round && is_ordinal && is_number).then(|| match board {
        Some(board) => format!("{round}.{board}"),
        None => round.to_owned(),
    })
}

/// Returns the parts of a round such as `3.2`, without leading zeros: the round, and the board or game within it.
pub(in crate::query) fn round_and_board(round: &str) -> (&str, Option<&str>) {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Of `000`, one zero stays.
    let plain = |text: &'_ str| text.len() - text.trim_start_matches('0').len().max(1);
    let round = round.trim();
    match round.split_once('.') {
        Some((first, second)) if number(first) && number(second) => {
            (&first[plain(first)..], Some(&second[plain(second)..]))
        }
        _ if number(round) => (&round[plain(round)..], None),
        _ => (round, None),
    }
}

/// Returns the last word of a text and the text before it.
fn last_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let start = text.rfind(|letter: char| letter.is_whitespace() || "([-–,:".contains(letter))?;
    let length = text[start..].chars().next()?.len_utf8();
    Some((&text[..start + length], &text[start + length..])).filter(|(_, word)| !word.is_empty())
}

/// Returns the number of a round without zeros before it: that of `07`, `7e`, `7.` or `7th`.
fn digits(text: &str) -> Option<String> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let is_ordinal = suffix.chars().count() <= 2;
    let value: u32 = number.parse().ok().filter(|_| is_ordinal && number.len() <= MAX_DIGITS)?;
    Some(value.to_string())
}

/// A title, split into the parts that are compared.
#[derive(Clone, Debug)]
pub(super) struct Title {
    /// The numbers, which must be the same: years and ordinals.
    pub(super) numbers: String,
    /// The words normalised for transcription, sorted.
    pub(super) words: Vec<Vec<char>>,
}

/// The similarity of two titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Titles {
    Same,
    Slip,
    /// Words of one are abbreviations of those of the other.
    Short,
}

/// Maximum number of words compared in a title.
const MAX_WORDS: usize = 12;

impl Title {
    /// Reads a title; `None` if it has no words.
    pub(super) fn read(text: &str) -> Option<Self> {
        let folded = folded(text);
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        let parts = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
        for part in parts.take(MAX_WORDS) {
            let end = part.find(|letter: char| !letter.is_numeric()).unwrap_or(part.len());
            let (number, rest) = part.split_at(end);
            if !number.is_empty() {
                numbers.push(number.trim_start_matches('0'));
            }
            // What follows a number is an ending, as in `3rd`.
            if number.is_empty() || rest.chars().count() > 2 {
                words.push(skeleton(rest));
            }
        }
        numbers.sort_unstable();
        words.sort_unstable();
        (!words.is_empty()).then(|| Self { numbers: numbers.join(" "), words })
    }

    pub(super) fn letters(&self) -> Vec<char> {
        self.words.concat()
    }

    /// Returns the first letters of the words.
    pub(super) fn initials(&self) -> Vec<char> {
        let mut letters: Vec<char> = self.words.iter().filter_map(|word| word.first().copied()).collect();
        letters.sort_unstable();
        letters
    }

    pub(super) fn compare(&self, other: &Self) -> Option<Titles> {
        if self.numbers != other.numbers {
            None
        } else if self.words == other.words {
            Some(Titles::Same)
        } else if self.letters().len() >= 8 && is_close(&self.letters(), &other.letters()) {
            Some(Titles::Slip)
        } else {
            let short = |one: &[char], other: &[char]| one.len() >= 2 && other.starts_with(one);
            let pairs = self.words.iter().zip(&other.words);
            let all = self.words.len() == other.words.len() && self.letters().len() >= 4;
            let fit = all && pairs.clone().all(|(one, other)| one == other || short(one, other) || short(other, one));
            fit.then_some(Titles::Short)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_titles_are_found() {
        for (title, event, round) in [
            ("Club - ronde 7", "Club", Some("7")),
            ("Club (7e ronde)", "Club", Some("7")),
            ("Club, Round 12.", "Club", Some("12")),
            ("Чемпионат, тур 3", "Чемпионат", Some("3")),
            ("ronde 7", "ronde 7", None),
            ("Tour 2003", "Tour 2003", None),
            ("WK round 2003", "WK round 2003", None),
            ("Club 7", "Club 7", None),
            ("", "", None),
            ("é ronde 1", "é", Some("1")),
        ] {
            assert_eq!(event_and_round(title), (event, round.map(str::to_owned)), "{title}");
        }
    }

    #[test]
    fn rounds_are_numbers() {
        for (text, number) in [
            ("ronde4", Some("4")),
            ("Round 4", Some("4")),
            ("R4", Some("4")),
            ("r. 04", Some("4")),
            ("4e ronde", Some("4")),
            ("4th", Some("4")),
            ("2nd round", Some("2")),
            ("3. Runde", Some("3")),
            ("тур 3", Some("3")),
            ("07", Some("7")),
            ("4.2", Some("4.2")),
            ("Ronde 4.02", Some("4.2")),
            ("1/8 finals", None),
            ("final", None),
            ("2003 final", None),
            ("20031225", None),
            ("", None),
            ("?", None),
        ] {
            assert_eq!(round_number(text).as_deref(), number, "{text}");
        }
    }

    #[test]
    fn rounds_have_boards() {
        for (text, parts) in [
            ("3.2", ("3", Some("2"))),
            ("03.10", ("3", Some("10"))),
            ("007", ("7", None)),
            ("0", ("0", None)),
            ("3.2.1", ("3.2.1", None)),
            ("final", ("final", None)),
        ] {
            assert_eq!(round_and_board(text), parts, "{text}");
        }
    }

    #[test]
    fn titles_with_other_numbers_are_other_events() {
        let compare = |one: &str, other: &str| Title::read(one).unwrap().compare(&Title::read(other).unwrap());
        assert_eq!(compare("NK 2003", "NK 2004"), None);
        assert_eq!(compare("3rd Dutch Open", "Dutch  open, 3e"), Some(Titles::Same));
        assert_eq!(compare("Dutch championship 2003", "Dutch champoinship 2003"), Some(Titles::Slip));
        assert_eq!(compare("Dutch Champ. 2003", "Dutch Championship 2003"), Some(Titles::Short));
        assert_eq!(compare("Dutch open", "Dutch final"), None);
    }
}
