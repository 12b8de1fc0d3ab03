//! Sessions: browsers that were let in, and what the requests of each hold.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::access::is_same;
use crate::error::{Error, Result};
use crate::shared::lock;

/// Sessions from one address, and from all; beyond them, the one that was used least recently ends. Somebody who signs in again
/// and again ends sessions from the same address alone.
const SESSIONS_OF_ADDRESS: usize = 64;
const MOST_SESSIONS: usize = 2048;

/// Requests of a session at the same time, half of those that may wait: one with a hundred took all places, and others were
/// refused. Browsers send six.
const REQUESTS_OF_SESSION: usize = 32;

/// Bytes of all requests that are in memory together, and a session's part of them: a page may send one record of the largest
/// size, and two more people still have room.
const MEMORY: usize = 900 << 20;
pub(super) const MEMORY_OF_SESSION: usize = MEMORY / 3;

/// Different house rules from one address: a tenth of what the process keeps, so that no client uses them up alone.
const RULES_OF_ADDRESS: usize = 10_000;

/// Wrong passwords from one address within a time, after which no more are looked at.
const GUESSES: usize = 4;
const GUESS_TIME: Duration = Duration::from_secs(10);

/// A browser that was let in.
#[derive(Debug)]
pub(super) struct Session {
    /// What its cookie has.
    secret: String,
    address: IpAddr,
    requests: Arc<AtomicUsize>,
    bytes: AtomicUsize,
}

impl Session {
    /// Returns the count of requests that are being answered, unless there are too many.
    pub(super) fn requests(&self) -> Option<&Arc<AtomicUsize>> {
        Some(&self.requests).filter(|requests| requests.load(Ordering::Relaxed) < REQUESTS_OF_SESSION)
    }
}

/// The sessions, and the failed attempts to begin one.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The one that was used last is the last.
    known: Mutex<VecDeque<Arc<Session>>>,
    failures: Mutex<VecDeque<(Instant, IpAddr)>>,
    /// Keys of the house rules that came from each address.
    rules: Mutex<HashMap<IpAddr, HashSet<u64>>>,
}

impl Sessions {
    /// Begins a session, and returns what its cookie has.
    ///
    /// # Errors
    ///
    /// Without random numbers.
    pub(super) fn begin(&self, address: IpAddr) -> Result<String> {
        let (secret, address) = (random()?, network(address));
        let mut known = lock(&self.known);
        let from_there = known.iter().filter(|session| session.address == address).count();
        let ended = if from_there >= SESSIONS_OF_ADDRESS {
            known.iter().position(|session| session.address == address)
        } else {
            (known.len() >= MOST_SESSIONS).then_some(0)
        };
        ended.map(|place| known.remove(place));
        let (requests, bytes) = Default::default();
        known.push_back(Arc::new(Session { secret: secret.clone(), address, requests, bytes }));
        Ok(secret)
    }

    /// Returns the session with one of some secrets.
    pub(super) fn find<'a>(&self, mut secrets: impl Iterator<Item = &'a str>) -> Option<Arc<Session>> {
        let mut known = lock(&self.known);
        let matches = |given: &str| {
            // All are compared, so that the time does not depend on them.
            let same = |(place, session): (usize, &Arc<Session>)| {
                is_same(session.secret.as_bytes(), given.as_bytes()).then_some(place)
            };
            known.iter().enumerate().filter_map(same).fold(None, |_, place| Some(place))
        };
        let place = secrets.find_map(matches)?;
        let found = known.remove(place)?;
        known.push_back(Arc::clone(&found));
        Some(found)
    }

    /// Counts the text of house rules of a session; returns false if too many different ones came from its address.
    pub(super) fn may_use_rules(&self, session: &Session, text: &str) -> bool {
        let mut rules = lock(&self.rules);
        let known = rules.entry(session.address).or_default();
        let key = known.hasher().hash_one(text);
        known.contains(&key) || known.len() < RULES_OF_ADDRESS && known.insert(key)
    }

    /// Returns true if another password from an address is looked at.
    pub(super) fn may_guess(&self, address: IpAddr) -> bool {
        let mut failures = lock(&self.failures);
        failures.retain(|(time, _)| time.elapsed() < GUESS_TIME);
        failures.iter().filter(|(_, from)| *from == network(address)).count() < GUESSES
    }

    /// Counts a wrong password. It counts even if the client does not wait for the answer.
    pub(super) fn failed(&self, address: IpAddr) {
        lock(&self.failures).push_back((Instant::now(), network(address)));
    }
}

