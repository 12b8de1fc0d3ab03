//! Which shots a trainer would mention: those that matter and are not obvious.

use super::explain::line_value;
use super::gain::{clear_gain, completed};
use crate::notation::Numbering;
use crate::records::{FactClause, SentenceFacts};
use crate::rules::{Move, Position};
use crate::shots::{Bounds, Fate, MIN_LEAD, Shot, find, is_winning, settled};

/// Minimum evaluation, in centi-men, of a decided game, in which short shots no longer matter.
const DECIDED: i32 = 250;

/// Evaluation, in centi-men, from which a game is no longer open: then it does not matter that a move prevents a shot.
const OPEN: i32 = 150;

/// Number of moves during which the same shot is not mentioned again.
const REPEATS: usize = 4;

/// Minimum length, in moves of its side, of a shot that is mentioned although nothing depends on it: players see shorter ones.
const LONG: usize = 3;

/// Maximum number of positions in each search for an answering shot.
const SAFE_NODES: usize = 2_000;

/// A shot at a move of a game.
pub(in crate::annotate) struct Mention<'a> {
    pub(in crate::annotate) shot: &'a Shot,
    pub(in crate::annotate) fate: Fate,
    /// The position before the move.
    pub(in crate::annotate) before: &'a Position,
    pub(in crate::annotate) played: &'a Move,
    /// The evaluation for the side that profits, in centi-men, where the shot is available; `None` if it is not known.
    pub(in crate::annotate) lead: Option<i32>,
    pub(in crate::annotate) numbering: Numbering,
}

impl Mention<'_> {
    /// Returns what is said about the shot, if it is worth mentioning.
    pub(in crate::annotate) fn facts(&self) -> Option<SentenceFacts> {
        let is_long = self.shot.length() >= LONG;
        let verb = match self.fate {
            Fate::Prevented => return self.prevented(),
            _ if !self.wins() => return None,
            Fate::Allowed => "allows",
            Fate::Played if is_long || self.lead.is_none_or(|lead| (MIN_LEAD..DECIDED).contains(&lead)) => "plays",
            Fate::Missed if is_long && self.lead.is_none_or(|lead| lead < DECIDED) => "possible",
            Fate::Played | Fate::Missed => return None,
        };
        shot_clause(verb, self.shot, self.numbering).map(|clause| SentenceFacts::new([clause]))
    }

    fn wins(&self) -> bool {
        self.lead.is_none_or(|lead| is_winning(self.shot.start(), self.shot.side(), lead))
    }

    /// Nearly every move prevents some shot. One is worth mentioning if it takes several moves and hardly any other move
    /// prevents it.
    fn prevented(&self) -> Option<SentenceFacts> {
        let is_open = self.lead.is_none_or(|lead| lead.abs() < OPEN);
        if !is_open || self.shot.length() < LONG || !is_lasting(self.shot) {
            return None;
        }
        let safe = safe_moves(self.before);
        let few = match safe[..] {
            [only] if only == *self.played => "only-one",
            [one, other] if one == *self.played || other == *self.played => "only-two",
            _ => return None,
        };
        if 2 * safe.len() > self.before.legal_moves().len() {
            return None;
        }
        let prevents = shot_clause("prevents", self.shot, self.numbering)?;
        Some(SentenceFacts::new([prevents, FactClause::new(few, [])]))
    }
}

/// Returns true if a sentence about a shot is new after the sentences about earlier moves, in their order.
pub(in crate::annotate) fn is_new<'a>(
    facts: &SentenceFacts,
    earlier: impl DoubleEndedIterator<Item = Option<&'a SentenceFacts>>,
) -> bool {
    earlier.rev().take(REPEATS).flatten().all(|last| !last.has_line_of(facts))
}

/// Returns true if the other side has no shot afterwards that wins the material back.
fn is_lasting(shot: &Shot) -> bool {
    let moves = completed(shot.start(), shot.moves());
    let end = moves.iter().fold(*shot.start(), |position, step| position.play_unchecked(step));
    let back = || find(&end, &Bounds::default().nodes(SAFE_NODES));
    end.turn() == shot.side() || back().is_none_or(|back| back.gain() < shot.gain())
}

/// Returns the moves after which the other side wins nothing by captures at once, or by a shot.
pub(super) fn safe_moves(position: &Position) -> Vec<Move> {
    let (side, lead) = (position.turn(), settled(position, position.turn()));
    let is_safe = |step: &Move| {
        let after = position.play_unchecked(step);
        settled(&after, side) >= lead && find(&after, &Bounds::default().nodes(SAFE_NODES)).is_none()
    };
    position.legal_moves().into_iter().filter(is_safe).collect()
}

/// Returns the clause about a shot; `verb` begins its key. `None` if its gain cannot be named.
pub(super) fn shot_clause(verb: &str, shot: &Shot, numbering: Numbering) -> Option<FactClause> {
    let moves = completed(shot.start(), shot.moves());
    let (plies, gain) = clear_gain(shot.start(), shot.start(), &moves, shot.side())?;
    let line = line_value(shot.start(), &moves[..plies.max(shot.moves().len()).min(moves.len())], numbering);
    Some(named_clause(verb, shot, [line, gain.to_string()]))
}

/// Returns the same clause for a line that is shown elsewhere: without it.
pub(super) fn solution_clause(shot: &Shot) -> Option<FactClause> {
    let moves = completed(shot.start(), shot.moves());
    let (_, gain) = clear_gain(shot.start(), shot.start(), &moves, shot.side())?;
    Some(named_clause("solves", shot, [gain.to_string()]))
}

fn named_clause<const N: usize>(verb: &str, shot: &Shot, values: [String; N]) -> FactClause {
    let name = shot.name().map(|name| (if name.is_route() { "named" } else { "kind" }, name.id()));
    let (form, id) = name.map_or(("shot", None), |(form, id)| (form, Some(id.to_owned())));
    FactClause::new(format!("{verb}-{form}"), id.into_iter().chain(values))
}
