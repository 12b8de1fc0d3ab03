//! The comments, stray text and variations that are kept, and their form.

use super::FormatOptions;
use crate::pdn::{Attachment, GameTree, LineId};

/// Turns stray text into comments, and removes anything empty or excluded by the options.
pub(super) fn tidy(tree: &mut GameTree, options: &FormatOptions) {
    let mut empty = vec![false; tree.lines().len()];
    // A line comes before the variations in it.
    for (n, line) in tree.lines_mut().enumerate().rev() {
        tidy_list(line.intro_mut(), &empty, options);
        empty[n] = line.nodes().is_empty() && line.intro().is_empty();
    }
    tidy_list(tree.lead_mut(), &empty, options);
    tidy_list(tree.tail_mut(), &empty, options);
    for (_, node) in tree.nodes_mut() {
        if let Some(after) = node.existing_attachments_mut() {
            tidy_list(after, &empty, options);
        }
    }
    // After the end of a game only a comment in braces belongs to it for every reader.
    for item in tree.tail_mut() {
        if let Attachment::LineComment { text, span } = item {
            *item = Attachment::Comment { text: std::mem::take(text), span: *span };
        }
    }
    drop_leading_nags(tree);
}

/// Removes NAGs at the start of a game, where there is no move for them to annotate.
fn drop_leading_nags(tree: &mut GameTree) {
    drop_nags(tree.lead_mut());
    if tree.tags().is_empty() {
        drop_nags(tree.line_mut(LineId::MAIN).intro_mut());
    }
}

/// Removes the NAGs at the start of a list.
fn drop_nags(list: &mut Vec<Attachment>) {
    let leading = list.iter().take_while(|item| matches!(item, Attachment::Nag(_))).count();
    list.drain(..leading);
}

/// Moves the comments before the tags and after the end among the moves, where the strict grammar allows them.
pub(super) fn gather(tree: &mut GameTree) {
    let lead = std::mem::take(tree.lead_mut());
    tree.line_mut(LineId::MAIN).intro_mut().splice(0..0, lead);
    let mut tail = std::mem::take(tree.tail_mut());
    match tree.main_line().nodes().last().copied() {
        Some(last) => tree.node_mut(last).attachments_mut().append(&mut tail),
        None => tree.line_mut(LineId::MAIN).intro_mut().append(&mut tail),
    }
}

fn tidy_list(list: &mut Vec<Attachment>, empty: &[bool], options: &FormatOptions) {
    if !list.is_empty() {
        let kept = std::mem::take(list).into_iter().filter_map(|item| tidied(item, empty, options));
        *list = kept.collect();
    }
}

fn tidied(item: Attachment, empty: &[bool], options: &FormatOptions) -> Option<Attachment> {
    match item {
        Attachment::Variation(line) => (options.variations && !empty[line.index()]).then_some(item),
        Attachment::Nag(_) => Some(item),
        Attachment::Stray { .. } if item.is_noise() => None,
        _ if !options.comments => None,
        Attachment::Stray { text, span } => Some(Attachment::Comment { text, span }),
        Attachment::LineComment { text, span } if options.strict => Some(Attachment::Comment { text, span }),
        Attachment::Comment { .. } | Attachment::LineComment { .. } => Some(item),
    }
}
