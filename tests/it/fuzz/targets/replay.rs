//! Whatever a text is, what is called legal is, positions are what their FEN says, games whose tags alone are read are what
//! their trees are, and no conversion fails or changes its mind.

use std::io::Cursor;
use std::num::NonZeroUsize;

use pdn::canon::{FormatOptions, MoveStyle, format_game};
use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs, Review, reviews};
use pdn::export::{CsvOptions, Table, write_csv_rows, write_json_line};
use pdn::import::games;
use pdn::notation::{Numbering, parse_fen};
use pdn::records::{Origin, checked_head, checked_row, diagnostic_rows, game_row};
use pdn::replay::{GameStep, ReplayOptions, ReplayedGame, replay};
use pdn::rules::{Position, Variant};
use pdn::source::{ChunkOptions, Event, Input, Pipeline};

/// Fails if replaying or converting the games of a text contradicts itself.
pub(crate) fn check(bytes: &[u8]) {
    // Taken from the ends, so that the choice stays when something between them is left out.
    let end = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    let choice =
        end(bytes.first()).wrapping_mul(0x9E37_79B9).wrapping_add(end(bytes.last()).wrapping_mul(0x85EB_CA6B)) >> 5;
    let variant = Variant::ALL[choice % Variant::ALL.len()];
    check_heads(bytes, choice.is_multiple_of(3).then_some(variant));
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
            assert_eq!(ply.after().copied(), before.play(played));
        }
    }
    for after in ids.filter_map(|id| game.ply(id)?.after()) {
        let fen = after.fen();
        let setup = parse_fen(&fen, Numbering::for_variant(after.variant())).expect("a FEN that we wrote");
        assert_eq!(setup.turn(), Some(after.turn()), "{fen}");
        // Of a game that is over the position need not be playable.
        if let Ok((again, _)) = Position::from_setup(after.variant(), &setup) {
            assert!(again.pieces().eq(after.pieces()), "{fen}");
        }
    }
}

/// Games have the same tags whether only these are needed or all of them. Returns the number of games.
pub(crate) fn check_heads(bytes: &[u8], variant: Option<Variant>) -> usize {
    let mut options = CheckOptions::default();
    options.replay.variant = variant;
    let [whole, heads] = [Needs::Game, Needs::Tags].map(|needs| seen(bytes, &options, needs));
    assert_eq!(heads.len(), whole.len());
    for (head, whole) in heads.iter().zip(&whole) {
        // The values are as written.
        assert!(head.iter().map(|(name, _)| name).eq(whole.iter().map(|(name, _)| name)));
    }
    whole.len()
}

/// The tags of a game.
type SeenTags = Vec<(String, String)>;

fn seen(bytes: &[u8], options: &CheckOptions, needs: Needs) -> Vec<SeenTags> {
    let input = Input::stream("-", Cursor::new(bytes.to_vec()));
    let mut all = Vec::new();
    let run = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(
        vec![Ok(input)],
        &Checking::new(Seeing(needs), options.clone()),
        |event| {
            if let Event::Done(seen) = event {
                all.extend(seen);
            }
            Ok(())
        },
    );
    run.expect("no error is returned");
    all
}

/// Asks for all that can be asked of games, the tags first.
struct Seeing(Needs);

impl GameWork for Seeing {
    type Done = Vec<SeenTags>;

    fn needs(&self) -> Needs {
        self.0
    }

    fn game(&self, game: CheckedGame<'_>, seen: &mut Vec<SeenTags>) {
        seen.push(game.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
        let review = game.review();
        let result = (game.terminator(), game.winner(), review.board(), review.game().is_clean(), review.has_errors());
        let place = (game.number(), game.range(), game.location(), game.around());
        let rows = (checked_head(&game), checked_row(&game), diagnostic_rows(&game));
        let replayed = game.review().game();
        let variations = |wanted: GameStep<'_>| replayed.steps().filter(|step| *step == wanted).count();
        assert_eq!(variations(GameStep::Open), variations(GameStep::Close));
        drop(format!("{result:?} {place:?} {rows:?}"));
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
    let format = FormatOptions {
        width: [80, 20, 200][choice % 3],
        moves: [MoveStyle::Short, MoveStyle::Full, MoveStyle::Written][choice / 3 % 3],
        comments: !(choice / 9).is_multiple_of(4),
        variations: !(choice / 36).is_multiple_of(4),
        results: choice / 144 % 3 == 1,
        strict: choice / 144 % 3 == 2,
        ..FormatOptions::default()
    };
    let once = format_game(game, &format);
    let mut again = games(once.as_bytes());
    let Some(second) = again.next() else {
        assert!(game.tree().tags().is_empty() && game.written() == 0, "{once}");
        return;
    };
    assert!(again.next().is_none(), "{once}");
    assert_eq!(format_game(&replay(second.into_tree(), options), &format), once, "{format:?}");
}