/// Returns the address that stands for a client: IPv6 gives each network 2⁶⁴ addresses, so they count as one.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Returns a secret: 128 random bits.
///
/// # Errors
///
/// Without random numbers.
pub(super) fn random() -> Result<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| Error::unavailable(format!("no random numbers: {error}")))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(random)))
}

/// The memory for what requests bring.
#[derive(Debug, Default)]
pub(super) struct Memory(AtomicUsize);

/// Bytes in memory that a request holds.
pub(super) struct Held {
    memory: Arc<Memory>,
    session: Option<Arc<Session>>,
    bytes: usize,
}

impl Held {
    /// Holds nothing yet. Those who sign in have no session; their requests are small.
    pub(super) fn new(memory: &Arc<Memory>, session: Option<Arc<Session>>) -> Self {
        Self { memory: Arc::clone(memory), session, bytes: 0 }
    }

    /// Holds more bytes, which have arrived. Returns false if there is no room for them.
    pub(super) fn grow(&mut self, bytes: usize) -> bool {
        let add = |count: &AtomicUsize, most: usize| {
            let added = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|&used| used <= most)
            });
            added.is_ok()
        };
        if !add(&self.memory.0, MEMORY) {
            return false;
        }
        if self.session.as_ref().is_some_and(|session| !add(&session.bytes, MEMORY_OF_SESSION)) {
            self.memory.0.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        }
        self.bytes += bytes;
        true
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.0.fetch_sub(self.bytes, Ordering::Relaxed);
        if let Some(session) = &self.session {
            session.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn session(sessions: &Sessions, from: IpAddr) -> Arc<Session> {
        let secret = sessions.begin(from).expect("random numbers");
        sessions.find([&*secret].into_iter()).expect("a session")
    }

    #[test]
    fn a_session_has_a_third_of_the_memory() {
        let (sessions, memory) = (Sessions::default(), Arc::new(Memory::default()));
        let of = |from| Held::new(&memory, Some(session(&sessions, address(from))));
        let (mut one, mut other) = (of(1), of(2));
        assert!(one.grow(MEMORY_OF_SESSION) && !one.grow(1));
        assert!(other.grow(MEMORY_OF_SESSION));
        let (mut third, mut fourth) = (of(3), of(4));
        assert!(third.grow(MEMORY_OF_SESSION) && !fourth.grow(1), "all of it is held");
        drop(one);
        assert!(fourth.grow(1));
        drop((other, third, fourth));
        assert_eq!(memory.0.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn an_address_has_a_part_of_the_house_rules() {
        let sessions = Sessions::default();
        let (one, again, other) = (address(1), address(1), address(2));
        let [one, again, other] = [one, again, other].map(|from| session(&sessions, from));
        assert!((0..RULES_OF_ADDRESS).all(|n| sessions.may_use_rules(&one, &n.to_string())));
        for (who, rules, may) in
            [(&one, "new", false), (&again, "new", false), (&one, "7", true), (&other, "new", true)]
        {
            assert_eq!(sessions.may_use_rules(who, rules), may, "{rules}");
        }
    }

    #[test]
    fn somebody_who_signs_in_too_often_ends_own_sessions() {
        let sessions = Sessions::default();
        let other = sessions.begin(address(2)).expect("random numbers");
        let mine: Vec<_> = (0..100).map(|_| sessions.begin(address(1)).expect("random numbers")).collect();
        let is_known = |secret: &String| sessions.find([&**secret].into_iter()).is_some();
        assert!(is_known(&other) && is_known(&mine[99]) && !is_known(&mine[0]));
        assert_eq!(mine.iter().filter(|secret| is_known(secret)).count(), SESSIONS_OF_ADDRESS);
        assert!(sessions.find(std::iter::empty()).is_none());
    }

    #[test]
    fn wrong_passwords_count_for_their_address() {
        let sessions = Sessions::default();
        for _ in 0..GUESSES {
            assert!(sessions.may_guess(address(1)));
            sessions.failed(address(1));
        }
        assert!(!sessions.may_guess(address(1)) && sessions.may_guess(address(2)));
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().expect("an address");
        assert!(!sessions.may_guess(mapped));
        sessions.failed("2001:db8::1".parse().expect("an address"));
        assert_eq!(
            network("2001:db8::1".parse().expect("an address")),
            network("2001:db8::2".parse().expect("an address"))
        );
    }
}
