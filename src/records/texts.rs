//! The comments, annotations, clocks and other texts of games, as rows have them.

use std::borrow::Cow;

use super::rows::NoteRow;
use crate::board::Side;
use crate::check::two_parts;
use crate::pdn::{
    Attachment, Command, Evaluation, GameTree, Line, LineId, MAX_EXPORT_DEPTH, Node, NodeId, NodeKind, Time, TwoParts,
    WriteOptions, clock_times, match_comment, parse_commands, strength_nag, write_game, write_line, written_commands,
};
use crate::replay::ReplayedGame;

/// Returns the numeric annotations of a node: the NAG of its marks, such as `!?`, and those written as numbers.
pub fn nags(node: &Node) -> Vec<u16> {
    let marks = node.strength().and_then(strength_nag);
    let written = node.attachments().iter().filter_map(|attachment| match attachment {
        Attachment::Nag(nag) => Some(*nag),
        _ => None,
    });
    marks.into_iter().chain(written).collect()
}

/// Returns the time left on the clock of the side that made a move, in seconds.
pub fn clock_after(game: &ReplayedGame, id: NodeId) -> Option<f64> {
    let (node, side) = (game.tree().node(id), game.ply(id)?.side());
    // Only a clock of two parts needs the rest of the game.
    let two = if comments(node).any(|text| text.contains(':')) { two_parts(game) } else { TwoParts::Hours };
    comments(node).flat_map(written_commands).find_map(|command| clock(command, side, two)).map(seconds)
}

/// Returns the time used for a move, in seconds, or for the game so far if its comments give nothing else.
pub fn elapsed_for(node: &Node) -> Option<f64> {
    let commands: Vec<_> = comments(node).flat_map(parse_commands).collect();
    elapsed(&commands).or_else(|| match_comment(node)?.elapsed).map(seconds)
}

/// Returns the time on the clock of the side that moved.
pub(super) fn clock((name, value): (&str, &str), side: Side, two: TwoParts) -> Option<Time> {
    let letter = if side == Side::White { 'w' } else { 'b' };
    match name {
        "clk" => Time::clock(value, two),
        "clock" => {
            let (_, time) = clock_times(value).find(|(of, _)| of.eq_ignore_ascii_case(&letter))?;
            Time::clock(time, two)
        }
        _ => None,
    }
}

/// Returns the time used: for the move, or else for the game so far.
pub(super) fn elapsed(commands: &[Command]) -> Option<Time> {
    let of_move = |command: &Command| if let Command::Emt(time) = command { Some(*time) } else { None };
    let of_game = |command: &Command| match command {
        Command::Egt(time) | Command::Mct(time) => Some(*time),
        _ => None,
    };
    commands.iter().find_map(of_move).or_else(|| commands.iter().find_map(of_game))
}

pub(super) fn seconds(time: Time) -> f64 {
    time.0 as f64 / 1000.0
}

pub(super) fn evaluation(command: &Command) -> Option<Evaluation> {
    match command {
        Command::Eval(evaluation) => Some(*evaluation),
        _ => None,
    }
}

/// Returns attachments as notes; `variation` is the index of their first variation, and becomes that of the next one.
pub(super) fn notes<'a>(attachments: &'a [Attachment], variation: &mut usize) -> Vec<NoteRow<'a>> {
    let note = |attachment: &'a Attachment| match attachment {
        Attachment::Comment { text, .. } => NoteRow::Comment(text.into()),
        Attachment::LineComment { text, .. } => NoteRow::LineComment(text.into()),
        Attachment::Stray { text, .. } => NoteRow::Text(text.into()),
        Attachment::Nag(nag) => NoteRow::Nag(*nag),
        Attachment::Variation(_) => {
            *variation += 1;
            NoteRow::Variation(*variation - 1)
        }
    };
    attachments.iter().map(note).collect()
}

/// Returns true for nothing, and for one comment.
pub(super) fn is_one_comment(attachments: &[Attachment]) -> bool {
    matches!(attachments, [] | [Attachment::Comment { .. }])
}

/// Returns true for annotations, then at most one comment, and then variations: the order in which a row lists them.
pub(super) fn is_usual(attachments: &[Attachment]) -> bool {
    let rank = |attachment: &Attachment| match attachment {
        Attachment::Nag(_) => Some(0),
        Attachment::Comment { .. } => Some(1),
        Attachment::Variation(_) => Some(2),
        Attachment::LineComment { .. } | Attachment::Stray { .. } => None,
    };
    let ranks = || attachments.iter().map(rank);
    ranks().all(|rank| rank.is_some()) && ranks().is_sorted() && ranks().filter(|rank| *rank == Some(1)).count() <= 1
}

/// Returns what is written between the tags and the first move, unless the comment of the game is all of it.
pub(super) fn intro(tree: &GameTree) -> Option<Vec<NoteRow<'_>>> {
    let intro = tree.main_line().intro();
    let has_more = !tree.lead().is_empty() || !is_one_comment(intro);
    // Texts after a position before the first move are in the comment of the game, too.
    let begins_with_move = tree.main_line().nodes().first().is_none_or(|id| tree.node(*id).kind().is_written_move());
    (has_more || !begins_with_move).then(|| notes(intro, &mut 0))
}

