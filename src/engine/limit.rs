//! The limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a search; the first one reached stops it. A search without limits ends only at the maximum depth or
/// when it is stopped from outside.
///
/// As text, a limit is a list of names and values, with times in seconds: `depth 9 nodes 5000 time 0.1 clock 60+0.5`.
///
/// # Examples
///
/// ```
/// use pdn::engine::Limit;
///
/// let mut limit = Limit::depth(9);
/// limit.nodes = Some(5000);
/// assert_eq!(limit.to_string(), "depth 9 nodes 5000");
/// assert_eq!("depth 9 nodes 5000".parse(), Ok(limit));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limit {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes; exact with one thread, to within a few thousand with several.
    pub nodes: Option<u64>,
    /// Maximum wall-clock time.
    pub time: Option<Duration>,
    /// The game clock, from which the engine allots itself time.
    pub clock: Option<GameClock>,
}

impl Limit {
    /// Returns the limit that never stops a search.
    pub const fn none() -> Self {
        Self { depth: None, nodes: None, time: None, clock: None }
    }

    /// Returns a limit on the depth, in plies.
    pub const fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::none() }
    }

    /// Returns a limit on the number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::none() }
    }

    /// Returns a limit on the wall-clock time.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::none() }
    }

    /// Returns the limit that a game clock sets.
    pub(crate) const fn clock(clock: GameClock) -> Self {
        Self { clock: Some(clock), ..Self::none() }
    }

    /// Returns true if time limits the search, so that its result differs from run to run.
    pub(crate) const fn is_timed(self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    /// Returns true if there is no limit.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::none()
    }

    /// Returns the time that a move should normally take; `None` if time is not limited.
    pub(crate) fn move_time(&self) -> Option<Duration> {
        self.budget().map(|budget| budget.target.map_or(budget.maximum, |target| target.min(budget.maximum)))
    }

    pub(super) fn budget(&self) -> Option<Budget> {
        let fixed = self.time.map(|maximum| Budget { target: None, maximum });
        let Some(clock) = self.clock.map(GameClock::budget) else { return fixed };
        let maximum = fixed.map_or(clock.maximum, |fixed| fixed.maximum.min(clock.maximum));
        Some(Budget { maximum, ..clock })
    }

    /// Returns limits on the depth in plies, the nodes and the seconds, as they were asked for.
    ///
    /// # Errors
    ///
    /// If one of them is not greater than 0, or the time is no duration.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::Limit;
    ///
    /// assert_eq!(Limit::checked(Some(9), None, Some(0.5))?.to_string(), "depth 9 time 0.5");
    /// assert!(Limit::checked(Some(0), None, None).is_err());
    /// assert!(Limit::checked(None, None, Some(1e300)).is_err());
    /// # Ok::<(), pdn::engine::ParseLimitError>(())
    /// ```
    pub fn checked(depth: Option<u32>, nodes: Option<u64>, time: Option<f64>) -> Result<Self, ParseLimitError> {
        let mut limit = Self::none();
        let given = [
            depth.map(|depth| ("depth", depth.to_string())),
            nodes.map(|nodes| ("nodes", nodes.to_string())),
            time.map(|time| ("time", format!("{time:?}"))),
        ];
        for (name, value) in given.iter().flatten() {
            limit.set(name, value)?;
        }
        Ok(limit)
    }

    /// Sets the limit of that name.
    ///
    /// # Errors
    ///
    /// If there is no such limit, or the value is not a positive number.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), ParseLimitError> {
        let invalid = || ParseLimitError::InvalidValue { name: name.to_owned(), value: value.to_owned() };
        match name {
            "depth" => self.depth = Some(value.parse().ok().filter(|&depth: &u32| depth > 0).ok_or_else(invalid)?),
            "nodes" => self.nodes = Some(value.parse().ok().filter(|&nodes: &u64| nodes > 0).ok_or_else(invalid)?),
            "time" => self.time = Some(seconds(value).filter(|time| !time.is_zero()).ok_or_else(invalid)?),
            "clock" => self.clock = Some(value.parse().map_err(|_| invalid())?),
            _ => return Err(ParseLimitError::UnknownName(name.to_owned())),
        }
        Ok(())
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|plies| format!("depth {plies}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.time.map(|time| format!("time {}", time.as_secs_f64())),
            self.clock.map(|clock| format!("clock {clock}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, ParseLimitError> {
        let (mut limit, mut words) = (Self::none(), text.split_whitespace());
        while let Some(name) = words.next() {
            limit.set(name, words.next().unwrap_or_default())?;
        }
        Ok(limit)
    }
}

/// The error for a text that is not a [`Limit`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseLimitError {
    /// There is no limit of that name.
    #[error("unknown limit `{0}`; expected depth, nodes, time or clock")]
    UnknownName(String),
    /// The value is missing, zero or not a number.
    #[error("invalid value `{value}` for {name}; expected {}", expected(name, value))]
    InvalidValue {
        /// Name of the limit.
        name: String,
        /// The value as written.
        value: String,
    },
}

/// Returns what the limit of a name may be.
fn expected(name: &str, value: &str) -> &'static str {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "time" if value.parse().is_ok_and(|seconds: f64| seconds >= 1.0) => "a smaller number of seconds",
        "time" => "a number of seconds greater than 0",
        "clock" => "seconds, such as 60+0.5",
        _ if is_number && value.bytes().any(|byte| byte != b'0') => "a smaller number",
        _ => "a number of at least 1",
    }
}

