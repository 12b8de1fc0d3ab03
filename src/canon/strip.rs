//! Leaving evaluations, clocks, marks, commands, comments or variations out of games.

use serde::Deserialize;

use crate::pdn::{
    Attachment, EngineScores, GameTree, NodeId, WrittenNumber, command_sources, is_engine_comment, match_parts,
    without_commands,
};

/// A kind of text in games that can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StripKind {
    /// Commands `[%eval …]`, and scores that engines wrote as comments
    Evals,
    /// Commands with clocks and times (clk, clock, emt, egt, mct), and the times in engines' comments
    Clocks,
    /// Numeric annotations, and signs such as `!?`
    Marks,
    /// All commands `[%…]`
    Commands,
    /// The text of comments, and any text between the moves; commands stay
    Comments,
    /// Variations, with everything in them
    Variations,
}

/// The commands with clocks and times.
const CLOCKS: [&str; 5] = ["clk", "clock", "emt", "egt", "mct"];

/// Removes parts of a game, with everything that they leave empty.
pub(super) fn strip(tree: &mut GameTree, kinds: &[StripKind]) {
    if kinds.is_empty() {
        return;
    }
    let mut scored = vec![false; tree.nodes().len()];
    if kinds.contains(&StripKind::Evals) {
        EngineScores::of(tree).moves(tree).for_each(|id| scored[id.index()] = true);
    }
    strip_list(tree.lead_mut(), false, kinds);
    strip_list(tree.tail_mut(), false, kinds);
    tree.lines_mut().for_each(|line| strip_list(line.intro_mut(), false, kinds));
    let mut joined = vec![false; scored.len()];
    for (id, node) in tree.nodes_mut() {
        if kinds.contains(&StripKind::Marks) {
            node.set_strength(None);
        }
        if let Some(after) = node.existing_attachments_mut() {
            let was_separate = separates(after);
            strip_list(after, scored[id.index()], kinds);
            joined[id.index()] = was_separate && !separates(after);
        }
    }
    drop_numbers(tree, &joined);
}

/// Returns what is left of a comment outside games; `None` if it is removed. A comment that was empty before is left to the other
/// options, unless all comments are removed.
pub(crate) fn stripped(text: &str, kinds: &[StripKind]) -> Option<String> {
    strip_text(text, false, kinds)
}

/// Strips a list of attachments; `scored` is true if its comments may be an engine's scores.
fn strip_list(list: &mut Vec<Attachment>, scored: bool, kinds: &[StripKind]) {
    list.retain_mut(|item| match item {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => {
            let left = strip_text(text, scored, kinds);
            let is_kept = left.is_some();
            *text = left.unwrap_or_default();
            is_kept
        }
        Attachment::Nag(_) => !kinds.contains(&StripKind::Marks),
        Attachment::Variation(_) => !kinds.contains(&StripKind::Variations),
        Attachment::Stray { .. } => !kinds.contains(&StripKind::Comments),
    });
}

fn strip_text(text: &str, scored: bool, kinds: &[StripKind]) -> Option<String> {
    let has = |kind| kinds.contains(&kind);
    let is_removed = |name: &str| {
        has(StripKind::Commands)
            || has(StripKind::Evals) && name == "eval"
            || has(StripKind::Clocks) && CLOCKS.contains(&name)
    };
    let mut left =
        if text.contains("[%") { without_commands(text, is_removed) } else { without_scores(text, scored, kinds) };
    if has(StripKind::Comments) {
        left = command_sources(&left).collect::<Vec<_>>().join(" ");
    }
    let is_emptied = left.is_empty() && (!text.is_empty() || has(StripKind::Comments));
    (!is_emptied).then_some(left)
}

/// Returns a comment without commands as it is without the score and the time that an engine wrote into it.
fn without_scores(text: &str, scored: bool, kinds: &[StripKind]) -> String {
    let [evals, clocks] = [StripKind::Evals, StripKind::Clocks].map(|kind| kinds.contains(&kind));
    match match_parts(text) {
        // The time for the search belongs to the score.
        Some([_, _, rest]) if evals => rest.to_owned(),
        Some([score, time, rest]) if clocks && !time.is_empty() => {
            format!("{score} {rest}").trim_ascii_end().to_owned()
        }
        None if evals && scored && is_engine_comment(text) => String::new(),
        _ => text.to_owned(),
    }
}

/// Returns true if anything but NAGs follows a move, so that the next one needs a number.
fn separates(after: &[Attachment]) -> bool {
    after.iter().any(|item| !matches!(item, Attachment::Nag(_)))
}

/// Removes the numbers that only removed text made necessary, as in `1. 32-28 {good} 1... 19-23`. Those of legal moves are
/// counted again anyway, but not in games of an unknown variant.
fn drop_numbers(tree: &mut GameTree, joined: &[bool]) {
    for line in tree.line_ids() {
        let pairs: Vec<[NodeId; 2]> = tree.line(line).nodes().windows(2).map(|pair| [pair[0], pair[1]]).collect();
        for [first, second] in pairs.into_iter().filter(|[first, _]| joined[first.index()]) {
            let (first, number) = (tree.node(first), tree.node(second).number());
            let is_repeated = first.number().map(WrittenNumber::value) == number.map(WrittenNumber::value);
            let is_of_reply = number.is_some_and(|number| number.dots() > 1);
            if first.kind().is_written_move() && is_repeated && is_of_reply {
                tree.node_mut(second).set_number(None);
            }
        }
    }
}
