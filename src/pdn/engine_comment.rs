//! Scores that engines write into comments: `{-80: 10-14}` and `{20}`, in hundredths of a man from the mover's point of
//! view.
//!
//! A number in a comment may also be a year, a time or the number of a diagram. It is therefore a score only if the game shows
//! so: the comments of a side are all of this kind, and there are many of them.

use super::movetext::MoveText;
use super::tree::{Attachment, GameTree, Node, NodeKind};

/// A comment written by an engine after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EngineComment {
    /// A score.
    Score(i32),
    /// A move from a book (`0: None`), or one without a choice (`only move`).
    NoScore,
}

/// Minimum number of comments of a side: fewer may be a coincidence.
const MIN_COMMENTS: usize = 4;

/// The largest score: engines write -29,811 for a proven loss.
const MAX_SCORE: i32 = 99_999;

/// Returns the meaning of a comment, if an engine may have written it.
fn engine_comment(text: &str) -> Option<EngineComment> {
    let text = text.trim();
    let is_move = |word: &str| MoveText::parse(word).is_some();
    let scored = |score| Some(EngineComment::Score(score));
    if text.eq_ignore_ascii_case("only move") {
        return Some(EngineComment::NoScore);
    }
    // `-80: 10-14`: the score, and the reply that is expected.
    if let Some((number, reply)) = text.split_once(':') {
        return match (score(number)?, reply.trim()) {
            (_, "None") => Some(EngineComment::NoScore),
            (score, reply) if is_move(reply) => scored(score),
            _ => None,
        };
    }
    match text.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [number] => scored(score(number)?),
        // `12-18 -2 18`: the best move, its score, and the depth.
        [best, number, depth] if is_move(best) && depth.parse::<u32>().is_ok() => scored(score(number)?),
        _ => None,
    }
}

fn score(number: &str) -> Option<i32> {
    number.trim().parse().ok().filter(|score: &i32| score.abs() <= MAX_SCORE)
}

/// The moves of the main line that have scores: the odd ones, the even ones, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineScores([bool; 2]);

impl EngineScores {
    /// Finds the sides whose comments are the scores of an engine: at least four, and hardly any others except commands.
    pub(crate) fn of(tree: &GameTree) -> Self {
        let (mut found, mut other, mut moves) = ([0_usize; 2], [0_usize; 2], [0_usize; 2]);
        let nodes = tree.main_line().nodes().iter().map(|&id| tree.node(id));
        for (n, node) in nodes.filter(|node| !matches!(node.kind(), NodeKind::Setup { .. })).enumerate() {
            moves[n % 2] += 1;
            for text in plain_comments(node) {
                let counted = if engine_comment(text).is_some() { &mut found } else { &mut other };
                counted[n % 2] += 1;
            }
        }
        let holds = |side: usize| {
            let is_usual = 2 * found[side] >= moves[side] && 10 * other[side] <= found[side];
            found[side] >= MIN_COMMENTS && is_usual
        };
        Self([holds(0), holds(1)])
    }

    /// Returns the score that a move has, in hundredths of a man from the mover's point of view; `ply` counts from 1.
    pub(crate) fn score(self, node: &Node, ply: u32) -> Option<i32> {
        if !self.0[(ply as usize + 1) % 2] {
            return None;
        }
        plain_comments(node).find_map(|text| match engine_comment(text) {
            Some(EngineComment::Score(score)) => Some(score),
            _ => None,
        })
    }
}

/// Returns the comments in braces of a node that are not commands.
fn plain_comments(node: &Node) -> impl Iterator<Item = &str> {
    node.attachments()
        .iter()
        .filter_map(Attachment::comment)
        .filter(|text| !text.trim().is_empty() && !text.contains("[%"))
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;

    fn scores(text: &str) -> Vec<Option<i32>> {
        let game = games(text.as_bytes()).next().expect("a game").into_tree();
        let found = EngineScores::of(&game);
        let nodes = game.main_line().nodes().iter().map(|&id| game.node(id));
        nodes.zip(1..).map(|(node, ply)| found.score(node, ply)).collect()
    }

    #[test]
    fn scores_of_one_side_or_both_are_found() {
        let both = "1. 32-28 {0: None } 18-22 {-80: 10-14} 2. 37-32 {20: 12-18} 12-18 {only move} 3. 41-37 {12-18 -2 18} \
                    7-12 {1} 4. 34-30 {-29811} 1-7 {40: 46-41} *";
        assert_eq!(scores(both), [None, Some(-80), Some(20), None, Some(-2), Some(1), Some(-29811), Some(40)]);
        let one = "1. 33-29 {0} 20-25 2. 39-33 {0} 17-21 3. 44-39 {40} 14-20 4. 29-23 {-40} 19x28 *";
        assert_eq!(scores(one), [Some(0), None, Some(0), None, Some(40), None, Some(-40), None]);
    }

    #[test]
    fn years_and_numbers_are_no_scores() {
        for text in [
            "1. 33-29 {1995} 20-25 2. 39-33 17-21 3. 44-39 14-20 4. 29-23 19x28 *",
            "1. 33-29 {1995} 20-25 {the game of} 2. 39-33 {1996} 17-21 3. 44-39 {good} 14-20 4. 29-23 {1997} 19x28 5. 33x22 {1998} *",
            "1. 33-29 {12:30} 20-25 {12:31} 2. 39-33 {12:40} 17-21 {12:50} 3. 44-39 {12:51} 14-20 {13:00} 4. 29-23 {13:20} *",
        ] {
            assert!(scores(text).iter().all(Option::is_none), "{text}");
        }
    }
}
