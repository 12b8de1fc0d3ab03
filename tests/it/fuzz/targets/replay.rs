//! Whatever a text is, what is called legal is, positions are what their FEN says, counting agrees with replaying, and no
//! conversion fails or changes its mind.

use pdn::canon::{FormatOptions, MoveStyle, format_game};
use pdn::check::{CheckOptions, Review, reviews};
use pdn::export::{CsvOptions, write_game, write_json_line, write_moves};
use pdn::notation::{Numbering, read_fen};
use pdn::pdn::{NodeId, games};
use pdn::records::{Origin, game_row};
use pdn::replay::{Ply, ReplayOptions, ReplayedGame, replay, replay_all};
use pdn::rules::{Position, Variant};

/// Fails if replaying or converting the games of a text contradicts itself.
pub(crate) fn check(bytes: &[u8]) {
    // Taken from the ends, so that the choice stays when something between them is left out.
    let end = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    let choice =
        end(bytes.first()).wrapping_mul(0x9E37_79B9).wrapping_add(end(bytes.last()).wrapping_mul(0x85EB_CA6B)) >> 5;
    let variant = Variant::ALL[choice % Variant::ALL.len()];
    check_count(bytes, variant);
    let options = ReplayOptions { variant: choice.is_multiple_of(5).then_some(variant) };
    let mut checks = CheckOptions::default();
    (checks.replay, checks.strict) = (options, choice.is_multiple_of(2));
    for (review, parsed) in reviews(bytes, checks).zip(games(bytes)) {
        let game = review.game();
        assert_eq!(game.tree(), &parsed.tree);
        check_plies(game);
        for found in review.diagnostics() {
            assert!(found.span().end <= game.tree().len, "{found:?}");
            assert!(!found.message().is_empty(), "{found:?}");
        }
        check_rows(&review);
        check_format(game, choice / 8, options);
    }
}

/// Each move is legal where it was played, and each position is what its FEN says.
fn check_plies(game: &ReplayedGame) {
    assert!(game.plies_played() <= game.written());
    let ids = (0..game.tree().nodes.len() as u32).map(NodeId);
    for ply in ids.clone().filter_map(|id| game.ply(id)) {
        if let (Some(before), Some(played)) = (ply.before(), ply.played()) {
            assert!(before.is_legal(played));
            assert_eq!(ply.after().copied(), before.play(played).ok());
        }
    }
    for (after, fen) in ids.filter_map(|id| Some((game.ply(id)?.after()?, game.fen_after(id)?))) {
        let read = read_fen(&fen, Numbering::for_variant(after.variant())).expect("a FEN that we wrote");
        assert_eq!(read.setup.turn(), Some(after.turn()), "{fen}");
        // Of a game that is over the position need not be playable.
        if let Ok((again, _)) = Position::from_setup(after.variant(), &read.setup) {
            assert!(again.pieces().eq(after.pieces()), "{fen}");
        }
    }
}

/// Counting, as `bench` does, finds the moves that replaying finds.
pub(crate) fn check_count(bytes: &[u8], variant: Variant) {
    // A variant is given, as what counting takes a game for depends on the one before.
    let options = ReplayOptions { variant: Some(variant) };
    let (mut written, mut played) = (0, 0);
    for parsed in games(bytes) {
        // Behind an open parenthesis some texts read otherwise than by themselves.
        if games(&bytes[parsed.offset..]).next().is_none_or(|alone| alone.tree != parsed.tree) {
            return;
        }
        let game = replay(parsed.tree, &options);
        for (n, _) in game.tree().nodes.iter().enumerate().filter(|(_, node)| node.kind.is_written_move()) {
            written += 1;
            played += u64::from(game.ply(NodeId(n as u32)).is_some_and(Ply::is_played));
        }
    }
    let tally = replay_all(bytes, &options);
    assert_eq!((tally.written, tally.played), (written, played), "{}", String::from_utf8_lossy(bytes));
}

fn check_rows(review: &Review) {
    let row = game_row(review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
    let mut json = Vec::new();
    write_json_line(&mut json, &row);
    let _: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let mut csv = Vec::new();
    write_game(&mut csv, &row, CsvOptions::default());
    write_moves(&mut csv, &row, CsvOptions::default());
}

/// A game that is written canonically is one game, and stays as it is.
fn check_format(game: &ReplayedGame, choice: usize, options: ReplayOptions) {
    let format = FormatOptions::default()
        .width([80, 20, 200][choice % 3])
        .moves([MoveStyle::Short, MoveStyle::Full, MoveStyle::Written][choice / 3 % 3])
        .comments(!(choice / 9).is_multiple_of(4))
        .variations(!(choice / 36).is_multiple_of(4))
        .results(choice / 144 % 3 == 1)
        .strict(choice / 144 % 3 == 2);
    let once = format_game(game, &format);
    let mut again = games(once.as_bytes());
    let Some(second) = again.next() else {
        assert!(game.tree().tags.is_empty() && game.written() == 0, "{once}");
        return;
    };
    assert!(again.next().is_none(), "{once}");
    assert_eq!(format_game(&replay(second.tree, &options), &format), once, "{format:?}");
}
