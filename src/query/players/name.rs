//! Names split into comparable parts: surnames normalised for transcription, and given names.

use std::collections::HashSet;
use std::iter;

use super::letters::{MAX_LETTERS, skeleton, spelled_out};
use crate::query::expression::folded;

/// Titles of players, which are not part of a name.
const TITLES: [&str; 16] =
    ["gm", "gmi", "gmn", "mn", "mf", "fm", "wgm", "wfm", "gmif", "mif", "mff", "cmf", "cmff", "гмс", "кмс", "мсмк"];

/// Titles that are given names and surnames too: Wim, Im, Mi, Ing, Cm.
const NAMES_TOO: [&str; 5] = ["wim", "im", "mi", "ing", "cm"];

/// Titles that are initials or short forms of given names too: М. С., Гр.
const INITIALS_TOO: [&str; 4] = ["мс", "мг", "мф", "гр"];

/// Titles of other people.
const FORMS_OF_ADDRESS: [&str; 6] = ["dr", "drs", "mr", "mrs", "ms", "prof"];

/// Words beside a surname that belong to it, among them those that separate father and son.
const PARTICLES: [&str; 26] = [
    "van", "von", "de", "den", "der", "des", "del", "della", "di", "da", "do", "dos", "du", "la", "le", "lo", "te",
    "ten", "ter", "vd", "vander", "vanden", "jr", "sr", "junior", "senior",
];

/// Given names and short forms of them that have other letters. Short forms that begin like their names need no entry.
const SHORT_FORMS: [(&str, &str); 26] = [
    ("jim", "james"),
    ("bob", "robert"),
    ("rob", "robert"),
    ("bill", "william"),
    ("will", "william"),
    ("wim", "willem"),
    ("dick", "richard"),
    ("jack", "john"),
    ("ted", "edward"),
    ("tony", "anthony"),
    ("ton", "antonius"),
    ("kees", "cornelis"),
    ("cor", "cornelis"),
    ("jan", "johannes"),
    ("hans", "johannes"),
    ("piet", "pieter"),
    ("klaas", "nicolaas"),
    ("sasha", "aleksandr"),
    ("volodia", "vladimir"),
    ("misha", "mihail"),
    ("kolia", "nikolai"),
    ("dima", "dmitri"),
    ("gino", "luigi"),
    ("pepe", "jose"),
    ("joe", "joseph"),
    ("mike", "michael"),
];

// Some records have whole paragraphs as names.
/// Maximum number of words compared in a name.
const MAX_WORDS: usize = 6;

/// A word normalised for transcription, and as written apart from case and accents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) skeleton: Vec<char>,
    written: String,
}

impl Word {
    fn new(written: &str) -> Self {
        Self { skeleton: skeleton(written), written: written.to_owned() }
    }

    pub(super) fn has_digits(&self) -> bool {
        self.written.chars().any(char::is_numeric)
    }
}

/// A given name, or its first letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    word: Word,
    is_short: bool,
}

/// One way to read a name: a choice of the surname.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) surname: Word,
    /// Classes of the particles before the surname: `v` and `d` for *van den*.
    particles: String,
    pub(super) given: Vec<Given>,
    /// True for the usual reading: the surname comes last, or before the comma.
    pub(super) is_usual: bool,
    /// True if the surname consists of all words.
    pub(super) is_joined: bool,
}

impl Reading {
    /// Returns the number of letters in the given names, with one more for each that is written out.
    pub(super) fn given_letters(&self) -> usize {
        let letters = |given: &Given| if given.is_short { 1 } else { 1 + given.word.written.chars().count() };
        self.given.iter().map(letters).sum()
    }
}

/// A name with all its readings, the usual one first.
#[derive(Clone, Debug)]
pub(in crate::query) struct Name {
    /// All parts, sorted: equal for names that differ in case, accents, punctuation or order only.
    pub(in crate::query) parts: String,
    /// The parts with two letters for an umlaut and the like, if it has any.
    pub(in crate::query) spelled_out: Option<String>,
    /// At least one.
    pub(super) readings: Vec<Reading>,
}

