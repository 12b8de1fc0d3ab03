//! Spellings joined to people or events, by their similarity and by who played whom and when.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::alike::{Candidate, Likeness, Parts, fullness, likeness};
use super::name::{Givens, Surnames, is_particle};
use super::{Appearance, NONE, NameCollection, NameKind};
use crate::records::SpellingRow;

/// Largest number of spellings of one person or event.
const MAX_GROUP: usize = 64;

/// Number of spellings of a group whose given names are compared with those of another.
const COMPARED: usize = 8;

/// Maximum number of candidates for a spelling, if all of them may be the same person.
const MAX_OTHERS: usize = 8;

/// Maximum length of a playing career in years: the same initials later are those of a grandchild.
const CAREER: i32 = 60;

/// The evidence for and against two groups being the same.
#[derive(Clone, Copy, Debug, Default)]
struct Shared {
    /// An event (or, of events, a player).
    event: bool,
    /// An event with rounds, in which they did not play in the same one.
    rounds: bool,
    /// Years between them.
    gap: i32,
    /// One of them has at most a tenth of the games of the other, or two.
    is_rare: bool,
}

/// The certainty of a similarity, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// They are joined unless there is a conflict.
    Sure,
    /// They are joined only if there is exactly one such person.
    IfOnly,
}

/// Returns the certainty that two spellings are the same name.
fn certainty(likeness: &Likeness, shared: Shared) -> Option<Certainty> {
    use Certainty::{IfOnly, Sure};
    if likeness.is_exact {
        return Some(Sure);
    }
    // A slip in one of two spellings is more likely than a second person.
    let near = shared.event || shared.is_rare && shared.gap <= 10;
    let long = likeness.letters;
    // The less of two names agrees, the longer they have to be, or the more of events and years has to agree.
    let found = match (likeness.surnames, likeness.givens) {
        (_, Givens::Different) => None,
        (Surnames::Same | Surnames::Sound, Givens::Full) => (shared.gap <= CAREER).then_some(Sure),
        (Surnames::Slip, Givens::Full) => (long >= 5 && near).then_some(Sure),
        (Surnames::Same, Givens::Slip) => near.then_some(Sure),
        (Surnames::Sound | Surnames::Slip, Givens::Slip) | (Surnames::Sound, Givens::Missing) => {
            shared.rounds.then_some(IfOnly)
        }
        (Surnames::Same, Givens::Initials) => (shared.gap <= 40).then_some(IfOnly),
        (Surnames::Sound, Givens::Initials) => (shared.event || long >= 5 && shared.gap <= 15).then_some(IfOnly),
        (Surnames::Slip, Givens::Initials) => (long >= 6 && shared.event).then_some(IfOnly),
        (Surnames::Same, Givens::Missing) => (long >= 4 && shared.gap <= 30).then_some(IfOnly),
        (Surnames::Slip, Givens::Missing) => (long >= 7 && shared.rounds && shared.is_rare).then_some(IfOnly),
    };
    // `Martin Kees` may be `K. Martin`, but hardly ever is.
    let is_guess = likeness.is_unusual && likeness.givens > Givens::Slip;
    let needs_event = is_guess && likeness.givens == Givens::Initials;
    // `E.V.` and `E.W.` are transcriptions in one tournament, and brothers in an archive.
    let needs_rounds = likeness.givens == Givens::Initials && !likeness.same_initials;
    found.filter(|_| (!needs_event || shared.event) && (!is_guess || near) && (!needs_rounds || shared.rounds))
}

/// The spellings of a collection in groups.
pub(super) struct Groups<'a> {
    names: &'a NameCollection,
    parents: Vec<u32>,
    /// The spellings of each group with more than one.
    members: HashMap<u32, Vec<u32>>,
    /// The spellings that may be aliases, in parts.
    parts: HashMap<u32, Parts>,
    /// The texts of the events.
    events: Vec<&'a str>,
    /// The rounds and players of each event, in its order, each once.
    played: Vec<(u32, u32, u32)>,
    /// The number of rounds of each event. Counted for each pair of names, 64,000 players of one event took 25 s.
    rounds: HashMap<u32, usize>,
}

impl<'a> Groups<'a> {
    /// Returns a group for each spelling. The appearances must be sorted.
    pub(super) fn new(names: &'a NameCollection) -> Self {
        let (mut events, mut played) = (Vec::new(), Vec::new());
        if names.kind == NameKind::Players {
            events = vec![""; names.others.0.len()];
            names.others.0.iter().for_each(|(text, &n)| events[n as usize] = text);
            let rounds = names.appearances.iter().filter(|game| game.round > 0);
            played = rounds.map(|game| (game.event, game.round, game.spelling)).collect();
            played.sort_unstable();
            played.dedup();
        }
        let events_played = played.chunk_by(|one, other| one.0 == other.0);
        let rounds = |games: &[(u32, u32, u32)]| games.chunk_by(|one, other| one.1 == other.1).count();
        let rounds = events_played.map(|games| (games[0].0, rounds(games))).collect();
        let parents = (0..names.spellings.len() as u32).collect();
        Self { names, parents, members: HashMap::new(), parts: HashMap::new(), events, played, rounds }
    }

