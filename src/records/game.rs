//! Replayed games as rows.

use super::rows::{DiagnosticRow, GameRow, MoveRow, ResultRow, SCHEMA};
use crate::board::Side;
use crate::check::{GameResult, Review};
use crate::notation::{Numbering, Outcome};
use crate::pdn::{
    Attachment, Command, Evaluation, GameTree, LineId, MAX_EXPORT_DEPTH, Node, NodeId, NodeKind, parse_commands,
};
use crate::replay::{Ply, ReplayedGame};

/// The place of a game in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The file as the user named it, `-` for standard input.
    pub file: &'a str,
    /// Number of the game in the file, from 1.
    pub game: u64,
    /// First byte of the game in the decompressed file, from 0.
    pub offset: u64,
}

/// Returns a game as a row, with the rows of its diagnostics.
pub fn game_row(review: &Review, origin: Origin<'_>, diagnostics: Vec<DiagnosticRow>) -> GameRow {
    let (moves, variations) = line_rows(review.game(), LineId::MAIN, 0);
    GameRow { variations, diagnostics, moves, ..head_row(review, origin) }
}

/// Returns a game as a row without diagnostics and moves: all that the table of games has, at a quarter of the cost.
pub fn head_row(review: &Review, origin: Origin<'_>) -> GameRow {
    let game = review.game();
    let tree = game.tree();
    GameRow {
        schema: SCHEMA,
        file: origin.file.to_owned(),
        game: origin.game,
        offset: origin.offset,
        variant: game.variant().map(|variant| variant.name().to_owned()),
        gametype: tree.tag("GameType").map(str::to_owned),
        tags: tree.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect(),
        start_fen: game.start_fen(),
        final_fen: game.final_fen(),
        written: game.written() as u64,
        plies: game.plies_played() as u64,
        result: result_row(review.result()),
        legal: game.is_legal(),
        diagnostics: Vec::new(),
        comment: opening_comment(tree),
        variations: Vec::new(),
        moves: Vec::new(),
    }
}

/// Returns the comments before the first move.
fn opening_comment(tree: &GameTree) -> Option<String> {
    let line = tree.main_line();
    let written = |id: &&NodeId| tree.node(**id).kind.is_written_move();
    // Ellipses and setups have no rows to hold their comments.
    let early = line.nodes.iter().take_while(|id| !written(id)).flat_map(|&id| &tree.node(id).after);
    joined(tree.lead.iter().chain(&line.intro).chain(early).filter_map(comment_text))
}

fn result_row(result: &GameResult) -> ResultRow {
    let word = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.word().to_owned());
    ResultRow {
        tag: result.tag().map(str::to_owned),
        terminator: result.terminator().map(str::to_owned),
        board: word(result.board()),
        winner: word(result.winner()),
    }
}

/// Returns the rows of a line, and the variations that belong to none of its moves.
fn line_rows(game: &ReplayedGame, line: LineId, depth: usize) -> (Vec<MoveRow>, Vec<Vec<MoveRow>>) {
    let tree = game.tree();
    let mut rows: Vec<MoveRow> = Vec::new();
    // Number and variations before the move that they belong to: after a parenthesis, an ellipsis or a setup.
    let (mut number, mut early) = (None, variation_rows(game, &tree.line(line).intro, depth));
    for &id in &tree.line(line).nodes {
        let node = tree.node(id);
        if node.kind.is_written_move() {
            let mut row = move_row(game, id, depth);
            row.number = node.number.or(number.take()).map(|number| number.value);
            row.variations.splice(0..0, early.drain(..));
            rows.push(row);
        } else {
            number = node.number;
            early.extend(variation_rows(game, &node.after, depth));
            if let Some(last) = rows.last_mut() {
                last.comment = joined(last.comment.as_deref().into_iter().chain(comments(node)));
            }
        }
    }
    if let Some(last) = rows.last_mut() {
        last.variations.append(&mut early);
    }
    (rows, early)
}

