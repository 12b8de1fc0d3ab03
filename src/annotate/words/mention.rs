//! Which shots a trainer would mention: those that matter and are not obvious.

use super::explain::line_value;
use super::gain::{Gain, completed, lasts, positions};
use crate::egdb::{EndgameTables, Value};
use crate::notation::Numbering;
use crate::records::{FactClause, SentenceFacts};
use crate::rules::{Move, Position};
use crate::shots::{Bounds, Fate, MIN_LEAD, Shot, balance, find, is_winning, settled};

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
    /// The best move before it, if it is known.
    pub(in crate::annotate) best: Option<&'a Move>,
    /// The evaluation for the side that profits, in centi-men, where the shot is available; `None` if it is not known.
    pub(in crate::annotate) lead: Option<i32>,
    pub(in crate::annotate) tables: &'a EndgameTables,
    pub(in crate::annotate) numbering: Numbering,
}

impl Mention<'_> {
    /// Returns what is said about the shot, if it is worth mentioning.
    pub(in crate::annotate) fn facts(&self) -> Option<SentenceFacts> {
        let is_long = self.shot.length() >= LONG;
        let verb = match self.fate {
            Fate::Prevented => return self.prevented(),
            _ if !self.wins() => return None,
            // A combination in an exchange that has begun takes back what was given, and a move that had to be played allows nothing.
            Fate::Allowed if self.before.can_capture() => return None,
            Fate::Allowed => "allows",
            Fate::Played if is_long || self.lead.is_none_or(|lead| (MIN_LEAD..DECIDED).contains(&lead)) => "plays",
            // A combination that a search does not prefer to the move that was played wins nothing in the end.
            Fate::Missed if is_long && self.is_best() && self.lead.is_none_or(|lead| lead < DECIDED) => "possible",
            Fate::Played | Fate::Missed => return None,
        };
        shot_clause(verb, self.shot, self.tables, self.numbering).map(|clause| SentenceFacts::new([clause]))
    }

    fn is_best(&self) -> bool {
        self.best.is_some_and(|best| self.shot.moves().first() == Some(best))
    }

    fn wins(&self) -> bool {
        self.lead.is_none_or(|lead| is_winning(self.shot.start(), self.shot.side(), lead))
    }

    /// Nearly every move prevents some shot. One is worth mentioning if it takes several moves and hardly any other move
    /// prevents it.
    fn prevented(&self) -> Option<SentenceFacts> {
        let is_open = self.lead.is_none_or(|lead| lead.abs() < OPEN);
        if !is_open || self.shot.length() < LONG {
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
        let prevents = shot_clause("prevents", self.shot, self.tables, self.numbering)?;
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

/// Returns the moves after which the other side wins nothing that it can keep, by captures at once or by a shot.
pub(super) fn safe_moves(position: &Position) -> Vec<Move> {
    let (side, lead) = (position.turn(), settled(position, position.turn()));
    let is_safe = |step: &Move| {
        let after = position.play_unchecked(step);
        settled(&after, side) >= lead && find(&after, &Bounds::default().nodes(SAFE_NODES)).is_none()
            // Of 143 statements about such moves, 17 overlooked that the man comes back.
            || lasts(&after, side, lead).unwrap_or(true)
    };
    position.legal_moves().into_iter().filter(is_safe).collect()
}

/// Returns the clause about a shot; `verb` begins its key. `None` if its gain cannot be named or does not last.
pub(super) fn shot_clause(verb: &str, shot: &Shot, tables: &EndgameTables, numbering: Numbering) -> Option<FactClause> {
    let (moves, end) = shown(shot);
    let gain = Gain::between(shot.start(), &end, shot.side())?;
    let is_drawn = tables.probe(&end).is_some_and(|probe| probe.value() == Value::Draw);
    if is_drawn || !lasts(&end, shot.side(), balance(&end, shot.side())).unwrap_or(false) {
        return None;
    }
    Some(named_clause(verb, shot, [line_value(shot.start(), &moves, numbering), gain.to_string()]))
}

/// Returns the moves of a shot to the first position without captures after its last one, and that position.
fn shown(shot: &Shot) -> (Vec<Move>, Position) {
    let mut moves = completed(shot.start(), shot.moves());
    let positions = positions(shot.start(), &moves);
    let plies = (shot.moves().len()..positions.len()).find(|&n| !positions[n].can_capture()).unwrap_or(moves.len());
    moves.truncate(plies);
    (moves, positions[plies])
}

/// Returns the same clause for a line that is shown elsewhere: without it.
pub(super) fn solution_clause(shot: &Shot) -> Option<FactClause> {
    let gain = Gain::between(shot.start(), &shown(shot).1, shot.side())?;
    Some(named_clause("solves", shot, [gain.to_string()]))
}

fn named_clause<const N: usize>(verb: &str, shot: &Shot, values: [String; N]) -> FactClause {
    let name = shot.name().map(|name| (if name.is_route() { "named" } else { "kind" }, name.id()));
    let (form, id) = name.map_or(("shot", None), |(form, id)| (form, Some(id.to_owned())));
    FactClause::new(format!("{verb}-{form}"), id.into_iter().chain(values))
}
