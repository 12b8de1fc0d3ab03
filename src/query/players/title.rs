//! Titles of events: their rounds, and their comparable parts.

use super::letters::skeleton;
use super::name::is_close;
use crate::query::expression::folded;

/// Words for a round, folded.
const ROUNDS: [&str; 14] = [
    "round", "ronde", "runde", "runda", "ronda", "turno", "tour", "rnd", "rd", "тур", "kolo", "rodada", "jornada",
    "partie",
];

/// Words before the number of a round, folded, which in titles may belong to the event.
const NUMBERS: [&str; 4] = ["n", "no", "nr", "№"];

/// Words before the number of all rounds, folded.
const OF: [&str; 6] = ["of", "van", "von", "sur", "di", "из"];

/// Longest number of a round, in digits.
const MAX_DIGITS: usize = 3;

/// Largest number of words of a round at the end of a title, as in `round 3 (of 7)`.
const MAX_WORDS_OF_ROUND: usize = 5;

/// Returns the event and the round of a title such as `Club - ronde 7`, `Club (7e ronde)` or `Club R7`.
pub(crate) fn event_and_round(title: &str) -> (&str, Option<String>) {
    let trimmed = title.trim_end_matches([')', ']', ' ', '.']);
    let separators = trimmed.rmatch_indices(|letter: char| letter.is_whitespace() || "([-–,:".contains(letter));
    let found = separators.take(MAX_WORDS_OF_ROUND).find_map(|(at, separator)| {
        let (before, last) = trimmed.split_at(at + separator.len());
        let number = last.find(|letter: char| letter.is_ascii_digit()).and_then(|_| read_round(last));
        let is_round = |found: &ReadRound| found.is_named && found.round.len() <= MAX_DIGITS;
        number.filter(is_round).map(|found| (before, found.text()))
    });
    let Some((event, round)) = found else { return (title, None) };
    let event = event.trim_end_matches(|letter: char| letter.is_whitespace() || "-–—,:;([/|.".contains(letter));
    if event.is_empty() { (title, None) } else { (event, Some(round)) }
}

/// Returns the number of a round such as `ronde4`, `Round 4`, `R4`, `4e ronde`, `4th`, `No. 4` or `4/7`, with the board if there is
/// one; `None` for anything else.
pub(in crate::query) fn round_number(round: &str) -> Option<String> {
    read_round(round).map(ReadRound::text)
}

/// The number of a round as read from a text.
struct ReadRound {
    round: String,
    board: Option<String>,
    /// True if a word says that it is a round.
    is_named: bool,
}

impl ReadRound {
    fn text(self) -> String {
        match self.board {
            Some(board) => format!("{}.{board}", self.round),
            None => self.round,
        }
    }
}

fn read_round(text: &str) -> Option<ReadRound> {
    let folded = folded(text.trim());
    let text = folded.trim_matches(['(', ')', '[', ']', '.', ' ']);
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let end =
        text[start..].find(|letter: char| !letter.is_ascii_digit() && letter != '.').map_or(text.len(), |n| start + n);
    let (before, number, after) = (&text[..start], text[start..end].trim_end_matches('.'), &text[end..]);
    let (round, board) = round_and_board(number);
    // In titles, `R16` is the round of the last 16.
    let is_last = before == "r" && round.parse().is_ok_and(|last: u32| last >= 16 && last.is_power_of_two());
    let before = before.trim_matches([' ', '.', ':', '-', '#', '_', '°', 'º', '(']);
    let after = after_total(round, after, !before.is_empty()).or_else(|| after_ordinal(after))?;
    let mut words = after.split([' ', '(', ')', '[', ']', '.', '\u{a0}']).filter(|word| !word.is_empty());
    let is_named = match (before, words.next(), words.next()) {
        ("", None, _) | ("", Some("r"), None) => false,
        ("", Some(word), None) if ROUNDS.contains(&word) => true,
        ("r", None, _) => !is_last,
        (word, None, _) if ROUNDS.contains(&word) => true,
        (word, None, _) if NUMBERS.contains(&word) => false,
        _ => return None,
    };
    let is_number = number.len() <= MAX_DIGITS * 2 + 1 && round.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| ReadRound { round: round.to_owned(), board: board.map(str::to_owned), is_named })
}