fn variation_rows(game: &ReplayedGame, attachments: &[Attachment], depth: usize) -> Vec<Vec<MoveRow>> {
    if depth == MAX_EXPORT_DEPTH as usize {
        return Vec::new();
    }
    let mut all = Vec::new();
    for line in attachments.iter().filter_map(Attachment::variation) {
        let (rows, inner) = line_rows(game, line, depth + 1);
        // Of two parentheses that open one variation only the inner one has moves.
        all.extend(Some(rows).filter(|rows| !rows.is_empty()));
        all.extend(inner);
    }
    all
}

fn move_row(game: &ReplayedGame, id: NodeId, depth: usize) -> MoveRow {
    let node = game.tree().node(id);
    let ply = game.ply(id);
    let squares = game.variant().map(Numbering::internal).zip(game.played(id));
    let side = ply.map_or(Side::White, Ply::side);
    let commands: Vec<_> = comments(node).flat_map(parse_commands).collect();
    let captured = squares.map(|(numbering, played)| {
        let mut captured: Vec<_> = played.captured().iter().map(|square| numbering.number(square)).collect();
        captured.sort_unstable();
        captured
    });
    MoveRow {
        ply: ply.map_or(0, Ply::number),
        number: None,
        side: side.letter(),
        legal: ply.is_some_and(Ply::is_played),
        written: written(node),
        notation: game.notation(id),
        from: squares.map(|(numbering, played)| numbering.number(played.from())),
        to: squares.map(|(numbering, played)| numbering.number(played.to())),
        captured: captured.unwrap_or_default(),
        fen: game.fen_after(id),
        clock: commands.iter().find_map(|command| clock(command, side)),
        eval: commands.iter().find_map(evaluation),
        nags: nags(node),
        comment: joined(comments(node)),
        variations: variation_rows(game, &node.after, depth),
    }
}

fn written(node: &Node) -> String {
    match &node.kind {
        NodeKind::Move(text) => text.text().to_owned(),
        NodeKind::Null | NodeKind::Ellipsis | NodeKind::Setup { .. } => "-".to_owned(),
    }
}

/// Returns the numeric annotations of a node: that of its marks, such as `!?`, and those written as numbers.
pub fn nags(node: &Node) -> Vec<u16> {
    let marks = node.strength.as_deref().and_then(strength_nag);
    let written = node.after.iter().filter_map(|attachment| match attachment {
        Attachment::Nag(nag) => Some(*nag),
        _ => None,
    });
    marks.into_iter().chain(written).collect()
}

/// Returns the NAG of marks; longer sequences of marks have none.
fn strength_nag(marks: &str) -> Option<u16> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "*" => 7,
        _ => return None,
    })
}

/// Returns the time on the clock of the side that moved, in seconds.
fn clock(command: &Command, side: Side) -> Option<f64> {
    let time = match command {
        Command::Clk(time) => *time,
        Command::Clock { white, black } => if side == Side::White { white } else { black }.as_ref()?.time,
        _ => return None,
    };
    Some(time.0 as f64 / 1000.0)
}

fn evaluation(command: &Command) -> Option<Evaluation> {
    match command {
        Command::Eval(evaluation) => Some(*evaluation),
        _ => None,
    }
}

fn comments(node: &Node) -> impl Iterator<Item = &str> {
    node.after.iter().filter_map(comment_text)
}

