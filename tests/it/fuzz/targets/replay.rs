//! Whatever a text is, what is called legal is, positions are what their FEN says, plain games are what their trees are, and
//! no conversion fails or changes its mind.

use std::io::Cursor;

use pdn::canon::{FormatOptions, MoveStyle, format_game};
use pdn::check::{CheckOptions, PlainDetail, PlainGame, ReadChunk, Review, Reviewed, reviews};
use pdn::export::{CsvOptions, Table, write_csv_rows, write_json_line};
use pdn::notation::{Numbering, read_fen};
use pdn::pdn::games;
use pdn::records::{Origin, game_row, head_row, plain_row};
use pdn::replay::{ReplayOptions, ReplayedGame, replay};
use pdn::rules::{Position, Variant};
use pdn::source::{ChunkOptions, Chunks};

/// Fails if replaying or converting the games of a text contradicts itself.
pub(crate) fn check(bytes: &[u8]) {
    // Taken from the ends, so that the choice stays when something between them is left out.
    let end = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    let choice =
        end(bytes.first()).wrapping_mul(0x9E37_79B9).wrapping_add(end(bytes.last()).wrapping_mul(0x85EB_CA6B)) >> 5;
    let variant = Variant::ALL[choice % Variant::ALL.len()];
    check_plain(bytes, choice.is_multiple_of(3).then_some(variant));
    let options = ReplayOptions::of(choice.is_multiple_of(5).then_some(variant));
    let mut checks = CheckOptions::default();
    (checks.replay, checks.strict) = (options, choice.is_multiple_of(2));
    for (review, parsed) in reviews(bytes, checks).zip(games(bytes)) {
        let game = review.game();
        assert_eq!(game.tree(), parsed.tree());
        check_plies(game);
        for found in review.diagnostics() {
            assert!(found.span().end <= game.tree().byte_len(), "{found:?}");
            assert!(!found.message().is_empty(), "{found:?}");
        }
        check_rows(&review);
        check_format(game, choice / 8, game.options());
    }
}

/// Each move is legal where it was played, and each position is what its FEN says.
fn check_plies(game: &ReplayedGame) {
    assert!(game.plies_played() <= game.written());
    let ids = game.tree().node_ids();
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

/// Games with plain moves have the diagnostics, positions and results that they have as trees; returns their number.
pub(crate) fn check_plain(bytes: &[u8], variant: Option<Variant>) -> usize {
    let mut options = CheckOptions::default();
    options.replay.variant = variant;
    let mut count = 0;
    options = options.for_file(bytes);
    let Ok(chunks) = Chunks::new("-", Box::new(Cursor::new(bytes.to_vec())), &ChunkOptions::default()) else {
        return 0;
    };
    let mut number = 0;
    for chunk in chunks.map_while(Result::ok) {
        let first = number;
        for detail in [PlainDetail::Diagnostics, PlainDetail::Heads, PlainDetail::Moves] {
            number = first;
            let mut plain = ReadChunk::with_plain_games(&chunk, &options, detail);
            let mut trees = ReadChunk::new(&chunk, &options);
            while let Some(tree) = trees.review(&chunk, number + 1) {
                let found = plain.review(&chunk, number + 1).expect("as many games");
                number += u64::from(!matches!(tree, Reviewed::Outside(_)));
                count += usize::from(matches!(found, Reviewed::Plain(_)) && detail == PlainDetail::Diagnostics);
                compare(&found, &tree, chunk.bytes(), detail);
            }
            assert!(plain.review(&chunk, 1).is_none());
        }
    }
    count
}

fn compare(found: &Reviewed, tree: &Reviewed, bytes: &[u8], detail: PlainDetail) {
    match (found, tree) {
        (Reviewed::Plain(plain), Reviewed::Game(review)) => {
            compare_plain(plain, review, bytes);
            compare_rows(plain, review, bytes, detail);
        }
        (Reviewed::Game(one), Reviewed::Game(other)) => {
            assert_eq!((one.offset(), one.diagnostics()), (other.offset(), other.diagnostics()));
        }
        (Reviewed::Outside(one), Reviewed::Outside(other)) => assert_eq!(one, other),
        _ => panic!("{found:?} {tree:?}"),
    }
}

fn compare_plain(plain: &PlainGame, review: &Review, bytes: &[u8]) {
    let (game, result) = (review.game(), review.result());
    let text = &bytes[plain.offset()..][..plain.length()];
    let shown = String::from_utf8_lossy(text);
    assert_eq!(plain.diagnostics(), review.diagnostics(), "{shown}");
    assert_eq!((plain.offset(), plain.length()), (review.offset(), game.tree().byte_len() as usize), "{shown}");
    assert!(game.is_clean(), "{shown}");
    assert_eq!((Some(plain.variant()), plain.plies()), (game.variant(), game.plies_played()), "{shown}");
    assert_eq!(Some(plain.final_position()), game.final_position(), "{shown}");
    let written = game.tree().nodes().iter().filter(|node| node.kind().is_written_move()).count();
    assert_eq!(plain.moves(), written, "{shown}");
    assert_eq!((plain.board(), plain.winner()), (result.board(), result.winner()), "{shown}");
    let text = str::from_utf8(text).expect("plain games are UTF-8");
    assert_eq!(plain.terminator(text), result.terminator(), "{shown}");
    let tags = game.tree().tags().iter().map(|tag| (tag.name(), tag.value()));
    assert!(plain.tags(text).eq(tags), "{shown}");
}

fn compare_rows(plain: &PlainGame, review: &Review, bytes: &[u8], detail: PlainDetail) {
    let text = str::from_utf8(&bytes[plain.offset()..][..plain.length()]).expect("plain games are UTF-8");
    let origin = Origin { file: "-", game: 1, offset: 0 };
    let row = plain_row(plain, text, origin);
    match detail {
        PlainDetail::Moves => assert_eq!(row, game_row(review, origin, Vec::new()), "{text}"),
        PlainDetail::Heads => assert_eq!(row, head_row(review, origin), "{text}"),
        _ => {}
    }
}

fn check_rows(review: &Review) {
    let row = game_row(review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
    let mut json = Vec::new();
    write_json_line(&mut json, &row);
    let _: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let mut csv = Vec::new();
    write_csv_rows(&mut csv, Table::Games, &row, CsvOptions::default());
    write_csv_rows(&mut csv, Table::Moves, &row, CsvOptions::default());
}

/// A game that is written canonically is one game, and stays as it is.
fn check_format(game: &ReplayedGame, choice: usize, options: &ReplayOptions) {
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
        assert!(game.tree().tags().is_empty() && game.written() == 0, "{once}");
        return;
    };
    assert!(again.next().is_none(), "{once}");
    assert_eq!(format_game(&replay(second.into_tree(), options), &format), once, "{format:?}");
}