    /// Joins spellings: first those that are certainly the same, then those with only one candidate, and finally those that play
    /// the rounds in which the other is absent.
    pub(super) fn joined(mut self, candidates: &[Candidate]) -> Self {
        for n in candidates.iter().flat_map(|candidate| candidate.pair) {
            if !self.parts.contains_key(&n) {
                self.parts.extend(Parts::read(self.names.kind, self.names.text(n)).map(|parts| (n, parts)));
            }
        }
        for candidate in candidates {
            let shared = self.shared(candidate.pair);
            if certainty(&candidate.likeness, shared) == Some(Certainty::Sure) {
                self.join_unless_conflict(candidate.pair);
            }
        }
        self.join_only(candidates);
        if self.names.kind == NameKind::Players {
            self.join_halves(candidates);
        }
        self
    }

    fn compare(&self, one: u32, other: u32) -> Option<Likeness> {
        likeness(self.parts.get(&one)?, self.parts.get(&other)?)
    }

    fn root(&self, spelling: u32) -> u32 {
        let mut at = spelling;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }

    fn members(&self, root: u32) -> Vec<u32> {
        self.members.get(&root).cloned().unwrap_or_else(|| vec![root])
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let (mut all, added) = (self.members(one), self.members(other));
        let (root, gone) = if all.len() >= added.len() { (one, other) } else { (other, one) };
        all.extend(added);
        self.members.remove(&gone);
        self.members.insert(root, all);
        self.parents[gone as usize] = root;
    }

