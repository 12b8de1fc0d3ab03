//! The annotation of one game.

use super::analyst::Analyst;
use super::judge::{Judge, Judgement};
use crate::board::Side;
use crate::engine::{Analysis, Score};
use crate::error::Error;
use crate::pdn::NodeId;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// A move of the main line that could be played.
#[derive(Clone, Copy, Debug)]
struct Ply {
    node: NodeId,
    before: Position,
    played: Move,
    after: Position,
}

/// What is said about one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The node of the move.
    pub node: NodeId,
    /// Value of the position after the move, from White's point of view.
    pub score: Score,
    /// What the move deserves, if it lost something worth telling.
    pub judgement: Option<Judgement>,
    /// Where it did: a better move and what would have followed, from the position before the move.
    pub better: Vec<Move>,
    /// Value of the better line, from White's point of view.
    pub better_score: Score,
}

/// Annotates the main line of a game.
///
/// The positions are analysed from the last to the first, so that what was found out later in the game serves the moves
/// that led to it. A forced move is not searched: it is worth what follows it.
///
/// # Errors
///
/// If the analyst is gone.
pub fn annotate(game: &ReplayedGame, analyst: &mut dyn Analyst, judge: &Judge) -> Result<Vec<Annotation>, Error> {
    analyst.new_game();
    let plies = main_line(game);
    let mut annotations = Vec::with_capacity(plies.len());
    for run in plies.chunk_by(|a, b| a.after == b.before) {
        annotations.extend(annotate_run(run, analyst, judge)?);
    }
    Ok(annotations)
}

fn main_line(game: &ReplayedGame) -> Vec<Ply> {
    let played = |node| {
        let ply = game.ply(node)?;
        Some(Ply { node, before: ply.before?, played: ply.played?, after: ply.after? })
    };
    game.main_moves().filter_map(played).collect()
}

/// Annotates moves that follow each other without a break.
fn annotate_run(run: &[Ply], analyst: &mut dyn Analyst, judge: &Judge) -> Result<Vec<Annotation>, Error> {
    let history: Vec<Position> = run.iter().map(|ply| ply.before).collect();
    let Some(last) = run.last() else { return Ok(Vec::new()) };
    let mut next = analyst.analyse(&last.after, &history)?;
    let mut annotations = Vec::with_capacity(run.len());
    for (n, ply) in run.iter().enumerate().rev() {
        let before = analyse_before(ply, &history[..n], &next, analyst)?;
        annotations.push(annotation(ply, &before, &next, judge));
        next = before;
    }
    annotations.reverse();
    Ok(annotations)
}

fn analyse_before(
    ply: &Ply,
    history: &[Position],
    next: &Analysis,
    analyst: &mut dyn Analyst,
) -> Result<Analysis, Error> {
    if ply.before.legal_moves().len() > 1 {
        return analyst.analyse(&ply.before, history);
    }
    let line = std::iter::once(ply.played).chain(next.pv().iter().copied()).collect();
    Ok(Analysis::new(one_ply_earlier(next.score()), line, next.depth() + 1, 0))
}

/// Returns the score for the side that moved, given that of the position reached for the side to move there.
fn one_ply_earlier(score: Score) -> Score {
    match score.plies_to_end() {
        None => -score,
        Some(plies) if score.is_win() => Score::loss_in(plies + 1),
        Some(plies) => Score::win_in(plies + 1),
    }
}

fn annotation(ply: &Ply, before: &Analysis, next: &Analysis, judge: &Judge) -> Annotation {
    let white = |score: Score, mover: Side| if mover == Side::White { score } else { -score };
    let best = before.best_move();
    let judgement = judge.judge(before.score(), one_ply_earlier(next.score())).filter(|_| best != Some(ply.played));
    Annotation {
        node: ply.node,
        score: white(next.score(), ply.after.turn()),
        judgement,
        better: if judgement.is_some() { before.pv().to_vec() } else { Vec::new() },
        better_score: white(before.score(), ply.before.turn()),
    }
}
