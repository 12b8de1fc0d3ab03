//! Errors in rules and in arrangements of pieces.

use std::{fmt, slice, vec};

use super::draws::{Diagonal, DrawLimit, Ending, MAX_LIMITS, MAX_PLIES};
use super::house::BOARDS;
use super::spec::{Conventions, KingLanding, KingRange, ManCaptures, ManMoves, Removal, RuleSpec};
use crate::board::Shape;

/// All errors in a value, in a fixed order; empty if there are none.
///
/// Displayed as the reasons separated by semicolons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issues<T>(Vec<T>);

impl<T> Issues<T> {
    pub(crate) const fn new(issues: Vec<T>) -> Self {
        Self(issues)
    }

    /// Returns true if there are no issues.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of issues.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the issues in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> IntoIterator for Issues<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Issues<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Number of issues that a message names: `[FEN "W:W31,W31,…"]` can have a million.
const MAX_NAMED: usize = 10;

impl<T: fmt::Display> fmt::Display for Issues<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, issue) in self.iter().take(MAX_NAMED).enumerate() {
            write!(f, "{}{issue}", if n == 0 { "" } else { "; " })?;
        }
        match self.iter().count().saturating_sub(MAX_NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl<T: fmt::Debug + fmt::Display> std::error::Error for Issues<T> {}

/// Something that makes rules unplayable or pointless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SpecIssue {
    fields: &'static [&'static str],
    limit: Option<usize>,
    reason: String,
}

impl SpecIssue {
    /// Returns an issue of these fields.
    pub(crate) fn new(fields: &'static [&'static str], reason: impl Into<String>) -> Self {
        Self { fields, limit: None, reason: reason.into() }
    }

    /// Makes it an issue of the limit with this index.
    #[must_use]
    pub(crate) fn of_limit(self, n: usize) -> Self {
        Self { limit: Some(n), ..self }
    }

    /// Returns the fields that contradict each other, the decisive ones first, named as in a rules file: `man-moves` for
    /// [`RuleSpec::man_moves`]. With [`SpecIssue::limit`], fields of that [`DrawLimit`].
    pub const fn fields(&self) -> &'static [&'static str] {
        self.fields
    }

    /// Returns the index of the limit on moves without progress concerned, if any.
    pub const fn limit(&self) -> Option<usize> {
        self.limit
    }
}

/// Returns an error if something is wrong.
fn refuse(is_wrong: bool, fields: &'static [&'static str], reason: impl Into<String>) -> Result<(), SpecIssue> {
    if is_wrong { Err(SpecIssue::new(fields, reason)) } else { Ok(()) }
}

