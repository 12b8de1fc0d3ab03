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
pub(crate) struct SpecIssue {
    /// The fields that contradict each other, the decisive ones first, named as in a rules file: `man-moves` for
    /// [`RuleSpec::man_moves`]. With [`SpecIssue::limit`], fields of that [`DrawLimit`].
    pub(crate) fields: &'static [&'static str],
    /// The index of the limit on moves without progress concerned, if any.
    pub(crate) limit: Option<usize>,
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
    pub(super) fn check(&self) -> Result<(), SpecIssue> {
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
        let others = [
            self.draws.repetition.map(|rule| rule.article),
            self.draws.last_pieces.map(|rule| rule.article),
            self.draws.agreement.map(|rule| rule.article),
        ];
        let mut articles = others.into_iter().flatten().chain(limits.iter().map(|limit| limit.article));
        let reason = format!("the name of an article has at most {MAX_ARTICLE} bytes");
        refuse(articles.any(|article| article.len() > MAX_ARTICLE), &["article"], reason)?;
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

const NAME_REASON: &str = "a name consists of at most 64 lowercase letters, digits and `-`";

/// Maximum length of the name of an article, in bytes. Rules are kept until the process ends, so a server that takes them from
/// people needs a bound.
const MAX_ARTICLE: usize = 200;

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

impl DrawLimit<'_> {
    fn check(&self, shape: Shape) -> Result<(), SpecIssue> {
        refuse(!is_name(self.name), &["name"], NAME_REASON)?;
        let reason = format!("expected 1 to {MAX_PLIES} plies");
        refuse(!(1..=MAX_PLIES).contains(&self.plies), &["plies"], reason)?;
        match self.ending {
            Ending::NoProgress { except_both_kings: range } => check_range(range, &["except-both-kings"]),
            Ending::BothKings { pieces } => {
                check_range(pieces, &["pieces"])?;
                refuse(pieces.1 < 2, &["pieces"], "with a king on both sides there are at least 2 pieces")
            }
            Ending::LoneKing { pieces, kings, diagonal, .. } => {
                let most = pieces.1;
                check_range(pieces, &["pieces"])?;
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

fn check_range((min, max): (u8, u8), fields: &'static [&'static str]) -> Result<(), SpecIssue> {
    refuse(min > max, fields, format!("empty range: {min} is greater than {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::rules::{Precedence, StartRows, Variant};

    /// Returns the rules of a variant under another name.
    fn renamed(base: Variant, name: &'static str) -> RuleSpec<'static> {
        let mut spec = base.spec().clone();
        spec.name = name;
        spec
    }

    #[test]
    fn variants_with_the_same_rules_differ_by_their_conventions() {
        let spec = || renamed(Variant::ITALIAN, "twins");
        let [own, other] = [Variant::ITALIAN.conventions(), Variant::ENGLISH.conventions()];
        let [a, b] = [own, other].map(|conventions| Variant::house(&spec(), conventions).expect("valid rules"));
        assert_ne!(a, b);
        assert_eq!((a.spec(), a.conventions(), b.conventions()), (b.spec(), own, other));
        assert_eq!(Variant::house(&spec(), own), Ok(a));
        assert_eq!((Variant::by_name("twins"), a.to_string()), (None, "twins".to_owned()));
    }

    /// Returns the decisive field of the first issue of changed rules of a variant.
    fn issue(base: Variant, change: impl FnOnce(&mut RuleSpec<'static>)) -> Option<(&'static str, Option<usize>)> {
        let mut spec = renamed(base, "changed");
        change(&mut spec);
        let issue = spec.check().err();
        assert_eq!(Variant::house(&spec, base.conventions()).err(), issue);
        issue.map(|issue| (issue.fields[0], issue.limit))
    }

    #[test]
    fn contradictory_rules_are_refused() {
        let only = |field| Some((field, None));
        let (dark, full) = (Variant::BRAZILIAN, Variant::TURKISH);
        assert_eq!(issue(dark, |_| ()), None);
        assert_eq!(issue(dark, |spec| spec.name = ""), only("name"));
        assert_eq!(issue(dark, |spec| spec.name = "My Rules"), only("name"));
        assert_eq!(issue(dark, |spec| spec.shape = Shape::dark(6, 6)), only("board"));
        assert_eq!(issue(dark, |spec| spec.man_moves = ManMoves::ForwardAndSideways), only("man-moves"));
        assert_eq!(issue(dark, |spec| spec.man_captures = ManCaptures::ForwardAndSideways), only("man-captures"));
        assert_eq!(issue(full, |spec| spec.man_moves = ManMoves::DiagonallyForward), only("man-moves"));
        assert_eq!(issue(full, |spec| spec.man_captures = ManCaptures::EightWays), only("man-captures"));
        for (skipped, rows) in [(0, 0), (0, 4), (1, 3), (0, 5), (255, 255)] {
            assert_eq!(issue(dark, |spec| spec.start_rows = StartRows { skipped, rows }), only("start-rows"));
        }
        assert_eq!(issue(Variant::KILLER, |spec| spec.king_range = KingRange::Short), only("king-landing"));
        assert_eq!(
            issue(Variant::ITALIAN, |spec| spec.king_landing = KingLanding::DirectlyBehind),
            only("king-landing")
        );
        assert_eq!(issue(dark, |spec| spec.may_turn_back = false), only("may-turn-back"));
        assert_eq!(issue(Variant::FRISIAN, |spec| spec.king_move_limit = Some(0)), only("king-move-limit"));
        let once = |spec: &mut RuleSpec<'static>| spec.draws.repetition.as_mut().expect("a rule").occurrences = 1;
        assert_eq!(issue(dark, once), only("occurrences"));
        let mut conventions = full.conventions();
        conventions.mirrored = true;
        let mirrored = Variant::house(&renamed(full, "changed"), conventions);
        assert_eq!(mirrored.map_err(|issue| issue.fields[0]), Err("mirrored"));
        conventions = dark.conventions();
        conventions.capture_sign = '*';
        let starred = Variant::house(&renamed(dark, "changed"), conventions);
        assert_eq!(starred.map_err(|issue| issue.fields[0]), Err("capture-sign"));
        // Odd, but a game: every precedence goes with every way of removal, and with every goal.
        for precedence in [Precedence::Italian, Precedence::HighestValue, Precedence::WithKing] {
            assert_eq!(issue(Variant::THAI, |spec| spec.precedence = precedence), None);
        }
    }

    #[test]
    fn limits_that_cannot_be_counted_are_refused() {
        let base = Variant::INTERNATIONAL;
        let limit = base.spec().draws.limits[1];
        let with =
            |base: Variant, limits: Vec<DrawLimit<'static>>| issue(base, |spec| spec.draws.limits = limits.leak());
        let changed = |change: &dyn Fn(&mut DrawLimit<'static>)| {
            let mut limit = limit;
            change(&mut limit);
            with(base, vec![limit])
        };
        let only = |field| Some((field, Some(0)));
        assert_eq!(changed(&|_| ()), None);
        assert_eq!(changed(&|limit| limit.name = "A"), only("name"));
        assert_eq!(changed(&|limit| limit.plies = 0), only("plies"));
        let lone = |pieces, kings, diagonal| Ending::LoneKing { pieces, kings, diagonal, outlasts_captures: false };
        assert_eq!(changed(&|limit| limit.ending = lone((3, 2), 1, Diagonal::Any)), only("pieces"));
        assert_eq!(changed(&|limit| limit.ending = lone((0, 0), 0, Diagonal::Any)), only("pieces"));
        assert_eq!(changed(&|limit| limit.ending = lone((2, 3), 4, Diagonal::Any)), only("kings"));
        assert_eq!(changed(&|limit| limit.ending = Ending::BothKings { pieces: (5, 4) }), only("pieces"));
        assert_eq!(changed(&|limit| limit.ending = Ending::BothKings { pieces: (1, 1) }), only("pieces"));
        assert_eq!(
            changed(&|limit| limit.ending = Ending::NoProgress { except_both_kings: (7, 4) }),
            only("except-both-kings")
        );
        assert_eq!(with(base, vec![limit, limit]), Some(("name", Some(1))));
        let many = (0..7).map(|n| DrawLimit { name: format!("l-{n}").leak(), ..limit }).collect();
        assert_eq!(with(base, many), Some(("limits", None)));
        let diagonal = DrawLimit { ending: lone((3, 3), 1, Diagonal::Stronger), ..limit };
        assert_eq!(with(base, vec![diagonal]), None);
        for board in [Variant::SPANTSIRETTI, Variant::TURKISH] {
            assert_eq!(with(board, vec![diagonal]), only("diagonal"));
        }
    }
}