/// Returns the text after the number of all rounds, as in `3/7` and `3 (of 7)`; `None` if there is none.
fn after_total<'a>(round: &str, after: &'a str, is_named: bool) -> Option<&'a str> {
    let text = after.trim_start_matches([' ', '(']);
    let of = || OF.iter().find_map(|of| text.strip_prefix(of)?.strip_prefix(' '));
    let total = text.strip_prefix('/').or_else(of)?.trim_start();
    let end = total.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(total.len());
    let (total, rest) = total.split_at(end);
    let (round, total): (u32, u32) = (round.parse().ok()?, total.parse().ok()?);
    // `12/7` is a date, `1/8` an eighth final, and `3/4` the match for the third place.
    let is_other = (round == 1 && total.is_power_of_two() || total == round + 1) && text.starts_with('/') && !is_named;
    (round <= total && !is_other).then_some(rest)
}

/// Returns the text after the ending of an ordinal, as in `4e ronde`, `3ème`, `2nd` and `1-й тур`; `None` if the letters are none.
fn after_ordinal(after: &str) -> Option<&str> {
    let hyphenated = after.strip_prefix('-').filter(|text| text.starts_with(char::is_alphabetic));
    let text = hyphenated.unwrap_or(after);
    let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
    let (ending, rest) = text.split_at(end);
    // A round that is played again is another one, and `3-TB` is a tie-break.
    let is_ordinal = if hyphenated.is_some() {
        // Without accents, as the text: `й` is `и`.
        ["и", "я", "е", "го", "ыи", "ии", "ои", "ая", "st", "nd", "rd", "th", "e", "de"].contains(&ending)
    } else {
        ending.chars().count() <= 3 && !["bis", "ter"].contains(&ending)
    };
    is_ordinal.then_some(rest)
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
            ("Championnat, 3ème ronde", "Championnat", Some("3")),
            ("Чемпионат, 10-й тур", "Чемпионат", Some("10")),
            ("Open X R4", "Open X", Some("4")),
            ("NK 2026, r. 3", "NK 2026", Some("3")),
            ("Open - Round 3/9", "Open", Some("3")),
            ("Open (round 3 of 9)", "Open", Some("3")),
            ("Club-ronde 07", "Club", Some("7")),
            ("Open No. 3", "Open No. 3", None),
            ("Open 3 of 9", "Open 3 of 9", None),
            ("NK 1/4 finale", "NK 1/4 finale", None),
            ("NK R16", "NK R16", None),
            ("NK R32", "NK R32", None),
            ("NK R. 16", "NK", Some("16")),
            ("NK R15", "NK", Some("15")),
            ("NK ronde 16", "NK", Some("16")),
            ("Cup 2026-03-07", "Cup 2026-03-07", None),
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
            ("1-й тур", Some("1")),
            ("3-ий тур", Some("3")),
            ("3ème ronde", Some("3")),
            ("1ère ronde", Some("1")),
            ("3/7", Some("3")),
            ("Round 1/8", Some("1")),
            ("3 (of 7)", Some("3")),
            ("3 (of 4)", Some("3")),
            ("Round 3/4", Some("3")),
            ("R16", Some("16")),
            ("10-го", Some("10")),
            ("3-ая", Some("3")),
            ("2-nd round", Some("2")),
            ("No. 3", Some("3")),
            ("n° 3", Some("3")),
            ("№3", Some("3")),
            ("Runda 3", Some("3")),
            ("1/8", None),
            ("12/7", None),
            ("3bis", None),
            ("3-4", None),
            ("1-A", None),
            ("3-TB", None),
            ("1-QF", None),
            ("3/4", None),
            ("5/6", None),
            ("7/8", None),
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