impl Name {
    /// Reads a name; `None` if it has no word of at least two letters, such as `N.N.`.
    pub(in crate::query) fn read(text: &str) -> Option<Self> {
        let text = without_titles(&without_parentheses(text));
        // In a name of nothing but capitals, they are no sign of initials.
        let is_shouted = !text.chars().any(char::is_lowercase);
        let initials: HashSet<String> = if is_shouted { HashSet::new() } else { capitals(&text) };
        let [plain, long] = [false, true].map(|all| spelled_out(&text, all));
        let (parts, mut readings) = read_folded(&folded(&plain), &initials);
        let (spelled_out, others) = (plain != long).then(|| read_folded(&folded(&long), &initials)).unzip();
        readings.extend(others.into_iter().flatten());
        (!readings.is_empty()).then_some(Self { parts, spelled_out, readings })
    }

    /// Returns the parts, then those with two letters for an umlaut.
    pub(in crate::query) fn all_parts(&self) -> impl Iterator<Item = &str> {
        iter::once(self.parts.as_str()).chain(self.spelled_out.as_deref())
    }

    /// Returns the surname normalised for transcription, the first letter of the given names, and the first given name if it is
    /// written out.
    pub(in crate::query) fn key(&self) -> (&[char], Option<char>, Option<&[char]>) {
        let Some(usual) = self.readings.first() else { return (&[], None, None) };
        let full = usual.given.first().filter(|given| !given.is_short).map(|given| given.word.skeleton.as_slice());
        (&usual.surname.skeleton, initial(&usual.given), full)
    }
}

/// Returns the parts of a folded name, and its readings; `initials` are the words that are initials.
fn read_folded(folded: &str, initials: &HashSet<String>) -> (String, Vec<Reading>) {
    let (before, after) = match folded.split_once(',') {
        Some((before, after)) if before.chars().any(char::is_alphabetic) => (Some(before), after),
        _ => (None, folded),
    };
    let has_surname = |own: &[Token]| own.iter().any(|token| token.is_word() && !token.is_particle());
    // `BOS, Jan`: the capitals before the comma are a surname unless there is another one.
    let own = before.map(|text| {
        let own = tokens(text, initials);
        if has_surname(&own) { own } else { tokens(text, &HashSet::new()) }
    });
    let rest = tokens(after, initials);
    let mut parts: Vec<&str> = own.iter().flatten().chain(&rest).map(|token| token.text.as_str()).collect();
    parts.sort_unstable();
    let parts = parts.join(" ");
    let readings = match own {
        Some(own) if own.iter().any(Token::is_word) => vec![comma_reading(&own, &rest)],
        Some(own) => plain_readings(&[own, rest].concat()),
        None => plain_readings(&rest),
    };
    (parts, readings)
}

/// A part of a name.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    /// True for initials, or for a word cut off by a period.
    is_short: bool,
}

impl Token {
    fn is_word(&self) -> bool {
        !self.is_short && self.text.chars().nth(1).is_some()
    }

    fn is_particle(&self) -> bool {
        PARTICLES.contains(&self.text.as_str())
    }

    fn given(&self) -> Given {
        Given { word: Word::new(&self.text), is_short: self.is_short }
    }
}

/// Returns a name as written, without titles, ratings, its federation, and what is in parentheses; unchanged if nothing is left.
pub(super) fn plain_name(text: &str) -> String {
    let kept = without_parentheses(text);
    let is_number = |word: &str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = kept.split_whitespace().filter(|word| !is_number(word.trim_end_matches(','))).collect();
    let words = words.join(" ");
    let plain = without_titles(&words);
    let plain = plain.trim_end_matches([',', ' ']);
    let is_same = kept == text && plain == text.split_whitespace().collect::<Vec<_>>().join(" ");
    if plain.is_empty() || is_same { text.to_owned() } else { plain.to_owned() }
}