/// Returns true if the rows of a game do not show all of it: a line has no moves or does not end with one, lines are nested too
/// deeply, or an ellipsis or a position has a number or marks.
pub(super) fn is_odd(tree: &GameTree) -> bool {
    let is_move = |id: &NodeId| tree.node(*id).kind().is_written_move();
    let ends = |line: &Line| line.nodes().last().is_some_and(is_move);
    let mut lines = tree.lines().iter();
    let main = lines.next();
    let is_main_odd = main.is_some_and(|line| !(ends(line) || line.nodes().is_empty() && tree.lines().len() == 1));
    let is_flat = tree.lines().len() <= MAX_EXPORT_DEPTH as usize;
    let is_marked = |node: &Node| node.strength().is_some() || node.number().is_some();
    let has_odd_nodes = tree.nodes().iter().any(|node| !node.kind().is_written_move() && is_marked(node));
    has_odd_nodes || is_main_odd || !lines.all(ends) || !is_flat && depth(tree) > MAX_EXPORT_DEPTH as usize
}

/// Returns a game as PDN, with stray text as comments and without that which says nothing.
pub(super) fn record(tree: &GameTree) -> String {
    let mut tree = tree.clone();
    let tidy = |list: &mut Vec<Attachment>| list.retain(|item| !item.is_noise());
    tidy(tree.lead_mut());
    tidy(tree.tail_mut());
    tree.lines_mut().for_each(|line| tidy(line.intro_mut()));
    for (_, node) in tree.nodes_mut() {
        node.existing_attachments_mut().into_iter().for_each(tidy);
    }
    write_game(&tree, WriteOptions { stray_as_comment: true, ..WriteOptions::default() })
}

/// Returns how deeply the lines of a game are nested.
pub(super) fn depth(tree: &GameTree) -> usize {
    let mut depths = vec![0; tree.nodes().len()];
    let mut most = 0;
    for line in tree.lines() {
        let depth = line.parent().map_or(0, |parent| depths[parent.index()] + 1);
        line.nodes().iter().for_each(|id| depths[id.index()] = depth);
        most = most.max(depth);
    }
    most
}

pub(super) fn comments(node: &Node) -> impl Iterator<Item = &str> {
    node.attachments().iter().filter_map(comment_text)
}

/// Returns the text of a comment, in braces or to the end of the line.
pub(crate) fn comment_text(attachment: &Attachment) -> Option<&str> {
    match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => Some(text),
        _ => None,
    }
}

/// Returns the comments before the first move of a game, as its row has them.
pub fn opening_text(tree: &GameTree) -> Option<Cow<'_, str>> {
    joined(texts(tree, tree.lead(), 0).chain(early_texts(tree, LineId::MAIN, 0)))
}

/// Returns the text after the end of the game.
pub(super) fn closing_text(tree: &GameTree) -> Option<Cow<'_, str>> {
    joined(texts(tree, tree.tail(), 0))
}

/// Returns the text in a line before its first move. Positions that are set up belong to a move, if there is one.
pub(super) fn early_texts(tree: &GameTree, line: LineId, depth: usize) -> impl Iterator<Item = Cow<'_, str>> {
    let keeps_setups = !has_moves(tree, line);
    let line = tree.line(line);
    let early = line.nodes().iter().take_while(|id| !tree.node(**id).kind().is_written_move());
    let of_node = move |&id: &NodeId| {
        let setup = setup_text(tree, id).filter(|_| keeps_setups);
        setup.into_iter().chain(texts(tree, tree.node(id).attachments(), depth))
    };
    texts(tree, line.intro(), depth).chain(early.flat_map(of_node))
}

/// Returns a set-up position as written.
pub(super) fn setup_text(tree: &GameTree, id: NodeId) -> Option<Cow<'_, str>> {
    match tree.node(id).kind() {
        NodeKind::Setup { fen } => Some(written_setup(fen).into()),
        _ => None,
    }
}

/// Returns the text of a set-up position.
pub(super) fn written_setup(fen: &str) -> String {
    format!("/FEN \"{fen}\"/")
}

/// Returns the comments and stray words among attachments, and the variations that do not become rows: those without moves,
/// and those in a line at the maximum depth.
pub(super) fn texts<'a>(
    tree: &'a GameTree,
    attachments: &'a [Attachment],
    depth: usize,
) -> impl Iterator<Item = Cow<'a, str>> {
    attachments.iter().filter_map(move |attachment| match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } | Attachment::Stray { text, .. } => {
            Some(text.into())
        }
        Attachment::Variation(line) if is_deepest(depth) => Some(write_line(tree, *line).into()),
        Attachment::Variation(line) => prose(tree, *line, depth + 1).map(Cow::Owned),
        Attachment::Nag(_) => None,
    })
}

/// Returns true if the variations in a line of this depth are not exported as rows.
pub(super) const fn is_deepest(depth: usize) -> bool {
    depth == MAX_EXPORT_DEPTH as usize
}

/// Returns the text of a line without moves, in parentheses.
pub(super) fn prose(tree: &GameTree, line: LineId, depth: usize) -> Option<String> {
    if has_moves(tree, line) {
        return None;
    }
    joined(early_texts(tree, line, depth).collect::<Vec<_>>().into_iter()).map(|text| format!("({text})"))
}

pub(super) fn has_moves(tree: &GameTree, line: LineId) -> bool {
    tree.line(line).nodes().iter().any(|&id| tree.node(id).kind().is_written_move())
}

/// Returns texts separated by spaces.
pub(super) fn joined<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Option<Cow<'a, str>> {
    let mut all = texts.next()?;
    for text in texts {
        let all = all.to_mut();
        all.push(' ');
        all.push_str(&text);
    }
    Some(all)
}
