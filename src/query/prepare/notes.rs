//! The games of a player that are worth a look.

use std::cmp::Reverse;

use super::facts::{Facts, ShotFact, ShotFate};
use crate::board::Side;
use crate::records::{GameReason, NotedGameRow};

/// Number of games to look at.
const GAMES: usize = 5;

/// A game, how well a reason fits it, and the ply of the reason.
type Fit = (i64, Option<u64>);

/// Returns the games to look at, each for the first reason that fits it best.
pub(super) fn look_at(games: &[&Facts]) -> Vec<NotedGameRow> {
    let mut noted: Vec<NotedGameRow> = Vec::new();
    let mut used = vec![false; games.len()];
    for reason in GameReason::ALL {
        if noted.len() == GAMES {
            break;
        }
        let fits = games.iter().enumerate().filter(|(n, _)| !used[*n]);
        let fits = fits.filter_map(|(n, facts)| Some((n, facts, fit(facts, reason)?)));
        // Of equal games, the last one.
        let best = fits.max_by_key(|(n, facts, (size, _))| (*size, facts.date, Reverse(*n)));
        if let Some((n, facts, (_, ply))) = best {
            used[n] = true;
            noted.push(row(facts, reason, ply));
        }
    }
    noted
}

/// Returns how well a reason fits a game; `None` if it does not.
fn fit(facts: &Facts, reason: GameReason) -> Option<Fit> {
    let result = facts.half_points();
    let thrown_away = |expected: u8| {
        let endgame = facts
            .endgame
            .filter(|endgame| endgame.expected == expected && result < Some(expected) && result.is_some())?;
        Some((0, endgame.drop))
    };
    let shot = |fate| {
        let gain = |shot: &&ShotFact| (shot.gain, Reverse(shot.ply));
        let shot = facts.shots.iter().filter(|shot| shot.fate == fate && shot.is_notable()).max_by_key(gain)?;
        Some((i64::from(shot.gain), Some(shot.ply)))
    };
    let is_lost = result == Some(0);
    let plies = facts.plies as i64;
    match reason {
        GameReason::WonEndgame => thrown_away(2),
        GameReason::DrawnEndgame => thrown_away(1),
        GameReason::MissedShot => shot(ShotFate::Missed),
        GameReason::SufferedShot => shot(ShotFate::Suffered),
        GameReason::Blunder => facts.blunder.map(|(loss, ply)| (i64::from(loss), Some(u64::from(ply)))),
        GameReason::ShortestLoss => (is_lost && plies > 0).then_some((-plies, None)),
        GameReason::BestWin => {
            let rating = facts.opponent_rating().filter(|_| result == Some(2))?;
            Some((i64::from(rating), None))
        }
        GameReason::TimeTrouble => (is_lost && facts.clock.is_some_and(|clock| clock.low[0] > 0)).then_some((0, None)),
        GameReason::LastLoss => is_lost.then_some((0, None)),
        GameReason::LastGame => Some((0, None)),
    }
}

fn row(facts: &Facts, reason: GameReason, ply: Option<u64>) -> NotedGameRow {
    let is_shot = matches!(reason, GameReason::MissedShot | GameReason::SufferedShot);
    let mut boards = facts.boards.iter().filter(|board| Some(board.ply) == ply);
    // The boards of shots come first.
    let board = if is_shot { boards.next() } else { boards.next_back() };
    NotedGameRow {
        file: facts.file.clone(),
        line: facts.line_number,
        game: facts.game,
        side: side_name(facts.side),
        opponent: facts.opponent.clone(),
        event: facts.event.clone(),
        year: facts.date[0],
        result: facts.half_points().map(result_name),
        reason,
        ply,
        fen: board.map(|board| board.position.fen()),
        moves: board.map(|board| board.position.short_line(&board.moves)).unwrap_or_default(),
    }
}

/// Returns the letter of a side in rows.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}

/// Returns the name of a number of half points.
pub(super) const fn result_name(half_points: u8) -> &'static str {
    match half_points {
        0 => "loss",
        1 => "draw",
        _ => "win",
    }
}
