//! The annotation of one game.

use super::analyst::Analyst;
use super::evaluation::evaluation;
use super::scale::JudgementScale;
use crate::engine::{Analysis, Score};
use crate::error::Error;
use crate::pdn::NodeId;
use crate::records::Annotation;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// A played move of the main line.
#[derive(Clone, Copy, Debug)]
struct Ply {
    node: NodeId,
    before: Position,
    played: Move,
    after: Position,
}

/// Annotates the main line of a game.
///
/// The positions are analysed from the last to the first, so that knowledge of later positions helps with earlier ones. A
/// forced move is not searched: its score follows from that of the next position. `progress` is called after each move.
///
/// # Errors
///
/// If the analyst fails.
pub fn annotate(
    game: &ReplayedGame,
    analyst: &mut dyn Analyst,
    scale: &JudgementScale,
    progress: &dyn Fn(),
) -> Result<Vec<Annotation>, Error> {
    analyst.new_game();
    let plies = main_line(game);
    let mut annotations = Vec::with_capacity(plies.len());
    for run in plies.chunk_by(|a, b| a.after == b.before) {
        annotations.extend(annotate_run(run, analyst, scale, progress)?);
    }
    Ok(annotations)
}

fn main_line(game: &ReplayedGame) -> Vec<Ply> {
    let played = |node| {
        let ply = game.ply(node)?;
        Some(Ply { node, before: *ply.before()?, played: *ply.played()?, after: *ply.after()? })
    };
    game.main_moves().filter_map(played).collect()
}

/// Annotates consecutive moves.
fn annotate_run(
    run: &[Ply],
    analyst: &mut dyn Analyst,
    scale: &JudgementScale,
    progress: &dyn Fn(),
) -> Result<Vec<Annotation>, Error> {
    let history: Vec<Position> = run.iter().map(|ply| ply.before).collect();
    let Some(last) = run.last() else { return Ok(Vec::new()) };
    let mut next = analyst.analyse(&last.after, &history)?;
    let mut annotations = Vec::with_capacity(run.len());
    for (n, ply) in run.iter().enumerate().rev() {
        let before = analyse_before(ply, &history[..n], &next, analyst)?;
        annotations.push(annotation(ply, &before, &next, scale));
        next = before;
        progress();
    }
    annotations.reverse();
    Ok(annotations)
}

/// Analyses the position before a move, given the analysis of the position after it.
fn analyse_before(
    ply: &Ply,
    history: &[Position],
    next: &Analysis,
    analyst: &mut dyn Analyst,
) -> Result<Analysis, Error> {
    if ply.before.legal_moves().len() > 1 {
        return analyst.analyse(&ply.before, history);
    }
    let pv = std::iter::once(ply.played).chain(next.pv().iter().copied()).collect();
    Ok(Analysis::new(one_ply_earlier(next.score()), pv, next.depth() + 1, 0))
}

/// Returns the score for the side that moved, given the score of the resulting position for the side to move.
fn one_ply_earlier(score: Score) -> Score {
    match score.plies_to_end() {
        None => -score,
        Some(plies) if score.is_win() => Score::loss_in(plies + 1),
        Some(plies) => Score::win_in(plies + 1),
    }
}

fn annotation(ply: &Ply, before: &Analysis, next: &Analysis, scale: &JudgementScale) -> Annotation {
    let is_best = before.best_move() == Some(ply.played);
    let expectation = scale.expectation(&ply.before, before.score(), one_ply_earlier(next.score()));
    let judgement = scale.judge(expectation).filter(|_| !is_best);
    Annotation {
        node: ply.node,
        evaluation: evaluation(next.score(), ply.after.turn()),
        judgement,
        best_line: if judgement.is_some() { before.pv().to_vec() } else { Vec::new() },
        best_evaluation: evaluation(before.score(), ply.before.turn()),
        expectation,
        forced: ply.before.legal_moves().len() == 1,
    }
}
