//! Spellings similar enough to be the same person or event, found without comparing all pairs.

use super::letters::spelled_out;
use super::name::{Givens, Name, Reading, Surnames, givens, initial, same_initials, surnames, with_gaps};
use super::title::{Title, Titles};
use super::{NameKind, Spelling};
use crate::query::identity::hash as key;

/// Largest number of spellings with one key whose pairs are all compared. Of more, each is compared with its neighbours
/// in the order of the letters: those with one given name are then beside each other.
const MAX_BLOCK: usize = 48;

/// Number of neighbours that are compared in a larger block.
const NEIGHBOURS: usize = 8;

/// The similarity of two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    pub(super) surnames: Surnames,
    pub(super) givens: Givens,
    /// They differ in case, accents, punctuation and order only.
    pub(super) is_exact: bool,
    /// The initials agree as written, not only as transcriptions.
    pub(super) same_initials: bool,
    /// True if one of the names is read in an unusual way: with the surname first, or as one word.
    pub(super) is_unusual: bool,
    /// Letters of the shorter surname.
    pub(super) letters: usize,
}

/// Two spellings, given by their numbers, the smaller first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) pair: [u32; 2],
    pub(super) likeness: Likeness,
}

/// A spelling in parts.
pub(super) enum Parts {
    Name(Name),
    Title(Title),
}

impl Parts {
    pub(super) fn read(kind: NameKind, text: &str) -> Option<Self> {
        match kind {
            NameKind::Players => Name::read(text).map(Self::Name),
            NameKind::Events => Title::read(text).map(Self::Title),
        }
    }

    /// Returns the keys of a spelling. Two spellings that can be alike share one.
    fn keys(&self) -> Vec<u64> {
        match self {
            Self::Name(name) => {
                let mut keys: Vec<u64> = name.all_parts().map(|parts| key(&("parts", parts))).collect();
                name.readings.iter().for_each(|reading| reading_keys(reading, &mut keys));
                keys
            }
            Self::Title(title) => {
                let letters = title.letters();
                let mut keys = vec![key(&("initials", &title.numbers, title.initials()))];
                keys.extend(with_gaps(&letters).map(|word| key(&("gap", &title.numbers, word))));
                keys
            }
        }
    }
}

fn reading_keys(reading: &Reading, keys: &mut Vec<u64>) {
    let word = &reading.surname.skeleton;
    keys.push(key(&("surname", word)));
    let Some(first) = initial(&reading.given) else {
        if reading.is_usual && !reading.surname.has_digits() {
            keys.extend(with_gaps(word).map(|word| key(&("lone", word))));
        }
        return;
    };
    keys.push(key(&("initial", word, first)));
    if reading.is_usual && !reading.surname.has_digits() {
        keys.extend(with_gaps(word).map(|word| key(&("gap", word, first))));
    }
}

/// Compares two spellings; `None` if they have nothing in common.
#[cfg(test)]
fn compare(kind: NameKind, one: &str, other: &str) -> Option<Likeness> {
    likeness(&Parts::read(kind, one)?, &Parts::read(kind, other)?)
}

/// Compares two spellings; `None` if they have nothing in common.
pub(super) fn likeness(one: &Parts, other: &Parts) -> Option<Likeness> {
    match (one, other) {
        (Parts::Name(one), Parts::Name(other)) => names(one, other).map(|(likeness, _)| likeness),
        (Parts::Title(one), Parts::Title(other)) => {
            let found = one.compare(other)?;
            Some(Likeness {
                surnames: if found == Titles::Slip { Surnames::Slip } else { Surnames::Same },
                givens: if found == Titles::Short { Givens::Initials } else { Givens::Full },
                is_exact: found == Titles::Same,
                is_unusual: found == Titles::Short,
                same_initials: true,
                letters: one.letters().len().min(other.letters().len()),
            })
        }
        _ => None,
    }
}