/// The time left for a player.
///
/// As text, `60+0.5` is a minute with an increment of half a second, `40/60` a minute for the next 40 moves.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use pdn::engine::GameClock;
///
/// let mut clock: GameClock = "60+0.5".parse()?;
/// assert!(clock.spend(Duration::from_secs(10)));
/// assert_eq!(clock.to_string(), "50.5+0.5");
/// assert!(!clock.spend(Duration::from_secs(90)), "out of time");
/// # Ok::<(), pdn::engine::ParseClockError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// The time left.
    pub(crate) left: Duration,
    /// The time added before every move.
    pub(crate) increment: Duration,
    moves: Option<u32>,
}

impl GameClock {
    /// Returns a clock with the time left for the rest of the game and the time added before every move.
    pub const fn new(left: Duration, increment: Duration) -> Self {
        Self { left, increment, moves: None }
    }

    /// Sets the number of moves until more time is added.
    #[must_use]
    pub const fn with_moves(self, moves: Option<u32>) -> Self {
        Self { moves, ..self }
    }

    /// Returns the number of moves until more time is added; `None` if the time is for the rest of the game.
    pub(crate) const fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// Adds the increment and subtracts the time that a move took. Returns false if the time has run out.
    #[must_use]
    pub fn spend(&mut self, taken: Duration) -> bool {
        let rest = self.left.saturating_add(self.increment).checked_sub(taken);
        self.left = rest.unwrap_or_default();
        rest.is_some()
    }

    fn budget(self) -> Budget {
        let left = self.left.saturating_add(self.increment).saturating_sub(RESERVE);
        // `0/60` counts as the last move before more time, and a control 40 moves away spends no less on a move than
        // none.
        let moves = self.moves.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
        let target = (self.left / moves).saturating_add(self.increment).min(left);
        // Half of the rest at most, unless more time follows the move: a single move must not decide the clock.
        let maximum = if moves == 1 { left } else { target.saturating_mul(MAX_SHARES).min(left / 2) };
        Budget { target: Some(target.min(maximum)), maximum }
    }
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.left.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl FromStr for GameClock {
    type Err = ParseClockError;

    fn from_str(text: &str) -> Result<Self, ParseClockError> {
        let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
        let (left, increment) = time.split_once('+').map_or((time, None), |(left, more)| (left, Some(more)));
        let moves = moves.map(|moves| moves.parse().map_err(|_| ParseClockError)).transpose()?;
        let increment = increment.map(|more| seconds(more).ok_or(ParseClockError)).transpose()?;
        let left = seconds(left).ok_or(ParseClockError)?;
        Ok(Self::new(left, increment.unwrap_or_default()).with_moves(moves))
    }
}

/// The error for a text that is not a [`GameClock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected seconds for the game and, after a plus sign, for each move, such as 60+0.5")]
pub struct ParseClockError;

fn seconds(text: &str) -> Option<Duration> {
    // `-1`, `nan` and `inf` are numbers to `parse`, but not durations.
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Time after which no further iteration starts; `None` if all of the time may be used.
    pub(super) target: Option<Duration>,
    /// Time after which the search is interrupted.
    pub(super) maximum: Duration,
}

/// Number of moves that the rest of a game is expected to take. Too few would leave no time at the end of a long game.
const MOVES_TO_GO: u32 = 30;
// Other programs stop the clock when they have read the move, after pipes or a network.
/// Time kept back for work outside the search.
const RESERVE: Duration = Duration::from_millis(20);
/// Maximum time for one move, in even shares of the clock: an iteration that has begun may take longer than planned.
const MAX_SHARES: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_move_takes_an_even_share_of_the_clock() {
        let clock = |left, increment, moves| GameClock::new(seconds(left), seconds(increment)).with_moves(moves);
        let target = |clock: GameClock| clock.budget().target;
        assert_eq!(target(clock(300, 0, None)), Some(seconds(10)));
        assert_eq!(target(clock(300, 2, None)), Some(seconds(12)));
        assert_eq!(target(clock(300, 0, Some(10))), Some(seconds(30)));
        assert_eq!(clock(300, 0, None).budget().maximum, seconds(40));
        assert_eq!(clock(0, 0, None).budget().maximum, Duration::ZERO);
        for left in 0..100 {
            for moves in [None, Some(0), Some(1), Some(7)] {
                let Budget { target, maximum } = clock(left, 1, moves).budget();
                assert!(target <= Some(maximum) && maximum < seconds(left + 1), "{left} s, {moves:?} moves");
            }
        }
    }

    #[test]
    fn the_shorter_of_two_times_counts() {
        let clock = GameClock::new(seconds(300), Duration::ZERO);
        let limit = Limit { clock: Some(clock), ..Limit::time(seconds(1)) };
        assert_eq!(limit.budget().map(|budget| budget.maximum), Some(seconds(1)));
        assert_eq!(Limit::nodes(5).budget(), None);
    }

    #[test]
    fn limits_survive_their_text() {
        let clock = GameClock::new(seconds(60), Duration::from_millis(500));
        let time = Some(Duration::from_millis(100));
        let all = Limit { depth: Some(9), nodes: Some(5000), time, clock: Some(clock) };
        assert_eq!(all.to_string(), "depth 9 nodes 5000 time 0.1 clock 60+0.5");
        for limit in [all, Limit::none(), Limit::clock(clock.with_moves(Some(40)))] {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
    }

    #[test]
    fn invalid_limits_are_errors() {
        for text in ["depth", "depth 0", "nodes x", "time 0", "time -1", "clock", "clock 1+", "clock x/60", "moves 5"] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        for (text, expected) in [
            ("depth 0", "a number of at least 1"),
            ("nodes 99999999999999999999", "a smaller number"),
            ("time -1", "a number of seconds greater than 0"),
            ("time 1e300", "a smaller number of seconds"),
        ] {
            let error = text.parse::<Limit>().expect_err(text).to_string();
            assert!(error.ends_with(&format!("; expected {expected}")), "{error}");
        }
    }
}