/// Returns a name without the titles at the ends of the whole and of its parts before and after a comma, and without the federation
/// after the given names.
fn without_titles(text: &str) -> String {
    let cases = [text.chars().any(char::is_lowercase), text.chars().any(char::is_uppercase)];
    let without = |(n, part): (usize, &str)| {
        let words: Vec<&str> = part.split_whitespace().collect();
        // Alone before or after the surname, such a word may be initials, as in `Visser, MI`.
        let is_title = |word: &&str| {
            title(word, words.len(), cases).is_some_and(|is_certain| is_certain || words.len() > 1 || n > 1)
        };
        let first = words.iter().take_while(|word| is_title(word)).count();
        let rest = &words[first..];
        // `Visser, Anna NED` and `Visser, Anna, NED`, but neither `Anna BOS` nor `Visser, JMA`.
        let is_given = |word: &&str| {
            word.starts_with(char::is_uppercase) && word.ends_with(char::is_lowercase) && !is_particle(word)
        };
        let has_given = cases[0] && (n > 1 || n == 1 && rest.iter().any(is_given));
        let is_added = |word: &&str| is_title(word) || has_given && is_federation(word);
        let last = rest.iter().rev().take_while(|word| is_added(word)).count();
        rest[..rest.len() - last].join(" ")
    };
    let parts: Vec<_> = text.split(',').enumerate().map(without).filter(|part| !part.is_empty()).collect();
    let count = |text: &str| text.split([',', ' ']).filter(|word| !word.is_empty()).count();
    let plain = parts.join(", ");
    if plain.is_empty() || count(&plain) == count(text) { text.to_owned() } else { plain }
}

/// Returns true for a word that is never part of a name and false for a title that may be initials where it is the only word;
/// `None` for a name. A word that is a title or a name is a title only in capitals, beside words that are not, or with a period;
/// one that is a title or initials, in lower case or beside two other words. `cases` says if the name has lower case and capitals.
fn title(word: &str, words: usize, [has_small, has_capitals]: [bool; 2]) -> Option<bool> {
    let plain = word.trim_end_matches('.');
    let folded = plain.to_lowercase();
    let is_known = |titles: &[&str]| titles.contains(&folded.as_str());
    let in_capitals = !plain.chars().any(char::is_lowercase);
    let is_lower = !plain.chars().any(char::is_uppercase);
    let is_small = is_lower && has_capitals;
    let is_player = is_known(&TITLES)
        || is_known(&NAMES_TOO) && (in_capitals && has_small || folded == "ing" && plain != word)
        || is_known(&INITIALS_TOO) && (is_small || (in_capitals || is_lower) && words > 2);
    // No initials are in lower case or have four letters, and Russians have two.
    let is_certain = || is_small || folded.chars().count() > if folded.is_ascii() { 3 } else { 2 };
    if is_known(&FORMS_OF_ADDRESS) { Some(true) } else { is_player.then(is_certain) }
}

/// Returns true for a word beside a surname, in any case and with any punctuation.
pub(super) fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().as_str())
}

/// Returns true for three capitals that are neither a particle nor a number, as in `John Smith III`.
fn is_federation(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| b"IVX".contains(&byte));
    word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase()) && !is_number && !is_particle(word)
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let keep = |letter: &char| {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    let kept: String = text.chars().filter(keep).collect();
    // An unclosed parenthesis is left unchanged.
    if depth == 0 { kept } else { text.to_owned() }
}

/// Returns the words of two or three capitals, folded: initials without periods. After a particle in capitals, `VAN DER WAL`, they
/// are a surname.
fn capitals(text: &str) -> HashSet<String> {
    let words = || text.split(|letter: char| !letter.is_alphanumeric());
    let is_upper = |word: &str| word.chars().all(char::is_uppercase);
    let is_initials = |word: &str| (2..=3).contains(&word.chars().count()) && is_upper(word);
    let pairs = iter::once("").chain(words()).zip(words());
    let initials = pairs.filter(|(before, word)| is_initials(word) && !(is_upper(before) && is_particle(before)));
    initials.map(|(_, word)| folded(word).into_owned()).collect()
}