fn comment_text(attachment: &Attachment) -> Option<&str> {
    match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => Some(text),
        _ => None,
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let texts: Vec<_> = texts.collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::diag::Code;

    fn row(text: &str) -> GameRow {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        game_row(&review, Origin { file: "f", game: 1, offset: 0 }, Vec::new())
    }

    #[test]
    fn a_legal_game() {
        let row =
            row("[Event \"e\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28! {good} 19-23 $5 2. 28x19 14x23 *\n");
        assert_eq!(row.variant.as_deref(), Some("international"));
        assert_eq!((row.written, row.plies, row.legal), (4, 4, true));
        assert_eq!((row.result.tag.as_deref(), row.result.terminator.as_deref()), (Some("*"), Some("*")));
        let first = &row.moves[0];
        assert_eq!((first.ply, first.number, first.side, first.from, first.to), (1, Some(1), 'W', Some(32), Some(28)));
        assert_eq!((first.nags.as_slice(), first.comment.as_deref()), (&[1][..], Some("good")));
        assert_eq!((row.moves[1].side, row.moves[1].number, &row.moves[1].nags[..]), ('B', None, &[5][..]));
        assert_eq!(row.moves[2].captured, [23]);
        assert_eq!(row.moves[3].fen, row.final_fen);
        assert!(row.start_fen.expect("a start").starts_with("W:W31,32"));
    }

    #[test]
    fn moves_after_an_illegal_one_have_no_positions() {
        let row = row("[GameType \"20\"]\n1. 32-28 19-23 2. 31-13 20-24 *");
        assert_eq!((row.written, row.plies, row.legal), (4, 2, false));
        let legal: Vec<_> = row.moves.iter().map(|row| row.legal).collect();
        assert_eq!(legal, [true, true, false, false]);
        assert!(row.moves[2..].iter().all(|row| row.fen.is_none() && row.from.is_none() && row.notation.is_none()));
        assert_eq!(row.moves[2].written, "31-13");
    }

    #[test]
    fn clocks_and_evaluations_come_from_comments() {
        let row = row(
            "[GameType \"20\"]\n1. 32-28 {[%clk 0:01:30.5][%eval -0.035]} 19-23 {[%clock w1:00 B0:59] x} {[%eval #-7]} *",
        );
        assert_eq!((row.moves[0].clock, row.moves[0].eval), (Some(90.5), Some(Evaluation::CentiMen(-4))));
        assert_eq!((row.moves[1].clock, row.moves[1].eval), (Some(59.0), Some(Evaluation::BlackWins(7))));
    }

    #[test]
    fn variations_belong_to_the_move_they_replace() {
        let row = row("[GameType \"20\"]\n1. 32-28 (1. 31-27 19-23 (1... 20-24)) 19-23 *");
        let variation = &row.moves[0].variations[0];
        assert_eq!((variation.len(), variation[0].ply, variation[1].ply), (2, 1, 2));
        assert_eq!(variation[1].variations[0][0].written, "20-24");
    }

    #[test]
    fn comments_before_the_first_move_are_kept() {
        let game = row("{lead}\n[GameType \"20\"]\n{intro} ... {dots} 1. 32-28 {first} 19-23 *");
        assert_eq!(game.comment.as_deref(), Some("lead intro dots"));
        assert_eq!(game.moves[0].comment.as_deref(), Some("first"));
        assert!(game.variations.is_empty());
        let game = row("[GameType \"20\"]\n(1. 32-28 {c}) (1. 33-28) *");
        assert_eq!((game.moves.len(), game.variations.len(), game.comment), (0, 2, None));
        assert_eq!(game.variations[0][0].comment.as_deref(), Some("c"));
    }

    #[test]
    fn a_hundred_thousand_nested_variations_are_exported_to_a_limit() {
        let text = format!("[GameType \"20\"]\n1. 32-28 {} 19-23 *", "(1. 31-27 ".repeat(100_000));
        let mut rows = &row(&text).moves;
        let mut depth = 0;
        while let Some(inner) = rows.first().and_then(|row| row.variations.first()) {
            rows = inner;
            depth += 1;
        }
        assert_eq!(depth, MAX_EXPORT_DEPTH as usize);
        assert!(Code::REPLAY_DEEP_VARIATION.meaning().contains(&format!(" {MAX_EXPORT_DEPTH} ")));
    }
}
