//! Scores that engines write into comments, from the mover's point of view.
//!
//! `{+0.53/14 47s}`, as programs for matches write it, is a score in men with the depth of the search and the time for the move;
//! nothing else looks like it. `{-80: 10-14}` and `{20}` are hundredths of a man, but a number in a comment may also be a year, a
//! time or the number of a diagram. It is therefore a score only if the game shows so: the comments of a side are all of this
//! kind, and there are many of them.

use super::command::{Time, thousandths};
use super::evaluation::Evaluation;
use super::movetext::MoveText;
use super::tree::{Attachment, GameTree, Node, NodeId, NodeKind};

/// A comment written by an engine after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EngineComment {
    /// A score.
    Score(i32),
    /// A move from a book (`0: None`), or one without a choice (`only move`).
    NoScore,
}

/// What a program for matches writes after a move: `+0.53/14 47s`, `-M5/20 0.5s, White mates`, `0.00/1`, `+0.18/9, 0.520s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchComment {
    /// The evaluation, positive if the mover is better. `WhiteWins` is a win of the mover.
    score: Evaluation,
    /// The time for the move.
    pub(crate) elapsed: Option<Time>,
}

impl MatchComment {
    /// Returns the meaning of a comment, if a program for matches wrote it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Self::with_parts(text).map(|(read, _)| read)
    }

    /// Returns the meaning of a comment, and its parts as [`match_parts`] does.
    fn with_parts(text: &str) -> Option<(Self, [&str; 3])> {
        let text = text.trim();
        let (score, rest) = text.split_once('/')?;
        let (depth, rest) = first_word(rest)?;
        // The depth, perhaps with that of the longest line: `14/22`.
        let is_depth = depth.split('/').all(|part| (1..=3).contains(&part.len()) && part.parse::<u16>().is_ok());
        let read = is_depth.then_some(Self { score: match_score(score)?, elapsed: None })?;
        let before = text[..text.len() - rest.len()].trim_end_matches(SEPARATORS);
        let (word, after) = first_word(rest).unwrap_or_default();
        Some(match time(word) {
            None => (read, [before, "", rest.trim()]),
            elapsed => (Self { elapsed, ..read }, [before, word, after.trim()]),
        })
    }

    /// Returns the evaluation from White's point of view.
    pub(crate) const fn evaluation(self, is_white: bool) -> Evaluation {
        match self.score {
            score if is_white => score,
            Evaluation::CentiMen(value) => Evaluation::CentiMen(-value),
            Evaluation::WhiteWins(plies) => Evaluation::BlackWins(plies),
            Evaluation::BlackWins(plies) => Evaluation::WhiteWins(plies),
        }
    }
}

/// What follows a depth or a time.
const SEPARATORS: [char; 2] = [',', ';'];

/// Splits what a program for matches wrote into the score with the depth, the time for the move, which may be empty, and the rest.
pub(crate) fn match_parts(text: &str) -> Option<[&str; 3]> {
    MatchComment::with_parts(text).map(|(_, parts)| parts)
}

/// Returns the first word, without the separators after it, and the text from the whitespace after it on.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].trim_end_matches(SEPARATORS), &text[end..]))
}

/// Reads a score in men with its sign and two or more decimals, or `M` and the plies to a win. Only zero has no sign.
fn match_score(text: &str) -> Option<Evaluation> {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(plies) = size.strip_prefix(['M', '#']) {
        let plies = plies.parse().ok()?;
        return Some(if text.starts_with('-') { Evaluation::BlackWins(plies) } else { Evaluation::WhiteWins(plies) });
    }
    let has_decimals = size.split_once('.').is_some_and(|(_, part)| part.len() >= 2);
    let score = text.parse().ok().filter(|_| has_decimals)?;
    (size.len() < text.len() || score == Evaluation::CentiMen(0)).then_some(score)
}

/// Reads the time for a move: `47s`, `0.520s`, `17`, `1:03`, `520ms`.
fn time(word: &str) -> Option<Time> {
    if let Some(millis) = word.strip_suffix("ms") {
        return thousandths(millis, true).map(|thousandths| Time(thousandths / 1000));
    }
    Time::parse(word.strip_suffix('s').unwrap_or(word))
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
        for (n, id) in counted(tree).enumerate() {
            moves[n % 2] += 1;
            for text in plain_comments(tree.node(id)).filter(|text| MatchComment::read(text).is_none()) {
                let list = if engine_comment(text).is_some() { &mut found } else { &mut other };
                list[n % 2] += 1;
            }
        }
        let holds = |side: usize| {
            // Moves from a book of openings have no score, and a person may have added some remarks.
            let is_usual = 2 * found[side] >= moves[side] && 10 * other[side] <= found[side];
            found[side] >= MIN_COMMENTS && is_usual
        };
        Self([holds(0), holds(1)])
    }

    /// Returns the moves of the main line whose comments may be scores.
    pub(crate) fn moves(self, tree: &GameTree) -> impl Iterator<Item = NodeId> {
        counted(tree).enumerate().filter(move |(n, _)| self.0[n % 2]).map(|(_, id)| id)
    }

    /// Returns the score that a move of the main line has, in hundredths of a man from the mover's point of view; `ply` counts
    /// from 1.
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

/// Returns the nodes of the main line that count as moves of either side.
fn counted(tree: &GameTree) -> impl Iterator<Item = NodeId> {
    let is_counted = |id: &NodeId| !matches!(tree.node(*id).kind(), NodeKind::Setup { .. });
    tree.main_line().nodes().iter().copied().filter(is_counted)
}

/// Returns true if a comment is a score on a move whose side has [scores](EngineScores), or says that there is none.
pub(crate) fn is_engine_comment(comment: &str) -> bool {
    engine_comment(comment).is_some()
}

/// Returns true if a comment may be the score of an engine.
pub(crate) fn may_hold_score(comment: &str) -> bool {
    MatchComment::read(comment).is_some() || engine_comment(comment).is_some()
}

/// Returns what a program for matches wrote after a move.
pub(crate) fn match_comment(node: &Node) -> Option<MatchComment> {
    plain_comments(node).find_map(MatchComment::read)
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
    fn comments_of_matches_are_recognised() {
        for (text, white, elapsed) in [
            ("+0.53/14 47s", Evaluation::CentiMen(53), Some(47_000)),
            ("-0.18/9, 0.520s", Evaluation::CentiMen(-18), Some(520)),
            ("+0.33/15 17", Evaluation::CentiMen(33), Some(17_000)),
            ("+0.33/15/22 1:03", Evaluation::CentiMen(33), Some(63_000)),
            ("0.00/1 520ms", Evaluation::CentiMen(0), Some(520)),
            ("+M5/20 0.5s, White mates", Evaluation::WhiteWins(5), Some(500)),
            ("-M4/20", Evaluation::BlackWins(4), None),
            ("+1.20/7 good move", Evaluation::CentiMen(120), None),
        ] {
            let found = MatchComment::read(text).expect(text);
            assert_eq!((found.evaluation(true), found.elapsed.map(|time| time.0)), (white, elapsed), "{text}");
        }
        let of_black = |text| MatchComment::read(text).map(|found| found.evaluation(false));
        assert_eq!(of_black("-0.18/9 29s"), Some(Evaluation::CentiMen(18)));
        assert_eq!(of_black("-M4/20 1s"), Some(Evaluation::WhiteWins(4)));
        for text in ["1.20/2.20", "0.53/14", "+0.5/14", "1/2", "+53/14", "3/4", "book", "+0.53/deep", "0:53/1:20"] {
            assert_eq!(MatchComment::read(text), None, "{text}");
        }
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