/// Returns the parts of a folded text; `spelled` are words that are initials.
fn tokens(text: &str, spelled: &HashSet<String>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text;
    while tokens.len() < MAX_WORDS * 2 {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '\'').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            break;
        }
        rest = after;
        let word: String = word.chars().filter(|letter| *letter != '\'').take(MAX_LETTERS).collect();
        if spelled.contains(&word) && !PARTICLES.contains(&word.as_str()) {
            tokens.extend(word.chars().map(|letter| Token { text: letter.to_string(), is_short: true }));
        } else {
            let is_short = word.chars().nth(1).is_none() || after.starts_with('.') && word.chars().count() <= 6;
            tokens.push(Token { text: word, is_short });
        }
    }
    // `v.d. Berg`: the letters are a particle.
    let is_joined = |three: &[Token]| three[0].text == "v" && three[1].text == "d" && three[2].is_word();
    while let Some(n) = tokens.windows(3).position(is_joined) {
        tokens.splice(n..n + 2, [Token { text: "vd".to_owned(), is_short: false }]);
    }
    tokens
}

fn comma_reading(own: &[Token], rest: &[Token]) -> Reading {
    let last = own.iter().rposition(|token| token.is_word() && !token.is_particle());
    let last = last.or_else(|| own.iter().rposition(Token::is_word)).unwrap_or_default();
    let particles = own[..last].iter().chain(rest).filter(|token| token.is_particle());
    Reading {
        surname: Word::new(&own[last].text),
        particles: classes(particles),
        given: rest.iter().filter(|token| !token.is_particle()).map(Token::given).collect(),
        is_usual: true,
        is_joined: false,
    }
}

/// Returns the first letters of particles; *van der*, *van den* and *v.d.* are the same in lists of names.
fn classes<'a>(particles: impl Iterator<Item = &'a Token>) -> String {
    let letters = particles.flat_map(|token| match token.text.as_str() {
        "vd" | "vander" | "vanden" => vec!['v', 'd'],
        "jr" | "junior" => vec!['J'],
        "sr" | "senior" => vec!['S'],
        text => text.chars().take(1).collect(),
    });
    letters.collect()
}

/// Returns the readings of a name without a comma: the surname is the last word, the first one, or all of them.
fn plain_readings(tokens: &[Token]) -> Vec<Reading> {
    let is_particle = |n: usize| tokens[n].is_particle();
    let words: Vec<usize> = (0..tokens.len()).filter(|&n| tokens[n].is_word() && !is_particle(n)).collect();
    let words = if words.is_empty() { (0..tokens.len()).filter(|&n| tokens[n].is_word()).collect() } else { words };
    let (Some(&first), Some(&last)) = (words.first(), words.last()) else { return Vec::new() };
    let reading = |surname: usize, is_usual: bool| Reading {
        surname: Word::new(&tokens[surname].text),
        particles: classes((0..tokens.len()).filter(|&n| n != surname && is_particle(n)).map(|n| &tokens[n])),
        given: (0..tokens.len())
            .filter(|&n| n != surname && !is_particle(n))
            .take(MAX_WORDS)
            .map(|n| tokens[n].given())
            .collect(),
        is_usual,
        is_joined: false,
    };
    let mut readings = vec![reading(last, true)];
    if first != last {
        readings.push(reading(first, false));
        if words.len() == 2 && tokens.len() == 2 {
            let joined = tokens.iter().map(|token| token.text.as_str()).collect::<String>();
            readings.push(Reading {
                surname: Word::new(&joined),
                particles: String::new(),
                given: Vec::new(),
                is_usual: false,
                is_joined: true,
            });
        }
    }
    readings
}