    fn join_unless_conflict(&mut self, [one, other]: [u32; 2]) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        let fits = one != other && !self.conflict(one, other);
        if fits {
            self.join(one, other);
        }
        fits
    }

    /// Returns true if two groups met or played in the same round of an event; or if they are too large for one.
    fn conflict(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.members(one), self.members(other));
        let games = |members: &[u32]| members.iter().map(|&n| self.names.of(n).len()).sum::<usize>();
        // The games of the smaller group are looked up among those of the larger one.
        let (few, many, root) = if games(&a) <= games(&b) { (&a, &b, other) } else { (&b, &a, one) };
        if a.len() + b.len() > MAX_GROUP {
            return true;
        }
        let slices: Vec<_> = many.iter().map(|&n| self.names.of(n)).collect();
        // Copies of one game are no conflict.
        let is_other = |game: &Appearance, other: &Appearance| game.print == 0 || game.print != other.print;
        few.iter().flat_map(|&n| self.names.of(n)).any(|game| {
            game.opponent != NONE && self.root(game.opponent) == root
                || game.round > 0 && slices.iter().any(|games| in_round(games, game).any(|other| is_other(game, other)))
        })
    }

    fn shared(&self, pair: [u32; 2]) -> Shared {
        let [a, b] = pair.map(|n| self.names.of(n));
        let [one, other] = pair.map(|n| &self.names.spellings[n as usize]);
        let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let mut shared = Shared::default();
        // The name of the event is 0 if there is none.
        let unnamed = self.names.others.0.get("").copied();
        for game in few.chunk_by(|one, other| one.event == other.event).map(|games| &games[0]) {
            let at = many.partition_point(|other| other.event < game.event);
            let found = many.get(at).filter(|other| other.event == game.event && Some(game.event) != unnamed);
            shared.event |= found.is_some();
            shared.rounds |= found.is_some_and(|other| other.round > 0 && game.round > 0);
        }
        let known = one.years[0] <= one.years[1] && other.years[0] <= other.years[1];
        if known {
            let [first, last] = [one.years[0].max(other.years[0]), one.years[1].min(other.years[1])].map(i32::from);
            shared.gap = (first - last).max(0);
        }
        let (few, many) = (one.games.min(other.games), one.games.max(other.games));
        // A slip is rare beside the right spelling.
        shared.is_rare = few <= 2.max(many / 10);
        shared
    }

    /// Joins the spellings that, judging by the names, can only be one person.
    fn join_only(&mut self, candidates: &[Candidate]) {
        let mut edges: Vec<_> = candidates
            .iter()
            .filter_map(|candidate| {
                let shared = self.shared(candidate.pair);
                let certainty = certainty(&candidate.likeness, shared)?;
                (certainty == Certainty::IfOnly).then_some((!shared.event, candidate.likeness, candidate.pair))
            })
            .collect();
        edges.sort_unstable();
        let mut neighbours: BTreeMap<u32, Vec<(bool, u32)>> = BTreeMap::new();
        for (apart, _, [one, other]) in &edges {
            neighbours.entry(*one).or_default().push((*apart, *other));
            neighbours.entry(*other).or_default().push((*apart, *one));
        }
        for (apart, _, pair) in edges {
            let roots = pair.map(|n| self.root(n));
            if roots[0] == roots[1] || self.conflict(roots[0], roots[1]) || self.contradict(roots[0], roots[1]) {
                continue;
            }
            // A person with two names that contradict each other may be either. One of the same event takes precedence.
            let is_only = |own: u32, chosen: u32| {
                let members = self.members(own);
                let others = members.iter().filter_map(|n| neighbours.get(n)).flatten();
                let others = others.filter(|(far, _)| !*far || apart).map(|(_, n)| self.root(*n));
                let others: BTreeSet<u32> = others.filter(|&other| other != own && other != chosen).collect();
                others.len() <= MAX_OTHERS
                    && !others.iter().any(|&other| self.contradict(other, chosen) || self.conflict(other, chosen))
            };
            if is_only(roots[0], roots[1]) && is_only(roots[1], roots[0]) {
                self.join(roots[0], roots[1]);
            }
        }
    }

    /// Returns true if names of two groups contradict each other.
    fn contradict(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.members(one), self.members(other));
        let pairs = a.iter().take(COMPARED).flat_map(|&one| b.iter().take(COMPARED).map(move |&other| (one, other)));
        // Two transcriptions may have no letters in common: names that cannot be compared contradict if no others agree.
        let mut agrees = false;
        for (one, other) in pairs {
            match self.compare(one, other) {
                Some(found) if found.givens == Givens::Different => return true,
                found => agrees |= found.is_some(),
            }
        }
        !agrees
    }

    /// Joins a spelling that occurs in a round or two of an event, in which everybody else plays all rounds, to the same
    /// surname that is absent in these rounds: `Erdenebileg,A.` of round 6 to `Erdenebileg,D.` of the other eighteen.
    fn join_halves(&mut self, candidates: &[Candidate]) {
        let halves: Vec<_> = candidates
            .iter()
            .filter(|found| found.likeness.surnames < Surnames::Slip && !found.likeness.is_unusual)
            .map(|found| found.pair)
            .collect();
        let mut full: HashMap<u32, bool> = HashMap::new();
        for pair in halves {
            let roots = pair.map(|n| self.root(n));
            if roots[0] == roots[1] {
                continue;
            }
            let [mut few, mut many] = roots.map(|root| self.games(root));
            if few.len() > many.len() {
                std::mem::swap(&mut few, &mut many);
            }
            let event = few[0].event;
            let rounds = self.rounds.get(&event).copied().unwrap_or(0);
            let of_event = many.iter().filter(|game| game.event == event).count();
            // Of fewer rounds, one game is too large a part to be a slip of the pen.
            let fits = rounds >= 5
                && few.iter().all(|game| game.event == event && game.round > 0)
                && few.len() <= 1.max(rounds / 10)
                && (few.len() + of_event) * 10 >= rounds * 9
                && few.len() + of_event <= rounds;
            if fits && *full.entry(event).or_insert_with(|| self.is_full(event, rounds)) {
                self.join_unless_conflict(pair);
            }
        }
    }

    fn games(&self, root: u32) -> Vec<Appearance> {
        self.members(root).iter().flat_map(|&n| self.names.of(n)).copied().collect()
    }

    /// Returns the rounds and players of an event.
    fn played(&self, event: u32) -> &[(u32, u32, u32)] {
        let start = self.played.partition_point(|game| game.0 < event);
        let length = self.played[start..].partition_point(|game| game.0 == event);
        &self.played[start..start + length]
    }

    /// Returns true if most of the games of an event are those of players who play nearly all rounds.
    fn is_full(&self, event: u32, rounds: usize) -> bool {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for (.., spelling) in self.played(event) {
            *counts.entry(self.root(*spelling)).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        let full: usize = counts.values().filter(|&&count| count * 10 >= rounds * 9).sum();
        full * 10 >= all * 6
    }

    /// Returns the spellings other than the name of their group, in the order of the names.
    pub(super) fn rows(&self) -> Vec<SpellingRow> {
        let mut rows: Vec<_> = self.members.values().flat_map(|members| self.rows_of(members)).collect();
        rows.sort_by(|one, other| (&one.name, &one.alias).cmp(&(&other.name, &other.alias)));
        rows
    }

    fn rows_of(&self, members: &[u32]) -> Vec<SpellingRow> {
        let Some(name) = self.name_of(members) else { return Vec::new() };
        let proposed = self.names.plain(name);
        let others = members.iter().filter(|&&n| members.len() > 1 && self.names.text(n) != proposed);
        others.map(|&alias| SpellingRow { name: proposed.clone(), ..self.row(alias, name) }).collect()
    }

    fn row(&self, alias: u32, name: u32) -> SpellingRow {
        let found = self.compare(alias, name);
        let [one, other] = [alias, name].map(|n| &self.names.spellings[n as usize]);
        let games = self.names.of(alias).iter();
        let mut events: Vec<&str> = games.filter_map(|game| self.events.get(game.event as usize).copied()).collect();
        events.retain(|event| !event.is_empty());
        events.dedup();
        let years = (one.years[0] <= one.years[1]).then_some(one.years);
        SpellingRow {
            alias: one.text.to_string(),
            name: other.text.to_string(),
            reason: reason(found.as_ref()),
            games: [one.games, other.games],
            events: events.len(),
            event: events.first().map(|&event| event.to_owned()),
            years,
        }
    }

    /// Returns the fullest of the spellings of a group whose surname is spelled in the most frequent way, or else the most
    /// frequent of these.
    fn name_of(&self, members: &[u32]) -> Option<u32> {
        let spelling = |n: u32| &self.names.spellings[n as usize];
        let is_same = |one: u32, other: u32| {
            let found = self.compare(one, other);
            found.is_some_and(|found| found.is_exact || found.surnames == Surnames::Same && !found.is_unusual)
        };
        // A spelling counts with all others of its surname. Different given names do not support each other.
        let weight = |n: u32| -> u64 {
            let same = members.iter().filter(|&&other| is_same(n, other));
            same.map(|&other| u64::from(spelling(other).games)).sum()
        };
        let best = members.iter().copied().max_by_key(|&n| (weight(n), spelling(n).games, std::cmp::Reverse(n)))?;
        let likely = members.iter().copied().filter(|&n| is_same(n, best));
        let order = |&n: &u32| {
            let agrees = self.compare(n, best);
            let agrees = agrees.is_some_and(|found| found.is_exact || found.givens != Givens::Different);
            let plain = self.names.plain(n);
            let in_capitals = is_in_capitals(&plain);
            // A surname in capitals, `BOOMGAARD Rob`, comes first without a comma, and is no given name.
            let full = if in_capitals && self.names.kind == NameKind::Players {
                given_letters(&plain)
            } else {
                fullness(self.names.kind, &plain, self.parts.get(&best))
            };
            let is_plain = plain == self.names.text(n) && !in_capitals;
            (agrees, full, is_plain, spelling(n).games, std::cmp::Reverse(n))
        };
        likely.max_by_key(order)
    }
}

