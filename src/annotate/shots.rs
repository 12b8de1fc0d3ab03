//! The shots at the moves of a game.

use super::study::Study;
use super::words::Mention;
use crate::board::Side;
use crate::egdb::EndgameTables;
use crate::notation::Numbering;
use crate::records::{MoveShot, SentenceFacts};
use crate::rules::Move;
use crate::shots::{Bounds, Definition, Fate, Shot, found_in_line};

/// A shot at a move.
pub(super) struct ShotAtMove {
    /// The move: the n-th of the study.
    pub(super) at: usize,
    pub(super) shot: MoveShot,
    /// What is said about it, if it is worth mentioning.
    pub(super) explanation: Option<SentenceFacts>,
}

/// Returns the shots at the moves of a study: those that a search finds, and those with which best lines begin. A shot that a
/// marked move made possible is allowed by it; `is_end` is true if the record ends there.
pub(super) fn shots_of(
    study: &Study<'_>,
    is_end: bool,
    (tables, numbering): (&EndgameTables, Numbering),
) -> Vec<ShotAtMove> {
    let first = study.range().start;
    let line: Vec<Move> = study.range().map(|n| study.ply(n).played).collect();
    let best = |index: usize| study.value(first + index).pv();
    let mut all = Vec::new();
    for (ply, shot, fate) in found_in_line(&study.ply(first).before, &line, &Bounds::default(), &best) {
        if shot.gain() <= 0 {
            continue;
        }
        let here = ply - 1;
        let before_it = here.checked_sub(1);
        let is_blamed = before_it.is_some_and(|index| study.judgement(first + index).is_some());
        let at = |index: usize, fate| at_move(study, first + index, &shot, fate, (tables, numbering));
        match fate {
            Fate::Played | Fate::Missed => {
                all.extend(before_it.filter(|_| is_blamed).map(|index| at(index, Fate::Allowed)));
                all.push(at(here, fate));
            }
            Fate::Allowed => all.extend(before_it.filter(|_| is_end || is_blamed).map(|index| at(index, fate))),
            Fate::Prevented => all.extend(before_it.map(|index| at(index, fate))),
        }
    }
    all.sort_by_key(|shot| shot.at);
    for n in 0..all.len() {
        // The side moves again two plies later.
        let mut next = all[n + 1..].iter().take_while(|later| later.at <= all[n].at + 2);
        if next.any(|later| all[n].shot.is_missed_before(&later.shot)) {
            all[n].explanation = None;
        }
    }
    all
}

fn at_move(
    study: &Study<'_>,
    at: usize,
    shot: &Shot,
    fate: Fate,
    (tables, numbering): (&EndgameTables, Numbering),
) -> ShotAtMove {
    let ply = study.ply(at);
    let white = study.white_centi_men(at + usize::from(fate == Fate::Allowed));
    let lead = Some(if shot.side() == Side::White { white } else { -white });
    let best = study.value(at).pv().first();
    let mention = Mention { shot, fate, before: &ply.before, played: &ply.played, best, lead, tables, numbering };
    // What had to be played allows nothing.
    let explanation = if fate == Fate::Allowed && study.is_forced(at) { None } else { mention.facts() };
    ShotAtMove { at, shot: move_shot(shot, fate, ply.before.turn()), explanation }
}

fn move_shot(shot: &Shot, fate: Fate, mover: Side) -> MoveShot {
    let line = shot.start().short_line(shot.moves());
    MoveShot::new(mover, shot.name().map(Definition::id).map(Into::into), fate.name().into(), line, shot.gain())
}