impl RuleSpec<'_> {
    /// Finds the first contradiction that keeps a game from being played by the rules, or rule that could never apply.
    ///
    /// # Errors
    ///
    /// If there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::Variant;
    ///
    /// let mut spec = Variant::FRISIAN.spec().clone();
    /// assert_eq!(spec.check(), Ok(()));
    /// spec.king_move_limit = Some(0);
    /// assert_eq!(spec.check().unwrap_err().to_string(), "a king must be allowed at least 1 quiet move");
    /// ```
    pub fn check(&self) -> Result<(), SpecIssue> {
        refuse(!is_name(self.name), &["name"], NAME_REASON)?;
        refuse(!BOARDS.contains(&self.shape), &["board"], "unknown board")?;
        self.check_directions()?;
        self.check_start()?;
        self.check_kings()?;
        self.check_draws()
    }

    fn check_directions(&self) -> Result<(), SpecIssue> {
        let straight_moves = self.man_moves == ManMoves::ForwardAndSideways;
        let straight_captures = self.man_captures == ManCaptures::ForwardAndSideways;
        if self.shape.every_square() {
            let reason = "on a board of all squares pieces move straight, not diagonally";
            refuse(!straight_moves, &["man-moves", "board"], reason)?;
            let reason = "on a board of all squares pieces capture straight, not diagonally";
            refuse(!straight_captures, &["man-captures", "board"], reason)
        } else {
            let reason = "on a board of dark squares the squares straight ahead and beside are not playable";
            refuse(straight_moves, &["man-moves", "board"], reason)?;
            let reason = "on a board of dark squares men that move diagonally also capture diagonally";
            refuse(straight_captures, &["man-captures", "board"], reason)
        }
    }

    fn check_start(&self) -> Result<(), SpecIssue> {
        let (rows, skipped) = (u16::from(self.start_rows.rows), u16::from(self.start_rows.skipped));
        let half = u16::from(self.shape.height() / 2);
        refuse(rows == 0, &["start-rows"], "a game needs at least 1 row of men")?;
        let fields = &["start-rows", "skipped-rows", "board"];
        let reason = format!("{rows} rows of men and {skipped} empty rows do not fit the {half} rows of a side");
        refuse(rows + skipped > half, fields, reason)?;
        let reason =
            format!("no row is empty between the men: start-rows and skipped-rows must add up to less than {half}");
        refuse(rows + skipped == half, fields, reason)
    }

    fn check_kings(&self) -> Result<(), SpecIssue> {
        let lands_freely = self.king_landing == KingLanding::Anywhere;
        let reason = "a short king has only one square to land on; expected `anywhere`";
        let is_short = self.king_range == KingRange::Short;
        refuse(is_short && !lands_freely, &["king-landing", "king-range"], reason)?;
        let blocks = self.removal == Removal::AfterMove;
        let reason = "no capture can turn back over a piece that stays until the move ends; expected `true`";
        refuse(blocks && !self.may_turn_back, &["may-turn-back", "removal"], reason)?;
        let reason = "a king must be allowed at least 1 quiet move";
        refuse(self.king_move_limit == Some(0), &["king-move-limit"], reason)
    }

    fn check_draws(&self) -> Result<(), SpecIssue> {
        let once = self.draws.repetition.is_some_and(|repetition| repetition.occurrences < 2);
        refuse(once, &["occurrences"], "a repeated position occurs at least 2 times")?;
        let limits = self.draws.limits;
        let reason = format!("{} limits; at most {MAX_LIMITS} can be counted", limits.len());
        refuse(limits.len() > MAX_LIMITS, &["limits"], reason)?;
        for (n, limit) in limits.iter().enumerate() {
            let is_duplicate = limits[..n].iter().any(|other| other.name == limit.name);
            let checked = refuse(is_duplicate, &["name"], "another limit has the same name");
            checked.and_then(|()| limit.check(self.shape)).map_err(|issue| {
                SpecIssue::new(issue.fields, format!("limit {}: {}", limit.name, issue.reason)).of_limit(n)
            })?;
        }
        Ok(())
    }
}

impl Conventions {
    /// Finds a convention that does not fit a board.
    pub(super) fn check(self, shape: Shape) -> Result<(), SpecIssue> {
        let reason = "a board of all squares equals its mirror image; expected `false`";
        refuse(self.mirrored && shape.every_square(), &["mirrored", "board"], reason)?;
        let reason = format!("`{}` is not a sign of captures; expected `x`, `:` or `-`", self.capture_sign);
        refuse(!matches!(self.capture_sign, 'x' | ':' | '-'), &["capture-sign"], reason)
    }
}

const NAME_REASON: &str = "a name consists of lowercase letters, digits and `-`";

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

impl DrawLimit<'_> {
    fn check(&self, shape: Shape) -> Result<(), SpecIssue> {
        refuse(!is_name(self.name), &["name"], NAME_REASON)?;
        let reason = format!("expected 1 to {MAX_PLIES} plies");
        refuse(!(1..=MAX_PLIES).contains(&self.plies), &["plies"], reason)?;
        match self.ending {
            Ending::NoProgress { except_both_kings: range } => {
                refuse(is_reversed(range), &["except-both-kings"], range_reason(range))
            }
            Ending::BothKings { pieces } => {
                refuse(is_reversed(pieces), &["pieces"], range_reason(pieces))?;
                refuse(pieces.1 < 2, &["pieces"], "with a king on both sides there are at least 2 pieces")
            }
            Ending::LoneKing { pieces, kings, diagonal, .. } => {
                let most = pieces.1;
                refuse(is_reversed(pieces), &["pieces"], range_reason(pieces))?;
                refuse(most == 0, &["pieces"], "the stronger side has at least 1 piece")?;
                let reason = format!("at most {most} pieces cannot include {kings} kings");
                refuse(kings > most, &["kings", "pieces"], reason)?;
                let has_diagonal = !shape.every_square() && shape.width() == shape.height();
                let reason = "on this board no diagonal of playable squares joins two corners";
                refuse(diagonal != Diagonal::Any && !has_diagonal, &["diagonal", "board"], reason)
            }
        }
    }
}

const fn is_reversed((min, max): (u8, u8)) -> bool {
    min > max
}

fn range_reason((min, max): (u8, u8)) -> String {
    format!("empty range: {min} is greater than {max}")
}
