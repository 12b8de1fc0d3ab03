//! What the program says about a move, as data: the facts of a sentence, and the shots at the move.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::signature::Signature;
use crate::board::Side;
use crate::pdn::parse_commands;

/// The facts of an explanation about a move, without the words of a language: clauses, each with a key and its values.
///
/// As text, in records: `allows-named|coup_royal|27-22,18x27|m2;keeps|31-27|31-27,19-23`. A value has no whitespace.
///
/// # Examples
///
/// ```
/// use pdn::records::SentenceFacts;
///
/// let explanation = SentenceFacts::read("loses|m1|27-22,18x27;better-win|6-11");
/// let [loses, better] = explanation.clauses() else { panic!("two clauses") };
/// assert_eq!((loses.key(), loses.values()), ("loses", &["m1".to_owned(), "27-22,18x27".to_owned()][..]));
/// assert_eq!(explanation.to_string(), "loses|m1|27-22,18x27;better-win|6-11");
/// assert_eq!(better.key(), "better-win");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentenceFacts {
    clauses: Vec<FactClause>,
}

/// A clause of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactClause {
    key: Cow<'static, str>,
    values: Vec<String>,
}

impl FactClause {
    /// Returns a clause.
    pub(crate) fn new(key: impl Into<Cow<'static, str>>, values: impl IntoIterator<Item = String>) -> Self {
        Self { key: key.into(), values: values.into_iter().collect() }
    }

    /// What is said.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The moves, numbers and names in it.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns the first two moves of its line, if it has one that long.
    fn opening(&self) -> Option<(&str, &str)> {
        let line = self.values.iter().find(|value| value.contains(','))?;
        let mut moves = line.split(',');
        moves.next().zip(moves.next())
    }
}

impl SentenceFacts {
    /// Returns an explanation of these clauses.
    pub(crate) fn new(clauses: impl IntoIterator<Item = FactClause>) -> Self {
        Self { clauses: clauses.into_iter().collect() }
    }

    /// Reads an explanation in the form of records; any text has clauses, which need not mean anything.
    pub fn read(text: &str) -> Self {
        let clause = |text: &str| {
            let mut parts = text.split('|').map(str::to_owned);
            FactClause::new(parts.next().unwrap_or_default(), parts)
        };
        Self::new(text.split(';').filter(|text| !text.is_empty()).map(clause))
    }

    /// Returns the facts of the sentence that the program wrote to a comment, from its command `[%pdn words=…]`.
    pub(crate) fn of_comment(comment: &str) -> Option<Self> {
        // Most comments have none, and parsing costs more than searching.
        if !comment.contains(" words=") {
            return None;
        }
        let signature = parse_commands(comment).iter().find_map(Signature::of);
        signature.and_then(|signature| signature.words).map(|words| Self::read(&words))
    }

    /// Returns true if the sentence shows a better line that begins with a move: more than this move, unless it is `alone`.
    pub(crate) fn shows_better(&self, first: &str, alone: bool) -> bool {
        let is_better = |clause: &&FactClause| clause.key.starts_with("better") || clause.key.starts_with("misses");
        let begins = |line: &str| line.split_once(',').map_or(alone && line == first, |(begins, _)| begins == first);
        self.clauses.iter().filter(is_better).flat_map(FactClause::values).any(|value| begins(value))
    }

    /// The clauses.
    pub fn clauses(&self) -> &[FactClause] {
        &self.clauses
    }

    /// Returns true if a line of this explanation begins with the first moves of that of another one: a move and the reply.
    pub(crate) fn has_line_of(&self, other: &Self) -> bool {
        let first = other.clauses.first().and_then(FactClause::opening);
        first.is_some() && self.clauses.first().and_then(FactClause::opening) == first
    }
}

impl fmt::Display for SentenceFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, clause) in self.clauses.iter().enumerate() {
            write!(f, "{}{}", if n > 0 { ";" } else { "" }, clause.key)?;
            clause.values.iter().try_for_each(|value| write!(f, "|{value}"))?;
        }
        Ok(())
    }
}

/// A shot at a move of a game: a combination that wins material, and what the move has to do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveShot {
    /// The side that profits, `W` or `B`.
    side: Cow<'static, str>,
    /// The identifier of its name; null if it has none.
    pub(crate) shot: Option<Cow<'static, str>>,
    /// What became of it: `played` or `missed` by the move, made possible by it (`allowed`), or `prevented`.
    pub(crate) fate: Cow<'static, str>,
    /// Its moves.
    pub(crate) line: Vec<String>,
    /// What it gains, in men.
    pub(crate) gain: i32,
}

impl MoveShot {
    /// Returns true if this shot was missed and another one at a later move, which begins with the same moves, was played.
    pub(crate) fn is_missed_before(&self, later: &Self) -> bool {
        let is_same = self.side == later.side && self.line.iter().take(2).eq(later.line.iter().take(2));
        is_same && self.fate == "missed" && later.fate == "played"
    }

    /// The fates of shots of the side that moves; the others are those of its opponent.
    const OWN: [&'static str; 2] = ["played", "missed"];

    /// Returns a shot at a move of a side: its name, its fate, its moves, and its gain in men.
    pub fn new(
        mover: Side,
        shot: Option<Cow<'static, str>>,
        fate: Cow<'static, str>,
        line: Vec<String>,
        gain: i32,
    ) -> Self {
        let side = if Self::OWN.contains(&&*fate) { mover } else { !mover };
        Self { side: if side == Side::White { "W" } else { "B" }.into(), shot, fate, line, gain }
    }

    /// Reads a shot in the form of records, `played:coup_royal:2:27-22,18x27`, at a move of a side.
    pub(super) fn read(text: &str, mover: Side) -> Option<Self> {
        let mut parts = text.splitn(4, ':');
        let (fate, shot, gain, line) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let shot = (shot != "-").then(|| shot.to_owned().into());
        let line = line.split(',').map(str::to_owned).collect();
        Some(Self::new(mover, shot, fate.to_owned().into(), line, gain.parse().ok()?))
    }
}

/// The form of records.
impl fmt::Display for MoveShot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shot, fate, line, gain, .. } = self;
        write!(f, "{fate}:{}:{gain}:{}", shot.as_deref().unwrap_or("-"), line.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_if_they_begin_so() {
        let [allows, plays, other, short] = [
            "allows-shot|33-28,25x34,28x10,5x14,39x30|m1;better-line|1-6,2-7",
            "plays-kind|coup_direct|33-28,25x34,28x10,5x14,40x29|m1",
            "plays-shot|1-6,2-7|m1",
            "loses|m1|33-28",
        ]
        .map(SentenceFacts::read);
        assert!(allows.has_line_of(&plays) && !allows.has_line_of(&other));
        assert!(!short.has_line_of(&short));
        let misses = SentenceFacts::read("gives-win;misses|m1|33-28,23x34");
        let shows = |facts: &SentenceFacts, first, alone| facts.shows_better(first, alone);
        assert!(shows(&misses, "33-28", false) && !shows(&misses, "23x34", false) && !shows(&allows, "33-28", false));
        let draws = SentenceFacts::read("better-draw|33-28");
        assert!(shows(&draws, "33-28", true) && !shows(&draws, "33-28", false), "a move without the line");
    }
}