/// The similarity of two surnames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Surnames {
    /// They are the same.
    Same,
    /// They are transcriptions of one name.
    Sound,
    /// One letter is missing, added or different, or two adjacent letters are swapped.
    Slip,
}

/// The similarity of the given names of two people with the same surname.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Givens {
    /// A written-out name agrees.
    Full,
    /// A written-out name has a slip.
    Slip,
    /// Initials agree.
    Initials,
    /// One has none.
    Missing,
    /// They are different.
    Different,
}

/// Compares two surnames.
pub(super) fn surnames(one: &Reading, other: &Reading) -> Option<Surnames> {
    let (a, b) = (&one.surname, &other.surname);
    if one.particles != other.particles && !one.is_joined && !other.is_joined {
        return None;
    }
    if a.written == b.written {
        return Some(Surnames::Same);
    }
    if a.has_digits() || b.has_digits() {
        return None;
    }
    // Skeletons of one or two letters belong to many names.
    if a.skeleton == b.skeleton && a.skeleton.len() > 2 {
        // `Jansen` and `Janssen` are two names more often than two transcriptions of one.
        let single = |word: &Word| {
            let mut letters: Vec<char> = word.written.chars().collect();
            letters.dedup();
            letters
        };
        return Some(if single(a) == single(b) { Surnames::Slip } else { Surnames::Sound });
    }
    is_close(&a.skeleton, &b.skeleton).then_some(Surnames::Slip)
}

/// Compares the given names of two people.
pub(super) fn givens(one: &[Given], other: &[Given]) -> Givens {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let Some(first) = shorter.first() else { return Givens::Missing };
    // The first names decide: `A.K.` is `A.` rather than `K.`
    if match_of(first, &longer[0]).is_none() && (shorter.len() == 1 || shorter.len() < longer.len()) {
        return Givens::Different;
    }
    let mut used = vec![false; longer.len()];
    let mut best = Givens::Initials;
    let mut has_slip = false;
    for given in shorter {
        let found = (0..longer.len()).filter(|&n| !used[n]).find_map(|n| Some((n, match_of(given, &longer[n])?)));
        let Some((n, likeness)) = found else { return Givens::Different };
        used[n] = true;
        has_slip |= likeness == Givens::Slip;
        best = best.min(likeness);
    }
    if has_slip { Givens::Slip } else { best }
}

fn match_of(one: &Given, other: &Given) -> Option<Givens> {
    let (a, b) = (&one.word.skeleton, &other.word.skeleton);
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let is_short_form =
        |a: &Given, b: &Given| SHORT_FORMS.contains(&(a.word.written.as_str(), b.word.written.as_str()));
    match (one.is_short, other.is_short) {
        (false, false) if a == b || is_short_form(one, other) || is_short_form(other, one) => Some(Givens::Full),
        (false, false) => {
            // `Alex` and `Alexander`
            if shorter.len() >= 3 && longer.starts_with(shorter) {
                (!is_feminine(shorter, longer)).then_some(Givens::Full)
            } else {
                (shorter.len() >= 4 && is_close(a, b)).then_some(Givens::Slip)
            }
        }
        _ => {
            let likeness = if shorter.len() >= 3 { Givens::Full } else { Givens::Initials };
            longer.starts_with(shorter).then_some(likeness)
        }
    }
}

/// Returns true if a given name that begins with another one is that of a woman, and the other that of a man: `Jan` and `Jana`,
/// `Viktor` and `Viktoria`, but neither `Mari` nor `Mar` and `Maria`.
fn is_feminine(man: &[char], woman: &[char]) -> bool {
    let is_vowel = man.last().is_some_and(|letter| "aeiou".contains(*letter));
    !is_vowel && (woman[man.len()..] == ['a'] || man.len() > 4 && woman[man.len()..] == ['i', 'a'])
}

