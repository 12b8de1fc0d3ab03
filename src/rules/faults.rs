//! Rules that do not go together.

use std::fmt;

use super::draws::{Diagonal, DrawLimit, Ending, MAX_LIMITS};
use super::house::BOARDS;
use super::spec::{KingLanding, KingRange, ManCaptures, ManMoves, Removal, RuleSpec};
use crate::board::Shape;

/// Rules that no game can be played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFault {
    /// The fields that do not go together, named like those of [`RuleSpec`] with `-` for `_`; the first ones count most.
    /// Of a limit on moves without progress: the field of its [`DrawLimit`].
    pub fields: &'static [&'static str],
    /// Which of the limits on moves without progress it is about, if any.
    pub limit: Option<usize>,
    /// What is wrong, in one clause.
    pub reason: String,
}

/// All that is wrong with rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecFaults(pub Vec<SpecFault>);

impl fmt::Display for SpecFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.0.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { "; " }, fault.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecFaults {}

/// Collects faults.
#[derive(Default)]
struct Faults {
    found: Vec<SpecFault>,
    /// Number and name of the limit that is being looked at.
    limit: Option<(usize, &'static str)>,
}

impl Faults {
    /// Notes a fault where something holds that must not.
    fn refuse(&mut self, wrong: bool, fields: &'static [&'static str], reason: impl Into<String>) {
        if wrong {
            let limit = self.limit.map(|(n, _)| n);
            let of = self.limit.map(|(_, name)| format!("limit {name}: ")).unwrap_or_default();
            self.found.push(SpecFault { fields, limit, reason: of + &reason.into() });
        }
    }
}

impl RuleSpec {
    /// Collects everything that keeps a game from being played by the rules, and rules that could never apply.
    pub fn faults(&self) -> SpecFaults {
        let mut faults = Faults::default();
        let name_is_bad = self.name.is_empty() || !self.name.bytes().all(is_name_byte);
        faults.refuse(name_is_bad, &["name"], "a name consists of small letters, digits and `-`");
        if BOARDS.contains(&self.shape) {
            self.board_faults(&mut faults);
            self.start_faults(&mut faults);
        } else {
            faults.refuse(true, &["board"], "there is no such board");
        }
        self.king_faults(&mut faults);
        self.draw_faults(&mut faults);
        SpecFaults(faults.found)
    }

    fn board_faults(&self, faults: &mut Faults) {
        let straight_moves = self.man_moves == ManMoves::ForwardAndSideways;
        let straight_captures = self.man_captures == ManCaptures::ForwardAndSideways;
        if self.shape.every_square() {
            let reason = "on a board of all squares pieces move straight, not diagonally";
            faults.refuse(!straight_moves, &["man-moves", "board"], reason);
            let reason = "on a board of all squares pieces capture straight, not diagonally";
            faults.refuse(!straight_captures, &["man-captures", "board"], reason);
        } else {
            let reason = "on a board of dark squares the square straight ahead or beside is no playable one";
            faults.refuse(straight_moves, &["man-moves", "board"], reason);
            let reason = "on a board of dark squares men that move diagonally also capture diagonally";
            faults.refuse(straight_captures, &["man-captures", "board"], reason);
        }
    }

    fn start_faults(&self, faults: &mut Faults) {
        let (rows, skipped) = (u16::from(self.start_rows.rows), u16::from(self.start_rows.skipped));
        let half = u16::from(self.shape.height() / 2);
        faults.refuse(rows == 0, &["start-rows"], "without men there is no game");
        let fields = &["start-rows", "skipped-rows", "board"];
        let reason = format!(
            "{rows} rows of men behind which {skipped} are empty overlap: a side has {half} of the {} rows",
            2 * half
        );
        faults.refuse(rows + skipped > half, fields, reason);
        let reason = format!("no row is left between the men: start-rows and skipped-rows must be less than {half}");
        faults.refuse(rows + skipped == half, fields, reason);
    }

    fn king_faults(&self, faults: &mut Faults) {
        let lands_freely = self.king_landing == KingLanding::Anywhere;
        let reason = "a short king has only one square to land on, so only `anywhere` makes sense";
        let short = self.king_range == KingRange::Short;
        faults.refuse(short && !lands_freely, &["king-landing", "king-range"], reason);
        let stays = self.removal == Removal::AfterMove;
        let reason =
            "nothing can turn back over a captured piece that stays until the move ends, so only `true` makes sense";
        faults.refuse(stays && !self.may_turn_back, &["may-turn-back", "removal"], reason);
        let reason = "a king that may never make a quiet move is no king; the limit is at least 1";
        faults.refuse(self.king_move_limit == Some(0), &["king-move-limit"], reason);
    }

    fn draw_faults(&self, faults: &mut Faults) {
        let once = self.draws.repetition.is_some_and(|repetition| repetition.occurrences < 2);
        faults.refuse(once, &["occurrences"], "a position is repeated when it occurs at least 2 times");
        let limits = self.draws.limits;
        let reason = format!("there are {} limits; {MAX_LIMITS} can be counted", limits.len());
        faults.refuse(limits.len() > MAX_LIMITS, &["limits"], reason);
        for (n, limit) in limits.iter().enumerate() {
            faults.limit = Some((n, limit.name));
            let twice = limits[..n].iter().any(|other| other.name == limit.name);
            faults.refuse(twice, &["name"], "another limit has this name");
            limit.faults(self.shape, faults);
        }
        faults.limit = None;
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

impl DrawLimit {
    fn faults(&self, shape: Shape, faults: &mut Faults) {
        let name_is_bad = self.name.is_empty() || !self.name.bytes().all(is_name_byte);
        faults.refuse(name_is_bad, &["name"], "a name consists of small letters, digits and `-`");
        faults.refuse(self.plies == 0, &["plies"], "a draw after no ply at all: the limit is at least 1");
        match self.ending {
            Ending::NoProgress { except_both_kings: (least, most) } => {
                faults.refuse(least > most, &["except-both-kings"], range_reason(least, most));
            }
            Ending::BothKings { pieces: (least, most) } => {
                faults.refuse(least > most, &["pieces"], range_reason(least, most));
                faults.refuse(most < 2, &["pieces"], "both sides have a king, so there are at least 2 pieces");
            }
            Ending::LoneKing { pieces: (least, most), kings, diagonal, .. } => {
                faults.refuse(least > most, &["pieces"], range_reason(least, most));
                faults.refuse(most == 0, &["pieces"], "the stronger side has at least 1 piece");
                let reason = format!("of at most {most} pieces no {kings} can be kings");
                faults.refuse(kings > most, &["kings", "pieces"], reason);
                let square = !shape.every_square() && shape.width() == shape.height();
                let reason = "this board has no long diagonal through two corners on which kings move";
                faults.refuse(diagonal != Diagonal::Any && !square, &["diagonal", "board"], reason);
            }
        }
    }
}

fn range_reason(least: u8, most: u8) -> String {
    format!("from {least} to {most} there is no number: the first is the smaller one")
}