/// Returns the similarity of two names in their most similar readings, and that of the first.
fn names<'a>(one: &'a Name, other: &Name) -> Option<(Likeness, &'a Reading)> {
    let is_exact = one.all_parts().any(|parts| other.all_parts().any(|others| parts == others));
    let pairs = one.readings.iter().flat_map(|a| other.readings.iter().map(move |b| (a, b)));
    // Two names that are both read in an unusual way are the usual readings with given name and surname exchanged.
    let found = pairs.filter(|(a, b)| a.is_usual || b.is_usual).filter_map(|(a, b)| {
        let likeness = Likeness {
            surnames: surnames(a, b)?,
            givens: givens(&a.given, &b.given),
            is_exact,
            is_unusual: !(a.is_usual && b.is_usual),
            same_initials: same_initials(&a.given, &b.given),
            letters: a.surname.skeleton.len().min(b.surname.skeleton.len()),
        };
        Some((likeness, a))
    });
    // Names whose surnames agree and whose given names contradict each other are two people, whatever else they may be
    // if the words are exchanged.
    found.min_by_key(|(found, _)| (found.givens == Givens::Different, found.is_unusual, found.givens, found.surnames))
}

/// Returns the pairs of spellings that may be similar, sorted, each once.
pub(super) fn candidates(kind: NameKind, spellings: &[Spelling]) -> Vec<Candidate> {
    let mut keyed: Vec<(u64, u32)> = Vec::new();
    for (n, spelling) in (0..).zip(spellings) {
        if let Some(parts) = Parts::read(kind, &spelling.text) {
            let mut keys = parts.keys();
            keys.sort_unstable();
            keys.dedup();
            keyed.extend(keys.into_iter().map(|key| (key, n)));
        }
    }
    keyed.sort_unstable();
    let mut found = Vec::new();
    for block in keyed.chunk_by(|(one, _), (other, _)| one == other).filter(|block| block.len() > 1) {
        // Names are read again for each block: all of them in parts would be a kilobyte each.
        let read = |&(_, n): &(u64, u32)| Some((n, Parts::read(kind, &spellings[n as usize].text)?));
        let mut members: Vec<(u32, Parts)> = block.iter().filter_map(read).collect();
        let all = members.len() <= MAX_BLOCK;
        if !all {
            members.sort_by_cached_key(|(_, parts)| match parts {
                Parts::Name(name) => name.parts.clone(),
                Parts::Title(title) => title.letters().into_iter().collect(),
            });
        }
        for (at, (n, one)) in members.iter().enumerate() {
            let others = &members[at + 1..];
            for (other_n, other) in &others[..if all { others.len() } else { others.len().min(NEIGHBOURS) }] {
                let pair = if n < other_n { [*n, *other_n] } else { [*other_n, *n] };
                found.extend(likeness(one, other).map(|likeness| Candidate { pair, likeness }));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns how complete a name is: the letters of its given names in the reading that is most similar to another spelling of it, or
/// the letters of a title.
pub(super) fn fullness(kind: NameKind, text: &str, other: Option<&Parts>) -> usize {
    // `Joerg` is not fuller than `Jörg`.
    match (Parts::read(kind, &spelled_out(text, true)), other) {
        (Some(Parts::Name(name)), Some(Parts::Name(other))) => {
            let reading = names(&name, other).map(|(_, reading)| reading).or(name.readings.first());
            reading.map_or(0, Reading::given_letters)
        }
        (Some(Parts::Title(title)), _) => title.letters().len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(one: &str, other: &str) -> Option<(Surnames, Givens)> {
        compare(NameKind::Players, one, other).map(|found| (found.surnames, found.givens))
    }

    #[test]
    fn spellings_are_recognised() {
        use Givens::{Different, Full, Initials, Missing, Slip};
        use Surnames::{Same, Sound};
        for (one, other, surnames, givens) in [
            ("Boezjinski,E.", "Buzhinski,E", Sound, Initials),
            ("Buzhinksi,E.", "Buzhinski,E.", Surnames::Slip, Initials),
            ("Koifman,I.", "Koyfman,Y", Sound, Initials),
            ("Milshin,V.", "Milsjin,W.", Sound, Initials),
            ("Veytsman,V", "Weitsman,V.", Sound, Initials),
            ("Tsjizjow,A.", "Chizhov, Alexei", Sound, Initials),
            ("Чижов А.", "Chizhov, Alexei", Sound, Initials),
            ("Шварцман Александр", "Shvartsman, Alexander", Sound, Slip),
            ("Gerard Jansen", "Gérard Jansen", Same, Full),
            ("GMI Jansen, Gerard", "jansen gerard", Same, Full),
            ("Phil Schwartberg", "Phil Schwartzberg", Surnames::Slip, Full),
            ("Bubbi Raoul (non disponibile)", "Bubbi Raul", Sound, Full),
            ("Gerrard Jansen", "Gerad Jansen", Same, Slip),
            ("J.M. Ndjofang", "Ndjofang, JM", Same, Initials),
            ("Jim Morrison", "James Morrison", Same, Full),
            ("Aleks. Baljakin", "Alexander Baljakin", Same, Full),
            ("Mar Boer", "Boer, Maria", Same, Full),
            ("Andre Boer", "Boer, Andrea", Same, Full),
            ("v.d. Berg, A.", "A. van den Berg", Same, Initials),
            ("West Moreland", "Gene Westmoreland", Same, Missing),
            ("Gasparetti", "Gasparetti Antonio", Same, Missing),
            ("Andall,K.", "Andall,A.K.", Same, Different),
            ("Jan Jansen jr.", "Jansen, Jan junior", Same, Full),
            ("Weiß, Uwe", "Weiss, Uwe", Same, Full),
            ("Götz, Uwe", "Goetz, Uwe", Same, Full),
            ("Gotz, Uwe", "Götz, Uwe", Same, Full),
            ("Müller, Jörg", "Mueller, Joerg", Same, Full),
            ("Mu\u{308}ller, Joerg", "MUELLER, JÖRG", Same, Full),
            ("Đorđević, Ana", "Djordjevic, Ana", Same, Full),
            ("Þórsson, Jón", "Thorsson, Jon", Same, Full),
            ("BOS, Jan", "Bos, Jan", Same, Full),
            ("VAN DER WAL, Piet", "van der Wal, Piet", Same, Full),
            ("VAN DER WAL Piet", "van der Wal, Piet", Same, Full),
        ] {
            assert_eq!(players(one, other), Some((surnames, givens)), "{one} {other}");
        }
    }

    #[test]
    fn other_names_are_other_people() {
        for (one, other) in [
            ("Clerc,R.", "Ba,B."),
            ("Kos,J.", "Bos,J."),
            ("A. van den Berg", "A. Berg"),
            ("Jan Jansen jr.", "Jan Jansen sr."),
            ("Player 123456", "Player 123457"),
            ("N.N.", "N.N."),
            ("Boer, Jan", "Boer, Jana"),
            ("Boer, Karin", "Boer, Karina"),
            ("Boer, Viktor", "Boer, Viktoria"),
            ("Goetz, Karl", "Götz, Uwe"),
            ("Goetz, Karl", "Gotz, Uwe"),
            ("Boer, Karl", "Bör, Uwe"),
            ("Мс, Иван", "Иванов, Пётр"),
            ("Smith, John III", "Smith, Paul, USA"),
        ] {
            assert!(players(one, other).is_none_or(|found| found.1 == Givens::Different), "{one} {other}");
        }
    }

    #[test]
    fn two_letters_are_an_umlaut_only_beside_one() {
        let is_exact = |one, other| compare(NameKind::Players, one, other).is_some_and(|found| found.is_exact);
        assert!(is_exact("Müller, Jörg", "Mueller, Joerg") && is_exact("Müller", "Mueller"));
        assert!(!is_exact("Goetz, Uwe", "Gotz, Uwe") && !is_exact("Müller, Jörg", "Mueller, Jo"));
        assert!(!is_exact("Boer, Jan", "Boer, Jana") && !is_exact("Smith, John", "Smith, John III"));
    }

    #[test]
    fn hostile_names_are_compared_in_linear_time() {
        let of = |text: String| Spelling { text: text.into(), games: 1, years: [u16::MAX, 0] };
        let names: Vec<_> = (0..40_000).map(|n| of(format!("Player{}, A.", (n * 7919) % 40_009))).collect();
        assert!(candidates(NameKind::Players, &names).len() < 40_000 * 2 * NEIGHBOURS);
        let names: Vec<_> = (0..40_000).map(|n| of(format!("Jansen, {}", "a.".repeat(n % 97)))).collect();
        assert!(candidates(NameKind::Players, &names).len() < 40_000 * 6 * NEIGHBOURS);
        let long: Vec<_> = ["(".repeat(100_000), "a ".repeat(100_000), ".*(a+)+$".repeat(10_000)].map(of).into();
        assert!(candidates(NameKind::Players, &long).is_empty());
        // The words of the last two titles are the same.
        assert_eq!(candidates(NameKind::Events, &long).len(), 1);
    }
}