/// Returns true if two words of at least five letters differ in at most one place: a letter added, missing or different, or two
/// adjacent letters swapped.
pub(super) fn is_close(one: &[char], other: &[char]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[same..], &other[same..]);
    one.len().max(other.len()) > 4
        && match (one_rest, other_rest) {
            ([], [] | [_]) | ([_], []) => true,
            ([a, rest @ ..], [b, others @ ..]) => {
                let exchanged =
                    rest.first() == Some(b) && others.first() == Some(a) && rest.get(1..) == others.get(1..);
                rest == others || rest == other_rest || one_rest == others || exchanged
            }
            _ => false,
        }
}

/// Returns a word and, if it has more than four letters, the words formed by omitting one letter: two words that differ by a
/// slip share one of these.
pub(super) fn with_gaps(word: &[char]) -> impl Iterator<Item = Vec<char>> {
    let shorter = (0..word.len()).filter(|_| word.len() > 4).map(|n| [&word[..n], &word[n + 1..]].concat());
    std::iter::once(word.to_vec()).chain(shorter)
}

/// Returns the letter compared as the initial: that of the first given name.
pub(super) fn initial(given: &[Given]) -> Option<char> {
    given.first()?.word.skeleton.first().copied()
}

/// Returns true if the first letters of both lists of given names agree, as far as both have them.
pub(super) fn same_initials(one: &[Given], other: &[Given]) -> bool {
    let first = |given: &Given| given.word.written.chars().next();
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    shorter.iter().all(|given| longer.iter().any(|other| first(given) == first(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of draughts players that contain titles or resemble them.
    const NAMES: &str = "\
        Wim Vrijland|Wim van der Kooij|Wim Stobbe|Wim Kalis|Wim Jurg|Wim de Jong|Visser, Wim|Bor, Wim|Vries, Wim de|WIM VRIJLAND|\
        Wim-Jan Mulder|Willem Drost|Ing Kwee|Kwee, Ing|Tan Ing Hok|Ton Sijbrands|Ms. Natasja Bakker|Drost, Wim|Mien Mi|Roel Boomstra|\
        Jan Groenendijk|Guno Burleson|Harm Wiersma|Jannes van der Wal|Rob Clerc|Kees Thijssen|Pim Meurs|Martijn van IJzendoorn|\
        Mirco De Grandis|Michele Borghetti|Mi Borghetti|Imo Gallo|Fabrizio Ciampi|Ciampi, Mi|Daniele Macali|Roberto Di Giacomo|\
        Mario Fero|Paolo Faleo|Marino Saletnik|Damiano Sciuto|Loris Milanese|Cm Negrone|Moreno Manzana|Walter Raimondi|\
        Gérard Jansen|Jean-Marc Ndjofang|Arnaud Cordier|Kévin Machtelinck|Christian Niami|Olivier Defosse|Alain Georges|\
        Luc Guinard|Thierry Delmotte|Dominique Issalene|Mi Issalene|Oscar Lognon|Fred Ivens|Gmür Alain|Fmichel Paul|Drieux Luc|\
        Alexander Georgiev|Alexei Chizhov|Alexander Schwarzman|Murodoullo Amrillaev|Anatoli Gantvarg|Wim Tschegolew|Nikolai Mistchanski|\
        Vadim Virny|Mikhail Milshin|Imants Kim|Им Сергей|Ким, Ми|Мирон Ми|Ing Pak|Im Dong|Pak, Im|Im Lee|Alexander Baljakin|\
        Prof Vladimir|Msciwoj Mr|Drago Drs|Guntis Valneris|Raimonds Vipulis|Zoja Golubeva|Roberts Misans|Mikelis Mi|Imants Vīms|\
        Ingus Cm|Ingars Im|Aija Ing|Elena Česnokova|Vladislavs Maslovs|Wims Andris|Cmilis Janis|Mia Mifs|Profs Juris|Msta Inga|\
        Gmeiner Fritz|Gmi Karl|Mrazek Petr|Drska Ota|Ingrid Mn|Imke Fm|Ciprian Cm|Wimar Wim";

    /// Those of them in which a word is a form of address or a title that is no name.
    const WITH_TITLE: [(&str, &str); 9] = [
        ("Ms. Natasja Bakker", "Natasja Bakker"),
        ("Prof Vladimir", "Vladimir"),
        ("Msciwoj Mr", "Msciwoj"),
        ("Drago Drs", "Drago"),
        ("Gmi Karl", "Karl"),
        ("Ingrid Mn", "Ingrid"),
        ("Imke Fm", "Imke"),
        ("Dr. Jan Visser", "Jan Visser"),
        ("Ing. Jan Visser", "Jan Visser"),
    ];

    #[test]
    fn names_that_resemble_titles_are_names() {
        let names: Vec<_> = NAMES.split('|').collect();
        assert!(names.len() >= 100, "{}", names.len());
        for name in names {
            let wanted = WITH_TITLE.iter().find(|(own, _)| *own == name).map_or(name, |(_, plain)| plain);
            assert_eq!(plain_name(name), wanted);
            let words = wanted.split([' ', ',', '-']).filter(|word| !word.is_empty()).count();
            let parts = Name::read(name).expect("a name").parts;
            assert_eq!(parts.split(' ').count(), words, "{name}: {parts}");
        }
    }

    #[test]
    fn titles_are_no_part_of_a_name() {
        for (text, plain) in WITH_TITLE {
            assert_eq!(plain_name(text), plain);
        }
        for title in ["GMI", "WIM", "IM", "MI", "CM", "Dr.", "mr.", "gmi"] {
            for name in ["Jan Visser", "Visser, Jan"] {
                let with_title = format!("{title} {name}");
                assert_eq!(plain_name(&with_title), name);
                assert_eq!(Name::read(&with_title).expect("a name").parts, "jan visser", "{with_title}");
            }
            assert_eq!(plain_name(&format!("Jan Visser {title}")), "Jan Visser");
            assert_eq!(plain_name(&format!("Visser {title}, Jan")), "Visser, Jan");
        }
        for (text, plain) in [
            ("Kamychleeva, Viktoria GMIF", "Kamychleeva, Viktoria"),
            ("MFF Kamychleeva Viktoria", "Kamychleeva Viktoria"),
            ("Иванов Сергей, гмс", "Иванов Сергей"),
            ("кмс Иванов Сергей", "Иванов Сергей"),
            ("Иванов Сергей МС", "Иванов Сергей"),
            ("мг Иванов, Сергей", "Иванов, Сергей"),
            ("Visser, Anna, GMI", "Visser, Anna"),
            ("Visser, Anna NED", "Visser, Anna"),
            ("Visser, Anna, NED", "Visser, Anna"),
            ("Visser, Anna NED GMI", "Visser, Anna"),
            ("Visser, Anna <1987>", "Visser, Anna"),
        ] {
            assert_eq!(plain_name(text), plain);
            assert_eq!(Name::read(text).expect("a name").parts, Name::read(plain).expect("a name").parts, "{text}");
        }
        // These are initials, surnames, or the numbers of a son and a grandson.
        for text in [
            "Иванов МС",
            "Иванов, МС",
            "Гр. Иванов",
            "Visser, JMA",
            "Visser JMA",
            "Anna BOS",
            "Anna Maria BOS",
            "Berg, A. van DEN",
            "Smith, John III",
            "VISSER, ANNA NED",
            "Visser, a < b",
        ] {
            assert_eq!(plain_name(text), text);
        }
        assert_eq!(plain_name("Visser, MI"), "Visser, MI");
        assert_eq!(plain_name("Jan  Visser"), "Jan  Visser");
        assert_eq!(plain_name("Visser,Jan"), "Visser,Jan");
        assert_eq!(plain_name("GM"), "GM");
    }
}