/// Returns true for a name with a word in capitals that is more than initials: a particle, a word of more than three letters, or,
/// if all of the name is in capitals, of more than one.
fn is_in_capitals(name: &str) -> bool {
    let is_shouted = !name.chars().any(char::is_lowercase);
    name.split_whitespace().any(|word| capitals(word) > if is_shouted || is_particle(word) { 1 } else { 3 })
}

/// Returns the number of letters in the given names of a name in capitals, counted like [`fullness`]: of the words that are neither
/// in capitals nor particles, and of initials.
fn given_letters(name: &str) -> usize {
    let given = name.split_whitespace().filter(|word| capitals(word) < 2 && !is_particle(word));
    let letters = |word: &str| word.chars().filter(|letter| letter.is_alphabetic()).count();
    given.map(|word| if capitals(word) == 1 { letters(word) } else { 1 + letters(word) }).sum()
}

/// Returns the number of adjacent letters in a word that has only capitals: 1 for the initials `J.M.`; 0 for another word.
fn capitals(word: &str) -> usize {
    let is_other = |letter: char| letter.is_alphabetic() && !letter.is_uppercase();
    let runs = word.split(|letter: char| !letter.is_alphabetic());
    if word.contains(is_other) { 0 } else { runs.map(|run| run.chars().count()).max().unwrap_or_default() }
}

/// Returns the games in the event and round of a game.
fn in_round<'a>(games: &'a [Appearance], game: &Appearance) -> impl Iterator<Item = &'a Appearance> {
    let place = (game.event, game.round);
    let start = games.partition_point(|other| (other.event, other.round) < place);
    games[start..].iter().take_while(move |other| (other.event, other.round) == place)
}

/// Returns the reason why two spellings are joined.
const fn reason(found: Option<&Likeness>) -> &'static str {
    let Some(found) = found else { return "chain" };
    if found.is_exact {
        return "punctuation";
    }
    match (found.surnames, found.givens) {
        (_, Givens::Different) => "rounds",
        (Surnames::Slip, _) | (_, Givens::Slip) => "slip",
        (Surnames::Sound, _) => "transcription",
        (_, Givens::Missing) => "no first name",
        (_, Givens::Initials) => "initials",
        (_, Givens::Full) => "first name",
    }
}
