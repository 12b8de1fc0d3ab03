//! Games over DXP and their records.

use crate::arena::line::GameLine;
use crate::arena::record::GameRecord;
use crate::arena::thought::Thought;
use crate::board::Side;
use crate::link::{DxpError, EndReason};
use crate::notation::Outcome;
use crate::rules::Move;

/// A game over DXP that is over or was broken off.
#[derive(Debug)]
pub struct DxpGame {
    line: GameLine,
    /// What the engine said about its moves; `None` for the moves of the opponent.
    thoughts: Vec<Option<Thought>>,
    side: Side,
    opponent: String,
    end: End,
}

/// How a game ended.
#[derive(Debug)]
pub(super) enum End {
    /// By the rules.
    Rules(Outcome),
    /// By the opponent's word.
    Declared(EndReason),
    /// By a failure.
    BrokenOff(DxpError),
}

impl DxpGame {
    pub(super) const fn new(
        line: GameLine,
        thoughts: Vec<Option<Thought>>,
        side: Side,
        opponent: String,
        end: End,
    ) -> Self {
        Self { line, thoughts, side, opponent, end }
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        self.line.moves()
    }

    /// Returns the side of the built-in engine.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Returns the name of the opponent.
    pub fn opponent(&self) -> &str {
        &self.opponent
    }

    /// Returns the outcome: by the rules, or because the opponent resigned or declared a draw. `None` if it is unknown.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.end {
            End::Rules(outcome) => Some(outcome),
            End::Declared(EndReason::Loss) => Some(Outcome::Win(self.side)),
            End::Declared(EndReason::Draw) => Some(Outcome::Draw),
            End::Declared(EndReason::Win | EndReason::Unknown) | End::BrokenOff(_) => None,
        }
    }

    /// Returns why the game was broken off, if it was.
    pub const fn failure(&self) -> Option<&DxpError> {
        match &self.end {
            End::BrokenOff(error) => Some(error),
            End::Rules(_) | End::Declared(_) => None,
        }
    }

    /// Returns the game as PDN text, followed by an empty line. `name` is the name of the engine, `round` the number of
    /// the game. Times are in the comments if `is_timed` is true.
    pub fn to_pdn(&self, name: &str, round: usize, is_timed: bool) -> String {
        let (white, black) = match self.side {
            Side::White => (name, self.opponent()),
            Side::Black => (self.opponent(), name),
        };
        let comment = |thought: &Option<Thought>| thought.map(|thought| thought.comment(self.side, is_timed));
        GameRecord::new(self.line.start(), self.line.moves())
            .event("pdn dxp")
            .round(round)
            .players(white, black)
            .outcome(self.outcome())
            .comments(self.thoughts.iter().map(|thought| comment(thought).unwrap_or_default()).collect())
            .comment(self.end_comment().as_deref())
            .to_pdn()
    }

    /// Returns how the game ended, unless the board shows it.
    fn end_comment(&self) -> Option<String> {
        match &self.end {
            End::Rules(_) => self.line.draw().map(|name| format!("draw: {name}")),
            End::Declared(EndReason::Unknown) => Some("ended by the opponent".to_owned()),
            End::Declared(reason) => Some(format!("declared {} by the opponent", reason.result())),
            End::BrokenOff(error) => Some(format!("broken off: {error}")),
        }
    }
}
